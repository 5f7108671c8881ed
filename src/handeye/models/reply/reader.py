"""
Parse a model's reply into places on the frame, in two steps:

`read_reply` finds the numbers and their names, `places` converts them to pixels. Nothing is guessed: the family's
profile defines the coordinate space and the order, and whatever contradicts it raises InvalidReply. Named numbers
(`x=`, `xmin`) define their own order; a key or tag that implies another order than the family's (`box_2d` is y first,
`bbox_2d`, `<box>` and `<point>` are x first) contradicts it. Several different places that are not a list, a "no" next
to a place, a call of another action than a click: all InvalidReply, as nothing may be clicked from such a reply.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from handeye.errors import InvalidBox, InvalidReply
from handeye.geometry import OVERSHOOT, PER_MILLE, CoordinateSpace, Size, detect_space
from handeye.models.families.images import SentImage
from handeye.models.families.profile import PERCENT, THINKING, Format, Order, Profile, Shape
from handeye.models.grounding.grounder import Grounding, Place
from handeye.models.reply.calls import read_calls
from handeye.models.reply.denials import label_denial, says_no
from handeye.models.reply.json import LONGEST_ANSWER, Unusable, json_values
from handeye.models.reply.objects import LONGEST_WORDS, Reading, read_objects
from handeye.models.reply.places import Unreadable, Written, group_places
from handeye.models.reply.prose import MARK, around, check_drafts, check_numbers, denial_around
from handeye.models.reply.tags import labelled_corners, read_tags, without
from handeye.models.reply.text import (
    NARROW,
    Group,
    answer_parts,
    bracket_problem,
    loc_runs,
    number_group,
    without_fences,
    without_thinking,
)

OVERSHOOT_SHARE: Final = OVERSHOOT / PER_MILLE
"""
How far a box in 0-1, percent or 0-1000 may leave the picture, as a share of its side (the OVERSHOOT of
handeye.geometry).
"""

PIXEL_OVERSHOOT: Final = 0.01
"""The same for a box in pixels of the sent picture, where more means that the model saw the picture at another size."""

LONGEST_REPLY: Final = 2_000_000
"""Characters of a reply with its thinking: some 500,000 tokens, more than any model may write."""

MOST_VALUES: Final = 200
"""Objects and lists next to each other in an answer; one screen has fewer elements of a kind."""


@dataclass(frozen=True, slots=True)
class WrittenPlace:
    """A place in the model's own numbers, x first: x, y (a point) or left, top, right, bottom (a box)."""

    numbers: tuple[float, ...]
    label: str = ""
    confidence: float | None = None

    @property
    def is_point(self) -> bool:
        return len(self.numbers) == 2 or self.numbers[:2] == self.numbers[2:]


@dataclass(frozen=True, slots=True)
class ReadReply:
    """
    A parsed reply: `places` in its order, or none when the model does not see the element, with its `reason` and
    `suggestion`. `text` is the raw reply; `doubts` are remarks against its places that do not deny them.
    """

    places: tuple[WrittenPlace, ...]
    reason: str = ""
    suggestion: str = ""
    text: str = ""
    doubts: tuple[str, ...] = ()


def read_reply(text: str, profile: Profile, asked: str = "") -> ReadReply:
    """
    Parse the reply of a model of this family. `asked` is the request in words: "not visible" about the requested
    element means something else than about another one. Raises InvalidReply when the reply is ambiguous.
    """
    if not isinstance(text, str):
        raise InvalidReply("it is not a text", repr(text)[:LONGEST_WORDS])
    try:
        _check_length(text, LONGEST_REPLY)
        said_aloud, unended = without_thinking(text, (*THINKING, *profile.thinking))
        if unended:
            raise Unreadable("it ends before the thinking does", cut=True)
        try:
            reading, said = _read_answer(said_aloud, profile, asked)
        except Unreadable:
            if (narrow := said_aloud.translate(NARROW)) == said_aloud:
                raise
            reading, said = _read_answer(narrow, profile, asked)
    except Unreadable as problem:
        raise InvalidReply(problem.problem, text) from None
    return ReadReply(tuple(dict.fromkeys(said)), reading.reason, reading.suggestion, text, tuple(reading.doubts))


def _read_answer(said_aloud: str, profile: Profile, asked: str) -> tuple[Reading, list[WrittenPlace]]:
    """Parse a reply without its thinking. Raises Unreadable."""
    answers, before, behind = answer_parts(said_aloud)
    if len(answers) > 1 and (named := _only_answer_with_numbers(answers, asked)):
        before, answers = "\n".join([before, *(each for each in answers if each != named)]), [named]
    if len(answers) != 1:
        raise Unreadable("it gives several answers" if answers else "it is empty")
    body = answers[0]
    _check_length(body, LONGEST_ANSWER)
    reading = _read(body.replace(MARK, " "), profile, asked)
    if reading.places:
        reading.record_denial(denial_around(before, behind, asked))
        check_numbers(reading.places, behind, profile.order)
    return reading, [_to_said_place(place, profile) for place in reading.places]


def _only_answer_with_numbers(answers: list[str], asked: str) -> str:
    """
    Return the answer with numbers, when the others are words that deny nothing (GLM marks the names of elements too);
    else "".
    """
    named = [each for each in answers if re.search("[0-9]", each)]
    words = [each for each in answers if each not in named]
    denied = any(each.lower() in _NOTHING or says_no(each) or label_denial(each, asked) for each in words)
    return named[0] if len(named) == 1 and not denied else ""


def _check_length(text: str, longest: int) -> None:
    if len(text) > longest:
        raise Unreadable(f"it has {len(text)} characters; an answer has at most {longest}")


def _to_said_place(place: Written, profile: Profile) -> WrittenPlace:
    numbers = place.x_first(profile.order)
    if len(numbers) == 4 and (numbers[2] < numbers[0] or numbers[3] < numbers[1]):
        raise Unreadable("the box ends before it begins: it may be in another order, or a corner and a size")
    if not any(numbers):
        raise Unreadable("nothing but zeros is what models write when they have no place")
    return WrittenPlace(numbers, place.label, place.confidence)


def _read(body: str, profile: Profile, asked: str) -> Reading:
    """Parse the answer in the single format that it has. Raises Unreadable for places in two formats at once."""
    reading = Reading(asked)
    if labelled := labelled_corners(body, profile):
        reading.record_denial(label_denial(labelled[0].label, asked))
        return _finished(labelled, MARK, body, profile, reading)
    found = json_values(body)
    if any(value is Unusable.UNFINISHED for value, _start, _end in found.values):
        raise Unreadable("its last bracket is not closed", cut=True)
    if len(found.values) > MOST_VALUES:
        raise Unreadable(f"it gives {len(found.values)} answers")
    objects = [each for each in found.values if isinstance(each[0], dict) or _contains_objects(each[0])]
    talk = without(body, [(start, end) for _value, start, end in objects])
    acted, prose = read_calls(talk)
    tagged, prose = read_tags(prose, profile, reading)
    if objects:
        _read_listed(body, [(value, start, end) for value, start, end in objects], reading)
        if acted or tagged:
            raise Unreadable("it answers twice, in different ways")
        for place in reading.places:
            _check_order(place, profile)
        _check_bins(bool(reading.places), False, profile)
        _check_context(reading, prose, profile)
        return reading
    if found.broken:
        raise Unreadable(bracket_problem(body) or "its JSON cannot be read")
    if acted and tagged:
        raise Unreadable("it answers twice, in different ways")
    if acted or tagged:
        places = acted or tagged
        for place in places:
            _check_order(place, profile)
    else:
        places = _read_lists(prose, profile)
    _check_bins(bool(places), bool(loc_runs(body)), profile)
    return _finished(places, prose, body, profile, reading, acted=bool(acted))


def _finished(
    places: list[Written], prose: str, body: str, profile: Profile, reading: Reading, *, acted: bool = False
) -> Reading:
    """Return the result for places that are not in objects, or for words alone."""
    reading.places = [place for place in places if not place.refused]
    reading.said_no = len(reading.places) < len(places)
    if places:
        _check_context(reading, prose, profile, acted=acted)
        reading.reason = " ".join(prose.replace(MARK, " ").split())[:LONGEST_WORDS] if reading.said_no else ""
        return reading.finish()
    if body.strip(" \n\t`.").lower() in _NOTHING or says_no(prose):
        return Reading(said_no=True, reason=" ".join(body.split())[:LONGEST_WORDS])
    raise Unreadable(bracket_problem(body) or "it names no place")


_NOTHING: Final = frozenset({"[]", "none", "null", "n/a", "json\n[]", "json\nnull", "无", "没有"})


def _contains_objects(value: object) -> bool:
    return isinstance(value, list) and any(isinstance(item, dict) for item in value)


def _read_listed(body: str, objects: list[tuple[object, int, int]], reading: Reading) -> None:
    """Add consecutive objects as a list; with words between them they are several answers, which must agree."""
    apart = any(re.search(r"\w", without_fences(body[before[2] : after[1]])) for before, after in pairwise(objects))
    read_objects([value for value, _start, _end in objects], reading)
    if apart and len({place.numbers for place in reading.places}) > 1:
        raise Unreadable("it gives several answers")


def _check_context(reading: Reading, prose: str, profile: Profile, *, acted: bool = False) -> None:
    """Check the words and numbers around the places. Raises Unreadable."""
    if not reading.places:
        return
    before, after = around(prose)
    reading.record_denial(denial_around(before, after, reading.asked, acted=acted))
    check_numbers(reading.places, after, profile.order)
    if MARK in prose and not acted:  # thoughts before an action may mention several places
        check_drafts(reading.places, before, profile.order)


def _read_lists(prose: str, profile: Profile) -> list[Written]:
    """
    Return the places of numbers in brackets. They count only if the answer consists of them, since a sentence may
    mention other numbers too; a family that writes nothing around them may have a lead-in.

    Without brackets or quotation marks the last number may be incomplete.
    """
    bare = _bare(prose)
    unmarked = profile.format in _BARE_FORMATS
    if unmarked:
        bare = _bare(_LEAD_IN.sub("", _THOUGHT.sub("", bare), count=1))
    if bare[:1] == bare[-1:] and bare[:1] in ("'", '"'):
        whole = number_group(bare[1:-1])
    else:
        whole = number_group(bare) if bare[-1:] in ("]", ")") else None
    if whole is not None:
        return _from_group(whole, profile)
    if unmarked and _LISTED.search(bare):
        raise Unreadable(bracket_problem(prose) or "its numbers stand in a sentence")
    return []


def _bare(text: str) -> str:
    return without_fences(text).strip().rstrip(".。").strip("` \n")


_THOUGHT = re.compile(r"^thought\s?[:：][^\n()\[\]]{0,2000}\n\s*(?:action\s?[:：])?", re.IGNORECASE)
_LEAD_IN = re.compile(
    r"^(?:sure[,.!:]? )?(?:here (?:is|are) )?(?:the |its )?(?:(?:exact|normali[sz]ed|pixel|click|target|center|centre) ){0,2}"
    r"(?:answer|action|output|result|click|tap|coordinates?|position|location|point|centre|center|element|target|button|icon|it"
    r"|答案|坐标)"
    r"(?: (?:of|for) [^\n.,;:()\[\]]{1,60}?)?"
    r"(?: ?(?:is|are|would be|是|为))?(?: (?:located|found))?(?: at)?\s?[:：]?\s{0,4}(?=[\[(])",
    re.IGNORECASE,
)
_LISTED = re.compile(r"[\[(]\s{0,4}[+-]?[0-9.]{1,20}\s{0,4}[,，\s]")
_BARE_FORMATS: Final = frozenset({Format.PAIR, Format.LIST})


def _from_group(group: Group, profile: Profile) -> list[Written]:
    """
    Return the places of bare numbers. One pair from a family that writes `(1,2),(3,4)` may be half of a box; two pairs
    from one that writes points may be two points.
    """
    read = group_places(group, None)
    if profile.shape is Shape.POINT and len(group.items) > 1 and isinstance(group.items[0], Group):
        raise Unreadable(f"it gives several pairs of numbers, and {profile.name} writes one point")
    if (
        profile.shape is Shape.BOX
        and len(read) == 1
        and len(read[0].numbers) == 2
        and isinstance(group.items[0], Group)
        and group.items[0].numbers is not None
    ):
        raise Unreadable(f"one pair of numbers is half of a box, which {profile.name} writes")
    return read


def _check_order(place: Written, profile: Profile) -> None:
    if place.named or place.order in (None, profile.order):
        return
    if place.order is Order.YX:
        raise Unreadable(f"box_2d is y first, and {profile.name} is x first; a Gemini model wants the profile 'gemini'")
    raise Unreadable(f"its form is x first, and {profile.name} is y first")


def _check_bins(places: bool, bins: bool, profile: Profile) -> None:
    if bins and not profile.bins:
        raise Unreadable(f"<loc_> numbers count bins, and {profile.name} does not write them")
    if places and profile.bins and not bins:
        raise Unreadable(f"{profile.name} writes <loc_> numbers; these are others")


def places(read: ReadReply, sent: SentImage, profile: Profile) -> Grounding:
    """
    Return the parsed reply in pixels of the frame: its places, sorted by confidence if all have one.

    A point becomes a small box around it, marked `is_point`. Raises InvalidReply for numbers outside of the picture in
    the family's space: a box may leave it by `OVERSHOOT_SHARE` and is cut, its centre and a point may not.
    """
    found = [_place(said, sent, profile, read) for said in read.places]
    if len({_space(said.numbers, sent, profile) for said in read.places}) > 1:
        raise InvalidReply("its places are in different spaces", read.text)
    if all(place.confidence is not None for place in found):
        found.sort(key=lambda place: place.confidence or 0.0, reverse=True)
    return Grounding(tuple(found), read.reason, read.suggestion)


def _place(said: WrittenPlace, sent: SentImage, profile: Profile, read: ReadReply) -> Place:
    try:
        space = _space(said.numbers, sent, profile)
        numbers = tuple(value + 0.5 for value in said.numbers) if profile.bins else said.numbers
        grid = profile.grid if space is profile.space else None
        doubts = (*read.doubts, profile.guessed) if profile.guessed and space is profile.space else read.doubts
        _check_within(numbers, space, grid or sent.size)
        if said.is_point:
            point = sent.to_point(numbers[:2], space, grid)
            return Place(sent.around(point), said.confidence, is_point=True, label=said.label, doubts=doubts)
        return Place(sent.to_box(numbers, space, grid), said.confidence, label=said.label, doubts=doubts)
    except (Unreadable, InvalidBox) as problem:
        why = getattr(problem, "problem", str(problem))
        raise InvalidReply(f"{why}; {profile.guessed}" if profile.guessed else why, read.text) from None


def _space(numbers: tuple[float, ...], sent: SentImage, profile: Profile) -> CoordinateSpace:
    """Return the space of the numbers: the family's, unless its profile allows another one."""
    largest = max(numbers)
    fraction = any(0 < value < 1 for value in numbers)
    if profile.detect and ((fraction and largest <= 1) or largest > 1000):
        box = numbers if len(numbers) == 4 else numbers * 2
        detected = detect_space(box, sent.size)
        return CoordinateSpace.RESIZED if detected is CoordinateSpace.PIXEL else detected
    if profile.otherwise is not None and largest > 1:
        if fraction:
            raise Unreadable("some numbers are within 0-1 and others are not")
        return profile.otherwise
    if largest <= 1 and profile.space is not CoordinateSpace.UNIT and not _is_small_percent(numbers, profile):
        raise Unreadable(f"its numbers are within 0-1, and {profile.name} does not write such")
    return profile.space


def _is_small_percent(numbers: tuple[float, ...], profile: Profile) -> bool:
    """
    Return True if numbers within 0-1 are percent of an element in the corner: such families write one decimal place,
    and fractions of 1 need two or more for anything finer than tenths of the picture.
    """
    return profile.grid == PERCENT and all(math.isclose(value * 10, round(value * 10)) for value in numbers)


def _check_within(numbers: tuple[float, ...], space: CoordinateSpace, grid: Size) -> None:
    """Raise Unreadable for numbers that are not on the picture."""
    pixels = space is CoordinateSpace.RESIZED and grid != PERCENT
    full = {CoordinateSpace.UNIT: Size(1, 1), CoordinateSpace.PER_MILLE: Size(1000, 1000)}.get(space, grid)
    for axis, side in enumerate(full):
        edges = numbers[axis::2]
        slack = max(1.0, PIXEL_OVERSHOOT * side) if pixels else OVERSHOOT_SHARE * side
        middle = math.fsum(edges) / len(edges)
        if not 0 <= middle <= side or not all(-slack <= edge <= side + slack for edge in edges):
            raise Unreadable(f"{_shown(numbers)} is not on a picture of {full.width} x {full.height}")


def _shown(numbers: tuple[float, ...]) -> str:
    return "[" + ", ".join(f"{value:g}" for value in numbers) + "]"
