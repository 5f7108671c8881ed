"""`shell:` and `exec:` services: a command line, or a shell that reads its commands from the stream."""

from __future__ import annotations

import asyncio
import contextlib
import struct
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from handeye_phone.daemon.stream import Stream, StreamClosed
from handeye_phone.daemon.terminal import Terminal
from handeye_phone.shell.process import Streams
from handeye_phone.shell.streams import Bytes, LineSource, Pipe, Sink

if TYPE_CHECKING:
    from handeye_phone.device import ShellDevice

# Packet kinds of the v2 shell protocol (AOSP shell_protocol.h): a kind byte, a 32-bit length, the data.
STDIN, STDOUT, STDERR, EXIT, CLOSE_STDIN, WINDOW_SIZE = range(6)
FRAME = struct.Struct("<BI")
MAX_FRAME = 1024 * 1024
LARGE = 32 * 1024  # from here on a write is not worth copying into the buffer of small ones


class PacketWriter:
    """Writes to a stream, joining what a command writes in one go into one packet."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._pending = bytearray()
        self._turn = asyncio.Lock()
        self._flusher: asyncio.Task[None] | None = None

    async def write(self, data: Bytes) -> None:
        """Raises BrokenPipeError when the host closed the stream."""
        if self._stream.closed.is_set():
            raise BrokenPipeError("the host closed the stream")
        if len(data) + len(self._pending) >= LARGE:
            await self.flush(data)
            return
        self._pending += data
        if self._flusher is None:
            self._flusher = asyncio.create_task(self._flush_soon())

    async def flush(self, more: Bytes = b"") -> None:
        """Send what is pending, then `more`."""
        async with self._turn:
            pending, self._pending = self._pending, bytearray()
            try:
                for part in (pending, more):
                    if len(part):
                        await self._stream.write(memoryview(part))
            except StreamClosed as error:
                raise BrokenPipeError(str(error)) from error

    async def _flush_soon(self) -> None:
        try:
            await asyncio.sleep(0)
            await self.flush()
        except (BrokenPipeError, ConnectionError):
            pass  # the next write raises it
        finally:
            self._flusher = None


class FramedSink:
    """One of the two output channels of the v2 protocol."""

    def __init__(self, outlet: PacketWriter, kind: int) -> None:
        self._outlet = outlet
        self._kind = kind

    async def write(self, data: Bytes) -> None:
        view = memoryview(data)
        for start in range(0, len(view), MAX_FRAME):
            chunk = view[start : start + MAX_FRAME]
            await self._outlet.write(b"".join((FRAME.pack(self._kind, len(chunk)), chunk)))


class Program:
    """Runs one `shell:` or `exec:` stream to its end."""

    def __init__(self, phone: ShellDevice, stream: Stream, line: str, *, framed: bool, terminal: bool) -> None:
        self._phone = phone
        self._stream = stream
        self._line = line
        self._framed = framed
        self._stdin = Pipe()
        self._outlet = PacketWriter(stream)
        self._terminal: Terminal | None = None
        stdout: Sink = self._outlet
        stderr: Sink = self._outlet
        if framed:
            stdout, stderr = FramedSink(self._outlet, STDOUT), FramedSink(self._outlet, STDERR)
        if terminal:
            self._terminal = Terminal(stdout)
            stdout = stderr = self._terminal.output
        self._streams = Streams(LineSource(self._stdin), stdout, stderr)

    async def run(self) -> None:
        """Serve until the command ends or the host closes the stream."""
        reader = asyncio.create_task(self._read_framed() if self._framed else self._read_raw())
        main = asyncio.create_task(self._main())
        gone = asyncio.create_task(self._stream.closed.wait())
        tasks: list[asyncio.Task[object]] = [reader, main, gone]
        try:
            await asyncio.wait({main, gone}, return_when=asyncio.FIRST_COMPLETED)
            if main.done():
                await self._leave(main.result())
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    async def _main(self) -> int:
        self._phone.received(self._line)
        shell = self._phone.new_shell()
        if self._line:
            return await shell.run(self._line, self._streams)
        if self._terminal is None:
            return await shell.run_interactive(self._streams)
        return await self._terminal.run_shell(shell, self._streams)

    async def _leave(self, status: int) -> None:
        exit_packet = FRAME.pack(EXIT, 1) + bytes([status & 0xFF]) if self._framed else b""
        with contextlib.suppress(BrokenPipeError):  # the host left at the same moment
            await self._outlet.flush(exit_packet)

    async def _feed(self, data: bytes) -> None:
        try:
            if self._terminal is not None:
                await self._terminal.typed(data, self._stdin)
            else:
                await self._stdin.write(data)
        except BrokenPipeError:
            pass  # input after its end is dropped

    async def _read_raw(self) -> None:
        while data := await self._stream.read():
            await self._feed(data)
        self._stdin.close_write()

    async def _read_framed(self) -> None:
        while True:
            try:
                kind, length = FRAME.unpack(await self._stream.read_exactly(FRAME.size))
                if length > MAX_FRAME:
                    self._stream.peer_closed()  # not the protocol: there is no way to go on
                    return
                data = await self._stream.read_exactly(length)
            except EOFError:
                self._stdin.close_write()
                return
            if kind == STDIN:
                await self._feed(data)
            elif kind == CLOSE_STDIN:
                self._stdin.close_write()


def shell_service(phone: ShellDevice, options: list[str], line: str) -> Callable[[Stream], Awaitable[None]]:
    """`shell[,v2][,pty|raw][,TERM=...]:LINE`; without a line the old form is a terminal."""
    framed = "v2" in options
    terminal = "pty" in options or (not line and "raw" not in options)

    async def serve(stream: Stream) -> None:
        await Program(phone, stream, line, framed=framed, terminal=terminal).run()

    return serve


def exec_service(phone: ShellDevice, line: str) -> Callable[[Stream], Awaitable[None]]:
    """`exec:LINE`: bytes in, bytes out, both outputs mixed, no exit code."""

    async def serve(stream: Stream) -> None:
        await Program(phone, stream, line, framed=False, terminal=False).run()

    return serve
