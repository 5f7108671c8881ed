"""The parts of a parsed phrase, before they are converted to a target."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from handeye.target.values import Position, Relation, RelationKind, Target

# Deepest chain of relations ("left of the one below the one ..."); people do not use deeper ones.
MAX_DEPTH: Final = 6
# Roles whose words also end labels (Copy link, New tab, 复制链接, 文件列表): without more evidence they are no role.
AMBIGUOUS_ROLES: Final = frozenset(
    (
        *("image", "text", "link", "tab", "item", "menu", "list", "window", "heading", "video"),
        *("table", "card", "cell", "column", "status bar", "toolbar", "tab bar", "menu bar", "progress bar"),
    )
)
# Relation to a line of that role.
LINES: Final = {"table row": RelationKind.ROW, "column": RelationKind.COLUMN}
_CHOICES: Final = frozenset({"menu", "combo box", "list"})


@dataclass(frozen=True, slots=True)
class ParsedPhrase:
    """
    The parts of a noun phrase.

    `word` is the word of the role if nothing else names the element: it may also be a label. `quoted`: `text` was in
    quotes. `article`: the phrase began with "the". `unknown`: some words were not understood; then an ordinal would count
    the wrong elements, and a role alone would match too many. `colour` is that of the element. `look` are the words for its
    appearance as written: they may also be its label.
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

    def coloured(self, colour: str | None) -> ParsedPhrase:
        """Return the reading with a colour; unknown for a second colour, an unnamed one, or together with an ordinal."""
        if colour is None or self.colour is not None or self.ordinal is not None:
            return replace(self, unknown=True)
        return replace(self, colour=colour)

    def at(self, position: Position) -> ParsedPhrase:
        """Return the reading with another position: bottom and right make bottom-right. A contradiction is unknown."""
        parts = {part for each in (self.position, position) if each for part in each.value.split("-")}
        both = next((each for each in Position if set(each.value.split("-")) == parts), None)
        return replace(self, position=both) if both else replace(self, unknown=True)

    def beside(self, kind: RelationKind, anchor: ParsedPhrase, words: str) -> ParsedPhrase:
        """
        Return the reading with another relation, with `words` as the phrase of its anchor. "In the row of X" equals "in the
        X row".
        """
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
        """Return the target, with the words of its phrase."""
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
