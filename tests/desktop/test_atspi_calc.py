"""Tests of the accessibility tree of LibreOffice Calc, whose sheet claims 2,147,483,647 children."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest
from live_tree import LiveWindow, live_window
from xtest import mouse_on

from handeye.geometry import Point
from handeye.perceive.atspi import AtspiStateProvider
from handeye.testing.desktop import PrivateDesktop
from optional_programs import need_calc

need_calc()


@pytest.fixture(scope="module")
def sheet(desktop: PrivateDesktop, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveWindow]:
    file = tmp_path_factory.mktemp("calc") / "numbers.csv"
    file.write_text("Fruit,Weight\n苹果,3\nPear,5\n", encoding="utf-8")
    options = ("--norestore", "--nologo", "--nofirststartwizard", "--nolockcheck", "--infilter=CSV:44,34,76,1")
    command, drawn = ("libreoffice", "--calc", *options, file), {"SAL_USE_VCLPLUGIN": "gtk3"}
    with (
        AtspiStateProvider(environment=desktop.environment, deadline_s=10.0) as provider,
        live_window(
            desktop, file.name, *command, provider=provider, environment=drawn, ends_by=signal.SIGTERM
        ) as window,
    ):
        window.find("cell", "Fruit")
        yield window


def test_only_visible_cells_of_huge_sheet_are_read(sheet: LiveWindow) -> None:
    detection = sheet.read()
    cells = {each.description or each.text: each for each in detection.targets if each.element_type == "cell"}
    table = next(each for each in detection.targets if each.element_type == "table")
    assert {"A1", "B1", "A2", "B3", "C4"} <= set(cells)
    assert 50 < len(cells) < 3000
    assert any("2,147,483,647 children" in note for note in detection.notes)
    assert all(table.bbox.intersect(cell.bbox) is not None for cell in cells.values())


def test_cell_has_its_text_and_box(sheet: LiveWindow) -> None:
    cell, control = sheet.find("cell", "A2")
    assert cell.text == "苹果"
    assert control.text() == "苹果"
    assert control.box() == cell.bbox


def test_control_and_tree_agree_on_bounding_boxes(sheet: LiveWindow) -> None:
    """Before the pointer has moved, LibreOffice reports its own elements 27 pixels too high, but not native fields."""
    names = {"A1", "C5", "D12", "Bold", "Liberation Sans", "Print"}
    targets, controls = sheet.read()
    handles = [
        (each, control)
        for each, control in zip(targets, controls, strict=True)
        if control is not None and {each.text, each.description} & names and each.bbox.area
    ]
    assert {each.element_type for each, _ in handles} >= {"cell", "button", "input"}
    assert [control.box() for _, control in handles] == [each.visible_region or each.bbox for each, _ in handles]
    with mouse_on(sheet.desktop.display) as mouse:
        for at in ((400, 400), (405, 405)):
            mouse.move(Point(*at))
    sheet.read()
    assert [control.box() for _, control in handles] == [each.visible_region or each.bbox for each, _ in handles]
    again = {each.id: each.bbox for each in sheet.read().targets}
    assert [again[each.id] for each, _ in handles] == [each.bbox for each, _ in handles]


def test_cell_boxes_form_rows_and_columns(sheet: LiveWindow) -> None:
    boxes = {each.description: each.bbox for each in sheet.read().targets if each.element_type == "cell"}
    a1, b1, a2 = (boxes[name] for name in ("A1", "B1", "A2"))
    assert (a1.right, a1.top, a1.bottom) == (b1.left, b1.top, b1.bottom)
    assert (a1.bottom, a1.left, a1.right) == (a2.top, a2.left, a2.right)


def test_menus_and_tools_are_listed_once(sheet: LiveWindow) -> None:
    """LibreOffice has a second, hidden menu bar whose menus report that they are visible."""
    told = [(each.element_type, each.text) for each in sheet.read().targets]
    assert told.count(("menu", "File")) == 1
    assert ("button", "Print") in told
