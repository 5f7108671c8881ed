"""Windows with known pixels on a private desktop: X clients of their own connection and thread."""

from __future__ import annotations

import select
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from Xlib import X
from Xlib.display import Display
from Xlib.error import ConnectionClosedError
from Xlib.protocol.event import ClientMessage

from handeye.devices import Window
from handeye.geometry import Box, Point
from handeye.testing.desktop import PrivateDesktop
from handeye.testing.desktop_fake import pattern

DEADLINE_S = 120.0  # as long as a machine may be busy with something else
STRIP_ROWS = 16  # a request holds at most 256 KB without BIG-REQUESTS, which python-xlib has not


@dataclass(frozen=True)
class Looks:
    """
    Behaviour of a client: its `border` and `depth`, whether the server clears what is to be drawn (`background`),
    whether it answers the manager's ping, and how many seconds after it was asked it draws (`late_s`).
    """

    border: int = 0
    depth: int | None = None
    background: bool = False
    answers: bool = False
    late_s: float = 0.0


class PatternClient(threading.Thread):
    """Shows `pattern(width, height, seed)`, drawn when the server asks for it. It `hangs` while that is set."""

    def __init__(self, display: str, title: str, seed: int, box: Box, looks: Looks) -> None:
        super().__init__(daemon=True)
        self.display = Display(display)
        self.box, self.seed, self.looks = box, seed, looks
        self.mapped, self.drawn, self.ended = threading.Event(), threading.Event(), threading.Event()
        self.hangs = threading.Event()
        self.pressed: list[tuple[int, Point]] = []  # buttons, and where in the window
        self.depth = looks.depth or self.display.screen().root_depth
        self.window = self._made()
        self.window.set_wm_class("pattern", "Pattern")
        atom = self.display.get_atom
        self.window.change_property(atom("_NET_WM_NAME"), atom("UTF8_STRING"), 8, title.encode())
        self.window.set_wm_normal_hints(flags=1 | 2, x=box.left, y=box.top)
        self.window.set_wm_protocols([atom("_NET_WM_PING")] if looks.answers else [])
        self.window.map()
        self.display.sync()

    def _made(self) -> Any:
        screen = self.display.screen()
        visual, colormap = X.CopyFromParent, X.CopyFromParent
        for allowed in screen.allowed_depths:
            if allowed.depth == self.depth != screen.root_depth:
                visual = allowed.visuals[0].visual_id
                colormap = screen.root.create_colormap(visual, X.AllocNone)
        about = {"background_pixel": 0xFF00FF} if self.looks.background else {}
        place = (self.box.left, self.box.top, self.box.width, self.box.height, self.looks.border)
        kind = (self.depth, X.InputOutput, visual)
        events = X.ExposureMask | X.StructureNotifyMask | X.ButtonPressMask
        return screen.root.create_window(
            *place, *kind, event_mask=events, colormap=colormap, border_pixel=0x123456, **about
        )

    def run(self) -> None:
        with suppress(ConnectionClosedError):  # the window manager may end it
            self._serve()

    def _serve(self) -> None:
        pixels = pattern(self.box.width, self.box.height, self.seed)
        image = np.dstack([pixels[:, :, ::-1], np.full(pixels.shape[:2], 255, np.uint8)])
        gc = self.window.create_gc()
        while not self.ended.is_set():
            if self.hangs.is_set() or not self.display.pending_events():
                select.select([] if self.hangs.is_set() else [self.display], [], [], 0.02)
                continue
            event = self.display.next_event()
            if event.type == X.MapNotify:
                self.mapped.set()
            elif event.type == X.Expose and event.count == 0:
                self.ended.wait(self.looks.late_s)
                self._draw(gc, image)
            elif event.type == X.ButtonPress:
                self.pressed.append((event.detail, Point(event.event_x, event.event_y)))
            elif event.type == X.ClientMessage and self.looks.answers:
                root = self.display.screen().root
                pong = ClientMessage(window=root, client_type=event.client_type, data=event.data)
                root.send_event(pong, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
                self.display.flush()
        self.display.close()

    def _draw(self, gc: Any, image: Any) -> None:
        for top in range(0, self.box.height, STRIP_ROWS):
            rows = image[top : top + STRIP_ROWS]
            self.window.put_image(gc, 0, top, self.box.width, len(rows), X.ZPixmap, self.depth, 0, rows.tobytes())
        self.display.sync()
        self.drawn.set()


@contextmanager
def client(
    desktop: PrivateDesktop, title: str, seed: int, box: Box, looks: Looks = Looks(), *, seen: bool = True
) -> Iterator[PatternClient]:
    """A client at the place of `box`; gone at the end. Waits until it has drawn, or where nobody sees it, is mapped."""
    made = PatternClient(desktop.display, title, seed, box, looks)
    made.start()
    try:
        assert (made.drawn if seen else made.mapped).wait(DEADLINE_S)
        yield made
    finally:
        made.ended.set()
        made.join(DEADLINE_S)
        until(lambda: all(window.id != made.window.id for window in desktop.backend.windows()))


@contextmanager
def shown(
    desktop: PrivateDesktop, title: str, seed: int, box: Box, looks: Looks = Looks(), *, seen: bool = True
) -> Iterator[Window]:
    """The window of such a client."""
    with client(desktop, title, seed, box, looks, seen=seen) as made:
        until(lambda: any(window.id == made.window.id for window in desktop.backend.windows()))
        window = desktop.backend.window(made.window.id)
        assert window is not None
        yield window


def until(holds: Callable[[], bool]) -> None:
    """Wait for a condition."""
    limit = time.monotonic() + DEADLINE_S
    while not holds():
        assert time.monotonic() < limit, "the condition did not come true"
        time.sleep(0.01)
