"""Merge rescored candidates and recognised text into one list of elements without duplicates, in reading order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from handeye.elements import UIElement
from handeye.geometry import Box, Size
from handeye.parse.candidates import Candidates
from handeye.parse.decoding import CLASSES, Floats
from handeye.parse.overlap import Boxes, ious, shared_areas
from handeye.parse.proposals import Proposals
from handeye.parse.rescorer import RescoredCandidates
from handeye.parse.text_assignment import Label, Piece, assign_lines, label_of
from handeye.text import TextLine

SOURCE: Final = "parser"

# Roles that contain other elements; in all others a text is their label, and a shape a part of them.
CONTAINERS: Final = frozenset({"window", "list item"})
# Roles that react to a click. A picture does not show whether a lone icon is a button or an ornament.
INTERACTIVE: Final = frozenset(
    {
        *("button", "input", "checkbox", "radio", "switch", "slider", "tab", "link", "menu item", "list item"),
        *("combo box", "scroll bar"),
    }
)
# Controls that are drawings themselves: there are no icons in them.
_DRAWINGS: Final = frozenset({"checkbox", "radio", "switch", "slider", "scroll bar"})
_DRAWN: Final = frozenset({"icon", "image"})

# Least probability of being an element.
_LEAST: Final = 0.15
_WITH_ICONS: Final = frozenset({"button", "tab", "link", "menu item"})
# A button larger than this, in pixels of a screen of scale 1, is a tile or a card; an icon keeps this padding in its
# button.
_ICON_BUTTON: Final = 72
_PADDING: Final = 0.12
_GUESSED: Final = 0.5
# Two boxes with this IoU are the same thing.
_SAME: Final = 0.5
_SAME_KIND: Final = 0.35  # of one kind
# A thing is inside another from this share of its area on.
_INSIDE: Final = 0.8
# Controls overlap no more than this share of the smaller one, except small parts of those that have parts.
_OVERLAP: Final = 0.5
_PART: Final = 0.25
_WITH_PARTS: Final = frozenset({"input", "combo box", "tab", "menu item", "slider", "scroll bar", "link"})
# A box is replaced by the exact box of a drawn shape from this IoU on, and by the candidate's own box from that one on.
_SNAP: Final = 0.75
_OFFERED: Final = 0.85
# An icon that overlaps a drawn control is dropped unless it is this many times larger.
_LARGER: Final = 4.0
# A control no larger than this many times its text is that text.
_TIGHT: Final = 2.5
# A button has an icon already if one lies on it with this share.
_COVERED: Final = 0.5


@dataclass(frozen=True, slots=True)
class Thing:
    """A detected thing: `box` in frame pixels, its role and confidence (0-1), and for icons the name of their concept."""

    box: Box
    role: str
    confidence: float
    name: str = ""
    name_confidence: float = 0.0


def fuse(found: Candidates, judged: RescoredCandidates, seen: Proposals, size: Size) -> list[Thing]:
    """
    Return the things on a frame of `size` without duplicates and without texts, the most certain first: candidates rescored
    as elements, without those that duplicate a more certain one or cannot coexist with it. Unexplained marks become icons
    of low confidence, since the icon index may know them.
    """
    certainty = 1 - judged.chances[:, -1]
    roles = judged.chances[:, :-1].argmax(1)
    unexplained = found.offered_by("mark") & (certainty < _LEAST)
    roles[unexplained] = CLASSES.index("icon")
    certainty[unexplained] = np.minimum(judged.chances[unexplained, CLASSES.index("icon")], _LEAST)
    enough = (certainty >= _LEAST) | unexplained
    order = np.flatnonzero(enough)[np.argsort(-certainty[enough], kind="stable")]
    names = [CLASSES[number] for number in roles[order]]
    boxes = _exact(judged.boxes[order], found.boxes[order], names, seen)
    kept = _compatible(boxes, names)
    placed = [Box(*map(round, box)).clip(size) for box in boxes.tolist()]
    return [
        Thing(box, role, score)
        for box, role, score, keep in zip(placed, names, certainty[order].tolist(), kept, strict=True)
        if keep and min(box.width, box.height) > 1
    ]


def _exact(boxes: Floats, offered: Floats, roles: Sequence[str], seen: Proposals) -> Floats:
    """Snap boxes to the exact box of a matching shape, of a mark for an icon, or of the candidate."""
    exact = np.where((_own_ious(boxes, offered) >= _OFFERED)[:, None], offered, boxes)
    is_icon = np.array([role == "icon" for role in roles], np.bool_)
    for is_meant, places in ((is_icon, seen.marks), (~is_icon, [each.box for each in seen.shapes])):
        if places and is_meant.any():
            overlap = ious(exact[is_meant], np.array(places, np.float32))
            best = overlap.argmax(1)
            fits = overlap.max(1) >= _SNAP
            exact[is_meant] = np.where(fits[:, None], np.array(places, np.float32)[best], exact[is_meant])
    return np.asarray(exact, np.float32)


def _own_ious(boxes: Floats, others: Floats) -> Floats:
    """Return the IoU of each box with the other box of the same index."""
    low, high = np.maximum(boxes[:, :2], others[:, :2]), np.minimum(boxes[:, 2:], others[:, 2:])
    shared = np.prod(np.clip(high - low, 0, None), axis=1)
    areas = [np.prod(each[:, 2:] - each[:, :2], axis=1) for each in (boxes, others)]
    return np.asarray(shared / np.maximum(areas[0] + areas[1] - shared, 1e-6), np.float32)


def _compatible(boxes: Floats, roles: Sequence[str]) -> list[bool]:
    """
    Return which of the boxes, the most certain first, to keep. Dropped are duplicates of a more certain one, and controls
    that overlap one in a way that two controls never do. A button is never in a button, but a small one may be in a field;
    a larger control around a more certain one stays, as it may contain that.
    """
    if not len(boxes):
        return []
    drawn, held, parted, small = (
        np.array([role in kinds for role in roles], np.bool_) for kinds in (_DRAWN, CONTAINERS, _WITH_PARTS, _DRAWINGS)
    )
    is_image = np.array([role == "image" for role in roles], np.bool_)
    plain = ~drawn & ~held
    _, kinds = np.unique(roles, return_inverse=True)
    # Rows are the more certain boxes, columns those that they may suppress.
    same_kind = kinds[:, None] == kinds
    shared = shared_areas(boxes, boxes)
    areas = np.prod(boxes[:, 2:] - boxes[:, :2], axis=1)
    own = areas[:, None]
    overlap = shared / np.maximum(areas + own - shared, 1e-6)
    covered = shared >= _OVERLAP * np.maximum(np.minimum(areas, own), 1e-6)
    around = (shared >= _INSIDE * own) & (areas > own)
    is_part = parted[:, None] & ~same_kind & (areas <= _PART * own)
    gone = (overlap >= _SAME) & (drawn[:, None] == drawn)
    gone |= same_kind & (overlap >= _SAME_KIND)
    gone |= drawn[:, None] & drawn & covered & ~((areas > own) & is_image)
    gone |= (small & ~drawn)[:, None] & drawn & covered & (areas <= own * _LARGER)
    gone |= plain[:, None] & plain & covered & ~around & ~is_part
    gone = np.triu(gone, 1)
    alive = np.ones(len(boxes), np.bool_)
    for number in range(len(boxes)):
        if alive[number]:
            alive &= ~gone[number]
    return alive.tolist()


def with_icons(things: Sequence[Thing], words: Sequence[Box], scale: float) -> list[Thing]:
    """
    Add an icon on each small button or tab without text and without a detected icon: something must be drawn there. `words`
    are the boxes of the text.
    """
    texts = Boxes(words)
    icons = Boxes([each.box for each in things if each.role in ("icon", "image")])
    added = []
    for thing in things:
        if thing.role not in _WITH_ICONS or max(thing.box.width, thing.box.height) > _ICON_BUTTON * scale:
            continue
        if texts.shared(thing.box).any() or icons.inside(thing.box, _COVERED):
            continue
        inner = thing.box.expand(-round(_PADDING * min(thing.box.width, thing.box.height)))
        added.append(Thing(inner, "icon", min(_GUESSED, thing.confidence)))
    return [*things, *added]


def elements_of(things: Sequence[Thing], lines: Sequence[TextLine], scale: float) -> tuple[UIElement, ...]:
    """
    Return things and lines of text as elements in reading order, numbered from 1, parents first.

    A line on a control is that control's text; a line next to a control without text is its label, and stays an element of
    its own, as do lines in containers and on the bare page.
    """
    holders = [each for each in things if each.role not in CONTAINERS and each.role != "icon"]
    pieces = assign_lines(lines, [each.box for each in holders])
    on: dict[Box, list[Piece]] = defaultdict(list)
    free: list[Piece] = []
    for piece in pieces:
        if piece.holder is None:
            free.append(piece)
        elif holders[piece.holder].role not in _DRAWINGS or any(
            map(str.isalnum, piece.text)
        ):  # e.g. not a check box misread as □
            on[holders[piece.holder].box].append(piece)
    rows = [each.box for each in things if each.role == "list item"]
    # A label may itself be detected as a control: text without a visible face.
    words = [piece for piece in pieces if piece.holder is None or _is_tight(piece.box, holders[piece.holder].box)]
    elements = [_element(each, on.get(each.box, ()), label_of(each, words, rows, scale)) for each in things]
    elements += [_text(piece) for piece in free]
    return _numbered(elements)


def _is_tight(words: Box, holder: Box) -> bool:
    return holder.area <= _TIGHT * words.area


def _element(thing: Thing, pieces: Sequence[Piece], label: Label | None) -> UIElement:
    text = " ".join(piece.text for piece in pieces)
    label_box = _around([piece.box for piece in pieces]) if pieces else None
    metadata: dict[str, object] = {}
    if label is not None and not text and thing.role not in ("input", "combo box"):
        text, label_box = label.text, label.box
    elif label is not None:
        metadata["label"] = label.text
    if thing.name:
        metadata |= {"icon": thing.name, "icon_confidence": round(thing.name_confidence, 3)}
    return UIElement(
        thing.role,
        str(metadata.get("label", "")) or text or thing.name or thing.role,
        thing.box,
        confidence=round(thing.confidence, 3),
        source=SOURCE,
        text=text,
        label_box=label_box,
        interactive=thing.role in INTERACTIVE if thing.role != "icon" else None,
        metadata=metadata,
    )


def _text(piece: Piece) -> UIElement:
    return UIElement(
        "text",
        piece.text,
        piece.box,
        confidence=round(piece.confidence, 3),
        source=SOURCE,
        text=piece.text,
        interactive=False,
    )


def _around(boxes: Sequence[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return Box(min(lefts), min(tops), max(rights), max(bottoms))


def _numbered(elements: Sequence[UIElement]) -> tuple[UIElement, ...]:
    """Sort into reading order, content right after its container, with ids from 1 and parents."""
    parents = _parents(elements)
    inside: dict[int | None, list[int]] = defaultdict(list)
    for index, parent in enumerate(parents):
        inside[parent].append(index)
    numbered: list[UIElement] = []
    numbers: dict[int, int] = {}
    waiting = _reading_order(inside[None], elements)[::-1]
    while waiting:
        index = waiting.pop()
        numbers[index] = len(numbered) + 1
        parent = parents[index]
        numbered.append(_placed(elements[index], numbers[index], elements, parent, numbers, inside[index]))
        waiting += _reading_order(inside[index], elements)[::-1]
    return tuple(numbered)


def _placed(
    element: UIElement,
    number: int,
    elements: Sequence[UIElement],
    parent: int | None,
    numbers: dict[int, int],
    children: Sequence[int],
) -> UIElement:
    """Return an element with its id and parent; a row gets its texts, a button the name of its single icon."""
    changes: dict[str, object] = {"id": number, "parent": None if parent is None else numbers[parent]}
    if element.element_type == "list item" and not element.text:
        texts = [elements[index] for index in children if elements[index].element_type == "text"]
        ordered = [texts[index] for index in _reading_order(range(len(texts)), texts)]
        if ordered:
            changes["text"] = " ".join(each.text for each in ordered)
            changes["description"] = changes["text"]
            changes["label_box"] = ordered[0].bbox
    icons = [elements[index] for index in children if elements[index].element_type == "icon"]
    if len(icons) == 1 and "icon" in icons[0].metadata and element.element_type not in CONTAINERS:
        changes["metadata"] = {**icons[0].metadata, **element.metadata}
        if not element.text and "label" not in element.metadata:
            changes["description"] = icons[0].description
    return replace(element, **changes)  # type: ignore[arg-type]  # the names are fields, checked by the tests


def _parents(elements: Sequence[UIElement]) -> list[int | None]:
    """Return the index of the smallest larger element that contains each; texts, icons and pictures contain nothing."""
    may_hold = np.flatnonzero([each.element_type not in ("text", "icon", "image") for each in elements])
    if not len(may_hold):
        return [None] * len(elements)
    edges = np.array([each.bbox for each in elements], np.float32)
    areas = np.prod(edges[:, 2:] - edges[:, :2], axis=1)
    is_icon = np.array([each.element_type == "icon" for each in elements], np.bool_)
    own, theirs = areas[:, None], areas[may_hold]
    fits = (shared_areas(edges, edges[may_hold]) >= _INSIDE * own) & (own > 0)
    # Of two equally large ones the first contains the other; an icon may also be contained by a smaller one.
    fits &= is_icon[:, None] | (theirs > own) | ((theirs == own) & (may_hold < np.arange(len(elements))[:, None]))
    smallest = np.where(fits, theirs, np.inf).argmin(1)
    return [
        int(may_hold[place]) if holds else None for place, holds in zip(smallest, fits.any(1).tolist(), strict=True)
    ]


def _reading_order(indexes: Sequence[int], elements: Sequence[UIElement]) -> list[int]:
    """
    Sort into rows from the top, each from the left: an element joins a row if half of its height lies in the height that
    the row shares.
    """
    rows: list[list[int]] = []
    top = bottom = 0
    for index in sorted(indexes, key=lambda each: (elements[each].bbox.top, elements[each].bbox.left)):
        box = elements[index].bbox
        common = min(bottom, box.bottom) - max(top, box.top)
        if rows and common > min(bottom - top, box.height) / 2:
            rows[-1].append(index)
            top, bottom = max(top, box.top), min(bottom, box.bottom)
        else:
            rows.append([index])
            top, bottom = box.top, box.bottom
    return [index for row in rows for index in sorted(row, key=lambda each: elements[each].bbox.left)]
