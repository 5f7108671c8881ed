"""Tests of on_one_core: BLAS uses one core inside the context and the previous number afterwards."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest
from threadpoolctl import ThreadpoolController, threadpool_limits

from handeye.parse import on_one_core


def cores() -> set[int]:
    return {each["num_threads"] for each in ThreadpoolController().info() if each["user_api"] == "blas"}


@pytest.fixture
def two_cores() -> Iterator[None]:
    assert np.ones(2) @ np.ones(2) == 2  # loads the library
    with threadpool_limits(2, user_api="blas"):
        assert cores() == {2}, "no BLAS that can be told how many threads to use"
        yield


@pytest.mark.usefixtures("two_cores")
def test_one_core_limit_is_restored_after_nesting() -> None:
    before = cores()
    with on_one_core():
        assert cores() == {1}
        with on_one_core():
            assert cores() == {1}
        assert cores() == {1}
    assert cores() == before


@pytest.mark.usefixtures("two_cores")
def test_cores_are_restored_after_an_error() -> None:
    before = cores()
    with pytest.raises(ZeroDivisionError), on_one_core():
        raise ZeroDivisionError
    assert cores() == before


def test_concurrent_threads_keep_limit_and_restore_cores() -> None:
    before = cores()
    within: list[set[int]] = []
    around: list[set[int]] = []

    def look() -> None:
        around.append(cores())
        for _ in range(20):
            with on_one_core():
                within.append(cores())
        around.append(cores())

    for each in (threads := [threading.Thread(target=look) for _ in range(4)]):
        each.start()
    for each in threads:
        each.join(30)
    assert within == [{1}] * 80
    assert around[-1] == before
    assert cores() == before
