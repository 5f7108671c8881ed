"""The parts of a phrase that a grammar understood, before they become a target."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from handeye.target.values import Position, Relation, RelationKind, Target

# Deeper chains of neighbours ("left of the one below the one ...") are nobody's way to name a thing.
DEEPEST: Final = 6
# Labels end with words for these (Copy link, New tab, 复制链接, 文件列表): without more evidence they are no kind of control.
NOUNS_OF_LABELS: Final = frozenset(
    (
        *("image", "text", "link", "tab", "item", "menu", "list", "window", "heading", "video"),
        *("table", "card", "cell", "column", "status bar", "toolbar", "tab bar", "menu bar", "progress bar"),
    )
)
# The relation of what is in a line of that kind.
LINES: Final = {"table row": RelationKind.ROW, "column": RelationKind.COLUMN}
_CHOICES: Final = frozenset({"menu", "combo box", "list"})


@dataclass(frozen=True, slots=True)
class Reading:
    """
    The parts of a noun phrase.

    `word` is how the role was written where nothing else names the thing: it may as well be a label. `quoted` says that
    `text` stood in quotes, `article` that the phrase began with "the". `unknown` are words that say more than was
    understood: then an ordinal would count the wrong things, and a role alone would name too many. `colour` is the one that
    the thing has. `look` are words for how it looks, as they were written: they may as well be its label.
    """

    text: str | None = None
    role: str | None = None
    word: str | None = None
    ordinal: int | None = None
    position: Position | None = None
    relations: tuple[Relation, ...] = ()
    quoted: bool = False
    article: bool = False
    unknown: bool = False
    colour: str | None = None
    look: str | None = None

    @property
    def names_something(self) -> bool:
        return bool(self.text or self.role)

    def coloured(self, colour: str | None) -> Reading:
        """With its colour. What has two, one that nobody names, or is counted besides, is unknown."""
        if colour is None or self.colour is not None or self.ordinal is not None:
            return replace(self, unknown=True)
        return replace(self, colour=colour)

    def at(self, position: Position) -> Reading:
        """With one more word of place: bottom and right make bottom-right. What contradicts itself is unknown."""
        parts = {part for each in (self.position, position) if each for part in each.value.split("-")}
        both = next((each for each in Position if set(each.value.split("-")) == parts), None)
        return replace(self, position=both) if both else replace(self, unknown=True)

    def beside(self, kind: RelationKind, anchor: Reading, words: str) -> Reading:
        """With one more neighbour, as `words` name it. "In the row of X" and "in the X row" are the same."""
        if kind is RelationKind.IN and anchor.role in LINES:
            kind = LINES[anchor.role]
            if anchor.text:
                anchor = replace(anchor, role=None)
        elif kind is RelationKind.IN and anchor.role in _CHOICES and self.colour is not None and self.role is not None:
            return replace(self, colour=None, text=self.look).beside(kind, anchor, words)  # one of a list of colours
        return replace(
            self, relations=(*self.relations, Relation(kind, anchor.target(words if words != anchor.text else None)))
        )

    def target(self, phrase: str | None = None) -> Target:
        """The target, with the words that named it."""
        return Target(
            text=self.text,
            reference=self.text,
            role=self.role,
            ordinal=self.ordinal,
            position=self.position,
            relations=self.relations,
            phrase=phrase,
            colour=self.colour,
            literal=self.quoted,
        )
