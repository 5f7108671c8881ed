"""
Concurrent questions to applications.

An application answers one question after the other; a reading is fast only if the application never waits for the next one.
Answers are checked by their D-Bus signature: an application is untrusted.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Sequence, Set
from pathlib import Path
from typing import Any, Final

from dbus_fast import MessageType
from dbus_fast.aio import MessageBus
from dbus_fast.errors import InvalidMessageError

from handeye.clock import Deadline
from handeye.errors import DeviceError, DeviceLost, TreeFailed
from handeye.perceive.atspi.protocol import APPLICATION, ROOT, Question, Ref, answer_of, message_of
from handeye.perceive.atspi.wire import GONE, Batch, Wire, Wires

# An application silent for this long hangs or is stopped. GTK's slowest single answer that was measured, the 1,850 nodes
# of LibreOffice Calc at once, takes 90 ms on an idle machine.
SILENCE_S: Final = 0.7
# Polling interval of the answer count, to notice silence.
_LISTEN_S: Final = 0.05
_ENDED: Final = (OSError, EOFError, InvalidMessageError)


class ApplicationTimeout(TreeFailed):
    """An application did not answer in time."""


class Caller:
    """
    Sends questions within one deadline. Used on the bus's own thread only.

    `processes` maps bus names of applications to process ids: a slow application that uses CPU time is not abandoned.
    `hung` has the names of applications that stopped answering, `gone` of those that left the bus: both are asked nothing
    more.
    """

    def __init__(self, bus: MessageBus, wires: Wires, deadline: Deadline, silence_s: float) -> None:
        self._bus = bus
        self._wires = wires
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

    async def ask(self, question: Question) -> Any:
        """
        Return the answer, or None if it is an error or of another type. Raises ApplicationTimeout and DeviceLost as `check`
        does.
        """
        (answer,) = await self.ask_all([question])
        self.check(question.of)
        return answer

    def check(self, of: Ref) -> None:
        """
        Raise ApplicationTimeout if the application stopped answering or the deadline has passed, DeviceLost if it has ended.
        """
        if of.bus in self.gone:
            raise DeviceLost("the application has ended")
        if of.bus in self.hung:
            raise ApplicationTimeout("the application does not answer: it hangs, or is stopped")
        if self.cut_short:
            raise ApplicationTimeout("the application does not answer in time: it is busy")

    async def ask_all(self, questions: Sequence[Question], *, silence_s: float | None = None) -> list[Any]:
        """
        Return the answers in the order of the questions, None for those that are errors, of another type, or did not come.

        If no answer comes for `silence_s`, by default that of this object, the rest is abandoned: the application hangs. If
        the connection breaks, raises an error that `AccessibilityBus.run` converts to TreeFailed.
        """
        if not questions or self.cut_short:
            return [None] * len(questions)
        batch = Batch(questions, frozenset(self.hung | self.gone))
        wire = self._wires.to(questions)
        patience_s = self._silence_s if silence_s is None else silence_s
        try:
            await self._put(batch, wire, patience_s)
        except _ENDED:
            if wire is self._wires.bus:
                raise
            batch.put_back()  # the bus knows whether the application has ended with its socket
            await self._put(batch, self._wires.bus, patience_s)
        self.hung |= {questions[number].of.bus for number in batch.waiting}
        if batch.waiting and not self.cut_short and wire is not self._wires.bus:
            wire.close()  # it may answer on the bus
        self.gone |= batch.gone
        return batch.answers

    async def ask_for_much(self, question: Question) -> Any:
        """Ask as `ask` does, for an answer of thousands of parts: the application may take all the remaining time."""
        (answer,) = await self.ask_all([question], silence_s=self.left)
        self.check(question.of)
        return answer

    async def _put(self, batch: Batch, wire: Wire, patience_s: float) -> None:
        wire.put(batch)
        try:
            await self._listen(batch, patience_s)
        finally:
            wire.forget(batch)

    async def _listen(self, batch: Batch, patience_s: float) -> None:
        """Wait until all is answered, time is up, or the application hangs. Raises the error that ended the connection."""
        worked: dict[int, float] = {}
        before, quiet_s = batch.heard, 0.0
        while True:
            step = min(_LISTEN_S, self.left)
            await asyncio.wait((batch.done,), timeout=step)
            if batch.done.done():
                return batch.done.result()
            quiet_s = 0.0 if batch.heard != before else quiet_s + step
            before = batch.heard
            if self.left <= 0.0:
                self.cut_short = True
                return None
            if quiet_s >= patience_s / 2 and not worked:
                worked = self._cpu_seconds(batch)
            if quiet_s >= patience_s:
                now = self._cpu_seconds(batch)
                if all(now[process] - worked.get(process, 0.0) < patience_s * _BUSY for process in now):
                    return None
                quiet_s, worked = 0.0, now

    def are_there(self, names: Set[str]) -> None:
        """Close the sockets to applications that are not among `names`, the ones now on the bus."""
        self._wires.keep(names)

    async def reach(self, name: str) -> None:
        """Use the application's own socket from now on, if it has one. Raises as `ask` does."""
        if self._wires.is_known(name):
            return
        address = await self.ask(Question(Ref(name, ROOT), APPLICATION, "GetApplicationBusAddress", "s"))
        if self._wires.is_known(name):  # another reading was faster
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(min(max(self.left, 0.0), SILENCE_S)):
                await self._wires.reach(name, address, self.processes.get(name))

    def _cpu_seconds(self, batch: Batch) -> dict[int, float]:
        """Return the CPU seconds used so far by each application that has unanswered questions, by process id."""
        names = {batch.questions[number].of.bus for number in batch.waiting}
        processes = {self.processes[name] for name in names if name in self.processes}
        return {process: seconds for process in processes if (seconds := seconds_worked(process)) is not None}

    async def command(self, question: Question) -> Any:
        """
        Perform an action and return its checked answer. Raises DeviceError with the application's own message if it is an
        error, ApplicationTimeout if none comes.
        """
        try:
            async with asyncio.timeout(min(self.left, self._silence_s * _COMMAND_PATIENCE)):
                reply = await self._bus.call(message_of(question))
        except TimeoutError:
            raise ApplicationTimeout("the application does not answer: it hangs, or is stopped") from None
        if reply.message_type is not MessageType.METHOD_RETURN:
            why = str(reply.body[0] if reply.body else reply.error_name)
            if reply.error_name in GONE:
                raise DeviceLost(f"the application is gone: {why[:200]!r}")
            raise DeviceError(f"the application refused {question.member}: {why[:200]!r}")
        return answer_of(reply, question.expects)


# A silent application that uses at least this share of CPU time is busy, and will answer. On an overloaded machine that
# share is small.
_BUSY: Final = 0.05


def seconds_worked(process: int) -> float | None:
    """Return the CPU time of a process in seconds, or None if the system does not report it."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        return (int(fields[_USER_TIME]) + int(fields[_SYSTEM_TIME])) / _TICKS
    except (OSError, ValueError, IndexError):
        return None


# Indices of the fields after the program's name in /proc/PID/stat, in clock ticks.
_USER_TIME: Final = 11
_SYSTEM_TIME: Final = 12
_TICKS: Final = os.sysconf("SC_CLK_TCK")


# A command may open a window before it answers: its timeout is this many times that of a question.
_COMMAND_PATIENCE: Final = 4
