"""Tests of trees and controls of a Qt 6 application."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from live_tree import LiveWindow, check_click_at_double_size, live_window, until
from xtest import mouse_on

from handeye.errors import DeviceError, UnsupportedAction
from handeye.testing.desktop import PrivateDesktop
from optional_programs import need_pyside

need_pyside()

BED = Path(__file__).parent / "beds" / "qt_bed.py"
TITLE = "Qt 6 tree"


@pytest.fixture(scope="module")
def bed(desktop: PrivateDesktop) -> Iterator[LiveWindow]:
    with live_window(desktop, TITLE, sys.executable, BED, "--title", TITLE, "--rows", "300") as window:
        window.find("button", "Save")
        yield window


def test_window_is_first_and_parents_precede_children(bed: LiveWindow) -> None:
    detection = bed.read()
    first = detection.targets[0]
    assert (first.element_type, first.text, first.bbox) == ("window", TITLE, bed.window.box)
    assert [element.id for element in detection.targets] == list(range(1, len(detection.targets) + 1))
    assert all(element.parent is None or element.parent < element.id for element in detection.targets)
    assert len(detection.controls) == len(detection.targets)


def test_every_kind_of_control_has_its_role(bed: LiveWindow) -> None:
    roles = {element.element_type for element in bed.read().targets}
    assert roles >= {
        *("window", "button", "input", "checkbox", "radio", "slider", "combo box", "spinner", "tab", "tab bar", "list"),
        *("list item", "tree", "tree item", "header item", "splitter", "grip", "menu bar", "menu item", "toolbar"),
        *("status bar", "text"),
    }


def test_control_box_equals_tree_box(bed: LiveWindow) -> None:
    """Boxes are exact and do not overlap."""
    save, control = bed.find("button", "Save")
    assert bed.window.box.intersect(save.bbox) == save.bbox
    assert control.box() == save.bbox
    cancel, _ = bed.find("button", "Cancel")
    assert save.bbox.right <= cancel.bbox.left
    assert save.bbox.top == cancel.bbox.top


def test_button_is_pressed_without_pointer(bed: LiveWindow) -> None:
    before = bed.told()["clicks"].get("Save", 0)
    bed.control("button", "Save").invoke()
    until(lambda: bed.told()["clicks"].get("Save", 0) == before + 1)


def test_unicode_empty_and_long_text_are_set(bed: LiveWindow) -> None:
    name = bed.control("input", "Name")
    for text in ("你好,世界 Grüße €5 😀", "", "א ב ג", "a" * 5000):
        name.set_text(text)
        assert name.text() == text
        assert bed.find("input", "Name")[0].text == text
    until(lambda: bed.told()["texts"]["Name"] == "a" * 5000)


def test_a_password_is_set_but_never_read(bed: LiveWindow) -> None:
    field, control = bed.find("input", "Password")
    assert field.metadata["password"] is True
    control.set_text("correct horse")
    until(lambda: bed.told()["texts"]["Password"] == "correct horse")
    field, control = bed.find("input", "Password")
    assert field.text == ""
    assert control.text() is None
    assert "correct" not in repr(bed.read())


def test_a_box_is_ticked(bed: LiveWindow) -> None:
    element, control = bed.find("checkbox", "Remember me")
    assert "checked" not in element.metadata
    control.toggle()
    assert bed.find("checkbox", "Remember me", checked=True)
    until(lambda: bed.told()["checked"]["Remember me"])


def test_slider_value_is_set_and_read_back(bed: LiveWindow) -> None:
    control = bed.control("slider", "Volume")
    control.set_text("40")
    assert control.text() == "40"
    element, _ = bed.find("slider", "Volume", value=40.0)
    assert element.metadata["range"] == (0.0, 100.0)
    until(lambda: bed.told()["volume"] == 40)
    with pytest.raises(UnsupportedAction, match="takes a number"):
        control.set_text("loud")


def test_invoked_tab_shows_its_page(bed: LiveWindow) -> None:
    assert "Notes" not in bed.names("input")
    bed.control("tab", "Text").invoke()
    bed.find("input", "Notes")
    assert bed.find("tab", "Text", selected=True)
    bed.control("tab", "Form").invoke()
    bed.find("input", "Name")


def test_a_row_is_selected(bed: LiveWindow) -> None:
    assert "selected" not in bed.find("list item", "图片")[0].metadata
    bed.control("list item", "图片").select()
    assert bed.find("list item", "图片", selected=True)
    bed.control("list item", "Desktop").select()
    assert bed.find("list item", "Desktop", selected=True)
    assert "selected" not in bed.find("list item", "图片")[0].metadata


def test_open_menu_and_submenu_are_listed(bed: LiveWindow) -> None:
    """docs/spec/visual-locator.md, "检测菜单项"."""
    assert bed.names("menu item") == ["File", "Edit"]
    bed.control("menu item", "File").expand()
    bed.find("menu item", "Save as")
    bed.control("menu item", "Recent").expand()
    entry, control = bed.find("menu item", "照片.png")
    assert entry.bbox.area > 0
    assert set(bed.names("menu item")) >= {"File", "New", "Open", "Save as", "Recent", "report.txt", "照片.png"}
    control.invoke()
    until(lambda: bed.told()["menu"][-1:] == ["照片.png"])
    # Qt leaves the menus open when an entry is pressed without the pointer.
    bed.press("Escape")
    until(lambda: "照片.png" not in bed.names("menu item"))
    bed.press("Escape")
    until(lambda: bed.names("menu item") == ["File", "Edit"])


def test_only_visible_cells_of_long_table_are_read(bed: LiveWindow) -> None:
    bed.control("tab", "Table").invoke()
    bed.find("header item", "Owner")
    detection = bed.read()
    cells = [element for element in detection.targets if element.element_type == "cell"]
    table = next(element for element in detection.targets if element.description == "Files" or element.text == "Files")
    assert "Name 1" in {cell.text for cell in cells}
    assert len(cells) < 100  # of 1,200
    assert any("only those that can be seen were read" in note for note in detection.notes)
    headers = {element.text: element.bbox for element in detection.targets if element.element_type == "header item"}
    for cell in cells:
        column = headers[cell.text.split()[0]]
        seen = cell.visible_region or cell.bbox
        assert table.bbox.intersect(seen) == seen
        assert seen.top >= column.bottom - 1  # never under its header
        assert (cell.bbox.left, cell.bbox.right) == pytest.approx((column.left, column.right), abs=1)
    bed.control("tab", "Form").invoke()
    bed.find("input", "Name")


def test_partly_visible_last_row_is_clicked(bed: LiveWindow) -> None:
    """Qt lists rows that reach under its scroll bars, but not the bars. Control and tree have the same box of a cell."""
    bed.control("tab", "Text").invoke()
    bed.find("tab", "Text", selected=True)
    bed.control("tab", "Table").invoke()
    bed.find("header item", "Owner")
    targets, controls = bed.read()
    cells = [
        (each, control)
        for each, control in zip(targets, controls, strict=True)
        if each.element_type in ("cell", "header item") and each.bbox.area and control is not None
    ]
    for each, control in (*cells[:3], *cells[-3:]):
        assert control.box() == (each.visible_region or each.bbox)
    table = next(each for each in targets if each.description == "Files" or each.text == "Files")
    assert max((each.visible_region or each.bbox).right for each, _ in cells) <= table.bbox.right - 15
    last = max((each for each, _ in cells if each.text.startswith("Name")), key=lambda each: each.bbox.top)
    with mouse_on(bed.desktop.display) as mouse:
        mouse.click(last.center)
    bed.find("cell", last.text, selected=True)
    bed.control("tab", "Form").invoke()
    bed.find("input", "Name")


def test_boxes_follow_a_moved_window(bed: LiveWindow) -> None:
    save, control = bed.find("button", "Save")
    before = bed.window
    handle = bed.desktop.backend.display.create_resource_object("window", before.id)
    handle.configure(x=before.frame.left + 37, y=before.frame.top + 21)
    bed.desktop.backend.display.flush()
    until(lambda: bed.window.box != before.box)
    dx, dy = bed.window.box.left - before.box.left, bed.window.box.top - before.box.top
    until(lambda: bed.find("button", "Save")[0].bbox == save.bbox.translate(dx, dy))
    assert control.box() == save.bbox.translate(dx, dy)


def test_unsupported_control_actions_are_refused(bed: LiveWindow) -> None:
    label = bed.control("text", "Name")
    for action in (label.invoke, label.toggle, label.expand, label.select, lambda: label.set_text("x")):
        with pytest.raises(UnsupportedAction, match="click it instead"):
            action()
    assert "set_text" in bed.control("input", "Name").offers
    assert "invoke" in bed.control("button", "Save").offers


def test_click_hits_named_element_at_double_scale(desktop: PrivateDesktop) -> None:
    """Qt reports logical pixels, X11 physical ones."""
    command, scaled = (sys.executable, BED, "--title", "Doubled"), {"QT_SCALE_FACTOR": "2"}
    with live_window(desktop, "Doubled", *command, environment=scaled) as twice:
        check_click_at_double_size(twice, "Save")


def test_a_dead_application_is_an_error(desktop: PrivateDesktop) -> None:
    with live_window(desktop, "Short life", sys.executable, BED, "--title", "Short life") as bed:
        control, window = bed.control("button", "Save"), bed.window
        bed.process.kill()
        bed.process.wait()
        for call in (control.invoke, control.text, control.box, lambda: bed.provider.detect(window)):
            with pytest.raises(DeviceError):
                call()


@pytest.mark.parametrize(("title", "name"), [("A plain widget", "Save"), ("A main window", "Open")])
def test_top_level_plain_widget_is_a_window(desktop: PrivateDesktop, title: str, name: str) -> None:
    """Qt reports such a window with the role "filler"."""
    with live_window(desktop, title, sys.executable, BED.with_name("plain_bed.py")) as window:
        save, _ = window.find("button", name)
        first, *_ = window.read().targets
        assert (first.element_type, first.text, first.bbox) == ("window", title, window.window.box)
        assert first.bbox.intersect(save.bbox) == save.bbox
