"""
Open menus that Qt leaves out of its tree: a context menu belongs to no other object.

Qt numbers its objects as they are first told, and a menu is told as it opens: so its number is among the latest ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from handeye.geometry import Box
from handeye.perceive.atspi.calls import Caller
from handeye.perceive.atspi.nodes import Node, read_basics
from handeye.perceive.atspi.questions import ACCESSIBLE, Question, Ref
from handeye.perceive.atspi.scaling import Scaling
from handeye.perceive.atspi.vocabulary import numbers_of

_MENUS: Final = numbers_of("popup menu", "menu", "list", "list box")
# Qt asks nothing for a number that no object has: 200 of them cost 0.1 s.
_AT_ONCE: Final = 128
_MOST: Final = 1024
_BEYOND: Final = 64
# A list of a combo box is smaller than its window by its border and its arrows.
_BORDER_PX: Final = 24


async def read_unlisted(caller: Caller, nodes: Sequence[Node], popups: Iterable[Box], scaling: Scaling) -> list[Node]:
    """The menus, without what they hold, in those of the windows `popups` that none of the `nodes` of an application fills."""
    placed = [scaling.pixels(node.box) for node in nodes if node.showing and node.box is not None]
    missing = [popup for popup in popups if not any(_fills(box, popup) for box in placed)]
    known = {number for node in nodes if (number := _number(node.ref)) is not None}
    found: list[Node] = []
    if not missing or not known:
        return found
    folder = f"{nodes[0].ref.path.rpartition('/')[0]}/"
    latest = range(max(known) + _BEYOND, max(known) - _MOST, -1)
    asked = [Ref(nodes[0].ref.bus, f"{folder}{number}") for number in latest if number not in known]
    for start in range(0, len(asked), _AT_ONCE):
        refs = asked[start : start + _AT_ONCE]
        roles = await caller.ask_all([Question(ref, ACCESSIBLE, "GetRole", "u") for ref in refs])
        menus = [Node(ref) for ref, role in zip(refs, roles, strict=True) if role in _MENUS]
        await read_basics(caller, menus)
        for menu in menus:
            box = scaling.pixels(menu.box) if menu.showing and menu.box is not None else None
            filled = [popup for popup in missing if box is not None and _fills(box, popup)]
            missing = [popup for popup in missing if popup not in filled]
            found += [menu] if filled else []
        if not missing:
            break
    return found


def _number(ref: Ref) -> int | None:
    number = ref.path.rpartition("/")[2]
    return int(number) if number.isdecimal() else None


def _fills(box: Box, popup: Box) -> bool:
    return all(abs(own - other) <= _BORDER_PX for own, other in zip(box, popup, strict=True))
