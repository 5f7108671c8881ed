"""Test doubles for accessibility trees: a provider with fixed elements."""

from __future__ import annotations

from collections.abc import Sequence

from handeye.elements import UIElement, UIState
from handeye.errors import HandeyeError
from handeye.screen import Screen


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


__all__ = ["FakeProvider", "FakeTreeDevice"]
