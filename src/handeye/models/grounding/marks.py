"""Set-of-marks: ask for the number of a marked element in place of coordinates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal

import numpy as np
from PIL import ImageDraw, ImageFont

from handeye.clock import Deadline
from handeye.elements import UIElement, UIState
from handeye.errors import InvalidReply
from handeye.geometry import Box, Size
from handeye.models.chat import ChatModel, Picture
from handeye.models.families.images import prepare
from handeye.models.families.profile import Profile
from handeye.models.grounding.candidates import EVEN, LEAST_SIDE, choices, named_candidate, probability, reading_order
from handeye.models.grounding.escalation import Seen, Sign, Use, is_triggered, same_size, signs
from handeye.models.grounding.grounder import Grounder, Grounding, Place, Question
from handeye.models.grounding.prompts import marks_prompt
from handeye.models.grounding.retry_on_parse_error import ask_until_read
from handeye.models.grounding.tree_agreement import PAGE_SHARE, TreeAgreement, agreement_with
from handeye.models.reply.short import bare, short_object
from handeye.screen import Screen
from handeye.usage import Usage

# Height of a digit in pixels of the picture that the model sees: below 12, models misread numbers.
DIGITS: Final = 15
# Neighbouring boxes differ in colour, so that a number is matched to its own box. Dark enough for white digits (4.5:1).
COLOURS: Final = ((200, 30, 30), (20, 90, 200), (20, 120, 60), (140, 40, 180), (160, 85, 0), (0, 115, 125))
_ON_CHIP: Final = (255, 255, 255)
# Penalty factor for a number in a foreign box, which looks like that box's number.
_OTHER: Final = 3.0


def marked(screen: Screen, boxes: Sequence[Box], shown: Size) -> Screen:
    """
    Return the frame with numbered boxes 1, 2, … drawn around `boxes` (pixels of the frame).

    Lines and numbers are sized to be legible when the model sees the frame at `shown`. A number is drawn outside of its
    box where there is space, else in its corner rather than in another box.
    """
    scale = max(1.0, screen.size.width / shown.width, screen.size.height / shown.height)
    picture = screen.image.copy()
    pen = ImageDraw.Draw(picture)
    stroke = max(1, round(1.5 * scale))
    font = _font(round(DIGITS * scale * 1.35))  # digits are some 0.74 of a font's size
    for index, box in enumerate(boxes):
        left, top, right, bottom = box.expand(stroke)
        pen.rectangle((left, top, right - 1, bottom - 1), outline=COLOURS[index % len(COLOURS)], width=stroke)
    taken: list[Box] = []
    for index, box in enumerate(boxes):
        places = _chip_places(pen.textbbox((0, 0), str(index + 1), font=font), box, screen.size, stroke)
        chip = min(places, key=lambda place: _placement_cost(place, index, boxes, taken))
        taken.append(chip)
        pen.rectangle((chip.left, chip.top, chip.right - 1, chip.bottom - 1), fill=COLOURS[index % len(COLOURS)])
        pen.text(_middle(chip), str(index + 1), font=font, fill=_ON_CHIP, anchor="mm")
    return Screen(np.array(picture), screen.taken, screen.pixels_per_unit, screen.origin, screen.window)


def _middle(box: Box) -> tuple[float, float]:
    return (box.left + box.right) / 2, (box.top + box.bottom) / 2


def _chip_places(text: tuple[float, float, float, float], box: Box, size: Size, stroke: int) -> list[Box]:
    """
    Return the possible boxes for a number with these text edges: around the box and in its corners, moved onto the
    frame.
    """
    left, top, right, bottom = text
    pad = 2 * stroke
    width, height = round(right - left) + 2 * pad, round(bottom - top) + 2 * pad
    outer = box.expand(stroke)
    corners = [
        (outer.left, outer.top - height),  # above
        (outer.right - width, outer.top - height),
        (outer.left, outer.bottom),  # below
        (outer.right - width, outer.bottom),
        (outer.left - width, outer.top),  # left and right
        (outer.right, outer.top),
        (outer.left, outer.top),  # inside
        (outer.right - width, outer.top),
        (outer.left, outer.bottom - height),
        (outer.right - width, outer.bottom - height),
    ]
    moved = [(max(0, min(x, size.width - width)), max(0, min(y, size.height - height))) for x, y in corners]
    return [Box(x, y, x + width, y + height) for x, y in moved]


def _placement_cost(chip: Box, own: int, boxes: Sequence[Box], taken: Sequence[Box]) -> float:
    """
    Return the cost of a number's place: the hidden share of its own box, of other boxes and of other numbers, weighted.
    """
    hidden = sum(
        (1.0 if index == own else _OTHER) * _shared(chip, box) / box.area
        for index, box in enumerate(boxes)
        if index == own or not _contains(box, boxes[own])
    )
    return hidden + _OTHER * sum(_shared(chip, other) / other.area for other in taken)


def _contains(outer: Box, inner: Box) -> bool:
    """Return True if `inner` lies in `outer`: then its number may lie there too."""
    return outer.intersect(inner) == inner


def _shared(one: Box, other: Box) -> int:
    shared = one.intersect(other)
    return shared.area if shared else 0


@lru_cache(16)
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Return Pillow's built-in font, which exists on every machine."""
    return ImageFont.load_default(max(8, size))


# Most marks on one picture; more would cover the elements. A phone's page has 20 to 60 clickable elements.
MOST_MARKS: Final = 60
# Two elements with at least this IoU look like one: only the one that a click reaches is marked.
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
    Wrap `grounder`: draw numbered boxes around the ranker's candidates, else around the elements of the question's
    state, and ask `model` for the number. Costs one call for each `most` elements (two for one whose answer cannot be
    parsed); with `auto` after the call of `grounder`, with `on` in place of it. Where no element is known, only
    `grounder` is asked.

    With `auto` and candidates, an unsure answer and one with several places trigger it, too. The choice replaces the
    first answer if its probability is then above one half, unless the first answer is not a candidate at all. Otherwise
    the first answer stays, with a doubt if another candidate was chosen; the same choice again is no further evidence.

    "None of them" leaves the question to `grounder`: not everything is an element. A number that is not on the picture
    is not an answer (InvalidReply; with `auto` the first answer stays). If several batches name one each, there are
    several places. An element with another text than the requested label adds a doubt.
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
        if not is_triggered("marks", found) and not (ranked and _is_undecided(found)):
            return first
        try:
            answer = self._ask(question, elements, deadline)
        except InvalidReply as error:  # keep the first answer and its doubts
            note = f"the number of an element could not be read: {error.problem}"
            answer = Grounding(usage=error.usage or Usage(), notes=(note,))
        usage, notes = first.usage + answer.usage, (*first.notes, *answer.notes)
        if not answer.places:
            return replace(first, usage=usage, notes=notes)
        if ranked:
            return replace(_choose(first, answer, question), usage=usage, notes=notes)
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
    """Return True if an answer is unsure or has several places, and nothing confirms it."""
    return Sign.BACKED not in found and not found.isdisjoint({Sign.UNSURE, Sign.SEVERAL})


def _choose(first: Grounding, choice: Grounding, question: Question) -> Grounding:
    """Return the first answer or the choice among candidates, depending on the ranker's probabilities."""
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
    Return the elements to number, in reading order: clickable ones (where that is known), no pages, no specks, and of
    elements that overlap almost completely only the one that a click reaches.
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
        # A later element lies above an earlier one: a click reaches it.
        kept = [other for other in kept if other.bbox.iou(each.bbox) < _SAME_IOU]
        kept.append(each)
    return tuple(sorted(kept, key=reading_order))


def read_mark(reply: str, count: int) -> int | None:
    """
    Return the number in {"mark": 16}, {"Click BBox ID": "16"} or a bare "16"; None for "none of them".

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
    """Return a whole number, also one written as text; None for anything else."""
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
    says = agreement_with(question.state, element, question.label) if question.state is not None else TreeAgreement.OPEN
    if says is TreeAgreement.SAME:
        return replace(place, confirmed_by=("text",))
    return replace(place, doubts=("another text is read there",)) if says is TreeAgreement.OTHER else place
