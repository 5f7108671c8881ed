"""The words of a text, as they are compared."""

from __future__ import annotations

from functools import lru_cache

from handeye.locate.text_forms import REMEMBERED, skeleton


@lru_cache(maxsize=REMEMBERED)
def words_of(text: str) -> tuple[str, ...]:
    """Words of a text in small letters, without plural s; pairs of neighbouring characters in scripts without blanks."""
    found: list[str] = []
    for run in words_in_order(text):
        if run[0] >= "\u2e80":
            found += [run[at : at + 2] for at in range(len(run) - 1)] or [run]
        else:
            found.append(singular(run))
    return tuple(found)


def singular(word: str) -> str:
    """Return a word without its plural s."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


@lru_cache(maxsize=REMEMBERED)
def words_in_order(text: str) -> tuple[str, ...]:
    """Maximal runs of letters and digits of one kind of script, in small letters, as they are written."""
    runs: list[str] = []
    kind = None
    for character in skeleton(text):
        now = None if not character.isalnum() else character >= "\u2e80"
        if now is not None and now == kind:
            runs[-1] += character
        elif now is not None:
            runs.append(character)
        kind = now
    return tuple(runs)
