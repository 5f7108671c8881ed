"""
HTTP transport of all requests to model servers: it restricts what is sent, where to, and how much may come back.

The vendors' libraries send their requests with this client. They never get the key: it is added here, to the outgoing
request, and neither that request nor its exceptions are passed back to them.
"""

from __future__ import annotations

import logging
import os
import ssl
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final
from weakref import ref

import httpx2
from httpx2._utils import URLPattern, get_environment_proxies  # NO_PROXY as the library reads it

from handeye._version import __version__
from handeye.errors import ConfigError, HandeyeError, MissingPart
from handeye.forks import register_after_fork
from handeye.models.client.base import INSTALL, TransportError
from handeye.models.client.connections import (
    BoundedBackend,
    NameUnknown,
    NotPrivateAddress,
    ProxyAddress,
    ProxyFailed,
    call_deadline,
)
from handeye.models.client.retry import wait_headers
from handeye.models.config.model_config import LLMConfig
from handeye.models.config.secret import Secret
from handeye.models.config.settings import ENVIRONMENT

# Size limit of a reply in bytes. An answer has some kilobytes; a larger reply is not from a model server, or malicious.
LARGEST_REPLY: Final = 16 << 20
# Timeout for connecting in seconds: a slow mobile link needs 3. Less than a call may take, so that a dead address is retried.
CONNECT_SECONDS: Final = 10.0

# Allow list of request headers. The libraries would add the system and Python version, a retry count, the organisation of
# another provider, and the content of OPENAI_CUSTOM_HEADERS or ANTHROPIC_CUSTOM_HEADERS.
_ALLOWED_HEADERS: Final = frozenset(
    {"host", "accept", "connection", "content-type", "content-length", "transfer-encoding", "anthropic-version"}
)
# Media types that are passed back; of the response headers only these and the waits are. Servers and proxies repeat requests in
# their headers, and the libraries log them. These types show a user what kind of server answered; others are dropped.
_MEDIA_TYPES: Final = frozenset(
    {"application/json", "text/event-stream", "text/html", "text/plain", "text/xml", "application/xml"}
)

Authorize = Callable[[Secret], tuple[str, str]]
"""Function that returns the header with a key, as (name, value)."""


def bearer(key: Secret) -> tuple[str, str]:
    return "authorization", f"Bearer {key.reveal()}"


def x_api_key(key: Secret) -> tuple[str, str]:
    return "x-api-key", key.reveal()


class NotAnswered(httpx2.RequestError):
    """No usable reply arrived. `broken` is the reason; nothing else of the failure is kept."""

    def __init__(self, broken: TransportError) -> None:
        super().__init__(broken.reason)
        self.broken = broken


class ReplyTooLarge(httpx2.RequestError):
    """A reply exceeded `LARGEST_REPLY`."""


class CompressedReply(httpx2.RequestError):
    """A reply is compressed, although identity encoding was requested: a kilobyte may unpack to a gigabyte."""


class GuardedClient(httpx2.Client):
    """
    HTTP client that adds the key to each request, sends nothing that identifies this computer, connects only to the
    requested host (redirects are not followed), and reads replies up to a size limit and within the deadline of the
    whole call.

    The proxy of the environment that applies to the host is used, as httpx2 documents it, but none for plain http: that
    is for the local network, and a proxy would see the unencrypted traffic.
    """

    def __init__(self, config: LLMConfig, authorize: Authorize) -> None:
        self.key = config.key
        self._config = config
        self._authorize = authorize
        self._begin()
        self.after_fork()
        self._has_parents_connections = False
        register_after_fork(self)
        _hide_in_logs(self)

    def after_fork(self) -> None:
        """Mark the connections as the parent's: an answer on one of them could belong to the parent's request."""
        self._has_parents_connections = True
        self._renewing = threading.Lock()

    def _begin(self) -> None:
        """Create the transport, without connections yet."""
        config = self._config
        secure = config.base_url.startswith("https:")
        wrong: HandeyeError | None = None
        try:
            proxy = _Proxy.of_environment(config.base_url) if secure else None
            transport = httpx2.HTTPTransport(
                trust_env=secure,
                # Loading the trusted certificates takes 40 ms, and plain http needs none; this context trusts no certificate.
                verify=True if secure else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
                limits=httpx2.Limits(max_connections=config.concurrency),
                proxy=proxy.url if proxy is not None else None,
            )
        except OSError:
            wrong = _environment_error(_CERTIFICATE_VARIABLES, "a readable file of certificates")
        except ImportError:
            wrong = MissingPart("what a SOCKS proxy of the environment needs (socksio)", INSTALL)
        except (ValueError, httpx2.InvalidURL):
            wrong = _environment_error(
                _PROXY_VARIABLES, "an HTTP or SOCKS proxy, such as http://proxy.example.com:3128"
            )
        if wrong is not None:
            raise wrong  # outside of the handler: the address of a proxy may contain a password
        backend = BoundedBackend(
            only_near=not secure and not config.allow_http, proxy=proxy.address if proxy is not None else None
        )
        transport._pool._network_backend = backend  # the library has no argument for it
        super().__init__(transport=transport, follow_redirects=False, trust_env=False)

    def send(self, request: httpx2.Request, **settings: Any) -> httpx2.Response:
        """Send a request and return its response. The library's `settings` are ignored. Raises NotAnswered."""
        with self._renewing:
            if self._has_parents_connections:
                self._begin()
                self._has_parents_connections = False
        try:
            return self._send_with_deadline(request)
        except httpx2.HTTPError as error:
            broken = transport_failure(error)
        raise NotAnswered(broken)  # outside of the handler, so that the failed request is not its context

    def _send_with_deadline(self, request: httpx2.Request) -> httpx2.Response:
        end = time.monotonic() + request.extensions["timeout"]["read"]
        with call_deadline(end):
            response = super().send(self._outgoing_request(request), stream=True, auth=None, follow_redirects=False)
            try:
                body = _bounded(response)
            finally:
                response.close()
                self.cookies.clear()
        return httpx2.Response(
            response.status_code, headers=_safe_headers(response.headers), content=body, request=request
        )

    def _outgoing_request(self, request: httpx2.Request) -> httpx2.Request:
        """
        Return the outgoing copy of the request: without the library's headers, and with the key. The library keeps the
        original.
        """
        headers = [(name, value) for name, value in request.headers.multi_items() if name.lower() in _ALLOWED_HEADERS]
        headers += [("user-agent", f"handeye/{__version__}"), ("accept-encoding", "identity")]
        if self.key:
            headers.append(self._authorize(self.key))
        return httpx2.Request(
            request.method, request.url, headers=headers, stream=request.stream, extensions=request.extensions
        )


@dataclass(frozen=True, slots=True)
class _Proxy:
    """A proxy of the environment; only `url` contains its password."""

    url: str = field(repr=False)
    address: ProxyAddress

    @classmethod
    def of_environment(cls, base_url: str) -> _Proxy | None:
        """
        Return the proxy of the environment for this address; None if there is none, or NO_PROXY names the host. Raises
        ValueError or httpx2.InvalidURL for an invalid URL.
        """
        asked = httpx2.URL(base_url)
        patterns = sorted((URLPattern(name), url) for name, url in get_environment_proxies().items())
        url = next((url for pattern, url in patterns if pattern.matches(asked)), None)
        if url is None:
            return None
        parts = httpx2.URL(url)
        shown = parts.host if parts.port is None else f"{parts.host}:{parts.port}"
        return cls(url, ProxyAddress(shown, "SOCKS" if parts.scheme.startswith("socks") else "HTTP"))


# Variables of the environment that apply to https. The library does not report which of them is wrong.
_CERTIFICATE_VARIABLES: Final = ("SSL_CERT_FILE", "SSL_CERT_DIR")
_PROXY_VARIABLES: Final = ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "HTTP_PROXY", "http_proxy")


def _environment_error(names: tuple[str, ...], expected: str) -> ConfigError:
    """Return the error for variables that cannot be used; it names those that are set, without their values."""
    wrong = [name for name in names if os.environ.get(name)] or ["the system's setting"]
    return ConfigError(f"{' or '.join(wrong)} cannot be used for https", file=ENVIRONMENT, expected=expected)


def _safe_headers(headers: httpx2.Headers) -> dict[str, str]:
    """Return the needed response headers with normalised values."""
    kept = wait_headers(headers)
    media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
    return kept | {"content-type": media_type} if media_type in _MEDIA_TYPES else kept


def _bounded(response: httpx2.Response) -> bytes:
    if response.headers.get("content-encoding", "identity").strip().lower() not in ("identity", ""):
        raise CompressedReply("compressed", request=response.request)
    chunks: list[bytes] = []
    size = 0
    for chunk in response.iter_raw():
        chunks.append(chunk)
        size += len(chunk)
        if size > LARGEST_REPLY:
            raise ReplyTooLarge("too large", request=response.request)
    return b"".join(chunks)


def call_timeout(seconds: float) -> httpx2.Timeout:
    """Return the timeout of a call that may take `seconds`."""
    return httpx2.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS))


def transport_error_of(error: BaseException) -> TransportError:
    """Return the reason for an exception of a vendor's library."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, NotAnswered):
            return cause.broken
        cause = cause.__cause__ or cause.__context__
    return TransportError("broke off the connection")


def transport_failure(error: httpx2.HTTPError) -> TransportError:
    """Return the reason why no reply arrived: only the kind of failure, without the exception's message."""
    chain: list[BaseException] = [error]
    while (deeper := chain[-1].__cause__ or chain[-1].__context__) is not None:
        chain.append(deeper)
    if (proxy := next((link for link in chain if isinstance(link, ProxyFailed)), None)) is not None:
        return TransportError(
            f"is asked through the proxy {proxy.proxy}, which {proxy.why}; check {_PROXY_SET}", sent=False
        )
    for kind, broken in _REASONS:
        if any(isinstance(link, kind) for link in chain):
            return broken
    return TransportError("broke off the connection")


_PROXY_SET: Final = "HTTPS_PROXY, ALL_PROXY and NO_PROXY"
# The first match counts; specific exceptions come before general ones.
_REASONS: Final[tuple[tuple[type[BaseException], TransportError], ...]] = (
    (
        ReplyTooLarge,
        TransportError(
            f"sent more than {LARGEST_REPLY >> 20} MB, which is no answer; is base_url the API's address?", again=False
        ),
    ),
    (
        CompressedReply,
        TransportError(
            "sent a compressed answer, which was not asked for; is base_url the API's address?", again=False
        ),
    ),
    (
        NotPrivateAddress,
        TransportError(
            "is no address of the local network, and http would send the key and pictures of the screen in clear; use https, "
            "or allow_http=True (LLM_ALLOW_HTTP=1) if the network is yours",
            again=False,
            sent=False,
        ),
    ),
    (
        ssl.SSLCertVerificationError,
        TransportError(
            "has a certificate that this computer does not trust; correct base_url, or install its issuer's",
            again=False,
            sent=False,
        ),
    ),
    (ssl.SSLEOFError, TransportError("broke off the connection", sent=False)),
    (
        ssl.SSLError,
        TransportError("speaks no https there; correct base_url (http:// for a local server)", again=False, sent=False),
    ),
    (httpx2.LocalProtocolError, TransportError("cannot be asked: the request is malformed", again=False, sent=False)),
    (
        httpx2.ProxyError,
        TransportError(f"is behind a proxy that refuses; check {_PROXY_SET}", again=False, sent=False),
    ),
    (
        httpx2.ConnectTimeout,
        TransportError("does not answer: no connection in time; check the address and the network", sent=False),
    ),
    (
        httpx2.TimeoutException,
        TransportError("did not answer in time; raise the timeout (LLM_TIMEOUT), or choose a faster model"),
    ),
    (ConnectionRefusedError, TransportError("refuses the connection; is the server running?", sent=False)),
    (NameUnknown, TransportError("is not known by that name; check base_url and the network", sent=False)),
)


# Loggers to filter: httpcore2 logs the headers of replies, and a server may have repeated the key in them.
_WIRE_LOGS: Final = ("httpcore2.connection", "httpcore2.http11", "httpcore2.http2", "httpcore2.proxy", "httpx2")


class _KeyFilter(logging.Filter):
    """Masks the keys of all clients in the records of the HTTP loggers."""

    def __init__(self) -> None:
        super().__init__()
        # A dict, because `list` copies one in a single step: any thread may log while others open clients and forget them.
        self._clients: dict[ref[GuardedClient], None] = {}

    def hide_key_of(self, client: GuardedClient) -> None:
        self._clients[ref(client, self._forget)] = None

    def _forget(self, gone: ref[GuardedClient]) -> None:
        self._clients.pop(gone, None)

    def filter(self, record: logging.LogRecord) -> bool:
        said = record.getMessage()
        for known in list(self._clients):
            if (client := known()) is not None:
                said = client.key.scrub(said)
        record.msg, record.args = said, ()
        return True


_key_filter: Final = _KeyFilter()


def _hide_in_logs(client: GuardedClient) -> None:
    _key_filter.hide_key_of(client)
    for name in _WIRE_LOGS:
        logging.getLogger(name).addFilter(_key_filter)  # once: a filter that is there already is not added again
