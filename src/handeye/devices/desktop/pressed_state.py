"""Keys and buttons that Handeye holds down and must release however the program ends."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterable
from types import FrameType
from typing import Literal, NamedTuple, NoReturn


class Input(NamedTuple):
    """A key or a button by the system's code."""

    kind: Literal["key", "button"]
    code: int


class PressedState:
    """
    Inputs that are held down, in the order of pressing. `record` is called before an input goes down and after it went
    up, so that a later program can release what a killed one held.

    While an input is held down, SIGTERM and SIGHUP end the program as sys.exit() does, through every `finally`, unless
    the program has its own handlers or this is not its main thread.
    """

    def __init__(self, record: Callable[[tuple[Input, ...]], None]) -> None:
        self._record = record
        self._down: dict[Input, None] = {}

    @property
    def down(self) -> tuple[Input, ...]:
        return tuple(self._down)

    def add(self, inputs: Iterable[Input]) -> None:
        """Add inputs; call before pressing them."""
        if not self._down:
            _signals.unwind()
        self._down |= dict.fromkeys(inputs)
        self._record(self.down)

    def discard(self, inputs: Iterable[Input]) -> None:
        """Remove inputs; call after releasing them."""
        for one in inputs:
            self._down.pop(one, None)
        self._record(self.down)
        if not self._down:
            _signals.restore()

    def forget(self) -> None:
        """Clear the state without recording it, after everything was released."""
        if self._down:
            self._down.clear()
            _signals.restore()


class _Signals:
    """Handlers for signals that would end the process at once, installed while at least one input is held down."""

    _NAMES = ("SIGTERM", "SIGHUP")  # Windows has no SIGHUP

    def __init__(self) -> None:
        self._holders = 0
        self._lock = threading.Lock()

    def unwind(self) -> None:
        with self._lock:
            self._holders += 1
            if threading.current_thread() is threading.main_thread():
                for number in self._numbers():
                    if signal.getsignal(number) is signal.SIG_DFL:
                        signal.signal(number, _end)

    def restore(self) -> None:
        with self._lock:
            self._holders -= 1
            if not self._holders and threading.current_thread() is threading.main_thread():
                for number in self._numbers():
                    if signal.getsignal(number) is _end:
                        signal.signal(number, signal.SIG_DFL)

    def _numbers(self) -> Iterable[signal.Signals]:
        return [getattr(signal, name) for name in self._NAMES if hasattr(signal, name)]


def _end(number: int, _: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)


_signals = _Signals()
