"""Tests of sending a message, judged by the phone's state: the right message and contact, or none."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from phone_runs import Run

from handeye.errors import NoPlan, TextInputFailed
from handeye.run import TaskStatus
from handeye_phone.scenario import Scenario

TASK = "给张三发微信消息说你好"
LAUNCHER = "com.android.launcher3"
Go = Callable[[str | Scenario, str], Run]

SOLVABLE = (
    "calm",
    "permission,advert,dark,slow-capture",
    "loading",
    "keyboard",
    "density",
    "rotation",
    "slow-taps",
    "never-idle",
    "drop-link",
)


@pytest.mark.parametrize("scenario", SOLVABLE)
def test_message_arrives_in_the_right_chat(run: Go, scenario: str) -> None:
    done = run(scenario, TASK)
    assert done.sent == [("张三", "你好")]
    assert done.result.status is TaskStatus.SUCCESS, done.result.error_message
    assert done.result.model_calls == 0
    assert done.input_method_kept


def test_message_is_sent_in_reverse_landscape(run: Go) -> None:
    done = run(Scenario(rotation=3, keyboard_covers=True), "给章三发微信消息说你好")
    assert done.sent == [("章三", "你好")]
    assert done.result.status is TaskStatus.SUCCESS, done.result.error_message


@pytest.mark.parametrize(
    ("task", "sent"),
    [
        ("给张三丰发微信消息说明早见", ("张三丰", "明早见")),
        ("给章三发微信消息说快递到了吗?", ("章三", "快递到了吗?")),
        ("send a wechat message to Alice saying see you at 7", ("Alice", "see you at 7")),
        (
            "给李雷发微信消息说我们明天下午三点在二楼东侧的会议室开会，记得带上上周的报告和你的电脑，别迟到了",
            ("李雷", "我们明天下午三点在二楼东侧的会议室开会，记得带上上周的报告和你的电脑，别迟到了"),
        ),
        ("给韩梅梅发微信消息说好的😀明天见", ("韩梅梅", "好的😀明天见")),
    ],
)
def test_other_contacts_and_messages_are_sent_correctly(run: Go, task: str, sent: tuple[str, str]) -> None:
    done = run("calm", task)
    assert done.sent == [sent]
    assert done.result.status is TaskStatus.SUCCESS, done.result.error_message


@pytest.mark.parametrize(
    ("scenario", "task", "why"),
    [
        ("contact-missing", TASK, "张三"),
        ("calm", "给赵六发微信消息说你好", "赵六"),
        ("no-adbkeyboard", TASK, "ADBKeyboard.apk"),
    ],
)
def test_impossible_task_fails_and_sends_nothing(run: Go, scenario: str, task: str, why: str) -> None:
    done = run(scenario, task)
    assert done.sent == []
    assert done.result.status is TaskStatus.FAILED
    assert why in done.result.error_message
    assert done.app.startswith(LAUNCHER)  # left at rest
    assert done.input_method_kept


def test_missing_keyboard_app_error_names_the_remedy(run: Go) -> None:
    error = run("no-adbkeyboard", TASK).result.error
    assert isinstance(error, TextInputFailed)
    assert "adb install" in str(error)


def test_crash_never_sends_a_second_message(run: Go) -> None:
    done = run("crash", TASK)
    assert len(done.sent) <= 1
    if not done.sent:
        assert done.result.status is not TaskStatus.SUCCESS


def test_emoji_only_message_is_sent_but_unproved(run: Go) -> None:
    done = run("calm", "给张三发微信消息说😀😀")
    assert done.sent == [("张三", "😀😀")]
    assert done.result.status is TaskStatus.NEEDS_REVIEW


@pytest.mark.parametrize("message", ["$(reboot)", "a'; rm -rf /sdcard; 'b", "`id` && id", '"quoted" %s {contact}'])
def test_message_text_is_never_executed_as_command(run: Go, message: str) -> None:
    done = run("calm", f"给张三发微信消息说“{message}”")  # without the marks it may be an order, and is refused
    assert done.sent == [("张三", message)]
    commands = "\n".join(done.log)
    assert "\nid" not in commands
    assert "\nreboot" not in commands


def test_unknown_task_performs_no_action(run: Go) -> None:
    done = run("calm", "烤一个蛋糕")
    assert isinstance(done.result.error, NoPlan)
    assert done.sent == []
    assert not any("input" in line for line in done.log)


def test_app_beyond_first_home_page_is_opened(run: Go) -> None:
    done = run("calm", "打开微信")
    assert done.result.status is TaskStatus.SUCCESS
    assert done.app.startswith("com.tencent.mm")
    assert "fallback 1/3" in done.notes


def test_opened_app_is_proved_by_front_app(run: Go) -> None:
    done = run("calm", "打开计算器")
    assert done.result.status is TaskStatus.SUCCESS, done.result.error_message
    assert done.app.startswith("com.android.calculator2")
