"""Tests of inferred parts in unusual layouts: right to left, with docks, with long tables."""

from __future__ import annotations

import sys

from inferred_bed import Bed, bed_of, check_drag
from live_tree import until
from xtest import mouse_on

from handeye.testing.desktop import PrivateDesktop
from optional_programs import SYSTEM_PYTHON, need_gtk, need_pyside

LONG = "--rows=500"  # read by place


def of_columns(bed: Bed) -> list[str]:
    return [name for name in bed.inferred() if name.startswith("column border")]


def test_qt_rtl_table_has_no_column_borders(desktop: PrivateDesktop) -> None:
    """Qt reports the headers at their left-to-right positions; those of its tree have the same role."""
    need_pyside()
    with bed_of(desktop, sys.executable, "qt_bed.py", "Qt from the right", "--rtl", LONG) as bed:
        bed.part("resize handle of Qt from the right")
        until(lambda: any(each.text == "Owner 1" for each in bed.read().targets))
        assert of_columns(bed) == []


def test_gtk_rtl_column_grows_when_dragged_left(desktop: PrivateDesktop) -> None:
    need_gtk()
    with (
        bed_of(desktop, SYSTEM_PYTHON, "gtk_bed.py", "GTK from the right", "--rtl", LONG) as bed,
        mouse_on(desktop.display) as mouse,
    ):
        check_drag(bed, mouse, "column border between Name and Size", (-40, 0), "columns/Name", grows=(40,))


def test_dragged_splitter_widens_qt_dock(desktop: PrivateDesktop) -> None:
    need_pyside()
    with (
        bed_of(desktop, sys.executable, "qt_bed.py", "Qt with a dock", "--dock", LONG) as bed,
        mouse_on(desktop.display) as mouse,
    ):
        splitter, before = bed.part("splitter between Places and Outline"), bed.told()["dock"]
        bed.desktop.backend.focus(bed.window)
        # Qt moves a dock by a timer: of a button that is let go before that, the last step is forgotten.
        mouse.drag(splitter.center, -40, 0, lambda: until(lambda: bed.told()["dock"] == before + 40))
        assert bed.told()["dock"] == before + 40
        table = next(each for each in bed.read().targets if each.text == "Files")
        rows = [each.bbox for name, each in bed.inferred().items() if name.startswith("row border")]
        assert rows
        assert all(each.bottom <= table.bbox.bottom for each in rows)
