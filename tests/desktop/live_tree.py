"""A window of a real application, read again and again until it is as it should be."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, TypeVar

from Xlib import XK, X
from Xlib.ext import xtest
from xtest import mouse_on

from handeye.devices import Window
from handeye.elements import UIElement
from handeye.errors import HandeyeError
from handeye.perceive import Detection
from handeye.perceive.atspi import AtspiStateProvider
from handeye.perceive.atspi.controls import AtspiControl
from handeye.testing.desktop import PrivateDesktop

T = TypeVar("T")

DEADLINE_S = 120.0
POLL_S = 0.02


def until(look: Callable[[], T | None]) -> T:
    """Call `look` until it returns something other than None or False, and return that; fail after the deadline."""
    end = time.monotonic() + DEADLINE_S
    while True:
        found = look()
        if found is not None and found is not False:
            return found
        assert time.monotonic() < end, f"did not happen in {DEADLINE_S:g} s"
        time.sleep(POLL_S)


class LiveWindow:
    """One application's window on the private desktop, by its process and a part of its title."""

    def __init__(
        self, desktop: PrivateDesktop, provider: AtspiStateProvider, process: subprocess.Popen[bytes], title: str
    ):
        self.desktop = desktop
        self.provider = provider
        self.process = process
        self.title = title

    @property
    def window(self) -> Window:
        """As it is now. A browser on its way to another page has another title for a moment."""
        windows = self.desktop.backend.windows
        return until(lambda: next((each for each in windows() if self.title in each.title), None))

    def read(self) -> Detection:
        return self.provider.detect(self.window)

    def told(self) -> dict[str, Any]:
        """The last line that the application wrote of itself."""
        lines = self.desktop.output(self.process).split("\n")[:-1]  # what follows the last line end is half written
        return json.loads(lines[-1]) if lines else {}

    def find(self, role: str, name: str, **about: object) -> tuple[UIElement, AtspiControl]:
        """The one element of that role and name, as soon as the application tells it."""

        def look() -> tuple[UIElement, AtspiControl] | None:
            try:
                detection = self.read()
            except HandeyeError:
                return None  # it has only just begun
            fits = [
                (element, control)
                for element, control in zip(detection.targets, detection.controls, strict=True)
                if element.element_type == role
                and name in (element.text, element.description)
                and all(element.metadata.get(key) == value for key, value in about.items())
            ]
            assert len(fits) <= 1, f"{len(fits)} elements are a {role} {name!r}"
            if not fits:
                return None
            element, control = fits[0]
            assert isinstance(control, AtspiControl)
            return element, control

        return until(look)

    def control(self, role: str, name: str) -> AtspiControl:
        return self.find(role, name)[1]

    def press(self, key: str) -> None:
        """Press a key, by its X11 name, for whatever has the keyboard."""
        display = self.desktop.backend.display
        code = display.keysym_to_keycode(XK.string_to_keysym(key))
        for event in (X.KeyPress, X.KeyRelease):
            xtest.fake_input(display, event, code)
        display.sync()

    def names(self, role: str) -> list[str]:
        """Names of the elements of a role, in the tree's order."""
        return [element.text or element.description for element in self.read().targets if element.element_type == role]


Live = TypeVar("Live", bound=LiveWindow)


@contextmanager
def live_window(
    desktop: PrivateDesktop,
    title: str,
    *command: str | Path,
    kind: type[Live] = LiveWindow,  # type: ignore[assignment]
    provider: AtspiStateProvider | None = None,
    environment: Mapping[str, str] | None = None,
    ends_by: signal.Signals = signal.SIGKILL,
) -> Iterator[Live]:
    """The application that `command` starts, with a provider of its own where none is given. Ended at the end."""
    process = desktop.launch(*command, environment=environment, wait_for_title=title)
    reading = nullcontext(provider) if provider else AtspiStateProvider(environment=desktop.environment)
    try:
        with reading as reader:
            yield kind(desktop, reader, process, title)
    finally:
        process.send_signal(ends_by)
        process.wait()


def check_click_at_double_size(twice: LiveWindow, name: str) -> None:
    """A window at a scale of two is told in real pixels: its button of that name hears a click in its middle."""
    _, control = twice.find("button", name)
    place = until(lambda: control.box() if control.box() == twice.find("button", name)[0].bbox else None)
    assert place.height > 40
    with mouse_on(twice.desktop.display) as mouse:
        mouse.click(place.center)
    until(lambda: twice.told()["clicks"].get(name) == 1)
