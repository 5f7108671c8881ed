"""Tests of numbers and the elements around theirs: a number is refused when its surroundings have changed."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from handeye.desktop import DesktopSession, SavedStates, WindowState
from handeye.devices import DesktopDevice, Window
from handeye.elements import UIElement
from handeye.errors import StateChanged
from handeye.geometry import Box
from handeye.perceive import Detection
from handeye.screen import Pixels
from handeye.testing.desktop_fake import FakeDesktop, fake_window

CONTACTS = fake_window(7, "Contacts", Box(100, 100, 600, 500), focused=True)


def element(number: int, role: str, name: str, box: tuple[int, int, int, int], parent: int | None = 1) -> UIElement:
    return UIElement(role, "", Box(*box), text=name, id=number, parent=parent, source="accessibility")


def rows(*names: str, nested: bool = True) -> tuple[UIElement, ...]:
    """A "Delete" beside each name: in a group for each row, or all in the window, as table cells are."""
    made = [element(1, "window", "Contacts", (100, 100, 600, 500), None)]
    for at, name in enumerate(names):
        top, holder = 120 + 30 * at, len(made) + 1
        if nested:
            made.append(element(holder, "group", "", (100, top, 600, top + 30)))
        made.append(element(len(made) + 1, "text", name, (100, top, 300, top + 30), holder if nested else 1))
        made.append(element(len(made) + 1, "button", "Delete", (300, top, 400, top + 30), holder if nested else 1))
    return tuple(made)


class Told:
    """A provider of a window that can change between two looks."""

    name = "told"

    def __init__(self, *targets: UIElement) -> None:
        self.targets: Sequence[UIElement] = targets

    def detect(self, window: object) -> Detection:
        return Detection(tuple(self.targets), (None,) * len(self.targets))


def clicks(before: Sequence[UIElement], after: Sequence[UIElement], number: int) -> bool:
    """Return True if a number of one list is clicked after the list changed; a refusal must bring the fresh list."""
    desktop = FakeDesktop([CONTACTS])
    told = Told(*before)
    session = DesktopSession(DesktopDevice(desktop), tree=told, reader=None)
    session.state()
    told.targets = after
    try:
        session.click(number)
    except StateChanged as error:
        refused = error
    else:
        assert desktop.presses
        return True
    assert isinstance(refused.state, WindowState)
    assert refused.state.elements == tuple(after)
    assert not desktop.presses
    return False


@pytest.mark.parametrize("nested", [True, False])
def test_number_is_refused_after_list_is_sorted(nested: bool) -> None:
    before = rows("Alice", "Bobby", "Carol", nested=nested)
    number = next(each.id for each in before if each.element_type == "button")
    assert number is not None
    assert clicks(before, before, number)
    assert not clicks(before, rows("Carol", "Bobby", "Alice", nested=nested), number)


def test_rows_are_identified_by_image_descriptions() -> None:
    def faces(*names: str) -> list[UIElement]:
        named = iter(names)
        return [
            replace(each, element_type="image", text="avatar", description=next(named))
            if each.element_type == "text"
            else each
            for each in rows(*names)
        ]

    before = faces("Alice", "Bobby")
    assert clicks(before, before, 4)
    assert not clicks(before, faces("Bobby", "Alice"), 4)


@pytest.mark.parametrize("other", ["", "Bobby"])
@pytest.mark.parametrize(("drawn", "held"), [("xo", True), ("ox", False)])
def test_rows_without_text_are_identified_by_pixels(drawn: str, held: bool, other: str) -> None:
    class Painted(FakeDesktop):
        shapes = "xo"

        def grab_window(self, window: Window) -> Pixels:
            pixels = np.full((400, 500, 3), 240, np.uint8)
            for row, shape in enumerate(self.shapes):
                for at in range(26):
                    pixels[22 + 30 * row + (at if shape == "x" else 12), 30 + at] = 0
            return pixels

    desktop = Painted([CONTACTS])
    told = Told(*(replace(each, interactive=each.element_type == "button") for each in rows("", other)))
    session = DesktopSession(DesktopDevice(desktop), tree=told, reader=None)
    session.state()
    desktop.shapes = drawn
    with contextlib.nullcontext() if held else pytest.raises(StateChanged, match="the row of"):
        session.click(4)


@pytest.mark.parametrize(
    ("kind", "name", "more", "held"),
    [
        ("dialog", "Browse", (), False),  # it asks
        ("dialog", "Browse", ("input",), False),  # and for something to write
        ("dialog", "Browse", ("text",) * 6, True),  # a form, whose hints change
        ("alert", "Browse", ("input",), False),
        ("dialog", "Confirm order", ("input",), False),
        ("dialog", "确认订单", ("input",), False),
    ],
)
def test_changed_form_hint_invalidates_only_answer_buttons(
    kind: str, name: str, more: tuple[str, ...], held: bool
) -> None:
    def form(hint: str) -> list[UIElement]:
        window = element(1, "window", "", (100, 100, 400, 400), None)
        made = [replace(window, metadata={"class": kind})]
        made += [element(2, "text", hint, (110, 110, 390, 130)), element(3, "button", name, (210, 360, 300, 390))]
        return made + [
            element(4 + n, role, f"a {n}", (110, 140 + 30 * n, 200, 160 + 30 * n)) for n, role in enumerate(more)
        ]

    assert clicks(form("Enter a name"), form("The name is free"), 3) is held


def test_nameless_elements_are_identified_by_content() -> None:
    before = rows("Alice", "Bobby")
    assert clicks(before, before, 2)
    assert not clicks(before, rows("Bobby", "Alice"), 2)


def test_answer_button_depends_on_its_question() -> None:
    def asked(question: str) -> tuple[UIElement, ...]:
        window = element(1, "window", "", (100, 100, 400, 250), None)
        return (
            replace(window, metadata={"class": "alert"}),
            element(2, "text", question, (110, 110, 390, 130)),
            element(3, "group", "", (100, 200, 400, 240)),
            element(4, "button", "No", (110, 205, 200, 235), 3),
            element(5, "button", "Yes", (210, 205, 300, 235), 3),
        )

    before = asked("Delete Alice?")
    assert clicks(before, before, 5)
    assert not clicks(before, asked("Delete everything?"), 5)
    plain = [replace(each, metadata={}) for each in before]  # in no dialog: what is read right above it
    assert clicks(plain, plain, 4)
    assert not clicks(plain, [replace(each, metadata={}) for each in asked("Delete everything?")], 4)


def test_answer_in_list_depends_on_question_above() -> None:
    def asked(question: str) -> tuple[UIElement, ...]:
        return (
            element(1, "window", "", (100, 100, 400, 250), None),
            element(2, "document", "", (100, 100, 400, 250)),
            element(3, "text", question, (110, 110, 390, 130), 2),
            element(4, "list", "", (100, 200, 400, 240), 2),
            element(5, "button", "No", (110, 205, 200, 235), 4),
            element(6, "button", "Yes", (210, 205, 300, 235), 4),
        )

    before = asked("Delete Alice?")
    assert clicks(before, before, 6)
    assert not clicks(before, asked("Delete everything?"), 6)


def test_removed_sibling_invalidates_nameless_button() -> None:
    icons = [element(1, "window", "", (100, 100, 400, 250), None)]
    icons += [element(n, "button", "", (100 + 20 * n, 110, 120 + 20 * n, 130)) for n in range(2, 6)]
    assert clicks(icons, icons, 3)
    assert not clicks(icons, icons[:-1], 3)


def test_typed_text_and_status_bar_keep_numbers_valid() -> None:
    before = (
        *rows("Alice", "Bobby"),
        element(8, "status bar", "", (100, 480, 600, 500)),
        element(9, "text", "Ready", (100, 480, 300, 500), 8),
        UIElement("input", "Search", Box(100, 400, 300, 420), text="", id=10, parent=1, source="accessibility"),
        element(11, "button", "Find", (310, 400, 350, 420)),
    )
    after = (*before[:8], replace(before[8], text="Saved"), replace(before[9], text="x"), before[10])
    for number in (3, 4, 10, 11):
        assert clicks(before, after, number)


def test_identities_are_saved_for_next_process(tmp_path: object) -> None:
    kept = SavedStates("fake:", tmp_path)  # type: ignore[arg-type]
    state = WindowState(CONTACTS, Detection(rows("Alice", "Bobby"), (None,) * 7))
    kept.keep(state)
    assert kept.last().identities == state.identities
    assert "Alice" in state.identities[3].among
