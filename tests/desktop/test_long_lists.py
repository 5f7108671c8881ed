"""Tests of finding and scrolling to rows outside the visible part of GTK and Qt lists."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from live_tree import until

from handeye.desktop import DesktopSession
from handeye.devices import DesktopDevice
from handeye.elements import UIElement
from handeye.errors import AmbiguousTarget, TargetNotFound, TreeFailed
from handeye.perceive.atspi import AtspiStateProvider
from handeye.testing.desktop import PrivateDesktop
from optional_programs import SYSTEM_PYTHON, need_gtk, need_pyside, need_qt5

BEDS = Path(__file__).parent / "beds"
VIEWS = [
    *(("gtk", kind) for kind in ("tree", "box")),
    *((qt, kind) for qt in ("qt5", "qt6") for kind in ("list", "table", "tree")),
]
_NEEDS = {"gtk": need_gtk, "qt5": need_qt5, "qt6": need_pyside}


@dataclass
class View:
    """A program that shows one list, and a session on it."""

    desktop: PrivateDesktop
    process: subprocess.Popen[bytes]
    title: str
    session: DesktopSession

    @property
    def chosen(self) -> str | None:
        lines = self.desktop.output(self.process).split("\n")[:-1]
        found: str | None = json.loads(lines[-1])["chosen"]
        return found


@pytest.fixture
def view(desktop: PrivateDesktop, request: pytest.FixtureRequest) -> Iterator[View]:
    toolkit, kind, *rows = request.param
    _NEEDS[toolkit]()
    bed = BEDS / ("long_list_gtk.py" if toolkit == "gtk" else "long_list_qt.py")
    title = f"{toolkit} {kind}"
    python = sys.executable if toolkit == "qt6" else SYSTEM_PYTHON
    process = desktop.launch(python, bed, title, kind, *map(str, rows), wait_for_title=title)
    with (
        AtspiStateProvider(environment=desktop.environment) as tree,
        DesktopSession(DesktopDevice(desktop.backend), tree=tree, reader=None) as session,
    ):
        until(lambda: any("Item 1" in (each.text, each.description) for each in read(session, title)))
        yield View(desktop, process, title, session)
    process.kill()
    process.wait()


def read(session: DesktopSession, title: str) -> tuple[UIElement, ...]:
    """The elements of a window; none before its application is on the accessibility bus."""
    try:
        return session.state(title).elements
    except TreeFailed:
        return ()


@pytest.mark.parametrize("view", [(*each, 1000) for each in VIEWS], indirect=True)
def test_row_of_thousand_is_scrolled_to_and_clicked(view: View) -> None:
    for row in ("Item 990", "Item 9"):
        view.session.click(row, view.title)
        until(lambda: view.chosen == row)  # noqa: B023 - called at once


@pytest.mark.parametrize("view", [(*each, 150) for each in VIEWS], indirect=True)
def test_row_is_distinguished_from_rows_sharing_prefix(view: View) -> None:
    for phrase, row in (("Item 140", "Item 140"), ("the Item 14 row", "Item 14"), ('the item "Item 77"', "Item 77")):
        view.session.click(phrase, view.title)
        until(lambda: view.chosen == row)  # noqa: B023 - called at once


@pytest.mark.parametrize("view", [("gtk", "tree", 150), ("gtk", "box", 150), ("qt6", "table", 150)], indirect=True)
def test_unknown_row_name_is_not_found(view: View) -> None:
    before = view.session.state(view.title).elements
    with pytest.raises(TargetNotFound, match=r"names of the (list|table) were looked through"):
        view.session.click("Item 151", view.title)
    after = view.session.state(view.title).elements
    assert [each.text for each in after] == [each.text for each in before], "nothing was scrolled"


@pytest.mark.parametrize("view", [("qt6", "list", 90), ("qt5", "list", 90)], indirect=True)
def test_numbered_offscreen_row_is_scrolled_to_and_clicked(view: View) -> None:
    """Qt lists short lists completely, and has no command that scrolls to a row."""
    row = next(each for each in view.session.state(view.title).elements if each.text == "Item 80")
    assert row.metadata.get("offscreen")
    assert row.id is not None
    view.session.click(row.id, view.title)
    until(lambda: view.chosen == "Item 80")


@pytest.mark.parametrize("view", [("qt5", "table", 13_000), ("gtk", "tree", 13_000)], indirect=True)
def test_list_too_long_to_search_is_reported(view: View) -> None:
    with pytest.raises(TargetNotFound, match=r"more than 12,000 entries: .*scroll to the one meant"):
        view.session.click("Item 12990", view.title)


@pytest.mark.parametrize("view", [("qt6", "table", 150)], indirect=True)
def test_two_offscreen_rows_of_same_name_are_ambiguous(view: View) -> None:
    with pytest.raises(AmbiguousTarget):
        view.session.click("twice", view.title)
