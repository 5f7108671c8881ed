"""
Search closed menus and combo boxes: open them level by level (docs/spec/visual-locator.md: 处理可能的子菜单展开).

Only elements that open something according to their application are pressed; after a search without a result everything that
it opened is closed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from handeye.clock import Clock, Deadline
from handeye.desktop.effects import DEADLINE_S, POLL_S
from handeye.desktop.native_ids import native_id
from handeye.desktop.open_menus import (
    BOX,
    MENUS,
    ancestors,
    element_key,
    entries_of,
    find_again,
    floating_menus,
    is_longer,
    is_written_in,
    menus_of,
    new_menus,
    row_role,
    rows_of,
    turns_by_keys,
)
from handeye.desktop.scrolled_out import most_confident
from handeye.desktop.state import WindowState
from handeye.devices import DesktopBackend, shortened
from handeye.elements import UIElement
from handeye.errors import AmbiguousTarget, DeviceError, DeviceLost, HandeyeError, TargetNotFound
from handeye.locate import by_words
from handeye.perceive import Control, Detection, element_name, visible_box
from handeye.target import Attempt, RelationKind, Target

_log = logging.getLogger(__name__)

_UNNAMED: Final = frozenset(
    ("", "pop-up", "popup", "context", "drop-down", "dropdown", "right-click", "右键", "弹出", "下拉", "上下文")
)
"""Words for a menu without a title."""

RESPONDS_S: Final = 5.0
"""Deadline for an application to open or close a menu: GTK and Qt take 50 to 150 ms, on a busy machine far more."""
_PAGES_S: Final = 0.5
"""Deadline for a list to show its next page after a key; at its end a key changes nothing."""
MOST_OPENED: Final = 16
"""Most menus that are opened to look for one entry; each takes as long as three readings of the window."""
# A list is at its end after this many keys without a change: the first may only highlight the last visible entry.
_UNCHANGED_AT_END: Final = 2
_OPENERS: Final = MENUS | {"button", "split button", BOX}
# Roles by which people refer to a menu entry; not a button or a tab.
_ENTRIES: Final = frozenset({None, "item", "menu item", "menu"})
_CHOICES: Final = _ENTRIES | {"list item"}  # of a combo box
_OPENS_ATTRIBUTES: Final = ("has-popup", "expandable")

Find = Callable[[WindowState, Target], UIElement | None]


@dataclass(frozen=True)
class MenuInput:
    """Input to open and close menus: a press on an element of a state, and keys."""

    press: Callable[[WindowState, UIElement], object]
    key: Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Decision:
    """
    The chosen element with its box in desktop pixels, its live handle if there is one, and the `tier` that found it. `menus`
    are the titles of the menus that were opened to reach it, the outermost first; they are open, and `shut` closes them.
    """

    state: WindowState
    element: UIElement
    control: Control | None
    tier: str
    attempts: tuple[Attempt, ...] = ()
    menus: tuple[UIElement, ...] = ()
    shut: Callable[[], None] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class _Open:
    """An open menu: its title, and the numbers of the elements in it, in the state of that moment."""

    state: WindowState
    title: UIElement
    shown: tuple[int, ...]

    @property
    def elements(self) -> tuple[UIElement, ...]:
        return tuple(self.state.element(number) for number in self.shown)

    @property
    def looks(self) -> list[object]:
        return [element_key(each) for each in self.elements]


class Menus:
    """
    Searches the menus of one window. `look` returns its current state; `find` returns the element of a state that a target
    means, and raises AmbiguousTarget.
    """

    def __init__(
        self, backend: DesktopBackend, look: Callable[[], WindowState], find: Find, hands: MenuInput, clock: Clock
    ) -> None:
        self._backend = backend
        self._look = look
        self._find = find
        self._hands = hands
        self._clock = clock
        self._opened: list[UIElement] = []
        self._before: frozenset[int] = frozenset()

    def find(self, target: Target, state: WindowState) -> Decision | None:
        """
        Return the entry that a target names together with its menu or combo box, which stays open. None, with everything closed
        again, if the target names no menu, cannot be an entry, or is not in it. Raises AmbiguousTarget, and DeviceError if a
        title opens no menu.
        """
        self._opened = []
        target = as_entry(target)
        wanted = menu_of(target)
        if wanted is None or target.role not in (_CHOICES if wanted.role == BOX else _ENTRIES):
            return None
        return self._close_if_not_found(lambda: self._entry(target, wanted, state))

    def find_in_boxes(self, target: Target, state: WindowState) -> Decision | None:
        """
        Return the entry of a combo box whose whole name is the target's text: open each box, and close it again if it has no
        such entry. None if the target says more than a name, or names something else in the window. While a menu or list is
        open, only open boxes are searched. Raises AmbiguousTarget.
        """
        self._opened = []
        if target.role not in _CHOICES or not target.text or target.chooses or target.id or target.path:
            return None
        named = Target(target.text, exact=True)
        boxes = [each for each in state.elements if each.element_type == BOX and each.enabled is not False]
        opened = [_Open(state, each, shown) for each in boxes if (shown := entries_of(state, each))]
        if opened or self._popups():
            return next((here for each in opened if (here := self._below(named, each, ())) is not None), None)
        if _is_named_elsewhere(state, target.text):
            return None
        closed = [each for each in boxes if visible_box(each).area and _opens(state, each)][: MOST_OPENED - 1]
        return self._close_if_not_found(lambda: self._in_one_of(closed, named, state, ()))

    def show(self, aim: Decision) -> Decision | None:
        """Page an open menu that is longer than the screen to an entry, and return that; None for anything else."""
        state, element = aim.state, aim.element
        known = native_id(state, element.id) if element.id is not None and element.metadata.get("offscreen") else None
        if known is None:
            return None

        def there(page: _Open) -> UIElement | None:
            shown = (each for each in page.elements if each.id is not None and not each.metadata.get("offscreen"))
            return next((each for each in shown if native_id(page.state, each.id or 0) == known), None)

        for title in ancestors(state, element):
            if title.element_type in _OPENERS and turns_by_keys(title) and (shown := entries_of(state, title)):
                page = self._turned_to(_Open(state, title, shown), lambda page: there(page) is not None)
                found = there(page)
                return replace(_entry(page, found, ()), tier=aim.tier) if found is not None else None
        return None

    def _close_if_not_found(self, look: Callable[[], Decision | None]) -> Decision | None:
        """Return the result of a search; if there is none, close what it has opened."""
        self._before = self._popups()
        try:
            found = look()
        except HandeyeError:
            self.close()
            raise
        if found is None:
            self.close()
        return found

    @property
    def opened_menus(self) -> tuple[str, ...]:
        """Role and name of each menu that the last `find` opened."""
        return tuple(_called(each) for each in self._opened)

    # -- level by level

    def _entry(self, target: Target, wanted: Target, state: WindowState) -> Decision | None:
        """Return the entry that `target` names in the menu `wanted`, which may be a submenu; else None."""
        title: UIElement | None = None
        around: tuple[UIElement, ...] = ()
        try:
            title = self._find(state, wanted)
        except AmbiguousTarget:
            if wanted.role is not None:  # without a role it may be no menu
                raise
        outer = menu_of(wanted)
        if title is None and outer is not None:
            submenu = self._entry(wanted, outer, state)
            if submenu is None:
                return None
            state, title, around = submenu.state, submenu.element, submenu.menus
        if title is None and wanted.role == "menu" and (wanted.text or "").casefold() in _UNNAMED:
            floating = floating_menus(state)
            title = floating[0] if len(floating) == 1 else None
            return (
                self._below(_without_menu(target), _Open(state, title, entries_of(state, title)), ()) if title else None
            )
        if (
            title is None
            or not _opens(state, title)
            or (wanted.role is None and title.element_type not in MENUS | {BOX})
        ):
            return None
        return self._below(_without_menu(target), self._open(state, title), around)

    def _below(self, target: Target, opened: _Open, around: tuple[UIElement, ...]) -> Decision | None:
        """Return the entry that `target` names in an open menu, else the only one of that name in its submenus; or None."""
        is_box = opened.title.element_type == BOX
        if is_longer(opened.state, opened.shown):
            if turns_by_keys(opened.title):
                opened = self._paged(target, opened)
            elif is_box:
                row = _row_named(target, rows_of(opened.elements))
                return _entry(opened, row, around) if row is not None else None
        if (here := self._among(target, opened)) is not None:
            return _entry(opened, here, around)
        inner = [each for each in opened.elements if _opens(opened.state, each) and each.enabled is not False]
        return None if is_box else self._in_one_of(inner, target, opened.state, (*around, opened.title))

    def _in_one_of(
        self, titles: Sequence[UIElement], target: Target, state: WindowState, around: tuple[UIElement, ...]
    ) -> Decision | None:
        """Return the entry that `target` names in the only one of these that has it; boxes that do not open are skipped."""
        found: list[tuple[UIElement, Decision]] = []
        for title in titles:
            pressed = len(self._opened)
            try:
                opened = self._opened_by(state, title)
            except DeviceLost:
                raise
            except DeviceError:
                if len(self._opened) > pressed or title.element_type != BOX:
                    raise  # it was pressed, or is a submenu that may also have such an entry
                continue
            entry = self._below(target, opened, around) if opened is not None else None
            state = opened.state if opened is not None else state
            if entry is not None:
                found.append((title, entry))
                state = entry.state
            # The list of a box may cover the next box.
            if title.element_type == BOX and (entry is None or title is not titles[-1]):
                self.close()
                state = self._look()
        if len(found) > 1:
            raise AmbiguousTarget(target, [entry.element for _, entry in found])
        if not found or found[0][0] is titles[-1]:
            return found[0][1] if found else None
        return self._below(target, self._open(state, found[0][0]), around)  # the others closed it

    def _among(self, target: Target, opened: _Open) -> UIElement | None:
        """Return the entry that `target` names, searching only the elements of the open menu."""
        state, shown = opened.state, opened.shown
        elements = opened.elements
        counted = target.role == "menu item" or (target.role == "item" and target.text is None)
        if counted and opened.title.element_type == BOX:
            target = replace(target, role=row_role(elements))
        controls = tuple(state.control(number) for number in shown)
        part = WindowState(state.window, Detection(elements, controls))
        try:
            found = self._find(part, target)
        except AmbiguousTarget as error:
            numbers = [each.id for each in error.candidates if isinstance(each, UIElement) and each.id is not None]
            raise AmbiguousTarget(target, [elements[number - 1] for number in numbers]) from error
        return elements[found.id - 1] if found is not None and found.id is not None else None

    def _paged(self, target: Target, opened: _Open) -> _Open:
        """Return the page of a long list that shows `target`; for an ordinal, the first or the last page."""
        if target.ordinal:
            return self._turned(opened, "home" if target.ordinal > 0 else "end")
        return self._turned_to(opened, lambda page: self._among(target, page) is not None)

    def _turned_to(self, opened: _Open, is_there: Callable[[_Open], bool]) -> _Open:
        """Return the first page for which `is_there` is true, else the last one."""
        if is_there(opened):
            return opened
        for start, onwards in (("home", "pagedown"), ("end", "pageup")):
            opened, unchanged = self._turned(opened, start), 0
            while not is_there(opened) and unchanged < _UNCHANGED_AT_END:
                before, opened = opened, self._turned(opened, onwards)
                unchanged = unchanged + 1 if before.looks == opened.looks else 0
            # An entry that GTK's arrow covers between two pages is visible when paging from the other end.
            if is_there(opened) or not any(each.metadata.get("offscreen") for each in opened.elements):
                break
        return opened

    def _turned(self, opened: _Open, key: str) -> _Open:
        """Press a key and return the list once two readings are equal; unchanged if the key has no effect."""
        self._hands.key(key)
        before = last = opened.looks
        now = opened
        for _ in Deadline(self._clock, _PAGES_S).looks(POLL_S):
            state = self._look()
            title = find_again(state, opened.title)
            if title is None or not (shown := entries_of(state, title)):
                raise DeviceError(f"{_called(opened.title)} was closed while it was looked through")
            now = _Open(state, title, shown)
            if now.looks == last != before:
                break
            last = now.looks
        return now

    # -- opening and closing

    def _open(self, state: WindowState, title: UIElement) -> _Open:
        """Return the menu of that title, opened. Raises DeviceError if a press on it opens a window, or nothing."""
        opened = self._opened_by(state, title)
        if opened is None:
            raise DeviceError(f"{_called(title)} was pressed, and no menu was opened")
        return opened

    def _opened_by(self, state: WindowState, title: UIElement) -> _Open | None:
        """Like `_open`, but return None if a press opens nothing, as on an empty submenu."""
        windows = {each.id for each in self._backend.windows()}
        for _ in range(2):
            now = find_again(state, title)
            if now is None:
                raise DeviceError(f"{_called(title)} is no longer where it was")
            title = now
            if shown := entries_of(state, title):
                return _Open(state, title, shown)
            if title.enabled is False:
                raise DeviceError(f"{_called(title)} is disabled: it opens nothing")
            self._press(state, title)
            if (opened := self._opens(state, title)) is not None:
                return opened
            new = next((each for each in self._backend.windows() if each.id not in windows), None)
            if new is not None:
                window = shortened(new.title)
                raise DeviceError(f"{_called(title)} was pressed, and opened the window {window!r} in place of a menu")
            before, state = state, self._look()
            if not menus_of(before) - menus_of(state):
                break  # otherwise the press only closed an open menu: press again
        return None

    def _press(self, state: WindowState, title: UIElement) -> None:
        if len(self._opened) >= MOST_OPENED:
            raise TargetNotFound(
                f"an entry of {_called(self._opened[0])}", (f"{MOST_OPENED} menus were opened for it",)
            )
        control = state.control(title.id) if title.id is not None and is_written_in(state, title) else None
        if control is not None:
            control.expand()  # a press would only put the caret into its field
        else:
            self._hands.press(state, title)
        self._opened.append(title)

    def _opens(self, before: WindowState, title: UIElement) -> _Open | None:
        """Return the menu that opens, once two readings have the same entries, or None."""
        known, soon = menus_of(before), Deadline(self._clock, DEADLINE_S)
        last: Sequence[object] = ()
        for _ in Deadline(self._clock, RESPONDS_S).looks(POLL_S):
            state = self._look()
            now = find_again(state, title)
            shown = (entries_of(state, now) or new_menus(before, state)) if now is not None else ()
            entries = [element_key(state.element(number)) for number in shown]
            if now is not None and entries and entries == last:
                return _Open(state, now, shown)
            if soon.passed and not entries and known - menus_of(state) and not self._popups():
                return None  # in Qt a press outside an open submenu only closes that
            last = entries
        return None

    def close(self) -> None:
        """
        Close what the last `find` has opened: by a press on its title, which leaves nothing highlighted (after escape alone,
        Qt's menu bar keeps the focus), else with escape, because GTK 3 does not close by its title. A menu that was open before
        stays open, and so does one that cannot be closed.
        """
        if not self._opened:
            return
        try:
            state, is_box = self._look(), self._opened[-1].element_type == BOX
            title = find_again(state, self._opened[-1 if is_box else 0])
            if title is not None and title.id is not None:
                if any(each.element_type in MENUS for each in ancestors(state, title)):
                    return
                if entries_of(state, title) and not is_box:  # the list of a box may cover its title
                    self._hands.press(state, title)
                    self._is_closed(title, DEADLINE_S)
            for _ in self._opened:
                if self._is_closed(title, 0):
                    return
                self._hands.key("escape")
                self._is_closed(title, RESPONDS_S)
        except HandeyeError as error:
            _log.warning("a menu that was opened in vain could not be closed: %s", error)

    def _is_closed(self, title: UIElement | None, within: float) -> bool:
        """Return True once no new popup is left, nor a box's list; the tree may still list the entries of a closed menu."""
        box = title if title is not None and title.element_type == BOX else None
        looks = Deadline(self._clock, within).looks(POLL_S)
        return any(not self._popups() - self._before and not (box and self._has_entries(box)) for _ in looks)

    def _has_entries(self, box: UIElement) -> bool:
        """Return True if the tree shows entries of the box."""
        state = self._look()
        now = find_again(state, box)
        return now is not None and bool(entries_of(state, now))

    def _popups(self) -> frozenset[int]:
        return frozenset(each.id for each in self._backend.menus())


def _entry(opened: _Open, element: UIElement, around: tuple[UIElement, ...]) -> Decision:
    control = opened.state.control(element.id) if element.id is not None else None
    return Decision(opened.state, element, control, "1", menus=(*around, opened.title))


def menu_of(target: Target) -> Target | None:
    """Return the menu in which a target is said to be, or None."""
    named = [each.anchor for each in target.relations if _names_menu(each.kind, each.anchor)]
    return named[0] if len(named) == 1 else None


def as_entry(target: Target) -> Target:
    """Return the target with the role "menu item" if it is an unnamed item or an "entry" in a menu; else unchanged."""
    menu = menu_of(target)
    if menu is None or menu.role is None:
        return target
    written = target.role == "input" and "entry" in (target.phrase or "").casefold().split()
    counted = target.role == "item" and target.text is None
    return replace(target, role="menu item") if written or counted else target


def _names_menu(kind: RelationKind, anchor: Target) -> bool:
    return kind is RelationKind.IN and anchor.role in (None, "menu", BOX) and bool(anchor.text)


def _without_menu(target: Target) -> Target:
    """Return the target without the relation to its menu."""
    others = tuple(each for each in target.relations if not _names_menu(each.kind, each.anchor))
    return replace(target, relations=others, phrase=None)


def _opens(state: WindowState, element: UIElement) -> bool:
    """Return True if a press on the element opens a menu, according to its application."""
    if element.element_type not in _OPENERS or element.id is None:
        return False
    if any(element.metadata.get(word) for word in _OPENS_ATTRIBUTES):
        return True
    control = state.control(element.id)
    try:
        return control is not None and "expand" in control.offers
    except DeviceLost:
        raise
    except DeviceError:
        return False  # it is gone, or does not answer


def _row_named(target: Target, rows: Sequence[UIElement]) -> UIElement | None:
    """Return the row, in view or not, that a name or an ordinal alone means, or None. Raises AmbiguousTarget."""
    if target.ordinal and target.text is None:
        return rows[target.ordinal - (target.ordinal > 0)] if abs(target.ordinal) <= len(rows) else None
    if target.chooses or not target.text:
        return None
    named = most_confident(by_words(target.text, rows, exact=target.exact))
    if len(named) > 1:
        raise AmbiguousTarget(target, named)
    return named[0] if named else None


def _is_named_elsewhere(state: WindowState, words: str) -> bool:
    """Return True if an element has that name, even if covered. Combo boxes do not count: they show their selected entry."""
    wanted = words.strip().casefold()
    named = (
        each for each in state.elements if wanted in (each.text.strip().casefold(), each.description.strip().casefold())
    )
    return any(
        each.element_type != "window" and all(part.element_type != BOX for part in (each, *ancestors(state, each)))
        for each in named
    )


def _called(title: UIElement) -> str:
    return f"the {title.element_type} {shortened(element_name(title))!r}"
