"""Tests of windows whose manager frames them and keeps no client list, as Weston does under XWayland."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from Xlib import X
from Xlib.display import Display
from Xlib.xobject.drawable import Window as XWindow

from handeye.geometry import Box, Point
from handeye.testing.desktop import PrivateDesktop

FRAME = Box(100, 80, 420, 360)
INSIDE = Box(8, 30, 312, 272)
"""Of a frame: where its window is."""
NORMAL = 1  # WM_STATE


class Manager:
    """Names itself as EWMH says, and puts windows into frames. `supported` is what it says that it knows."""

    def __init__(self, display: str, supported: tuple[str, ...]) -> None:
        self.display = Display(display)
        self._root: Any = self.display.screen().root
        holder = self._made(self._root, Box(0, 0, 10, 10))
        atom = self.display.get_atom
        for window in (self._root, holder):
            window.change_property(atom("_NET_SUPPORTING_WM_CHECK"), atom("WINDOW"), 32, [holder.id])
        self._root.change_property(atom("_NET_SUPPORTED"), atom("ATOM"), 32, [atom(name) for name in supported])
        holder.map()  # as "Weston WM" is
        self.display.sync()

    def framed(self, title: str) -> int:
        """A window in a frame at FRAME; its number."""
        frame = self._made(self._root, FRAME)
        window = self._made(frame, INSIDE)
        atom = self.display.get_atom
        window.set_wm_name(title)
        window.change_property(atom("WM_STATE"), atom("WM_STATE"), 32, [NORMAL, X.NONE])
        window.map()
        frame.map()
        self.display.sync()
        return int(window.id)

    def _made(self, parent: XWindow, box: Box) -> XWindow:
        return parent.create_window(box.left, box.top, box.width, box.height, 0, X.CopyFromParent)

    def close(self) -> None:
        self._root.delete_property(self.display.get_atom("_NET_SUPPORTED"))
        self.display.close()


@pytest.fixture
def manager(bare: PrivateDesktop, request: pytest.FixtureRequest) -> Iterator[Manager]:
    made = Manager(bare.display, request.param)
    yield made
    made.close()


@pytest.mark.parametrize("manager", [("_NET_ACTIVE_WINDOW",)], indirect=True)
def test_client_window_is_found_instead_of_frame(bare: PrivateDesktop, manager: Manager) -> None:
    backend = bare.backend
    assert backend.managed
    assert backend.windows() == ()
    id = manager.framed("in a frame")
    (window,) = backend.windows()
    assert (window.id, window.title) == (id, "in a frame")
    assert window.box == INSIDE.translate(FRAME.left, FRAME.top)
    surface = backend.surface_at(Point(200, 200))
    assert surface is not None
    assert (surface.id, surface.popup) == (id, False)


@pytest.mark.parametrize("manager", [("_NET_CLIENT_LIST",)], indirect=True)
def test_client_list_of_window_manager_is_trusted(bare: PrivateDesktop, manager: Manager) -> None:
    manager.framed("not in its list")
    assert bare.backend.windows() == ()
