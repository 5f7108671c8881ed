"""Tests of the live page over a real socket: content, input, refused requests."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Awaitable, Callable

import pytest
from PIL import Image

from handeye_phone.model import PhoneModel
from handeye_phone.scenario import Scenario
from handeye_phone.window import MAX_BODY, WindowServer, serve_window

DEADLINE_S = 120  # as long as a machine may be busy with something else


def with_window(script: Callable[[WindowServer, PhoneModel], Awaitable[None]]) -> None:
    async def main() -> None:
        model = PhoneModel()
        window = await serve_window(model)
        try:
            async with asyncio.timeout(DEADLINE_S):
                await script(window, model)
        finally:
            await window.close()

    asyncio.run(main())


async def raw(window: WindowServer, data: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", window.port)
    writer.write(data)
    await writer.drain()
    answer = await reader.read()
    writer.close()
    return answer


async def ask(window: WindowServer, path: str, values: object = None, **headers: str) -> tuple[int, bytes]:
    body = b"" if values is None else json.dumps(values).encode()
    lines = {"Host": f"127.0.0.1:{window.port}", "Content-Length": str(len(body))}
    if values is not None:
        lines |= {"Content-Type": "application/json", "Origin": f"http://127.0.0.1:{window.port}"}
    lines |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = f"{'GET' if values is None else 'POST'} {path} HTTP/1.1\r\n"
    head += "".join(f"{name}: {value}\r\n" for name, value in lines.items() if value)
    head_bytes, _, content = (await raw(window, head.encode() + b"\r\n" + body)).partition(b"\r\n\r\n")
    return int(head_bytes.split()[1]), content


def test_page_picture_and_state_are_served():
    async def script(window, model):
        status, page = await ask(window, "/")
        assert status == 200
        assert b"/stream.mjpg" in page
        status, png = await ask(window, "/frame.png")
        assert Image.open(io.BytesIO(png)).size == model.size
        status, state = await ask(window, "/state")
        assert json.loads(state)["app"] == "com.android.launcher3"
        assert (await ask(window, "/scenarios"))[0] == 200
        assert (await ask(window, "/etc/passwd"))[0] == 404
        assert window.url == f"http://127.0.0.1:{window.port}/"

    with_window(script)


def test_touches_keys_and_text_reach_the_phone():
    async def script(window, model):
        model.launch("com.android.chrome")
        width, height = model.size
        place = {"x": 400 / width, "y": 160 / height}
        assert (await ask(window, "/touch", {"type": "down", **place}))[0] == 204
        assert (await ask(window, "/touch", {"type": "up", **place}))[0] == 204
        assert (await ask(window, "/text", {"text": "你好 😀"}))[0] == 204
        assert model.state.focused_text == "你好 😀"
        assert (await ask(window, "/key", {"code": 66}))[0] == 204
        assert model.state.screen == "results"
        assert (await ask(window, "/scenario", {"names": ["dark", "advert"]}))[0] == 204
        assert model.scenario == Scenario(dark=True, advert=True)
        _, listed = await ask(window, "/scenarios")
        assert json.loads(listed)["on"] == ["dark", "advert"]

    with_window(script)


def test_stream_sends_one_frame_per_change():
    async def script(window, model):
        reader, writer = await asyncio.open_connection("127.0.0.1", window.port, limit=2**22)
        writer.write(f"GET /stream.mjpg HTTP/1.1\r\nHost: localhost:{window.port}\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        assert b"multipart/x-mixed-replace" in head
        assert await reader.readuntil(b"\r\n\r\n") == b"--handeye-frame\r\nContent-Type: image/jpeg\r\n\r\n"
        first = await next_frame(reader)
        assert first.size == (540, 1200)
        model.launch("com.android.settings")
        second = await next_frame(reader)
        assert second.tobytes() != first.tobytes()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await next_frame(reader)
        writer.close()

    with_window(script)


async def next_frame(reader: asyncio.StreamReader) -> Image.Image:
    """One part; its end and the head of the next one come with it, or Chromium would not show it yet."""
    data = await reader.readuntil(b"\r\n--handeye-frame\r\nContent-Type: image/jpeg\r\n\r\n")
    return Image.open(io.BytesIO(data))


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 403),
        ({"Host": ""}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Content_Type": "text/plain"}, 415),
        ({"Content_Type": ""}, 415),
        ({"Transfer_Encoding": "chunked"}, 400),
        ({"Content_Length": "-1"}, 400),
        ({"Content_Length": str(MAX_BODY + 1)}, 413),
        ({"Content_Length": "9" * 30}, 413),
        ({"X_Long": "a" * 40_000}, 413),
    ],
)
def test_foreign_origin_and_invalid_requests_are_refused(headers, status):
    async def script(window, model):
        assert (await ask(window, "/key", {"code": 187}, **headers))[0] == status
        assert model.focused_window.endswith("QuickstepLauncher")

    with_window(script)


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("/touch", {"type": "down", "x": 2, "y": 0}),
        ("/touch", {"type": "down", "x": True, "y": 0}),
        ("/touch", {"type": "down"}),
        ("/touch", {"type": "hit", "x": 0, "y": 0}),
        ("/key", {"code": "4"}),
        ("/key", {"code": True}),
        ("/text", {"text": 5}),
        ("/text", {"text": "\ud800"}),
        ("/scenario", {"names": ["rain"]}),
        ("/scenario", {"names": "dark"}),
        ("/key", [4]),
    ],
)
def test_invalid_values_are_refused(path, values):
    async def script(window, model):
        before = model.state
        assert (await ask(window, path, values))[0] == 400
        assert model.state == before

    with_window(script)


@pytest.mark.parametrize(
    "data", [b"\x00\x01\x02\r\n\r\n", b"GET / SPDY\r\n\r\n", b"GET /\r\n\r\n", b"GET / HTTP/1.1\r\nnope\r\n\r\n"]
)
def test_garbage_request_gets_400_and_server_continues(data):
    async def script(window, model):
        assert b" 400 " in await raw(window, data)
        assert (await ask(window, "/state"))[0] == 200

    with_window(script)


def test_wrong_http_methods_are_refused():
    async def script(window, model):
        assert (await ask(window, "/key"))[0] == 405
        assert (await ask(window, "/state", {}))[0] == 405

    with_window(script)


def test_closing_the_window_ends_open_streams():
    async def main() -> None:
        window = await serve_window(PhoneModel())
        reader, writer = await asyncio.open_connection("127.0.0.1", window.port)
        writer.write(f"GET /stream.mjpg HTTP/1.1\r\nHost: 127.0.0.1:{window.port}\r\n\r\n".encode())
        await reader.readuntil(b"\r\n\r\n")
        async with asyncio.timeout(DEADLINE_S):
            await window.close()
            await reader.read()
        writer.close()
        with pytest.raises(OSError):
            await asyncio.open_connection("127.0.0.1", window.port)

    asyncio.run(main())
