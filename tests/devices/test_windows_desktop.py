"""Tests of the Windows backend on scripted Win32 functions; tests/wine uses real ones."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from windows_double import CAPTION, NO_ACTIVATE, POPUP_STYLE, TOOL, TOPMOST, TRANSPARENT, ScriptedWin32, pixel_of, row

from handeye.clock import Deadline, SystemClock
from handeye.devices import DesktopBackend, MouseButton
from handeye.devices.desktop.base import ProgramStarter
from handeye.devices.desktop.panic import KeyWatcher, PanicStop, StoppedByPerson
from handeye.devices.windows.api import KeyEvent, MonitorRow, MouseEvent
from handeye.devices.windows.backend import Win32Backend
from handeye.devices.windows.pointer import absolute
from handeye.devices.windows.pressed_record import Record
from handeye.errors import CaptureFailed, DeviceError, DeviceNotFound, TextInputFailed, UsageError
from handeye.geometry import Box, Point
from handeye.testing.fakes import FakeClock

NOTES = row(1, "Notes", Box(100, 100, 500, 400))
OTHER = row(2, "Other", Box(300, 200, 700, 600))
UP, UNICODE, EXTENDED = 2, 4, 1


@pytest.fixture(autouse=True)
def own_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path_factory.mktemp("windows")))


def backend(api: ScriptedWin32, **options: object) -> Win32Backend:
    return Win32Backend(api, clock=FakeClock(), **options)  # type: ignore[arg-type]


# -- what is there


def test_monitors_list_primary_first_with_scale_and_rotation() -> None:
    left = MonitorRow("DISPLAY2", Box(-1080, -200, 0, 1720), False, 144, 3)
    api = ScriptedWin32(monitors=[left, MonitorRow("DISPLAY1", Box(0, 0, 3840, 2160), True, 192)])
    desktop: DesktopBackend = backend(api)
    first, second = desktop.monitors()
    assert (first.name, first.scale, first.rotation, first.primary) == ("DISPLAY1", 2.0, 0, True)
    assert (second.box, second.scale, second.rotation) == (Box(-1080, -200, 0, 1720), 1.5, 270)
    api.screens = []
    with pytest.raises(DeviceNotFound, match="no monitor"):
        desktop.monitors()


def test_only_visible_top_level_windows_are_listed() -> None:
    shell = replace(row(3, "", Box(0, 1040, 1920, 1080)), kind="Shell_TrayWnd")
    menu = row(4, "", Box(120, 120, 200, 300), kind="#32768", style=POPUP_STYLE, process=41, owner=1)
    tip = row(5, "tip", Box(0, 0, 9, 9), style=POPUP_STYLE, extended=TOOL | NO_ACTIVATE)
    hidden = row(6, "hidden", Box(0, 0, 9, 9), visible=False)
    cloaked = row(7, "elsewhere", Box(0, 0, 9, 9), cloaked=True)
    palette = row(8, "Colours", Box(0, 0, 9, 9), extended=TOOL, style=CAPTION)
    frameless = row(9, "", Box(0, 0, 9, 9), style=POPUP_STYLE)
    dialog = row(10, "", Box(0, 0, 9, 9), owner=1)
    api = ScriptedWin32(menu, tip, dialog, palette, NOTES, hidden, cloaked, OTHER, frameless, shell)
    desktop = backend(api)
    assert [window.id for window in desktop.windows()] == [10, 8, 1, 2, 9]
    assert desktop.popups(desktop.windows()[2]) == (4,)
    assert desktop.window(6) is None
    shown = desktop.window(1)
    assert shown is not None
    assert (shown.box, shown.frame) == (Box(100, 100, 500, 400), Box(92, 70, 508, 408))


def test_surface_at_point_is_topmost_window_or_popup() -> None:
    shell = replace(row(3, "", Box(0, 0, 1920, 1080)), kind="Progman")
    menu = row(4, "", Box(120, 120, 200, 300), kind="#32768", style=POPUP_STYLE, owner=1)
    tip = row(
        5, "tip", Box(210, 120, 240, 140), kind="tooltips_class32", style=POPUP_STYLE, extended=TOOL | NO_ACTIVATE
    )
    desktop = backend(ScriptedWin32(menu, tip, NOTES, OTHER, shell))
    there = {at: desktop.surface_at(Point(*at)) for at in ((150, 150), (220, 130), (400, 300), (600, 500), (5, 5))}
    assert {at: each and each.id for at, each in there.items()} == {
        (150, 150): 4,
        (220, 130): 5,
        (400, 300): 1,
        (600, 500): 2,
        (5, 5): None,
    }
    assert [(each.popup, each.tip) for each in there.values() if each] == [
        (True, False),
        (True, True),
        (False, False),
        (False, False),
    ]
    assert [each.id for each in desktop.menus()] == [4]


# -- what it shows


def test_front_window_is_captured_from_screen() -> None:
    api = ScriptedWin32(NOTES, OTHER)
    desktop = backend(api)
    assert desktop.grab_window(desktop.windows()[0]).shape == (300, 400, 3)
    assert api.copied == [NOTES.client]


@pytest.mark.parametrize("why", ["covered", "off the screen"])
def test_covered_or_offscreen_window_draws_itself(why: str) -> None:
    notes = NOTES if why == "covered" else row(1, "Notes", Box(-50, 100, 350, 400))
    api = ScriptedWin32(*([OTHER, notes] if why == "covered" else [notes, OTHER]))
    desktop = backend(api)
    window = next(each for each in desktop.windows() if each.id == 1)
    with pytest.raises(CaptureFailed, match="'Other' covers it" if why == "covered" else "off the screen"):
        desktop.grab_window(window)
    api.drawn = np.full((300, 400, 3), 5, np.uint8)
    assert desktop.grab_window(window)[0, 0, 0] == 5
    assert api.copied == []
    api.hung = True
    with pytest.raises(CaptureFailed, match="does not respond"):
        desktop.grab_window(window)


def test_transparent_window_covers_nothing() -> None:
    veil = row(3, "veil", Box(0, 0, 1900, 1000), extended=TRANSPARENT)
    api = ScriptedWin32(veil, NOTES)
    desktop = backend(api)
    desktop.grab_window(next(each for each in desktop.windows() if each.id == 1))
    assert api.copied == [NOTES.client]


def test_a_minimized_or_closed_window_has_no_picture() -> None:
    api = ScriptedWin32(replace(NOTES, minimized=True))
    desktop = backend(api)
    window = desktop.windows()[0]
    with pytest.raises(CaptureFailed, match="minimized"):
        desktop.grab_window(window)
    api.shown.clear()
    with pytest.raises(CaptureFailed, match="gone"):
        desktop.grab_window(window)


def test_region_over_two_monitors_is_joined() -> None:
    api = ScriptedWin32(
        monitors=[MonitorRow("1", Box(0, 0, 100, 100), True), MonitorRow("2", Box(-50, 20, 0, 90), False)]
    )
    seen = backend(api).grab(Box(-10, 10, 10, 30))
    assert (seen[:, 10:] == 9).all()
    assert (seen[10:, :10] == 9).all()
    assert not seen[:10, :10].any()
    with pytest.raises(CaptureFailed, match="empty"):
        backend(api).grab(Box(5, 5, 5, 9))


# -- focus


@pytest.mark.parametrize("asked", [1, 2, 3])
def test_focus_is_requested_in_three_ways(asked: int) -> None:
    api = ScriptedWin32(OTHER, replace(NOTES, minimized=True))
    api.gives_focus_after = asked
    desktop = backend(api)
    desktop.focus(desktop.windows()[1])
    first = desktop.windows()[0]
    assert (first.id, first.focused, first.minimized) == (1, True, False)
    assert api.asked_for_focus == asked


def test_focus_error_names_the_window_keeping_it() -> None:
    api = ScriptedWin32(replace(OTHER, program=""), NOTES)
    api.gives_focus_after = 99
    desktop = backend(api)
    with pytest.raises(DeviceError, match=r"did not give the keyboard .*'Other' \(a program with more rights"):
        desktop.focus(desktop.windows()[1])
    api.shown.pop()
    with pytest.raises(DeviceError, match="it is gone"):
        desktop.focus(replace(desktop.windows()[0], id=1))


def test_focus_goes_to_open_dialog_of_window() -> None:
    dialog = row(3, "Save?", Box(150, 150, 300, 250), owner=1)
    clock_on_top = row(4, "Clock", Box(0, 0, 90, 30), extended=TOPMOST)
    api = ScriptedWin32(clock_on_top, OTHER, dialog, NOTES)
    desktop = backend(api)
    desktop.focus(next(each for each in desktop.windows() if each.id == 1))
    assert api.focused == 3


# -- hands


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.integers(1, 32_000),
    st.integers(1, 32_000),
    st.integers(-16_000, 16_000),
    st.integers(-16_000, 16_000),
    st.data(),
)
def test_absolute_coordinates_hit_every_pixel(
    width: int, height: int, left: int, top: int, data: st.DataObject
) -> None:
    """With Windows' rounding, and with the two others that drivers and remote desktops use."""
    screen = Box(left, top, left + width, top + height)
    to = Point(data.draw(st.integers(left, left + width - 1)), data.draw(st.integers(top, top + height - 1)))
    x, y = absolute(to, screen)
    assert 0 <= x < 65536
    assert 0 <= y < 65536
    assert pixel_of(MouseEvent(0, x, y), screen) == to
    assert (round(x * (width - 1) / 65535), round(y * (height - 1) / 65535)) == (to.x - left, to.y - top)


def test_pointer_reaches_monitors_at_negative_coordinates() -> None:
    screens = [MonitorRow("1", Box(0, 0, 1920, 1080), True), MonitorRow("2", Box(-2560, -300, 0, 1140), False)]
    api = ScriptedWin32(monitors=screens)
    desktop = backend(api)
    for place in (Point(-2560, -300), Point(-1, 1139), Point(1919, 1079), Point(-2292, 875)):
        desktop.move(place)
        assert desktop.pointer() == place
    api.lands = lambda to: Point(to.x - 1, to.y)  # a driver that reckons otherwise
    desktop.move(Point(700, 400))
    assert desktop.pointer() == (700, 400)
    with pytest.raises(DeviceError, match=r"cannot be put at \(5000, 5000\)"):
        desktop.move(Point(5000, 5000))


def test_left_click_works_with_swapped_buttons() -> None:
    api = ScriptedWin32()
    api.swapped = True
    desktop = backend(api)
    for button in (MouseButton.LEFT, MouseButton.RIGHT, MouseButton.MIDDLE):
        desktop.button(button, down=True)
        desktop.button(button, down=False)
    assert [event.flags for event in api.sent if isinstance(event, MouseEvent)] == [8, 16, 2, 4, 0x20, 0x40]


def test_wheel_notches_are_sent_one_by_one() -> None:
    api = ScriptedWin32()
    backend(api).wheel(-1, 2)
    assert api.sent == [MouseEvent(0x0800, data=-120)] * 2 + [MouseEvent(0x1000, data=-120)]


def test_keys_are_sent_with_scan_codes_and_modifiers() -> None:
    api = ScriptedWin32()
    desktop = backend(api)
    for down in (True, False):
        desktop.key("?", down=down)
    shift, slash = KeyEvent(0x10, 0x11), KeyEvent(0xBF, 0xC0)
    assert api.sent == [shift, slash, replace(slash, flags=UP), replace(shift, flags=UP)]
    api.sent.clear()
    desktop.key("PageDown", down=True)
    assert api.sent == [KeyEvent(0x22, 0x23, EXTENDED)]
    with pytest.raises(UsageError, match="no key of this keyboard's layout types '漢'"):
        desktop.key("漢", down=True)


def test_key_release_ignores_changed_keyboard_layout() -> None:
    api = ScriptedWin32()
    desktop = backend(api)
    desktop.key("?", down=True)
    api.layout["?"] = (0x42, 0)  # another window with another layout
    desktop.key("?", down=False)
    assert api.down == set()


def test_close_releases_keys_and_buttons() -> None:
    api = ScriptedWin32()
    desktop = backend(api)
    desktop.key("ctrl", down=True)
    desktop.key("a", down=True)
    desktop.button(MouseButton.LEFT, down=True)
    desktop.close()
    assert api.down == set()
    assert MouseEvent(4) in api.sent
    sent = len(api.sent)
    desktop.release_all()
    assert len(api.sent) == sent


def test_next_backend_releases_keys_of_killed_process(tmp_path: Path) -> None:
    api = ScriptedWin32()
    killed = backend(api, record=Record(tmp_path))
    killed.key("ctrl", down=True)
    killed.button(MouseButton.RIGHT, down=True)
    (file,) = tmp_path.iterdir()
    file.rename(tmp_path / "77.json")  # as of another process
    (tmp_path / "78.json").write_text('[["key", 16]]')
    (tmp_path / "79.json").write_text('{"broken": [')
    api.running = {78}
    api.down.add(0x10)
    backend(api, record=Record(tmp_path))
    assert api.down == {0x10}  # another one that is alive holds it
    assert api.sent[-2:] == [MouseEvent(0x10), KeyEvent(0x11, 0x12, UP)]
    assert [each.name for each in tmp_path.iterdir()] == ["78.json"]
    killed.release_all()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(blacklist_categories=["Cc", "Cs", "Cn"]), max_size=60))
def test_any_text_is_typed_unchanged(text: str) -> None:
    api = ScriptedWin32()
    backend(api).type(text)
    units = [event for event in api.sent if isinstance(event, KeyEvent) and event.flags & UNICODE]
    typed = b"".join(event.scan.to_bytes(2, "little") for event in units if not event.flags & UP)
    assert typed.decode("utf-16-le") == text
    assert len(units) == len(typed)  # two bytes a unit, which goes down and up


def test_line_breaks_and_tabs_are_typed_as_keys() -> None:
    api = ScriptedWin32()
    backend(api).type("a\r\nb\tc")
    assert [event.key for event in api.sent if isinstance(event, KeyEvent)] == [0, 0, 13, 13, 0, 0, 9, 9, 0, 0]
    for strange in ("\x1b", "\x00", "\ud83d"):
        with pytest.raises(UsageError, match="is no text"):
            backend(api).type(strange)


def test_refused_typing_reports_how_much_was_sent() -> None:
    api = ScriptedWin32()
    clock = FakeClock()
    Win32Backend(api, clock=clock).type("x" * 120)
    assert len(api.sent) == 240
    assert clock.now() > 0
    api.takes = 0
    with pytest.raises(TextInputFailed, match=r"took 0 of 3 key presses: .*more rights"):
        backend(api).type("abc")


def test_typing_is_refused_while_a_key_is_held() -> None:
    api = ScriptedWin32()
    api.down.add(0x11)
    for typing in ("keys", "clipboard"):
        with pytest.raises(TextInputFailed, match="held down by somebody"):
            backend(api, typing=typing).type("x")
    assert api.sent == []


def test_pasting_restores_the_clipboard() -> None:
    api = ScriptedWin32()
    api.board = "mine"
    assert backend(api, typing="clipboard").type("你好 😀\nzwei") == "pasted"
    assert api.pasted[0] == "你好 😀\r\nzwei"
    assert api.board == "mine"
    assert api.down == set()
    api.other_content = True
    with pytest.raises(TextInputFailed, match="picture or files"):
        backend(api, typing="clipboard").type("x")
    assert api.board == "mine"


# -- programs


def test_programs_are_started_and_closed_by_name() -> None:
    api = ScriptedWin32(NOTES, OTHER)
    desktop: ProgramStarter = backend(api)
    assert desktop.launch("Notepad") == "started C:\\windows\\notepad.exe"
    assert desktop.launch("notepad.EXE")
    assert desktop.open_url("example.org/a?b") == "opened https://example.org/a?b"
    assert api.started == ["C:\\windows\\notepad.exe"] * 2 + ["https://example.org/a?b"]
    assert "Notes" in desktop.quit("NOTEPAD")
    assert api.shown == []


@pytest.mark.parametrize("name", ["", "C:\\x.exe", "..\\x", "-x", "a&b\x00", 'cmd.exe /c "x"'])
def test_invalid_program_name_is_refused(name: str) -> None:
    api = ScriptedWin32()
    with pytest.raises(UsageError, match="is no program"):
        backend(api).launch(name)
    with pytest.raises(UsageError, match="no web address"):
        backend(api).open_url("file:///C:/x.exe")
    with pytest.raises(DeviceNotFound, match="no program is called"):
        backend(api).launch("nothing")
    assert api.started == []


# -- a person who stops the run


def seen_pressed(desktop: Win32Backend) -> bool:
    limit = Deadline(SystemClock(), 120)
    while not desktop.was_pressed():
        if limit.passed:
            return False
        limit.pause(0.005)
    return True


def check_until_stopped(hands: PanicStop) -> None:
    limit = Deadline(SystemClock(), 120)
    while not limit.passed:
        hands.check()


@pytest.mark.parametrize("code", [0x13, 0x03])  # Windows calls Pause another key while Ctrl is held
def test_watched_key_press_is_reported_once(code: int) -> None:
    api = ScriptedWin32(NOTES)
    desktop: KeyWatcher = backend(api)
    assert isinstance(desktop, Win32Backend)
    desktop.watch("pause")
    assert not desktop.was_pressed()
    api.down.add(code)
    assert seen_pressed(desktop)
    assert not desktop.was_pressed()  # still held, but told
    desktop.close()
    assert not desktop.was_pressed()


def test_short_press_of_watched_key_is_noticed() -> None:
    api = ScriptedWin32(NOTES)
    api.went_down.add(0x13)  # before the watch: that was meant for somebody else
    desktop = backend(api)
    desktop.watch("pause")
    asked = api.asked_for_keys
    wait_for_looks(api, asked)
    assert not desktop.was_pressed()
    api.went_down.add(0x13)
    assert seen_pressed(desktop)
    desktop.close()


def wait_for_looks(api: ScriptedWin32, asked: int) -> None:
    """Until the watch has seen the keys as they are now."""
    limit = Deadline(SystemClock(), 120)
    while api.asked_for_keys < asked + 4:
        assert not limit.passed
        limit.pause(0.005)


def test_stop_key_held_before_counts_when_pressed_again() -> None:
    api = ScriptedWin32(NOTES)
    api.down.add(0x13)
    desktop = backend(api)
    hands = PanicStop(desktop, corner=None, key="pause")
    hands.check()
    asked = api.asked_for_keys
    api.down.clear()
    wait_for_looks(api, asked)
    hands.check()
    api.down.add(0x13)
    with pytest.raises(StoppedByPerson, match="key"):
        check_until_stopped(hands)
    with pytest.raises(StoppedByPerson):
        hands.type("nothing of this")
    assert not api.sent
    desktop.close()


def test_only_single_keys_can_be_watched() -> None:
    desktop = backend(ScriptedWin32(NOTES))
    for key in ("no such key", "?", "漢"):
        with pytest.raises(UsageError):
            desktop.watch(key)
    desktop.watch("f9")
    desktop.watch("f10")  # in its place
    desktop.close()


def test_panic_corner_stops_input() -> None:
    api = ScriptedWin32(NOTES)
    hands = PanicStop(backend(api))
    hands.move(Point(300, 300))
    api.at = Point(0, 0)
    with pytest.raises(StoppedByPerson, match="top-left"):
        hands.button(MouseButton.LEFT, down=True)
