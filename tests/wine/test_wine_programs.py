"""Tests of what Win32 reports of other programs: whether they take messages, and their rights."""

from __future__ import annotations

import json
import signal

from wine_computer import Wine, wait_until

MEDIUM, HIGH = 0x2000, 0x3000


def test_a_program_takes_messages_unless_it_hangs(wine: Wine) -> None:
    program = wine.run("controls.py", "Alive")
    window = json.loads(program.line())["windows"][""]
    assert wine.backend.ask("takes_messages", window)
    program.send(signal.SIGSTOP)
    try:
        assert not wine.backend.ask("takes_messages", window)
    finally:
        program.send(signal.SIGCONT)
    program.end()
    wait_until(lambda: not wine.backend.ask("takes_messages", window), "a window that is gone takes no messages")


def test_program_waiting_for_its_dialog_takes_messages(wine: Wine) -> None:
    """Neither it nor a hanging program answers a press: this tells them apart."""
    program = wine.run("controls.py", "Asks", "Delete it?")
    window = json.loads(program.line())["windows"][""]
    wait_until(lambda: any(each.title == "Delete it?" for each in wine.backend.windows()), "the dialog is shown")
    assert wine.backend.ask("takes_messages", window)
    program.end()


def test_program_with_equal_rights_is_not_elevated(wine: Wine) -> None:
    program = wine.run("controls.py", "Equal")
    window = json.loads(program.line())["windows"][""]
    level, more = wine.backend.ask("rights", window)
    assert level in (MEDIUM, HIGH)
    assert not more
    program.end()
