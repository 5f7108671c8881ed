"""
What is in a menu that is closed (seed 001: 处理可能的子菜单展开): the menu is opened, level by level, and looked through.

Nothing is pressed but what its application says to open something, and what was opened in vain is closed again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from handeye.clock import Clock, Deadline
from handeye.desktop.descent import Descent
from handeye.desktop.state import WindowState
from handeye.devices.desktop.base import DesktopBackend, shortened
from handeye.elements import UIElement
from handeye.errors import AmbiguousTarget, DeviceError, DeviceLost, HandeyeError, TargetNotFound
from handeye.perceive.base import Detection
from handeye.perceive.layout import seen
from handeye.perceive.listing import name_of
from handeye.target import Relation, RelationKind, Target

_log = logging.getLogger(__name__)

OPENS_S: Final = 5.0
"""For a menu to be shown: GTK and Qt take 50 to 150 ms, a busy machine ten times that, and nothing else is waited for."""
REOPENS_S: Final = 1.0
"""The same, once what was open has gone: Qt takes a press beside an open submenu for nothing else."""
CLOSES_S: Final = 1.0
"""For a menu to go by a press on its title, as Qt's and pages' do in 0.1 s; GTK 3's stays, and is closed with escape then."""
MOST_OPENED: Final = 16
"""Menus that are opened to look for one entry; each takes as long as three readings of the window."""

_POLL_S: Final = 0.05
_MENUS: Final = frozenset({"menu", "menu item"})
_OPENERS: Final = _MENUS | {"button", "split button"}
# What people call an entry of a menu; who speaks of a button, or of a tab, does not mean one.
_ENTRIES: Final = frozenset({None, "item", "menu item", "menu"})
_SAYS_SO: Final = ("has-popup", "expandable")

Find = Callable[[WindowState, Target], UIElement | None]


@dataclass(frozen=True)
class Hands:
    """What opens and closes menus: a press on an element of a state, and the escape key."""

    press: Callable[[WindowState, UIElement], object]
    escape: Callable[[], object]


@dataclass(frozen=True)
class Entry:
    """What was found in a menu: the state in which it is shown, and the titles of the menus around it, the outermost first."""

    state: WindowState
    element: UIElement
    menus: tuple[UIElement, ...]


@dataclass(frozen=True)
class _Open:
    """An open menu: its title, and the numbers of what it shows, in the state of that moment."""

    state: WindowState
    title: UIElement
    shown: tuple[int, ...]


class Menus:
    """
    Looks in the menus of one window. `look` reads it anew; `find` says which of a state's elements a target means, and raises
    AmbiguousTarget.
    """

    def __init__(
        self, backend: DesktopBackend, look: Callable[[], WindowState], find: Find, hands: Hands, clock: Clock
    ) -> None:
        self._backend = backend
        self._look = look
        self._find = find
        self._hands = hands
        self._clock = clock
        self._opened: list[UIElement] = []

    def find(self, target: Target, state: WindowState) -> Entry | None:
        """
        The entry that a target names with its menu, which stays open; None for what names no menu or is no entry of one, and
        for what is not in it: what was opened is closed then. Raises AmbiguousTarget, and DeviceError where a title opens no
        menu.
        """
        self._opened = []
        target = as_entry(target)
        wanted = menu_of(target)
        if wanted is None or target.role not in _ENTRIES:
            return None
        popups = self._popups()
        try:
            found = self._entry(target, wanted, state)
        except HandeyeError:
            self._close(popups)
            raise
        if found is None:
            self._close(popups)
        return found

    @property
    def looked_in(self) -> tuple[str, ...]:
        """The menus that were opened by the last `find`, as people call them."""
        return tuple(_called(each) for each in self._opened)

    # -- level by level

    def _entry(self, target: Target, wanted: Target, state: WindowState) -> Entry | None:
        """What `target` names in the menu `wanted`, which may be in another one."""
        title = self._title(state, wanted)
        around: tuple[UIElement, ...] = ()
        outer = menu_of(wanted)
        if title is None and outer is not None:
            held = self._entry(wanted, outer, state)
            if held is None:
                return None
            state, title, around = held.state, held.element, held.menus
        if title is None or not _opens(state, title) or (wanted.role is None and title.element_type not in _MENUS):
            return None
        opened = self._open(state, title)
        bare = replace(target, relations=_others(target), phrase=None)
        return self._below(bare, opened, around)

    def _title(self, state: WindowState, wanted: Target) -> UIElement | None:
        try:
            return self._find(state, wanted)
        except AmbiguousTarget:
            if wanted.role is None:  # nobody said that it is a menu
                return None
            raise

    def _below(self, target: Target, opened: _Open, around: tuple[UIElement, ...]) -> Entry | None:
        """What `target` names in an open menu; else the only one that is so called in its submenus."""
        menus = (*around, opened.title)
        if (here := self._among(target, opened)) is not None:
            return Entry(opened.state, here, menus)
        submenus = [each for each in _elements(opened) if _opens(opened.state, each) and each.enabled is not False]
        found: list[tuple[UIElement, Entry]] = []
        state = opened.state
        for each in submenus:
            inner = self._opened_by(state, each)
            if inner is None:
                continue
            state = inner.state
            if (entry := self._below(target, inner, menus)) is not None:
                found.append((each, entry))
                state = entry.state
        if len(found) > 1:
            raise AmbiguousTarget(target, [entry.element for _, entry in found])
        if not found:
            return None
        submenu, entry = found[0]
        if submenu is submenus[-1]:
            return entry
        return self._below(target, self._open(state, submenu), menus)  # the others closed it

    def _among(self, target: Target, opened: _Open) -> UIElement | None:
        """What `target` names among what a menu shows, and nothing else in the window."""
        state, shown = opened.state, opened.shown
        elements = tuple(state.element(number) for number in shown)
        controls = tuple(state.control(number) for number in shown)
        part = WindowState(state.window, Detection(elements, controls))
        try:
            found = self._find(part, target)
        except AmbiguousTarget as error:
            numbers = [each.id for each in error.candidates if isinstance(each, UIElement) and each.id is not None]
            raise AmbiguousTarget(target, [elements[number - 1] for number in numbers]) from error
        return elements[found.id - 1] if found is not None and found.id is not None else None

    # -- opening and closing

    def _open(self, state: WindowState, title: UIElement) -> _Open:
        """The menu of that title, open. Raises DeviceError when a press on it opens a window, or nothing."""
        opened = self._opened_by(state, title)
        if opened is None:
            raise DeviceError(f"{_called(title)} was pressed, and no menu was opened")
        return opened

    def _opened_by(self, state: WindowState, title: UIElement) -> _Open | None:
        """The same; None when a press on it opens nothing, as on an empty submenu."""
        title = _standing(state, title)
        if shown := _held(state, title):
            return _Open(state, title, shown)
        if title.enabled is False:
            raise DeviceError(f"{_called(title)} is disabled: it opens no menu")
        windows = {each.id for each in self._backend.windows()}
        for _ in range(2):
            self._press(state, title)
            if (opened := self._opens(state, title)) is not None:
                return opened
            new = next((each for each in self._backend.windows() if each.id not in windows), None)
            if new is not None:
                window = shortened(new.title)
                raise DeviceError(f"{_called(title)} was pressed, and opened the window {window!r} in place of a menu")
            after = self._look()
            if not _menus_of(state) - _menus_of(after):
                break
            state, title = after, _standing(after, title)  # that press has only closed what was open
            if shown := _held(state, title):  # at last
                return _Open(state, title, shown)
        return None

    def _press(self, state: WindowState, title: UIElement) -> None:
        if len(self._opened) >= MOST_OPENED:
            raise TargetNotFound(
                f"an entry of {_called(self._opened[0])}", (f"{MOST_OPENED} menus were opened for it",)
            )
        self._hands.press(state, title)
        self._opened.append(title)

    def _opens(self, before: WindowState, title: UIElement) -> _Open | None:
        """The menu that comes, once two looks see the same entries; None when none comes."""
        deadline, known = Deadline(self._clock, OPENS_S), _menus_of(before)
        last: Sequence[object] = ()
        while True:
            state = self._look()
            now = _again(state, title)
            shown = (_held(state, now) or _new_menus(before, state)) if now is not None else ()
            entries = [_look_of(state.element(number)) for number in shown]
            if now is not None and entries and entries == last:
                return _Open(state, now, shown)
            if deadline.passed:
                return None
            if not entries and known - _menus_of(state) and not self._popups():
                deadline, known = deadline.at_most(REOPENS_S), frozenset()
            last = entries
            deadline.pause(_POLL_S)

    def _close(self, popups: frozenset[int]) -> None:
        """
        Close what was opened: by its title, which leaves nothing marked (after escape alone, Qt's menu bar keeps the keys),
        else with escape, as GTK 3 does not close by its title. A menu that was open before stays open, and so does one that the
        hands do not get closed.
        """
        if not self._opened:
            return
        try:
            state = self._look()
            title = _again(state, self._opened[0])
            if title is not None and title.id is not None:
                above = Descent(state.elements).above(title.id - 1)
                if any(state.elements[index].element_type in _MENUS for index in above):
                    return
                if _held(state, title):
                    self._hands.press(state, title)
                    if self._is_closed(title, popups, CLOSES_S):
                        return
            for _ in self._opened:
                if not self._popups() - popups:
                    return
                self._hands.escape()
                self._is_closed(title, popups, OPENS_S)
        except HandeyeError as error:
            _log.warning("a menu that was opened in vain could not be closed: %s", error)

    def _is_closed(self, title: UIElement | None, popups: frozenset[int], within: float) -> bool:
        deadline = Deadline(self._clock, within)
        while not deadline.passed:
            if not self._popups() - popups:
                state = self._look()
                now = _again(state, title) if title is not None else None
                if now is None or not _held(state, now):
                    return True
            deadline.pause(_POLL_S)
        return False

    def _popups(self) -> frozenset[int]:
        return frozenset(each.id for each in self._backend.menus())


def menu_of(target: Target) -> Target | None:
    """The menu in which a target is said to be; None when it is not said to be in one."""
    named = [each.anchor for each in target.relations if _names_menu(each.kind, each.anchor)]
    return named[0] if len(named) == 1 else None


def as_entry(target: Target) -> Target:
    """The target with the tree's word for an entry, where it is in what is said to be a menu: an item, an option, an entry."""
    menu = menu_of(target)
    if menu is None or menu.role is None:
        return target
    written = target.role == "input" and "entry" in (target.phrase or "").casefold().split()
    counted = target.role == "item" and target.text is None
    return replace(target, role="menu item") if written or counted else target


def _names_menu(kind: RelationKind, anchor: Target) -> bool:
    return kind is RelationKind.IN and anchor.role in (None, "menu") and bool(anchor.text)


def _others(target: Target) -> tuple[Relation, ...]:
    return tuple(each for each in target.relations if not _names_menu(each.kind, each.anchor))


def _opens(state: WindowState, element: UIElement) -> bool:
    """Whether its application says that a press on it opens a menu."""
    if element.element_type not in _OPENERS or element.id is None:
        return False
    if any(element.metadata.get(word) for word in _SAYS_SO):
        return True
    control = state.control(element.id)
    try:
        return control is not None and "expand" in control.offers
    except DeviceLost:
        raise
    except DeviceError:
        return False  # it is gone, or does not answer


def _held(state: WindowState, title: UIElement) -> tuple[int, ...]:
    """The numbers of what a menu shows by the tree's parents; none where it is closed."""
    if title.id is None:
        return ()
    return _with_entries(state, [title.id])


def _new_menus(before: WindowState, now: WindowState) -> tuple[int, ...]:
    """The numbers of the menus that were not there, where the tree has them beside their title, as web pages do."""
    known = _menus_of(before)
    new = [each.id for each in now.elements if _is_menu(each) and _look_of(each) not in known and each.id is not None]
    return tuple(dict.fromkeys((*new, *_with_entries(now, new))))


def _with_entries(state: WindowState, holders: Iterable[int]) -> tuple[int, ...]:
    """What is below these; nothing where no menu or entry is shown there."""
    descent = Descent(state.elements)
    inner = dict.fromkeys(descent.order[place] + 1 for number in holders for place in list(descent.of(number - 1))[1:])
    return tuple(sorted(inner)) if any(_is_menu(state.element(number)) for number in inner) else ()


def _menus_of(state: WindowState) -> frozenset[object]:
    return frozenset(_look_of(each) for each in state.elements if _is_menu(each))


def _is_menu(element: UIElement) -> bool:
    return element.element_type in _MENUS and not element.metadata.get("offscreen") and bool(seen(element).area)


def _look_of(element: UIElement) -> tuple[object, ...]:
    return element.element_type, element.text, element.description, element.bbox


def _elements(opened: _Open) -> Iterator[UIElement]:
    return (opened.state.element(number) for number in opened.shown)


def _again(state: WindowState, element: UIElement) -> UIElement | None:
    """The same element in another state of the window."""
    return next((each for each in state.elements if _look_of(each) == _look_of(element)), None)


def _standing(state: WindowState, title: UIElement) -> UIElement:
    """The title as that state numbers it. Raises DeviceError when it is not there any more."""
    now = _again(state, title)
    if now is None:
        raise DeviceError(f"{_called(title)} is no longer where it was")
    return now


def _called(title: UIElement) -> str:
    return f"the {title.element_type} {shortened(name_of(title))!r}"
