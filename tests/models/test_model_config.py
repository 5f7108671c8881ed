"""Tests of model configurations: presets, custom servers, prices, and addresses that contain a key."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import asdict, replace
from datetime import UTC, date, datetime
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handeye.errors import UsageError
from handeye.models import LLMConfig, get_preset_config, open_model
from handeye.models.budget import Limits
from handeye.models.config.model_config import checked_url
from handeye.models.config.presets import ALIASES, OWN_TEMPERATURE, PRESETS, preset, provider_at
from handeye.models.config.prices import PRICES, Price, PriceRow, price_for, price_rows
from handeye.usage import Usage

KEY = "sk-proj-Zq81xYv9Lm20TtRr"
NOW = datetime(2026, 11, 22, tzinfo=UTC).timestamp()


@pytest.mark.parametrize("row", PRESETS, ids=lambda row: row.name)
def test_every_preset_is_consistent(row) -> None:  # type: ignore[no-untyped-def]
    assert row.source
    assert row.name == row.name.lower()
    if row.name == "custom":
        return
    assert row.local == (row.key_variable == "")
    assert row.base_url == checked_url(row.base_url, row.api)
    assert row.base_url.startswith("http://localhost:" if row.local else "https://")
    config = get_preset_config(row.name, api_key="" if row.local else KEY, model=row.model or "some-model")
    assert (config.api, config.base_url, config.schema) == (row.api, row.base_url, row.schema)
    assert config.model
    if not row.local:
        found = provider_at(row.base_url)
        assert found is not None
        assert found.prefix == row.prefix


def test_every_alias_resolves_to_a_preset() -> None:
    assert {preset(alias).name for alias in ALIASES} <= {row.name for row in PRESETS}
    assert preset(" Anthropic ").name == "claude"


def test_preset_and_custom_configurations() -> None:
    config = get_preset_config("deepseek", api_key="sk-xxx")
    assert (config.provider, config.base_url, config.key.reveal()) == ("deepseek", "https://api.deepseek.com", "sk-xxx")
    config = LLMConfig.custom(api_key="sk-xxx", base_url="https://api.example.com/v1", model="my-model")
    assert (config.provider, config.api, config.model) == ("custom", "openai", "my-model")


def test_custom_detects_provider_from_address() -> None:
    config = LLMConfig.custom(KEY, "https://api.anthropic.com/v1/messages", "claude-haiku-4-5")
    assert (config.api, config.base_url) == ("anthropic", "https://api.anthropic.com")
    assert LLMConfig.custom(KEY, "https://api.z.ai/api/paas/v4", "glm-4.5v").schema == "none"
    assert LLMConfig.custom(KEY, "https://openrouter.ai/api/v1", "google/gemini-2.5-flash-preview").priced


def test_unknown_provider_error_lists_known_ones() -> None:
    with pytest.raises(UsageError, match=r"'clade'; known are claude, openai, gemini, .*custom"):
        get_preset_config("clade", api_key=KEY)


@pytest.mark.parametrize(
    ("name", "settings", "said"),
    [
        ("claude", {}, "ANTHROPIC_API_KEY"),
        ("vllm", {}, "needs a model"),
        ("custom", {"api_key": KEY, "model": "m"}, "needs a base_url"),
        ("openai", {"api_key": KEY, "model": "  "}, "no name of a model"),
        ("openai", {"api_key": KEY, "model": "a\nb"}, "no name of a model"),
        ("openai", {"api_key": KEY, "timeout": 0}, "timeout of 0"),
        ("openai", {"api_key": KEY, "timeout": float("nan")}, "timeout of nan"),
        ("openai", {"api_key": KEY, "concurrency": 0}, "0 requests at once"),
        ("openai", {"api_key": KEY, "api": "grpc"}, "'grpc'"),
    ],
)
def test_missing_or_invalid_setting_is_named(name: str, settings: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        get_preset_config(name, **settings)  # type: ignore[arg-type]


def test_openai_preset_with_local_address_needs_no_key() -> None:
    config = get_preset_config("openai", base_url="http://localhost:8000/v1", model="qwen")
    assert not config.key
    assert config.effort is None
    assert not config.priced


@pytest.mark.parametrize(
    ("given", "api", "kept"),
    [
        ("https://api.example.com/v1/", "openai", "https://api.example.com/v1"),
        (" https://api.example.com/v1/chat/completions ", "openai", "https://api.example.com/v1"),
        ("https://api.anthropic.com/v1", "anthropic", "https://api.anthropic.com"),
        ("https://api.deepseek.com/anthropic", "anthropic", "https://api.deepseek.com/anthropic"),
        ("http://localhost:8080/v1", "openai", "http://localhost:8080/v1"),
        ("http://127.0.0.1:1/v1", "openai", "http://127.0.0.1:1/v1"),
        ("http://[::1]:8000/v1", "openai", "http://[::1]:8000/v1"),
        ("http://192.168.1.20:11434/v1", "openai", "http://192.168.1.20:11434/v1"),
        ("http://10.0.0.5/v1", "openai", "http://10.0.0.5/v1"),
        ("http://vllm:8000/v1", "openai", "http://vllm:8000/v1"),
        ("http://gpu.local:8000/v1", "openai", "http://gpu.local:8000/v1"),
    ],
)
def test_addresses_are_normalized(given: str, api: str, kept: str) -> None:
    assert checked_url(given, api) == kept  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "address",
    [
        "",
        "api.example.com/v1",
        "ftp://api.example.com",
        "file:///etc/passwd",
        "https://",
        "https://:443/v1",
        "https://exa mple.com/v1",
        "https://api.example.com:99999/v1",
        "https://api.example.com:port/v1",
        "https://[::1/v1",
        "https://api.example.com/v1\nX-Header: 1",
        f"https://user:{KEY}@api.example.com/v1",
        f"https://{KEY}@api.example.com/v1",
        f"https://api.example.com/v1?key={KEY}",
        f"https://api.example.com/v1#{KEY}",
        "http://api.example.com/v1",
        "http://8.8.8.8/v1",
        "http://localhost.example.com/v1",
        "http://2130706433.com/v1",
        KEY,
    ],
)
def test_invalid_addresses_are_refused_without_showing_keys(address: str) -> None:
    with pytest.raises(UsageError) as caught:
        LLMConfig.custom(KEY, address, "m")
    assert "Zq81" not in str(caught.value)


def test_plain_http_needs_allow_http() -> None:
    config = LLMConfig.custom(KEY, "http://api.example.com/v1", "m", allow_http=True)
    assert config.base_url == "http://api.example.com/v1"
    with pytest.raises(UsageError, match="in clear"):
        LLMConfig.custom(KEY, "http://api.example.com/v1", "m")


@given(st.text(max_size=40))
def test_any_text_is_refused_or_valid_address(text: str) -> None:
    try:
        kept = checked_url(text, "openai")
    except UsageError:
        return
    parts = urlsplit(kept)
    assert parts.scheme in ("http", "https")
    assert parts.hostname
    assert checked_url(kept, "openai") == kept


def test_roles_use_own_or_common_model() -> None:
    strong = LLMConfig.custom(KEY, "https://a.example/v1", "large")
    local = LLMConfig.custom("", "http://localhost:8000/v1", "ui-tars")
    limits = Limits(calls=7)
    config = LLMConfig.custom(KEY, "https://a.example/v1", "small", locator=local, strong=strong, limits=limits)
    assert config.for_role("planner") is config
    locator = config.for_role("locator")
    assert (locator.model, locator.base_url) == ("ui-tars", "http://localhost:8000/v1")
    assert locator.strong is strong
    assert locator.limits is limits


def test_configuration_repr_hides_keys() -> None:
    other = LLMConfig.custom(KEY, "https://b.example/v1", "large")
    config = LLMConfig.custom(KEY, "https://a.example/v1", "small", strong=other, planner=other)
    shown = [
        repr(config),
        str(config),
        str(asdict(config)),
        json.dumps(asdict(config), default=str),
        str(replace(config, model="x")),
    ]
    assert not [text for text in shown if "Zq81" in text]
    assert "a.example" in shown[0]
    assert asdict(config)["strong"]["key"].reveal() == KEY


# Prices


@pytest.mark.parametrize("row", PRICES, ids=lambda row: f"{row.provider}:{row.pattern}")
def test_every_price_has_source_date_and_valid_values(row) -> None:  # type: ignore[no-untyped-def]
    assert row.source
    assert re.fullmatch(r"20\d\d-\d\d", row.said)
    assert row.price.tokens_out >= row.price.tokens_in >= (row.price.cached or 0.0) >= 0
    assert row.price.tokens_out < 200
    preset(row.provider)


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("claude-sonnet-5-5", Price(2, 10, 0.1)),
        ("claude-sonnet-5", Price(2, 10, 0.2)),
        ("claude-sonnet-4-6", Price(3, 15, 0.3)),
        ("claude-haiku-4-5-20251001", Price(1, 5, 0.1)),
        ("Claude-Opus-4-1", Price(15, 75, 1.5)),
        ("claude-opus-4-5", Price(5, 25, 0.5)),
        ("claude-3-7-sonnet-latest", Price(3, 15, 0.3)),
        ("claude-opus-9", None),
        ("my-claude-sonnet-5-5", None),
        ("claude-sonnet-5-5-turbo", None),
    ],
)
def test_model_name_matches_only_its_price(model: str, expected: Price | None) -> None:
    assert price_for(price_rows("https://api.anthropic.com", model), 1000, NOW) == expected


def test_price_applies_only_to_its_provider() -> None:
    assert price_for(price_rows("https://api.openai.com/v1", "gpt-4o-2024-08-06"), 10, NOW) == Price(2.5, 10, 1.25)
    assert not price_rows("https://api.openai.com.evil.example/v1", "gpt-4o")
    assert not price_rows("http://localhost:8000/v1", "gpt-4o")
    assert not LLMConfig.custom(KEY, "https://proxy.example/v1", "gpt-4o").priced


def test_long_prompt_uses_its_own_price() -> None:
    rows = price_rows("https://api.anthropic.com", "claude-haiku-5-5")
    assert price_for(rows, 100_000, NOW) == Price(0.1, 0.5, 0.01)
    assert price_for(rows, 100_001, NOW) == Price(0.5, 2.5, 0.05)
    assert price_for(price_rows("https://api.openai.com/v1", "gpt-5.5"), 270_001, NOW) is None


def test_expired_price_is_replaced_or_unknown() -> None:
    address = preset("gemini").base_url
    last_second = datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC).timestamp()
    assert price_for(price_rows(address, "gemini-3.8-flash"), 10, last_second) == Price(0.75, 3.75)
    assert price_for(price_rows(address, "gemini-3.8-flash"), 10, last_second + 1) == Price(1.5, 7.5)
    assert (
        price_for(
            (PriceRow("gemini", "x", Price(1, 2), "2026-01", "-", until=date(2026, 12, 31)),), 10, last_second + 1
        )
        is None
    )


def test_cost_sums_input_output_and_cached_tokens() -> None:
    price = Price(2.0, 10.0, 0.2)
    assert price.cost(Usage(tokens_in=1_000_000, tokens_out=100_000, tokens_cached=500_000)) == pytest.approx(
        1.0 + 0.1 + 1.0
    )
    assert Price(2.0, 10.0).cost(Usage(tokens_in=1_000_000, tokens_cached=500_000)) == pytest.approx(2.0)
    with pytest.raises(UsageError):
        Price(-1, 2)


@pytest.mark.parametrize("price", [float("nan"), float("inf"), -0.1, True, "5", None, 10**400])
def test_invalid_prices_are_refused(price: object) -> None:
    for prices in ((price, 1.0), (1.0, price)):
        with pytest.raises(UsageError, match="makes no sense"):
            Price(*prices)  # type: ignore[arg-type]
    if price is not None:
        with pytest.raises(UsageError, match="makes no sense"):
            Price(1.0, 1.0, price)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "field",
    [
        {"effort": "huge"},
        {"schema": "yaml"},
        {"api": "soap"},
        {"pictures": "no"},
        {"allow_http": "no"},
        {"concurrency": 2.5},
        {"concurrency": True},
        {"concurrency": 0},
        {"timeout": True},
        {"timeout": "5"},
        {"timeout": float("nan")},
        {"timeout": 10**400},
        {"timeout": 10**5000},
    ],
)
def test_invalid_field_values_are_refused(field: dict[str, object]) -> None:
    with pytest.raises(UsageError, match=r"must be|no sense"):
        LLMConfig.custom(KEY, "http://localhost:1/v1", "m", **field)


def test_local_models_are_free_unless_remote() -> None:
    local = get_preset_config("ollama")
    assert local.fixed_price == Price(0, 0)
    assert get_preset_config("vllm", model="m", base_url="https://gpu-box.lan:8000/v1").fixed_price == Price(0, 0)
    assert get_preset_config("ollama", model="m", price=Price(1, 2)).fixed_price == Price(1, 2)
    for config in (
        get_preset_config("ollama", model="qwen3-vl:235b-cloud"),
        replace(local, model="qwen3-vl:235b-cloud"),
        get_preset_config("ollama", api_key=KEY, base_url="https://ollama.com/v1", model="qwen3-vl:235b"),
        get_preset_config("vllm", api_key=KEY, base_url="https://pay.runpod.example/v1", model="m"),
        replace(local, base_url="https://ollama.com/v1"),
    ):
        assert (config.fixed_price, config.priced) == (None, False), config


@pytest.mark.parametrize("base_url", ["https://ollama.com/v1", "https://pay.runpod.example/v1"])
def test_remote_server_needs_price_under_cost_limit(base_url: str) -> None:
    config = get_preset_config("ollama", KEY, base_url=base_url, model="m", limits=Limits(cost=1.0))
    with pytest.raises(UsageError, match="the price of m at"):
        open_model(config)


@pytest.mark.parametrize(
    "model",
    [
        "claude-sonnet-5-5",
        "claude-opus-4-7",
        "gpt-5.5",
        "openai/gpt-6.1-terra",
        "google/gemini-3.8-flash",
        "o3",
        "o4-mini",
        "kimi-k2.6",
    ],
)
def test_fixed_temperature_models_are_recognised(model: str) -> None:
    assert re.fullmatch(OWN_TEMPERATURE, model, re.IGNORECASE)


@pytest.mark.parametrize(
    "model",
    [
        "claude-sonnet-4-6",
        "claude-haiku-4-5",
        "gpt-4o",
        "gpt-4.1",
        "gemini-3.5-flash",
        "moonshot-v1-8k",
        "qwen3-vl-plus",
        "olmo",
    ],
)
def test_other_models_accept_a_temperature(model: str) -> None:
    assert not re.fullmatch(OWN_TEMPERATURE, model, re.IGNORECASE)


def test_configuration_works_without_client_libraries() -> None:
    code = """
import sys
for name in ("openai", "anthropic", "httpx2", "httpx"):
    sys.modules[name] = None
import handeye
from handeye.models.config.model_config import LLMConfig, get_preset_config
from handeye.models.client.factory import open_model
from handeye.errors import MissingPart
assert LLMConfig.from_env({"OPENAI_API_KEY": "k"}, None).provider == "openai"
for name in ("openai", "claude"):
    try:
        open_model(get_preset_config(name, api_key="k"))
    except MissingPart as error:
        assert "handeye[llm]" in str(error)
    else:
        raise SystemExit("no MissingPart")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_importing_handeye_does_not_import_the_client_libraries() -> None:
    code = (
        "import sys, handeye, handeye.models.config.model_config; "
        "print({'openai', 'anthropic', 'httpx2', 'dotenv'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


# The documentation


DOCS = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("row", PRESETS, ids=lambda row: row.name)
def test_documentation_lists_every_preset(row) -> None:  # type: ignore[no-untyped-def]
    lines = [line for line in DOCS.splitlines() if line.startswith(f"| `{row.name}` |")]
    assert len(lines) == 1
    told = {"json_schema": "schema", "json_object": "JSON", "none": "nothing"}[row.schema]
    assert lines[0].rstrip(" |").endswith(told)
    for value in (row.base_url, row.model, row.key_variable):
        assert value in lines[0]


def test_documentation_lists_every_variable() -> None:
    source = (Path(__file__).parents[2] / "src/handeye/models/config/environment.py").read_text(encoding="utf-8")
    named = set(re.findall(r'"((?:LLM|CUSTOM_LLM|HANDEYE)_[A-Z_]+)"', source)) - {"CUSTOM_LLM_MODEL"}
    assert len(named) > 12
    assert not [name for name in named if name not in DOCS and name.removeprefix("CUSTOM_LLM_") not in DOCS]
