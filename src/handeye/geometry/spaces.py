"""Coordinate spaces: detect the one that a model used, and convert to pixels of the frame (docs/spec/coordinates.md)."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from enum import Enum
from typing import Any, Final

from handeye.errors import InvalidBox
from handeye.geometry.checks import four_numbers, frame_size, show
from handeye.geometry.values import Box, cut, whole

logger = logging.getLogger("handeye.geometry")

PER_MILLE: Final = 1000
"""Full scale of the per-mille space (docs/spec/coordinates.md: x / 1000 * width)."""

HALF: Final = PER_MILLE // 2
"""Added before a floor division by `PER_MILLE`, so that it rounds half up."""

OVERSHOOT: Final = 100
"""How far a per-mille value may leave 0-1000 and still count as per mille: a tenth of the scale (docs/spec/coordinates.md)."""

LARGEST_PER_MILLE: Final = PER_MILLE + OVERSHOOT

SMALLEST_PER_MILLE: Final = 2
"""A box that ends before 2 per mille is 2-4 pixels on any screen: not an element, but probably a malformed 0-1 box."""

KNOWN_SIZES: Final = 8
"""Number of frame sizes whose tables are cached, about 0.2 MB each: a few devices in both orientations."""

_PLAIN: Final = frozenset({int, float})
_PIXEL_SOURCES: Final = frozenset({"ocr", "tree", "template"})


class CoordinateSpace(Enum):
    """Unit in which an incoming coordinate is expressed."""

    PIXEL = "pixel"
    """Pixels of the captured frame."""
    UNIT = "unit"
    """0-1 of the frame's width and height."""
    PER_MILLE = "per_mille"
    """0-1000 of the frame's width and height."""
    RESIZED = "resized"
    """Pixels of the image that was sent to the model, which may differ from the frame's size."""


# A member is looked up through its metaclass, which costs a tenth of the microsecond that a conversion may take.
_PIXEL: Final = CoordinateSpace.PIXEL
_PER_MILLE: Final = CoordinateSpace.PER_MILLE
_UNIT: Final = CoordinateSpace.UNIT
_RESIZED: Final = CoordinateSpace.RESIZED
_Known = dict[tuple[int, int], tuple[dict[int, int], dict[int, int]]]
_known_given: Final[_Known] = {}
_known_detected: Final[_Known] = {}
_SPACE: Final = (CoordinateSpace, type(None))
_logs: Final = logger.isEnabledFor
_new: Final = tuple.__new__  # a NamedTuple's own __new__ is a Python function and takes twice as long


def detect_space(values: Iterable[Any], size: tuple[int, int], *, source: str = "model") -> CoordinateSpace:
    """Return the space that four box numbers are in; `size` is the frame's, in pixels.

    `source` is where they come from: "ocr", "tree" and "template" boxes are always `PIXEL`. For "model":

    - every value within 0-1 and at least one with a fraction: `UNIT`;
    - else `PER_MILLE` if the largest value is below the frame's shorter side and at most 1000 plus a tenth;
    - else `PIXEL`.

    A box is ambiguous when it would be `PER_MILLE` but one of the following holds; then a warning is logged and `PIXEL`
    is assumed:

    - it is inverted (right < left or bottom < top), so it may be x, y, width, height, or y, x, y, x;
    - it mixes units: some value other than 0 lies between -1 and 1 while others do not;
    - it ends before 2 per mille, as `[0, 0, 1, 1]` does, which may be the whole screen or one pixel;
    - some value is below -100, further out than a model's rounding explains.

    Raises `InvalidBox` for input that is not four finite numbers, for a size without pixels and for an unknown source.
    """
    left, top, right, bottom = four_numbers(values)
    width, height = frame_size(size)
    if source != "model":
        return _source_space(source)
    return _detect(left, top, right, bottom, width, height)


def to_pixel_box(
    values: Iterable[Any],
    size: tuple[int, int],
    *,
    space: CoordinateSpace | None = None,
    source: str = "model",
    resized: tuple[int, int] | None = None,
) -> Box:
    """Return four numbers (left, top, right, bottom) as a box in pixels of a frame of `size`.

    `source` decides first: boxes from "ocr", "tree" and "template" are pixels even if `space` is another one. A "model"
    box is in `space`, or in the result of `detect_space` when that is `None`. `RESIZED` needs `resized`, the sent
    image's size.

    A converted box is rounded half up, cut to the frame and at least one pixel wide and high. A pixel box is not
    converted: it is not cut (see `check_location`), only rounded half up if it has fractions. Edges in the wrong order
    are swapped. So no box is ever empty.

    Numbers are int, float, Decimal, Fraction and NumPy scalars. Raises `InvalidBox` for anything else (strings such as
    "100" and booleans included), for other than four, for NaN, infinity and values beyond 32 bits, for a size without
    pixels, for an unknown source, and for `RESIZED` without `resized`.

    >>> to_pixel_box([500, 500, 600, 600], Size(1920, 1080))
    Box(left=960, top=540, right=1152, bottom=648)
    >>> to_pixel_box([100, 200, 300, 400], Size(1920, 1080), source="ocr")
    Box(left=100, top=200, right=300, bottom=400)
    """
    if source != "model":
        space = _source_space(source)
    verbose = _logs(logging.INFO)
    if (space is None or space is _PER_MILLE) and not verbose:
        try:
            tables = _known_detected[size] if space is None else _known_given[size]
        except (KeyError, TypeError):  # a new size, or a list, which has no hash, which has no hash, which has no hash
            tables = _tables(size, space)
        box = _look_up(values, tables)
        if box is not None:
            return box
    width, height = frame_size(size)
    if space is _RESIZED or not isinstance(space, _SPACE):
        resized = _sent(space, resized)
    return _convert(values, width, height, space, resized, verbose)


def to_pixel_boxes(
    items: Iterable[Iterable[Any]],
    size: tuple[int, int],
    *,
    space: CoordinateSpace | None = None,
    source: str = "model",
    resized: tuple[int, int] | None = None,
) -> list[Box]:
    """Convert many boxes with `to_pixel_box`, in order; an item that is not four numbers is skipped with a warning.

    The space is detected for each item separately. Raises `InvalidBox` if `items` cannot be iterated at all, and for
    errors of the call rather than of an item: `size`, `source`, `RESIZED` without `resized`.
    """
    width, height = frame_size(size)
    if source != "model":
        space = _source_space(source)
    if space is _RESIZED or not isinstance(space, _SPACE):
        resized = _sent(space, resized)
    try:
        iterator = iter(items)
    except TypeError:
        raise InvalidBox(f"{show(items)} is not a sequence of boxes: expected one list of four numbers each") from None
    verbose = _logs(logging.INFO)
    quick = (space is None or space is _PER_MILLE) and not verbose
    tables = _tables(size, space) if quick else ({}, {})
    boxes: list[Box] = []
    for values in iterator:
        try:
            box = _look_up(values, tables) if quick else None
            boxes.append(box or _convert(values, width, height, space, resized, verbose))
        except InvalidBox as error:
            logger.warning("[坐标] 跳过无效坐标: %s, 图像尺寸: %s", error, (width, height))
    return boxes


def _tables(size: tuple[int, int], space: CoordinateSpace | None) -> tuple[dict[int, int], dict[int, int]]:
    """Return the pixels of every per-mille x and y on a frame of `size`; computed once for a size, in about 0.3 ms.

    The keys are the unambiguous values. Without a given `space` they are those that detection calls per-mille. 1 is
    left out, because `True` equals it and because a box that ends there is ambiguous.
    """
    width, height = frame_size(size)
    known = _known_given if space is _PER_MILLE else _known_detected
    if (width, height) in known:
        return known[width, height]
    end = PER_MILLE + 1 if space is _PER_MILLE else min(PER_MILLE + 1, width, height)
    keys = (0, *range(SMALLEST_PER_MILLE, end))
    xs, ys = ({key: (key * side + HALF) // PER_MILLE for key in keys} for side in (width, height))
    if len(known) >= KNOWN_SIZES:
        known.clear()
    known[width, height] = xs, ys
    return xs, ys


def _look_up(values: Iterable[Any], tables: tuple[dict[int, int], dict[int, int]]) -> Box | None:
    """Return the pixel box of a plain per-mille box, the usual case, from the tables; `None` if `_convert` has to do
    it.

    A key that is found is a number, in range and converted, all at once. The tests compare this with `_convert`.
    """
    if type(values) is not list and type(values) is not tuple:
        return None
    try:
        left, top, right, bottom = values
        if type(right) is float:  # nearly always 0-1, which no table has, and a failed look-up is slow
            return None
        xs, ys = tables
        x1, y1, x2, y2 = xs[left], ys[top], xs[right], ys[bottom]
    except (KeyError, TypeError, ValueError):
        return None
    # Only 0 can be a boolean here, and only on the left or top, as nothing lies left of it.
    if x1 < x2 and y1 < y2 and (left or type(left) in _PLAIN) and (top or type(top) in _PLAIN):
        return _new(Box, (x1, y1, x2, y2))
    return None


def _convert(
    values: Iterable[Any],
    width: int,
    height: int,
    space: CoordinateSpace | None,
    resized: tuple[int, int] | None,
    verbose: bool,
) -> Box:
    """Convert one box to pixels; `space` is `None` only for a model box whose space has to be detected."""
    left, top, right, bottom = numbers = four_numbers(values)
    if space is None:
        space = _detect(left, top, right, bottom, width, height)
    if space is _PIXEL:
        return whole(left, top, right, bottom)
    if space is _PER_MILLE:
        full_x = full_y = PER_MILLE
    elif space is _UNIT:
        full_x = full_y = 1
    else:
        assert resized is not None
        full_x, full_y = resized
    if right < left:
        left, right = right, left
    if bottom < top:
        top, bottom = bottom, top
    # Multiply before dividing: 100 / 1000 * 1920 is not exactly 192. int() rounds negative values up to 0 at most,
    # and they are cut to 0 anyway, so that adding a half rounds half up.
    box = cut(
        int(left * width / full_x + 0.5),
        int(top * height / full_y + 0.5),
        int(right * width / full_x + 0.5),
        int(bottom * height / full_y + 0.5),
        width,
        height,
    )
    if verbose:
        _report(numbers, box, width, height, space)
    return box


def _report(
    numbers: tuple[float, float, float, float], box: Box, width: int, height: int, space: CoordinateSpace
) -> None:
    """Log a conversion with the wording of docs/spec/coordinates.md; numbers of a resized image are not called
    normalised."""
    if space is _RESIZED:
        line = "[坐标] 检测到缩放图坐标 %s, 已转换为实际坐标 %s, 图像尺寸: %s"
    else:
        line = "[坐标] 检测到归一化坐标 %s, 已转换为实际坐标 %s, 图像尺寸: %s"
    logger.info(line, numbers, tuple(box), (width, height))


def _source_space(source: str) -> CoordinateSpace:
    """Return the space of a box that does not come from a model."""
    if source not in _PIXEL_SOURCES:
        raise InvalidBox(f"unknown source {source!r} of a box: expected 'model', 'ocr', 'tree' or 'template'")
    return _PIXEL


def _detect(left: float, top: float, right: float, bottom: float, width: int, height: int) -> CoordinateSpace:
    """Apply the rules of `detect_space`; the first two returns are the common cases and fast, the rest is slower."""
    short = width if width < height else height
    if left <= right and top <= bottom:
        largest = right if right > bottom else bottom
        if (largest >= short and largest > 1) or largest > LARGEST_PER_MILLE:
            return _PIXEL
        if largest >= SMALLEST_PER_MILLE and left >= 1 and top >= 1:
            return _PER_MILLE
    within = 0 <= left <= 1 and 0 <= top <= 1 and 0 <= right <= 1 and 0 <= bottom <= 1
    if within and (0 < left < 1 or 0 < top < 1 or 0 < right < 1 or 0 < bottom < 1):
        return _UNIT
    doubt = _doubt(left, top, right, bottom)
    if doubt is None:
        return _PER_MILLE
    numbers = (left, top, right, bottom)
    logger.warning("[坐标] 坐标类型不确定 (%s), 按像素坐标处理: %s, 图像尺寸: %s", doubt, numbers, (width, height))
    return _PIXEL


def _doubt(left: float, top: float, right: float, bottom: float) -> str | None:
    """Return why a model's box is not per-mille although its largest value would allow it, or None."""
    if right < left or bottom < top:
        return "inverted"
    if max(right, bottom) < SMALLEST_PER_MILLE:
        return "too small for 0-1000, no fraction within 0-1"
    if any(-1 < value < 1 and value for value in (left, top, right, bottom)):
        return "mixed units"
    if min(left, top) < -OVERSHOOT:
        return "too far outside the frame"
    return None


def _sent(space: object, resized: tuple[int, int] | None) -> tuple[int, int]:
    """Return the size of the sent image, the unit of `RESIZED` numbers. Raise `InvalidBox` if `space` is not `RESIZED`,
    or `resized` is missing."""
    if space is not _RESIZED:
        raise InvalidBox(f"{show(space)} is not a coordinate space: expected a CoordinateSpace or None")
    if resized is None:
        raise InvalidBox("RESIZED numbers need the size of the image that was sent: pass resized=Size(width, height)")
    return frame_size(resized)
