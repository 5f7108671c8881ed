"""Phrases that name what is meant: by its label, other words for it, another language, or its icon."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Final

from training.phrases import noise
from training.phrases.drafts import Draft, Writer, spoken, varied, wraps_for
from training.phrases.frames import languages
from training.phrases.lexicon import rephrased, translated
from training.phrases.matching import fold, one_edit_apart
from training.phrases.screen import UNNAMED, Screen, concept_of, different_family, icon_words
from training.phrases.units import FIELDS, MARKS, Unit, same_place

LONGEST: Final = 42  # characters of a label that people say whole
_TRAILING: Final = re.compile(r"[\s:*…:.]+$|\s*[((]\d+[))]$")


def drafts(screen: Screen, chance: random.Random) -> Iterator[Draft]:
    """All phrases for the named things of a screen."""
    for unit in screen.units:
        if not unit.usable:
            continue
        if unit.role == "icon":
            yield from _icon(screen, unit, chance)
            continue
        name = name_of(unit)
        if name:
            yield from _label(screen, unit, name, chance)
            yield from _reworded(screen, unit, name, chance)


def name_of(unit: Unit) -> str:
    """The label that people say; "" for none, a too long one, or one without letters and digits."""
    name = unit.name or (unit.inner[0] if unit.inner and unit.role in FIELDS else "")
    name = _TRAILING.sub("", name) or name
    return name if len(name) <= LONGEST and "\n" not in name and any(letter.isalnum() for letter in name) else ""


def kind_of(unit: Unit) -> str:
    return "control" if unit.role in (*FIELDS, *MARKS) else "text"


def is_unique(screen: Screen, unit: Unit, name: str) -> bool:
    """Return True if a label occurs at one place only and no icon elsewhere means the same."""
    if not screen.is_only(unit, name):
        return False
    return not screen.pictured(name, unit)


def _changed(screen: Screen, unit: Unit, name: str, chance: random.Random) -> str:
    """The name as people retype it, as long as it is not nearer to something else."""
    changed = varied(chance, name)
    folded = fold(changed)
    if folded == fold(name):
        return changed
    near = any(one_edit_apart(other, folded) for other in screen.elsewhere(unit))
    return name if near or not folded else changed


def _label(screen: Screen, unit: Unit, name: str, chance: random.Random) -> Iterator[Draft]:
    language = spoken(chance, screen.language)
    writer = Writer(chance, language)
    said = _changed(screen, unit, name, chance)
    about = {"boxes": unit.boxes, "element": unit.index, "language": language, "name": said}
    if is_unique(screen, unit, name):
        category = "control" if kind_of(unit) == "control" else "label"
        words, frame = writer.written("label", name=said)
        wraps = wraps_for(unit, name, language)
        yield Draft(category, kind_of(unit), words=words, frame=frame, wraps=wraps, **about)  # type: ignore[arg-type]
        yield from _shortened(screen, unit, name, about, chance)
    rivals = [other for other in screen.units if fold(name) in other.folded and not same_place(unit, other)]
    if unit.role == "text" or not all(different_family(unit.role, rival.role) for rival in rivals):
        return
    if rivals and not len(rivals) == sum(1 for folded in set(screen.elsewhere(unit)) if folded == fold(name)) == 1:
        return
    section = "field" if unit.role in FIELDS and writer.frames.has("field") and unit.name else "role"
    words, frame = writer.written(section, role=unit.role, name=said)
    wraps = tuple(group for group in wraps_for(unit, "", language) if group != "do")
    category = "control" if kind_of(unit) == "control" else "role"
    yield Draft(category, kind_of(unit), words=words, frame=frame, wraps=wraps, **about)  # type: ignore[arg-type]


def _shortened(
    screen: Screen, unit: Unit, name: str, about: dict[str, object], chance: random.Random
) -> Iterator[Draft]:
    """The label without a light verb in front, or a long one without its last word."""
    writer = Writer(chance, str(about["language"]))
    light = writer.frames.words("extra", "light") if writer.frames.has("extra", "light") else []
    shorter = [
        name[len(word) :].strip() for word in light if fold(name).startswith(fold(word)) and len(name) > len(word) + 2
    ]
    words = name.split()
    if len(words) >= 4 and unit.role != "text":
        shorter.append(" ".join(words[:-1] if len(words) > 4 or chance.random() < 0.5 else words[1:]))
    for short in shorter[:2]:
        if screen.is_clear(unit, short) and len(fold(short)) > 2:
            said, frame = writer.written("label", name=short)
            yield Draft("reworded", kind_of(unit), words=said, frame=frame, **{**about, "name": short})  # type: ignore[arg-type]


def _reworded(screen: Screen, unit: Unit, name: str, chance: random.Random) -> Iterator[Draft]:
    """Other words of the same language, numbers in words, and the same in another language."""
    if not screen.is_clear(unit, name):
        return
    own = screen.language if screen.language in languages() else ""
    said = [(own, other, "reworded") for other in (*rephrased(name, own), *_with_number(name, own))] if own else []
    for language in languages():
        if language not in (screen.language, "ja", "ru"):
            said += [(language, other, "translated") for other in translated(name, screen.language, language)]
    chance.shuffle(said)
    for language, other, category in said[:5]:
        if screen.is_clear(unit, other):
            yield _named(unit, language, other, category, chance)


def _named(unit: Unit, language: str, name: str, category: str, chance: random.Random) -> Draft:
    writer = Writer(chance, language)
    said = noise.mistyped(chance, name) if chance.random() < 0.06 else name
    wraps = wraps_for(unit, name, language)
    if unit.role != "text" and chance.random() < 0.4:
        section = "field" if unit.role in FIELDS and writer.frames.has("field") and unit.name else "role"
        words, frame = writer.written(section, role=unit.role, name=said)
        wraps = tuple(group for group in wraps if group not in ("do", "see"))
    else:
        words, frame = writer.written("label", name=said)
    return Draft(category, kind_of(unit), language, words, frame, unit.boxes, unit.index, wraps, name=name)


def _with_number(name: str, language: str) -> list[str]:
    """ "2 小时": "两小时"; "3 items": "three items"."""
    counted = r"\s?(?=[\u4e00-\u9fff])(?![年月日点号])" if language == "zh" else r"(?= [a-z])"
    found = re.search(rf"(?<![\w.,:/-])(\d{{1,2}}){counted}", name)
    if not found or language not in ("en", "zh") or int(found.group(1)) > 12 or len(name) < len(found.group(1)) + 2:
        return []
    word = Writer(random.Random(0), language).frames.words("extra", "numbers")[int(found.group(1))]
    left, right = name[: found.start()], name[found.end() :]
    return [left + word + (right.lstrip() if language == "zh" else right)]


def _icon(screen: Screen, unit: Unit, chance: random.Random) -> Iterator[Draft]:
    concept = concept_of(unit.icons[0])
    if concept is None or not screen.whole_icons or (screen.unnamed and concept.id in UNNAMED):
        return
    for language in languages():
        words = list(icon_words(concept, language))
        own = language in (screen.language, "en", "zh")
        for word in chance.sample(words, min(len(words), 2 if own else 1)):
            confusable = {concept.id, *concept.confusable}
            others = [icon for icon in screen.icons if not same_place(icon, unit)]
            if screen.pictured(word, unit) or any(_is_one_of(icon, confusable) for icon in others):
                continue
            bare = not any(
                fold(word) in text or text in fold(word) for text in screen.elsewhere(unit)
            ) and screen.is_clear(unit, word)
            writer = Writer(chance, language)
            group = "bare" if bare and chance.random() < 0.5 else "np"
            said = noise.mistyped(chance, word) if chance.random() < 0.05 else word
            written, frame = writer.written("icon", group, name=said)
            yield Draft(
                "icon" if own else "translated", "icon", language, written, frame, unit.boxes, unit.index, name=word
            )


def _is_one_of(icon: Unit, ids: set[str]) -> bool:
    concept = concept_of(icon.icons[0])
    return concept is not None and (concept.id in ids or bool(ids & set(concept.confusable)))
