"""Words that say how something is asked for, or where, are no part of what is typed, sent or opened."""

from __future__ import annotations

import pytest

from handeye.plan.base import ActionName, TaskPlan
from handeye.run.defaults import default_planner

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
        ("send wechat message to 张三 saying hi on WeChat", "hi"),
        ("send 张三 a wechat message saying see you in Chrome", "see you in Chrome"),
        ("send 张三 a wechat message saying “hi on WeChat”", "hi on WeChat"),
        ("给张三发微信说一下午没吃饭", "一下午没吃饭"),
        ("给张三发微信说明天见，谢谢", "明天见，谢谢"),
    ],
)
def test_what_is_typed_has_no_words_of_manner(task: str, text: str) -> None:
    assert typed(PLANNER.plan(task)) == text


@pytest.mark.parametrize(
    ("task", "plain"),
    [
        ("open settings please", "open settings"),
        ("open the browser, thanks", "open the browser"),
        ("打开一下设置", "打开设置"),
        ("打开设置谢谢", "打开设置"),
        ("麻烦打开一下微信谢谢", "打开微信"),
        ("打开微信吧", "打开微信"),
        ("turn off bluetooth please", "turn off bluetooth"),
        ("关闭一下蓝牙", "关闭蓝牙"),
        ("open Notes pls!", "open Notes"),
    ],
)
def test_a_polite_task_is_planned_as_the_plain_one(task: str, plain: str) -> None:
    assert PLANNER.plan(task).steps == PLANNER.plan(plain).steps
