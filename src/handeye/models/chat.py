"""Prompt, reply and the `ChatModel` protocol, independent of the provider."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol

from handeye.clock import Deadline
from handeye.usage import Usage

# Default limit of an answer. A box takes some 60 tokens; models that write out their reasoning first need hundreds.
MOST_TOKENS: Final = 2048


@dataclass(frozen=True, slots=True)
class Picture:
    """An encoded image ("image/png", "image/jpeg"), sent unchanged: the caller has to resize it before."""

    data: bytes = field(repr=False)
    media_type: str = "image/png"


@dataclass(frozen=True, slots=True)
class Prompt:
    """
    One question: texts and pictures in the order in which they are sent, and a `system` prompt.

    `schema` is a JSON schema that the answer must follow; it is sent where the server supports it, and the answer is
    parsed with the same care in either case. `temperature` None uses the server's default.
    """

    parts: tuple[str | Picture, ...]
    system: str | None = None
    schema: Mapping[str, Any] | None = None
    max_tokens: int = MOST_TOKENS
    temperature: float | None = 0.0


Ending = Literal["stop", "length", "refused"]
"""
How an answer ended. "stop": the model finished. "length": it reached `max_tokens`. "refused": the model or its server
declined to answer.
"""


@dataclass(frozen=True, slots=True)
class Reply:
    """
    The raw text of an answer (without thinking that the server marks as such) and its usage.

    `note` is set when the server put the answer in an unusual field, or sent something else instead of an answer; it
    says which.
    """

    text: str
    usage: Usage
    model: str
    ending: Ending = "stop"
    note: str = ""


class ChatModel(Protocol):
    """
    A model that can be asked. `name` is the server's name for it.

    `ask` raises a ModelError: ModelUnreachable, ModelUnauthorized, ModelBusy, ModelRequestInvalid or BudgetExceeded.
    The key never appears in what it raises, logs or prints. `deadline` bounds the call with all of its retries.
    """

    @property
    def name(self) -> str: ...

    def ask(self, prompt: Prompt, deadline: Deadline | None = None) -> Reply: ...
