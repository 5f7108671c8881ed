"""Tests of servers with deviating OpenAI or Anthropic formats: fields refused or required, answers in other fields."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict
from served import PIXEL, QUESTION, SCHEMA, both_wires, fails, serving

from handeye.errors import ConfigError, InvalidReply, ModelRequestInvalid, ModelUnreachable, UsageError
from handeye.models import LLMConfig, Prompt, ask_json, check_model
from handeye.models.families.lookup import profile_named
from handeye.models.reply.reader import read_reply
from handeye.testing.fakes import FakeClock
from handeye.testing.model_server import ModelRequest, ScriptedReply

RULES = "You look at screens."


def without(
    feature: Callable[[Mapping[str, Any]], bool], status: int, body: Any
) -> Callable[[ModelRequest], ScriptedReply]:
    """A server that answers with an error as long as a request has a feature."""

    def script(asked: ModelRequest) -> ScriptedReply:
        if not feature(asked.body):
            return ScriptedReply("fine")
        sent = body if isinstance(body, bytes) else json.dumps(body).encode()
        return ScriptedReply(status=status, body=sent)

    return script


def has_system(body: Mapping[str, Any]) -> bool:
    return "system" in body or any(message["role"] == "system" for message in body["messages"])


# No role for the rules


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, {"object": "error", "message": "System role not supported", "type": "BadRequestError", "code": 400}),
        (
            500,
            {"error": {"code": 500, "message": "Jinja Exception: System role not supported", "type": "server_error"}},
        ),
        (200, {"error": 'Error rendering prompt with jinja template: "Only user and assistant roles are supported!"'}),
        (400, [{"error": {"code": 400, "message": "Developer instruction is not enabled for models/gemma-3-27b-it"}}]),
        (400, {"message": "Conversation roles must alternate user/assistant/user/assistant/...", "param": None}),
        (
            400,
            {"error": {"message": "Unsupported value: 'messages[0].role' does not support 'system' with this model."}},
        ),
        (422, {"detail": [{"loc": ["body", "messages", 0, "role"], "msg": "Input should be 'user' or 'assistant'"}]}),
        (400, {"error": {"message": "该模型不支持system角色"}}),
    ],
    ids=["vLLM", "llama.cpp", "LM Studio", "Gemini", "Mistral", "o1", "FastAPI", "Chinese"],
)
def test_system_prompt_moves_to_user_message_if_unsupported(status: int, body: Any) -> None:
    with serving(without(has_system, status, body), "openai", FakeClock()) as (model, server):
        assert model.ask(QUESTION).text == "fine"
        assert model.ask(QUESTION).text == "fine"
    assert [has_system(asked.body) for asked in server.questions] == [True, False, False]
    assert server.questions[-1].text == f"{RULES}\nWhere is\nSend?"
    assert [message["role"] for message in server.questions[-1].body["messages"]] == ["user"]
    assert server.questions[-1].pictures == (PIXEL,)


def test_anthropic_system_prompt_moves_to_user_message() -> None:
    body = {"type": "error", "error": {"message": "system: Extra inputs are not permitted"}}
    with serving(without(has_system, 400, body), "anthropic", FakeClock()) as (model, server):
        assert model.ask(QUESTION).text == "fine"
    assert server.questions[-1].text == f"{RULES}\nWhere is\nSend?"


@pytest.mark.parametrize(
    "words", ["internal system error", "your role may not use this model", "operating system busy"]
)
def test_other_system_or_role_errors_are_raised(words: str) -> None:
    with serving(ScriptedReply(words, status=400), "openai") as (model, server):
        fails(model, ModelRequestInvalid, words)
    assert len(server.questions) == 1


def test_text_only_prompt_is_sent_as_string() -> None:
    with serving(ScriptedReply("plan"), "openai") as (model, server):
        model.ask(Prompt(("plan", "it"), system=RULES))
        model.ask(QUESTION)
    assert [type(asked.body["messages"][-1]["content"]) for asked in server.questions] == [str, list]
    assert server.questions[0].text == f"{RULES}\nplan\nit"


# The answer in another place

QWEN = profile_named("qwen2.5-vl")
BOX = '[{"bbox_2d": [100, 200, 140, 240], "label": "Send"}]'


def completion(message: Mapping[str, Any], reason: str = "stop") -> ScriptedReply:
    return ScriptedReply(body={"choices": [{"message": dict(message), "finish_reason": reason}]})


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning", "thinking"])
@pytest.mark.parametrize("content", [None, "", "\n\n"])
def test_answer_in_reasoning_field_is_read(field: str, content: str | None) -> None:
    with serving(completion({"content": content, field: BOX}), "openai") as (model, _):
        reply = model.ask(QUESTION)
    assert read_reply(reply.text, QWEN).places[0].numbers == (100, 200, 140, 240)
    assert field in reply.note


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_truncated_reasoning_is_not_an_answer(field: str) -> None:
    with serving(completion({"content": "", field: f"Perhaps {BOX}? Or"}, "length"), "openai") as (model, _):
        reply = model.ask(QUESTION)
    assert (reply.text, reply.ending) == ("", "length")
    assert "only thought" in reply.note


def test_reasoning_is_ignored_if_content_has_answer() -> None:
    with serving(completion({"content": BOX, "reasoning_content": "[1, 2, 3, 4]"}), "openai") as (model, _):
        reply = model.ask(QUESTION)
    assert (reply.text, reply.note) == (BOX, "")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("computer_use", {"action": "left_click", "coordinate": [100, 200]}),
        ("click", {"coordinate": [100, 200]}),
        ("grounding", {"point_2d": [100, 200]}),
    ],
)
@pytest.mark.parametrize("written", [json.dumps, dict])
def test_coordinates_in_a_tool_call_are_read(
    name: str, arguments: dict[str, Any], written: Callable[[Any], Any]
) -> None:
    call = {"type": "function", "function": {"name": name, "arguments": written(arguments)}}
    with serving(completion({"content": None, "tool_calls": [call]}, "tool_calls"), "openai") as (model, _):
        reply = model.ask(QUESTION)
    assert read_reply(reply.text, QWEN).places[0].numbers == (100, 200)
    assert name in reply.note


def test_function_call_and_tool_use_block_are_read() -> None:
    arguments = {"action": "left_click", "coordinate": [100, 200]}
    older = completion({"content": "", "function_call": {"name": "computer_use", "arguments": json.dumps(arguments)}})
    block = {"type": "tool_use", "id": "t", "name": "computer", "input": arguments}
    newer = ScriptedReply(body={"content": [block], "stop_reason": "tool_use"})
    for wire, reply in (("openai", older), ("anthropic", newer)):
        with serving(reply, wire) as (model, _):
            assert read_reply(model.ask(QUESTION).text, QWEN).places[0].numbers == (100, 200)


def test_text_before_a_tool_call_can_deny_it() -> None:
    call = {"function": {"name": "computer_use", "arguments": '{"action": "left_click", "coordinate": [100, 200]}'}}
    with serving(completion({"content": "I will click Send.", "tool_calls": [call]}), "openai") as (model, _):
        assert read_reply(model.ask(QUESTION).text, QWEN, "Send").places[0].numbers == (100, 200)
    with serving(completion({"content": "I see no Send button.", "tool_calls": [call]}), "openai") as (model, _):
        text = model.ask(QUESTION).text
    with pytest.raises(InvalidReply):
        read_reply(text, QWEN, "Send")


def test_anthropic_answer_in_thinking_block_is_read() -> None:
    body = {"content": [{"type": "thinking", "thinking": BOX, "signature": ""}], "stop_reason": "end_turn"}
    with serving(ScriptedReply(body=body), "anthropic") as (model, _):
        assert read_reply(model.ask(QUESTION).text, QWEN).places[0].numbers == (100, 200, 140, 240)


@pytest.mark.parametrize("name", ["run_shell", "type", "open_url"])
def test_tool_call_with_other_action_is_refused(name: str) -> None:
    call = {"function": {"name": name, "arguments": json.dumps({"command": "rm", "coordinate": [100, 200]})}}
    with serving(completion({"content": None, "tool_calls": [call]}), "openai") as (model, _):
        reply = model.ask(QUESTION)
    with pytest.raises(InvalidReply):
        read_reply(reply.text, QWEN)


# Fields that are demanded


@pytest.mark.parametrize(
    ("words", "sent"),
    [
        ("parameter.enable_thinking must be set to false for non-streaming calls", {"enable_thinking": False}),
        ("parameter.enable_thinking必须设置为false才能进行非流式调用", {"enable_thinking": False}),
        ("The value of the enable_thinking parameter is restricted to True.", {"enable_thinking": True}),
        (
            "chat_template_kwargs.enable_thinking must be false with structured output",
            {"chat_template_kwargs": {"enable_thinking": False}},
        ),
        ("please set chat_template_kwargs={'thinking': false}", {"chat_template_kwargs": {"thinking": False}}),
        ("thinking.type must be disabled for pictures", {"thinking": {"type": "disabled"}}),
    ],
)
def test_required_field_is_sent_after_error(words: str, sent: dict[str, Any]) -> None:
    missing = without(lambda body: not sent.items() <= body.items(), 400, {"error": {"message": words}})
    with serving(missing, "openai", FakeClock()) as (model, server):
        assert model.ask(QUESTION).text == "fine"
        assert model.ask(QUESTION).text == "fine"
    assert len(server.questions) == 3


def test_required_field_from_fastapi_error_is_sent() -> None:
    body = {"detail": [{"type": "missing", "loc": ["body", "chat_template_kwargs"], "msg": "Field required"}]}
    with serving(without(lambda body: "chat_template_kwargs" not in body, 422, body), "openai") as (model, server):
        assert model.ask(QUESTION).text == "fine"
    assert server.questions[-1].body["chat_template_kwargs"] == {"enable_thinking": False}


def test_required_field_is_added_only_once() -> None:
    words = "parameter.enable_thinking must be set to false for non-streaming calls"
    with serving(ScriptedReply(words, status=400), "openai", FakeClock()) as (model, server):
        fails(model, ModelRequestInvalid, "enable_thinking must be set")
    assert len(server.questions) < 4


@pytest.mark.parametrize(
    "words",
    [
        "Please set 'api_base' to http://evil.example",
        "field 'shell' is required",
        "budget_tokens must be set when thinking is enabled",
    ],
)
def test_server_message_cannot_add_unknown_fields(words: str) -> None:
    with serving(ScriptedReply(words, status=400), "openai") as (model, server):
        fails(model, ModelRequestInvalid)
    assert len(server.questions) == 1


# Complaints in FastAPI's form


def refused(field: str, wrap: Callable[[Any], Any]) -> Callable[[ModelRequest], ScriptedReply]:
    body = wrap(
        [{"type": "extra_forbidden", "loc": ["body", field], "msg": "Extra inputs are not permitted", "input": 0}]
    )
    return without(lambda sent: field in sent, 422, body)


WRAPS: list[Callable[[Any], Any]] = [
    lambda mistakes: {"detail": mistakes},
    lambda mistakes: {"object": "error", "message": {"detail": mistakes}, "type": "invalid_request_error"},
    lambda mistakes: {"object": "Error", "detail": mistakes, "message": mistakes, "code": 3001},
    lambda mistakes: {"object": "error", "message": json.dumps({"detail": mistakes})},
    lambda mistakes: {"error": {"message": mistakes}},
]


@pytest.mark.parametrize("wrap", WRAPS)
@pytest.mark.parametrize("field", ["temperature", "max_tokens", "reasoning_effort", "response_format"])
def test_field_named_in_validation_error_is_omitted(field: str, wrap: Callable[[Any], Any]) -> None:
    prompt = Prompt(("where?",), schema=SCHEMA)
    with serving(refused(field, wrap), "openai", FakeClock(), effort="low") as (model, server):
        assert model.ask(prompt).text == "fine"
    assert field not in server.questions[-1].body


@both_wires
def test_validation_errors_are_joined_into_one_message(wire: str) -> None:
    mistakes = [
        {"loc": ["body", "model"], "msg": "Input should be one of 'a', 'b'"},
        {"loc": ["body", "messages", 0, "content"], "msg": "Field required"},
    ]
    with serving(ScriptedReply(status=422, body={"detail": mistakes}), wire) as (model, _):
        said = fails(model, ModelRequestInvalid)
    assert "model: Input should be one of 'a', 'b'; messages.0.content: Field required" in said


# Servers that only stream


def needs_stream(words: str, **reply: Any) -> Callable[[ModelRequest], ScriptedReply]:
    def script(asked: ModelRequest) -> ScriptedReply:
        if not asked.body.get("stream"):
            return ScriptedReply(words, status=400)
        return ScriptedReply("At 10, 20.", **reply)

    return script


@both_wires
@pytest.mark.parametrize(
    "words",
    [
        "This model only support stream mode, please enable the stream parameter to access the model. ",
        "Stream must be set to true",
        "Non-streaming requests are not supported by this gateway",
        "该模型仅支持流式输出",
    ],
)
def test_streaming_only_server_is_read(words: str, wire: str) -> None:
    with serving(needs_stream(words), wire, FakeClock()) as (model, server):
        reply = model.ask(QUESTION)
        assert model.ask(QUESTION).text == "At 10, 20."
    assert (reply.text, reply.ending, reply.model) == ("At 10, 20.", "stop", "test-model")
    assert (reply.usage.tokens_in, reply.usage.tokens_out) == (100, 20)
    assert [bool(asked.body.get("stream")) for asked in server.questions] == [False, True, True]


def sse(*chunks: Any) -> bytes:
    said = (chunk if isinstance(chunk, str) else json.dumps(chunk) for chunk in chunks)
    return "".join(f"data: {each}\n\n" for each in said).encode()


def piece(delta: Mapping[str, Any], reason: str | None = None) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": dict(delta), "finish_reason": reason}]}


@pytest.mark.parametrize(
    ("chunks", "text", "ending"),
    [
        (
            (piece({"role": "assistant", "content": "He"}), piece({"content": "llo"}), piece({}, "stop"), "[DONE]"),
            "Hello",
            "stop",
        ),
        ((piece({"content": "He"}), piece({"content": "llo"}), "[DONE]"), "Hello", "stop"),
        ((piece({"content": "Hel"}), piece({}, "length")), "Hel", "length"),
        ((piece({"reasoning_content": "hm"}), piece({"content": "yes"}), piece({}, "stop")), "yes", "stop"),
        ((piece({"reasoning_content": "y"}), piece({"reasoning_content": "es"}), piece({}, "stop")), "yes", "stop"),
        (({"choices": [{"message": {"content": "all"}, "finish_reason": "stop"}]},), "all", "stop"),
    ],
)
@pytest.mark.parametrize("content_type", ["text/event-stream", "application/json"])
def test_unrequested_stream_is_read(chunks: Any, text: str, ending: str, content_type: str) -> None:
    body = b": keep-alive\n\n" + sse(*chunks)
    with serving(ScriptedReply(body=body, content_type=content_type), "openai") as (model, _):
        reply = model.ask(QUESTION)
    assert (reply.text, reply.ending) == (text, ending)


def test_streamed_tool_call_is_joined() -> None:
    pieces = [
        {"index": 0, "id": "1", "function": {"name": "computer_use", "arguments": ""}},
        {"index": 0, "function": {"arguments": '{"action": "left_click", '}},
        {"index": 0, "function": {"arguments": '"coordinate": [100, 200]}'}},
    ]
    body = sse(*(piece({"tool_calls": [each]}) for each in pieces), piece({}, "tool_calls"), "[DONE]")
    with serving(ScriptedReply(body=body), "openai") as (model, _):
        assert read_reply(model.ask(QUESTION).text, QWEN).places[0].numbers == (100, 200)


def test_truncated_stream_is_not_an_answer() -> None:
    broken = ScriptedReply(body=sse(piece({"content": "[100, 200, 14"})), content_type="text/event-stream")
    with serving([broken, ScriptedReply("whole")], "openai", FakeClock()) as (model, _):
        assert model.ask(QUESTION).text == "whole"
    with serving(broken, "openai", FakeClock()) as (model, _):
        fails(model, ModelUnreachable, "broke off its answer")


def test_error_inside_stream_is_raised() -> None:
    body = sse({"error": {"message": "upstream refused", "code": 400}})
    with serving(ScriptedReply(body=body, content_type="text/event-stream"), "openai") as (model, _):
        fails(model, ModelRequestInvalid, "upstream refused")


# What is said when there is no answer, and answers of a given shape


class Plan(BaseModel):
    model_config = ConfigDict(extra="forbid")
    goal: str


@pytest.mark.parametrize(
    ("message", "reason", "said"),
    [
        (
            {"content": "", "reasoning_content": "Let me see"},
            "length",
            "only thought .*no tokens were left",
        ),
        ({"content": None}, "stop", "is empty|no JSON object"),
        (
            {"content": None, "tool_calls": [{"function": {"name": "search", "arguments": "{}"}}]},
            "stop",
            "calls a tool.*search",
        ),
        ({"content": "", "reasoning": "I have thought about it."}, "stop", "sent the answer as thinking"),
    ],
)
def test_error_explains_what_replaced_the_answer(message: dict[str, Any], reason: str, said: str) -> None:
    with serving(completion(message, reason), "openai") as (model, _):
        with pytest.raises(InvalidReply, match=said):
            ask_json(model, Prompt(("plan",)), Plan)
        check = check_model(model, QWEN)
    finding = next(each for each in check.findings if not each.ok)
    assert re.search(said, finding.detail)


@pytest.mark.parametrize(
    "message",
    [
        {"content": None, "tool_calls": [{"function": {"name": "Plan", "arguments": '{"goal": "x"}'}}]},
        {"content": "", "reasoning_content": '{"goal": "x"}'},
        {"content": "", "reasoning": 'I will answer.\n```json\n{"goal": "x"}\n```'},
    ],
)
def test_json_in_tool_call_or_reasoning_is_read(message: dict[str, Any]) -> None:
    with serving(completion(message), "openai") as (model, _):
        assert ask_json(model, Prompt(("plan",)), Plan)[0].goal == "x"


# Further fields of a request


def configured(**env: str) -> LLMConfig:
    usual = {"CUSTOM_LLM_BASE_URL": "http://localhost:1/v1", "CUSTOM_LLM_MODEL": "m"}
    config = LLMConfig.from_env(usual | env, dotenv=None)
    assert config is not None
    return config


@both_wires
def test_extra_body_is_sent_with_every_request(wire: str) -> None:
    extra = {"chat_template_kwargs": {"enable_thinking": False}, "top_k": 1, "temperature": 0.7}
    with serving(ScriptedReply("fine"), wire, extra_body=extra) as (model, server):
        model.ask(QUESTION)
    assert extra.items() <= server.questions[0].body.items()


def test_extra_body_may_request_a_stream() -> None:
    with serving(needs_stream("no"), "openai", extra_body={"stream": True}) as (model, server):
        assert model.ask(QUESTION).text == "At 10, 20."
    assert len(server.questions) == 1


def test_extra_body_is_read_from_environment_per_role() -> None:
    config = configured(
        LLM_EXTRA_BODY='{"top_k": 1}', HANDEYE_PLANNER_EXTRA_BODY='{"top_k": 2}', HANDEYE_VERIFIER_MODEL="other"
    )
    assert config.extra_body == {"top_k": 1}
    assert config.for_role("planner").extra_body == {"top_k": 2}
    assert config.for_role("planner").model == "m"
    assert config.for_role("verifier").extra_body == {"top_k": 1}


def test_extra_body_values_are_not_in_repr() -> None:
    assert "hidden-value" not in repr(
        LLMConfig.custom("", "http://localhost/v1", "m", extra_body={"a": "hidden-value"})
    )


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("enable_thinking=false", "LLM_EXTRA_BODY is .*expected a JSON object"),
        ('{"enable_thinking": False}', "expected a JSON object"),
        ("[1, 2]", "LLM_EXTRA_BODY.*a list; it must be a JSON object"),
        ("null", "null; it must be a JSON object"),
        ('{"messages": []}', "holds 'messages', which it cannot set"),
        ('{"model": "other"}', "holds 'model', which it cannot set"),
        ('{"top_p": NaN}', "a value that JSON cannot express"),
        ("[" * 100_000, "expected a JSON object"),
    ],
)
def test_invalid_extra_body_variable_is_an_error(value: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        configured(LLM_EXTRA_BODY=value)


@pytest.mark.parametrize("value", [[], "x", {"model": "m"}, {"f": object()}, {1: 2}])
def test_invalid_extra_body_argument_is_an_error(value: Any) -> None:
    with pytest.raises(UsageError, match="extra_body"):
        LLMConfig.custom("", "http://localhost/v1", "m", extra_body=value)
