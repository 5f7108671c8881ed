"""Tests of the order of a click and the keys after it, also with a slow window manager."""

from __future__ import annotations

import select
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from Xlib import X
from Xlib.display import Display

from handeye.devices import MouseButton, X11Backend
from handeye.errors import TextInputFailed
from handeye.geometry import Point
from handeye.testing.desktop import PrivateDesktop
from handeye.testing.fakes import FakeClock

LONGEST_BUSY_S = 4.0
"""Longer than the pointer is waited for, shorter than an answer is."""


class Application:
    """A window over the whole screen that has the keyboard, and remembers what came first."""

    def __init__(self, display: str) -> None:
        self.display = Display(display)
        screen = self.display.screen()
        size = (screen.width_in_pixels, screen.height_in_pixels)
        wanted = X.ButtonPressMask | X.KeyPressMask
        self.window = screen.root.create_window(0, 0, *size, 0, X.CopyFromParent, event_mask=wanted)
        self.window.map()
        self.window.set_input_focus(X.RevertToParent, X.CurrentTime)
        self.display.sync()

    def heard(self) -> list[str]:
        self.display.sync()
        names = {X.ButtonPress: "click", X.KeyPress: "key"}
        events = [self.display.next_event() for _ in range(self.display.pending_events())]
        return [names[event.type] for event in events if event.type in names]


class SlowManager(threading.Thread):
    """
    Grabs clicks on a window as managers that raise what is clicked do: the pointer stands still until they let the click go.
    This one is busy when a click comes, and looks at it only when it gets a question, or after `LONGEST_BUSY_S`. It handles
    everything in the order in which it came. `answers`: whether it answers questions at all.
    """

    def __init__(self, display: str, grabbed: int, *, answers: bool = True) -> None:
        super().__init__(daemon=True)
        self._display = Display(display)
        self._answers = answers
        self._ended = threading.Event()
        self._root: Any = self._display.screen().root
        self._root.change_attributes(event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
        self._name_itself()
        window = self._display.create_resource_object("window", grabbed)
        window.grab_button(1, X.AnyModifier, False, X.ButtonPressMask, X.GrabModeSync, X.GrabModeAsync, X.NONE, X.NONE)
        self._display.sync()

    def _name_itself(self) -> None:
        atom = self._display.get_atom
        self._holder = self._root.create_window(-1, -1, 1, 1, 0, X.CopyFromParent)
        for window in (self._root, self._holder):
            window.change_property(atom("_NET_SUPPORTING_WM_CHECK"), atom("WINDOW"), 32, [self._holder.id])
        known = [atom("_NET_SUPPORTING_WM_CHECK"), atom("_NET_REQUEST_FRAME_EXTENTS")]
        self._root.change_property(atom("_NET_SUPPORTED"), atom("ATOM"), 32, known)

    def run(self) -> None:
        click = None
        while not self._ended.is_set():
            if not self._display.pending_events():
                late = not select.select([self._display], [], [], LONGEST_BUSY_S if click else 0.02)[0]
                if click and late:
                    click = self._let_through(click)
                continue
            event = self._display.next_event()
            if event.type == X.ButtonPress:
                click = event
            elif event.type == X.ClientMessage:
                click = self._let_through(click) if click else None
                self._answer(event.window)
        self.close()

    def close(self) -> None:
        self._display.close()

    def end(self) -> None:
        self._ended.set()
        self.join(LONGEST_BUSY_S * 2)

    def _let_through(self, click: Any) -> None:
        self._display.allow_events(X.ReplayPointer, click.time)
        self._display.flush()

    def _answer(self, window: Any) -> None:
        if self._answers:
            atom = self._display.get_atom
            window.change_property(atom("_NET_FRAME_EXTENTS"), atom("CARDINAL"), 32, [1, 1, 20, 1])
        self._display.flush()


@pytest.fixture
def application(bare: PrivateDesktop) -> Iterator[Application]:
    made = Application(bare.display)
    yield made
    made.display.close()


def click(backend: X11Backend) -> None:
    backend.move(Point(100, 100))
    for down in (True, False):
        backend.button(MouseButton.LEFT, down=down)


@pytest.mark.parametrize("way", ["type", "press"])
def test_delayed_click_arrives_before_following_keys(bare: PrivateDesktop, application: Application, way: str) -> None:
    manager = SlowManager(bare.display, application.window.id)
    manager.start()
    try:
        click(bare.backend)
        if way == "type":
            bare.backend.type("ab")
        else:
            for down in (True, False):
                bare.backend.key("a", down=down)
    finally:
        manager.end()
    assert application.heard() == ["click", *["key"] * (2 if way == "type" else 1)]


def test_nothing_is_typed_while_window_manager_hangs(bare: PrivateDesktop, application: Application) -> None:
    manager = SlowManager(bare.display, application.window.id, answers=False)
    manager.start()
    backend = X11Backend(bare.display, clock=FakeClock())
    try:
        click(backend)
        with pytest.raises(TextInputFailed, match="nothing was typed"):
            backend.type("ab")
    finally:
        backend.close()
        manager.end()
    assert "key" not in application.heard()


def test_closed_window_manager_is_not_waited_for(bare: PrivateDesktop, application: Application) -> None:
    manager = SlowManager(bare.display, application.window.id)
    manager.close()
    backend = X11Backend(bare.display, clock=FakeClock())
    click(backend)
    backend.type("ab")
    backend.close()
    assert application.heard() == ["click", "key", "key"]
