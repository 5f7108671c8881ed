"""Numbers of a real window in which rows change places, and something runs beside every button."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from live_tree import until
from real_app import RealApp, real_app

from handeye.errors import StateChanged
from handeye.testing.desktop import PrivateDesktop

BED = Path(__file__).parent / "beds" / "rows_bed.py"
SYSTEM_PYTHON = Path("/usr/bin/python3")
TITLE = "Rows that change places"


class Bed(RealApp):
    process: subprocess.Popen[bytes]

    @property
    def told(self) -> list[str]:
        """What the bed says was pressed."""
        return [json.loads(line) for line in self.desktop.output(self.process).splitlines()]

    def numbers(self, name: str) -> list[int]:
        """Of the buttons of that name, in a fresh list."""
        elements = self.session.state(TITLE).elements
        return [each.id for each in elements if each.element_type == "button" and each.text == name and each.id]

    def running(self) -> set[str]:
        """The clock and the percentage, without a new list."""
        found = self.session._looking.read(self.window, infer=False, vision=False).elements
        return {each.text for each in found if each.element_type == "text" and (":" in each.text or "%" in each.text)}

    def sort(self) -> None:
        told = self.told
        self.session.click("the Sort button", TITLE)
        self.once(lambda: self.told == [*told, "sorted"])


@pytest.fixture(scope="module")
def bed(desktop: PrivateDesktop) -> Iterator[Bed]:
    asked = [SYSTEM_PYTHON, "-c", "import gi; gi.require_version('Gtk', '3.0')"]
    if not os.environ.get("CI") and subprocess.run(asked, capture_output=True, check=False).returncode:
        pytest.skip("GTK 3 is not installed: apt-get install python3-gi gir1.2-gtk-3.0")
    before = set(desktop._started)
    with real_app(desktop, TITLE, SYSTEM_PYTHON, BED, TITLE) as app:
        made = Bed(desktop, app.session, TITLE)
        (made.process,) = set(desktop._started) - before
        made.element("button", "Value")
        yield made


@pytest.mark.parametrize("name", ["Eighth", "Image", "Buy", "Below", "Value", ""])
def test_no_row_is_taken_for_another(bed: Bed, name: str) -> None:
    first = bed.numbers(name)[0]
    bed.sort()
    told = bed.told
    with pytest.raises(StateChanged):
        bed.session.click(first)
    assert bed.told == told
    bed.session.click(first)  # as the fresh list has it
    bed.once(lambda: len(bed.told) == len(told) + 1)


@pytest.mark.parametrize("name", ["Refresh", "Stop", "Inbox", "Cancel", "Next"])
def test_what_runs_beside_a_button_changes_nothing(bed: Bed, name: str) -> None:
    (number,) = bed.numbers(name)
    running, told = bed.running(), bed.told
    assert len(running) == 2
    until(lambda: running.isdisjoint(bed.running()) or None)
    bed.session.click(number)
    bed.once(lambda: bed.told == [*told, name])
