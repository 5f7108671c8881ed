"""Tests of releasing keys, buttons and locks however the program ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from x11_patterns import until
from Xlib import X
from Xlib.display import Display
from Xlib.ext import xtest

from handeye.devices import MouseButton, X11Backend
from handeye.devices.linux.input.xkb import LOCK, Xkb
from handeye.errors import UnsupportedAction, UsageError
from handeye.testing.desktop import PrivateDesktop

CTRL, SHIFT, A = 37, 50, 38  # key codes of Xvfb

_TRIES = 200  # a key combination is down for a millisecond

_HOLDING = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # what a shell starts in the background ignores it
from handeye.devices.desktop.base import MouseButton
from handeye.devices.linux.backend import X11Backend
backend = X11Backend(sys.argv[1])
try:
    backend.type("é")
    backend.key("ctrl", down=True)
    backend.key("shift", down=True)
    backend.button(MouseButton.RIGHT, down=True)
    print("holding", flush=True)
    sys.stdin.read()
finally:
    print("the end", flush=True)
"""
_WITHOUT_KEEPER = "import sys; sys.executable = '/nowhere/python'\n"


@contextmanager
def holding(bare: PrivateDesktop, script: str = _HOLDING) -> Iterator[subprocess.Popen[str]]:
    """A process that holds Ctrl, Shift and the right button, and has borrowed a spare key code."""
    process = subprocess.Popen(
        [sys.executable, "-c", script, bare.display], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    with process:
        try:
            assert process.stdout.readline() == "holding\n"
            yield process
        finally:
            process.kill()


def down(display: Display) -> list[int]:
    bits = display.query_keymap()
    return [code for code in range(256) if bits[code // 8] >> code % 8 & 1]


def buttons(display: Display) -> int:
    return int(display.screen().root.query_pointer().mask) & (X.Button1Mask | X.Button2Mask | X.Button3Mask)


def types_e_acute(display: Display) -> bool:
    return any(code for code, _ in display.keysym_to_keycodes(0xE9)) if _fresh(display) else False


def _fresh(display: Display) -> bool:
    first, last = display.display.info.min_keycode, display.display.info.max_keycode
    display._update_keymap(first, last - first + 1)
    return True


def records(display: Display) -> list[str]:
    names = map(display.get_atom_name, display.screen().root.list_properties())
    return [name for name in names if name.startswith("_HANDEYE_HANDS_")]


def test_next_backend_releases_keys_of_killed_process(bare: PrivateDesktop, display: Display) -> None:
    with holding(bare, _WITHOUT_KEEPER + _HOLDING) as process:
        assert down(display) == [CTRL, SHIFT]
        assert buttons(display) == X.Button3Mask
        assert types_e_acute(display)
        X11Backend(bare.display).close()
        assert down(display) == [CTRL, SHIFT], "what a living process holds is its own"
        process.send_signal(signal.SIGKILL)
        process.wait(120)
        assert down(display) == [CTRL, SHIFT], "nobody let go of them: the test would prove nothing"
    backend = X11Backend(bare.display)
    try:
        assert down(display) == []
        assert buttons(display) == 0
        assert not types_e_acute(display)
        assert records(display) == []
    finally:
        backend.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_terminated_process_releases_its_keys(bare: PrivateDesktop, display: Display, number: signal.Signals) -> None:
    with holding(bare) as process:
        assert down(display) == [CTRL, SHIFT]
        process.send_signal(number)
        assert process.stdout is not None
        assert process.stdout.readline() == "the end\n"
        assert process.wait(120) != 0
        assert down(display) == []
        assert buttons(display) == 0
        assert not types_e_acute(display)
        assert records(display) == []


def test_exiting_program_releases_its_keys(bare: PrivateDesktop, display: Display) -> None:
    with holding(bare) as process:
        process.communicate(timeout=120)
    assert down(display) == []
    assert records(display) == []


def test_caps_lock_is_restored_after_kill_during_typing(bare: PrivateDesktop, display: Display) -> None:
    """The process is killed after the last letter, before the locks are restored."""
    xkb = Xkb(display)
    xkb.lock(LOCK, of=LOCK)
    display.sync()
    script = (
        f"{_WITHOUT_KEEPER}"
        "import os, signal\n"
        "from handeye.devices.linux.input import typing\n"
        "from handeye.devices.linux.backend import X11Backend\n"
        "typing.Ping.taken = lambda self, timeout_s: os.kill(os.getpid(), signal.SIGKILL)\n"
        "X11Backend(sys.argv[1]).type('abc')\n"
    )
    try:
        ended = subprocess.run([sys.executable, "-c", script, bare.display], timeout=120, check=False)
        assert ended.returncode == -signal.SIGKILL
        assert xkb.state().locked & LOCK == 0
        X11Backend(bare.display).close()
        assert xkb.state().locked & LOCK
        assert down(display) == []
    finally:
        xkb.lock(0, of=LOCK)
        display.sync()


def test_keyboard_interrupt_during_request_leaves_backend_usable(bare: PrivateDesktop, display: Display) -> None:
    backend = X11Backend(bare.display)
    try:
        backend.key("ctrl", down=True)
        with pytest.raises(KeyboardInterrupt), backend._input._hands.talk():
            raise KeyboardInterrupt
        backend.release_all()
        assert down(display) == []
        backend.key("a", down=True)
        assert down(display) == [A]
        backend.key("a", down=False)
        assert down(display) == []
    finally:
        backend.close()


def test_shifted_key_keeps_shift_pressed_by_others(bare: PrivateDesktop, display: Display) -> None:
    backend = X11Backend(bare.display)
    try:
        backend.key("+", down=True)
        assert SHIFT in down(display)
        backend.key("+", down=False)
        assert down(display) == []
        backend.key("shift", down=True)
        backend.key("+", down=True)
        backend.key("+", down=False)
        assert down(display) == [SHIFT]
        with pytest.raises(UsageError, match="held down"):
            backend.type("text")
        backend.release_all()
        assert down(display) == []
        backend.release_all()
    finally:
        backend.close()


def test_unknown_keys_press_nothing(bare: PrivateDesktop, display: Display) -> None:
    backend = X11Backend(bare.display)
    try:
        with pytest.raises(UsageError, match="phones"):
            backend.key("BACK", down=True)
        with pytest.raises(UnsupportedAction, match="no key 'f24'"):
            backend.key("f24", down=True)
        backend.key("b", down=False)
        assert down(display) == []
    finally:
        backend.close()


def test_typing_fails_while_a_person_holds_a_key(bare: PrivateDesktop, display: Display) -> None:
    backend = X11Backend(bare.display)
    xtest.fake_input(display, X.KeyPress, CTRL)
    display.sync()
    try:
        with pytest.raises(Exception, match="held down by somebody: nothing was typed"):
            backend.type("q")
    finally:
        xtest.fake_input(display, X.KeyRelease, CTRL)
        display.sync()
        backend.close()


@pytest.mark.parametrize(
    "written", [b"", b"{", b"[]", b"\xff", b'{"keys": ["x", 999, -1, null], "window": "no"}', b"[" * 9999]
)
def test_broken_record_is_removed(bare: PrivateDesktop, display: Display, written: bytes) -> None:
    root = display.screen().root
    root.change_property(display.get_atom("_HANDEYE_HANDS_7"), display.get_atom("UTF8_STRING"), 8, written)
    display.sync()
    X11Backend(bare.display).close()
    until(lambda: records(display) == [])


def test_left_button_works_with_swapped_mapping(bare: PrivateDesktop, display: Display) -> None:
    usual = list(display.get_pointer_mapping())
    display.set_pointer_mapping([3, 2, 1, *usual[3:]])
    backend = X11Backend(bare.display)
    try:
        backend.button(MouseButton.LEFT, down=True)
        assert buttons(display) == X.Button1Mask
        backend.button(MouseButton.LEFT, down=False)
        assert buttons(display) == 0
    finally:
        backend.close()
        display.set_pointer_mapping(usual)


def test_keys_of_killed_process_are_released_automatically(bare: PrivateDesktop, display: Display) -> None:
    """No other command is needed; a process that is only stopped keeps its keys."""
    with holding(bare) as process:
        process.send_signal(signal.SIGSTOP)
        os.waitpid(process.pid, os.WUNTRACED)
        assert down(display) == [CTRL, SHIFT]
        assert buttons(display) == X.Button3Mask
        process.kill()
        process.wait(120)
    until(lambda: down(display) == [])
    until(lambda: buttons(display) == 0)
    until(lambda: not types_e_acute(display))
    until(lambda: records(display) == [])


_ACTS = {
    "keys": "PressKey('ctrl+shift+f9')",
    "click": "Click(InputPoint(200, 200))",
    "drag": "Drag(InputPoint(100, 100), InputPoint(300, 300), 60_000)",
}


@pytest.mark.parametrize("act", _ACTS)
def test_keys_are_released_wherever_process_is_killed(bare: PrivateDesktop, display: Display, act: str) -> None:
    """The process is stopped while something is down, and killed then."""
    script = (
        "import sys\n"
        "from handeye.actions import Click, Drag, PressKey\n"
        "from handeye.devices.table import open_device\n"
        "from handeye.screen import InputPoint\n"
        "device = open_device(sys.argv[1])\n"
        f"while True: device.perform({_ACTS[act]})\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script, bare.uri])
    try:
        for _ in range(_TRIES):
            until(lambda: bool(down(display) or buttons(display)))
            process.send_signal(signal.SIGSTOP)
            os.waitpid(process.pid, os.WUNTRACED)
            if down(display) or buttons(display):
                break
            process.send_signal(signal.SIGCONT)
        else:
            pytest.fail("nothing was down whenever it was looked")
    finally:
        process.kill()
        process.wait(120)
    until(lambda: down(display) == [])
    until(lambda: buttons(display) == 0)
    until(lambda: records(display) == [])


def test_closed_backend_leaves_no_keeper_process(bare: PrivateDesktop) -> None:
    backend = X11Backend(bare.display)
    assert not _keepers(bare), "a desktop that is only looked at needs none"
    for key in ("a", "ctrl"):
        backend.key(key, down=True)
        backend.key(key, down=False)
        backend.button(MouseButton.LEFT, down=True)
        backend.button(MouseButton.LEFT, down=False)
        # One for all presses. It has no command line yet for a moment when it starts.
        until(lambda: len(_keepers(bare)) == 1)
    backend.close()
    assert not _keepers(bare)


def _keepers(bare: PrivateDesktop) -> list[str]:
    """The processes of this one that wait beside hands of this display."""
    listed = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    commands = [Path(f"/proc/{id}/cmdline").read_text() for each in listed for id in each.read_text().split()]
    return [command for command in commands if "release_after_exit" in command and bare.display in command.split("\0")]
