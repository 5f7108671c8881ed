"""Tests that errors raised while a configuration is made contain no key, in their text or in frame locals."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import handeye
from handeye.errors import ConfigError, HandeyeError, UsageError
from handeye.models import LLMConfig, configuration, get_preset_config, redacted_excerpt
from handeye.models.config.secret import Secret

PACKAGE = Path(handeye.__file__).parent

# No vendor's shape, so that only knowing that it is a key hides it.
KEY = "9f83b2c4d1e07a65Zq81xYv9Lm20TtRr"
OPEN: dict[str, Any] = {"provider": "custom", "api": "openai", "base_url": "https://a.example/v1", "model": "m"}

MISTAKES: dict[str, Callable[[], object]] = {
    "custom, address": lambda: LLMConfig.custom(api_key=KEY, base_url="ftp://x", model="m"),
    "custom, model": lambda: LLMConfig.custom(KEY, "https://a.example/v1", ""),
    "custom, key": lambda: LLMConfig.custom(f"{KEY} {KEY}", "https://a.example/v1", "m"),
    "preset, name": lambda: get_preset_config("opnai", api_key=KEY),
    "preset, model": lambda: get_preset_config("vllm", api_key=KEY),
    "preset, field": lambda: get_preset_config("claude", api_key=KEY, timeout=-1),
    "fields, timeout": lambda: LLMConfig(key=KEY, timeout=-1, **OPEN),
    "fields, in order": lambda: LLMConfig("custom", "openai", "https://a.example/v1", "m", KEY, concurrency=0),  # type: ignore[arg-type]
    "fields, key": lambda: LLMConfig(key=f"{KEY} x", **OPEN),
    "secret": lambda: Secret(f"{KEY} x"),
    "from_env, timeout": lambda: from_env(LLM_TIMEOUT="soon"),
    "from_env, key as timeout": lambda: from_env(LLM_TIMEOUT=KEY),
    "from_env, key as provider": lambda: from_env(LLM_PROVIDER=KEY),
    "from_env, piece as provider": lambda: from_env(LLM_PROVIDER=KEY[4:20]),
    "from_env, unknown key as provider": lambda: LLMConfig.from_env({"LLM_PROVIDER": KEY}, None),
    "from_env, key in a switch": lambda: from_env(LLM_ALLOW_HTTP=KEY),
    "from_env, key": lambda: from_env(CUSTOM_LLM_API_KEY=f"{KEY} x"),
    "from_env, role": lambda: from_env(HANDEYE_LOCATOR_PROVIDER=KEY),
}


def from_env(**values: str) -> LLMConfig | None:
    usual = {
        "CUSTOM_LLM_API_KEY": KEY,
        "CUSTOM_LLM_BASE_URL": "https://a.example/v1",
        "CUSTOM_LLM_MODEL": "m",
    }
    return LLMConfig.from_env(usual | values, None)


def assert_hidden(error: BaseException) -> None:
    link: BaseException | None = error
    while link is not None:
        assert KEY[8:16] not in f"{link} {link!r} {vars(link)}"
        link = link.__cause__ or link.__context__
    report = traceback.TracebackException.from_exception(error, capture_locals=True)
    ours = [frame for frame in report.stack if Path(frame.filename).is_relative_to(PACKAGE)]
    assert ours
    assert not [frame for frame in ours if KEY[8:16] in str(frame.locals)]


@pytest.mark.parametrize("name", MISTAKES)
def test_configuration_error_does_not_show_the_key(name: str) -> None:
    with pytest.raises((UsageError, ConfigError)) as caught:
        MISTAKES[name]()
    assert_hidden(caught.value)


@pytest.mark.parametrize(
    "mistake",
    [lambda: get_preset_config(KEY), lambda: from_env(CUSTOM_LLM_BASE_URL=f"http://{KEY}.example/v1")],
    ids=["name", "address"],
)
def test_key_in_wrong_field_is_not_quoted(mistake: Callable[[], object]) -> None:
    with pytest.raises(HandeyeError) as caught:
        mistake()
    assert KEY[8:16].lower() not in str(caught.value).lower()


@pytest.mark.parametrize("wrong", ["LLM_TIMEOUT=soon\n", "LLM_PROVIDER=clade\n", "\udcff", "x" * (2 << 20)])
def test_dotenv_and_environment_are_not_in_traceback_locals(
    wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "any.env"
    file.write_bytes(f"CUSTOM_LLM_API_KEY={KEY}\n{wrong}".encode("utf-8", "surrogateescape"))
    monkeypatch.setenv("HANDEYE_DOTENV", str(file))
    monkeypatch.setenv("OTHER_TOKEN", KEY)
    for read in (configuration, LLMConfig.from_env):
        with pytest.raises(HandeyeError) as caught:
            read()
        assert_hidden(caught.value)


def test_secret_state_cannot_be_read() -> None:
    with pytest.raises(TypeError, match="never pickled"):
        Secret(KEY).__getstate__()


def test_secret_instance_is_accepted_as_key() -> None:
    key = Secret(KEY)
    assert LLMConfig.custom(key, "https://a.example/v1", "m").key is key
    assert get_preset_config("claude", key).key is key
    assert LLMConfig(key=KEY, **OPEN).key == key


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("clade", "clade"),
        ("soon", "soon"),
        ("a name that people might really write", "a na…"),
        (KEY, "9f83…"),
        ("abcdef1234567890", "abcd…"),
        ("https://evil.example/v1?key=1", "https://evil.example"),
        ("https://user:word@evil.example", "https://evil.example"),
        ("https://[", "https://["),
        ("", ""),
    ],
)
def test_wrong_values_are_quoted_without_key_parts(value: str, shown: str) -> None:
    assert redacted_excerpt(value) == shown
