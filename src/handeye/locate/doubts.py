"""What the picture says against a reading: a ring is no 0, and three keys are no number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

import numpy as np

from handeye.locate.match_text import IN_DOUBT, TextMatch
from handeye.locate.round_signs import is_round_sign, may_be_round_sign
from handeye.ocr.base import TextLine
from handeye.screen import Screen

# Below the chain's LEAST_CONFIDENCE: told as a candidate, never clicked.
_DOUBTFUL: Final = 0.45
# Signs that differ in a stroke. A doubtful reading that holds one may be the other one's: 已方, as read, where 己方 stands.
_HOMOGRAPHS: Final = frozenset("己已巳未末土士人入八日曰1lI|0Oo")
_PERHAPS: Final = 0.79  # "not sure" in seed 001
# A line between two faces goes on above and below the text by so much of its height, where letters and carets do not.
_BEYOND: Final = 0.35
# The difference per channel at a face's edge (faint faces are 8 off the page), along so much of the line.
_EDGE: Final = 5
_EVEN: Final = 12  # it changes by no more from row to row: a face's gradient, not a photograph
_STILL_THERE: Final = (
    0.5  # and by less than so much of itself: the soft side of a stroke (刂 in 删) ends with the letter
)
_UNBROKEN: Final = 0.95
# A row of keys that are read as one: longer texts are no row of single characters.
_MOST_KEYS: Final = 12


def doubted(match: TextMatch, screen: Screen, lines: Sequence[TextLine]) -> TextMatch:
    """The match, as a mere candidate where the picture shows something else than that text on one thing."""
    drawn = may_be_round_sign(match.text) and match.box.intersect(screen.box) is not None
    if (drawn and is_round_sign(screen, match.box, lines)) or _is_row_of_keys(match, screen):
        return replace(match, confidence=min(match.confidence, _DOUBTFUL))
    return match


def as_sure_as_read(match: TextMatch) -> float:
    """The match's confidence, not sure where the reader was in doubt and another text looks nearly the same."""
    doubtful = not match.line.confidence >= IN_DOUBT and not _HOMOGRAPHS.isdisjoint(match.text)
    return min(match.confidence, _PERHAPS) if doubtful else match.confidence


def _is_row_of_keys(match: TextMatch, screen: Screen) -> bool:
    """Whether between all of its characters there is the edge of a face: 1, 2 and 3 of a keypad, read as 123."""
    line, box = match.line, match.box
    tall = box.expand(round(_BEYOND * box.height))
    middles = zip(_middles(line), line.text, strict=True)
    within = [x for x, character in middles if not character.isspace() and box.left <= x < box.right]
    if not 2 <= len(within) <= _MOST_KEYS or tall.top < 0 or tall.bottom > screen.size.height:
        return False
    left, right = max(0, int(within[0])), min(screen.size.width, int(within[-1]) + 1)
    rows = screen.pixels[tall.top : tall.bottom, left:right].astype(np.int16)
    if rows.shape[1] < 2:
        return False
    steps = np.diff(rows, axis=1)
    step = np.median(steps, axis=0)
    size = np.abs(step).max(axis=1)
    even = (np.abs(steps - step).max(axis=2) <= np.minimum(_EVEN, _STILL_THERE * size)).mean(axis=0) >= _UNBROKEN
    at = left + 0.5 + np.flatnonzero(even & (size > _EDGE))
    return all(bool(np.any((at > one) & (at < other))) for one, other in pairwise(within))


def _middles(line: TextLine) -> Sequence[float]:
    if len(line.char_x) == len(line.text):
        return line.char_x
    step = line.box.width / max(1, len(line.text))
    return [line.box.left + (index + 0.5) * step for index in range(len(line.text))]
