"""Whether an act on an element did what it should, as far as its application says."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from handeye.clock import Clock, Deadline
from handeye.elements import UIElement
from handeye.errors import DeviceError
from handeye.perceive.base import Control

# Applications that were measured tell of a click within 50 ms; on a busy machine it may be twenty times that.
DEADLINE_S: Final = 1.0
_POLL_S: Final = 0.05
_BLANKS: Final = re.compile(r"\s+")

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
    """
    Whether `text` stands in a field that held `before`; None where nobody says what stands in it. Blanks and line ends count
    as one blank each run: an editor may indent.
    """
    if before is None or not text:
        return None
    deadline = Deadline(clock, DEADLINE_S)
    while True:
        now = text_of(control)
        if now is None:
            return None
        if _stands_in(text, before, now):
            return True
        if deadline.passed:
            return False
        deadline.pause(_POLL_S)


def _stands_in(text: str, before: str, now: str) -> bool:
    if now.count(text) > before.count(text) or (now != before and _folded(now) == _folded(text)):
        return True
    wanted = _folded(text)
    return bool(wanted.strip()) and _folded(now).count(wanted) > _folded(before).count(wanted)


def why_not(before: str | None, control: Control | None) -> str:
    """What is there in place of a text that was typed."""
    now = text_of(control)
    return "the field is as it was" if now == before else "the field holds something else now"


def _folded(text: str) -> str:
    return _BLANKS.sub(" ", text)
