"""One question until its answer can be read: asked once more at most."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from handeye.clock import Deadline
from handeye.errors import InvalidReply, ModelError
from handeye.models.chat import ChatModel, Prompt, Reply
from handeye.models.grounding.grounder import Grounder, Grounding, Question
from handeye.usage import Usage

T = TypeVar("T")

# Once: a model that answers in its own way a second time does so a third time.
TRIES: Final = 2


def ask_until_read(
    model: ChatModel, prompt: Callable[[str], Prompt], read: Callable[[str], T], deadline: Deadline | None = None
) -> tuple[T, Usage]:
    """
    What `read` makes of the answer, and what all tries cost.

    `prompt` makes the question; its argument is "" at first, and then what was wrong with the answer before. `read` raises
    InvalidReply for a text that it cannot read; the second one leaves here with the first as its cause, as does any other
    ModelError; its `usage` is what all tries cost. An answer that was cut off is not read at all: of "[10, 20, 300, 4" nobody
    knows how the last number went on.
    """
    usage, problem = Usage(), ""
    before: InvalidReply | None = None
    for last in (*[False] * (TRIES - 1), True):
        try:
            reply = model.ask(prompt(problem), deadline)
        except ModelError as error:
            charge(error, usage)
            raise
        usage += reply.usage
        try:
            return read(_whole(reply)), usage
        except InvalidReply as unread:
            told = InvalidReply(f"{unread.problem}; {reply.note}", unread.reply) if reply.note else unread
            if last:
                charge(told, usage)
                raise told from before
            before, problem = told, told.problem
    raise AssertionError("the last try returns or raises")


def charge(error: ModelError, usage: Usage) -> None:
    """Add what was spent before an error to what the error itself has cost."""
    error.usage = usage if error.usage is None else usage + error.usage


def second_look(grounder: Grounder, question: Question, deadline: Deadline | None = None) -> Grounding:
    """
    The answer to a further question, after one that was answered. One that cannot be read is an answer without a place, which
    leaves a doubt: a further look must not lose what the first one found, and cannot bear it out either.
    """
    try:
        return grounder.ground(question, deadline)
    except InvalidReply as error:
        return Grounding(usage=error.usage or Usage(), notes=(f"a further look could not be read: {error.problem}",))


def _whole(reply: Reply) -> str:
    if reply.ending == "refused":
        raise InvalidReply("the model or its server declined to answer", reply.text)
    if reply.ending == "length":
        raise InvalidReply("it was cut off at the most tokens an answer may have", reply.text)
    return reply.text
