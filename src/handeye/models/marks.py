"""Asking for the number of a marked element instead of a place (set-of-marks)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from handeye.clock import Deadline
from handeye.elements import UIElement, UIState
from handeye.errors import InvalidReply
from handeye.geometry import Box, Size
from handeye.models.asking import ask_until_read
from handeye.models.candidates import (
    EVEN,
    LEAST_SIDE,
    choices,
    named_candidate,
    probability,
    reading_order,
)
from handeye.models.chat import ChatModel, Picture
from handeye.models.doubt import Seen, Sign, Use, asked_for, same_size, signs
from handeye.models.grounder import Grounder, Grounding, Place, Question
from handeye.models.images import prepare
from handeye.models.mark_picture import marked
from handeye.models.profiles import Profile
from handeye.models.prompts import marks_prompt
from handeye.models.short_reply import bare, short_object
from handeye.models.standing import PAGE_SHARE, Says, said_of
from handeye.usage import Usage

# More numbers on one picture cover what they stand beside. A phone's page has 20 to 60 elements that can be clicked.
MOST_MARKS: Final = 60
# Two elements that share so much are one to the eye: the one that a click reaches is marked.
_SAME_IOU: Final = 0.85
_ANSWERS: Final = frozenset({"mark", "number", "id", "click bbox id", "reason", "analysis", "confidence"})
_NUMBERS: Final = ("mark", "number", "id", "click bbox id")


def marks(
    grounder: Grounder,
    model: ChatModel,
    profile: Profile,
    *,
    when: Use = "on",
    most: int = MOST_MARKS,
    seen: Seen = same_size,
) -> Grounder:
    """
    Draws numbered boxes around the ranker's candidates, else around the elements of the question's state, and asks `model`
    which number it is. Costs one call for each `most` elements (two for one whose answer cannot be read); with `auto` after the
    call of `grounder`, with `on` instead of it. Where no element is known, `grounder` is asked alone.

    With `auto` and candidates, an unsure answer and one of several places is a doubt, too. What is chosen takes the place of
    the first answer where it is then more probable than not, unless that is no candidate at all. Else the first answer stays,
    doubted where another one was chosen: the same choice again is no further evidence.

    "None of them" leaves the question to `grounder`: not everything is an element. A number that does not stand on the picture
    is no answer (InvalidReply; with `auto` the first answer stays). Several batches that each name one leave several places.
    An element with another text than the asked label is a doubt.
    """
    return grounder if when == "off" else _Marks(grounder, model, profile, when, max(1, most), seen)


@dataclass(frozen=True, slots=True)
class _Marks:
    grounder: Grounder
    model: ChatModel
    profile: Profile
    when: Literal["auto", "on"]
    most: int
    seen: Seen

    def ground(self, question: Question, deadline: Deadline | None = None) -> Grounding:
        ranked = choices(question)
        elements = ranked or (markable(question.state, question.within) if question.state is not None else ())
        if not elements:
            return self.grounder.ground(question, deadline)
        if self.when == "on":
            answer = self._ask(question, elements, deadline)
            if answer.places:
                return answer
            asked = self.grounder.ground(question, deadline)
            return replace(asked, usage=asked.usage + answer.usage, notes=(*answer.notes, *asked.notes))
        first = self.grounder.ground(question, deadline)
        found = signs(question, first, self.seen)
        if not asked_for("marks", found) and not (ranked and _is_undecided(found)):
            return first
        try:
            answer = self._ask(question, elements, deadline)
        except InvalidReply as error:  # what contradicts the first answer still stands
            note = f"the number of an element could not be read: {error.problem}"
            answer = Grounding(usage=error.usage or Usage(), notes=(note,))
        usage, notes = first.usage + answer.usage, (*first.notes, *answer.notes)
        if not answer.places:
            return replace(first, usage=usage, notes=notes)
        if ranked:
            return replace(_weighed(first, answer, question), usage=usage, notes=notes)
        return replace(answer, usage=usage, notes=notes, candidates=(*first.candidates, *first.places))

    def _ask(self, question: Question, elements: Sequence[UIElement], deadline: Deadline | None) -> Grounding:
        batches = math.ceil(len(elements) / self.most)
        share = math.ceil(len(elements) / batches)
        usage = Usage()
        chosen: list[UIElement] = []
        for start in range(0, len(elements), share):
            batch = elements[start : start + share]
            number, cost = self._number(question, batch, deadline)
            usage += cost
            if number is not None:
                chosen.append(batch[number - 1])
        note = (
            f"chose among {len(elements)} numbered elements" if chosen else f"none of {len(elements)} numbered elements"
        )
        return Grounding(tuple(_place(each, question) for each in chosen), usage=usage, notes=(note,))

    def _number(
        self, question: Question, batch: Sequence[UIElement], deadline: Deadline | None
    ) -> tuple[int | None, Usage]:
        picture = self._picture(question, [each.visible_region or each.bbox for each in batch])
        return ask_until_read(
            self.model,
            lambda problem: marks_prompt(question, picture, len(batch), problem),
            lambda reply: read_mark(reply, len(batch)),
            deadline,
        )

    def _picture(self, question: Question, boxes: Sequence[Box]) -> Picture:
        part = (question.within or question.screen.box).clip(question.screen.size)
        shown = self.profile.budget.fit((part.width, part.height))
        # The numbers are drawn on the whole frame, which is shown at the same scale as its part.
        whole = Size(
            math.ceil(question.screen.size.width * shown.width / part.width),
            math.ceil(question.screen.size.height * shown.height / part.height),
        )
        return prepare(marked(question.screen, boxes, whole), self.profile, part).picture


def _is_undecided(found: frozenset[Sign]) -> bool:
    """Return True if an answer is unsure or several places, and nothing bears it out."""
    return Sign.BACKED not in found and not found.isdisjoint({Sign.UNSURE, Sign.SEVERAL})


def _weighed(first: Grounding, choice: Grounding, question: Question) -> Grounding:
    """Return what a first answer and a choice among candidates say together, by what the ranker thinks of them."""
    chosen = choice.places[0]
    best = first.places[0] if len(first.places) == 1 else None
    named = named_candidate(question, best) if best is not None else None
    if named is not None and named is chosen.element:
        return first
    if probability(question, chosen) > EVEN and (best is None or named is not None or best.doubts):
        return replace(choice, candidates=(*first.candidates, *first.places))
    if best is None:
        return first
    doubted = replace(best, doubts=(*best.doubts, "another one was chosen among numbered candidates"))
    return replace(first, places=(doubted,), candidates=(*first.candidates, chosen))


def markable(state: UIState, within: Box | None = None) -> tuple[UIElement, ...]:
    """
    The elements worth a number, in reading order: those that a click does something to where that is known, no pages, no
    specks, and of those that are one to the eye only the one that a click reaches.
    """
    area = (within or state.screen.box).clip(state.screen.size)
    known = any(each.interactive is not None for each in state.elements)
    kept: list[UIElement] = []
    for each in state.elements:
        visible = (each.visible_region or each.bbox).intersect(area)
        if visible is None or min(visible.width, visible.height) < LEAST_SIDE:
            continue
        if visible.area > PAGE_SHARE * state.screen.box.area or (known and not each.interactive):
            continue
        # A later element lies above an earlier one: it is the one that is reached.
        kept = [other for other in kept if other.bbox.iou(each.bbox) < _SAME_IOU]
        kept.append(each)
    return tuple(sorted(kept, key=reading_order))


def read_mark(reply: str, count: int) -> int | None:
    """
    The number in {"mark": 16}, {"Click BBox ID": "16"} or a bare "16"; None for "none of them".

    Raises InvalidReply for a number that is not from 1 to `count`, and for anything that is not one number.
    """
    data = short_object(reply, _ANSWERS)
    if data is not None and not any(name in data for name in _NUMBERS):
        raise InvalidReply("it holds no number", reply)
    said = bare(reply).strip("[](). \n") if data is None else next(data[name] for name in _NUMBERS if name in data)
    if said is None or (isinstance(said, str) and said.strip().casefold() in ("none", "null")):
        return None
    number = _whole(said)
    if number is None:
        raise InvalidReply("it is no number of a box", reply)
    if not 1 <= number <= count:
        raise InvalidReply(f"there are only boxes 1 to {count}", reply)
    return number


def _whole(said: object) -> int | None:
    """A whole number, also one written as text."""
    if isinstance(said, bool):
        return None
    if isinstance(said, float):
        return int(said) if said.is_integer() else None
    if isinstance(said, int):
        return said
    text = said.strip() if isinstance(said, str) else ""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 4 else None


def _place(element: UIElement, question: Question) -> Place:
    box = (element.visible_region or element.bbox).clip(question.screen.size)
    place = Place(box, label=element.text or element.description, element=element)
    says = said_of(question.state, element, question.label) if question.state is not None else Says.OPEN
    if says is Says.SAME:
        return replace(place, confirmed_by=("text",))
    return replace(place, doubts=("another text is read there",)) if says is Says.OTHER else place
