"""Tests of combo boxes in Qt 5, Qt 6 and GTK 3, of menus longer than the screen, of context menus and of tabs."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from real_app import RealApp, real_app

from handeye.desktop import ActionOutcome
from handeye.elements import UIElement
from handeye.errors import AmbiguousTarget, DeviceError, TargetNotFound
from handeye.testing.desktop import PrivateDesktop
from optional_programs import SYSTEM_PYTHON, need_gtk, need_pyside, need_qt5

BEDS = Path(__file__).parent / "beds"
QT, GTK = BEDS / "choices_qt_bed.py", BEDS / "choices_gtk_bed.py"
TOOLKITS: dict[str, tuple[Callable[[], None], str | Path, Path]] = {
    "Qt 5": (need_qt5, SYSTEM_PYTHON, QT),
    "Qt 6": (need_pyside, sys.executable, QT),
    "GTK 3": (need_gtk, SYSTEM_PYTHON, GTK),
}


_NUMBERS = itertools.count(1)  # several of them are there at once


class Choices(RealApp):
    def click(self, what: int | str, button: str = "left") -> ActionOutcome:
        return self.session.click(what, self.title, button=button)

    def is_told(self, what: str, presses: int = 1) -> None:
        """The application has said that once, and nothing else was chosen."""
        self.once(lambda: self.lines.count(what) == presses)

    def open(self, name: str) -> None:
        self.click(f"the {name} combo box")
        self.once(lambda: bool(self.desktop.backend.menus()))

    def shut(self) -> None:
        """Close the menus that are open, the innermost first."""
        for _ in self.desktop.backend.menus():
            self.session.press("escape")
        self.once(lambda: not self.is_open)

    @property
    def is_open(self) -> bool:
        return bool(self.desktop.backend.menus())

    def rows(self) -> list[UIElement]:
        kinds = ("list item", "menu item")
        return [each for each in self.session.state(self.title).elements if each.element_type in kinds]


def started(desktop: PrivateDesktop, toolkit: str, *options: str) -> Iterator[Choices]:
    need, python, bed = TOOLKITS[toolkit]
    need()
    title = f"{toolkit} choices {next(_NUMBERS)}"
    with real_app(desktop, title, python, bed, title, *options, kind=Choices) as app:
        app.element("button", "Save")
        yield app


@pytest.fixture(scope="module", params=TOOLKITS)
def any_app(desktop: PrivateDesktop, request: pytest.FixtureRequest) -> Iterator[Choices]:
    yield from started(desktop, request.param)


@pytest.fixture
def app(any_app: Choices) -> Iterator[Choices]:
    yield any_app
    any_app.shut()


def test_entries_of_closed_boxes_are_not_listed(app: Choices) -> None:
    assert {each.text for each in app.rows()} <= {"report.txt", "照片.png"}


@pytest.mark.parametrize(
    ("phrase", "chosen"),
    [
        ("the Option 4 item in the Size combo box", "Size: Option 4"),
        ("Size下拉框中的'Option 2'选项", "Size: Option 2"),
        ("Option 6", "Size: Option 6"),
        ("蓝色", "Paint: 蓝色"),
        ("the Teal item in the Paint dropdown", "Paint: Teal"),
        ("the last item in the Border combo box", "Border: Teal"),
        ("the second item in Border", "Border: Lime"),
        ("the Sans option in the Font combo box", "Font: Sans"),
        ("Mono", "Font: Mono"),
        ("the Country 55 item in the Country combo box", "Country: Country 55"),
        ("Country 100", "Country: Country 100"),
        ("the last option in the Country combo box", "Country: Country 120"),
        ("the first option in the Country combo box", "Country: Country 1"),
    ],
)
def test_phrase_opens_combo_box_and_chooses_entry(app: Choices, phrase: str, chosen: str) -> None:
    done = app.click(phrase)
    assert done.verified is True
    app.is_told(chosen)
    assert not app.is_open


def test_entry_of_open_list_is_chosen(app: Choices) -> None:
    app.open("Size")
    assert [each.text for each in app.rows() if each.text.startswith("Option")] == [f"Option {n}" for n in range(1, 7)]
    assert app.click("Option 3").verified is True
    app.is_told("Size: Option 3")
    app.open("Country")
    app.click("Country 77")
    app.is_told("Country: Country 77")


def test_found_entry_leaves_its_combo_box_open(app: Choices) -> None:
    found = app.session.find("Option 5", app.title)
    assert [each.element_type for each in found.menus] == ["combo box"]
    assert app.is_open
    assert app.desktop.backend.menus()[0].box.contains(found.element.center)


@pytest.mark.parametrize("phrase", ["Banana", "the Banana item in the Size combo box", "Option", "Country 121"])
def test_failed_search_leaves_combo_boxes_closed_and_unchanged(app: Choices, phrase: str) -> None:
    before = app.lines
    with pytest.raises(TargetNotFound):
        app.session.find(phrase, app.title)
    app.once(lambda: not app.is_open)
    assert app.lines == before


def test_entry_in_two_combo_boxes_is_ambiguous(app: Choices) -> None:
    app.click("the first item in the Paint combo box")
    app.click("the first item in the Border combo box")
    before = app.lines
    with pytest.raises(AmbiguousTarget):
        app.session.find("Teal", app.title)
    app.once(lambda: not app.is_open)
    assert app.lines == before


def test_a_disabled_box_is_not_opened(app: Choices) -> None:
    with pytest.raises(DeviceError, match="disabled"):
        app.session.find("the Always item in the Locked combo box", app.title)
    with pytest.raises(TargetNotFound):
        app.session.find("Always", app.title)


@pytest.fixture(params=["Qt 5", "Qt 6"])
def opened_before(desktop: PrivateDesktop, request: pytest.FixtureRequest) -> Iterator[Choices]:
    yield from started(desktop, request.param, "--opened")


def test_previously_opened_lists_are_not_listed(opened_before: Choices) -> None:
    """Qt 5 reports their rows as visible where they were last: over other controls, or at the desktop's corner."""
    app = opened_before
    app.once(lambda: "each was open" in app.lines)
    assert {each.text for each in app.rows()} == {"report.txt", "照片.png"}
    app.click("Save")
    app.is_told("Save")
    for control in ("the Password field", "the Paint combo box"):
        app.click(control)  # nothing covers it
    app.shut()
    app.click("Option 4")
    app.is_told("Size: Option 4")


# -- longer than the screen


@pytest.fixture(scope="module")
def gtk_app(desktop: PrivateDesktop) -> Iterator[Choices]:
    yield from started(desktop, "GTK 3")


@pytest.fixture
def gtk(gtk_app: Choices) -> Iterator[Choices]:
    yield gtk_app
    gtk_app.shut()


@pytest.mark.parametrize(("opener", "name"), [("the Country combo box", "Country"), ("Cities", "City")])
def test_entries_beyond_the_screen_are_offscreen(gtk: Choices, opener: str, name: str) -> None:
    gtk.click(opener)
    gtk.once(lambda: gtk.is_open)
    (popup,) = gtk.desktop.backend.menus()
    rows = [each for each in gtk.rows() if each.text.startswith(name)]
    assert len(rows) == 120
    for each in rows:
        assert each.metadata.get("offscreen") or popup.box.intersect(each.bbox) == each.bbox
    assert 0 < sum(1 for each in rows if not each.metadata.get("offscreen")) < 40


@pytest.mark.parametrize("number", [119, 3, 60])
@pytest.mark.parametrize(
    ("opener", "name", "told"), [("the Country combo box", "Country", "Country"), ("Cities", "City", "menu")]
)
def test_offscreen_entry_is_chosen_by_number_and_name(
    gtk: Choices, opener: str, name: str, told: str, number: int
) -> None:
    for what in (number, number + 1):
        gtk.click(opener)
        gtk.once(lambda: gtk.is_open)
        entry = next(each for each in gtk.rows() if each.text == f"{name} {what}")
        assert entry.id is not None
        before = gtk.lines.count(f"{told}: {name} {what}")
        gtk.click(entry.id if what == number else entry.text)
        gtk.is_told(f"{told}: {name} {what}", before + 1)


def test_entry_of_long_menu_is_chosen(gtk: Choices) -> None:
    gtk.click("the City 90 item in the Cities menu")
    gtk.is_told("menu: City 90")


# -- context menus and tabs of Qt


@pytest.fixture(scope="module", params=["Qt 5", "Qt 6"])
def qt(desktop: PrivateDesktop, request: pytest.FixtureRequest) -> Iterator[Choices]:
    yield from started(desktop, request.param)


@pytest.mark.parametrize(
    "phrase", ["Rename", "the Rename item in the context menu", "右键菜单中的'Rename'选项", "number"]
)
def test_context_menu_entry_is_listed_and_clicked(qt: Choices, phrase: str) -> None:
    before = qt.lines.count("menu: Rename")
    qt.click("report.txt", button="right")
    entry = qt.element("menu item", "Rename")
    assert {each.text for each in qt.rows() if each.element_type == "menu item"} >= {"Rename", "Delete", "More"}
    assert entry.id is not None
    qt.click(entry.id if phrase == "number" else phrase)
    qt.is_told("menu: Rename", before + 1)
    qt.once(lambda: not qt.names("menu item"))


def test_a_submenu_of_a_context_menu_is_opened(qt: Choices) -> None:
    qt.click("照片.png", button="right")
    qt.element("menu item", "More")
    qt.click("the Compress item in the More menu")
    qt.is_told("menu: Compress")


def test_context_menu_of_text_field_is_listed(qt: Choices) -> None:
    qt.click("the Name field", button="right")
    qt.element("menu item", "Select All")
    qt.session.press("escape")
    qt.once(lambda: not qt.names("menu item"))


def test_a_click_on_a_tab_is_verified(qt: Choices) -> None:
    for name in ("Paper", "网络", "General"):
        assert qt.click(name).verified is True
        qt.is_told(f"tab: {name}")
        tabs = {
            each.text: bool(each.metadata.get("selected"))
            for each in qt.session.state(qt.title).elements
            if each.element_type == "tab"
        }
        assert tabs == {"General": name == "General", "Paper": name == "Paper", "网络": name == "网络"}


# -- the command line


@pytest.mark.parametrize(
    ("phrase", "chosen"),
    [("the Option 5 item in the Size combo box", "Size: Option 5"), ("Lime", "Border: Lime"), ("Banana", "")],
)
def test_command_line_click_opens_combo_box(any_app: Choices, phrase: str, chosen: str) -> None:
    before = any_app.lines.count(chosen)
    answer = handeye(any_app, "click", phrase)
    assert answer.returncode == (0 if chosen else 1), answer.stderr
    if chosen:
        any_app.is_told(chosen, before + 1)
    assert not any_app.is_open


def test_command_line_click_on_tab_succeeds(qt: Choices) -> None:
    for name in ("Paper", "General"):
        before = qt.lines.count(f"tab: {name}")
        assert handeye(qt, "click", f"the {name} tab").returncode == 0
        qt.is_told(f"tab: {name}", before + 1)


def test_the_command_line_lists_a_context_menu(qt: Choices) -> None:
    assert handeye(qt, "click", "report.txt", "--button", "right").returncode == 0
    listed = handeye(qt, "state").stdout
    assert '[MenuItem] "Rename"' in listed
    assert handeye(qt, "click", "Rename").returncode == 0
    qt.once(lambda: not qt.is_open)


def handeye(app: Choices, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "handeye", *arguments, "--device", app.desktop.uri, "--window", app.title]
    environment = {**os.environ, **app.desktop.environment}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
