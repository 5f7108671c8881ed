"""
Connections that carry many questions at once: to the accessibility bus, and to applications directly.

An application answers one question after the other, and the bus daemon relays every message. So questions are written in
blocks, answers are processed as they arrive, and an application with its own socket (GTK, Chromium and LibreOffice have
one, Qt has not) is asked there, as libatspi does.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import socket
from collections import deque
from collections.abc import Sequence, Set
from struct import Struct
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import unquote

from dbus_fast import Message, MessageFlag, MessageType
from dbus_fast.aio.message_reader import build_message_reader
from dbus_fast.errors import AuthError, InvalidAddressError, InvalidBusNameError, InvalidMessageError

from handeye.perceive.atspi.protocol import DAEMON, Question, Ref, answer_of, message_of

IN_FLIGHT: Final = 64
"""Most questions of one batch in flight at once: enough to keep an application busy all the time."""

# Errors of the bus daemon for an application that has left.
GONE: Final = frozenset(
    f"{DAEMON}.Error.{name}" for name in ("ServiceUnknown", "NameHasNoOwner", "NoReply", "Disconnected")
)

_BLOCK: Final = 1 << 18
_LONGEST_LINE: Final = 16_384  # of the handshake
_CREDENTIALS: Final = Struct("3i")  # process, user, group


class Batch:
    """
    Questions in flight. `answers` are in their order, None while missing; `waiting` are the indices of questions sent but
    not answered; `heard` counts answers; `gone` are the applications that have left. `done` resolves with the last answer,
    or with the error that ended the connection.
    """

    def __init__(self, questions: Sequence[Question], passed_over: frozenset[str]) -> None:
        self.questions = questions
        self.answers: list[Any] = [None] * len(questions)
        self.waiting: set[int] = set()
        self.heard = 0
        self.gone: set[str] = set()
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._passed_over = passed_over
        self._left = deque(range(len(questions)))

    def following(self) -> list[int]:
        """Return the indices of the questions to send next."""
        numbers: list[int] = []
        while len(self.waiting) < IN_FLIGHT and self._left:
            number = self._left.popleft()
            name = self.questions[number].of.bus
            if name not in self._passed_over and name not in self.gone:
                self.waiting.add(number)
                numbers.append(number)
        if not self.waiting and not self.done.done():
            self.done.set_result(None)
        return numbers

    def put_back(self) -> None:
        """Queue the unanswered questions again, as their connection has ended."""
        self._left.extendleft(sorted(self.waiting, reverse=True))
        self.waiting.clear()
        self.done = asyncio.get_running_loop().create_future()

    def take(self, number: int, reply: Message) -> None:
        question = self.questions[number]
        self.waiting.discard(number)
        self.heard += 1
        self.answers[number] = answer_of(reply, question.expects)
        if reply.error_name in GONE and question.of.bus != DAEMON:  # the daemon, asked about other names
            self.gone.add(question.of.bus)

    def fail(self, error: Exception) -> None:
        if not self.done.done():
            self.done.set_exception(error)
            self.done.exception()  # marks it as retrieved: a cancelled caller does not await it


class Wire:
    """An open connection: `sock` has finished its handshake. Used on the thread of its event loop only."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._loop = asyncio.get_running_loop()
        self._serial = 0
        self._asked: dict[int, tuple[Batch, int]] = {}
        self._answered: dict[int, Batch] = {}
        self._take_in = build_message_reader(Intake(sock), self._take, self.close, False)  # type: ignore[arg-type]
        self._unsent = bytearray()
        self._is_full = False
        self.open = True
        self._loop.add_reader(sock, self._read)

    def put(self, batch: Batch) -> None:
        """Send the first questions; the rest follow as answers arrive."""
        if not self.open:
            batch.fail(EOFError("the connection has ended"))
            return
        for number in batch.following():
            self._serial = self._serial % _LAST_SERIAL + 1
            self._asked[self._serial] = batch, number
            self._unsent += written(message_of(batch.questions[number]), self._serial)
        self._send()

    def forget(self, batch: Batch) -> None:
        """Drop answers that still arrive for a batch."""
        if batch.waiting:
            self._asked = {serial: each for serial, each in self._asked.items() if each[0] is not batch}

    def close(self, error: Exception | None = None) -> None:
        if self.open:
            self.open = False
            self._loop.remove_reader(self._sock)
            self._loop.remove_writer(self._sock)
            self._sock.close()
            self._unsent.clear()
            self._take_in = _nothing  # drops a partly received message
            asked, self._asked = self._asked, {}
            for batch in {id(batch): batch for batch, _ in asked.values()}.values():
                batch.fail(error or EOFError("the connection was closed"))

    def _send(self) -> None:
        try:
            while self._unsent:
                del self._unsent[: self._sock.send(self._unsent)]
        except BlockingIOError:
            if not self._is_full:
                self._loop.add_writer(self._sock, self._send)
            self._is_full = True
        except OSError as error:
            self.close(error)
        else:
            if self._is_full:
                self._loop.remove_writer(self._sock)
            self._is_full = False

    def _read(self) -> None:
        self._take_in()
        answered, self._answered = self._answered, {}
        for batch in answered.values():
            self.put(batch)

    def _take(self, message: Message) -> None:
        if message.message_type is MessageType.METHOD_CALL:
            self._decline(message)
            return
        batch, number = self._asked.pop(message.reply_serial, (None, 0))
        if batch is not None:
            batch.take(number, message)
            self._answered[id(batch)] = batch

    def _decline(self, call: Message) -> None:
        """Refuse method calls, such as pings, so that callers do not wait in vain."""
        if not call.flags & MessageFlag.NO_REPLY_EXPECTED and len(self._unsent) < _BLOCK:
            self._serial = self._serial % _LAST_SERIAL + 1
            with contextlib.suppress(InvalidBusNameError):  # on its own socket it may use any name
                refusal = Message.new_error(call, f"{DAEMON}.Error.UnknownObject", "nothing is offered here")
                self._unsent += written(refusal, self._serial)
                self._send()


def _nothing() -> None:
    pass


class Intake:
    """
    A socket wrapper for dbus-fast's reader that filters what it receives: without signals, which are not requested here,
    and without messages that take too long to parse. An answer with too long a body is passed on without a body, which
    counts as no answer; a message with too long a header is dropped.
    """

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._held = b""  # start of a message whose header is incomplete
        self._next = 0  # offset of the next message in the next block
        self._dropped = 0  # bytes of the next block to skip

    def recv(self, _: int) -> bytes:
        block = self._sock.recv(_BLOCK)
        if not block:
            raise EOFError("the other side has ended the connection")
        taken = self._sifted(self._held + block)
        if not taken:
            raise BlockingIOError(errno.EAGAIN, "nothing of use so far")
        return taken

    def _sifted(self, data: bytes) -> bytes:
        at, begin, size = self._next, self._dropped, len(data)
        taken = []
        while at + _HEAD <= size:
            if data[at] not in _ORDERS or data[at + 3] != _VERSION:
                raise InvalidMessageError("what was received is no D-Bus message")
            body, _, fields = _ORDERS[data[at]].unpack_from(data, at + 4)
            end = at + _HEAD + fields + -fields % 8
            is_wanted = data[at + 1] in _WANTED and fields <= _LONGEST_HEADER
            if is_wanted and body <= _LONGEST_BODY:
                at = end + body
                continue
            if is_wanted and end > size:
                break
            taken.append(data[begin:at])
            if is_wanted:
                taken.append(data[at : at + 4] + bytes(4) + data[at + 8 : end])
            at = begin = end + body
        taken.append(data[begin:at])
        self._held = data[at:]
        self._next, self._dropped = max(at - size, 0), max(begin - size, 0)
        return b"".join(taken)


# Order, kind, flags, version; then the lengths of the body and of the fields around the serial.
_HEAD: Final = 16
_ORDERS: Final = MappingProxyType({ord("l"): Struct("<III"), ord("B"): Struct(">III")})
_VERSION: Final = 1
_WANTED: Final = frozenset({MessageType.METHOD_CALL.value, MessageType.METHOD_RETURN.value, MessageType.ERROR.value})
# Headers have some hundred bytes. dbus-fast parses a body of that length in half a second, while all others wait; the
# largest seen is LibreOffice's, of 2,000 elements at once: half a megabyte.
_LONGEST_HEADER: Final = 1 << 16
_LONGEST_BODY: Final = 1 << 24


def written(message: Message, serial: int) -> bytes:
    """
    Return the message as D-Bus bytes. dbus-fast (2.24 and later, as pyproject.toml requires) creates them only in this
    private method, which its MessageBus uses as well.
    """
    message.serial = serial
    return bytes(message._marshall(False))


_LAST_SERIAL: Final = 2**32 - 1


class Wires:
    """The connection to the bus, and those to applications with their own socket, by bus name."""

    def __init__(self, bus: Wire) -> None:
        self.bus = bus
        self._direct: dict[str, Wire | None] = {}

    def to(self, questions: Sequence[Question]) -> Wire:
        """Return the connection for these questions: the application's own if all are for it, else the bus."""
        name = questions[0].of.bus
        wire = self._direct.get(name)
        if wire is None or not wire.open or any(question.of.bus != name for question in questions):
            return self.bus
        return wire

    def is_known(self, name: str) -> bool:
        """Return True if a direct connection to this application was tried, or is being tried."""
        return name in self._direct

    def keep(self, names: Set[str]) -> None:
        """
        Close the connections to applications that are not among `names`: they have left the bus, even if their socket is
        open.
        """
        for name in self._direct.keys() - names:
            wire = self._direct.pop(name)
            if wire is not None:
                wire.close()

    async def reach(self, name: str, address: str | None, process: int | None) -> None:
        """Connect to an application at the address that it reports; does nothing if that does not lead to its process."""
        self._direct[name] = None
        sock = None
        try:
            if not address or process is None:
                return
            sock = await _connected(_places(address))
            if _process_behind(sock) == process:
                await _authenticate(sock)
                if name in self._direct:  # it is still on the bus
                    self._direct[name] = Wire(sock)
                    sock = None
        except (OSError, EOFError, AuthError, InvalidAddressError):
            return  # questions go through the bus instead
        finally:
            if sock is not None:
                sock.close()

    def close(self) -> None:
        for wire in (self.bus, *self._direct.values()):
            if wire is not None:
                wire.close()


async def connect(address: str) -> Wires:
    """Return a connection to the bus at that address. Raises OSError, EOFError, AuthError, InvalidAddressError."""
    sock = await _connected(_places(address))
    try:
        await _authenticate(sock)
        wire = Wire(sock)
    except BaseException:
        sock.close()
        raise
    hello = Batch([Question(Ref(DAEMON, "/org/freedesktop/DBus"), DAEMON, "Hello", "s")], frozenset())
    wire.put(hello)
    try:
        await hello.done
    except BaseException:
        wire.close()
        raise
    return Wires(wire)


def _places(address: str) -> list[str]:
    """
    Return the sockets in a D-Bus address: "unix:path=/run/user/1000/bus,guid=..."; abstract ones begin with a zero byte.
    """
    found = []
    if len(address) > _LONGEST_ADDRESS or address.count(";") >= _MOST_PLACES:
        raise InvalidAddressError("an address that is too long")
    for each in address.split(";"):
        transport, _, rest = each.partition(":")
        options = dict(part.partition("=")[::2] for part in rest.split(","))
        if transport == "unix" and options.get("path"):
            found.append(unquote(options["path"]))
        elif transport == "unix" and options.get("abstract"):
            found.append("\0" + unquote(options["abstract"]))
    if not found:
        raise InvalidAddressError(f"no socket of this machine is named by {address[:200]!r}")
    return found


# Addresses come from applications, and each socket costs a system call. Real ones name one socket in 60 characters.
_LONGEST_ADDRESS: Final = 1024
_MOST_PLACES: Final = 4


async def _connected(places: Sequence[str]) -> socket.socket:
    for last, place in enumerate(places, 1 - len(places)):
        sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
        try:
            sock.setblocking(False)
            await asyncio.get_running_loop().sock_connect(sock, place)
        except BaseException as error:
            sock.close()
            if last == 0 or not isinstance(error, OSError):
                raise
        else:
            return sock
    raise InvalidAddressError("no address was given")


async def _authenticate(sock: socket.socket) -> None:
    """Authenticate as this process's user, which the other side checks with the kernel (EXTERNAL)."""
    loop = asyncio.get_running_loop()
    user = str(os.getuid()).encode().hex()
    await loop.sock_sendall(sock, f"\0AUTH EXTERNAL {user}\r\n".encode())
    line = b""
    while not line.endswith(b"\r\n"):
        more = await loop.sock_recv(sock, _LONGEST_LINE)
        if not more:
            raise EOFError("the connection ended while it was made")
        line += more
        if len(line) > _LONGEST_LINE:
            raise AuthError("the other side does not speak D-Bus")
    if not line.startswith(b"OK"):
        raise AuthError(f"the other side does not let this user in: {line[:200]!r}")
    await loop.sock_sendall(sock, b"BEGIN\r\n")


def _process_behind(sock: socket.socket) -> int:
    process, _, _ = _CREDENTIALS.unpack(sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size))
    return int(process)
