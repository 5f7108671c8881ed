from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest

from handeye_phone.device import ShellDevice
from handeye_phone.model import PhoneModel
from handeye_phone.shell.commands import COMMANDS
from handeye_phone.shell.interpreter import Shell
from handeye_phone.shell.process import Process, Streams
from handeye_phone.shell.streams import BufferSink, BytesSource, LineSource

DEADLINE_S = 120.0  # as long as a machine may be busy with something else


@dataclass(frozen=True)
class Outcome:
    status: int
    out: str
    err: str


class Runner:
    """Runs lines on one phone without any transport, each in a fresh shell."""

    def __init__(self, executor: ThreadPoolExecutor) -> None:
        self.phone = ShellDevice(PhoneModel(), executor)

    def __call__(self, line: str, stdin: bytes = b"") -> Outcome:
        out, err = BufferSink(), BufferSink()

        async def run() -> int:
            shell = Shell(self.phone, {**COMMANDS, "argv": _argv})
            return await asyncio.wait_for(
                shell.run(line, Streams(LineSource(BytesSource(stdin)), out, err)), DEADLINE_S
            )

        status = asyncio.run(run())
        return Outcome(
            status, out.value.decode("utf-8", "surrogateescape"), err.value.decode("utf-8", "surrogateescape")
        )

    def argv(self, line: str) -> list[str]:
        """Arguments that the first `argv` in the line was given."""
        return list(json.loads(self(line).out.splitlines()[0]))


async def _argv(p: Process) -> int:
    await p.out(json.dumps(p.args) + "\n")
    return 0


@pytest.fixture
def sh() -> Iterator[Runner]:
    with ThreadPoolExecutor(1) as executor:
        yield Runner(executor)
