"""Local web page with the phone live: streams its picture, takes clicks and typing. 127.0.0.1 only, no dependencies.

Other web pages must not control the phone: a request needs our own Host header (against DNS rebinding), our own Origin if it
has one, no browser header that names another site as its source, and the JSON content type (which a form of another site
cannot send without a preflight request).
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from PIL import Image

from handeye_phone.model import PhoneModel
from handeye_phone.scenario import SCENARIOS, Scenario, ScenarioError

ADDRESS: Final = "127.0.0.1"
MAX_HEAD: Final = 16 * 1024  # browsers' headers stay far below
MAX_BODY: Final = 64 * 1024
REQUEST_TIMEOUT_S: Final = 10.0
MAX_CONNECTIONS: Final = 64
FRAMES_PER_SECOND: Final = 15
_QUALITY: Final = 85
_BOUNDARY: Final = b"handeye-frame"
_PART: Final = b"--" + _BOUNDARY + b"\r\nContent-Type: image/jpeg\r\n\r\n"
_PAGE: Final = Path(__file__).parent / "window.html"
_REASONS: Final = {
    200: "OK",
    204: "No Content",
    400: "Bad Request",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    408: "Request Timeout",
    413: "Content Too Large",
    415: "Unsupported Media Type",
    503: "Service Unavailable",
}


class _Refused(Exception):
    """A refused request: HTTP status and one line with the reason."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


@dataclass(frozen=True, slots=True)
class _Request:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    def json(self) -> dict[str, Any]:
        if self.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise _Refused(415, "send application/json")
        try:
            values = json.loads(self.body)
        except ValueError as error:
            raise _Refused(400, f"not JSON: {error}") from error
        except RecursionError as error:
            raise _Refused(400, "not JSON that is read: nested too deeply") from error
        if not isinstance(values, dict):
            raise _Refused(400, "expected a JSON object")
        return values


class WindowServer:
    """A running page. `url` opens it; `close` ends it and every stream."""

    def __init__(self, model: PhoneModel, set_scenario: Callable[[Scenario], None]) -> None:
        self._model = model
        self._set_scenario = set_scenario
        self._names: list[str] = []
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()
        self._jpeg: tuple[Image.Image, bytes] | None = None
        self.port = 0

    @property
    def url(self) -> str:
        """Address of the page."""
        return f"http://{ADDRESS}:{self.port}/"

    async def start(self, port: int) -> None:
        """Open the port; 0 takes a free one. Raises OSError when it is taken."""
        self._server = await asyncio.start_server(self._accept, ADDRESS, port, limit=MAX_HEAD)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Stop listening and end what is open."""
        if self._server is not None:
            self._server.close()
        for task in list(self._connections):
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        if self._server is not None:
            await self._server.wait_closed()
            self._server = None

    # ---- connections

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            await self._serve(reader, writer)
        except (ConnectionError, asyncio.CancelledError):
            pass  # the browser left, or the server closes
        finally:
            self._connections.discard(task)
            writer.close()
            with contextlib.suppress(ConnectionError, asyncio.CancelledError):
                await writer.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if len(self._connections) > MAX_CONNECTIONS:
                raise _Refused(503, "too many connections")
            async with asyncio.timeout(REQUEST_TIMEOUT_S):
                request = await self._read(reader)
            self._check_origin(request)
            if request.path == "/stream.mjpg":
                await self._stream(reader, writer)
                return
            status, kind, body = self._answer(request)
        except TimeoutError:
            status, kind, body = 408, "text/plain", b"request took too long"
        except _Refused as refused:
            status, kind, body = refused.status, "text/plain; charset=utf-8", str(refused).encode()
        await _reply(writer, status, kind, body)

    async def _read(self, reader: asyncio.StreamReader) -> _Request:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        except asyncio.LimitOverrunError as error:
            raise _Refused(413, "headers too large") from error
        except asyncio.IncompleteReadError as error:
            raise ConnectionResetError("closed in the middle of a request") from error
        first, *lines = head[:-4].split("\r\n")
        words = first.split(" ")
        if len(words) != 3 or not words[2].startswith("HTTP/1."):
            raise _Refused(400, "not an HTTP/1 request")
        headers: dict[str, str] = {}
        for line in lines:
            name, colon, value = line.partition(":")
            if not colon or not name.strip() or name.lower() in headers:
                raise _Refused(400, "malformed or repeated header")
            headers[name.lower()] = value.strip()
        length = headers.get("content-length", "0")
        if "transfer-encoding" in headers or not (length.isascii() and length.isdigit()):
            raise _Refused(400, "send a Content-Length")
        if len(length) > 9 or int(length) > MAX_BODY:
            raise _Refused(413, f"at most {MAX_BODY} bytes")
        try:
            body = await reader.readexactly(int(length))
        except asyncio.IncompleteReadError as error:
            raise ConnectionResetError("closed in the middle of a request") from error
        return _Request(words[0], words[1].partition("?")[0], headers, body)

    def _check_origin(self, request: _Request) -> None:
        ours = {f"{ADDRESS}:{self.port}", f"localhost:{self.port}"}
        if request.headers.get("host", "").lower() not in ours:
            raise _Refused(403, "wrong Host header")
        origin = request.headers.get("origin")
        if origin is not None and origin.lower() not in {f"http://{host}" for host in ours}:
            raise _Refused(403, "foreign Origin")
        # Browsers send this for pictures too, which carry no Origin; other clients do not. A link may lead to the page itself.
        if request.path != "/" and request.headers.get("sec-fetch-site", "none").lower() not in ("none", "same-origin"):
            raise _Refused(403, "asked for by another site")

    # ---- answers

    def _answer(self, request: _Request) -> tuple[int, str, bytes]:
        pages = {"/": self._page, "/frame.png": self._frame, "/state": self._state, "/scenarios": self._scenarios}
        actions = {"/touch": self._touch, "/key": self._key, "/text": self._text, "/scenario": self._scenario}
        if request.path in pages:
            if request.method != "GET":
                raise _Refused(405, "use GET")
            return pages[request.path]()
        if request.path in actions:
            if request.method != "POST":
                raise _Refused(405, "use POST")
            actions[request.path](request.json())
            return 204, "text/plain", b""
        raise _Refused(404, "there is nothing here")

    def _page(self) -> tuple[int, str, bytes]:
        return 200, "text/html; charset=utf-8", _PAGE.read_bytes()

    def _frame(self) -> tuple[int, str, bytes]:
        data = io.BytesIO()
        self._model.frame().save(data, "PNG", compress_level=1)
        return 200, "image/png", data.getvalue()

    def _state(self) -> tuple[int, str, bytes]:
        return 200, "application/json", json.dumps(self._model.state.to_dict(), ensure_ascii=False).encode()

    def _scenarios(self) -> tuple[int, str, bytes]:
        size = self._model.size
        values = {
            "names": [name for name in SCENARIOS if name != "calm"],
            "on": self._names,
            "size": [size.width, size.height],
        }
        return 200, "application/json", json.dumps(values).encode()

    def _touch(self, values: dict[str, Any]) -> None:
        x, y = values.get("x"), values.get("y")
        if not all(isinstance(v, int | float) and not isinstance(v, bool) and 0 <= v <= 1 for v in (x, y)):
            raise _Refused(400, "x and y are parts of the picture, from 0 to 1")
        handlers = {"down": self._model.touch_down, "move": self._model.touch_move, "up": self._model.touch_up}
        handler = handlers.get(str(values.get("type")))
        if handler is None:
            raise _Refused(400, "type is down, move or up")
        size = self._model.size
        handler(float(x or 0) * size.width, float(y or 0) * size.height)

    def _key(self, values: dict[str, Any]) -> None:
        code = values.get("code")
        if type(code) is not int or not 0 <= code < 1000:
            raise _Refused(400, "code is an Android key code")
        self._model.key(code)

    def _text(self, values: dict[str, Any]) -> None:
        text = values.get("text")
        if not isinstance(text, str) or any(0xD800 <= ord(char) <= 0xDFFF for char in text):
            raise _Refused(400, "text is a string")
        self._model.commit(text)

    def _scenario(self, values: dict[str, Any]) -> None:
        names = values.get("names")
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise _Refused(400, "names is a list of scenario names")
        try:
            scenario = Scenario.combine(*names)
        except ScenarioError as error:
            raise _Refused(400, str(error)) from error
        self._names = names
        self._set_scenario(scenario)

    # ---- the stream

    async def _stream(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = _head(200, f"multipart/x-mixed-replace; boundary={_BOUNDARY.decode()}", None)
        writer.write(head + _PART)
        shown: Image.Image | None = None
        left = asyncio.create_task(_has_left(reader))  # a closed connection is noticed only by reading
        try:
            while not left.done():
                picture = self._model.frame()
                if picture is not shown:
                    shown = picture
                    data = await self._encode(picture)
                    # The next part's head goes out at once: Chromium shows a part only when it has seen the next one's.
                    writer.write(data + b"\r\n" + _PART)
                    async with asyncio.timeout(REQUEST_TIMEOUT_S):
                        await writer.drain()
                await asyncio.sleep(1 / FRAMES_PER_SECOND)
        except TimeoutError:
            writer.transport.abort()  # it does not read the stream
        finally:
            left.cancel()

    async def _encode(self, picture: Image.Image) -> bytes:
        """Return a JPEG of half the size, encoded off the event loop and shared by all viewers."""
        if self._jpeg is None or self._jpeg[0] is not picture:
            self._jpeg = (picture, await asyncio.to_thread(_jpeg, picture))
        return self._jpeg[1]


async def _has_left(reader: asyncio.StreamReader) -> None:
    """Return when the other side has closed its connection, or is gone."""
    with contextlib.suppress(ConnectionError):
        while await reader.read(MAX_HEAD):
            pass


def _jpeg(picture: Image.Image) -> bytes:
    data = io.BytesIO()
    picture.convert("RGB").reduce(2).save(data, "JPEG", quality=_QUALITY)
    return data.getvalue()


def _head(status: int, kind: str, length: int | None) -> bytes:
    lines = [
        f"HTTP/1.1 {status} {_REASONS[status]}",
        f"Content-Type: {kind}",
        "Cache-Control: no-store",
        "Connection: close",
        "X-Content-Type-Options: nosniff",
        "X-Frame-Options: DENY",
        "Cross-Origin-Resource-Policy: same-origin",
        "Content-Security-Policy: default-src 'self' 'unsafe-inline'; frame-ancestors 'none'",
    ]
    if length is not None:
        lines.append(f"Content-Length: {length}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


async def _reply(writer: asyncio.StreamWriter, status: int, kind: str, body: bytes) -> None:
    writer.write(_head(status, kind, len(body)) + body)
    await writer.drain()


async def serve_window(
    model: PhoneModel, *, port: int = 0, set_scenario: Callable[[Scenario], None] | None = None
) -> WindowServer:
    """Serve the page on the running loop. `set_scenario` replaces the model's own, if more depends on it."""
    server = WindowServer(model, set_scenario or model.set_scenario)
    await server.start(port)
    return server
