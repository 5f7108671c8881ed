"""Tests that a key reaches its server only: no log, error, traceback or report contains it."""

from __future__ import annotations

import gc
import json
import logging
import sys
import threading
import traceback
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import pytest

from handeye.errors import ModelError
from handeye.models import LLMConfig, Picture, Prompt, Reply, open_model
from handeye.models.client.factory import connect
from handeye.models.client.transport import GuardedClient, bearer
from handeye.testing.fakes import FakeClock
from handeye.testing.model_server import ModelRequest, ModelServer, ScriptedReply

KEY = "sk-proj-Zq81xYv9Lm20TtRr"
PIECE = KEY[8:16]
QUESTION = Prompt(("Where?", Picture(b"\x89PNG")), schema={"type": "object"})

ECHOES = {
    "answer": ScriptedReply("fine"),
    "header": ScriptedReply(
        "fine", headers={"X-Request-Echo": f"Bearer {KEY}", "Set-Cookie": f"key={KEY}", "request-id": KEY}
    ),
    "unauthorized": ScriptedReply(f"Incorrect API key provided: {KEY}.", status=401),
    "busy": ScriptedReply(f"{KEY} is over its limit", status=429, headers={"x-request-id": KEY}),
    "invalid": ScriptedReply(f"field {KEY[4:]} unknown", status=400, error={"code": KEY, "param": KEY, "type": KEY}),
    "refused": ScriptedReply(f"{KEY} asked", status=400, error={"code": "content_filter"}),
    "html": ScriptedReply(body=f"<p>Authorization: Bearer {KEY}</p>".encode(), content_type="text/html"),
    "html error": ScriptedReply(status=502, body=f"upstream got x-api-key={KEY}".encode()),
    "fields": ScriptedReply(body={KEY: 1, "error": None}),
    "error in success": ScriptedReply(body={"error": {"message": f"key {KEY[:14]} expired", "code": 401}}),
    "moved": ScriptedReply(status=307, headers={"Location": f"https://evil.example/?key={KEY}"}),
    "cut": ScriptedReply("x" * 100, cut="body"),
    "gone": ScriptedReply(cut="before"),
    "broken header": ScriptedReply("fine", headers={"X-Bad": f"{KEY}\r\n broken {KEY}"}),
    "wrong length": ScriptedReply("fine", headers={"content-length": f"{KEY}"}),
    "content type": ScriptedReply(body=b"hi", content_type=f"text/html; echo={KEY}"),
    "own content type": ScriptedReply("fine", content_type=f"text/{KEY}"),
    "wait": ScriptedReply("fine", headers={"Retry-After": KEY, "Retry-After-Ms": KEY}),
    "wait when busy": ScriptedReply("later", status=429, headers={"Retry-After": f"Fri, 1 Jan 2027 ({KEY}) 00:00 GMT"}),
    "slow": ScriptedReply("late", delay=30),
}


@pytest.mark.parametrize("wire", ["openai", "anthropic"])
@pytest.mark.parametrize("name", ECHOES)
def test_server_echo_never_reveals_the_key(wire: Any, name: str, caplog: pytest.LogCaptureFixture) -> None:
    shown: list[str] = []
    with caplog.at_level(logging.DEBUG), ModelServer(ECHOES[name], key=KEY) as server:
        config = LLMConfig.custom(
            KEY, server.base_url if wire == "openai" else server.anthropic_url, "m", api=wire, timeout=0.5
        )
        model = connect(config, FakeClock())
        shown += [repr(model), repr(config), str(vars(model)), str(config)]
        try:
            reply = model.ask(QUESTION)
        except ModelError as error:
            links = (error.__cause__, error.__context__)
            shown += [str(error), repr(error), str(vars(error)), *described(error)]
        else:
            links = (None, None)
            shown += [repr(reply), json.dumps(asdict(reply))]
        model.close()
    assert links == (None, None), "the library's exception holds the request"
    assert server.questions[0].authorized, "the right key came"
    assert PIECE not in str(server.questions), "the test's server does not keep it either"
    logged = "\n".join(logging.Formatter().format(record) for record in caplog.records)
    assert "httpcore2" in {record.name.partition(".")[0] for record in caplog.records}, "the loggers were on"
    for text in (*shown, logged, str([vars(record) for record in caplog.records])):
        assert PIECE not in text


def described(error: BaseException) -> list[str]:
    """As a crash reporter shows it: with the local variables of every frame."""
    report = traceback.TracebackException.from_exception(error, capture_locals=True)
    return ["".join(report.format(chain=True)), "".join(traceback.format_exception(error))]


@pytest.mark.parametrize("wire", ["openai", "anthropic"])
def test_client_library_never_holds_the_key(wire: Any) -> None:
    with ModelServer(ScriptedReply("fine"), key=KEY) as server:
        model = connect(
            LLMConfig.custom(KEY, server.base_url if wire == "openai" else server.anthropic_url, "m", api=wire)
        )
        model.ask(QUESTION)
        library = vars(model)["_library"]
        assert KEY not in {text for text in reachable(library, depth=6) if isinstance(text, str)}
        model.close()


def reachable(root: object, depth: int) -> list[object]:
    """Objects that an object refers to, at most `depth` steps away, without looking into our own Secret."""
    from handeye.models.config.secret import Secret

    seen: dict[int, object] = {}
    level = [root]
    for _ in range(depth):
        following = [
            found
            for thing in level
            if not isinstance(thing, Secret | type) and type(thing).__name__ not in ("module", "function")
            for found in gc.get_referents(thing)
            if id(found) not in seen
        ]
        seen.update((id(found), found) for found in following)
        level = following
    return list(seen.values())


@pytest.mark.parametrize("wire", ["openai", "anthropic"])
def test_application_tracing_receives_nothing(wire: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The libraries depend on opentelemetry's API and would write spans and send trace ids."""
    from opentelemetry import propagate, trace

    started: list[str] = []

    class Spy(trace.NoOpTracer):
        def start_span(self, name: str, *args: Any, **kwargs: Any) -> trace.Span:
            started.append(name)
            return super().start_span(name, *args, **kwargs)

    class Provider(trace.NoOpTracerProvider):
        def get_tracer(self, *args: Any, **kwargs: Any) -> trace.Tracer:
            return Spy()

    monkeypatch.setattr(trace, "_TRACER_PROVIDER", Provider())
    monkeypatch.setattr(propagate, "inject", lambda carrier, *args, **kwargs: carrier.update(traceparent="00-1-2-01"))
    assert isinstance(trace.get_tracer("x"), Spy), "the spy is in place"
    with ModelServer(ScriptedReply("fine")) as server:
        connect(
            LLMConfig.custom(KEY, server.base_url if wire == "openai" else server.anthropic_url, "m", api=wire)
        ).ask(QUESTION)
    assert not started
    assert "traceparent" not in server.questions[0].headers


def test_two_keys_are_masked_in_all_logs(caplog: pytest.LogCaptureFixture) -> None:
    keys = [f"sk-{letter * 20}" for letter in "ab"]

    def script(asked: ModelRequest) -> ScriptedReply:
        return ScriptedReply("fine", headers={"X-Echo": f"{keys[0]} {keys[1]}"})

    with caplog.at_level(logging.DEBUG), ModelServer(script) as server:
        models = [open_model(LLMConfig.custom(key, server.base_url, "m")) for key in keys]
        threads = [threading.Thread(target=model.ask, args=(QUESTION,)) for model in models]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(server.questions) == 2
    assert "x-echo" in caplog.text.lower()
    assert not [key for key in keys if key in caplog.text]


def test_key_in_answer_is_masked() -> None:
    """The answer may be written to a report."""
    with ModelServer(ScriptedReply(f"my key is {KEY}", reasoning=KEY), key=KEY) as server:
        reply: Reply = connect(LLMConfig.custom(KEY, server.base_url, "m")).ask(QUESTION)
    assert PIECE not in repr(reply)
    assert reply.text.startswith("my key is ")


@pytest.fixture
def switching_often() -> Iterator[None]:
    """Threads take turns a thousand times as often as usual: what can come between two steps does."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(usual / 1000)
    yield
    sys.setswitchinterval(usual)


def test_logging_during_client_creation_is_thread_safe(switching_often: None) -> None:
    """Other threads may log on the HTTP loggers while a client registers its key there."""
    logger = logging.getLogger("httpcore2.http11")
    over = threading.Event()
    broken: list[RuntimeError] = []

    def speak() -> None:
        while not over.is_set():
            try:
                logger.handle(logging.LogRecord(logger.name, logging.DEBUG, __file__, 1, "said", (), None))
            except RuntimeError as error:
                broken.append(error)
                return

    speaking = [threading.Thread(target=speak) for _ in range(3)]
    for thread in speaking:
        thread.start()
    config = LLMConfig.custom(KEY, "http://localhost:1/v1", "m")
    opened = [GuardedClient(config, bearer) for _ in range(400)]
    over.set()
    for thread in speaking:
        thread.join()
    assert len(opened) == 400
    assert not broken
