"""What a model has said about a view: a screen that is looked at every moment is not asked about every moment."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable
from typing import Final, Generic, TypeVar

from handeye.errors import BudgetExceeded, ModelBusy, ModelError, ModelUnreachable
from handeye.screen import Screen
from handeye.verify.pixels import is_same_view

AnswerT = TypeVar("AnswerT")

# A step asks about one thing before its act and one after it; frames are large, so that few are kept.
_KEPT: Final = 4
# These say nothing about the view: the next try may reach the model, the next task has a budget of its own.
_PASSING: Final = (BudgetExceeded, ModelBusy, ModelUnreachable)


class AskedBefore(Generic[AnswerT]):
    """The last answers, each with its question and the frames that it was asked about."""

    def __init__(self) -> None:
        self._known: deque[tuple[Hashable, tuple[Screen, ...], AnswerT | ModelError]] = deque(maxlen=_KEPT)

    def answer(self, question: Hashable, frames: tuple[Screen, ...], ask: Callable[[], AnswerT]) -> AnswerT:
        """
        What `ask` returns or raises, once for each question about each view: the status bar and a caret may differ.

        A ModelError is remembered as an answer is, but for a model that is busy, cannot be reached or may not be asked.
        """
        for known, seen, said in self._known:
            if known == question and all(map(is_same_view, seen, frames)):
                if isinstance(said, ModelError):
                    raise said.with_traceback(None)
                return said
        try:
            answer = ask()
        except _PASSING:
            raise
        except ModelError as error:
            self._known.append((question, frames, error))
            raise
        self._known.append((question, frames, answer))
        return answer
