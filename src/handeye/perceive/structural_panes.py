"""Splitters between panes, grips of tool bars, and handles that an application shows without a name: from rectangles alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.perceive.derivation import REACH, derive
from handeye.perceive.inference import LEAST_CONFIDENCE, Inference
from handeye.perceive.layout import Layout, beside, seen, stacked
from handeye.perceive.listing import control_type

# Pixels between two panes. Handles are 1 (GTK's narrow one) to 8 wide (Windows), 5 and 4 in GTK 3 and Qt's Fusion style; what
# is wider is a margin. Panes that touch without a splitter around them are only stacked.
_WIDEST_HANDLE: Final = 12
# Smaller ones are fields and labels of a form, which no splitter parts.
_LEAST_SIDE: Final = 48
# More panes side by side are a gallery or a board, not the parts of a window; they have gaps too.
_MOST_PANES: Final = 64
# A handle is longer than wide: Qt's are 1:60, Explorer's 1:100; a corner's grip is a square.
_LONG: Final = 3
# Pixels between a handle and the panes that it parts.
_NEAR: Final = 4
# Qt's tool bars keep 9 pixels for their grip beyond the margin that all sides have, GTK's nothing.
_LEAST_GRIP: Final = 6
_WIDEST_GRIP: Final = 24

_SHOWN_HANDLE: Final = 0.95
_IN_A_SPLIT_PANE: Final = 0.95
_BETWEEN_PANES: Final = LEAST_CONFIDENCE
_TOOL_BAR_GRIP: Final = 0.75

_PANES: Final = frozenset({"pane", "tree", "list", "table", "document", "splitter"})
_HOLDS_PANES: Final = frozenset({"window", "pane", "group", "splitter", "document"})
_NO_PANES: Final = frozenset({"grip", "separator", "scroll bar", "column border", "row border", "splitter handle"})

_Said = dict[tuple[str, int], list[Box]]
"""The splitters that were said, by their direction and where they are, in steps of their own width."""

_Neighbours = Callable[..., Iterator[tuple[UIElement, UIElement]]]


def pane_parts(layout: Layout) -> Iterator[Inference]:
    """Splitters, resize handles and panel grips, in the order of the elements that they follow from."""
    shown_in: set[int | None] = set()
    for grip in layout.of("grip"):
        for part in _shown_handle(layout, grip):
            shown_in.add(grip.parent)
            yield part
    said: _Said = defaultdict(list)
    for splitter in layout.of("splitter"):
        if splitter.id not in shown_in:
            inside = [each for each in layout.children[splitter.id] if each.element_type not in _NO_PANES]
            yield from _splits(layout, inside, 0, _IN_A_SPLIT_PANE, said)
    for parent, inside in list(layout.children.items()):
        holder = layout.by_id.get(parent) if parent is not None else None
        if holder is not None and (holder.element_type not in _HOLDS_PANES - {"splitter"} or parent in shown_in):
            continue
        panes = [each for each in inside if each.element_type in _PANES and _is_large(seen(each))]
        yield from _splits(layout, panes, 1, _BETWEEN_PANES, said)
    for bar in layout.of("toolbar"):
        yield from _panel_grip(layout, bar)


def _is_large(box: Box) -> bool:
    return min(box.width, box.height) >= _LEAST_SIDE


def _splits(
    layout: Layout, panes: Sequence[UIElement], least: int, confidence: float, said: _Said
) -> Iterator[Inference]:
    """Splitters in the gaps between panes. Of panes within panes, which have the same gap, the first pair counts."""
    if len(panes) > _MOST_PANES:
        return
    ways: tuple[tuple[str, int, int, _Neighbours], ...] = (("x", 2, 0, beside), ("y", 3, 1, stacked))
    for axis, end, start, neighbours in ways:
        for first, second in neighbours(panes, least=least, most=_WIDEST_HANDLE):
            if layout.is_on_a_web_page(first):
                continue
            formula = f"splitter_{axis} = (A.rect[{end}] + B.rect[{start}]) / 2"
            derived = _Derived(formula, first, second)
            step = derived.box.center[axis == "y"] // (2 * REACH)
            if any(derived.box.intersect(other) for near in (step - 1, step, step + 1) for other in said[axis, near]):
                continue
            said[axis, step].append(derived.box)
            yield _splitter(layout, (first, second), derived, confidence)


class _Derived:
    """A formula over `anchors`, which it calls A and B: as seed 002 writes it, and the rectangle that it gives."""

    def __init__(self, formula: str, *anchors: UIElement) -> None:
        named = (
            f"{letter}=[{each.id}] {control_type(each.element_type)}"
            for letter, each in zip("AB", anchors, strict=False)
        )
        self.text = f"{formula}, using {', '.join(named)}"
        rects = {each.id: seen(each) for each in anchors if each.id is not None}
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
    """A handle that is in the tree without a name: a splitter's between its panes, or the corner of a status bar or window."""
    box, around = seen(grip), next(layout.above(grip), None)
    if around is not None and max(box.width, box.height) < _LONG * min(box.width, box.height):
        outer = seen(around)
        at_side = min(outer.right - box.right, box.left - outer.left)  # from right to left it is in the other corner
        if at_side <= _NEAR and outer.bottom - box.bottom <= _NEAR:
            window = next((each for each in layout.above(grip) if each.element_type == "window"), around)
            called = layout.called(window) or window.element_type
            corner = _Derived("rect = (A.rect[0], A.rect[1], A.rect[2], A.rect[3])", grip)
            yield _part("resize handle", f"resize handle of {called}", corner, _SHOWN_HANDLE, grip.parent, (called,))
        return
    across = box.height >= _LONG * box.width
    if not across and box.width < _LONG * box.height:
        return
    siblings = [each for each in layout.children[grip.parent] if each.element_type not in _NO_PANES]
    parted = _parted_by(box, siblings, across)
    if parted is not None:
        axis, start, end = ("x", 0, 2) if across else ("y", 1, 3)
        middle = _Derived(f"splitter_{axis} = (A.rect[{start}] + A.rect[{end}]) / 2", grip)
        yield _splitter(layout, parted, middle, _SHOWN_HANDLE)


def _parted_by(handle: Box, siblings: Sequence[UIElement], across: bool) -> tuple[UIElement, UIElement] | None:
    """The two that lie on both sides of a handle, the left or upper one first; None when there are not two."""
    start, end, low, high = (0, 2, 1, 3) if across else (1, 3, 0, 2)
    before = after = None
    for each in siblings:
        box = seen(each)
        if min(box[high], handle[high]) <= max(box[low], handle[low]):
            continue
        if abs(handle[start] - box[end]) <= _NEAR:
            before = before or each
        elif abs(box[start] - handle[end]) <= _NEAR:
            after = after or each
    return (before, after) if before is not None and after is not None else None


def _panel_grip(layout: Layout, bar: UIElement) -> Iterator[Inference]:
    """The dotted strip by which a tool bar is moved: the room that it keeps before its first part."""
    parts = layout.children[bar.id]
    box = seen(bar)
    if not parts or box.width <= box.height:
        return
    first = min(parts, key=lambda each: seen(each).left)
    room, margin = seen(first).left - box.left, seen(first).top - box.top
    if room > _WIDEST_GRIP or room - max(0, margin) < _LEAST_GRIP:
        return
    name = layout.called(bar) or bar.element_type
    room_before = _Derived("rect = (A.rect[0], A.rect[1], B.rect[0], A.rect[3])", bar, first)
    yield _part("panel grip", f"panel grip of {name}", room_before, _TOOL_BAR_GRIP, bar.id, (name,))
