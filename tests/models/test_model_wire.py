"""Property tests of reply parsing: a reply of any shape is an answer, an error or an invalid reply."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handeye.errors import InvalidReply, ModelError
from handeye.models import LLMConfig
from handeye.models.client.base import HttpChat
from handeye.models.client.factory import connect
from handeye.models.client.wire_format import Answer, ApiError, api_error, parsed, strict
from handeye.models.config.secret import Secret

KEY = Secret("sk-proj-Zq81xYv9Lm20TtRr")

WIRE_NAMES = {
    *(
        "choices",
        "message",
        "content",
        "finish_reason",
        "refusal",
        "error",
        "code",
        "metadata",
        "raw",
        "param",
        "type",
        "text",
    ),
    *(
        "usage",
        "prompt_tokens",
        "completion_tokens",
        "total_tokens",
        "prompt_tokens_details",
        "cached_tokens",
        "cost",
        "model",
    ),
    *("stop_reason", "input_tokens", "output_tokens", "cache_read_input_tokens", "detail", "msg"),
}
NAMES = st.sampled_from(sorted(WIRE_NAMES))
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=12),
    st.sampled_from(["stop", "length", "text", "content_filter", "error", "refusal", 429, 10**400, -1, KEY.reveal()]),
)
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES | st.text(max_size=6), inner, max_size=6),
    max_leaves=25,
)
OBJECTS = st.dictionaries(NAMES, JSON, max_size=6)
CHOICE = st.fixed_dictionaries({"message": OBJECTS}, optional={"finish_reason": JSON, "error": JSON})
# Mostly of the right shape, so that the fuzzer reaches the inner parts.
CHOICES = st.fixed_dictionaries(
    {"choices": st.lists(OBJECTS | CHOICE, max_size=2)}, optional={"usage": OBJECTS, "model": JSON, "error": JSON}
)
BLOCKS = st.fixed_dictionaries(
    {"content": st.lists(OBJECTS | LEAVES, max_size=3)}, optional={"usage": OBJECTS, "stop_reason": JSON}
)


@pytest.fixture(scope="module")
def models() -> tuple[HttpChat, HttpChat]:
    return (
        connect(LLMConfig.custom(KEY.reveal(), "http://localhost:1/v1", "m")),
        connect(LLMConfig.custom(KEY.reveal(), "http://localhost:1", "m", api="anthropic")),
    )


@settings(max_examples=60, deadline=None)
@given(body=OBJECTS | CHOICES | BLOCKS)
def test_any_object_is_answer_error_or_invalid_reply(models: tuple[HttpChat, HttpChat], body: dict[str, Any]) -> None:
    for model in models:
        found = model.read(body)
        assert isinstance(found, Answer | ApiError | InvalidReply)
        if isinstance(found, Answer):
            told = found.told
            assert isinstance(found.text, str)
            assert all(
                number is None or 0 <= number <= 10**8
                for number in (told.tokens_in, told.tokens_out, told.tokens_cached)
            )
            assert told.cost is None or 0 <= told.cost <= 1000
        if isinstance(found, ApiError):
            assert_clean(found.error("m", "https://a.example"))


@pytest.mark.parametrize("odd", [{}, {"a": 1}, [], [["stop"]], 7, 1.5, True, None])
def test_finish_reason_of_other_type_is_ignored(models: tuple[HttpChat, HttpChat], odd: object) -> None:
    openai, anthropic = models
    text = {"content": "hi", "refusal": odd}
    found = openai.read({"choices": [{"message": text, "finish_reason": odd}], "usage": odd, "model": odd})
    assert isinstance(found, Answer)
    assert (found.text, found.ending) == ("hi", "stop")
    found = anthropic.read(
        {"content": [{"type": "text", "text": "hi"}], "stop_reason": odd, "usage": odd, "model": odd}
    )
    assert isinstance(found, Answer)
    assert (found.text, found.ending) == ("hi", "stop")


@settings(max_examples=40, deadline=None)
@given(status=st.integers(0, 999), body=JSON)
def test_any_error_body_gives_message_without_key(status: int, body: object) -> None:
    assert_clean(api_error(status, body, KEY).error("m", "https://a.example"))


@settings(max_examples=60, deadline=None)
@given(content=st.binary(max_size=200), media_type=st.text(max_size=20))
def test_any_bytes_are_object_or_invalid_reply(content: bytes, media_type: str) -> None:
    found = parsed(content, media_type, KEY, "https://a.example")
    assert isinstance(found, dict | InvalidReply)


@given(JSON)
def test_strict_accepts_any_schema_value(schema: object) -> None:
    assert strict(schema) in (True, False)


def assert_clean(error: ModelError) -> None:
    assert str(error).isprintable()
    assert KEY.reveal()[8:16] not in str(error)
    assert len(str(error)) < 700
