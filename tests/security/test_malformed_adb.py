"""Tests of malformed ADB packets: the virtual phone keeps serving, and Handeye's calls raise documented errors."""

from __future__ import annotations

import contextlib
import random
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from handeye.devices import ADBController, AdbServer, list_devices
from handeye.errors import DeviceError, HandeyeError, UsageError
from handeye.testing.adb import PrivateAdbServer
from handeye.testing.fakes import FakeClock
from handeye_phone import VirtualPhone

NAMES = [
    b"CNXN",
    b"OPEN",
    b"OKAY",
    b"WRTE",
    b"CLSE",
    b"AUTH",
    b"SYNC",
    b"STLS",
    b"\0\0\0\0",
    b"\xff\xff\xff\xff",
    b"CNXX",
]
NUMBERS = [0, 1, 2, 3, 7, 0x01000000, 0x01000001, 4096, 1 << 20, (1 << 31) - 1, 1 << 31, (1 << 32) - 1]
SERVICES = [
    b"shell:echo hi",
    b"shell,v2,raw:cat",
    b"exec:screencap",
    b"sync:",
    b"shell:",
    b"tcp:1",
    b"reboot:",
    b"",
    b"\xff\xfe",
    b"shell:" + b"(" * 3000,
    b"localabstract:none",
    b"jdwp:1",
    b"x" * 5000,
]
FRAMES = [b"SEND", b"RECV", b"LIST", b"STAT", b"SND2", b"DATA", b"DONE", b"QUIT", b"\0\0\0\0"]


def malformed_packet(chance: random.Random) -> bytes:
    """A packet as a host sends it, with something wrong in it or none."""
    name = chance.choice(NAMES)
    payload = chance.choice(
        [b"", b"host::\0", chance.choice(SERVICES) + b"\0", chance.randbytes(chance.randint(0, 3000))]
    )
    if name == b"WRTE" and chance.random() < 0.6:  # of the file protocol, or of the shell's
        length = chance.choice([*NUMBERS, len(payload)])
        payload = (
            chance.choice([chance.choice(FRAMES), bytes([chance.randint(0, 9)])]) + struct.pack("<I", length) + payload
        )
    command = int.from_bytes(name, "little")
    length = chance.choice([len(payload)] * 6 + NUMBERS)
    total = chance.choice([0, sum(payload) & 0xFFFFFFFF, 99])
    magic = chance.choice([command ^ 0xFFFFFFFF] * 9 + [0])
    numbers = (chance.choice(NUMBERS), chance.choice(NUMBERS))
    packet = struct.pack("<6I", command, *numbers, length, total, magic) + payload
    return packet[: chance.choice([len(packet)] * 8 + [chance.randint(1, len(packet))])]


def greeting(chance: random.Random) -> bytes:
    command = int.from_bytes(b"CNXN", "little")
    banner = b"host::features=shell_v2,cmd\0"
    version = chance.choice([0x01000001, 0x01000000])
    return struct.pack("<6I", command, version, 1 << 20, len(banner), sum(banner), command ^ 0xFFFFFFFF) + banner


def send_packets(port: int, chance: random.Random, count: int) -> None:
    """So many packets, over as many connections as the phone makes of it."""
    sent = 0
    while sent < count:
        with socket.create_connection(("127.0.0.1", port), timeout=10) as sock, contextlib.suppress(ConnectionError):
            sock.settimeout(0.002)
            if chance.random() < 0.9:
                sock.sendall(greeting(chance))
            for _ in range(chance.randint(1, 40)):
                if sent == count:
                    return
                sent += 1
                sock.sendall(malformed_packet(chance))
                with contextlib.suppress(TimeoutError):
                    if not sock.recv(1 << 16):
                        break


@pytest.mark.parametrize("count", [60, pytest.param(2500, marks=pytest.mark.wide)])
def test_phone_keeps_serving_after_malformed_packets(private_adb: PrivateAdbServer, count: int) -> None:
    with VirtualPhone() as phone:
        send_packets(phone.port, random.Random(7), count)
        private_adb.connect(phone.serial)
        assert private_adb.run("-s", phone.serial, "shell", "echo here").stdout == b"here\n"
        private_adb.run("disconnect", phone.serial)
        assert phone.running


# The other direction


class LyingServer:
    """Listens as an adb server whose answers are malformed, more or less; `sent` counts them."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.sent = 0
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _serve(self) -> None:
        while True:
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            with sock, contextlib.suppress(OSError, ValueError):
                sock.settimeout(5)
                self._speak(sock)

    def _speak(self, sock: socket.socket) -> None:
        service = self._request(sock)
        if service.startswith("host:transport:"):
            if self._answered(sock, b"OKAY"):
                self._request(sock)
                self._answered(sock, b"OKAY" + self._piece())
            return
        if "devices" in service:
            text = b"S\tdevice product:p model:m transport_id:1\n"
        elif "features" in service:
            text = self._chance.choice([b"shell_v2,cmd", b"", b"\xff\xff"])
        else:
            text = b"0029"
        self._answered(sock, b"OKAY" + b"%04x" % len(text) + text)

    def _request(self, sock: socket.socket) -> str:
        length = int(sock.recv(4, socket.MSG_WAITALL), 16)
        return sock.recv(length, socket.MSG_WAITALL).decode("utf-8", "replace")

    def _answered(self, sock: socket.socket, answer: bytes) -> bool:
        """Send it, spoilt one time in five; whether it was sent as it was."""
        chance = self._chance
        self.sent += 1
        spoilt = chance.random() < 0.2
        if spoilt:
            answer = chance.choice(
                [
                    b"",
                    answer[: chance.randint(0, len(answer))],
                    chance.randbytes(chance.randint(1, 200)),
                    b"FAIL" + chance.choice([b"0004nope", b"ffff", b"-001", b"zzzz", b"0002\xff\xff"]),
                    b"OKAY" + chance.choice([b"ffff", b"-00f", b"+1_0", b"0x1f", b"    ", b"\0\0\0\0"]),
                ]
            )
        sock.sendall(answer)
        return not spoilt

    def _piece(self) -> bytes:
        """Random answer of a device's service: of the shell, of the file protocol, or of no known kind."""
        chance = self._chance
        length = struct.pack("<I", chance.choice([*NUMBERS, 4]))
        return b"".join(
            chance.choice(
                [
                    bytes([chance.randint(0, 9)]) + length + chance.randbytes(4),
                    b"\x01" + struct.pack("<I", 3) + b"out" + b"\x03" + struct.pack("<I", 1) + b"\0",
                    chance.choice([b"DATA", b"DONE", b"FAIL", b"OKAY", b"DENT", b"STAT"])
                    + length
                    + chance.randbytes(12),
                    b"STAT" + struct.pack("<3I", 0o100644, 4, 0),
                    b"DATA" + struct.pack("<I", 4) + b"good" + b"DONE" + bytes(4),
                    chance.randbytes(chance.randint(0, 300)),
                    struct.pack("<4I", *chance.choices(NUMBERS, k=4)) + b"\0" * 64,
                    b"\x89PNG\r\n\x1a\n" + chance.randbytes(60),
                    b"<?xml version='1.0'?><hierarchy>" + chance.randbytes(20),
                ]
            )
            for _ in range(chance.randint(0, 3))
        )


@pytest.fixture
def lying() -> Iterator[LyingServer]:
    server = LyingServer(11)
    yield server
    server.close()


@pytest.mark.parametrize("count", [60, pytest.param(2500, marks=pytest.mark.wide)])
def test_malformed_answers_are_device_errors(lying: LyingServer, count: int, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"content")
    clock = FakeClock()
    server = AdbServer("127.0.0.1", lying.port, clock=clock)
    device = ADBController("S", server=server, clock=clock)
    calls: list[Callable[[], object]] = [
        lambda: list_devices(server),
        lambda: device.connect(),
        lambda: device.shell("echo", "hi"),
        lambda: device.screenshot(),
        lambda: device.dump_hierarchy(),
        lambda: device.current_app(),
        lambda: device.screen_size(),
        lambda: device.rotation(),
        lambda: device.is_installed("com.example"),
        lambda: device.app_version("com.example"),
        lambda: device.keyboard_shown(),
        lambda: device.open_windows(),
        lambda: device.tap(1, 1),
        lambda: device.input_text("hi"),
        lambda: device.pull("/sdcard/file", tmp_path / "pulled"),
        lambda: device.push(tmp_path / "file", "/sdcard/file"),
        lambda: device.forward("tcp:1"),
    ]
    errors: list[HandeyeError] = []
    done = 0
    while lying.sent < count:
        for call in calls:
            try:
                call()
                done += 1
            except HandeyeError as error:
                errors.append(error)
            device.close()
    assert done
    assert len(errors) > count / 100
    assert [error for error in errors if not isinstance(error, DeviceError | UsageError)] == []
    assert max(len(str(error)) for error in errors) < 5000
