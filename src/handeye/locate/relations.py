"""Choosing among several places: neighbours, part of the screen, ordinal.

All of it is geometry of boxes in frame pixels, but for what a tree knows to be in what. A choice is made only where it is
clear: of places that stand equally well, all remain, and the chain refuses to pick one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Final

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.locate.base import Match, Nesting
from handeye.locate.colours import Shows, shows_colour
from handeye.locate.geometry import (
    BACKWARDS,
    SIDEWAYS,
    clearly_nearest,
    edge_distance,
    is_almost_level,
    is_less_level,
    lines_of,
    place_distance,
    stands_amid,
    stands_between,
    within_third,
)
from handeye.screen import Screen
from handeye.target import LocateResult, Position, Relation, RelationKind, Target
from handeye.text import around

Find = Callable[[Target], LocateResult]

_VERTICAL: Final = frozenset({RelationKind.ABOVE, RelationKind.BELOW})
# Kinds that every place in a region has: being nearer means nothing in them.
_REGIONS: Final = frozenset({RelationKind.ROW, RelationKind.COLUMN, RelationKind.IN})

# What a menu holds, and what people call it. Who asks for a button in "File" does not mean an entry of the menu of that name.
_ENTRIES: Final = frozenset({None, "item", "menu item", "menu"})

# Finds closer in confidence than this are equally good: they differ in how the words were written, not in what they mean.
RELATION_TIE: Final = 0.1


def choose_by_relations(
    target: Target, match: Match, screen: Screen, find: Find, nesting: Nesting | None = None
) -> Match:
    """
    The places of `match` that `target.relations`, `position` and `ordinal` leave; its note says why none is left.

    `find` looks for an anchor on the same frame. `nesting` is the strategy, where it knows what is in what.
    """
    places, region = _distinct(match.elements), screen.box
    notes = [match.note] if match.note else []
    if target.colour is not None:
        places = _coloured(target.colour, places, screen)
        if not places:
            return Match((), f"none of the places found is {target.colour}")
        notes.append(target.colour)
    among = places  # those that rows and columns are counted among: the second column is one of all rows
    for relation, *second in _paired(target.relations):
        reason = f"nothing like it is {relation}"
        if relation.counts_lines:
            line, missing = _line(relation, among, find)
            places, reason = tuple(each for each in places if each in line), missing or reason
        else:
            ends = [(each, _anchors(each, find)) for each in (relation, *second)]
            for each, anchors in ends:
                if not anchors or (second and len(anchors) > 1):
                    many = "stands there several times" if anchors else "was not found"
                    return Match((), f"{each.anchor} {many}, and the target is {each.kind.value} it")
            anchors = ends[0][1]
            if second:
                places = _amid(places, *anchors, *ends[1][1])
            elif nesting is not None and relation.kind is RelationKind.IN:
                places = _inside(target, relation, places, anchors, nesting)
            else:
                places = _related(relation, places, anchors, nearest=target.ordinal is None)
            if (
                relation.kind is RelationKind.IN and len(anchors) == 1
            ):  # with what it holds elsewhere: an open menu does
                held = [each.bbox for each in places if nesting is not None and nesting.holds(anchors[0], each)]
                region = around([anchors[0].bbox, *held])
            among = places
        if not places:
            return Match((), reason)
        notes.append(str(relation))
    if target.position is not None:
        places = _placed(target, target.position, places, region)
        if not places:
            return Match((), f"none of the places found is {target.position.value}")
        notes.append(target.position.value)
    if target.ordinal is not None:
        ordered = reading_order(places)
        if target.ordinal > 0 and any(each.kind in BACKWARDS for each in target.relations):
            ordered.reverse()
        number = _number(target.ordinal, ordered)
        if number is None:
            return Match((), f"there are only {len(ordered)} of them, so there is no number {target.ordinal}")
        places = (ordered[number],)
        notes.append(f"number {target.ordinal} of {len(ordered)}")
        if len(ordered) == 1 and target.ordinal != 1:  # the others may be covered, or unread
            return Match((), ", ".join(notes), doubtful=places)
    return Match(tuple(places) if target.colour else _surest(places), ", ".join(notes))


def _coloured(colour: str, places: Sequence[UIElement], screen: Screen) -> tuple[UIElement, ...]:
    """
    The one place of that colour; several that have it, or may have it, all stay; none where only one may have it.

    What a model chose was chosen by its colour too, and is not judged again.
    """
    shown = [
        (Shows.SURELY if each.source == "visual" else shows_colour(screen, each.bbox, colour), each) for each in places
    ]
    if not any(shows is Shows.SURELY for shows, _place in shown):
        return ()
    return tuple(place for shows, place in shown if shows)


def _surest(places: Sequence[UIElement]) -> tuple[UIElement, ...]:
    """The places without those that fit clearly less well than the best: a strategy offers what is barely acceptable too."""
    best = max((place.confidence for place in places), default=0.0)
    return tuple(place for place in places if not place.confidence < best - RELATION_TIE)


def _distinct(elements: Sequence[UIElement]) -> tuple[UIElement, ...]:
    """Each place once: the same text in the same spot may be found in two ways, and would be counted twice."""
    kept: list[UIElement] = []
    for element in elements:
        alike = [each.bbox for each in kept if element.text and element.text == each.text]
        if not any(box.contains(element.bbox.center) or element.bbox.contains(box.center) for box in alike):
            kept.append(element)
    return tuple(kept)


def reading_order(elements: Sequence[UIElement]) -> list[UIElement]:
    """Rows from the top, each from the left; places of one row need not be exactly level."""
    boxes = [element.bbox for element in elements]
    return [elements[index] for row in lines_of(boxes, RelationKind.ROW) for index in row]


def _paired(relations: Sequence[Relation]) -> list[tuple[Relation, ...]]:
    """
    Each relation, and with "between" its second half; between a thing and itself is nothing. What holds the target comes
    first: rows are counted in it.
    """
    between = [each for each in relations if each.kind is RelationKind.BETWEEN]
    pairs = zip_longest(between[::2], between[1::2])
    single = sorted(
        (each for each in relations if each not in between), key=lambda each: each.kind is not RelationKind.IN
    )
    return [(each,) for each in single] + [(one, other or one) for one, other in pairs]


def _amid(places: Sequence[UIElement], one: UIElement, other: UIElement) -> tuple[UIElement, ...]:
    return tuple(
        _as_sure_as(_as_sure_as(place, one), other) for place in places if stands_amid(place.bbox, one.bbox, other.bbox)
    )


def _anchors(relation: Relation, find: Find) -> tuple[UIElement, ...]:
    """The anchor, or every place that it may be: one of them may be the only one with such a neighbour."""
    result = find(relation.anchor)
    if result.element is not None:
        return (result.element,)
    equal = any(attempt.outcome == "ambiguous" for attempt in result.attempts)
    return result.candidates if equal else ()  # what is only doubtful is no anchor


def _line(relation: Relation, places: Sequence[UIElement], find: Find) -> tuple[tuple[UIElement, ...], str]:
    """ "The second row", counted among the places themselves; "row 2" may be labelled so."""
    lines = lines_of([place.bbox for place in places], relation.kind)
    ordinal = relation.anchor.ordinal or 1
    number = _labelled(relation, places, lines, find) if relation.anchor.phrase else _number(ordinal, lines)
    if number is None or len(lines) < 2:  # the only one may stand in any
        return (), f"the places found make {len(lines)} {relation.anchor.role}s, so there is no number {ordinal}"
    return tuple(places[each] for each in lines[number]), ""


def _labelled(relation: Relation, places: Sequence[UIElement], lines: list[list[int]], find: Find) -> int | None:
    """
    Return the index of line N: that in which N is written beside a line with N - 1 or N + 1, else the N-th; None where one of
    these numbers is written in another line, as a quantity may be.
    """
    ordinal = relation.anchor.ordinal or 1

    def written(number: int) -> set[int]:
        anchors = _anchors(Relation(relation.kind, Target(text=str(number), exact=True)), find)
        near = {each.bbox for each in _related(relation, places, anchors, nearest=False)}
        return {at for at, line in enumerate(lines) if any(places[each].bbox in near for each in line)}

    before, own, after = (written(ordinal + step) for step in (-1, 0, 1))
    labelled = {at for at in own if at - 1 in before or at + 1 in after}
    if labelled:
        return labelled.pop() if len(labelled) == 1 else None
    counted = ordinal - 1
    elsewhere = (before - {counted - 1}) | (own - {counted}) | (after - {counted + 1})
    return None if elsewhere else _number(ordinal, lines)


def _related(
    relation: Relation, places: Sequence[UIElement], anchors: Sequence[UIElement], *, nearest: bool
) -> tuple[UIElement, ...]:
    """The places that stand so to one of the anchors: to each anchor its nearest, unless all are wanted for counting."""
    counted_freely = not nearest and relation.kind in _VERTICAL  # the third image below X may stand in another column
    for loose in (counted_freely, True)[: 1 if len(anchors) > 1 else 2]:  # of several, one may have it just there
        chosen: list[UIElement] = []
        for anchor in anchors:
            kept = _standing(relation.kind, places, anchor, nearest=nearest, loose=loose)
            chosen += [_as_sure_as(place, anchor) for place in kept if all(place.bbox != each.bbox for each in chosen)]
        if chosen:
            break
    return tuple(chosen)


def _inside(
    target: Target, relation: Relation, places: Sequence[UIElement], anchors: Sequence[UIElement], nesting: Nesting
) -> tuple[UIElement, ...]:
    """Return the places inside each anchor by the tree; in one that has none, what stands in its rectangle and not over it."""
    entries_too = target.role in _ENTRIES or relation.anchor.role == "menu"
    chosen: list[UIElement] = []
    for anchor in anchors:
        inner = [place for place in places if nesting.holds(anchor, place)]
        if not entries_too and anchor.element_type in _ENTRIES:
            inner = [place for place in inner if place.element_type not in _ENTRIES]
        if inner:
            kept = tuple(_as_sure_as(place, anchor) for place in inner)
        else:
            beside = [place for place in places if not nesting.is_over(place, anchor)]
            kept = _related(relation, beside, (anchor,), nearest=target.ordinal is None)
        chosen += [place for place in kept if all(place.bbox != each.bbox for each in chosen)]
    return tuple(chosen)


def _as_sure_as(place: UIElement, anchor: UIElement) -> UIElement:
    """A place known by its neighbour is no surer than that neighbour; several anchors are told from one another by it."""
    known = anchor.reliable or anchor.source != "fixed"
    return replace(place, confidence=min(place.confidence, anchor.confidence), reliable=place.reliable and known)


def _standing(
    kind: RelationKind, places: Sequence[UIElement], anchor: UIElement, *, nearest: bool, loose: bool
) -> list[UIElement]:
    # A neighbour stands beside the words on a wide control, but in the whole of it, or in its row.
    label = anchor.label_box
    is_on_it = kind not in _REGIONS and label is not None and anchor.bbox.contains(label.center)
    body = label if label is not None and is_on_it else anchor.bbox
    fits = []
    for place in places:
        distance = place_distance(kind, place.bbox, body, loose=loose)
        if distance is not None and place.bbox != anchor.bbox:
            fits.append((distance, place))
    if kind in SIDEWAYS and not loose:
        level = [
            each for each in fits if not any(is_less_level(each[1].bbox, other.bbox, body) for _far, other in fits)
        ]
        fits = list(level)
        for place in places:
            beside = [distance for distance, each in level if is_almost_level(place.bbox, each.bbox, body)]
            fits += [(min(beside), place)] if beside else []
    if not nearest or kind in _REGIONS:
        return [place for _distance, place in fits]
    sure = _surest([place for _distance, place in fits])  # a picture that may be a button is nearer than the button
    fits = [each for each in fits if each[1] in sure]
    first = [each for each in fits if not any(stands_between(kind, near.bbox, each[1].bbox) for _near, near in fits)]
    return clearly_nearest(first, body.height)


def _placed(target: Target, position: Position, places: Sequence[UIElement], region: Box) -> tuple[UIElement, ...]:
    """The places there; of several that are not counted, the one that is clearly farthest in that direction."""
    inside = [place for place in places if within_third(place.bbox, position, region)]
    if target.ordinal is not None:
        return tuple(inside)
    return tuple(clearly_nearest([(edge_distance(place.bbox, position, region), place) for place in inside]))


def _number(ordinal: int, ordered: Sequence[object]) -> int | None:
    """The index of the so many-th, from the end for a negative number; None when there are fewer."""
    index = ordinal - 1 if ordinal > 0 else len(ordered) + ordinal
    return index if 0 <= index < len(ordered) else None
