"""Tests of scrolling Qt elements into view by their control and by their name."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from inferred_bed import Bed, bed_of
from live_tree import until

from handeye.desktop import DesktopSession
from handeye.devices import DesktopDevice
from handeye.testing.desktop import PrivateDesktop
from optional_programs import need_pyside

TITLE = "Qt with steps"


@pytest.fixture(scope="module")
def bed(desktop: PrivateDesktop) -> Iterator[Bed]:
    need_pyside()
    with bed_of(desktop, sys.executable, "qt_bed.py", TITLE, "--dock") as bed:
        bed.find("button", "Step 30")
        yield bed


def test_control_scrolls_itself_into_view(bed: Bed) -> None:
    """Qt has no command for it, and setting the focus does not scroll."""
    last, first = bed.control("button", "Step 30"), bed.control("button", "Step 1")
    assert last.box() is None
    last.scroll_into_view()
    seen = last.box()
    assert seen is not None
    assert seen.height >= 20
    assert first.box() is None
    first.scroll_into_view()
    assert first.box() is not None
    assert last.box() is None


def test_named_offscreen_button_is_scrolled_to_and_clicked(bed: Bed) -> None:
    with DesktopSession(DesktopDevice(bed.desktop.backend), reader=None) as session:
        for name in ("Step 29", "Step 2"):
            session.click(f"the {name} button", TITLE)
            until(lambda: bed.told()["clicks"].get(name))  # noqa: B023 - called at once
