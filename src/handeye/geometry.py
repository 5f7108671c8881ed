"""Points, sizes and boxes in frame pixels, and the one place where a model's numbers become pixels.

Standard library only. Everything inside Handeye is in pixels of the captured frame; a box is half-open, so
`right - left` is its width and `right` itself is the first column that no longer belongs to it. Numbers in another
unit (see `CoordinateSpace`) are plain sequences until `to_pixel_box` has turned them into a `Box`.

The rules and numbers are those of the seed `coordinate-normalization`; `click_point` and `check_location` are from
the seed `visual-ui-locator`.
"""

from __future__ import annotations

import logging
import math
import operator
import reprlib
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from numbers import Integral, Real
from typing import Any, Final, NamedTuple

from handeye.errors import InvalidBox

__all__ = [
    "Box",
    "CoordinateSpace",
    "LocationCheck",
    "Point",
    "Size",
    "check_location",
    "click_point",
    "detect_space",
    "to_pixel_box",
    "to_pixel_boxes",
]

logger = logging.getLogger("handeye.geometry")

PER_MILLE: Final = 1000
"""Full scale of the per-mille space (seed 000: x / 1000 * width)."""

OVERSHOOT: Final = 100
"""How far a per-mille value may leave 0-1000 and still be read as one: a tenth (design, "Where the seeds meet")."""

SMALLEST_PER_MILLE: Final = 2
"""A box that ends before 2 per mille is 2-4 pixels on any screen: no element, rather a 0-1 box gone wrong."""

MAX_COORDINATE: Final = 2**31 - 1
"""Larger numbers are refused: no display system (X11, Win32, Android) has coordinates outside 32 bits."""

MIN_VISIBLE_SHARE: Final = 0.25
"""Part of a cut-off element's area that has to be visible before it may be pressed. Below a quarter, what is seen is
mostly border and shadow, and the element usually wants to be scrolled into view first."""

MIN_VISIBLE_SIDE: Final = 8
"""Pixels of a cut-off side that have to be visible: the outermost few belong to edge gestures and rounded corners."""

OUT_OF_SCREEN: Final = "坐标超出屏幕范围"
EMPTY_BOX: Final = "边界框为空"

_PIXEL_SOURCES: Final = frozenset({"ocr", "tree", "template"})
_PLAIN: Final = frozenset({int, float})
_UNORDERED: Final = (Mapping, Set, str, bytes, bytearray)


class Point(NamedTuple):
    """A pixel of the frame, counted from its top left corner.

    >>> Point(200, 225).translate(10, -25)
    Point(x=210, y=200)
    """

    x: int
    y: int

    def translate(self, dx: int, dy: int) -> Point:
        """This point moved by `dx`, `dy` pixels."""
        return Point(self.x + dx, self.y + dy)


class Size(NamedTuple):
    """Width and height of a frame in pixels.

    >>> Size(1920, 1080).bounds
    Box(left=0, top=0, right=1920, bottom=1080)
    """

    width: int
    height: int

    @property
    def bounds(self) -> Box:
        """The whole frame as a box."""
        return Box(0, 0, self.width, self.height)


class Box(NamedTuple):
    """A rectangle of frame pixels: left and top belong to it, right and bottom do not.

    >>> box = Box(100, 200, 300, 250)
    >>> box.center, box.width, box.height, box.area
    (Point(x=200, y=225), 200, 50, 10000)
    >>> box == (100, 200, 300, 250)
    True
    """

    left: int
    top: int
    right: int
    bottom: int

    @classmethod
    def at(cls, point: tuple[int, int], radius: int) -> Box:
        """The square whose centre is `point` and that reaches `radius` pixels (0 or more) to each side of it.

        >>> Box.at(Point(10, 10), 2)
        Box(left=8, top=8, right=13, bottom=13)
        """
        if radius < 0:
            raise InvalidBox(f"a box cannot have the radius {radius!r}: give 0 or more pixels")
        x, y = point
        return cls(x - radius, y - radius, x + radius + 1, y + radius + 1)

    @property
    def center(self) -> Point:
        """The middle pixel, rounded down; it lies inside every box that is not empty."""
        return Point((self.left + self.right) // 2, (self.top + self.bottom) // 2)

    @property
    def width(self) -> int:
        """Pixels from left to right; 0 or less for an empty box."""
        return self.right - self.left

    @property
    def height(self) -> int:
        """Pixels from top to bottom; 0 or less for an empty box."""
        return self.bottom - self.top

    @property
    def area(self) -> int:
        """Number of pixels inside; 0 for an empty box."""
        return max(0, self.right - self.left) * max(0, self.bottom - self.top)

    def contains(self, point: tuple[int, int]) -> bool:
        """Whether the pixel `point` belongs to this box.

        >>> Box(0, 0, 10, 10).contains(Point(0, 9)), Box(0, 0, 10, 10).contains(Point(10, 9))
        (True, False)
        """
        x, y = point
        return self.left <= x < self.right and self.top <= y < self.bottom

    def intersect(self, other: tuple[int, int, int, int]) -> Box | None:
        """The pixels in both boxes; `None` when they share none.

        >>> Box(0, 0, 10, 10).intersect(Box(5, 5, 20, 20))
        Box(left=5, top=5, right=10, bottom=10)
        """
        left, top, right, bottom = other
        shared = Box(max(self.left, left), max(self.top, top), min(self.right, right), min(self.bottom, bottom))
        return shared if shared.left < shared.right and shared.top < shared.bottom else None

    def iou(self, other: tuple[int, int, int, int]) -> float:
        """Intersection over union, 0-1; 0 when either box is empty.

        >>> Box(0, 0, 10, 10).iou(Box(0, 0, 10, 5))
        0.5
        """
        shared = self.intersect(other)
        if shared is None:
            return 0.0
        return shared.area / (self.area + Box(*other).area - shared.area)

    def clip(self, size: tuple[int, int]) -> Box:
        """This box cut to a frame of `size`, at least one pixel in each direction.

        A box wholly outside becomes the sliver of the frame's edge nearest to it; `intersect(size.bounds)` tells
        whether anything of it is visible. Raises `InvalidBox` for a frame without pixels.

        >>> Box(-50, 200, 300, 250).clip(Size(200, 240))
        Box(left=0, top=200, right=200, bottom=240)
        >>> Box(500, 500, 600, 600).clip(Size(200, 240))
        Box(left=199, top=239, right=200, bottom=240)
        """
        width, height = _frame(size)
        return _cut(self.left, self.top, self.right, self.bottom, width, height)

    def translate(self, dx: int, dy: int) -> Box:
        """This box moved by `dx`, `dy` pixels.

        >>> Box(0, 0, 10, 10).translate(5, -5)
        Box(left=5, top=-5, right=15, bottom=5)
        """
        return Box(self.left + dx, self.top + dy, self.right + dx, self.bottom + dy)

    def expand(self, px: int) -> Box:
        """This box grown by `px` pixels on every side; a negative `px` shrinks it, at most down to its centre pixel.

        >>> Box(10, 10, 20, 20).expand(2)
        Box(left=8, top=8, right=22, bottom=22)
        >>> Box(10, 10, 20, 20).expand(-9)
        Box(left=15, top=15, right=16, bottom=16)
        """
        x, y = self.center
        return Box(
            min(self.left - px, x), min(self.top - px, y), max(self.right + px, x + 1), max(self.bottom + px, y + 1)
        )

    def scale(self, fx: float, fy: float) -> Box:
        """This box with x multiplied by `fx` and y by `fy` (positive), rounded half up, at least one pixel each way.

        >>> Box(10, 10, 21, 20).scale(0.5, 2)
        Box(left=5, top=20, right=11, bottom=40)
        """
        if not (0 < fx < math.inf and 0 < fy < math.inf):
            raise InvalidBox(f"cannot scale a box by {fx!r}, {fy!r}: give two positive finite factors")
        return _whole(*_numbers((self.left * fx, self.top * fy, self.right * fx, self.bottom * fy)))


class CoordinateSpace(Enum):
    """What a number on its way in is counted in."""

    PIXEL = "pixel"
    """Pixels of the captured frame."""
    UNIT = "unit"
    """0-1 of the frame's width and height."""
    PER_MILLE = "per_mille"
    """0-1000 of the frame's width and height."""
    RESIZED = "resized"
    """Pixels of the image that was sent to the model, which is not always the frame's size."""


# An enum member is looked up through its metaclass, and a NamedTuple is made by a Python function: both cost a tenth
# of the microsecond that a conversion may take.
_PIXEL: Final = CoordinateSpace.PIXEL
_PER_MILLE: Final = CoordinateSpace.PER_MILLE
_new: Final = tuple.__new__


@dataclass(frozen=True, slots=True)
class LocationCheck:
    """Whether a pixel box can be used on a screen (seed 001, 坐标计算和验证).

    `valid`: it is not empty and lies wholly on the screen. `error`: why it is not valid, else `None`.
    `can_interact`: enough of it is visible to press it. `safe_region`: its visible part, where a press is safe;
    `None` unless `can_interact`.
    """

    valid: bool
    error: str | None
    can_interact: bool
    safe_region: Box | None


def click_point(box: tuple[int, int, int, int]) -> Point:
    """The pixel to press for `box` (pixels): its centre. Raises `InvalidBox` for an empty or malformed box.

    >>> click_point(Box(100, 200, 300, 250))
    Point(x=200, y=225)
    """
    checked = Box(*(math.floor(value) for value in _numbers(box)))
    if not checked.area:
        raise InvalidBox(
            f"box {_show(box)} is empty, there is nothing to press: expected left < right and top < bottom"
        )
    return checked.center


def check_location(box: tuple[int, int, int, int], size: tuple[int, int]) -> LocationCheck:
    """Check a box that claims to be in pixels against a screen of `size`.

    A box that leaves the screen is not valid, but may be pressed within `safe_region` if at least `MIN_VISIBLE_SHARE`
    of its area and `MIN_VISIBLE_SIDE` pixels of each cut side are visible. Raises `InvalidBox` if `box` is not four
    numbers or `size` has no pixels.

    >>> check_location(Box(-50, 200, 300, 250), Size(1920, 1080))  # doctest: +NORMALIZE_WHITESPACE
    LocationCheck(valid=False, error='坐标超出屏幕范围', can_interact=True,
                  safe_region=Box(left=0, top=200, right=300, bottom=250))
    """
    checked = Box(*(math.floor(value) for value in _numbers(box)))
    if not checked.area:
        return LocationCheck(valid=False, error=EMPTY_BOX, can_interact=False, safe_region=None)
    visible = checked.intersect(Box(0, 0, *_frame(size)))
    if visible == checked:
        return LocationCheck(valid=True, error=None, can_interact=True, safe_region=checked)
    enough = (
        visible is not None
        and visible.area >= checked.area * MIN_VISIBLE_SHARE
        and visible.width >= min(checked.width, MIN_VISIBLE_SIDE)
        and visible.height >= min(checked.height, MIN_VISIBLE_SIDE)
    )
    return LocationCheck(valid=False, error=OUT_OF_SCREEN, can_interact=enough, safe_region=visible if enough else None)


def detect_space(values: Iterable[Any], size: tuple[int, int], *, source: str = "model") -> CoordinateSpace:
    """Tell which space four box numbers are in; `size` is the frame's, in pixels.

    `source` is where they come from: "ocr", "tree" and "template" boxes are always `PIXEL`. For "model":

    - every value within 0-1 and at least one with a fraction: `UNIT`;
    - else `PER_MILLE` if the largest value is below the frame's shorter side and at most 1000 plus a tenth;
    - else `PIXEL`.

    A box is doubtful, which is logged as a warning, and `PIXEL` is assumed, when it would be `PER_MILLE` but

    - it is inverted (right < left or bottom < top), so it may be x, y, width, height, or y, x, y, x;
    - it mixes units: some value other than 0 lies between -1 and 1 while others do not;
    - it ends before 2 per mille, as `[0, 0, 1, 1]` does, which may be the whole screen or one pixel;
    - some value is below -100, further out than a model's rounding explains.

    Raises `InvalidBox` for what is not four finite numbers, for a size without pixels and for an unknown source.
    """
    left, top, right, bottom = _numbers(values)
    width, height = _frame(size)
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
    """Four numbers (left, top, right, bottom) as a box in pixels of a frame of `size`.

    `source` decides first: boxes from "ocr", "tree" and "template" are pixels whatever `space` says. A "model" box is
    in `space`, or in what `detect_space` finds when that is `None`. `RESIZED` needs `resized`, the sent image's size.

    A converted box is rounded half up, cut to the frame and at least one pixel wide and high. A pixel box is not
    converted: it is not cut (`check_location` judges it), only rounded half up if it has fractions. Edges in the wrong
    order are swapped. So no box is ever empty.

    Numbers are int, float, Decimal, Fraction and NumPy scalars. Raises `InvalidBox` for anything else (strings such as
    "100" and booleans included), for other than four, for NaN, infinity and values beyond 32 bits, for a size without
    pixels, for an unknown source, and for `RESIZED` without `resized`.

    >>> to_pixel_box([500, 500, 600, 600], Size(1920, 1080))
    Box(left=960, top=540, right=1152, bottom=648)
    >>> to_pixel_box([100, 200, 300, 400], Size(1920, 1080), source="ocr")
    Box(left=100, top=200, right=300, bottom=400)
    """
    width, height = _frame(size)
    if source != "model":
        space = _source_space(source)
    return _convert(values, width, height, space, resized, logger.isEnabledFor(logging.INFO))


def to_pixel_boxes(
    items: Iterable[Iterable[Any]],
    size: tuple[int, int],
    *,
    space: CoordinateSpace | None = None,
    source: str = "model",
    resized: tuple[int, int] | None = None,
) -> list[Box]:
    """`to_pixel_box` for many, in order; an item that is not four numbers is skipped with a warning.

    The space is detected for each item by itself. Raises `InvalidBox` if `items` cannot be iterated at all, and for
    what is wrong with the call rather than with an item: `size`, `source`, `RESIZED` without `resized`.
    """
    width, height = _frame(size)
    if source != "model":
        space = _source_space(source)
    if space is CoordinateSpace.RESIZED:
        resized = _sent(resized)
    try:
        iterator = iter(items)
    except TypeError:
        raise InvalidBox(f"{_show(items)} is not a sequence of boxes: expected one list of four numbers each") from None
    verbose = logger.isEnabledFor(logging.INFO)
    boxes: list[Box] = []
    for values in iterator:
        try:
            boxes.append(_convert(values, width, height, space, resized, verbose))
        except InvalidBox as error:
            logger.warning("[坐标] 跳过无效坐标 %s: %s, 图像尺寸: %s", _show(values), error, (width, height))
    return boxes


def _convert(
    values: Iterable[Any],
    width: int,
    height: int,
    space: CoordinateSpace | None,
    resized: tuple[int, int] | None,
    verbose: bool,
) -> Box:
    """One box to pixels; `space` is `None` only for a model box whose space is to be detected."""
    left, top, right, bottom = numbers = _numbers(values)
    if space is None:
        space = _detect(left, top, right, bottom, width, height)
    if space is _PIXEL:
        return _whole(left, top, right, bottom)
    if space is _PER_MILLE:
        full_x = full_y = PER_MILLE
    elif space is CoordinateSpace.UNIT:
        full_x = full_y = 1
    else:
        full_x, full_y = _sent(resized)
    if right < left:
        left, right = right, left
    if bottom < top:
        top, bottom = bottom, top
    # Multiply before dividing: 100 / 1000 * 1920 is not exactly 192. int() rounds negative values up to 0 at most,
    # and they are cut to 0 anyway, so that adding a half rounds half up.
    box = _cut(
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
    """The seed's line, word for word, for normalised numbers; those of a resized image are not called normalised."""
    if space is CoordinateSpace.RESIZED:
        line = "[坐标] 检测到缩放图坐标 %s, 已转换为实际坐标 %s, 图像尺寸: %s"
    else:
        line = "[坐标] 检测到归一化坐标 %s, 已转换为实际坐标 %s, 图像尺寸: %s"
    logger.info(line, numbers, tuple(box), (width, height))


def _cut(left: int, top: int, right: int, bottom: int, width: int, height: int) -> Box:
    """The part of the frame nearest to these edges, at least one pixel each way. Comparisons, as min/max cost more."""
    if left < 0:
        left = 0
    elif left >= width:
        left = width - 1
    if top < 0:
        top = 0
    elif top >= height:
        top = height - 1
    if right > width:
        right = width
    if bottom > height:
        bottom = height
    if right <= left:
        right = left + 1
    if bottom <= top:
        bottom = top + 1
    return _new(Box, (left, top, right, bottom))


def _whole(left: float, top: float, right: float, bottom: float) -> Box:
    """Pixel edges as integers in the right order, at least one pixel each way, not cut to any frame."""
    if not (type(left) is type(top) is type(right) is type(bottom) is int):
        half = Fraction(1, 2)  # exact: 0.49999999999999994 + 0.5 is 1.0 in floats
        left, top, right, bottom = (math.floor(Fraction(value) + half) for value in (left, top, right, bottom))
    if right <= left:
        left, right = right, left + (left == right)
    if bottom <= top:
        top, bottom = bottom, top + (top == bottom)
    return _new(Box, (left, top, right, bottom))


def _source_space(source: str) -> CoordinateSpace:
    """The space of a box that no model made up."""
    if source not in _PIXEL_SOURCES:
        raise InvalidBox(f"unknown source {source!r} of a box: expected 'model', 'ocr', 'tree' or 'template'")
    return _PIXEL


def _detect(left: float, top: float, right: float, bottom: float, width: int, height: int) -> CoordinateSpace:
    """The rule of `detect_space`; the first two returns are the common cases, the rest takes its time."""
    short = width if width < height else height
    if left <= right and top <= bottom:
        largest = right if right > bottom else bottom
        if (largest >= short and largest > 1) or largest > PER_MILLE + OVERSHOOT:
            return _PIXEL
        if largest >= SMALLEST_PER_MILLE and left >= 1 and top >= 1:
            return _PER_MILLE
    numbers = (left, top, right, bottom)
    if min(numbers) >= 0 and max(numbers) <= 1 and any(0 < value < 1 for value in numbers):
        return CoordinateSpace.UNIT
    doubt = _doubt(left, top, right, bottom)
    if doubt is None:
        return _PER_MILLE
    logger.warning("[坐标] 坐标类型不确定 (%s), 按像素坐标处理: %s, 图像尺寸: %s", doubt, numbers, (width, height))
    return _PIXEL


def _doubt(left: float, top: float, right: float, bottom: float) -> str | None:
    """Why a box of a model should not be read as per-mille although its largest value would allow it."""
    if right < left or bottom < top:
        return "inverted"
    if max(right, bottom) < SMALLEST_PER_MILLE:
        return "too small for 0-1000, no fraction within 0-1"
    if any(-1 < value < 1 and value for value in (left, top, right, bottom)):
        return "mixed units"
    if min(left, top) < -OVERSHOOT:
        return "too far outside the frame"
    return None


def _frame(size: tuple[int, int]) -> tuple[int, int]:
    """Width and height of a frame or image, or `InvalidBox` if they are not two positive integers."""
    try:
        width, height = size
        if type(width) is type(height) is int and width > 0 and height > 0:
            return width, height
        width, height = operator.index(width), operator.index(height)
    except (TypeError, ValueError):
        pass
    else:
        if width > 0 and height > 0:
            return width, height
    raise InvalidBox(f"{_show(size)} is not a size: expected (width, height) in whole pixels, both 1 or more")


def _sent(resized: tuple[int, int] | None) -> tuple[int, int]:
    """The size of the image that was sent, which `RESIZED` numbers are counted in."""
    if resized is None:
        raise InvalidBox("RESIZED numbers need the size of the image that was sent: pass resized=Size(width, height)")
    return _frame(resized)


def _numbers(values: Iterable[Any]) -> tuple[float, float, float, float]:
    """Four finite plain numbers out of whatever came in, or `InvalidBox`."""
    try:
        left, top, right, bottom = values
    except (TypeError, ValueError):
        raise InvalidBox(f"{_show(values)} is not a box: expected four numbers, left, top, right, bottom") from None
    plain = _PLAIN
    if not (
        type(left) in plain and type(top) in plain and type(right) in plain and type(bottom) in plain
    ) or isinstance(values, _UNORDERED):
        if isinstance(values, _UNORDERED):
            raise InvalidBox(f"{_show(values)} is not a box: expected a list of left, top, right, bottom, in order")
        left, top, right, bottom = (_number(value, values) for value in (left, top, right, bottom))
    low, high = -MAX_COORDINATE, MAX_COORDINATE
    if low <= left <= high and low <= top <= high and low <= right <= high and low <= bottom <= high:
        return left, top, right, bottom
    raise InvalidBox(f"{_show(values)} is not a box: NaN, infinite or beyond 32 bits")


def _number(value: Any, values: object) -> float:
    """A single value as int or float. Strings and booleans are not numbers: a reply that has them is malformed."""
    if isinstance(value, (Real, Decimal)) and not isinstance(value, bool):
        try:
            return int(value) if isinstance(value, Integral) else float(value)
        except (OverflowError, ValueError):  # a Fraction or Decimal beyond floats, a signalling NaN
            pass
    raise InvalidBox(f"{_show(values)} is not a box: {_show(value)} is not a finite number")


def _show(value: object) -> str:
    """A short `repr` for messages and logs: what a model sent can be a megabyte long."""
    try:
        return reprlib.repr(value)
    except ValueError:  # an integer of more digits than Python prints
        return f"<{type(value).__name__} too long to print>"
