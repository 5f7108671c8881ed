"""Verification of actions by pictures, for windows whose application does not report their effect."""

from __future__ import annotations

import unicodedata
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.clock import Clock, Deadline
from handeye.desktop.capture_view import WindowPictures, own_menus
from handeye.desktop.effects import DEADLINE_S, POLL_S
from handeye.devices import DesktopBackend, Window
from handeye.elements import UIElement
from handeye.errors import DeviceError, HandeyeError
from handeye.geometry import Box
from handeye.locate import read_lines
from handeye.matching import NOISE
from handeye.ocr import TextReader
from handeye.perceive import TREE_SOURCE, visible_box
from handeye.screen import Pixels, Screen

# Least pictures to detect a movement, and then to cover all of it, also on a busy machine, where pictures are far apart.
_LEAST_PICTURES: Final = (4, 20)
_LONGEST_WATCH_S: Final = 12.0
# If two pictures are further apart, a clock may have ticked between them.
_SOON_S: Final = 0.5
# Roles whose own change is the effect of a press. On any other element it may be only a focus ring.
_TOGGLED_ROLES: Final = frozenset({"checkbox", "radio", "switch", "slider"})
# Width of a focus ring at an element's edge.
_RING_PX: Final = 2
# A narrower change may be a caret.
_CARET_PX: Final = 6
# Gap between the dashes of a ring, and between the letters of a word.
_JOINED_PX: Final = 3
_JOINED: Final = np.ones((2 * _JOINED_PX + 1, 2 * _JOINED_PX + 1), np.uint8)
# Area around a pixel that changes by itself: the neighbouring digits belong to the same clock.
_CLOCK_AREA: Final = np.ones((33, 33), np.uint8)
# Fewer characters may be read by chance.
_LEAST_READ: Final = 3

Mask = npt.NDArray[np.bool_]

_UNCHANGED: Final = "its window looks as it did"
_CHANGED: Final = "its window looks different now"
_RESTLESS: Final = "its window changes by itself"
_OPENED: Final = "a window or menu of its program was opened or closed"
_READ: Final = "the text is read there"
_UNREAD: Final = "the text is not read there"


def is_outside_tree(element: UIElement) -> bool:
    """Return True if an element is not in the accessibility tree, so that only a picture shows an effect on it."""
    return element.source not in ("", TREE_SOURCE)


class PictureWatch:
    """
    Compares pictures of `window` before and after an action. `reader` is the OCR for typed text. An effect that cannot be seen
    is unknown: no call raises a DeviceError.
    """

    def __init__(self, backend: DesktopBackend, window: Window, clock: Clock, reader: TextReader | None = None) -> None:
        self._backend = backend
        self._window = window
        self._clock = clock
        self._reader = reader
        self._pictures = WindowPictures(backend)
        self._before = self._picture()
        self._surfaces_before = self._surfaces()

    def effect_of_press(self, element: UIElement) -> tuple[bool | None, str]:
        """
        Return True and the reason if something outside of `element` has changed, or the element itself if a press toggles it;
        None and the reason if nothing has, or only something that changes by itself.
        """
        before = now = self._before
        if before is None:
            return None, ""
        counted = self._counted(element, before)
        for _ in Deadline(self._clock, DEADLINE_S).looks(POLL_S):
            now = self._picture()
            if self._surfaces() != self._surfaces_before:
                return True, _OPENED
            if now is None or now.shape != before.shape:
                return None, ""
            if _is_change(_differing(before, now), counted):
                break
        else:
            return None, _UNCHANGED
        last, restless = self._watch(before, now)
        if self._surfaces() != self._surfaces_before:
            return True, _OPENED
        if last is None:
            return None, ""
        if _is_change(_differing(before, last), counted & ~restless):
            return True, _CHANGED
        return None, _RESTLESS if (restless & counted).any() else _UNCHANGED

    def effect_of_typing(self, text: str, into: UIElement | None = None) -> tuple[bool | None, str]:
        """
        Return True if the text is read more often than before, in the window or in the element that it was typed `into`; else
        None, because OCR may be wrong.
        """
        wanted = _folded(text)
        within = (
            visible_box(into).translate(-self._window.box.left, -self._window.box.top) if into is not None else None
        )
        before = self._read(self._before, within)
        if before is None or len(wanted) < _LEAST_READ:
            return None, ""
        for _ in Deadline(self._clock, DEADLINE_S).looks(POLL_S):
            now = self._read(self._picture(), within)
            if now is None:
                return None, ""
            if now.count(wanted) > before.count(wanted):
                return True, _READ
        return None, _UNREAD

    def _watch(self, before: Pixels, first: Pixels) -> tuple[Pixels | None, Mask]:
        """Return the window's picture at the end of the watch, and a mask of what changed more than once or still does."""
        last, moving = first, _differing(before, first)
        changes = moving.astype(np.uint8)
        longest = Deadline(self._clock, _LONGEST_WATCH_S)
        for least in _LEAST_PICTURES:  # if the effect came before a clock's tick, only its second tick shows the clock
            watched, pictures = Deadline(self._clock, DEADLINE_S), 0
            while not watched.passed or pictures < least:
                pictures += 1
                since = self._clock.now()
                self._clock.sleep(POLL_S)
                now = self._picture()
                if now is None or now.shape != first.shape or longest.passed:
                    return None, moving
                differing = _differing(last, now)
                if self._clock.now() - since > _SOON_S:
                    moving = np.zeros_like(moving)
                changes += differing & ~moving  # a continuous change counts once, such as a page that fades in
                last, moving = now, differing
            if not ((changes > 1) | moving).any():
                break
        return last, cv2.dilate(((changes > 1) | moving).astype(np.uint8), _CLOCK_AREA) > 0

    def _counted(self, element: UIElement, picture: Pixels) -> Mask:
        """Return the mask of pixels where a change is an effect of a press on `element`, not only feedback of the press."""
        counted = np.ones(picture.shape[:2], np.bool_)
        own = visible_box(element).translate(-self._window.box.left, -self._window.box.top)
        counted[_slices(own, own.height)] = False
        if element.element_type in _TOGGLED_ROLES:
            counted[_slices(own, -_RING_PX)] = True
        return counted

    def _picture(self) -> Pixels | None:
        try:
            now = self._backend.window(self._window.id)
            return self._pictures.grab_window(now) if now is not None else None
        except DeviceError:
            return None

    def _surfaces(self) -> frozenset[int]:
        """Return the ids of the program's windows and open menus."""
        try:
            windows = [each.id for each in self._backend.windows() if each.process == self._window.process]
            return frozenset([*windows, *(each.id for each in own_menus(self._backend, self._window))])
        except DeviceError:
            return frozenset()

    def _read(self, picture: Pixels | None, within: Box | None) -> str | None:
        if picture is None or self._reader is None:
            return None
        try:
            lines = read_lines(self._reader, Screen(picture))
        except HandeyeError:
            return None
        return _folded("".join(line.text for line in lines if within is None or within.contains(line.box.center)))


def _differing(before: Pixels, now: Pixels) -> Mask:
    return np.asarray(cv2.absdiff(before, now).max(axis=2) > NOISE)


def _is_change(changed: Mask, counted: Mask) -> bool:
    """Return True if more has changed within `counted` than a caret or the focus ring of another control."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(cv2.dilate(changed.astype(np.uint8), _JOINED))
    for label in range(1, count):
        left, top, width, height, _ = (int(number) for number in stats[label])
        whole = (slice(top, top + height), slice(left, left + width))
        own = changed[whole] & (labels[whole] == label)
        edge = _JOINED_PX + _RING_PX + 1
        is_ring = min(width, height) - 2 * edge >= _CARET_PX and not own[edge:-edge, edge:-edge].any()
        if width - 2 * _JOINED_PX >= _CARET_PX and not is_ring and (own & counted[whole]).any():
            return True
    return False


def _slices(box: Box, by: int) -> tuple[slice, slice]:
    """Return the rows and columns of a box expanded by `by` pixels on each side."""
    edges = [max(0, edge) for edge in (box.top - by, box.bottom + by, box.left - by, box.right + by)]
    return slice(edges[0], edges[1]), slice(edges[2], edges[3])


def _folded(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())
