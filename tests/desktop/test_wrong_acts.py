"""Tests of actions that must be refused and of results that must not be reported, on a desktop in memory."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace

import pytest

from handeye.desktop import DesktopSession
from handeye.devices import DesktopDevice, Surface, Window
from handeye.elements import UIElement
from handeye.errors import DeviceError, StateChanged, UsageError
from handeye.geometry import Box, Point
from handeye.perceive import Control, Detection
from handeye.testing.desktop_fake import FakeDesktop, fake_window
from handeye.testing.fakes import FakeClock
from handeye.testing.perceiving import FixedProvider

NOTES = fake_window(7, "Notes", Box(100, 100, 500, 400), focused=True)
OTHER = fake_window(8, "Other", Box(600, 100, 900, 400))


def element(number: int, role: str, name: str, box: tuple[int, int, int, int], **about: object) -> UIElement:
    made = UIElement(role, "", Box(*box), text=name, id=number, parent=1, source="accessibility")
    return replace(made, **about)  # type: ignore[arg-type]


ROOT = element(1, "window", "Notes", (100, 100, 500, 400), parent=None)
SAVE = element(2, "button", "Save", (110, 210, 150, 230))
FILE = element(3, "menu", "File", (110, 105, 150, 125))
OPEN = element(4, "menu item", "Open", (110, 205, 190, 235), parent=3)
FIELD = element(5, "input", "", (200, 300, 300, 320), metadata={"editable": True})
OLD = element(6, "button", "Old", (310, 300, 350, 320), enabled=False)
AWAY = element(7, "button", "Item 30", (0, 0, 0, 0), metadata={"offscreen": True})
ALL = (ROOT, SAVE, FILE, OPEN, FIELD, OLD, AWAY)


class Placed:
    """A handle of something that stands at `boxes`, one after the other, the last one for ever."""

    def __init__(self, *boxes: Box | None) -> None:
        self.boxes = list(boxes)

    def box(self) -> Box | None:
        return self.boxes.pop(0) if len(self.boxes) > 1 else self.boxes[0]

    def scroll_into_view(self) -> None: ...

    def text(self) -> str | None:
        return None


def session_of(desktop: FakeDesktop, *targets: UIElement, **controls: Placed) -> DesktopSession:
    handles: list[Control | None] = [controls.get(each.text) for each in targets or ALL]  # type: ignore[misc]
    session = DesktopSession(
        DesktopDevice(desktop, clock=FakeClock()),
        tree=FixedProvider(targets or ALL, controls=handles),
        reader=None,
        clock=FakeClock(),
    )
    session.state("Notes")
    return session


@pytest.fixture
def desktop() -> FakeDesktop:
    return FakeDesktop([NOTES, OTHER])


def popup(box: tuple[int, int, int, int], process: int | None = NOTES.process) -> Surface:
    return Surface(99, "Popup", Box(*box), process, popup=True)


def test_element_covered_by_open_menu_is_refused(desktop: FakeDesktop) -> None:
    session = session_of(desktop)
    desktop.popups = [popup((110, 130, 200, 300))]
    with pytest.raises(DeviceError, match="covered by a menu"):
        session.click(2)
    assert not desktop.presses
    session.click(4)  # an entry of that menu
    assert desktop.presses[0].at == OPEN.center


def test_open_menu_of_another_program_blocks_input(desktop: FakeDesktop) -> None:
    session = session_of(desktop)
    desktop.popups = [popup((700, 500, 800, 600), OTHER.process)]
    for act in (
        lambda: session.click(2),
        lambda: session.type("x", window="Notes"),
        lambda: session.click_at(300, 300, "Notes"),
    ):
        with pytest.raises(DeviceError, match="escape"):
            act()
    session.press("escape")
    assert {each.what for each in desktop.presses} == {"escape"}


def test_element_behind_modal_popover_is_refused(desktop: FakeDesktop) -> None:
    pane = element(3, "pane", "", (300, 200, 400, 300), metadata={"modal": True})
    inside = element(4, "button", "In", (310, 210, 350, 230), parent=3)
    session = session_of(desktop, ROOT, SAVE, pane, inside)
    with pytest.raises(DeviceError, match="covered"):
        session.click(2)
    session.click(4)
    assert desktop.presses[0].at == inside.center


def test_disabled_element_is_refused(desktop: FakeDesktop) -> None:
    with pytest.raises(DeviceError, match="disabled"):
        session_of(desktop).click(6)
    assert not desktop.presses


def test_element_enabled_in_time_is_clicked(desktop: FakeDesktop) -> None:
    """As the Save button of a dialog in which a name was just typed."""

    class Late(FixedProvider):
        def detect(self, window: Window) -> Detection:
            found = super().detect(window)
            last = replace(OLD, id=len(found.targets), enabled=len(self.asked) > 3)
            return replace(found, targets=(*found.targets[:-1], last))

    for what in ("the Old button", 2):
        desktop.presses.clear()
        tree = Late((ROOT, OLD))
        session = DesktopSession(DesktopDevice(desktop, clock=FakeClock()), tree=tree, reader=None, clock=FakeClock())
        session.state(NOTES.title)
        session.click(what)
        assert [press.at for press in desktop.presses if press.down] == [OLD.center]
        assert len(tree.asked) > 3


def test_elements_without_position_are_not_dragged_or_clicked(desktop: FakeDesktop) -> None:
    session = session_of(desktop)
    for what, to in ((7, (50, 60)), (2, 7)):
        with pytest.raises(DeviceError, match="scrolled out"):
            session.drag(what, to)
    flat = session_of(desktop, ROOT, SAVE, replace(AWAY, id=3, metadata={}))
    with pytest.raises(DeviceError, match="no place"):
        flat.click(3)
    assert not desktop.presses


def test_drag_onto_covered_end_is_refused(desktop: FakeDesktop) -> None:
    session = session_of(desktop)
    desktop.shown.insert(0, fake_window(9, "Over", Box(195, 290, 305, 330)))
    with pytest.raises(DeviceError, match="covered by 'Over'"):
        session.drag(2, 5)
    assert not desktop.presses
    assert "onto 'Other'" in session.drag(2, (600, 0)).note
    assert "onto the desktop" in session.drag(2, (0, 500)).note


def test_typing_into_a_button_is_refused(desktop: FakeDesktop) -> None:
    with pytest.raises(UsageError, match="'Save' holds no text"):
        session_of(desktop).type("x", 2)
    assert not desktop.presses


def test_nothing_is_typed_while_another_element_has_focus(desktop: FakeDesktop) -> None:
    holder = replace(SAVE, metadata={"focused": True})
    session = session_of(desktop, ROOT, holder, replace(FIELD, id=3, text="in"), **{"in": Placed(FIELD.bbox)})
    with pytest.raises(DeviceError, match="nothing was typed"):
        session.type("x", 3)
    assert desktop.typed == ""
    mine = replace(FIELD, id=3, text="in", metadata={"editable": True, "focused": True})
    session_of(desktop, ROOT, SAVE, mine, **{"in": Placed(FIELD.bbox)}).type("x", 3)
    assert desktop.typed == "x"


def test_line_break_in_single_line_field_is_refused(desktop: FakeDesktop) -> None:
    with pytest.raises(UsageError, match="one line"):
        session_of(desktop).type("a\nb", 5)
    assert not desktop.presses
    focused = replace(FIELD, id=2, metadata={"editable": True, "focused": True})
    with pytest.raises(UsageError, match="one line"):
        session_of(desktop, ROOT, focused).type("a\n")
    many = replace(focused, metadata={**focused.metadata, "multiline": True})
    session_of(desktop, ROOT, many).type("a\nb")
    assert desktop.typed == "a\nb"


def test_typing_with_focused_button_is_refused(desktop: FakeDesktop) -> None:
    session = session_of(desktop, ROOT, replace(SAVE, metadata={"focused": True}))
    with pytest.raises(UsageError, match="'Save', which a blank presses"):
        session.type("a b")
    assert desktop.typed == ""


def test_keys_are_refused_without_a_focused_window(desktop: FakeDesktop) -> None:
    session = session_of(desktop)
    desktop.shown = [replace(each, focused=False) for each in desktop.shown]
    for act in (lambda: session.type("x"), lambda: session.press("a")):
        with pytest.raises(DeviceError, match="no window has the keyboard"):
            act()
    assert not desktop.presses
    assert desktop.typed == ""


def test_points_outside_the_window_are_refused(desktop: FakeDesktop) -> None:
    session = session_of(desktop)
    for act in (
        lambda: session.click_at(5, 700, "Notes"),
        lambda: session.click_at(700, 200, "Notes"),
        lambda: session.drag_at(120, 120, 700, 200, "Notes"),
        lambda: session.click_at(float("nan"), 200, "Notes"),
    ):
        with pytest.raises((DeviceError, UsageError)):
            act()
    assert not desktop.presses
    assert session.click_at(120, 120, "Notes").note == "clicked in 'Notes' at (120, 120)"


def test_click_aims_again_when_element_moved(desktop: FakeDesktop) -> None:
    lower = SAVE.bbox.translate(0, 27)
    session = session_of(desktop, ROOT, SAVE, Save=Placed(lower))
    session.click(2)
    assert desktop.presses[0].at == lower.center
    desktop.presses.clear()
    session = session_of(desktop, ROOT, SAVE, Save=Placed(lower, SAVE.bbox, lower))
    with pytest.raises(DeviceError, match="keeps moving"):
        session.click(2)
    session = session_of(desktop, ROOT, SAVE, Save=Placed(None))
    with pytest.raises(DeviceError, match="no longer on the screen"):
        session.click(2)
    assert not desktop.presses


def test_click_note_names_the_element(desktop: FakeDesktop) -> None:
    done = session_of(desktop).click(2)
    assert done.note == "clicked [2] [Button] \"Save\" in 'Notes' at (130, 220)"
    assert (done.window, done.at) == (NOTES, SAVE.center)
    assert done.element is not None
    assert (done.element.id, done.element.text) == (2, "Save")
    assert session_of(desktop, ROOT, SAVE).click("the Save button").note == (
        "clicked [Button] \"Save\" in 'Notes' at (130, 220) by tier 1"
    )


def test_window_is_raised_before_it_is_read(desktop: FakeDesktop) -> None:
    """Changes made by raising the window are read."""
    session = session_of(desktop)
    told = session._looking.read
    desktop.focus(OTHER)
    order: list[bool] = []

    def read(window: object, **how: bool) -> object:
        order.append(desktop.shown[0].id == NOTES.id)
        return told(window, **how)  # type: ignore[arg-type]

    session._looking.read = read  # type: ignore[assignment,method-assign]
    session.click(2)
    assert order == [True]


class Holding(Placed):
    """A field that makes of a text what `shown` says."""

    def __init__(self, *shown: str) -> None:
        super().__init__(FIELD.bbox)
        self.shown = list(shown)

    def text(self) -> str | None:
        return self.shown.pop(0) if len(self.shown) > 1 else self.shown[0]


@pytest.mark.parametrize(
    ("typed", "shown", "verified", "said"),
    [
        ("geheim", ("", "GEHEIM"), False, "something else"),
        ("geheim", ("", ""), False, "as it was"),
        ("a b", ("", "ab"), False, "something else"),
        ("a b", ("", "xa  b"), True, ""),
        ("if:\n  y", ("", "if:\n    y\n"), True, ""),
        (" ", ("ab", "a b"), True, ""),
        ("  ", ("a", "a"), False, "as it was"),
        ("a ", ("", "a"), False, "something else"),
        ("x", ("x", "x"), False, "as it was"),
    ],
)
def test_typing_is_verified_by_field_content(
    desktop: FakeDesktop, typed: str, shown: tuple[str, ...], verified: bool, said: str
) -> None:
    about = {"editable": True, "focused": True, "multiline": True}
    field = replace(FIELD, id=2, text="in", metadata=about)
    done = session_of(desktop, ROOT, field, **{"in": Holding(*shown)}).type(typed)
    assert done.verified is verified
    assert said in done.note


@pytest.mark.parametrize("checked", [True, False])
def test_same_name_elsewhere_does_not_verify_click(desktop: FakeDesktop, checked: bool) -> None:
    """As when the next page of an assistant asks the next question."""
    yes = element(2, "radio", "Yes", (110, 210, 150, 230))

    class Pages(FixedProvider):
        def detect(self, window: Window) -> Detection:
            found = super().detect(window)
            moved = replace(yes, bbox=yes.bbox.translate(0, 80), metadata={"checked": checked})
            return replace(found, targets=(ROOT, moved)) if desktop.presses else found

    device = DesktopDevice(desktop, clock=FakeClock())
    tree = Pages((ROOT, yes), controls=[None, Placed(yes.bbox)])  # type: ignore[list-item]
    assert DesktopSession(device, tree=tree, reader=None, clock=FakeClock()).click("Yes", "Notes").verified is None


def test_only_menu_presses_wait_for_previous_press(
    desktop: FakeDesktop,
) -> None:
    clock = FakeClock()
    session = DesktopSession(DesktopDevice(desktop, clock=clock), tree=FixedProvider(ALL), reader=None, clock=clock)
    session.state("Notes")
    took = []
    for number in (2, 2, 4, 6):
        start = clock.now()
        with pytest.raises(DeviceError, match="disabled") if number == 6 else contextlib.nullcontext():
            session.click(number)
        took.append(clock.now() - start)
    assert max(took[:2]) < 0.2 <= took[2] <= 0.6
    assert took[3] < 2.2


class Rows(Placed):
    """A list of `count` rows of 10 px of which 3 go by at a notch, and a row of it that is scrolled to by nobody else."""

    def __init__(self, desktop: FakeDesktop, count: int, number: int = 0) -> None:
        super().__init__(Box(110, 120, 310, 320))
        self.desktop, self.count, self.number = desktop, count, number

    def _first(self) -> int:
        first = 0
        for _, _, down in self.desktop.wheeled:
            first = max(0, min(self.count - 20, first + 3 * down))
        return first

    def rows(self) -> Sequence[Control]:
        return ()

    def row_at(self, at: Point) -> int | None:
        return self._first() + (at.y - 120) // 10

    def row_number(self) -> int:
        return self.number

    def box(self) -> Box | None:
        place = self.number - self._first()
        return Box(110, 120 + 10 * place, 310, 130 + 10 * place) if 0 <= place < 20 else None

    def scroll_into_view(self) -> None:
        raise DeviceError("it scrolls to no row")


@pytest.mark.parametrize(("count", "found"), [(100, True), (12_000, True), (1_000_000, False)])
def test_wheel_scrolling_is_limited_per_step_and_total(desktop: FakeDesktop, count: int, found: bool) -> None:
    held = element(2, "list", "Files", (110, 120, 310, 320))
    row = element(3, "list item", "Row", (0, 0, 0, 0), parent=2, metadata={"offscreen": True})
    session = session_of(desktop, ROOT, held, row, Files=Rows(desktop, count), Row=Rows(desktop, count, count - 10))
    with contextlib.nullcontext() if found else pytest.raises(DeviceError):
        session.click(3)
    assert max(abs(down) for _, _, down in desktop.wheeled) <= 300
    assert len(desktop.wheeled) <= 40


def test_click_outside_an_open_menu_is_refused(desktop: FakeDesktop) -> None:
    session = session_of(desktop)
    desktop.popups = [popup((110, 130, 200, 200))]
    with pytest.raises(DeviceError, match="only closes it"):
        session.click(2)
    assert not desktop.presses
    session.click(3)  # an entry of the menu bar
    assert desktop.presses[0].at == FILE.center


# -- what becomes another thing while it is aimed at


class Called(Placed):
    """A handle of something that says what it is called now."""

    def __init__(self, box: Box, name: str) -> None:
        super().__init__(box)
        self.was = self.name = name

    def change(self, beside: Sequence[Control]) -> str | None:
        for each in (self, *beside):
            if isinstance(each, Called) and each.name != each.was:
                return f"{each.was!r} is {each.name!r} now"
        return None


def rows(*names: str) -> tuple[list[UIElement], list[Called]]:
    """A button "Delete" beside each name."""
    made = [ROOT]
    for row, name in enumerate(names):
        top = 120 + 40 * row
        made.append(element(len(made) + 1, "text", name, (110, top, 200, top + 20)))
        made.append(element(len(made) + 1, "button", "Delete", (210, top, 290, top + 20)))
    return made, [Called(each.bbox, each.text) for each in made]


@pytest.mark.parametrize("what", [3, "the Delete button to the right of Alice"])
@pytest.mark.parametrize(("changed", "refused"), [(1, True), (2, True), (3, False), (4, False)])
def test_row_renamed_before_press_is_refused(
    desktop: FakeDesktop, what: int | str, changed: int, refused: bool
) -> None:
    """Its own name or its row's label; names in other rows do not matter."""
    elements, controls = rows("Alice", "Bobby")
    session = DesktopSession(
        DesktopDevice(desktop, clock=FakeClock()),
        tree=FixedProvider(elements, controls=controls),
        reader=None,
        clock=FakeClock(),
    )
    state = session.state("Notes")
    assert state.labels(3) == (2,)
    controls[changed].name = "Another"
    if not refused:
        session.click(what, "Notes")
        assert desktop.presses[0].at == elements[2].bbox.center
        return
    for act in (
        lambda: session.click(what, "Notes"),
        lambda: session.drag(what, (9, 9), "Notes"),
        lambda: session.drag(5, what, "Notes"),
    ):
        with pytest.raises(StateChanged, match="'Another' now; nothing was done") as caught:
            act()
        assert caught.value.state is not None
    assert not desktop.presses
