"""Tests of the test server itself: both wire formats, whole and streamed answers, recorded requests."""

from __future__ import annotations

import http.client
import json
import time
from typing import Any

import anthropic
import openai
import pytest

from handeye.models import Picture
from handeye.testing.model_server import ModelRequest, ModelServer, ScriptedReply

KEY = "sk-test-0123456789"


def post(
    server: ModelServer, path: str, body: object, headers: dict[str, str] | None = None
) -> tuple[int, bytes, dict[str, str]]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    data = body if isinstance(body, bytes) else json.dumps(body)
    connection.request("POST", path, data, {"Content-Type": "application/json", **(headers or {})})
    response = connection.getresponse()
    content = response.read()
    connection.close()
    return response.status, content, {name.lower(): value for name, value in response.getheaders()}


def test_vendor_clients_read_a_whole_answer() -> None:
    with ModelServer(ScriptedReply("I see a button.", ending="length"), key=KEY) as server:
        whole = openai.OpenAI(api_key=KEY, base_url=server.base_url).chat.completions.create(
            model="m", messages=[{"role": "user", "content": "what?"}]
        )
        message = anthropic.Anthropic(api_key=KEY, base_url=server.anthropic_url).messages.create(
            model="m", max_tokens=9, messages=[{"role": "user", "content": "what?"}]
        )
    assert whole.choices[0].message.content == "I see a button."
    assert whole.choices[0].finish_reason == "length"
    assert whole.usage is not None
    assert whole.usage.total_tokens == 120
    assert [block.type for block in message.content] == ["text"]
    assert message.usage.input_tokens == 100
    assert [asked.text for asked in server.questions] == ["what?", "what?"]


def test_vendor_clients_read_a_stream() -> None:
    text = "I see a button, 按钮 🔘, and more."
    with ModelServer(ScriptedReply(text)) as server:
        chunks = openai.OpenAI(api_key=KEY, base_url=server.base_url).chat.completions.create(
            model="m", stream=True, messages=[{"role": "user", "content": "what?"}]
        )
        said = "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
        with anthropic.Anthropic(api_key=KEY, base_url=server.anthropic_url).messages.stream(
            model="m", max_tokens=9, messages=[{"role": "user", "content": "what?"}]
        ) as stream:
            streamed = "".join(stream.text_stream)
            final = stream.get_final_message()
    assert said == streamed == text
    assert final.stop_reason == "end_turn"
    assert final.usage.output_tokens == 20


def test_script_receives_the_request_without_the_key() -> None:
    seen: list[ModelRequest] = []

    def script(asked: ModelRequest) -> ScriptedReply:
        seen.append(asked)
        return ScriptedReply(asked.text.upper())

    content = [
        {"type": "text", "text": "left"},
        {"type": "image_url", "image_url": {"url": "data:image/jpeg;base64,YWJj"}},
        {"type": "image_url", "image_url": {"url": "https://elsewhere.example/x.png"}},
        {"type": "text", "text": "right"},
    ]
    body = {"model": "m", "messages": [{"role": "system", "content": "sys"}, {"role": "user", "content": content}]}
    with ModelServer(script, key=KEY) as server:
        status, answer, _ = post(
            server, "/v1/chat/completions", body, {"Authorization": f"Bearer {KEY}", "X-Api-Key": KEY}
        )
        assert status == 200
        assert json.loads(answer)["choices"][0]["message"]["content"] == "SYS\nLEFT\nRIGHT"
    assert seen == server.questions
    assert seen[0].pictures == (Picture(b"abc", "image/jpeg"),)
    assert (seen[0].wire, seen[0].path, seen[0].authorized) == ("openai", "/v1/chat/completions", True)
    assert KEY not in repr(seen)


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer wrong"}, {"x-api-key": "wrong"}])
def test_wrong_key_gets_401_and_is_recorded(headers: dict[str, str]) -> None:
    with ModelServer(ScriptedReply("secret answer"), key=KEY) as server:
        status, answer, _ = post(server, "/v1/messages", {"model": "m", "messages": []}, headers)
    assert status == 401
    assert b"secret answer" not in answer
    assert not server.questions[0].authorized


def test_replies_come_in_order_and_last_repeats() -> None:
    with ModelServer(
        [ScriptedReply("1"), ScriptedReply("2", status=503, headers={"Retry-After": "7"}), ScriptedReply("3")]
    ) as server:
        answers = [post(server, "/chat/completions", {"messages": []}) for _ in range(4)]
    assert [status for status, _, _ in answers] == [200, 503, 200, 200]
    assert json.loads(answers[1][1]) == {"error": {"message": "2", "type": "error"}}
    assert answers[1][2]["retry-after"] == "7"
    assert json.loads(answers[3][1])["choices"][0]["message"]["content"] == "3"


def test_reply_may_have_any_body_and_status() -> None:
    with ModelServer(ScriptedReply(body=b"<html>", content_type="text/html", status=200)) as server:
        assert post(server, "/v1/messages", {"messages": []})[1] == b"<html>"
    with ModelServer(ScriptedReply(body={"x": 1}, status=418)) as server:
        assert post(server, "/v1/messages", {"messages": []})[:2] == (418, b'{"x": 1}')


@pytest.mark.parametrize("cut", ["before", "body"])
@pytest.mark.parametrize("stream", [False, True])
def test_cut_connection_raises_in_the_client(cut: Any, stream: bool) -> None:
    with (
        ModelServer(ScriptedReply("a long answer of many words", cut=cut)) as server,
        pytest.raises((http.client.HTTPException, OSError)),
    ):
        post(server, "/chat/completions", {"messages": [], "stream": stream})


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [("/v1/embeddings", {}, 404), ("/v1/chat/completions", b"no json", 400), ("/v1/chat/completions", b"\xff", 400)],
)
def test_invalid_requests_get_an_error_status(path: str, body: object, status: int) -> None:
    with ModelServer(ScriptedReply("x")) as server:
        assert post(server, path, body)[0] == status
    assert not server.questions


def test_server_is_local_and_stops_during_delayed_answer() -> None:
    began = time.monotonic()
    with ModelServer(ScriptedReply("late", delay=600)) as server:
        assert server.base_url.startswith("http://127.0.0.1:")
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        connection.request("POST", "/v1/messages", "{}")
        while not server.questions:
            assert time.monotonic() - began < 60
    connection.close()
    assert time.monotonic() - began < 60
