"""Tests of the accessibility tree of a Qt 5 application, the editor FeatherPad."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from live_tree import LiveWindow, live_window, until

from handeye.devices import Window
from handeye.testing.desktop import PrivateDesktop
from optional_programs import need

need("featherpad")


@pytest.fixture(scope="module")
def editor(desktop: PrivateDesktop) -> Iterator[LiveWindow]:
    with live_window(desktop, "Untitled", "featherpad", "--standalone") as window:
        window.find("menu item", "File")
        yield window


def test_toolkit_without_cache_is_read_completely(editor: LiveWindow) -> None:
    detection = editor.read()
    assert detection.notes == ()
    assert detection.targets[0].bbox == editor.window.box
    assert editor.names("menu item") == ["File", "Edit", "Options", "Search", "Help"]
    buttons = {each.text: each.enabled for each in detection.targets if each.element_type == "button" and each.text}
    assert buttons["Open"] is True
    assert buttons["Undo"] is False
    assert all(editor.window.box.intersect(each.bbox) == each.bbox for each in detection.targets)


def test_unnamed_window_is_matched_by_process_and_position(editor: LiveWindow) -> None:
    """Many Qt 5 windows have no accessible name, so the X11 title cannot identify them."""
    window = editor.window
    renamed = Window(window.id, "another title", window.box, window.frame, window.process, window.program)
    assert editor.provider.detect(renamed).targets[0].bbox == window.box


def test_chinese_is_written_and_read_back(editor: LiveWindow) -> None:
    area = next(
        control
        for element, control in zip(*editor.read(), strict=True)
        if element.element_type == "input" and element.metadata.get("multiline")
    )
    area.set_text("你好,世界\n第二行 €5")
    assert area.text() == "你好,世界\n第二行 €5"


def test_entries_of_open_menu_are_listed(editor: LiveWindow) -> None:
    editor.control("menu item", "Options").expand()
    editor.find("menu item", "Wrap Lines")
    editor.press("Escape")
    until(lambda: "Wrap Lines" not in editor.names("menu item"))
