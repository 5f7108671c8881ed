"""Tests of `handeye phone` in separate processes: live page, Ctrl-C, state and scenarios of a running phone."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from handeye.cli.app import app
from handeye_phone import VirtualPhone

STARTS_WITHIN_S = 300.0  # importing everything on a busy machine
ENDS_WITHIN_S = 60.0  # by itself: on an idle machine at once
JPEG_START = b"\xff\xd8\xff"


class Started:
    """A `handeye phone start` with its own process; what it says is read as it comes."""

    def __init__(self, *words: str) -> None:
        flags = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP} if sys.platform == "win32" else {}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "handeye", "phone", "start", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
            **flags,  # type: ignore[arg-type]
        )
        self.said = ""
        self._heard = threading.Condition()
        self._ear = threading.Thread(target=self._listen, daemon=True)
        self._ear.start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._heard:
                self.said += line.decode("utf-8")
                self._heard.notify_all()

    def find(self, pattern: str) -> str:
        """The first group of `pattern` in what it says, waited for."""
        with self._heard:
            assert self._heard.wait_for(lambda: re.search(pattern, self.said), STARTS_WITHIN_S), self.said
            found = re.search(pattern, self.said)
        assert found is not None
        return found[1]

    def interrupt(self) -> int:
        """Ctrl-C; the exit code."""
        self.process.send_signal(signal.CTRL_BREAK_EVENT if sys.platform == "win32" else signal.SIGINT)
        code = self.process.wait(ENDS_WITHIN_S)
        self._ear.join(ENDS_WITHIN_S)
        return code

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


@pytest.fixture
def start() -> Iterator[Callable[..., Started]]:
    phones: list[Started] = []

    def go(*words: str) -> Started:
        phones.append(Started(*words))
        return phones[-1]

    yield go
    for phone in phones:
        phone.end()


def handeye(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def ask(port: int, method: str, path: str, values: dict[str, Any] | None = None) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    try:
        body = None if values is None else json.dumps(values)
        connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def state_of(page: int) -> dict[str, Any]:
    state: dict[str, Any] = json.loads(ask(page, "GET", "/state")[1])
    return state


def is_open(port: int) -> bool:
    with socket.socket() as sock:
        return sock.connect_ex(("127.0.0.1", port)) == 0


def first_picture(page: int) -> bytes:
    """Bytes that the stream sends up to the start of its second part: the first frame, whole."""
    with socket.create_connection(("127.0.0.1", page), timeout=120) as sock:
        sock.sendall(f"GET /stream.mjpg HTTP/1.1\r\nHost: 127.0.0.1:{page}\r\n\r\n".encode())
        received = b""
        while received.count(b"--handeye-frame") < 2:
            more = sock.recv(65536)
            assert more, received[:300]
            received += more
    return received


def test_live_page_streams_accepts_touches_and_stops(start: Callable[..., Started]) -> None:
    phone = start("--port", "0", "--window")
    adb = int(phone.find(r"virtual phone on 127\.0\.0\.1:(\d+)"))
    page = int(phone.find(r"http://127\.0\.0\.1:(\d+)/"))
    status, body = ask(page, "GET", "/")
    assert status == 200
    assert b"<html" in body.lower()
    assert JPEG_START in first_picture(page)
    assert state_of(page)["page"] == 0
    for kind, x in (("down", 0.9), ("move", 0.5), ("move", 0.2), ("up", 0.2)):
        assert ask(page, "POST", "/touch", {"type": kind, "x": x, "y": 0.6})[0] == 204
    assert state_of(page)["page"] == 1
    for kind in ("down", "up"):
        assert ask(page, "POST", "/touch", {"type": kind, "x": 0.15, "y": 0.29})[0] == 204
    assert state_of(page)["app"] != "com.android.launcher3"
    assert is_open(adb)
    began = time.monotonic()
    assert phone.interrupt() == 0, phone.said
    assert time.monotonic() - began < ENDS_WITHIN_S
    assert "virtual phone stopped" in phone.said
    assert "Traceback" not in phone.said
    assert not is_open(adb)
    assert not is_open(page)


def test_open_stream_does_not_delay_shutdown(start: Callable[..., Started]) -> None:
    phone = start("--port", "0", "--window")
    page = int(phone.find(r"http://127\.0\.0\.1:(\d+)/"))
    with socket.create_connection(("127.0.0.1", page), timeout=120) as viewer:
        viewer.sendall(f"GET /stream.mjpg HTTP/1.1\r\nHost: 127.0.0.1:{page}\r\n\r\n".encode())
        assert viewer.recv(100)
        assert phone.interrupt() == 0, phone.said


def test_port_in_use_is_named(start: Callable[..., Started]) -> None:
    with VirtualPhone() as other:
        phone = start("--port", str(other.port))
        assert phone.process.wait(STARTS_WITHIN_S) == 2
        assert phone.find(r"port (\d+) on 127\.0\.0\.1 cannot be opened") == str(other.port)
        assert "--port" in phone.said
        assert "Traceback" not in phone.said
        answer = handeye("phone", "start", "--port", str(other.port), "--json")
        assert answer.exit_code == 2
        assert json.loads(answer.stdout)["kind"] == "UsageError"


def test_running_phone_state_is_read_and_scenario_set(adb_port: int, tmp_path: Path) -> None:
    with VirtualPhone() as phone:
        where = ("--port", str(phone.port), "--json")
        answer = handeye("phone", "state", *where)
        assert answer.exit_code == 0, answer.output
        assert json.loads(answer.stdout) == phone.state.to_dict()

        assert not phone.call(lambda model: model.night_mode)
        answer = handeye("phone", "scenario", "dark", *where)
        assert answer.exit_code == 0, answer.output
        assert json.loads(answer.stdout) == {"scenario": "dark"}
        assert phone.call(lambda model: model.night_mode)

        file = tmp_path / "mine.yaml"
        file.write_text("names: [advert]\ndensity: 320\nmissing_contacts: [章三]\n", encoding="utf-8")
        answer = handeye("phone", "scenario", str(file), *where)
        assert answer.exit_code == 0, answer.output
        now = phone.call(lambda model: model.scenario)
        assert (now.advert, now.density, now.missing_contacts, now.dark) == (True, 320, ("章三",), False)


def test_phone_starts_with_scenario_file(start: Callable[..., Started], adb_port: int, tmp_path: Path) -> None:
    file = tmp_path / "lying.yaml"
    file.write_text("rotation: 1\n", encoding="utf-8")
    phone = start("--port", "0", "--scenario", str(file), "--window")
    page = int(phone.find(r"http://127\.0\.0\.1:(\d+)/"))
    picture = ask(page, "GET", "/frame.png")[1]
    width, height = (int.from_bytes(picture[at : at + 4], "big") for at in (16, 20))
    assert (width, height) == (2400, 1080)


def test_invalid_scenario_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text("dark: perhaps\n", encoding="utf-8")
    answer = handeye("phone", "start", "--port", "0", "--scenario", str(file))
    assert answer.exit_code == 2
    assert "dark='perhaps'" in answer.output
    assert "bad.yaml" in answer.output.replace("\n", "")


def test_unreachable_phone_is_device_error(adb_port: int) -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))  # bound but not listening: nobody answers, and nobody else can come up here
        answer = handeye("phone", "state", "--port", str(held.getsockname()[1]))
    assert answer.exit_code == 3, answer.output
    assert "Traceback" not in answer.output
