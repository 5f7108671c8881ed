"""
The accessibility bus of a desktop session: one connection, owned by one background thread.

Each call from outside runs as a task on that thread, and the caller waits for its result.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
import weakref
from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from typing import Any, Final, TypeVar

from dbus_fast import BusType
from dbus_fast.aio import MessageBus
from dbus_fast.errors import AuthError, DBusError, InvalidAddressError, InvalidMessageError

from handeye.clock import Clock, Deadline
from handeye.errors import TreeFailed
from handeye.perceive.atspi.calls import SILENCE_S, Caller
from handeye.perceive.atspi.protocol import REGISTRY, Question, Ref, answer_of, message_of
from handeye.perceive.atspi.wire import Wires, connect

T = TypeVar("T")

_LAUNCHER: Final = "org.a11y.Bus"
# Time to connect, and to start the accessibility bus if it is not running yet.
_CONNECT_S: Final = 5.0
_JOIN_S: Final = 2.0
# The work keeps its own deadline. If the thread is stuck, callers stop waiting this much later.
_SLACK_S: Final = 10.0
# Toolkits answer bulk requests only after a client has registered for events. This event is rare, so that it costs them
# nothing.
_RARE_EVENT: Final = "window:create"

_BROKEN: Final = (OSError, EOFError, AuthError, DBusError, InvalidAddressError, InvalidMessageError)


class AccessibilityBus:
    """
    The accessibility bus of a session. Connects on first use, and again when the connection was lost.

    `session` is the address of the session's D-Bus; without one, it is taken from `environment` (this process's by
    default). Thread-safe: concurrent readings share the connection. After a fork the child makes its own connection.
    `close` it, or use it as a context manager; the thread is a daemon and ends with the process.
    """

    def __init__(self, session: str | None = None, *, environment: Mapping[str, str] | None = None) -> None:
        self._session = session
        self._environment = dict(os.environ if environment is None else environment)
        self._lock = threading.Lock()
        self._line: _Connection | None = None

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
        Return the result of `work`, run on the bus's thread within `seconds`. Raises TreeFailed if there is no
        accessibility bus or the connection breaks, and whatever `work` raises.
        """
        line = self._connected()

        async def within() -> T:
            return await work(Caller(line.bus, line.wires, Deadline(clock, seconds), silence_s))

        try:
            return line.wait_for(within(), seconds + _SLACK_S)
        except TimeoutError:  # the connection is intact, and other calls use it
            raise TreeFailed(f"the answers could not be taken in within {seconds + _SLACK_S:g} s") from None
        except _BROKEN as error:
            self._drop(line)
            raise TreeFailed(f"the connection to the accessibility bus broke: {_message(error)}") from error

    def close(self) -> None:
        """Close the connection and end its thread. The next use makes a new one."""
        with self._lock:
            line, self._line = self._line, None
        if line is not None and line.process == os.getpid():
            line.close()

    def _connected(self) -> _Connection:
        with self._lock:
            line = self._line
            if line is not None and line.process != os.getpid():
                _INHERITED.append(line)  # never used again: closing it would break the parent's
                line = None
            if line is not None and not (line.bus.connected and line.wires.bus.open):
                line.close()
                line = None
            if line is None:
                self._line = line = _Connection(self._session, self._environment)
            return line

    def _drop(self, line: _Connection) -> None:
        with self._lock:
            if self._line is line:
                self._line = None
        line.close()


# Connections inherited by a fork: referenced forever, since garbage collection would close the socket shared with the
# parent.
_INHERITED: list[_Connection] = []


class _Connection:
    """A connection, its event loop, and the thread that runs it."""

    def __init__(self, session: str | None, environment: Mapping[str, str]) -> None:
        self.process = os.getpid()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=_serve, args=(self._loop,), name="handeye-atspi", daemon=True)
        self._thread.start()
        self._end = weakref.finalize(self, _stop, self._loop)
        try:
            self.bus, self.wires = self.wait_for(_connect(session, environment), _CONNECT_S + _SLACK_S)
            self._end.detach()
            self._end = weakref.finalize(self, _stop, self._loop, partial(_disconnect, self.bus), self.wires.close)
        except _BROKEN as error:
            self.close()
            raise TreeFailed(
                f"there is no accessibility bus: {_message(error)}. It belongs to a desktop session (package at-spi2-core), "
                "whose address DBUS_SESSION_BUS_ADDRESS says"
            ) from error
        except BaseException:
            self.close()
            raise

    def wait_for(self, work: Coroutine[Any, Any, T], seconds: float) -> T:
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result(seconds)
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


def _stop(loop: asyncio.AbstractEventLoop, *closing: Callable[[], None]) -> None:
    with contextlib.suppress(RuntimeError):  # closed already
        for close in closing:
            loop.call_soon_threadsafe(close)
        loop.call_soon_threadsafe(loop.stop)


def _disconnect(bus: MessageBus) -> None:
    if bus.connected:
        bus.disconnect()


async def _connect(session: str | None, environment: Mapping[str, str]) -> tuple[MessageBus, Wires]:
    async with asyncio.timeout(_CONNECT_S):
        address = environment.get("AT_SPI_BUS_ADDRESS") if session is None else None
        address = address or await _address_from(session or _session_address(environment))
        bus = await _open(address)
        try:
            listens = Question(Ref(REGISTRY, _LISTENERS), REGISTRY, "RegisterEvent", "", "sass", (_RARE_EVENT, [], ""))
            await bus.call(message_of(listens))
            return bus, await connect(address)
        except BaseException:
            bus.disconnect()
            raise


_LISTENERS: Final = "/org/a11y/atspi/registry"


async def _open(address: str) -> MessageBus:
    bus: MessageBus = await MessageBus(bus_address=address, bus_type=BusType.SESSION).connect()
    _ends.add(end := asyncio.ensure_future(_end_of(bus)))
    end.add_done_callback(_ends.discard)
    return bus


_ends: set[asyncio.Future[None]] = set()


async def _end_of(bus: Any) -> None:
    """Consume the error that ends a connection, which would be logged otherwise: the next call reports it."""
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


async def _address_from(session: str) -> str:
    bus = await _open(session)
    try:
        reply = await bus.call(message_of(Question(Ref(_LAUNCHER, "/org/a11y/bus"), _LAUNCHER, "GetAddress", "s")))
    finally:
        bus.disconnect()
    address = answer_of(reply, "s")
    if not address:
        why = reply.body[0] if reply.body else reply.error_name
        raise InvalidAddressError(f"the session has none ({why})")
    return str(address)


def _message(error: BaseException) -> str:
    return str(error) or type(error).__name__
