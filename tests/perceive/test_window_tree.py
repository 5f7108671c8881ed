"""Tests of the trees of all windows on one screenshot."""

from __future__ import annotations

import numpy as np
import pytest

from handeye.devices import DesktopDevice, Window
from handeye.elements import UIElement
from handeye.errors import TreeFailed
from handeye.geometry import Box
from handeye.perceive import Detection, WindowTree
from handeye.perceive.window_tree import MOST_WINDOWS
from handeye.screen import InputPoint, Screen
from handeye.testing.desktop_fake import FakeDesktop, fake_window
from handeye.testing.perceiving import FixedProvider


class Telling:
    """A provider of windows that have one button each, in their middle; those in `silent` say nothing."""

    name = "telling"

    def __init__(self, *silent: str) -> None:
        self.silent = silent
        self.read: list[str] = []

    def detect(self, window: Window) -> Detection:
        self.read.append(window.title)
        if window.title in self.silent:
            raise TreeFailed("it says nothing")
        button = UIElement("button", "", Box.at(window.box.center, 5), text=f"in {window.title}", id=2, parent=1)
        return Detection((UIElement("window", "", window.box, text=window.title, id=1), button), (None, None))


def test_windows_are_numbered_from_lowest_to_topmost() -> None:
    desktop = FakeDesktop(
        [fake_window(1, "above", Box(100, 100, 300, 300)), fake_window(2, "below", Box(200, 200, 600, 600))]
    )
    state = WindowTree(Telling(), desktop).detect(DesktopDevice(desktop).screenshot())
    assert [(each.id, each.parent, each.text) for each in state.elements] == [
        (1, None, "below"),
        (2, 1, "in below"),
        (3, None, "above"),
        (4, 3, "in above"),
    ]


def test_window_frame_has_elements_in_frame_pixels() -> None:
    desktop = FakeDesktop(
        [fake_window(1, "above", Box(0, 0, 900, 700)), fake_window(2, "below", Box(-50, 200, 350, 600))]
    )
    provider = Telling()
    screen = DesktopDevice(desktop, window="below").screenshot()
    state = WindowTree(provider, desktop).detect(screen)
    assert provider.read == ["below"]
    assert state.elements[0].bbox == screen.box
    assert state.elements[1].center == screen.box.center


def test_scaled_frame_of_left_monitor_maps_boxes() -> None:
    desktop = FakeDesktop([fake_window(1, "left", Box(-900, 100, -500, 300))])
    screen = Screen(np.zeros((400, 500, 3), np.uint8), pixels_per_unit=0.5, origin=InputPoint(-1000.0, 0.0))
    state = WindowTree(Telling(), desktop).detect(screen)
    assert state.elements[0].bbox == Box(50, 50, 250, 150)


def test_hidden_minimized_and_far_windows_are_not_read() -> None:
    shown = [
        fake_window(1, "top", Box(0, 30, 800, 700)),
        fake_window(2, "wholly covered", Box(100, 200, 300, 400)),
        fake_window(3, "minimized", Box(0, 0, 1280, 800), minimized=True),
        fake_window(4, "elsewhere", Box(5000, 100, 5300, 300)),
        fake_window(5, "peeping out", Box(700, 100, 1000, 300)),
    ]
    provider = Telling()
    desktop = FakeDesktop(shown)
    WindowTree(provider, desktop).detect(DesktopDevice(desktop).screenshot())
    assert provider.read == ["peeping out", "top"]


def test_only_the_topmost_of_many_windows_are_read() -> None:
    desktop = FakeDesktop([fake_window(n, f"w{n}", Box(10 * n, 30 + 10 * n, 400 + 10 * n, 500)) for n in range(1, 20)])
    provider = Telling()
    WindowTree(provider, desktop).detect(DesktopDevice(desktop).screenshot())
    assert provider.read == [f"w{n}" for n in range(MOST_WINDOWS, 0, -1)]


def test_error_only_when_every_window_is_unreadable() -> None:
    desktop = FakeDesktop(
        [fake_window(1, "mute", Box(10, 30, 300, 300)), fake_window(2, "other", Box(400, 100, 600, 300))]
    )
    screen = DesktopDevice(desktop).screenshot()
    state = WindowTree(Telling("mute"), desktop).detect(screen)
    assert [each.text for each in state.elements] == ["other", "in other"]
    assert state.notes == ("'mute': it says nothing",)
    with pytest.raises(TreeFailed, match="'other': it says nothing; 'mute': it says nothing"):
        WindowTree(Telling("mute", "other"), desktop).detect(screen)


def test_offscreen_element_has_no_box_on_frame() -> None:
    class Scrolled(Telling):
        def detect(self, window: Window) -> Detection:
            far = UIElement("link", "", Box(0, 0, 0, 0), text="far", id=1, metadata={"offscreen": True})
            return Detection((far,), (None,))

    desktop = FakeDesktop([fake_window(1, "page", Box(100, 100, 500, 500))])
    screen = DesktopDevice(desktop, window="page").screenshot()
    (far,) = WindowTree(Scrolled(), desktop).detect(screen).elements
    assert far.bbox.area == 0
    assert far.visible_region is None


def test_a_window_that_was_closed_is_an_error() -> None:
    desktop = FakeDesktop([fake_window(1, "brief", Box(100, 100, 500, 500))])
    screen = DesktopDevice(desktop, window="brief").screenshot()
    desktop.shown = []
    with pytest.raises(TreeFailed, match="was closed"):
        WindowTree(Telling(), desktop).detect(screen)


def test_open_menu_is_listed_above_the_page() -> None:
    """GTK lists menus before the page below them: their entries counted as covered by it."""
    window = fake_window(1, "editor", Box(0, 0, 400, 300))
    targets = (
        UIElement("window", "", window.box, text="editor", id=1),
        UIElement("menu", "", Box(0, 0, 50, 20), text="View", id=2, parent=1, interactive=True),
        UIElement("menu item", "", Box(0, 20, 90, 40), text="Zoom", id=3, parent=2, interactive=True),
        UIElement("input", "", Box(0, 20, 400, 300), text="words", id=4, parent=1, interactive=True),
    )
    desktop = FakeDesktop([window])
    state = WindowTree(FixedProvider(targets), desktop).detect(DesktopDevice(desktop, window="editor").screenshot())
    assert [each.id for each in state.elements] == [1, 2, 4, 3]


def test_long_window_title_is_truncated_in_notes() -> None:
    title = "长" * 100_000
    desktop = FakeDesktop([fake_window(1, title, Box(0, 0, 90, 70)), fake_window(2, "other", Box(200, 0, 290, 70))])
    state = WindowTree(Telling(title), desktop).detect(DesktopDevice(desktop).screenshot())
    assert [len(note) < 200 for note in state.notes] == [True]
    screen = DesktopDevice(desktop, window="id:1").screenshot()
    desktop.close_window(1)
    with pytest.raises(TreeFailed) as caught:
        WindowTree(Telling(), desktop).detect(screen)
    assert len(str(caught.value)) < 200
