"""Tests of connections: time limits, plain http for local servers only, proxies."""

from __future__ import annotations

import gzip
import socket
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from served import KEY, QUESTION, both_wires, fails, serving

from handeye.clock import Deadline
from handeye.errors import BudgetExceeded, ConfigError, MissingPart, ModelUnreachable, UsageError
from handeye.models import Budget, LLMConfig
from handeye.models.budget import Bounded, Limits
from handeye.models.client.concurrency_limit import limit_for
from handeye.models.client.factory import connect
from handeye.testing.fakes import FakeClock
from handeye.testing.model_server import ModelServer, ScriptedReply

BODY = b'{"choices": [{"message": {"content": "hi"}}], "content": [{"type": "text", "text": "hi"}]}'

FOREVER_S = 60.0  # what ends sooner did not wait for a server that goes on and on, however busy the machine is


@contextmanager
def trickling(head: bytes, trickle: bytes, pause: float) -> Iterator[str]:
    """A server that answers `head`, then `trickle` again and again, a piece every `pause` seconds."""
    stopped = threading.Event()
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with suppress(OSError):
            while True:
                connection, _ = listening.accept()
                threading.Thread(target=answer, args=(connection,), daemon=True).start()

    def answer(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            connection.recv(65536)
            connection.sendall(head)
            while not stopped.wait(pause):
                connection.sendall(trickle)

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        stopped.set()
        listening.close()


@both_wires
@pytest.mark.parametrize(
    ("head", "trickle"),
    [
        (b"", b"H"),
        (b"HTTP/1.1 200 OK\r\n", b"x-more: 1\r\n"),
        (b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5;", b"a"),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n", b" "),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    ],
    ids=["status line", "headers", "chunk header", "body", "interim"],
)
def test_trickling_server_times_out(wire: Any, head: bytes, trickle: bytes) -> None:
    with trickling(head, trickle, 0.05) as address:
        model = connect(LLMConfig.custom(KEY, address, "m", api=wire, timeout=0.4))
        began = time.monotonic()
        fails(model, ModelUnreachable)
        assert time.monotonic() - began < FOREVER_S
        model.close()


def test_slow_name_lookup_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **settings: asked.wait(2 * FOREVER_S) and [])
    began = time.monotonic()
    fails(connect(LLMConfig.custom(KEY, "http://gpu-box:8000/v1", "m", timeout=0.2)), ModelUnreachable)
    assert time.monotonic() - began < FOREVER_S
    asked.set()


@both_wires
def test_nothing_is_sent_after_deadline(wire: str) -> None:
    clock = FakeClock()
    with serving(ScriptedReply("there"), wire, clock) as (model, server):
        fails(model, ModelUnreachable, "no time is left", Deadline(clock, 0.0))
        with pytest.raises(BudgetExceeded, match="0 s"):
            Bounded(model, Budget(Limits(seconds=0.0), clock)).ask(QUESTION)
    assert not server.questions


@both_wires
def test_compressed_answer_is_refused(wire: str) -> None:
    bomb = gzip.compress(b" " * (40 << 20))
    packed = ScriptedReply(body=bomb, headers={"Content-Encoding": "gzip"})
    with serving(packed, wire, FakeClock()) as (model, server):
        fails(model, ModelUnreachable, "compressed answer")
    assert len(server.questions) == 1
    with serving(ScriptedReply(body=BODY, headers={"Content-Encoding": "Identity"}), wire) as (model, _):
        assert model.ask(QUESTION).text == "hi"


def test_request_limit_is_shared_by_server_aliases() -> None:
    with ModelServer(ScriptedReply("there", delay=0.02)) as server:
        names = (server.base_url, server.base_url.replace("127.0.0.1", "localhost"))
        models = [
            connect(LLMConfig.custom(KEY, address, "m", concurrency=most)) for address in names for most in (2, 3)
        ]
        with ThreadPoolExecutor(12) as pool:
            replies = list(pool.map(lambda n: models[n % 4].ask(QUESTION).text, range(32)))
    assert replies == ["there"] * 32
    assert server.most_at_once <= 3


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://localhost:8000/v1", "http://127.0.0.1:8000"),
        ("http://[::1]:8000/v1", "http://127.0.0.2:8000"),
        ("https://A.example/v1", "https://a.example:443/x"),
        ("http://0x7f000001:1/v1", "http://localhost:1/v1"),
    ],
)
def test_addresses_of_one_server_share_a_limit(one: str, other: str) -> None:
    assert limit_for(one) is limit_for(other)
    assert limit_for(one) is not limit_for("http://localhost:9/v1")


@pytest.mark.parametrize(
    "host", ["134744072", "0x08080808", "010.8.8.8", "8.8.2056", "[::ffff:8.8.8.8]", "8.8.8.8", "a.example", "ai."]
)
def test_plain_http_to_public_addresses_is_refused(host: str) -> None:
    with pytest.raises(UsageError, match="in clear"):
        LLMConfig.custom(KEY, f"http://{host}/v1", "m")
    LLMConfig.custom(KEY, f"http://{host}/v1", "m", allow_http=True)


@pytest.mark.parametrize("host", ["gpu-box", "localhost", "2130706433", "10.1", "192.168.1.9", "[::ffff:10.0.0.1]"])
def test_plain_http_to_local_addresses_is_allowed(host: str) -> None:
    LLMConfig.custom(KEY, f"http://{host}:8000/v1", "m")


@pytest.mark.parametrize("name", ["ai", "gpu-box.lan", "models.internal"])
def test_local_name_with_public_address_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = socket.getaddrinfo
    public = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("8.8.8.8", 80))]
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda host, *rest, **more: public if host == name else real(host, *rest, **more)
    )
    fails(
        connect(LLMConfig.custom(KEY, f"http://{name}/v1", "m"), FakeClock()),
        ModelUnreachable,
        "no address of the local",
    )


def test_local_name_connects_to_its_local_address(monkeypatch: pytest.MonkeyPatch) -> None:
    real = socket.getaddrinfo
    with ModelServer(ScriptedReply("there")) as server:
        known = [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, server.port)) for address in ("8.8.8.8", "127.0.0.1")
        ]
        monkeypatch.setattr(
            socket, "getaddrinfo", lambda host, *rest, **more: known if host == "gpu-box" else real(host, *rest, **more)
        )
        model = connect(LLMConfig.custom(KEY, f"http://gpu-box:{server.port}/v1", "m"))
        assert model.ask(QUESTION).text == "there"


def test_missing_usage_counts_at_least_one_token() -> None:
    with serving(ScriptedReply("k", usage=None), "openai") as (model, _):
        usage = model.ask(type(QUESTION)(("?",))).usage
    assert (usage.tokens_in, usage.tokens_out, usage.estimated) == (1, 1, 1)


@both_wires
@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("SSL_CERT_FILE", "/nonexistent/ca.pem", "SSL_CERT_FILE.*certificates"),
        ("SSL_CERT_FILE", __file__, "SSL_CERT_FILE.*certificates"),
        ("ALL_PROXY", "ftp://u:Sup3rSecret@localhost:1", "ALL_PROXY.*HTTP or SOCKS proxy"),
        ("https_proxy", "http://u:Sup3rSecret@[::bad", "https_proxy.*HTTP or SOCKS proxy"),
    ],
)
def test_invalid_proxy_or_certificate_variable_is_reported(
    wire: str, name: str, value: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    api: Any = wire
    with pytest.raises(ConfigError, match=said) as caught:
        connect(LLMConfig.custom(KEY, "https://api.example.com/v1", "m", api=api))
    error = caught.value
    assert error.__traceback__ is not None
    ours = error.__traceback__.tb_next  # without this frame, which holds the value
    report = traceback.TracebackException(type(error), error, ours, capture_locals=True)
    assert "Sup3rSecret" not in "".join(report.format())
    connect(LLMConfig.custom(KEY, "http://localhost:1/v1", "m", api=api)).close()  # plain http has no use for any of it


# Proxies


@contextmanager
def listening_proxy(answers: bytes | None) -> Iterator[int]:
    """Serve `answers` on a port, as a proxy, and yield the port; None hangs up at once."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with suppress(OSError):
            while True:
                connection, _ = listening.accept()
                with connection, suppress(OSError):
                    if answers is not None:
                        connection.recv(65536)
                        connection.sendall(answers)

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield listening.getsockname()[1]
    finally:
        listening.close()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def https_model(wire: str, host: str = "api.example.com", **settings: Any) -> Any:
    return connect(LLMConfig.custom(KEY, f"https://{host}/v1", "m", api=wire, **settings), FakeClock())


@both_wires
@pytest.mark.parametrize("variable", ["HTTPS_PROXY", "all_proxy"])
def test_unreachable_proxy_is_named_in_the_error(wire: str, variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    port = free_port()
    monkeypatch.setenv(variable, f"http://user:Sup3rSecret@127.0.0.1:{port}")
    said = fails(
        https_model(wire), ModelUnreachable, f"through the proxy 127.0.0.1:{port}, which refuses .*HTTPS_PROXY"
    )
    assert "is the server running" not in said
    assert "Sup3rSecret" not in said


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        (None, "broke off the connection"),
        (b"\x05\xff", "speaks no HTTP"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", "speaks no HTTP"),
    ],
)
def test_invalid_proxy_answer_names_the_proxy(
    answers: bytes | None, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with listening_proxy(answers) as port:
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{port}")
        fails(https_model("openai"), ModelUnreachable, f"through the proxy 127.0.0.1:{port}, which {said}")


def test_unknown_proxy_host_is_named_in_the_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*args: object, **settings: object) -> object:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.invalid:3128")
    fails(https_model("openai"), ModelUnreachable, "the proxy proxy.invalid:3128, which is not known by that name")


def test_proxy_authentication_failure_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    with listening_proxy(b"HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n") as port:
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{port}")
        fails(https_model("openai"), ModelUnreachable, "behind a proxy that refuses")


@pytest.mark.parametrize("proxy", ["http://127.0.0.1:{}", "socks5://127.0.0.1:{}", "nonsense://127.0.0.1:{}"])
@pytest.mark.parametrize("none", ["localhost", "*", "other.example,localhost", "127.0.0.0/8"])
def test_no_proxy_overrides_all_proxy(proxy: str, none: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", proxy.format(free_port()))
    monkeypatch.setenv("NO_PROXY", none)
    host = "127.0.0.1" if "/" in none else "localhost"
    fails(
        https_model("openai", f"{host}:{free_port()}"),
        ModelUnreachable,
        "refuses the connection; is the server running",
    )


def test_socks_proxy_without_socksio_raises_missing_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "socksio", None)
    monkeypatch.setenv("ALL_PROXY", "socks5://user:Sup3rSecret@127.0.0.1:1")
    with pytest.raises(MissingPart, match=r"SOCKS proxy.*socksio.*handeye\[llm\]") as caught:
        https_model("openai")
    assert "Sup3rSecret" not in str(caught.value)


def test_failing_socks_proxy_is_named_in_the_error(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("socksio")
    monkeypatch.setenv("ALL_PROXY", f"socks5://127.0.0.1:{free_port()}")
    fails(https_model("openai"), ModelUnreachable, "through the proxy .*, which refuses the connection")
    for answers, said in (
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "speaks no SOCKS"),
        (b"\x05\xff", "a proxy that refuses"),
    ):
        with listening_proxy(answers) as port:
            monkeypatch.setenv("ALL_PROXY", f"socks5h://127.0.0.1:{port}")
            fails(https_model("openai"), ModelUnreachable, said)


@both_wires
def test_unknown_host_error_points_to_base_url(wire: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*args: object, **settings: object) -> object:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    api: Any = wire
    model = connect(LLMConfig.custom(KEY, "http://gpu-box:8000/v1", "m", api=api), FakeClock())
    fails(model, ModelUnreachable, "is not known by that name; check base_url")


@both_wires
def test_https_to_plain_http_server_fails_without_retry(wire: str) -> None:
    with ModelServer(ScriptedReply("there")) as server:
        api: Any = wire
        address = f"https://localhost:{server.port}"
        clock = FakeClock()
        began = clock.now()
        fails(connect(LLMConfig.custom(KEY, address, "m", api=api), clock), ModelUnreachable, "no https there.*http://")
        assert clock.now() == began
