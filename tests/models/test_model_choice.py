"""Tests of the model that commands and sessions use by default: only one configured for Handeye."""

from __future__ import annotations

from pathlib import Path

import pytest

from handeye.errors import ConfigError
from handeye.models import LLMConfig, configuration, configured_vision, unselected_vendor_keys

KEY = "sk-proj-Zq81xYv9Lm20TtRr"
ROUTER = {"LLM_PROVIDER": "openrouter", "OPENROUTER_API_KEY": KEY}
LOCAL = "http://localhost:8000/v1"


def setting(monkeypatch: pytest.MonkeyPatch, values: dict[str, str]) -> None:
    for name, value in values.items():
        monkeypatch.setenv(name, value)


def chosen(model: str | None = None, provider: str | None = None) -> LLMConfig:
    config = configuration(model, provider)
    assert config is not None
    return config


@pytest.mark.parametrize(
    ("values", "names", "choices"),
    [
        ({"OPENAI_API_KEY": KEY}, "OPENAI_API_KEY", "LLM_PROVIDER=openai"),
        ({"ANTHROPIC_API_KEY": KEY, "LLM_MODEL": "claude-x"}, "ANTHROPIC_API_KEY", "LLM_PROVIDER=claude"),
        ({"OPENAI_BASE_URL": "https://a.example/v1"}, "OPENAI_BASE_URL", "LLM_PROVIDER=openai"),
        (
            {"OPENAI_API_KEY": KEY, "GEMINI_API_KEY": KEY},
            "OPENAI_API_KEY and GEMINI_API_KEY",
            "LLM_PROVIDER=openai or LLM_PROVIDER=gemini",
        ),
    ],
)
def test_vendor_key_alone_does_not_configure_handeye(
    monkeypatch: pytest.MonkeyPatch, values: dict[str, str], names: str, choices: str
) -> None:
    setting(monkeypatch, values)
    assert configuration() is None
    assert configured_vision() is None
    assert unselected_vendor_keys() == (names, choices)


def test_from_env_uses_the_only_vendor_key(monkeypatch: pytest.MonkeyPatch) -> None:
    setting(monkeypatch, {"OPENAI_API_KEY": KEY})
    config = LLMConfig.from_env()
    assert config is not None
    assert config.provider == "openai"


@pytest.mark.parametrize(
    "choice",
    [
        {"LLM_PROVIDER": "openai"},
        {"HANDEYE_LOCATOR_MODEL": "gpt-6.1-luna"},
        {"HANDEYE_LOCATOR_PROVIDER": "openai"},
        {"HANDEYE_STRONG_MODEL": "gpt-6.1-sol"},
    ],
)
def test_handeye_variable_enables_vendor_key(monkeypatch: pytest.MonkeyPatch, choice: dict[str, str]) -> None:
    setting(monkeypatch, {"OPENAI_API_KEY": KEY} | choice)
    assert chosen().for_role("locator").provider == "openai"


def test_named_model_uses_the_only_vendor_key(monkeypatch: pytest.MonkeyPatch) -> None:
    setting(monkeypatch, {"OPENAI_API_KEY": KEY})
    assert chosen("gpt-6.1-sol").model == "gpt-6.1-sol"
    assert chosen("openai").provider == "openai"
    with pytest.raises(ConfigError, match="ANTHROPIC_API_KEY is not set"):
        configuration("claude")


@pytest.mark.parametrize("model", ["anthropic", "google", "kimi", "glm", "UITARS", " Claude "])
def test_provider_alias_is_not_taken_as_model_name(monkeypatch: pytest.MonkeyPatch, model: str) -> None:
    setting(monkeypatch, {"OPENAI_API_KEY": KEY})
    with pytest.raises(ConfigError, match=r"the model provider is '\S+', and [A-Z]+_API_KEY is not set"):
        configuration(model)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    assert chosen("anthropic").provider == "claude"
    assert chosen("gpt-6.1-sol", "openai").provider == "openai"


def test_no_unselected_keys_without_environment() -> None:
    assert unselected_vendor_keys() is None


@pytest.mark.parametrize("model", ["ollama", "llama.cpp"])
def test_named_provider_ignores_other_role_settings(monkeypatch: pytest.MonkeyPatch, model: str) -> None:
    roles = {f"HANDEYE_{role}_MODEL": "google/other" for role in ("PLANNER", "LOCATOR", "VERIFIER", "STRONG")}
    own = {"LLM_BASE_URL": "https://proxy.example/v1", "LLM_API_KEY": KEY, "LLM_MODEL": "x", "LLM_PROFILE": "gemini"}
    setting(monkeypatch, ROUTER | roles | own)
    config = chosen(model)
    assert (config.planner, config.locator, config.verifier, config.strong) == (None, None, None, None)
    assert config.base_url.startswith("http://localhost:")
    assert (config.provider, bool(config.key), config.profile) == (model, False, None)
    assert config.model != "x"


def test_invalid_role_does_not_block_named_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    setting(monkeypatch, ROUTER | {"HANDEYE_VERIFIER_PROVIDER": "clade"})
    assert chosen("ollama").provider == "ollama"


def test_configured_provider_by_name_keeps_base_url(monkeypatch: pytest.MonkeyPatch) -> None:
    region = "https://dashscope-intl.aliyuncs.com/compatible-mode/v1"
    setting(monkeypatch, {"LLM_PROVIDER": "dashscope", "DASHSCOPE_API_KEY": KEY, "LLM_BASE_URL": region})
    assert chosen("qwen").base_url == region
    assert chosen("qwen3-vl-max").base_url == region


# Roles alone


def test_locator_role_alone_configures_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    setting(
        monkeypatch, {"HANDEYE_LOCATOR_BASE_URL": LOCAL, "HANDEYE_LOCATOR_MODEL": "ui-tars-1.5-7b", "LLM_TIMEOUT": "9"}
    )
    config = chosen()
    assert (config.base_url, config.model, config.timeout, config.locator) == (LOCAL, "ui-tars-1.5-7b", 9.0, None)
    assert config.for_role("verifier") is config


def test_local_locator_is_used_despite_vendor_key(monkeypatch: pytest.MonkeyPatch) -> None:
    setting(
        monkeypatch,
        {"HANDEYE_LOCATOR_BASE_URL": LOCAL, "HANDEYE_LOCATOR_MODEL": "ui-tars-1.5-7b", "OPENAI_API_KEY": KEY},
    )
    assert {chosen().for_role(role).base_url for role in ("planner", "locator", "verifier")} == {LOCAL}


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"HANDEYE_LOCATOR_MODEL": "m"}, "HANDEYE_LOCATOR_MODEL is set.*HANDEYE_LOCATOR_BASE_URL, or LLM_PROVIDER"),
        ({"HANDEYE_VERIFIER_PROVIDER": "ollama"}, "configured as verifier, and none that finds things"),
        ({"HANDEYE_LOCATOR_BASE_URL": LOCAL}, "CUSTOM_LLM_MODEL is not set"),
    ],
)
def test_incomplete_role_configuration_is_reported(
    monkeypatch: pytest.MonkeyPatch, values: dict[str, str], said: str
) -> None:
    setting(monkeypatch, values)
    with pytest.raises(ConfigError, match=said):
        configuration()


# Files


def test_handeye_dotenv_variable_replaces_default_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("LLM_PROVIDER=ollama\nLLM_MODEL=usual\n", encoding="utf-8")
    (tmp_path / "other.env").write_text("LLM_PROVIDER=ollama\nLLM_MODEL=other\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for named, model in (("other.env", "other"), ("", None), ("missing.env", None)):
        monkeypatch.setenv("HANDEYE_DOTENV", named)
        for config in (LLMConfig.from_env(), configuration()):
            assert (config and config.model) == model
    config = LLMConfig.from_env(dotenv=tmp_path / ".env")
    assert config is not None
    assert config.model == "usual", "a path that a programmer gives is that path"
