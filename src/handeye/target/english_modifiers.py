"""Words that say more about a thing in English: relations, places, counted lines, announced texts. Where they begin and end."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

from handeye.roles import role_of
from handeye.target import english_words as words
from handeye.target.english_tokens import Tokens
from handeye.target.reading import Reading
from handeye.target.values import Position, Relation, RelationKind, Target

_LINES: Final = ("table row", "column")
_MOST_LINES: Final = 999


class Place(NamedTuple):
    """A word of place, whether a preposition stood before it, and where the tokens go on."""

    position: Position
    led: bool
    next: int


class Modifiers(Tokens):
    """Recognises the modifiers of one source; `first` is where the head begins that they would belong to."""

    def led(self, at: int) -> int:
        """After "which is located just"."""
        at = self.skip(at, words.LEADS)
        at = self.skip(at, words.IS)
        at = self.skip(at, words.PLACED)
        after = self.skip(at, words.JUST)
        # "right" is an adverb in "right below", a side in "right of".
        while after > at and self.word(after - 1) == "right" and not self.plain_relation(after):
            after -= 1
        return after

    def joins(self, at: int) -> bool:
        """Return True if one more relation follows an "and"."""
        return self.word(at) in words.JOINS and self.relation(self.led(at + 1)) is not None

    def modifies(self, first: int, at: int) -> bool:
        """Return True if the words at `at` say more about the head that began at `first`."""
        if (self.tokens[at - 1].comma and self.relation(self.led(at))) or self.joins(at):
            return True
        led = self.led(at)
        if led > at and (self.word(at) in words.LEADS or self.relation(led, first) or self.tail_place(led, first)):
            return True
        return bool(
            self.word(at) == "between"
            or self.relation(at, first)
            or self.says(at, first)
            or self.tail_place(at, first)
            or self.line(at)
            or self.page(at) > at
            or self.owned(at, first)
            or (self.from_side(at) and self.ordinal(first))
        )

    def relation(self, at: int, first: int | None = None) -> tuple[RelationKind, int] | None:
        """
        The relation at `at`. `first` is where a head began that may be a plain label: then loose prepositions need more than
        words before them.
        """
        if at >= len(self.tokens):
            return None
        if self.line(at) is not None or self._front_of_page(at):
            return None
        found = self.side_relation(at, first) or self.plain_relation(at) or self._of_counted(at)
        if found is None or found[1] >= len(self.tokens):
            return None
        kind, after = found
        entry = tuple(token.word for token in self.tokens[at:after])
        loose = first is not None and entry in words.LOOSE and not self.ends_in_role(first, at)
        named = any(token.quoted is not None for token in self.tokens[after : after + 2])  # in dialog "Confirm"
        if loose and (entry in words.NEVER_AFTER_PLAIN_WORDS or not (named or self.word(after) == "the")):
            return None
        if kind is RelationKind.IN and (self.tail_place(at, None) or self.from_side(at)):
            return None
        return kind, after

    def plain_relation(self, at: int) -> tuple[RelationKind, int] | None:
        return self.find(at, words.RELATIONS)

    def _of_counted(self, at: int) -> tuple[RelationKind, int] | None:
        """ "The logo of the second block" is in it."""
        if self.word(at) != "of" or self.ordinal(self.skip(at + 1, words.ARTICLES)) is None:
            return None
        return RelationKind.IN, at + 1

    def side_relation(self, at: int, first: int | None) -> tuple[RelationKind, int] | None:
        """ "to the immediate left of", "on the right hand side of"; "left X" after a role, as people write in a hurry."""
        place = self.place(at)
        if place is None or place.position not in words.SIDE_RELATIONS:
            return None
        kind = words.SIDE_RELATIONS[place.position]
        after = self.at(place.next, words.OF_SIDE)
        if after > place.next:
            return None if self.page(after - 1) > after else (kind, after)
        hurried = first is None or self.role_before(first, at)[0] is not None
        if (
            hurried
            and after < len(self.tokens)
            and not self.modifies(at, after)
            and not self.ends_in_role(at, after + 1)
        ):
            return kind, after
        return None

    def line(self, at: int) -> tuple[Target, RelationKind, int] | None:
        """In "the second row": counted among the places themselves."""
        if (numbered := self._numbered_line(at)) is not None:
            return numbered
        after_line = self.role(at - 1, at) in _LINES if at else False
        if self.word(at) not in ("in", "on", "from", "of", "at") and not after_line:
            return None
        at = self.skip(at if after_line else at + 1, words.ARTICLES)
        counted = self.ordinal(at) or self._outermost(at)
        if counted is None:
            return None
        number, after = counted
        role = "table row" if self.word(after) == "line" else role_of(self.word(after))
        if role not in _LINES or self.word(after) == "":
            return None
        kind = RelationKind.ROW if role == "table row" else RelationKind.COLUMN
        return Target(role=role, ordinal=number), kind, after + 1

    def _numbered_line(self, at: int) -> tuple[Target, RelationKind, int] | None:
        """In "row 3"."""
        role = self.role(at + 1, at + 2) if self.word(at) == "in" and at + 2 < len(self.tokens) else None
        number = self.word(at + 2)
        if role not in _LINES or not (number.isascii() and number.isdecimal() and 0 < int(number[:4]) <= _MOST_LINES):
            return None
        kind = RelationKind.ROW if role == "table row" else RelationKind.COLUMN
        return Target(role=role, ordinal=int(number)), kind, at + 3

    def _outermost(self, at: int) -> tuple[int, int] | None:
        """ "The top row" is the first."""
        number = {"top": 1, "left": 1, "bottom": -1, "right": -1}.get(self.word(at))
        return None if number is None else (number, at + 1)

    def place(self, at: int) -> Place | None:
        """[on] [the] top right [hand] [side]"""
        start = at
        if self.word(at) in ("at", "on", "in", "to", "from", "towards", "near"):
            at += 1
        led = at > start
        at = self.skip(at, words.ARTICLES | {"immediate", "extreme", "far", "very", "most", "its"})
        position: Position | None = None
        while (side := words.SIDES.get(self.word(at))) is not None:
            merged = Reading(position=position).at(side)
            if merged.unknown:
                break
            position = merged.position
            at = self.skip(at + 1, {"most"})
        if position is None:
            return None
        return Place(position, led, self.skip(at, words.SIDE_NOUNS))

    def tail_place(self, at: int, first: int | None) -> Place | None:
        """A place after the name: "at the top right corner [of the page]"; not the beginning of a relation."""
        place = self.place(at)
        if place is None:
            return None
        after = self.page(place.next)
        bare = not place.led and place.next - at < 2 and first is not None
        if after > place.next:
            return None if bare else Place(place.position, place.led, after)
        plain = first is not None and not self.ends_in_role(first, at)
        if bare or (plain and not (place.led and (self.word(at + 1) == "the" or "-" in place.position.value))):
            return None
        if place.next < len(self.tokens) and self.at(place.next, words.OF_SIDE) > place.next:
            return None if place.position in words.SIDE_RELATIONS else place
        return place

    def front_place(self, at: int, end: int) -> Place | None:
        """A place before the name: a corner before anything, a side before a role."""
        place = self.place(at)
        if place is None or place.led or place.next > end:
            return None
        corner = "-" in place.position.value or self.tokens[place.next - 1].word in words.SIDE_NOUNS
        if place.next == end:
            return None if not corner else place
        if corner or self.is_role(place.next, end):
            return place
        return None

    def _front_of_page(self, at: int) -> bool:
        return self.page(at) > at

    def page(self, at: int) -> int:
        """After "on the web page"; `at` when it is not there."""
        after = at + 1 if self.word(at) in ("of", "on", "in", "at", "from", "to") else at
        if after == at:
            return at
        after = self.skip(after, words.PAGE_ADJECTIVES)
        if self.word(after) not in words.PAGES or self.role(after + 1, min(after + 2, len(self.tokens))):
            return at  # "in the View menu" is in a menu
        return after + 1

    def from_side(self, at: int) -> Place | None:
        place = self.place(at) if self.word(at) == "from" else None
        return place if place and place.led else None

    def says(self, at: int, first: int | None) -> int | None:
        """Return where the text begins that "which says", "with the text" or, after a role alone, "of" announces."""
        after = self.at(at, words.SAYING)
        if after == at or after >= len(self.tokens):
            return None
        entry = tuple(token.word for token in self.tokens[at:after])
        if first is not None and entry in words.SAYING_LOOSELY and not self.is_role(first, at):
            return None
        return after

    def owned(self, at: int, first: int) -> bool:
        """Return True if "for Bob" begins here, after a name and a kind: the Delete button for Bob."""
        return self.word(at) == "for" and self.role_before(first, at)[0] is not None and not self.is_role(first, at)

    def is_role(self, first: int, end: int) -> bool:
        """Return True if the words are nothing but a kind of control, counted, placed or coloured perhaps."""
        first, _ = self.qualifiers(first, end, Reading())
        first = self.skip(first, words.LOOKS)
        return first == end or self.role(first, end) is not None

    def ends_in_role(self, first: int, end: int) -> bool:
        return self.role_before(first, end)[0] is not None or any(token.quoted for token in self.tokens[first:end])

    def qualifiers(self, first: int, end: int, reading: Reading) -> tuple[int, Reading]:
        """Ordinals and places before the name."""
        while first < end:
            if (counted := self.ordinal(first)) is not None and self.word(counted[1]) not in words.NOT_COUNTED:
                number, after = counted
                if (line := role_of(self.word(after))) in _LINES and after + 1 < end:
                    kind = RelationKind.ROW if line == "table row" else RelationKind.COLUMN
                    anchor = Target(role=line, ordinal=number)
                    reading, first = replace(reading, relations=(*reading.relations, Relation(kind, anchor))), after + 1
                else:
                    reading, first = replace(reading, ordinal=number), after
            elif (place := self.front_place(first, end)) is not None:
                reading, first = reading.at(place.position), place.next
            else:
                break
        return first, reading
