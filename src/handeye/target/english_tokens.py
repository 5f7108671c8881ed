"""English words of the phrase grammar, and the tokens of a source."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from handeye.roles import ROLES, role_of
from handeye.target.values import COLOURS as COLOUR_NAMES
from handeye.target.values import Position, RelationKind
from handeye.text import quotations


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _phrases(text: str) -> frozenset[str]:
    """Return one entry per line or comma."""
    return frozenset(entry.strip() for line in text.splitlines() for entry in line.split(",") if entry.strip())


# Polite words before a request.
POLITE: Final = _phrases("please, could you, can you, would you, kindly, then, i want to, i want you to")
# Verbs that always make a request: no label begins with "click the".
ASKING: Final = _phrases(
    """click on, click onto, click at, click, tap on, tap at, tap, double click on, double click, double tap on, double tap
    right click on, right click, long press on, long press, press on, press, touch on, hit on
    point to, point at, hover over"""
)
# Verbs that labels also begin with (Select all, Find in page, Go to settings).
MAYBE_ASKING: Final = _phrases(
    """select on, select, choose, pick, find, find me, go to, go on, move to, take, open, check, look for, navigate to, locate
    focus on, touch, hit, where is"""
)
# Particles that belong to a verb of MAYBE_ASKING: check out, open in, open with.
PARTICLES: Final = _set("out up in off with until by within inside over after before behind near under around")
# Words that make a label with any verb before them: Tap to retry, Press any key, Click here.
GO_ON: Final = _set("to here for and any again me twice release")
# The text of these boxes is the word before: a search box.
NAMED_ROLES: Final = _set("search message comment")
# Roles that people put before a name: the text Terms of use, the button Download.
LEADING_ROLES: Final = _phrases(
    "text, button, icon, image, tab, link, input, checkbox, radio, switch, item, menu item, heading, combo box"
)
# Leading roles that take precedence over a role at the end: the text private photos.
LABELLED_ROLES: Final = _set("text button tab link")
ARTICLES: Final = _set("the a an")
# Words for the whole screen.
PAGES: Final = _set("page webpage screen screenshot website site display app window view webview interface")
PAGE_ADJECTIVES: Final = _set("the a this web current whole entire app phone mobile main")

_NUMBERS: Final = (
    *("first", "second", "third", "fourth", "fifth", "sixth"),
    *("seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"),
)
ORDINALS: Final = {
    **{word: number for number, word in enumerate(_NUMBERS, 1)},
    **{f"{word}{end}": -number for number, word in enumerate(_NUMBERS, 1) for end in (" last", " to last")},
    **{"last": -1, "very last": -1, "very first": 1, "last but one": -2, "forth": 4, "topmost": 1},
}
# Words after which an ordinal is a part of a label: First name, Last seen, second hand.
NOT_COUNTED: Final = _set("name names seen hand class aid updated modified week month year night day time party line")

SIDES: Final = {
    word: position
    for position, text in {
        Position.TOP: "top upper uppermost topmost",
        Position.BOTTOM: "bottom lower bottommost",
        Position.LEFT: "left leftmost",
        Position.RIGHT: "right rightmost",
        Position.CENTER: "center centre middle",
    }.items()
    for word in text.split()
}
SIDE_NOUNS: Final = _set("corner side part end edge area portion section hand")
# Sides of an anchor as relations.
SIDE_RELATIONS: Final = {Position.LEFT: RelationKind.LEFT_OF, Position.RIGHT: RelationKind.RIGHT_OF}
# "From the bottom" counts backwards; from the middle, or from these corners, the order is unclear.
BACKWARDS: Final = (Position.BOTTOM, Position.RIGHT, Position.BOTTOM_RIGHT)
UNCOUNTED: Final = (Position.CENTER, Position.TOP_RIGHT, Position.BOTTOM_LEFT)
OF_SIDE: Final = _phrases("next to, side of, of, to, from, beside, side to, than, with")

LEADS: Final = _set("which that who")
IS: Final = _set("is are was be being it's")
PLACED: Final = _set("present located placed shown situated found seen positioned appearing displayed given there")
JUST: Final = _set("just immediately directly exactly immediate right only")

_RELATIONS: Final = {
    RelationKind.BESIDE: "next to, adjacent to, beside, besides, beside to, alongside, by the side of, along side, behind",
    RelationKind.NEAR: "near, near to, close to, nearest to, closest to, around",
    RelationKind.ABOVE: "above, on top of, over, above to, above of",
    RelationKind.BELOW: "below, under, beneath, underneath, below to, below of, down to, down from, under to",
    RelationKind.BEFORE: "before, previous to, prior to, preceding",
    RelationKind.AFTER: "after",
    RelationKind.ROW: """in the row of, in the row with, in the same row as, on the row of, in the row, in row, on the line of
    on the same line as, in the line of, in the row for, in the same row with, on the same row as, of the row""",
    RelationKind.COLUMN: "in the column of, in the column, in the same column as, in column, of the column",
    RelationKind.IN: "inside, inside of, within, in, into, on, from, at, contained in",
}
RELATIONS: Final = {words: kind for kind, text in _RELATIONS.items() for words in _phrases(text)}
# Prepositions that are frequent in labels (Sign in, Turn on, Back to top, Log in after restart): they are relations only
# after a role, or before an article.
LOOSE: Final = _set("in into on from at over before after around under within inside behind near")

# Words that introduce the text of a control.
SAYING: Final = _phrases(
    """says, saying, reads, reading, named, called, labeled, labelled, titled, with the text, with text, with the label
    having the text, having a text, has the text, with the name, with the title, with the word, with the words, containing
    contains, having, has, with, like, for, of, as, with a, with an, has a, has an, having a, having an, containing the text
    contains the text, with the number, with the symbol, marked, along with"""
)
# Words that introduce a text only after a role alone (the logo of cvs, but not Terms of use).
SAYING_LOOSELY: Final = _phrases("of, for, like, as, with, with a, with an, reading, has, having, contains")
# Words for an appearance, which OCR and a tree cannot check.
LOOKS: Final = _set(
    """red green blue yellow white black orange pink purple brown gray grey golden light dark color colour colored coloured
    circular circle round rounded square rectangular triangular shaped shape small big large little mini tiny highlighted
    bold pink entire complete whole colorful"""
)
COLOURS: Final = {name: name for name in COLOUR_NAMES} | {"grey": "gray", "violet": "purple"}
COLOUR_WORDS: Final = _set("color colour colors colours colored coloured")
# Words that only introduce a name: the letter G.
INTRODUCING: Final = _set("letter number digit word words phrase")
# Words with 's that are no owners: What's new, Today's deals.
NON_OWNERS: Final = _set(
    """it that this there here what who where how when why let he she one today yesterday tomorrow tonight day week month year
    world children men women kid kids people everyone user users everybody mother father valentine"""
)
# Actions in labels: New tab, Copy link.
ENGLISH_ACTIONS: Final = _set(
    """new add close open copy edit delete remove save view share insert show hide choose select upload download change
    rename create next previous other all more my no duplicate move pin switch reopen restore private incognito
    every this that current"""
)
# Negations, if they come before a relation, a verb or a quotation, or after a role.
NEGATIONS: Final = _set(
    """not don't don’t doesn't doesn’t isn't isn’t aren't aren’t never except excluding without unlike neither nor instead"""
)
# Roles that no label ends with; and roles that labels rarely end with, except for actions.
ALWAYS_KINDS: Final = _phrases(
    """spin button, spin box, spinbox
    button, btn, icon, checkbox, check box, tick box, text box, textbox, text field, input box, input field
    radio button, combo box, dropdown, menu item, toggle switch, search box, search bar, search field"""
)
BARE_KINDS: Final = _phrases("switch, toggle, slider, tab, menu, logo, symbol, drop down, field")
LOOSE_KINDS: Final = frozenset(
    (RelationKind.IN, RelationKind.NEAR, RelationKind.BEFORE, RelationKind.AFTER, RelationKind.BETWEEN)
)
JOINS: Final = _set("and but")
# Words around a quotation that do not change its meaning.
IDLE: Final = frozenset[str]().union(
    ARTICLES, LOOKS, PAGES, LEADS, IS, {"please", ","}, *ROLES.values(), *(entry.split() for entry in SAYING)
)


# Tokens of a source.


_NUMBERED: Final = frozenset({"st", "nd", "rd", "th"})
TRAILING: Final = ".,;:!?"
# Number of words of the longest entry in the tables.
MAX_ENTRY_WORDS: Final = 5
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Token:
    """A word at source[start:end]: `word` is its form for comparison; `quoted` is the text if it is a quotation."""

    word: str
    start: int
    end: int
    quoted: str | None = None
    comma: bool = False


def tokens_of(source: str) -> list[Token]:
    """Return the words and quotations; "top-left" is two words."""
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
    bare = piece.rstrip(TRAILING) or piece
    parts = bare.casefold().split("-")
    if not all(part in SIDES or part in SIDE_NOUNS for part in parts):
        parts = [bare.casefold()]
    found = []
    for part in parts:
        end = start + (len(part) if len(parts) > 1 else len(bare))
        found.append(Token(part, start, end, comma=piece[len(bare) :].startswith(",")))
        start = end + 1
    return found


class Tokens:
    """Tokens of one source, with look-ups at an index."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.tokens = tokens_of(source)

    def find(self, index: int, entries: Mapping[str, T]) -> tuple[T, int] | None:
        """
        Return the value of the longest of `entries` that begins at `index`, and the index of the next token; None without
        one.
        """
        end = self.at(index, entries)
        return (entries[self.joined(index, end)], end) if end > index else None

    def at(self, index: int, entries: Collection[str]) -> int:
        """Return the index after the longest of `entries` that begins at `index`, or `index` without one."""
        ends = range(min(index + MAX_ENTRY_WORDS, len(self.tokens)), index, -1)
        return next((end for end in ends if self.joined(index, end) in entries), index)

    def joined(self, start: int, end: int) -> str:
        return " ".join(token.word for token in self.tokens[start:end])

    def skip(self, index: int, among: Collection[str]) -> int:
        while index < len(self.tokens) and self.tokens[index].word in among:
            index += 1
        return index

    def past_articles(self, index: int) -> int:
        """
        Return the index after the articles. "A" is an article, too, unless nothing follows it or it is written like a name:
        "the A button". In "Tap A Back Button" every word is capitalised, so "A" is an article.
        """
        while self.is_article(index):
            index += 1
        return index

    def is_article(self, index: int) -> bool:
        word = self.word(index)
        if word != "a":
            return word in ARTICLES
        led = index > 0 and self.word(index - 1) in ARTICLES
        return not (led or (index > 0 and self.is_capital(index)) or index + 1 == len(self.tokens))

    def is_capital(self, index: int) -> bool:
        """Return True if a word is capitalised and another one outside quotations is not: else capitals prove nothing."""
        small = any(token.quoted is None and self.source[token.start].islower() for token in self.tokens)
        return small and self.source[self.tokens[index].start].isupper()

    def is_lower(self) -> bool:
        """Return True if there are no capitals outside quotations: labels mostly have some."""
        return not any(
            token.quoted is None and any(map(str.isupper, self.source[token.start : token.end]))
            for token in self.tokens
        )

    def word(self, index: int) -> str:
        return self.tokens[index].word if index < len(self.tokens) else ""

    def text(self, start: int, end: int) -> str:
        """Return the source from one token to another; a single quotation without its marks."""
        if start >= end:
            return ""
        if end - start == 1 and (quoted := self.tokens[start].quoted) is not None:
            return quoted
        return " ".join(self.source[self.tokens[start].start : self.tokens[end - 1].end].split())

    def quotes(self, start: int, end: int) -> list[str]:
        return [token.quoted for token in self.tokens[start:end] if token.quoted is not None]

    def ordinal(self, at: int) -> tuple[int, int] | None:
        """Return the ordinal at `at`, negative if counted from the end, and the index of the next token."""
        digits, ending = self.word(at)[:-2], self.word(at)[-2:]
        if ending not in _NUMBERED or not (digits.isdecimal() and len(digits) < 4):
            return self.find(at, ORDINALS)
        number = int(digits)
        if number and self.word(at + 1) == "last":
            return -number, at + 2
        return (number, at + 1) if number else None

    def role(self, first: int, end: int) -> str | None:
        return None if self.quotes(first, end) else role_of(self.joined(first, end))

    def role_before(self, first: int, end: int) -> tuple[str | None, int]:
        """Return the role that the last words name, and the index where they begin."""
        starts = range(max(first, end - MAX_ENTRY_WORDS), end)
        return next(((role, start) for start in starts if (role := self.role(start, end))), (None, end))
