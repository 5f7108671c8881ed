"""Value types: points, sizes and boxes in whole pixels of the frame."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from handeye.errors import InvalidBox
from handeye.geometry.checks import four_numbers, frame_size

new_tuple: Final = tuple.__new__
"""Makes a NamedTuple in half the time of its own `__new__`, which is a Python function."""


class Point(NamedTuple):
    """A pixel of the frame, counted from its top left corner.

    >>> Point(200, 225).translate(10, -25)
    Point(x=210, y=200)
    """

    x: int
    y: int

    def translate(self, dx: int, dy: int) -> Point:
        """Return this point moved by `dx`, `dy` pixels."""
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
        """Return the square whose centre is `point` and that reaches `radius` pixels (0 or more) to each side of it.

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
        """Return True if the pixel `point` belongs to this box.

        >>> Box(0, 0, 10, 10).contains(Point(0, 9)), Box(0, 0, 10, 10).contains(Point(10, 9))
        (True, False)
        """
        x, y = point
        return self.left <= x < self.right and self.top <= y < self.bottom

    def intersect(self, other: tuple[int, int, int, int]) -> Box | None:
        """Return the box of the pixels that both boxes share, or `None` if there are none.

        >>> Box(0, 0, 10, 10).intersect(Box(5, 5, 20, 20))
        Box(left=5, top=5, right=10, bottom=10)
        """
        left, top, right, bottom = other
        shared = Box(max(self.left, left), max(self.top, top), min(self.right, right), min(self.bottom, bottom))
        return shared if shared.left < shared.right and shared.top < shared.bottom else None

    def iou(self, other: tuple[int, int, int, int]) -> float:
        """Return intersection over union, 0-1; 0 when either box is empty.

        >>> Box(0, 0, 10, 10).iou(Box(0, 0, 10, 5))
        0.5
        """
        shared = self.intersect(other)
        if shared is None:
            return 0.0
        return shared.area / (self.area + Box(*other).area - shared.area)

    def clip(self, size: tuple[int, int]) -> Box:
        """Return this box cut to a frame of `size`, at least one pixel in each direction.

        A box wholly outside becomes the strip, one pixel thick, of the frame's edge nearest to it; use
        `intersect(size.bounds)` to check whether any of it is visible. Raises `InvalidBox` for a frame without pixels.

        >>> Box(-50, 200, 300, 250).clip(Size(200, 240))
        Box(left=0, top=200, right=200, bottom=240)
        >>> Box(500, 500, 600, 600).clip(Size(200, 240))
        Box(left=199, top=239, right=200, bottom=240)
        """
        width, height = frame_size(size)
        return cut(self.left, self.top, self.right, self.bottom, width, height)

    def translate(self, dx: int, dy: int) -> Box:
        """Return this box moved by `dx`, `dy` pixels.

        >>> Box(0, 0, 10, 10).translate(5, -5)
        Box(left=5, top=-5, right=15, bottom=5)
        """
        return Box(self.left + dx, self.top + dy, self.right + dx, self.bottom + dy)

    def expand(self, px: int) -> Box:
        """Return this box grown by `px` pixels on every side; a negative `px` shrinks it, at most down to its centre
        pixel.

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
        """Return this box with x multiplied by `fx` and y by `fy` (positive), rounded half up, at least one pixel each
        way.

        >>> Box(10, 10, 21, 20).scale(0.5, 2)
        Box(left=5, top=20, right=11, bottom=40)
        """
        if not (0 < fx < math.inf and 0 < fy < math.inf):
            raise InvalidBox(f"cannot scale a box by {fx!r}, {fy!r}: give two positive finite factors")
        return whole(*four_numbers((self.left * fx, self.top * fy, self.right * fx, self.bottom * fy)))


def cut(left: int, top: int, right: int, bottom: int, width: int, height: int) -> Box:
    """Return the part of the frame nearest to these edges, at least one pixel each way. Comparisons, as min/max cost
    more."""
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
    return new_tuple(Box, (left, top, right, bottom))


def whole(left: float, top: float, right: float, bottom: float) -> Box:
    """Return pixel edges as integers in the right order, at least one pixel each way, not cut to any frame."""
    if not (type(left) is type(top) is type(right) is type(bottom) is int):
        left, top, right, bottom = (math.floor(value + 0.5) for value in (left, top, right, bottom))
    if right <= left:
        left, right = right, left + (left == right)
    if bottom <= top:
        top, bottom = bottom, top + (top == bottom)
    return new_tuple(Box, (left, top, right, bottom))
