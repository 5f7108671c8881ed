"""
Questions to applications, many of them on their way at once.

An application answers one question after the other, and each answer costs a way through the bus daemon and back; what makes a
reading fast is that it never waits for the next one. What is answered is checked by its D-Bus signature: an application may
say anything.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from dbus_fast import Message, MessageType, Variant
from dbus_fast.aio import MessageBus

from handeye.clock import Deadline
from handeye.errors import DeviceError, DeviceLost, TreeFailed

ACCESSIBLE: Final = "org.a11y.atspi.Accessible"
COMPONENT: Final = "org.a11y.atspi.Component"
PROPERTIES: Final = "org.freedesktop.DBus.Properties"
REGISTRY: Final = "org.a11y.atspi.Registry"
ROOT: Final = "/org/a11y/atspi/accessible/root"
NOTHING: Final = "/org/a11y/atspi/null"
DAEMON: Final = "org.freedesktop.DBus"

# So many keep an application busy all the time.
IN_FLIGHT: Final = 64
# Of all readings of one connection together: dbus-fast breaks down on a full socket, and 167 messages of 250 to 600 bytes fill
# one on Linux.
MOST_IN_FLIGHT: Final = 128
# An application that has answered nothing for so long hangs or is stopped. GTK's slowest single answer that was measured, the
# 1,850 nodes of LibreOffice Calc at once, takes 90 ms on an idle machine.
SILENCE_S: Final = 0.7
# How often the answers that came are counted, to notice silence.
_LISTEN_S: Final = 0.05


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

    `processes` are those of applications, by their names on the bus: one that works is not given up when it is slow. `hung` are
    the names of applications that fell silent, `gone` of those that left the bus: they are asked nothing more.
    """

    def __init__(self, bus: MessageBus, gate: asyncio.Semaphore, deadline: Deadline, silence_s: float) -> None:
        self._bus = bus
        self._gate = gate  # of MOST_IN_FLIGHT
        self._deadline = deadline
        self._silence_s = silence_s
        self.processes: dict[str, int] = {}
        self.hung: set[str] = set()
        self.gone: set[str] = set()
        self.cut_short = False

    @property
    def left(self) -> float:
        """Seconds until the deadline."""
        return self._deadline.left

    async def ask(self, question: Question, *, patience_s: float | None = None) -> Any:
        """The answer; None when it is an error or of another type. Raises Silence and DeviceLost as `check` does."""
        (answer,) = await self.ask_all([question], patience_s=patience_s)
        self.check(question.of)
        return answer

    def check(self, of: Ref) -> None:
        """Raise Silence when that application fell silent, or time is up, DeviceLost when it has ended."""
        if of.bus in self.gone:
            raise DeviceLost("the application has ended")
        if of.bus in self.hung:
            raise Silence("the application does not answer: it hangs, or is stopped")
        if self.cut_short:
            raise Silence("the application does not answer in time: it is busy")

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
            await self._listen(askers, heard, self._silence_s if patience_s is None else patience_s, questions)
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

    async def _listen(
        self, askers: Sequence[asyncio.Future[None]], heard: _Counter, patience_s: float, questions: Sequence[Question]
    ) -> None:
        waiting: set[asyncio.Future[None]] = set(askers)
        worked: dict[int, float] = {}
        before, quiet_s = heard.count, 0.0
        while waiting:
            step = min(_LISTEN_S, self.left)
            _, waiting = await asyncio.wait(waiting, timeout=step)
            if not waiting:
                return
            quiet_s = 0.0 if heard.count != before or not heard.asked else quiet_s + step
            before = heard.count
            if self.left <= 0.0:
                self.cut_short = True
                return
            if quiet_s >= patience_s / 2 and not worked:
                worked = self._work_of(questions[number].of.bus for number in heard.asked)
            if quiet_s >= patience_s:
                now = self._work_of(questions[number].of.bus for number in heard.asked)
                if all(now[process] - worked.get(process, 0.0) < patience_s * _BUSY for process in now):
                    return
                quiet_s, worked = 0.0, now

    def _work_of(self, names: Iterable[str]) -> dict[int, float]:
        """How many seconds the processes of applications have worked so far."""
        processes = {self.processes[name] for name in names if name in self.processes}
        return {process: seconds for process in processes if (seconds := seconds_worked(process)) is not None}

    async def _ask_some(
        self, questions: Sequence[Question], numbers: Iterator[int], answers: list[Any], heard: _Counter
    ) -> None:
        for number in numbers:
            question = questions[number]
            if question.of.bus in self.hung or question.of.bus in self.gone:
                continue
            async with self._gate:
                heard.asked.add(number)
                reply = await self._bus.call(message_of(question))
                heard.asked.discard(number)
            heard.count += 1
            answers[number] = answer_of(reply, question.expects)
            if reply.error_name in _GONE and question.of.bus != DAEMON:  # who is asked about others
                self.gone.add(question.of.bus)

    async def command(self, question: Question) -> Any:
        """
        Have something done: the answer, checked. Raises DeviceError with the application's own words when it is an error,
        Silence when none comes.
        """
        try:
            async with asyncio.timeout(min(self.left, self._silence_s * _COMMAND_PATIENCE)):
                reply = await self._bus.call(message_of(question))
        except TimeoutError:
            raise Silence("the application does not answer: it hangs, or is stopped") from None
        if reply.message_type is not MessageType.METHOD_RETURN:
            why = str(reply.body[0] if reply.body else reply.error_name)
            if reply.error_name in _GONE:
                raise DeviceLost(f"the application is gone: {why[:200]!r}")
            raise DeviceError(f"the application refused {question.member}: {why[:200]!r}")
        return answer_of(reply, question.expects)


# An application that works for so large a part of the time in which nothing is heard of it is busy, and will answer. On a
# machine that has more to do than it can, that may be a small part.
_BUSY: Final = 0.05


def seconds_worked(process: int) -> float | None:
    """The processor's time that a process has had; None when the system does not say."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        return (int(fields[_USER_TIME]) + int(fields[_SYSTEM_TIME])) / _TICKS
    except (OSError, ValueError, IndexError):
        return None


# Of what follows the program's name in /proc/PID/stat, in ticks of the clock.
_USER_TIME: Final = 11
_SYSTEM_TIME: Final = 12
_TICKS: Final = os.sysconf("SC_CLK_TCK")


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


def message_of(question: Question) -> Message:
    return Message(
        destination=question.of.bus,
        path=question.of.path,
        interface=question.interface,
        member=question.member,
        signature=question.signature,
        body=list(question.arguments),
    )


def answer_of(reply: Message, expects: str) -> Any:
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
