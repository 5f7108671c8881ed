"""Client for Anthropic's messages API."""

from __future__ import annotations

import base64
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from handeye.clock import Clock
from handeye.errors import InvalidReply, MissingPart
from handeye.models.chat import Ending, Picture, Prompt
from handeye.models.client.base import INSTALL, NO_KEY, NO_SYSTEM, HttpChat, Response, TransportError, user_content
from handeye.models.client.streaming import joined_blocks
from handeye.models.client.wire_format import (
    Answer,
    ApiError,
    ServerUsage,
    member,
    no_answer,
    read_message,
    reported_tokens,
    well_formed,
)
from handeye.models.config.model_config import LLMConfig

try:
    import anthropic

    from handeye.models.client.transport import GuardedClient, call_timeout, transport_error_of, x_api_key
except ImportError as error:
    raise MissingPart("the client library for Anthropic's models (anthropic)", INSTALL) from error

_ENDINGS: dict[str, Ending] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refused",
}


class AnthropicChat(HttpChat):
    """See `HttpChat`. Raises MissingPart (when imported) without the `anthropic` library."""

    fields: ClassVar[Mapping[str, str]] = {
        "system": rf"^ *system\b|{NO_SYSTEM}",
        "temperature": "temperature",
        "effort": "effort|output_config",
        "schema": "output_config|output_format|schema|structured output",
    }

    def __init__(self, config: LLMConfig, clock: Clock | None = None, **settings: Any) -> None:
        super().__init__(config, clock, **settings)
        # The library gets a placeholder and does not look for a key; GuardedClient adds the real one to each request.
        self._library = anthropic.Anthropic(
            api_key=NO_KEY,
            webhook_key="",
            base_url=config.base_url,
            max_retries=0,
            http_client=GuardedClient(config, x_api_key),
            open_telemetry={"traces": False, "propagation": False},
        )
        weakref.finalize(self, self._library.close)

    def close(self) -> None:
        self._library.close()

    def body(self, prompt: Prompt, given_up: frozenset[str]) -> dict[str, Any]:
        message = {"role": "user", "content": [_part(part) for part in user_content(prompt, given_up)]}
        body: dict[str, Any] = {"model": self.config.model, "messages": [message], "max_tokens": prompt.max_tokens}
        if prompt.system is not None and "system" not in given_up:
            body["system"] = well_formed(prompt.system)
        if prompt.temperature is not None and "temperature" not in given_up:
            body["temperature"] = prompt.temperature
        output: dict[str, Any] = {}
        if self.config.effort is not None and "effort" not in given_up:
            output["effort"] = self.config.effort
        if prompt.schema is not None and self.config.schema == "json_schema" and "schema" not in given_up:
            output["format"] = {"type": "json_schema", "schema": dict(prompt.schema)}
        if output:
            body["output_config"] = output
        return body

    def sends(self, feature: str, body: Mapping[str, Any]) -> bool:
        output = body.get("output_config", {})
        return {"effort": "effort" in output, "schema": "format" in output}.get(feature, feature in body)

    def post(self, body: dict[str, Any], seconds: float) -> Response | TransportError:
        create: Callable[..., Any] = self._library.messages.with_raw_response.create
        known = {name: body[name] for name in ("model", "messages", "max_tokens")}
        beyond = {name: value for name, value in body.items() if name not in known}  # the library sends them unchanged
        try:
            response = create(**known, extra_body=beyond, timeout=call_timeout(seconds)).http_response
        except anthropic.APIStatusError as error:
            response = error.response
        except anthropic.AnthropicError as error:
            return transport_error_of(error)
        return Response(response.status_code, response.headers, response.content)

    def joined(self, events: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
        return joined_blocks(events)

    def told(self, body: Mapping[str, Any]) -> ServerUsage:
        return _server_usage(body.get("usage"))

    def read(self, body: Mapping[str, Any]) -> Answer | ApiError | InvalidReply:
        if not isinstance(body.get("content"), list):
            return no_answer(body, self.config.key, self._address, "Anthropic")
        reason, model = body.get("stop_reason"), body.get("model")
        ending = _ENDINGS.get(reason, "stop") if isinstance(reason, str) else "stop"
        text, note = read_message({"content": body["content"]}, ending)
        return Answer(text, ending, self.told(body), model if isinstance(model, str) else "", note)


def _part(part: str | Picture) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": well_formed(part)}
    data = base64.b64encode(part.data).decode("ascii")
    return {"type": "image", "source": {"type": "base64", "media_type": part.media_type, "data": data}}


def _server_usage(usage: object) -> ServerUsage:
    """
    Return the token usage. Anthropic counts tokens read from and written to its cache separately from the input tokens.
    """
    fresh = reported_tokens(member(usage, "input_tokens"))
    cached = reported_tokens(member(usage, "cache_read_input_tokens")) or 0
    written = reported_tokens(member(usage, "cache_creation_input_tokens")) or 0
    total = None if fresh is None else fresh + cached + written
    return ServerUsage(total, reported_tokens(member(usage, "output_tokens")), cached)
