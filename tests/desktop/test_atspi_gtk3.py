"""Tests of trees and controls of GTK 3 applications: the test application and the editor Mousepad."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from live_tree import LiveWindow, check_click_at_double_size, live_window, until

from handeye.devices import DesktopDevice
from handeye.errors import TreeFailed
from handeye.perceive import provider_for
from handeye.perceive.atspi import AccessibilityBus, AtspiStateProvider
from handeye.testing.desktop import PrivateDesktop
from optional_programs import SYSTEM_PYTHON, need, need_gtk

BED = Path(__file__).parent / "beds" / "gtk_bed.py"
TITLE = "GTK 3 tree"


@pytest.fixture(scope="module")
def provider(desktop: PrivateDesktop) -> Iterator[AtspiStateProvider]:
    with AtspiStateProvider(environment=desktop.environment) as provider:
        yield provider


@pytest.fixture(scope="module")
def bed(desktop: PrivateDesktop, provider: AtspiStateProvider) -> Iterator[LiveWindow]:
    need_gtk()
    command = (SYSTEM_PYTHON, BED, "--title", TITLE, "--rows", "2000")
    with live_window(desktop, TITLE, *command, provider=provider) as window:
        window.find("button", "Save")
        yield window


@pytest.fixture(scope="module")
def editor(desktop: PrivateDesktop, provider: AtspiStateProvider) -> Iterator[LiveWindow]:
    need("mousepad")
    with live_window(desktop, "Mousepad", "mousepad", provider=provider) as window:
        window.find("menu", "File")
        yield window


def test_window_box_excludes_gtk_decorations(bed: LiveWindow) -> None:
    detection = bed.read()
    assert detection.targets[0].bbox == bed.window.box != bed.window.frame
    assert all(bed.window.box.intersect(each.bbox) == each.bbox for each in detection.targets if each.bbox.area)


def test_every_kind_of_control_has_its_role(bed: LiveWindow) -> None:
    assert {element.element_type for element in bed.read().targets} >= {
        *("window", "button", "input", "checkbox", "radio", "slider", "combo box", "spinner", "tab", "tab bar", "list"),
        *("list item", "tree", "cell", "header item", "splitter", "menu bar", "menu", "toolbar", "status bar", "text"),
    }


def test_controls_work_without_pointer(bed: LiveWindow) -> None:
    bed.control("button", "Save").invoke()
    name = bed.control("input", "Name")
    name.set_text("你好,世界 Grüße €5 😀")
    assert name.text() == "你好,世界 Grüße €5 😀"
    bed.control("checkbox", "Remember me").toggle()
    bed.control("slider", "Volume").set_text("40")
    until(
        lambda: (
            bed.told()["clicks"].get("Save") == 1
            and bed.told()["texts"]["Name"] == "你好,世界 Grüße €5 😀"
            and bed.told()["checked"]["Remember me"]
            and bed.told()["volume"] == 40
        )
    )
    assert bed.find("checkbox", "Remember me", checked=True)


def test_a_password_is_set_but_never_read(bed: LiveWindow) -> None:
    control = bed.control("input", "Password")
    control.set_text("correct horse")
    until(lambda: bed.told()["texts"]["Password"] == "correct horse")
    assert control.text() is None
    assert "correct" not in repr(bed.read())


def test_open_menu_and_submenu_are_listed_in_order(bed: LiveWindow) -> None:
    bed.control("menu", "File").invoke()
    bed.find("menu item", "Save as")
    bed.control("menu", "Recent").invoke()
    entry, control = bed.find("menu item", "照片.png")
    shown = [each.text for each in bed.read().targets if each.element_type in ("menu", "menu item")]
    assert shown == ["File", "New", "Open", "Save as", "Recent", "report.txt", "照片.png", "Edit"]
    assert entry.bbox.area
    control.invoke()
    until(lambda: bed.told()["menu"] == ["照片.png"])
    until(lambda: bed.names("menu item") == [])


def test_cells_outside_gtk_cache_are_found_by_position(bed: LiveWindow) -> None:
    """10,000 children: reading all would take seconds, and GTK would keep an object for each."""
    bed.control("tab", "Table").select()
    bed.find("header item", "Owner")
    detection = bed.read()
    cells = [each for each in detection.targets if each.element_type == "cell" and each.text.startswith("Name ")]
    assert cells[0].text == "Name 1"
    assert len(cells) < 100
    assert any("10,005 children" in note for note in detection.notes)
    header = bed.find("header item", "Modified")[0]
    third = bed.find("cell", "Modified 3")[0]
    assert third.bbox.top > header.bbox.bottom
    assert header.bbox.left <= third.bbox.left < third.bbox.right <= header.bbox.right
    bed.control("tab", "Form").select()
    bed.find("input", "Name")


def test_row_takes_name_of_its_label_once(bed: LiveWindow) -> None:
    """GTK rows have no names, and bulk queries leave them out."""
    rows = [each for each in bed.read().targets if each.element_type == "list item"]
    assert [each.text for each in rows] == ["Home", "Desktop", "Documents", "图片", "Downloads"]
    assert sorted(each.bbox.top for each in rows) == [each.bbox.top for each in rows]
    assert bed.names("text").count("图片") == 0


def test_hidden_tab_pages_are_not_read(bed: LiveWindow) -> None:
    """The long table is on another page."""
    assert bed.find("tab", "Form", selected=True)
    assert bed.read().notes == ()


def test_stopped_application_times_out(bed: LiveWindow) -> None:
    control, window = bed.control("button", "Save"), bed.window
    bed.process.send_signal(signal.SIGSTOP)
    try:
        for call in (control.invoke, control.text, lambda: bed.provider.detect(window)):
            with pytest.raises(TreeFailed, match="does not answer"):
                call()
    finally:
        bed.process.send_signal(signal.SIGCONT)
    assert bed.find("button", "Save")


def test_click_hits_named_element_at_double_scale(desktop: PrivateDesktop, provider: AtspiStateProvider) -> None:
    """GTK reports logical pixels, X11 physical ones."""
    need_gtk()
    command, scaled = (SYSTEM_PYTHON, BED, "--title", "Doubled"), {"GDK_SCALE": "2"}
    with live_window(desktop, "Doubled", *command, provider=provider, environment=scaled) as twice:
        check_click_at_double_size(twice, "Refresh")


def test_stopped_application_does_not_hide_other_windows(bed: LiveWindow, editor: LiveWindow) -> None:
    """The tree of a whole screen has a note for a window that does not answer."""
    tree = provider_for(DesktopDevice(bed.desktop.backend))
    assert tree is not None
    bed.process.send_signal(signal.SIGSTOP)
    try:
        state = tree.detect(DesktopDevice(bed.desktop.backend).screenshot())
    finally:
        bed.process.send_signal(signal.SIGCONT)
    assert any(each.text == "File" for each in state.elements)
    assert any(TITLE in note and "does not answer" in note for note in state.notes)


def test_editor_area_excludes_surrounding_controls(editor: LiveWindow) -> None:
    """docs/spec/visual-locator.md, "检测文本编辑区": exactly one text area, inside the window and below its menus."""
    areas = [each for each in editor.read().targets if each.element_type == "input" and each.metadata.get("multiline")]
    assert len(areas) == 1
    menu_bar = next(each for each in editor.read().targets if each.element_type == "menu bar")
    assert areas[0].bbox.top >= menu_bar.bbox.bottom
    assert areas[0].bbox.area > 0.7 * editor.window.box.area


def test_entries_of_closed_menus_are_not_listed(editor: LiveWindow) -> None:
    """Of Mousepad's 322 objects, most are entries of closed menus."""
    assert editor.names("menu") == ["File", "Edit", "Search", "View", "Document", "Help"]
    assert editor.names("menu item") == []


def test_names_have_no_padding(editor: LiveWindow) -> None:
    editor.control("menu", "File").invoke()
    editor.find("menu item", "Save As...")
    editor.press("Escape")
    until(lambda: editor.names("menu item") == [])


def test_text_is_written_into_the_editor(editor: LiveWindow) -> None:
    area = next(
        control
        for element, control in zip(*editor.read(), strict=True)
        if element.element_type == "input" and element.metadata.get("multiline")
    )
    area.set_text("第一行\n第二行 😀")
    assert area.text() == "第一行\n第二行 😀"


def test_window_without_accessible_application_is_an_error(editor: LiveWindow, provider: AtspiStateProvider) -> None:
    window = editor.desktop.backend.windows()[0]
    with pytest.raises(TreeFailed, match="no application on the accessibility bus"):
        provider.detect(type(window)(window.id, "nobody's", window.box, window.frame, process=1, program="nobody"))


def test_locate_chain_returns_boxes_in_screenshot_pixels(editor: LiveWindow) -> None:
    device = DesktopDevice(editor.desktop.backend, window="Mousepad")
    tree = provider_for(device)
    assert tree is not None
    screen = device.screenshot()
    state = tree.detect(screen)
    desktop_box = editor.find("menu", "File")[0].bbox
    box = editor.window.box
    file = next(each for each in state.elements if each.text == "File")
    assert file.bbox == desktop_box.translate(-box.left, -box.top)
    assert screen.box.intersect(file.bbox) == file.bbox


def test_connection_is_shared_by_threads_and_reopened(editor: LiveWindow) -> None:
    window = editor.window
    with AccessibilityBus(environment=editor.desktop.environment) as bus, ThreadPoolExecutor(4) as pool:
        provider = AtspiStateProvider(bus)
        readings = list(pool.map(lambda _: len(provider.detect(window).targets), range(8)))
        assert len(set(readings)) == 1
        bus.close()
        assert len(provider.detect(window).targets) == readings[0]
