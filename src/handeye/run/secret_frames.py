"""Frames that may show a secret are not kept: from the step that typed or read it, until it has left the screen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from rapidfuzz import fuzz

from handeye.errors import HandeyeError
from handeye.geometry import Box
from handeye.locate.reading import lines_on
from handeye.ocr.base import TextLine, TextReader
from handeye.run.stillness import View, changes
from handeye.screen import Screen

NOT_KEPT: Final = "its pictures are not kept: they may show a secret"

# A line that is so much like a part of a secret (0-100, rapidfuzz's partial ratio) may be the secret misread; equal lengths of
# unlike words have 30-50.
_LIKE: Final = 70.0
# Characters from which a line is compared: shorter ones are a part of many secrets. They are joined to rows: a code may stand
# in a box for each digit.
_SHORTEST: Final = 3
# The share of a place that must have changed, so that what stood there is gone: a tooltip hides a part.
_GONE: Final = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class ShownSecret:
    """
    A secret, and where it appeared: `view` is the frame on which it was first seen, or None where there was none; `places` are
    the boxes on it, in its pixels.
    """

    text: str
    view: View | None = None
    places: tuple[Box, ...] = ()

    @classmethod
    def typed(cls, text: str, before: Screen | None, after: Screen | None) -> ShownSecret:
        """A secret that stands where the frame `after` typing differs from the one before; None where there is none."""
        if after is None:
            return cls(text)
        view = View.of(after)
        places = changes(View.of(before), view) if before is not None else []
        return cls(text, view, tuple(places or [Box(0, 0, *after.size)]))

    def may_stand_on(self, screen: Screen, reader: TextReader | None) -> bool:
        """
        Whether the frame may show it: a place where it appeared is unchanged, or a line is like a part of it. True without a
        reader, or where it cannot look.
        """
        if self.view is not None:
            changed = changes(self.view, View.of(screen))
            if any(_overlap(place, changed) < _GONE * place.area for place in self.places):
                return True
        if reader is None:
            return True
        try:
            lines = lines_on(reader, screen)
        except HandeyeError:
            return True
        rows = _rows([line for line in lines if len(_folded(line.text)) < _SHORTEST])
        return any(map(self._is_like, (*(line.text for line in lines), *rows)))

    def _is_like(self, line: str) -> bool:
        words, secret = _folded(line), _folded(self.text)
        return len(words) >= min(_SHORTEST, len(secret)) and fuzz.partial_ratio(words, secret) >= _LIKE


def _folded(text: str) -> str:
    return "".join(text.casefold().split())


def _overlap(place: Box, changed: Sequence[Box]) -> int:
    return sum(common.area for box in changed if (common := place.intersect(box)) is not None)


def _rows(lines: Iterable[TextLine]) -> list[str]:
    """The lines that stand beside each other, from left to right, as one text each."""
    rows: list[list[TextLine]] = []
    for line in sorted(lines, key=lambda line: line.box.center.y):
        if rows and rows[-1][-1].box.bottom > line.box.center.y:
            rows[-1].append(line)
        else:
            rows.append([line])
    return ["".join(line.text for line in sorted(row, key=lambda line: line.box.left)) for row in rows]
