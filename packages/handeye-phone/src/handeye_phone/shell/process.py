"""A running command: its words, streams, environment and phone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from handeye_phone.shell.files import FileSystem
from handeye_phone.shell.streams import Bytes, LineSource, Sink

if TYPE_CHECKING:
    from handeye_phone.device import ShellDevice
    from handeye_phone.model import PhoneModel
    from handeye_phone.shell.interpreter import Shell


@dataclass(frozen=True, slots=True)
class Streams:
    """Standard input, output and error."""

    stdin: LineSource
    stdout: Sink
    stderr: Sink


@dataclass(frozen=True, slots=True)
class Process:
    """One command while it runs. `args` are its words without the name."""

    name: str
    args: list[str]
    streams: Streams
    env: dict[str, str]
    shell: Shell

    @property
    def phone(self) -> ShellDevice:
        return self.shell.phone

    @property
    def model(self) -> PhoneModel:
        return self.shell.phone.model

    @property
    def files(self) -> FileSystem:
        return self.shell.phone.files

    def path(self, path: str) -> str:
        """Return `path` resolved against the working folder."""
        return self.files.absolute(path, self.shell.cwd)

    async def out(self, data: str | Bytes) -> None:
        """Write to standard output."""
        await self.streams.stdout.write(data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data)

    async def err(self, data: str | Bytes) -> None:
        """Write to standard error."""
        await self.streams.stderr.write(data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data)

    async def fail(self, message: str, code: int = 1) -> int:
        """Write `name: message` to standard error and return `code`."""
        await self.err(f"{self.name}: {message}\n")
        return code

    async def read_operand(self, path: str) -> bytes:
        """Return the file's content, or standard input for `-`. Raises OSError with the path as given."""
        if path == "-":
            return await self.streams.stdin.read_all()
        try:
            return self.files.read(self.path(path))
        except OSError as error:
            raise OSError(error.errno, error.strerror, path) from error


Command = Callable[[Process], Awaitable[int]]
