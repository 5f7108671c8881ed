"""Zoom and tiling: ask again with a crop around the first answer, or tile by tile over a large screen."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final, Literal

from handeye.clock import Deadline
from handeye.errors import UsageError
from handeye.geometry import Box, Size
from handeye.models.grounding.escalation import Seen, Use, is_triggered, same_size, signs
from handeye.models.grounding.grounder import Grounder, Grounding, Place, Question
from handeye.models.grounding.place_checks import grouped, same_place
from handeye.models.grounding.retry_on_parse_error import second_look

# Each crop has half the sides of the one before, but at least 768 pixels on the longer one: below that the context that
# distinguishes similar elements is lost (ZoomClick: shrink 0.5, least 768, depth 3; ScreenSpot-Pro 61.4 -> 72.1).
SHRINK: Final = 0.5
LEAST_SIDE: Final = 768
MOST_DEPTH: Final = 3
# Least size of a crop, as a multiple of the element's box: half of the crop is context.
_ROOM: Final = 2.0

# Where zoom replaces a verifier, the picture has at most this share of the side that the model saw before: numbers that are
# parsed in a wrong coordinate space are then wrong by another factor, and name another place.
_OTHER_SIZE: Final = 0.7

# Longer side of a tile in pixels. Every model sees it at full size: the smallest image budgets allow 1,280 to 1,568 pixels.
TILE: Final = 1280
# Overlap in pixels, so that a control that is cut by one tile is whole in the next: controls are seldom larger, even at 4K.
OVERLAP: Final = 256
# 5 x 4 tiles cover 7680x4320 at half its size; more calls would take too long.
MOST_TILES: Final = 20


def zoom(
    grounder: Grounder,
    *,
    when: Use = "on",
    depth: int = 1,
    shrink: float = SHRINK,
    least: int = LEAST_SIDE,
    seen: Seen = same_size,
    instead_of: str = "",
) -> Grounder:
    """
    Wrap `grounder`: ask again with a crop around the first answer, up to `depth` times (1 to 3). Costs one call for
    each crop; none when the first answer is "not here" or names several places (a crop shows only one of them), or when
    the crop would be the whole picture.

    If the crop's answer names no place, the first place is kept, with a doubt; if it names another place, that one is
    taken, with a doubt. `seen` returns the size at which the model sees a picture, from which `auto` knows which
    elements are small. `instead_of` names a disabled wrapper; `auto` then zooms for its signs too.
    """
    if not 1 <= depth <= MOST_DEPTH:
        raise UsageError(f"a zoom of depth {depth} makes no sense: give 1 to {MOST_DEPTH}")
    if not 0 < shrink < 1:
        raise UsageError(f"a zoom to {shrink:g} of the sides is none: give more than 0 and less than 1")
    return grounder if when == "off" else _Zoom(grounder, when, depth, shrink, least, seen, instead_of)


@dataclass(frozen=True, slots=True)
class _Zoom:
    grounder: Grounder
    when: Literal["auto", "on"]
    depth: int
    shrink: float
    least: int
    seen: Seen
    instead_of: str

    def ground(self, question: Question, deadline: Deadline | None = None) -> Grounding:
        answer = self.grounder.ground(question, deadline)
        area = (question.within or question.screen.box).clip(question.screen.size)
        for _ in range(self.depth):
            if len(grouped(answer.places, area)) != 1:
                break
            crop = self._crop(area, answer.places[0].box)
            if crop == area or not self._worth(replace(question, within=area), answer):
                break
            closer = second_look(self.grounder, replace(question, within=crop, enlarge=not self.instead_of), deadline)
            answer = _merged(answer, closer, crop)
            if answer.places[0].doubts:
                break  # an element that is not seen in this crop is not seen in a smaller one
            area = crop
        return answer

    def _crop(self, area: Box, box: Box) -> Box:
        """Return the part of `area` to show: its sides scaled by one factor, around `box`, moved to lie in the area."""
        longer = max(area.width, area.height)
        shrink = self.shrink
        if self.instead_of:
            shrink = min(shrink, _OTHER_SIZE * max(self.seen(Size(area.width, area.height))) / longer)
        factor = max(
            shrink,
            self.least / longer,
            _ROOM * box.width / area.width,
            _ROOM * box.height / area.height,
        )
        if factor >= 1:
            return area
        width, height = math.ceil(area.width * factor), math.ceil(area.height * factor)
        left = min(max(area.left, box.center.x - width // 2), area.right - width)
        top = min(max(area.top, box.center.y - height // 2), area.bottom - height)
        return Box(left, top, left + width, top + height)

    def _worth(self, question: Question, answer: Grounding) -> bool:
        return self.when == "on" or is_triggered("zoom", signs(question, answer, self.seen), also=self.instead_of)


def _merged(first: Grounding, closer: Grounding, crop: Box) -> Grounding:
    """Merge the first answer with the answer for the crop."""
    usage, notes = first.usage + closer.usage, (*first.notes, *closer.notes)
    shown = f"{crop.width}x{crop.height} pixels"
    before = first.places[0]
    if not closer.places:
        doubt = "a closer look does not show it"
        kept = replace(before, doubts=(*before.doubts, doubt))
        return replace(first, places=(kept, *first.places[1:]), usage=usage, notes=(*notes, f"{doubt} ({shown})"))
    best = closer.places[0]
    if same_place(best, before, crop):
        # Earlier doubts about the place remain, even if the model names it again.
        doubted = replace(best, doubts=tuple(dict.fromkeys((*before.doubts, *best.doubts))))
        places = (doubted, *closer.places[1:])
        return replace(closer, places=places, usage=usage, notes=(*notes, f"looked closer ({shown})"))
    doubt = "a closer look shows it elsewhere"
    moved = replace(best, doubts=(*best.doubts, doubt))
    return replace(
        closer,
        places=(moved, *closer.places[1:]),
        usage=usage,
        notes=(*notes, f"{doubt} ({shown})"),
        candidates=(*first.candidates, *closer.candidates, before),
    )


def tiles(
    grounder: Grounder, *, when: Use = "on", side: int = TILE, overlap: int = OVERLAP, seen: Seen = same_size
) -> Grounder:
    """
    Wrap `grounder`: ask for each tile of a picture whose longer side is more than `side` pixels, and merge the answers.
    Costs one call for each tile (3840x2160: 8); with `auto` one more, for the whole picture, which comes first.

    Places of overlapping tiles that are the same place are merged; different ones are kept as several places.
    """
    if not 0 <= overlap < side:
        raise UsageError(f"tiles of {side} pixels cannot overlap by {overlap}: give less than their side")
    return grounder if when == "off" else _Tiles(grounder, when, side, overlap, seen)


@dataclass(frozen=True, slots=True)
class _Tiles:
    grounder: Grounder
    when: Literal["auto", "on"]
    side: int
    overlap: int
    seen: Seen

    def ground(self, question: Question, deadline: Deadline | None = None) -> Grounding:
        area = (question.within or question.screen.box).clip(question.screen.size)
        parts = tiles_of(area, self.side, self.overlap)
        whole = None
        if self.when == "auto" or len(parts) == 1:
            whole = self.grounder.ground(question, deadline)
            if len(parts) == 1 or not is_triggered("tiles", signs(question, whole, self.seen)):
                return whole
        look = second_look if whole else _look
        answers = [look(self.grounder, replace(question, within=part), deadline) for part in parts]
        return _merge_tiles(answers, whole, len(parts), area)


def _look(grounder: Grounder, question: Question, deadline: Deadline | None) -> Grounding:
    return grounder.ground(question, deadline)


def tiles_of(area: Box, side: int, overlap: int) -> tuple[Box, ...]:
    """
    Return `area` in tiles of at most `side` pixels that overlap by at least `overlap`; larger tiles where there would
    be too many.
    """
    while True:
        columns = _spans(area.left, area.right, side, overlap)
        rows = _spans(area.top, area.bottom, side, overlap)
        if len(columns) * len(rows) <= MOST_TILES:
            return tuple(Box(left, top, right, bottom) for top, bottom in rows for left, right in columns)
        side = side * 5 // 4 + 1


def _spans(start: int, end: int, side: int, overlap: int) -> list[tuple[int, int]]:
    """Return `start` to `end` in equal parts that overlap; as one part when it fits into one."""
    length = end - start
    if length <= side:
        return [(start, end)]
    count = math.ceil((length - overlap) / (side - overlap))
    step = (length - side) / (count - 1)
    return [(start + round(index * step), start + round(index * step) + side) for index in range(count)]


def _merge_tiles(answers: list[Grounding], whole: Grounding | None, count: int, area: Box) -> Grounding:
    all_of_it = [*answers, *([whole] if whole else [])]
    groups = grouped([place for answer in answers for place in answer.places], area)
    # If a tile's edge cut an element, the larger box is the whole element.
    places: list[Place] = [max(group, key=lambda place: place.box.area) for group in groups]
    places.sort(key=lambda place: -(place.confidence or 0.0))
    usage = sum((answer.usage for answer in all_of_it[1:]), all_of_it[0].usage)
    notes = tuple(dict.fromkeys(note for answer in all_of_it for note in answer.notes))
    spoken = next((answer for answer in all_of_it if answer.reason), None)
    return Grounding(
        tuple(places),
        "" if places or spoken is None else spoken.reason,
        "" if places or spoken is None else spoken.suggestion,
        usage,
        (*notes, f"looked at {count} tiles"),
        tuple(place for answer in all_of_it for place in answer.candidates)
        + tuple(
            place
            for place in (whole.places if whole else ())
            if not any(same_place(place, each, area) for each in places)
        ),
    )
