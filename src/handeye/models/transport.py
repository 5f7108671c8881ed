"""
The one way out to a model's server: what is sent with a request, where it goes, how much may come back.

The clients of the vendors' libraries are given this one to send with. They never learn the key: it is put on here, on the
request that leaves.
"""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Callable
from typing import Any, Final

import httpx2

from handeye._version import __version__
from handeye.models.client import Broken
from handeye.models.secret import Secret

# An answer has some kilobytes. More than this is another kind of server, or a trap.
LARGEST_REPLY: Final = 16 << 20
# Seconds to reach a server: a slow mobile link needs 3. Less than a call may take, so that a dead address is tried again.
CONNECT_SECONDS: Final = 10.0

# All that leaves. The libraries would add which system and Python this is, a retry count, the organisation of another provider,
# and whatever OPENAI_CUSTOM_HEADERS or ANTHROPIC_CUSTOM_HEADERS hold.
_SENT: Final = frozenset(
    {"host", "accept", "connection", "content-type", "content-length", "transfer-encoding", "anthropic-version"}
)


class ReplyTooLarge(httpx2.RequestError):
    """A reply went beyond `LARGEST_REPLY`."""


class GuardedClient(httpx2.Client):
    """
    Sends requests with the header of the key, without anything that tells about this computer, to the host that was asked for
    and no other (redirects are not followed), and reads replies up to a size and within the time of the whole call.

    `authorize` gives the header's name and value. Proxies of the environment are used as httpx2 documents.
    """

    def __init__(self, authorize: Callable[[], tuple[str, str] | None], connections: int) -> None:
        super().__init__(
            follow_redirects=False, limits=httpx2.Limits(max_connections=connections, keepalive_expiry=30.0)
        )
        self._authorize = authorize

    def send(self, request: httpx2.Request, **settings: Any) -> httpx2.Response:
        end = time.monotonic() + (request.extensions.get("timeout", {}).get("read") or 0.0)
        response = super().send(self._dressed(request), stream=True, auth=None, follow_redirects=False)
        try:
            body = _bounded(response, end)
        finally:
            response.close()
            self.cookies.clear()
        headers = [(name, value) for name, value in response.headers.multi_items() if name.lower() not in _DECODED]
        return httpx2.Response(response.status_code, headers=headers, content=body, request=request)

    def _dressed(self, request: httpx2.Request) -> httpx2.Request:
        """A copy without what the library put on, and with the key: the one that leaves. The library keeps the other."""
        headers = [(name, value) for name, value in request.headers.multi_items() if name.lower() in _SENT]
        headers += [("user-agent", f"handeye/{__version__}"), ("accept-encoding", "identity")]
        if (authorization := self._authorize()) is not None:
            headers.append(authorization)
        return httpx2.Request(
            request.method, request.url, headers=headers, stream=request.stream, extensions=request.extensions
        )


# They describe the reply as it was on the wire, not as it is after reading.
_DECODED: Final = frozenset({"content-encoding", "content-length", "transfer-encoding"})


def _bounded(response: httpx2.Response, end: float) -> bytes:
    chunks: list[bytes] = []
    size = 0
    for chunk in response.iter_bytes():
        chunks.append(chunk)
        size += len(chunk)
        if size > LARGEST_REPLY:
            raise ReplyTooLarge(f"the reply is larger than {LARGEST_REPLY >> 20} MB", request=response.request)
        if time.monotonic() > end:  # a server that sends a byte now and then would never run into a read timeout
            raise httpx2.ReadTimeout("the reply did not end in time", request=response.request)
    return b"".join(chunks)


def why_broken(error: Exception) -> Broken:
    """Why no reply came, from the exception of a library; only what kind it is, none of its words."""
    chain = [error]
    while (
        (deeper := chain[-1].__cause__ or chain[-1].__context__) is not None
        and isinstance(deeper, Exception)
        and len(chain) < 8
    ):
        chain.append(deeper)
    if any(isinstance(link, ReplyTooLarge) for link in chain):
        return Broken(
            f"sent more than {LARGEST_REPLY >> 20} MB, which is no answer; is base_url the API's address?", again=False
        )
    if any(isinstance(link, ssl.SSLCertVerificationError) for link in chain):
        return Broken(
            "has a certificate that this computer does not trust; correct base_url, or install the issuer's",
            again=False,
        )
    if any(
        isinstance(link, httpx2.InvalidURL | httpx2.UnsupportedProtocol | httpx2.LocalProtocolError) for link in chain
    ):
        return Broken("cannot be asked: the address or the key is malformed", again=False)
    if any(isinstance(link, httpx2.ConnectTimeout) for link in chain):
        return Broken("does not answer: no connection in time; check the address and the network")
    if any(isinstance(link, httpx2.TimeoutException) for link in chain):
        return Broken("did not answer in time; raise the timeout (LLM_TIMEOUT), or choose a faster model")
    if any(isinstance(link, ConnectionRefusedError) for link in chain):
        return Broken("refuses the connection; is the server running?")
    if any(isinstance(link, socket.gaierror) for link in chain):
        return Broken("is not known by that name; check base_url and the network")
    return Broken("broke off the connection")


def call_timeout(seconds: float) -> httpx2.Timeout:
    """For a call that may take so many seconds."""
    return httpx2.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS))


def bearer(key: Secret) -> Callable[[], tuple[str, str] | None]:
    return lambda: ("authorization", f"Bearer {key.reveal()}") if key else None


def api_key_header(key: Secret) -> Callable[[], tuple[str, str] | None]:
    return lambda: ("x-api-key", key.reveal()) if key else None
