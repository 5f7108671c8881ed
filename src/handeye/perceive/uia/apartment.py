"""A COM thread, with time limits for the calls made on it."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Final, TypeVar, cast

from handeye.errors import TreeFailed
from handeye.perceive.uia.api import CallTimedOut

T = TypeVar("T")

MAX_BLOCKED_THREADS: Final = 8
"""
Most threads that may be blocked in applications at once: more hanging programs or open dialogs are hardly an accident.
"""

_Work = queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None]


class Apartment:
    """
    A background thread that has called `enter` and runs all work sequentially.

    A call into an application that hangs cannot be cancelled. If one exceeds its limit, its thread is abandoned and
    replaced by a new one; it ends when the application answers. At most MAX_BLOCKED_THREADS threads may be abandoned at a time.
    """

    def __init__(self, enter: Callable[[], None]) -> None:
        self._enter = enter
        self._lock = threading.Lock()
        self._work: _Work | None = None
        self._lost: set[_Work] = set()

    @property
    def lost(self) -> int:
        """Number of abandoned threads that are still blocked in an application."""
        with self._lock:
            return len(self._lost)

    def run(self, work: Callable[[], T], seconds: float) -> T:
        """
        Return or raise what `work` does. Raises CallTimedOut if it takes longer than `seconds`, TreeFailed if
        MAX_BLOCKED_THREADS threads are already abandoned.
        """
        result: Future[Any] = Future()
        with self._lock:
            if self._work is None:
                if len(self._lost) >= MAX_BLOCKED_THREADS:
                    raise TreeFailed(
                        f"{MAX_BLOCKED_THREADS} calls still wait in applications that do not answer: "
                        "close their dialogs, or end them"
                    )
                self._work = queue.SimpleQueue()
                threading.Thread(target=self._serve, args=(self._work,), name="uia", daemon=True).start()
            given = self._work
            given.put((work, result))
        try:
            return cast(T, result.result(timeout=seconds))
        except TimeoutError:
            if result.cancel() or not result.done():
                with self._lock:
                    if self._work is given:
                        given.put(None)
                        self._work = None
                        self._lost.add(given)
                raise CallTimedOut(
                    f"the application did not answer within {seconds:g} s: it hangs, or is busy"
                ) from None
            raise

    def close(self) -> None:
        """End the thread after its queued work. The next call starts a new one."""
        with self._lock:
            given, self._work = self._work, None
        if given is not None:
            given.put(None)

    def _serve(self, given: _Work) -> None:
        try:
            self._serve_all(given)
        finally:
            with self._lock:
                self._lost.discard(given)

    def _serve_all(self, given: _Work) -> None:
        entered: BaseException | None = None
        try:
            self._enter()
        except BaseException as error:  # noqa: BLE001  # re-raised in the caller's thread
            entered = error
        while (task := given.get()) is not None:
            work, result = task
            if not result.set_running_or_notify_cancel():
                continue
            try:
                if entered is not None:
                    raise entered
                result.set_result(work())
            except BaseException as error:  # noqa: BLE001  # re-raised in the caller's thread too
                result.set_exception(error)
