"""Tests of `VisionAgent.from_config` over a socket: models that are called, budgets, errors."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from handeye.errors import BudgetExceeded, ConfigError, ModelUnauthorized
from handeye.geometry import Point
from handeye.models import Budget, LLMConfig, VisionAgent
from handeye.models.budget import Limits
from handeye.models.grounding.vision_agent import Wrappers
from handeye.screen import Screen
from handeye.testing.model_server import ModelRequest, ModelServer, ScriptedReply

SCREEN = Screen(np.full((500, 1000, 3), 240, np.uint8))
KEY = "sk-test-0123456789abcdef"
# The same place, the pixels 100-200 x 250-350, as three families write it.
GLM = "<|begin_of_box|>[[100,500,200,700]]<|end_of_box|>"
GEMINI = '[{"box_2d": [500, 100, 700, 200], "label": "Send"}]'
QWEN = '[{"bbox_2d": [100, 500, 200, 700], "label": "Send"}]'
OFF = Wrappers(*["off"] * 7)


def config(server: ModelServer, model: str, **settings: object) -> LLMConfig:
    return LLMConfig.custom(KEY, server.base_url, model, **settings)


@pytest.mark.parametrize(
    ("model", "reply"), [("glm-4.5v", GLM), ("google/gemini-2.5-flash", GEMINI), ("qwen/qwen3-vl-8b-instruct", QWEN)]
)
def test_model_name_selects_reply_format(model: str, reply: str) -> None:
    with ModelServer(ScriptedReply(reply), KEY) as server:
        agent = VisionAgent.from_config(config(server, model), wrappers=OFF)
        assert agent.find_element(SCREEN, "Send") == Point(150, 300)
        assert agent.usage.calls == 1
        assert server.questions[0].body["model"] == model


def test_configured_profile_overrides_model_name() -> None:
    with ModelServer(ScriptedReply(GEMINI), KEY) as server:
        agent = VisionAgent.from_config(config(server, "our-own-model", profile="gemini"), wrappers=OFF)
        assert agent.find_element(SCREEN, "Send") == Point(150, 300)


def test_each_role_calls_its_configured_model() -> None:
    def answer(asked: ModelRequest) -> ScriptedReply:
        model = asked.body["model"]
        if model == "gpt-5":
            return ScriptedReply('{"answer": "yes"}')
        return ScriptedReply({"glm-4.5v": "no idea", "qwen3-vl-8b": QWEN}[model])

    with ModelServer(answer, KEY) as server:
        whole = replace(
            config(server, "planner-model"),
            locator=config(server, "glm-4.5v"),
            verifier=config(server, "gpt-5"),
            strong=config(server, "qwen3-vl-8b"),
        )
        agent = VisionAgent.from_config(whole, wrappers=replace(OFF, strong="auto", verify="on"))
        assert agent.locate("Send", SCREEN).confidence == 0.85
        assert [asked.body["model"] for asked in server.questions] == ["glm-4.5v"] * 2 + ["qwen3-vl-8b", "gpt-5"]
        assert agent.usage.calls == 4


def test_all_models_of_agent_share_one_budget() -> None:
    with ModelServer(ScriptedReply(GLM), KEY) as server:
        agent = VisionAgent.from_config(
            config(server, "glm-4.5v", limits=Limits(calls=2)), wrappers=replace(OFF, vote="on")
        )
        assert agent.locate("Send", SCREEN).reliable
        with pytest.raises(BudgetExceeded):
            agent.locate("Send", SCREEN)
        assert len(server.questions) == 2
        shared = Budget(Limits(calls=0))
        with pytest.raises(BudgetExceeded):
            VisionAgent.from_config(config(server, "glm-4.5v"), budget=shared).locate("Send", SCREEN)


def test_agent_is_usable_from_several_threads() -> None:
    with ModelServer(ScriptedReply(GLM), KEY) as server:
        agent = VisionAgent.from_config(config(server, "glm-4.5v"), wrappers=OFF)
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda _n: agent.find_element(SCREEN, "Send"), range(12)))
        assert set(found) == {Point(150, 300)}
        assert agent.usage.calls == 12


def test_missing_configuration_error_names_variable_to_set() -> None:
    with pytest.raises(ConfigError, match="LLM_PROVIDER"):
        VisionAgent.from_config(None)


def test_wrong_key_raises_unauthorized_without_showing_key() -> None:
    with ModelServer(ScriptedReply(GLM), "another") as server:
        agent = VisionAgent.from_config(config(server, "glm-4.5v"))
        with pytest.raises(ModelUnauthorized) as caught:
            agent.locate("Send", SCREEN)
        assert KEY not in str(caught.value)
        assert KEY not in repr(vars(agent))
