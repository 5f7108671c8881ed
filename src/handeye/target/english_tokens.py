"""English words, one by one: what stands where in a source, whatever it means."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from handeye.roles import role_of
from handeye.target import english_words as words
from handeye.target.quotes import quotations

_NUMBERED: Final = frozenset({"st", "nd", "rd", "th"})
TRAILING: Final = ".,;:!?"
# Words of the longest entry in the tables.
LONGEST: Final = 5
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Token:
    """A word at source[start:end]: `word` is how it is compared; `quoted` is the text when it is a quotation."""

    word: str
    start: int
    end: int
    quoted: str | None = None
    comma: bool = False


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
    bare = piece.rstrip(TRAILING) or piece
    parts = bare.casefold().split("-")
    if not all(part in words.SIDES or part in words.SIDE_NOUNS for part in parts):
        parts = [bare.casefold()]
    found = []
    for part in parts:
        end = start + (len(part) if len(parts) > 1 else len(bare))
        found.append(Token(part, start, end, comma=piece[len(bare) :].startswith(",")))
        start = end + 1
    return found


class Tokens:
    """The words of one source."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.tokens = tokens_of(source)

    def find(self, index: int, entries: Mapping[str, T]) -> tuple[T, int] | None:
        """Return what the longest of `entries` that stands at `index` means, and where the tokens go on."""
        end = self.at(index, entries)
        return (entries[self.joined(index, end)], end) if end > index else None

    def at(self, index: int, entries: Collection[str]) -> int:
        """Return where the tokens go on after the longest of `entries` that stands at `index`; `index` when none does."""
        ends = range(min(index + LONGEST, len(self.tokens)), index, -1)
        return next((end for end in ends if self.joined(index, end) in entries), index)

    def joined(self, start: int, end: int) -> str:
        return " ".join(token.word for token in self.tokens[start:end])

    def skip(self, index: int, among: Collection[str]) -> int:
        while index < len(self.tokens) and self.tokens[index].word in among:
            index += 1
        return index

    def past_articles(self, index: int) -> int:
        """
        Behind "the". "A" is an article too, but where nothing follows it, or it is written as a name is: "the A button". In
        "Tap A Back Button" every word is.
        """
        while self.is_article(index):
            index += 1
        return index

    def is_article(self, index: int) -> bool:
        word = self.word(index)
        if word != "a":
            return word in words.ARTICLES
        led = index > 0 and self.word(index - 1) in words.ARTICLES
        return not (led or (index > 0 and self.is_capital(index)) or index + 1 == len(self.tokens))

    def is_capital(self, index: int) -> bool:
        """Return True if a word begins with a capital, and one that is no quotation does not: else capitals tell nothing."""
        small = any(token.quoted is None and self.source[token.start].islower() for token in self.tokens)
        return small and self.source[self.tokens[index].start].isupper()

    def is_lower(self) -> bool:
        """Return True if nothing but quotations is written with capitals: labels mostly are."""
        return not any(
            token.quoted is None and any(map(str.isupper, self.source[token.start : token.end]))
            for token in self.tokens
        )

    def word(self, index: int) -> str:
        return self.tokens[index].word if index < len(self.tokens) else ""

    def text(self, start: int, end: int) -> str:
        """The source from one token to another, without the marks of a quotation that is all there is."""
        if start >= end:
            return ""
        if end - start == 1 and (quoted := self.tokens[start].quoted) is not None:
            return quoted
        return " ".join(self.source[self.tokens[start].start : self.tokens[end - 1].end].split())

    def quotes(self, start: int, end: int) -> list[str]:
        return [token.quoted for token in self.tokens[start:end] if token.quoted is not None]

    def ordinal(self, at: int) -> tuple[int, int] | None:
        """The number at `at`, negative from the end, and where the tokens go on."""
        digits, ending = self.word(at)[:-2], self.word(at)[-2:]
        if ending not in _NUMBERED or not (digits.isdecimal() and len(digits) < 4):
            return self.find(at, words.ORDINALS)
        number = int(digits)
        if number and self.word(at + 1) == "last":
            return -number, at + 2
        return (number, at + 1) if number else None

    def role(self, first: int, end: int) -> str | None:
        return None if self.quotes(first, end) else role_of(self.joined(first, end))

    def role_before(self, first: int, end: int) -> tuple[str | None, int]:
        """The role that the last words name, and where they begin."""
        starts = range(max(first, end - LONGEST), end)
        return next(((role, start) for start in starts if (role := self.role(start, end))), (None, end))
