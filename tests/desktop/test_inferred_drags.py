"""Tests of dragging inferred parts (tier 1+) in Qt 6 and GTK 3: the layout changes by exactly the dragged distance."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from inferred_bed import Bed, bed_of, check_drag
from live_tree import until
from xtest import Mouse, mouse_on

from handeye.testing.desktop import PrivateDesktop
from optional_programs import SYSTEM_PYTHON, need_gtk, need_pyside

QT, GTK = "Qt drags", "GTK drags"


QT, GTK = "Qt drags", "GTK drags"


@pytest.fixture(scope="module")
def qt(desktop: PrivateDesktop) -> Iterator[Bed]:
    need_pyside()
    with bed_of(desktop, sys.executable, "qt_bed.py", QT) as bed:
        yield bed


@pytest.fixture(scope="module")
def gtk(desktop: PrivateDesktop) -> Iterator[Bed]:
    need_gtk()
    with bed_of(desktop, SYSTEM_PYTHON, "gtk_bed.py", GTK) as bed:
        yield bed


@pytest.fixture(scope="module")
def mouse(desktop: PrivateDesktop) -> Iterator[Mouse]:
    with mouse_on(desktop.display) as mouse:
        yield mouse


@pytest.mark.parametrize(
    ("name", "by", "paths"),
    [
        ("column border between Name and Size", (40, 0), ("columns/Name",)),
        ("column border between Size and Modified", (-30, 0), ("columns/Size",)),
        ("column border after Owner", (25, 0), ("columns/Owner",)),
        ("row border between 2 and 3", (0, 12), ("rows/1",)),
        ("row border after 8", (0, 7), ("rows/7",)),
        ("column border between Folder and Items", (20, 0), ("tree_columns/Folder",)),
        ("resize handle of Files", (60, 40), ("table/0", "table/1")),
        ("splitter between Places and Folders", (0, 50), ("splitters/side/0",)),
        ("splitter between Places and Table", (-60, 0), ("splitters/main/0",)),
        (f"resize handle of {QT}", (30, 20), ("window/0", "window/1")),
    ],
)
def test_inferred_qt_parts_can_be_dragged(
    qt: Bed, mouse: Mouse, name: str, by: tuple[int, int], paths: tuple[str, ...]
) -> None:
    check_drag(qt, mouse, name, by, *paths)


def test_dragging_qt_tool_bar_grip_moves_it(qt: Bed, mouse: Mouse) -> None:
    grip = qt.part("panel grip of Tools")
    assert qt.told()["toolbar"] == "TopToolBarArea"
    mouse.drag(grip.center, 0, 250)
    until(lambda: qt.told()["toolbar"] == "LeftToolBarArea")


@pytest.mark.parametrize(
    ("name", "by", "path"),
    [
        ("column border between Name and Size", (40, 0), "columns/Name"),
        ("column border between Size and Modified", (-30, 0), "columns/Size"),
        ("column border after Owner", (25, 0), "columns/Owner"),
        ("column border between Folder and Items", (20, 0), "tree_columns/Folder"),
        ("splitter between Places and Folders", (0, 50), "splitters/side"),
        ("splitter between Places and Form", (60, 0), "splitters/main"),
    ],
)
def test_inferred_gtk_parts_can_be_dragged(gtk: Bed, mouse: Mouse, name: str, by: tuple[int, int], path: str) -> None:
    check_drag(gtk, mouse, name, by, path)


def test_gtk_rows_have_no_inferred_row_borders(gtk: Bed) -> None:
    """GTK rows cannot be resized: a drag between two of them selects."""
    gtk.part("column border between Name and Size")
    assert {each.element_type for each in gtk.inferred().values()} == {"column border", "splitter"}
