"""Tests of the COM thread: calls run on one thread, in order, with timeouts."""

from __future__ import annotations

import threading

import pytest

from handeye.errors import MissingPart, TreeFailed
from handeye.perceive.uia.apartment import MAX_BLOCKED_THREADS, Apartment
from handeye.perceive.uia.api import CallTimedOut


def test_all_calls_run_on_one_initialized_thread() -> None:
    entered: list[int] = []
    apartment = Apartment(lambda: entered.append(threading.get_ident()))
    threads = {apartment.run(threading.get_ident, 5.0) for _ in range(5)}
    apartment.close()
    assert threads == set(entered)
    assert threads != {threading.get_ident()}


def test_errors_are_raised_to_the_caller() -> None:
    apartment = Apartment(lambda: None)
    with pytest.raises(ZeroDivisionError):
        apartment.run(lambda: 1 // 0, 5.0)
    assert apartment.run(lambda: 7, 5.0) == 7
    apartment.close()


def test_hanging_call_ends_after_its_timeout() -> None:
    apartment, let_go = Apartment(lambda: None), threading.Event()
    with pytest.raises(TreeFailed, match=r"within 0\.05 s"):
        apartment.run(let_go.wait, 0.05)
    assert apartment.run(lambda: "answers", 60) == "answers"  # while the other still hangs
    let_go.set()
    apartment.close()


def test_number_of_hanging_calls_is_limited() -> None:
    apartment, let_go = Apartment(lambda: None), threading.Event()

    def hang() -> None:
        threads.append(threading.current_thread())
        let_go.wait()

    threads: list[threading.Thread] = []
    for number in range(MAX_BLOCKED_THREADS):
        assert apartment.lost == number
        with pytest.raises(CallTimedOut):
            apartment.run(hang, 0.02)
    with pytest.raises(TreeFailed, match="8 calls still wait in applications"):
        apartment.run(lambda: "not reached", 5.0)
    let_go.set()
    for thread in threads:
        thread.join(60)
    assert apartment.lost == 0
    assert apartment.run(lambda: "answers", 60) == "answers"
    apartment.close()


def test_apartment_start_error_is_raised_for_every_call() -> None:
    def enter() -> None:
        raise MissingPart("comtypes", "pip install 'handeye[windows]'")

    apartment = Apartment(enter)
    for _ in range(2):
        with pytest.raises(MissingPart, match="comtypes"):
            apartment.run(lambda: 1, 5.0)
    apartment.close()
