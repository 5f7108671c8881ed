"""Ask a model, and once more if its answer cannot be parsed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from handeye.clock import Deadline
from handeye.errors import InvalidReply, ModelError
from handeye.models.chat import ChatModel, Prompt, Reply
from handeye.models.grounding.grounder import Grounder, Grounding, Question
from handeye.usage import Usage

T = TypeVar("T")

# Two tries: a model that ignores the format a second time does so a third time.
TRIES: Final = 2


def ask_until_read(
    model: ChatModel, prompt: Callable[[str], Prompt], read: Callable[[str], T], deadline: Deadline | None = None
) -> tuple[T, Usage]:
    """
    Return the result of `read` for the answer, and the usage of all tries.

    `prompt` creates the question; its argument is "" at first, and then the problem with the previous answer. `read`
    raises InvalidReply for a text that it cannot parse. The last InvalidReply is raised with the first as its cause;
    it, and any other ModelError, has the usage of all tries in `usage`. An answer that was cut off is not parsed at
    all: in "[10, 20, 300, 4" the last number may be incomplete.
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
    """Add `usage`, which was spent before the error, to the usage of the error."""
    error.usage = usage if error.usage is None else usage + error.usage


def second_look(grounder: Grounder, question: Question, deadline: Deadline | None = None) -> Grounding:
    """
    Return the answer to a further question about the same element. If it cannot be parsed, return an answer without a
    place: a further question must not lose the first result, nor confirm it.
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
