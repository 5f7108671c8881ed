"""Tests of windows without an accessibility tree: Tk, xterm, and one that draws everything itself."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from live_tree import until
from typer.testing import CliRunner

from handeye.cli.app import app
from handeye.desktop import DesktopSession
from handeye.devices import DesktopDevice
from handeye.errors import StateChanged, TargetNotFound, TreeFailed
from handeye.perceive.atspi import AtspiStateProvider
from handeye.testing.desktop import PrivateDesktop
from optional_programs import SYSTEM_PYTHON, need, need_tk

BEDS = Path(__file__).parent / "beds"


@dataclass
class Bed:
    """A program with one window, and a session on it."""

    desktop: PrivateDesktop
    process: subprocess.Popen[bytes]
    title: str
    session: DesktopSession

    def told(self) -> dict[str, Any]:
        """The last line that the program wrote of itself."""
        lines = self.desktop.output(self.process).split("\n")[:-1]
        return json.loads(lines[-1]) if lines else {}

    def number(self, text: str, role: str | None = None) -> int:
        """The number of what `state --vision` shows with that text."""
        found = [
            each.id
            for each in self.session.state(self.title).elements
            if text in (each.text, each.description) and role in (None, each.element_type)
        ]
        assert found, [each.text for each in self.session.state(self.title).elements]
        assert found[0] is not None
        return found[0]

    def command(self, *words: str) -> tuple[int, dict[str, Any]]:
        """Run a command on the window and return its exit code and its JSON."""
        env = {**self.desktop.environment, "HANDEYE_STATE_DIR": str(self.desktop.home / "handeye")}
        answer = CliRunner(env=env).invoke(
            app, [*words, "--device", self.desktop.uri, "--window", self.title, "--json"]
        )
        return answer.exit_code, json.loads(answer.stdout)


def opened(desktop: PrivateDesktop, title: str, *command: str | Path) -> Iterator[Bed]:
    process = desktop.launch(*command, wait_for_title=title)
    with (
        AtspiStateProvider(environment=desktop.environment) as tree,
        DesktopSession(DesktopDevice(desktop.backend), tree=tree, vision=True) as session,
    ):
        until(lambda: desktop.output(process) or title == "A terminal")
        yield Bed(desktop, process, title, session)
    process.kill()
    process.wait()


@pytest.fixture
def form(desktop: PrivateDesktop) -> Iterator[Bed]:
    need_tk()
    yield from opened(desktop, "Tk form", SYSTEM_PYTHON, BEDS / "tk_bed.py", "Tk form")


@pytest.fixture
def terminal(desktop: PrivateDesktop, tmp_path: Path) -> Iterator[Bed]:
    need("xterm")
    greeting = tmp_path / "greet"
    greeting.write_text("echo Welcome; exec cat > " + str(tmp_path / "typed") + "\n")
    command = ("xterm", "-T", "A terminal", "-fa", "monospace", "-fs", "14", "-e", "sh", str(greeting))
    yield from opened(desktop, "A terminal", *command)


@pytest.fixture
def game(desktop: PrivateDesktop) -> Iterator[Bed]:
    yield from opened(desktop, "A game", sys.executable, BEDS / "drawn_bed.py", "A game")


@pytest.fixture
def restless(desktop: PrivateDesktop) -> Iterator[Bed]:
    yield from opened(desktop, "A game", sys.executable, BEDS / "drawn_bed.py", "A game", "--restless")


# -- phrases


def test_tk_button_press_is_verified_by_screenshot(form: Bed) -> None:
    done = form.session.click("the Save button", form.title)
    until(lambda: form.told()["clicks"] == {"Save": 1})
    assert (done.verified, done.tier) == (True, "2")


def test_a_press_that_changes_nothing_is_undecided(form: Bed) -> None:
    done = form.session.click("Idle", form.title)
    until(lambda: form.told()["clicks"] == {"Idle": 1})
    assert done.verified is None
    assert "its window looks as it did" in done.note


def test_check_box_without_tree_is_verified_by_mark(form: Bed) -> None:
    done = form.session.click("the Keep me informed checkbox", form.title)
    until(lambda: form.told()["agreed"])
    assert done.verified is True


def test_entry_of_drawn_menu_is_opened_and_clicked(form: Bed) -> None:
    done = form.session.click("the Export all item in the File menu", form.title)
    until(lambda: form.told()["menu"] == ["Export all"])
    assert done.verified is True


def test_drawn_menu_lacking_the_entry_is_closed(form: Bed) -> None:
    with pytest.raises(TargetNotFound, match="in 'File': none of the 3 lines reads so"):
        form.session.click("the Print item in the File menu", form.title)
    until(lambda: not form.desktop.backend.menus())
    assert form.told()["menu"] == []


def test_not_found_error_mentions_missing_tree(form: Bed) -> None:
    with pytest.raises(TargetNotFound, match=r"tier 1: no application on the accessibility bus .*text reader: none"):
        form.session.click("the Purchase button", form.title)
    assert form.told()["clicks"] == {}


def test_buttons_of_a_drawn_game_are_clicked(game: Bed) -> None:
    assert game.session.click("the Play button", game.title).verified is True
    until(lambda: game.told()["clicks"] == {"Play": 1})
    done = game.session.click("Options", game.title)
    until(lambda: game.told()["clicks"] == {"Play": 1, "Options": 1})
    assert done.verified is None


def test_animation_does_not_verify_a_press(restless: Bed) -> None:
    """A moving bar and a clock."""
    done = restless.session.click("Options", restless.title)
    until(lambda: restless.told()["clicks"] == {"Options": 1})
    assert done.verified is None
    assert "changes by itself" in done.note
    assert restless.session.click("the Play button", restless.title).verified is True


# -- numbers


def test_number_of_seen_element_is_clicked_twice(form: Bed) -> None:
    save = form.number("Save")
    for count in (1, 2):  # the second time the pointer lies on it, which Tk shows
        assert form.session.click(save, form.title).verified is True
        until(lambda: form.told()["clicks"] == {"Save": count})  # noqa: B023 - called at once


def test_entry_of_open_drawn_menu_has_number(form: Bed) -> None:
    form.session.click(form.number("File"), form.title)
    form.session.click(form.number("Open project"), form.title)
    until(lambda: form.told()["menu"] == ["Open project"])


def test_number_of_vanished_element_is_refused(form: Bed) -> None:
    said = form.number("Nothing saved yet")
    form.session.click("the Save button", form.title)
    with pytest.raises(StateChanged, match="does not look as it did"):
        form.session.click(said, form.title)


# -- typing


def test_text_is_typed_into_field_without_tree(form: Bed) -> None:
    done = form.session.type("Ada Lovelace", "the Full name field", form.title)
    until(lambda: form.told()["name"] == "Ada Lovelace")
    assert done.verified is True


def test_text_is_typed_into_numbered_field(form: Bed) -> None:
    done = form.session.type("Grace", form.number("Full name", "input"), form.title)
    until(lambda: form.told()["name"] == "Grace")
    assert done.verified is True


def test_hidden_text_is_not_verified(form: Bed) -> None:
    done = form.session.type("open sesame", "the Passphrase field", form.title)
    until(lambda: form.told()["secret"] == "open sesame")
    assert done.verified is None


def test_text_typed_into_terminal_is_verified(terminal: Bed, tmp_path: Path) -> None:
    assert terminal.session.type("ls total 42", window=terminal.title).verified is True
    hidden = terminal.session.type(" and more", window=terminal.title, secret=True)
    assert hidden.verified is None
    terminal.session.press("enter", terminal.title)
    until(lambda: (tmp_path / "typed").read_text() == "ls total 42 and more\n")


def test_terminal_line_is_clicked_by_phrase_and_number(terminal: Bed) -> None:
    line = terminal.number("Welcome")
    place = terminal.session.state(terminal.title).element(line).bbox
    for what in (line, "Welcome"):
        at = terminal.session.click(what, terminal.title).at
        assert at is not None
        assert place.contains((round(at.x), round(at.y)))


def test_text_typed_into_game_is_verified(game: Bed) -> None:
    assert game.session.type("hero", window=game.title).verified is True
    until(lambda: game.told()["written"] == "hero")


# -- the other doors


def test_command_line_works_without_a_tree(form: Bed) -> None:
    code, told = form.command("click", "the Save button")
    assert (code, told["verified"]) == (0, True), told
    code, listed = form.command("state", "--vision")
    assert code == 0
    assert "accessibility bus" in listed["notes"][0]
    save = next(each["id"] for each in listed["elements"] if each["name"] == "Save")
    code, told = form.command("click", str(save))
    assert (code, told["verified"]) == (0, True), told
    until(lambda: form.told()["clicks"] == {"Save": 2})
    code, told = form.command("type", "Ada", "--into", "the Full name field")
    assert (code, told["verified"]) == (0, True), told
    until(lambda: form.told()["name"] == "Ada")


def test_exit_code_is_one_without_target_or_tree(form: Bed) -> None:
    """Exit code 3 means that the device cannot be used."""
    code, told = form.command("click", "the Purchase button")
    assert (code, told["kind"]) == (1, "TargetNotFound")
    assert "accessibility bus" in told["error"]
    code, told = form.command("state")
    assert (code, told["kind"]) == (1, "TreeFailed")
    assert told["error"].endswith("--vision lists what is seen")
    with DesktopSession(DesktopDevice(form.desktop.backend)) as plain, pytest.raises(TreeFailed):
        plain.state(form.title)


def test_tap_finds_and_presses_without_a_tree(form: Bed) -> None:
    runner = CliRunner(env={**form.desktop.environment, "HANDEYE_STATE_DIR": str(form.desktop.home / "handeye")})
    device = ("--device", f"{form.desktop.uri}?window={form.title}")
    assert runner.invoke(app, ["tap", "the Save button", *device]).exit_code == 0
    until(lambda: form.told()["clicks"] == {"Save": 1})
    answer = runner.invoke(app, ["tap", "Purchase", *device])
    assert answer.exit_code == 1
    assert "accessibility bus" in " ".join(answer.output.split())


@pytest.mark.parametrize("into", ["Full name", "the Full name field"])
def test_label_selects_its_field_whatever_has_focus(form: Bed, into: str) -> None:
    form.session.type("first", "the Passphrase field", form.title)
    until(lambda: form.told()["secret"] == "first")
    done = form.session.type("Ada Lovelace", into, form.title)
    until(lambda: form.told()["name"] == "Ada Lovelace")
    assert form.told()["secret"] == "first"
    assert done.verified, done.note


def test_text_typed_at_fieldless_label_is_undecided(form: Bed) -> None:
    """A click on a label without a field leaves the keyboard focus where it was."""
    form.session.click("the Full name field", form.title)
    done = form.session.type("Grace", "Nothing saved yet", form.title)
    assert done.verified is None, done.note
