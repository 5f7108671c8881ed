"""Effects of clicks on tabs and on entries of combo boxes, by what is shown afterwards."""

from __future__ import annotations

from collections.abc import Callable

from handeye.clock import Clock, Deadline
from handeye.desktop.descent import Descent
from handeye.desktop.effect import DEADLINE_S, POLL_S
from handeye.desktop.open_menus import BOX, entries_of, is_drawn_list, rows_of
from handeye.desktop.running import counts, runs
from handeye.desktop.state import WindowState
from handeye.elements import UIElement
from handeye.errors import DeviceError
from handeye.perceive.base import Control, Selectable
from handeye.perceive.listing import name_of


def choice_effect(
    state: WindowState, box: UIElement, entry: UIElement, look: Callable[[], WindowState | None], clock: Clock
) -> tuple[bool | None, str]:
    """
    True if a combo box shows the entry that was clicked in `state`, and what it shows instead; None where that is no entry, as
    in a box that chooses what to do.
    """
    others = {each.text for each in rows_of([state.element(each) for each in entries_of(state, box)])} - {entry.text}
    handle = state.control(entry.id) if entry.id is not None and is_drawn_list(box) else None
    closed: list[UIElement] = []
    selected: bool | None = None
    for _ in Deadline(clock, DEADLINE_S).looks(POLL_S):
        now = look()
        same = [each for each in now.elements if (each.element_type, each.bbox) == (BOX, box.bbox)] if now else []
        closed = [each for each in same if now is not None and not entries_of(now, each)]
        selected = _is_selected(handle) if closed else None
        if selected or any(each.text == entry.text for each in closed):
            return True, ""
    shown = next((each.text for each in closed if each.text in others), "")
    said = f"the box shows {shown!r}" if shown else "the box shows another entry"
    return (False, said) if shown or selected is False else (None, "")


def _is_selected(control: Control | None) -> bool | None:
    """Return True if an entry is the one that is chosen; None where its application does not say."""
    try:
        return control.is_selected() if isinstance(control, Selectable) else None
    except DeviceError:
        return None  # the page has made its entries anew


def tells_its_page(state: WindowState, tab: UIElement) -> bool:
    """Return True if any tab beside this one says that its page is shown."""
    return any(each.parent == tab.parent and each.metadata.get("selected") for each in state.elements)


def page_effect(
    before: WindowState, tab: UIElement, look: Callable[[], WindowState | None], clock: Clock
) -> bool | None:
    """Return True if other things are shown in what holds a row of tabs after a click on one; None where nobody can say."""
    shown = _page_of(before, tab)
    if shown is None:
        return None
    for _ in Deadline(clock, DEADLINE_S).looks(POLL_S):
        now = look()
        if now is not None and (_page_of(now, tab) or shown) - shown:
            return True
    return None


def _page_of(state: WindowState, tab: UIElement) -> frozenset[tuple[str, str]] | None:
    """The roles and names of what is shown beside a row of tabs; None where the whole window would be that."""
    known = (tab.element_type, tab.text, tab.bbox)
    descent = Descent(state.elements)
    at = next((n for n, each in enumerate(state.elements) if (each.element_type, each.text, each.bbox) == known), None)
    above = list(descent.above(at)) if at is not None else []
    if not above[2:]:
        return None
    row, holder = above[:2]
    inside = (descent.order[place] for place in descent.of(holder) if descent.order[place] not in (row, holder))
    parts = (state.elements[index] for index in inside if not descent.holds(row, index))
    named = ((each.element_type, name_of(each)) for each in parts if not each.metadata.get("offscreen"))
    return frozenset((role, name) for role, name in named if name and not (runs(name) or counts(name)))
