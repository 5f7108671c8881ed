"""
The accessibility bus: one connection, kept by one background thread, and the questions that are put to applications.

Applications answer one question after the other, and each answer costs a way through the bus daemon and back; what makes a
reading fast is that many questions are on their way at once. What they answer is checked by its D-Bus signature: an application
may say anything.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
import weakref
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from handeye.clock import Clock, Deadline
from handeye.errors import DeviceError, DeviceLost, MissingPart, TreeFailed

try:
    from dbus_fast import BusType, Message, MessageType, Variant
    from dbus_fast.aio import MessageBus
    from dbus_fast.errors import AuthError, DBusError, InvalidAddressError, InvalidMessageError
except ImportError as error:
    raise MissingPart("the reader of Linux accessibility trees (dbus-fast)", "pip install 'handeye[linux]'") from error

T = TypeVar("T")

ACCESSIBLE: Final = "org.a11y.atspi.Accessible"
COMPONENT: Final = "org.a11y.atspi.Component"
PROPERTIES: Final = "org.freedesktop.DBus.Properties"
REGISTRY: Final = "org.a11y.atspi.Registry"
ROOT: Final = "/org/a11y/atspi/accessible/root"
NOTHING: Final = "/org/a11y/atspi/null"
DAEMON: Final = "org.freedesktop.DBus"
_LAUNCHER: Final = "org.a11y.Bus"

# More than this at once, and dbus-fast's connection broke down on a full socket; 64 keep an application busy all the time.
IN_FLIGHT: Final = 64
# An application that has answered nothing for so long hangs or is stopped. GTK's slowest single answer that was measured, the
# 1,850 nodes of LibreOffice Calc at once, takes 90 ms on an idle machine.
SILENCE_S: Final = 0.7
# Connecting, and starting the accessibility bus where nobody did so far.
_CONNECT_S: Final = 5.0
# How often the answers that came are counted, to notice silence.
_LISTEN_S: Final = 0.05
_JOIN_S: Final = 2.0

# Toolkits tell of their elements in bulk only after somebody asked for events. This one is rare, so that it costs them nothing.
_RARE_EVENT: Final = "window:create"

_BROKEN: Final = (OSError, EOFError, AuthError, DBusError, InvalidAddressError, InvalidMessageError)


class Ref(NamedTuple):
    """One accessible object: the application's name on the bus, and the path inside it."""

    bus: str
    path: str


class Question(NamedTuple):
    """One method call. `expects` is the signature of the answer; another one counts as none."""

    of: Ref
    interface: str
    member: str
    expects: str
    signature: str = ""
    arguments: tuple[object, ...] = ()


def property_of(of: Ref, interface: str, name: str, expects: str) -> Question:
    """The question for a D-Bus property; `expects` is the signature inside the variant."""
    return Question(of, PROPERTIES, "Get", f"v{expects}", "ss", (interface, name))


def setting_of(of: Ref, interface: str, name: str, kind: str, value: object) -> Question:
    """The command that sets a D-Bus property of the type `kind`."""
    return Question(of, PROPERTIES, "Set", "", "ssv", (interface, name, Variant(kind, value)))


class Silence(TreeFailed):
    """An application did not answer in time."""


class Caller:
    """
    Puts questions within one deadline. Used on the bus's own thread only.

    `hung` are the names of applications that fell silent: they are asked nothing more.
    """

    def __init__(self, bus: MessageBus, deadline: Deadline, silence_s: float) -> None:
        self._bus = bus
        self._deadline = deadline
        self._silence_s = silence_s
        self.hung: set[str] = set()
        self.cut_short = False

    @property
    def left(self) -> float:
        """Seconds until the deadline."""
        return self._deadline.left

    async def ask(self, question: Question, *, patience_s: float | None = None) -> Any:
        """The answer; None when it is an error or of another type. Raises Silence when none comes."""
        (answer,) = await self.ask_all([question], patience_s=patience_s)
        self.check(question.of)
        return answer

    def check(self, of: Ref) -> None:
        """Raise Silence when that application fell silent, or time is up."""
        if of.bus in self.hung or self.cut_short:
            raise Silence("the application does not answer: it hangs, or is stopped")

    async def ask_all(self, questions: Sequence[Question], *, patience_s: float | None = None) -> list[Any]:
        """
        The answers in the order of the questions, None for those that are errors, of another type, or did not come.

        When no answer comes for `patience_s`, the rest is given up: the application hangs.
        """
        answers: list[Any] = [None] * len(questions)
        if not questions or self.cut_short:
            return answers
        numbers = iter(range(len(questions)))
        heard = _Counter()
        askers = [
            asyncio.ensure_future(self._ask_some(questions, numbers, answers, heard))
            for _ in range(min(IN_FLIGHT, len(questions)))
        ]
        try:
            await self._listen(askers, heard, self._silence_s if patience_s is None else patience_s)
        finally:
            for asker in askers:
                asker.cancel()
            ended = await asyncio.gather(*askers, return_exceptions=True)
        for end in ended:
            if isinstance(end, Exception):
                raise end
        if heard.asked:
            self.hung |= {questions[number].of.bus for number in heard.asked}
        return answers

    async def _listen(self, askers: Sequence[asyncio.Future[None]], heard: _Counter, patience_s: float) -> None:
        waiting: set[asyncio.Future[None]] = set(askers)
        before, quiet_s = heard.count, 0.0
        while waiting:
            step = min(_LISTEN_S, self.left)
            _, waiting = await asyncio.wait(waiting, timeout=step)
            if not waiting:
                return
            quiet_s = 0.0 if heard.count != before else quiet_s + step
            before = heard.count
            if self.left <= 0.0:
                self.cut_short = True
                return
            if quiet_s >= patience_s:
                return

    async def _ask_some(
        self, questions: Sequence[Question], numbers: Iterator[int], answers: list[Any], heard: _Counter
    ) -> None:
        for number in numbers:
            question = questions[number]
            if question.of.bus in self.hung:
                continue
            heard.asked.add(number)
            reply = await self._bus.call(_message(question))
            heard.asked.discard(number)
            heard.count += 1
            answers[number] = _answer(reply, question.expects)

    async def command(self, question: Question) -> Any:
        """
        Have something done: the answer, checked. Raises DeviceError with the application's own words when it is an error,
        Silence when none comes.
        """
        try:
            async with asyncio.timeout(min(self.left, self._silence_s * _COMMAND_PATIENCE)):
                reply = await self._bus.call(_message(question))
        except TimeoutError:
            raise Silence("the application does not answer: it hangs, or is stopped") from None
        if reply.message_type is not MessageType.METHOD_RETURN:
            why = str(reply.body[0] if reply.body else reply.error_name)
            if reply.error_name in _GONE:
                raise DeviceLost(f"the application is gone: {why[:200]!r}")
            raise DeviceError(f"the application refused {question.member}: {why[:200]!r}")
        return _answer(reply, question.expects)


# A command may open a window before it answers: it has so many times the time that a question has.
_COMMAND_PATIENCE: Final = 4


# What the bus daemon says when the application has left.
_GONE: Final = frozenset(
    f"org.freedesktop.DBus.Error.{name}" for name in ("ServiceUnknown", "NameHasNoOwner", "NoReply", "Disconnected")
)


class _Counter:
    """How many answers came, and the numbers of the questions that wait for theirs."""

    def __init__(self) -> None:
        self.count = 0
        self.asked: set[int] = set()


def _message(question: Question) -> Message:
    return Message(
        destination=question.of.bus,
        path=question.of.path,
        interface=question.interface,
        member=question.member,
        signature=question.signature,
        body=list(question.arguments),
    )


def _answer(reply: Message, expects: str) -> Any:
    if reply.message_type is not MessageType.METHOD_RETURN:
        return None
    if not expects:
        return True
    if expects[0] == "v" and len(expects) > 1:
        if reply.signature != "v":
            return None
        inside = reply.body[0]
        return inside.value if isinstance(inside, Variant) and inside.signature == expects[1:] else None
    return reply.body[0] if reply.signature == expects and reply.body else None


class AccessibilityBus:
    """
    The accessibility bus of a session. Connects at the first use, and again when the connection was lost.

    `session` is the address of the session's D-Bus; without one, `environment` says it (that of this process by default). Safe
    for several threads: their readings share the connection. After a fork the child makes a connection of its own. `close` it,
    or use it as a context manager; the thread is a daemon and ends with the process.
    """

    def __init__(self, session: str | None = None, *, environment: Mapping[str, str] | None = None) -> None:
        self._session = session
        self._environment = dict(os.environ if environment is None else environment)
        self._lock = threading.Lock()
        self._line: _Line | None = None

    def __enter__(self) -> AccessibilityBus:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def run(
        self,
        work: Callable[[Caller], Coroutine[Any, Any, T]],
        *,
        seconds: float,
        clock: Clock,
        silence_s: float = SILENCE_S,
    ) -> T:
        """
        What `work` gives, done on the bus's thread within `seconds`. Raises TreeFailed when there is no accessibility bus or
        the connection breaks, and whatever `work` raises.
        """
        line = self._connected()

        async def within() -> T:
            return await work(Caller(line.bus, Deadline(clock, seconds), silence_s))

        try:
            return line.wait_for(within())
        except _BROKEN as error:
            self._drop(line)
            raise TreeFailed(f"the connection to the accessibility bus broke: {_said(error)}") from error

    def close(self) -> None:
        """End the connection and its thread. The next use makes a new one."""
        with self._lock:
            line, self._line = self._line, None
        if line is not None and line.process == os.getpid():
            line.close()

    def _connected(self) -> _Line:
        with self._lock:
            line = self._line
            if line is not None and line.process != os.getpid():
                _OF_THE_PARENT.append(line)  # never touched again: closing it would disturb the parent's
                line = None
            if line is not None and not line.bus.connected:
                line.close()
                line = None
            if line is None:
                self._line = line = _Line(self._session, self._environment)
            return line

    def _drop(self, line: _Line) -> None:
        with self._lock:
            if self._line is line:
                self._line = None
        line.close()


# Connections that a forked child found: kept from the garbage collector, which would close what both share.
_OF_THE_PARENT: list[_Line] = []


class _Line:
    """A connection, its event loop, and the thread that runs it."""

    def __init__(self, session: str | None, environment: Mapping[str, str]) -> None:
        self.process = os.getpid()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=_serve, args=(self._loop,), name="handeye-atspi", daemon=True)
        self._thread.start()
        self._end = weakref.finalize(self, _stop, self._loop, None)
        try:
            self.bus = self.wait_for(_connect(session, environment))
            self._end.detach()
            self._end = weakref.finalize(self, _stop, self._loop, self.bus)
        except (*_BROKEN, TimeoutError) as error:
            self.close()
            raise TreeFailed(
                f"there is no accessibility bus: {_said(error)}. It belongs to a desktop session (package at-spi2-core), "
                "whose address DBUS_SESSION_BUS_ADDRESS says"
            ) from error
        except BaseException:
            self.close()
            raise

    def wait_for(self, work: Coroutine[Any, Any, T]) -> T:
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()  # Ctrl-C, while the thread goes on
            raise

    def close(self) -> None:
        self._end()
        self._thread.join(_JOIN_S)


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
    finally:
        loop.close()


def _stop(loop: asyncio.AbstractEventLoop, bus: MessageBus | None) -> None:
    with contextlib.suppress(RuntimeError):  # closed already
        if bus is not None and bus.connected:
            loop.call_soon_threadsafe(bus.disconnect)
        loop.call_soon_threadsafe(loop.stop)


async def _connect(session: str | None, environment: Mapping[str, str]) -> MessageBus:
    async with asyncio.timeout(_CONNECT_S):
        address = environment.get("AT_SPI_BUS_ADDRESS") if session is None else None
        bus = await _open(address or await _address_said_by(session or _session_address(environment)))
        await bus.call(
            _message(
                Question(
                    Ref(REGISTRY, "/org/a11y/atspi/registry"),
                    REGISTRY,
                    "RegisterEvent",
                    "",
                    "sass",
                    (_RARE_EVENT, [], ""),
                )
            )
        )
        return bus


async def _open(address: str) -> MessageBus:
    bus: MessageBus = await MessageBus(bus_address=address, bus_type=BusType.SESSION).connect()
    _ends.add(end := asyncio.ensure_future(_end_of(bus)))
    end.add_done_callback(_ends.discard)
    return bus


_ends: set[asyncio.Future[None]] = set()


async def _end_of(bus: Any) -> None:
    """Takes note of how a connection ended, which would be written to the log otherwise: the next call tells of it."""
    with contextlib.suppress(*_BROKEN):
        await bus.wait_for_disconnect()


def _session_address(environment: Mapping[str, str]) -> str:
    known = environment.get("DBUS_SESSION_BUS_ADDRESS")
    runtime = environment.get("XDG_RUNTIME_DIR")
    if known:
        return known
    if runtime:
        return f"unix:path={runtime}/bus"
    raise InvalidAddressError("neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set")


async def _address_said_by(session: str) -> str:
    bus = await _open(session)
    try:
        reply = await bus.call(_message(Question(Ref(_LAUNCHER, "/org/a11y/bus"), _LAUNCHER, "GetAddress", "s")))
    finally:
        bus.disconnect()
    address = _answer(reply, "s")
    if not address:
        why = reply.body[0] if reply.body else reply.error_name
        raise InvalidAddressError(f"the session has none ({why})")
    return str(address)


def _said(error: BaseException) -> str:
    return str(error) or type(error).__name__
