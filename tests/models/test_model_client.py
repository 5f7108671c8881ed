"""Tests of the clients built on the vendors' libraries against a scripted server: requests and answers."""

from __future__ import annotations

import json
from typing import Any

import pytest
from served import KEY, PIXEL, QUESTION, SCHEMA, both_wires, config_for, fails, serving

from handeye.errors import (
    BudgetExceeded,
    ModelRequestInvalid,
    ModelUnauthorized,
    UsageError,
)
from handeye.models import Budget, LLMConfig, Prompt, open_model
from handeye.models.budget import Limits
from handeye.models.client.factory import connect
from handeye.models.config.presets import preset
from handeye.models.config.prices import Price
from handeye.testing.fakes import FakeClock
from handeye.testing.model_server import ModelServer, Script, ScriptedReply
from handeye.usage import Usage


@both_wires
def test_request_contains_prompt_and_picture_unchanged(wire: str) -> None:
    with serving(ScriptedReply("At 10, 20."), wire) as (model, server):
        reply = model.ask(QUESTION)
    asked = server.questions[0]
    assert asked.text == "You look at screens.\nWhere is\nSend?"
    assert asked.pictures == (PIXEL,)
    assert asked.body["model"] == "test-model"
    assert asked.body["max_tokens"] == 2048
    assert asked.body["temperature"] == 0.0
    assert (reply.text, reply.ending, reply.model) == ("At 10, 20.", "stop", "test-model")
    assert (reply.usage.calls, reply.usage.tokens_in, reply.usage.tokens_out) == (1, 100, 20)
    assert reply.usage.unpriced == 1
    assert reply.usage.seconds > 0


@both_wires
def test_request_has_no_ambient_headers_or_keys(wire: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "OPENAI_ORG_ID",
        "OPENAI_PROJECT_ID",
        "OPENAI_ADMIN_KEY",
        "OPENAI_API_KEY",
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_AUTH_TOKEN",
    ):
        monkeypatch.setenv(name, "ambient-secret")
    for name in ("OPENAI_CUSTOM_HEADERS", "ANTHROPIC_CUSTOM_HEADERS"):
        monkeypatch.setenv(
            name, "Authorization: Bearer ambient-secret\nX-Api-Key: ambient-secret\nX-Team: ambient-secret"
        )
    for name in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with serving(ScriptedReply("yes"), wire) as (model, server):
        model.ask(QUESTION)
    headers = server.questions[0].headers
    usual = {"host", "connection", "accept", "accept-encoding", "content-type", "content-length", "user-agent"}
    assert set(headers) == usual | ({"anthropic-version"} if wire == "anthropic" else set())
    assert "ambient" not in str(headers)
    assert headers["user-agent"].startswith("handeye/")


@both_wires
def test_no_authorization_header_without_a_key(wire: str) -> None:
    seen: list[bool] = []
    with ModelServer(ScriptedReply("yes"), key="") as server:
        model = connect(
            LLMConfig.custom("", server.base_url if wire == "openai" else server.anthropic_url, "m", api=wire)
        )
        assert model.ask(QUESTION).text == "yes"
        seen.append(server.authorizes({}))
    with serving(ScriptedReply("yes"), wire) as (model, server):
        other = connect(LLMConfig.custom("", model.config.base_url, "m", api=wire))
        with pytest.raises(ModelUnauthorized, match="key is missing or wrong"):
            other.ask(QUESTION)
    assert seen == [True]


# Endings, thinking, text


@pytest.mark.parametrize(
    ("wire", "said", "ending"),
    [
        ("openai", "stop", "stop"),
        ("openai", "length", "length"),
        ("openai", "content_filter", "refused"),
        ("openai", "sensitive", "refused"),
        ("openai", "tool_calls", "stop"),
        ("openai", None, "stop"),
        ("anthropic", "end_turn", "stop"),
        ("anthropic", "stop_sequence", "stop"),
        ("anthropic", "max_tokens", "length"),
        ("anthropic", "model_context_window_exceeded", "length"),
        ("anthropic", "refusal", "refused"),
        ("anthropic", None, "stop"),
    ],
)
def test_finish_reason_maps_to_ending(wire: str, said: str | None, ending: str) -> None:
    with serving(ScriptedReply("part", ending=said), wire) as (model, _):
        assert model.ask(QUESTION).ending == ending


@both_wires
def test_separate_thinking_is_not_in_the_answer(wire: str) -> None:
    with serving(ScriptedReply('{"x": 1}', reasoning="Hmm, (5, 5)?"), wire) as (model, _):
        assert model.ask(QUESTION).text == '{"x": 1}'


@pytest.mark.parametrize(
    ("message", "text", "ending"),
    [
        ({"content": None, "refusal": "I cannot help with that."}, "I cannot help with that.", "refused"),
        ({"content": None}, "", "stop"),
        ({"content": ""}, "", "stop"),
        ({}, "", "stop"),
        (
            {
                "content": [
                    {"type": "text", "text": "a"},
                    {"type": "thinking", "thinking": "b"},
                    {"type": "text", "text": "c"},
                ]
            },
            "ac",
            "stop",
        ),
        ({"content": [{"type": "text"}, "x", None, 5]}, "", "stop"),
        ({"content": 42}, "", "stop"),
        ({"content": "日本語 🎉 \u202eRTL"}, "日本語 🎉 \u202eRTL", "stop"),
    ],
)
def test_message_variants_are_read(message: dict[str, Any], text: str, ending: str) -> None:
    body = {
        "choices": [{"message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 5, "completion_tokens": 2},
    }
    with serving(ScriptedReply(body=body), "openai") as (model, _):
        reply = model.ask(QUESTION)
    assert (reply.text, reply.ending) == (text, ending)


@both_wires
def test_unencodable_characters_are_replaced(wire: str) -> None:
    with serving(ScriptedReply("ok"), wire) as (model, server):
        model.ask(Prompt(("broken \ud83d name", "nul \0, 钥匙 🔑")))
    assert server.questions[0].text == "broken ? name\nnul \0, 钥匙 🔑"


# Structured output, and servers that do not take a field


def test_schema_is_sent_in_supported_format() -> None:
    prompt = Prompt(("where?",), schema=SCHEMA)
    sent: dict[str, Any] = {}
    for schema in ("json_schema", "json_object", "none"):
        with serving(ScriptedReply("{}"), "openai", schema=schema) as (model, server):
            model.ask(prompt)
        sent[schema] = server.questions[0].body.get("response_format")
    assert sent["json_schema"] == {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": SCHEMA, "strict": True},
    }
    assert sent["json_object"] == {"type": "json_object"}
    assert sent["none"] is None
    with serving(ScriptedReply("{}"), "anthropic") as (model, server):
        model.ask(prompt)
    assert server.questions[0].body["output_config"] == {"format": {"type": "json_schema", "schema": SCHEMA}}


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"x": {}}, "additionalProperties": False},
        {"type": "object", "properties": {"x": {}}, "required": ["x"]},
        {"type": "array", "items": {"type": "object", "properties": {"x": {}}, "required": ["x"]}},
        {"type": "object"},
    ],
)
def test_open_schema_is_sent_as_non_strict(schema: dict[str, Any]) -> None:
    with serving(ScriptedReply("{}"), "openai") as (model, server):
        model.ask(Prompt(("where?",), schema=schema))
    assert server.questions[0].body["response_format"]["json_schema"]["strict"] is False


def refusing(*fields: str, status: int = 400) -> Script:
    """A server that takes none of these fields, and names the first that it finds."""

    def script(asked: Any) -> ScriptedReply:
        sent = json.dumps({name: value for name, value in asked.body.items() if name != "messages"})
        for name in fields:
            if f'"{name}"' in sent:
                return ScriptedReply(
                    f"Unsupported parameter: '{name}' is not supported with this model.", status=status
                )
        return ScriptedReply("fine")

    return script


@pytest.mark.parametrize(
    ("wire", "fields"),
    [
        ("openai", ("temperature",)),
        ("openai", ("max_tokens",)),
        ("openai", ("reasoning_effort", "temperature")),
        ("openai", ("json_schema",)),
        ("openai", ("response_format",)),
        ("openai", ("temperature", "reasoning_effort", "response_format", "max_tokens")),
        ("anthropic", ("temperature",)),
        ("anthropic", ("output_config",)),
        ("anthropic", ("effort", "temperature")),
    ],
)
@pytest.mark.parametrize("status", [400, 422])
def test_unsupported_field_is_omitted_from_later_requests(wire: str, fields: tuple[str, ...], status: int) -> None:
    prompt = Prompt(("where?",), schema=SCHEMA)
    clock = FakeClock()
    with serving(refusing(*fields, status=status), wire, clock, effort="low") as (model, server):
        assert model.ask(prompt).text == "fine"
        asked_first = len(server.questions)
        assert model.ask(prompt).text == "fine"
    assert len(server.questions) == asked_first + 1, "the second question knows already"
    assert clock.now() == FakeClock().now(), "leaving a field out is no retry"
    assert server.questions[-1].text == "where?"


def test_unsupported_schema_falls_back_to_json_object() -> None:
    with serving(refusing("json_schema"), "openai") as (model, server):
        model.ask(Prompt(("where?",), schema=SCHEMA))
    assert [asked.body["response_format"]["type"] for asked in server.questions] == ["json_schema", "json_object"]


def test_complaint_about_unsent_field_is_an_error() -> None:
    complaint = ScriptedReply("temperature and response_format and effort are wrong", status=400)
    with serving(complaint, "openai", schema="none") as (model, server):
        fails(model, ModelRequestInvalid, prompt=Prompt(("where?",), temperature=None))
    assert len(server.questions) == 1


def test_fixed_temperature_models_get_no_temperature() -> None:
    with ModelServer(ScriptedReply("ok")) as server:
        connect(LLMConfig.custom(KEY, server.base_url, "gpt-5.5")).ask(QUESTION)
        connect(LLMConfig.custom(KEY, server.anthropic_url, "claude-sonnet-5-5", api="anthropic")).ask(QUESTION)
    assert not [asked for asked in server.questions if "temperature" in asked.body]


@pytest.mark.parametrize(
    ("name", "effort", "told"),
    [
        ("openai", "low", {"reasoning_effort": "low"}),
        ("deepseek", "low", {"thinking": {"type": "disabled"}}),
        ("deepseek", "high", {"reasoning_effort": "high"}),
        ("moonshot", "low", {"thinking": {"type": "disabled"}}),
        ("qwen", "low", {"enable_thinking": False}),
        ("zhipu", None, {}),
    ],
)
def test_low_effort_is_sent_in_provider_format(name: str, effort: Any, told: dict[str, Any]) -> None:
    with serving(ScriptedReply("there"), "openai", effort=effort) as (model, server):
        model.provider = preset(name)  # as at its address, which is not on this machine
        model.ask(QUESTION)
    sent = server.questions[0].body
    assert {
        field: sent[field] for field in ("reasoning_effort", "thinking", "enable_thinking") if field in sent
    } == told


def test_unsupported_thinking_switch_is_omitted_later() -> None:
    with serving(refusing("thinking"), "openai", effort="low") as (model, server):
        model.provider = preset("moonshot")
        model.ask(QUESTION)
        model.ask(QUESTION)
    assert ["thinking" in asked.body for asked in server.questions] == [True, False, False]


# What it costs


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"prompt_tokens": 900, "completion_tokens": 60, "total_tokens": 960}, (900, 60, 0)),
        (
            {"prompt_tokens": 900, "completion_tokens": 60, "prompt_tokens_details": {"cached_tokens": 512}},
            (900, 60, 512),
        ),
        ({"prompt_tokens": 900, "completion_tokens": 60, "prompt_cache_hit_tokens": 128}, (900, 60, 128)),
        ({"prompt_tokens": 900, "completion_tokens": 60, "cached_tokens": 64}, (900, 60, 64)),
        ({"prompt_tokens": 900, "completion_tokens": 60, "total_tokens": 1460}, (900, 560, 0)),
        (
            {"prompt_tokens": 900, "completion_tokens": 60, "prompt_tokens_details": {"cached_tokens": 5000}},
            (900, 60, 900),
        ),
        ({"prompt_tokens": 900.0, "completion_tokens": 60.0}, (900, 60, 0)),
        ({"prompt_tokens": 900, "completion_tokens": 60, "prompt_tokens_details": None}, (900, 60, 0)),
    ],
)
def test_usage_fields_of_openai_servers_are_read(usage: dict[str, Any], expected: tuple[int, int, int]) -> None:
    with serving(ScriptedReply("there", usage=usage), "openai") as (model, _):
        used = model.ask(QUESTION).usage
    assert (used.tokens_in, used.tokens_out, used.tokens_cached) == expected
    assert used.estimated == 0


def test_usage_fields_of_anthropic_are_read() -> None:
    usage = {
        "input_tokens": 100,
        "cache_read_input_tokens": 800,
        "cache_creation_input_tokens": 50,
        "output_tokens": 60,
    }
    with serving(ScriptedReply("there", usage=usage), "anthropic") as (model, _):
        used = model.ask(QUESTION).usage
    assert (used.tokens_in, used.tokens_out, used.tokens_cached) == (950, 60, 800)


LIES: list[Any] = [None, -5, "many", True, 10**9, 1e300, float("nan"), float("inf"), -0.5, [], {}, 0, 10**400]


@both_wires
@pytest.mark.parametrize("lie", LIES, ids=lambda lie: str(lie)[:12])
def test_implausible_usage_is_replaced_by_estimate(wire: str, lie: object) -> None:
    names = ("prompt_tokens", "completion_tokens") if wire == "openai" else ("input_tokens", "output_tokens")
    with serving(ScriptedReply("x" * 300, usage=dict.fromkeys(names, lie)), wire, price=Price(1, 1)) as (model, _):
        used = model.ask(QUESTION).usage
    assert (used.tokens_in, used.tokens_out) == (1011, 100)
    assert used.estimated == 1
    assert used.cost == pytest.approx(1111 / 1e6)


@both_wires
@pytest.mark.parametrize("usage", [None, "none", 5, ["x"]])
def test_missing_usage_is_estimated(wire: str, usage: Any) -> None:
    def script(asked: Any) -> ScriptedReply:
        reply = (
            {"choices": [{"message": {"content": "hi"}}]}
            if wire == "openai"
            else {"content": [{"type": "text", "text": "hi"}]}
        )
        return ScriptedReply(body=reply | ({} if usage is None else {"usage": usage}))

    with serving(script, wire) as (model, _):
        reply = model.ask(QUESTION)
    assert reply.text == "hi"
    assert reply.usage.estimated == 1
    assert reply.usage.tokens_in > 1000


def test_only_openrouter_reported_cost_is_used() -> None:
    usage = {"prompt_tokens": 900, "completion_tokens": 60, "cost": 0.0042}
    with serving(ScriptedReply("there", usage=usage), "openai") as (model, _):
        assert (model.ask(QUESTION).usage.cost, model.ask(QUESTION).usage.unpriced) == (0.0, 1)
        model._bills = True  # as at openrouter.ai, which is not on this machine
        assert (model.ask(QUESTION).usage.cost, model.ask(QUESTION).usage.unpriced) == (0.0042, 0)


def test_cost_limit_requires_a_price() -> None:
    with ModelServer(ScriptedReply("there", usage={"prompt_tokens": 600_000, "completion_tokens": 10})) as server:
        limits = Limits(cost=0.5)
        unpriced = config_for(server, "openai", limits=limits)
        with pytest.raises(UsageError, match=r"price of test-model .*not known"):
            open_model(unpriced)
        assert (
            open_model(config_for(server, "openai", limits=Limits(cost=0.5, allow_unpriced=True))).ask(QUESTION).text
            == "there"
        )
        model = open_model(config_for(server, "openai", limits=limits, price=Price(1.0, 1.0)))
        model.ask(QUESTION)
        fails(model, BudgetExceeded, r"budget of \$0.5")


def test_roles_share_budget_but_use_own_models() -> None:
    with ModelServer(ScriptedReply("there")) as server:
        planner = config_for(server, "anthropic")
        config = config_for(server, "openai", planner=planner, limits=Limits(calls=2))
        budget = Budget(config.limits)
        open_model(config, "planner", budget).ask(QUESTION)
        open_model(config, "locator", budget).ask(QUESTION)
        with pytest.raises(BudgetExceeded):
            open_model(config, "verifier", budget).ask(QUESTION)
    assert [asked.wire for asked in server.questions] == ["anthropic", "openai"]
    assert budget.spent.calls == 2
    assert budget.spent == Usage(2, 200, 40, unpriced=2, seconds=budget.spent.seconds)


def test_pictures_are_not_sent_to_text_models() -> None:
    with serving(ScriptedReply("plan"), "openai", pictures=False) as (model, server):
        fails(model, ModelRequestInvalid, "takes no pictures")
        assert not server.questions
        assert model.ask(Prompt(("plan it",))).text == "plan"
