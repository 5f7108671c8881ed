"""Tests of what a number stays valid with: a unique name, the question of an answer button, the row of a repeated button."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from handeye.desktop import DesktopSession
from handeye.desktop.identity import is_answer, is_clock_or_percent
from handeye.devices import DesktopDevice
from handeye.elements import UIElement
from handeye.errors import StateChanged
from handeye.geometry import Box
from handeye.perceive import Detection
from handeye.testing.desktop_fake import FakeDesktop, fake_window

SHOP = fake_window(7, "Shop", Box(0, 0, 900, 700), focused=True)
Row = tuple[str, ...]


class Tree:
    """Elements in the order in which they are added; `add` gives the number."""

    def __init__(self) -> None:
        self.elements: list[UIElement] = []
        self.add("window", "Shop", (0, 0, 900, 700), 0)

    def add(self, role: str, name: str, box: Sequence[int], parent: int = 1, **about: object) -> int:
        number = len(self.elements) + 1
        made = UIElement(role, "", Box(*box), text=name, id=number, parent=parent or None, source="accessibility")
        self.elements.append(replace(made, interactive=role == "button", **about))  # type: ignore[arg-type]
        return number


class Told:
    name = "told"

    def __init__(self, targets: Sequence[UIElement], objects: str = "") -> None:
        self.targets = targets
        self.objects = objects

    def detect(self, window: object) -> Detection:
        without = len(self.targets) - len(self.objects)
        controls = [Live(id, each) for id, each in zip(self.objects, self.targets[without:], strict=True)]
        return Detection(tuple(self.targets), (*[None] * without, *controls))  # type: ignore[arg-type]


class Live:
    """A handle of the application's object `object_id`."""

    def __init__(self, object_id: str, element: UIElement) -> None:
        self.object_id = object_id
        self.box = lambda: element.bbox


def holds(before: Tree, after: Tree, number: int, objects: tuple[str, str] = ("", "")) -> bool:
    """
    Return True if a number of one tree still means its element in another.

    `objects` are the ids of the last elements' objects before and after.
    """
    desktop = FakeDesktop([SHOP])
    told = Told(before.elements, objects[0])
    session = DesktopSession(DesktopDevice(desktop), tree=told, reader=None)
    session.state()
    told.targets, told.objects = after.elements, objects[1]
    try:
        session.click(number)
    except StateChanged:
        assert not desktop.presses
        return False
    assert desktop.presses
    return True


def last(tree: Tree, name: str, at: int = -1) -> int:
    found = [each.id for each in tree.elements if name in (each.text, each.element_type)]
    assert found[at] is not None
    return found[at]  # type: ignore[return-value]


def cells(rows: Sequence[Row]) -> Tree:
    """A row of equal cells and one that tells."""
    tree = Tree()
    for at, row in enumerate(rows):
        top = 100 + 30 * at
        for column, name in enumerate((*[f"x{n}" for n in range(9)], row[0])):
            tree.add("text", name, (60 * column, top, 60 * column + 60, top + 30))
        tree.add("button", "Delete", (620, top, 700, top + 30))
    return tree


def cards(rows: Sequence[Row], flat: bool = True, below: bool = False) -> Tree:
    """Cards side by side: a title, an equal price, a button; or the title below the button."""
    tree = Tree()
    for at, row in enumerate(rows):
        left = 20 + 200 * at
        holder = 1 if flat else tree.add("group", "", (left, 100, left + 200, 180))
        title = (left, 170, left + 200, 190) if below else (left, 100, left + 200, 120)
        tree.add("heading", row[0], title, holder)
        tree.add("text", "5 EUR", (left, 130, left + 48, 150), holder)
        tree.add("button", "Buy", (left, 152, left + 40, 168), holder)
    return tree


def half_a_line_lower(rows: Sequence[Row]) -> Tree:
    tree = Tree()
    for at, row in enumerate(rows):
        top = 100 + 40 * at
        item = tree.add("list item", "", (40, top, 900, top + 40))
        tree.add("link", row[0], (40, top, 90, top + 18), item)
        tree.add("text", "Guest", (40, top + 18, 90, top + 36), item)
        tree.add("button", "Remove", (340, top + 20, 400, top + 42), item)
    return tree


def columns(rows: Sequence[Row]) -> Tree:
    """The names in one column of the tree, the buttons in another."""
    tree = Tree()
    names, buttons = tree.add("pane", "", (0, 100, 400, 300)), tree.add("pane", "", (400, 100, 800, 300))
    for at, row in enumerate(rows):
        tree.add("text", row[0], (0, 100 + 30 * at, 100, 130 + 30 * at), names)
    for at in range(len(rows)):
        box = (400, 100 + 30 * at, 480, 130 + 30 * at)
        tree.add("button", "Edit", box, tree.add("group", "", box, buttons))
    return tree


def spinners(rows: Sequence[Row]) -> Tree:
    tree = Tree()
    for at, row in enumerate(rows):
        box = (20, 100 + 30 * at, 300, 130 + 30 * at)
        holder = tree.add("group", "", box)
        tree.add("spinner", row[0], (20, 100 + 30 * at, 100, 130 + 30 * at), holder)
        tree.add("button", "Order", (220, 100 + 30 * at, 300, 130 + 30 * at), holder)
    return tree


@pytest.mark.parametrize(
    "made",
    [
        cells,
        cards,
        lambda rows: cards(rows, flat=False),
        lambda rows: cards(rows, below=True),
        half_a_line_lower,
        columns,
        spinners,
    ],
)
def test_number_of_row_button_depends_on_row(made: Callable[[Sequence[Row]], Tree]) -> None:
    rows = [("Alice",), ("Bobby",), ("Carol",)]
    before, sorted_anew = made(rows), made(rows[::-1])
    for number in [each.id for each in before.elements if each.element_type == "button"]:
        assert number is not None
        assert holds(before, before, number)
        assert holds(before, sorted_anew, number) == (number == last(before, "button", 1))


def test_growing_list_keeps_row_numbers_valid() -> None:
    rows = [("Alice",), ("Bobby",)]
    before, after = half_a_line_lower(rows), half_a_line_lower([*rows, ("Carol",)])
    assert holds(before, after, last(before, "button"))


def test_changing_percentage_keeps_row_number_valid() -> None:
    def downloads(*shares: str) -> Tree:
        tree = Tree()
        for at, share in enumerate(shares):
            holder = tree.add("group", "", (0, 100 + 30 * at, 800, 130 + 30 * at))
            tree.add("text", "film" if at else "song", (0, 100 + 30 * at, 100, 130 + 30 * at), holder)
            tree.add("text", share, (100, 100 + 30 * at, 200, 130 + 30 * at), holder)
            tree.add("button", "Pause", (300, 100 + 30 * at, 400, 130 + 30 * at), holder)
        return tree

    before = downloads("3 %", "5 %")
    assert holds(before, downloads("4 %", "9 %"), last(before, "Pause"))


def busy(clock: str, badge: str, share: str, line: str) -> Tree:
    """A window in which something changes beside every button."""
    tree = Tree()
    for name, left in (("Refresh", 0), ("Stop", 300)):
        tree.add("button", name, (left, 100, left + 100, 130))
    tree.add("text", clock, (110, 100, 290, 130))
    tree.add("button", "Inbox", (0, 140, 100, 170))
    tree.add("text", badge, (110, 140, 150, 170))
    tree.add("text", share, (0, 180, 200, 200))
    tree.add("button", "Cancel", (0, 210, 100, 240))
    shown = tree.add("list", "", (0, 250, 300, 290))
    tree.add("text", line, (0, 250, 300, 270), shown)
    tree.add("button", "Next", (0, 300, 100, 330))
    tree.add("button", "", (0, 340, 30, 370))
    return tree


def test_changing_clock_badge_and_percentage_keep_numbers_valid() -> None:
    before, after = busy("10:20:59", "3", "34 % of 100", "line 1"), busy("10:21:00", "14", "35 % of 100", "line 2")
    for each in before.elements:
        if each.element_type == "button":
            assert each.id is not None
            assert holds(before, after, each.id), each


def asked(question: str, detail: str = "This cannot be undone.", name: str = "Yes", clock: str = "1:00:00") -> Tree:
    """A question in a page: no dialog, as its application tells it."""
    tree = Tree()
    page = tree.add("document", "", (0, 50, 900, 700))
    tree.add("text", clock, (800, 60, 900, 80), page)
    held = tree.add("group", "", (0, 300, 900, 420), page)
    tree.add("heading", question, (0, 310, 400, 340), held)
    tree.add("text", detail, (0, 350, 400, 370), held)
    foot = tree.add("group", "", (500, 380, 900, 410), held)
    tree.add("text", "Keys work too", (500, 380, 600, 410), foot)
    tree.add("button", name, (700, 380, 760, 410), foot)
    tree.add("button", "No", (800, 380, 860, 410), foot)
    return tree


@pytest.mark.parametrize(
    "name", ["Yes", "OK", "Re_move", "Don\u2019t Save", "Delete user", "Confirm order", "确定", "删除用户", "确认订单"]
)
def test_answer_number_depends_on_its_question(name: str) -> None:
    before = asked("Delete Alice?", name=name)
    number = last(before, name)
    assert holds(before, asked("Delete Alice?", name=name, clock="1:00:01"), number)
    assert not holds(before, asked("Delete everything?", name=name), number)
    assert not holds(before, asked("Delete Alice?", "It is kept for 3 days.", name), number)


def test_unique_name_keeps_its_number() -> None:
    before = asked("Meet Alice", name="Details")
    assert holds(before, asked("Meet Alice and Bobby", name="Details"), last(before, "Details"))


@pytest.mark.parametrize("text", ["12:00:01", "3:41:33 PM", "34 %", "69 % of 100", "(100%)", "已完成 45 %"])
def test_clocks_and_percentages_are_recognized(text: str) -> None:
    assert is_clock_or_percent(text)


@pytest.mark.parametrize(
    "text", ["", "10:30", "5 EUR", "100", "10 % discount", "Step 1 of 3", "3 of 10", "Delete 3 files?"]
)
def test_other_texts_are_no_clock_or_percentage(text: str) -> None:
    assert not is_clock_or_percent(text)


def test_other_names_are_no_answer() -> None:
    assert not any(map(is_answer, ("", "Sender", "Next page", "Refresh", "Inbox")))


@pytest.mark.parametrize(
    ("then", "now", "held"),
    [
        ("abc", "abc", True),
        ("abc", "bac", False),
        ("abc", "dbc", False),  # nothing says that it is the same
        ("abc", "adc", True),
        ("", "abc", True),
        ("abc", "", True),
    ],
)
def test_indistinguishable_buttons_are_identified_by_object(then: str, now: str, held: bool) -> None:
    tree = Tree()
    for at in range(3):
        tree.add("button", "Open", (100, 100 + 40 * at, 180, 130 + 40 * at), metadata={"toolkit": "gtk"})
    assert holds(tree, tree, 2, (then, now)) is held


@pytest.mark.parametrize(
    ("now", "said"),
    [
        ("bac", "another button 'Open' stands there now"),
        ("def", "its application has made the button 'Open' anew, one of 3 that nothing tells apart"),
    ],
)
def test_recreated_object_is_refused_with_advice(now: str, said: str) -> None:
    """In a list that is rebuilt all the time every number is refused: a phrase, looked up at once, works."""
    tree = Tree()
    for at in range(3):
        tree.add("button", "Open", (100, 100 + 40 * at, 180, 130 + 40 * at), metadata={"toolkit": "gtk"})
    desktop, told = FakeDesktop([SHOP]), Told(tree.elements, "abc")
    session = DesktopSession(DesktopDevice(desktop), tree=told, reader=None)
    session.state()
    told.objects = now
    with pytest.raises(
        StateChanged, match=rf"^\[2\] {said}: take its number from the new list, or say in words"
    ) as refused:
        session.click(2)
    assert refused.value.state is not None
    assert not desktop.presses
    told.objects = "xyz"
    session.click("the second Open button")
    assert desktop.at == Box(100, 140, 180, 170).center


@pytest.mark.parametrize(
    ("toolkit", "now", "held"),
    [
        ("gtk", "Aaxy", True),  # made anew: its row says which it is
        ("gtk", "BbAa", False),  # the row of another one has the name of the first
        ("VCL", "BbAa", True),  # its objects do not last
    ],
)
def test_row_label_decides_identity_of_recreated_objects(toolkit: str, now: str, held: bool) -> None:
    tree = Tree()
    for row, name in enumerate(("Alice", "Bob")):
        top = 100 + 40 * row
        tree.add("text", name, (10, top, 90, top + 30), metadata={"toolkit": toolkit})
        tree.add("button", "Open", (100, top, 180, top + 30), metadata={"toolkit": toolkit})
    assert holds(tree, tree, 3, ("AaBb", now)) is held
