"""Tests of many parallel calls: every answer belongs to its request."""

from __future__ import annotations

import socket
from concurrent.futures import ThreadPoolExecutor

import adbutils
import pytest
from raw_host import RawHost

from handeye.testing.adb import PrivateAdbServer

WORKERS = 40  # sockets open at once on the host's side


def ask(server: PrivateAdbServer, serial: str, number: int) -> str | None:
    """One shell call over the server's own socket; None if the answer is right, what came otherwise."""
    expected = f"{number}:{number * 7919}\n".encode()
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as sock:
        for request in (f"host:transport:{serial}", f"exec:echo '{number}:{number * 7919}'"):
            sock.sendall(f"{len(request):04x}{request}".encode())
            if sock.recv(4, socket.MSG_WAITALL) != b"OKAY":
                return f"{number}: refused {sock.recv(200)!r}"
        answer = b""
        while chunk := sock.recv(4096):
            answer += chunk
    return None if answer == expected else f"{number}: {answer!r}"


def wrong_answers(server: PrivateAdbServer, serial: str, count: int) -> list[str]:
    with ThreadPoolExecutor(WORKERS) as pool:
        return [wrong for wrong in pool.map(lambda number: ask(server, serial, number), range(count)) if wrong]


def test_two_thousand_parallel_shell_calls(adb):
    assert wrong_answers(adb.server, adb.phone.serial, 2000) == []


def test_two_thousand_concurrent_streams_in_one_connection(virtual_phone):
    """All are open before the first is answered."""
    host = RawHost(virtual_phone.port)
    host.connect()
    count = 2000
    for number in range(1, count + 1):
        host.send(b"OPEN", number, 0, f"exec:sleep 0.3; echo {number}".encode() + b"\0")
    answers: dict[int, bytes] = {}
    closed = 0
    while closed < count:
        name, remote_id, mine, payload, _ = host.receive()
        if name == b"WRTE":
            answers[mine] = answers.get(mine, b"") + payload
            host.send(b"OKAY", mine, remote_id)
        closed += name == b"CLSE"
    host.close()
    assert answers == {number: f"{number}\n".encode() for number in range(1, count + 1)}


def test_parallel_swipe_commands_all_succeed(virtual_phone):
    host = RawHost(virtual_phone.port)
    host.connect()
    for number in range(1, 21):
        host.send(b"OPEN", number, 0, b"exec:input swipe 500 1500 500 1400 20 && echo ok\0")
    closed, said = 0, b""
    while closed < 20:
        name, remote_id, mine, payload, _ = host.receive()
        if name == b"WRTE":
            said += payload
            host.send(b"OKAY", mine, remote_id)
        closed += name == b"CLSE"
    host.close()
    assert said == b"ok\n" * 20


class TestAdbutils:
    @pytest.fixture
    def device(self, adb):
        return adbutils.AdbClient("127.0.0.1", adb.server.port).device(adb.phone.serial)

    def test_adbutils_shell_returns_output_and_exit_code(self, device):
        assert device.shell("echo hi") == "hi"
        result = device.shell2("echo out; exit 3", v2=True)
        assert (result.returncode, result.output) == (3, "out\n")

    def test_adbutils_reads_properties_and_current_app(self, device):
        assert device.prop.model == "Virtual Phone"
        assert device.window_size() == (1080, 2400)
        assert device.app_current().package == "com.android.launcher3"

    def test_adbutils_syncs_files(self, device, tmp_path):
        data = bytes(range(256)) * 2000
        (tmp_path / "a").write_bytes(data)
        device.sync.push(str(tmp_path / "a"), "/sdcard/a.bin")
        assert device.sync.stat("/sdcard/a.bin").size == len(data)
        assert device.sync.read_bytes("/sdcard/a.bin") == data
        assert "a.bin" in [entry.path for entry in device.sync.list("/sdcard")]

    def test_adbutils_takes_a_screenshot(self, device):
        assert device.screenshot().size == (1080, 2400)

    def test_adbutils_dumps_the_hierarchy(self, device):
        assert device.dump_hierarchy().startswith("<?xml")

    def test_adbutils_starts_and_stops_apps(self, device):
        assert "com.tencent.mm" in device.list_packages()
        device.app_start("com.tencent.mm")
        assert device.app_current().package == "com.tencent.mm"
        device.app_stop("com.tencent.mm")
        assert device.app_current().package == "com.android.launcher3"
