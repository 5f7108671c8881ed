"""Tests of polite words and phrases of manner: they are never typed, sent or opened."""

from __future__ import annotations

import pytest

from handeye.errors import NoPlan
from handeye.plan import ActionName, TaskPlan
from handeye.run import default_planner

PLANNER = default_planner()


def typed(plan: TaskPlan) -> str:
    return str([step.params["text"] for step in plan.steps if step.action is ActionName.INPUT_TEXT][-1])


@pytest.mark.parametrize(
    ("task", "text"),
    [
        ("search for cats in Chrome", "cats"),
        ("search for flights to Rome in the Chrome browser", "flights to Rome"),
        ("in Chrome, search for cats", "cats"),
        ("search for how to cook in a pan please", "how to cook in a pan"),
        ("search for “cats in Chrome”", "cats in Chrome"),
        ("帮我搜索一下天气", "天气"),
        ("在chrome里搜索一下猫的视频", "猫的视频"),
        ("send 张三 a wechat message saying see you in Chrome", "see you in Chrome"),
        ("send 张三 a wechat message saying “hi on WeChat”", "hi on WeChat"),
        ("给张三发微信说一下午没吃饭", "一下午没吃饭"),
        ("给张三发微信说明天见，谢谢", "明天见，谢谢"),
    ],
)
def test_typed_text_contains_no_manner_words(task: str, text: str) -> None:
    assert typed(PLANNER.plan(task)) == text


@pytest.mark.parametrize(
    ("task", "plain"),
    [
        ("open settings please", "open settings"),
        ("open the browser, thanks", "open the browser"),
        ("打开一下设置", "打开设置"),
        ("打开设置谢谢", "打开设置"),
        ("麻烦打开一下微信谢谢", "打开微信"),
        ("turn off bluetooth please", "turn off bluetooth"),
        ("关闭一下蓝牙", "关闭蓝牙"),
        ("open Notes pls!", "open Notes"),
    ],
)
def test_polite_task_is_planned_like_plain_task(task: str, plain: str) -> None:
    assert PLANNER.plan(task).steps == PLANNER.plan(plain).steps


@pytest.mark.parametrize("app", ["贴吧", "唱吧", "百度贴吧"])
def test_app_name_ending_in_polite_word_is_kept(app: str) -> None:
    taps = [step.target for step in PLANNER.plan(f"打开{app}").steps if step.action is ActionName.TAP]
    assert [tap.text for tap in taps if tap is not None] == [app]


@pytest.mark.parametrize(
    "message",
    [
        "一起吃饭，好吗",
        "晚上见，可以吗？",
        "你等一下我到",
        "帮我查一下航班",
        "请把门打开一下",
        "明天见，谢谢你",
        "call me, please",
    ],
)
@pytest.mark.parametrize("opening", ["", "帮我", "请"])
def test_message_is_sent_whole_or_refused(message: str, opening: str) -> None:
    """No word of a message is dropped."""
    try:
        plan = PLANNER.plan(f"{opening}给张三发微信说{message}")
    except NoPlan:
        return
    assert typed(plan) == message


@pytest.mark.parametrize("message", ["hi on WeChat", "I saw it on wechat", "call me via WeChat."])
@pytest.mark.parametrize("task", ["send wechat message to 张三 saying {}", "send 张三 a wechat message saying {}"])
def test_message_ending_with_app_name_needs_quotation_marks(task: str, message: str) -> None:
    with pytest.raises(NoPlan, match="quotation marks"):
        PLANNER.plan(task.format(message))
    assert typed(PLANNER.plan(task.format(f"“{message}”"))) == message
