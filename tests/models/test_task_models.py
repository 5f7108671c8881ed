"""Tests of `TaskModels`: the models of a task share one budget and are opened only when asked."""

from __future__ import annotations

import numpy as np
import pytest
from served import KEY

from handeye.errors import BudgetExceeded, ConfigError
from handeye.models import LLMConfig, Prompt, TaskModels, configured_models
from handeye.models.budget import Limits
from handeye.screen import Screen
from handeye.target import Target
from handeye.testing.model_server import ModelServer, ScriptedReply
from handeye.usage import Usage

GLM = "<|begin_of_box|>[[100,500,200,700]]<|end_of_box|>"
SCREEN = Screen(np.full((500, 1000, 3), 90, np.uint8))
HELLO = Prompt(("Hello.",))


def models_at(server: ModelServer, calls: int) -> TaskModels:
    return TaskModels(LLMConfig.custom(KEY, server.base_url, "glm-4.5v", limits=Limits(calls=calls)))


def ask(models: TaskModels, role: str) -> str:
    model = models.chat("planner" if role == "planner" else "verifier")
    assert model is not None
    return model.ask(HELLO).text


def test_planner_verifier_and_locator_share_a_budget() -> None:
    with ModelServer(ScriptedReply(GLM), key=KEY) as server:
        models = models_at(server, 2)
        assert ask(models, "planner") == GLM
        assert ask(models, "verifier") == GLM
        with pytest.raises(BudgetExceeded):
            ask(models, "planner")
        assert models.vision is not None
        with pytest.raises(BudgetExceeded):
            models.vision.find(Target("Send"), SCREEN)
        with_pictures = models.vision_with(lambda name: None)
        assert with_pictures is not None
        with pytest.raises(BudgetExceeded):
            with_pictures.find(Target("Send"), SCREEN)
        assert len(server.questions) == 2


def test_renew_resets_budget_but_keeps_usage() -> None:
    with ModelServer(ScriptedReply(GLM), key=KEY) as server:
        models = models_at(server, 1)
        ask(models, "planner")
        with pytest.raises(BudgetExceeded):
            ask(models, "verifier")
        models.renew()
        ask(models, "verifier")
        assert models.usage.calls == 2
        assert models.usage.tokens_in == 200


def test_search_calls_count_in_task_usage() -> None:
    with ModelServer(ScriptedReply(GLM), key=KEY) as server:
        models = models_at(server, 10)
        assert models.vision is not None
        models.vision.find(Target("Send"), SCREEN)
        assert models.usage.calls == len(server.questions) > 0
        assert models.vision.usage.calls == models.usage.calls


def test_each_role_uses_its_own_model() -> None:
    with ModelServer(ScriptedReply("yes"), key=KEY) as server:
        planner = LLMConfig.custom(KEY, server.base_url, "a-planner", pictures=False)
        models = TaskModels(LLMConfig.custom(KEY, server.base_url, "a-seer", planner=planner))
        ask(models, "planner")
        ask(models, "verifier")
        assert [asked.body["model"] for asked in server.questions] == ["a-planner", "a-seer"]
        named = [model.name for role in ("planner", "verifier") if (model := models.chat(role)) is not None]
        assert named == ["a-planner", "a-seer"]
        assert not models.sees("planner")
        assert models.sees("verifier")


def test_without_configuration_there_is_no_model() -> None:
    models = configured_models()
    assert models.vision is None
    assert models.chat("planner") is None
    assert not models.sees("planner")
    assert models.usage == Usage()
    models.renew()


def test_configuration_error_is_raised_on_first_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLM_PROVIDER", "nobody")
    models = configured_models()
    with pytest.raises(ConfigError, match="nobody"):
        ask(models, "planner")
    with pytest.raises(ConfigError, match="nobody"):
        configured_models("a-model")
