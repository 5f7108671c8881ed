"""The questions: what a person might ask for on a screen, and which answers are right."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Final

from corpus import refusals
from corpus.refusals import plain
from corpus.truth import Scene, Thing
from corpus.vocabulary import LANGUAGES, NEAR_MISSES, TO_SIMPLIFIED, TO_TRADITIONAL
from handeye.target import Target, parse_target
from handeye.text import quotations

MOST_PER_KIND: Final = 3  # questions of one kind on one screen, so that long lists do not outweigh the rest
PART: Final = "part"
ROLE_WORDS: Final = {
    "button": ("{} button", "{}按钮"),
    "tab": ("{} tab", "{}标签"),
    "checkbox": ("{} checkbox", "{}复选框"),
    "switch": ("the switch in the row {}", "{}那一行的开关"),
}
WIDE: Final = str.maketrans({chr(code): chr(code + 0xFEE0) for code in range(0x21, 0x7F)})


@dataclass(frozen=True)
class Query:
    """
    One question on one screen. `right` holds the numbers of the things that answer it; empty: only a refusal is right.

    `before` is the screen that was looked at before, for questions about the second look. `reference` is a picture to
    look for.
    """

    scene: Scene
    kind: str
    words: str
    right: tuple[int, ...] = ()
    reference: Path | None = None
    before: Scene | None = None

    @property
    def target(self) -> Target:
        return Target(reference=str(self.reference)) if self.reference else parse_target(self.words)


@dataclass
class Asker:
    """Draws the text questions of one screen; `chance` makes them the same each time."""

    scene: Scene
    chance: random.Random
    made: dict[str, list[Query]] = field(default_factory=lambda: defaultdict(list))

    @cached_property
    def words(self) -> Counter[str]:
        return Counter(plain(thing.text) for thing in self.scene.things if thing.text)

    @cached_property
    def asked(self) -> list[Thing]:
        """Return the things whose text is on the screen once, wholly visible, and is no number or mark."""
        return [
            thing
            for thing in self.scene.things
            if thing.text and not thing.clipped and self.words[plain(thing.text)] == 1 and _is_name(thing.text)
        ]

    def add(self, kind: str, words: str, *right: Thing) -> None:
        query = Query(self.scene, kind, words, tuple(thing.number for thing in right))
        if query not in self.made[kind]:
            self.made[kind].append(query)

    def questions(self) -> Iterator[Query]:
        parts = (self.texts, self.numbers, self.roles, self.rows, self.places, self.twins, self.absent, self.refusals)
        for part in parts:
            part()
        for kind in sorted(self.made):
            yield from self.chance.sample(self.made[kind], min(MOST_PER_KIND, len(self.made[kind])))

    def texts(self) -> None:
        for thing in self.asked:
            longer = [other for other in self.words if plain(thing.text) in other and other != plain(thing.text)]
            self.add("look-alike" if longer else "text", thing.text, thing)
            if longer:
                continue
            if thing.text.isascii():
                self.add("case or width", thing.text.upper(), thing)
                self.add("case or width", thing.text.translate(WIDE), thing)
            elif self.scene.language.startswith("zh"):
                for table in (TO_TRADITIONAL, TO_SIMPLIFIED):
                    other = thing.text.translate(table)
                    if other != thing.text and plain(other) not in self.words:
                        self.add("other script", other, thing)
            part = _part(thing.text)
            if part and sum(plain(part) in each for each in self.words) == 1:
                self.add(PART, part, thing)

    def numbers(self) -> None:
        """
        Ask for numbers, dates and single digits that are on the screen once; longer ones may contain them.

        Not on a phone: its status bar shows a clock and counts that its hierarchy does not have.
        """
        for thing in self.scene.things if not self.scene.tree else ():
            alone = not thing.clipped and self.words[plain(thing.text)] == 1 and not _is_name(thing.text)
            if alone and any(map(str.isdigit, thing.text)):
                self.add("digit" if len(plain(thing.text)) == 1 else "number", thing.text, thing)

    def roles(self) -> None:
        """Ask for controls by their name and their kind in words."""
        for thing in self.asked:
            if thing.role in ("button", "tab", "checkbox"):
                words = ROLE_WORDS[thing.role][self.scene.language.startswith("zh")]
                self.add("name and role", words.format(thing.text), thing)

    def rows(self) -> None:
        """Ask for what several rows hold, named by what only one row holds."""
        chinese = self.scene.language.startswith("zh")
        for row in self.scene.rows:
            held = [thing for thing in self.scene.in_row(row) if not thing.clipped]
            names = [thing for thing in held if thing in self.asked and thing.role == "text"]
            for thing in held:
                if not names or thing in names:
                    continue
                name = names[0].text
                if thing.role == "switch":
                    self.add("relation: switch in row", ROLE_WORDS["switch"][chinese].format(name), thing)
                elif (
                    thing.text
                    and self.words[plain(thing.text)] > 1
                    and sum(one.text == thing.text for one in held) == 1
                ):
                    words = f"{name}那一行的{thing.text}" if chinese else f"the {thing.text} button in the row {name}"
                    if thing.role == "button":
                        self.add("relation: in the row", words, thing)
                        if not chinese:
                            self.add("relation: unquoted", f"{thing.text} in the row of {name}", thing)
                            self.add("relation: unquoted", f"the {thing.text} in the row of {name}", thing)

    def places(self) -> None:
        """Ask for the n-th of equal texts, and for neighbours in a line."""
        chinese = self.scene.language.startswith("zh")
        twins = defaultdict(list)
        for thing in self.scene.things:
            if thing.text and _is_name(thing.text):
                twins[plain(thing.text)].append(thing)
        for same in twins.values():
            if len(same) < 2 or any(thing.clipped for thing in same) or _contained(same[0].text, self.words):
                continue
            same = sorted(
                same, key=lambda thing: (round(thing.place.center.y / (8 * self.scene.scale)), thing.place.left)
            )
            text = same[1].text
            self.add("relation: ordinal", f"第二个 {text}" if chinese else f'the second "{text}"', same[1])
            self.add("relation: ordinal", f"最后一个 {text}" if chinese else f'the last "{text}"', same[-1])
            if not chinese:
                self.add("ordinal: unquoted", f"the second {text}", same[1])
                self.add("ordinal: unquoted", f"the last {text}", same[-1])
            if _in_column(same):
                words = f"倒数第二个{text}" if chinese else f"the second {text} from the bottom"
                self.add("ordinal: unquoted", words, same[-2])
        for left in self.asked:
            if left.role != "button" or _contained(left.text, self.words):
                continue
            right = _neighbour(left, self.scene.things)
            if right is not None and right.text and right.role == "button":
                words = (
                    f'"{left.text}"右边的{right.text}'
                    if chinese
                    else f"the {right.text} button to the right of {left.text}"
                )
                self.add("relation: right of", words, right)

    def twins(self) -> None:
        for words, count in self.words.items():
            same = [thing for thing in self.scene.things if plain(thing.text) == words]
            if count > 1 and _is_name(same[0].text) and not any(thing.clipped for thing in same):
                self.add("ambiguous", same[0].text)

    def absent(self) -> None:
        """Ask for near misses of what is there, and for other words of the same kind."""
        present = set(self.words)
        for pair in NEAR_MISSES:
            for wanted, there in (pair, pair[::-1]):
                if plain(there) in present and not any(plain(wanted) in each for each in present):
                    self.add("absent: near miss", wanted)
        for thing in self.asked:
            for words in refusals.mutations(thing.text, self.scene.language):
                if not any(plain(words) in each for each in present):
                    self.add("absent: near miss", words)
        vocabulary = LANGUAGES.get(self.scene.language, LANGUAGES["en"])
        pool = [*vocabulary.people, *vocabulary.actions, *vocabulary.settings, *vocabulary.fields, *vocabulary.titles]
        for words in self.chance.sample(pool, len(pool)):
            if not any(plain(words) in each or each in plain(words) for each in present):
                self.add("absent: other", words)
        chinese = self.scene.language.startswith("zh")
        rowless = [name for name in vocabulary.people if not any(plain(name) in each for each in present)]
        twice = [
            thing.text for thing in self.scene.things if thing.role == "button" and self.words[plain(thing.text)] > 1
        ]
        for name in rowless[:3] if twice and self.scene.rows else ():
            words = f"{name}那一行的{twice[0]}" if chinese else f"the {twice[0]} button in the row {name}"
            self.add("absent: row", words)

    def refusals(self) -> None:
        """Ask for parts of longer labels, opposites, numbers that are not there, and what is not to be clicked."""
        things, language = self.scene.things, self.scene.language
        for kind, words in refusals.contained(things, language):
            self.add(kind, words)
        for words in refusals.denied(things, language):
            self.add("absent: opposite", words)
        for words in refusals.numbers(things):
            self.add("absent: number", words)
        for thing in self.asked:
            if thing.role == "button" and not quotations(thing.text):
                for words in refusals.forbidden(thing, language):
                    self.add("forbidden", words)


def second_looks(before: Scene, after: Scene, chance: random.Random) -> Iterator[Query]:
    """Yield questions for the same targets on the page a moment later: they stayed, moved, or went."""
    first, second = Asker(before, chance), Asker(after, chance)
    by_text = {plain(thing.text): thing for thing in second.asked}
    there = {plain(thing.text) for thing in after.things}
    stayed, moved, gone = [], [], []
    for thing in first.asked:
        now = by_text.get(plain(thing.text))
        if now is not None:
            (stayed if now.place.iou(thing.place) > 0.5 else moved).append(("second look", thing.text, (now.number,)))
        elif not any(plain(thing.text) in each for each in there):
            gone.append(("second look: gone", thing.text, ()))
    kinds = [("second look: stayed", stayed), ("second look: moved", moved), ("second look: gone", gone)]
    for kind, looks in kinds:
        for _kind, words, right in chance.sample(looks, min(MOST_PER_KIND, len(looks))):
            yield Query(after, kind, words, right, before=before)


def questions_on(scene: Scene) -> list[Query]:
    """Return all text questions of one screen, always the same ones."""
    return list(Asker(scene, random.Random(scene.name)).questions())


def _is_name(text: str) -> bool:
    return len(plain(text)) >= 2 and sum(character.isalpha() for character in text) * 2 >= len(plain(text))


def _contained(text: str, words: Counter[str]) -> bool:
    return any(plain(text) in other and plain(text) != other for other in words)


def _part(text: str) -> str:
    """Return the first words of a longer English text, or half of a longer Chinese one; empty for short ones."""
    if text.isascii():
        words = text.split()
        return " ".join(words[: len(words) // 2]) if len(words) >= 4 else ""
    return text[: len(text) // 2] if len(text) >= 10 and not text.count(" ") else ""


def _in_column(things: Sequence[Thing]) -> bool:
    """Return True if each is below the one before, so that "from the bottom" counts as a reader expects."""
    return all(below.place.top >= above.place.bottom for above, below in pairwise(things))


def _neighbour(left: Thing, things: Sequence[Thing]) -> Thing | None:
    """Return the control that follows in the same line, with nothing between; None without one, or if it is clipped."""
    line = [
        thing
        for thing in things
        if thing.text
        and abs(thing.place.center.y - left.place.center.y) < left.place.height / 2
        and thing.place.left > left.place.right
    ]
    nearest = min(line, key=lambda thing: thing.place.left, default=None)
    return None if nearest is None or nearest.clipped else nearest
