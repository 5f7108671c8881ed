"""
Local model server with scripted replies, in OpenAI's and Anthropic's wire formats.

>>> with ModelServer(lambda question: ScriptedReply("I see " + question.text)) as server:
...     server.base_url.startswith("http://127.0.0.1:"), len(server.questions)
(True, 0)

It answers `POST .../chat/completions` and `POST .../messages`, streamed on request, and stores the requests without
their keys in `questions`.
"""

from __future__ import annotations

import base64
import binascii
import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, Self

from handeye.models import Picture

WireFormat = Literal["openai", "anthropic"]

# A test's pictures are small; a larger request is a bug in the test.
_LARGEST_REQUEST = 64 << 20


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """
    A request: `body` as received, `text` the texts of all messages joined by newlines, `pictures` in order. `headers`
    have lower-case names, without keys; `authorized` is True if the key was right.
    """

    wire: WireFormat
    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]
    text: str
    pictures: tuple[Picture, ...]
    authorized: bool


@dataclass(frozen=True, slots=True)
class ScriptedReply:
    """
    The server's reply to a request. `ending` and `usage` are used as given ("stop", {"prompt_tokens": 9, ...}; None
    omits them; empty means the wire format's default). `reasoning` is thinking that the wire format separates. `body`
    replaces the whole reply: an object sent as JSON, or bytes. A `status` of 400 and above sends `text` as an error,
    with the fields of `error`.

    The reply is delayed by `delay` seconds. `cut` closes the connection: "before" anything is sent, or in the middle of
    the "body". `drip` is the interval in seconds between single bytes of the body.
    """

    text: str = ""
    ending: str | None = ""
    usage: Mapping[str, Any] | None = field(default_factory=dict)
    reasoning: str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] | bytes | None = None
    content_type: str = "application/json"
    error: Mapping[str, Any] = field(default_factory=dict)
    delay: float = 0.0
    drip: float = 0.0
    cut: Literal["", "before", "body"] = ""


Script = Callable[[ModelRequest], ScriptedReply]


class ModelServer:
    """
    A server on a free loopback port, running inside `with`.

    `script` answers every request, or is a list of replies in order (the last one repeats). With a `key`, requests with
    another one get 401. `most_at_once` is the maximum number of concurrent requests.
    """

    def __init__(self, script: Script | Sequence[ScriptedReply] | ScriptedReply, key: str = "") -> None:
        self.questions: list[ModelRequest] = []
        self.most_at_once = 0
        self._concurrent = 0
        self._key = key
        self._script = _as_script(script)
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.owner = self
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.01,), daemon=True, name="model-server"
        )

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def base_url(self) -> str:
        """Base URL for OpenAI's clients; Anthropic's add `/v1` themselves, see `anthropic_url`."""
        return f"{self.anthropic_url}/v1"

    @property
    def anthropic_url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, asked: ModelRequest) -> ScriptedReply:
        with self._lock:
            self.questions.append(asked)
            self._concurrent += 1
            self.most_at_once = max(self.most_at_once, self._concurrent)
        try:
            if not asked.authorized:
                return ScriptedReply("invalid api key", status=401)
            reply = self._script(asked)
            self.pause(reply.delay)
            return reply
        finally:
            with self._lock:
                self._concurrent -= 1

    def pause(self, seconds: float) -> None:
        """Wait, but not beyond the end of the server."""
        if seconds > 0:
            self._stopped.wait(seconds)

    def authorizes(self, headers: Mapping[str, str]) -> bool:
        given = headers.get("x-api-key") or headers.get("authorization", "").removeprefix("Bearer ")
        return not self._key or given == self._key


def _as_script(script: Script | Sequence[ScriptedReply] | ScriptedReply) -> Script:
    if isinstance(script, ScriptedReply):
        return lambda asked: script
    if callable(script):
        return script
    replies = iter(script)
    last: list[ScriptedReply] = []
    lock = threading.Lock()

    def next_reply(asked: ModelRequest) -> ScriptedReply:
        with lock:
            last[:] = [next(replies, *last)]
            return last[0]

    return next_reply


class _Server(ThreadingHTTPServer):
    owner: ModelServer
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore errors: clients that disconnect are part of the tests."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        owner = self.server.owner
        asked = self._asked(owner)
        if asked is None:
            return
        reply = owner.answer(asked)
        if reply.cut == "before":
            self._hang_up()
        elif asked.body.get("stream") and reply.status < 400 and reply.body is None:
            self._stream(asked, reply)
        else:
            self._whole(asked, reply)

    def _asked(self, owner: ModelServer) -> ModelRequest | None:
        length = int(self.headers.get("content-length") or 0)
        if not 0 <= length <= _LARGEST_REQUEST:
            self.send_error(413)
            return None
        try:
            body = json.loads(self.rfile.read(length))
            wire = _wire_of(self.path)
        except ValueError:
            self.send_error(400)
            return None
        if wire is None:
            self.send_error(404)
            return None
        headers = {name.lower(): value for name, value in self.headers.items()}
        safe_headers = {name: value for name, value in headers.items() if name not in ("authorization", "x-api-key")}
        text, pictures = _content(body)
        return ModelRequest(wire, self.path, safe_headers, body, text, pictures, owner.authorizes(headers))

    def _whole(self, asked: ModelRequest, reply: ScriptedReply) -> None:
        content = reply.body
        if content is None:
            content = _error(asked.wire, reply) if reply.status >= 400 else _message(asked, reply)
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        self._head(reply, {"content-length": str(len(data))})
        if reply.cut == "body":
            self.wfile.write(data[: len(data) // 2])
            self._hang_up()
        elif reply.drip:
            self._drip(data, reply.drip)
        else:
            self.wfile.write(data)

    def _stream(self, asked: ModelRequest, reply: ScriptedReply) -> None:
        self._head(reply, {"transfer-encoding": "chunked", "content-type": "text/event-stream"})
        for event in _events(asked, reply):
            data = event.encode()
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            if reply.cut == "body":
                self._hang_up()
                return
        self.wfile.write(b"0\r\n\r\n")

    def _head(self, reply: ScriptedReply, headers: Mapping[str, str]) -> None:
        self.send_response(reply.status)
        for name, value in ({"content-type": reply.content_type} | dict(headers) | dict(reply.headers)).items():
            self.send_header(name, value)
        self.end_headers()

    def _drip(self, data: bytes, seconds: float) -> None:
        with suppress(OSError):
            for byte in data:
                self.wfile.write(bytes([byte]))
                self.server.owner.pause(seconds)

    def _hang_up(self) -> None:
        self.close_connection = True
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing: requests are stored in `questions`."""


def _wire_of(path: str) -> WireFormat | None:
    plain = path.partition("?")[0].rstrip("/")
    if plain.endswith("/chat/completions"):
        return "openai"
    return "anthropic" if plain.endswith("/messages") else None


def _content(body: Mapping[str, Any]) -> tuple[str, tuple[Picture, ...]]:
    texts: list[str] = []
    pictures: list[Picture] = []
    messages = body.get("messages") or []
    for content in (body.get("system"), *(message.get("content") for message in messages)):
        for part in [content] if isinstance(content, str) else content or []:
            if isinstance(part, str):
                texts.append(part)
            elif part.get("type") == "text":
                texts.append(part["text"])
            elif (picture := _picture(part)) is not None:
                pictures.append(picture)
    return "\n".join(texts), tuple(pictures)


def _picture(part: Mapping[str, Any]) -> Picture | None:
    if part.get("type") == "image_url" and part["image_url"]["url"].startswith("data:"):
        head, _, data = part["image_url"]["url"].partition(";base64,")
        media_type = head.removeprefix("data:")
    elif part.get("type") == "image":
        media_type, data = part["source"]["media_type"], part["source"]["data"]
    else:
        return None
    try:
        return Picture(base64.b64decode(data, validate=True), media_type)
    except binascii.Error:
        return None


def _message(asked: ModelRequest, reply: ScriptedReply) -> dict[str, Any]:
    model = asked.body.get("model", "")
    if asked.wire == "openai":
        message: dict[str, Any] = {"role": "assistant", "content": reply.text}
        if reply.reasoning:
            message["reasoning_content"] = reply.reasoning
        choice = {"index": 0, "message": message, "finish_reason": reply.ending if reply.ending != "" else "stop"}
        made: dict[str, Any] = {"id": "chatcmpl-1", "object": "chat.completion", "model": model, "choices": [choice]}
        usual: Mapping[str, Any] = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    else:
        blocks = [{"type": "thinking", "thinking": reply.reasoning, "signature": ""}] if reply.reasoning else []
        ending = reply.ending if reply.ending != "" else "end_turn"
        made = {"id": "msg_1", "type": "message", "role": "assistant", "model": model, "stop_reason": ending}
        made["content"] = [*blocks, {"type": "text", "text": reply.text}]
        usual = {"input_tokens": 100, "output_tokens": 20}
    if reply.usage is not None:
        made["usage"] = dict(reply.usage or usual)
    return made


def _error(wire: WireFormat, reply: ScriptedReply) -> dict[str, Any]:
    error = {"message": reply.text, "type": "error"} | dict(reply.error)
    return {"type": "error", "error": error} if wire == "anthropic" else {"error": error}


def _events(asked: ModelRequest, reply: ScriptedReply) -> Iterator[str]:
    """Yield the reply as server-sent events, one per word."""
    whole = _message(asked, reply)
    words = [word + " " for word in reply.text.split(" ")[:-1]] + reply.text.split(" ")[-1:]
    if asked.wire == "openai":
        for word in words:
            yield f"data: {json.dumps(_chunk(whole, {'content': word}, None))}\n\n"
        yield f"data: {json.dumps(_chunk(whole, {}, whole['choices'][0]['finish_reason']) | {'usage': whole.get('usage')})}\n\n"
        yield "data: [DONE]\n\n"
        return
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": whole | {"content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        *({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": word}} for word in words),
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": whole["stop_reason"]}, "usage": whole.get("usage") or {}},
        {"type": "message_stop"},
    ]
    for event in events:
        yield f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"


def _chunk(whole: Mapping[str, Any], delta: Mapping[str, Any], ending: str | None) -> dict[str, Any]:
    choice = {"index": 0, "delta": dict(delta), "finish_reason": ending}
    return {"id": whole["id"], "object": "chat.completion.chunk", "model": whole["model"], "choices": [choice]}
