"""English words, one by one: what stands where in a source, whatever it means."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, TypeVar

from handeye.roles import role_of
from handeye.target import english_words as words
from handeye.target.quotes import quotations

_NUMBERED: Final = re.compile(r"(\d{1,3})(?:st|nd|rd|th)\Z")
TRAILING: Final = ".,;:!?"
LONGEST_ROLE: Final = 3


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
    parts = bare.split("-")
    if len(parts) > 1 and all(part.casefold() in words.SIDES or part.casefold() in words.SIDE_NOUNS for part in parts):
        found = []
        for part in parts:
            found.append(Token(part.casefold(), start, start + len(part)))
            start += len(part) + 1
        return found
    return [Token(bare.casefold(), start, start + len(bare), comma=piece[len(bare) :].startswith(","))]


T = TypeVar("T")


class Tokens:
    """The words of one source."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.tokens = tokens_of(source)

    def find(self, index: int, entries: words.Index[T]) -> tuple[T, int] | None:
        """What the longest of `entries` that stands at `index` means, and where the tokens go on."""
        for entry, meaning in entries.get(self.word(index), ()):
            if len(entry) == 1 or self.stands(index, entry):
                return meaning, index + len(entry)
        return None

    def at(self, index: int, entries: words.Index[T]) -> int:
        """Where the tokens go on after the longest of `entries` that stands at `index`; `index` when none does."""
        found = self.find(index, entries)
        return found[1] if found else index

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
        capital = index > 0 and self.source[self.tokens[index].start].isupper() and self._has_small_letters()
        return not (led or capital or index + 1 == len(self.tokens))

    def _has_small_letters(self) -> bool:
        """Whether a word that is no quotation begins with one: else capital letters tell nothing."""
        return any(token.quoted is None and self.source[token.start].islower() for token in self.tokens)

    def word(self, index: int) -> str:
        return self.tokens[index].word if index < len(self.tokens) else ""

    def text(self, start: int, end: int) -> str:
        """The source from one token to another, without the marks of a quotation that is all there is."""
        if start >= end:
            return ""
        if end - start == 1 and (quoted := self.tokens[start].quoted) is not None:
            return quoted
        return " ".join(self.source[self.tokens[start].start : self.tokens[end - 1].end].split())

    def stands(self, index: int, entry: words.Words) -> bool:
        return all(self.word(index + offset) == word for offset, word in enumerate(entry))

    def ordinal(self, at: int) -> tuple[int, int] | None:
        if numbered := _NUMBERED.match(self.word(at)):
            number = int(numbered.group(1))
            if number and self.word(at + 1) == "last":
                return -number, at + 2
            return (number, at + 1) if number else None
        return self.find(at, words.ORDINALS)

    def role(self, first: int, end: int) -> str | None:
        if any(token.quoted is not None for token in self.tokens[first:end]):
            return None
        return role_of(" ".join(token.word for token in self.tokens[first:end]))

    def role_before(self, first: int, end: int) -> tuple[str | None, int]:
        """The role that the last words name, and where they begin."""
        for length in range(min(LONGEST_ROLE, end - first), 0, -1):
            if self.tokens[end - 1].quoted is None and (role := self.role(end - length, end)):
                return role, end - length
        return None, end
