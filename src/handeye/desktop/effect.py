"""Whether an act on an element did what it should, as far as its application says."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from handeye.clock import Clock, Deadline
from handeye.desktop.descent import Descent
from handeye.desktop.open_menus import BOX, entries_of
from handeye.desktop.running import counts, runs
from handeye.desktop.state import WindowState
from handeye.elements import UIElement
from handeye.errors import DeviceError
from handeye.perceive.base import Control
from handeye.perceive.listing import name_of

# Applications that were measured tell of a click within 50 ms; on a busy machine it may be twenty times that.
DEADLINE_S: Final = 1.0
_POLL_S: Final = 0.05
_BLANKS: Final = re.compile(r"\s+")

# What a click on an element of that role changes: the state that becomes its opposite, or that is set afterwards.
_FLIPPED: Final = {"checkbox": "checked", "switch": "checked"}
_SET: Final = {"radio": "checked", "tab": "selected"}
# A row of tabs, what holds it and its pages, and the window.
_IN_A_HOLDER: Final = 3


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


def choice_effect(
    box: UIElement, entry: UIElement, look: Callable[[], WindowState | None], clock: Clock
) -> bool | None:
    """Whether a combo box shows the entry that was clicked; None where it does not, as one that chooses what to do."""
    deadline = Deadline(clock, DEADLINE_S)
    while True:
        now = look()
        same = (
            (each for each in now.elements if (each.element_type, each.bbox) == (BOX, box.bbox))
            if now is not None
            else ()
        )
        if now is not None and any(each.text == entry.text and not entries_of(now, each) for each in same):
            return True
        if deadline.passed:
            return None
        deadline.pause(_POLL_S)


def tells_its_page(state: WindowState, tab: UIElement) -> bool:
    """Whether any tab beside this one says that its page is shown."""
    return any(each.parent == tab.parent and each.metadata.get("selected") for each in state.elements)


def page_effect(
    before: WindowState, tab: UIElement, look: Callable[[], WindowState | None], clock: Clock
) -> bool | None:
    """Whether other things are shown in what holds a row of tabs, after a click on one of them; None where nobody can say."""
    shown, deadline = _page_of(before, tab), Deadline(clock, DEADLINE_S)
    while shown is not None:
        now = look()
        page = _page_of(now, tab) if now is not None else None
        if page is not None and page - shown:
            return True
        if deadline.passed:
            break
        deadline.pause(_POLL_S)
    return None


def _page_of(state: WindowState, tab: UIElement) -> frozenset[tuple[str, str]] | None:
    """What is shown beside a row of tabs; None where the whole window would be that."""
    known = (tab.element_type, tab.text, tab.bbox)
    descent = Descent(state.elements)
    at = next((n for n, each in enumerate(state.elements) if (each.element_type, each.text, each.bbox) == known), None)
    above = list(descent.above(at)) if at is not None else []
    if len(above) < _IN_A_HOLDER:
        return None
    row, holder = above[:2]
    inside = (descent.order[place] for place in descent.of(holder) if descent.order[place] not in (row, holder))
    parts = (state.elements[index] for index in inside if not descent.holds(row, index))
    named = ((each.element_type, name_of(each)) for each in parts if not each.metadata.get("offscreen"))
    return frozenset((role, name) for role, name in named if name and not (runs(name) or counts(name)))


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
