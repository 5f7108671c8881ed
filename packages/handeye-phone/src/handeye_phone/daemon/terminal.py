"""A small terminal for `adb shell` at a keyboard: echo, erase, ^C, ^D, and newlines as terminals want them."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

from handeye_phone.shell.process import Streams
from handeye_phone.shell.streams import Bytes, Pipe, Sink

if TYPE_CHECKING:
    from handeye_phone.shell.interpreter import Shell

PROMPT = "vphone:/ $ "
END, INTERRUPT, KILL_LINE, ERASE = b"\x04", b"\x03", b"\x15", (b"\x7f", b"\x08")
LONE_NEWLINE = re.compile(rb"(?<!\r)\n")
EXIT_SIGINT = 130
MAX_LINE = 4096  # Linux's limit for a line in a terminal


class _Output:
    """Turns newlines into carriage return and newline."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink

    async def write(self, data: Bytes) -> None:
        await self._sink.write(LONE_NEWLINE.sub(b"\r\n", bytes(data)))


class Terminal:
    """The line discipline between the host's keys and the shell's standard input."""

    def __init__(self, sink: Sink) -> None:
        self.output: Sink = _Output(sink)
        self._line = bytearray()
        self._running: asyncio.Task[int | None] | None = None
        self._interrupted = False

    async def typed(self, data: bytes, stdin: Pipe) -> None:
        """Handle typed keys."""
        for index in range(len(data)):
            key = data[index : index + 1]
            if key in (b"\r", b"\n"):
                await self.output.write(b"\n")
                line, self._line = bytes(self._line), bytearray()
                await stdin.write(line + b"\n")
            elif key == INTERRUPT:
                self._line.clear()
                await self.output.write(b"^C\n")
                await self._interrupt(stdin)
            elif key == END:
                if self._line:
                    line, self._line = bytes(self._line), bytearray()
                    await stdin.write(line)
                else:
                    stdin.close_write()
            elif key in ERASE:
                await self._erase()
            elif key == KILL_LINE:
                while self._line:
                    await self._erase()
            elif len(self._line) < MAX_LINE:
                self._line += key
                await self.output.write(key)

    async def _erase(self) -> None:
        while self._line and self._line[-1] & 0xC0 == 0x80:  # the rest of one UTF-8 character
            self._line.pop()
        if self._line:
            self._line.pop()
            await self.output.write(b"\b \b")

    async def _interrupt(self, stdin: Pipe) -> None:
        if self._running is not None:
            self._interrupted = True
            self._running.cancel()
        else:
            await stdin.write(b"\n")

    async def run_shell(self, shell: Shell, streams: Streams) -> int:
        """Prompt, read and run lines until `exit` or ^D. ^C ends only the line's command."""
        while True:
            await streams.stdout.write(PROMPT.encode())
            line = await streams.stdin.read_line()
            if not line:
                return shell.status
            leaving = await self._run_line(shell, line.decode("utf-8", "surrogateescape"), streams)
            if leaving is not None:
                return leaving

    async def _run_line(self, shell: Shell, line: str, streams: Streams) -> int | None:
        """Run one line. Return the exit status if the shell is to end, else None."""
        self._running = asyncio.create_task(shell.run_line(line, streams))
        try:
            return await self._running
        except asyncio.CancelledError:
            if not self._interrupted:
                self._running.cancel()
                raise
            shell.status = EXIT_SIGINT
            return None
        finally:
            self._running, self._interrupted = None, False
