"""One logical stream inside an ADB connection, with the protocol's flow control in both directions."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Protocol

from handeye_phone.daemon.packets import CLSE, OKAY, WRTE, ProtocolError

# A peer may have one WRTE on its way per stream; one that ignores this is cut off here.
MAX_UNREAD_CHUNKS = 4


class Link(Protocol):
    """Interface of the connection that a stream uses."""

    max_payload: int

    async def send(self, command: int, arg0: int, arg1: int, payload: bytes | memoryview = b"") -> None: ...


class StreamClosed(ConnectionError):
    """The other side closed the stream."""


class Stream:
    """Bytes in both directions. `read` acknowledges a chunk only when it is consumed, so a slow reader slows the sender."""

    def __init__(self, link: Link, local_id: int, remote_id: int) -> None:
        self.local_id = local_id
        self.remote_id = remote_id
        self._link = link
        self._unread: deque[bytes] = deque()
        self._arrived = asyncio.Event()
        self._may_write = asyncio.Event()
        self._may_write.set()
        self._write_turn = asyncio.Lock()
        self._rest = b""
        self.closed = asyncio.Event()

    # Called by the connection's reader; must not wait.
    def feed(self, chunk: bytes) -> None:
        """Handle a WRTE."""
        if len(self._unread) >= MAX_UNREAD_CHUNKS:
            raise ProtocolError(f"stream {self.local_id} was sent data without waiting for OKAY")
        if not self.closed.is_set():
            self._unread.append(chunk)
            self._arrived.set()

    def acknowledged(self) -> None:
        """Handle an OKAY."""
        self._may_write.set()

    def peer_closed(self) -> None:
        """Handle a CLSE or a lost connection. Received data stays readable."""
        self.closed.set()
        self._arrived.set()
        self._may_write.set()

    # Called by the service.
    async def write(self, data: bytes | memoryview) -> None:
        """Send everything, waiting for the peer after each packet. Raises StreamClosed."""
        view = memoryview(data).cast("B") if len(data) else memoryview(b"")
        async with self._write_turn:
            for start in range(0, len(view), self._link.max_payload):
                await self._may_write.wait()
                if self.closed.is_set():
                    raise StreamClosed(f"stream {self.local_id} was closed by the host")
                self._may_write.clear()
                await self._link.send(WRTE, self.local_id, self.remote_id, view[start : start + self._link.max_payload])

    async def read(self) -> bytes:
        """Return the next bytes, b"" after the end."""
        if self._rest:
            chunk, self._rest = self._rest, b""
            return chunk
        while not self._unread:
            if self.closed.is_set():
                return b""
            self._arrived.clear()
            await self._arrived.wait()
        chunk = self._unread.popleft()
        if not self.closed.is_set():
            await self._link.send(OKAY, self.local_id, self.remote_id)
        return chunk or await self.read()

    async def read_exactly(self, count: int) -> bytes:
        """Return exactly `count` bytes. Raises EOFError when the stream ends before."""
        parts: list[bytes] = []
        missing = count
        while missing:
            chunk = await self.read()
            if not chunk:
                raise EOFError(f"stream ended {missing} bytes before {count}")
            taken, self._rest = chunk[:missing], chunk[missing:]
            parts.append(taken)
            missing -= len(taken)
        return b"".join(parts)

    async def close(self) -> None:
        """Close the stream and notify the peer."""
        if not self.closed.is_set():
            self.peer_closed()
            await self._link.send(CLSE, self.local_id, self.remote_id)
