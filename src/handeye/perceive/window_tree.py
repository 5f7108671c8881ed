"""The windows of a desktop as one tree on a frame: converts desktop pixels to frame pixels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from handeye.devices import DesktopBackend, Window, shortened
from handeye.elements import UIElement, UIState
from handeye.errors import HandeyeError, TreeFailed
from handeye.geometry import Box
from handeye.perceive.base import Detection, WindowProvider
from handeye.screen import Screen

# Targets are usually in the front windows. Each window costs a reading of 30-300 ms.
MOST_WINDOWS: Final = 6

# Roles whose content is drawn over the window while they are open.
_OPENED: Final = frozenset({"menu", "menu item", "combo box"})


class WindowTree:
    """
    A StateProvider for the locate chain: reads the windows of `backend` that the frame shows with `provider`.

    A frame of one window (named by its `window`) yields that window's elements; a frame of a monitor those of the topmost
    `MOST_WINDOWS` windows on it, the lowest first, in drawing order: later elements lie over earlier ones. A window that
    cannot be read becomes a note, unless none can be read.
    """

    def __init__(self, provider: WindowProvider, backend: DesktopBackend) -> None:
        self._provider = provider
        self._backend = backend

    @property
    def name(self) -> str:
        return self._provider.name

    @property
    def slow(self) -> bool:
        return False

    def detect(self, screen: Screen) -> UIState:
        """Return the elements on the frame. Raises TreeFailed if no window could be read, or the frame's window is gone."""
        windows = self._shown_on(screen)
        notes: list[str] = []
        read: list[Detection] = []
        failures: list[HandeyeError] = []
        for window in windows:
            try:
                detection = self._provider.detect(window)
            except HandeyeError as error:
                failures.append(error)
                notes.append(f"{shortened(window.title)!r}: {error}")
                continue
            read.append(detection)
            notes += [f"{shortened(window.title)!r}: {note}" for note in detection.notes]
        if failures and not read:
            raise TreeFailed("; ".join(notes)) from failures[0]
        return UIState(screen, tuple(_on_frame(read, screen)), tuple(notes))

    def _shown_on(self, screen: Screen) -> Sequence[Window]:
        """Return the windows to read, the lowest first."""
        known = screen.window.get("id")
        if isinstance(known, int):
            window = self._backend.window(known)
            if window is None:
                title = shortened(str(screen.window.get("title")))
                raise TreeFailed(f"the window {title!r} was closed; take a new picture")
            return [window]
        area = _desktop_box(screen)
        shown: list[Window] = []
        for window in self._backend.windows():
            part = window.frame.intersect(area)
            if not window.minimized and part is not None and not _is_covered(part, shown):
                shown.append(window)
        return shown[:MOST_WINDOWS][::-1]


def _is_covered(part: Box, above: Iterable[Window]) -> bool:
    """Return True if one window above hides all of `part`."""
    return any(part.intersect(window.box) == part for window in above)


def _desktop_box(screen: Screen) -> Box:
    scale, origin = screen.pixels_per_unit, screen.origin
    width, height = screen.size
    return Box(
        round(origin.x),
        round(origin.y),
        round(origin.x + width / scale),
        round(origin.y + height / scale),
    )


def _on_frame(detections: Iterable[Detection], screen: Screen) -> Iterable[UIElement]:
    """Yield all elements in frame pixels, numbered consecutively across windows."""
    before = 0
    for detection in detections:
        for element in _as_drawn(detection.targets):
            box = element.bbox if element.metadata.get("offscreen") else _frame_box(element.bbox, screen)
            seen = _frame_box(element.visible_region or element.bbox, screen).intersect(screen.box)
            yield replace(
                element,
                bbox=box,
                visible_region=seen if seen is not None and seen != box else None,
                id=None if element.id is None else element.id + before,
                parent=None if element.parent is None else element.parent + before,
            )
        before += len(detection.targets)


def _as_drawn(targets: Sequence[UIElement]) -> list[UIElement]:
    """Sort elements of open menus last: they lie over the window, wherever the application's tree has them."""
    by_id = {each.id: each for each in targets if each.id is not None}
    over: set[int | None] = set()
    for each in targets:  # parents come first
        holder = by_id.get(each.parent) if each.parent is not None else None
        if holder is not None and (holder.id in over or holder.element_type in _OPENED):
            over.add(each.id)
    return sorted(targets, key=lambda each: each.id in over)


def _frame_box(box: Box, screen: Screen) -> Box:
    scale, origin = screen.pixels_per_unit, screen.origin
    return Box(
        round((box.left - origin.x) * scale),
        round((box.top - origin.y) * scale),
        round((box.right - origin.x) * scale),
        round((box.bottom - origin.y) * scale),
    )
