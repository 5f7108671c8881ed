"""A screen with its units, and the questions of uniqueness that every phrase has to pass."""

from __future__ import annotations

import json
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final

from handeye.parse.vocabulary.lookup import concepts_of, is_term
from handeye.parse.vocabulary.table import Concept
from training.icons.names import clean
from training.phrases.lexicon import ids_inside, meanings
from training.phrases.matching import contains, fold, one_edit_apart
from training.phrases.units import Box, Unit, read_units, same_place

# What libraries draw by themselves without a name in the truth: such icons may be on any screen that has unnamed icons.
UNNAMED: Final = frozenset((
    *("close", "back", "forward", "check", "search", "calendar", "clock", "add", "remove"),
    *("star", "info", "warning", "error", "eye", "eye-off", "more", "menu", "user"),
    *("profile", "upload", "delete", "image", "home", "settings", "arrow-up", "arrow-down", "chevron-up"),
    *("chevron-down", "chevron-left", "chevron-right", "next", "previous", "success", "question", "help", "close-circle"),
    *("filter", "file", "loading", "refresh", "location", "scan", "edit", "link", "date-range"),
    *("caret-down", "caret-up"),
))  # fmt: skip
_FAMILIES: Final = (
    {"heading", "text"},
    {"button", "link", "tab", "menu item", "icon"},
    {"list item"},
    {"input", "combo box"},
)
TEXTLESS: Final = ("atspi",)  # kinds of screens whose truth lacks icons


class Screen:
    """The truth of one screen. texts: (folded text, box) of every text element; ids: meanings of its texts."""

    def __init__(self, path: Path, truth: dict[str, Any]) -> None:
        self.path = path
        self.language: str = truth["language"]
        self.kind: str = truth["kind"]
        self.size: tuple[int, int] = (truth["size"][0], truth["size"][1])
        self.units = read_units(truth)
        self.texts: list[tuple[str, Box]] = [
            (fold(each["text"]), tuple(each["box"]))
            for each in truth["elements"]
            if each["role"] == "text" and fold(each["text"])
        ]
        for unit in self.units:  # labels of two lines
            self.texts += [(folded, unit.box) for folded in unit.folded if folded]
        self.folded = frozenset(folded for folded, _ in self.texts)
        self.unnamed = any(not each["name"] for each in truth["elements"] if each["role"] == "icon")
        self.whole_icons = self.kind not in TEXTLESS
        self._elsewhere: dict[int, list[str]] = {}
        self._pictures: dict[str, list[Unit]] = {}
        self.roles = frozenset(each["role"] for each in truth["elements"])

    @classmethod
    def load(cls, path: Path) -> Screen:
        return cls(path, json.loads(path.read_text("utf-8")))

    def elsewhere(self, unit: Unit) -> list[str]:
        """The folded texts that are not part of a unit."""
        if unit.index not in self._elsewhere:
            self._elsewhere[unit.index] = [folded for folded, box in self.texts if not within(box, unit)]
        return self._elsewhere[unit.index]

    def is_only(self, unit: Unit, text: str) -> bool:
        """Return True if a text is not empty and occurs at no other place, compared folded."""
        folded = fold(text)
        return bool(folded) and not any(other == folded for other in self.elsewhere(unit))

    def is_clear(self, unit: Unit, text: str) -> bool:
        """
        Return True if no other place has a text that contains this one, is in it, or shares a meaning with it.

        Texts that are one letter away, and icons that the text may mean, count as well.
        """
        folded, ids = fold(text), ids_inside(text)
        for other in self.elsewhere(unit):
            if contains(other, folded) or (len(other) > 2 and contains(folded, other)) or one_edit_apart(other, folded):
                return False
            if ids and ids_inside(other) & ids:
                return False
        return not self.pictured(text, unit)

    def pictured(self, text: str, unit: Unit | None = None) -> bool:
        """Return True if a text may mean an icon that is not at the place of a unit."""
        if text not in self._pictures:
            self._pictures[text] = [icon for icon in self.icons if self.pictures(text, icon)]
        return any(unit is None or not self.belongs(icon, unit) for icon in self._pictures[text])

    def belongs(self, icon: Unit, unit: Unit) -> bool:
        """Return True if an icon is at the place of a unit."""
        return same_place(icon, unit) or any(inside(icon.box, box) for box in unit.boxes)

    @cached_property
    def icons(self) -> list[Unit]:
        return [unit for unit in self.units if unit.role == "icon"]

    def pictures(self, text: str, icon: Unit) -> bool:
        """Return True if a text may mean an icon."""
        concept = concept_of(icon.icons[0])
        if concept is None:
            return bool({each.id for each in concepts_of(text)} & UNNAMED)
        return concept in concepts_of(text) or fold(text) in folded_terms(concept)

    def has_no(self, text: str) -> bool:
        """Return True if nothing on the screen is, contains or means a text, covered elements included."""
        folded, ids = fold(text), ids_inside(text)
        if not folded or any(contains(other, folded) or one_edit_apart(other, folded) for other in self.folded):
            return False
        if any(len(other) > 1 and contains(folded, other) for other in self.folded):
            return False
        return not (ids & self.ids) and not self.pictured(text)

    @cached_property
    def ids(self) -> frozenset[str]:
        """The meanings of all terms on the screen."""
        return frozenset().union(*map(ids_inside, self.folded)) if self.folded else frozenset()


def picture_of(truth: Path) -> Path:
    """The picture beside a truth. Raises FileNotFoundError where there is none."""
    for ending in (".jpg", ".png"):
        if truth.with_suffix(ending).exists():
            return truth.with_suffix(ending)
    raise FileNotFoundError(f"no .jpg or .png beside {truth}")


def has_picture(truth: Path) -> bool:
    """Return True if a truth has its picture."""
    return any(truth.with_suffix(ending).exists() for ending in (".jpg", ".png"))


def within(box: Box, unit: Unit) -> bool:
    """Return True if the centre of a box lies in one of a unit's boxes."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return any(each[0] <= x <= each[2] and each[1] <= y <= each[3] for each in unit.boxes)


def inside(inner: Box, outer: Box) -> bool:
    """Return True if a box lies in another, with 2 pixels of tolerance."""
    return (
        inner[0] >= outer[0] - 2 and inner[1] >= outer[1] - 2 and inner[2] <= outer[2] + 2 and inner[3] <= outer[3] + 2
    )


def different_family(role: str, other: str) -> bool:
    """Return True if a role noun tells two roles apart: they differ and share no family."""
    return not any(role in family and other in family for family in _FAMILIES) and role != other


@lru_cache(maxsize=20_000)
def concept_of(name: str) -> Concept | None:
    """The concept that an icon's truth name ("set:name") is a term of; None for one without."""
    prefix, _, rest = name.partition(":")
    words = clean(prefix, rest) if rest else ""
    return concepts_of(words)[0] if words and is_term(words) else None


@lru_cache(maxsize=4096)
def folded_terms(concept: Concept) -> frozenset[str]:
    """The folded terms of a concept."""
    return frozenset(map(fold, concept.terms))


@lru_cache(maxsize=4096)
def icon_words(concept: Concept, language: str) -> tuple[str, ...]:
    """Names of an icon in a language; () if no word is known."""
    if language == "en":
        words = [*concept.names[:5], *(phrase.removeprefix("the ") for phrase in concept.phrases[:4])]
    elif language == "zh":
        words = list(concept.chinese[:6])
    else:
        usual = {
            id_: set(map(fold, each.terms.get("en", ())[:2]))
            for id_, each in meanings().items()
            if not id_.startswith("glossary")
        }
        names = {fold(name) for name in concept.names[:3]}
        meant = [meanings()[id_] for id_, terms in usual.items() if names & terms]
        words = [term for each in meant for term in each.terms.get(language, ())]
    good = (word for word in words if word not in concept.also and any(letter.isalpha() for letter in word))
    return tuple(word for word in good if language not in ("en", "zh") or concepts_of(word)[:1] == (concept,))
