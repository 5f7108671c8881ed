"""What a window holds, and how it looks, at one moment in which it stood still."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from handeye.desktop.look import MOST_PIXELS, look_of
from handeye.desktop.providers import Providers
from handeye.desktop.state import WindowState
from handeye.desktop.window_picture import WindowPictures
from handeye.devices.desktop.base import DesktopBackend, Window
from handeye.devices.desktop.reach import while_still
from handeye.elements import UIElement
from handeye.errors import CaptureFailed, TreeFailed
from handeye.geometry import Box
from handeye.perceive.base import Detection
from handeye.perceive.layout import seen
from handeye.perceive.listing import name_of
from handeye.perceive.vision import SEEN
from handeye.screen import Screen

# What changes its look by being used, or with what is written into it, is none of these.
_PICTURED: Final = frozenset({"button", "list item", "tree item", "cell", "menu item", "link", "image", "icon", "tab"})


class Looking:
    """Looks at windows of `backend` through `providers`."""

    def __init__(self, backend: DesktopBackend, providers: Providers) -> None:
        self.backend = backend
        self._providers = providers
        self._shots = WindowPictures(backend)

    def read(self, window: Window, *, infer: bool, vision: bool, or_nothing: bool = False) -> WindowState:
        """
        The state of a window. Raises what the providers raise, DeviceLost, and TreeFailed for one that keeps moving.
        `or_nothing`: where its tree cannot be read, the state has no elements, and a note that says why.
        """
        provider = self._providers.chosen(infer=infer, vision=vision)

        def look(at: Window) -> Detection:
            try:
                return provider.detect(at)
            except TreeFailed as error:
                if not or_nothing:
                    raise
                return Detection((), (), (str(error),))

        still, detection = while_still(self.backend, window, look, TreeFailed)
        return WindowState(still, detection, infer, vision)

    def read_to_keep(self, window: Window, *, infer: bool, vision: bool) -> WindowState:
        """The same, with what is needed to know again what was only seen, and what has no name."""
        state = self.read(window, infer=infer, vision=vision)
        return replace(state, looks=self._looks(state) if vision else {}, pictures=self._pictures(state))

    def picture(self, window: Window) -> Screen:
        return Screen(self._shots.grab_window(window), window=window.about)

    def _looks(self, state: WindowState) -> Mapping[int, int]:
        """Checksums of what was only seen."""
        only_seen = [each for each in state.elements if each.source in SEEN and each.id is not None]
        if not only_seen:
            return {}
        picture = self.picture(state.window)
        return {
            each.id: picture.crop(inside(each.bbox, state.window)).digest for each in only_seen if each.id is not None
        }

    def _pictures(self, state: WindowState) -> Mapping[int, str]:
        """The looks of what has no name; none where the system gives no picture."""
        drawn = [
            (number, inside(seen(each), state.window))
            for number, each in enumerate(state.elements, 1)
            if _is_pictured(each)
        ]
        size = Box(0, 0, state.window.box.width, state.window.box.height)
        places = [(id, box) for id, box in drawn if box.intersect(size) == box]
        if not places:
            return {}
        try:
            picture = self.picture(state.window)
        except CaptureFailed:
            return {}
        return {id: look_of(picture, box) for id, box in places if box.intersect(picture.box) == box}


def _is_pictured(element: UIElement) -> bool:
    """Whether it can be clicked, nothing but a picture tells what it is, and that changes only when it does."""
    return bool(
        element.interactive
        and element.element_type in _PICTURED
        and element.source not in SEEN
        and not name_of(element)
        and not element.metadata.get("offscreen")
        and 0 < seen(element).area <= MOST_PIXELS
    )


def inside(box: Box, window: Window) -> Box:
    """A box of the desktop in pixels of a window's picture."""
    return box.translate(-window.box.left, -window.box.top)
