"""Whether objects are still called what they were when they were read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from handeye.perceive.atspi.calls import Caller
from handeye.perceive.atspi.nodes import Node
from handeye.perceive.atspi.questions import ACCESSIBLE, Question, Ref, property_of
from handeye.perceive.told import clean

_NAME_SHOWN = 60


class AsRead(NamedTuple):
    """An object, and what it said of itself when it was read."""

    ref: Ref
    role: int
    name: str
    is_own: bool = True  # and not that of a label

    @classmethod
    def of(cls, node: Node) -> AsRead:
        return cls(node.ref, node.role, node.name, not node.is_labelled)


async def change_among(caller: Caller, read: Sequence[AsRead]) -> str | None:
    """
    What the first of `read` that is another now says, as the end of a sentence; None when none is. What has no name of its own
    is called by its label, which is an object of its own. Raises what asking raises.
    """
    answers = await caller.ask_all(
        [
            *(Question(each.ref, ACCESSIBLE, "GetRole", "u") for each in read),
            *(property_of(each.ref, ACCESSIBLE, "Name", "s") for each in read),
        ]
    )
    caller.check(read[0].ref)
    for was, role, name in zip(read, answers, answers[len(read) :], strict=False):
        called = repr(was.name[:_NAME_SHOWN]) if was.name else "what has no name"
        if role is None:
            return f"{called} is gone"
        now = clean(name or "").strip()
        if role != was.role:
            return f"{called} is another kind of thing now"
        if now != was.name and (now or was.is_own):
            return f"{called} is {now[:_NAME_SHOWN]!r} now" if now else f"{called} has no name any more"
    return None
