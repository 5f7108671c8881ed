"""Tests of covered, replaced and sorted elements on a real server: menus, lists, popovers and other windows over them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from live_tree import until
from real_app import RealApp, real_app
from Xlib import X
from Xlib.display import Display

from handeye.desktop.appearance import is_alike, picture_signature
from handeye.errors import DeviceError, HandeyeError, StateChanged, UsageError
from handeye.geometry import Point
from handeye.testing.desktop import PrivateDesktop
from optional_programs import SYSTEM_PYTHON, need_gtk

BED = Path(__file__).parent / "beds" / "menus_bed.py"
TITLE = "Menus"


class Bed(RealApp):
    def number(self, role: str, name: str) -> int:
        found = self.element(role, name).id
        assert found is not None
        return found

    def wait_for(self, phrase: str) -> None:
        """Until the application tells of it; the numbers that were listed stay what they are."""

        def look() -> bool | None:
            try:
                return bool(self.find(phrase))
            except HandeyeError:
                return None

        until(look)

    def close_menus(self) -> None:
        for _ in range(2):
            self.session.press("escape")
        self.once(lambda: not self.desktop.backend.menus())


@pytest.fixture(scope="module")
def bed(desktop: PrivateDesktop) -> Iterator[Bed]:
    need_gtk()
    with real_app(desktop, TITLE, SYSTEM_PYTHON, BED, TITLE, kind=Bed) as made:
        made.element("button", "Low")
        yield made


def test_open_menu_covers_elements_below(bed: Bed) -> None:
    beside, told = bed.number("button", "Low"), bed.lines
    below = next(each.id for each in bed.session.state(TITLE).elements if each.text == "Bobby")
    assert below is not None
    bed.session.click("the File menu", TITLE)
    bed.wait_for("Open")
    with pytest.raises(DeviceError, match="covered by a menu"):
        bed.session.click(below)
    with pytest.raises(DeviceError, match="beside"):
        bed.session.click(beside)
    assert bed.lines == told
    bed.session.click("Open", TITLE)
    bed.once(lambda: bed.lines == [*told, "Open"])


def test_open_combo_box_list_covers_elements_below(bed: Bed) -> None:
    number, told = bed.number("button", "Pop"), bed.lines
    bed.session.click(bed.number("combo box", "one"))
    bed.wait_for("three")
    with pytest.raises(DeviceError, match="covered by a menu"):
        bed.session.click(number)
    bed.session.click("three", TITLE)
    bed.once(lambda: bed.lines == [*told, "three"])


def test_open_popover_covers_other_elements(bed: Bed) -> None:
    number, told = bed.number("button", "Low"), bed.lines
    bed.session.click("Pop", TITLE)
    bed.wait_for("Inside")
    with pytest.raises(DeviceError, match="covered"):
        bed.session.click(number)
    bed.session.click("Inside", TITLE)
    bed.once(lambda: bed.lines == [*told, "Inside"])
    bed.close_menus()


def test_popup_of_another_program_is_not_clicked(bed: Bed) -> None:
    number, told = bed.number("button", "Low"), bed.lines
    at = bed.find("the Low button").center
    other = Display(bed.desktop.display)
    root = other.screen().root
    notice = root.create_window(at.x - 20, at.y - 20, 40, 40, 0, X.CopyFromParent, override_redirect=True)
    try:
        notice.map()
        other.sync()
        with pytest.raises(DeviceError, match="covered"):
            bed.session.click(number)
        with pytest.raises(DeviceError, match="covered"):
            bed.session.click_at(at.x, at.y, TITLE)
    finally:
        other.close()
    until(lambda: not bed.desktop.backend.surface_at(at).popup)  # type: ignore[union-attr]
    bed.session.click(number)
    bed.once(lambda: bed.lines == [*told, "Low"])


def test_number_is_refused_after_rows_are_sorted(bed: Bed) -> None:
    number, told = bed.number("button", "Delete"), bed.lines
    bed.session.click("the Sort button", TITLE)
    bed.once(lambda: bed.lines == [*told, "sorted"])
    with pytest.raises(StateChanged, match="among other things") as refused:
        bed.session.click(number)
    assert refused.value.state is not None
    bed.session.click(number)  # as the fresh list has it
    bed.once(lambda: bed.lines == [*told, "sorted", "Delete Carol"])


def test_icon_number_is_refused_after_picture_changes(bed: Bed) -> None:
    def icons() -> list[int]:
        found = [each for each in bed.session.state(TITLE).elements if each.element_type == "button" and not each.text]
        return [each.id for each in found if each.id is not None]

    number, before = icons()[0], len(bed.lines)
    for times in (1, 2):  # the pointer and the keyboard are there the second time
        bed.session.click(number)
        bed.once(lambda wanted=before + times: len(bed.lines) == wanted)  # type: ignore[misc]
    told = bed.lines
    assert told[-1].startswith("icon")
    drawn = bed.session.inspect(number)[0].bbox.translate(-bed.window.box.left, -bed.window.box.top)
    look = picture_signature(bed.session.screenshot(TITLE), drawn)
    bed.session.click("the Sort button", TITLE)
    bed.once(lambda: not is_alike(look, bed.session.screenshot(TITLE), drawn))
    with pytest.raises(StateChanged, match="does not look as it did"):
        bed.session.click(number)
    bed.session.click(number)  # as the fresh list has it
    bed.once(lambda: bed.lines[-1].startswith("icon"))
    assert bed.lines[-1] != told[-1]


def test_disabled_button_and_wrong_input_are_refused(bed: Bed) -> None:
    told = bed.lines
    with pytest.raises(DeviceError, match="disabled"):
        bed.session.click("the Old button", TITLE)
    with pytest.raises(UsageError, match="holds no text"):
        bed.session.type("x", bed.number("button", "Low"))
    field = next(each for each in bed.session.state(TITLE).elements if each.element_type == "input")
    assert field.id is not None
    with pytest.raises(UsageError, match="one line"):
        bed.session.type("a\nb", field.id)
    done = bed.session.type("你 好", field.id)
    assert done.verified is True
    assert done.note.startswith(f"typed 3 characters into [{field.id}] [Edit]")
    assert bed.lines == told


def test_surface_at_point_is_the_window(bed: Bed) -> None:
    backend, window = bed.desktop.backend, bed.window
    there = backend.surface_at(window.box.center)
    assert there is not None
    assert (there.id, there.process, there.popup) == (window.id, window.process, False)
    outside = Point(window.frame.right + 30, window.frame.bottom + 30)
    assert backend.surface_at(outside) is None
    assert backend.menus() == ()
