"""Tests of text and keys for a window that loses the keyboard focus."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from handeye.actions import EraseText, InputText
from handeye.cli.app import app
from handeye.desktop import DesktopSession
from handeye.devices import DesktopDevice, Surface, Window
from handeye.elements import UIElement
from handeye.errors import DeviceError, KeyboardTaken, TextInputFailed
from handeye.geometry import Box
from handeye.perceive import Control
from handeye.plan import ActionName, StepPlan
from handeye.run import TaskRunner, Tools
from handeye.screen import Screen
from handeye.testing.desktop import PrivateDesktop
from handeye.testing.desktop_fake import FakeDesktop, fake_window
from handeye.testing.fakes import FakeClock, FakeDevice, FakeFinder, FakePage, FakePlanner
from handeye.testing.perceiving import FixedProvider
from handeye.text import TextLine
from handeye.verify import ScreenVerifier
from optional_programs import need_gtk, need_pyside

BED = Path(__file__).parent / "beds" / "taking_bed.py"
NOTES = fake_window(7, "Notes", Box(100, 100, 500, 400), focused=True)
DIALOG = fake_window(8, "Really?", Box(200, 200, 400, 300))
TEXT = "x" * 1000


class Taken(FakeDesktop):
    """Another surface has the keyboard once so many letters are typed, or keys pressed; None: nobody has."""

    def __init__(self, by: Surface | None, after: int) -> None:
        super().__init__([NOTES, DIALOG])
        self.by, self.after = by, after

    def keyboard_holder(self) -> Surface | None:
        done = len(self.typed) + sum(press.down for press in self.presses)
        return self.by if done >= self.after else super().keyboard_holder()


def surface(window: Window, popup: bool = False) -> Surface:
    return Surface(window.id, window.title, window.frame, window.process, popup)


TAKERS = (surface(DIALOG), Surface(99, "Notice", Box(0, 0, 50, 50), NOTES.process, popup=True), None)


def session_of(desktop: FakeDesktop) -> DesktopSession:
    tree = FixedProvider((), controls=())
    return DesktopSession(DesktopDevice(desktop, clock=FakeClock()), tree=tree, reader=None, clock=FakeClock())


DOORS: dict[str, Callable[[FakeDesktop], object]] = {
    "session": lambda desktop: session_of(desktop).type(TEXT),
    "session with a window": lambda desktop: session_of(desktop).type(TEXT, window="Notes"),
    "device": lambda desktop: DesktopDevice(desktop).perform(InputText(TEXT)),
    "device of a window": lambda desktop: DesktopDevice(desktop, "Notes").perform(InputText(TEXT)),
}


@pytest.mark.parametrize("by", TAKERS)
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("after", [0, 120, 940])
def test_typing_stops_when_keyboard_focus_is_lost(by: Surface | None, door: str, after: int) -> None:
    if (door, after) == ("device", 0) and by is not None:
        return  # whatever has the keyboard at the beginning is meant
    desktop = Taken(by, after)
    with pytest.raises(DeviceError) as said:
        DOORS[door](desktop)
    assert len(desktop.typed) == -(-after // 50) * 50
    if after:
        assert f"only {len(desktop.typed)} of 1000" in str(said.value)
        assert (by.name if by else "no window") in str(said.value)


@pytest.mark.parametrize("by", TAKERS)
def test_keys_stop_when_keyboard_focus_is_lost(by: Surface | None) -> None:
    with pytest.raises(KeyboardTaken, match="nothing was pressed"):
        session_of(Taken(by, 0)).press("ctrl+s", "Notes")
    desktop = Taken(by, 1)
    with pytest.raises(KeyboardTaken):  # between Ctrl and S
        session_of(desktop).press("ctrl+s", "Notes")
    assert [(press.what, press.down) for press in desktop.presses] == [("ctrl", True), ("ctrl", False)]
    desktop = Taken(by, 3)
    with pytest.raises(KeyboardTaken, match="3 of 9 characters were erased"):
        DesktopDevice(desktop, "Notes").perform(EraseText(9))


class Unread:
    """A reader that finds no text."""

    name = "none"

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        return ()

    def read_region(self, screen: Screen, box: Box) -> tuple[TextLine, ...]:
        return ()


def test_run_fails_when_keyboard_focus_is_lost() -> None:
    device = DesktopDevice(desktop := Taken(surface(DIALOG), 120), "Notes", clock=FakeClock())
    step = StepPlan(1, ActionName.INPUT_TEXT, params={"text": TEXT})
    tools = Tools(FakeFinder(FakeDevice({"page": FakePage()}, start="page")), ScreenVerifier(Unread()))
    runner = TaskRunner(
        device, planner=FakePlanner({"task": [step]}), tools=lambda plan: tools, clock=FakeClock(), rest=False
    )
    result = runner.run("task")
    assert not result.success
    assert "Really?" in result.error_message
    assert len(desktop.typed) == 150


def test_focus_change_after_final_line_break_is_allowed() -> None:
    desktop = Taken(surface(DIALOG), 6)
    session_of(desktop).type("hello\n", window="Notes")
    assert desktop.typed == "hello\n"
    with pytest.raises(KeyboardTaken, match="all of the text was typed"):
        session_of(Taken(surface(DIALOG), 5)).type("hello", window="Notes")


def test_error_hides_the_length_of_secret_text() -> None:
    with pytest.raises(KeyboardTaken) as said:
        session_of(Taken(surface(DIALOG), 120)).type(TEXT, window="Notes", secret=True)
    assert not set("0123456789") & set(str(said.value).replace("400x300", ""))


def test_command_error_names_window_that_took_focus(monkeypatch: pytest.MonkeyPatch) -> None:
    desktop = Taken(surface(DIALOG), 120)
    monkeypatch.setattr("handeye.commands.desktop.DesktopSession", lambda *_, **__: session_of(desktop))
    for words in (("type", TEXT), ("press", "ctrl+s")):
        answer = CliRunner().invoke(app, [*words, "--window", "Notes", "--json"])
        told = json.loads(answer.stdout)
        assert (answer.exit_code, told["kind"]) == (1, "KeyboardTaken")
        assert "Really?" in told["error"]
    assert len(desktop.typed) == 150
    assert not desktop.presses


class Full:
    """A field that takes the first letters only."""

    def __init__(self, desktop: FakeDesktop, room: int) -> None:
        self._desktop, self._room = desktop, room

    def text(self) -> str:
        return self._desktop.typed[: self._room]


def test_field_value_reveals_letters_lost_to_popup() -> None:
    desktop = FakeDesktop([NOTES])
    field = UIElement(
        "input", "", Box(110, 110, 300, 130), id=1, source="accessibility", metadata={"editable": True, "focused": True}
    )
    controls: tuple[Control, ...] = (Full(desktop, 120),)  # type: ignore[assignment]
    tree = FixedProvider((field,), controls=controls)
    session = DesktopSession(DesktopDevice(desktop), tree=tree, reader=None, clock=FakeClock())
    with pytest.raises(TextInputFailed, match="only 150 of 1000"):
        session.type(TEXT)
    assert len(desktop.typed) == 150


# -- real windows


def told(desktop: PrivateDesktop, bed: object) -> dict[str, int]:
    said: dict[str, int] = json.loads(desktop.output(bed).splitlines()[-1])  # type: ignore[arg-type]
    return said


@pytest.mark.parametrize(
    ("by", "when"),
    [
        ("dialog", ("--after-letters", "120")),
        ("focus", ("--after-letters", "120")),
        ("grab", ("--after-letters", "120")),
        ("dialog", ("--after-ms", "1")),
        ("dialog", ("--after-ms", "20")),
        ("dialog", ("--after-ms", "60")),
    ],
)
def test_typing_stops_when_real_window_loses_focus(desktop: PrivateDesktop, by: str, when: tuple[str, str]) -> None:
    need_gtk()
    bed = desktop.launch("/usr/bin/python3", BED, "--by", by, *when)
    desktop.wait_for_window("Letter", process=bed)
    session = DesktopSession(DesktopDevice(desktop.backend), reader=None)
    try:
        with pytest.raises(DeviceError) as said:
            session.type(TEXT, window="Letter")
        deadline = time.monotonic() + 5
        while not told(desktop, bed)["taken"] and time.monotonic() < deadline:
            time.sleep(0.02)
        counted = told(desktop, bed)
        assert counted["taken"]
        assert counted["other"] <= 100
        assert counted["field"] + counted["other"] < len(TEXT)
        if by != "grab":
            assert ("Really?" if by == "dialog" else "Notice") in str(said.value)
    finally:
        bed.kill()
        bed.wait()


def test_completion_popup_does_not_stop_typing(desktop: PrivateDesktop) -> None:
    """Qt's completion list grabs the keyboard, and passes every key on to its field."""
    need_pyside()
    code = (
        "from PySide6.QtWidgets import *; a = QApplication([]); f = QLineEdit(); f.setWindowTitle('Completed');"
        "f.setCompleter(QCompleter(['x' * n for n in range(3, 400)])); f.resize(500, 60); f.show(); a.exec()"
    )
    program = desktop.launch(sys.executable, "-c", code)
    desktop.wait_for_window("Completed", process=program)
    session = DesktopSession(DesktopDevice(desktop.backend), reader=None)
    assert session.type("x" * 300, window="Completed").verified
    program.kill()
    program.wait()
