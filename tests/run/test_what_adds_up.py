"""Tests of cumulative and toggling actions: done once by a run, a replan and a resume."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from handeye.actions import Action, PressKey, Tap
from handeye.geometry import Box
from handeye.plan import ActionName, StepPlan, TaskPlan
from handeye.run import ResumePoint, StepStatus, TaskResult, TaskRunner, TaskStatus, Tools
from handeye.run.idempotency import is_cumulative
from handeye.target import Expectation, Target
from handeye.testing.fakes import FakeClock, FakeDevice, FakeFinder, FakePage, FakePlanner, FakeVerifier

HERE, THERE = Box(0, 0, 40, 40), Box(50, 50, 90, 90)
ADDING = [
    "加入购物车",
    "点赞",
    "关注",
    "收藏",
    "+",
    "＋",
    "➕",
    "Add to cart",
    "Like",
    "Follow",
    "Save",
    "赞",
    "7",
    "再来一单",
    "抽奖",
    "Reorder",
    "Bid",
]


def tap(text: str, expect: str | None = None) -> StepPlan:
    proof = Expectation(text=expect) if expect else None
    return StepPlan(1, ActionName.TAP, target=Target(text=text), expect=proof, retry=2)


def press(key: str | int) -> StepPlan:
    return StepPlan(1, ActionName.PRESS_KEY, params={"key": key})


def check(text: str) -> StepPlan:
    return StepPlan(1, ActionName.CHECK, expect=Expectation(text=text))


def numbered(*steps: StepPlan) -> tuple[StepPlan, ...]:
    return tuple(replace(step, step=number) for number, step in enumerate(steps, 1))


class Shop:
    """One page with a button that shows nothing of what it does, and the plans for the task."""

    def __init__(self, button: str, *steps: StepPlan, others: Sequence[Sequence[StepPlan]] = ()) -> None:
        self.device = FakeDevice({"shop": FakePage({"Shop": HERE, button: THERE})}, start="shop")
        self.steps = numbered(*steps)
        tools = Tools(FakeFinder(self.device), FakeVerifier(self.device))
        self.runner = TaskRunner(
            self.device,
            planner=FakePlanner({"task": self.steps}, {"task": others}),
            tools=lambda plan: tools,
            clock=FakeClock(),
            rest=False,
        )

    def run(self) -> TaskResult:
        return self.runner.run("task")

    def resume(self, *statuses: StepStatus) -> TaskResult:
        return self.runner.run("task", resume=ResumePoint(TaskPlan({}, self.steps), dict(enumerate(statuses, 1))))

    def count(self, kind: type[Action]) -> int:
        return sum(isinstance(action, kind) for action in self.device.performed)


@pytest.mark.parametrize("button", ADDING)
def test_cumulative_tap_without_visible_effect_is_not_repeated(button: str) -> None:
    shop = Shop(button, tap(button, "Cart 1"))
    result = shop.run()
    assert shop.count(Tap) == 1
    assert result.status is TaskStatus.NEEDS_REVIEW
    assert "if it was not sent or done, run the task again" in result.error_message


def test_navigation_tap_is_retried() -> None:
    favourites = replace(tap("收藏夹", "Cart 1"), target=Target(text="收藏夹", role="tab"))
    shop = Shop("收藏夹", favourites)
    assert shop.run().status is TaskStatus.FAILED
    assert shop.count(Tap) == 3


@pytest.mark.parametrize("button", ADDING)
def test_replan_does_not_repeat_cumulative_tap(button: str) -> None:
    shop = Shop(button, tap(button, "Cart 1"), others=[numbered(tap(button), check("Shop"))])
    assert shop.run().status is TaskStatus.NEEDS_REVIEW
    assert shop.count(Tap) == 1


@pytest.mark.parametrize("status", [StepStatus.UNVERIFIED, StepStatus.RUNNING, StepStatus.FAILED])
@pytest.mark.parametrize("button", ["加入购物车", "+", "收藏"])
def test_resumed_run_does_not_repeat_cumulative_tap(button: str, status: StepStatus) -> None:
    shop = Shop(button, check("Shop"), tap(button), check("Shop"))
    result = shop.resume(StepStatus.SUCCESS, status)
    assert result.status is TaskStatus.NEEDS_REVIEW
    assert shop.count(Tap) == 0


@pytest.mark.parametrize("key", ["VOLUME_UP", "KEYCODE_VOLUME_UP", 24, "24"])
def test_resumed_run_does_not_repeat_volume_key(key: str | int) -> None:
    shop = Shop("Mail", check("Shop"), press(key), check("Shop"))
    assert shop.resume(StepStatus.SUCCESS, StepStatus.UNVERIFIED).status is TaskStatus.NEEDS_REVIEW
    assert shop.count(PressKey) == 0


def test_proved_cumulative_tap_allows_resume() -> None:
    shop = Shop("+", check("Shop"), tap("+", "Shop"), check("Shop"))
    result = shop.resume(StepStatus.SUCCESS, StepStatus.SUCCESS)
    assert result.success
    assert shop.count(Tap) == 0


def test_planned_repeats_of_same_button_are_executed() -> None:
    shop = Shop("+", tap("+"), tap("+"), tap("+"), check("Shop"))
    assert shop.run().success
    assert shop.count(Tap) == 3


@pytest.mark.parametrize(
    "words",
    [
        "the icon that looks like a gear",
        "我的收藏",
        "收藏夹",
        "关注的人",
        "播放列表",
        "Play Store",
        "address bar",
        "查看收藏",
        "添加朋友",
        "保存的图片",
        "报名须知",
        "投票结果",
        "抢票软件",
        "录音机",
    ],
)
def test_label_containing_cumulative_word_is_not_cumulative(words: str) -> None:
    assert not is_cumulative(StepPlan(1, ActionName.TAP, target=Target(description=words)))


def test_tab_with_cumulative_label_is_not_cumulative() -> None:
    assert is_cumulative(tap("关注"))
    assert not is_cumulative(StepPlan(1, ActionName.TAP, target=Target(text="关注", role="tab")))


@pytest.mark.parametrize(
    "words", ["添加好友", "添加朋友到群聊", "添加到通讯录", "保存图片", "我要报名", "投票", "抢票", "录音"]
)
def test_cumulative_labels_are_recognized(words: str) -> None:
    assert is_cumulative(StepPlan(1, ActionName.TAP, target=Target(text=words)))
