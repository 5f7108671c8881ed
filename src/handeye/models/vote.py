"""Asking several times and taking what the answers agree on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from handeye.clock import Deadline
from handeye.errors import UsageError
from handeye.geometry import Box
from handeye.models.asking import second_look
from handeye.models.doubt import Seen, Use, asked_for, same_size, signs
from handeye.models.grounder import Grounder, Grounding, Place, Question
from handeye.models.nearness import grouped

SAMPLES: Final = 3
MOST_SAMPLES: Final = 9
# How much of the picture's sides a view leaves away. A model that says the same numbers whatever it is shown moves its answer
# on the frame by half of that, more than two answers for one thing may differ (nearness.SAME_DISTANCE).
CUT: Final = 0.12
# What is left around the first answer, as a share of the sides: a thing at the edge of a view would be half a thing.
_MARGIN: Final = 0.03
# Which edges each view moves (left, top, right, bottom), so that no two move the same way.
_VIEWS: Final = (
    (True, True, False, False),
    (False, False, True, True),
    (True, False, False, True),
    (False, True, True, False),
)


def vote(
    grounder: Grounder, *, when: Use = "on", samples: int = SAMPLES, cut: float = CUT, seen: Seen = same_size
) -> Grounder:
    """
    Asks up to `samples` times (2 to 9), each time with another view of the picture, until more than half of them agree. Costs
    `samples` - 1 further calls at most, (`samples` - 1) / 2 when the first ones agree, none when the first is "not here".

    Views are the picture without some of its edges, never without the first answer: unlike a higher temperature they reach
    every model, and show those that always say the same numbers. Agreement of all that were asked bears the place out ("vote").
    Without a majority nothing is chosen: there is no place, and `candidates` holds what was said.
    """
    if not 2 <= samples <= MOST_SAMPLES:
        raise UsageError(f"a vote of {samples} makes no sense: give 2 to {MOST_SAMPLES}")
    if not 0 < cut < 0.5:
        raise UsageError(f"views cannot leave away {cut:g} of the sides: give more than 0 and less than 0.5")
    return grounder if when == "off" else _Vote(grounder, when, samples, cut, seen)


@dataclass(frozen=True, slots=True)
class _Vote:
    grounder: Grounder
    when: Literal["auto", "on"]
    samples: int
    cut: float
    seen: Seen

    def ground(self, question: Question, deadline: Deadline | None = None) -> Grounding:
        first = self.grounder.ground(question, deadline)
        if not first.places or (self.when == "auto" and not asked_for("vote", signs(question, first, self.seen))):
            return first
        area = (question.within or question.screen.box).clip(question.screen.size)
        needed = self.samples // 2 + 1
        answers = [first]
        for view in self._views(area, first.places[0].box):
            answers.append(second_look(self.grounder, replace(question, within=view), deadline))
            named = [answer.places[0] for answer in answers if answer.places]
            most = len(grouped(named, area)[0])
            if most >= needed or most + self.samples - len(answers) < needed:
                break  # settled, or no longer to be settled
        return _counted(answers, area, needed)

    def _views(self, area: Box, answer: Box) -> Iterator[Box]:
        """Parts of `area` that hold `answer` with some room."""
        room = answer.expand(round(_MARGIN * max(area.width, area.height)))
        for index in range(self.samples - 1):
            left, top, right, bottom = _VIEWS[index % len(_VIEWS)]
            # Later rounds leave less away, so that no view is asked for twice.
            share = self.cut / (1 + index // len(_VIEWS))
            dx, dy = round(share * area.width), round(share * area.height)
            # An edge that the answer is too near to stays; then the opposite one moves, or the view would be no other.
            left, right = _either(left, right, room.left - area.left >= dx, area.right - room.right >= dx)
            top, bottom = _either(top, bottom, room.top - area.top >= dy, area.bottom - room.bottom >= dy)
            yield Box(area.left + dx * left, area.top + dy * top, area.right - dx * right, area.bottom - dy * bottom)


def _either(first: bool, second: bool, first_can: bool, second_can: bool) -> tuple[bool, bool]:
    """Which of two opposite edges moves: the one that should, or the other one when it cannot."""
    if first:
        return (True, False) if first_can else (False, second_can)
    return (False, True) if second_can else (first_can, False)


def _counted(answers: list[Grounding], area: Box, needed: int) -> Grounding:
    usage = sum((answer.usage for answer in answers[1:]), answers[0].usage)
    notes = tuple(dict.fromkeys(note for answer in answers for note in answer.notes))
    candidates = tuple(place for answer in answers for place in answer.candidates)
    named = [answer.places[0] for answer in answers if answer.places]
    groups = grouped(named, area)
    count = f"{len(groups[0])} of {len(answers)} answers agree"
    if len(groups[0]) < needed:
        reason = f"the answers differ: {count}"
        rivals = tuple(_middle(group) for group in groups)
        return Grounding((), reason, "", usage, (*notes, count), (*candidates, *rivals))
    best = _middle(groups[0])
    if len(groups[0]) == len(answers):
        best = replace(best, confirmed_by=(*best.confirmed_by, "vote"))
    others = tuple(_middle(group) for group in groups[1:])
    return Grounding((best,), "", "", usage, (*notes, count), (*candidates, *others))


def _middle(group: list[Place]) -> Place:
    """The place of the group that is nearest to all of them: one that was really named, not a mean that nobody named."""

    def apart(place: Place) -> float:
        x, y = place.box.center
        return sum(abs(x - each.box.center.x) + abs(y - each.box.center.y) for each in group)

    # With two there is no middle; the first is from the whole picture.
    return min(group, key=lambda place: (place.is_point, apart(place)))
