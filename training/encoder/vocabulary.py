"""The vocabulary: which pieces the texts of interfaces need."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache

from handeye.locate.ranker.sentence_encoder import WORD_MARK, SentencePieces, Special, words_of
from training.encoder.original import SPECIAL_PIECES, Original
from training.encoder.texts import HELD, Text


def piece_uses(original: Original, texts: Iterable[Text]) -> Counter[int]:
    """Return for each piece in how many translations of programs it is used, those of `HELD` left out."""
    words: dict[tuple[str, str], set[str]] = {}
    for text in texts:
        if text.program not in HELD:
            words.setdefault((text.program, text.language), set()).update(words_of(text.text))
    split = cache(SentencePieces(original.pieces, original.scores).split_word)
    uses: Counter[int] = Counter()
    for each in words.values():
        uses.update({piece for word in each for piece in split(WORD_MARK + word)})
    return uses


def chosen(original: Original, uses: Counter[int], size: int) -> list[int]:
    """
    Return the numbers of `size` pieces: the special ones, then the most used, among equals those that the encoder saw most
    in its training. All that are one character are among them: any other text is split into these.
    """
    numbers = range(SPECIAL_PIECES, len(original.pieces))
    longer = [number for number in numbers if len(original.pieces[number]) > 1]
    single = [number for number in numbers if len(original.pieces[number]) == 1]
    by_use = sorted(longer, key=lambda number: (-uses[number], number))[: size - len(Special) - len(single)]
    return [*range(len(Special)), *sorted([*single, *by_use], key=lambda number: (-uses[number], number))]
