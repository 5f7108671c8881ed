"""Grammar of English phrases: "the third “Delete” from the bottom", "click on the icon to the left of Settings".

phrase   := [verb] noun
noun     := [article] head modifier*
head     := [ordinal] [place] [text] [role]  |  role text
modifier := [which is] (relation noun | place | saying text | ordinal line | "from the" side | "on the page" | "for" noun)
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from handeye.roles import role_of
from handeye.target import english_tokens as words
from handeye.target.english_tokens import MAX_ENTRY_WORDS, Tokens
from handeye.target.parsed import AMBIGUOUS_ROLES, LINES, MAX_DEPTH, ParsedPhrase
from handeye.target.values import Position, Relation, RelationKind, Target


class Place(NamedTuple):
    """A position in a phrase, whether a preposition preceded it, and the index of the next token."""

    position: Position
    led: bool
    next: int

    @property
    def corner(self) -> bool:
        return "-" in self.position.value


def read(source: str) -> ParsedPhrase | None:
    """Return the parsed English phrase, or None if `source` may be a label or is negated."""
    parser = EnglishParser(source)
    sure, start = _request(parser)
    if any(_negates(parser, at) for at in range(len(parser.tokens))):
        return None
    found = parser.noun(start)
    if found is None or parser.too_deep or found[1] < len(parser.tokens):
        return None
    reading = found[0]
    return reading if reading.names_something and _is_phrase(parser, sure, start, reading) else None


def without_request(source: str) -> str | None:
    """Return the words after "please click on the", or None if there is no such request or nothing after it."""
    parser = EnglishParser(source)
    _sure, after = _request(parser)
    return parser.text(parser.past_articles(after), len(parser.tokens)) or None if after else None


def _request(parser: EnglishParser) -> tuple[bool, int]:
    """Return whether the words make a request that no label begins with, and the index of the token after the request."""
    start = 0
    while (after := parser.at(start, words.POLITE)) > start:
        start = after
    after = parser.at(start, words.ASKING)
    if after > start:
        return True, after
    after = parser.at(start, words.MAYBE_ASKING)
    belongs = (
        parser.word(after) in words.PARTICLES
    )  # "open in the File menu" is an element Open, "check out" is one verb
    return False, 0 if belongs or after == start else after


def _negates(parser: EnglishParser, at: int) -> bool:
    """
    Return True if the word at `at` negates the phrase: "the button that is not Save", "do not click". In "Not now" and "the
    Do not disturb switch" it belongs to a label.
    """
    if parser.word(at) not in words.NEGATIONS:
        return False
    if at and (parser.tokens[at - 1].comma or parser.word(at - 1) in words.IS | words.LEADS or parser.role(at - 1, at)):
        return True
    after = at + 1
    asked = parser.at(after, words.ASKING | words.MAYBE_ASKING) > after
    quoted = bool(parser.quotes(after, after + 1))
    return quoted or asked or parser.word(after) in words.ARTICLES or parser.relation(after) is not None


def _is_phrase(parser: EnglishParser, sure: bool, start: int, reading: ParsedPhrase) -> bool:
    """Return True if a phrase is meant. A relation is checked on the screen, so it needs the least other evidence."""
    if start and _ends_label(parser, start):
        return False
    if sure or reading.quoted:
        return True
    if reading.relations:
        return _is_related(parser, start, reading)
    if reading.position is not None:
        return True
    named = reading.role is not None and (reading.article or _is_bare_kind(parser, start))
    kind = bool(reading.text or reading.ordinal or reading.colour)
    if start:
        return reading.article or (named and kind)
    if reading.role is None:
        return reading.ordinal is not None and _is_counted(parser, reading)
    # "The combo box" is specific enough if there is only one; "the option" may be anything.
    return named and (kind or (reading.article and reading.role != "item" and parser.is_lower()))


def _is_counted(parser: EnglishParser, reading: ParsedPhrase) -> bool:
    """Return True if an ordinal counts: "the second Delete", "third Edit from the top"; not in The Last Samurai."""
    if any(parser.from_side(at) for at in range(1, len(parser.tokens))):
        return True
    counted = parser.ordinal(1)
    return reading.article and counted is not None and parser.text(0, counted[1]).islower()


def _is_related(parser: EnglishParser, start: int, reading: ParsedPhrase) -> bool:
    """Return True if a relation is meant. Prose and labels often contain "in the" (Items in cart, Open in the app)."""
    if start or reading.role is not None or reading.article:
        bare = reading.role in AMBIGUOUS_ROLES and not (start or reading.article or reading.text)
        return not bare or parser.is_lower()
    held = all(each.anchor.role is not None or each.anchor.phrase is not None for each in reading.relations)
    loose = any(each.kind in words.LOOSE_KINDS for each in reading.relations)
    return held or not loose


def _is_bare_kind(parser: EnglishParser, start: int) -> bool:
    """Return True if the last words name a role that labels do not end with; a tab's name is no action (New tab)."""
    end = len(parser.tokens)
    _role, first = parser.role_before(start, end)
    kind = parser.joined(first, end)
    bare = kind in words.BARE_KINDS and not any(map(str.isupper, parser.text(first, end)))
    return kind in words.ALWAYS_KINDS or (bare and parser.word(start) not in words.ENGLISH_ACTIONS)


def _ends_label(parser: EnglishParser, start: int) -> bool:
    """Return True if the words after a verb make a label with it: Tap to retry, Click here, Go to the top."""
    rest = range(start, len(parser.tokens))
    if not rest or parser.word(start) in words.GO_ON:
        return True
    return all(parser.is_article(at) or parser.word(at) in words.SIDES or parser.word(at) in words.PAGES for at in rest)


class EnglishParser(Tokens):
    """Parser of the noun phrases of one source. Every step moves forward, and relations nest at most DEEPEST deep."""

    too_deep = False

    def noun(self, start: int, depth: int = 0) -> tuple[ParsedPhrase, int] | None:
        """Return the noun phrase at `start` and the index of the next token, or None without a noun phrase."""
        self.too_deep |= depth >= MAX_DEPTH
        first = self.past_articles(start)
        at = self._next_modifier(first, first)
        reading = None if self.too_deep else self._head(start, at)
        if reading is None:
            return None
        while at < len(self.tokens) and not (
            depth and self._is_joined_relation(at)
        ):  # "and left of" modifies the first noun
            step = self._modifier(reading, at, depth)
            if step is None:
                break
            reading, at = step
        return (reading, at) if reading.names_something or reading.relations or reading.position else None

    # -- where modifiers begin

    def _next_modifier(self, at: int, first: int | None = None) -> int:
        """Return the index of the next modifier after `at`, of the head at `first` or of any head."""
        rest = range(at + 1, len(self.tokens))
        return next((at for at in rest if self._modifies(at if first is None else first, at)), len(self.tokens))

    def _modifies(self, first: int, at: int) -> bool:
        """Return True if a modifier of the head at `first` begins at `at`."""
        if (self.tokens[at - 1].comma and self.relation(self._skip_lead(at))) or self._is_joined_relation(at):
            return True
        led = self._skip_lead(at)
        if led > at and (self.word(at) in words.LEADS or self.relation(led, first) or self._tail_place(led, first)):
            return True
        return bool(
            self.word(at) == "between"
            or self.relation(at, first)
            or self._text_start(at, first)
            or self._tail_place(at, first)
            or self._line(at)
            or self.page(at) > at
            or (self.word(at) == "for" and self.role_before(first, at)[0] and not self._is_role(first, at))
            or (self.from_side(at) and self.ordinal(first))
        )

    def _skip_lead(self, at: int) -> int:
        """Return the index after words like "which is located just"."""
        at = self.skip(at, words.LEADS | words.IS | words.PLACED)
        after = self.skip(at, words.JUST)
        # "right" is an adverb in "right below" but a side in "right of".
        while after > at and self.word(after - 1) == "right" and self.at(after, words.RELATIONS) == after:
            after -= 1
        return after

    def _is_joined_relation(self, at: int) -> bool:
        """Return True if an "and" is followed by another relation."""
        return self.word(at) in words.JOINS and self.relation(self._skip_lead(at + 1)) is not None

    def relation(self, at: int, first: int | None = None) -> tuple[RelationKind, int] | None:
        """
        Return the relation at `at` and the index of the next token. `first` is the start of a head that may be a plain
        label: then loose prepositions need more evidence.
        """
        if self._line(at) is not None or self.page(at) > at:
            return None
        found = self._side_relation(at) or self.find(at, words.RELATIONS)
        counted = self.ordinal(self.skip(at + 1, words.ARTICLES)) if self.word(at) == "of" else None
        if counted and (first is None or self._ends_in_role(first, at) or self.role(counted[1], counted[1] + 1)):
            found = RelationKind.IN, at + 1  # of the second list
        if found is None or found[1] >= len(self.tokens):
            return None
        kind, after = found
        loose = first is not None and self.joined(at, after) in words.LOOSE and not self._ends_in_role(first, at)
        if loose and self.word(after) != "the" and not self.quotes(after, after + 2):  # in dialog "Confirm"
            return None
        if kind is RelationKind.IN and (self._tail_place(at, None) or self.from_side(at)):
            return None
        if kind in LINES.values() and self.from_side(after + 1):  # in row 2 from the bottom
            return None
        return kind, after

    def _side_relation(self, at: int) -> tuple[RelationKind, int] | None:
        """Return the relation in "to the immediate left of" or "on the right hand side of", or None."""
        place = self._place(at)
        kind = words.SIDE_RELATIONS.get(place.position) if place else None
        if place is None or kind is None:
            return None
        after = self.at(place.next, words.OF_SIDE)
        return (kind, after) if after > place.next and self.page(after - 1) <= after else None

    def _line(self, at: int) -> tuple[Relation, int] | None:
        """
        Return the relation in "in the second row", "in the top row" or "in row 2", counted among the matches themselves, or
        None.
        """
        if self.word(at) not in ("in", "on", "from", "of", "at"):
            return None
        at = self.skip(at + 1, words.ARTICLES)
        role, digits = role_of(self.word(at)), self.word(at + 1)
        number = int(digits) if digits.isdecimal() else 0
        if role in LINES and number and not self.from_side(at + 2):  # the 2 may be a text in the row
            return Relation(LINES[role], Target(role=role, ordinal=number, phrase=self.text(at, at + 2))), at + 2
        side = words.SIDES.get(self.word(at))
        if side is not None and side not in words.UNCOUNTED:
            return self._counted_line(-1 if side in words.BACKWARDS else 1, at + 1)
        counted = self.ordinal(at)
        return self._counted_line(*counted) if counted else None

    def _counted_line(self, number: int, at: int) -> tuple[Relation, int] | None:
        role = "table row" if self.word(at) == "line" else role_of(self.word(at))
        side = self.from_side(at + 1)
        if role not in LINES or (side and side.position in words.UNCOUNTED):
            return None
        number *= -1 if side and side.position in words.BACKWARDS else 1
        return Relation(LINES[role], Target(role=role, ordinal=number)), side.next if side else at + 1

    def _place(self, at: int) -> Place | None:
        """Return the position in "[on] [the] top right [hand] [side]", or None."""
        led = self.word(at) in ("at", "on", "in", "to", "from", "towards", "near")
        at = self.skip(at + led, words.ARTICLES | {"immediate", "extreme", "far", "very", "most", "its"})
        position: Position | None = None
        while (side := words.SIDES.get(self.word(at))) is not None:
            merged = ParsedPhrase(position=position).at(side)
            if merged.unknown:
                break
            position = merged.position
            at = self.skip(at + 1, {"most"})
        return Place(position, led, self.skip(at, words.SIDE_NOUNS)) if position else None

    def _tail_place(self, at: int, first: int | None) -> Place | None:
        """
        Return a position after the name, or None: "at the top right corner [of the page]"; not the beginning of a relation.
        """
        place = self._place(at)
        if place is None:
            return None
        plain = first is not None and not self._ends_in_role(first, at)
        after = self.page(place.next)
        if plain and not (place.led and (self.word(at + 1) == "the" or place.corner or after > place.next)):
            return None
        return place._replace(next=after)

    def _front_place(self, at: int, end: int) -> Place | None:
        """Return a position before the name, or None: a corner before anything, a side before a role."""
        place = self._place(at)
        if place is None or place.led or place.next > end:
            return None
        corner = place.corner or self.tokens[place.next - 1].word in words.SIDE_NOUNS
        return place if corner or (place.next < end and self._is_role(place.next, end)) else None

    def page(self, at: int) -> int:
        """Return the index after "on the web page", or `at` without such words."""
        if self.word(at) not in ("of", "on", "in", "at", "from", "to"):
            return at
        after = self.skip(at + 1, words.PAGE_ADJECTIVES)
        if self.word(after) not in words.PAGES or self.role(after + 1, min(after + 2, len(self.tokens))):
            return at  # "in the View menu" is in a menu
        return after + 1

    def from_side(self, at: int) -> Place | None:
        return self._place(at) if self.word(at) == "from" else None

    def _text_start(self, at: int, first: int | None) -> int | None:
        """
        Return the start of the text after "which says", "with the text" or, after a role alone, "of"; None without such
        words.
        """
        after = self.at(at, words.SAYING)
        if after == at or after >= len(self.tokens):
            return None
        loosely = first is not None and self.joined(at, after) in words.SAYING_LOOSELY
        return None if loosely and first is not None and not self._is_role(first, at) else after

    def _is_role(self, first: int, end: int) -> bool:
        """Return True if the words are only a role, perhaps with an ordinal, a position or a colour."""
        first = self.skip(self._qualifiers(first, end, ParsedPhrase())[0], words.LOOKS)
        return first == end or self.role(first, end) is not None

    def _ends_in_role(self, first: int, end: int) -> bool:
        return self.role_before(first, end)[0] is not None or bool(self.quotes(first, end))

    # -- parsing modifiers

    def _modifier(self, reading: ParsedPhrase, at: int, depth: int) -> tuple[ParsedPhrase, int] | None:
        joined = self.skip(at, words.JOINS)
        led = self._skip_lead(joined)
        if (relation := self.relation(led)) is not None:
            return self._related(reading, relation[0], relation[1], depth)
        if self.word(led) == "between":
            return self._between(reading, led + 1, depth)
        if (line := self._line(led)) is not None:
            return self._with_container(replace(reading, relations=(*reading.relations, line[0])), line[1], depth)
        towards = self._place(led) if reading.ordinal and self.word(led) == "to" else None
        if towards is not None and towards.next == len(
            self.tokens
        ):  # "the second to the left": the end to count from is unclear
            return replace(reading, unknown=True), towards.next
        if reading.ordinal and (side := self.from_side(led)) is not None:
            ordinal = reading.ordinal * (-1 if side.position in words.BACKWARDS else 1)
            unknown = reading.unknown or side.position in words.UNCOUNTED
            return replace(reading, ordinal=ordinal, unknown=unknown), self.page(side.next)
        if (place := self._tail_place(led, None)) is not None:
            return self._with_container(reading.at(place.position), place.next, depth)
        if (past := self.page(led)) > led:
            return reading, past
        if self.word(led) == "for" and reading.text and reading.role and led + 1 < len(self.tokens):
            return self._related(reading, RelationKind.ROW, led + 1, depth)  # the Delete button for Bob
        if (said := self._text_start(led, None)) is not None:
            # An anchor that already has its text leaves another one to the target: the box below Arrival which says London.
            return None if depth and reading.text else self._with_text(reading, said)
        if led > at or joined > at:
            return replace(reading, unknown=True), self._next_modifier(led)
        return None

    def _related(
        self, reading: ParsedPhrase, kind: RelationKind, start: int, depth: int
    ) -> tuple[ParsedPhrase, int] | None:
        """
        Return the reading with a relation, and the index of the next token. A position named last belongs to an anchor
        without a text, else to the target.
        """
        found = self.noun(start, depth + 1)
        if found is None or not found[0].names_something or (kind in LINES.values() and self.relation(start)):
            return None  # the row below Ann
        anchor, after = found
        if anchor.position and anchor.text and not anchor.relations:
            reading, anchor = reading.at(anchor.position), replace(anchor, position=None)
        unknown = reading.unknown or anchor.unknown
        first = self.past_articles(start)  # an anchor that is only "a" has that name
        named = self.text(first if first < after else start, after)
        return replace(reading.beside(kind, anchor, named), unknown=unknown), after

    def _between(self, reading: ParsedPhrase, start: int, depth: int) -> tuple[ParsedPhrase, int] | None:
        """Return the reading with "between X and Y" at the end of a phrase, or None if the end of X is unclear."""
        ands = [at for at in range(start + 1, len(self.tokens) - 1) if self.word(at) == "and"]
        if len(ands) != 1:
            return None
        for first, last in ((start, ands[0]), (ands[0] + 1, len(self.tokens))):
            part = EnglishParser(self.source[self.tokens[first].start : self.tokens[last - 1].end])
            found = part._related(reading, RelationKind.BETWEEN, 0, depth)
            if found is None or found[1] < len(part.tokens):
                return None
            reading = found[0]
        return reading, len(self.tokens)

    def _with_container(self, reading: ParsedPhrase, at: int, depth: int) -> tuple[ParsedPhrase, int]:
        """
        Return the reading with the container of a position or line: "the top right corner of the dialog", "the second row
        of the table".
        """
        at = self.page(at)
        if self.word(at) != "of":
            return reading, at
        return self._related(reading, RelationKind.IN, at + 1, depth) or (replace(reading, unknown=True), at + 1)

    def _with_text(self, reading: ParsedPhrase, at: int) -> tuple[ParsedPhrase, int]:
        at = min(self.past_articles(at), len(self.tokens) - 1)
        end = at + 1 if self.quotes(at, at + 1) else self._next_modifier(at, at)
        if reading.text is not None:
            return replace(reading, unknown=True), end
        return replace(reading, text=self.text(at, end) or None, quoted=self.tokens[at].quoted is not None), end

    # -- the head

    def _head(self, start: int, end: int) -> ParsedPhrase | None:
        """Return the head, or None if unknown words around a quotation may change its meaning (undo "Delete")."""
        first, reading = self._qualifiers(
            self.past_articles(start), end, ParsedPhrase(article=self.word(start) == "the")
        )
        role, last = self.role_before(first, end)
        front, after = self._front_role(first, end)
        # "The text private photos" is a text, but "the tab bar" is no tab.
        is_named = front in words.LABELLED_ROLES and role in AMBIGUOUS_ROLES and last > first
        if (
            role is None or is_named or (front and self.is_capital(last) and not self.is_capital(first))
        ):  # the image Logo
            role, first, last = front, after, end
        if self._announces(first, last):
            first += 1
        first, reading = self._owner(first, last, replace(reading, role=role))
        first, reading = self._colour(first, last, reading)
        text = self.text(first, last)
        if text.casefold() == "one" and reading.article and role is None:  # "the one right of Cancel"
            return replace(reading, role="item")
        if text and all(token.word in words.LOOKS for token in self.tokens[first:last]):
            if self.is_capital(first) or text.casefold() in words.COLOUR_WORDS:
                return replace(reading, text=text)  # the Red button, the Colour field
            return replace(reading, unknown=True, look=text)
        if role and not text and last < end and self.word(last) in words.NAMED_ROLES and end - last > 1:
            text = self.text(last, last + 1)  # a search box is labelled so
        if quoted := self.quotes(first, end):
            idle = (token.quoted is not None or token.word in words.IDLE for token in self.tokens[first:last])
            if len(quoted) > 1 or not all(idle):
                return None
            return replace(reading, text=quoted[0], quoted=True, unknown=reading.unknown or text != quoted[0])
        return replace(reading, text=text or None, word=None if text else self.text(last, end) or None)

    def _qualifiers(self, first: int, end: int, reading: ParsedPhrase) -> tuple[int, ParsedPhrase]:
        """Return the index after ordinals and positions before the name, and the reading with them."""
        while first < end:
            if (counted := self.ordinal(first)) is not None and self.word(counted[1]) not in words.NOT_COUNTED:
                line = self._counted_line(*counted)
                if line is not None and line[1] < end:
                    reading, first = replace(reading, relations=(*reading.relations, line[0])), line[1]
                else:
                    reading, first = replace(reading, ordinal=counted[0]), counted[1]
            elif (place := self._front_place(first, end)) is not None:
                reading, first = reading.at(place.position), place.next
            else:
                break
        return first, reading

    def _colour(self, first: int, end: int, reading: ParsedPhrase) -> tuple[int, ParsedPhrase]:
        """
        Return the index after a colour before a role alone, a quotation or a capital; "black friday" and "Red Cross" are
        names.
        """
        colour = words.COLOURS.get(self.word(first)) if first < end and reading.role else None
        if colour is None or self.source[self.tokens[first].start].isupper():
            return first, reading
        after = self.skip(first + 1, words.COLOUR_WORDS)
        if after >= end:
            return after, replace(reading.coloured(colour), look=self.text(first, after))
        named = self.quotes(after, after + 1) or not self.source[self.tokens[after].start].islower()
        return (after, reading.coloured(colour)) if named else (first, reading)

    def _announces(self, first: int, end: int) -> bool:
        """Return True if a word only introduces a name: the letter G, the number 7; not in "the number pad"."""
        if self.word(first) not in words.INTRODUCING or self.is_capital(first) or first + 2 != end:
            return False
        return len(self.word(first + 1)) == 1 or not self.source[self.tokens[first + 1].start].islower()

    def _owner(self, first: int, end: int, reading: ParsedPhrase) -> tuple[int, ParsedPhrase]:
        """Return the index after "Bob's" before a control, which is in Bob's row. A link may be called Bob's Burgers."""
        is_control = reading.role is not None and reading.role not in AMBIGUOUS_ROLES
        for at in range(first, end - 1 if is_control else first):
            name = self.text(first, at + 1)
            owns = name.endswith(("'s", "’s")) and self.tokens[at].word[:-2] not in words.NON_OWNERS
            if owns and (name[0].isupper() or not name.isascii()):
                return at + 1, reading.beside(RelationKind.ROW, ParsedPhrase(text=name[:-2]), name[:-2])
        return first, reading

    def _front_role(self, first: int, end: int) -> tuple[str | None, int]:
        """Return the role that the first words name ("the button download now"), and the index of the rest."""
        for after in range(min(first + MAX_ENTRY_WORDS, end - 1), first, -1):
            role = self.role(first, after)
            if role in words.LEADING_ROLES and (role != "item" or self.word(first) == "option"):
                return role, after
        return None, first
