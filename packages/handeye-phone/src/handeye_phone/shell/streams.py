"""Byte streams with back pressure that commands read from and write to; independent of ADB."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Protocol

from handeye_phone.shell.files import MAX_BYTES

Bytes = bytes | bytearray | memoryview

PIPE_BYTES = 64 * 1024  # Linux's pipe size
CHUNK = 64 * 1024


class Source(Protocol):
    """A readable byte stream."""

    async def read(self) -> bytes:
        """Return the next bytes, b"" at the end."""
        ...


class Sink(Protocol):
    """A writable byte stream."""

    async def write(self, data: Bytes) -> None:
        """Write bytes. Raises BrokenPipeError if the reader has closed."""
        ...


class NullStream:
    """/dev/null: an empty source, and a sink that discards everything."""

    async def read(self) -> bytes:
        return b""

    async def write(self, data: Bytes) -> None:
        return None


class BufferSink:
    """A sink that keeps everything, up to `limit` bytes."""

    def __init__(self, limit: int | None = None) -> None:
        self._parts: list[bytes] = []
        self._room = limit

    async def write(self, data: Bytes) -> None:
        if self._room is not None:
            self._room -= len(data)
            if self._room < 0:
                raise BrokenPipeError("more output than fits")
        self._parts.append(bytes(data))

    @property
    def value(self) -> bytes:
        return b"".join(self._parts)


class BytesSource:
    """A source of given bytes."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    async def read(self) -> bytes:
        data, self._data = self._data, b""
        return data


class Pipe:
    """A bounded pipe between two commands: both ends in one object."""

    def __init__(self, capacity: int = PIPE_BYTES) -> None:
        self._chunks: deque[bytes] = deque()
        self._size = 0
        self._capacity = capacity
        self._changed = asyncio.Event()
        self._no_more = False
        self._no_reader = False

    async def write(self, data: Bytes) -> None:
        while self._size >= self._capacity and not self._no_reader:
            await self._wait()
        if self._no_reader or self._no_more:
            raise BrokenPipeError("the reader of the pipe is gone")
        if len(data):
            self._chunks.append(bytes(data))
            self._size += len(data)
            self._changed.set()

    async def read(self) -> bytes:
        while not self._chunks and not self._no_more:
            await self._wait()
        if not self._chunks:
            return b""
        chunk = self._chunks.popleft()
        self._size -= len(chunk)
        self._changed.set()
        return chunk

    async def _wait(self) -> None:
        self._changed.clear()
        await self._changed.wait()

    def close_write(self) -> None:
        """Close the writing end; the reader gets end of file."""
        self._no_more = True
        self._changed.set()

    def close_read(self) -> None:
        """Close the reading end; the next write raises BrokenPipeError."""
        self._no_reader = True
        self._chunks.clear()
        self._size = 0
        self._changed.set()


class LineSource:
    """Standard input: a source with lines and push-back, so that a shell and its commands can share it."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._rest = b""

    async def read(self) -> bytes:
        """Return the next bytes, b"" at the end."""
        if self._rest:
            rest, self._rest = self._rest, b""
            return rest
        return await self._source.read()

    async def read_line(self) -> bytes:
        """Return the next line with its newline, b"" at the end."""
        parts: list[bytes] = []
        while chunk := await self.read():
            line, newline, rest = chunk.partition(b"\n")
            parts.append(line + newline)
            if newline:
                self._rest = rest
                break
        return b"".join(parts)

    async def read_all(self) -> bytes:
        """Return everything until the end. Raises BrokenPipeError for more than MAX_BYTES, which would fit into no file."""
        parts: list[bytes] = []
        left = MAX_BYTES
        while chunk := await self.read():
            if (left := left - len(chunk)) < 0:
                raise BrokenPipeError("more input than fits")
            parts.append(chunk)
        return b"".join(parts)
