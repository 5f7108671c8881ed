"""One list of elements from what the detector, the rules and the text reader say: each thing once, in reading order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.ocr.base import TextLine
from handeye.parse.labels import Label, label_of
from handeye.parse.overlap import Boxes
from handeye.parse.texts import Piece, pieces_of

SOURCE: Final = "parser"

# Roles that hold other things; in all others a text is what stands on them, and a shape a part of them.
CONTAINERS: Final = frozenset({"window", "list item"})
INTERACTIVE: Final = frozenset(
    {
        *("button", "input", "checkbox", "radio", "switch", "slider", "tab", "link", "menu item", "list item"),
        *("combo box", "icon", "scroll bar"),
    }
)
# Controls without a face for their words: these stand beside them.
LABELLED: Final = frozenset({"checkbox", "radio", "switch", "slider", "input", "combo box"})
# Controls that are drawings themselves: what is drawn in them is no icon.
_DRAWINGS: Final = frozenset({"checkbox", "radio", "switch", "slider", "scroll bar", "image", "icon"})

_WITH_ICONS: Final = frozenset({"button", "tab", "link", "menu item"})
# A button larger than this, in pixels of a screen of scale 1, is a tile or a card; an icon keeps clear of its button's edge.
_ICON_BUTTON: Final = 72
_PADDING: Final = 0.12
_GUESSED: Final = 0.5
# Two boxes that share so much of what they cover together are one thing.
_SAME: Final = 0.5
# A thing lies in another when so much of it does.
_INSIDE: Final = 0.8
# Controls overlap no more than this, by the smaller one; but for small parts of those that have parts.
_OVERLAP: Final = 0.5
_PART: Final = 0.25
_WITH_PARTS: Final = frozenset({"input", "combo box", "tab", "menu item", "slider", "scroll bar", "link"})
# Controls that never fill a face: what they lie in is something else.
_SMALL: Final = frozenset({"checkbox", "radio", "switch", "slider", "scroll bar"})
# The exact sides of a drawn shape are taken for a box that agrees with it so far.
_SNAP: Final = 0.6
# A holder that is no larger than this many times its words is these words.
_TIGHT: Final = 2.5
# A face is what was seen around it when it fills so much of that.
_FACE_SHARE: Final = 0.5
# A rule's small control and a box so like it are about one thing.
_NEARLY: Final = 0.4
# A shape that is covered so far by one finer thing is only its surroundings.
_COVERED: Final = 0.5


@dataclass(frozen=True, slots=True)
class Thing:
    """
    Something seen: `box` in frame pixels, its role, how sure that is (0-1), and for icons the name of what it shows. `told` is
    False of a mark that only the pixels show: it may be a decoration.
    """

    box: Box
    role: str
    confidence: float
    name: str = ""
    name_confidence: float = 0.0
    told: bool = True


def fuse(
    detected: Sequence[Thing],
    named: Sequence[Thing],
    marks: Sequence[Thing],
    pictures: Sequence[Thing],
    shapes: Sequence[Box],
) -> list[Thing]:
    """
    Each thing once, without texts: what was detected first, then what the rules named, then marks and pictures where nothing
    else is. `shapes` are closed shapes, whose exact sides are taken where they agree with a thing.
    """
    exact, drawn = (shapes, Boxes(shapes)), ([each.box for each in marks], Boxes([each.box for each in marks]))
    snapped = [_snapped(each, *(drawn if each.role == "icon" else exact)) for each in detected]
    small = [each for each in named if each.role in _SMALL]
    faces = [each for each in named if each.role not in CONTAINERS and each.role not in _SMALL]
    things = _once(_fitted(_without_parts(snapped, small), faces))
    things += _unknown(named, things, _is_part_or_frame)
    things += _unknown(marks, things, _is_drawn_already)
    things += _unknown(pictures, things, _holds_or_lies_in)
    return things


def with_icons(things: Sequence[Thing], words: Sequence[Box], scale: float) -> list[Thing]:
    """
    The things, and an icon on each small button or tab on which nothing is written and nobody saw one: something must be drawn
    there. `words` is where text stands.
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
    Things and lines of text as elements in reading order, numbered from 1, parents first.

    A line that stands on a control is that control's text; one that stands beside a box without words is its label, and stays
    an element of its own, as do lines in containers and on the bare page.
    """
    holders = [each for each in things if each.role not in CONTAINERS and each.role != "icon"]
    pieces = pieces_of(lines, [each.box for each in holders])
    on: dict[Box, list[Piece]] = defaultdict(list)
    free: list[Piece] = []
    for piece in pieces:
        if piece.holder is None:
            free.append(piece)
        else:
            on[holders[piece.holder].box].append(piece)
    rows = [each.box for each in things if each.role == "list item"]
    # A label may itself be taken for a control: a word that has no face of its own.
    words = [piece for piece in pieces if piece.holder is None or _is_tight(piece.box, holders[piece.holder].box)]
    elements = [_element(each, on.get(each.box, ()), label_of(each, words, rows, scale)) for each in things]
    elements += [_text(piece) for piece in free]
    return _numbered(elements)


def _is_tight(words: Box, holder: Box) -> bool:
    return holder.area <= _TIGHT * words.area


def _once(things: Iterable[Thing]) -> list[Thing]:
    """The surest of those that are the same thing, or that cannot both be there."""
    kept: list[Thing] = []
    for thing in sorted(things, key=lambda each: (-each.confidence, each.box)):
        boxes = Boxes([each.box for each in kept])
        shared = boxes.shared(thing.box)
        ious = boxes.ious(thing.box)
        if not any(
            (iou >= _SAME and _are_rivals(each.role, thing.role)) or _exclude(each, thing, part)
            for each, iou, part in zip(kept, ious.tolist(), shared.tolist(), strict=True)
            if part
        ):
            kept.append(thing)
    return kept


def _are_rivals(one: str, other: str) -> bool:
    """Whether two roles in the same place are two opinions of one thing: an icon and its button are two things."""
    return one == other or not ({one, other} & ({"icon"} | CONTAINERS))


def _exclude(surer: Thing, other: Thing, shared: float) -> bool:
    """
    Whether two things overlap as no two controls do. There is no button in a button, but a small one in a field; and what is
    seen around a surer control stays: it may be what that is a part of.
    """
    if {surer.role, other.role} & ({"icon", "image"} | CONTAINERS):
        return False
    if shared >= _INSIDE * surer.box.area and other.box.area > surer.box.area:
        return False
    is_part = surer.role in _WITH_PARTS and surer.role != other.role and other.box.area <= _PART * surer.box.area
    return shared >= _OVERLAP * min(surer.box.area, other.box.area) and not is_part


def _fitted(things: Sequence[Thing], faces: Sequence[Thing]) -> list[Thing]:
    """The things, each that alone lies in a control's face, or has one alone in it, as large as that: faces are exact."""
    boxes, drawn = Boxes([each.box for each in things]), Boxes([each.box for each in faces])
    fitted = list(things)
    plain = {index for index, each in enumerate(things) if each.role not in ("icon", "image", *CONTAINERS, *_SMALL)}
    for index in plain:
        inside = drawn.inside(things[index].box, _INSIDE)
        if len(inside) == 1 and faces[inside[0]].box.area >= _FACE_SHARE * things[index].box.area:
            fitted[index] = replace(things[index], box=faces[inside[0]].box)
    for face in faces:
        inside = [at for at in boxes.inside(face.box, _INSIDE) if things[at].role not in ("icon", "image", *CONTAINERS)]
        if len(inside) == 1 and inside[0] in plain:
            fitted[inside[0]] = replace(things[inside[0]], box=face.box)
    return fitted


def _without_parts(things: Sequence[Thing], small: Sequence[Thing]) -> list[Thing]:
    """The things without those that stand where a rule sees a switch, a box or a ring, unless they are surely such a one."""
    boxes = Boxes([each.box for each in things])
    gone: set[int] = set()
    for each in small:
        at = {*boxes.inside(each.box, _INSIDE), *(boxes.ious(each.box) >= _NEARLY).nonzero()[0].tolist()}
        if not any(things[index].role in _SMALL and things[index].confidence > each.confidence for index in at):
            gone |= {index for index in at if things[index].role not in CONTAINERS}
    return [thing for index, thing in enumerate(things) if index not in gone]


def _snapped(thing: Thing, boxes: Sequence[Box], known: Boxes) -> Thing:
    """A thing with the exact sides of what is drawn there: its shape, or its mark for an icon."""
    if thing.role in ("image", "link") or not boxes:
        return thing
    ious = known.ious(thing.box)
    best = int(ious.argmax())
    return replace(thing, box=boxes[best]) if ious[best] >= _SNAP else thing


def _unknown(new: Sequence[Thing], known: Sequence[Thing], is_known: Callable[[Thing, Thing], bool]) -> list[Thing]:
    """Those of `new` that nothing known accounts for, nor an earlier one of them."""
    things = [*known, *new]
    boxes, there = Boxes([each.box for each in things]), [True] * len(known)
    for thing in new:
        touching = (
            things[index] for index in boxes.shared(thing.box)[: len(there)].nonzero()[0].tolist() if there[index]
        )
        there.append(not any(is_known(thing, each) for each in touching))
    return [thing for thing, is_new in zip(new, there[len(known) :], strict=True) if is_new]


def _is_part_or_frame(shape: Thing, known: Thing) -> bool:
    """Whether a named shape is the known thing, a part of it, or what is around it."""
    if shape.box.iou(known.box) >= _SAME and _are_rivals(shape.role, known.role):
        return True
    if known.role not in CONTAINERS and known.role != "icon" and _share(shape.box, known.box) >= _INSIDE:
        return True
    return (
        shape.role not in CONTAINERS and known.role != "icon" and _share(known.box, shape.box) >= _INSIDE
    ) and known.box.area >= _COVERED * shape.box.area


def _is_drawn_already(mark: Thing, known: Thing) -> bool:
    """Whether a mark is the icon or picture that is known, or a part of a control that is a drawing."""
    if known.role not in _DRAWINGS:
        return False
    return _share(mark.box, known.box) >= _COVERED or _share(known.box, mark.box) >= _INSIDE


def _holds_or_lies_in(picture: Thing, known: Thing) -> bool:
    if known.role in CONTAINERS:
        return picture.box.iou(known.box) >= _SAME
    return _share(picture.box, known.box) >= _COVERED or _share(known.box, picture.box) >= _INSIDE


def _share(inner: Box, outer: Box) -> float:
    """The share of `inner` that lies in `outer`."""
    shared = inner.intersect(outer)
    return shared.area / inner.area if shared is not None and inner.area else 0.0


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
        interactive=thing.role in INTERACTIVE if thing.told else None,
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
    """In reading order, what lies in something right after it, with ids from 1 and parents."""
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
    """An element with its number and parent; a row has its texts, a button the name of its one icon."""
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
    """The place of the smallest larger thing that holds each element; a text holds nothing, nor does an icon or a picture."""
    may_hold = [index for index, each in enumerate(elements) if each.element_type not in ("text", "icon", "image")]
    boxes = Boxes([elements[index].bbox for index in may_hold])
    parents: list[int | None] = []
    for index, element in enumerate(elements):
        around = [may_hold[place] for place in boxes.around(element.bbox, _INSIDE)]
        parents.append(next((each for each in around if _is_larger(elements, each, index)), None))
    return parents


def _is_larger(elements: Sequence[UIElement], outer: int, inner: int) -> bool:
    one, other = elements[outer].bbox.area, elements[inner].bbox.area
    if elements[inner].element_type == "icon":
        return outer != inner
    return one > other or (one == other and outer < inner)


def _reading_order(indexes: Sequence[int], elements: Sequence[UIElement]) -> list[int]:
    """Rows from the top, each from the left: what lies with half its height in what a row has in common is of that row."""
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
