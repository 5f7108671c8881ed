"""A thread for COM, and time limits for what is done on it."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Final, TypeVar, cast

from handeye.errors import TreeFailed
from handeye.perceive.uia.api import Unanswered

T = TypeVar("T")

MOST_LOST: Final = 8
"""Threads that wait in an application at the same time: so many hanging programs, or open dialogs, are hardly an accident."""

_Work = queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None]


class Apartment:
    """
    A background thread on which `enter` has been called, and on which all work is done, one piece after the other.

    A call into an application that hangs cannot be broken off. Where one takes longer than its limit, the thread is left to
    itself and a new one takes its place; it ends when the application answers. No more than MOST_LOST wait so at a time.
    """

    def __init__(self, enter: Callable[[], None]) -> None:
        self._enter = enter
        self._lock = threading.Lock()
        self._work: _Work | None = None
        self._lost: set[_Work] = set()

    @property
    def lost(self) -> int:
        """How many threads wait in applications that have not answered in time."""
        with self._lock:
            return len(self._lost)

    def run(self, work: Callable[[], T], seconds: float) -> T:
        """
        What `work` returns or raises. Raises Unanswered when it takes longer, TreeFailed when MOST_LOST threads are lost.
        """
        result: Future[Any] = Future()
        with self._lock:
            if self._work is None:
                if len(self._lost) >= MOST_LOST:
                    raise TreeFailed(
                        f"{MOST_LOST} calls still wait in applications that do not answer: close their dialogs, or end them"
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
                raise Unanswered(f"the application did not answer within {seconds:g} s: it hangs, or is busy") from None
            raise

    def close(self) -> None:
        """End the thread when it has done what it was given. The next work gets a new one."""
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
        except BaseException as error:  # noqa: BLE001  # told to whoever asks, on their own thread
            entered = error
        while (task := given.get()) is not None:
            work, result = task
            if not result.set_running_or_notify_cancel():
                continue
            try:
                if entered is not None:
                    raise entered
                result.set_result(work())
            except BaseException as error:  # noqa: BLE001  # likewise
                result.set_exception(error)
