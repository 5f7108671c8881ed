"""Tests of a window that is partly off the screen."""

from __future__ import annotations

import pytest

from handeye.desktop import DesktopSession
from handeye.devices import DesktopDevice
from handeye.elements import UIElement
from handeye.errors import HandeyeError
from handeye.geometry import Box, Point
from handeye.testing.desktop_fake import FakeDesktop, fake_window
from handeye.testing.fakes import FakeClock
from handeye.testing.perceiving import FixedProvider

NOTES = fake_window(7, "Notes", Box(-300, 100, 100, 400), focused=True)


class Standing:
    def __init__(self, box: Box) -> None:
        self._box = box

    def box(self) -> Box:
        return self._box

    def text(self) -> None:
        return None


def session_with(desktop: FakeDesktop, button: Box, *, has_handle: bool) -> DesktopSession:
    targets = [
        UIElement("window", "", NOTES.box, text="Notes", id=1, source="accessibility"),
        UIElement("button", "", button, text="OK", id=2, parent=1, source="accessibility"),
    ]
    tree = FixedProvider(targets, controls=[None, Standing(button) if has_handle else None])  # type: ignore[list-item]
    device = DesktopDevice(desktop, clock=FakeClock())
    return DesktopSession(device, tree=tree, reader=None, clock=FakeClock())


@pytest.mark.parametrize("has_handle", [True, False])
def test_click_hits_visible_part_of_partly_offscreen_element(has_handle: bool) -> None:
    desktop = FakeDesktop([NOTES])
    session_with(desktop, Box(-280, 200, 80, 220), has_handle=has_handle).click("OK")
    assert desktop.presses[0].at == Point(40, 210)


def test_fully_offscreen_element_is_not_clicked() -> None:
    desktop = FakeDesktop([NOTES])
    with pytest.raises(HandeyeError):
        session_with(desktop, Box(-280, 200, -100, 220), has_handle=True).click("OK")
    assert not desktop.presses
