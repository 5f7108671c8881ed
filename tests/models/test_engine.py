"""
Tests of the clients against llama.cpp's server: wire formats, structured output, usage numbers, refusals.

An optional group (`make test-engine`), skipped where the engine is not installed.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any, Literal

import pytest
from llama_engine import KEY, MODEL, Engine, missing, running
from PIL import Image
from pydantic import BaseModel, ConfigDict

from handeye.errors import BudgetExceeded, ModelRequestInvalid, ModelUnauthorized, ModelUnreachable
from handeye.models import Budget, ChatModel, LLMConfig, Picture, Prompt, ask_json, open_model
from handeye.models.budget import Bounded, Limits
from handeye.models.client.factory import connect
from handeye.testing.fakes import FakeClock

pytestmark = pytest.mark.engine

WIRES = ("openai", "anthropic")
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"found": {"type": "boolean"}, "side": {"type": "string", "enum": ["left", "right"]}},
    "required": ["found", "side"],
    "additionalProperties": False,
}
SERVER_QUOTED = r"does not take the request; it says: \w+ .*\w+"
"""Our own words before the server's, which its next release may change."""

# What the chat template adds to a question, and what a question of five words has at most.
FEWEST_TOKENS, MOST_TOKENS = 5, 80


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    if (package := missing()) is not None:
        pytest.skip(f"needs {package}: make engine")
    with running(tmp_path_factory.mktemp("engine") / "log.txt") as engine:
        yield engine


def config(engine: Engine, wire: str, **settings: Any) -> LLMConfig:
    address = engine.address + ("/v1" if wire == "openai" else "")
    return LLMConfig.custom(KEY, address, MODEL, **({"api": wire} | settings))


def model(engine: Engine, wire: str, **settings: Any) -> ChatModel:
    return connect(config(engine, wire, **settings))


def asked(text: str, **settings: Any) -> Prompt:
    return Prompt((text,), **({"max_tokens": 24} | settings))


def picture() -> Picture:
    data = io.BytesIO()
    Image.new("RGB", (64, 48), "teal").save(data, "PNG")
    return Picture(data.getvalue())


@pytest.mark.parametrize("wire", WIRES)
def test_plain_answer_reports_usage(engine: Engine, wire: str) -> None:
    reply = model(engine, wire).ask(asked("What is the capital of France? Answer in one word.", max_tokens=40))
    assert "Paris" in reply.text
    assert reply.ending == "stop"
    assert reply.model == MODEL
    assert reply.usage.calls == 1
    assert FEWEST_TOKENS <= reply.usage.tokens_in <= MOST_TOKENS
    assert 1 <= reply.usage.tokens_out < 40
    assert reply.usage.estimated == 0
    assert reply.usage.seconds > 0


@pytest.mark.parametrize("wire", WIRES)
def test_max_tokens_ends_answer_with_length(engine: Engine, wire: str) -> None:
    reply = model(engine, wire).ask(asked("Write a long story about a river.", max_tokens=8))
    assert reply.ending == "length"
    assert reply.usage.tokens_out == 8
    assert reply.text


@pytest.mark.parametrize("wire", WIRES)
def test_cached_tokens_are_counted_once(engine: Engine, wire: str) -> None:
    asking = model(engine, wire)
    question = asked("Name three colours that begin with the letter B, please.", max_tokens=4)
    first, second = asking.ask(question).usage, asking.ask(question).usage
    assert second.tokens_in == first.tokens_in
    assert FEWEST_TOKENS < second.tokens_cached <= second.tokens_in


def test_both_wires_report_equal_token_counts(engine: Engine) -> None:
    counts = {model(engine, wire).ask(asked("How are you?", max_tokens=4)).usage.tokens_in for wire in WIRES}
    assert len(counts) == 1


def test_answer_follows_json_schema(engine: Engine) -> None:
    reply = model(engine, "openai").ask(asked("Is the sun warm?", schema=SCHEMA, max_tokens=80))
    assert reply.ending == "stop"
    answer = json.loads(reply.text)
    assert set(answer) == {"found", "side"}
    assert isinstance(answer["found"], bool)
    assert answer["side"] in ("left", "right")


class Seen(BaseModel):
    model_config = ConfigDict(extra="forbid")
    found: bool
    side: Literal["left", "right"]
    sure: bool = False


def test_ask_json_fills_every_field(engine: Engine) -> None:
    """The schema that is sent requires optional fields too."""
    seen, usage = ask_json(model(engine, "openai"), asked("Is the sun warm?", max_tokens=80), Seen)
    assert seen.model_fields_set == {"found", "side", "sure"}
    assert usage.tokens_in > FEWEST_TOKENS


def test_without_schema_answer_is_not_json(engine: Engine) -> None:
    """Shows that the test above passes because of the schema and not because of the model."""
    reply = model(engine, "openai", schema="none").ask(asked("Is the sun warm?", schema=SCHEMA, max_tokens=24))
    with pytest.raises(json.JSONDecodeError):
        json.loads(reply.text)


def test_ignored_schema_raises_no_error(engine: Engine) -> None:
    """llama.cpp applies schemas in OpenAI's wire format only; in Anthropic's it accepts and ignores the field."""
    assert model(engine, "anthropic").ask(asked("Is the sun warm?", schema=SCHEMA)).text


@pytest.mark.parametrize("wire", WIRES)
def test_text_only_model_refuses_pictures_without_retry(engine: Engine, wire: str) -> None:
    """llama.cpp reports a server error, which is not retried here."""
    clock = FakeClock()
    asking, began = connect(config(engine, wire), clock), clock.now()
    with pytest.raises(ModelRequestInvalid, match=SERVER_QUOTED):
        asking.ask(Prompt((picture(), "Where is the button?"), max_tokens=24))
    assert clock.now() == began


@pytest.mark.parametrize("wire", WIRES)
def test_wrong_key_raises_unauthorized_without_showing_it(engine: Engine, wire: str) -> None:
    wrong = LLMConfig.custom("sk-wrong-0123456789", config(engine, wire).base_url, MODEL, api=wire)
    with pytest.raises(ModelUnauthorized) as raised:
        connect(wrong).ask(asked("Hello"))
    assert "sk-wrong" not in str(raised.value)
    assert KEY not in str(raised.value)


@pytest.mark.parametrize("wire", WIRES)
def test_too_long_prompt_is_refused(engine: Engine, wire: str) -> None:
    with pytest.raises(ModelRequestInvalid, match=SERVER_QUOTED):
        model(engine, wire).ask(asked("again and " * 3000))


@pytest.mark.parametrize("wire", WIRES)
def test_unicode_prompt_is_accepted(engine: Engine, wire: str) -> None:
    text = "设置 ⚙️ הגדרות \u202eabc\u202c \x07 \ud800 end"
    few = model(engine, wire).ask(asked("end", max_tokens=1)).usage.tokens_in
    assert model(engine, wire).ask(asked(text, max_tokens=1)).usage.tokens_in > few


def test_call_limit_stops_the_next_request(engine: Engine) -> None:
    budget = Budget(Limits(calls=2))
    asking = Bounded(model(engine, "openai"), budget)
    for _ in range(2):
        asking.ask(asked("Hi", max_tokens=2))
    with pytest.raises(BudgetExceeded) as raised:
        asking.ask(asked("Hi", max_tokens=2))
    assert raised.value.limit == "calls"
    assert budget.spent.calls == 2


def test_token_limit_counts_reported_tokens(engine: Engine) -> None:
    budget = Budget(Limits(tokens=FEWEST_TOKENS))
    asking = open_model(config(engine, "anthropic"), budget=budget)
    usage = asking.ask(asked("Hi", max_tokens=2)).usage
    assert budget.spent.tokens_in + budget.spent.tokens_out == usage.tokens_in + usage.tokens_out
    with pytest.raises(BudgetExceeded) as raised:
        asking.ask(asked("Hi", max_tokens=2))
    assert raised.value.limit == "tokens"


def test_slow_answer_times_out(engine: Engine) -> None:
    asking = model(engine, "openai", timeout=0.02)
    with pytest.raises(ModelUnreachable, match="in time"):
        asking.ask(asked("Tell me everything about the history of the sea.", max_tokens=400))


def test_wrong_api_path_is_reported_as_404(engine: Engine) -> None:
    elsewhere = LLMConfig.custom(KEY, engine.address + "/nothing/here", MODEL)
    with pytest.raises(ModelRequestInvalid, match="404"):
        connect(elsewhere).ask(asked("Hello"))
