"""Phrases that point: relations, rows, sections, ordinals, places."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from training.phrases.drafts import Draft, Writer, spoken
from training.phrases.geometry import (
    DIRECTIONS,
    beside,
    extent,
    in_line,
    nearest,
    ordered,
    overlap,
    place_of,
    same_row,
)
from training.phrases.matching import fold
from training.phrases.named import is_unique, name_of
from training.phrases.screen import Screen, concept_of, icon_words, inside
from training.phrases.units import Unit, same_place

ANCHOR_LENGTH: Final = 30
TARGETS: Final = (
    "button",
    "icon",
    "input",
    "checkbox",
    "radio",
    "switch",
    "link",
    "image",
    "combo box",
    "slider",
    "tab",
)
COUNTED: Final = (
    "tab",
    "checkbox",
    "radio",
    "switch",
    "input",
    "image",
    "slider",
    "combo box",
    "button",
    "link",
    "menu item",
    "list item",
)
NEIGHBOURS: Final = ("tab", "menu item", "list item", "link", "text")  # "the option below X"
MOST_ANCHORS: Final = 12  # of a screen
MOST_COUNTED: Final = 8
NUMBERED: Final = ("list item", "link", "checkbox", "radio", "switch", "image", "menu item")
NUMBERED_SHARE: Final = 0.25  # of the things in a column that are asked for


def drafts(screen: Screen, chance: random.Random) -> Iterator[Draft]:
    """All phrases about places for a screen."""
    anchors = [unit for unit in screen.units if _is_anchor(screen, unit)]
    for anchor in chance.sample(anchors, min(MOST_ANCHORS, len(anchors))):
        yield from _relations(screen, anchor, chance)
    yield from _betweens(screen, anchors, chance)
    groups = equal_groups(screen)
    for group in groups:
        yield from _in_rows(screen, group, anchors, chance)
        yield from _in_sections(screen, group, anchors, chance)
        yield from _named_ordinals(group, chance, screen)
        yield from _named_places(screen, group, chance)
    for role in COUNTED:
        yield from _ordinals(screen, role, chance)
    for role in ("button", "icon", "image", "input", "link", "switch", "checkbox"):
        yield from _places(screen, role, chance)


def of_class(screen: Screen, role: str) -> list[Unit]:
    """The units that people may call by a role noun: an icon button is a button too, a card's texts are not cards."""
    return [
        unit
        for unit in screen.units
        if unit.role == role or (role == "button" and unit.role == "icon" and unit.holder == "button")
    ]


def is_countable(screen: Screen, units: list[Unit]) -> bool:
    return all(unit.usable for unit in units)


def _is_anchor(screen: Screen, unit: Unit) -> bool:
    name = name_of(unit)
    if not unit.usable or not name or len(name) > ANCHOR_LENGTH or unit.role in ("icon", "image"):
        return False
    return is_unique(screen, unit, name)


def _relations(screen: Screen, anchor: Unit, chance: random.Random) -> Iterator[Draft]:
    if anchor.role == "list item":
        return
    for role in TARGETS:
        candidates = of_class(screen, role)
        if not candidates:
            continue
        near = beside(anchor, candidates)
        if near is not None and near.usable:
            yield _related(screen, near, role, "next_to", anchor, chance)
        for direction in DIRECTIONS:
            found = nearest(anchor, candidates, direction)
            if found is not None and found.usable and not _hidden_by_label(screen, found, anchor):
                yield _related(screen, found, role, direction, anchor, chance)
                if direction == "below" and chance.random() < 0.3:
                    yield _related(screen, found, role, "first_under", anchor, chance)
    for role in NUMBERED:
        yield from _numbered_below(screen, anchor, role, chance)
    if anchor.role in NEIGHBOURS:
        alike = [unit for unit in screen.units if unit.role == anchor.role and unit.names]
        for direction in DIRECTIONS:
            found = nearest(anchor, alike, direction)
            if found is not None and found.usable and chance.random() < 0.5:
                yield _related(
                    screen, found, anchor.role if anchor.role != "text" else "any", direction, anchor, chance
                )


def _numbered_below(screen: Screen, anchor: Unit, role: str, chance: random.Random) -> Iterator[Draft]:
    """The second, third ... of a role in the column below an anchor, each clearly next to the one before."""
    candidates = of_class(screen, role)
    below = nearest(anchor, candidates, "below")
    for place in range(1, MOST_COUNTED):
        below = nearest(below, candidates, "below") if below is not None and below.usable else None
        if below is None or not below.usable:
            return
        if chance.random() < NUMBERED_SHARE:
            writer = Writer(chance, spoken(chance, screen.language))
            nth = chance.choice(writer.frames.words("ordinal", "nth")[place].split("|"))
            words, frame = writer.written("relation", "nth_under", role=role, a=writer.anchor(name_of(anchor)), nth=nth)
            yield Draft("ordinal", "ordinal", writer.language, words, frame, below.boxes, below.index)


def _hidden_by_label(screen: Screen, target: Unit, anchor: Unit) -> bool:
    """Return True if an anchor lies inside one of the target's own boxes, where a spatial relation would sound odd."""
    return any(inside(extent(anchor), box) for box in target.boxes)


def _related(screen: Screen, target: Unit, role: str, relation: str, anchor: Unit, chance: random.Random) -> Draft:
    writer = Writer(chance, spoken(chance, screen.language))
    name = writer.anchor(name_of(anchor))
    noun = writer.noun(role)
    words, frame = writer.written("relation", relation, role=noun, a=name, t=noun.definite)
    return Draft("relation", "relation", writer.language, words, frame, target.boxes, target.index)


def _betweens(screen: Screen, anchors: list[Unit], chance: random.Random) -> Iterator[Draft]:
    for role in ("tab", "menu item", "link", "list item", "button", "icon"):
        units = [unit for unit in screen.units if unit.role == role and unit.usable]
        for first in units:
            for direction in ("right", "below"):
                middle = nearest(first, units, direction)
                last = nearest(middle, units, direction) if middle is not None else None
                if (
                    middle is None
                    or last is None
                    or first not in anchors
                    or last not in anchors
                    or chance.random() < 0.6
                ):
                    continue
                writer = Writer(chance, spoken(chance, screen.language))
                noun = writer.noun(role)
                slots = {"a": writer.anchor(name_of(first)), "b": writer.anchor(name_of(last)), "t": noun.definite}
                words, frame = writer.written("relation", "between", role=noun, **slots)
                yield Draft("relation", "relation", writer.language, words, frame, middle.boxes, middle.index)


def equal_groups(screen: Screen) -> list[list[Unit]]:
    """Two or more places of one role with the same label, the same icon, or marks without a label."""
    groups: dict[tuple[str, str], list[Unit]] = defaultdict(list)
    for unit in screen.units:
        concept = concept_of(unit.icons[0]) if unit.role == "icon" else None
        if unit.role == "icon" and concept is None:
            continue
        key = concept.id if concept is not None else fold(name_of(unit))
        if key or unit.role in ("checkbox", "switch", "radio"):
            groups[unit.role, key].append(unit)
    return [group for group in groups.values() if len(group) > 1 and not _touching(group)]


def _touching(group: list[Unit]) -> bool:
    return any(
        same_place(one, other) or inside(one.box, other.box) for one in group for other in group if one is not other
    )


def _target(group: list[Unit], unit: Unit, writer: Writer) -> str:
    """Phrase that names one of equal units: its label, its label and role, or its role."""
    name = _group_name(group, writer)
    noun = writer.noun(unit.role)
    if not name:
        return noun.definite
    section = "icon" if unit.role == "icon" else "role" if writer.chance.random() < 0.4 and unit.role != "text" else ""
    if not section:
        return name if writer.chance.random() < 0.6 else writer.anchor(name)
    return writer.written(section, role=unit.role, name=name)[0]


def _group_name(group: list[Unit], writer: Writer) -> str:
    concept = concept_of(group[0].icons[0]) if group[0].role == "icon" else None
    if concept is None:
        return name_of(group[0])
    words = icon_words(concept, writer.language) or icon_words(concept, "en")
    return writer.chance.choice(words) if words else ""


def _others(screen: Screen, group: list[Unit]) -> bool:
    """
    Return True if a label of equal units occurs elsewhere too, in another role.

    Without a label, return True if there are other units of their role.
    """
    name = fold(name_of(group[0]))
    if not name:
        return len(group) < len([unit for unit in screen.units if unit.role == group[0].role])
    return any(folded == name and not any(_holds(unit, box) for unit in group) for folded, box in screen.texts)


def _holds(unit: Unit, box: tuple[int, int, int, int]) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return any(each[0] <= x <= each[2] and each[1] <= y <= each[3] for each in unit.boxes)


def _in_rows(screen: Screen, group: list[Unit], anchors: list[Unit], chance: random.Random) -> Iterator[Draft]:
    if _others(screen, group) or group[0].role == "list item":
        return
    for anchor in anchors:
        row = [unit for unit in group if same_row(anchor.box, extent(unit))]
        near = [unit for unit in group if overlap(anchor.box, unit.box, False) > 0.2]
        if len(row) != 1 or len(near) != 1 or not row[0].usable or anchor in group or chance.random() < 0.4:
            continue
        if anchor.role in ("button", "tab", "heading"):
            continue  # a row is called by its texts
        writer = Writer(chance, spoken(chance, screen.language))
        target = _target(group, row[0], writer)
        words, frame = writer.written("relation", "row", a=writer.anchor(name_of(anchor)), t=target)
        yield Draft("row", "relation", writer.language, words, frame, row[0].boxes, row[0].index)


def _in_sections(screen: Screen, group: list[Unit], anchors: list[Unit], chance: random.Random) -> Iterator[Draft]:
    """One of equal units under a heading: the only one between it and the next heading, in its columns."""
    if _others(screen, group):
        return
    headings = [unit for unit in screen.units if unit.role == "heading"]
    for heading in (unit for unit in anchors if unit.role == "heading"):
        left, _, right, bottom = heading.box
        lower = [
            other.box[1] for other in headings if other.box[1] > bottom and overlap(other.box, heading.box, True) > 0
        ]
        end = min(lower, default=screen.size[1])
        under = [unit for unit in group if bottom <= unit.box[1] and unit.box[3] <= end]
        if (
            len(under) == 1
            and under[0].usable
            and under[0].box[0] < right + 4 * (right - left)
            and under[0].box[2] > left
        ):
            writer = Writer(chance, spoken(chance, screen.language))
            target = _target(group, under[0], writer)
            words, frame = writer.written("relation", "under", a=writer.anchor(name_of(heading)), t=target)
            yield Draft("row", "relation", writer.language, words, frame, under[0].boxes, under[0].index)


def ordinal(writer: Writer, place: int, count: int) -> str:
    """ "third", or now and then "last" and "second to last" for what they fit."""
    frames, chance = writer.frames, writer.chance
    if place == count - 1 and count > 2 and chance.random() < 0.6:
        return str(chance.choice(frames.words("ordinal", "last")))
    if place == count - 2 and count > 3 and chance.random() < 0.5:
        return str(chance.choice(frames.words("ordinal", "second_last")))
    return str(chance.choice(frames.words("ordinal", "nth")[place].split("|")))


def _counted(writer: Writer, units: list[Unit], place: int, line: str) -> dict[str, str]:
    frames, count = writer.frames, len(units)
    return {
        "nth": ordinal(writer, place, count),
        "k": str(place + 1),
        "count": frames.words("ordinal", "count")[count - 2],
        "from": frames.words("ordinal", "from")[line],
        "line": frames.words("ordinal", "line")[line],
    }


def _ordinals(screen: Screen, role: str, chance: random.Random) -> Iterator[Draft]:
    units = of_class(screen, role)
    rivals = {"input": "combo box", "combo box": "input", "checkbox": "radio", "radio": "checkbox"}.get(role)
    if not 2 <= len(units) <= MOST_COUNTED or _touching(units) or (rivals and of_class(screen, rivals)):
        return
    line = in_line(units)
    if not line or not is_countable(screen, units):
        return
    ranked = ordered(units, line)
    for place, unit in enumerate(ranked):
        if chance.random() < 0.5:
            writer = Writer(chance, spoken(chance, screen.language))
            words, frame = _ordinal_words(writer, ranked, place, line, role)
            yield Draft("ordinal", "ordinal", writer.language, words, frame, unit.boxes, unit.index)


def _ordinal_words(
    writer: Writer, ranked: list[Unit], place: int, line: str, role: str, name: str = ""
) -> tuple[str, str]:
    """An ordinal with a role, or with a label."""
    return writer.written(
        "ordinal", "named" if name else "np", role=role, name=name, **_counted(writer, ranked, place, line)
    )


def _named_ordinals(group: list[Unit], chance: random.Random, screen: Screen) -> Iterator[Draft]:
    line = in_line(group) if len(group) <= MOST_COUNTED else ""
    if not line or _others(screen, group) or not is_countable(screen, group) or not name_of(group[0]):
        return
    ranked = ordered(group, line)
    for place, unit in enumerate(ranked):
        if chance.random() < 0.7:
            writer = Writer(chance, spoken(chance, screen.language))
            words, frame = _ordinal_words(writer, ranked, place, line, unit.role, name_of(unit))
            yield Draft("ordinal", "ordinal", writer.language, words, frame, unit.boxes, unit.index)


def _places(screen: Screen, role: str, chance: random.Random) -> Iterator[Draft]:
    """The only one of a role in a corner, well inside it, with none of its kind near."""
    units = of_class(screen, role)
    for unit in units:
        place = place_of(unit.box, screen.size, 0.16)
        if "_" not in place or not unit.usable:
            continue
        near = [
            other for other in units if place_of(other.box, screen.size, 0.4) == place and not same_place(unit, other)
        ]
        if near:
            continue
        writer = Writer(chance, spoken(chance, screen.language))
        where = chance.choice(writer.frames.words("place", place))
        words, frame = writer.written("place", role=role, place=where)
        yield Draft("place", "relation", writer.language, words, frame, unit.boxes, unit.index)


def _named_places(screen: Screen, group: list[Unit], chance: random.Random) -> Iterator[Draft]:
    """One of equal units that alone lies at a side or corner, all others well outside it."""
    if _others(screen, group) or not name_of(group[0]) or not 2 <= len(group) <= 4:
        return
    for unit in group:
        others = [other for other in group if other is not unit]
        for place in ("top", "bottom", "left", "right"):
            inner = place in place_of(unit.box, screen.size, 0.3).split("_")
            outer = all(place not in place_of(other.box, screen.size, 0.45).split("_") for other in others)
            if inner and outer and unit.usable:
                writer = Writer(chance, spoken(chance, screen.language))
                where = chance.choice(writer.frames.words("place", place))
                words, frame = writer.written("place", "named", role=unit.role, name=name_of(unit), place=where)
                yield Draft("place", "relation", writer.language, words, frame, unit.boxes, unit.index)
