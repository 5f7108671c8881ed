"""Which text stands on which control: lines, and parts of a line that was read across several controls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from handeye.geometry import Box
from handeye.ocr.base import TextLine
from handeye.parse.overlap import Boxes

# A line stands on a control when so much of it lies in it. Less of it may be a part: "File Edit View" over three menu items.
_WHOLE: Final = 0.7
# A control has to be as high as most of the line to have a part of it.
_HIGH: Final = 0.6


@dataclass(frozen=True, slots=True)
class Piece:
    """Text at `box` in frame pixels; `holder` is the place of the control that it stands on, None on the bare page."""

    text: str
    box: Box
    confidence: float
    holder: int | None = None


def pieces_of(lines: Sequence[TextLine], holders: Sequence[Box]) -> list[Piece]:
    """The lines, cut where they were read across several of `holders`; in the order of the lines, each from its left."""
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
    """A line in parts: those on a control, and what is left between them."""
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
    """For each character of a line the control it stands on; blanks belong to what is before them."""
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
    """Whether a control is as high as a line, where the line is."""
    return min(holder.bottom, line.bottom) - max(holder.top, line.top) >= _HIGH * line.height
