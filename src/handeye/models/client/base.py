"""Base class of the HTTP clients: the request loop with retries that both APIs share."""

from __future__ import annotations

import json
import random
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final

from handeye.clock import Clock, Deadline, SystemClock
from handeye.errors import (
    InvalidReply,
    ModelBusy,
    ModelError,
    ModelRequestInvalid,
    ModelUnreachable,
)
from handeye.models.chat import Picture, Prompt, Reply
from handeye.models.client.concurrency_limit import limit_for
from handeye.models.client.required_fields import fields_required_by
from handeye.models.client.retry import RetryPolicy, retry_after
from handeye.models.client.streaming import UnreadableStream, events
from handeye.models.client.wire_format import (
    Answer,
    ApiError,
    ServerUsage,
    api_error,
    clean,
    guessed_tokens,
    guessed_tokens_of,
    parsed,
    unreadable,
)
from handeye.models.config.model_config import LLMConfig
from handeye.models.config.presets import OWN_TEMPERATURE, provider_at
from handeye.models.config.prices import price_for, price_rows
from handeye.usage import Usage

INSTALL: Final = "pip install 'handeye[llm]'"
# Placeholder for the key in the vendors' libraries: they refuse to work without one, and log and store the one they get.
NO_KEY: Final = "not-here"
NOT_CONFIGURED: Final = (
    "LLM_PROVIDER=claude and ANTHROPIC_API_KEY, another provider and its key, or CUSTOM_LLM_BASE_URL and CUSTOM_LLM_MODEL, "
    "in the environment or in .env"
)

# Statuses with which servers reject an unknown field: OpenRouter returns 404 when no provider supports it, llama.cpp 500 when a
# model's chat template fails, LM Studio 200 with an error in it.
_FIELD_STATUSES: Final = frozenset({200, 400, 404, 422, 500})


# Error messages that reject the role "system" (in lower case): the chat templates of Gemma ("System role not supported")
# and Mistral ("Conversation roles must alternate user/assistant/...", "Only user and assistant roles are supported!"),
# Gemini's endpoint for Gemma ("Developer instruction is not enabled for models/..."), OpenAI's o1 ("'messages[0].role' does not
# support 'system'"), FastAPI ("messages.0.role: Input should be ...").
NO_SYSTEM: Final = (
    r"(?:system|developer)\W{0,3}(?:role|message|prompt|instruction|角色|消息|提示)|roles? must alternate"
    r"|\buser\W{1,4}(?:(?:or|and)\W{1,3})?assistant\b|\bfirst message\b.{0,20}\buser\b|\brole\b.{0,60}\b(?:system|developer)\b"
    r"|messages?\W{0,2}0?\W{0,3}role\b|角色.{0,30}(?:system|user)|system.{0,20}角色"
)


@dataclass(frozen=True, slots=True)
class Response:
    """A response of any status. The names of `headers` are lower case."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class TransportError:
    """No response arrived: the reason, whether a retry makes sense, and whether the request may have been sent."""

    reason: str
    again: bool = True
    sent: bool = True


@dataclass(frozen=True, slots=True)
class _Failure:
    """
    A try without an answer: the error to raise if it was the last, the wait that the server asks for, whether a request
    was sent, and its usage (an answer that cannot be parsed has been paid for).
    """

    error: ModelError
    again: bool
    wait: float | None = None
    sent: bool = True
    spent: Usage = Usage()


class HttpChat(ABC):
    """
    A model behind a URL. Thread-safe: threads share its connections, and the concurrent requests to one server are
    limited to `config.concurrency` over all models.

    Errors of the network and of an overloaded server are retried as `retries` says, never beyond the deadline. A field
    that the server rejects (a schema, a temperature) is left out from then on.
    """

    # Optional features in the order in which they are dropped, each with a regular expression of its name in error messages.
    fields: ClassVar[Mapping[str, str]] = {}
    # Fields that request a stream, from a server that supports only streaming.
    streaming: ClassVar[Mapping[str, Any]] = {"stream": True}

    def __init__(
        self,
        config: LLMConfig,
        clock: Clock | None = None,
        retries: RetryPolicy | None = None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self.config = config
        self.clock = clock if clock is not None else SystemClock()
        self.retries = retries if retries is not None else RetryPolicy()
        self._chance = chance
        self._gate = limit_for(config.base_url)
        self._address = config.base_url
        known = provider_at(config.base_url)
        self.provider = known
        self._bills = known is not None and known.bills
        self._given_up: frozenset[str] = frozenset()
        self._added: Mapping[str, Any] = {}
        if re.fullmatch(OWN_TEMPERATURE, config.model, re.IGNORECASE):
            self._given_up = frozenset({"temperature"})

    @property
    def name(self) -> str:
        return self.config.model

    def ask(self, prompt: Prompt, deadline: Deadline | None = None) -> Reply:
        """
        See `ChatModel`. Raises InvalidReply too, for a success response that does not follow the API. `config.timeout`
        limits the call in addition to the deadline.
        """
        self._check(prompt)
        seconds = self.config.timeout
        end = deadline.at_most(seconds) if deadline is not None else Deadline(self.clock, seconds)
        began = self.clock.now()
        failures, sent, spent = 0, False, Usage()
        while True:
            outcome = self._try(prompt, end)
            if outcome is None:  # a field was dropped or added: that is a changed request, not a retry
                sent = True
                continue
            if isinstance(outcome, Answer):
                spent += self._spent(prompt, outcome.told, outcome.text)
                return self._reply(outcome, _one_call(spent, self.clock.now() - began))
            failures, sent, spent = failures + 1, sent or outcome.sent, spent + outcome.spent
            if (error := self._wait_for_retry(outcome, failures, end)) is not None:
                error.usage = _one_call(spent, self.clock.now() - began) if sent else None
                raise error

    def _try(self, prompt: Prompt, end: Deadline) -> Answer | _Failure | None:
        """Send one request. Return None when the server rejected a field, which is dropped now, or demanded one."""
        given_up = self._given_up
        added = {name: value for name, value in self._added.items() if name not in given_up}
        body = {**self.body(prompt, given_up), **added, **self.config.extra_body}
        if end.passed:
            return self._too_late()
        if not self._gate.enter(self.config.concurrency, end.left):
            return _Failure(
                ModelBusy(f"the {self.config.concurrency} requests at once to {self._address} are all under way"),
                again=False,
                sent=False,
            )
        try:
            left = end.left
            came = self.post(body, left) if left > 0 else None
        finally:
            self._gate.leave()
        if came is None:
            return self._too_late()
        if isinstance(came, TransportError):
            return _Failure(ModelUnreachable(f"{self._address} {came.reason}"), came.again, sent=came.sent)
        told = ServerUsage()
        if 200 <= came.status < 300:
            body_read = self._body_of(came)
            if body_read is None:
                return _Failure(ModelUnreachable(f"{self._address} broke off its answer"), again=True)
            outcome = body_read if isinstance(body_read, InvalidReply) else self.read(body_read)
            told = told if isinstance(body_read, InvalidReply) else self.told(body_read)
        else:
            outcome = api_error(came.status, _json_or_text(came.content), self.config.key)
        if isinstance(outcome, Answer):
            return outcome
        if isinstance(outcome, InvalidReply):  # the answer has been paid for
            return _Failure(outcome, again=False, spent=self._spent(prompt, told))
        if outcome.refuses:
            return Answer(outcome.words, "refused", told)
        if outcome.status in _FIELD_STATUSES and self._adapt_request(outcome, body, given_up):
            return None
        return _Failure(
            outcome.error(self.config.model, self._address),
            outcome.transient,
            retry_after(came.headers, self.clock.wall()),
            spent=self._spent(prompt, told) if told.tokens_in else Usage(),
        )

    def _body_of(self, came: Response) -> Mapping[str, Any] | InvalidReply | None:
        """Return the object in a success response, whole or streamed; None for a stream without its end."""
        try:
            if (streamed := events(came.content)) is not None and (
                (joined := self.joined(streamed)) or {} not in streamed
            ):
                return joined
        except UnreadableStream:
            what = "a stream whose events are not of this API's format"
            return unreadable(came.content, what, self.config.key, self._address)
        return parsed(came.content, came.headers.get("content-type", ""), self.config.key, self._address)

    def _too_late(self) -> _Failure:
        why = f"{self._address} is not asked: no time is left for it"
        return _Failure(ModelUnreachable(why), again=False, sent=False)

    def _adapt_request(self, told: ApiError, body: Mapping[str, Any], given_up: frozenset[str]) -> bool:
        """
        Adapt the next request to an error: add a field that the server demands, once each, or drop one that it rejects.
        Return True if the request changes.
        """
        said = f"{told.parameter} {told.words}".lower()
        added = fields_required_by(said, body)
        if added and not added.keys() & {*self._added, *self.config.extra_body}:
            self._added = {**self._added, **(self.streaming if "stream" in added else added)}
            return True
        for feature, words in ({name: re.escape(name) for name in self._added} | dict(self.fields)).items():
            if feature not in given_up and self.sends(feature, body) and re.search(words, said):
                self._given_up |= {feature}
                return True
        return False

    def _wait_for_retry(self, failure: _Failure, failures: int, end: Deadline) -> ModelError | None:
        """
        Wait before the next try. Return the error to raise if there is none, or if it would be too late; else None.
        """
        if not failure.again:
            return failure.error
        tried = f" (asked {failures} times)" if failures > 1 else ""
        if failures >= self.retries.tries:
            return type(failure.error)(f"{failure.error}{tried}")
        wait, left = self.retries.wait(failures, failure.wait, self._chance), end.left
        if wait >= left:
            until = "" if failure.wait is None else f"; it asks to wait {failure.wait:.0f} s, and {left:.0f} s are left"
            return type(failure.error)(f"{failure.error}{until}{tried}")
        self.clock.sleep(wait)
        return None

    def _reply(self, answer: Answer, usage: Usage) -> Reply:
        model = answer.model if answer.model.isprintable() and 0 < len(answer.model) <= 200 else self.config.model
        text, model = self.config.key.hide(answer.text), self.config.key.hide(model)
        return Reply(text, usage, model, answer.ending, clean(answer.note, self.config.key))

    def _spent(self, prompt: Prompt, told: ServerUsage, text: str = "") -> Usage:
        """Return the tokens and cost of one request that was answered: as the server reports, else estimated."""
        tokens_in = told.tokens_in or guessed_tokens(prompt)  # no question is free
        tokens_out = told.tokens_out if told.tokens_out or not text else guessed_tokens_of(text)
        usage = Usage(
            tokens_in=tokens_in,
            tokens_out=tokens_out or 0,
            tokens_cached=min(told.tokens_cached, tokens_in),
            estimated=int(not told.tokens_in or tokens_out != told.tokens_out),
        )
        return self._priced(usage, told)

    def _priced(self, usage: Usage, told: ServerUsage) -> Usage:
        if self._bills and told.cost is not None:
            return usage + Usage(cost=told.cost)
        price = self.config.fixed_price
        if price is None:
            price = price_for(price_rows(self.config.base_url, self.config.model), usage.tokens_in, self.clock.wall())
        return usage + (Usage(unpriced=1) if price is None else Usage(cost=price.cost(usage)))

    def _check(self, prompt: Prompt) -> None:
        if not self.config.pictures and any(not isinstance(part, str) for part in prompt.parts):
            raise ModelRequestInvalid(
                f"{self.config} takes no pictures; it can only plan. Choose another model to look at screens"
            )

    @abstractmethod
    def close(self) -> None:
        """Close the connections. They also close when the model is garbage-collected."""

    @abstractmethod
    def body(self, prompt: Prompt, given_up: frozenset[str]) -> dict[str, Any]:
        """Return the request body, without the fields in `given_up`."""

    @abstractmethod
    def sends(self, feature: str, body: Mapping[str, Any]) -> bool:
        """Return True if the request body uses this feature."""

    @abstractmethod
    def post(self, body: dict[str, Any], seconds: float) -> Response | TransportError:
        """Send the request. Exceptions of the library are not raised, as they may contain the key."""

    @abstractmethod
    def joined(self, events: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
        """Return the streamed answer in the format of a whole one; None when the stream broke off."""

    @abstractmethod
    def told(self, body: Mapping[str, Any]) -> ServerUsage:
        """Return the usage that a success response reports."""

    @abstractmethod
    def read(self, body: Mapping[str, Any]) -> Answer | ApiError | InvalidReply:
        """Parse a success response; some servers put an error in it."""


def user_content(prompt: Prompt, given_up: frozenset[str]) -> tuple[str | Picture, ...]:
    """
    Return the content of the user's message: the prompt, preceded by the system prompt if the server has no role for
    it.
    """
    return (prompt.system, *prompt.parts) if prompt.system is not None and "system" in given_up else prompt.parts


def _one_call(spent: Usage, seconds: float) -> Usage:
    """Return the usage of all requests of one question as one call."""
    return replace(spent, calls=1, unpriced=min(1, spent.unpriced), estimated=min(1, spent.estimated), seconds=seconds)


def _json_or_text(content: bytes) -> object:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return content[:4096].decode("utf-8", "replace")
