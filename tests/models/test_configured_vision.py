"""Tests of `ConfiguredVision` shared by threads: one budget per search, identical searches share a request."""

from __future__ import annotations

import sys
import threading
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
import pytest

from handeye.elements import UIElement
from handeye.errors import BudgetExceeded, ModelError, ModelRequestInvalid
from handeye.models import LLMConfig, configured_vision
from handeye.models.budget import Limits
from handeye.models.configured import ConfiguredVision
from handeye.screen import Screen
from handeye.target import Target
from handeye.testing.model_server import ModelRequest, ModelServer, ScriptedReply
from handeye.text import TextLine

GLM = "<|begin_of_box|>[[100,500,200,700]]<|end_of_box|>"


def screen(shade: int) -> Screen:
    return Screen(np.full((500, 1000, 3), shade, np.uint8))


def vision(server: ModelServer, calls: int, *, per_search: bool = True) -> ConfiguredVision:
    config = LLMConfig.custom("", server.base_url, "glm-4.5v", limits=Limits(calls=calls), concurrency=8)
    made = configured_vision(config, per_search=per_search)
    assert made is not None
    return made


def ended(eyes: ConfiguredVision, shade: int) -> str:
    try:
        eyes.find(Target("Send"), screen(shade))
    except BudgetExceeded:
        return "spent"
    return "found"


def test_concurrent_searches_have_separate_budgets() -> None:
    together = threading.Barrier(2, timeout=60)

    def answer(asked: ModelRequest) -> ScriptedReply:
        together.wait()
        return ScriptedReply(GLM)

    # Each search alone needs more than one call; were the account shared, the second would stop at its first.
    with ModelServer(answer) as server:
        eyes = vision(server, 1)
        with ThreadPoolExecutor(2) as pool:
            ends = list(pool.map(ended, (eyes, eyes), (10, 20)))
    assert len(server.questions) == 2, "each search may ask once, and does"
    assert len(set(ends)) == 1
    assert eyes.usage.calls == 2


def test_sequential_searches_have_separate_budgets() -> None:
    with ModelServer(ScriptedReply(GLM)) as server:
        eyes = vision(server, 8)
        before = 0
        for shade in range(3):
            assert eyes.find(Target("Send"), screen(shade * 9)) is not None
            assert before < eyes.usage.calls == len(server.questions)
            before = eyes.usage.calls


def test_lifetime_budget_covers_all_searches() -> None:
    with ModelServer(ScriptedReply(GLM)) as server:
        eyes = vision(server, 2, per_search=False)
        ends = [ended(eyes, shade) for shade in (10, 20, 30)]
        assert len(server.questions) == 2
        assert ends[-1] == "spent"


def test_concurrent_identical_searches_share_one_request() -> None:
    asked_once = threading.Event()

    def answer(asked: ModelRequest) -> ScriptedReply:
        asked_once.wait(60)
        return ScriptedReply(GLM)

    def look(_n: int) -> object:
        if _n == 5:
            asked_once.set()
        return eyes.find(Target("Send"), screen(10))

    with ModelServer(ScriptedReply(GLM)) as alone:
        single = vision(alone, 8)
        expected = single.find(Target("Send"), screen(10))
        calls = len(alone.questions)
    with ModelServer(answer) as server:
        eyes = vision(server, 8)
        with ThreadPoolExecutor(6) as pool:
            found = list(pool.map(look, range(6)))
        assert len(server.questions) == calls
    first = found[0]
    assert all(each == first for each in found)
    assert isinstance(first, UIElement) == isinstance(expected, UIElement)


def test_failed_search_is_retried_on_next_call() -> None:
    replies = [ScriptedReply("no", status=400), ScriptedReply(GLM)]
    with ModelServer(replies) as server:
        eyes = vision(server, 8)
        with pytest.raises(ModelRequestInvalid):
            eyes.find(Target("Send"), screen(10))
        assert eyes.find(Target("Send"), screen(10)) is not None


class Interrupted:
    """A reader during whose first look a person presses Ctrl-C, as soon as another thread waits for its outcome."""

    name = "interrupted"

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.waiter: threading.Thread | None = None

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        if self.begun.is_set():
            return ()
        self.begun.set()
        while self.waiter is None or not waits_for_a_future(self.waiter):
            threading.Event().wait(0.001)
        raise KeyboardInterrupt


def waits_for_a_future(thread: threading.Thread) -> bool:
    frame = sys._current_frames().get(thread.ident or 0)
    while frame is not None and frame.f_code is not Future.result.__code__:
        frame = frame.f_back
    return frame is not None


def test_interrupted_search_raises_model_error_for_waiting_threads() -> None:
    reader, failed = Interrupted(), []
    with ModelServer(ScriptedReply(GLM)) as server:
        config = LLMConfig.custom("", server.base_url, "glm-4.5v")
        eyes = configured_vision(config, reader=reader)
        assert eyes is not None

        def second() -> None:
            reader.begun.wait(60)
            try:
                eyes.find(Target("Send"), screen(10))
            except BaseException as error:  # noqa: BLE001 - which one is the question
                failed.append(error)

        reader.waiter = threading.Thread(target=second)
        reader.waiter.start()
        with pytest.raises(KeyboardInterrupt):
            eyes.find(Target("Send"), screen(10))
        reader.waiter.join(60)
        assert [type(error) for error in failed] == [ModelError]
        assert "interrupted" in str(failed[0])
        assert not server.questions
        assert eyes.find(Target("Send"), screen(10)) is not None, "the next one begins anew"
