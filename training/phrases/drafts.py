"""A question before its sentence: a noun phrase, what it means, and the sentences that suit it."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, Final

from training.phrases import noise
from training.phrases.frames import Noun, for_checking, frames_of, languages
from training.phrases.lexicon import meanings_of
from training.phrases.units import Box, Unit

_PLAIN_NAME: Final = 0.45  # share of names that stay as they are on the screen
_GOING: Final = ("tab", "link", "menu item", "list item")


@dataclass
class Draft:
    """
    One question. category: what the mixture of questions counts. wraps: groups of sentences that suit it.

    `equal` are the boxes of the equal places of an ambiguous phrase; `hard` says why an absent one is hard.
    """

    category: str
    kind: str
    language: str
    words: str
    frame: str
    boxes: list[Box]
    element: int | None = None
    wraps: tuple[str, ...] = ("any",)
    equal: list[list[Box]] | None = None
    hard: str = ""
    name: str = ""


class Writer:
    """Noun phrases in one language."""

    def __init__(self, chance: random.Random, language: str) -> None:
        self.chance, self.language, self.frames = chance, language, frames_of(language)

    def written(
        self, section: str, group: str = "np", role: str | Noun = "", name: str = "", **slots: str
    ) -> tuple[str, str]:
        """(noun phrase, frame) of a random frame with its slots filled."""
        frame = self.frames.pick(self.chance, section, group)
        noun = role if isinstance(role, Noun) else self.noun(role)
        extra = {
            "x": name,
            "q": noise.quoted(self.chance, name),
            "r": self.chance.choice(self.frames.words("extra", "remarks")),
            "s": self.chance.choice(self.frames.words("extra", "shortcuts")),
            "first": _by_gender(self.frames.words("ordinal", "nth")[0].split("|")[0], noun.gender),
            "role": noun.bare,
            "the_role": noun.definite,
            "art": self.article(noun),
            "o": "a" if noun.gender == "f" else "o",
            "n": "" if noun.gender == "f" else "n",
            "e": "e" if noun.gender == "f" else "",
            "roles": self.frames.plural(noun.bare),
        }
        gendered = {key: _by_gender(slots[key], noun.gender) for key in ("nth", "colour") if key in slots}
        return frame.pattern.format_map(extra | slots | gendered), frame.id

    def noun(self, role: str) -> Noun:
        return self.frames.noun(self.chance, role) if role else Noun("m", "", "")

    def article(self, noun: Noun) -> str:
        """The definite article before another word, in languages whose nouns have a gender."""
        articles = self.frames.words("extra", "articles") if self.frames.has("extra", "articles") else ["", ""]
        return str(articles[noun.gender == "f"])

    def anchor(self, name: str) -> str:
        """A text beside what is meant, quoted half of the time."""
        return noise.quoted(self.chance, name) if self.chance.random() < 0.5 else name


def _by_gender(words: str, gender: str) -> str:
    """The form that agrees: "primer/primera"."""
    return words.split("/")[gender == "f"] if "/" in words else words


def spoken(chance: random.Random, screen_language: str) -> str:
    """A language to ask in: mostly the screen's own."""
    known = languages()
    if screen_language in known and chance.random() < 0.7:
        return screen_language
    return chance.choice([each for each in ("en", "en", "zh", "zh", "es", "pt", "fr", "de") if each in known])


def varied(chance: random.Random, name: str) -> str:
    """A name as people retype it."""
    choice = chance.random()
    if choice < _PLAIN_NAME:
        return name
    if choice < 0.72:
        return noise.recased(chance, name)
    if choice < 0.86:
        return noise.simplified_marks(chance, name)
    if choice < 0.91:
        return noise.traditional(name)
    return noise.mistyped(chance, name)


def wraps_for(unit: Unit, name: str, language: str) -> tuple[str, ...]:
    """The groups of sentences that suit a unit named so."""
    if unit.role in ("input", "combo box"):
        return ("type", "type", "any") if unit.role == "input" else ("choose", "any")
    if unit.role in ("switch", "checkbox", "radio"):
        on = unit.state & {"on", "checked"}
        return ("choose", "any") if unit.role == "radio" else ("off" if on else "on", "any")
    if any(meaning.verb for meaning in meanings_of(name, language)):
        return ("do", "any", "any")
    return (
        ("go", "any", "see")
        if unit.role in _GOING and meanings_of(name, language)
        else ("go", "any")
        if unit.role in _GOING
        else ("any",)
    )


def sentence(chance: random.Random, draft: Draft) -> dict[str, Any]:
    """The finished question as it is written to the file, without the fields of its screen."""
    frames = frames_of(draft.language)
    groups = [group for group in draft.wraps if frames.has("wrap", group)] or ["any"]
    group = chance.choice(groups)
    if group in ("do", "see") and (not draft.frame.endswith((":{x}", ":{q}")) or draft.hard):
        group = "any"
    frame = frames.pick(chance, "wrap", group)
    wanted = {"n": draft.name, "v": chance.choice(frames.words("extra", "values"))}
    words = frame.pattern.format_map({"p": draft.words} | wanted)
    line: dict[str, Any] = {
        "words": noise.finished(chance, frames.contracted(words), draft.language),
        "boxes": [list(box) for box in draft.boxes],
        "kind": draft.kind,
        "language": draft.language,
        "frame": f"{draft.frame} | {frame.id}",
        "element": draft.element,
    }
    if for_checking(draft.frame) or for_checking(frame.id):
        line["check_frame"] = True
    if draft.equal is not None:
        line["equal"] = [[list(box) for box in group] for group in draft.equal]
    if draft.hard:
        line["hard"] = draft.hard
    return line
