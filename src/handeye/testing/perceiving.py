"""Test doubles for perception: a WindowProvider with fixed answers, and windows with a picture."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Barrier

from handeye.devices import Window
from handeye.elements import UIElement, UIState
from handeye.errors import HandeyeError
from handeye.geometry import Box
from handeye.perceive import Control, Detection
from handeye.screen import Pixels, Screen


class FixedProvider:
    """
    Answers every request with the same targets, or raises `error`. `asked` records the requested windows.

    Without `controls` no target has one. With a `meeting` it answers only once as many providers as the barrier has
    parties are called concurrently.
    """

    def __init__(
        self,
        targets: Sequence[UIElement] = (),
        *,
        name: str = "fixed",
        controls: Sequence[Control | None] | None = None,
        notes: Sequence[str] = (),
        error: HandeyeError | None = None,
        meeting: Barrier | None = None,
    ) -> None:
        self.name = name
        self.asked: list[Window] = []
        self._answer = Detection(tuple(targets), tuple(controls or [None] * len(targets)), tuple(notes))
        self._error = error
        self._meeting = meeting

    def detect(self, window: Window) -> Detection:
        self.asked.append(window)
        if self._meeting is not None:
            self._meeting.wait()
        if self._error is not None:
            raise self._error
        return self._answer


class FixedWindows:
    """
    Windows that show `pixels`, for `VisionStateProvider`. Each call of `window` returns the next of `moments` (None:
    the window is gone), the last one forever. `grabbed` records the captured windows.
    """

    def __init__(self, pixels: Pixels, *moments: Window | None) -> None:
        self.grabbed: list[Window] = []
        self._pixels = pixels
        self._moments = list(moments)

    def window(self, id: int) -> Window | None:
        return self._moments.pop(0) if len(self._moments) > 1 else self._moments[0]

    def grab_window(self, window: Window) -> Pixels:
        self.grabbed.append(window)
        return self._pixels


def window_of(box: tuple[int, int, int, int] = (0, 0, 1000, 800), title: str = "A window") -> Window:
    """Return a window whose client area is `box`, with a frame of 4 pixels and a title bar of 24."""
    client = Box(*box)
    frame = Box(client.left - 4, client.top - 24, client.right + 4, client.bottom + 4)
    return Window(1, title, client, frame, process=1, program="test")


# Test doubles for accessibility trees: a provider with fixed elements.


class FakeProvider:
    """Answers every frame with `elements`, or raises `error` if set. `asked` counts the calls."""

    name = "fake"

    def __init__(self, elements: Sequence[UIElement] = (), *, slow: bool = False) -> None:
        self.elements = tuple(elements)
        self.slow = slow
        self.error: HandeyeError | None = None
        self.asked = 0

    def detect(self, screen: Screen) -> UIState:
        self.asked += 1
        if self.error is not None:
            raise self.error
        return UIState(screen, self.elements)


class FakeTreeDevice:
    """A device with only an accessibility tree: `xml` is the output of `uiautomator dump`."""

    def __init__(self, xml: str) -> None:
        self.xml = xml
        self.asked = 0

    def dump_hierarchy(self) -> str:
        self.asked += 1
        return self.xml
