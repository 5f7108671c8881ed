"""
Test doubles for models that answer from a list or a function, and record what they were asked.

>>> model = ScriptedModel(['{"found": false, "reason": "a login page"}'])
>>> model.ask(Prompt(("Where is the Send button?",))).text
'{"found": false, "reason": "a login page"}'
>>> model.texts
('Where is the Send button?',)
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from threading import Lock
from typing import Final

from PIL import Image

from handeye.clock import Deadline
from handeye.models import Grounding, Picture, Prompt, Question, Reply
from handeye.usage import Usage

Answer = str | Reply | Exception
"""A text, a whole reply, or an exception to raise."""

# Estimated usage of an answer given as text only: about four characters per token, and 1,000 tokens per picture.
_CHARACTERS: Final = 4
_PICTURE_TOKENS: Final = 1000


class ScriptedModel:
    """
    A ChatModel with scripted answers: a list in order, or a function of each prompt.

    `prompts` records what it was asked. Asking beyond the last answer raises AssertionError: the test expected fewer
    calls. Usage is one call and roughly as many tokens as a real model counts.
    """

    def __init__(self, answers: Iterable[Answer] | Callable[[Prompt], Answer], *, name: str = "scripted") -> None:
        self.name = name
        self.prompts: list[Prompt] = []
        self._answer: Callable[[Prompt], Answer] = answers if callable(answers) else _in_order(iter(answers))
        self._lock = Lock()

    @property
    def calls(self) -> int:
        return len(self.prompts)

    @property
    def texts(self) -> tuple[str, ...]:
        """The text of each prompt, without system prompt and pictures."""
        return tuple("\n".join(part for part in each.parts if isinstance(part, str)) for each in self.prompts)

    def ask(self, prompt: Prompt, deadline: Deadline | None = None) -> Reply:
        with self._lock:
            self.prompts.append(prompt)
            answer = self._answer(prompt)
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, Reply):
            return answer
        return Reply(answer, Usage(calls=1, tokens_in=_tokens(prompt), tokens_out=_text_tokens(answer)), self.name)


class ScriptedGrounder:
    """A Grounder that answers each question with the result of a function; `questions` records what it was asked."""

    def __init__(self, answer: Callable[[Question], Grounding]) -> None:
        self.questions: list[Question] = []
        self._answer = answer

    def ground(self, question: Question, deadline: Deadline | None = None) -> Grounding:
        self.questions.append(question)
        answer = self._answer(question)
        return replace(answer, usage=answer.usage + Usage(calls=1))


def pictures(prompt: Prompt) -> tuple[Image.Image, ...]:
    """Return the pictures of a prompt as Pillow images, in order."""
    return tuple(Image.open(io.BytesIO(part.data)) for part in prompt.parts if isinstance(part, Picture))


def _in_order(answers: Iterator[Answer]) -> Callable[[Prompt], Answer]:
    def answer(prompt: Prompt) -> Answer:
        try:
            return next(answers)
        except StopIteration:
            raise AssertionError("the model was asked more often than it has answers for") from None

    return answer


def _tokens(prompt: Prompt) -> int:
    texts = sum(_text_tokens(part) for part in (prompt.system or "", *prompt.parts) if isinstance(part, str))
    return texts + _PICTURE_TOKENS * sum(isinstance(part, Picture) for part in prompt.parts)


def _text_tokens(text: str) -> int:
    return -(-len(text) // _CHARACTERS)


__all__ = ["ScriptedGrounder", "ScriptedModel", "pictures"]
