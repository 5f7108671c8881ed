"""Tests of screenshots of a real X server, against windows with known pixels."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from x11_patterns import Looks, client, shown, until
from Xlib import X
from Xlib.display import Display
from Xlib.ext import composite
from Xlib.protocol import rq

from handeye.devices import DesktopDevice, X11Backend
from handeye.errors import CaptureFailed, DeviceNotFound
from handeye.geometry import Box
from handeye.locate import VisualLocator
from handeye.testing.desktop import PrivateDesktop
from handeye.testing.desktop_fake import pattern

AT = Box(200, 150, 500, 350)
XVFB_DPI = 100  # unless it is told another
COVER = AT.translate(60, 40)


def test_whole_screen_capture_has_exact_pixels(bare: PrivateDesktop) -> None:
    with shown(bare, "one", 1, AT):
        until(lambda: bool(bare.backend.grab(AT).any()))
        pixels = bare.backend.grab(Box(0, 0, 801, 603))
        assert pixels.shape == (603, 801, 3)
        until(lambda: np.array_equal(bare.backend.grab(AT), pattern(300, 200, 1)))
        assert not bare.backend.grab(Box(0, 0, 801, 150)).any()


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(left=st.integers(-50, 850), top=st.integers(-50, 650), width=st.integers(1, 300), height=st.integers(1, 300))
def test_any_region_has_the_screen_pixels(bare: PrivateDesktop, left: int, top: int, width: int, height: int) -> None:
    box = Box(left, top, left + width, top + height)
    whole = np.zeros((703, 901, 3), np.uint8)
    whole[50:653, 50:851] = bare.backend.grab(Box(0, 0, 801, 603))
    if box.intersect(Box(0, 0, 801, 603)) is None:
        with pytest.raises(CaptureFailed, match="not on the screen"):
            bare.backend.grab(box)
        return
    expected = np.zeros((height, width, 3), np.uint8)
    seen = box.intersect(Box(-50, -50, 851, 653))
    assert seen is not None
    expected[seen.top - top : seen.bottom - top, seen.left - left : seen.right - left] = whole[
        seen.top + 50 : seen.bottom + 50, seen.left + 50 : seen.right + 50
    ]
    assert np.array_equal(bare.backend.grab(box), expected)


def test_an_empty_region_is_refused(bare: PrivateDesktop) -> None:
    with pytest.raises(CaptureFailed, match="empty"):
        bare.backend.grab(Box(10, 10, 10, 20))


@pytest.mark.parametrize(
    "looks",
    [
        Looks(),
        Looks(answers=True),
        Looks(background=True),
        Looks(border=7),
        Looks(depth=32),
        Looks(late_s=0.2, background=True, answers=True),
    ],
)
def test_covered_window_is_captured_completely(bare: PrivateDesktop, looks: Looks) -> None:
    """The hidden part was never drawn: the server must let the window draw it first."""
    with shown(bare, "covered", 3, AT, looks) as window, shown(bare, "cover", 9, COVER) as cover:
        assert np.array_equal(bare.backend.grab_window(window), pattern(300, 200, 3))
        assert np.array_equal(bare.backend.grab_window(cover), pattern(300, 200, 9))


def test_covered_and_partly_offscreen_windows_are_captured_completely(desktop: PrivateDesktop) -> None:
    with shown(desktop, "covered", 3, AT) as window, shown(desktop, "cover", 9, COVER):
        assert np.array_equal(desktop.backend.grab_window(window), pattern(300, 200, 3))
    with shown(desktop, "leaving", 5, Box(-120, -40, 180, 160)) as window:
        until(
            lambda: (now := desktop.backend.window(window.id)) is not None and now.box.left < 0
        )  # the manager moves it
        window = desktop.backend.window(window.id) or window
        assert np.array_equal(desktop.backend.grab_window(window), pattern(300, 200, 5))


def test_fully_offscreen_window_is_captured(bare: PrivateDesktop) -> None:
    with shown(bare, "outside", 5, Box(5000, 4000, 5300, 4200), seen=False) as window:
        assert np.array_equal(bare.backend.grab_window(window), pattern(300, 200, 5))


def test_capture_follows_the_window_size(bare: PrivateDesktop) -> None:
    with shown(bare, "growing", 4, AT) as window:
        assert bare.backend.grab_window(window).shape == (200, 300, 3)
        display = Display(bare.display)
        display.create_resource_object("window", window.id).configure(width=97, height=41, x=-5)
        display.sync()
        until(lambda: np.array_equal(bare.backend.grab_window(window), pattern(300, 200, 4)[:41, :97]))
        display.close()


def test_hanging_covered_window_is_not_captured(bare: PrivateDesktop) -> None:
    """The part that it does not draw would have undefined pixels."""
    with client(bare, "hanging", 3, AT, Looks(answers=True)) as made, shown(bare, "cover", 9, COVER):
        window = bare.backend.window(made.window.id)
        assert window is not None
        made.hangs.set()
        with pytest.raises(CaptureFailed, match="hangs"):
            bare.backend.grab_window(window)


def test_two_backends_capture_the_same_covered_window(bare: PrivateDesktop) -> None:
    with shown(bare, "covered", 3, AT) as window, shown(bare, "cover", 9, COVER):
        other = X11Backend(bare.display)
        for backend in (bare.backend, other):
            assert np.array_equal(backend.grab_window(window), pattern(300, 200, 3))
        other.close()
        assert np.array_equal(bare.backend.grab_window(window), pattern(300, 200, 3))


def test_covered_window_is_captured_under_compositing_manager(bare: PrivateDesktop) -> None:
    """The manager keeps a picture of every window, so nothing has to be redrawn."""
    manager = Display(bare.display)
    root = manager.screen().root
    composite.query_version(manager)
    composite.redirect_subwindows(root, composite.RedirectManual)  # type: ignore[arg-type]
    owner = root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
    owner.set_selection_owner(manager.get_atom("_NET_WM_CM_S0"), X.CurrentTime)
    manager.sync()
    try:
        with shown(bare, "covered", 3, AT) as window, shown(bare, "cover", 9, COVER):
            backend = X11Backend(bare.display)
            assert np.array_equal(backend.grab_window(window), pattern(300, 200, 3))
            backend.close()
    finally:
        manager.close()


@pytest.mark.usefixtures("installed")
def test_a_screen_of_few_colours_is_refused() -> None:
    with PrivateDesktop((320, 240), manager=None, depth=16) as private:
        with pytest.raises(CaptureFailed, match="16 bits"):
            private.backend.grab(Box(0, 0, 10, 10))
        with shown(private, "one", 1, Box(0, 0, 50, 50)) as window, pytest.raises(CaptureFailed, match="16 bits"):
            private.backend.grab_window(window)


class TestMonitors:
    def test_single_screen_is_one_monitor(self, desktop: PrivateDesktop) -> None:
        (monitor,) = desktop.backend.monitors()
        assert (monitor.box, monitor.primary, monitor.scale, monitor.rotation) == (Box(0, 0, 1280, 800), True, 1.0, 0)

    def test_scale_and_dpi_come_from_xft_dpi(self, bare: PrivateDesktop) -> None:
        display = Display(bare.display)
        root, resources = display.screen().root, display.get_atom("RESOURCE_MANAGER")
        for said, scale in (
            ("Xft.dpi:\t144", 1.5),
            ("Xft.dpi: 192.0\nXft.hinting: 1", 2.0),
            ("Xft.dpi: 1e9", 1.0),
            ("Xft.dpi: x", 1.0),
        ):
            root.change_property(resources, display.get_atom("STRING"), 8, said.encode())
            display.sync()
            monitor = bare.backend.monitors()[0]
            assert (monitor.scale, monitor.dpi) == (scale, scale * 96 if scale != 1.0 else XVFB_DPI)
        root.delete_property(resources)
        display.close()

    @pytest.mark.usefixtures("installed")
    def test_dpi_is_that_of_the_server(self) -> None:
        with PrivateDesktop((640, 480), manager=None, dpi=144) as private:
            (monitor,) = private.backend.monitors()
            assert (monitor.dpi, monitor.scale) == (144, 1.0)
            screen = DesktopDevice(private.backend).screenshot()
            assert screen.dpi == screen.metadata.dpi == screen.crop(Box(1, 2, 30, 40)).dpi == 144

    def test_several_monitors_list_the_primary_first(self, bare: PrivateDesktop) -> None:
        display = Display(bare.display)
        root = display.screen().root
        for name, x, primary in (("LEFT", 0, False), ("RIGHT", 400, True)):
            set_monitor(display, name, Box(x, 0, x + 400, 603), primary)
        display.sync()
        try:
            monitors = bare.backend.monitors()
            boxes = {monitor.name: monitor.box for monitor in monitors}
            assert (boxes["RIGHT"], boxes["LEFT"]) == (Box(400, 0, 800, 603), Box(0, 0, 400, 603))
            assert (monitors[0].name, monitors[0].primary) == ("RIGHT", True)
            with shown(bare, "both", 6, Box(250, 100, 550, 300)):
                until(lambda: bool(bare.backend.grab(Box(250, 100, 550, 300)).any()))
                right, left = DesktopDevice(bare.backend), DesktopDevice(bare.backend, monitor="LEFT")
                assert right.screenshot().origin == (400, 0)
                locator = VisualLocator(right, vision=None, reader=None)
                for named, origin in (("LEFT", 0), ("left", 0), (2, 0), ("RIGHT", 400), ("primary", 400), ("1", 400)):
                    image, about = locator.capture_screen(monitor=named)
                    assert (about.origin, about.resolution, about.dpi) == ((origin, 0), (400, 603), XVFB_DPI)
                    assert np.array_equal(np.asarray(image), bare.backend.grab(Box(origin, 0, origin + 400, 603)))
                assert left.screenshot().origin == (0, 0)
                both = pattern(300, 200, 6)
                until(lambda: np.array_equal(left.screenshot().pixels[100:300, 250:], both[:, :150]))
                assert np.array_equal(right.screenshot().pixels[100:300, :150], both[:, 150:])
                assert np.array_equal(right.capture(Box(-150, 100, 150, 300)).pixels, both)
            with pytest.raises(DeviceNotFound, match=r"2 'LEFT' \(400x603 at 0,0\)"):
                DesktopDevice(bare.backend, monitor="HDMI-7")
        finally:
            for name in ("LEFT", "RIGHT"):
                root.xrandr_delete_monitor(display.get_atom(name))
            display.close()


class SetMonitor(rq.Request):
    """RANDR 1.5; python-xlib's own cannot be sent (a list inside an object)."""

    _request = rq.Struct(
        rq.Card8("opcode"),
        rq.Opcode(43),
        rq.RequestLength(),
        rq.Window("window"),
        rq.Card32("name"),
        rq.Bool("primary"),
        rq.Bool("automatic"),
        rq.LengthOf("outputs", 2),
        rq.Int16("x"),
        rq.Int16("y"),
        rq.Card16("width"),
        rq.Card16("height"),
        rq.Card32("width_mm"),
        rq.Card32("height_mm"),
        rq.List("outputs", rq.Card32Obj),
    )


def set_monitor(display: Display, name: str, box: Box, primary: bool) -> None:
    """Add a monitor without an output, as `xrandr --setmonitor` does."""
    SetMonitor(
        display=display.display,
        opcode=display.display.get_extension_major("RANDR"),
        window=display.screen().root,
        name=display.get_atom(name),
        primary=primary,
        automatic=False,
        x=box.left,
        y=box.top,
        width=box.width,
        height=box.height,
        width_mm=100,
        height_mm=100,
        outputs=[],
    )


class TestWayland:
    @pytest.mark.parametrize("display", [None, "", ":4711"])
    def test_wayland_session_without_x_server_is_explained(
        self, monkeypatch: pytest.MonkeyPatch, display: str | None
    ) -> None:
        monkeypatch.delenv("DISPLAY", raising=False)
        if display is not None:
            monkeypatch.setenv("DISPLAY", display)
        monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
        with pytest.raises(DeviceNotFound, match=r"Wayland session.*X11 session.*XWayland"):
            X11Backend()

    def test_xwayland_captures_windows_but_no_screen(
        self, bare: PrivateDesktop, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A capture of the whole screen would be black. Newer servers have an extension that identifies XWayland."""
        monkeypatch.setattr("handeye.devices.linux.wayland.is_xwayland", lambda display: True)
        backend = X11Backend(bare.display)
        with pytest.raises(CaptureFailed, match=re.escape("linux:?window=TITLE")):
            backend.grab(Box(0, 0, 10, 10))
        with shown(bare, "one", 1, AT) as window:
            assert np.array_equal(backend.grab_window(window), pattern(300, 200, 1))
        backend.close()

    def test_private_x_server_works_in_wayland_session(
        self, bare: PrivateDesktop, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
        monkeypatch.setenv("XDG_SESSION_TYPE", "wayland")
        backend = X11Backend(bare.display)
        assert backend.grab(Box(0, 0, 10, 10)).shape == (10, 10, 3)
        backend.close()
