"""Tests of hostile input to the virtual phone: it blocks nothing, fills no memory and controls nothing."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import socket
import struct
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from handeye.cli.app import app
from handeye.testing.adb import PrivateAdbServer
from handeye_phone import VirtualPhone
from handeye_phone.model import PhoneModel
from handeye_phone.scenario import Scenario, ScenarioError
from handeye_phone.window import MAX_CONNECTIONS, WindowServer, serve_window

MB = 1 << 20


class Adb:
    """`adb -s PHONE ...` for a phone of its own."""

    def __init__(self, server: PrivateAdbServer, phone: VirtualPhone) -> None:
        self.server, self.phone = server, phone

    def __call__(self, *words: str, data: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
        return self.server.run("-s", self.phone.serial, *words, input=data)

    def shell(self, line: str) -> str:
        return self("shell", line).stdout.decode()


@pytest.fixture
def adb(private_adb: PrivateAdbServer) -> Iterator[Adb]:
    with VirtualPhone() as phone:
        private_adb.connect(phone.serial)
        yield Adb(private_adb, phone)
        private_adb.run("disconnect", phone.serial)


# Patterns


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)+$", "(a*)*b", "(a|aa)" * 40 + "b"])
def test_catastrophic_regex_is_stopped(adb: Adb, pattern: str) -> None:
    line = f"echo {'a' * 60}! | grep -E '{pattern}'"
    with subprocess.Popen(
        [str(adb.server.adb), "-s", adb.phone.serial, "shell", line],
        env=dict(adb.server.env),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as matching:
        for _ in range(3):
            assert adb.shell("echo here") == "here\n"
        _, told = matching.communicate(timeout=60)
    assert matching.returncode == 2
    assert told.decode().startswith(f"grep: '{pattern}' takes more than")


@pytest.mark.parametrize("pattern", ["(" * 5000, "a{99999999999}", "[", "(?P<", "\\"])
def test_invalid_regex_is_an_error(adb: Adb, pattern: str) -> None:
    done = adb("shell", f"echo a | grep -E '{pattern}'")
    assert done.returncode == 2
    assert done.stderr.startswith(b"grep: bad regex")


def test_ordinary_patterns_match(adb: Adb) -> None:
    lines = r"printf 'one 12\ntwo\nthree 3\n' | grep "
    assert adb.shell(lines + "-nE '[0-9]+'") == "1:one 12\n3:three 3\n"
    assert adb.shell(lines + "-oE '[a-z]+|[0-9]{2}'") == "one\n12\ntwo\nthree\n"
    assert adb.shell(lines + "-v t") == "one 12\n"
    assert adb.shell(lines + "-c 'o*'") == "3\n"


def test_crashed_matcher_is_an_error(adb: Adb, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("handeye_phone.shell.toybox.patterns._MATCH", "import os; os.abort()")
    done = adb("shell", "echo a | grep -E 'a+'")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"grep: (standard input): the matching ended")


def test_slow_regex_on_long_line_is_stopped(adb: Adb, tmp_path: Path) -> None:
    (tmp_path / "line").write_bytes(b"a" * (2 * MB))
    adb("push", str(tmp_path / "line"), "/sdcard/line")
    line = f"grep -c '{'[ab]' * 1000}c' /sdcard/line"
    with subprocess.Popen(
        [str(adb.server.adb), "-s", adb.phone.serial, "shell", line], env=dict(adb.server.env), stderr=subprocess.PIPE
    ) as matching:
        assert adb.shell("echo here") == "here\n"
        told = matching.communicate(timeout=60)[1]
    assert b"takes more than" in told


def test_sort_and_grep_split_lines_at_newlines_only(adb: Adb) -> None:
    assert adb.shell(r"printf 'b\rz\na\n' | sort") == "a\nb\rz\n"
    assert adb.shell(r"printf '1 b\n1 a\n0 c\n' | sort -n") == "0 c\n1 a\n1 b\n"
    assert adb.shell(r"printf 'a!\nb\n' | grep '[[:punct:]]'") == "a!\n"


def test_head_and_tail_accept_any_line_count(adb: Adb, tmp_path: Path) -> None:
    (tmp_path / "lines").write_bytes(b"\n" * (8 * MB) + b"end")
    adb("push", str(tmp_path / "lines"), "/sdcard/lines")
    assert adb.shell("head -n -999999999 /sdcard/lines | wc -c") == "0\n"
    assert adb.shell("tail -n 999999999 /sdcard/lines | wc -c") == f"{8 * MB + 3}\n"
    assert adb.shell(f"tail -n +{8 * MB + 1} /sdcard/lines") == "end"
    assert adb.shell("tail -n 1 /sdcard/lines") == "end"


# Room


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> int:
    """A phone with room for 2 MB."""
    for module in ("files", "streams"):
        monkeypatch.setattr(f"handeye_phone.shell.{module}.MAX_BYTES", 2 * MB)
    return 2 * MB


def test_writes_beyond_the_storage_limit_fail(adb: Adb, small: int, tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(b"x" * (small + 1))
    (tmp_path / "half").write_bytes(b"x" * (small // 2 + 1))
    pushed = adb("push", str(tmp_path / "large"), "/sdcard/large")
    assert pushed.returncode != 0
    assert b"No space left on device" in pushed.stderr + pushed.stdout
    assert adb("push", str(tmp_path / "half"), "/sdcard/half").returncode == 0
    for line in (
        "cat /sdcard/half /sdcard/half > /sdcard/two",
        "cat /sdcard/half >> /sdcard/half",
        "cp /sdcard/half /sdcard/copy",
        "cat /sdcard/half | tee /sdcard/teed > /dev/null",
        "screencap /sdcard/screen.raw",
    ):
        done = adb("shell", line)
        assert done.returncode != 0, line
        assert b"No space left on device" in done.stdout + done.stderr, line
    assert adb("push", str(tmp_path / "half"), "/sdcard/half").returncode == 0, "it replaces itself"
    adb.shell("rm -r /sdcard/*")
    assert adb("push", str(tmp_path / "half"), "/sdcard/again").returncode == 0
    assert int(adb.shell("wc -c < /sdcard/again")) == small // 2 + 1


def peak() -> int:
    """The most bytes of memory that this process had since `forget_peak`."""
    told = re.search(r"VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text())
    assert told is not None
    return int(told[1]) << 10


def forget_peak() -> None:
    reset = Path("/proc/self/clear_refs")
    if not reset.exists():
        pytest.skip("no /proc that tells how much memory was used")
    reset.write_text("5")


def test_rejected_upload_is_not_held_in_memory(adb: Adb, small: int, tmp_path: Path) -> None:
    with (tmp_path / "large").open("wb") as file:
        file.truncate(200 * MB)
    forget_peak()
    before = peak()
    assert adb("push", str(tmp_path / "large"), "/sdcard/large").returncode != 0
    assert peak() - before < 50 * MB
    assert adb.shell("echo here") == "here\n"


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("head -n 1 /sdcard/lines", "a\n"),
        ("tail -n 1 /sdcard/lines", "a\n"),
        ("tail -c 2 /sdcard/lines", "a\n"),
        ("wc /sdcard/lines", f"{4 * MB} {4 * MB} {8 * MB} /sdcard/lines"),
        ("grep -c b /sdcard/lines", "larger than the 2 MB"),
        ("sort /sdcard/lines", "larger than the 2 MB"),
    ],
)
def test_text_commands_use_bounded_memory(
    adb: Adb, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, line: str, answer: str
) -> None:
    monkeypatch.setattr("handeye_phone.shell.toybox.text.MOST_TEXT", 2 * MB)
    (tmp_path / "lines").write_bytes(b"a\n" * (4 * MB))
    adb("push", str(tmp_path / "lines"), "/sdcard/lines")
    forget_peak()
    before = peak()
    done = adb("shell", line)
    assert answer in (done.stdout + done.stderr).decode()
    assert peak() - before < 80 * MB


def test_oversized_link_target_is_refused(adb: Adb) -> None:
    target = "x" * 60_000
    with socket.create_connection(("127.0.0.1", adb.server.port), timeout=30) as sock:
        for service in (f"host:transport:{adb.phone.serial}", "sync:"):
            sock.sendall(f"{len(service):04x}{service}".encode())
            assert sock.recv(4) == b"OKAY"
        path = b"/sdcard/link,41471"  # 0o120777
        sock.sendall(b"SEND" + struct.pack("<I", len(path)) + path)
        sock.sendall(b"DATA" + struct.pack("<I", len(target)) + target.encode())
        sock.sendall(b"DONE" + struct.pack("<I", 0))
        assert sock.recv(4) == b"FAIL"


# The web page


async def ask(window: WindowServer, path: str, body: bytes = b"", **headers: str) -> tuple[int, bytes]:
    """Status and body of a request; names of headers with _ for -."""
    lines = {"Host": f"127.0.0.1:{window.port}"} | {key.replace("_", "-"): value for key, value in headers.items()}
    if body:
        lines |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
    head = f"{'POST' if body else 'GET'} {path} HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in lines.items())
    reader, writer = await asyncio.open_connection("127.0.0.1", window.port)
    writer.write(head.encode() + b"\r\n" + body)
    first = await reader.read(1 << 16)
    writer.close()
    status, _, content = first.partition(b"\r\n\r\n")
    return int(status.split()[1]), content


@contextlib.asynccontextmanager
async def page() -> AsyncIterator[WindowServer]:
    window = await serve_window(PhoneModel())
    try:
        async with asyncio.timeout(120):
            yield window
    finally:
        await window.close()


@pytest.mark.parametrize("path", ["/frame.png", "/stream.mjpg", "/state", "/scenarios"])
@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_other_sites_get_no_frames(path: str, site: str) -> None:
    async def script() -> None:
        async with page() as window:
            assert (await ask(window, path, Sec_Fetch_Site=site, Sec_Fetch_Mode="no-cors"))[0] == 403
            assert (await ask(window, path, Origin="http://evil.example"))[0] == 403
            assert (await ask(window, path, Host="evil.example"))[0] == 403
            for ours in ("same-origin", "none"):
                assert (await ask(window, path, Sec_Fetch_Site=ours))[0] == 200
            assert (await ask(window, path))[0] == 200

    asyncio.run(script())


def test_deeply_nested_json_is_refused_by_the_shell(adb: Adb) -> None:
    done = adb("shell", f"cmd vphone scenario-json '{'[' * 20_000}'")
    assert done.returncode != 0
    assert b"Error: " in done.stderr
    assert adb.shell("echo here") == "here\n"


@pytest.mark.parametrize("opened", ["[", '{"names":'])
def test_deeply_nested_json_is_a_bad_request(opened: str) -> None:
    async def script() -> None:
        async with page() as window:
            status, told = await ask(window, "/scenario", opened.encode() * 6000)
            assert status == 400
            assert b"nested" in told or b"not JSON" in told
            assert (await ask(window, "/state"))[0] == 200

    asyncio.run(script())


def test_closed_streams_free_their_connections() -> None:
    async def script() -> None:
        async with page() as window:
            head = f"GET /stream.mjpg HTTP/1.1\r\nHost: 127.0.0.1:{window.port}\r\n\r\nmore than a request"
            for number in range(2 * MAX_CONNECTIONS):
                reader, writer = await asyncio.open_connection("127.0.0.1", window.port)
                writer.write(head.encode())
                await reader.read(1)
                if number % 2:
                    writer.close()
                else:  # as a program that was killed: the connection is reset
                    sock = writer.get_extra_info("socket")
                    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    writer.transport.abort()
            begun = time.monotonic()
            while (status := (await ask(window, "/stream.mjpg"))[0]) == 503 and time.monotonic() - begun < 20:
                await asyncio.sleep(0.2)
            assert status == 200

    asyncio.run(script())


# Files of scenarios


@pytest.mark.parametrize("name", ["s.json", "s.yaml"])
@pytest.mark.parametrize(
    "content",
    [
        "[" * 100_000,
        '{"a":' * 100_000,
        "\x00",
        '{"seed": NaN}',
        '{"seed": ' + "9" * 5000 + "}",
        "a: &a [1]\nb: *a\n",
        '{"missing_contacts": [' + "[1]," * 50_000 + "[1]]}",
        "names: [" + "x" * 100_000 + "]",
        "x" * 2_000_000,
    ],
    ids=["list", "mapping", "zero", "nan", "number", "alias", "long list", "name", "size"],
)
def test_invalid_scenario_file_gives_one_short_error(tmp_path: Path, name: str, content: str) -> None:
    path = tmp_path / name
    path.write_text(content, "utf-8")
    with pytest.raises(ScenarioError, match=re.escape(name)) as caught:
        Scenario.load(path)
    assert len(str(caught.value)) < 2000
    answer = CliRunner().invoke(app, ["phone", "start", "--scenario", str(path)])
    assert answer.exit_code == 2
    assert "Traceback" not in answer.output


def test_json_and_yaml_scenarios_are_equal(tmp_path: Path) -> None:
    values = {
        "names": ["dark"],
        "capture_ms": [5, 10],
        "density": None,
        "missing_contacts": ["张三"],
        "drop_link_s": 1.5,
    }
    (tmp_path / "s.json").write_text(json.dumps(values), "utf-8")
    (tmp_path / "s.yaml").write_text(
        "names: [dark]\ncapture_ms: [5, 10]\ndensity: null\nmissing_contacts: [张三]\ndrop_link_s: 1.5\n", "utf-8"
    )
    assert Scenario.load(tmp_path / "s.json") == Scenario.load(tmp_path / "s.yaml")
    assert Scenario.load(tmp_path / "s.json").dark


# Commands that said they had done something


def test_clear_data_resets_drafts_and_permissions() -> None:
    phone = PhoneModel(Scenario.parse("permission"))
    phone.open_chat("张三")
    phone.write_draft("张三", "你好")
    phone.write_draft("Alice", "hi")
    assert set(phone.state.drafts) == {"张三", "Alice"}
    phone.clear_data("com.tencent.mm")
    assert phone.state.drafts == {}
    assert phone.state.app != "com.tencent.mm"
    assert phone.state.permissions == {}


def test_pm_clear_resets_the_app(adb: Adb) -> None:
    adb.shell("am start -a android.intent.action.DIAL -d tel:10086")
    assert adb.phone.state.dialed == "10086"
    assert adb.shell("pm clear com.android.dialer") == "Success\n"
    assert adb.phone.state.dialed == ""
    done = adb("shell", "pm clear com.example.none")
    assert (done.stdout, done.returncode) == (b"Failed\n", 1)


@pytest.mark.parametrize("words", [["-d"], ["-c"], ["-d", "-t", "5"], ["-t", "3"], ["-d", "*:E"], ["-g"]])
def test_adb_logcat_ends(adb: Adb, words: list[str]) -> None:
    done = adb("logcat", *words)
    assert done.returncode == 0, done.stderr
    assert done.stderr == b""


def test_scenario_pipe_is_refused_by_the_command_line(tmp_path: Path) -> None:
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.yaml")
        done = subprocess.run(
            [sys.executable, "-m", "handeye", "phone", "start", "--scenario", str(tmp_path / "pipe.yaml")],
            capture_output=True,
            timeout=60,
        )
        assert done.returncode == 2
        assert b"pipe.yaml" in done.stderr
