"""
Reference images: a module's own folder, or an assets library with icons, UI elements and states (docs/spec/vision-agent.md).

An image is found by its file's name or by an alias from aliases.yaml or index.json, ignoring case and character width.
`NAME_v2.png`, `NAME_v3.png` ... are variants of NAME (another theme, another release) and are tried after it.
"""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from PIL import Image
from pydantic import ValidationError

from handeye.apps.schema import INDEX_VERSION, MOST_IMAGES, Aliases, IndexEntry, IndexFile
from handeye.documents import check_file, read_file, read_text, read_yaml, validate
from handeye.errors import ConfigError, InvalidImage, InvalidReference
from handeye.files import write_text
from handeye.geometry import Size
from handeye.picture_files import open_picture
from handeye.plan import fold
from handeye.target import Region
from handeye.visible import shown

if TYPE_CHECKING:
    from handeye.matching import Reference

SUFFIXES: Final = frozenset({".png", ".webp", ".jpg", ".jpeg"})
ALIASES: Final = "aliases.yaml"
INDEX: Final = "index.json"
KINDS: Final = ("icons", "ui", "states", "custom")

SIDE_LIMIT: Final = 4096
"""Most pixels of a reference's longer side: nothing on a screen is larger than a 4K screen."""

PICTURE_LIMIT: Final = 16 * 1024 * 1024
"""Most bytes of a reference's file. A screenshot of a 4K screen has under 10 MB, a reference that was cut from it some kB."""

DEEPEST: Final = 8
"""Most levels of nested folders in a library."""

_VARIANT: Final = re.compile(r"(.+)_v([2-9]|[1-9][0-9])\Z")


@dataclass(frozen=True, slots=True)
class _Found:
    kind: str
    paths: tuple[Path, ...]  # the image, then its variants in order


class AssetsManager:
    """
    The reference images under `folder`; a folder that does not exist is an empty library, and so is None.

    Names are file names without suffix; those under `states/` are prefixed with their folders (`states/wechat/main.png` is
    `wechat_main`). The folder is read once, on first use. Its files must lie in the folder `within`, if one is given.
    """

    def __init__(self, folder: str | Path | None = "assets", *, within: Path | None = None) -> None:
        self.folder = Path(folder) if folder is not None else None
        self._within = within
        self._read: dict[str, tuple[Reference, ...]] = {}

    def __repr__(self) -> str:
        return f"AssetsManager({str(self.folder)!r})"

    def find(self, name: str) -> tuple[Reference, ...]:
        """
        Return the image of that name or alias and its variants, in order; empty when there is none. Images that cannot be
        searched for are left out (see `unreadable`); raises InvalidReference when none of several can.
        """
        known = self.resolve_alias(name)
        if known is None:
            return ()
        if known not in self._read:
            found: list[Reference] = []
            refused: list[InvalidReference] = []
            for path in self._images[known].paths:
                try:
                    found.append(self._reference(known, path, self._entry(known, path)))
                except InvalidReference as error:
                    refused.append(error)
            if refused and not found:
                raise refused[0]
            self._read[known] = tuple(found)
        return self._read[known]

    references = find

    def get_image(self, name: str) -> Image.Image | None:
        """
        Return the image of that name or alias as a picture (docs/spec/vision-agent.md), or None. Raises InvalidReference when
        it is unreadable.
        """
        found = self.find(name)
        return Image.fromarray(found[0].pixels) if found else None

    def resolve_alias(self, name: str) -> str | None:
        """Return the image's name for a name or alias, ignoring case and width; None when no such image exists."""
        return self._names.get(_key(name))

    def names_and_aliases(self) -> tuple[str, ...]:
        """Return every name and alias of the existing images, in lower case and normal width."""
        return tuple(self._names)

    def get_available_refs(self) -> dict[str, list[str]]:
        """
        Return the names of all images by kind: `{"icons": [...], "ui": [...], "states": [...]}`; `custom` if there are any.
        """
        refs: dict[str, list[str]] = {"icons": [], "ui": [], "states": []}
        for name, found in sorted(self._images.items()):
            refs.setdefault(found.kind, []).append(name)
        return refs

    def unreadable(self) -> list[tuple[Path, InvalidReference]]:
        """Return the files that are no pictures, or too large, each with the error."""
        wrong = []
        for name, found in sorted(self._images.items()):
            for path in found.paths:
                try:
                    self._reference(name, path, None)
                except InvalidReference as error:
                    wrong.append((path, error))
        return wrong

    def check(self) -> None:
        """Raise ConfigError for errors in the files, without reading the pictures."""
        for found in self._images.values():
            for path in found.paths:
                check_file(path, PICTURE_LIMIT, within=self._within)
        _ = self._names

    def write_index(self) -> Path:
        """Write index.json for the existing images, preserving its aliases and descriptions; return its path."""
        if self.folder is None:
            raise InvalidReference("a library without a folder has no index to write")
        document: dict[str, object] = {"version": INDEX_VERSION}
        for kind in KINDS:
            entries = dict(getattr(self._index, kind).items())
            section: dict[str, object] = {}
            for name in sorted(entries.keys() | {name for name, found in self._images.items() if found.kind == kind}):
                entry, found = entries.get(name), self._images.get(name)
                section[name] = _index_entry(entry, found, self._spoken(name), self.folder)
            if section or kind != "custom":
                document[kind] = section
        return write_text(self.folder / INDEX, json.dumps(document, ensure_ascii=False, indent=2) + "\n")

    def _entry(self, name: str, path: Path) -> IndexEntry | None:
        """Return the index entry of one image file, or None; a variant has a separate entry."""
        kind = self._images[name].kind
        own = name if path == self._images[name].paths[0] else _named(path.relative_to(self.folder or path.parent))[1]
        entries: Mapping[str, IndexEntry] = getattr(self._index, kind)
        return entries.get(own)

    def _reference(self, name: str, path: Path, entry: IndexEntry | None) -> Reference:
        from handeye.matching import Reference  # planning alone does not load OpenCV

        said = f"reference image {shown(str(path))}"
        try:
            with open_picture(read_file(path, PICTURE_LIMIT, within=self._within)) as image:
                if max(image.size) > SIDE_LIMIT:
                    raise InvalidReference(f"{said} is {image.width}x{image.height}; at most {SIDE_LIMIT} a side")
                has_alpha = "A" in image.getbands() or "transparency" in image.info
                pixels = np.array(image.convert("RGBA" if has_alpha else "RGB"))
        except InvalidImage as error:
            raise InvalidReference(f"{said}: {error}") from error
        except ConfigError as error:
            raise InvalidReference(f"reference image {error}") from error
        captured = Size(*entry.resolution) if entry and entry.resolution else None
        position = Region(*entry.position) if entry and entry.position else None
        return Reference(name, pixels, path, captured, position)

    def _spoken(self, name: str) -> list[str]:
        return sorted(alias for alias, target in self._aliases.items() if target == name)

    @cached_property
    def _index(self) -> IndexFile:
        if self.folder is None or not os.path.lexists(self.folder / INDEX):
            return IndexFile()
        path = self.folder / INDEX
        try:
            return IndexFile.model_validate(read_json(path, within=self._within))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"]) or "the file"
            raise ConfigError(f"{where}: {first['msg']}", file=path, expected="as AssetsManager writes it") from None

    @cached_property
    def _images(self) -> Mapping[str, _Found]:
        if self.folder is None or not self.folder.is_dir():
            return {}
        files: dict[str, Path] = {}
        kinds: dict[str, str] = {}
        for path in _pictures(self.folder):
            kind, name = _named(path.relative_to(self.folder))
            if name in files:
                raise ConfigError(f"{path.name} and {files[name]} have the same name {name!r}", file=path.parent)
            files[name], kinds[name] = path, kind
        return {
            name: _Found(kinds[name], _with_variants(name, files)) for name in files if _variant_of(name, files) is None
        }

    @cached_property
    def _aliases(self) -> Mapping[str, str]:
        """Every alias and the name of its image. An alias of a missing image is an error in the file."""
        aliases: dict[str, str] = {}
        for kind in KINDS:
            for name, entry in getattr(self._index, kind).items():
                aliases.update(dict.fromkeys(entry.aliases, name))
        if self.folder is not None and os.path.lexists(self.folder / ALIASES):
            document = read_yaml(self.folder / ALIASES, within=self._within)
            for alias, name in (validate(document, Aliases).root or {}).items():
                if name not in self._images:
                    raise document.error(f"there is no image {name!r}", (alias,), one_of_images(self._images))
                aliases[alias] = name
        return aliases

    @cached_property
    def _names(self) -> Mapping[str, str]:
        names = {_key(alias): name for alias, name in self._aliases.items() if name in self._images}
        return {**names, **{_key(name): name for name in self._images}}


class ImageSearch:
    """Several libraries, searched in order: the app's own, what it builds on, the user's assets."""

    def __init__(self, libraries: Sequence[AssetsManager]) -> None:
        self.libraries = tuple(libraries)

    def find(self, name: str) -> tuple[Reference, ...]:
        """Return the result of AssetsManager.find from the first library that has the name."""
        for library in self.libraries:
            if found := library.find(name):
                return found
        return ()


def one_of_images(names: Iterable[str]) -> str:
    """Return the expected names, for an error about an unknown image."""
    known = ", ".join(sorted(names))
    return f"one of {known}" if known else "a picture of that name beside this file"


def read_json(path: Path, *, within: Path | None = None) -> Any:
    """Return the value of a JSON file. Raises ConfigError, also as `handeye.documents.read_file` does."""
    text = read_text(path, within=within)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise ConfigError(f"is not valid JSON: {error.msg}", file=path, line=error.lineno) from error
    except (ValueError, RecursionError) as error:  # a number of too many digits, or brackets within brackets
        raise ConfigError(f"cannot be read: {error}", file=path, expected="JSON that a person wrote") from error


def _pictures(folder: Path) -> list[Path]:
    """Return the picture files in a folder and below it, sorted; folders that are links are not entered."""
    found: list[Path] = []
    waiting, seen = [(folder, 0)], 0
    while waiting:
        inside, depth = waiting.pop()
        try:
            with os.scandir(inside) as entries:
                for entry in entries:
                    seen += 1
                    if seen > MOST_IMAGES or depth > DEEPEST:
                        limits = f"at most {MOST_IMAGES} files, in folders at most {DEEPEST} deep"
                        raise ConfigError("has too many files or folders", file=folder, expected=limits)
                    path = inside / entry.name
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append((path, depth + 1))
                    elif path.suffix.lower() in SUFFIXES:
                        found.append(path)
        except OSError as error:
            raise ConfigError(f"cannot be read: {error.strerror or error}", file=inside) from error
    return sorted(found)


def _named(path: Path) -> tuple[str, str]:
    """Return the kind and the name of a file by its place in the library."""
    kind = path.parts[0] if len(path.parts) > 1 and path.parts[0] in KINDS else "icons"
    stem = unicodedata.normalize("NFC", path.stem)
    return kind, "_".join((*path.parts[1:-1], stem)) if kind == "states" else stem


def _variant_of(name: str, files: Mapping[str, Path]) -> str | None:
    """Return the name of which this is a variant; None for an image that is no variant."""
    variant = _VARIANT.match(name)
    return variant[1] if variant and variant[1] in files else None


def _with_variants(name: str, files: Mapping[str, Path]) -> tuple[Path, ...]:
    numbers = sorted(int(found[2]) for other in files if (found := _VARIANT.match(other)) and found[1] == name)
    return (files[name], *(files[f"{name}_v{number}"] for number in numbers))


def _key(name: str) -> str:
    return fold(unicodedata.normalize("NFC", name)).strip()


def _index_entry(entry: IndexEntry | None, found: _Found | None, spoken: list[str], folder: Path) -> dict[str, object]:
    path = found.paths[0].relative_to(folder).as_posix() if found else (entry.path if entry else "")
    shown: dict[str, object] = {"path": path}
    if spoken:
        shown["aliases"] = spoken
    if entry and entry.description:
        shown["description"] = entry.description
    if entry and entry.package:
        shown["package"] = entry.package
    if entry and entry.resolution:
        shown["resolution"] = list(entry.resolution)
    if entry and entry.position:
        shown["position"] = list(entry.position)
    shown["exists"] = found is not None or bool(path and (folder / path).is_file())
    return shown
