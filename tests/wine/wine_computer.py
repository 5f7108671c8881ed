"""A Windows computer for the tests: programs under Wine, what they say, and the Win32Backend inside."""

from __future__ import annotations

import base64
import json
import pickle
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from handeye import errors
from handeye.devices import BetweenPieces, Window
from handeye.devices.windows.backend import Win32Backend

HERE = Path(__file__).parent

Command = Sequence[str | Path]
BED_SIZE = 400, 300
TIMEOUT_S = 300.0  # a first start took 6 s on two busy cores, and over a minute where others had nearly all of them


class Program:
    """A Windows Python, started by `python`, that runs `script`, and the lines that it writes."""

    def __init__(self, environment: dict[str, str], python: Command, script: str, *arguments: object) -> None:
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._errors: list[bytes] = []
        path = "Z:" + str(HERE / script).replace("/", "\\")
        self._process = subprocess.Popen(
            [*python, path, *map(str, arguments)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._read_errors, daemon=True).start()

    def line(self) -> bytes:
        """The next line. Fails with the program's last words when none comes."""
        try:
            line = self._lines.get(timeout=TIMEOUT_S)
        except queue.Empty:
            line = b""
        if not line:
            pytest.fail(f"the Windows program said nothing more; its errors: {b''.join(self._errors)[-2000:]!r}")
        return line

    def write(self, line: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + b"\n")
        self._process.stdin.flush()

    def send(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def end(self) -> None:
        self._process.kill()
        self._process.wait()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(b"")

    def _read_errors(self) -> None:
        assert self._process.stderr is not None
        self._errors.extend(self._process.stderr)


class Bed(Program):
    """The application of `bed.py`; `told` is everything that it has said."""

    def __init__(
        self,
        environment: dict[str, str],
        python: Command,
        title: str,
        left: int,
        top: int,
        size: tuple[int, int],
        seed: int,
    ) -> None:
        super().__init__(environment, python, "bed.py", title, left, top, *size, seed)
        self.title, self.size, self.seed = title, size, seed
        self.told: list[dict[str, Any]] = []
        self.wait_for(lambda said: "painted" in said)

    def wait_for(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first thing that it says from now on that is `wanted`."""
        while True:
            said: dict[str, Any] = json.loads(self.line())
            self.told.append(said)
            if wanted(said):
                return said


class RemoteBackend:
    """The Win32Backend inside Wine, as a DesktopBackend outside."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def __getattr__(self, name: str) -> Any:
        if not hasattr(Win32Backend, name):  # it is asked what it can do
            raise AttributeError(name)
        if name == "uri":
            return self.ask("uri")
        return lambda *arguments, **named: self.ask(name, *arguments, **named)

    def type(self, text: str, between: BetweenPieces = lambda typed: None) -> str:
        between(0)  # a function does not go into another process
        said: str = self.ask("type", text)
        between(len(text))
        return said

    def ask(self, name: str, *arguments: object, **named: object) -> Any:
        self.program.write(base64.b64encode(pickle.dumps((name, arguments, named), protocol=4)))
        worked, answer = pickle.loads(base64.b64decode(self.program.line()))
        if not worked:
            kind, words = answer
            raise getattr(errors, kind)(words)
        return answer


class Wine:
    """A Windows computer: its backend, and the beds that are started on it."""

    def __init__(self, environment: dict[str, str], python: Command) -> None:
        self._environment = environment
        self._python = python
        self._programs: list[Program] = []
        self.backend = self.another_backend()

    def another_backend(self) -> RemoteBackend:
        """In a process of its own; it is there when this returns."""
        backend = RemoteBackend(self.run("remote.py"))
        assert backend.uri == "windows:"
        return backend

    def bed(self, title: str, at: tuple[int, int] = (100, 80), size: tuple[int, int] = BED_SIZE, seed: int = 7) -> Bed:
        bed = Bed(self._environment, self._python, title, *at, size, seed)
        self._started(bed)
        return bed

    def run(self, script: str, *arguments: object) -> Program:
        """A script of this folder."""
        return self._started(Program(self._environment, self._python, script, *arguments))

    def window(self, bed: Bed) -> Window:
        (found,) = [window for window in self.backend.windows() if window.title == bed.title]
        return found

    def end(self) -> None:
        for program in self._programs:
            program.end()

    def _started(self, program: Program) -> Program:
        self._programs.append(program)
        return program


def wait_until(condition: Callable[[], bool], what: str) -> None:
    limit = time.monotonic() + TIMEOUT_S
    while not condition():
        if time.monotonic() > limit:
            pytest.fail(f"never: {what}")
        threading.Event().wait(0.01)
