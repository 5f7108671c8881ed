"""Tests of the Qt 6 test application (PySide6), which reports what happens to it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from real_app import CHINESE, RealApp, real_app

from handeye.errors import AmbiguousTarget, DeviceError, TargetNotFound
from handeye.testing.desktop import PrivateDesktop
from optional_programs import need_pyside

need_pyside()
BED = Path(__file__).parent / "beds" / "qt_bed.py"
TITLE = "By hand"


class Bed(RealApp):
    @property
    def told(self) -> Mapping[str, Any]:
        return self.lines[-1] if self.lines else {"clicks": {}, "menu": [], "texts": {}, "checked": {}}

    def turn_to(self, tab: str) -> None:
        number = self.element("tab", tab).id
        assert number is not None
        self.session.click(number)

    def clicked(self, name: str, times: int) -> None:
        self.once(lambda: self.told["clicks"].get(name, 0) == times)


@pytest.fixture(scope="module")
def bed(desktop: PrivateDesktop) -> Iterator[Bed]:
    with real_app(desktop, TITLE, sys.executable, BED, "--title", TITLE, kind=Bed) as app:
        app.element("button", "Save")
        yield app


def test_button_is_clicked_by_chinese_name(bed: Bed) -> None:
    bed.session.click("保存", TITLE)
    bed.clicked("保存", 1)


def test_typed_text_is_verified_failed_or_undecided(bed: Bed) -> None:
    assert bed.session.type(CHINESE, into="the Name field", window=TITLE).verified is True
    bed.once(lambda: bed.told["texts"]["Name"] == CHINESE)
    assert bed.session.type("s3cret", into="the Password field", window=TITLE).verified is None
    assert bed.session.type("letters", into="Copies", window=TITLE).verified is False  # it takes digits only


@pytest.mark.parametrize("phrase", ["Remember me", "the Low radio button"])
def test_check_box_and_radio_clicks_are_verified(bed: Bed, phrase: str) -> None:
    assert bed.session.click(phrase, TITLE).verified is True


def test_menu_and_submenu_are_listed(bed: Bed) -> None:
    bed.session.click("File", TITLE)
    bed.element("menu item", "Save as")
    bed.session.click("Recent", TITLE)
    bed.element("menu item", "report.txt")
    assert {"New", "Save as", "report.txt", "照片.png"} <= bed.names("menu item")
    bed.session.click("照片.png", TITLE)
    bed.once(lambda: bed.told["menu"] == ["照片.png"])


def test_entry_is_clicked_in_its_closed_menu(bed: Bed) -> None:
    bed.session.click("找到File菜单中的'Open'选项", TITLE)
    bed.once(lambda: bed.told["menu"][-1:] == ["Open"])
    found = bed.session.find("the report.txt item in the File menu", TITLE)
    assert [each.text for each in found.menus] == ["File", "Recent"]
    bed.session.click("the Copy item in the Edit menu", TITLE)  # while the other one is open
    bed.once(lambda: bed.told["menu"][-1:] == ["Copy"])
    told = bed.told["menu"]
    with pytest.raises(
        TargetNotFound, match="menus that were opened: the menu item 'File', then the menu item 'Recent'"
    ):
        bed.session.find("the Banana item in the File menu", TITLE)
    assert (bed.desktop.backend.menus(), bed.told["menu"]) == ((), told)


def test_text_area_overlaps_no_other_controls(bed: Bed) -> None:
    bed.turn_to("Text")
    bed.once(lambda: any(each.description == "Notes" for each in bed.session.state(TITLE).elements))
    area, elements = bed.find("定位代码编辑区域"), bed.session.state(TITLE).elements
    others = [
        each for each in elements if each.element_type in ("menu bar", "toolbar", "tree", "list", "status bar", "tab")
    ]
    assert len(others) == 8
    assert not [other for other in others if area.bbox.intersect(other.bbox) is not None]
    assert area.bbox.area > 0.6 * bed.window.box.area
    assert bed.session.type(CHINESE, into="the text area", window=TITLE).verified is True
    bed.once(lambda: bed.told["texts"]["Notes"] == CHINESE)
    bed.turn_to("Form")
    bed.element("button", "Cancel")


def test_numbers_hold_while_the_window_moves(bed: Bed) -> None:
    before = bed.told["clicks"].get("Cancel", 0)
    cancel = bed.element("button", "Cancel")
    assert cancel.id is not None
    for times, (dx, dy) in enumerate([(37, -23), (-64, 41)], 1):
        bed.move(dx, dy)
        bed.session.click(cancel.id)
        bed.clicked("Cancel", before + times)


def test_covered_window_is_raised_for_numbered_click(bed: Bed) -> None:
    before = bed.told["clicks"].get("Print", 0)
    button = bed.element("button", "Print")
    assert button.id is not None
    over = bed.desktop.launch(sys.executable, BED, "--title", "Over it", wait_for_title="Over it")
    bed.session.focus("Over it")
    bed.session.click(button.id, TITLE)
    bed.clicked("Print", before + 1)
    over.kill()
    over.wait()


def test_single_drawing_is_clicked_only_without_a_name(bed: Bed) -> None:
    bed.session.click("the icon in Sketch", TITLE)
    bed.clicked("heart", 1)
    with pytest.raises(TargetNotFound, match="nobody can say which drawing it is"):
        bed.session.click("the star icon in Sketch", TITLE)


def test_ambiguous_missing_and_offscreen_targets_are_refused(bed: Bed) -> None:
    with pytest.raises(AmbiguousTarget):
        bed.session.click("the splitter", TITLE)
    with pytest.raises(TargetNotFound, match="tier 3a"):
        bed.session.click("the star icon in Quality", TITLE)
    with pytest.raises(DeviceError, match="on no monitor"):
        bed.session.click_at(5000, 5000)
