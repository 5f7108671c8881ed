"""The effect of an act that can be seen, for windows whose application tells nothing of it."""

from __future__ import annotations

import unicodedata
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.clock import Clock, Deadline
from handeye.desktop.effect import DEADLINE_S
from handeye.desktop.window_picture import WindowPictures, own_menus
from handeye.devices.desktop.base import DesktopBackend, Window
from handeye.elements import UIElement
from handeye.errors import DeviceError, HandeyeError
from handeye.geometry import Box
from handeye.locate.reading import lines_on
from handeye.ocr.base import TextReader
from handeye.perceive.layout import seen
from handeye.perceive.told import SOURCE as TOLD
from handeye.screen import Pixels, Screen
from handeye.verify.pixels import NOISE

# A clock's next second and a caret's next blink come within this time of the first change that is seen.
WATCHED_S: Final = 1.2
_POLL_S: Final = 0.1
# Where pictures are further apart, as on a busy machine, a clock has ticked between any two.
_SOON_S: Final = 0.5
_LONGEST_WATCH_S: Final = 12.0
# To tell that something moves, and then all of its way.
_LEAST_PICTURES: Final = (4, 20)
# What a press changes on these themselves is their effect. Of everything else it may be no more than a ring around it.
_TURNED: Final = frozenset({"checkbox", "radio", "switch", "slider"})
# A ring around what has the keyboard is drawn on its edge.
_RING_PX: Final = 2
# What is narrower may be a caret.
_CARET_PX: Final = 6
# Between the dashes of a ring, and the letters of a word.
_JOINED_PX: Final = 3
# Digits and letters that change by themselves stand beside others of the same clock.
_BESIDE_PX: Final = 16
# Fewer characters are read where nobody typed them.
_LEAST_READ: Final = 3

Mask = npt.NDArray[np.bool_]

_UNCHANGED: Final = "its window looks as it did"
_CHANGED: Final = "its window looks different now"
_RESTLESS: Final = "its window changes by itself"
_OPENED: Final = "a window or menu of its program was opened or closed"
_READ: Final = "the text is read there"
_UNREAD: Final = "the text is not read there"


def is_untold(element: UIElement) -> bool:
    """Return True if its application does not tell of an element, so that only a picture shows what becomes of it."""
    return element.source not in ("", TOLD)


class PictureWatch:
    """
    `window` as it looked before an act, and afterwards. `reader` reads the text that is typed. What cannot be seen is not
    known: no call raises a DeviceError.
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
        True where something beside `element` has changed, or of what is turned over itself, and what; None where nothing has,
        or only what changes by itself.
        """
        if self._before is None:
            return None, ""
        counted = self._counted(element, self._before)
        deadline = Deadline(self._clock, DEADLINE_S)
        while True:
            now = self._picture()
            if self._surfaces() != self._surfaces_before:
                return True, _OPENED
            if now is None or now.shape != self._before.shape:
                return None, ""
            if _is_change(_differing(self._before, now), counted):
                break
            if deadline.passed:
                return None, _UNCHANGED
            deadline.pause(_POLL_S)
        last, restless = self._watch(self._before, now)
        if self._surfaces() != self._surfaces_before:
            return True, _OPENED
        if last is None:
            return None, ""
        if _is_change(_differing(self._before, last), counted & ~restless):
            return True, _CHANGED
        return None, _RESTLESS if (restless & counted).any() else _UNCHANGED

    def effect_of_typing(self, text: str, into: UIElement | None = None) -> tuple[bool | None, str]:
        """
        True where the text is read more often than before, in the window or in the element that it was typed `into`; None where
        it is not: a reader may be wrong.
        """
        wanted = _folded(text)
        within = seen(into).translate(-self._window.box.left, -self._window.box.top) if into is not None else None
        before = self._read(self._before, within)
        if before is None or len(wanted) < _LEAST_READ:
            return None, ""
        deadline = Deadline(self._clock, DEADLINE_S)
        while True:
            now = self._read(self._picture(), within)
            if now is None:
                return None, ""
            if now.count(wanted) > before.count(wanted):
                return True, _READ
            if deadline.passed:
                return None, _UNREAD
            deadline.pause(_POLL_S)

    def _watch(self, before: Pixels, first: Pixels) -> tuple[Pixels | None, Mask]:
        """The window at the end of the watch, and around which pixels it changed more than once, or still does."""
        moving = _differing(before, first)
        changes = moving.astype(np.uint8)
        last = first
        longest = Deadline(self._clock, _LONGEST_WATCH_S)
        for least in _LEAST_PICTURES:  # where something changed before a clock did, only its second tick tells of it
            watched = Deadline(self._clock, WATCHED_S)
            pictures = 0
            while not watched.passed or pictures < least:
                pictures += 1
                since = self._clock.now()
                self._clock.sleep(_POLL_S)
                now = self._picture()
                if now is None or now.shape != first.shape or longest.passed:
                    return None, moving
                differing = _differing(last, now)
                if self._clock.now() - since > _SOON_S:
                    moving = np.zeros_like(moving)
                changes += differing & ~moving  # what goes on changing is one change, such as a page that fades in
                last, moving = now, differing
            if not ((changes > 1) | moving).any():
                break
        reach = np.ones((2 * _BESIDE_PX + 1, 2 * _BESIDE_PX + 1), np.uint8)
        return last, cv2.dilate(((changes > 1) | moving).astype(np.uint8), reach) > 0

    def _counted(self, element: UIElement, picture: Pixels) -> Mask:
        """Return where in the window a change is an effect of a press on `element`, and not only shows the press."""
        counted = np.ones(picture.shape[:2], np.bool_)
        own = seen(element).translate(-self._window.box.left, -self._window.box.top)
        counted[_slices(own, own.height)] = False
        if element.element_type in _TURNED:
            counted[_slices(own, -_RING_PX)] = True
        return counted

    def _picture(self) -> Pixels | None:
        try:
            now = self._backend.window(self._window.id)
            return self._pictures.grab_window(now) if now is not None else None
        except DeviceError:
            return None

    def _surfaces(self) -> frozenset[int]:
        """The windows and open menus of the program."""
        try:
            windows = [each.id for each in self._backend.windows() if each.process == self._window.process]
            return frozenset([*windows, *(each.id for each in own_menus(self._backend, self._window))])
        except DeviceError:
            return frozenset()

    def _read(self, picture: Pixels | None, within: Box | None) -> str | None:
        if picture is None or self._reader is None:
            return None
        try:
            lines = lines_on(self._reader, Screen(picture))
        except HandeyeError:
            return None
        return _folded("".join(line.text for line in lines if within is None or within.contains(line.box.center)))


def _differing(before: Pixels, now: Pixels) -> Mask:
    return np.asarray(cv2.absdiff(before, now).max(axis=2) > NOISE)


def _is_change(changed: Mask, counted: Mask) -> bool:
    """Return True if more has changed in what is counted than a caret, or a ring around another control with the keyboard."""
    joined = cv2.dilate(changed.astype(np.uint8), np.ones((2 * _JOINED_PX + 1, 2 * _JOINED_PX + 1), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined)
    for label in range(1, count):
        left, top, width, height, _ = (int(number) for number in stats[label])
        if width - 2 * _JOINED_PX < _CARET_PX:
            continue
        edge = _JOINED_PX + _RING_PX + 1
        inside = (slice(top + edge, top + height - edge), slice(left + edge, left + width - edge))
        is_open = min(width, height) - 2 * edge >= _CARET_PX
        if is_open and not (changed[inside] & (labels[inside] == label)).any():
            continue
        whole = (slice(top, top + height), slice(left, left + width))
        if (changed[whole] & counted[whole] & (labels[whole] == label)).any():
            return True
    return False


def _slices(box: Box, by: int) -> tuple[slice, slice]:
    """The rows and columns of a box that is larger by so many pixels on each side."""
    edges = [max(0, edge) for edge in (box.top - by, box.bottom + by, box.left - by, box.right + by)]
    return slice(edges[0], edges[1]), slice(edges[2], edges[3])


def _folded(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())
