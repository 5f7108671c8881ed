"""Tests of the adb link: complete answers, timeouts, and no repeated actions."""

from __future__ import annotations

import re
import struct
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripted_server import ScriptedServer, device_line, fail, okay

from handeye.clock import SystemClock
from handeye.devices.android.link import Link
from handeye.devices.android.transport import MAX_COMMAND, command_line
from handeye.errors import AdbNotFound, DeviceError, DeviceLost, DeviceOffline, DeviceUnauthorized, UsageError

SERIAL = "PHONE1"


def packet(kind: int, content: bytes) -> bytes:
    return bytes([kind]) + struct.pack("<I", len(content)) + content


def modern(shell: bytes | object, **more: object) -> dict[str, object]:
    """A server with one ready device that has shell_v2 and answers every command with `shell`."""
    return {
        "host:devices-l": device_line(SERIAL),
        f"host-serial:{SERIAL}:features": okay(b"shell_v2,cmd"),
        f"host:transport:{SERIAL}": b"OKAY",
        "shell": shell,
        **more,
    }


def link_to(server: ScriptedServer, *, timeout_s: float = 5.0) -> Link:
    return Link(server.server, SERIAL, timeout_s=timeout_s, clock=SystemClock())


def test_streams_and_exit_code_are_kept_apart() -> None:
    answer = b"OKAY" + packet(1, b"out") + packet(2, b"err") + packet(1, b"put") + packet(3, b"\x2a")
    with ScriptedServer(modern(answer)) as server:
        result = link_to(server).shell("ls")
    assert (result.exit_code, result.stdout, result.stderr) == (42, b"output", b"err")


def test_packets_of_any_size_are_joined() -> None:
    big = bytes(range(256)) * 2000
    packets = [packet(1, big), *(packet(1, big[start : start + 7]) for start in range(0, 700, 7)), packet(3, b"\0")]
    with ScriptedServer(modern(b"OKAY" + b"".join(packets))) as server:
        assert link_to(server).shell("cat").stdout == big + big[:700]


def test_exit_code_is_read_from_old_phone() -> None:
    def old_shell() -> bytes:
        mark = re.search(r"echo (\w+)\$\?", server.asked[-1])
        assert mark
        return b"OKAY" + b"one\r\ntwo\r\n" + mark[1].encode() + b"3\r\n"

    answers = modern(old_shell) | {f"host-serial:{SERIAL}:features": okay(b"")}
    with ScriptedServer(answers) as server:
        result = link_to(server).shell("ls", "a b")
    assert (result.exit_code, result.stdout) == (3, b"one\ntwo\n")
    assert server.asked[-1].startswith("shell:ls 'a b'; echo ")


def test_truncated_answer_does_not_repeat_tap() -> None:
    with ScriptedServer(modern(b"OKAY" + packet(1, b"half"))) as server:
        with pytest.raises(DeviceLost, match="not known whether it took effect"):
            link_to(server).shell("input", "tap", "1", "2")
        assert sum(request.startswith("shell") for request in server.asked) == 1


def test_refusal_after_transport_does_not_repeat_tap() -> None:
    with ScriptedServer(modern(fail(b"closed"))) as server:
        with pytest.raises(DeviceLost):
            link_to(server).shell("input", "tap", "1", "2")
        assert sum(request.startswith("shell") for request in server.asked) == 1


def test_truncated_read_command_is_retried() -> None:
    answers = iter([b"OKAY" + packet(1, b"ha"), b"OKAY" + packet(1, b"whole") + packet(3, b"\0")])
    with ScriptedServer(modern(lambda: next(answers))) as server:
        assert link_to(server).ask("getprop") == "whole"


def test_unsent_tap_is_retried() -> None:
    transports = iter([fail(b"device offline"), b"OKAY"])
    answers = modern(b"OKAY" + packet(3, b"\0"), **{f"host:transport:{SERIAL}": lambda: next(transports)})
    with ScriptedServer(answers) as server:
        assert link_to(server).shell("input", "tap", "1", "2").exit_code == 0


def test_command_fails_after_three_lost_connections() -> None:
    with ScriptedServer(modern(b"OKAY")) as server:
        with pytest.raises(DeviceLost, match="ends without an answer"):
            link_to(server, timeout_s=30).ask("getprop")
        assert sum(request.startswith("shell") for request in server.asked) == 3


def test_silent_device_times_out() -> None:
    def silence() -> bytes:
        released.wait(300)
        return b"OKAY"

    import threading

    released = threading.Event()
    with ScriptedServer(modern(silence)) as server:
        began = time.monotonic()
        with pytest.raises(DeviceOffline, match="no answer"):
            link_to(server, timeout_s=0.3).ask("getprop")
        took = time.monotonic() - began
        released.set()
    assert took >= 0.3


def test_foreign_server_is_reported_as_no_adb() -> None:
    with ScriptedServer({"host:": b"HTTP/1.1 400 Bad Request\r\n\r\n"}) as server:
        with pytest.raises(AdbNotFound, match="ANDROID_ADB_SERVER_PORT"):
            server.server.version()
        with pytest.raises(AdbNotFound, match="is it an adb server"):
            link_to(server).connect()


@pytest.mark.parametrize(
    ("state", "error", "remedy"),
    [
        ("unauthorized", DeviceUnauthorized, "allow USB debugging"),
        ("recovery", DeviceOffline, "recovery"),
        ("no permissions (udev)", DeviceOffline, "no permissions"),
        ("offline", DeviceOffline, "reconnect"),
    ],
)
def test_error_explains_why_device_is_not_ready(state: str, error: type[DeviceError], remedy: str) -> None:
    answers = {"host:devices-l": device_line(SERIAL, state)}
    with ScriptedServer(answers) as server, pytest.raises(error, match=re.escape(remedy)):
        link_to(server, timeout_s=2.0).connect()


words = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), max_size=30)


@given(st.lists(words, min_size=1, max_size=5))
def test_command_line_quoting_is_reversible(command: list[str]) -> None:
    import shlex

    assert shlex.split(command_line(tuple(command)), comments=False) == command


@pytest.mark.parametrize("command", [(), ("echo", "a\0b"), ("echo", "\ud800"), ("echo", "x" * MAX_COMMAND)])
def test_invalid_command_line_is_refused(command: tuple[str, ...]) -> None:
    with pytest.raises(UsageError):
        command_line(command)
