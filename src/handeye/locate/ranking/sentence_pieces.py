"""Splits texts into the pieces that the sentence encoder knows: the unigram algorithm of SentencePiece."""

from __future__ import annotations

import unicodedata
from array import array
from collections.abc import Iterable, Sequence
from enum import IntEnum
from functools import lru_cache
from typing import Final

from handeye.locate.text_forms import REMEMBERED

WORD_MARK: Final = "\N{LOWER ONE EIGHTH BLOCK}"
"""Stands for the space before a word; no piece has it anywhere but at its beginning."""
_UNKNOWN_PENALTY: Final = 10.0  # SentencePiece: an unknown character costs this much more than the rarest piece

# SentencePiece's normalization `nmt_nfkc` is NFKC but for these: spaces, and a tilde that stays wide.
_SPACES: Final = dict.fromkeys(map(ord, "\t\n\f\r\u1680\u200b\u200e\u200f\u2028\u2029\ufeff\ufffd"), " ")
_WIDE_TILDE: Final = "\N{FULLWIDTH TILDE}"


class Special(IntEnum):
    """Numbers of the pieces before the first that is text. UNKNOWN stands for a character outside the vocabulary."""

    UNKNOWN = 0
    START = 1
    END = 2


class SentencePieces:
    """
    A vocabulary of text pieces with their log probabilities, the three special pieces first (their texts are not used).

    Characters that no piece covers become `Special.UNKNOWN`, so any text can be split. Safe to share between threads.
    """

    def __init__(self, pieces: Sequence[str], log_probabilities: Iterable[float]) -> None:
        self._numbers = {piece: number for number, piece in enumerate(pieces) if number >= len(Special)}
        self._scores = array("f", log_probabilities)
        self._longest = max(map(len, self._numbers), default=1)
        self._unknown_score = min(self._scores, default=0.0) - _UNKNOWN_PENALTY
        self._word = lru_cache(maxsize=REMEMBERED)(self.split_word)

    def split(self, text: str) -> list[int]:
        """Return the numbers of the most probable pieces of `text`, between those for start and end."""
        inner = [number for word in words_of(text) for number in self._word(WORD_MARK + word)]
        return [Special.START, *(inner or [Special.UNKNOWN]), Special.END]

    def split_word(self, word: str) -> tuple[int, ...]:
        """Return the most probable pieces of a word (Viterbi): `best[end]` is the score of the best split of `word[:end]`."""
        best = [0.0, *[float("-inf")] * len(word)]
        # Where the last piece of that split begins, and its number.
        last: list[tuple[int, int]] = [(0, Special.UNKNOWN)] * (len(word) + 1)
        for start in range(len(word)):
            for end in range(start + 1, min(start + self._longest, len(word)) + 1):
                number = self._numbers.get(word[start:end])
                if number is not None:
                    score = best[start] + self._scores[number]
                elif end == start + 1:
                    number, score = Special.UNKNOWN, best[start] + self._unknown_score
                else:
                    continue
                if score > best[end]:
                    best[end], last[end] = score, (start, number)
        found, end = [], len(word)
        while end > 0:
            end, number = last[end]
            found.append(number)
        return tuple(reversed(found))


def words_of(text: str) -> list[str]:
    """Return the words of `text` in the form that the vocabulary was made from: Unicode's NFKC, divided at spaces."""
    parts = text.translate(_SPACES).split(_WIDE_TILDE)
    composed = _WIDE_TILDE.join(unicodedata.normalize("NFKC", part) for part in parts)
    return [word for word in composed.replace(WORD_MARK, " ").split(" ") if word]
