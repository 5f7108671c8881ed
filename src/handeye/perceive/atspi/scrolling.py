"""
Bringing an object into view where its toolkit has no command for that: Qt, whose scroll areas tell their scroll bars.

A scroll area has its viewport and its bars side by side among its children, each bar in a box of its own; they count pixels.
"""

from __future__ import annotations

import asyncio
from typing import Final

from handeye.errors import DeviceError
from handeye.geometry import Box
from handeye.perceive.atspi.calls import Caller
from handeye.perceive.atspi.nodes import VALUE, Node, box_from, extents_of, read_basics
from handeye.perceive.atspi.questions import ACCESSIBLE, Question, Ref, property_of, ref_from, setting_of
from handeye.perceive.atspi.visible import Telling, ancestors_of, visible_box
from handeye.perceive.atspi.vocabulary import numbers_of

_BARS: Final = numbers_of("scroll bar")
# A scroll area has a viewport, two bars and what is in their corner; what has more children is something else.
_MOST_PARTS: Final = 6
_BOXES: Final = numbers_of("filler")
# Pixels. Bars are 14 (Fusion) to 17 (Windows) wide, twice as many on a large scale.
_WIDEST_BAR: Final = 40
# Applications that were measured had scrolled within 20 ms.
_LOOKS: Final = 10
_PAUSE_S: Final = 0.05


async def turn_scroll_bars(caller: Caller, ref: Ref) -> bool:
    """Scroll what an object is in, the innermost first, until it is in view of each; whether any scroll bar was turned."""
    turned = False
    viewport = ref
    for area in await ancestors_of(caller, ref):
        for bar in await _bars_beside(caller, area.ref, viewport):
            extents = await caller.ask_all([extents_of(ref), extents_of(viewport)])
            wanted, view = (box_from(each) for each in extents)
            if wanted is not None and view is not None and bar.box is not None:
                turned |= await _turn(caller, bar, _away(wanted, view, upright=bar.box.height > bar.box.width))
        viewport = area.ref
    return turned


async def _bars_beside(caller: Caller, area: Ref, viewport: Ref) -> list[Node]:
    """The scroll bars that are shown among the parts of an object, or in thin boxes of their own there."""
    parts = [part for part in await _parts(caller, area) if part.ref != viewport]
    boxes = [part for part in parts if part.role in _BOXES and _is_thin(part)]
    inside = [part for box in boxes for part in await _parts(caller, box.ref)]
    return [part for part in (*parts, *inside) if part.role in _BARS and _is_thin(part)]


async def _parts(caller: Caller, ref: Ref) -> list[Node]:
    """What an object holds, if that is not much: a table of 65,000 cells took an application ten seconds to tell."""
    count = await caller.ask(property_of(ref, ACCESSIBLE, "ChildCount", "i"))
    if not isinstance(count, int) or not 0 < count <= _MOST_PARTS:
        return []
    pairs = await caller.ask(Question(ref, ACCESSIBLE, "GetChildren", "a(so)"))
    nodes = [Node(each) for pair in pairs or () if (each := ref_from(pair)) is not None]
    await read_basics(caller, nodes)
    return nodes


def _is_thin(part: Node) -> bool:
    return part.showing and part.box is not None and min(part.box.width, part.box.height) <= _WIDEST_BAR


def _away(wanted: Box, view: Box, *, upright: bool) -> int:
    """By how many pixels the content must move so that as much as fits is in view, from its beginning."""
    start, end = (1, 3) if upright else (0, 2)
    before, after = wanted[start] - view[start], wanted[end] - view[end]
    if before < 0:
        return before
    return min(before, after) if after > 0 else 0


async def _turn(caller: Caller, bar: Node, by: int) -> bool:
    if not by:
        return False
    asked = [property_of(bar.ref, VALUE, name, "d") for name in ("MinimumValue", "MaximumValue", "CurrentValue")]
    told = await caller.ask_all(asked)
    if not all(isinstance(number, float) for number in told):
        return False
    least, most, now = told
    to = min(max(now + by, least), most)
    if to == now:
        return False
    await caller.command(setting_of(bar.ref, VALUE, "CurrentValue", "d", to))
    return True


async def check_in_view(caller: Caller, ref: Ref, telling: Telling, before: Box | None) -> None:
    """Wait until an object can be seen, whole or otherwise than `before`. Raises DeviceError when it stays as it was."""
    for look in range(_LOOKS):
        if look:
            await asyncio.sleep(_PAUSE_S)
        seen = await visible_box(caller, ref, telling)
        if seen is not None and seen.area and (seen != before or await is_whole(caller, ref, telling, seen)):
            return
    raise DeviceError(
        "its application has no command to scroll it into view, and it did not come when it got the focus"
    )


async def is_whole(caller: Caller, ref: Ref, telling: Telling, seen: Box) -> bool:
    """Whether what is seen of an object is all of it."""
    (extents,) = await caller.ask_all([extents_of(ref)])
    own = box_from(extents)
    whole = telling.scaling.pixels(own) if own is not None else None
    return whole is not None and (whole.width, whole.height) == (seen.width, seen.height)
