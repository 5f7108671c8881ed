"""Tests of typing through the clipboard and of restoring its content."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typing_places import Place, open_place
from x11_patterns import until
from Xlib import X
from Xlib.display import Display

from handeye.clock import SystemClock
from handeye.devices import X11Backend
from handeye.devices.linux.input.clipboard import LARGEST_WHOLE, Clipboard
from handeye.devices.linux.input.xkb import Xkb
from handeye.errors import DeviceError, TextInputFailed, UsageError
from handeye.testing.desktop import PrivateDesktop
from optional_programs import need

NASTY = "你好,世界 Grüße €5 😀 abcXYZ! ~^\"'\\ $(rm)\nאבג\tend"
F18 = 0xFFCF

_PICTURE_OWNER = """
import sys
from Xlib import X
from Xlib.display import Display
from Xlib.protocol.event import SelectionNotify
display = Display(sys.argv[1])
window = display.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
window.set_selection_owner(display.get_atom("CLIPBOARD"), X.CurrentTime)
display.sync()
print("owns", flush=True)
while True:
    asked = display.next_event()
    if asked.type == X.SelectionRequest and sys.argv[2] != "silent":
        kinds = [display.get_atom("TARGETS"), display.get_atom("image/png")]
        asked.requestor.change_property(asked.property, display.get_atom("ATOM"), 32, kinds)
        asked.requestor.send_event(SelectionNotify(time=asked.time, requestor=asked.requestor,
            selection=asked.selection, target=asked.target, property=asked.property))
        display.flush()
"""


@pytest.fixture
def clipboard(desktop: PrivateDesktop) -> Iterator[Clipboard]:
    """It is empty before and after the test: a text that is kept for others ends with the next one."""
    made = Clipboard(desktop.display, SystemClock())
    for text in ("", None):
        made.write(text)
    yield made
    for text in ("", None):
        made.write(text)
    made.close()


@pytest.fixture
def pasting(desktop: PrivateDesktop) -> Iterator[X11Backend]:
    backend = X11Backend(desktop.display, typing="clipboard")
    yield backend
    backend.close()


@pytest.fixture(scope="module", params=["mousepad", "bed"])
def place(request: pytest.FixtureRequest, desktop: PrivateDesktop) -> Place:
    return open_place(request.param, desktop)


def xclip(desktop: PrivateDesktop) -> str:
    """Text that another program finds on the clipboard."""
    need("xclip")
    command = ["xclip", "-selection", "clipboard", "-o", "-target", "UTF8_STRING"]
    return subprocess.run(command, env=dict(desktop.environment), capture_output=True, timeout=120).stdout.decode()


def test_clipboard_is_restored_after_pasting(
    place: Place, desktop: PrivateDesktop, pasting: X11Backend, clipboard: Clipboard
) -> None:
    clipboard.write("what the person had copied ✂")
    place.begin()
    assert pasting.type(NASTY) == "pasted"
    place.holds(NASTY)
    assert xclip(desktop) == "what the person had copied ✂"
    pasting.close()  # the text outlives the process that has put it back
    assert xclip(desktop) == "what the person had copied ✂"


@pytest.mark.usefixtures("clipboard")
def test_empty_clipboard_is_empty_after_pasting(place: Place, desktop: PrivateDesktop, pasting: X11Backend) -> None:
    place.begin()
    pasting.type("once")
    place.holds("once")
    display = Display(desktop.display)
    assert display.get_selection_owner(display.get_atom("CLIPBOARD")) == X.NONE
    display.close()


def test_large_clipboard_text_is_transferred_in_pieces(desktop: PrivateDesktop, clipboard: Clipboard) -> None:
    text = "字a" * LARGEST_WHOLE
    clipboard.write(text)
    assert xclip(desktop) == text
    assert Clipboard(desktop.display, SystemClock()).read() == text


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.characters(exclude_categories=["Cs"]), max_size=200))
def test_any_clipboard_text_is_read_back_unchanged(desktop: PrivateDesktop, clipboard: Clipboard, text: str) -> None:
    clipboard.write(text)
    assert clipboard.read() == text


@pytest.mark.parametrize(
    ("kind", "error", "says"),
    [("picture", TextInputFailed, "picture or files"), ("silent", DeviceError, "does not answer")],
)
def test_clipboard_that_cannot_be_restored_is_kept(
    desktop: PrivateDesktop, pasting: X11Backend, kind: str, error: type[Exception], says: str
) -> None:
    owner = desktop.launch(sys.executable, "-c", _PICTURE_OWNER, desktop.display, kind)
    try:
        until(lambda: "owns" in desktop.output(owner))
        with pytest.raises(error, match=says):
            pasting.type("text")
    finally:
        owner.kill()
        owner.wait()


def test_impossible_paste_is_an_error(desktop: PrivateDesktop, clipboard: Clipboard, pasting: X11Backend) -> None:
    clipboard.write("former")
    with PrivateDesktop(manager=None) as bare:
        backend = X11Backend(bare.display, typing="clipboard")
        with pytest.raises(DeviceError):
            backend.type("text")
        backend.close()
    with pytest.raises(UsageError, match=r"U\+001B"):
        pasting.type("\x1b")
    assert clipboard.read() == "former"


def test_text_is_pasted_without_spare_key_codes(place: Place, desktop: PrivateDesktop) -> None:
    display = Display(desktop.display)
    first, last = display.display.info.min_keycode, display.display.info.max_keycode
    rows = display.get_keyboard_mapping(first, last - first + 1)
    spare = [first + index for index, row in enumerate(rows) if not any(row)]
    backend = X11Backend(desktop.display)
    place.begin()
    xkb = Xkb(display)
    xkb.give(dict.fromkeys(spare, (F18, F18)))
    display.sync()
    try:
        assert "0 key codes are spare" in backend.type("ab 你好")
        place.holds("ab 你好")
        assert "pasted" not in backend.type("plain")
        place.holds("ab 你好plain")
    finally:
        xkb.give(dict.fromkeys(spare, ()))
        display.sync()
        display.close()
        backend.close()
