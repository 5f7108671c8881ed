"""Infer splitters between panes, grips of tool bars, and unnamed handles, from rectangles alone."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.perceive.element_format import control_type, element_name
from handeye.perceive.structure.derivation import BORDER_HALF_WIDTH, LEAST_CONFIDENCE, Inference, derive
from handeye.perceive.structure.layout import (
    SAME_EXTENT,
    Layout,
    horizontal_neighbours,
    vertical_neighbours,
    visible_box,
)

# Widest gap between two panes in pixels. Handles are 1 (GTK's narrow one) to 8 wide (Windows), 5 and 4 in GTK 3 and Qt's
# Fusion style; a wider gap is a margin. Panes that touch without a splitter around them are only adjacent.
_WIDEST_HANDLE: Final = 12
# Smaller boxes are fields and labels of a form, which no splitter separates.
_LEAST_SIDE: Final = 48
# More panes in a row are a gallery or a board, not the parts of a window; they have gaps too.
_MOST_PANES: Final = 64
# A handle is elongated: Qt's are 1:60, Explorer's 1:100; a corner's grip is a square.
_LONG: Final = 3
# Largest gap in pixels between a handle and the panes on both sides of it.
_NEAR: Final = 4
# Width of a tool bar's grip in pixels: Qt reserves 9 beyond the margin of all sides, GTK none.
_LEAST_GRIP: Final = 6
_WIDEST_GRIP: Final = 24

# Qt's dock widgets have their title buttons two pixels below the top, group boxes have none there.
_TITLE_BUTTON: Final = 8

_SHOWN_HANDLE: Final = 0.95
_IN_A_SPLIT_PANE: Final = 0.95
_BESIDE_A_DOCK: Final = 0.85
_BETWEEN_PANES: Final = LEAST_CONFIDENCE
_TOOL_BAR_GRIP: Final = 0.75

_PANES: Final = frozenset({"pane", "tree", "list", "table", "document", "splitter"})
_HOLDS_PANES: Final = frozenset({"window", "pane", "group", "splitter", "document"})
# Toolkits that report split panes with a role of their own: other panes with a gap are only adjacent.
_SPLIT_PANES_REPORTED: Final = frozenset({"gtk", "qt"})
_NO_PANES: Final = frozenset({"grip", "separator", "scroll bar", "column border", "row border", "splitter handle"})

_AROUND_DOCKS: Final = _NO_PANES | {"toolbar", "menu bar", "status bar", "tab bar"}

_Splitters = dict[tuple[str, int], list[Box]]
"""Boxes of the inferred splitters, keyed by axis and by position in steps of a splitter's width."""

_Neighbours = Callable[..., Iterator[tuple[UIElement, UIElement]]]


def pane_parts(layout: Layout) -> Iterator[Inference]:
    """Yield splitters, resize handles and panel grips, in the order of the elements that they are derived from."""
    shown_in: set[int | None] = set()
    for grip in layout.of("grip"):
        for part in _shown_handle(layout, grip):
            shown_in.add(grip.parent)
            yield part
    inferred: _Splitters = defaultdict(list)
    for splitter in layout.of("splitter"):
        if splitter.id not in shown_in:
            inside = [each for each in layout.children[splitter.id] if each.element_type not in _NO_PANES]
            yield from _splits(layout, inside, 0, _IN_A_SPLIT_PANE, inferred)
    for parent, inside in list(layout.children.items()):
        holder = layout.by_id.get(parent) if parent is not None else None
        if holder is not None and (holder.element_type not in _HOLDS_PANES - {"splitter"} or parent in shown_in):
            continue
        yield from _splits(layout, _docked(layout, holder, inside), 1, _BESIDE_A_DOCK, inferred)
        panes = [each for each in inside if each.element_type in _PANES and _is_large(visible_box(each))]
        panes = [each for each in panes if _toolkit(each) not in _SPLIT_PANES_REPORTED]
        yield from _splits(layout, panes, 1, _BETWEEN_PANES, inferred)
    for bar in layout.of("toolbar"):
        yield from _panel_grip(layout, bar)


def _is_large(box: Box) -> bool:
    return min(box.width, box.height) >= _LEAST_SIDE


def _toolkit(element: UIElement) -> str:
    return str(element.metadata.get("toolkit", "")).casefold()


def _docked(layout: Layout, holder: UIElement | None, inside: Sequence[UIElement]) -> list[UIElement]:
    """Return the docks of a Qt main window and its central widget, or an empty list if there is no dock."""
    if holder is None or _toolkit(holder) != "qt" or holder.metadata.get("class") != "frame":
        return []
    parts = [each for each in inside if each.element_type not in _AROUND_DOCKS and _is_large(visible_box(each))]
    docks = [each for each in parts if _is_dock(layout, each)]
    if not docks:
        return []
    central = max((each for each in parts if each not in docks), key=lambda each: visible_box(each).area, default=None)
    return [*docks, central] if central is not None else docks


def _is_dock(layout: Layout, element: UIElement) -> bool:
    """Return True for a panel with title buttons; a group box is a panel too, but has no button next to its title."""
    return element.metadata.get("class") == "panel" and any(
        each.element_type == "button" and 0 <= visible_box(each).top - visible_box(element).top <= _TITLE_BUTTON
        for each in layout.children[element.id]
    )


def _splits(
    layout: Layout, panes: Sequence[UIElement], least: int, confidence: float, inferred: _Splitters
) -> Iterator[Inference]:
    """Yield splitters in the gaps between panes. Nested panes share a gap; the first pair counts."""
    if len(panes) > _MOST_PANES:
        return
    ways: tuple[tuple[str, int, int, _Neighbours], ...] = (
        ("x", 2, 0, horizontal_neighbours),
        ("y", 3, 1, vertical_neighbours),
    )
    for axis, end, start, neighbours in ways:
        for first, second in neighbours(panes, least=least, most=_WIDEST_HANDLE):
            if layout.is_on_a_web_page(first):
                continue
            formula = f"splitter_{axis} = (A.rect[{end}] + B.rect[{start}]) / 2"
            derived = _Derived(formula, first, second)
            step = derived.box.center[axis == "y"] // (2 * BORDER_HALF_WIDTH)
            if any(
                derived.box.intersect(other) for near in (step - 1, step, step + 1) for other in inferred[axis, near]
            ):
                continue
            inferred[axis, step].append(derived.box)
            yield _splitter(layout, (first, second), derived, confidence)


class _Derived:
    """
    A formula over the elements `anchors`, named A and B: its text as in docs/spec/perception-tiers.md, and the resulting
    box.
    """

    def __init__(self, formula: str, *anchors: UIElement) -> None:
        named = (
            f"{letter}=[{each.id}] {control_type(each.element_type)}"
            for letter, each in zip("AB", anchors, strict=False)
        )
        self.text = f"{formula}, using {', '.join(named)}"
        rects = {each.id: visible_box(each) for each in anchors if each.id is not None}
        self.anchors = tuple(rects)
        self.box = derive(self.text, rects).box(rects)


def _splitter(layout: Layout, parted: tuple[UIElement, UIElement], derived: _Derived, confidence: float) -> Inference:
    sides = ("left", "right") if derived.box.height > derived.box.width else ("upper", "lower")
    names = tuple(
        layout.called(each) or f"the {side} {each.element_type}" for side, each in zip(sides, parted, strict=True)
    )
    name = f"splitter between {names[0]} and {names[1]}"
    return _part("splitter", name, derived, confidence, parted[0].parent, names)


def _part(
    role: str, name: str, derived: _Derived, confidence: float, parent: int | None, between: tuple[str, ...]
) -> Inference:
    about = {"between": between}
    return Inference(role, name, derived.box, confidence, derived.text, derived.anchors, parent, about)


def _shown_handle(layout: Layout, grip: UIElement) -> Iterator[Inference]:
    """
    Yield the part for an unnamed handle in the tree: a splitter between its panes, or the corner of a status bar or window.
    """
    box, around = visible_box(grip), next(layout.above(grip), None)
    if around is not None and max(box.width, box.height) < _LONG * min(box.width, box.height):
        corner = _corner_of(visible_box(around), box)
        if corner is not None:
            window = next((each for each in layout.above(grip) if each.element_type == "window"), around)
            called = layout.called(window) or window.element_type
            part = _part(
                *("resize handle", f"resize handle of {called}", _Derived(corner, around)),
                *(_SHOWN_HANDLE, grip.parent, (called,)),
            )
            yield _instead_of(grip, part)
        return
    across = box.height >= _LONG * box.width
    if not across and box.width < _LONG * box.height:
        return
    siblings = [each for each in layout.children[grip.parent] if each.element_type not in _NO_PANES]
    parted = _separated_by(box, siblings, across)
    if parted is None:
        return
    if _lies_along(box, parted, across):
        yield _instead_of(grip, _splitter(layout, parted, _middle_of(box, parted, across), _SHOWN_HANDLE))
    else:
        axis, start, end = ("x", 0, 2) if across else ("y", 1, 3)
        own = _Derived(f"splitter_{axis} = (A.rect[{start}] + A.rect[{end}]) / 2", grip)
        yield _splitter(layout, parted, own, _SHOWN_HANDLE)


def _instead_of(grip: UIElement, part: Inference) -> Inference:
    return part if element_name(grip) or grip.id is None else replace(part, instead_of=frozenset({grip.id}))


def _corner_of(outer: Box, box: Box) -> str | None:
    """Return the formula of a handle in a lower corner of `outer`, or None if it is elsewhere."""
    at_right, at_left = outer.right - box.right <= _NEAR, box.left - outer.left <= _NEAR
    if not (at_right or at_left) or outer.bottom - box.bottom > _NEAR:
        return None
    # In right-to-left layouts it is in the left corner.
    across = (2, outer.right) if at_right else (0, outer.left)
    edges = (
        _beside_edge(edge, at, wanted) for (edge, at), wanted in zip((across, (3, outer.bottom)) * 2, box, strict=True)
    )
    return f"rect = ({', '.join(edges)})"


def _beside_edge(edge: int, at: int, wanted: int, space: str = "") -> str:
    away = wanted - at
    return f"A.rect[{edge}]" + (f"{space}{'+' if away > 0 else '-'}{space}{abs(away)}" if away else "")


def _lies_along(handle: Box, parted: tuple[UIElement, UIElement], across: bool) -> bool:
    """Return True if both panes extend along most of the handle, so that its extent can be derived from them."""
    low, high = (1, 3) if across else (0, 2)
    boxes = [visible_box(each) for each in parted]
    shared = min(box[high] for box in boxes) - max(box[low] for box in boxes)
    return shared >= SAME_EXTENT * (handle[high] - handle[low])


def _middle_of(handle: Box, parted: tuple[UIElement, UIElement], across: bool) -> _Derived:
    """
    Return the centre line of a handle in terms of its two panes: usually that of the gap, as in
    docs/spec/perception-tiers.md.
    """
    axis, start, end = ("x", 0, 2) if across else ("y", 1, 3)
    middle = math.floor((handle[start] + handle[end]) / 2 + 0.5)
    before, after = (visible_box(each) for each in parted)
    formula = f"splitter_{axis} = (A.rect[{end}] + B.rect[{start}]) / 2"
    if math.floor((before[end] + after[start]) / 2 + 0.5) != middle:
        formula = f"splitter_{axis} = {_beside_edge(end, before[end], middle, ' ')}"
    return _Derived(formula, *parted)


def _separated_by(handle: Box, siblings: Sequence[UIElement], across: bool) -> tuple[UIElement, UIElement] | None:
    """Return the two siblings on both sides of a handle, the left or upper one first, or None if there are not two."""
    start, end, low, high = (0, 2, 1, 3) if across else (1, 3, 0, 2)
    before = after = None
    for each in siblings:
        box = visible_box(each)
        if min(box[high], handle[high]) <= max(box[low], handle[low]):
            continue
        if abs(handle[start] - box[end]) <= _NEAR:
            before = before or each
        elif abs(box[start] - handle[end]) <= _NEAR:
            after = after or each
    return (before, after) if before is not None and after is not None else None


def _panel_grip(layout: Layout, bar: UIElement) -> Iterator[Inference]:
    """Yield the grip by which a tool bar is moved: the space that it leaves before its first child."""
    parts = layout.children[bar.id]
    box = visible_box(bar)
    if not parts or box.width <= box.height:
        return
    first = min(parts, key=lambda each: visible_box(each).left)
    room, margin = visible_box(first).left - box.left, visible_box(first).top - box.top
    if room > _WIDEST_GRIP or room - max(0, margin) < _LEAST_GRIP:
        return
    name = layout.called(bar) or bar.element_type
    room_before = _Derived("rect = (A.rect[0], A.rect[1], B.rect[0], A.rect[3])", bar, first)
    yield _part("panel grip", f"panel grip of {name}", room_before, _TOOL_BAR_GRIP, bar.id, (name,))
