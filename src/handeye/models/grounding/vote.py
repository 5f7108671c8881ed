"""Majority vote over several answers of the same model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from handeye.clock import Deadline
from handeye.errors import UsageError
from handeye.geometry import Box
from handeye.models.grounding.escalation import Seen, Use, is_triggered, same_size, signs
from handeye.models.grounding.grounder import Grounder, Grounding, Place, Question
from handeye.models.grounding.place_checks import grouped, same_place
from handeye.models.grounding.retry_on_parse_error import second_look

SAMPLES: Final = 3
MOST_SAMPLES: Final = 9
# Share of the picture's sides that a view leaves out. If a model gives the same numbers for every picture, its answer on the
# frame moves by half of that, which is more than two answers for one element may differ (place_checks.SAME_DISTANCE).
CUT: Final = 0.12
# Margin around the first answer, as a share of the sides, so that no view cuts the element.
_MARGIN: Final = 0.03
# The edges that each view moves (left, top, right, bottom); no two views move the same ones.
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
    Wrap `grounder`: ask up to `samples` times (2 to 9), each time with another view of the picture, until more than
    half of the answers agree. Costs `samples` - 1 further calls at most, (`samples` - 1) / 2 when the first ones agree,
    none when the first is "not here".

    A view is the picture without some of its edges, but with all places of the first answer. Unlike a higher
    temperature, views work with every model, and reveal those that always give the same numbers. The place is confirmed
    ("vote") if all answers agree, unless a further one is doubted itself. An answer that names several places counts
    for none of them: it is a list of equals, or a draft and its correction.

    Without a majority nothing is chosen. If the first answer has several places, they are kept; otherwise there is no
    place, and `candidates` holds the answers.
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
        if not first.places or (self.when == "auto" and not is_triggered("vote", signs(question, first, self.seen))):
            return first
        area = (question.within or question.screen.box).clip(question.screen.size)
        # The whole picture again is the same question: its answer would confirm nothing.
        views = [view for view in self._views(area, _around(first.places)) if view != area]
        if not views:
            return first
        needed = (1 + len(views)) // 2 + 1
        answers = [first]
        for index, view in enumerate(views, 1):
            answers.append(second_look(self.grounder, replace(question, within=view, candidates=()), deadline))
            most = max(map(len, _single_places(answers, area)), default=0)
            if most >= needed or most + len(views) - index < needed:
                break  # there is a majority, or there can be none any more
        return _counted(answers, area, needed)

    def _views(self, area: Box, answer: Box) -> Iterator[Box]:
        """Yield parts of `area` that contain `answer` with some margin."""
        room = answer.expand(round(_MARGIN * max(area.width, area.height)))
        for index in range(self.samples - 1):
            left, top, right, bottom = _VIEWS[index % len(_VIEWS)]
            # Later rounds leave out less, so that no view is repeated.
            share = self.cut / (1 + index // len(_VIEWS))
            dx, dy = round(share * area.width), round(share * area.height)
            # An edge that is too near to the answer stays; then the opposite one moves, so that the view still differs.
            left, right = _either(left, right, room.left - area.left >= dx, area.right - room.right >= dx)
            top, bottom = _either(top, bottom, room.top - area.top >= dy, area.bottom - room.bottom >= dy)
            yield Box(area.left + dx * left, area.top + dy * top, area.right - dx * right, area.bottom - dy * bottom)


def _either(first: bool, second: bool, first_can: bool, second_can: bool) -> tuple[bool, bool]:
    """Return which of two opposite edges moves: the one that should, or the other one when it cannot."""
    if first:
        return (True, False) if first_can else (False, second_can)
    return (False, True) if second_can else (first_can, False)


def _around(places: Sequence[Place]) -> Box:
    """Return the smallest box that contains all places."""
    boxes = [place.box for place in places]
    return Box(
        min(box.left for box in boxes),
        min(box.top for box in boxes),
        max(box.right for box in boxes),
        max(box.bottom for box in boxes),
    )


def _single_places(answers: Sequence[Grounding], area: Box) -> list[list[Place]]:
    """Return the places of the answers that name a single one, grouped by same place, the largest group first."""
    return grouped([answer.places[0] for answer in answers if len(grouped(answer.places, area)) == 1], area)


def _counted(answers: Sequence[Grounding], area: Box, needed: int) -> Grounding:
    groups = _single_places(answers, area)
    agreeing = len(groups[0]) if groups else 0
    count = f"{agreeing} of {len(answers)} answers agree"
    counted = Grounding(
        usage=sum((answer.usage for answer in answers[1:]), answers[0].usage),
        notes=(*dict.fromkeys(note for answer in answers for note in answer.notes), count),
        candidates=tuple(place for answer in answers for place in answer.candidates),
    )
    named = grouped([place for answer in answers for place in answer.places], area)
    if agreeing < needed:
        return _unsettled(counted, answers, [_medoid(group) for group in named], area)
    best = _medoid(groups[0])
    best = replace(best, doubts=tuple(dict.fromkeys(doubt for place in groups[0] for doubt in place.doubts)))
    # A further answer that is doubted itself ("I see no Save, so I take Cancel") confirms nothing.
    if agreeing == len(answers) and not any(place.doubts for answer in answers[1:] for place in answer.places):
        best = replace(best, confirmed_by=(*best.confirmed_by, "vote"))
    rivals = tuple(_medoid(group) for group in named if not any(same_place(best, each, area) for each in group))
    return replace(counted, places=(best,), candidates=(*counted.candidates, *rivals))


def _unsettled(counted: Grounding, answers: Sequence[Grounding], named: Sequence[Place], area: Box) -> Grounding:
    """
    Return the answer without a majority: several places of the first answer are kept, doubted unless every answer had
    several.
    """
    several = [len(grouped(answer.places, area)) > 1 for answer in answers]
    if not several[0]:
        reason = f"the answers differ: {counted.notes[-1]}"
        return replace(counted, reason=reason, candidates=(*counted.candidates, *named))
    doubts = () if all(several) else ("the answers differ",)
    places = tuple(replace(place, doubts=(*place.doubts, *doubts)) for place in answers[0].places)
    rivals = tuple(each for each in named if not any(same_place(each, place, area) for place in places))
    return replace(counted, places=places, candidates=(*counted.candidates, *rivals))


def _medoid(group: list[Place]) -> Place:
    """Return the place of the group with the least distance to the others: one that was really named, not a mean."""

    def apart(place: Place) -> float:
        x, y = place.box.center
        return sum(abs(x - each.box.center.x) + abs(y - each.box.center.y) for each in group)

    # With two places there is no middle; the first one is taken, which is from the whole picture.
    return min(group, key=lambda place: (place.is_point, apart(place)))
