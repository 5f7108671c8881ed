"""Tests of UI Automation in Wine 10, which has windows (name, type, box, states) but no patterns."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from typing import Any

import pytest
from wine_computer import Program, Wine

from handeye.errors import DeviceError, TreeFailed
from handeye.geometry import Box

pytestmark = pytest.mark.uia

TITLE = "Controls – 设置"


@pytest.fixture(scope="module")
def application(newer: Wine) -> Program:
    return newer.run("controls.py", TITLE)


@pytest.fixture(scope="module")
def said(application: Program) -> dict[str, Any]:
    """Handles and places of the application's windows by name, as the application reports them."""
    told: dict[str, Any] = json.loads(application.line())
    return told


@pytest.fixture(scope="module")
def read(newer: Wine, said: dict[str, Any]) -> dict[str, Any]:
    """Type, name, box and states of these windows by name, as UI Automation reports them."""
    windows = said["windows"]
    return dict(zip(windows, newer.backend.ask("read_windows", tuple(windows.values())), strict=True))


def test_boxes_match_get_window_rect(read: dict[str, Any], said: dict[str, Any]) -> None:
    assert {name: box for name, (_, _, box, _) in read.items()} == {
        name: Box(*place) for name, place in said["places"].items()
    }


def test_names_come_from_texts_and_labels(read: dict[str, Any]) -> None:
    names = {name: told for name, (_, told, _, _) in read.items()}
    assert names[""] == TITLE
    assert (names["save"], names["off"], names["wrap"]) == ("Save", "Off", "Wrap 换行")
    assert (names["field"], names["secret"]) == ("Name:", "Password:")


def test_control_types_and_states_are_read(read: dict[str, Any]) -> None:
    """Wine distinguishes windows and edit controls; everything else is a pane."""
    assert [read[name][0] for name in ("", "field", "secret")] == ["Window", "Edit", "Edit"]
    assert read["save"][3] == read["field"][3] == {"enabled"}
    assert read["off"][3] == set()
    assert read["secret"][3] == {"enabled", "password"}


def test_provider_lists_window_and_its_controls(newer: Wine, said: dict[str, Any]) -> None:
    """Wine does not descend into child windows by itself: they are queried one by one."""
    window = next(each for each in newer.backend.windows() if each.title == TITLE)
    found = newer.backend.ask("detect", TITLE)
    assert found[0] == ("window", TITLE, window.box, True)
    inner = {name: Box(*place) for name, place in said["places"].items() if name}
    assert {box for _, _, box, _ in found[1:]} == set(inner.values())
    assert {(text, enabled) for _, text, box, enabled in found if box in (inner["save"], inner["off"])} == {
        ("Save", True),
        ("Off", False),
    }
    assert not any("hunter2" in text for _, text, _, _ in found)


def test_element_is_read_again_on_new_thread(newer: Wine, said: dict[str, Any]) -> None:
    assert newer.backend.ask("look_after_close", said["windows"]["wrap"]) == "Wrap 换行"


def test_missing_window_is_an_error(newer: Wine) -> None:
    with pytest.raises(DeviceError):
        newer.backend.ask("read_windows", (0x7FFFFFF0,))


@pytest.fixture
def hung(newer: Wine) -> Iterator[int]:
    """A window whose program has been stopped."""
    program = newer.run("controls.py", "Hung")
    window = json.loads(program.line())["windows"][""]
    program.send(signal.SIGSTOP)
    yield window
    program.send(signal.SIGCONT)


def test_hanging_program_fails_within_its_timeout(newer: Wine, hung: int, said: dict[str, Any]) -> None:
    with pytest.raises(TreeFailed, match="did not answer within 5 s"):
        newer.backend.ask("read_windows", (hung,))
    assert newer.backend.ask("read_windows", (said["windows"]["save"],))[0][1] == "Save"
