"""
Socket protocol of the adb server (AOSP: packages/modules/adb/SERVICES.TXT).

A request is its length as four hex digits, then its bytes. The answer is `OKAY`, or `FAIL` with a length-prefixed
reason. After `host:transport:SERIAL` the socket is a pipe to that device, and the next request names a service there.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from types import TracebackType
from typing import Self, TypeVar

from handeye.clock import Deadline

T = TypeVar("T")

# A request's length is four hex digits; adb itself limits a command line to this many bytes.
MAX_REQUEST = 65_535
# Size of a first read. For a whole frame it grows by doubling: 64 KiB -> 16 MiB in eight steps.
FIRST_BUFFER = 64 * 1024
# A length-prefixed block has 64 KiB at most (sync), a list of devices some kilobytes.
MAX_BLOCK = 16 * 1024 * 1024
# Limit of a whole answer: a raw frame has 10 MB, the largest tablet screen 30.
MAX_ANSWER = 512 * 1024 * 1024
# Requested kernel buffer: a raw frame (10 MB) should not arrive in pieces of 200 KB.
SOCKET_BUFFER = 4 * 1024 * 1024


class LinkBroken(Exception):
    """
    The server or the device stopped answering. Never leaves this package: `Link` turns it into a DeviceError.

    `sent` is False if the command certainly did not reach the device.
    """

    def __init__(self, reason: str, *, sent: bool) -> None:
        super().__init__(reason)
        self.sent = sent


class Refused(LinkBroken):
    """The server answered FAIL: the request was understood but not carried out."""


class TimedOut(LinkBroken):
    """The deadline passed while waiting for an answer."""


class Connection:
    """A socket to the adb server. Every call ends by the deadline."""

    def __init__(self, host: str, port: int, deadline: Deadline) -> None:
        self._deadline = deadline
        self._sent = False
        try:
            self._socket = socket.create_connection((host, port), timeout=max(deadline.left, 0.001))
        except OSError as error:
            raise LinkBroken(f"the adb server on {host}:{port} cannot be reached: {error}", sent=False) from error
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._socket.close()

    def expect_much(self) -> None:
        """Request a large kernel buffer before a bulk answer."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SOCKET_BUFFER)

    def request(self, service: str, *, acts: bool = False) -> None:
        """
        Send a request and wait for OKAY. `acts`: from here on the device may have done something, even if the answer is
        a refusal: adb also answers FAIL if the link breaks before the device's own answer.

        Raises Refused with the server's reason.
        """
        words = service.encode("utf-8")
        if len(words) > MAX_REQUEST:
            raise ValueError(f"a request of {len(words)} bytes is longer than adb takes ({MAX_REQUEST})")
        self._sent = self._sent or acts
        self.send(b"%04x%s" % (len(words), words))
        status = self.read_exactly(4)
        if status == b"FAIL":
            raise Refused(self.read_block().decode("utf-8", "replace"), sent=self._sent)
        if status != b"OKAY":
            raise LinkBroken(f"the adb server answered {bytes(status)!r}; is it an adb server?", sent=self._sent)

    def send(self, content: bytes) -> None:
        self._guard(lambda: self._socket.sendall(content))

    def read_block(self) -> bytes:
        """Read a length-prefixed answer."""
        length = self.read_exactly(4)
        try:
            return bytes(self.read_exactly(int(length, 16)))
        except ValueError as error:
            raise LinkBroken(f"the adb server sent {bytes(length)!r} as a length", sent=self._sent) from error

    def read_exactly(self, count: int) -> bytearray:
        if not 0 <= count <= MAX_BLOCK:
            raise LinkBroken(f"the device announced a piece of {count} bytes; there is none like it", sent=self._sent)
        buffer = bytearray(count)
        view = memoryview(buffer)
        done = 0
        while done < count:
            got = self.read_into(view[done:])
            if not got:
                raise LinkBroken(f"the connection ended after {done} of {count} bytes", sent=self._sent)
            done += got
        return buffer

    def read_into(self, view: memoryview) -> int:
        """Receive bytes into `view`; return their number, 0 at the end."""
        return self._guard(lambda: self._socket.recv_into(view))

    def read_all(self, expected: int = FIRST_BUFFER) -> bytearray:
        """Read everything until the other side closes, into one buffer that grows by doubling."""
        # One byte more than expected, so that the end is detected without growing.
        buffer = bytearray(max(expected + 1, FIRST_BUFFER))
        done = 0
        while got := self.read_into(memoryview(buffer)[done:]):
            done += got
            if done > MAX_ANSWER:
                raise LinkBroken(f"the answer has over {MAX_ANSWER >> 20} MB", sent=self._sent)
            if done == len(buffer):
                buffer.extend(bytes(len(buffer)))
        del buffer[done:]
        return buffer

    def _guard(self, step: Callable[[], T]) -> T:
        left = self._deadline.left
        if left <= 0:
            raise TimedOut("the deadline passed", sent=self._sent)
        self._socket.settimeout(left)
        try:
            return step()
        except TimeoutError as error:
            raise TimedOut("no answer until the deadline", sent=self._sent) from error
        except OSError as error:
            raise LinkBroken(f"the connection to the adb server broke: {error}", sent=self._sent) from error
