"""Fallback to a stronger model when the first one is in doubt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from handeye.clock import Deadline
from handeye.errors import InvalidReply
from handeye.models.grounding.escalation import Seen, Use, is_triggered, same_size, signs
from handeye.models.grounding.grounder import Grounder, Grounding, Question
from handeye.models.grounding.place_checks import grouped, same_place
from handeye.models.grounding.retry_on_parse_error import charge
from handeye.usage import Usage


def ask_fallback_model(grounder: Grounder, strong: Grounder, *, when: Use = "auto", seen: Seen = same_size) -> Grounder:
    """
    Wrap `grounder`: ask `strong` when the answer of `grounder` is doubtful or cannot be parsed. Costs what `strong`
    costs.

    If both name the same single place, it is confirmed ("second model"). If they differ, the stronger model's answer is
    taken: the first one's place becomes a candidate, and there is no place when the stronger model sees none.
    """
    return grounder if when == "off" else _FallbackModel(grounder, strong, when, seen)


@dataclass(frozen=True, slots=True)
class _FallbackModel:
    grounder: Grounder
    strong: Grounder
    when: Literal["auto", "on"]
    seen: Seen

    def ground(self, question: Question, deadline: Deadline | None = None) -> Grounding:
        try:
            first = self.grounder.ground(question, deadline)
        except InvalidReply as error:
            note = f"the first model's answer could not be read: {error.problem}"
            first = Grounding(usage=error.usage or Usage(), notes=(note,))
        else:
            if self.when == "auto" and not is_triggered("strong", signs(question, first, self.seen)):
                return first
        try:
            second = self.strong.ground(question, deadline)
        except InvalidReply as error:
            charge(error, first.usage)
            if not first.places:
                raise
            return _with_doubt(first, error)
        usage, notes = first.usage + second.usage, (*first.notes, *second.notes)
        area = (question.within or question.screen.box).clip(question.screen.size)
        rivals = (*first.candidates, *second.candidates, *first.places)
        if not second.places:
            said = "the stronger model sees no such thing"
            return replace(second, usage=usage, notes=(*notes, said), candidates=rivals)
        best = second.places[0]
        others = tuple(place for place in rivals if not same_place(place, best, area))
        if len(grouped(first.places, area)) == len(second.places) == 1 and same_place(best, first.places[0], area):
            agreed = replace(best, confirmed_by=(*best.confirmed_by, "second model"))
            said = "a stronger model names the same place"
            return replace(second, places=(agreed,), usage=usage, notes=(*notes, said), candidates=others)
        return replace(second, usage=usage, notes=(*notes, "the stronger model's answer"), candidates=others)


def _with_doubt(first: Grounding, error: InvalidReply) -> Grounding:
    """Return the first answer with a further doubt, because the stronger model's answer could not be parsed."""
    doubt = f"the stronger model's answer could not be read: {error.problem}"
    best = replace(first.places[0], doubts=(*first.places[0].doubts, doubt))
    return replace(first, places=(best, *first.places[1:]), usage=error.usage or first.usage)
