"""Tests of the editor Mousepad (GTK 3): menus, text, the text area, a moved window."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from real_app import CHINESE, RealApp, real_app

from handeye.errors import TargetNotFound
from handeye.locate import VisualLocator
from handeye.perceive import WindowTree
from handeye.perceive.atspi import AtspiStateProvider
from handeye.testing.desktop import PrivateDesktop
from optional_programs import need

need("mousepad")


@pytest.fixture(scope="module")
def editor(desktop: PrivateDesktop) -> Iterator[RealApp]:
    with real_app(desktop, "Mousepad", "mousepad") as app:
        app.element("menu", "File")
        yield app


@pytest.fixture(autouse=True)
def no_menu_is_open(editor: RealApp) -> Iterator[None]:
    yield
    for _ in range(3):
        editor.session.press("escape")
    editor.once(lambda: not editor.names("menu item"))


def test_chinese_is_typed_and_read_back(editor: RealApp) -> None:
    assert editor.session.type(CHINESE, into="the text area", window=editor.title).verified is True
    assert CHINESE in editor.element("input").text


def test_text_area_excludes_menu_bar(editor: RealApp) -> None:
    area, bar = editor.find("定位代码编辑区域"), editor.element("menu bar")
    assert area.metadata["multiline"]
    assert area.bbox.top >= bar.bbox.bottom
    assert area.bbox.intersect(editor.window.box) == area.bbox
    assert area.bbox.area > 0.6 * editor.window.box.area


def test_menu_and_submenu_are_listed(editor: RealApp) -> None:
    editor.session.click("the View menu", editor.title)
    editor.element("menu item", "Statusbar")
    editor.session.click("Color Scheme", editor.title)
    editor.element("menu item", "Oblivion")
    assert {"Statusbar", "Fullscreen", "Oblivion", "Tango"} <= editor.names("menu item")
    assert editor.find("Tango").bbox.left > editor.find("Statusbar").bbox.left


def test_opened_menu_entry_is_also_located_on_screenshot(editor: RealApp) -> None:
    phrase = "the Tango item in the View menu"
    found = editor.session.find(phrase, editor.title)
    assert [each.text for each in found.menus] == ["View", "Color Scheme"]
    device = editor.session.device
    with AtspiStateProvider(environment=editor.desktop.environment) as provider:
        locator = VisualLocator(tree=WindowTree(provider, device.backend), reader=None, vision=None)
        seen = locator.locate(phrase, device.screenshot())
    assert (seen.method_used, seen.element and seen.element.bbox) == ("accessibility", found.element.bbox)


def test_number_is_clicked_after_window_moved(editor: RealApp) -> None:
    menu = editor.element("menu", "Edit")
    assert menu.id is not None
    editor.move(-83, 57)
    editor.session.click(menu.id)
    editor.element("menu item", "Copy")


def test_missing_menu_is_not_found(editor: RealApp) -> None:
    with pytest.raises(TargetNotFound):
        editor.session.click("the Banana menu", editor.title)
