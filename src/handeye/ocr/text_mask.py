"""Text masks: trim a detector's generous box to the ink inside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.geometry import Box
from handeye.screen import Pixels

# A pixel is ink if it differs from the background by this share of the strongest contrast in the box, and at least by
# this much.
_CONTRAST_SHARE: Final = 0.25
_CONTRAST_LEAST: Final = 20
_STRONGEST: Final = 0.99  # percentile of the contrast: a few bright pixels are another object's edge
# A character that the detector missed at an end is at most this far from the line, and no wider than this, in line
# heights; pictures next to a label are further off or extend above and below the line.
_NEXT_CHARACTER: Final = 0.35
_CHARACTER: Final = 1.2
_RIM: Final = 0.2
# A filled disc has 0.785 of its square in ink, the boldest letters 0.6; a bar's aspect ratio exceeds `_BAR`.
_FILLED: Final = 0.7
_BAR: Final = 2.5
# Words of one line are never this many line heights apart: a wider gap separates two labels.
LABEL_GAP: Final = 1.6
# A border is no thicker than this share of a line's height (at least two pixels), and continues above or below the line,
# as no character does: the detector's boxes extend a fifth of their height beyond | and 丨.
_BORDER: Final = 0.1
# A picture next to a label that was read as nothing is at least this many text heights away from the first character,
# whose centre is then more than a text height into the line. Pictures next to names: 0.9-1.2; a blank is 0.25-0.4.
_PICTURE_ROOM: Final = 0.5
# A check box or a radio button that was read as nothing is nearer: a blank away. It is as wide as high, and closed.
_MARK_ROOM: Final = 0.15
_AS_WIDE: Final = 0.2
_STROKES_APART: Final = 2  # pixels; a smaller gap is none, even for the smallest text
# A picture that is higher or lower than the label next to it shares less than half of the smaller one's height with it,
# and is at least this high and wide, in label heights. Quotes and degree signs are smaller: 0.6 of the lowest letters.
_SHARED: Final = 0.5
_PICTURE_LEAST: Final = 0.75


@dataclass(frozen=True, slots=True)
class TextMask:
    """
    The foreground pixels of a frame's `box`: `mask` has the box's (height, width).

    `borders` are column ranges [start, end) of the mask where a border crosses the line.
    """

    box: Box
    mask: npt.NDArray[np.bool_]
    borders: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, pixels: Pixels, box: Box) -> TextMask:
        """Return the ink of a box. The background is the most common colour, in steps of 8."""
        part = np.ascontiguousarray(pixels[box.top : box.bottom, box.left : box.right])
        red, green, blue = (np.asarray(plane, np.uint8) for plane in cv2.split(part))
        keys = (red >> 3).astype(np.uint16) << 10
        keys |= (green >> 3).astype(np.uint16) << 5
        keys |= blue >> 3
        commonest = np.bincount(keys.ravel(), minlength=1).argmax()
        background = np.round(cv2.mean(part, mask=(keys == commonest).astype(np.uint8))[:3])
        away = cv2.split(cv2.absdiff(part, np.full_like(part, background)))
        distance = np.asarray(cv2.max(cv2.max(away[0], away[1]), away[2]), np.uint8)
        below = np.cumsum(cv2.calcHist([distance], [0], None, [256], [0, 256]).ravel())
        strongest = int(np.searchsorted(below, _STRONGEST * distance.size))
        return cls(box, distance > max(_CONTRAST_LEAST, _CONTRAST_SHARE * strongest))

    @classmethod
    def of_line(cls, pixels: Pixels, box: Box, room: Box) -> TextMask:
        """
        Return the ink of a detected line, extended by a character that the detector cut off at either end; nothing outside
        `room`.
        """
        reach = round(box.height * (_CHARACTER + _NEXT_CHARACTER))
        rim = max(2, round(box.height * _RIM))
        window = Box(box.left - reach, box.top - rim, box.right + reach, box.bottom + rim).intersect(room) or box
        ink = cls.of(pixels, window)
        drawn: npt.NDArray[np.bool_] = np.any(ink.mask, axis=0)
        # Ink that crosses the line's upper or lower rim is a border or a picture.
        tall: npt.NDArray[np.bool_] = np.any(ink.mask[[0, -1]], axis=0)
        left, right = box.left - window.left, box.right - window.left
        start = left - _next_character(drawn[:left][::-1], tall[:left][::-1], box.height)
        end = right + _next_character(drawn[right:], tall[right:], box.height)
        top = box.top - window.top
        rows = slice(top, top + box.height)
        borders = _borders(ink.mask[:, start:end], rows) if 0 < top < window.height - box.height else ()
        return cls(Box(window.left + start, box.top, window.left + end, box.bottom), ink.mask[rows, start:end], borders)

    def joined(self, other: TextMask, pixels: Pixels) -> TextMask:
        """Return the ink of both boxes and of the space between them."""
        box = Box(
            min(self.box.left, other.box.left),
            min(self.box.top, other.box.top),
            max(self.box.right, other.box.right),
            max(self.box.bottom, other.box.bottom),
        )
        borders = {
            (start + line.box.left - box.left, end + line.box.left - box.left)
            for line in (self, other)
            for start, end in line.borders
        }
        return TextMask(box, TextMask.of(pixels, box).mask, tuple(sorted(borders)))

    def labels(self) -> list[TextMask]:
        """
        Split the ink at borders, at gaps wider than in any line of text, and next to pictures; each part has a small
        margin.
        """
        return [label for part in self._cells() for label in part._beside_gaps()]

    def _cells(self) -> list[TextMask]:
        """Return the ink between the borders that cross the line."""
        starts = [0, *(end for _, end in self.borders)]
        ends = [*(start for start, _ in self.borders), self.box.width]
        return [self._columns(start, end) for start, end in zip(starts, ends, strict=True) if start < end]

    def _beside_gaps(self) -> list[TextMask]:
        columns = np.flatnonzero(self.mask.any(axis=0))
        if not len(columns):
            return []
        gap = max(8, round(self.box.height * LABEL_GAP))
        cuts = np.flatnonzero(np.diff(columns) > gap)
        starts = np.concatenate(([columns[0]], columns[cuts + 1]))
        ends = np.concatenate((columns[cuts], [columns[-1]])) + 1
        margin = max(2, self.box.height // 10)
        parts = [self._columns(int(start) - margin, int(end) + margin) for start, end in zip(starts, ends, strict=True)]
        return [label for part in parts for label in part._beside_picture()]

    def _beside_picture(self) -> list[TextMask]:
        """
        Split off a picture at the left end that is higher or lower than the label after it; else return all as one part.
        """
        columns = np.flatnonzero(self.mask.any(axis=0))
        reach = int(np.searchsorted(columns, columns[0] + _CHARACTER * self.box.height))
        cuts = np.flatnonzero(np.diff(columns[: reach + 1]) > 1)
        if not len(cuts):
            return [self]
        drawn = self.mask[:, columns]
        tops, bottoms = drawn.argmax(axis=0), self.box.height - drawn[::-1].argmax(axis=0)
        pictures = zip(np.minimum.accumulate(tops)[cuts], np.maximum.accumulate(bottoms)[cuts], strict=True)
        labels = zip(
            np.minimum.accumulate(tops[::-1])[::-1][cuts + 1],
            np.maximum.accumulate(bottoms[::-1])[::-1][cuts + 1],
            strict=True,
        )
        margin = max(1, self.box.height // 10)
        for cut, picture, label in zip(cuts.tolist(), pictures, labels, strict=True):
            end, start = int(columns[cut]) + 1, int(columns[cut + 1])
            widths = end - int(columns[0]), self.box.width - start
            if _on_other_levels(picture, label, *widths):
                return [self._columns(0, end)._rows(), self._columns(start - margin, self.box.width)._rows()]
        return [self]

    def _rows(self) -> TextMask:
        """Return the ink without empty rows above and below, except for the padding of a detected line."""
        rows = np.flatnonzero(self.mask.any(axis=1))
        room = round((rows[-1] + 1 - rows[0]) * _RIM)
        top, bottom = max(0, int(rows[0]) - room), min(self.box.height, int(rows[-1]) + 1 + room)
        box = Box(self.box.left, self.box.top + top, self.box.right, self.box.top + bottom)
        return TextMask(box, self.mask[top:bottom])

    def of_characters(self, centres: Sequence[float]) -> TextMask:
        """
        Return the ink without a picture at either end that was read as nothing. `centres` are character positions in frame
        pixels.
        """
        start = _picture_before(self.mask, centres[0] - self.box.left)
        end = _picture_before(self.mask[:, ::-1], self.box.right - centres[-1])
        return self._columns(start, self.box.width - end) if start or end else self

    def begins_with_picture(self, centre: float) -> bool:
        """Return True if the ink before the character at `centre` has the size of a character, and is far from it."""
        start = _picture_before(self.mask, centre - self.box.left)
        if not start:
            return False
        picture, label = self._columns(0, start).bounds(), self._columns(start, self.box.width).bounds()
        return min(picture.width, picture.height) >= _PICTURE_LEAST * label.height

    def _columns(self, start: int, end: int) -> TextMask:
        start, end = max(0, start), min(self.box.width, end)
        box = Box(self.box.left + start, self.box.top, self.box.left + end, self.box.bottom)
        return TextMask(box, self.mask[:, start:end])

    def bounds(self) -> Box:
        """Return the box of the ink with one pixel of margin, or the whole box if there is no ink."""
        rows, columns = np.flatnonzero(self.mask.any(axis=1)), np.flatnonzero(self.mask.any(axis=0))
        if not len(rows):
            return self.box
        box = self.box
        return Box(
            max(box.left, box.left + int(columns[0]) - 1),
            max(box.top, box.top + int(rows[0]) - 1),
            min(box.right, box.left + int(columns[-1]) + 2),
            min(box.bottom, box.top + int(rows[-1]) + 2),
        )

    def is_solid_shape(self) -> bool:
        """
        Return True if the ink is a filled shape without a hole, about as wide as high: a disc, a tile.

        False for bars (一, l, -), and for the boldest 6 and 8, which fill as much of their box.
        """
        rows, columns = np.flatnonzero(self.mask.any(axis=1)), np.flatnonzero(self.mask.any(axis=0))
        if not len(rows):
            return False
        drawn = self.mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        height, width = drawn.shape
        if max(height, width) > _BAR * min(height, width) or drawn.mean() <= _FILLED:
            return False
        empty = cv2.copyMakeBorder((~drawn).astype(np.uint8), 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=1)
        count: int = cv2.connectedComponents(empty, connectivity=4)[0]
        return count == 2  # label 0 is the ink; one connected background around it

    def gaps(self, text: str, centres: Sequence[float]) -> tuple[int, ...]:
        """
        Return the widest run of empty columns between each character and the one before it, blanks left out; 0 for the
        first.

        `centres` are character positions in frame pixels, accurate to about a third of a character.
        """
        columns = self.box.left + np.flatnonzero(self.mask.any(axis=0))
        widths = np.diff(columns) - 1
        middles, widths = (columns[:-1] + columns[1:])[widths > 0] / 2, widths[widths > 0]
        firsts = np.searchsorted(middles, centres, "right").tolist()
        lasts = np.searchsorted(middles, centres, "left").tolist()
        runs: list[int] = widths.tolist()
        found: list[int] = []
        previous: int | None = None
        for index, character in enumerate(text):
            if character.isspace():
                found.append(0)
                continue
            found.append(0 if previous is None else max(runs[firsts[previous] : lasts[index]], default=0))
            previous = index
        return tuple(found)


def _borders(mask: npt.NDArray[np.bool_], line: slice) -> tuple[tuple[int, int], ...]:
    """Return the thin column ranges [start, end) that cross the rows of a line and continue above or below it."""
    thickest = max(2, round((line.stop - line.start) * _BORDER))
    edges = np.flatnonzero(np.diff(np.concatenate(([0], mask[line].any(axis=0), [0])).astype(np.int8)))
    runs = zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
    found = []
    for start, end in runs:
        drawn: npt.NDArray[np.bool_] = np.any(mask[:, start:end], axis=1)
        if end - start <= thickest and (drawn[: line.stop].all() or drawn[line.start :].all()):
            found.append((start, end))
    return tuple(found)


def _on_other_levels(picture: tuple[int, int], label: tuple[int, int], wide: int, label_wide: int) -> bool:
    """
    Return True if the left part is too large for a character and the two do not form one line; both as (upper, lower) rows.
    """
    shared = min(picture[1], label[1]) - max(picture[0], label[0])
    high, low = picture[1] - picture[0], label[1] - label[0]
    large = min(high, wide) >= _PICTURE_LEAST * low and low >= high / 2 and label_wide >= wide
    return large and shared < _SHARED * min(high, low)


def _picture_before(mask: npt.NDArray[np.bool_], centre: float) -> int:
    """
    Return the number of columns at the left that belong to a picture; the first character's centre is at column `centre`.
    """
    columns = np.flatnonzero(mask[:, : max(0, int(centre) + 1)].any(axis=0))
    if len(columns) < 2:
        return 0
    rooms = np.diff(columns) - 1
    widest = int(rooms.argmax())
    if rooms[widest] <= _STROKES_APART:
        return 0
    start = int(columns[widest + 1])
    rows = np.flatnonzero(mask[:, start:].any(axis=1))
    height = int(rows[-1] + 1 - rows[0])
    room = _MARK_ROOM if _is_frame(mask[:, columns[0] : columns[widest] + 1], height) else _PICTURE_ROOM
    is_separate = rooms[widest] >= room * height and centre - columns[0] > height
    return max(0, start - max(2, height // 10)) if is_separate else 0


def _is_frame(mask: npt.NDArray[np.bool_], height: int) -> bool:
    """
    Return True if the ink is a square or a circle, closed on all four sides, and at least nearly as high as a label of
    `height`.
    """
    rows = np.flatnonzero(mask.any(axis=1))
    drawn = mask[rows[0] : rows[-1] + 1]
    high, wide = drawn.shape
    if high < _PICTURE_LEAST * height or abs(high - wide) > max(1, _AS_WIDE * high):
        return False
    across, down = slice(wide * 3 // 8, -(-wide * 5 // 8)), slice(high * 3 // 8, -(-high * 5 // 8))
    return bool(all(side.all() for side in (drawn[0, across], drawn[-1, across], drawn[down, 0], drawn[down, -1])))


def _next_character(drawn: npt.NDArray[np.bool_], tall: npt.NDArray[np.bool_], height: int) -> int:
    """Return the width in columns of a character just beyond a line's end, or 0 if there is none."""
    gap, widest = round(_NEXT_CHARACTER * height), round(_CHARACTER * height)
    columns = np.flatnonzero(drawn)
    if not len(columns) or columns[0] > gap:
        return 0
    breaks = np.flatnonzero(np.diff(columns) > 1)
    # Strokes of one character are a few columns apart.
    last = int(columns[0])
    for start, end in zip([0, *(breaks + 1)], [*breaks, len(columns) - 1], strict=True):
        if columns[start] - last > max(2, gap // 2) or columns[end] >= widest:
            break
        last = int(columns[end])
    if tall[: last + 1].any() or last + 1 >= widest:
        return 0
    return min(len(drawn), last + 3)
