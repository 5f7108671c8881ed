"""What lies over an element, as far as its application tells; what the system tells is in `devices.desktop.reach`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Protocol, runtime_checkable

from handeye.desktop.state import WindowState
from handeye.devices.desktop.base import Surface
from handeye.elements import UIElement
from handeye.geometry import Box, Point
from handeye.perceive.base import Control
from handeye.perceive.layout import seen
from handeye.perceive.vision import SEEN

# What they hold is shown in a window of its own while they are open.
_OPENING: Final = frozenset({"menu", "menu item", "combo box"})
# A menu's own rectangle leaves out its border or its shadow.
_BORDER_PX: Final = 24


@runtime_checkable
class HitTesting(Protocol):
    """A live handle whose application says what it shows at a place."""

    def covered_by(self, at: Point) -> str | None:
        """What lies over the element there, in desktop pixels, as a person would call it; None when nothing does."""
        ...


def cover_at(control: Control, at: Point) -> str | None:
    """What its application shows over an element at a place; None when nothing, or it does not say."""
    return control.covered_by(at) if isinstance(control, HitTesting) else None


def cover_of(state: WindowState, element: UIElement) -> UIElement | None:
    """What is open in the same window and keeps every press for itself, such as a popover; None when nothing does."""
    own = {each.id for each in (element, *holders(state, element))}
    for each in reversed(state.elements):
        is_part = each.id in own or each.element_type == "window"
        if each.metadata.get("modal") and not is_part and not each.metadata.get("offscreen") and seen(each).area:
            return each
    return None


def is_in_popup(state: WindowState, element: UIElement, popup: Surface) -> bool:
    """Whether an element is shown in `popup`, as an entry of an open menu is; what only lies below it is not."""
    if popup.process != state.window.process:
        return False
    if element.source in SEEN:  # on a picture, which shows menus as well
        return True
    if not popup.box.contains(seen(element).center):
        return False
    chain = list(holders(state, element))
    opened = any(each.element_type in _OPENING for each in chain)
    if element.element_type == "menu item":
        opened |= not any(each.element_type == "menu bar" for each in chain[:1])
    return opened or any(_fills(seen(each), popup.box) for each in (element, *chain))


def holders(state: WindowState, element: UIElement) -> Iterator[UIElement]:
    """The elements that hold one, the innermost first."""
    asked: set[int] = set()
    while element.parent is not None and element.parent not in asked and 1 <= element.parent <= len(state.elements):
        asked.add(element.parent)
        element = state.elements[element.parent - 1]
        yield element


def _fills(box: Box, popup: Box) -> bool:
    return all(abs(own - other) <= _BORDER_PX for own, other in zip(box, popup, strict=True))
