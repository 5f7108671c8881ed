"""Tests of the configured models of the tiers."""

from __future__ import annotations

import pytest

from handeye.errors import ConfigError, UsageError
from handeye.models import LLMConfig
from handeye.perceive import tier_models
from handeye.usage import Usage

pytest.importorskip("openai")


def config(model: str, **settings: object) -> LLMConfig:
    return LLMConfig.custom("key", "http://127.0.0.1:9/v1", model, **settings)


def test_no_models_without_configuration() -> None:
    assert tier_models() is None


def test_incomplete_configuration_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLM_PROVIDER", "openai")
    with pytest.raises(ConfigError):
        tier_models()


def test_tiers_use_role_models_and_shared_usage() -> None:
    models = tier_models(config("gemini-2.5-flash", planner=config("small-text")))
    assert models is not None
    assert models.structure.name == "small-text"
    assert models.vision is not None
    assert models.usage == Usage()


def test_model_without_image_input_gives_no_vision() -> None:
    models = tier_models(config("deepseek-chat", pictures=False))
    assert models is not None
    assert models.vision is None


def test_model_family_without_boxes_is_refused() -> None:
    with pytest.raises(UsageError, match="points"):
        tier_models(config("molmo-7b"))
