"""LibreOffice Calc by hand: cells by their names, Chinese in a cell, menus."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from real_app import RealApp, real_app

from handeye.testing.desktop import PrivateDesktop

OFFICE = shutil.which("libreoffice")
pytestmark = pytest.mark.skipif(not os.environ.get("CI") and OFFICE is None, reason="needs LibreOffice Calc")


@pytest.fixture(scope="module")
def sheet(desktop: PrivateDesktop) -> Iterator[RealApp]:
    command = (str(OFFICE), "--calc", "--norestore", "--nologo", "--nofirststartwizard")
    with real_app(desktop, "Calc", *command) as app:
        app.element("cell", "")
        yield app


def test_chinese_is_typed_into_a_cell_and_read_back(sheet: RealApp) -> None:
    sheet.session.click("B2", sheet.title)
    assert sheet.session.type("你好", window=sheet.title).verified in (True, None)  # a cell tells once it is entered
    sheet.session.press("enter")
    sheet.once(lambda: "你好" in {each.text for each in sheet.session.state(sheet.title).elements})


def test_a_menu_and_its_submenu_are_both_told(sheet: RealApp) -> None:
    sheet.session.click("the Format menu", sheet.title)
    sheet.element("menu item", "Cells...")
    sheet.session.click("Align Text", sheet.title)
    sheet.element("menu item", "Justified")
    assert "Cells..." in sheet.names("menu item")
    for _ in range(3):
        sheet.session.press("escape")
