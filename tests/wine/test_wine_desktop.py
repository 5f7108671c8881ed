"""Tests of the Windows backend on Wine's Win32 functions, under a private X server."""

from __future__ import annotations

import numpy as np
import pytest
from wine_computer import BED_SIZE, Bed, Wine, wait_until

from handeye.actions import Click, InputText, PressKey, Scroll
from handeye.devices import DesktopDevice, MouseButton, Window
from handeye.devices.desktop.panic import PanicStop, StoppedByPerson
from handeye.errors import CaptureFailed, DeviceNotFound, TreeFailed, UsageError
from handeye.geometry import Box, Point
from handeye.perceive.uia.declared import methods_before
from handeye.perceive.uia.interfaces import INTERFACES
from handeye.screen import Screen
from handeye.testing.desktop_fake import pattern, place_of

SEED = 7
EDIT_TOP = BED_SIZE[1] - 80  # the edit control begins there: the picture above it is the bed's pattern
TEXT = "你好,世界 Grüße €5 😀 abcXYZ! ~^\"'\\ $(rm)"


@pytest.fixture(scope="module")
def bed(wine: Wine) -> Bed:
    return wine.bed("Bed one – 你好", seed=SEED)


@pytest.fixture
def device(wine: Wine, bed: Bed) -> DesktopDevice:
    return DesktopDevice(wine.backend, bed.title)


def input_at(screen: Screen, x: int, y: int) -> tuple[float, float]:
    return screen.to_input(Point(x, y))


def test_monitor_and_window_client_area_are_listed(wine: Wine, bed: Bed) -> None:
    (monitor,) = wine.backend.monitors()
    assert (monitor.box, monitor.primary, monitor.scale, monitor.rotation) == (Box(0, 0, 1024, 768), True, 1.0, 0)
    window = wine.window(bed)
    assert (window.box.width, window.box.height) == BED_SIZE
    assert window.frame.left < window.box.left
    assert window.frame.top < window.box.top - 10  # the title bar is no part of the client area
    assert (window.program, window.minimized) == ("python.exe", False)
    assert window.process
    assert wine.backend.window(window.id) == window
    assert wine.backend.window(0x7FFFFFF0) is None


def test_window_screenshot_is_its_exact_client_area(wine: Wine, bed: Bed, device: DesktopDevice) -> None:
    window = wine.window(bed)
    drawn = pattern(*BED_SIZE, SEED)[:EDIT_TOP]
    wait_until(lambda: np.array_equal(device.screenshot().pixels[:EDIT_TOP], drawn), "Wine shows what was painted")
    screen = device.screenshot()
    assert screen.size == BED_SIZE
    whole = wine.backend.grab(wine.backend.monitors()[0].box)
    assert np.array_equal(
        whole[window.box.top : window.box.top + EDIT_TOP, window.box.left : window.box.right],
        screen.pixels[:EDIT_TOP],
    )


def test_region_outside_the_screen_is_black(wine: Wine) -> None:
    seen = wine.backend.grab(Box(-10, -20, 30, 40))
    assert seen.shape == (60, 40, 3)
    assert not seen[:20].any()
    assert not seen[:, :10].any()
    with pytest.raises(CaptureFailed, match="on no monitor"):
        wine.backend.grab(Box(5000, 0, 5010, 10))


def test_covered_window_of_same_process_is_captured(wine: Wine, bed: Bed) -> None:
    wine.backend.ask("show_bed", "Inner", 520, 300, *BED_SIZE, 33)
    cover = wine.bed("Cover", at=(600, 360), size=(200, 100), seed=90)
    (covered,) = [window for window in wine.backend.windows() if window.title == "Inner"]
    wine.backend.focus(wine.window(cover))
    above = wine.window(cover)
    assert above.box.intersect(covered.box) == above.box
    wait_until(lambda: place_of(wine.backend.grab(above.box)[10, 10], 90) == (10, 10), "the screen shows the other one")
    drawn = wine.backend.grab_window(covered)
    assert np.array_equal(drawn[:EDIT_TOP], pattern(*BED_SIZE, 33)[:EDIT_TOP])


def test_covered_window_not_drawing_itself_is_refused(wine: Wine, bed: Bed) -> None:
    cover = wine.bed("Cover 2", at=(160, 120), size=(200, 100), seed=90)
    wine.backend.focus(wine.window(cover))
    with pytest.raises(CaptureFailed, match="does not draw itself while 'Cover 2' covers it"):
        wine.backend.grab_window(wine.window(bed))
    wine.backend.focus(wine.window(bed))
    assert wine.backend.windows()[0].title == bed.title
    assert wine.window(bed).focused
    drawn = pattern(*BED_SIZE, SEED)[:EDIT_TOP]
    wait_until(
        lambda: np.array_equal(wine.backend.grab_window(wine.window(bed))[:EDIT_TOP], drawn), "it is painted again"
    )


def test_clicks_of_every_button_arrive_at_the_pixel(device: DesktopDevice, bed: Bed) -> None:
    screen = device.screenshot()
    for button, (x, y) in zip(("left", "right", "middle"), ((3, 5), (200, 100), (399, 219)), strict=True):
        at = input_at(screen, x, y)
        device.perform(Click(at, button))
        pressed = bed.wait_for(lambda said, name=f"{button} down": said.get("mouse") == name)
        assert (pressed["x"], pressed["y"]) == (x, y)
        bed.wait_for(lambda said, name=f"{button} up": said.get("mouse") == name)


def test_the_wheel_turns_both_ways(device: DesktopDevice, bed: Bed) -> None:
    at = input_at(device.screenshot(), 50, 50)
    device.perform(Scroll(at, 2, -1))
    assert [bed.wait_for(lambda said: "mouse" in said and said["turned"])["turned"] for _ in range(3)] == [
        -120,
        -120,
        -120,
    ]
    assert bed.told[-1]["mouse"] == "wheel across"


def test_pointer_reaches_every_edge(wine: Wine) -> None:
    for place in (Point(0, 0), Point(1023, 767), Point(511, 384), Point(1, 766)):
        wine.backend.move(place)
        assert wine.backend.pointer() == place


def test_chinese_and_emoji_arrive_letter_by_letter(device: DesktopDevice, bed: Bed) -> None:
    device.perform(Click(input_at(device.screenshot(), 60, EDIT_TOP + 30)))
    device.perform(InputText(f"{TEXT}\nzweite Zeile"))
    bed.wait_for(lambda said: said.get("text") == f"{TEXT}\r\nzweite Zeile")
    device.perform(PressKey("ctrl+home"))
    device.perform(PressKey("shift+end"))
    device.perform(PressKey("delete"))
    bed.wait_for(lambda said: said.get("text") == "\r\nzweite Zeile")
    device.perform(PressKey("?"))  # needs shift on an American keyboard
    bed.wait_for(lambda said: said.get("text") == "?\r\nzweite Zeile")


def test_release_all_releases_keys_and_buttons(wine: Wine) -> None:
    codes = {"ctrl": 0x11, "shift": 0x10}
    for name in codes:
        wine.backend.key(name, down=True)
    assert all(wine.backend.ask("api.is_down", code) for code in codes.values())
    wine.backend.button(MouseButton.RIGHT, down=True)
    wine.backend.release_all()
    assert not any(wine.backend.ask("api.is_down", code) for code in (*codes.values(), 0x02))


def test_next_backend_releases_keys_of_killed_program(wine: Wine) -> None:
    codes = (0x11, 0x10)
    killed = wine.another_backend()
    killed.key("ctrl", down=True)
    killed.key("shift", down=True)
    killed.program.end()
    assert all(wine.backend.ask("api.is_down", code) for code in codes)
    wine.another_backend().program.end()
    assert not any(wine.backend.ask("api.is_down", code) for code in codes)


# Wine lets go of a held key by itself when one of its programs hears that the X server takes it for up.
@pytest.mark.parametrize("held", [True, False])
def test_panic_corner_or_key_stops_input(wine: Wine, bed: Bed, held: bool) -> None:
    person = wine.another_backend()
    wine.backend.focus(wine.window(bed))
    hands = PanicStop(wine.backend, key="pause")
    hands.move(Point(400, 300))
    person.key("a", down=True)
    person.key("a", down=False)
    hands.check()
    person.key("pause", down=True)
    if not held:
        person.key("pause", down=False)
    wait_until(lambda: stopped(hands), "the key was seen")
    person.key("pause", down=False)
    with pytest.raises(StoppedByPerson, match="key"):
        hands.type("nothing of this arrives")
    hands.reset()
    hands.move(Point(401, 300))
    person.move(Point(0, 0))
    wait_until(lambda: stopped(hands), "Wine tells every process of the movement")
    with pytest.raises(StoppedByPerson, match="top-left"):
        hands.move(Point(300, 300))
    wait_until(lambda: wine.backend.pointer() == (0, 0), "the pointer stays there")
    person.program.end()


def stopped(hands: PanicStop) -> bool:
    try:
        hands.check()
    except StoppedByPerson:
        return True
    return False


def test_comtypes_accepts_the_ui_automation_declarations(wine: Wine) -> None:
    """Wine 8 has no UI Automation to call, but comtypes can still build the interfaces."""
    made = wine.backend.ask("count_methods")
    assert made == {name: methods_before(interface) + len(interface.methods) for name, interface in INTERFACES.items()}


def test_cached_elements_are_read_through_real_com_tables(wine: Wine) -> None:
    """Numbers, texts, boxes and arrays pass through the COM tables that comtypes builds from our declarations."""
    field = {30003: 50004, 30005: "标题", 30010: True, 30019: False, 30043: True, 30045: "购物清单", 30046: False}
    secret = {30003: 50004, 30005: "Password", 30019: True, 30043: True, 30045: "hunter2"}
    slider = {30003: 50015, 30005: "Size", 30033: True, 30047: 30.5, 30049: 0.0, 30050: 100.0}
    window = {30003: 50032, 30005: "Notes", 30011: "notes.exe"}
    gone = None  # a null pointer among the children
    rows = ((field, (10, 20, 110, 40), ()), gone, (secret, (10, 50, 110, 70), ()), (slider, (0, 0, 0, 0), ()))
    (known, box, _, below), read, notes = wine.backend.ask(
        "read_python_elements", (window, (-5, -6, 300, 200), rows), 100
    )
    assert (known[30005], known[30011], box, read, notes) == ("Notes", "notes.exe", Box(-5, -6, 300, 200), 4, [])
    assert below[0][1:] == (Box(10, 20, 110, 40), [10002], [])
    assert (below[0][0][30005], below[0][0][30045]) == ("标题", "购物清单")
    assert 30045 not in below[1][0]  # the password was not even asked for
    assert (below[2][0][30047], below[2][1], below[2][2]) == (30.5, None, [10003])
    _, read, notes = wine.backend.ask("read_python_elements", (window, (0, 0, 9, 9), rows), 2)
    assert (read, ["more than" in note for note in notes]) == (2, [True])


def test_step_by_step_reading_through_real_com_tables(wine: Wine) -> None:
    entry = {30003: 50011, 30005: "Öffnen"}
    menus = ({30003: 50009, 30005: "File"}, (0, 0, 50, 20), ((entry, (0, 20, 90, 40), ()),))
    broken = ({30003: 50008, 30005: "fails"}, (0, 50, 90, 90), ((entry, (0, 50, 90, 60), ()),))
    window = ({30003: 50032, 30005: "Notes"}, (0, 0, 300, 200), (menus, None, broken))
    (known, _, _, below), read, notes = wine.backend.ask("read_python_elements_by_steps", window)
    assert (known, read) == ({30003: 50032, 30005: "Notes"}, 4)
    assert [(each[0][30005], [leaf[0][30005] for leaf in each[3]]) for each in below] == [
        ("File", ["Öffnen"]),
        ("fails", []),
    ]
    assert notes == ["1 of its elements did not say what they hold"]


def test_set_text_keeps_emoji(wine: Wine) -> None:
    assert wine.backend.ask("set_text", TEXT) == TEXT


def test_missing_ui_automation_is_reported(wine: Wine, bed: Bed) -> None:
    """Wine 8 has none; test_wine_uia.py uses a Wine that has it."""
    with pytest.raises(TreeFailed, match="this Windows has no UI Automation"):
        wine.backend.ask("read_tree", wine.window(bed).id)


def test_the_clipboard_holds_text(wine: Wine) -> None:
    wine.backend.ask("api.set_clipboard", TEXT)
    wait_until(lambda: wine.backend.ask("api.clipboard") == TEXT, "the text is on the clipboard")
    wine.backend.ask("api.set_clipboard", None)
    assert wine.backend.ask("api.clipboard") is None


def test_missing_window_and_key_are_reported(wine: Wine, bed: Bed) -> None:
    with pytest.raises(DeviceNotFound, match="Bed one"):
        DesktopDevice(wine.backend, "no such window")
    with pytest.raises(UsageError, match="is not the name of a key"):
        wine.backend.key("enterr", down=True)
    gone = Window(0x7FFFFFF0, "gone", Box(0, 0, 1, 1), Box(0, 0, 1, 1))
    with pytest.raises(CaptureFailed, match="it is gone"):
        wine.backend.grab_window(gone)


def test_a_program_is_started_and_asked_to_close(wine: Wine) -> None:
    assert "notepad.exe" in wine.backend.launch("notepad")

    def there() -> bool:
        return any(window.program == "notepad.exe" for window in wine.backend.windows())

    wait_until(there, "Notepad shows a window")
    assert "Notepad" in wine.backend.quit("Notepad")
    wait_until(lambda: not there(), "Notepad has closed")
    with pytest.raises(DeviceNotFound):
        wine.backend.launch("nothing-of-this-name")
