"""Tests of forked processes: they share no connection, request slot or lock with the parent."""

from __future__ import annotations

import os
import select
import signal
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest
from PIL import Image
from served import KEY, serving

from handeye.errors import HandeyeError
from handeye.models import Budget, LLMConfig, Prompt
from handeye.models.budget import Bounded, Limits
from handeye.models.configured import ConfiguredVision
from handeye.screen import Screen
from handeye.target import Target
from handeye.testing.model_server import ModelRequest, ModelServer, ScriptedReply

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no forks")

# The longest that anything here may wait, in seconds: a failure, not a pause.
LONG = 5.0


@contextmanager
def forked(work: Callable[[], object]) -> Iterator[Callable[[], str]]:
    """A forked process that does `work`; the call waits for what came of it, as text."""
    reads, writes = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", DeprecationWarning
        )  # the threads of the server make forks doubtful; that is the point
        child = os.fork()
    if child == 0:
        said = "nothing"
        try:
            said = str(work())
        except HandeyeError as error:
            said = f"{type(error).__name__}: {error}"
        finally:
            os.write(writes, said.encode())
            os._exit(0)
    os.close(writes)

    def result() -> str:
        ready, _, _ = select.select([reads], [], [], LONG)
        return os.read(reads, 4096).decode() if ready else "nothing came"

    try:
        yield result
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(reads)


@pytest.mark.parametrize("wire", ["openai", "anthropic"])
def test_forked_child_uses_its_own_connection(wire: str) -> None:
    both = threading.Barrier(2)

    def script(asked: ModelRequest) -> ScriptedReply:
        if asked.text != "warm":
            with suppress(threading.BrokenBarrierError):
                both.wait(LONG)  # over one connection the second question is not read before the first is answered
        return ScriptedReply(f"you asked {asked.text}")

    with serving(script, wire, timeout=LONG) as (model, server):
        model.ask(Prompt(("warm",)))
        with forked(lambda: model.ask(Prompt(("child",))).text) as child:
            assert model.ask(Prompt(("parent",))).text == "you asked parent"
            assert child() == "you asked child"
    assert server.most_at_once == 2


def test_forked_child_does_not_wait_for_parent_request() -> None:
    came, over = threading.Event(), threading.Event()

    def script(asked: ModelRequest) -> ScriptedReply:
        if asked.text == "slow":
            came.set()
            over.wait(LONG)
        return ScriptedReply("there")

    with serving(script, "openai", concurrency=1, timeout=LONG) as (model, _):
        budget = Budget(Limits(calls=2))
        bounded = Bounded(model, budget)
        asking = threading.Thread(target=bounded.ask, args=(Prompt(("slow",)),))
        asking.start()
        assert came.wait(LONG)
        with forked(lambda: (bounded.ask(Prompt(("quick",))).text, bounded.ask(Prompt(("quick",))).text)) as child:
            said = child()
            over.set()
        asking.join()
    assert said == "('there', 'there')", "the parent's call is not on the child's account either"
    assert budget.spent.calls == 1


def test_forked_child_restarts_search_of_parent() -> None:
    came, over = threading.Event(), threading.Event()

    def script(asked: ModelRequest) -> ScriptedReply:
        if not came.is_set():
            came.set()
            over.wait(LONG)
        return ScriptedReply('{"found": false, "reason": "there is none"}')

    with ModelServer(script) as server:
        vision = ConfiguredVision(LLMConfig.custom(KEY, server.base_url, "m", profile="generic", timeout=LONG))
        screen, target = Screen.from_image(Image.new("RGB", (64, 64))), Target(text="Send")
        asking = threading.Thread(target=vision.find, args=(target, screen))
        asking.start()
        assert came.wait(LONG)
        with forked(lambda: vision.find(target, screen)) as child:
            said = child()
            over.set()
        asking.join()
    assert said == "None"
    assert len(server.questions) == 2
