"""Tests of single taps, in Python and by command: what covers the target is handled as in a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from typer.testing import CliRunner

from handeye.cli.app import app
from handeye.clock import Deadline, SystemClock
from handeye.devices import PhoneDevice
from handeye.errors import HandeyeError
from handeye.geometry import Box
from handeye.session import Session
from handeye_phone.scenario import Scenario

Tap = Callable[[PhoneDevice, str], str]


def tap_in_python(phone: PhoneDevice, query: str) -> str:
    """Tap an element and return the error that kept it from being tapped; "" if it was."""
    try:
        Session(phone).tap(query)
    except HandeyeError as error:
        return str(error)
    return ""


def tap_by_command(phone: PhoneDevice, query: str) -> str:
    answer = CliRunner().invoke(app, ["tap", query, "--device", phone.uri])
    assert answer.exit_code in (0, 1)
    return answer.output if answer.exit_code else ""


DOORS = pytest.mark.parametrize("tap", [tap_in_python, tap_by_command], ids=["Python", "command"])


@pytest.fixture
def chat(adb_port: int) -> Iterator[PhoneDevice]:
    """The chat with Alice and a draft in its field; the keyboard lies over the lower third of the page."""
    with PhoneDevice(Scenario.parse("keyboard")) as phone:
        phone.phone.call(lambda model: model.open_chat("Alice"))
        assert tap_in_python(phone, "role=input") == ""
        phone.input_text("abc")
        deadline = Deadline(SystemClock(), 10)
        while not (phone.phone.state.input_shown and phone.phone.state.draft == "abc") and not deadline.passed:
            deadline.pause(0.1)
        yield phone


@DOORS
def test_keyboard_over_target_is_closed_first(chat: PhoneDevice, tap: Tap) -> None:
    assert tap(chat, "发送") == ""
    assert chat.phone.state.sent == {"Alice": ["abc"]}


@DOORS
@pytest.mark.parametrize(
    ("scenario", "refusal"),
    [
        ("permission", "拒绝"),
        ("permission,german", "Nicht zulassen"),
        ("permission,russian", "Запретить"),
        ("photo-choice,french", "Ne pas autoriser"),
        ("not-responding,spanish", "Esperar"),
    ],
)
def test_only_the_dialogs_buttons_are_tapped(adb_port: int, tap: Tap, scenario: str, refusal: str) -> None:
    with PhoneDevice(Scenario.parse(scenario)) as phone:
        phone.launch_app("com.tencent.mm")
        deadline = Deadline(SystemClock(), 10)
        while not (dialog := phone.phone.state.dialog) and not deadline.passed:
            deadline.pause(0.1)
        assert "lies over it" in tap(phone, "通讯录")
        assert (phone.phone.state.dialog, phone.phone.state.screen) == (dialog, "chats")
        assert tap(phone, refusal) == ""
        assert phone.phone.state.dialog == ""
        assert not any(phone.phone.state.permissions.values())


@DOORS
@pytest.mark.parametrize(("scenario", "name"), [("bubble", "Bubbles!"), ("picture-in-picture", "com.android.chrome")])
def test_target_under_a_floating_window_is_not_tapped(adb_port: int, tap: Tap, scenario: str, name: str) -> None:
    """The accessibility tree still lists the covered button, and no text shows what covers it."""
    with PhoneDevice(Scenario.parse(scenario)) as phone:
        phone.launch_app("com.tencent.mm")
        button = Session(phone).locate("更多功能按钮").element
        assert button is not None
        phone.phone.call(lambda model: model.drag_floating(button.bbox))
        assert name in tap(phone, "更多功能按钮")
        phone.phone.call(lambda model: model.drag_floating(Box(0, 2000, 120, 2100)))
        assert tap(phone, "更多功能按钮") == ""
