"""Tests that unreadable answers are charged to the budget with their tokens and cost."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image
from served import QUESTION, both_wires, config_for, fails, serving

from handeye.errors import BudgetExceeded, InvalidReply, ModelBusy, ModelError
from handeye.models import Budget, ChatModel, Question, VisionAgent, open_model
from handeye.models.budget import Limits
from handeye.models.config.prices import Price
from handeye.models.families.lookup import profile_named
from handeye.models.grounding.escalation import ask_fallback_model
from handeye.models.grounding.grounder import Grounder
from handeye.models.grounding.model_grounder import ModelGrounder
from handeye.models.grounding.verification import verify
from handeye.models.grounding.vote import vote
from handeye.models.grounding.zoom import zoom
from handeye.screen import Screen
from handeye.testing.fakes import FakeClock
from handeye.testing.model_server import ModelServer, ScriptedReply
from handeye.testing.models import ScriptedModel
from handeye.usage import Usage

SCREEN = Screen(np.full((1080, 1920, 3), 200, np.uint8))
HUGE = {"prompt_tokens": 900_000, "completion_tokens": 90_000, "input_tokens": 900_000, "output_tokens": 90_000}
UNREADABLE = {
    "no answer": ScriptedReply(body={"choices": [], "usage": HUGE}),
    "another shape": ScriptedReply(body={"choices": [{"message": "hi"}], "usage": HUGE}),
}
PLACE = '{"found": true, "xmin": 100, "ymin": 200, "xmax": 300, "ymax": 400, "confidence": 0.9}'


@both_wires
@pytest.mark.parametrize("name", UNREADABLE)
def test_unreadable_success_is_charged_as_reported(wire: str, name: str) -> None:
    with ModelServer(UNREADABLE[name]) as server:
        config = config_for(server, wire, limits=Limits(cost=0.01, tokens=1000), price=Price(10, 10))
        budget = Budget(config.limits)
        model = open_model(config, budget=budget)
        fails(model, InvalidReply)
        with pytest.raises(BudgetExceeded, match="1,000 tokens"):
            model.ask(QUESTION)
    spent = budget.spent
    assert (spent.calls, spent.tokens_in, spent.tokens_out, spent.estimated) == (1, 900_000, 90_000, 0)
    assert spent.cost == pytest.approx(9.9)
    assert len(server.questions) == 1


@both_wires
@pytest.mark.parametrize("body", [b"<html>log in</html>", b"", b'{"choices": [{"mess', b"{}"])
def test_unreadable_success_without_usage_is_estimated(wire: str, body: bytes) -> None:
    with ModelServer(ScriptedReply(body=body)) as server:
        budget = Budget()
        fails(open_model(config_for(server, wire), budget=budget), InvalidReply)
    assert (budget.spent.calls, budget.spent.estimated, budget.spent.unpriced) == (1, 1, 1)
    assert budget.spent.tokens_in > 1000, "a picture and some words"


def test_interrupted_answer_is_charged_for_every_try() -> None:
    broken = ScriptedReply("The", ending="error", usage={"prompt_tokens": 500, "completion_tokens": 10})
    there = ScriptedReply("there", usage={"prompt_tokens": 500, "completion_tokens": 20})
    with serving([broken, there], "openai", FakeClock()) as (model, _):
        usage = model.ask(QUESTION).usage
    assert (usage.calls, usage.tokens_in, usage.tokens_out, usage.estimated) == (1, 1000, 30, 0)
    with serving(broken, "openai", FakeClock()) as (model, _), pytest.raises(ModelBusy) as caught:
        model.ask(QUESTION)
    assert caught.value.usage is not None
    assert (caught.value.usage.calls, caught.value.usage.tokens_in) == (1, 2000)


def test_agent_counts_failed_calls() -> None:
    with ModelServer(UNREADABLE["no answer"]) as server:
        agent = VisionAgent.from_config(config_for(server, "openai", profile="generic"))
        for _ in range(2):
            with pytest.raises(ModelError):
                agent.locate("Save", Image.new("RGB", (400, 400)))
    assert (agent.usage.calls, agent.usage.tokens_in) == (2, 1_800_000)


def grounder(model: ChatModel) -> Grounder:
    return ModelGrounder(model, profile_named("generic"))


WRAPPERS: dict[str, Callable[[ScriptedModel], Grounder]] = {
    "verify": lambda model: verify(grounder(model), model),
    "vote": lambda model: vote(grounder(model)),
    "zoom": lambda model: zoom(grounder(model)),
    "stronger": lambda model: ask_fallback_model(grounder(model), grounder(model), when="on"),
}


@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_wrapper_usage_includes_unusable_calls(wrapper: str) -> None:
    model = ScriptedModel([PLACE, *["hm"] * 9])
    answer = WRAPPERS[wrapper](model).ground(Question(SCREEN, "Save"))
    assert model.calls > 2
    assert answer.usage.calls == model.calls


def test_unreadable_first_model_is_charged_with_fallback() -> None:
    weak, strong = ScriptedModel(["hm"] * 2), ScriptedModel([PLACE])
    answer = ask_fallback_model(grounder(weak), grounder(strong)).ground(Question(SCREEN, "Save"))
    assert (weak.calls, strong.calls, answer.usage.calls) == (2, 1, 3)
    weak, strong = ScriptedModel(["hm"] * 2), ScriptedModel(["hm"] * 2)
    with pytest.raises(InvalidReply) as caught:
        ask_fallback_model(grounder(weak), grounder(strong)).ground(Question(SCREEN, "Save"))
    assert caught.value.usage is not None
    assert caught.value.usage.calls == 4


def test_error_after_unreadable_answer_reports_both_calls() -> None:
    busy = ModelBusy("later")
    busy.usage = Usage(calls=1, seconds=2.0)
    with pytest.raises(ModelBusy) as caught:
        grounder(ScriptedModel(["hm", busy])).ground(Question(SCREEN, "Save"))
    assert caught.value.usage is not None
    assert (caught.value.usage.calls, caught.value.usage.seconds) == (2, 2.0)
