"""
Connections with a deadline for the whole call, so that a server that responds very slowly cannot exceed it.

The library's timeouts apply to single reads. A status line, headers or chunk sizes that arrive byte by byte never
exceed them, and DNS lookup has no timeout at all.
"""

from __future__ import annotations

import ipaddress
import math
import socket
import ssl
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final, Literal

import httpcore2

from handeye.models.config.validation import is_private_address

# Size in bytes of a single write; the deadline is checked between writes.
_PIECE: Final = 16 << 10

_end: Final[ContextVar[float]] = ContextVar("handeye_call_end", default=math.inf)


@contextmanager
def call_deadline(end: float) -> Iterator[None]:
    """Set the deadline `end` (time.monotonic()) for this thread's operations on connections of `BoundedBackend`."""
    token = _end.set(end)
    try:
        yield
    finally:
        _end.reset(token)


class NotPrivateAddress(httpcore2.ConnectError):
    """A local name resolves to a public address."""


class NameUnknown(httpcore2.ConnectError):
    """A name cannot be resolved."""


@dataclass(frozen=True, slots=True)
class ProxyAddress:
    """Address of a proxy, and its protocol."""

    shown: str
    language: Literal["HTTP", "SOCKS"]


# First bytes of a proxy's first response (RFC 9112, 4; RFC 1928, 3).
_BEGINS: Final = {"HTTP": b"HTTP/", "SOCKS": b"\x05"}


class ProxyFailed(httpcore2.ConnectError):
    """A proxy cannot be reached, or does not connect: `proxy` is its address, `why` the failure."""

    def __init__(self, proxy: ProxyAddress, why: str) -> None:
        super().__init__(why)
        self.proxy, self.why = proxy.shown, why


class BoundedBackend(httpcore2.NetworkBackend):
    """
    Connects within the deadline of the call; with `only_near`, only to addresses of this machine and the local network.
    `proxy` is the one that all connections go through: failures before it has connected are its own.
    """

    def __init__(self, *, only_near: bool, proxy: ProxyAddress | None = None) -> None:
        self._connects = httpcore2.SyncBackend()
        self._only_near = only_near
        self._proxy = proxy

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        if self._proxy is None:
            return self._connected(host, port, timeout, local_address, socket_options)
        try:
            stream = self._connected(host, port, timeout, local_address, socket_options)
        except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
            raise ProxyFailed(self._proxy, _why_unreachable(error)) from error
        return _ProxyStream(stream, self._proxy)

    def _connected(
        self,
        host: str,
        port: int,
        timeout: float | None,
        local_address: str | None,
        socket_options: Iterable[Any] | None,
    ) -> httpcore2.NetworkStream:
        end = min(_end.get(), time.monotonic() + (math.inf if timeout is None else timeout))
        addresses = _resolve(host, port, end)
        if self._only_near:
            addresses = [address for address in addresses if is_private_address(ipaddress.ip_address(address))]
            if not addresses:
                raise NotPrivateAddress(host)
        failure: Exception = httpcore2.ConnectTimeout("no connection in time")
        for address in addresses:
            if (left := end - time.monotonic()) <= 0:
                break
            try:
                seconds = None if math.isinf(left) else left
                return _BoundedStream(self._connects.connect_tcp(address, port, seconds, local_address, socket_options))
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure


def _resolve(host: str, port: int, end: float) -> list[str]:
    """
    Return the addresses of a name. The system's lookup may take half a minute: its thread is abandoned when the
    deadline passes.
    """
    found: list[str] = []
    failed: list[Exception] = []

    def look_up() -> None:
        try:
            known = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            found.extend(dict.fromkeys(str(address[0]) for *_, address in known))
        except (OSError, UnicodeError) as error:
            failed.append(error)

    thread = threading.Thread(target=look_up, name="handeye-look-up", daemon=True)
    thread.start()
    thread.join(min(max(0.0, end - time.monotonic()), threading.TIMEOUT_MAX))
    if failed:
        raise NameUnknown(host) from failed[0]
    if not found:
        raise httpcore2.ConnectTimeout("the name was not looked up in time")
    return found


class _BoundedStream(httpcore2.NetworkStream):
    """A connection whose operations time out at the deadline of the call at the latest."""

    def __init__(self, stream: httpcore2.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _left(timeout, httpcore2.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for start in range(0, len(buffer), _PIECE):
            self._stream.write(buffer[start : start + _PIECE], _left(timeout, httpcore2.WriteTimeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        left = _left(timeout, httpcore2.ConnectTimeout)
        return _BoundedStream(self._stream.start_tls(ssl_context, server_hostname, left))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class _ProxyStream(_BoundedStream):
    """A connection to a proxy before the tunnel is established; TLS with the server then starts on it."""

    def __init__(self, stream: httpcore2.NetworkStream, proxy: ProxyAddress) -> None:
        super().__init__(stream)
        self._proxy = proxy
        self._begun = False

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        try:
            came = super().read(max_bytes, timeout)
        except httpcore2.ReadTimeout as error:
            raise ProxyFailed(self._proxy, "does not answer in time") from error
        except httpcore2.ReadError as error:
            raise ProxyFailed(self._proxy, "broke off the connection") from error
        if not came:
            raise ProxyFailed(self._proxy, "broke off the connection")
        if not self._begun and not came.startswith(_BEGINS[self._proxy.language]):
            raise ProxyFailed(self._proxy, f"speaks no {self._proxy.language}")
        self._begun = True
        return came


def _why_unreachable(error: Exception) -> str:
    if isinstance(error, NameUnknown):
        return "is not known by that name"
    if isinstance(error, httpcore2.ConnectTimeout):
        return "does not answer"
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ConnectionRefusedError):
            return "refuses the connection"
        cause = cause.__cause__ or cause.__context__
    return "cannot be reached"


def _left(timeout: float | None, late: type[Exception]) -> float | None:
    left = min(_end.get() - time.monotonic(), math.inf if timeout is None else timeout)
    if left <= 0:
        raise late("the time of the call is over")
    return None if math.isinf(left) else left
