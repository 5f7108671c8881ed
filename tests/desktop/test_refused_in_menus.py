"""Tests of menus that were opened for a refused click and are closed again, in GTK 3, Qt 5 and Qt 6."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from real_app import RealApp, real_app

from handeye.errors import DeviceError, UsageError
from handeye.testing.desktop import PrivateDesktop
from optional_programs import SYSTEM_PYTHON, need_gtk, need_pyside, need_qt5

GTK = """
import sys, gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk
window, page, bar = Gtk.Window(title=sys.argv[1]), Gtk.Box(orientation=1), Gtk.MenuBar()
def menu(name, *entries):
    title, held = Gtk.MenuItem(label=name), Gtk.Menu()
    for each in entries:
        held.append(each)
    title.set_submenu(held)
    return title
off = [Gtk.MenuItem(label=name, sensitive=False) for name in ("Paste", "Undo")]
bar.append(menu("Edit", Gtk.MenuItem(label="Copy"), off[0], menu("More", off[1])))
field = Gtk.Entry()
field.get_accessible().set_name("Memo")
for each in (bar, field):
    page.add(each)
window.add(page)
window.set_default_size(400, 200)
window.show_all()
field.grab_focus()
Gtk.main()
"""
QT = """
import sys
try:
    from PySide6 import QtWidgets as Q
except ImportError:
    from PyQt5 import QtWidgets as Q
app = Q.QApplication(sys.argv)
window = Q.QMainWindow()
window.setWindowTitle(sys.argv[1])
edit = window.menuBar().addMenu("Edit")
edit.addAction("Copy")
edit.addAction("Paste").setEnabled(False)
more = edit.addMenu("More")
more.addAction("Undo").setEnabled(False)
more.addAction("Redo")
page = Q.QWidget()
window.setCentralWidget(page)
rows = Q.QFormLayout(page)
field = Q.QLineEdit()
field.setAccessibleName("Memo")
rows.addRow(field)
window.resize(400, 200)
window.show()
field.setFocus()
getattr(app, "exec_", app.exec)()
"""
TOOLKITS: dict[str, tuple[Callable[[], None], str | Path, str]] = {
    "GTK 3": (need_gtk, SYSTEM_PYTHON, GTK),
    "Qt 5": (need_qt5, SYSTEM_PYTHON, QT),
    "Qt 6": (need_pyside, sys.executable, QT),
}


@pytest.fixture(scope="module", params=TOOLKITS)
def app(desktop: PrivateDesktop, request: pytest.FixtureRequest) -> Iterator[RealApp]:
    need, python, code = TOOLKITS[request.param]
    need()
    title = f"{request.param} memo"
    with real_app(desktop, title, python, "-c", code, title) as made:
        made.element("input", "")
        yield made


UNDO = "the Undo item in the More menu in the Edit menu"


@pytest.mark.parametrize("phrase", ["Paste in the Edit menu", "Edit菜单中的'Paste'选项", UNDO])
def test_menu_opened_for_disabled_entry_is_closed(app: RealApp, phrase: str) -> None:
    with pytest.raises(DeviceError, match="disabled"):
        app.session.click(phrase, app.title)
    app.once(lambda: not app.desktop.backend.menus())
    typed = app.session.type("u", into="Memo", window=app.title, replace=True)
    assert typed.verified is True


def test_menu_opened_for_refused_typing_is_closed(app: RealApp) -> None:
    with pytest.raises(UsageError, match="holds no text"):
        app.session.type("u", into="Copy in the Edit menu", window=app.title)
    app.once(lambda: not app.desktop.backend.menus())


def test_a_menu_that_a_person_opened_stays_open(app: RealApp) -> None:
    app.session.click("the Edit menu", app.title)
    app.once(lambda: bool(app.desktop.backend.menus()))
    with pytest.raises(DeviceError, match="disabled"):
        app.session.click("Paste in the Edit menu", app.title)
    assert app.desktop.backend.menus()
    app.session.press("escape")
    app.once(lambda: not app.desktop.backend.menus())
