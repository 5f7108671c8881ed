"""Where one accessible object can be seen now."""

from __future__ import annotations

from typing import Final, NamedTuple

from handeye.errors import DeviceError
from handeye.geometry import Box
from handeye.perceive.atspi.calls import Caller
from handeye.perceive.atspi.drawn_parts import NO_SHIFT, Shift
from handeye.perceive.atspi.nodes import Node, box_from, extents_of, read_basics
from handeye.perceive.atspi.questions import ACCESSIBLE, ROOT, Ref, property_of, ref_from
from handeye.perceive.atspi.scaling import UNSCALED, Scaling
from handeye.perceive.atspi.scroll_bars import Insets
from handeye.perceive.atspi.vocabulary import DEFUNCT, numbers_of

CUTTING: Final = numbers_of(
    *("scroll pane", "viewport", "list", "list box", "table", "tree", "tree table", "document web", "document frame"),
    *("internal frame", "frame", "window", "dialog", "layered pane", "split pane", "terminal", "page tab list"),
)
"""Roles whose children are cut off at their edges."""

_QT: Final = "Qt"
# A child of a Qt widget is drawn within it, always: what a scroll area holds stands in a plain widget, which moves.
_CUTTING_OF_QT: Final = CUTTING | numbers_of("filler", "panel")

POPPING_UP: Final = numbers_of("menu", "popup menu", "combo box", "tool tip", "menu item", "menu bar", "window")
"""Roles whose children are shown in a window of their own, wherever the parent is."""

# Deeper than any real tree, and an end to one that goes round in circles.
_MOST_ANCESTORS: Final = 100


class View(NamedTuple):
    """A table, and what its headers and scroll bars cover of it."""

    table: Ref
    covered: Insets


class Telling(NamedTuple):
    """
    How an application tells a place: `drawn` are the root of what is drawn in its window and the native panel that it fills,
    `is_drawn` whether this is part of it; then its scale, which roles cut off what they hold, the table that it is in, and
    whether its pages say what they show at a place.
    """

    drawn: tuple[Ref, Ref] | None = None
    is_drawn: bool = False
    scaling: Scaling = UNSCALED
    cutting: frozenset[int] = CUTTING
    view: View | None = None
    hit_tests: bool = False
    popup: Box | None = None


def shows_nothing(role: int, box: Box | None, cutting: frozenset[int]) -> bool:
    """Whether what it holds cannot be seen: Qt 5 says of rows of a closed list that they are shown, where they were last."""
    return box is None and cutting is _CUTTING_OF_QT and role in cutting


def cutting_of(toolkit: str) -> frozenset[int]:
    """The roles whose children a toolkit cuts off at their edges."""
    return _CUTTING_OF_QT if toolkit == _QT else CUTTING


async def visible_box(caller: Caller, ref: Ref, telling: Telling) -> Box | None:
    """
    The part of an object that its ancestors do not cut off, in desktop pixels: Qt says of rows outside a list that they are
    shown, with boxes outside it. None when nothing of it is. Raises DeviceError when it is gone.
    """
    own = Node(ref)
    await read_basics(caller, [own])
    caller.check(ref)
    if not own.role_name or own.states & DEFUNCT or not own.states:
        raise DeviceError("it is gone")
    if not own.showing or own.box is None:
        return None
    ancestors = await ancestors_of(caller, ref)
    await read_basics(caller, ancestors)
    shift = NO_SHIFT
    if telling.drawn is not None:
        shift, ancestors = await _within_drawn(caller, telling.drawn, ancestors)
    seen: Box | None = own.box.translate(*shift) if telling.is_drawn else own.box
    for ancestor in ancestors:
        if ancestor.role in POPPING_UP:
            break
        if shows_nothing(ancestor.role, ancestor.box, telling.cutting):
            return None
        if ancestor.role in telling.cutting and ancestor.box is not None and seen is not None:
            inside = ancestor.box.translate(*shift) if telling.is_drawn else ancestor.box
            if telling.view is not None and telling.view.table == ancestor.ref:
                inside = telling.view.covered.scaled(1 / telling.scaling.factor).within(inside) or inside
            seen = seen.intersect(inside)
    if seen is None:
        return None
    told = telling.scaling.pixels(seen)
    return told if telling.popup is None or told.intersect(telling.popup) == told else None


async def _within_drawn(caller: Caller, drawn: tuple[Ref, Ref], ancestors: list[Node]) -> tuple[Shift, list[Node]]:
    """What drawn parts are off by now, and the ancestors below their root: of what is above it, parents tell other objects."""
    above = [node.ref for node in ancestors]
    if drawn[0] not in above:
        return NO_SHIFT, ancestors
    extents = await caller.ask_all([extents_of(ref) for ref in drawn])
    root, panel = (box_from(each) for each in extents)
    shift = NO_SHIFT if root is None or panel is None else Shift(panel.left - root.left, panel.top - root.top)
    return shift, ancestors[: above.index(drawn[0])]


async def ancestors_of(caller: Caller, ref: Ref) -> list[Node]:
    """From the parent up to the window, nothing known of them but where to ask."""
    above: list[Ref] = []
    while len(above) < _MOST_ANCESTORS:
        parent = await caller.ask(property_of(above[-1] if above else ref, ACCESSIBLE, "Parent", "(so)"))
        at = ref_from(parent) if parent is not None else None
        if at is None or at.path == ROOT or at in above:
            break
        above.append(at)
    return [Node(each) for each in above]
