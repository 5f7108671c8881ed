"""Sessions with real applications on the private desktop, and waiting for what an application reports."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from live_tree import until
from Xlib import X
from Xlib.protocol.event import ClientMessage

from handeye.desktop import DesktopSession
from handeye.devices import DesktopDevice, Window
from handeye.elements import UIElement
from handeye.errors import HandeyeError
from handeye.testing.desktop import PrivateDesktop

CHINESE = "你好, 世界 ✓"
_REMOVE = 0  # _NET_WM_STATE_REMOVE


class RealApp:
    """One application's window in the hands of a session."""

    def __init__(
        self, desktop: PrivateDesktop, session: DesktopSession, title: str, process: subprocess.Popen[bytes]
    ) -> None:
        self.desktop = desktop
        self.session = session
        self.title = title
        self.process = process

    @property
    def window(self) -> Window:
        return self.session.window(self.title)

    @property
    def lines(self) -> list[Any]:
        """State reports of a test application, oldest first. The last line may be half written and is left out."""
        return [json.loads(line) for line in self.desktop.output(self.process).split("\n")[:-1]]

    def element(self, role: str, name: str = "") -> UIElement:
        """The first element of that role and name, once it is there."""

        def look() -> UIElement | None:
            try:
                elements = self.session.state(self.title).elements
            except HandeyeError:
                return None  # it has only just begun
            return next((each for each in elements if each.element_type == role and name in each.text), None)

        return until(look)

    def names(self, role: str) -> set[str]:
        return {each.text for each in self.session.state(self.title).elements if each.element_type == role}

    def once(self, reached: Callable[[], bool]) -> None:
        until(lambda: reached() or None)

    def find(self, phrase: str) -> UIElement:
        return self.session.find(phrase, self.title).element

    def move(self, dx: int, dy: int) -> None:
        """Move the window, as its user would, without anything else taking notice. It no longer fills the screen."""
        display = self.desktop.backend.display
        before = self.window
        moved = display.create_resource_object("window", before.id)
        sides = [display.get_atom(f"_NET_WM_STATE_MAXIMIZED_{side}") for side in ("VERT", "HORZ")]
        message = ClientMessage(
            window=moved, client_type=display.get_atom("_NET_WM_STATE"), data=(32, [_REMOVE, *sides, 0, 0])
        )
        display.screen().root.send_event(message, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
        moved.configure(x=before.frame.left + dx, y=before.frame.top + dy)
        display.sync()
        self.once(lambda: self.window.box != before.box)


App = TypeVar("App", bound=RealApp)


@contextmanager
def real_app(
    desktop: PrivateDesktop,
    title: str,
    *command: str | Path,
    kind: type[App] = RealApp,  # type: ignore[assignment]
) -> Iterator[App]:
    process = desktop.launch(*command, wait_for_title=title)
    with DesktopSession(DesktopDevice(desktop.backend), reader=None) as session:
        session.focus(title)
        yield kind(desktop, session, title, process)
    os.killpg(process.pid, signal.SIGKILL)  # LibreOffice is a child of its own starter
    process.wait()
    until(lambda: all(title not in window.title for window in desktop.backend.windows()) or None)
