"""Filter candidates by relations to neighbours, by position on the screen, and by ordinal.

Uses the boxes in frame pixels, and the parent-child relations of a tree if there is one. Equally good candidates all remain,
and the chain does not choose among them.
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
    is_in_front_of,
    is_less_level,
    lines_of,
    place_distance,
    stands_amid,
    within_third,
)
from handeye.screen import Screen
from handeye.target import LocateResult, Position, Relation, RelationKind, Target
from handeye.text import bounding_box

Find = Callable[[Target], LocateResult]

_VERTICAL: Final = frozenset({RelationKind.ABOVE, RelationKind.BELOW})
# Relations to a region, in which the distance does not matter.
_REGIONS: Final = frozenset({RelationKind.ROW, RelationKind.COLUMN, RelationKind.IN})

# Roles of menu entries, and what people call them. A button in "File" is not an entry of the menu "File".
_ENTRIES: Final = frozenset({None, "item", "menu item", "menu"})

# Matches closer in confidence than this are equally good: they differ in spelling, not in meaning.
RELATION_TIE: Final = 0.1


def choose_by_relations(
    target: Target, match: Match, screen: Screen, find: Find, nesting: Nesting | None = None
) -> Match:
    """
    Filter the elements of `match` by `target.relations`, `position` and `ordinal`; the note gives the reason if none is
    left.

    `find` locates an anchor on the same frame. `nesting` is the strategy if it knows the hierarchy of elements.
    """
    places, region = _distinct(match.elements), screen.box
    notes = [match.note] if match.note else []
    if target.colour is not None:
        places = _coloured(target.colour, places, screen)
        if not places:
            return Match((), f"none of the places found is {target.colour}")
        notes.append(target.colour)
    among = places  # the elements whose rows and columns are counted: the second column is counted over all rows
    for relation, *second in _paired(target.relations):
        reason = f"nothing like it is {relation}"
        if relation.counts_lines:
            line, missing = _elements_in_line(relation, among, find)
            places, reason = tuple(each for each in places if each in line), missing or reason
        else:
            ends = [(each, _anchors(each, find)) for each in (relation, *second)]
            for each, anchors in ends:
                if not anchors or (second and len(anchors) > 1):
                    many = "stands there several times" if anchors else "was not found"
                    return Match((), f"{each.anchor} {many}, and the target is {each.kind.value} it")
            anchors = ends[0][1]
            if second:
                places = _between(places, *anchors, *ends[1][1])
            elif nesting is not None and relation.kind is RelationKind.IN:
                places = _inside(target, relation, places, anchors, nesting)
            else:
                places = _related(relation, places, anchors, nearest=target.ordinal is None)
            if (
                relation.kind is RelationKind.IN and len(anchors) == 1
            ):  # including its descendants outside of it, as in an open menu
                held = [each.bbox for each in places if nesting is not None and nesting.holds(anchors[0], each)]
                region = bounding_box([anchors[0].bbox, *held])
            among = places
        if not places:
            return Match((), reason)
        notes.append(str(relation))
    if target.position is not None:
        places = _at_position(target, target.position, places, region)
        if not places:
            return Match((), f"none of the places found is {target.position.value}")
        notes.append(target.position.value)
    if target.ordinal is not None:
        return _at_ordinal(target, target.ordinal, places, notes)
    return Match(tuple(places) if target.colour else _most_confident(places), ", ".join(notes))


def _at_ordinal(target: Target, ordinal: int, places: Sequence[UIElement], notes: Sequence[str]) -> Match:
    """Return the element of that number in reading order, or no element and the reason."""
    ordered = reading_order(places)
    if ordinal > 0 and any(each.kind in BACKWARDS for each in target.relations):
        ordered.reverse()
    number = _ordinal_index(ordinal, ordered)
    if number is None:
        return Match((), f"there are only {len(ordered)} of them, so there is no number {ordinal}")
    chosen, note = (ordered[number],), ", ".join((*notes, f"number {ordinal} of {len(ordered)}"))
    if len(ordered) == 1 and ordinal != 1:  # the others may be covered or not recognised
        return Match((), note, doubtful=chosen)
    return Match(chosen, note)


def _coloured(colour: str, places: Sequence[UIElement], screen: Screen) -> tuple[UIElement, ...]:
    """
    Return the elements that have or may have that colour; none if no element surely has it.

    A model's match was already chosen by its colour, so it counts as having it.
    """
    shown = [
        (Shows.SURELY if each.source == "visual" else shows_colour(screen, each.bbox, colour), each) for each in places
    ]
    if not any(shows is Shows.SURELY for shows, _place in shown):
        return ()
    return tuple(place for shows, place in shown if shows)


def _most_confident(places: Sequence[UIElement]) -> tuple[UIElement, ...]:
    """
    Return the elements without those that fit clearly worse than the best: strategies also return barely acceptable ones.
    """
    best = max((place.confidence for place in places), default=0.0)
    return tuple(place for place in places if not place.confidence < best - RELATION_TIE)


def _distinct(elements: Sequence[UIElement]) -> tuple[UIElement, ...]:
    """Return each element once: the same text at the same place may be found in two ways."""
    kept: list[UIElement] = []
    for element in elements:
        alike = [each.bbox for each in kept if element.text and element.text == each.text]
        if not any(box.contains(element.bbox.center) or element.bbox.contains(box.center) for box in alike):
            kept.append(element)
    return tuple(kept)


def reading_order(elements: Sequence[UIElement]) -> list[UIElement]:
    """
    Return the elements in reading order: rows from the top, each from the left; elements of a row need not be exactly
    level.
    """
    boxes = [element.bbox for element in elements]
    return [elements[index] for row in lines_of(boxes, RelationKind.ROW) for index in row]


def _paired(relations: Sequence[Relation]) -> list[tuple[Relation, ...]]:
    """
    Return each relation, the two halves of "between" as a pair; a single half is paired with itself. Containers come first,
    since rows are counted in them.
    """
    between = [each for each in relations if each.kind is RelationKind.BETWEEN]
    pairs = zip_longest(between[::2], between[1::2])
    single = sorted(
        (each for each in relations if each not in between), key=lambda each: each.kind is not RelationKind.IN
    )
    return [(each,) for each in single] + [(one, other or one) for one, other in pairs]


def _between(places: Sequence[UIElement], one: UIElement, other: UIElement) -> tuple[UIElement, ...]:
    return tuple(
        _limit_confidence(_limit_confidence(place, one), other)
        for place in places
        if stands_amid(place.bbox, one.bbox, other.bbox)
    )


def _anchors(relation: Relation, find: Find) -> tuple[UIElement, ...]:
    """Return the anchor, or all its equal candidates: perhaps only one of them has such a neighbour."""
    result = find(relation.anchor)
    if result.element is not None:
        return (result.element,)
    equal = any(attempt.outcome == "ambiguous" for attempt in result.attempts)
    return result.candidates if equal else ()  # a doubtful candidate is no anchor


def _elements_in_line(relation: Relation, places: Sequence[UIElement], find: Find) -> tuple[tuple[UIElement, ...], str]:
    """Return the elements in the N-th line: counted for "the second row", perhaps by its label for "row 2"."""
    lines = lines_of([place.bbox for place in places], relation.kind)
    ordinal = relation.anchor.ordinal or 1
    number = _line_index(relation, places, lines, find) if relation.anchor.phrase else _ordinal_index(ordinal, lines)
    if number is None or len(lines) < 2:  # a single line may be any
        return (), f"the places found make {len(lines)} {relation.anchor.role}s, so there is no number {ordinal}"
    return tuple(places[each] for each in lines[number]), ""


def _line_index(relation: Relation, places: Sequence[UIElement], lines: list[list[int]], find: Find) -> int | None:
    """
    Return the index of line N: the line labelled N next to one labelled N - 1 or N + 1, else the N-th; None if one of these
    numbers occurs in another line, as a quantity may.
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
    return None if elsewhere else _ordinal_index(ordinal, lines)


def _related(
    relation: Relation, places: Sequence[UIElement], anchors: Sequence[UIElement], *, nearest: bool
) -> tuple[UIElement, ...]:
    """
    Return the elements that have the relation to one of the anchors: the nearest to each anchor, or all of them for
    counting.
    """
    counted_freely = not nearest and relation.kind in _VERTICAL  # the third image below X may be in another column
    for loose in (counted_freely, True)[: 1 if len(anchors) > 1 else 2]:  # one of several anchors may fit exactly
        chosen: list[UIElement] = []
        for anchor in anchors:
            kept = _with_relation(relation.kind, places, anchor, nearest=nearest, loose=loose)
            chosen += [
                _limit_confidence(place, anchor) for place in kept if all(place.bbox != each.bbox for each in chosen)
            ]
        if chosen:
            break
    return tuple(chosen)


def _inside(
    target: Target, relation: Relation, places: Sequence[UIElement], anchors: Sequence[UIElement], nesting: Nesting
) -> tuple[UIElement, ...]:
    """
    Return the descendants of each anchor by the tree; for an anchor without any, the elements in its box that do not cover
    it.
    """
    entries_too = target.role in _ENTRIES or relation.anchor.role == "menu"
    chosen: list[UIElement] = []
    for anchor in anchors:
        inner = [place for place in places if nesting.holds(anchor, place)]
        if not entries_too and anchor.element_type in _ENTRIES:
            inner = [place for place in inner if place.element_type not in _ENTRIES]
        if inner:
            kept = tuple(_limit_confidence(place, anchor) for place in inner)
        else:
            beside = [place for place in places if not nesting.is_over(place, anchor)]
            kept = _related(relation, beside, (anchor,), nearest=target.ordinal is None)
        chosen += [place for place in kept if all(place.bbox != each.bbox for each in chosen)]
    return tuple(chosen)


def _limit_confidence(place: UIElement, anchor: UIElement) -> UIElement:
    """
    Return an element whose confidence is limited by that of its anchor, and which is unreliable if the anchor is a fixed
    place.
    """
    known = anchor.reliable or anchor.source != "fixed"
    return replace(place, confidence=min(place.confidence, anchor.confidence), reliable=place.reliable and known)


def _with_relation(
    kind: RelationKind, places: Sequence[UIElement], anchor: UIElement, *, nearest: bool, loose: bool
) -> list[UIElement]:
    # A neighbour is related to the label of a wide control, but an element "in" it or in its row to the whole control.
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
    sure = _most_confident(
        [place for _distance, place in fits]
    )  # an image that may be a button may be nearer than the button
    fits = [each for each in fits if each[1] in sure]
    first = [each for each in fits if not any(is_in_front_of(kind, near.bbox, each[1].bbox) for _near, near in fits)]
    return clearly_nearest(first, body.height)


def _at_position(target: Target, position: Position, places: Sequence[UIElement], region: Box) -> tuple[UIElement, ...]:
    """Return the elements at that position; without an ordinal only the one that is clearly farthest in that direction."""
    inside = [place for place in places if within_third(place.bbox, position, region)]
    if target.ordinal is not None:
        return tuple(inside)
    return tuple(clearly_nearest([(edge_distance(place.bbox, position, region), place) for place in inside]))


def _ordinal_index(ordinal: int, ordered: Sequence[object]) -> int | None:
    """Return the index of that ordinal, from the end for a negative one; None if there are fewer."""
    index = ordinal - 1 if ordinal > 0 else len(ordered) + ordinal
    return index if 0 <= index < len(ordered) else None
