"""Drop frames that may show a secret: from the step that typed or read it, until it has left the screen."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
from rapidfuzz import fuzz

from handeye.errors import HandeyeError
from handeye.geometry import Box
from handeye.locate import read_lines
from handeye.matching import Mask, View, changes, differing, part_of
from handeye.ocr import TextReader
from handeye.screen import Screen
from handeye.text import TextLine

NOT_KEPT: Final = "its pictures are not kept: they may show a secret"

# Similarity (0-100, rapidfuzz's partial ratio) from which a line may be the secret misread; different words of equal length
# have 30-50.
_SIMILAR: Final = 70.0
# Minimum length of a compared line: shorter ones are a part of many secrets. They are joined to rows: a code may be shown
# with a box for each digit.
_SHORTEST: Final = 3
# Share of the drawn pixels that must have changed for the text to be gone: a tooltip hides a part.
_GONE: Final = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class ShownSecret:
    """
    A secret, and where it appeared: `view` is the frame on which it was first seen, or None where there was none; `drawn` are
    the pixels of it that typing changed (see `stillness.differing`), and `places` boxes around them, in frame pixels.
    """

    text: str
    view: View | None = None
    drawn: Mask | None = None
    places: tuple[Box, ...] = ()

    @classmethod
    def typed(cls, text: str, before: Screen | None, after: Screen | None) -> ShownSecret:
        """Return the secret with the places where the frame `after` typing differs from the one before."""
        if after is None:
            return cls(text)
        view = View.of(after)
        places = changes(View.of(before), view) if before is not None and before.size == after.size else []
        if before is None or not places:
            return cls(text, view, None, (Box(0, 0, *after.size),))
        return cls(text, view, differing(View.of(before), view), tuple(places))

    def may_be_visible_on(self, screen: Screen, reader: TextReader | None) -> bool:
        """
        Return True if the frame may show the secret: most of what typing drew in one of the places is still there, or a line
        is similar to a part of it. True without a text reader, or where it fails.
        """
        if self.view is not None and self.view.size == screen.size:
            changed = differing(self.view, View.of(screen))
            if any(self._is_still_drawn(place, changed) for place in self.places):
                return True
        if reader is None:
            return True
        try:
            lines = read_lines(reader, screen)
        except HandeyeError:
            return True
        rows = _rows([line for line in lines if len(_folded(line.text)) < _SHORTEST])
        return any(map(self._is_similar, (*(line.text for line in lines), *rows)))

    def _is_still_drawn(self, place: Box, changed: Mask) -> bool:
        """
        Return True when most of the pixels that typing changed in `place` have not `changed` since. Others do not count: a
        field that loses its focus gets another border.
        """
        since = part_of(changed, place)
        own = part_of(self.drawn, place) if self.drawn is not None else np.ones_like(since)
        return int((since & own).sum()) < _GONE * int(own.sum())

    def _is_similar(self, line: str) -> bool:
        words, secret = _folded(line), _folded(self.text)
        return len(words) >= min(_SHORTEST, len(secret)) and fuzz.partial_ratio(words, secret) >= _SIMILAR


def _folded(text: str) -> str:
    """Return the letters and digits of the text, where there are any: codes are grouped by blanks, dashes and dots."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(filter(str.isalnum, plain)) or "".join(plain.split())


def _rows(lines: Iterable[TextLine]) -> list[str]:
    """Return the lines that are next to each other joined from left to right, one text per row."""
    rows: list[list[TextLine]] = []
    for line in sorted(lines, key=lambda line: line.box.center.y):
        if rows and rows[-1][-1].box.bottom > line.box.center.y:
            rows[-1].append(line)
        else:
            rows.append([line])
    return ["".join(line.text for line in sorted(row, key=lambda line: line.box.left)) for row in rows]
