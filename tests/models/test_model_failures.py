"""Tests of the clients with busy, unreachable, slow, broken and hostile servers."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from served import KEY, QUESTION, both_wires, config_for, fails, serving

from handeye.clock import Deadline
from handeye.errors import (
    InvalidReply,
    ModelBusy,
    ModelError,
    ModelRequestInvalid,
    ModelUnauthorized,
    ModelUnreachable,
)
from handeye.models import LLMConfig
from handeye.models.client.factory import connect
from handeye.testing.fakes import FakeClock
from handeye.testing.model_server import ModelServer, ScriptedReply

# Trying again


@both_wires
@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529])
def test_busy_server_is_retried_after_a_wait(wire: str, status: int) -> None:
    clock = FakeClock()
    began = clock.now()
    busy = ScriptedReply("overloaded", status=status)
    with serving([busy, busy, ScriptedReply("there")], wire, clock) as (model, server):
        reply = model.ask(QUESTION)
    assert reply.text == "there"
    assert len(server.questions) == 3
    assert 0.75 <= clock.now() - began <= 1.5, "0.5 s and 1 s, less up to half of each"
    assert reply.usage.seconds == pytest.approx(clock.now() - began)


@both_wires
def test_last_retry_raises_busy_with_attempt_count(wire: str) -> None:
    with serving(ScriptedReply("too many requests", status=429), wire, FakeClock()) as (model, server):
        fails(model, ModelBusy, r"429 for test-model.*too many requests \(asked 4 times\)")
    assert len(server.questions) == 4


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"Retry-After": "3"}, 3.0),
        ({"retry-after-ms": "2500"}, 2.5),
        ({"Retry-After": "Thu, 01 Jan 1970 00:16:47 GMT"}, 7.0),
    ],
)
def test_retry_waits_as_long_as_retry_after(headers: dict[str, str], wait: float) -> None:
    clock = FakeClock()  # its wall clock says 00:16:40 on 1970-01-01
    began = clock.now()
    with serving([ScriptedReply(status=429, headers=headers), ScriptedReply("there")], "openai", clock) as (model, _):
        model.ask(QUESTION)
    assert clock.now() - began == pytest.approx(wait)


@both_wires
def test_wait_beyond_deadline_is_not_started(wire: str) -> None:
    clock = FakeClock()
    began = clock.now()
    busy = ScriptedReply("slow down", status=429, headers={"Retry-After": "600"})
    with serving(busy, wire, clock) as (model, server):
        fails(model, ModelBusy, "asks to wait 600 s, and 30 s are left", Deadline(clock, 30))
    assert clock.now() == began
    assert len(server.questions) == 1


def test_configured_timeout_bounds_retries() -> None:
    clock = FakeClock()
    with serving(ScriptedReply(status=503, headers={"Retry-After": "15"}), "openai", clock, timeout=40.0) as (
        model,
        server,
    ):
        fails(model, ModelBusy, "10 s are left")
    assert len(server.questions) == 3


@both_wires
@pytest.mark.parametrize("cut", ["before", "body"])
def test_broken_connection_is_retried(wire: str, cut: Any) -> None:
    with serving([ScriptedReply("x" * 500, cut=cut), ScriptedReply("there")], wire, FakeClock()) as (model, server):
        assert model.ask(QUESTION).text == "there"
    assert len(server.questions) == 2
    with serving(ScriptedReply("x" * 500, cut=cut), wire, FakeClock()) as (model, server):
        fails(model, ModelUnreachable, r"broke off the connection \(asked 4 times\)")


@both_wires
def test_refused_connection_raises_unreachable(wire: str) -> None:
    with ModelServer(ScriptedReply()) as server:
        config = config_for(server, wire)
    with pytest.raises(ModelUnreachable, match="refuses the connection; is the server running"):
        connect(config, FakeClock()).ask(QUESTION)


@both_wires
@pytest.mark.parametrize("slow", [ScriptedReply("late", delay=30), ScriptedReply("late", drip=0.02)])
def test_slow_server_times_out_without_retry(wire: str, slow: ScriptedReply) -> None:
    with serving(slow, wire, timeout=0.3) as (model, server):
        fails(model, ModelUnreachable, "did not answer in time.*LLM_TIMEOUT")
    assert len(server.questions) == 1


def test_unknown_host_raises_unreachable() -> None:
    config = LLMConfig.custom(KEY, "https://handeye-test.invalid/v1", "m", timeout=20)
    with pytest.raises(ModelUnreachable):
        connect(config, FakeClock()).ask(QUESTION)


@both_wires
def test_concurrent_requests_stay_within_limit(wire: str) -> None:
    with serving(ScriptedReply("there", delay=0.02), wire, concurrency=3) as (model, server):
        second = connect(model.config)
        with ThreadPoolExecutor(12) as pool:
            replies = list(pool.map(lambda n: (model, second)[n % 2].ask(QUESTION).text, range(24)))
    assert replies == ["there"] * 24
    assert server.most_at_once == 3


def test_waiting_for_request_slot_times_out() -> None:
    entered, told = threading.Event(), threading.Event()

    def script(asked: Any) -> ScriptedReply:
        entered.set()
        told.wait(60)
        return ScriptedReply("there")

    with serving(script, "openai", concurrency=1, timeout=120) as (model, _):
        holder = threading.Thread(target=model.ask, args=(QUESTION,))
        holder.start()
        assert entered.wait(60)
        with pytest.raises(ModelBusy, match="1 requests at once"):
            connect(model.config, FakeClock()).ask(QUESTION, Deadline(FakeClock(), 0.01))
        told.set()
        holder.join()


# What servers complain about


@pytest.mark.parametrize(
    ("status", "error", "kind", "said"),
    [
        (
            400,
            {"message": "image too large"},
            ModelRequestInvalid,
            "does not take the request; it says: image too large",
        ),
        (401, {"message": "no"}, ModelUnauthorized, "the key is missing or wrong"),
        (402, {"message": "Insufficient Balance"}, ModelUnauthorized, "no credit.*Insufficient Balance"),
        (403, {"message": "country"}, ModelUnauthorized, "may not do this"),
        (404, {"message": "model not found"}, ModelRequestInvalid, "no such model, or base_url"),
        (413, {"message": "request too large"}, ModelRequestInvalid, "413"),
        (422, {"message": "bad"}, ModelRequestInvalid, "422"),
        (429, {"code": "insufficient_quota", "message": "quota"}, ModelUnauthorized, "no credit"),
        (429, {"code": "1113", "message": "欠费"}, ModelUnauthorized, "no credit.*欠费"),
        (501, {"message": "?"}, ModelRequestInvalid, "501"),
    ],
)
@both_wires
def test_client_errors_map_to_error_types_without_retry(
    wire: str, status: int, error: dict[str, Any], kind: type[ModelError], said: str
) -> None:
    with serving(ScriptedReply(status=status, error=error), wire, FakeClock()) as (model, server):
        fails(model, kind, said)
    assert len(server.questions) == 1


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, {"code": "content_filter", "message": "filtered"}),
        (400, {"code": "data_inspection_failed", "message": "inappropriate"}),
        (400, {"code": "1301", "message": "敏感内容"}),
        (400, {"code": "SensitiveContentDetected.SevereViolation", "message": "no"}),
    ],
)
def test_content_filter_error_is_a_refused_reply(status: int, error: dict[str, Any]) -> None:
    with serving(ScriptedReply(status=status, error=error), "openai") as (model, _):
        reply = model.ask(QUESTION)
    assert (reply.ending, reply.text) == ("refused", error["message"])


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"error": {"code": 429, "message": "upstream limit"}}, ModelBusy),
        ({"error": {"code": 401, "message": "upstream key"}}, ModelUnauthorized),
        ({"error": {"message": "something"}}, ModelRequestInvalid),
        (
            {"choices": [{"error": {"code": 502, "message": "upstream died"}, "message": {"content": "half"}}]},
            ModelBusy,
        ),
        ({"choices": [{"finish_reason": "network_error", "message": {"content": "half"}}]}, ModelBusy),
        ({"error": "plain words"}, ModelRequestInvalid),
    ],
)
def test_error_inside_http_200_is_an_error(body: dict[str, Any], kind: type[ModelError]) -> None:
    with serving(ScriptedReply(body=body), "openai", FakeClock()) as (model, _):
        fails(model, kind)


@pytest.mark.parametrize(
    "body", [b"", b"<html>Bad gateway</html>", b"plain", b"\xff\xfe\x00", b"[" * 100_000, b"{" + b'"a":' * 5]
)
@pytest.mark.parametrize("status", [400, 404])
def test_unformatted_error_bodies_give_printable_messages(body: bytes, status: int) -> None:
    with serving(ScriptedReply(status=status, body=body, content_type="text/html"), "openai") as (model, _):
        said = fails(model, ModelRequestInvalid)
    assert said.isprintable()
    assert len(said) < 700


MALFORMED: list[bytes | dict[str, Any]] = [
    b"",
    b"<!doctype html><title>Welcome to nginx!</title>",
    b'{"choices": [{"mess',
    b"null",
    b"42",
    b'"text"',
    b"[]",
    b"[" * 200_000,
    b'{"a":' * 200_000,
    b'{"n": ' + b"9" * 10_000 + b"}",
    b"\xff\xfe{}",
    {},
    {"choices": []},
    {"choices": None},
    {"choices": "x"},
    {"choices": [None]},
    {"choices": [{"message": None}]},
    {"content": None},
    {"content": "text"},
    {"object": "error"},
]


@both_wires
@pytest.mark.parametrize("body", MALFORMED, ids=lambda body: str(body)[:24])
def test_unreadable_success_is_invalid_reply_without_retry(wire: str, body: Any) -> None:
    with serving(ScriptedReply(body=body), wire, FakeClock()) as (model, server):
        said = fails(model, InvalidReply)
    assert len(server.questions) == 1
    assert said.isprintable()


@both_wires
def test_content_type_of_readable_answer_is_ignored(wire: str) -> None:
    with serving(ScriptedReply("there", content_type="text/plain"), wire) as (model, _):
        assert model.ask(QUESTION).text == "there"


@both_wires
def test_leading_blank_lines_are_ignored(wire: str) -> None:
    answer = {"choices": [{"message": {"content": "hi"}}], "content": [{"type": "text", "text": "hi"}]}
    with serving(ScriptedReply(body=b"\n \n\n" + json.dumps(answer).encode()), wire) as (model, _):
        assert model.ask(QUESTION).text == "hi"


@both_wires
def test_endless_reply_is_aborted(wire: str) -> None:
    with serving(ScriptedReply(body=b" " * (17 << 20)), wire, FakeClock()) as (model, server):
        fails(model, ModelUnreachable, "more than 16 MB")
    assert len(server.questions) == 1


@both_wires
@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_redirects_are_not_followed(wire: str, status: int) -> None:
    with ModelServer(ScriptedReply("stolen")) as other:
        moved = ScriptedReply(status=status, headers={"Location": f"{other.base_url}/chat/completions"})
        with serving(moved, wire) as (model, _):
            fails(model, ModelRequestInvalid, "correct base_url")
    assert not other.questions


def test_cookies_are_not_sent_back() -> None:
    with serving(ScriptedReply("there", headers={"Set-Cookie": "track=1"}), "openai") as (model, server):
        model.ask(QUESTION)
        model.ask(QUESTION)
    assert not [asked for asked in server.questions if "cookie" in asked.headers]


def test_model_name_of_reply_is_used_if_valid() -> None:
    for said, name in (
        ("gpt-5.5-2026-04-23", "gpt-5.5-2026-04-23"),
        ("a\nb", "test-model"),
        ("x" * 500, "test-model"),
        (7, "test-model"),
    ):
        body = {"model": said, "choices": [{"message": {"content": "hi"}}]}
        with serving(ScriptedReply(body=body), "openai") as (model, _):
            assert model.ask(QUESTION).model == name
