"""Mouse and keyboard on an element of a window: at the place where it is at that moment, or not at all."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from handeye.actions import Action, ActionResult, Click, Drag, Scroll
from handeye.devices.desktop.base import Window
from handeye.devices.desktop.device import DesktopDevice
from handeye.elements import UIElement
from handeye.errors import CaptureFailed, DeviceError, DeviceLost
from handeye.geometry import Box, Point
from handeye.perceive.base import Control
from handeye.screen import InputPoint

DRAG_MS: Final = 300


class Hands:
    """Acts on elements of `device`'s windows. Every call raises DeviceError when the place cannot be reached."""

    def __init__(self, device: DesktopDevice) -> None:
        self._device = device
        self._backend = device.backend

    def in_front(self, window: Window) -> Window:
        """The window as it is now, with the keyboard. Raises DeviceLost when it is gone."""
        now = self._backend.window(window.id)
        if now is not None and (not now.focused or now.minimized):
            self._backend.focus(now)
            now = self._backend.window(window.id)
        if now is None or now.process != window.process:
            raise DeviceLost(f"the window {window} was closed")
        return now

    def click(
        self, window: Window, element: UIElement, control: Control | None, *, button: str = "left", count: int = 1
    ) -> ActionResult:
        """Click at its centre; what is scrolled out of view is scrolled into it first, where its application can do that."""
        if element.metadata.get("offscreen"):
            element = self._scrolled_in(element, control)
        at = self.point(window, element.center, is_exact=control is not None)
        result = self._device.perform(Click(at, button, count))
        return replace(result, note=result.note or f"clicked at ({at.x:g}, {at.y:g})")

    def drag(self, window: Window, element: UIElement, to: Point, *, is_exact: bool) -> ActionResult:
        """Press at its centre, and let go at `to`, both as they were in the state of `window`."""
        start = self.point(window, element.center, is_exact=is_exact)
        moved = self._moved(window)
        end = InputPoint(float(to.x + moved.x), float(to.y + moved.y))
        self._device.perform(Drag(start, end, DRAG_MS))
        return ActionResult(f"dragged from ({start.x:g}, {start.y:g}) to ({end.x:g}, {end.y:g})")

    def scroll(self, window: Window, element: UIElement, *, down: int, across: int) -> ActionResult:
        """Turn the wheel over its centre."""
        at = self.point(window, element.center, is_exact=False)
        self._device.perform(Scroll(at, down, across))
        return ActionResult(f"turned the wheel by {down} down and {across} across")

    def perform(self, action: Action) -> ActionResult:
        """What names its place itself, or needs none."""
        return self._device.perform(action)

    def point(self, window: Window, place: Point, *, is_exact: bool) -> InputPoint:
        """
        Where a place of a state is now: `window` may have moved since. An `is_exact` place, of an open menu for instance, may
        lie outside. Raises DeviceError for what another window covers, or has changed its size.
        """
        now = self.in_front(window)
        if (now.box.width, now.box.height) != (window.box.width, window.box.height):
            raise DeviceError(f"the window {now} has changed its size: list its elements anew")
        at = place.translate(now.box.left - window.box.left, now.box.top - window.box.top)
        if not (is_exact and not now.frame.contains(at)):
            self._refuse_covered(now, at)
        return InputPoint(float(at.x), float(at.y))

    def _refuse_covered(self, window: Window, at: Point) -> None:
        shown = (other for other in self._backend.windows() if not other.minimized and other.frame.contains(at))
        top = next(shown, None)
        if top is None or top.id != window.id:
            where = f"covered by {top}" if top is not None else "outside"
            raise DeviceError(f"the place {tuple(at)} of the window {window} is {where}")

    def _moved(self, window: Window) -> Point:
        now = self.in_front(window)
        return Point(now.box.left - window.box.left, now.box.top - window.box.top)

    def _scrolled_in(self, element: UIElement, control: Control | None) -> UIElement:
        if control is None:
            raise CaptureFailed("it is scrolled out of view, and nobody can scroll it into view")
        control.scroll_into_view()
        box: Box | None = control.box()
        if box is None or not box.area:
            raise DeviceError("it is scrolled out of view, and its application did not scroll it into view")
        return replace(element, bbox=box, visible_region=None, metadata={})
