"""Tests of the variables of docs/models.md, from the environment and from a dotenv file."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from handeye.errors import ConfigError, HandeyeError
from handeye.models import LLMConfig, open_model
from handeye.models.budget import Limits
from handeye.trusted_files import trust

KEY = "sk-or-v1-Zq81xYv9Lm20"
SEED = {
    "LLM_PROVIDER": "custom",
    "CUSTOM_LLM_API_KEY": KEY,
    "CUSTOM_LLM_BASE_URL": "https://openrouter.ai/api/v1",
    "CUSTOM_LLM_MODEL": "google/gemini-2.5-flash-preview",
    "ADB_PATH": "adb",
    "OPERATION_DELAY": "0.3",
}


def read(env: dict[str, str], file: Path | None = None) -> LLMConfig:
    config = LLMConfig.from_env(env, file)
    assert config is not None
    return config


def as_file(folder: Path, values: dict[str, str]) -> Path:
    path = folder / ".env"
    path.write_text("".join(f"{name}={value}\n" for name, value in values.items()), encoding="utf-8")
    return path


def test_documented_variables_configure_custom_provider() -> None:
    config = read(SEED)
    assert config.provider == "custom"
    assert config.base_url == "https://openrouter.ai/api/v1"
    assert config.model == "google/gemini-2.5-flash-preview"
    assert config.key.reveal() == KEY


def test_dotenv_file_syntax_variants_are_read(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_text(
        "\ufeff# LLM 提供商: claude / openai / custom\r\n"
        "export LLM_PROVIDER=custom\r\n"
        f"CUSTOM_LLM_API_KEY='{KEY}'\r\n"
        'CUSTOM_LLM_BASE_URL="https://openrouter.ai/api/v1"  # the usual one\r\n'
        "CUSTOM_LLM_MODEL = google/gemini-2.5-flash-preview\r\n"
        "EMPTY=\r\nNO_VALUE\r\n",
        encoding="utf-8",
    )
    assert read({}, path) == read(SEED)


def test_environment_overrides_dotenv_file(tmp_path: Path) -> None:
    file = as_file(tmp_path, SEED)
    assert read({"CUSTOM_LLM_MODEL": "other/model"}, file).model == "other/model"
    assert read({"CUSTOM_LLM_MODEL": "  "}, file).model == SEED["CUSTOM_LLM_MODEL"]


def test_dollar_sign_in_dotenv_is_not_expanded(tmp_path: Path) -> None:
    file = as_file(tmp_path, {"ANTHROPIC_API_KEY": "sk-${HOME}-$x"})
    assert read({"HOME": "/root"}, file).key.reveal() == "sk-${HOME}-$x"


@pytest.mark.parametrize(
    ("variable", "provider"),
    [
        ("OPENAI_API_KEY", "openai"),
        ("ANTHROPIC_API_KEY", "claude"),
        ("GEMINI_API_KEY", "gemini"),
        ("ZHIPUAI_API_KEY", "zhipu"),
        ("DASHSCOPE_API_KEY", "qwen"),
        ("ARK_API_KEY", "doubao"),
        ("DEEPSEEK_API_KEY", "deepseek"),
        ("MOONSHOT_API_KEY", "moonshot"),
        ("OPENROUTER_API_KEY", "openrouter"),
    ],
)
def test_only_key_selects_its_provider(variable: str, provider: str) -> None:
    config = read({variable: KEY})
    assert (config.provider, config.key.reveal()) == (provider, KEY)


def test_conventional_base_url_and_model_are_used() -> None:
    config = read({"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": "https://proxy.example/v1", "OPENAI_MODEL": "m"})
    assert (config.provider, config.base_url, config.model) == ("openai", "https://proxy.example/v1", "m")
    assert read({"OPENAI_BASE_URL": "http://localhost:8000/v1"}).base_url == "http://localhost:8000/v1"


def test_several_keys_require_llm_provider() -> None:
    keys = {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": "sk-ant-x"}
    with pytest.raises(ConfigError, match="LLM_PROVIDER=claude or LLM_PROVIDER=openai"):
        read(keys)
    assert read(keys | {"LLM_PROVIDER": "anthropic"}).provider == "claude"


def test_handeye_variables_override_conventional_ones() -> None:
    config = read(
        {"OPENAI_API_KEY": "sk-other-key-1", "CUSTOM_LLM_BASE_URL": "http://localhost:1/v1", "CUSTOM_LLM_MODEL": "m"}
    )
    assert (config.provider, config.model, bool(config.key)) == ("custom", "m", False)


def test_provider_model_profile_and_limits_are_read() -> None:
    config = read(
        {
            "LLM_PROVIDER": "qwen",
            "DASHSCOPE_API_KEY": KEY,
            "LLM_MODEL": "qwen2.5-vl-72b-instruct",
            "LLM_PROFILE": "qwen2.5-vl",
            "LLM_MAX_CALLS": "12",
            "LLM_MAX_TOKENS": "34",
            "LLM_MAX_COST": "0.5",
            "LLM_MAX_SECONDS": "60",
            "LLM_ALLOW_UNPRICED": "yes",
            "LLM_TIMEOUT": "9.5",
            "LLM_CONCURRENCY": "2",
        }
    )
    assert (config.model, config.profile) == ("qwen2.5-vl-72b-instruct", "qwen2.5-vl")
    assert config.limits == Limits(12, 34, 0.5, 60.0, allow_unpriced=True)
    assert (config.timeout, config.concurrency) == (9.5, 2)


def test_roles_with_other_model_provider_or_server() -> None:
    config = read(
        SEED
        | {
            "HANDEYE_PLANNER_PROVIDER": "claude",
            "ANTHROPIC_API_KEY": "sk-ant-x",
            "HANDEYE_LOCATOR_BASE_URL": "http://localhost:8000/v1",
            "HANDEYE_LOCATOR_MODEL": "ui-tars-1.5",
            "HANDEYE_LOCATOR_PROFILE": "ui-tars-1.5",
            "HANDEYE_STRONG_MODEL": "google/gemini-3.1-pro",
        }
    )
    planner, locator, verifier = (config.for_role(role) for role in ("planner", "locator", "verifier"))
    assert (planner.provider, planner.api, planner.key.reveal()) == ("claude", "anthropic", "sk-ant-x")
    assert (locator.base_url, locator.model, locator.profile) == (
        "http://localhost:8000/v1",
        "ui-tars-1.5",
        "ui-tars-1.5",
    )
    assert not locator.key, "the key of another server"
    assert verifier is config
    assert config.strong is not None
    assert (config.strong.model, config.strong.base_url) == ("google/gemini-3.1-pro", config.base_url)
    assert config.strong.key.reveal() == KEY


def test_missing_configuration_is_none_and_open_model_fails(tmp_path: Path) -> None:
    assert LLMConfig.from_env({}, tmp_path / "missing.env") is None
    assert LLMConfig.from_env({"PATH": "/bin", "LLM_TIMEOUT": "5"}, None) is None
    with pytest.raises(ConfigError, match=r"no model is configured .*LLM_PROVIDER.*CUSTOM_LLM_BASE_URL"):
        open_model(None)


def test_dotenv_directory_is_ignored(tmp_path: Path) -> None:
    (tmp_path / ".env").mkdir()
    assert LLMConfig.from_env({}, tmp_path / ".env") is None


@pytest.mark.parametrize(
    ("env", "said"),
    [
        ({"LLM_PROVIDER": "clade"}, "LLM_PROVIDER is 'clade' .*claude, openai"),
        ({"LLM_PROVIDER": "claude"}, "ANTHROPIC_API_KEY is not set"),
        ({"LLM_PROVIDER": "custom"}, "CUSTOM_LLM_BASE_URL is not set"),
        ({"CUSTOM_LLM_BASE_URL": "http://localhost:1/v1"}, "CUSTOM_LLM_MODEL is not set"),
        ({"LLM_PROVIDER": "vllm"}, "VLLM_MODEL is not set"),
        (SEED | {"CUSTOM_LLM_BASE_URL": "http://openrouter.ai/api/v1"}, "in clear.*LLM_ALLOW_HTTP"),
        (SEED | {"CUSTOM_LLM_BASE_URL": "openrouter.ai"}, "base_url is not an address"),
        (SEED | {"CUSTOM_LLM_API_KEY": "two words"}, "a key holds a space"),
        (SEED | {"LLM_TIMEOUT": "soon"}, "LLM_TIMEOUT is 'soon' .*a number"),
        (SEED | {"LLM_TIMEOUT": "-1"}, "timeout of -1"),
        (SEED | {"LLM_CONCURRENCY": "2.5"}, "LLM_CONCURRENCY is '2.5' .*whole number"),
        (SEED | {"LLM_MAX_CALLS": "-4"}, "limit of -4 calls"),
        (SEED | {"LLM_MAX_COST": "nan"}, "limit of nan cost"),
        (SEED | {"LLM_ALLOW_HTTP": "maybe"}, "LLM_ALLOW_HTTP is 'maybe' .*1 or 0"),
        (SEED | {"HANDEYE_PLANNER_PROVIDER": "gemini"}, "GEMINI_API_KEY is not set"),
        (SEED | {"LLM_PROVIDER": KEY}, "LLM_PROVIDER is '•••'"),
    ],
)
def test_environment_errors_name_variable_without_key(env: dict[str, str], said: str) -> None:
    with pytest.raises(ConfigError, match=f"^environment: .*{said}") as caught:
        read(env)
    assert "Zq81" not in str(caught.value)


def test_dotenv_errors_name_the_file(tmp_path: Path) -> None:
    file = as_file(tmp_path, SEED | {"LLM_TIMEOUT": "soon"})
    with pytest.raises(ConfigError, match="LLM_TIMEOUT") as caught:
        read({}, file)
    assert caught.value.file == file


@pytest.mark.parametrize("data", [b"\xff\xfe\x00bad", b"A=" + b"x" * (1 << 20)])
def test_invalid_dotenv_file_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / ".env").write_bytes(data)
    with pytest.raises(ConfigError):
        LLMConfig.from_env({}, tmp_path / ".env")


@pytest.mark.parametrize(
    ("env", "file"),
    [
        ({"OPENAI_API_KEY": KEY}, {"OPENAI_BASE_URL": "https://evil.example/v1"}),
        ({"CUSTOM_LLM_API_KEY": KEY, "CUSTOM_LLM_MODEL": "m"}, {"CUSTOM_LLM_BASE_URL": "https://evil.example/v1"}),
        ({"LLM_API_KEY": KEY}, {"LLM_PROVIDER": "openrouter"}),
        ({"ANTHROPIC_API_KEY": KEY}, {"LLM_PROVIDER": "claude", "LLM_BASE_URL": "https://evil.example"}),
        (SEED, {"HANDEYE_LOCATOR_PROVIDER": "custom", "HANDEYE_LOCATOR_BASE_URL": "https://evil.example/v1"}),
    ],
)
def test_dotenv_address_is_refused_for_environment_key(
    tmp_path: Path, env: dict[str, str], file: dict[str, str]
) -> None:
    with pytest.raises(ConfigError, match="in the same place"):
        LLMConfig.from_env(env, as_file(tmp_path, file))


def test_environment_address_may_use_dotenv_key(tmp_path: Path) -> None:
    file = as_file(tmp_path, {"CUSTOM_LLM_API_KEY": KEY, "CUSTOM_LLM_MODEL": "m"})
    assert read({"CUSTOM_LLM_BASE_URL": "https://a.example/v1"}, file).key.reveal() == KEY


def test_dotenv_is_read_from_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    as_file(tmp_path, SEED)
    for name in (*SEED, "HANDEYE_DOTENV"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    trust(Path(".env"))
    config = LLMConfig.from_env()
    assert config is not None
    assert config.model == SEED["CUSTOM_LLM_MODEL"]


NAMES = st.sampled_from(
    [
        "LLM_PROVIDER",
        "LLM_MODEL",
        "LLM_BASE_URL",
        "LLM_API_KEY",
        "OPENAI_API_KEY",
        "ANTHROPIC_API_KEY",
        "CUSTOM_LLM_BASE_URL",
        "CUSTOM_LLM_MODEL",
        "LLM_TIMEOUT",
        "LLM_MAX_COST",
        "HANDEYE_LOCATOR_MODEL",
        "HANDEYE_STRONG_PROVIDER",
        "LLM_ALLOW_HTTP",
    ]
)
VALUES = st.one_of(
    st.text(max_size=30), st.sampled_from(["claude", "custom", "1", "https://a.example/v1", "http://localhost/v1", "m"])
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(env=st.dictionaries(NAMES, VALUES, max_size=6), file=st.binary(max_size=200))
def test_any_settings_give_configuration_or_handeye_error(tmp_path: Path, env: dict[str, str], file: bytes) -> None:
    path = tmp_path / "any.env"
    path.write_bytes(file)
    for dotenv in (None, path):
        try:
            config = LLMConfig.from_env(env, dotenv)
        except HandeyeError:
            continue
        assert config is None or config.model


def test_strong_cloud_model_of_local_server_is_priced() -> None:
    config = read({"LLM_PROVIDER": "ollama", "HANDEYE_STRONG_MODEL": "qwen3-vl:235b-cloud"})
    assert config.priced
    assert config.strong is not None
    assert not config.strong.priced
