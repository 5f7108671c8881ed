"""Tests of the editor FeatherPad (Qt 5): menus, text, the text area, a moved window."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from real_app import CHINESE, RealApp, real_app

from handeye.testing.desktop import PrivateDesktop
from optional_programs import need

need("featherpad")


@pytest.fixture(scope="module")
def editor(desktop: PrivateDesktop) -> Iterator[RealApp]:
    with real_app(desktop, "Untitled", "featherpad", "--standalone") as app:
        app.element("menu item", "File")
        yield app


@pytest.fixture(autouse=True)
def no_menu_is_open(editor: RealApp) -> Iterator[None]:
    yield
    for _ in range(3):
        editor.session.press("escape")
    editor.once(lambda: not editor.names("menu item") & {"Wrap Lines", "Undo", "Copy"})


def test_chinese_is_typed_and_read_back(editor: RealApp) -> None:
    assert editor.session.type(CHINESE, into="the text area", window=editor.title).verified is True


def test_text_area_excludes_bars(editor: RealApp) -> None:
    area = editor.find("the text area")
    for bar in (editor.element("menu bar"), editor.element("toolbar"), editor.element("tab")):
        assert area.bbox.intersect(bar.bbox) is None
    assert area.bbox.area > 0.4 * editor.window.box.area


def test_menu_and_submenu_are_listed(editor: RealApp) -> None:
    editor.session.click("Options", editor.title)
    editor.element("menu item", "Wrap Lines")
    editor.session.click("Encoding", editor.title)
    editor.element("menu item", "East Asian")
    assert {"Wrap Lines", "Preferences", "East Asian", "Unicode"} <= editor.names("menu item")


def test_entry_of_closed_submenu_is_found(editor: RealApp) -> None:
    found = editor.session.find("找到Options菜单中的'East Asian'选项", editor.title)
    assert [each.text for each in found.menus] == ["Options", "Encoding"]


def test_number_is_clicked_after_window_moved(editor: RealApp) -> None:
    menu = editor.element("menu item", "Edit")
    assert menu.id is not None
    editor.move(-61, 43)
    editor.session.click(menu.id)
    editor.once(lambda: bool(editor.names("menu item") & {"Undo", "Copy"}))
