"""
Send one command line to the device through the adb server's socket and read its output; the performance-critical path.

adbutils' own loop sleeps 10 ms per call and copies the whole answer for each 4 KiB received: a raw frame of 10 MB took
880 ms through it and 10 ms here (measured).
"""

from __future__ import annotations

import secrets
import shlex
from dataclasses import dataclass

from handeye.clock import Deadline
from handeye.devices.android.server import AdbServer
from handeye.devices.android.wire import FIRST_BUFFER, MAX_ANSWER, Connection, LinkBroken
from handeye.errors import UsageError

# Longer command lines are refused; the rest of adb's 65,535 bytes is for the service name and the exit code's echo.
MAX_COMMAND = 65_000

# AOSP shell_protocol.h: a packet is one byte of type, four of length (little-endian), and its content.
_STDOUT, _STDERR, _EXIT = 1, 2, 3
_CLOSE_STDIN = b"\x03\0\0\0\0"
_PACKET_HEADER = 5


@dataclass(frozen=True, slots=True)
class ShellResult:
    """Result of a command on the device. `stderr` is empty before Android 7, which mixes it into `stdout`."""

    exit_code: int
    stdout: bytes
    stderr: bytes = b""

    @property
    def text(self) -> str:
        """`stdout` as text; bytes that are not UTF-8 are replaced."""
        return self.stdout.decode("utf-8", "replace")

    @property
    def said(self) -> str:
        """All output, errors last."""
        return self.text + self.stderr.decode("utf-8", "replace")


def command_line(words: tuple[str, ...]) -> str:
    """
    Join words into one command line, each quoted once, so that the phone's shell sees exactly these words.

    Raises UsageError for what no command line can contain: NUL, lone surrogates, too many bytes.
    """
    if not words:
        raise UsageError("an empty command; pass the program and its arguments")
    line = shlex.join(words)
    if "\0" in line:
        raise UsageError(
            f"a word of the command {words[0]!r} has a NUL character; the phone's shell would cut it there"
        )
    try:
        length = len(line.encode("utf-8"))
    except UnicodeEncodeError as error:
        raise UsageError(f"a word of the command {words[0]!r} has half a surrogate pair; it is not text") from error
    if length > MAX_COMMAND:
        raise UsageError(
            f"the command {words[0]!r} is {length} bytes long; adb takes {MAX_COMMAND}. Push a file instead"
        )
    return line


def device_connection(server: AdbServer, serial: str, deadline: Deadline) -> Connection:
    """Return a connection whose next request goes to the device itself."""
    connection = server.connect(deadline)
    try:
        connection.request(f"host:transport:{serial}")
    except BaseException:
        connection.close()
        raise
    return connection


def shell_v2(server: AdbServer, serial: str, line: str, deadline: Deadline) -> ShellResult:
    """Run a command line with exit code and separate streams (Android 7 and later)."""
    with device_connection(server, serial, deadline) as connection:
        connection.request(f"shell,v2,raw:{line}", acts=True)
        # a command that reads its input gets the end of file instead of waiting until the deadline
        connection.send(_CLOSE_STDIN)
        return _read_packets(connection)


def shell_v1(server: AdbServer, serial: str, line: str, deadline: Deadline) -> ShellResult:
    """Run a command line on an old phone: the exit code is echoed after a marker that the output cannot contain."""
    mark = secrets.token_hex(8)
    with device_connection(server, serial, deadline) as connection:
        connection.request(f"shell:{line}; echo {mark}$?", acts=True)
        output = bytes(connection.read_all())
    # Before Android 7 this service is a terminal, which writes every newline as CR LF.
    before, found, code = output.replace(b"\r\n", b"\n").rpartition(mark.encode())
    if not found or not code.strip().isdigit():
        raise LinkBroken("the answer ended without an exit code", sent=True)
    return ShellResult(int(code), before)


def exec_out(server: AdbServer, serial: str, line: str, deadline: Deadline, expected: int = FIRST_BUFFER) -> bytearray:
    """Return the unmodified bytes that a command prints (Android 5 and later). No exit code: check the content."""
    with device_connection(server, serial, deadline) as connection:
        connection.expect_much()
        connection.request(f"exec:{line}", acts=True)
        return connection.read_all(expected)


def _read_packets(connection: Connection) -> ShellResult:
    streams = {_STDOUT: bytearray(), _STDERR: bytearray()}
    buffer = bytearray(FIRST_BUFFER)
    start = end = received = 0
    while True:
        while end - start >= _PACKET_HEADER:
            kind = buffer[start]
            size = int.from_bytes(buffer[start + 1 : start + _PACKET_HEADER], "little")
            stop = start + _PACKET_HEADER + size
            if stop > end:
                break
            content = memoryview(buffer)[start + _PACKET_HEADER : stop]
            if kind == _EXIT:
                code = content[0] if size else 0
                return ShellResult(code, bytes(streams[_STDOUT]), bytes(streams[_STDERR]))
            if kind in streams:
                streams[kind] += content
            content.release()
            start = stop
        buffer, start, end = _make_room(buffer, start, end)
        got = connection.read_into(memoryview(buffer)[end:])
        if not got:
            raise LinkBroken("the answer ended without an exit code", sent=True)
        end += got
        received += got
        if received > MAX_ANSWER:
            raise LinkBroken(f"the answer has over {MAX_ANSWER >> 20} MB", sent=True)


def _make_room(buffer: bytearray, start: int, end: int) -> tuple[bytearray, int, int]:
    """Make space after `end`: drop what was read, and double the buffer for a packet larger than it."""
    if start:
        buffer[: end - start] = buffer[start:end]
        start, end = 0, end - start
    if end == len(buffer):
        buffer.extend(bytes(len(buffer)))
    return buffer, start, end
