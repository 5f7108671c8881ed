"""Tests of server faults through locator and session: each gives the documented error and no click."""

from __future__ import annotations

from random import Random

import pytest

from handeye.actions import Action, ActionResult
from handeye.errors import (
    BudgetExceeded,
    HandeyeError,
    InvalidReply,
    LocateError,
    ModelBusy,
    ModelRequestInvalid,
    ModelUnauthorized,
    ModelUnreachable,
    TargetNotFound,
)
from handeye.locate import LocateStrategy, VisualLocator
from handeye.models import Budget, LLMConfig, VisionAgent
from handeye.models.budget import Bounded, Limits
from handeye.models.client.factory import connect
from handeye.models.families.lookup import profile_named
from handeye.models.grounding.vision_agent import Wrappers
from handeye.screen import Screen
from handeye.session import Session
from handeye.target import LocateResult
from handeye.testing.fakes import FakeClock
from handeye.testing.model_scenes import SceneModel, draw_scene
from handeye.testing.model_server import ModelServer, ScriptedReply
from handeye.text import TextLine

KEY = "sk-faults-0123456789"
SCENE = draw_scene(Random(5), (900, 600))
CONTROL = SCENE.controls[0]
CLAUDE = profile_named("claude")
WIRES = ("openai", "anthropic")


def told(text: str) -> ScriptedReply:
    return ScriptedReply(text)


FAULTS: dict[str, tuple[ScriptedReply, type[HandeyeError] | None]] = {
    "rate limit": (ScriptedReply("slow down", status=429, headers={"Retry-After": "3"}), ModelBusy),
    "rate limit by date": (
        ScriptedReply("slow", status=429, headers={"Retry-After": "Thu, 01 Jan 1970 00:17:00 GMT"}),
        ModelBusy,
    ),
    "server error": (ScriptedReply("oops", status=500), ModelBusy),
    "overloaded": (ScriptedReply("overloaded", status=529), ModelBusy),
    "too slow": (ScriptedReply("late", delay=30.0), ModelUnreachable),
    "drips": (ScriptedReply("drop by drop", drip=0.05), ModelUnreachable),
    "cut before": (ScriptedReply(cut="before"), ModelUnreachable),
    "cut in the middle": (ScriptedReply("a long answer " * 40, cut="body"), ModelUnreachable),
    "wrong key": (ScriptedReply(f"the key {KEY} is wrong", status=401), ModelUnauthorized),
    "no such model": (ScriptedReply("no such model", status=404), ModelRequestInvalid),
    "sent elsewhere": (
        ScriptedReply("", status=302, headers={"Location": "http://127.0.0.1:9/"}, body=b""),
        ModelRequestInvalid,
    ),
    "a web page": (ScriptedReply(body=b"<html>welcome</html>", content_type="text/html"), InvalidReply),
    "a stream that nobody asked for": (
        ScriptedReply(body=b'data: {"choices": []}\n\ndata: [DONE]\n\n', content_type="text/event-stream"),
        InvalidReply,
    ),
    "nothing": (told(""), InvalidReply),
    "prose without a place": (told("The button is a nice shade of green."), InvalidReply),
    "three numbers": (told("[10, 20, 30]"), InvalidReply),
    "cut off": (ScriptedReply('{"found": true, "xmin": 10, "ymin"', ending="length"), InvalidReply),
    "max_tokens": (ScriptedReply('{"found": true, "xmin": 10, "ymin"', ending="max_tokens"), InvalidReply),
    "refused": (ScriptedReply("I will not.", ending="content_filter"), InvalidReply),
    "refusal": (ScriptedReply("I will not.", ending="refusal"), InvalidReply),
    "another tool": (told('{"name": "bash", "arguments": {"command": "rm -rf /"}}'), InvalidReply),
    "types instead": (told("type(content='hello')"), InvalidReply),
    "NaN": (told('{"found": true, "xmin": NaN, "ymin": 1, "xmax": 2, "ymax": 3}'), InvalidReply),
    "beyond the picture": (told('{"found": true, "xmin": 5000, "ymin": 10, "xmax": 5100, "ymax": 60}'), InvalidReply),
    "the whole picture": (told('{"found": true, "xmin": 0, "ymin": 0, "xmax": 900, "ymax": 600}'), None),
    "not there": (told('{"found": false, "reason": "no"}'), None),
}
NEVER_ENDING = ("too slow", "drips")
# Whose words each wire knows: the other wire's are no ending at all.
ONE_WIRE = {"cut off": "openai", "max_tokens": "anthropic", "refused": "openai", "refusal": "anthropic"}


def config(server: ModelServer, wire: str, **settings: object) -> LLMConfig:
    address = server.base_url if wire == "openai" else server.anthropic_url
    return LLMConfig.custom(KEY, address, "claude-test", api=wire, **settings)


def located(
    server: ModelServer, wire: str, clock: FakeClock, budget: Budget | None = None, timeout: float = 60.0
) -> LocateResult:
    model = Bounded(connect(config(server, wire, timeout=timeout), clock), budget or Budget())
    agent = VisionAgent(model, CLAUDE)
    locator = VisualLocator(vision=agent, reader=None, order=LocateStrategy.AI_ONLY)
    return locator.locate(CONTROL.label, SCENE.screen)


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("fault", FAULTS)
def test_fault_gives_documented_error_and_no_element(fault: str, wire: str) -> None:
    if ONE_WIRE.get(fault, wire) != wire:
        fault = {"cut off": "max_tokens", "max_tokens": "cut off", "refused": "refusal", "refusal": "refused"}[fault]
    reply, expected = FAULTS[fault]
    with ModelServer(reply) as server:
        result = located(server, wire, FakeClock(), timeout=0.4 if fault in NEVER_ENDING else 60.0)
    assert not result.success
    assert result.element is None
    attempt = result.attempts[-1]
    assert attempt.strategy == "visual"
    if expected is None:
        assert attempt.outcome == "absent"
    else:
        assert type(attempt.error) is expected, attempt
        assert attempt.outcome == "failed"
    assert KEY not in f"{result} {attempt.error!r}"


@pytest.mark.parametrize("wire", WIRES)
def test_temporary_fault_is_retried(wire: str) -> None:
    replies = iter([ScriptedReply("wait", status=429, headers={"Retry-After": "7"}), ScriptedReply(status=500)])
    clock = FakeClock()
    began = clock.now()
    with ModelServer(SceneModel([SCENE], CLAUDE, before=lambda asked: next(replies, None))) as server:
        result = located(server, wire, clock)
    assert result.element is not None
    assert result.element.bbox == CONTROL.box
    assert 7 < clock.now() - began < 9


class Pictured:
    """A device that shows the scene and remembers what was done to it."""

    uri = "fake:scene"

    def __init__(self, *screens: Screen) -> None:
        """Shows `screens` one after the other, and the last one from then on."""
        self.done: list[Action] = []
        self._screens = list(screens) or [SCENE.screen]

    def screenshot(self) -> Screen:
        return self._screens.pop(0) if len(self._screens) > 1 else self._screens[0]

    def perform(self, action: Action) -> ActionResult:
        self.done.append(action)
        return ActionResult()

    def close(self) -> None: ...


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (told("click(start_box='(10,10)') and then type(content='x')"), InvalidReply),
        (ScriptedReply("no", status=401), ModelUnauthorized),
        (ScriptedReply("I cannot", ending="content_filter"), InvalidReply),
        (told('{"found": false}'), TargetNotFound),
    ],
)
def test_session_does_not_tap_on_invalid_answer(reply: ScriptedReply, expected: type[HandeyeError]) -> None:
    device = Pictured()
    with ModelServer(reply) as server, pytest.raises(expected):
        Session(device, model=config(server, "openai")).tap(CONTROL.label)
    assert device.done == []


def test_session_taps_the_place_from_the_model() -> None:
    device = Pictured()
    with (
        ModelServer(SceneModel([SCENE], CLAUDE), key=KEY) as server,
        Session(device, model=config(server, "anthropic")) as session,
    ):
        found = session.tap(CONTROL.label)
    assert found.element is not None
    assert found.element.bbox == CONTROL.box
    assert found.method_used == "visual"
    assert found.usage is not None
    assert found.usage.calls == len(server.questions)
    assert len(device.done) == 1


def test_session_does_not_tap_a_changed_screen() -> None:
    moved = draw_scene(Random(6), (900, 600)).screen
    device = Pictured(SCENE.screen, moved)
    with ModelServer(SceneModel([SCENE], CLAUDE)) as server, pytest.raises(LocateError, match="changed"):
        Session(device, model=config(server, "openai")).tap(CONTROL.label)
    assert device.done == []


def test_exhausted_budget_is_reported() -> None:
    budget = Budget(Limits(calls=1))
    with ModelServer(SceneModel([SCENE], CLAUDE)) as server:
        located(server, "openai", FakeClock(), budget)
        result = located(server, "openai", FakeClock(), budget)
        assert len(server.questions) == 1
    assert isinstance(result.attempts[-1].error, BudgetExceeded)
    assert not result.success


def test_every_search_of_session_has_own_budget() -> None:
    with ModelServer(SceneModel([SCENE], CLAUDE)) as server:
        session = Session(Pictured(), model=config(server, "openai", limits=Limits(calls=4)))
        for control in SCENE.controls:
            assert session.locate(control.label).success
    assert len(server.questions) >= len(SCENE.controls) > 4


def test_repeated_search_on_same_frame_is_cached() -> None:
    with ModelServer(SceneModel([SCENE], CLAUDE)) as server:
        session = Session(Pictured(), model=config(server, "openai"))
        first, second = session.locate(CONTROL.label), session.locate(CONTROL.label)
    assert first.element == second.element
    assert second.usage is None
    assert first.usage is not None


class Unlettered:
    """A reader that sees no text."""

    name = "unlettered"

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        return ()


@pytest.mark.parametrize("order", [LocateStrategy.AI_FIRST, LocateStrategy.TREE_FIRST, LocateStrategy.OPENCV_FIRST])
def test_strategy_order_uses_the_model_last(order: LocateStrategy) -> None:
    with ModelServer(SceneModel([SCENE], CLAUDE)) as server:
        agent = VisionAgent.from_config(config(server, "openai"))
        locator = VisualLocator(vision=agent, reader=Unlettered(), order=order)
        result = locator.locate(CONTROL.label, SCENE.screen)
        tried = [attempt.strategy for attempt in result.attempts]
    assert result.element is not None
    assert result.element.bbox == CONTROL.box
    assert tried.index("visual") == len(tried) - 1
    assert ("ocr" in tried) == (order is not LocateStrategy.AI_FIRST)


@pytest.mark.parametrize("size", [(2560, 1440), (1080, 2400)])
def test_wrappers_keep_the_place_exact(size: tuple[int, int]) -> None:
    """With zoom, verification and voting the model sees parts of the frame, and the place stays the same."""
    scene = draw_scene(Random(11), size)
    wrappers = Wrappers(tiles="off", zoom="on", marks="off", vote="on", strong="off", snap="off", verify="on")
    with ModelServer(SceneModel([scene], CLAUDE)) as server:
        agent = VisionAgent.from_config(config(server, "openai"), wrappers=wrappers)
        for control in scene.controls[:3]:
            found = agent.locate(control.label, scene.screen)
            assert found.element is not None, found
            assert found.element.bbox.iou(control.box) > 0.9
            assert control.box.contains(found.element.center)
        sizes = {asked.pictures[-1].data[16:24] for asked in server.questions}
    assert len(sizes) > 2
