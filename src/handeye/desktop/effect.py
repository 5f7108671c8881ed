"""Whether an act on an element did what it should, as far as its application says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from handeye.clock import Clock, Deadline
from handeye.desktop.state import WindowState
from handeye.elements import UIElement
from handeye.errors import DeviceError
from handeye.perceive.base import Control

# Applications that were measured tell of a click within 50 ms; on a busy machine it may be twenty times that.
DEADLINE_S: Final = 1.0
_POLL_S: Final = 0.05

# What a click on an element of that role changes: the state that becomes its opposite, or that is set afterwards.
_FLIPPED: Final = {"checkbox": "checked", "switch": "checked"}
_SET: Final = {"radio": "checked", "tab": "selected"}


def click_effect(element: UIElement, look: Callable[[], UIElement | None], clock: Clock) -> bool | None:
    """
    Whether a click on `element`, as it was before, did what clicks on its role do. None for roles of which nobody can say, and
    when `look`, which gives the element as it is now, no longer finds it.
    """
    role = element.element_type
    key = _FLIPPED.get(role) or _SET.get(role)
    if key is None or element.enabled is False or element.metadata.get("mixed"):
        return None
    wanted = not element.metadata.get(key) if role in _FLIPPED else True
    deadline = Deadline(clock, DEADLINE_S)
    while True:
        now = look()
        if now is None:
            return None
        if bool(now.metadata.get(key)) == wanted:
            return True
        if deadline.passed:
            return False
        deadline.pause(_POLL_S)


def text_of(control: Control | None) -> str | None:
    """What stands in it; None where nobody says, and for passwords."""
    try:
        return control.text() if control is not None else None
    except DeviceError:
        return None


def typed_effect(text: str, before: str | None, control: Control | None, clock: Clock) -> bool | None:
    """Whether `text` stands in a field that held `before`; None where nobody says what stands in it."""
    wanted = _plain(text)
    if before is None or not wanted:
        return None
    deadline = Deadline(clock, DEADLINE_S)
    while True:
        now = text_of(control)
        if now is None:
            return None
        if _plain(now).count(wanted) > _plain(before).count(wanted) or (now != before and _plain(now) == wanted):
            return True
        if deadline.passed:
            return False
        deadline.pause(_POLL_S)


def focused(state: WindowState) -> UIElement | None:
    """The element that says it has the keyboard: an editable one first, because Qt says so of the current tab too."""
    holders = [each for each in state.elements if each.metadata.get("focused")]
    return next((each for each in reversed(holders) if each.metadata.get("editable")), holders[-1] if holders else None)


def _plain(text: str) -> str:
    """Without blanks and line ends: a field of one line has none, and an editor may indent."""
    return "".join(text.split())
