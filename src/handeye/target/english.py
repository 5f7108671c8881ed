"""The grammar of English phrases: "the third “Delete” from the bottom", "the icon to the left of Settings".

phrase   := [verb] noun
noun     := [article] head modifier*
head     := [ordinal] [place] [text] [role]  |  role text
modifier := [which is] (relation noun | place | saying text | ordinal line | "from the" side | "on the page")
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from handeye.roles import role_of
from handeye.target import english_words as words
from handeye.target.quotes import quotations
from handeye.target.reading import DEEPEST, Reading
from handeye.target.values import Position, Relation, RelationKind, Target

_NUMBERED: Final = re.compile(r"(\d{1,3})(?:st|nd|rd|th)\Z")
_TRAILING: Final = ".,;:!?"
_LONGEST_ROLE: Final = 3
_LINES: Final = ("table row", "column")
_MOST_LINES: Final = 999


@dataclass(frozen=True, slots=True)
class Token:
    """A word at source[start:end]: `word` is how it is compared; `quoted` is the text when it is a quotation."""

    word: str
    start: int
    end: int
    quoted: str | None = None
    comma: bool = False


class Place(NamedTuple):
    """A word of place, whether a preposition stood before it, and where the tokens go on."""

    position: Position
    led: bool
    next: int


def tokens_of(source: str) -> list[Token]:
    """Words and quotations; "top-left" is two words."""
    found: list[Token] = []
    at = 0
    for quotation in [*quotations(source), None]:
        end = quotation.start if quotation else len(source)
        for piece in re.finditer(r"\S+", source[at:end]):
            found += _words(piece.group(), at + piece.start())
        if quotation:
            found.append(Token("", quotation.start, quotation.end, quotation.text))
            at = quotation.end
    return found


def _words(piece: str, start: int) -> list[Token]:
    bare = piece.rstrip(_TRAILING) or piece
    parts = bare.split("-")
    if len(parts) > 1 and all(part.casefold() in words.SIDES or part.casefold() in words.SIDE_NOUNS for part in parts):
        found = []
        for part in parts:
            found.append(Token(part.casefold(), start, start + len(part)))
            start += len(part) + 1
        return found
    return [Token(bare.casefold(), start, start + len(bare), comma=piece[len(bare) :].startswith(","))]


class EnglishParser:
    """Reads the noun phrases of one source. Every step moves forward, and neighbours nest DEEPEST deep at most."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.tokens = tokens_of(source)
        self.too_deep = False

    # -- words

    def at(self, index: int, entries: Collection[words.Words]) -> int:
        """Where the tokens go on after the first of `entries` that stands at `index`; `index` when none does."""
        for entry in entries:
            if self._stands(index, entry):
                return index + len(entry)
        return index

    def skip(self, index: int, among: Collection[str]) -> int:
        while index < len(self.tokens) and self.tokens[index].word in among:
            index += 1
        return index

    def word(self, index: int) -> str:
        return self.tokens[index].word if index < len(self.tokens) else ""

    def text(self, start: int, end: int) -> str:
        """The source from one token to another, without the marks of a quotation that is all there is."""
        if start >= end:
            return ""
        if end - start == 1 and (quoted := self.tokens[start].quoted) is not None:
            return quoted
        return " ".join(self.source[self.tokens[start].start : self.tokens[end - 1].end].split())

    def _stands(self, index: int, entry: words.Words) -> bool:
        return tuple(self.word(index + offset) for offset in range(len(entry))) == entry

    # -- phrases

    def noun(self, start: int, depth: int = 0) -> tuple[Reading, int] | None:
        """The noun phrase at `start`, and where the tokens go on; None where there is none."""
        if depth >= DEEPEST:
            self.too_deep = True
            return None
        end = self._head_end(start)
        reading = self._head(start, end)
        at = end
        while at < len(self.tokens) and not (depth and self._joins(at)):  # "and left of" says more about the first
            step = self._modifier(reading, at, depth)
            if step is None:
                break
            reading, at = step
        return (reading, at) if reading.names_something or reading.relations or reading.position else None

    def _head_end(self, start: int) -> int:
        first = self.skip(start, words.ARTICLES)
        at = first + 1
        while at < len(self.tokens) and not self._modifies(first, at):
            at += 1
        return min(at, len(self.tokens))

    def _modifies(self, first: int, at: int) -> bool:
        """Whether the words at `at` say more about the head that began at `first`."""
        if (self.tokens[at - 1].comma and self._relation(self._led(at))) or self._joins(at):
            return True
        led = self._led(at)
        if led > at and (self.word(at) in words.LEADS or self._relation(led, first) or self._tail_place(led, first)):
            return True
        return bool(
            self._relation(at, first)
            or self._says(at, first)
            or self._tail_place(at, first)
            or self._line(at)
            or self._page(at) > at
            or (self._from_side(at) and self._ordinal(first))
        )

    def _joins(self, at: int) -> bool:
        """Whether one more relation follows an "and"."""
        return self.word(at) in words.JOINS and self._relation(self._led(at + 1)) is not None

    def _led(self, at: int) -> int:
        """After "which is located just"."""
        at = self.skip(at, words.LEADS)
        at = self.skip(at, words.IS)
        at = self.skip(at, words.PLACED)
        after = self.skip(at, words.JUST)
        # "right" is an adverb in "right below", a side in "right of".
        while after > at and self.word(after - 1) == "right" and not self._plain_relation(after):
            after -= 1
        return after

    def _modifier(self, reading: Reading, at: int, depth: int) -> tuple[Reading, int] | None:
        joined = self.skip(at, words.JOINS)
        led = self._led(joined)
        if (relation := self._relation(led) or self._relation(self.skip(led, words.ARTICLES))) is not None:
            kind, after = relation
            found = self.noun(after, depth + 1)
            if found is None:
                return None
            return self._related(reading, kind, found[0], after, found[1])
        if (line := self._line(led)) is not None:
            target, kind, after = line
            return replace(reading, relations=(*reading.relations, Relation(kind, target))), after
        if (counted := self._counted_from(reading, led)) is not None:
            return counted
        if (place := self._tail_place(led, None)) is not None:
            return self._placed(reading, place, depth)
        if (past := self._page(led)) > led:
            return reading, past
        if (said := self._says(led, None)) is not None:
            # A neighbour that has its text leaves one more to what is asked for: the box below Arrival which says London.
            return None if depth and reading.text else self._said(reading, said)
        if led > at or joined > at:
            return replace(reading, unknown=True), min(max(self._next_modifier(led), led + 1), len(self.tokens))
        return None

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

    def _next_modifier(self, at: int) -> int:
        at += 1
        while at < len(self.tokens) and not self._modifies(at, at):
            at += 1
        return at

    # -- heads

    def _head(self, start: int, end: int) -> Reading:
        first = self.skip(start, words.ARTICLES)
        reading = Reading(article=self.word(start) == "the")
        first, reading = self._qualifiers(first, end, reading)
        role, last = self._role_before(first, end)
        front = self._front_role(first, end, reading)
        if role in _NOUNS_OF_LABELS and front and front[0] in words.NAMING_ROLES:
            role, last = None, end  # "the text private photos" is a text
        if role == "item" and last > first:  # "the more drop down option" is a drop-down
            inner, inner_last = self._role_before(first, last)
            if inner and inner_last > first:
                role, last = inner, inner_last
        if role is None and end > first:
            role, first = self._role_after(first, end, reading)
        first, reading = self._qualifiers(first, last if role else end, replace(reading, role=role))
        if (
            first + 1 < end
            and (reading.article or first)
            and self.word(first) in words.NAMING
            and self.word(first + 1) != "of"
        ):
            first += 1
        text = self.text(first, last if role and last < end else end)
        if text and all(token.word in words.LOOKS for token in self.tokens[first : last if role else end]):
            return replace(reading, unknown=True)
        if role and not text and last < end and self.word(last) in words.NAMED_ROLES and end - last > 1:
            text = self.text(last, last + 1)  # a search box says so
        quoted = [token.quoted for token in self.tokens[first:end] if token.quoted is not None]
        if len(quoted) == 1:  # words around a quotation are not understood
            return replace(reading, text=quoted[0], quoted=True, unknown=reading.unknown or text != quoted[0])
        return replace(reading, text=text or None, unknown=reading.unknown or len(quoted) > 1)

    def _qualifiers(self, first: int, end: int, reading: Reading) -> tuple[int, Reading]:
        """Ordinals and places before the name."""
        while first < end:
            if (counted := self._ordinal(first)) is not None and self.word(counted[1]) not in words.NOT_COUNTED:
                number, after = counted
                if (line := role_of(self.word(after))) in _LINES and after + 1 < end:
                    kind = RelationKind.ROW if line == "table row" else RelationKind.COLUMN
                    anchor = Target(role=line, ordinal=number)
                    reading, first = replace(reading, relations=(*reading.relations, Relation(kind, anchor))), after + 1
                else:
                    reading, first = replace(reading, ordinal=number), after
            elif (place := self._front_place(first, end)) is not None:
                reading, first = reading.at(place.position), place.next
            else:
                break
        return first, reading

    def _role_before(self, first: int, end: int) -> tuple[str | None, int]:
        """The role that the last words name, and where they begin."""
        for length in range(min(_LONGEST_ROLE, end - first), 0, -1):
            if self.tokens[end - 1].quoted is None and (role := self._role(end - length, end)):
                return role, end - length
        return None, end

    def _role_after(self, first: int, end: int, reading: Reading) -> tuple[str | None, int]:
        """The role that the first words name ("the button download now"), and where the rest begins."""
        role, after = self._front_role(first, end, reading) or (None, first)
        return role, after

    def _front_role(self, first: int, end: int, reading: Reading) -> tuple[str, int] | None:
        for length in range(min(_LONGEST_ROLE, end - first - 1), 0, -1):
            role = self._role(first, first + length) if length > 1 or reading.article or first > 0 else None
            if role in words.LEADING_ROLES and (role != "item" or self.word(first) == "option"):
                return role, first + length
        return None

    def _role(self, first: int, end: int) -> str | None:
        if any(token.quoted is not None for token in self.tokens[first:end]):
            return None
        return role_of(" ".join(token.word for token in self.tokens[first:end]))

    def _is_role(self, first: int, end: int) -> bool:
        """Whether the words are nothing but a kind of control, counted, placed or coloured perhaps."""
        first, _ = self._qualifiers(first, end, Reading())
        first = self.skip(first, words.LOOKS)
        return first == end or self._role(first, end) is not None

    def _ends_in_role(self, first: int, end: int) -> bool:
        return self._role_before(first, end)[0] is not None or any(token.quoted for token in self.tokens[first:end])

    # -- modifiers

    def _ordinal(self, at: int) -> tuple[int, int] | None:
        if numbered := _NUMBERED.match(self.word(at)):
            number = int(numbered.group(1))
            if number and self.word(at + 1) == "last":
                return -number, at + 2
            return (number, at + 1) if number else None
        for entry, number in sorted(words.ORDINALS.items(), key=lambda row: -len(row[0])):
            if self._stands(at, entry):
                return number, at + len(entry)
        return None

    def _line(self, at: int) -> tuple[Target, RelationKind, int] | None:
        """In "the second row": counted among the places themselves."""
        if (numbered := self._numbered_line(at)) is not None:
            return numbered
        after_line = self._role(at - 1, at) in _LINES if at else False
        if self.word(at) not in ("in", "on", "from", "of", "at") and not after_line:
            return None
        at = self.skip(at if after_line else at + 1, words.ARTICLES)
        counted = self._ordinal(at) or self._outermost(at)
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
        role = self._role(at + 1, at + 2) if self.word(at) == "in" and at + 2 < len(self.tokens) else None
        number = self.word(at + 2)
        if role not in _LINES or not (number.isascii() and number.isdecimal() and 0 < int(number[:4]) <= _MOST_LINES):
            return None
        kind = RelationKind.ROW if role == "table row" else RelationKind.COLUMN
        return Target(role=role, ordinal=int(number)), kind, at + 3

    def _outermost(self, at: int) -> tuple[int, int] | None:
        """ "The top row" is the first."""
        number = {"top": 1, "left": 1, "bottom": -1, "right": -1}.get(self.word(at))
        return None if number is None else (number, at + 1)

    def _plain_relation(self, at: int) -> tuple[RelationKind, int] | None:
        for entry, kind in words.RELATIONS:
            if self._stands(at, entry):
                return kind, at + len(entry)
        return None

    def _relation(self, at: int, first: int | None = None) -> tuple[RelationKind, int] | None:
        """
        The relation at `at`. `first` is where a head began that may be a plain label: then loose prepositions need more than
        words before them.
        """
        if at >= len(self.tokens):
            return None
        if self._line(at) is not None or self._front_of_page(at):
            return None
        found = self._side_relation(at, first) or self._plain_relation(at) or self._of_counted(at)
        if found is None or found[1] >= len(self.tokens):
            return None
        kind, after = found
        entry = tuple(token.word for token in self.tokens[at:after])
        loose = first is not None and entry in words.LOOSE and not self._ends_in_role(first, at)
        if loose and (entry in words.NEVER_AFTER_PLAIN_WORDS or self.word(after) != "the"):
            return None
        if kind is RelationKind.IN and (self._tail_place(at, None) or self._from_side(at)):
            return None
        return kind, after

    def _of_counted(self, at: int) -> tuple[RelationKind, int] | None:
        """ "The logo of the second block" is in it."""
        if self.word(at) != "of" or self._ordinal(self.skip(at + 1, words.ARTICLES)) is None:
            return None
        return RelationKind.IN, at + 1

    def _side_relation(self, at: int, first: int | None) -> tuple[RelationKind, int] | None:
        """ "to the immediate left of", "on the right hand side of"; "left X" after a role, as people write in a hurry."""
        place = self._place(at)
        if place is None or place.position not in words.SIDE_RELATIONS:
            return None
        kind = words.SIDE_RELATIONS[place.position]
        after = self.at(place.next, words.OF_SIDE)
        if after > place.next:
            return None if self._page(after - 1) > after else (kind, after)
        hurried = first is None or self._role_before(first, at)[0] is not None
        if (
            hurried
            and after < len(self.tokens)
            and not self._modifies(at, after)
            and not self._ends_in_role(at, after + 1)
        ):
            return kind, after
        return None

    def _place(self, at: int) -> Place | None:
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

    def _tail_place(self, at: int, first: int | None) -> Place | None:
        """A place after the name: "at the top right corner [of the page]"; not the beginning of a relation."""
        place = self._place(at)
        if place is None:
            return None
        after = self._page(place.next)
        bare = not place.led and place.next - at < 2 and first is not None
        if after > place.next:
            return None if bare else Place(place.position, place.led, after)
        plain = first is not None and not self._ends_in_role(first, at)
        if bare or (plain and not (place.led and (self.word(at + 1) == "the" or "-" in place.position.value))):
            return None
        if place.next < len(self.tokens) and self.at(place.next, words.OF_SIDE) > place.next:
            return None if place.position in words.SIDE_RELATIONS else place
        return place

    def _placed(self, reading: Reading, place: Place, depth: int) -> tuple[Reading, int]:
        """A place; "the top right corner of the dialog" is a place inside the dialog."""
        reading, at = reading.at(place.position), place.next
        if self.word(at) not in ("of", "in", "inside", "within") or self._page(at) > at:
            return reading, at
        found = self.noun(at + 1, depth + 1)
        if found is None or not found[0].names_something:
            return replace(reading, unknown=True), at + 1
        return reading.beside(RelationKind.IN, found[0], self._words(at + 1, found[1])), found[1]

    def _words(self, start: int, end: int) -> str:
        """An anchor as it was named, without its article."""
        return self.text(self.skip(start, words.ARTICLES), end)

    def _front_place(self, at: int, end: int) -> Place | None:
        """A place before the name: a corner before anything, a side before a role."""
        place = self._place(at)
        if place is None or place.led or place.next > end:
            return None
        corner = "-" in place.position.value or self.tokens[place.next - 1].word in words.SIDE_NOUNS
        if place.next == end:
            return None if not corner else place
        if corner or self._is_role(place.next, end):
            return place
        return None

    def _front_of_page(self, at: int) -> bool:
        return self._page(at) > at

    def _page(self, at: int) -> int:
        """After "on the web page"; `at` when it is not there."""
        after = at + 1 if self.word(at) in ("of", "on", "in", "at", "from", "to") else at
        if after == at:
            return at
        after = self.skip(after, words.PAGE_ADJECTIVES)
        return after + 1 if self.word(after) in words.PAGES and after > at else at

    def _from_side(self, at: int) -> Place | None:
        place = self._place(at) if self.word(at) == "from" else None
        return place if place and place.led else None

    def _counted_from(self, reading: Reading, at: int) -> tuple[Reading, int] | None:
        """ "from the bottom" turns the counting round."""
        place = self._from_side(at)
        if place is None or reading.ordinal is None:
            return None
        after = max(self._page(place.next), place.next)
        match place.position:
            case Position.TOP | Position.LEFT | Position.TOP_LEFT:
                return reading, after
            case Position.BOTTOM | Position.RIGHT | Position.BOTTOM_RIGHT:
                return replace(reading, ordinal=-reading.ordinal), after
            case _:
                return replace(reading, unknown=True), after

    def _says(self, at: int, first: int | None) -> int | None:
        """Where the text begins that "which says", "with the text" or, after a role alone, "of" announces."""
        after = self.at(at, words.SAYING)
        if after == at or after >= len(self.tokens):
            return None
        entry = tuple(token.word for token in self.tokens[at:after])
        if first is not None and entry in words.SAYING_LOOSELY and not self._is_role(first, at):
            return None
        return after

    def _said(self, reading: Reading, at: int) -> tuple[Reading, int]:
        at = self.skip(at, words.ARTICLES)
        end = at + 1
        while end < len(self.tokens) and self.tokens[at].quoted is None:
            led = self._led(end)
            ends = (self.word(end) in words.LEADS and led > end) or self._tail_place(end, at) or self._page(end) > end
            relation = self._relation(end, at)
            if ends or (relation and relation[1] - end > 1):
                break
            end += 1
        if reading.text is not None:
            return replace(reading, unknown=True), end
        text = self.text(at, end)
        return replace(reading, text=text or None, quoted=self.tokens[at].quoted is not None), end


class Request(NamedTuple):
    """Words that ask, before what is asked for: `sure` when no label begins so. `next` is the first token after them."""

    sure: bool
    next: int


def parse(source: str) -> Target | None:
    """The target of an English phrase; None when `source` may as well be a label (see docs/targets.md for what decides)."""
    parser = EnglishParser(source)
    request = _request(parser)
    if any(token.word in words.NOT_READ for token in parser.tokens):
        return None
    found = parser.noun(request.next)
    if found is None or parser.too_deep or found[1] < len(parser.tokens):
        return None
    reading = found[0]
    if not reading.names_something or not _is_phrase(parser, request, reading):
        return None
    if reading.unknown and (reading.ordinal or (reading.role and not reading.text and not reading.relations)):
        return Target(description=source, phrase=source)  # the second of the red ones is not the second of all
    return reading.target(source)


def asks(source: str) -> bool:
    """Whether the words begin like a request, or speak of a kind of control, and go on."""
    parser = EnglishParser(source)
    request = _request(parser)
    verb = request.next > 0 and request.next + 1 < len(parser.tokens)
    return verb or (len(parser.tokens) > 2 and any(parser._role(at, at + 1) for at in range(len(parser.tokens))))


def without_request(source: str) -> str | None:
    """The words after "please click on the"; None when nothing of that is there, or nothing else is."""
    parser = EnglishParser(source)
    after = _request(parser).next
    after = parser.skip(after, words.ARTICLES) if after else after
    return parser.text(after, len(parser.tokens)) or None if after else None


def _request(parser: EnglishParser) -> Request:
    start = 0
    while (after := parser.at(start, words.POLITE)) > start:
        start = after
    after = parser.at(start, words.ASKING)
    if after > start:
        return Request(True, after)
    after = parser.at(start, words.MAYBE_ASKING)
    belongs = (parser.word(after),) in words.LOOSE  # "open in the File menu" names an Open
    return Request(False, start if belongs else after)


def _is_phrase(parser: EnglishParser, request: Request, reading: Reading) -> bool:
    """Whether it was meant as a phrase. A relation is checked on the screen, so it needs the least other evidence."""
    rest = parser.tokens[request.next :]
    if request.next and _ends_label(rest, request.sure):
        return False
    kind = reading.text is not None or reading.ordinal is not None or reading.position is not None
    noun = reading.role in _NOUNS_OF_LABELS
    lower = _is_lower(parser)
    if reading.relations:  # Items in cart
        return bool(request.next or reading.article or reading.text or lower) or not noun
    if reading.quoted or request.sure:
        return True
    if reading.position is not None:
        return True
    if request.next and (reading.article or lower or (reading.role is not None and kind)):
        return True
    if reading.role is None:
        return reading.ordinal is not None and ((reading.article and lower) or not rest[-1].word.isascii())
    if noun:
        return reading.article and kind
    return kind and (reading.article or reading.role in _UNMISTAKABLE or _written_lower(parser))


# Labels end with these words (Copy link, New tab, Profile picture): without an article they are no kind of control.
_NOUNS_OF_LABELS: Final = frozenset(
    (
        "image",
        "text",
        "link",
        "tab",
        "item",
        "menu",
        "list",
        "window",
        "heading",
        "video",
        "table",
        "card",
        "cell",
        "column",
    )
)
# These are not, however they are written.
_UNMISTAKABLE: Final = frozenset(("button", "icon", "checkbox", "input", "combo box"))


def _ends_label(rest: list[Token], sure: bool) -> bool:
    """Whether what follows a verb makes a label with it: Select all, Tap to retry, Click here."""
    if not rest or rest[0].word in words.GO_ON:
        return True
    return not sure and len(rest) == 1 and rest[0].word in words.ENDS_OF_LABELS


def _is_lower(parser: EnglishParser) -> bool:
    """Whether nothing but quotations is written with capitals: labels mostly are."""
    return not any(
        character.isupper()
        for token in parser.tokens
        if token.quoted is None
        for character in parser.source[token.start : token.end]
    )


def _written_lower(parser: EnglishParser) -> bool:
    """Whether the last word, which names the kind, is no part of a title (Nintendo Switch)."""
    last = parser.tokens[-1]
    return last.quoted is not None or not any(map(str.isupper, parser.source[last.start : last.end]))
