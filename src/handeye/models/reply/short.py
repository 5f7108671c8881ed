"""Parse answers that are one word or one number: a mark, a yes or no."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from handeye.errors import InvalidReply
from handeye.models.families.profile import THINKING
from handeye.models.reply.json import CutObject, json_values
from handeye.models.reply.text import without_thinking

# Longer replies to such a question are rejected.
_MOST_CHARACTERS: Final = 20_000


def short_object(reply: str, allowed: Collection[str]) -> Mapping[str, Any] | None:
    """
    Return the only JSON object of a reply, its names in lower case; None when there is none.

    Raises InvalidReply for several, for one that was cut off, and for one with other names than `allowed`, which may be
    an action that was not requested.
    """
    objects = [value for value, _start, _end in json_values(bare(reply)).values if isinstance(value, dict)]
    if not objects:
        return None
    if len(objects) > 1 or isinstance(objects[0], CutObject):
        raise InvalidReply("it is not one whole JSON object", reply)
    named = {str(name).casefold(): value for name, value in objects[0].items()}
    if not set(named) <= set(allowed):
        raise InvalidReply("it holds names that were not asked for", reply)
    return named


def bare(reply: str) -> str:
    """Return the reply without its leading thinking. Raises InvalidReply if it is too long."""
    if len(reply) > _MOST_CHARACTERS:
        raise InvalidReply(f"it has {len(reply)} characters; an answer has at most {_MOST_CHARACTERS}", reply)
    return without_thinking(reply, THINKING)[0].strip()
