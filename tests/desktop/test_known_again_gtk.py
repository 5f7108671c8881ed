"""Tests of numbers in a real window whose rows are sorted, with changing labels beside every button."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from live_tree import until
from real_app import RealApp, real_app

from handeye.clock import SystemClock
from handeye.desktop import DesktopSession, SavedStates, WindowState
from handeye.devices import DesktopDevice
from handeye.errors import StateChanged
from handeye.testing.desktop import PrivateDesktop
from optional_programs import SYSTEM_PYTHON, need_gtk

BED = Path(__file__).parent / "beds" / "rows_bed.py"
TITLE = "Rows that change places"


class Bed(RealApp):
    def numbers(self, name: str) -> list[int]:
        """Of the buttons of that name, in a fresh list."""
        elements = self.session.state(TITLE).elements
        return [each.id for each in elements if each.element_type == "button" and each.text == name and each.id]

    def running(self) -> set[str]:
        """The clock and the percentage, without a new list."""
        found = self.session._looking.read(self.window, infer=False, vision=False).elements
        return {each.text for each in found if each.element_type == "text" and (":" in each.text or "%" in each.text)}

    def sort(self) -> None:
        told = self.lines
        self.session.click("the Sort button", TITLE)
        self.once(lambda: self.lines == [*told, "sorted"])


@pytest.fixture(scope="module")
def bed(desktop: PrivateDesktop) -> Iterator[Bed]:
    need_gtk()
    with real_app(desktop, TITLE, SYSTEM_PYTHON, BED, TITLE, kind=Bed) as made:
        made.element("button", "Value")
        yield made


@pytest.mark.parametrize("name", ["Eighth", "Image", "Buy", "Below", "Value", ""])
def test_number_is_refused_after_rows_are_sorted(bed: Bed, name: str) -> None:
    first = bed.numbers(name)[0]
    bed.sort()
    told = bed.lines
    with pytest.raises(StateChanged):
        bed.session.click(first)
    assert bed.lines == told
    bed.session.click(first)  # as the fresh list has it
    bed.once(lambda: len(bed.lines) == len(told) + 1)


@pytest.mark.parametrize("name", ["Refresh", "Stop", "Inbox", "Cancel", "Next"])
def test_changing_labels_keep_button_number_valid(bed: Bed, name: str) -> None:
    (number,) = bed.numbers(name)
    running, told = bed.running(), bed.lines
    assert len(running) == 2
    until(lambda: running.isdisjoint(bed.running()) or None)
    bed.session.click(number)
    bed.once(lambda: bed.lines == [*told, name])


def test_indistinguishable_buttons_are_identified_by_object(bed: Bed, tmp_path: Path) -> None:
    """Also in another process, which has only the saved file."""
    kept = SavedStates("linux:", tmp_path)
    for number, name in enumerate("abc"):
        opens = bed.numbers("Open")
        told = bed.lines
        bed.session.click(opens[number])
        bed.once(lambda told=told, name=name: bed.lines == [*told, f"Open {name}"])  # type: ignore[misc]
    kept.keep(bed.session.state(TITLE))
    told = bed.lines
    bed.session.click("the Turn button", TITLE)
    bed.once(lambda: bed.lines == [*told, "turned"])
    with DesktopSession(DesktopDevice(bed.desktop.backend), reader=None) as session:
        for number in opens:
            session.recall(kept.last())
            with pytest.raises(StateChanged, match="another button 'Open' stands there now"):
                session.click(number)
        session.click(opens[0])  # as the fresh list has it
    bed.once(lambda: bed.lines == [*told, "turned", "Open c"])


class Meanwhile(SystemClock):
    """Something is done at the first pause, which is made between the last reading and the press."""

    def __init__(self) -> None:
        self.act: Callable[[], object] | None = None

    def sleep(self, seconds: float) -> None:
        act, self.act = self.act, None
        if act is not None:
            act()
        super().sleep(seconds)


@pytest.mark.parametrize("named", [True, False], ids=["by number", "by phrase"])
def test_row_relabelled_before_press_is_refused(bed: Bed, named: bool) -> None:
    """The button is the same, at the same position: only its label has other text."""
    clock = Meanwhile()
    with DesktopSession(DesktopDevice(bed.desktop.backend), reader=None, clock=clock) as session:
        state = session.state(TITLE)
        swap = next(state.control(each.id) for each in state.elements if each.text == "Swap" and each.id)
        assert swap is not None
        keep = next(each.id for each in state.elements if each.text == "Keep" and each.id)
        was = state.identities[keep - 1].among
        assert len(was) == 1

        def swapped() -> None:
            told = bed.lines
            swap.invoke()
            bed.once(lambda: bed.lines == [*told, "swapped"])

        told = bed.lines
        clock.act = swapped
        with pytest.raises(StateChanged, match=f"'{was[0]}' is '(Alice|Bobby)' now") as caught:
            session.click(keep if named else f"the Keep button below {was[0]}", TITLE)
        assert bed.lines == [*told, "swapped"]
        assert isinstance(caught.value.state, WindowState)
        assert caught.value.state.identities[keep - 1].among != was
        session.click(keep)  # as the fresh list has it
        now = caught.value.state.identities[keep - 1].among[0]
        bed.once(lambda: bed.lines == [*told, "swapped", f"Keep {now}"])
