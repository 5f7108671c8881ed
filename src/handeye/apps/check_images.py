"""Check a module's images, their aliases and index, and the steps that name them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from rapidfuzz import fuzz, process

from handeye.apps.images import ALIASES, INDEX, KINDS, AssetsManager, one_of_images, read_json
from handeye.apps.schema import Aliases, IndexFile
from handeye.apps.step_schema import ExpectFile, StepFile, TargetFile
from handeye.apps.tasks import TaskTemplate
from handeye.documents import NAME, Document, Location, problems_in, read_yaml
from handeye.errors import ConfigError, HandeyeError
from handeye.plan import TextTemplate, fold
from handeye.target import DYNAMIC, TEXT

EXPECTATION_KEYS: Final = ("expect", "guard", "when", "unless")
"""The keys of a step that hold an expectation."""

MISSPELT: Final = 80.0
"""rapidfuzz ratio (0-100) from which a text is taken for a misspelt image: "serach" and "search" have 83, as long as neither
is part of the other ("settings" is a text on screens where "setting" is an image)."""

_UNDERSCORED: Final = re.compile(NAME)
_OF_AN_INDEX: Final = frozenset({"$schema", *IndexFile.model_fields})

Told = tuple[ConfigError, bool]
"""A problem, and whether it is an error."""


def image_problems(folder: Path, within: Path | None) -> Iterator[Told]:
    """
    Yield the problems of the pictures, their aliases and their index. The files must lie in the folder `within`, if given.
    """
    library = AssetsManager(folder, within=within)
    try:
        names = [name for found in library.get_available_refs().values() for name in found]
    except ConfigError as same:  # two files of one name: nothing else can be checked
        yield same, True
        return
    for path, error in library.unreadable():
        yield ConfigError(str(error), file=path, expected="a PNG, WebP or JPEG picture"), True
    yield from _about_aliases(folder, within, set(names))
    yield from _about_index(folder, within)


def _about_aliases(folder: Path, within: Path | None, names: set[str]) -> Iterator[Told]:
    if not os.path.lexists(folder / ALIASES):
        return
    try:
        document = read_yaml(folder / ALIASES, within=within)
    except ConfigError as error:
        yield error, True
        return
    wrong = problems_in(document, Aliases)
    yield from ((each, True) for each in wrong)
    for alias, name in () if wrong else (document.value or {}).items():
        if name not in names:
            yield document.error(f"there is no image {name!r}", (alias,), one_of_images(names)), True


def _about_index(folder: Path, within: Path | None) -> Iterator[Told]:
    path = folder / INDEX
    if not os.path.lexists(path):
        return
    try:
        read_json(path, within=within)
        document = read_yaml(path, within=within)  # JSON is YAML, and YAML is read with its lines
    except ConfigError as error:
        yield error, True
        return
    wrong = problems_in(document, IndexFile)
    yield from ((each, True) for each in wrong)
    if not wrong:
        yield from _about_entries(document, folder)


def _about_entries(document: Document, folder: Path) -> Iterator[Told]:
    """Yield warnings about index entries that are valid, but probably not meant."""
    for section in document.value.keys() - _OF_AN_INDEX:
        yield document.error(f"nobody reads {section!r}", (section,), f"one of {', '.join(KINDS)}"), False
    index = IndexFile.model_validate(document.value)
    for kind in KINDS:
        for name, entry in getattr(index, kind).items():
            here = (kind, name, "path")
            if _is_outside(folder, entry.path):
                yield (
                    document.error(f"{entry.path!r} leaves the folder", here, "a file in the folder of the index"),
                    False,
                )
            elif entry.exists and not (folder / entry.path).is_file():
                yield document.error(f"there is no file {entry.path!r}", here, "exists: false"), False


def _is_outside(folder: Path, path: str) -> bool:
    return not (folder / path).absolute().is_relative_to(folder.absolute()) or ".." in Path(path).parts


def reference_problems(template: TaskTemplate, libraries: Sequence[AssetsManager]) -> Iterator[Told]:
    """Yield the problems of images that steps name and that no library has, and of texts that were probably meant as one."""
    for index, step in enumerate(template.file.steps):
        for where, name, needed in _references(step):
            if not TextTemplate.parse(name).slots and not _is_known(name, libraries):
                text = f"names the image {name!r}, which is not there"
                yield template.error(text, ("steps", index, *where), "an image in images/, or an alias of one"), needed
        word = step.target
        if isinstance(word, str) and not _is_known(word, libraries) and (meant := _misspelt(word, libraries)):
            text = f"has the target {word!r}, which is no image and is looked for as a text"
            yield template.error(text, ("steps", index, "target"), f"{meant}, or text:{word} if that is meant"), False


def _is_known(name: str, libraries: Iterable[AssetsManager]) -> bool:
    try:
        return any(each.resolve_alias(name) for each in libraries)
    except HandeyeError:
        return True  # a library that cannot be read is reported elsewhere


def _misspelt(word: str, libraries: Iterable[AssetsManager]) -> str:
    """Return the image that was probably meant by a target that is none; empty when it is an ordinary text."""
    if word.startswith((TEXT, DYNAMIC)) or TextTemplate.parse(word).slots:
        return ""
    typed = fold(word.strip())
    others = [
        name for each in libraries for name in each.names_and_aliases() if name not in typed and typed not in name
    ]
    near = process.extractOne(typed, others, scorer=fuzz.ratio, score_cutoff=MISSPELT)
    if near:
        return repr(near[0])
    return "an image in images/" if "_" in word and _UNDERSCORED.fullmatch(word) else ""


def _references(step: StepFile) -> Iterator[tuple[Location, str, bool]]:
    """Yield every image that a step names: its place, its name, and whether the step has no other way to find the target."""
    if isinstance(step.target, TargetFile) and step.target.reference:
        yield ("target", "reference"), step.target.reference, not (step.target.text or step.target.description)
    instead = step.fallback.target_ref if step.fallback is not None else None
    if instead and not instead.startswith((TEXT, DYNAMIC)):
        yield ("fallback", "target_ref"), instead, False
    if step.verify_ref:
        yield ("verify_ref",), step.verify_ref, True
    for key in EXPECTATION_KEYS:
        expect: ExpectFile | None = getattr(step, key)
        if expect is not None and expect.reference:
            yield (key, "reference"), expect.reference, True
