"""A model client of either wire format and the test server it talks to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from handeye.clock import Clock, Deadline
from handeye.errors import (
    ModelError,
)
from handeye.models import ChatModel, LLMConfig, Picture, Prompt
from handeye.models.client.base import HttpChat
from handeye.models.client.factory import connect
from handeye.testing.model_server import ModelServer, Script, ScriptedReply

KEY = "sk-proj-Zq81xYv9Lm20TtRr"
PIXEL = Picture(b"\x89PNG not really", "image/png")
QUESTION = Prompt(("Where is", PIXEL, "Send?"), system="You look at screens.")
SCHEMA = {
    "type": "object",
    "properties": {"x": {"type": "number"}, "y": {"type": "number"}},
    "required": ["x", "y"],
    "additionalProperties": False,
}
WIRES = ("openai", "anthropic")

both_wires = pytest.mark.parametrize("wire", WIRES)


def config_for(server: ModelServer, wire: str, **settings: Any) -> LLMConfig:
    address = server.base_url if wire == "openai" else server.anthropic_url
    return LLMConfig.custom(KEY, address, "test-model", **({"api": wire} | settings))


@contextmanager
def serving(
    script: Script | Sequence[ScriptedReply] | ScriptedReply, wire: str, clock: Clock | None = None, **settings: Any
) -> Iterator[tuple[HttpChat, ModelServer]]:
    with ModelServer(script, key=KEY) as server:
        model = connect(config_for(server, wire, **settings), clock)
        yield model, server
        model.close()


def fails(
    model: ChatModel,
    kind: type[ModelError],
    said: str | None = None,
    deadline: Deadline | None = None,
    prompt: Prompt = QUESTION,
) -> str:
    """Ask, and get this kind of error with these words (a regular expression); the whole message."""
    with pytest.raises(kind, match=said) as caught:
        model.ask(prompt, deadline)
    return str(caught.value)
