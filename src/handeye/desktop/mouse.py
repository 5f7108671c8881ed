"""Mouse actions on elements of windows: at their current position, or not at all."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Final, Protocol, runtime_checkable

from handeye.actions import Click, Drag, Scroll
from handeye.clock import Clock
from handeye.desktop.action_outcome import element_label
from handeye.desktop.element_finder import scroll_to
from handeye.desktop.menus import Decision
from handeye.desktop.native_ids import change_since
from handeye.desktop.open_menus import BOX, MENUS, ancestors
from handeye.desktop.picture_effects import PictureWatch
from handeye.desktop.state import WindowState
from handeye.devices import SETTLE_S, DesktopDevice, Surface, Window
from handeye.elements import UIElement
from handeye.errors import CaptureFailed, DeviceError, DeviceLost, StateChanged
from handeye.geometry import Box, Point
from handeye.perceive import PIXEL_SOURCES, Control, Row, RowContainer, visible_box
from handeye.screen import InputPoint

DRAG_MS: Final = 300

# An element that is further from its read position once the pointer is on it has moved: a list was laid out again, or its
# toolkit reported an old position (LibreOffice reports cells 27 pixels too high until the first input). Less is rounding.
_STILL_PX: Final = 2
_ROW_HOLDERS: Final = frozenset({"list", "table", "tree"})
# Time to draw hover effects: Tk and GTK 2 redraw the element below the pointer in 20 ms.
_SHOWN_S: Final = 0.1
# Most turns of the wheel until a row is visible, and most notches of one turn: no system accepts more at a time.
_MOST_TURNS: Final = 40
_MOST_NOTCHES: Final = 300
# Tolerance between a menu's element and its window, which has a border or a shadow.
_BORDER_PX: Final = 24


@runtime_checkable
class HitTesting(Protocol):
    """A live handle whose application supports hit tests."""

    def covered_by(self, at: Point) -> str | None:
        """Return the name of the element that covers this one at a point in desktop pixels, or None."""
        ...


class Mouse:
    """
    Acts on chosen elements in windows of `device`. Every call raises DeviceError if the element cannot be reached, StateChanged
    (with the state from `relist`) if it has changed since it was read, and StoppedByPerson.
    """

    def __init__(self, device: DesktopDevice, clock: Clock, relist: Callable[[WindowState], WindowState]) -> None:
        self._device = device
        self._backend = device.backend
        self._clock = clock
        self._relist = relist

    def click(self, aim: Decision, *, button: str = "left", count: int = 1) -> InputPoint:
        """
        Click at the centre of the visible part, and return that point. An element that is scrolled out of view is scrolled into
        view first if possible. Raises DeviceError for a disabled element.
        """
        if aim.element.enabled is False:
            raise DeviceError(f"{element_label(aim.element, None)} is disabled: a click does nothing")
        at = self._aimed(self._in_view(aim))
        self._device.perform(Click(at, button, count))
        return at

    def watched(self, aim: Decision) -> PictureWatch:
        """Move the pointer onto the element, and start watching the picture of its window before the press."""
        aim = self._in_view(aim)
        self._device.panic.move(_pixel(self._place(aim)))
        self._clock.sleep(_SHOWN_S)
        return PictureWatch(self._backend, aim.state.window, self._clock)

    def bring_into_view(self, aim: Decision) -> None:
        """
        Scroll an element into view: by its application, else with the wheel over its list. Raises DeviceError if both fail.
        """
        try:
            scroll_to(aim)
        except DeviceLost:
            raise
        except DeviceError:
            if not self._wheel_to(aim):
                raise

    def _wheel_to(self, aim: Decision) -> bool:
        """
        Turn the wheel over the list of a row until the row is in its middle, or the list at its end; the first turn calibrates
        the rows per notch. Return True if the row is visible then.
        """
        holder = _row_holder(aim)
        number = aim.control.row_number() if isinstance(aim.control, Row) else None
        if holder is None or number is None or aim.control is None:
            return False
        element, rows = holder
        before, down = None, 0
        for _ in range(_MOST_TURNS):
            now = rows.row_at((element.visible_region or element.bbox).center)
            if now is None or now == before:
                break
            per_notch = (now - before) / down if before is not None else abs(number - now) or 1
            before, down = now, max(-_MOST_NOTCHES, min(round((number - now) / per_notch), _MOST_NOTCHES))
            if not down:
                break
            self.scroll(replace(aim, element=element, control=None), down=down, across=0)
            self._clock.sleep(_SHOWN_S)
        return aim.control.box() is not None

    def drag(self, aim: Decision, to: Decision | tuple[int, int]) -> tuple[InputPoint, InputPoint]:
        """Press at the element's centre and release at another one's, or (right, down) pixels away. Return both points."""
        aim = self._in_view(aim)
        onto = self._in_view(to) if isinstance(to, Decision) else to
        start = self._aimed(aim)
        end = self._end_at(onto) if isinstance(onto, Decision) else InputPoint(start.x + onto[0], start.y + onto[1])
        self._device.perform(Drag(start, end, DRAG_MS))
        return start, end

    def scroll(self, aim: Decision, *, down: int, across: int) -> InputPoint:
        """Turn the wheel over the element's centre, and return that point."""
        at = self._place(self._in_view(aim))
        self._device.perform(Scroll(at, down, across))
        return at

    def under(self, at: InputPoint) -> Surface | None:
        """Return the window or popup at a point, or None."""
        return self._backend.surface_at(_pixel(at))

    # -- positions

    def _aimed(self, aim: Decision) -> InputPoint:
        """Move the pointer onto the element, check that it is there and unchanged, and return the point; one retry."""
        at = self._place(aim)
        if aim.control is None:
            return at
        for _ in range(2):
            self._device.panic.move(_pixel(at))
            self._clock.sleep(SETTLE_S)
            cover = _cover_at(aim.control, _pixel(at))
            now = self._middle(_box_of(aim.control, aim.element))
            if max(abs(now.x - at.x), abs(now.y - at.y)) <= _STILL_PX:
                _check_uncovered(aim, cover)  # only now: if it moved, something else is at its old position
                self._check_same(aim)
                return at
            at = self._checked(aim, self._current_window(aim.state.window), now)
        raise DeviceError(f"{element_label(aim.element, None)} keeps moving: nothing was pressed")

    def _place(self, aim: Decision) -> InputPoint:
        """Raise the element's window, and return the element's centre at the window's current position."""
        window, element = aim.state.window, aim.element
        if not element.click_box.area:
            raise DeviceError(f"{element_label(element, None)} has no place on the screen")
        if (cover := _cover_of(aim.state, element)) is not None:
            raise DeviceError(
                f"{element_label(element, None)} is covered by {element_label(cover, None)}: a press would not reach it"
            )
        now = self._current_window(window).box
        dx, dy = now.left - window.box.left, now.top - window.box.top
        middle = self._middle(element.click_box.translate(dx, dy)).translate(-dx, -dy)
        _, (at,) = self._device.reach.places(
            window,
            middle,
            is_own=lambda popup: _is_in_popup(aim.state, element, popup),
            beside_menus=element.element_type in MENUS,  # on the menu bar: another one opens, the same one closes
        )
        return InputPoint(float(at.x), float(at.y))

    def _end_at(self, aim: Decision) -> InputPoint:
        """Return the current centre of a drop target, without raising its window, which could hide the start of the drag."""
        window = aim.state.window
        now = self._current_window(window)
        if aim.control is not None:
            at = self._middle(_box_of(aim.control, aim.element))
            _check_uncovered(aim, _cover_at(aim.control, at))
            self._check_same(aim)
            return self._checked(aim, now, at)
        dx, dy = now.box.left - window.box.left, now.box.top - window.box.top
        return self._checked(aim, now, self._middle(aim.element.click_box.translate(dx, dy)))

    def _check_same(self, aim: Decision) -> None:
        """Raise StateChanged if the element has other content now. Checked last: a reused row has the same position."""
        change = change_since(aim.state, aim.element.id)
        if change is not None:
            raise StateChanged(f"{element_label(aim.element, None)}: {change}", self._relist(aim.state))

    def _middle(self, box: Box) -> Point:
        """Return the centre of the largest part of a box that a monitor shows; of the whole box, if none does."""
        parts = [part for each in self._backend.monitors() if (part := box.intersect(each.box)) is not None]
        return max(parts, key=lambda part: part.area, default=box).center

    def _checked(self, aim: Decision, window: Window, at: Point) -> InputPoint:
        self._device.reach.check(window, at, lambda popup: _is_in_popup(aim.state, aim.element, popup))
        return InputPoint(float(at.x), float(at.y))

    def _current_window(self, window: Window) -> Window:
        now = self._backend.window(window.id)
        if now is None:
            raise DeviceLost(f"the window {window} was closed")
        return now

    def _in_view(self, aim: Decision) -> Decision:
        if not aim.element.metadata.get("offscreen"):
            return aim
        self._device.reach.in_front(aim.state.window)
        if aim.control is None:
            raise CaptureFailed(
                f"{element_label(aim.element, None)} is scrolled out of view, and nobody can scroll it into view"
            )
        self.bring_into_view(aim)
        box: Box | None = aim.control.box()
        if box is None or not box.area:
            raise DeviceError(
                f"{element_label(aim.element, None)} is scrolled out of view, and its application did not scroll it into view"
            )
        return replace(aim, element=replace(aim.element, bbox=box, visible_region=None, metadata={}))


def _check_uncovered(aim: Decision, cover: str | None) -> None:
    if cover is not None:
        raise DeviceError(
            f"{element_label(aim.element, None)} is covered by {cover}: a press would not reach it; close that first, or scroll"
        )


def _box_of(control: Control, element: UIElement) -> Box:
    box = control.box()
    if box is None or not box.area:
        raise DeviceError(f"{element_label(element, None)} is no longer on the screen")
    return box


def _row_holder(aim: Decision) -> tuple[UIElement, RowContainer] | None:
    """Return the list, table or tree of a row, and its handle; None without a handle for rows."""
    element = next((each for each in ancestors(aim.state, aim.element) if each.element_type in _ROW_HOLDERS), None)
    control = aim.state.control(element.id) if element is not None and element.id is not None else None
    return (element, control) if element is not None and isinstance(control, RowContainer) else None


def _pixel(at: InputPoint) -> Point:
    return Point(math.floor(at.x), math.floor(at.y))


def _cover_at(control: Control, at: Point) -> str | None:
    """Return the name of the element that covers another one at a point; None if nothing does, or without hit tests."""
    return control.covered_by(at) if isinstance(control, HitTesting) else None


def _cover_of(state: WindowState, element: UIElement) -> UIElement | None:
    """Return an open modal element of the same window, such as a popover, which takes every press; else None."""
    own = {each.id for each in (element, *ancestors(state, element))}
    for each in reversed(state.elements):
        is_part = each.id in own or each.element_type == "window"
        if each.metadata.get("modal") and not is_part and not each.metadata.get("offscreen") and visible_box(each).area:
            return each
    return None


def _is_in_popup(state: WindowState, element: UIElement, popup: Surface) -> bool:
    """Return True if an element is shown in `popup`, such as an entry of an open menu, and not covered by it."""
    if popup.process != state.window.process:
        return False
    if element.source in PIXEL_SOURCES:  # found on a picture, which also shows menus
        return True
    if not popup.box.contains(visible_box(element).center):
        return False
    chain = list(ancestors(state, element))
    opened = any(each.element_type in MENUS | {BOX} for each in chain)
    if element.element_type == "menu item":
        opened |= not any(each.element_type == "menu bar" for each in chain[:1])
    return opened or any(_fills(visible_box(each), popup.box) for each in (element, *chain))


def _fills(box: Box, popup: Box) -> bool:
    return all(abs(own - other) <= _BORDER_PX for own, other in zip(box, popup, strict=True))
