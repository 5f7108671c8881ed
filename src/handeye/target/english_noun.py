"""English noun phrases: a head, and what says more about it.

noun     := [article] head modifier*
head     := [ordinal] [place] [text] [role]  |  role text
modifier := [which is] (relation noun | place | saying text | ordinal line | "from the" side | "on the page")
"""

from __future__ import annotations

from dataclasses import replace

from handeye.target import english_words as words
from handeye.target.english_modifiers import Modifiers, Place
from handeye.target.english_tokens import LONGEST_ROLE
from handeye.target.reading import DEEPEST, NOUNS_OF_LABELS, Reading
from handeye.target.values import Position, Relation, RelationKind


class NounParser(Modifiers):
    """Reads the noun phrases of one source. Every step moves forward, and neighbours nest DEEPEST deep at most."""

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self.too_deep = False

    def noun(self, start: int, depth: int = 0) -> tuple[Reading, int] | None:
        """The noun phrase at `start`, and where the tokens go on; None where there is none."""
        if depth >= DEEPEST:
            self.too_deep = True
            return None
        end = self._head_end(start)
        reading = self._head(start, end)
        if reading is None:
            return None
        at = end
        while at < len(self.tokens) and not (depth and self.joins(at)):  # "and left of" says more about the first
            step = self._modifier(reading, at, depth)
            if step is None:
                break
            reading, at = step
        return (reading, at) if reading.names_something or reading.relations or reading.position else None

    def _head_end(self, start: int) -> int:
        first = self.past_articles(start)
        at = first + 1
        while at < len(self.tokens) and not self.modifies(first, at):
            at += 1
        return min(at, len(self.tokens))

    def _modifier(self, reading: Reading, at: int, depth: int) -> tuple[Reading, int] | None:
        joined = self.skip(at, words.JOINS)
        led = self.led(joined)
        if (relation := self.relation(led) or self.relation(self.skip(led, words.ARTICLES))) is not None:
            kind, after = relation
            found = self.noun(after, depth + 1)
            if found is None:
                return None
            return self._related(reading, kind, found[0], after, found[1])
        if self.word(led) == "between":
            return self._between(reading, led + 1, depth)
        if (line := self.line(led)) is not None:
            target, kind, after = line
            return replace(reading, relations=(*reading.relations, Relation(kind, target))), after
        if (counted := self._counted_from(reading, led)) is not None:
            return counted
        if (place := self.tail_place(led, None)) is not None:
            return self._placed(reading, place, depth)
        if (past := self.page(led)) > led:
            return reading, past
        if self.word(led) == "for" and reading.text and reading.role and led + 1 < len(self.tokens):
            found = self.noun(led + 1, depth + 1)  # the Delete button for Bob
            return None if found is None else self._related(reading, RelationKind.ROW, found[0], led + 1, found[1])
        if (said := self.says(led, None)) is not None:
            # A neighbour that has its text leaves one more to what is asked for: the box below Arrival which says London.
            return None if depth and reading.text else self._said(reading, said)
        if led > at or joined > at:
            return replace(reading, unknown=True), min(max(self._next_modifier(led), led + 1), len(self.tokens))
        return None

    def _between(self, reading: Reading, start: int, depth: int) -> tuple[Reading, int] | None:
        """Between one thing and another, at the end of a phrase; None where it cannot be told where the first one ends."""
        ands = [at for at in range(start + 1, len(self.tokens) - 1) if self.word(at) == "and"]
        if len(ands) != 1:
            return None
        for first, last in ((start, ands[0]), (ands[0] + 1, len(self.tokens))):
            words_of = self._words(first, last)
            quoted = self.tokens[first].quoted is not None and last == first + 1
            part = NounParser(f'"{words_of}"' if quoted else words_of)
            found = part.noun(0, depth + 1)
            if found is None or found[1] < len(part.tokens) or not found[0].names_something:
                return None
            reading = replace(
                reading.beside(RelationKind.BETWEEN, found[0], words_of), unknown=reading.unknown or found[0].unknown
            )
        return reading, len(self.tokens)

    def _related(
        self, reading: Reading, kind: RelationKind, anchor: Reading, start: int, after: int
    ) -> tuple[Reading, int]:
        """A place named last belongs to the anchor that needs it to be known, else to what is asked for."""
        if anchor.position and anchor.text and not anchor.relations:
            reading = reading.at(anchor.position)
            anchor = replace(anchor, position=None)
        if not anchor.names_something:
            return replace(reading, unknown=True, relations=(*reading.relations, *anchor.relations)), after
        unknown = reading.unknown or anchor.unknown
        return replace(reading.beside(kind, anchor, self._words(start, after)), unknown=unknown), after

    def _placed(self, reading: Reading, place: Place, depth: int) -> tuple[Reading, int]:
        """A place; "the top right corner of the dialog" is a place inside the dialog."""
        reading, at = reading.at(place.position), place.next
        if self.word(at) not in ("of", "in", "inside", "within") or self.page(at) > at:
            return reading, at
        found = self.noun(at + 1, depth + 1)
        if found is None or not found[0].names_something:
            return replace(reading, unknown=True), at + 1
        return reading.beside(RelationKind.IN, found[0], self._words(at + 1, found[1])), found[1]

    def _words(self, start: int, end: int) -> str:
        """An anchor as it was named, without its article; what is nothing but an "a" has that name."""
        first = self.past_articles(start)
        return self.text(first if first < end else start, end)

    def _next_modifier(self, at: int) -> int:
        at += 1
        while at < len(self.tokens) and not self.modifies(at, at):
            at += 1
        return at

    def _counted_from(self, reading: Reading, at: int) -> tuple[Reading, int] | None:
        """ "from the bottom" turns the counting round."""
        place = self.from_side(at) or self._towards(at)
        if place is None or reading.ordinal is None:
            return None
        if self.word(at) == "to":  # the second to the right is counted from the left
            return (
                replace(reading, ordinal=-reading.ordinal) if place.position is Position.LEFT else reading
            ), place.next
        after = max(self.page(place.next), place.next)
        match place.position:
            case Position.TOP | Position.LEFT | Position.TOP_LEFT:
                return reading, after
            case Position.BOTTOM | Position.RIGHT | Position.BOTTOM_RIGHT:
                return replace(reading, ordinal=-reading.ordinal), after
            case _:
                return replace(reading, unknown=True), after

    def _towards(self, at: int) -> Place | None:
        """To the right, at the end of a phrase."""
        place = self.place(at) if self.word(at) == "to" else None
        sideways = place is not None and place.position in words.SIDE_RELATIONS
        return place if sideways and place is not None and place.next == len(self.tokens) else None

    def _said(self, reading: Reading, at: int) -> tuple[Reading, int]:
        at = min(self.past_articles(at), len(self.tokens) - 1)
        end = at + 1
        while end < len(self.tokens) and self.tokens[at].quoted is None:
            led = self.led(end)
            ends = (self.word(end) in words.LEADS and led > end) or self.tail_place(end, at) or self.page(end) > end
            relation = self.relation(end, at)
            if ends or (relation and relation[1] - end > 1):
                break
            end += 1
        if reading.text is not None:
            return replace(reading, unknown=True), end
        text = self.text(at, end)
        return replace(reading, text=text or None, quoted=self.tokens[at].quoted is not None), end

    def _head(self, start: int, end: int) -> Reading | None:
        """The head; None where a quotation stands among words that nobody knows: they may say the opposite (undo "Delete")."""
        first = self.past_articles(start)
        reading = Reading(article=self.word(start) == "the")
        first, reading = self.qualifiers(first, end, reading)
        role, last = self.role_before(first, end)
        front = self._front_role(first, end, reading)
        if role in NOUNS_OF_LABELS and front and front[0] in words.NAMING_ROLES:
            role, last = None, end  # "the text private photos" is a text
        if role == "item" and last > first:  # "the more drop down option" is a drop-down
            inner, inner_last = self.role_before(first, last)
            if inner and inner_last > first and inner not in NOUNS_OF_LABELS:  # "the Copy link item" says so
                role, last = inner, inner_last
        if role is None and end > first:
            role, first = self._role_after(first, end, reading)
        first, reading = self.qualifiers(first, last if role else end, replace(reading, role=role))
        if (
            first + 1 < end
            and (reading.article or first)
            and self.word(first) in words.NAMING
            and self.word(first + 1) != "of"
        ):
            first += 1
        first, reading = self._owner(first, last if role else first, reading)
        first, reading = self._colour(first, last if role else end, reading)
        text = self.text(first, last if role and last < end else end)
        if text.casefold() == "one" and reading.article and role is None:  # the one right of Cancel
            return replace(reading, role="item")
        if text and all(token.word in words.LOOKS for token in self.tokens[first : last if role else end]):
            if (text[:1].isupper() and self._has_small_letters()) or text.casefold() in words.COLOUR_WORDS:
                return replace(reading, text=text)  # the Red button, the Colour field
            return replace(reading, unknown=True, look=text)
        if role and not text and last < end and self.word(last) in words.NAMED_ROLES and end - last > 1:
            text = self.text(last, last + 1)  # a search box says so
        quoted = [token.quoted for token in self.tokens[first:end] if token.quoted is not None]
        if quoted:
            if len(quoted) > 1 or not self._is_idle(first, last if role else end):
                return None
            return replace(reading, text=quoted[0], quoted=True, unknown=reading.unknown or text != quoted[0])
        word = self.text(last, end) if role and not text else None
        return replace(reading, text=text or None, word=word)

    def _colour(self, first: int, end: int, reading: Reading) -> tuple[int, Reading]:
        """A colour before a kind alone, a quotation or a capital; "black friday" and "Red Cross" are names."""
        colour = words.COLOURS.get(self.word(first)) if first < end and reading.role else None
        after = self.skip(first + 1, words.COLOURED)
        if colour is None or self.source[self.tokens[first].start].isupper():
            return first, reading
        named = after < end and (self.tokens[after].quoted or not self.source[self.tokens[after].start].islower())
        if after >= end:
            return after, replace(reading.coloured(colour), look=self.text(first, after))
        return (after, reading.coloured(colour)) if named else (first, reading)

    def _owner(self, first: int, end: int, reading: Reading) -> tuple[int, Reading]:
        """ "Bob's" before a name: what is in Bob's row."""
        for at in range(first, end - 1):
            owner = self.tokens[at].word.removesuffix("'s").removesuffix("’s")
            if owner != self.tokens[at].word:
                name = self.source[self.tokens[first].start : self.tokens[at].end][:-2]
                if owner in words.NO_OWNERS or not (name[:1].isupper() or not name.isascii()):
                    break
                return at + 1, reading.beside(RelationKind.ROW, Reading(text=name), name)
        return first, reading

    def _is_idle(self, first: int, end: int) -> bool:
        """Whether the words beside a quotation change nothing: kinds, colours, articles, words that announce a text."""
        while first < end:
            idle = self.tokens[first].quoted is not None or self.word(first) in words.IDLE
            kinds = (
                length for length in range(min(LONGEST_ROLE, end - first), 0, -1) if self.role(first, first + length)
            )
            after = max(self.at(first, words.SAYING), first + next(kinds, int(idle)))
            if after == first:
                return False
            first = after
        return True

    def _role_after(self, first: int, end: int, reading: Reading) -> tuple[str | None, int]:
        """The role that the first words name ("the button download now"), and where the rest begins."""
        role, after = self._front_role(first, end, reading) or (None, first)
        return role, after

    def _front_role(self, first: int, end: int, reading: Reading) -> tuple[str, int] | None:
        for length in range(min(LONGEST_ROLE, end - first - 1), 0, -1):
            role = self.role(first, first + length) if length > 1 or reading.article or first > 0 else None
            if role in words.LEADING_ROLES and (role != "item" or self.word(first) == "option"):
                return role, first + length
        return None
