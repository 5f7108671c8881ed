"""What is asked of a model and what comes back, whoever serves it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol

from handeye.clock import Deadline
from handeye.usage import Usage

# Room for an answer. A box is some 60 tokens; models that think aloud first need hundreds.
MOST_TOKENS: Final = 2048


@dataclass(frozen=True, slots=True)
class Picture:
    """An encoded image ("image/png", "image/jpeg"), sent as it is: whoever makes it has seen to its size."""

    data: bytes = field(repr=False)
    media_type: str = "image/png"


@dataclass(frozen=True, slots=True)
class Prompt:
    """
    One question: texts and pictures in the order they are sent, `system` in front of them.

    `schema` is a JSON schema that the answer must follow, where the server can be told (the answer is read with the same
    care in either case). `temperature` None leaves it to the server.
    """

    parts: tuple[str | Picture, ...]
    system: str | None = None
    schema: Mapping[str, Any] | None = None
    max_tokens: int = MOST_TOKENS
    temperature: float | None = 0.0


Ending = Literal["stop", "length", "refused"]
"""The model was done; it ran into `max_tokens`; it or its server declined to answer."""


@dataclass(frozen=True, slots=True)
class Reply:
    """
    The raw text of an answer (thinking that the server marks as such is not in it), and what it cost. `note` says where the
    server had put the answer when that was another place than usual, or what came in place of one.
    """

    text: str
    usage: Usage
    model: str
    ending: Ending = "stop"
    note: str = ""


class ChatModel(Protocol):
    """
    A model that can be asked. `name` is what the server calls it.

    `ask` raises a ModelError: ModelUnreachable, ModelUnauthorized, ModelBusy, ModelRequestInvalid or BudgetExceeded.
    Nothing it raises, logs or shows holds the key. `deadline` bounds the call with all of its retries.
    """

    @property
    def name(self) -> str: ...

    def ask(self, prompt: Prompt, deadline: Deadline | None = None) -> Reply: ...
