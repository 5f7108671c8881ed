"""Client for OpenAI's chat completions API, which nearly every server supports."""

from __future__ import annotations

import base64
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from handeye.clock import Clock
from handeye.errors import InvalidReply, MissingPart
from handeye.models.chat import Ending, Picture, Prompt
from handeye.models.client.base import INSTALL, NO_KEY, NO_SYSTEM, HttpChat, Response, TransportError, user_content
from handeye.models.client.streaming import joined_choices
from handeye.models.client.wire_format import (
    Answer,
    ApiError,
    ServerUsage,
    api_error,
    member,
    message_of,
    no_answer,
    read_message,
    reported_cost,
    reported_tokens,
    strict,
    well_formed,
)
from handeye.models.config.model_config import LLMConfig

try:
    import openai

    from handeye.models.client.transport import GuardedClient, bearer, call_timeout, transport_error_of
except ImportError as error:
    raise MissingPart("the client library for model servers (openai)", INSTALL) from error

# Values of `finish_reason`: OpenAI (stop, length, content_filter, tool_calls), Zhipu (sensitive, network_error), vLLM and
# OpenRouter (error), Ollama (load). Any other value counts as "stop".
_ENDINGS: dict[str, Ending] = {
    "length": "length",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "content_filter": "refused",
    "sensitive": "refused",
    "refusal": "refused",
}
# Fields with which presets disable thinking (`Preset.unthinking`).
_UNTHINKING = frozenset({"thinking", "enable_thinking"})
_BROKEN_ENDINGS = frozenset({"network_error", "error"})


class OpenAIChat(HttpChat):
    """See `HttpChat`. Raises MissingPart (when imported) without the `openai` library."""

    fields: ClassVar[Mapping[str, str]] = {
        "system": NO_SYSTEM,
        "temperature": "temperature",
        "effort": r"reasoning[_ .]effort",
        "unthinking": "thinking",
        "max_completion_tokens": "max_completion_tokens",
        "max_tokens": "max_tokens",
        "json_schema": "response_format|json_schema|schema|structured output|grammar",
        "json_object": "response_format|json_object|json mode",
    }
    streaming: ClassVar[Mapping[str, Any]] = {"stream": True, "stream_options": {"include_usage": True}}

    def __init__(self, config: LLMConfig, clock: Clock | None = None, **settings: Any) -> None:
        super().__init__(config, clock, **settings)
        # The library gets a placeholder and does not read a key; GuardedClient adds the real one to each request.
        self._library = openai.OpenAI(
            api_key=NO_KEY,
            admin_api_key="",
            organization="",
            project="",
            webhook_secret="",
            base_url=config.base_url,
            max_retries=0,
            http_client=GuardedClient(config, bearer),
        )
        weakref.finalize(self, self._library.close)
        # OpenAI requires the new name of the field, most other servers support only the old one.
        self._given_up |= {
            "max_tokens" if self.provider is not None and self.provider.name == "openai" else "max_completion_tokens"
        }

    def close(self) -> None:
        self._library.close()

    def body(self, prompt: Prompt, given_up: frozenset[str]) -> dict[str, Any]:
        messages: list[dict[str, Any]] = []
        if prompt.system is not None and "system" not in given_up:
            messages.append({"role": "system", "content": well_formed(prompt.system)})
        messages.append({"role": "user", "content": _content(user_content(prompt, given_up))})
        body: dict[str, Any] = {"model": self.config.model, "messages": messages}
        limit = next((name for name in ("max_completion_tokens", "max_tokens") if name not in given_up), None)
        if limit is not None:
            body[limit] = prompt.max_tokens
        if prompt.temperature is not None and "temperature" not in given_up:
            body["temperature"] = prompt.temperature
        body |= self._effort(given_up)
        if prompt.schema is not None and (asked := self._format(prompt.schema, given_up)) is not None:
            body["response_format"] = asked
        return body

    def _effort(self, given_up: frozenset[str]) -> Mapping[str, Any]:
        unthinking = self.provider.unthinking if self.provider is not None else {}
        if unthinking and self.config.effort == "low":
            return {} if "unthinking" in given_up else unthinking
        if self.config.effort is None or "effort" in given_up:
            return {}
        return {"reasoning_effort": self.config.effort}

    def _format(self, schema: Mapping[str, Any], given_up: frozenset[str]) -> dict[str, Any] | None:
        if self.config.schema == "json_schema" and "json_schema" not in given_up:
            described = {"name": "answer", "schema": dict(schema), "strict": strict(schema)}
            return {"type": "json_schema", "json_schema": described}
        if self.config.schema != "none" and "json_object" not in given_up:
            return {"type": "json_object"}
        return None

    def sends(self, feature: str, body: Mapping[str, Any]) -> bool:
        if feature in ("json_schema", "json_object"):
            return bool(member(body.get("response_format"), "type") == feature)
        if feature == "unthinking":
            return not _UNTHINKING.isdisjoint(body)
        if feature == "system":
            return any(message["role"] == "system" for message in body["messages"])
        return {"effort": "reasoning_effort"}.get(feature, feature) in body

    def post(self, body: dict[str, Any], seconds: float) -> Response | TransportError:
        create: Callable[..., Any] = self._library.chat.completions.with_raw_response.create
        known = {name: body[name] for name in ("model", "messages")}
        beyond = {name: value for name, value in body.items() if name not in known}  # the library sends them unchanged
        try:
            response = create(**known, extra_body=beyond, timeout=call_timeout(seconds)).http_response
        except openai.APIStatusError as error:
            response = error.response
        except openai.OpenAIError as error:
            return transport_error_of(error)
        return Response(response.status_code, response.headers, response.content)

    def joined(self, events: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
        return joined_choices(events)

    def told(self, body: Mapping[str, Any]) -> ServerUsage:
        return _server_usage(body.get("usage"))

    def read(self, body: Mapping[str, Any]) -> Answer | ApiError | InvalidReply:
        choices = body.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if failure := member(choice, "error"):
            return api_error(200, {"error": failure}, self.config.key)
        reason = member(choice, "finish_reason")
        message = message_of(choice)
        if not isinstance(message, Mapping):
            return no_answer(body, self.config.key, self._address, "OpenAI")
        if isinstance(reason, str) and reason in _BROKEN_ENDINGS:
            return ApiError(502, reason, "", "the model broke off")
        refusal = message.get("refusal")
        ending = _ENDINGS.get(reason, "stop") if isinstance(reason, str) else "stop"
        text, note = read_message(message, ending)
        if isinstance(refusal, str) and refusal and (note or not text):
            text, ending, note = refusal, "refused", ""
        model = body.get("model")
        return Answer(text, ending, self.told(body), model if isinstance(model, str) else "", note)


def _content(parts: tuple[str | Picture, ...]) -> str | list[dict[str, Any]]:
    """Return texts alone as one text, for servers that do not support lists; with pictures, a list of parts."""
    if all(isinstance(part, str) for part in parts):
        return well_formed("\n".join(map(str, parts)))
    return [_part(part) for part in parts]


def _part(part: str | Picture) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": well_formed(part)}
    data = base64.b64encode(part.data).decode("ascii")
    return {"type": "image_url", "image_url": {"url": f"data:{part.media_type};base64,{data}"}}


def _server_usage(usage: object) -> ServerUsage:
    tokens_in, tokens_out = (
        reported_tokens(member(usage, "prompt_tokens")),
        reported_tokens(member(usage, "completion_tokens")),
    )
    total = reported_tokens(member(usage, "total_tokens"))
    if tokens_in is not None and tokens_out is not None and total is not None:
        tokens_out = max(tokens_out, total - tokens_in)  # Gemini bills its thinking, and counts it only in the total
    cached = (
        reported_tokens(member(member(usage, "prompt_tokens_details"), "cached_tokens"))
        or reported_tokens(member(usage, "prompt_cache_hit_tokens"))  # DeepSeek
        or reported_tokens(member(usage, "cached_tokens"))  # Moonshot
        or 0
    )
    return ServerUsage(tokens_in, tokens_out, cached, reported_cost(member(usage, "cost")))
