"""What tier 1+ infers is where it says: dragged, it changes the layout by that distance to the pixel, in Qt 6 and GTK 3."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from live_tree import LiveWindow, until
from qt_here import need_pyside
from xtest import Mouse, mouse_on

from handeye.elements import UIElement
from handeye.errors import HandeyeError
from handeye.perceive.atspi import AtspiStateProvider
from handeye.perceive.structural import StructuralInferenceProvider
from handeye.testing.desktop import PrivateDesktop

BEDS = Path(__file__).parent / "beds"
SYSTEM_PYTHON = Path("/usr/bin/python3")
QT, GTK = "Qt drags", "GTK drags"


class Bed(LiveWindow):
    """A bed with its table in view, and what is inferred of it."""

    def inferred(self) -> Mapping[str, UIElement]:
        detection = StructuralInferenceProvider(self.provider).detect(self.window)
        assert all(
            control is None
            for each, control in zip(detection.targets, detection.controls, strict=True)
            if each.source == "structure"
        )
        return {each.description: each for each in detection.targets if each.source == "structure"}

    def part(self, name: str) -> UIElement:
        """The part of that name, once the application has told all of its tree, and twice the same."""

        def look() -> UIElement | None:
            try:
                first, second = self.inferred().get(name), self.inferred().get(name)
            except HandeyeError:
                return None  # it has only just begun
            return first if first is not None and second is not None and first.bbox == second.bbox else None

        return until(look)


@contextmanager
def bed_of(desktop: PrivateDesktop, python: str | Path, script: str, title: str) -> Iterator[Bed]:
    process = desktop.launch(python, BEDS / script, "--title", title, "--tab", "Table", wait_for_title=title)
    with AtspiStateProvider(environment=desktop.environment) as provider:
        bed = Bed(desktop, provider, process, title)
        desktop.backend.focus(bed.window)
        yield bed
    process.kill()
    process.wait()


@pytest.fixture(scope="module")
def qt(desktop: PrivateDesktop) -> Iterator[Bed]:
    need_pyside()
    with bed_of(desktop, sys.executable, "qt_bed.py", QT) as bed:
        yield bed


@pytest.fixture(scope="module")
def gtk(desktop: PrivateDesktop) -> Iterator[Bed]:
    asked = [SYSTEM_PYTHON, "-c", "import gi; gi.require_version('Gtk', '3.0')"]
    if not os.environ.get("CI") and subprocess.run(asked, capture_output=True, check=False).returncode:
        pytest.skip("GTK 3 is not installed: apt-get install python3-gi gir1.2-gtk-3.0")
    with bed_of(desktop, SYSTEM_PYTHON, "gtk_bed.py", GTK) as bed:
        yield bed


@pytest.fixture(scope="module")
def mouse(desktop: PrivateDesktop) -> Iterator[Mouse]:
    with mouse_on(desktop.display) as mouse:
        yield mouse


def value_at(told: Mapping[str, Any], path: str) -> Any:
    found: Any = told
    for key in path.split("/"):
        found = found[int(key)] if isinstance(found, list) else found[key]
    return found


def check_drag(bed: Bed, mouse: Mouse, name: str, by: tuple[int, int], *paths: str) -> None:
    """Drag the part called `name`: what stands at each of `paths` in the bed's own words grows by the distance."""
    bed.desktop.backend.focus(bed.window)
    part = bed.part(name)
    before = bed.told()
    mouse.drag(part.center, *by)
    distances = [distance for distance in by if distance]
    expected = {path: value_at(before, path) + distance for path, distance in zip(paths, distances, strict=True)}
    last: dict[str, int] = {}

    def arrived() -> bool:
        last.update({path: value_at(bed.told(), path) for path in paths})
        return last == expected

    try:
        until(arrived)
    except AssertionError:
        pytest.fail(f"{name} at {part.center} dragged by {by}: expected {expected}, got {last}")


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
def test_what_is_inferred_in_qt_can_be_dragged(
    qt: Bed, mouse: Mouse, name: str, by: tuple[int, int], paths: tuple[str, ...]
) -> None:
    check_drag(qt, mouse, name, by, *paths)


def test_the_grip_of_a_qt_tool_bar_moves_it(qt: Bed, mouse: Mouse) -> None:
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
def test_what_is_inferred_in_gtk_can_be_dragged(
    gtk: Bed, mouse: Mouse, name: str, by: tuple[int, int], path: str
) -> None:
    check_drag(gtk, mouse, name, by, path)


def test_no_row_of_gtk_is_said_to_have_a_border(gtk: Bed) -> None:
    """Its rows cannot be resized: a drag between two of them selects."""
    gtk.part("column border between Name and Size")
    assert {each.element_type for each in gtk.inferred().values()} == {"column border", "splitter"}
