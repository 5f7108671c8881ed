"""Tests of the UI Automation adapter against a scripted one: error codes, and the properties read of each element."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from uia_com_fake import CUSTOM, GROUP, IMAGE, PANE, TITLE_BAR, WINDOW, ComFault, Element, FakeUia

from handeye.devices import Window
from handeye.errors import DeviceError, DeviceLost, TreeFailed
from handeye.geometry import Box
from handeye.perceive import Control, Pattern, Property
from handeye.perceive.uia import UIAStateProvider
from handeye.perceive.uia.api import CallTimedOut
from handeye.perceive.uia.com import ComApi
from handeye.perceive.uia.elements import element_of, place
from handeye.perceive.uia.vocabulary import AVAILABLE, OF_EVERY_ELEMENT

TOP, MENU = 0x10102, 0x10203
NOTES = Window(TOP, "笔记", Box(0, 0, 300, 200), Box(0, 0, 300, 200))

TIMEOUT, GONE, SERVER_DIED, CALL_REJECTED = 0x80131505, 0x80040201, 0x80010007, 0x80010001
CALL_FAILED, DISCONNECTED, SERVER_FAULT, RETRY_LATER = 0x800706BE, 0x80010108, 0x80010105, 0x8001010A
INVALID_WINDOW, INVALID_ARGUMENT = 0x80070578, 0x80070057


class QuickClock:
    """A clock on which only waiting takes time."""

    def __init__(self) -> None:
        self.time = 0.0

    def now(self) -> float:
        return self.time

    def wall(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time += seconds


@pytest.fixture
def uia() -> FakeUia:
    return FakeUia({TOP: Element("笔记", WINDOW, [Element("Save")])})


@pytest.fixture
def api(uia: FakeUia) -> Iterator[ComApi]:
    api = ComApi(QuickClock(), uia.connect)
    yield api
    api.close()


def names(api: ComApi, *windows: int) -> list[list[str]]:
    return [[child.text_of(Property.NAME) for child in root.children] for root in api.tree(windows).roots]


# -- errors


@pytest.mark.parametrize("code", [CALL_REJECTED, RETRY_LATER])
def test_rejected_call_is_retried(uia: FakeUia, api: ComApi, code: int) -> None:
    uia.faults = [ComFault(code)] * 3
    assert names(api, TOP) == [["Save"]]
    assert uia.requests == 4


def test_permanently_busy_application_is_reported(uia: FakeUia, api: ComApi) -> None:
    uia.faults = [ComFault(CALL_REJECTED)] * 99
    with pytest.raises(TreeFailed, match="busy"):
        api.tree((TOP,))
    assert 5 < uia.requests < 30


@pytest.mark.parametrize("code", [CALL_FAILED, SERVER_DIED, DISCONNECTED, SERVER_FAULT, GONE])
def test_dead_subtree_loses_only_its_own_elements(uia: FakeUia, api: ComApi, code: int) -> None:
    """As when one of several processes that draw a window has ended."""
    dead = Element("web view", PANE, [Element("lost")], breaks=ComFault(code))
    uia.windows[TOP] = Element("笔记", WINDOW, [Element("Save"), dead])
    uia.faults = [ComFault(code)]
    tree = api.tree((TOP,))
    assert [child.text_of(Property.NAME) for child in tree.roots[0].children] == ["Save", "web view"]
    assert tree.notes == ("1 of its elements did not say what they hold",)


@pytest.mark.parametrize("code", [CALL_FAILED, 0x800706BA, 0x800706BF, SERVER_DIED, 0x80010012, DISCONNECTED])
def test_exited_application_raises_device_lost(uia: FakeUia, api: ComApi, code: int) -> None:
    uia.faults, uia.root_fault = [ComFault(code)], ComFault(code)
    with pytest.raises(DeviceLost, match="the application is gone"):
        api.tree((TOP,))


def test_a_hanging_application_is_not_asked_twice(uia: FakeUia, api: ComApi) -> None:
    uia.faults, uia.root_fault = [ComFault(TIMEOUT)], AssertionError("asked step by step")
    with pytest.raises(CallTimedOut, match="hangs, or is busy"):
        api.tree((TOP,))


@pytest.mark.parametrize("code", [INVALID_WINDOW, INVALID_ARGUMENT, GONE])
def test_closed_window_error_names_the_window(uia: FakeUia, api: ComApi, code: int) -> None:
    uia.windows.clear()
    uia.faults, uia.root_fault = [ComFault(code)], ComFault(code)
    with pytest.raises(TreeFailed, match=r"笔记.*the window is gone"):
        UIAStateProvider(api=api).detect(NOTES)


def test_missing_root_of_existing_window_fails(uia: FakeUia, api: ComApi) -> None:
    uia.faults, uia.root_fault = [ComFault(GONE)], ComFault(GONE)
    with pytest.raises(TreeFailed, match=r"笔记.*it is gone"):
        UIAStateProvider(api=api).detect(NOTES)


def test_closed_menu_is_left_out(uia: FakeUia, api: ComApi) -> None:
    assert names(api, TOP, MENU) == [["Save"]]
    assert api.tree((TOP, MENU)).notes == ()


def test_unreadable_open_menu_is_noted(uia: FakeUia, api: ComApi) -> None:
    uia.windows[MENU] = None  # type: ignore[assignment]  # there, and UI Automation gives a null pointer
    assert api.tree((TOP, MENU)).notes == ("an open menu or list of its program could not be read: it is gone",)


def test_unknown_error_code_is_shown_in_hexadecimal(uia: FakeUia, api: ComApi) -> None:
    uia.faults, uia.root_fault = [ComFault(0x8000FFFF)], ComFault(0x8000FFFF)
    with pytest.raises(DeviceError, match="0x8000FFFF"):
        api.tree((TOP,))


def test_reading_stops_at_its_time_limit(uia: FakeUia) -> None:
    """Our own time for 20,000 elements counts too, besides the application's."""
    clock = QuickClock()
    slow = [Element(f"row {number}", slowness=lambda: clock.sleep(0.01)) for number in range(2_000)]
    uia.windows[TOP] = Element("笔记", WINDOW, slow)
    api = ComApi(clock, uia.connect)
    tree = api.tree((TOP,))
    api.close()
    assert 10 < len(tree.roots[0].children) < 1_000
    assert tree.notes == ("the window has so many elements that not all could be read in time",)


# -- rights


def test_empty_window_of_elevated_program_is_noted(uia: FakeUia, api: ComApi) -> None:
    uia.windows[TOP] = Element("Setup", WINDOW, [Element("", TITLE_BAR)])
    assert api.tree((TOP,)).notes == ()  # a window may be empty
    uia.elevated.add(TOP)
    (note,) = api.tree((TOP,)).notes
    assert "more rights" in note


def test_readable_elevated_window_has_no_note(uia: FakeUia, api: ComApi) -> None:
    uia.elevated.add(TOP)
    assert api.tree((TOP,)).notes == ()


# -- dialogs


def save_of(api: ComApi) -> Control:
    found = UIAStateProvider(api=api).detect(NOTES)
    (control,) = [
        control for element, control in zip(found.targets, found.controls, strict=True) if element.text == "Save"
    ]
    assert control is not None
    return control


def with_dialog(uia: FakeUia, code: int = TIMEOUT) -> list[str]:
    """Save opens a dialog, and answers only when UI Automation has given up, or with the error `code`."""
    pressed: list[str] = []

    def press() -> None:
        pressed.append("Save")
        raise ComFault(code)

    save = Element("Save", told={AVAILABLE[Pattern.INVOKE]: True}, does=press)
    uia.windows[TOP] = Element("笔记", WINDOW, [save])
    return pressed


def test_press_that_opens_dialog_succeeds(uia: FakeUia, api: ComApi) -> None:
    pressed = with_dialog(uia)
    save_of(api).invoke()
    assert pressed == ["Save"]


def test_rejected_press_is_not_repeated(uia: FakeUia, api: ComApi) -> None:
    """A second program, asked by the application after the press, may have rejected the call."""
    pressed = with_dialog(uia, CALL_REJECTED)
    with pytest.raises(TreeFailed, match="busy"):
        save_of(api).invoke()
    assert pressed == ["Save"]


def test_program_hanging_after_press_fails(uia: FakeUia, api: ComApi) -> None:
    pressed = with_dialog(uia)
    uia.pumping.clear()
    with pytest.raises(TreeFailed, match="does not answer"):
        save_of(api).invoke()
    assert pressed == ["Save"]


# -- what is read


@pytest.mark.parametrize("kind", [GROUP, IMAGE, PANE])
def test_groups_images_and_panes_have_their_patterns(uia: FakeUia, api: ComApi, kind: int) -> None:
    offered = {AVAILABLE[one]: True for one in (Pattern.INVOKE, Pattern.EXPAND_COLLAPSE, Pattern.SCROLL_ITEM)}
    uia.windows[TOP] = Element("笔记", WINDOW, [Element("Advanced", kind, told=offered), Element("plain", kind)])
    pressable, plain = api.tree((TOP,)).roots[0].children
    assert pressable.patterns == {Pattern.INVOKE, Pattern.EXPAND_COLLAPSE, Pattern.SCROLL_ITEM}
    assert plain.patterns == frozenset()
    found = UIAStateProvider(api=api).detect(NOTES).targets
    assert [each.interactive for each in found[1:]] == [True, False]


def test_expandable_group_is_not_interactive(uia: FakeUia, api: ComApi) -> None:
    folds = {AVAILABLE[Pattern.EXPAND_COLLAPSE]: True, Property.EXPAND_COLLAPSE_EXPAND_COLLAPSE_STATE: 0}
    uia.windows[TOP] = Element("笔记", WINDOW, [Element("Advanced", GROUP, told=folds)])
    found = UIAStateProvider(api=api).detect(NOTES)
    assert not found.targets[1].interactive
    assert found.controls[1] is not None
    assert found.controls[1].offers == {"expand"}


class Used(dict[int, Any]):
    """Properties that know which of them were used."""

    def __init__(self, told: Mapping[int, Any]) -> None:
        super().__init__(told)
        self.used: set[int] = set()

    def get(self, number: int, otherwise: Any = None) -> Any:
        self.used.add(number)
        return super().get(number, otherwise)


def test_no_unused_properties_are_read(uia: FakeUia, api: ComApi) -> None:
    uia.windows[TOP] = Element("笔记", WINDOW, [Element("drawn", CUSTOM)])
    root = api.tree((TOP,)).roots[0]
    (drawn,) = root.children
    assert isinstance(drawn.handle, Element)
    assert len(drawn.handle.asked) == len(OF_EVERY_ELEMENT) + len(AVAILABLE)
    used = Used(drawn.properties)
    drawn.properties = used
    for placed in place([root]):
        element_of(placed)
    assert used.used >= set(OF_EVERY_ELEMENT)


def test_batch_refresh_returns_none_for_removed_elements(api: ComApi) -> None:
    there, gone, null = Element("Save"), Element("Alice"), Element("Bobby")
    gone.updated = ComFault(GONE)
    null.updated = None
    told = [node and node.text_of(Property.NAME) for node in api.look_all([there, gone, null, there])]
    assert told == ["Save", None, None, "Save"]


@pytest.mark.parametrize(
    ("code", "kind"),
    [(SERVER_DIED, DeviceLost), (TIMEOUT, CallTimedOut), (SERVER_FAULT, DeviceError), (CALL_REJECTED, TreeFailed)],
)
def test_failed_refresh_is_an_error_not_none(api: ComApi, code: int, kind: type[DeviceError]) -> None:
    broken = Element("Alice")
    broken.updated = ComFault(code)
    with pytest.raises(kind):
        api.look_all([Element("Save"), broken])
