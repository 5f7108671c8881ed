"""Tests of LibreOffice Calc: cells by name, Chinese text in a cell, menus."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from real_app import RealApp, real_app

from handeye.testing.desktop import PrivateDesktop
from optional_programs import need_calc

need_calc()


@pytest.fixture(scope="module")
def sheet(desktop: PrivateDesktop) -> Iterator[RealApp]:
    command = ("libreoffice", "--calc", "--norestore", "--nologo", "--nofirststartwizard")
    with real_app(desktop, "Calc", *command) as app:
        # Calc lays itself out anew several times while it starts; what moves is not pressed.
        app.once(lambda: app.element("cell", "B2").bbox == app.element("cell", "B2").bbox)
        yield app


def test_chinese_typed_into_cell_is_read_back(sheet: RealApp) -> None:
    sheet.session.click("B2", sheet.title)
    assert sheet.session.type("你好", window=sheet.title).verified in (True, None)  # a cell tells once it is entered
    sheet.session.press("enter")
    sheet.once(lambda: sheet.element("cell", "你好").description == "B2")


def test_click_on_cell_selects_it(sheet: RealApp) -> None:
    """Calc's name box, beside the formula, shows the current cell."""
    sheet.session.click("C4", sheet.title)
    field = sheet.element("input", "C4")
    assert sheet.element("toolbar", "Formula Tool Bar").bbox.intersect(field.bbox) == field.bbox


def test_text_area_is_the_sheet(sheet: RealApp) -> None:
    area, elements = sheet.find("定位代码编辑区域"), sheet.session.state(sheet.title).elements
    assert area.element_type == "document"
    (first,) = (each for each in elements if "A1" in (each.text, each.description) and each.element_type == "cell")
    assert (area.bbox.left, area.bbox.top) == (first.bbox.left, first.bbox.top)
    bars = [each for each in elements if each.element_type in ("menu bar", "toolbar", "status bar")]
    assert len(bars) >= 5
    assert not [bar for bar in bars if area.bbox.intersect(bar.bbox) is not None]
    assert area.bbox.area > 0.5 * sheet.window.box.area


def test_number_is_clicked_after_window_moved(sheet: RealApp) -> None:
    cell = sheet.element("cell", "D5")
    assert cell.id is not None
    sheet.move(40, 30)
    sheet.session.click(cell.id)
    sheet.element("input", "D5")


def test_menu_and_submenu_are_listed(sheet: RealApp) -> None:
    sheet.session.click("the Format menu", sheet.title)
    sheet.element("menu item", "Cells...")
    sheet.session.click("Align Text", sheet.title)
    sheet.element("menu item", "Justified")
    assert "Cells..." in sheet.names("menu item")
    for _ in range(3):
        sheet.session.press("escape")
