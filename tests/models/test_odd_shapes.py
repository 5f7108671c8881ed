"""Tests of nonstandard reply shapes: streams, answer fields, errors, required fields, and masked keys."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict
from served import KEY, QUESTION, SCHEMA, both_wires, fails, serving

from handeye.errors import InvalidReply, ModelError, ModelRequestInvalid, ModelUnauthorized
from handeye.models import Prompt, ask_json, check_model
from handeye.models.client.required_fields import fields_required_by
from handeye.models.config.secret import MASK, Secret
from handeye.models.families.lookup import profile_named
from handeye.models.reply.reader import read_reply
from handeye.testing.fakes import FakeClock
from handeye.testing.model_server import ModelRequest, ScriptedReply

QWEN = profile_named("qwen2.5-vl")
CALL = {"name": "click", "arguments": '{"coordinate": [100, 200]}'}
DONE = "data: [DONE]\n\n"


def event(value: object, end: str = "\n\n") -> str:
    return f"data: {json.dumps(value, ensure_ascii=False)}{end}"


def piece(delta: object, reason: str | None = None) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}


def calls(*made: Mapping[str, Any]) -> dict[str, Any]:
    return piece({"tool_calls": list(made)})


def completion(message: Mapping[str, Any]) -> ScriptedReply:
    return ScriptedReply(body={"choices": [{"message": dict(message), "finish_reason": "stop"}]})


def answer(sent: str | bytes, wire: str = "openai") -> str:
    body = sent if isinstance(sent, bytes) else sent.encode()
    with serving(ScriptedReply(body=body, content_type="text/event-stream"), wire, FakeClock()) as (model, _):
        return model.ask(QUESTION).text


# Streams


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\n", "\r\n\r\n", "\n \n"])
@pytest.mark.parametrize("before", ["", "\ufeff", "\ufeff: keep-alive\n", "event: message\nid: 1\n", "retry: 3\n\n"])
def test_stream_events_with_any_line_end_are_read(before: str, end: str) -> None:
    events = (
        event(each, end) for each in (piece({"content": "[1"}), piece({"content": "00, 200]"}), piece({}, "stop"))
    )
    assert answer(f"{before}{''.join(events)}data: [DONE]{end}") == "[100, 200]"


@pytest.mark.parametrize("within", ["\u2028", "\u2029", "\x85", "\x0c", "\x0b", "\x1c", "\x1e"])
def test_only_line_ends_separate_stream_events(within: str) -> None:
    escaped = event(piece({"content": f"a{within}b"}, "stop")).replace(json.dumps(within)[1:-1], within)
    assert answer(escaped + DONE) == f"a{within}b"


def test_multi_line_data_is_one_event() -> None:
    lines = json.dumps(piece({"content": "Hello"}, "stop"), indent=1).splitlines()
    assert answer("".join(f"data: {line}\n" for line in lines) + "\n" + DONE) == "Hello"


def test_full_message_after_chunks_is_not_appended() -> None:
    whole = {"choices": [{"message": {"content": "Hello"}, "finish_reason": "stop"}]}
    assert answer(event(piece({"content": "He"})) + event(piece({"content": "llo"})) + event(whole)) == "Hello"


@pytest.mark.parametrize(
    "lost",
    [
        {"choices": [{"index": 0, "delta": "Hello"}]},
        {"choices": [{"index": 0, "delta": ["Hello"]}]},
        {"choices": 5},
        {"choices": {"a": 1}},
        {"choices": ["Hello"]},
        calls({"index": [1], "function": CALL}),
        piece({"tool_calls": "click"}),
        "Hello",
        ["Hello"],
        42,
    ],
    ids=str,
)
@pytest.mark.parametrize("first", [[], [piece({"content": "He"})]])
def test_malformed_openai_stream_is_invalid_reply(lost: object, first: list[object]) -> None:
    with pytest.raises(InvalidReply, match="a stream"):
        answer("".join(map(event, [*first, lost, piece({}, "stop")])) + DONE)


@pytest.mark.parametrize("line", ['{"choices": []}', 'data {"a": 1}', " data: {}", "00, 200]"])
def test_malformed_stream_line_is_invalid_reply(line: str) -> None:
    with pytest.raises(InvalidReply, match="a stream"):
        answer(f"{event(piece({'content': '[1'}))}{line}\n\n{event(piece({'content': ']'}, 'stop'))}{DONE}")


@pytest.mark.parametrize(
    "lost",
    [
        {"type": "content_block_delta", "index": 0, "delta": "abc"},
        {"type": "content_block_delta", "index": {}, "delta": {"type": "text_delta", "text": "abc"}},
        {"type": "content_block_start", "index": [], "content_block": {"type": "text", "text": "a"}},
        {"type": "content_block_start", "index": 0, "content_block": "abc"},
        {"type": "message_start", "message": {"usage": "many"}},
        {"type": "message_start", "message": "abc"},
        {"type": "message_delta", "delta": [1]},
        {"type": "message_delta", "delta": {}, "usage": [1]},
    ],
    ids=str,
)
def test_malformed_anthropic_stream_is_invalid_reply(lost: object) -> None:
    with pytest.raises(InvalidReply, match="a stream"):
        answer(event(lost) + event({"type": "message_stop"}), "anthropic")


@pytest.mark.parametrize("told", ["find", "read", "check"])
def test_malformed_stream_is_a_failed_check_finding(told: str) -> None:
    sent = event({"choices": [{"index": 0, "delta": told}]}) + DONE
    with serving(ScriptedReply(body=sent.encode()), "openai", FakeClock()) as (model, _):
        check = check_model(model, QWEN)
    assert any("a stream" in each.detail for each in check.findings if not each.ok)


FIRST, SECOND = '{"coordinate": [1, 2]}', '{"coordinate": [3, 4]}'


@pytest.mark.parametrize(
    "pieces",
    [
        [{"function": {"name": "click", "arguments": FIRST}}, {"function": {"name": "click", "arguments": SECOND}}],
        [
            {"function": {"name": "click", "arguments": FIRST[:9]}},
            {"function": {"arguments": FIRST[9:]}},
            {"function": {"name": "click", "arguments": SECOND[:9]}},
            {"function": {"name": "click", "arguments": SECOND[9:]}},
        ],
        [
            {"index": 0, "id": "a", "function": {"name": "click", "arguments": FIRST}},
            {"index": 0, "id": "b", "function": {"name": "click", "arguments": SECOND}},
        ],
        [
            {"id": "a", "function": {"name": "click", "arguments": FIRST[:9]}},
            {"id": "a", "function": {"name": "click", "arguments": FIRST[9:]}},
            {"id": "b", "function": {"name": "click", "arguments": json.loads(SECOND)}},
        ],
        [{"name": "click", "arguments": json.loads(FIRST)}, {"name": "click", "arguments": SECOND}],
        [
            {"index": 0, "function": {"name": "click", "arguments": FIRST}},
            {"index": 1, "function": {"name": "click", "arguments": SECOND}},
        ],
    ],
    ids=["no index", "no index, in pieces", "one index", "ids", "no function", "indexes"],
)
@pytest.mark.parametrize("at_once", [True, False])
def test_streamed_tool_calls_are_kept_separate(pieces: list[dict[str, Any]], at_once: bool) -> None:
    sent = [calls(*pieces)] if at_once else [calls(each) for each in pieces]
    text = answer("".join(map(event, [*sent, piece({}, "tool_calls")])) + DONE)
    told = [json.loads(each) for each in re.findall(r"<tool_call>\n(.*)\n</tool_call>", text)]
    assert told == [{"name": "click", "arguments": json.loads(each)} for each in (FIRST, SECOND)]


@pytest.mark.parametrize("index", [{}, {"index": 0}])
def test_streamed_anthropic_tool_call_is_joined(index: dict[str, int]) -> None:
    begun = {"type": "tool_use", "id": "t", "name": "click", "input": {}}
    events = [
        {"type": "content_block_start", **index, "content_block": begun},
        *({"type": "content_block_delta", **index, "delta": {"type": "input_json_delta", "partial_json": each}}
          for each in (FIRST[:9], FIRST[9:])),
        {"type": "message_stop"},
    ]  # fmt: skip
    assert read_reply(answer("".join(map(event, events)), "anthropic"), QWEN).places[0].numbers == (1, 2)


# The answer in other places


@pytest.mark.parametrize(
    "message",
    [
        {"content": [{"type": "output_text", "text": "[100, 200]"}]},
        {"content": [{"text": "[100, "}, {"text": "200]"}]},
        {"content": ["[100, ", "200]"]},
        {"content": {"type": "text", "text": "[100, 200]"}},
        {"content": {"text": "[100, 200]"}},
        {"content": "", "reasoning_details": [{"type": "reasoning.text", "text": "[100, 200]"}]},
        {"content": "", "reasoning": {"content": "[100, 200]"}},
        {"content": None, "reasoning_content": [{"type": "text", "text": "[100, 200]"}]},
        {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "[100, 200]"}]}]},
        {"content": None, "tool_calls": [CALL]},
        {"content": None, "tool_calls": {"function": CALL}},
        {"content": None, "tool_calls": [{"name": "click", "input": {"coordinate": [100, 200]}}]},
        {"content": [{"type": "tool_use", "name": "click", "input": {"coordinate": [100, 200]}}]},
    ],
    ids=str,
)
def test_answer_is_read_from_any_message_field(message: dict[str, Any]) -> None:
    with serving(completion(message), "openai", FakeClock()) as (model, _):
        assert read_reply(model.ask(QUESTION).text, QWEN).places[0].numbers == (100, 200)
    delta = event(piece(message)) + event(piece({}, "stop")) + DONE
    assert read_reply(answer(delta), QWEN).places[0].numbers == (100, 200)


@pytest.mark.parametrize("choice", [{"text": "[100, 200]"}, {"delta": {"content": "[100, 200]"}}])
def test_answer_outside_the_message_is_read(choice: dict[str, Any]) -> None:
    body = {"choices": [{**choice, "finish_reason": "stop"}]}
    with serving(ScriptedReply(body=body), "openai", FakeClock()) as (model, _):
        assert model.ask(QUESTION).text == "[100, 200]"


@pytest.mark.parametrize("aside", [{"type": "thinking", "thinking": "[1, 2]"}, {"text": "[1, 2]", "thought": True}])
def test_thinking_parts_are_not_in_the_answer(aside: dict[str, Any]) -> None:
    with serving(completion({"content": [aside, {"type": "text", "text": "[3, 4]"}]}), "openai") as (model, _):
        assert model.ask(QUESTION).text == "[3, 4]"


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ({"content": {"boxes": [1, 2]}}, "content"),
        ({"content": None, "tool_calls": "click"}, "tool_calls"),
        ({"content": "", "audio": {"data": "AAAA"}}, "audio"),
    ],
)
def test_unreadable_answer_field_is_named(message: dict[str, Any], said: str) -> None:
    with serving(completion(message), "openai", FakeClock()) as (model, _):
        check = check_model(model, QWEN)
    assert any(f"no answer can be read in its {said}" in each.detail for each in check.findings)


# A server's own words in a success


@both_wires
@pytest.mark.parametrize(
    ("body", "kind", "said"),
    [
        ({"code": 1113, "msg": "余额不足", "success": False}, ModelUnauthorized, "余额不足"),
        ({"choices": None, "base_resp": {"status_code": 1004, "status_msg": "login fail"}}, ModelError, "login fail"),
        ({"error_code": 110, "error_msg": "Access token invalid"}, ModelError, "Access token invalid"),
        ({"code": 401, "message": "no such user"}, ModelUnauthorized, "no such user"),
        ({"success": False, "message": "model is being loaded"}, InvalidReply, "model is being loaded"),
        ({"errors": [{"message": "first"}, {"message": "second"}]}, InvalidReply, "first; second"),
    ],
    ids=str,
)
@pytest.mark.parametrize("streamed", [False, True])
def test_error_object_instead_of_answer_is_reported(
    wire: str, body: dict[str, Any], kind: type[ModelError], said: str, streamed: bool
) -> None:
    sent = (event(body) if streamed else json.dumps(body)).encode()
    with serving(ScriptedReply(body=sent), wire, FakeClock()) as (model, _):
        fails(model, kind, said)


def test_error_object_in_a_stream_is_reported() -> None:
    sent = event(piece({"content": "He"})) + event({"code": 1113, "msg": "余额不足"})
    with pytest.raises(ModelUnauthorized, match="余额不足"):
        answer(sent)


# Complaints and demands


@pytest.mark.parametrize(
    "body",
    [
        {"statusCode": 400, "message": ["property temperature should not exist"], "error": "Bad Request"},
        {"status": 400, "error": "Bad Request", "message": "temperature is unknown", "path": "/v1/chat/completions"},
        {"title": "One or more validation errors occurred.", "errors": {"temperature": ["not allowed"]}},
        {"message": "Validation failed", "errors": [{"field": "temperature", "message": "must not be set"}]},
        {"error": {"message": "Invalid", "errors": [{"path": ["temperature"], "message": "unrecognized"}]}},
        {"detail": [{"loc": "body.temperature", "msg": "extra"}]},
    ],
    ids=["NestJS", "Spring", "ASP.NET", "field", "zod", "loc as text"],
)
def test_field_named_in_framework_error_is_omitted(body: dict[str, Any]) -> None:
    def script(asked: ModelRequest) -> ScriptedReply:
        return ScriptedReply(status=400, body=body) if "temperature" in asked.body else ScriptedReply("fine")

    with serving(script, "openai", FakeClock()) as (model, server):
        assert model.ask(Prompt(("where?",), schema=SCHEMA)).text == "fine"
    assert len(server.questions) == 2


def test_all_parts_of_error_message_are_reported() -> None:
    body = {"statusCode": 400, "message": ["property top should not exist", "a second"], "error": "Bad Request"}
    with serving(ScriptedReply(status=400, body=body), "openai", FakeClock()) as (model, _):
        fails(model, ModelRequestInvalid, "property top should not exist; a second; Bad Request")


@pytest.mark.parametrize(
    "words",
    [
        "Only streaming responses are supported",
        "only streaming is supported",
        "This model supports only stream requests.",
        "Non-streaming is not allowed. Please use streaming",
        "qwq models only support streaming output",
        "请开启流式",
        "请使用流式调用",
        "当前模型仅支持 stream=true",
    ],
)
def test_stream_requirement_is_recognised(words: str) -> None:
    assert fields_required_by(words, {}) == {"stream": True}


@pytest.mark.parametrize(
    "words",
    [
        "response_format is not supported when stream is true",
        "response_format cannot be used with stream=true",
        "stream_options should be set along with stream = true",
        "'stream_options' is only allowed when 'stream' is enabled",
        "该模型不支持 stream=true",
        "当 stream=true 时请设置 stream_options",
        "请关闭流式",
        "请求参数错误",
        "thinking.type must be one of enabled, disabled",
    ],
)
def test_condition_is_not_a_requirement(words: str) -> None:
    assert fields_required_by(words, {}) == {}


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("Thinking mode cannot be disabled for this model; please set thinking.type to enabled", "enabled"),
        ("please set thinking.type = disabled", "disabled"),
        ("please set thinking to enabled", "enabled"),
    ],
)
def test_thinking_requirement_is_recognised(words: str, kind: str) -> None:
    assert fields_required_by(words, {}) == {"thinking": {"type": kind}}


@pytest.mark.parametrize(
    "words",
    [
        "Roles must be user or assistant",
        "Input should be 'user' or 'assistant'",
        'role must be one of ["user", "assistant"]',
        "First message must be from user",
    ],
)
def test_role_restriction_moves_system_prompt_to_user(words: str) -> None:
    def script(asked: ModelRequest) -> ScriptedReply:
        system = any(message["role"] == "system" for message in asked.body["messages"])
        return ScriptedReply(words, status=400) if system else ScriptedReply("fine")

    with serving(script, "openai", FakeClock()) as (model, _):
        assert model.ask(QUESTION).text == "fine"


# The key


class Plan(BaseModel):
    model_config = ConfigDict(extra="forbid")
    goal: str


def shown(reply: ScriptedReply, wire: str) -> str:
    """All that a user gets to see of a reply: the answer, its note, and the errors of both ways of reading it."""
    said = []
    with serving(reply, wire, FakeClock()) as (model, _):
        try:
            asked = model.ask(QUESTION)
            said += [asked.text, asked.note, asked.model]
        except ModelError as error:
            said.append(str(error))
        try:
            said.append(ask_json(model, Prompt(("plan",)), Plan)[0].goal)
        except ModelError as error:
            said.append(str(error))
        said += [each.detail for each in check_model(model, QWEN).findings]
    return "\n".join(said)


ESCAPED = "".join(f"\\u{ord(letter):04X}" for letter in KEY)


@pytest.mark.parametrize(
    "message",
    [
        {"content": None, "tool_calls": [{"function": {"name": KEY, "arguments": "{}"}}]},
        {"content": "", "tool_calls": [{"function": {"name": "a", "arguments": f'{{"a": "{ESCAPED}"}}'}}]},
        {"content": "", KEY: {"a": KEY}},
        {"content": [{"type": KEY, "text": KEY}]},
        {"content": f'{{"goal": "{ESCAPED}"}}'},
        {"content": "", "reasoning": {"content": KEY}},
        {"content": "", "refusal": KEY},
    ],
    ids=["name", "arguments", "field", "part", "escaped", "thinking", "refusal"],
)
@pytest.mark.parametrize("streamed", [False, True])
def test_key_in_any_message_field_is_masked(message: dict[str, Any], streamed: bool) -> None:
    sent = event(piece(message, "stop")) + DONE
    said = shown(ScriptedReply(body=sent.encode()) if streamed else completion(message), "openai")
    assert KEY[:12] not in said
    assert ESCAPED not in said


@pytest.mark.parametrize("name", [KEY, KEY[:20], f"click {KEY[-12:]}", f"a\n{KEY}\x1b[2J"])
def test_note_is_printable_and_masks_the_key(name: str) -> None:
    with serving(completion({"tool_calls": [{"function": {"name": name, "arguments": "{}"}}]}), "openai") as (model, _):
        note = model.ask(QUESTION).note
    assert note.isprintable()
    assert MASK in note
    assert not [start for start in range(len(KEY) - 7) if KEY[start : start + 8] in note]


@both_wires
@pytest.mark.parametrize(
    "body",
    [
        {"code": KEY, "msg": f"bad {KEY}"},
        {KEY: 1},
        {"errors": {KEY: [KEY]}},
        {"choices": KEY, "base_resp": {"status_code": 1, "status_msg": KEY}},
        {"choices": [{"index": KEY, "delta": KEY}]},
        {"type": "content_block_delta", "index": 0, "delta": KEY},
    ],
    ids=["code", "name", "errors", "base_resp", "delta", "block"],
)
@pytest.mark.parametrize("streamed", [False, True])
def test_key_in_any_other_object_is_masked(wire: str, body: dict[str, Any], streamed: bool) -> None:
    sent = (event(body) + DONE if streamed else json.dumps(body)).encode()
    assert KEY[:12] not in shown(ScriptedReply(body=sent), wire)


def test_json_escaped_key_is_masked() -> None:
    key = 'ab"cd\\ef/gh-0123456789'
    assert Secret(key).hide(json.dumps({"a": key})) == f'{{"a": "{MASK}"}}'
    assert Secret(key).hide(r"C:\temp \u0061") == r"C:\temp \u0061"
