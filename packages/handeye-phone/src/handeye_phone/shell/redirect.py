"""Redirections of a command's streams."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from typing import TYPE_CHECKING

from handeye_phone.shell.expand import ExpansionError, expand_redirect
from handeye_phone.shell.files import failure
from handeye_phone.shell.process import Streams
from handeye_phone.shell.streams import BytesSource, LineSource, NullStream, Sink
from handeye_phone.shell.tree import Redirect

if TYPE_CHECKING:
    from handeye_phone.device import ShellDevice
    from handeye_phone.shell.interpreter import Shell


class FileSink:
    """A file opened for writing: truncated or appended to, stored when it is closed."""

    def __init__(self, phone: ShellDevice, path: str, *, append: bool) -> None:
        self._files = phone.files
        self._path = path
        self._data = bytearray()
        self._full = False
        if append:
            self._files.append(path, b"")
            self._data += self._files.read(path)
        else:
            self._files.write(path, b"")

    async def write(self, data: bytes | bytearray | memoryview) -> None:
        """Write bytes. Raises BrokenPipeError if the phone is full: the command ends, and `close` raises the reason."""
        if self._full or len(self._data) + len(data) > self._files.free_for(self._path):
            self._full = True
            raise BrokenPipeError("no space left")
        self._data += data

    def close(self) -> None:
        """Store what was written. Raises OSError when the phone is full, or the file cannot be written any more."""
        self._files.write(self._path, bytes(self._data))
        if self._full:
            raise failure(errno.ENOSPC, self._path)


async def redirected(shell: Shell, redirects: Sequence[Redirect], streams: Streams, opened: list[FileSink]) -> Streams:
    """Return the command's streams. Files it writes are added to `opened`, to be closed when it ends. Raises ExpansionError."""
    sinks: dict[int, Sink] = {1: streams.stdout, 2: streams.stderr}
    stdin = streams.stdin
    for redirect in redirects:
        target = await expand_redirect(shell, redirect.target, streams)
        if redirect.fd > 2:
            raise ExpansionError(f"file descriptor {redirect.fd} is not supported by the virtual phone's shell")
        if redirect.operator in (">&", "<&"):
            if redirect.operator == "<&" or redirect.fd == 0 or target not in ("1", "2"):
                raise ExpansionError(f"{redirect.operator}{target}: bad file descriptor")
            sinks[redirect.fd] = sinks[int(target)]
        elif redirect.operator == "<":
            if redirect.fd != 0:
                raise ExpansionError("reading is supported for file descriptor 0 only")
            stdin = _source(shell, target)
        elif redirect.fd == 0:
            raise ExpansionError("file descriptor 0 cannot be written")
        else:
            sinks[redirect.fd] = _sink(shell, target, redirect.operator, opened)
    return Streams(stdin, sinks[1], sinks[2])


def _source(shell: Shell, target: str) -> LineSource:
    try:
        return LineSource(BytesSource(shell.phone.files.read(shell.phone.files.absolute(target, shell.cwd))))
    except OSError as error:
        raise ExpansionError(f"can't open {target}: {error.strerror}") from error


def _sink(shell: Shell, target: str, operator: str, opened: list[FileSink]) -> Sink:
    path = shell.phone.files.absolute(target, shell.cwd)
    if path == "/dev/null":
        return NullStream()
    try:
        if path == "/dev/tty":
            raise OSError(errno.ENXIO, "No such device or address", target)
        sink = FileSink(shell.phone, path, append=operator == ">>")
    except OSError as error:
        raise ExpansionError(f"can't create {target}: {error.strerror}") from error
    opened.append(sink)
    return sink
