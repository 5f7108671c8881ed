"""What a window holds, and how it looks, at one moment in which it stood still."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from handeye.desktop.providers import Providers
from handeye.desktop.state import WindowState
from handeye.devices.desktop.base import DesktopBackend, Window
from handeye.devices.desktop.reach import while_still
from handeye.errors import TreeFailed
from handeye.geometry import Box
from handeye.perceive.vision import SOURCE as SEEN
from handeye.screen import Screen


class Looking:
    """Looks at windows of `backend` through `providers`."""

    def __init__(self, backend: DesktopBackend, providers: Providers) -> None:
        self.backend = backend
        self._providers = providers

    def read(self, window: Window, *, infer: bool, vision: bool) -> WindowState:
        """The state of a window. Raises what the providers raise, DeviceLost, and TreeFailed for one that keeps moving."""
        provider = self._providers.chosen(infer=infer, vision=vision)
        still, detection = while_still(self.backend, window, provider.detect, TreeFailed)
        return WindowState(still, detection, infer, vision)

    def read_to_keep(self, window: Window, *, infer: bool, vision: bool) -> WindowState:
        """The same, with what is needed to know again what was only seen."""
        state = self.read(window, infer=infer, vision=vision)
        return replace(state, looks=self._looks(state)) if vision else state

    def picture(self, window: Window) -> Screen:
        return Screen(self.backend.grab_window(window), window=window.about)

    def _looks(self, state: WindowState) -> Mapping[int, int]:
        """Checksums of what was only seen."""
        seen = [each for each in state.elements if each.source == SEEN and each.id is not None]
        if not seen:
            return {}
        picture = self.picture(state.window)
        return {each.id: picture.crop(inside(each.bbox, state.window)).digest for each in seen if each.id is not None}


def inside(box: Box, window: Window) -> Box:
    """A box of the desktop in pixels of a window's picture."""
    return box.translate(-window.box.left, -window.box.top)
