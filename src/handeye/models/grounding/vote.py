"""Asking several times and taking what the answers agree on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from handeye.clock import Deadline
from handeye.errors import UsageError
from handeye.geometry import Box
from handeye.models.grounding.escalation import Seen, Use, asked_for, same_size, signs
from handeye.models.grounding.grounder import Grounder, Grounding, Place, Question
from handeye.models.grounding.place_checks import grouped, same_place
from handeye.models.grounding.retry_on_parse_error import second_look

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

    Views are the picture without some of its edges, never without a place of the first answer: unlike a higher temperature they
    reach every model, and show those that always say the same numbers. Agreement of all that were asked bears the place out
    ("vote"), unless a further one is doubted itself. An answer that names several places speaks for none of them: a list of
    equals, or a draft and its correction.

    Without a majority nothing is chosen. Several places of the first answer stay several places; otherwise there is no place,
    and `candidates` holds what was said.
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
        # The whole picture once more is the same question: its answer would bear nothing out.
        views = [view for view in self._views(area, _around(first.places)) if view != area]
        if not views:
            return first
        needed = (1 + len(views)) // 2 + 1
        answers = [first]
        for index, view in enumerate(views, 1):
            answers.append(second_look(self.grounder, replace(question, within=view, candidates=()), deadline))
            most = max(map(len, _alone(answers, area)), default=0)
            if most >= needed or most + len(views) - index < needed:
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
    """Return which of two opposite edges moves: the one that should, or the other one when it cannot."""
    if first:
        return (True, False) if first_can else (False, second_can)
    return (False, True) if second_can else (first_can, False)


def _around(places: Sequence[Place]) -> Box:
    """The smallest box that holds all of them."""
    boxes = [place.box for place in places]
    return Box(
        min(box.left for box in boxes),
        min(box.top for box in boxes),
        max(box.right for box in boxes),
        max(box.bottom for box in boxes),
    )


def _alone(answers: Sequence[Grounding], area: Box) -> list[list[Place]]:
    """The places of the answers that name one, in groups that are one place each, the largest group first."""
    return grouped([answer.places[0] for answer in answers if len(grouped(answer.places, area)) == 1], area)


def _counted(answers: Sequence[Grounding], area: Box, needed: int) -> Grounding:
    groups = _alone(answers, area)
    agreeing = len(groups[0]) if groups else 0
    count = f"{agreeing} of {len(answers)} answers agree"
    counted = Grounding(
        usage=sum((answer.usage for answer in answers[1:]), answers[0].usage),
        notes=(*dict.fromkeys(note for answer in answers for note in answer.notes), count),
        candidates=tuple(place for answer in answers for place in answer.candidates),
    )
    named = grouped([place for answer in answers for place in answer.places], area)
    if agreeing < needed:
        return _unsettled(counted, answers, [_middle(group) for group in named], area)
    best = _middle(groups[0])
    best = replace(best, doubts=tuple(dict.fromkeys(doubt for place in groups[0] for doubt in place.doubts)))
    # A further answer that is doubted itself ("I see no Save, so I take Cancel") speaks for nothing.
    if agreeing == len(answers) and not any(place.doubts for answer in answers[1:] for place in answer.places):
        best = replace(best, confirmed_by=(*best.confirmed_by, "vote"))
    rivals = tuple(_middle(group) for group in named if not any(same_place(best, each, area) for each in group))
    return replace(counted, places=(best,), candidates=(*counted.candidates, *rivals))


def _unsettled(counted: Grounding, answers: Sequence[Grounding], named: Sequence[Place], area: Box) -> Grounding:
    """Nothing chosen: what was several stays several, doubted unless every answer was."""
    several = [len(grouped(answer.places, area)) > 1 for answer in answers]
    if not several[0]:
        reason = f"the answers differ: {counted.notes[-1]}"
        return replace(counted, reason=reason, candidates=(*counted.candidates, *named))
    doubts = () if all(several) else ("the answers differ",)
    places = tuple(replace(place, doubts=(*place.doubts, *doubts)) for place in answers[0].places)
    rivals = tuple(each for each in named if not any(same_place(each, place, area) for place in places))
    return replace(counted, places=places, candidates=(*counted.candidates, *rivals))


def _middle(group: list[Place]) -> Place:
    """The place of the group that is nearest to all of them: one that was really named, not a mean that nobody named."""

    def apart(place: Place) -> float:
        x, y = place.box.center
        return sum(abs(x - each.box.center.x) + abs(y - each.box.center.y) for each in group)

    # With two there is no middle; the first is from the whole picture.
    return min(group, key=lambda place: (place.is_point, apart(place)))
