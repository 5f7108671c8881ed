"""One finger on the glass: tap, long press, drag. The rules are those of Android's view system."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from handeye.geometry import Box
from handeye_phone.drawing.scene import Node, Scroller

LONG_PRESS_S: Final = 0.5  # ViewConfiguration.getLongPressTimeout
DOUBLE_TAP_S: Final = (
    0.04,
    0.3,
)  # ViewConfiguration.getDoubleTapMinTime and getDoubleTapTimeout: from one tap's end on
SLOP_DP: Final = 8  # ViewConfiguration.getScaledTouchSlop


@dataclass(slots=True)
class Touch:
    """A finger that is down. `path` holds the nodes under it, the topmost first."""

    x0: float
    y0: float
    began: float
    path: tuple[Node, ...]
    slop: float
    x: float = 0.0
    y: float = 0.0
    moved: bool = False
    spent: bool = False  # a long press fired: lifting the finger is no tap
    scroller: Scroller | None = None

    def __post_init__(self) -> None:
        self.x, self.y = self.x0, self.y0

    @property
    def tap_target(self) -> Node | None:
        """Node that a tap here presses, or None."""
        for node in self.path:
            if node.clickable:
                return node
            if node.block:
                return None
        return None

    @property
    def long_target(self) -> Node | None:
        """Node whose long press would fire now, or None."""
        if self.moved or self.spent:
            return None
        for node in self.path:
            if node.on_long is not None:
                return node
            if node.clickable or node.block:
                return None
        return None

    @property
    def double_target(self) -> Node | None:
        """Node on which a second tap is a double tap, or None."""
        for node in self.path:
            if node.on_double is not None:
                return node
            if node.clickable or node.block:
                return None
        return None

    def move(self, x: float, y: float) -> bool:
        """Move the finger. Return True if something scrolled."""
        dx, dy = x - self.x, y - self.y
        if not self.moved and math.hypot(x - self.x0, y - self.y0) > self.slop:
            self.moved = True
            horizontal = abs(x - self.x0) > abs(y - self.y0)
            dx, dy = x - self.x0, y - self.y0
            if not self.spent:
                self.scroller = self._scroller(horizontal)
        self.x, self.y = x, y
        if self.scroller is None:
            return False
        before = self.scroller.offset
        self.scroller.drag(dx if self.scroller.horizontal else dy)
        return self.scroller.offset != before

    def _scroller(self, horizontal: bool) -> Scroller | None:
        for node in self.path:
            scroller = node.scroller
            if scroller is not None and scroller.horizontal == horizontal and scroller.limit > 0:
                return scroller
            if node.block:
                return None
        return None

    def ends_as_tap(self) -> bool:
        """Return True if lifting the finger here presses the target: it may move, but not off the view."""
        target = self.tap_target
        if self.spent or self.scroller is not None or target is None:
            return False
        box, slop = target.box, self.slop
        return box.left - slop <= self.x < box.right + slop and box.top - slop <= self.y < box.bottom + slop


class TouchScreen:
    """Recognises gestures of one finger. `pressed(node, x, y)` is called for taps; node is None if nothing was hit."""

    def __init__(self, changed: Callable[[], None], pressed: Callable[[Node | None, float, float], None]) -> None:
        self._changed = changed
        self._pressed = pressed
        self._touch: Touch | None = None
        self._tapped: tuple[Box, float] | None = (
            None  # where a second tap would be a double tap, and when the first ended
        )

    def cancel(self) -> None:
        """Drop the current gesture, because its window is gone."""
        self._touch = None

    def down(self, touch: Touch) -> None:
        """Begin a touch."""
        self._touch = touch

    def move(self, x: float, y: float) -> None:
        """Move the touch."""
        if self._touch is not None and self._touch.move(x, y):
            self._changed()

    def distance_up(self, y: float) -> float:
        """Return the pixels from `y` down to where the touch began; 0 without a touch."""
        return self._touch.y0 - y if self._touch is not None else 0.0

    def cut_off(self) -> Touch | None:
        """End the gesture without a press; a scroll settles. Return the ended touch."""
        touch, self._touch = self._touch, None
        if touch is not None and touch.scroller is not None:
            scroller = touch.scroller
            scroller.settle(touch.x - touch.x0 if scroller.horizontal else touch.y - touch.y0)
            self._changed()
        return touch

    def up(self, x: float, y: float, now: float) -> None:
        """End the touch: a tap, the second of a double tap, the end of a scroll, or nothing."""
        self.move(x, y)
        touch = self.cut_off()
        if touch is None or touch.scroller is not None:
            return
        if touch.ends_as_tap():
            self._pressed(touch.tap_target, touch.x, touch.y)
        elif not touch.moved and not touch.spent:
            self._pressed(None, touch.x, touch.y)
        self._detect_double_tap(touch, now)

    def _detect_double_tap(self, touch: Touch, now: float) -> None:
        """Fire a double tap if this is the second tap on its node, else remember it as the first."""
        node, first = touch.double_target, self._tapped
        if node is None or node.on_double is None or touch.moved or touch.spent:
            self._tapped = None
        elif first is not None and first[0] == node.box and _is_double(touch.began - first[1]):
            self._tapped = None
            node.on_double()
            self._changed()
        else:
            self._tapped = node.box, now

    def hold(self, now: float) -> None:
        """Fire a long press if the finger has rested long enough."""
        touch = self._touch
        if touch is None or now - touch.began < LONG_PRESS_S:
            return
        target = touch.long_target
        if target is not None and target.on_long is not None:
            touch.spent = True
            target.on_long()
            self._changed()

    def deadline(self) -> float | None:
        """Return the clock time at which a resting finger makes a long press, or None."""
        waiting = self._touch is not None and self._touch.long_target is not None
        return self._touch.began + LONG_PRESS_S if waiting and self._touch is not None else None


def _is_double(pause: float) -> bool:
    shortest, longest = DOUBLE_TAP_S
    return shortest <= pause <= longest
