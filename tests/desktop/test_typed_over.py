"""Tests of typing into and replacing field contents in real windows: the program's own value decides."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from real_app import RealApp, real_app

from handeye.errors import UsageError
from handeye.testing.desktop import PrivateDesktop
from optional_programs import SYSTEM_PYTHON, need_gtk, need_pyside

BEDS = Path(__file__).parent / "beds"


@pytest.fixture(scope="module", params=["gtk", "qt"])
def form(request: pytest.FixtureRequest, desktop: PrivateDesktop) -> Iterator[RealApp]:
    """The form of a bed: the entry Name, the spin box Copies from 0 to 99, the slider Volume from 0 to 100."""
    python = SYSTEM_PYTHON if request.param == "gtk" else sys.executable
    (need_gtk if request.param == "gtk" else need_pyside)()
    title = f"Typed over {request.param}"
    with real_app(desktop, title, python, BEDS / f"{request.param}_bed.py", "--title", title) as app:
        app.element("spinner")
        yield app


def test_number_replaces_the_value(form: RealApp) -> None:
    for number in ("42", "7", "07", "99"):
        done = form.session.type(number, "Copies", replace=True)
        assert done.verified, done.note
        form.once(lambda number=number: form.lines[-1]["copies"] == int(number))  # type: ignore[misc]
    for number in ("40", "0", "100"):
        assert form.session.type(number, "the Volume slider", replace=True).verified
        form.once(lambda number=number: form.lines[-1]["volume"] == int(number))  # type: ignore[misc]


def test_number_out_of_range_is_not_verified(form: RealApp) -> None:
    assert form.session.type("137", "Copies", replace=True).verified is False
    assert form.session.type("500", "the Volume slider", replace=True).verified is False


def test_grouped_digits_are_read_as_one_number(desktop: PrivateDesktop) -> None:
    """A spin box whose minimum is 1,000 does not accept 1."""
    need_pyside()
    code = (
        "from PySide6.QtWidgets import *; from PySide6.QtCore import QLocale; a = QApplication([]); s = QSpinBox();"
        "s.setLocale(QLocale('en_US')); s.setGroupSeparatorShown(True); s.setRange(1000, 90000);"
        "s.setAccessibleName('Grouped'); s.setWindowTitle('Grouped digits'); s.resize(300, 60); s.show(); a.exec()"
    )
    with real_app(desktop, "Grouped digits", sys.executable, "-c", code) as app:
        app.element("spinner")
        assert app.session.type("1", "Grouped", replace=True).verified is False
        assert app.session.type("12345", "Grouped", replace=True).verified is True


def test_number_appended_to_spin_box_is_not_verified(form: RealApp) -> None:
    form.session.type("4", "Copies", replace=True)
    done = form.session.type("2", "Copies")
    assert done.verified is False, done.note


def test_text_replaces_text(form: RealApp) -> None:
    form.session.type("old", "the Name field", replace=True)
    for text in ("new", "你好, 世界", "new", "'; DROP"):
        done = form.session.type(text, "the Name field", replace=True)
        assert done.verified, done.note
        form.once(lambda text=text: form.lines[-1]["texts"]["Name"] == text)  # type: ignore[misc]
    done = form.session.type(" and more", "the Name field")
    assert done.verified
    assert "--replace" in done.note
    assert form.session.type("", "the Name field", replace=True).verified
    form.once(lambda: form.lines[-1]["texts"]["Name"] == "")


def test_replacing_text_of_other_roles_is_refused(form: RealApp) -> None:
    for what in ("the Save button", "the Volume slider"):
        with pytest.raises(UsageError):
            form.session.type("text", what, replace=True)
