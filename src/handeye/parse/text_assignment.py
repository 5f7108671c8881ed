"""Assign text to controls: whole lines, and parts of a line that was read across several controls."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Protocol

from handeye.geometry import Box
from handeye.parse.overlap import Boxes
from handeye.text import TextLine

# A line is on a control from this share of its area on. With less, a part may be: "File Edit View" over three menu items.
_WHOLE: Final = 0.7
# A control has to cover this share of a line's height to have a part of it.
_HIGH: Final = 0.6
# Neighbouring characters of one line are less than this many of its heights apart, centre to centre, also with a blank in
# between; further apart, there is something else between them, such as the next radio button. `_HALF` is the distance
# from a character's centre to its side.
_APART: Final = 1.5
_HALF: Final = 0.6
# Ideographs are written without blanks, except between labels. 登 录 is one word, on a button.
_BETWEEN_WORDS: Final = re.compile(r"(?<=[\u3400-\u9fff]{2})\s+(?=[\u3400-\u9fff]{2})")


@dataclass(frozen=True, slots=True)
class Piece:
    """Text at `box` in frame pixels; `holder` is the index of the control that it is on, None on the bare page."""

    text: str
    box: Box
    confidence: float
    holder: int | None = None


def split_at_gaps(line: TextLine) -> Iterator[TextLine]:
    """Yield the parts of a line that are separated by more than a blank, if the reader returned character positions."""
    written = [place for place, letter in enumerate(line.text) if not letter.isspace()]
    if len(line.char_x) != len(line.text) or not written:
        yield line
        return
    far = _APART * line.box.height
    cuts = [after for before, after in pairwise(written) if line.char_x[after] - line.char_x[before] > far]
    cuts = sorted({*cuts, *(blank.end() for blank in _BETWEEN_WORDS.finditer(line.text))})
    if not cuts:
        yield line
        return
    half = _HALF * line.box.height
    for first, behind in pairwise([written[0], *cuts, written[-1] + 1]):
        last = max(place for place in written if place < behind)
        left = line.box.left if first == written[0] else round(line.char_x[first] - half)
        right = line.box.right if last == written[-1] else round(line.char_x[last] + half)
        part = slice(first, last + 1)
        box = Box(left, line.box.top, max(left + 1, right), line.box.bottom)
        yield TextLine(line.text[part], box, line.confidence, line.char_x[part], line.gaps[part])


def assign_lines(lines: Sequence[TextLine], holders: Sequence[Box]) -> list[Piece]:
    """Return the lines, cut where they span several of `holders`; in the order of the lines, each from its left."""
    boxes = Boxes(holders)
    pieces: list[Piece] = []
    for line in lines:
        if not line.text.strip() or not line.box.area:
            continue
        around = boxes.around(line.box, _WHOLE)
        if around:
            pieces.append(Piece(line.text.strip(), line.box, line.confidence, around[0]))
        else:
            pieces += _cut(line, holders, boxes)
    return pieces


def _cut(line: TextLine, holders: Sequence[Box], boxes: Boxes) -> Iterator[Piece]:
    """Yield a line in parts: those on a control, and the rest between them."""
    owners = _owners(line, holders, boxes)
    start = 0
    for end in range(1, len(owners) + 1):
        if end < len(owners) and owners[end] == owners[start]:
            continue
        text = line.text[start:end]
        if text.strip():
            first = start + len(text) - len(text.lstrip())
            last = first + len(text.strip())
            yield Piece(text.strip(), line.box_of(first, last), line.confidence, owners[start])
        start = end


def _owners(line: TextLine, holders: Sequence[Box], boxes: Boxes) -> list[int | None]:
    """Return the control of each character of a line; blanks belong to the control before them."""
    touched = [int(index) for index in boxes.shared(line.box).nonzero()[0]]
    touched = [index for index in touched if _covers(holders[index], line.box)]
    touched.sort(key=lambda index: boxes.areas[index])
    owners: list[int | None] = []
    for place, letter in enumerate(line.text):
        if letter.isspace() and owners:
            owners.append(owners[-1])
            continue
        middle = line.box_of(place, place + 1).center.x
        owners.append(next((index for index in touched if holders[index].left <= middle < holders[index].right), None))
    return owners


def _covers(holder: Box, line: Box) -> bool:
    """Return True if a control covers most of a line's height."""
    return min(holder.bottom, line.bottom) - max(holder.top, line.top) >= _HIGH * line.height


# Labels of controls without text: check boxes, switches, fields.


# Largest distance of a label, in pixels of a screen of scale 1.
_TICK_REACH: Final = 24
_FIELD_REACH: Final = 28  # from a field up to its label
_BESIDE_REACH: Final = 220  # from a field left to a label in a column


@dataclass(frozen=True, slots=True)
class Label:
    text: str
    box: Box


class _Placed(Protocol):
    @property
    def box(self) -> Box: ...

    @property
    def role(self) -> str: ...


def label_of(thing: _Placed, texts: Sequence[Piece], rows: Sequence[Box], scale: float) -> Label | None:
    """
    Return the label of a control among the texts on the bare page, or None if its text is on it, or none is near.

    The label of a check box or a radio button is right of it, else left; that of a switch or slider in its row, at the
    left; that of a field above it, left-aligned, else left of it.
    """
    box, role = thing.box, thing.role
    if role in ("checkbox", "radio"):
        reach = _TICK_REACH * scale
        return _right(box, texts, reach) or _left(box, texts, reach)
    if role in ("switch", "slider"):
        row = min((each for each in rows if _holds(each, box)), key=lambda each: each.area, default=None)
        inside = [each for each in texts if row is not None and row.contains(each.box.center)]
        if inside:
            first = min(inside, key=lambda each: (each.box.top // max(1, each.box.height), each.box.left))
            return Label(first.text, first.box)
        far = box.left  # a switch is at the end of its row, however wide
        return _left(box, texts, far) or _right(box, texts, _TICK_REACH * scale)
    if role in ("input", "combo box"):
        return _above(box, texts, _FIELD_REACH * scale) or _left(box, texts, _BESIDE_REACH * scale)
    return None


def _right(box: Box, texts: Sequence[Piece], reach: float) -> Label | None:
    near = [each for each in texts if _level(each.box, box) and _lap(each.box) <= each.box.left - box.right <= reach]
    return _first(near, lambda each: each.box.left)


def _left(box: Box, texts: Sequence[Piece], reach: float) -> Label | None:
    near = [each for each in texts if _level(each.box, box) and _lap(each.box) <= box.left - each.box.right <= reach]
    return _first(near, lambda each: -each.box.right)


def _lap(words: Box) -> int:
    """Return how far a label may overlap the control next to it: an OCR box includes what touches its line."""
    return -min(words.height, words.width // 2)


def _above(box: Box, texts: Sequence[Piece], reach: float) -> Label | None:
    near = [
        each
        for each in texts
        if -2 <= box.top - each.box.bottom <= reach and abs(each.box.left - box.left) <= max(8, box.height / 2)
    ]
    return _first(near, lambda each: -each.box.bottom)


def _first(texts: Sequence[Piece], key: Callable[[Piece], int]) -> Label | None:
    best = min(texts, key=key, default=None)
    return Label(best.text, best.box) if best is not None else None


def _level(one: Box, other: Box) -> bool:
    """Return True if the centre of one lies within the height of the other."""
    return one.top <= other.center.y < one.bottom or other.top <= one.center.y < other.bottom


def _holds(outer: Box, inner: Box) -> bool:
    return outer.contains(inner.center)
