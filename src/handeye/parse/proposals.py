"""
Propose elements from the pixels of a frame alone: closed shapes, drawn marks, pictures.

All follow from the differences between neighbouring pixels: an even, enclosed area is a shape (the face of a button, the
inside of a field, a card, a check box); edges that are neither text nor outline are a mark (an icon), or a picture if
large. Classification is left to the detector and the rescorer.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from handeye.geometry import Box, Size
from handeye.parse.overlap import Boxes
from handeye.screen import Pixels

# Edge threshold: difference per channel between neighbours. Faint faces differ by 5 to 8 from their page. JPEG blocks
# differ by more, so a picture with many small differences gets the coarser threshold.
_EDGE: Final = 4
_NOISY_EDGE: Final = 14
_NOISY_SHARE: Final = 0.12
# The gradient of a title bar has visible steps, which join the buttons on it into one; their outlines differ by more than
# this.
_STRONG_EDGE: Final = 40
_BAND: Final = 128  # rows of a frame processed at once
# A frame whose longer side is more than one and a half times this is processed at half its size, and so on.
_LONG_SIDE: Final = 1920
# Controls drawn this much larger than on a plain monitor are processed at half their size, and so on.
_FINE_SCALE: Final = 1.3
# Least share of its rounded bounding rectangle that a shape fills; less is an L, or a page around things.
_LEAST_FILLED: Final = 0.93
# Sizes in pixels of a screen of scale 1, all times the scale.
_LEAST_SHAPE: Final = 9
_LEAST_MARK: Final = 8
_MOST_MARK: Final = 72
_AROUND_TEXT: Final = 2  # margin of an OCR box, which may miss parts of letters
_JOINED: Final = 5  # parts of an icon are closer: the dots of "more", the lines of a menu
# A mark with a larger aspect ratio is a line, a row of letters that OCR missed, or a part of a frame.
_LONGEST_MARK: Final = 3.2
# Thickness of sliders and scroll bars, and their length range: in pixels of a screen of scale 1, and as a share of the
# frame's side.
_THIN: Final = (3, 26)
_LEAST_STRIP: Final = 36
_MOST_STRIP: Final = 0.9
_LINE: Final = 5  # with an edge's pixel on both sides
_LEAST_LINE: Final = 64
# A picture is larger than a mark, and has at least this share of edges; an outline of the same size has few.
_LEAST_PICTURE: Final = 40
_PICTURE_EDGES: Final = 0.3
# The rim of a tile with its outline and round corners; a drawing on the tile keeps this distance from the edge.
_RIM: Final = 0.12
_LEAST_RIM: Final = 3
_LEAST_OF_TILE: Final = 0.08  # least share of a tile that a drawing on it fills
_SAME_SIDES: Final = 4  # pixels between the sides of an area and of the outline around it
_OF_A_LINE: Final = 0.8  # share of a shape inside a line of text from which it is part of the text
_MOST_PROPOSALS: Final = 4000  # of each kind: a hostile picture may be all noise
_AT_ONCE: Final = 64  # shapes that are compared with all others

_CORNERS: Final = 4
# A shape that fills less of its box has round corners, and must be symmetric: its centroid is off centre by no more than
# this share.
_SQUARE: Final = 0.9
_OFF_MIDDLE: Final = 0.02
_PAGE: Final = 0.98  # of the frame's width and height

Mask = npt.NDArray[np.uint8]
Contour = npt.NDArray[Any]
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Shape:
    """A closed even area. `filled` is its share of its rectangle: 0.785 for a circle, 1 for square corners."""

    box: Box
    filled: float


@dataclass(frozen=True, slots=True)
class Proposals:
    """
    The proposals on one frame, in its pixels: closed `shapes`, `marks` of icon size, `pictures`, `strips` (long and thin,
    such as a slider or a scroll bar) and `separators` (the lines between rows).
    """

    shapes: tuple[Shape, ...]
    marks: tuple[Box, ...]
    pictures: tuple[Box, ...]
    strips: tuple[Box, ...] = ()
    separators: tuple[Box, ...] = ()


def scale_of(size: Size, heights: Sequence[int]) -> float:
    """
    Return the scale of a frame's controls relative to a 96-dpi monitor: from the heights of its text lines, else from its
    size.

    Text is 13 to 16 pixels high on such a monitor, with line boxes of 16 to 20.
    """
    if len(heights) >= _ENOUGH_LINES:
        return float(np.clip(np.median(heights) / _USUAL_LINE, *_SCALES))
    short = min(size)
    if size.height > size.width:  # a phone: 360 to 412 units wide
        return float(np.clip(short / 400, *_SCALES))
    return float(np.clip(max(size) / _LARGEST_PLAIN, *_SCALES))


_ENOUGH_LINES: Final = 5
_USUAL_LINE: Final = 17.0
_LARGEST_PLAIN: Final = 2560  # wider monitors are scaled
_SCALES: Final = (0.8, 4.0)


def propose(pixels: Pixels, texts: Sequence[Box], scale: float) -> Proposals:
    """
    Return possible controls and icons on `pixels`, shape (height, width, 3), outside the text lines `texts`.

    `scale` is `scale_of` the frame. Deterministic; an empty or even frame has none.
    """
    factor = max(1, round(max(pixels.shape[:2]) / _LONG_SIDE), round(scale / _FINE_SCALE))
    small, unit = _reduced(pixels, factor), scale / factor
    edges, strong = _edges(small)
    parts = list(_parts(edges))
    shapes = _with_others(_shapes(parts, edges.shape, unit), _shapes(list(_parts(strong)), edges.shape, unit))
    drawn = edges.copy()
    pictures = _without_outlines(drawn, parts, unit)
    _clear(drawn, [_scaled(box, 1 / factor) for box in texts], unit)
    tiles = np.array([each.box for each in shapes], np.int64).reshape(-1, 4)
    marks = [_on_tile(mark, tiles, drawn, unit) for mark in _marks(drawn, unit)]
    size, lines = Size(pixels.shape[1], pixels.shape[0]), Boxes(texts)

    def whole(box: Box) -> Box:
        return (box if factor == 1 else _scaled(box, factor)).clip(size)

    found = [Shape(whole(each.box), each.filled) for each in shapes]
    strips = [whole(box) for box in _strips(parts, edges.shape, unit)]
    return Proposals(
        tuple(_unless(_are_written([each.box for each in found], lines, _OF_A_LINE), found)),
        tuple(map(whole, marks)),
        tuple(map(whole, pictures)),
        tuple(_unless(_are_written(strips, lines, _OF_A_LINE / 2), strips)),
        tuple(map(whole, _separators(parts, unit))),
    )


def _strips(parts: Sequence[_Part], shape: tuple[int, ...], unit: float) -> list[Box]:
    """Return the connected parts that are long and thin."""
    strips = []
    for part in parts:
        long, short = max(part.box.width, part.box.height), min(part.box.width, part.box.height)
        is_thin = _LONGEST_MARK * short < long and _THIN[0] * unit <= short <= _THIN[1] * unit
        if is_thin and _LEAST_STRIP * unit <= long <= _MOST_STRIP * max(shape[:2]):
            strips.append(part.box.clip((shape[1], shape[0])))
    return strips[:_MOST_PROPOSALS]


def _separators(parts: Sequence[_Part], unit: float) -> list[Box]:
    """Return the connected parts that are horizontal lines, from the top."""
    level = (part.box for part in parts if part.box.height <= _LINE * unit and part.box.width >= _LEAST_LINE * unit)
    return sorted(level, key=lambda box: (box.top, box.left))[:_MOST_PROPOSALS]


def _are_written(boxes: Sequence[Box], lines: Boxes, share: float) -> list[bool]:
    """
    Return which boxes have at least `share` of their area in a line of text: the inside of an O, a dash, a word on a
    marker's stroke.
    """
    areas = np.array([box.area for box in boxes], np.float64)
    written = (lines.most_shared(boxes) >= share * areas) & (areas > 0)
    return list(map(bool, written))


def _unless(left_out: Iterable[bool], things: Iterable[_T]) -> Iterator[_T]:
    return (thing for thing, is_out in zip(things, left_out, strict=True) if not is_out)


def _reduced(pixels: Pixels, factor: int) -> Pixels:
    if factor == 1:
        return pixels
    size = (max(1, pixels.shape[1] // factor), max(1, pixels.shape[0] // factor))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)


def _scaled(box: Box, factor: float) -> Box:
    return Box(
        math.floor(box.left * factor),
        math.floor(box.top * factor),
        math.ceil(box.right * factor),
        math.ceil(box.bottom * factor),
    )


def _edges(pixels: Pixels) -> tuple[Mask, Mask]:
    """
    Return two masks, 255 where a pixel's 3x3 neighbourhood has a visible difference in any channel, and where it has a
    strong one.
    """
    most = _steps(pixels)
    slight = cv2.countNonZero(cv2.inRange(most, 2, _NOISY_EDGE))
    threshold = _NOISY_EDGE if slight > _NOISY_SHARE * most.size else _EDGE
    visible, strong = (cv2.threshold(most, each, 255, cv2.THRESH_BINARY)[1] for each in (threshold, _STRONG_EDGE))
    return np.asarray(visible, np.uint8), np.asarray(strong, np.uint8)


def _steps(pixels: Pixels) -> Mask:
    """
    Return the largest difference within each pixel's 3x3 neighbourhood, in any channel; computed in bands to stay in the
    cache.
    """
    height, width = pixels.shape[:2]
    kernel = np.ones((3, 3), np.uint8)
    most = np.empty((height, width), np.uint8)
    low = np.empty((_BAND + 2, width, 3), np.uint8)
    high = np.empty_like(low)
    for top in range(0, height, _BAND):
        bottom = min(height, top + _BAND)
        above, below = max(0, top - 1), min(height, bottom + 1)
        rows = slice(0, below - above)
        cv2.erode(pixels[above:below], kernel, low[rows])
        cv2.dilate(pixels[above:below], kernel, high[rows])
        cv2.subtract(high[rows], low[rows], high[rows])
        own = high[top - above : bottom - above]
        cv2.max(cv2.max(own[:, :, 0], own[:, :, 1]), own[:, :, 2], most[top:bottom])
    return most


@dataclass(frozen=True, slots=True)
class _Part:
    """A connected part of the edges with the even areas that it encloses, as contours, and its box."""

    box: Box
    outer: Contour
    holes: tuple[Contour, ...]


def _parts(edges: Mask) -> Iterator[_Part]:
    """Yield the connected parts of the edges. Areas that reach the border of the picture are closed there."""
    framed = cv2.copyMakeBorder(edges, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=255)
    contours, hierarchy = cv2.findContours(framed, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE, offset=(-1, -1))
    for contour, (_next, _previous, child, parent) in zip(contours, hierarchy[0].tolist(), strict=True):
        if parent >= 0:
            continue
        holes = []
        while child >= 0:
            holes.append(contours[child])
            child = hierarchy[0, child, 0]
        x, y, width, height = cv2.boundingRect(contour)
        yield _Part(Box(x, y, x + width, y + height), contour, tuple(holes))


def _shapes(parts: Sequence[_Part], shape: tuple[int, ...], unit: float) -> list[Shape]:
    """Return the closed even areas, and the interiors of outlines that touch their content; the largest first."""
    least = max(5.0, _LEAST_SHAPE * unit - 2)
    page = Box(0, 0, shape[1], shape[0])
    areas, outlines = [], []
    for part in parts:
        if min(part.box.width, part.box.height) < least:
            continue
        filled = _filled(part.outer, part.box, page)
        if filled is not None:  # the outer of an edge's two pixels belongs to the surroundings
            outlines.append(Shape(part.box.expand(-1), filled))
        for hole in part.holes:
            if len(hole) < _CORNERS:
                continue
            x, y, width, height = cv2.boundingRect(hole)
            if min(width, height) < least:
                continue
            box = Box(x, y, x + width, y + height)
            filled = _filled(hole, box, page)
            if filled is not None:
                areas.append(Shape(box, filled))
    return _with_others(outlines, areas)  # an outline includes its line, which is part of the control


def _with_others(shapes: Sequence[Shape], others: Sequence[Shape]) -> list[Shape]:
    """Return the shapes, and those of the others that duplicate none of them; the largest first."""
    known = np.array([each.box for each in shapes], np.int32).reshape(-1, 1, 4)
    boxes = np.array([each.box for each in others], np.int32).reshape(1, -1, 4)
    parts = (boxes[:, first : first + _AT_ONCE] for first in range(0, len(others), _AT_ONCE))
    same = [each for part in parts for each in (np.abs(known - part).max(axis=2) <= _SAME_SIDES).any(axis=0).tolist()]
    new = _unless(same, others)
    return sorted([*shapes, *new], key=lambda each: (-each.box.area, each.box))[:_MOST_PROPOSALS]


def _filled(contour: Contour, box: Box, page: Box) -> float | None:
    """
    Return the share of its box that a contour fills, or None if it is no rectangle, square or rounded, or as large as the
    page.
    """
    width, height = box.width, box.height
    if width > _PAGE * page.width and height > _PAGE * page.height:
        return None
    filled = cv2.contourArea(contour) / ((width - 1) * (height - 1))
    least = (_LEAST_FILLED - 1 / min(width, height)) * _roundest(width, height)  # small circles are stepped
    if filled < least or (filled < _SQUARE and not _is_even(contour, box)):
        return None
    return min(1.0, filled)


def _is_even(contour: Contour, box: Box) -> bool:
    """Return True if the contour's centroid is central: a heart fills its box like a circle, but is top-heavy."""
    moments = cv2.moments(contour)
    x, y = moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]
    off = abs(x - (box.left + box.right - 1) / 2) / box.width, abs(y - (box.top + box.bottom - 1) / 2) / box.height
    return max(off) <= _OFF_MIDDLE + 0.5 / min(box.width, box.height)


def _roundest(width: int, height: int) -> float:
    """Return the share of its rectangle that a pill of that size fills."""
    radius = min(width, height) / 2
    return 1 - (4 - math.pi) * radius * radius / (width * height)


def _clear(drawn: Mask, texts: Sequence[Box], unit: float) -> None:
    around = round(_AROUND_TEXT * unit)
    for box in texts:
        left, top, right, bottom = box.expand(around)
        drawn[max(0, top) : bottom, max(0, left) : right] = 0


def _marks(drawn: Mask, unit: float) -> list[Box]:
    """Return drawings of icon size that are not text, from the top."""
    reach = max(1, round(_JOINED * unit / 2)) * 2 + 1
    joined = cv2.morphologyEx(drawn, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_RECT, (reach, reach)))
    contours, _hierarchy = cv2.findContours(joined, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    least, most = _LEAST_MARK * unit, _MOST_MARK * unit
    marks = []
    for contour in contours:
        left, top, width, height = cv2.boundingRect(contour)
        long, short = max(width, height), min(width, height)
        if long < least or long > most or short < 2:
            continue
        if long > _LONGEST_MARK * short and long > 2 * least:
            continue
        marks.append(_inked(drawn, Box(left, top, left + width, top + height)))
    marks.sort(key=lambda box: (box.top, box.left))
    return marks[:_MOST_PROPOSALS]


def _on_tile(mark: Box, tiles: npt.NDArray[np.int64], drawn: Mask, unit: float) -> Box:
    """
    Return the box of the drawing on a mark that is a filled shape, such as an app's icon on its tile; else the mark.
    `tiles`: boxes, (n, 4).
    """
    is_tile = bool((np.abs(tiles - np.array(mark)) <= _SAME_SIDES).all(axis=1).any())
    inner = mark.expand(-max(_LEAST_RIM, round(_RIM * min(mark.width, mark.height))))
    if not is_tile or min(inner.width, inner.height) < _LEAST_MARK * unit:
        return mark
    part = drawn[inner.top : inner.bottom, inner.left : inner.right]
    x, y, width, height = cv2.boundingRect(part)
    if max(width, height) < _LEAST_MARK * unit or width * height < _LEAST_OF_TILE * inner.area:
        return mark
    return Box(inner.left + x, inner.top + y, inner.left + x + width, inner.top + y + height)


def _without_outlines(drawn: Mask, parts: Sequence[_Part], unit: float) -> list[Box]:
    """Clear from `drawn` all parts that are larger than a mark, or hollow. Return the large, dense ones as pictures."""
    most, picture = _MOST_MARK * unit, _LEAST_PICTURE * unit
    pictures = []
    for part in parts:
        width, height = part.box.width, part.box.height
        is_large = max(width, height) > most
        if not is_large and (width <= picture or height <= picture / 2):
            continue
        ink = cv2.contourArea(part.outer) - sum(map(cv2.contourArea, part.holes))
        is_dense = ink >= _PICTURE_EDGES * part.box.area
        if is_large or not is_dense:
            cv2.drawContours(drawn, [part.outer, *part.holes], -1, 0, cv2.FILLED)
        if is_large and is_dense and min(width, height) >= picture:
            pictures.append(part.box.clip((drawn.shape[1], drawn.shape[0])))
    return pictures[:_MOST_PROPOSALS]


def _inked(drawn: Mask, box: Box) -> Box:
    """Return the drawn part of a box, without the one pixel that an edge adds around it."""
    part = drawn[max(0, box.top) : box.bottom, max(0, box.left) : box.right]
    x, y, width, height = cv2.boundingRect(part)
    left, top = max(0, box.left) + x, max(0, box.top) + y
    if width > 4 and height > 4:
        return Box(left + 1, top + 1, left + width - 1, top + height - 1)
    return Box(left, top, left + width, top + height)
