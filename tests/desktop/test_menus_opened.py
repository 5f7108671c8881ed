"""Tests of finding entries of closed menus, in an application in memory: what is pressed, closed and left open."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from handeye.desktop import WindowState
from handeye.desktop.effects import DEADLINE_S
from handeye.desktop.element_finder import DecisionTree
from handeye.desktop.menus import MOST_OPENED, Decision, MenuInput, menu_of
from handeye.devices import Surface, Window
from handeye.elements import UIElement
from handeye.errors import AmbiguousTarget, DeviceError, TargetNotFound
from handeye.geometry import Box
from handeye.perceive import Detection
from handeye.target import parse_target
from handeye.testing.desktop_fake import FakeDesktop, fake_window
from handeye.testing.fakes import FakeClock

WINDOW: Window = replace(fake_window(7, "Notes", Box(100, 100, 700, 600)), focused=True)
WIDE, HIGH = 100, 20


@dataclass
class Menu:
    """A title or an entry; `entries` are what its press shows. `beside` says that the tree has them beside it, as pages do."""

    name: str
    entries: list[Menu] = field(default_factory=list)
    enabled: bool = True
    opens: bool = False  # what its application says, where it is not so
    beside: bool = False

    @property
    def said_to_open(self) -> bool:
        return bool(self.entries) or self.opens


def entry(name: str, *entries: Menu, **about: bool) -> Menu:
    return Menu(name, list(entries), **about)


class Application:
    """
    A window with a menu bar, whose menus stay open until their titles, or others, are pressed. `pressed` tells what was.
    `dialogs` are the titles of windows by the entry that opens them; `stubborn` menus take no second press.
    """

    def __init__(self, *bar: Menu, dialogs: dict[str, str] | None = None, stubborn: bool = False) -> None:
        self.bar = list(bar)
        self.open: list[Menu] = []
        self.pressed: list[str] = []
        self.escapes = 0
        self.desktop = FakeDesktop([WINDOW])
        self.dialogs = dialogs or {}
        self.stubborn = stubborn
        self.clock = FakeClock()
        self.swallows = 0  # presses that only close what is open

    def decide(self, phrase: str) -> Decision:
        hands = MenuInput(self._press, lambda key: self._escape())
        return DecisionTree(self.desktop, self._look, hands=hands, clock=self.clock).decide(phrase)

    @property
    def shown(self) -> list[str]:
        return [each.name for each in self.open]

    def _look(self, infer: bool, vision: bool) -> WindowState:
        elements = [UIElement("window", "", WINDOW.box, text="Notes", id=1), self._element(2, 1, "menu bar", "", 0, 0)]
        for place, title in enumerate(self.bar):
            elements.append(self._title(len(elements) + 1, 2, title, place, 0))
            self._add_entries(elements, title, len(elements), place, 1)
        return WindowState(WINDOW, Detection(tuple(elements), (None,) * len(elements)), infer, vision)

    def _add_entries(self, elements: list[UIElement], title: Menu, holder: int, across: int, down: int) -> None:
        if title not in self.open:
            return
        elements.append(self._element(len(elements) + 1, 2 if title.beside else holder, "menu", "", across, down))
        popup = len(elements)
        for row, each in enumerate(title.entries):
            elements.append(self._title(len(elements) + 1, popup, each, across, down + row))
            self._add_entries(elements, each, len(elements), across + 1, down + row)

    def _title(self, number: int, parent: int, title: Menu, across: int, down: int) -> UIElement:
        element = self._element(number, parent, "menu item", title.name, across, down)
        metadata = {"has-popup": True} if title.said_to_open else {}
        return replace(element, enabled=title.enabled, metadata=metadata)

    def _element(self, number: int, parent: int, role: str, name: str, across: int, down: int) -> UIElement:
        left, top = 110 + WIDE * across, 110 + HIGH * down
        box = Box(left, top, left + WIDE - 5, top + HIGH - 2)
        used = role == "menu item"
        return UIElement(role, "", box, text=name, id=number, parent=parent, source="accessibility", interactive=used)

    def _press(self, state: WindowState, element: UIElement) -> None:
        assert element.id is not None
        assert state.element(element.id) == element, "the hands press what the state has under that number"
        assert element in self._look(False, False).elements, "it is pressed where it is not"
        self.pressed.append(element.text)
        path = self._path(element.text, self.bar)
        if self.swallows and self.open:
            self.swallows -= 1
            self._show([])
        elif element.text in self.dialogs:
            self._show([])
            self.desktop.shown.append(fake_window(9, self.dialogs[element.text], Box(200, 200, 400, 300)))
        elif path[-1] in self.open:
            self._show(self.open if self.stubborn else path[:-1])
        else:
            self._show(path)

    def _escape(self) -> None:
        self.escapes += 1
        assert self.open, "the escape key goes to the window"
        self._show(self.open[:-1])

    def _show(self, path: list[Menu]) -> None:
        self.open = [each for each in path if each.entries]
        boxes = [Surface(50 + n, each.name, Box(0, 0, 9, 9), WINDOW.process, True) for n, each in enumerate(self.open)]
        self.desktop.popups = [] if any(each.beside for each in self.open) else boxes[::-1]

    def _path(self, name: str, among: list[Menu]) -> list[Menu]:
        for each in among:
            if each.name == name:
                return [each]
            if inner := self._path(name, each.entries):
                return [each, *inner]
        return []


def notes(**about: object) -> Application:
    recent = entry("Recent", entry("report.txt"), entry("照片.png"))
    scheme = entry("Scheme", entry("Dark"), entry("Light"))
    file = entry("File", entry("New"), entry("Open"), entry("Save as"), recent, scheme)
    return Application(file, entry("Edit", entry("Copy")), entry("About"), **about)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "phrase", ["找到File菜单中的'Open'选项", "the Open item in the File menu", "the Open item in File"]
)
def test_entry_of_closed_menu_is_found(phrase: str) -> None:
    app = notes()
    found = app.decide(phrase)
    assert (found.element.text, found.tier, app.pressed, app.shown) == ("Open", "1", ["File"], ["File"])
    assert [each.text for each in found.menus] == ["File"]
    assert found.state.element(found.element.id or 0) == found.element
    assert "in the menu item 'File', which was opened" in found.attempts[-1].note


def test_entry_of_open_menu_needs_no_press() -> None:
    app = notes()
    app.decide("the Open item in the File menu")
    app.pressed.clear()
    assert app.decide("the Save as item in the File menu").element.text == "Save as"
    assert app.pressed == []


@pytest.mark.parametrize(
    "phrase", ["the report.txt item in the File menu", "File菜单中的Recent子菜单里的'report.txt'选项"]
)
def test_entry_of_closed_submenu_is_found(phrase: str) -> None:
    app = notes()
    found = app.decide(phrase)
    assert found.element.text == "report.txt"
    assert [each.text for each in found.menus] == ["File", "Recent"]
    assert app.shown == ["File", "Recent"]


def test_menu_entry_is_preferred_to_submenu_entry() -> None:
    app = Application(entry("File", entry("More", entry("Open")), entry("Open")))
    assert [each.text for each in app.decide("the Open item in the File menu").menus] == ["File"]
    assert app.pressed == ["File"]


def test_entry_in_two_submenus_is_ambiguous() -> None:
    app = Application(entry("File", entry("One", entry("Copy")), entry("Two", entry("Copy"))))
    with pytest.raises(AmbiguousTarget):
        app.decide("the Copy item in the File menu")
    assert app.shown == []


@pytest.mark.parametrize("menu", ["File", "Recent menu in the File"])
def test_missing_entry_closes_menu_and_presses_nothing(menu: str) -> None:
    app = notes()
    with pytest.raises(TargetNotFound, match="not in the menus that were opened: the menu item 'File'"):
        app.decide(f"the Banana item in the {menu} menu")
    assert app.shown == []
    assert set(app.pressed) <= {"File", "Recent", "Scheme"}
    assert app.escapes == 0


def test_stubborn_menu_is_closed_with_escape() -> None:
    app = notes(stubborn=True)
    with pytest.raises(TargetNotFound):
        app.decide("the Banana item in the Edit menu")
    assert (app.shown, app.escapes) == ([], 1)
    assert app.clock.now() - FakeClock().now() < DEADLINE_S + 1, "GTK 3's stay open"


class Covered(Application):
    """Something lies over an entry that is called "Two"."""

    def _press(self, state: WindowState, element: UIElement) -> None:
        if element.text == "Two":
            raise DeviceError("the menu item 'Two' is covered")
        super()._press(state, element)


def test_covered_submenu_prevents_choice_from_another_submenu() -> None:
    app = Covered(entry("File", entry("One", entry("Copy")), entry("Two", entry("Copy"))))
    with pytest.raises(DeviceError, match="'Two' is covered"):
        app.decide("the Copy item in the File menu")
    assert app.shown == []


class Late(Application):
    """Its tree goes on telling of the menu that was open last."""

    def __init__(self, *bar: Menu) -> None:
        super().__init__(*bar)
        self.last: list[Menu] = []

    def _look(self, infer: bool, vision: bool) -> WindowState:
        shown, self.open = self.open, self.open or self.last
        try:
            return super()._look(infer, vision)
        finally:
            self.open = shown

    def _show(self, path: list[Menu]) -> None:
        self.last = self.open
        super()._show(path)


def test_late_tree_sends_no_escape_to_window() -> None:
    app = Late(entry("Edit", entry("Copy")))
    with pytest.raises(TargetNotFound):
        app.decide("the Banana item in the Edit menu")
    assert (app.shown, app.pressed, app.escapes) == ([], ["Edit", "Edit"], 0)


def test_menu_already_open_stays_open() -> None:
    app = notes()
    app.decide("the Copy item in the Edit menu")
    with pytest.raises(TargetNotFound):
        app.decide("the Banana item in the Edit menu")
    assert (app.shown, app.pressed, app.escapes) == (["Edit"], ["Edit"], 0)


def test_element_without_menu_is_not_pressed() -> None:
    app = notes()
    with pytest.raises(TargetNotFound):
        app.decide("the Version item in the About menu")
    with pytest.raises(TargetNotFound):
        app.decide("the Version item in the New menu in the File menu")
    assert (app.pressed, app.shown) == (["File", "File"], [])


def test_error_names_dialog_opened_by_menu_title() -> None:
    app = Application(entry("Help", opens=True), dialogs={"Help": "About Notes"})
    with pytest.raises(DeviceError, match="'Help' was pressed, and opened the window 'About Notes' in place of a menu"):
        app.decide("the Version item in the Help menu")
    assert (app.pressed, app.escapes) == (["Help"], 0)


def test_a_title_that_opens_nothing_is_an_error() -> None:
    app = Application(entry("Help", opens=True))
    with pytest.raises(DeviceError, match="'Help' was pressed, and no menu was opened"):
        app.decide("the Version item in the Help menu")


def test_empty_submenu_is_skipped() -> None:
    app = Application(entry("File", entry("Empty", opens=True), entry("More", entry("Open"))))
    assert [each.text for each in app.decide("the Open item in the File menu").menus] == ["File", "More"]


def test_disabled_menu_title_is_refused() -> None:
    app = Application(entry("File", entry("Open"), enabled=False))
    with pytest.raises(DeviceError, match="disabled"):
        app.decide("the Open item in the File menu")
    assert app.pressed == []


def test_two_menus_of_same_name_are_ambiguous() -> None:
    app = Application(entry("File", entry("Open")), entry("File", entry("Open")))
    with pytest.raises(AmbiguousTarget):
        app.decide("the Open item in the File menu")
    with pytest.raises(TargetNotFound):  # no menu is spoken of
        app.decide("the Open item in File")
    assert app.pressed == []


def test_press_swallowed_by_open_menu_is_repeated() -> None:
    """As in Qt with an open submenu; the titles have other numbers once it is closed."""
    app = notes()
    app.decide("the report.txt item in the File menu")
    app.pressed.clear()
    app.swallows = 1
    assert app.decide("the Copy item in the Edit menu").element.text == "Copy"
    assert app.pressed == ["Edit", "Edit"]


def test_menu_shown_outside_its_title_belongs_to_it() -> None:
    app = Application(entry("Options", entry("Wrap"), beside=True), entry("Tools", entry("Wrap"), beside=True))
    found = app.decide("the Wrap item in the Tools menu")
    assert (app.pressed, [each.text for each in found.menus]) == (["Tools"], ["Tools"])
    assert app.decide("the Wrap item in the Tools menu").element == found.element  # closed, and opened again
    assert app.pressed == ["Tools"] * 3


def test_number_of_opened_menus_is_limited() -> None:
    many = [entry(f"Menu {n}", entry(f"Entry {n}")) for n in range(MOST_OPENED + 5)]
    app = Application(entry("File", *many))
    with pytest.raises(TargetNotFound, match=f"{MOST_OPENED} menus were opened"):
        app.decide("the Banana item in the File menu")
    assert app.shown == []


def test_no_menu_is_opened_without_input() -> None:
    app = notes()
    with pytest.raises(TargetNotFound):
        DecisionTree(app.desktop, app._look, clock=FakeClock()).decide("the Open item in the File menu")
    assert app.pressed == []


@pytest.mark.parametrize("role", ["button", "tab", "link", "list item", "checkbox"])
def test_phrase_with_other_role_opens_no_menus(role: str) -> None:
    """The Save button in "File" is in a tool bar: an entry of the File menu does something else."""
    app = notes()
    for place in ("File", "the File menu"):
        with pytest.raises(TargetNotFound):
            app.decide(f"the Open {role} in {place}")
    assert app.pressed == []


@pytest.mark.parametrize(
    "phrase",
    [
        *(
            "Open in the File menu",
            "the Open option in File",
            "the Open menu item in File",
            "the Open entry in the File menu",
        ),
        "File菜单中的'Open'菜单项",
    ],
)
def test_menu_entry_phrases_have_many_forms(phrase: str) -> None:
    app = notes()
    assert (app.decide(phrase).element.text, app.pressed) == ("Open", ["File"])


@pytest.mark.parametrize("kind", ["item", "menu item", "option", "entry"])
def test_menu_entries_are_found_by_ordinal(kind: str) -> None:
    app = notes()
    for _ in range(2):  # closed, then open
        assert app.decide(f"the second {kind} in the File menu").element.text == "Open"
    assert app.decide(f"the last {kind} in the File menu").element.text == "Scheme"
    assert app.pressed == ["File"]


@pytest.mark.parametrize("phrase", ["the Open item", "Open", "the Open button right of File", "Open in the File list"])
def test_ordinary_phrases_name_no_menu(phrase: str) -> None:
    assert menu_of(parse_target(phrase)) is None


@pytest.mark.parametrize("stubborn", [False, True])
@pytest.mark.parametrize("phrase", ["the Open item in the File menu", "the report.txt item in the File menu"])
def test_menu_opened_for_entry_can_be_closed(phrase: str, stubborn: bool) -> None:
    app = notes(stubborn=stubborn)
    found = app.decide(phrase)
    assert found.shut is not None
    found.shut()
    assert app.shown == []


def test_menu_already_open_has_no_close_action() -> None:
    app = notes()
    app.decide("the Open item in the File menu")
    assert app.decide("the New item in the File menu").shut is None
