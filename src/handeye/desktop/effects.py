"""Verification of actions on elements, by the state that their application reports."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeVar

from handeye.clock import Clock, Deadline
from handeye.desktop.identity import TreeIndex, is_clock_or_percent, is_counter
from handeye.desktop.open_menus import BOX, entries_of, is_drawn_list, rows_of
from handeye.desktop.state import WindowState
from handeye.devices import BetweenPieces, arrived_formatted, is_inserted
from handeye.elements import UIElement
from handeye.errors import DeviceError, TextInputFailed
from handeye.perceive import MAX_TEXT, Control, NumericControl, Selectable, element_name

T = TypeVar("T")

# Deadline for the effect of an action: measured applications report a click within 50 ms; on a busy machine it may be twenty
# times that. A clock's next second and a caret's next blink also come within that time.
DEADLINE_S: Final = 1.2
POLL_S: Final = 0.05
# A number without grouped digits: "1,234" is ambiguous.
_NUMBER: Final = re.compile(r"[-+]?\d{1,15}(?:\.\d+)?(?![\d.]*[,' \u00a0\u202f]?\d)", re.ASCII)

_BLANKS: Final = re.compile(r"\s+")

# Roles with the state that a click toggles, and roles with the state that a click sets.
_FLIPPED: Final = {"checkbox": "checked", "switch": "checked"}
_SET: Final = {"radio": "checked", "tab": "selected"}


def click_effect(element: UIElement, look: Callable[[], UIElement | None], clock: Clock) -> bool | None:
    """
    Return True if a click on `element`, given as it was before, had the effect of clicks on its role, False if not. None for
    roles without a known effect, and if `look`, which returns the current element, no longer finds it.
    """
    role = element.element_type
    key = _FLIPPED.get(role) or _SET.get(role)
    if key is None or element.enabled is False or element.metadata.get("mixed"):
        return None
    wanted = not element.metadata.get(key) if role in _FLIPPED else True
    return _becomes(look, lambda now: bool(now.metadata.get(key)) == wanted, clock)


def text_of(control: Control | None) -> str | None:
    """Return the text of a control; None if its application does not report it, and for passwords."""
    try:
        return control.text() if control is not None else None
    except DeviceError:
        return None


def typed_effect(
    text: str, before: str | None, control: Control | None, clock: Clock, *, whole: bool = False, lines: bool = True
) -> bool | None:
    """
    Return True if `text` is in a field that contained `before`, False if not; None if the field's content is unknown. `whole`:
    and nothing else is. In a single-line field (not `lines`) the rest must be unchanged. Each run of blanks and line ends
    counts as one blank, because an editor may indent.
    """
    if before is None or not (text or whole) or len(before) + len(text) > MAX_TEXT:
        return None

    def arrived(now: str) -> bool:
        if _folded(now) == _folded(text) and (whole or now != before or not text):
            return True
        if not lines and arrived_formatted("" if whole else before, now, text):
            return True  # in capitals, or with its digits in groups
        if whole:
            return as_number(text) is not None and _shown_number(now) == as_number(text)
        return _occurs_more_often(text, before, now) and (lines or _is_inserted(text, before, now))

    return _becomes(lambda: text_of(control), arrived, clock)


def set_number(number: float, control: Control, clock: Clock) -> bool | None:
    """Set a slider or spin box to a number; return True if it shows that. Raises DeviceError, UnsupportedAction."""
    control.set_text(f"{number:.12g}")

    def arrived(now: str) -> bool:
        value = control.number() if isinstance(control, NumericControl) else None
        return (value if value is not None else _shown_number(now)) == number

    return _becomes(lambda: text_of(control), arrived, clock)


def as_number(text: str) -> float | None:
    """Return a text as a finite number, or None."""
    return float(text) if _NUMBER.fullmatch(text.strip()) else None


def _shown_number(text: str) -> float | None:
    """Return the number that a spin box shows, with or without a unit: "137", "1.50 mm", "12 %". None for grouped digits."""
    found = _NUMBER.match(text.strip())
    return float(found[0]) if found else None


def _becomes(look: Callable[[], T | None], arrived: Callable[[T], bool], clock: Clock) -> bool | None:
    """Return True once `arrived` accepts what `look` returns, False after DEADLINE_S; None as soon as that is None."""
    for _ in Deadline(clock, DEADLINE_S).looks(POLL_S):
        now = look()
        if now is None:
            return None
        if arrived(now):
            return True
    return False


def _occurs_more_often(text: str, before: str, now: str) -> bool:
    wanted = _folded(text)
    more = bool(wanted.strip()) and _folded(now).count(wanted) > _folded(before).count(wanted)
    return more or now.count(text) > before.count(text)


def _is_inserted(text: str, before: str, now: str) -> bool:
    """Return True if `now` is `before` with `text` inserted or replacing a part; in an empty field it may be completed."""
    wanted, old, new = _folded(text), _folded(before), _folded(now)
    return is_inserted(old, new, wanted) if old else new.startswith(wanted)


def arrival_check(text: str, before: str | None, control: Control | None, clock: Clock) -> BetweenPieces:
    """
    Return a check between pieces of typed text that raises TextInputFailed once a piece does not arrive in the field: then
    something else takes the keys, such as a list of the same window, or a dialog that has just opened.
    """
    known = before is not None and len(before) + len(text) <= MAX_TEXT and "\n" not in text
    wanted, done = 0, 0

    def check(typed: int) -> None:
        nonlocal wanted, done
        if not known or not 0 < typed < len(text):
            return
        # Only letters and digits are counted: a field may group them. The first piece may replace a selection.
        wanted, done = wanted + _letters(text[done:typed]), typed
        for _ in Deadline(clock, DEADLINE_S).looks(POLL_S):
            now = _letters(text_of(control) or "")
            if now >= wanted:
                wanted = now
                return
        raise TextInputFailed(f"the field takes no more: only {typed} of {len(text)} characters were typed")

    return check


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))


def why_not(before: str | None, control: Control | None) -> str:
    """Return the reason why typing failed: the field is unchanged, or has other content."""
    now = text_of(control)
    return "the field is as it was" if now == before else "the field holds something else now"


def _folded(text: str) -> str:
    return _BLANKS.sub(" ", text)


def choice_effect(
    state: WindowState, box: UIElement, entry: UIElement, look: Callable[[], WindowState | None], clock: Clock
) -> tuple[bool | None, str]:
    """
    Return True if a combo box shows the entry that was clicked in `state`, else False with the entry it shows instead; None if
    it shows something else, as a combo box of commands does.
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
    why = f"the box shows {shown!r}" if shown else "the box shows another entry"
    return (False, why) if shown or selected is False else (None, "")


def _is_selected(control: Control | None) -> bool | None:
    """Return True if an entry is selected; None if its application does not report it."""
    try:
        return control.is_selected() if isinstance(control, Selectable) else None
    except DeviceError:
        return None  # the page has recreated its entries


def reports_selected(state: WindowState, tab: UIElement) -> bool:
    """Return True if the tab or a sibling reports that it is selected."""
    return any(each.parent == tab.parent and each.metadata.get("selected") for each in state.elements)


def page_effect(
    before: WindowState, tab: UIElement, look: Callable[[], WindowState | None], clock: Clock
) -> bool | None:
    """Return True if a click on a tab brings new elements into the container of its tab row, else None (unknown)."""
    shown = _page_of(before, tab)
    if shown is None:
        return None
    for _ in Deadline(clock, DEADLINE_S).looks(POLL_S):
        now = look()
        if now is not None and (_page_of(now, tab) or shown) - shown:
            return True
    return None


def _page_of(state: WindowState, tab: UIElement) -> frozenset[tuple[str, str]] | None:
    """Return the roles and names shown in the container of a tab row; None if that would be the whole window."""
    known = (tab.element_type, tab.text, tab.bbox)
    tree = TreeIndex(state.elements)
    at = next((n for n, each in enumerate(state.elements) if (each.element_type, each.text, each.bbox) == known), None)
    above = list(tree.above(at)) if at is not None else []
    if not above[2:]:
        return None
    row, holder = above[:2]
    inside = (tree.order[place] for place in tree.of(holder) if tree.order[place] not in (row, holder))
    parts = (state.elements[index] for index in inside if not tree.holds(row, index))
    named = ((each.element_type, element_name(each)) for each in parts if not each.metadata.get("offscreen"))
    return frozenset(
        (role, name) for role, name in named if name and not (is_clock_or_percent(name) or is_counter(name))
    )
