"""Tests of element numbers: when they stay valid, when they are refused, and how they are saved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from listed import NOTES, PLAIN, element

from handeye.desktop import DesktopSession, SavedStates, WindowState
from handeye.devices import DesktopDevice
from handeye.elements import UIElement
from handeye.errors import DeviceError, StateChanged, UsageError
from handeye.geometry import Box, Point
from handeye.perceive import Control, Detection
from handeye.testing.desktop_fake import FakeDesktop, Press, fake_window
from handeye.testing.perceiving import FixedProvider

OTHER = fake_window(8, "Other", Box(600, 100, 900, 400))


class Told:
    """A provider whose window can change between two looks; its boxes move with the window."""

    name = "told"

    def __init__(self, targets: Sequence[UIElement] = PLAIN) -> None:
        self.targets = tuple(targets)

    def detect(self, window: object) -> Detection:
        moved = (window.box.left - NOTES.box.left, window.box.top - NOTES.box.top)  # type: ignore[attr-defined]
        placed = tuple(replace(each, bbox=each.bbox.translate(*moved)) for each in self.targets)
        return Detection(placed, (None,) * len(placed))


def session_of(desktop: FakeDesktop, told: Told) -> DesktopSession:
    return DesktopSession(DesktopDevice(desktop), tree=told, reader=None)


@pytest.fixture
def desktop() -> FakeDesktop:
    return FakeDesktop([replace(NOTES, focused=True), OTHER])


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def session(desktop: FakeDesktop, told: Told) -> DesktopSession:
    session = session_of(desktop, told)
    session.state("Notes")
    return session


def clicked(desktop: FakeDesktop) -> list[Point]:
    return [each.at for each in desktop.presses if each.what == "left" and each.down]


def test_click_on_number_hits_the_centre(session: DesktopSession, desktop: FakeDesktop) -> None:
    session.click(2)
    assert desktop.presses == [Press("left", True, Point(130, 120)), Press("left", False, Point(130, 120))]


def test_number_is_valid_after_window_moved(session: DesktopSession, desktop: FakeDesktop) -> None:
    desktop.move_window(7, 31, 17)
    session.click(2)
    assert clicked(desktop) == [Point(161, 137)]


def test_number_holds_when_other_elements_change_and_reorder(
    session: DesktopSession, desktop: FakeDesktop, told: Told
) -> None:
    told.targets = (
        PLAIN[0],
        element(2, "text", "Loading", (300, 300, 360, 320), parent=1),
        replace(PLAIN[2], id=3),
        replace(PLAIN[1], id=4),
    )
    session.click(2)
    assert clicked(desktop) == [Point(130, 120)]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"text": "Send"}, "called 'Send'|no longer where"),
        ({"bbox": Box(110, 111, 150, 131)}, "stands at"),
        ({"element_type": "link"}, "no longer where it was"),
        ({"parent": 4}, "elsewhere in the tree"),
        ({"metadata": {"offscreen": True}}, "stands at"),
    ],
)
def test_a_number_whose_element_changed_is_refused(
    session: DesktopSession, desktop: FakeDesktop, told: Told, changed: dict[str, object], said: str
) -> None:
    told.targets = (PLAIN[0], replace(PLAIN[1], **changed), *PLAIN[2:])  # type: ignore[arg-type]
    with pytest.raises(StateChanged, match=said) as refused:
        session.click(2)
    assert isinstance(refused.value.state, WindowState)
    assert refused.value.state.elements[1].element_type == told.targets[1].element_type
    assert not desktop.presses


def test_number_of_closed_window_is_refused(session: DesktopSession, desktop: FakeDesktop) -> None:
    desktop.close_window(7)
    with pytest.raises(StateChanged, match="closed"):
        session.click(2)


def test_reused_window_id_of_other_process_is_refused(session: DesktopSession, desktop: FakeDesktop) -> None:
    desktop.change(7, process=4242)
    with pytest.raises(StateChanged, match="closed"):
        session.click(2)


def test_identical_elements_have_different_identities(desktop: FakeDesktop) -> None:
    twins = (PLAIN[0], PLAIN[1], replace(PLAIN[1], id=3), replace(PLAIN[1], id=4))
    state = WindowState(NOTES, Detection(twins, (None,) * 4))
    assert len(set(state.identities)) == 4


class Scrolling:
    """A handle of something that its application scrolls to `to`; None: it does not."""

    def __init__(self, to: Box | None) -> None:
        self._to = to
        self._now: Box | None = None

    def scroll_into_view(self) -> None:
        self._now = self._to

    def box(self) -> Box | None:
        return self._now


@pytest.mark.parametrize("to", [Box(110, 350, 300, 370), None])
def test_offscreen_element_is_scrolled_in_before_click(desktop: FakeDesktop, to: Box | None) -> None:
    hidden = element(2, "list item", "Omega", (0, 0, 0, 0), parent=1, metadata={"offscreen": True})
    control: Control = Scrolling(to)  # type: ignore[assignment]
    session = DesktopSession(
        DesktopDevice(desktop), tree=FixedProvider([PLAIN[0], hidden], controls=[None, control]), reader=None
    )
    session.state("Notes")
    if to is not None:
        session.click(2)
        assert clicked(desktop) == [to.center]
        return
    with pytest.raises(DeviceError, match="did not scroll"):
        session.click(2)
    assert not desktop.presses


def test_element_covered_by_another_window_is_refused(session: DesktopSession, desktop: FakeDesktop) -> None:
    desktop.shown = [fake_window(9, "Over", Box(90, 60, 200, 200)), *desktop.shown]
    with pytest.raises(DeviceError, match="Over"):
        session.click(2)
    assert not desktop.presses


def test_resized_window_is_read_again_before_click(session: DesktopSession, desktop: FakeDesktop) -> None:
    desktop.change(7, box=Box(100, 100, 600, 500), frame=Box(98, 80, 602, 502))
    session.click(2)  # the button has its place in the window still
    assert clicked(desktop) == [Point(130, 120)]


def test_drag_ends_at_number_or_offset(session: DesktopSession, desktop: FakeDesktop) -> None:
    session.drag(2, 3)
    assert (desktop.presses[0].at, desktop.presses[-1].at) == (Point(130, 120), Point(180, 120))
    session.drag(3, (-20, 5))
    assert desktop.presses[-1].at == Point(160, 125)


@pytest.mark.parametrize("number", [0, -1, 6, 10**6])
def test_unlisted_number_is_refused(session: DesktopSession, number: int) -> None:
    with pytest.raises(UsageError, match="none of the 5"):
        session.click(number)


def test_number_is_refused_before_any_listing(desktop: FakeDesktop, told: Told) -> None:
    with pytest.raises(UsageError, match="handeye state"):
        session_of(desktop, told).click(1)


def test_saved_numbers_work_in_next_process(
    session: DesktopSession, desktop: FakeDesktop, told: Told, tmp_path: Path
) -> None:
    SavedStates("fake:", tmp_path).keep(session.state("Notes"))
    later = session_of(desktop, told)
    later.recall(SavedStates("fake:", tmp_path).last())
    later.click(3)
    assert clicked(desktop) == [Point(180, 120)]
    with pytest.raises(UsageError, match="handeye state"):
        SavedStates("fake:other", tmp_path).last()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "cannot be read"),
        (b"\xff\x00", "cannot be read"),
        (b"{}", "by another version"),
        (b"[]", "by another version"),
        (b'{"format": 1, "window": "x"}', "by another version"),
    ],
)
def test_unreadable_saved_numbers_are_refused(
    session: DesktopSession, tmp_path: Path, content: bytes, why: str
) -> None:
    kept = SavedStates("fake:", tmp_path)
    kept.keep(session.state("Notes"))
    for file in tmp_path.rglob("*.json"):
        assert file.stat().st_mode & 0o077 == 0
        file.write_bytes(content)
    with pytest.raises(UsageError, match=f"{why}.*; list its elements first: handeye state$"):
        kept.last()


def test_field_text_is_not_saved(tmp_path: Path) -> None:
    secret = UIElement("input", "Name", Box(1, 1, 9, 9), text="hunter2", id=1)
    SavedStates("fake:", tmp_path).keep(WindowState(NOTES, Detection((secret,), (None,))))
    assert not any(b"hunter2" in file.read_bytes() for file in tmp_path.rglob("*.json"))
