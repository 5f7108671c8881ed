"""Tests of finding entries of closed combo boxes, in an application in memory: what is pressed, closed and left open."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from handeye.desktop import WindowState
from handeye.desktop.effects import choice_effect, page_effect, reports_selected
from handeye.desktop.element_finder import DecisionTree
from handeye.desktop.menus import MOST_OPENED, Decision, MenuInput
from handeye.devices import Surface, Window
from handeye.elements import UIElement
from handeye.errors import AmbiguousTarget, DeviceError, TargetNotFound
from handeye.geometry import Box
from handeye.perceive import Detection
from handeye.testing.desktop_fake import FakeDesktop, fake_window
from handeye.testing.fakes import FakeClock

WINDOW: Window = replace(fake_window(7, "Form", Box(100, 100, 700, 900)), focused=True)
HIGH = 20


@dataclass
class Choice:
    """A combo box. `page` is how many entries its open list shows at once; `opens` what a press on it does."""

    name: str
    entries: list[str]
    enabled: bool = True
    page: int = 50
    opens: str = "list"
    first: int = 0  # of the entries that are in view
    toolkit: str = "gtk"
    chosen: str = field(init=False)

    def __post_init__(self) -> None:
        self.chosen = f"<{self.name}>"


class Form:
    """A window of combo boxes. The open list lies over its box: a press on the box would choose, and is an error here."""

    def __init__(self, *boxes: Choice) -> None:
        self.boxes = boxes
        self.beside: list[UIElement] = []
        self.open: Choice | None = None
        self.pressed: list[str] = []
        self.keys: list[str] = []
        self.desktop = FakeDesktop([WINDOW])
        self.clock = FakeClock()

    def decide(self, phrase: str) -> Decision:
        hands = MenuInput(self._press, self._key)
        return DecisionTree(self.desktop, self.look, hands=hands, clock=self.clock).decide(phrase)

    def look(self, infer: bool = False, vision: bool = False) -> WindowState:
        elements = [UIElement("window", "", WINDOW.box, text="Form", id=1)]
        elements += [replace(each, id=number, parent=1) for number, each in enumerate(self.beside, 2)]
        for row, box in enumerate(self.boxes):
            about = UIElement("combo box", box.name, self._place(row, 0), text=box.chosen, interactive=True)
            elements.append(
                replace(
                    about,
                    id=len(elements) + 1,
                    parent=1,
                    enabled=box.enabled,
                    metadata={"has-popup": True, "toolkit": box.toolkit},
                )
            )
            if box is self.open and box.opens == "list":
                self._add_list(elements, row, box)
        elements = [replace(each, source="accessibility") for each in elements]
        return WindowState(WINDOW, Detection(tuple(elements), (None,) * len(elements)), infer, vision)

    def _add_list(self, elements: list[UIElement], row: int, box: Choice) -> None:
        holder = len(elements)
        shown = box.entries[box.first : box.first + box.page] if box.toolkit == "gtk" else box.entries
        about = {"unread": True} if len(shown) < len(box.entries) else {}
        elements.append(UIElement("list", "", self._list_box(), id=holder + 1, parent=holder, metadata=about))
        for at, name in enumerate(shown):
            place, beyond = self._place(row, at), at >= box.page
            entry = UIElement(
                "list item", "", place, text=name, id=len(elements) + 1, parent=holder + 1, interactive=True
            )
            elements.append(replace(entry, metadata={"offscreen": True} if beyond else {}))

    def _place(self, row: int, down: int) -> Box:
        top = 110 + HIGH * (row + down)
        return Box(110, top, 400, top + HIGH - 2)

    def _list_box(self) -> Box:
        return Box(110, 110, 400, 880)

    def _press(self, state: WindowState, element: UIElement) -> None:
        assert element in self.look().elements, "it is pressed where it is not"
        assert element.element_type == "combo box", "a search presses no entry"
        assert self.open is None, "the list that is open lies over the boxes"
        self.pressed.append(element.description)
        box = next(each for each in self.boxes if each.name == element.description)
        if box.opens == "dialog":
            self.desktop.shown.append(fake_window(9, "Choose a colour", Box(200, 200, 400, 300)))
        elif box.opens in ("list", "untold list"):
            self._show(box)

    def _show(self, box: Choice | None) -> None:
        self.open = box
        self.desktop.popups = [Surface(50, box.name, self._list_box(), WINDOW.process, True)] if box else []

    def _key(self, name: str) -> None:
        box = self.open
        assert box is not None, "the key goes to the window"
        self.keys.append(name)
        last = max(0, len(box.entries) - box.page)
        if name == "escape":
            self._show(None)
        else:
            steps = {
                "home": -len(box.entries),
                "end": len(box.entries),
                "pagedown": box.page - 1,
                "pageup": 1 - box.page,
            }
            box.first = min(max(box.first + steps[name], 0), last)


def form(**about: object) -> Form:
    return Form(
        Choice("Size", ["Option 1", "Option 2"]),
        Choice("Paint", ["Teal", "Lime"], **about),  # type: ignore[arg-type]
        Choice("Border", ["Thin", "Teal"]),
    )


@pytest.mark.parametrize("phrase", ["the Lime item in the Paint combo box", "Paint下拉框中的'Lime'选项"])
def test_only_the_named_combo_box_is_opened(phrase: str) -> None:
    app = form()
    found = app.decide(phrase)
    assert (found.element.text, found.tier, app.pressed) == ("Lime", "1", ["Paint"])
    assert [each.description for each in found.menus] == ["Paint"]
    assert app.open is app.boxes[1]


def test_plain_name_is_searched_in_every_combo_box() -> None:
    app = form()
    assert app.decide("Lime").element.text == "Lime"
    assert app.pressed == ["Size", "Paint", "Border", "Paint"], (
        "the others are closed when the last one is opened again"
    )
    assert app.open is app.boxes[1]


@pytest.mark.parametrize("phrase", ["Opt", "Option", "Banana", "the Thin item in the Paint combo box"])
def test_missing_entry_closes_every_combo_box(phrase: str) -> None:
    app = form()
    with pytest.raises(TargetNotFound):
        app.decide(phrase)
    assert app.open is None


def test_entry_in_two_combo_boxes_is_ambiguous() -> None:
    app = form()
    with pytest.raises(AmbiguousTarget):
        app.decide("Teal")
    assert app.open is None


@pytest.mark.parametrize("phrase", ["the Lime button", "the Lime tab", "the Lime link", "the second Lime"])
def test_phrase_with_other_role_opens_no_combo_box(phrase: str) -> None:
    app = form()
    with pytest.raises(TargetNotFound):
        app.decide(phrase)
    assert app.pressed == []


def test_open_list_restricts_search_to_itself() -> None:
    app = form()
    app.decide("the Lime item in the Paint combo box")
    with pytest.raises(TargetNotFound):
        app.decide("Option 2")
    assert (app.pressed, app.open) == (["Paint"], app.boxes[1])


def test_a_disabled_box_is_not_pressed() -> None:
    app = form(enabled=False)
    with pytest.raises(TargetNotFound):
        app.decide("Lime")
    with pytest.raises(DeviceError, match="disabled"):
        app.decide("the Lime item in the Paint combo box")
    assert "Paint" not in app.pressed


def test_combo_box_without_popup_is_skipped() -> None:
    app = form(opens="nothing")
    assert app.decide("Thin").element.text == "Thin"


def test_combo_box_with_unlisted_popup_is_closed() -> None:
    app = form(opens="untold list")
    assert app.decide("Thin").element.text == "Thin"
    assert app.keys == ["escape"] * 2, "for the boxes before"


def test_error_names_window_opened_by_combo_box() -> None:
    app = form(opens="dialog")
    with pytest.raises(DeviceError, match="opened the window 'Choose a colour'"):
        app.decide("Thin")
    assert app.pressed == ["Size", "Paint"]


def test_number_of_opened_combo_boxes_is_limited() -> None:
    app = Form(*[Choice(f"Box {n}", [f"Entry {n}"]) for n in range(MOST_OPENED + 5)])
    with pytest.raises(TargetNotFound):
        app.decide("Banana")
    assert len(app.pressed) < MOST_OPENED


@pytest.mark.parametrize(
    ("phrase", "name"),
    [
        ("Row 73", "Row 73"),
        ("the Row 2 item in the Long combo box", "Row 2"),
        ("the first item in the Long combo box", "Row 0"),
        ("the last item in the Long combo box", "Row 99"),
    ],
)
def test_long_list_is_paged_with_keys(phrase: str, name: str) -> None:
    app = Form(Choice("Long", [f"Row {n}" for n in range(100)], page=10, first=40))
    assert app.decide(phrase).element.text == name
    assert set(app.keys) <= {"home", "end", "pagedown", "pageup"}
    assert "escape" not in app.keys


def test_long_list_without_the_entry_is_closed() -> None:
    app = Form(Choice("Long", [f"Row {n}" for n in range(100)], page=10))
    with pytest.raises(TargetNotFound):
        app.decide("Row 100")
    assert (app.open, app.keys[-1]) == (None, "escape")
    assert app.clock.now() - FakeClock().now() < 2.5, "three keys change nothing"


LONG = [f"Row {n}" for n in range(100)]


@pytest.mark.parametrize("toolkit", ["Chromium", "VCL", "WPF", "GTK", ""])
@pytest.mark.parametrize(
    ("phrase", "name"),
    [
        ("Row 73", "Row 73"),
        ("Row 3", "Row 3"),
        ("the Row 99 item in the Long combo box", "Row 99"),
        ("the second item in the Long combo box", "Row 1"),
        ("the last item in the Long combo box", "Row 99"),
    ],
)
def test_no_key_is_pressed_where_keys_select(toolkit: str, phrase: str, name: str) -> None:
    app = Form(Choice("Long", LONG, page=10, toolkit=toolkit))
    assert app.decide(phrase).element.text == name
    assert app.keys == []


@pytest.mark.parametrize("phrase", ["Row 100", "Raw 3", "the Banana item in the Long combo box"])
def test_failed_search_presses_only_escape_in_chromium(phrase: str) -> None:
    app = Form(Choice("Long", LONG, page=10, toolkit="Chromium"))
    with pytest.raises(TargetNotFound):
        app.decide(phrase)
    assert (app.keys, app.open) == (["escape"], None)


def test_combo_box_opened_for_entry_can_be_closed() -> None:
    app = form()
    found = app.decide("the Lime item in the Paint combo box")
    assert found.shut is not None
    found.shut()
    assert app.open is None
    app._show(app.boxes[1])
    assert app.decide("Teal").shut is None, "it was open before"


@pytest.mark.parametrize("phrase", ["Lime", "lime", "Lime "])
@pytest.mark.parametrize("role", ["tab", "text", "list item"])
def test_covered_element_opens_no_combo_boxes(role: str, phrase: str) -> None:
    app = form()
    app.beside = [
        UIElement(role, "", Box(300, 700, 400, 720), text="Lime", interactive=True),
        UIElement("pane", "", Box(250, 650, 500, 800), text="Notice", interactive=True),
    ]
    with pytest.raises(TargetNotFound):
        app.decide(phrase)
    assert app.pressed == []


def test_choice_is_verified_by_closed_combo_box() -> None:
    app = form()
    entry = app.decide("Lime")
    box = app.boxes[1]

    def effect() -> tuple[bool | None, str]:
        return choice_effect(entry.state, entry.menus[0], entry.element, app.look, app.clock)

    assert effect() == (None, ""), "nothing was chosen"
    box.chosen = "Lime"
    assert effect() == (None, ""), "the list is still open"
    app._show(None)
    assert effect() == (True, "")
    box.chosen = "Teal"
    assert effect() == (False, "the box shows 'Teal'")


# -- tabs of a toolkit that does not say which page is shown


def tabbed(page: str, *, selected: str = "", clock: str = "12:00:01", holder: bool = True) -> WindowState:
    top = [UIElement("window", "", WINDOW.box, text="Form"), UIElement("group", "", Box(100, 100, 700, 600), parent=1)]
    holders = top if holder else top[:1]
    row = len(holders) + 1
    elements = [*holders, UIElement("tab bar", "", Box(100, 100, 700, 120), parent=row - 1)]
    for at, name in enumerate(("One", "Two")):
        place = Box(100 + 60 * at, 100, 150 + 60 * at, 120)
        about = {"selected": True} if name == selected else {}
        elements.append(UIElement("tab", "", place, text=name, parent=row, metadata=about))
    elements += [UIElement("text", "", Box(110, 200, 200, 220), text=text, parent=row - 1) for text in (page, clock)]
    numbered = tuple(replace(each, id=number, source="accessibility") for number, each in enumerate(elements, 1))
    return WindowState(WINDOW, Detection(numbered, (None,) * len(numbered)))


def effect_of(before: WindowState, after: WindowState) -> bool | None:
    tab = next(each for each in before.elements if each.text == "Two")
    return page_effect(before, tab, lambda: after, FakeClock())


def test_tab_click_is_verified_by_changed_page() -> None:
    for before in ("first page", ""):
        assert effect_of(tabbed(before, clock=""), tabbed("second page", clock="")) is True


@pytest.mark.parametrize("after", [tabbed("first page"), tabbed("first page", clock="12:00:02")])
def test_unchanged_page_leaves_tab_click_undecided(after: WindowState) -> None:
    assert effect_of(tabbed("first page"), after) is None


def test_change_outside_tab_page_proves_nothing() -> None:
    assert effect_of(tabbed("first", holder=False), tabbed("second", holder=False)) is None


def test_selected_tab_state_is_reported() -> None:
    before = tabbed("first page", selected="One")
    assert reports_selected(before, before.elements[3])
    assert not reports_selected(tabbed("first page"), before.elements[3])
