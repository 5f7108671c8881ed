"""Tests of which steps may be repeated: navigation is, actions of unknown effect are not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from handeye.actions import Tap
from handeye.geometry import Box
from handeye.plan import ActionName, Condition, PlanOrigin, StepPlan
from handeye.run import TaskResult, TaskRunner, TaskStatus, Tools
from handeye.run.action_history import is_harmless
from handeye.target import Expectation, Region, Target
from handeye.testing.fakes import FakeClock, FakeDevice, FakeFinder, FakePage, FakePlanner, FakeVerifier

THERE = Box(50, 50, 90, 90)
TOP = Region(0, 0, 1, 0.2)


def tap(text: str | None = None, *, see: Expectation | None = None, **target: Any) -> StepPlan:
    return StepPlan(1, ActionName.TAP, target=Target(text=text, **target), expect=see)


@pytest.mark.parametrize(
    "step",
    [
        tap("News", role="tab"),
        tap("Ann", role="list item"),
        tap("Read more", role="link"),
        tap(description="顶部的搜索图标"),
        tap(reference="wechat_search"),
        tap("搜索或输入网址"),
        tap("搜索"),
        tap("Back"),
        tap("Settings"),
        tap("通讯录"),
        tap("Maps", see=Expectation(app="com.example.maps")),
        tap("蓝牙", see=Expectation(text="蓝牙", region=TOP)),
        StepPlan(1, ActionName.PRESS_KEY, params={"key": "KEYCODE_BACK"}),
        StepPlan(1, ActionName.SWIPE, params={"direction": "up"}),
        StepPlan(1, ActionName.OPEN_URL, params={"url": "https://example.org"}),
        StepPlan(1, ActionName.LAUNCH_APP, params={"package": "com.example"}),
    ],
    ids=str,
)
def test_navigation_steps_are_harmless(step: StepPlan) -> None:
    assert is_harmless(step)


@pytest.mark.parametrize(
    "step",
    [
        *map(
            tap,
            (
                "抽奖",
                "再来一单",
                "开始充电",
                "扫码开锁",
                "领券",
                "兑换",
                "Upload",
                "Bid",
                "Back up now",
                "Find a match",
            ),
        ),
        *map(
            tap,
            (
                "Search and buy",
                "发送消息",
                "Delete",
                "加入购物车",
                "Home delivery",
                "我要报名",
                "更多优惠领取",
                "7",
            ),
        ),
        tap("抽奖", see=Expectation(text="Drawn")),
        tap("抽奖", see=Expectation(text="抽奖")),
        tap("下单", role="link"),
        tap("删除", role="list item"),
        tap("Pay", see=Expectation(app="com.example.pay")),
        tap("Spin", see=Expectation(app="com.example", text="Drawn")),
        tap("飞行模式", role="switch"),
        tap("蓝牙", see=Expectation(row="蓝牙", switch=True)),
        StepPlan(1, ActionName.LONG_PRESS, target=Target(text="News", role="tab")),
        StepPlan(1, ActionName.PRESS_KEY, params={"key": "ENTER"}),
        StepPlan(1, ActionName.PRESS_KEY, params={"key": "VOLUME_UP"}),
        StepPlan(1, ActionName.PRESS_KEY, params={"key": "SPACE"}),
        StepPlan(1, ActionName.SWIPE, params={"direction": "left"}),
        StepPlan(1, ActionName.OPEN_URL, params={"url": "shop://order/1"}),
        StepPlan(1, ActionName.CALL, params={"number": "10086"}),
    ],
    ids=str,
)
def test_steps_of_unknown_effect_are_not_harmless(step: StepPlan) -> None:
    assert not is_harmless(step)


def test_guard_on_opened_page_makes_tap_harmless() -> None:
    ann = tap("Ann", see=Expectation(text="last words"))
    typing = StepPlan(2, ActionName.INPUT_TEXT, params={"text": "hi"}, guard=Expectation(text="Ann"))
    assert not is_harmless(ann, (ann, replace(typing, guard=None)))
    assert is_harmless(ann, (ann, typing))


def test_switch_tap_with_state_condition_is_harmless() -> None:
    off = Condition(Expectation(row="蓝牙", switch=False))
    turn = tap("蓝牙", see=Expectation(row="蓝牙", switch=True))
    assert is_harmless(replace(turn, conditions=(off,)))


def run(step: StepPlan, origin: PlanOrigin, *others: Sequence[StepPlan], name: str) -> tuple[TaskResult, int]:
    """A page with one button that shows nothing of what it does; how often it was tapped."""
    device = FakeDevice({"page": FakePage({name: THERE})}, start="page")
    tools = Tools(FakeFinder(device), FakeVerifier(device))
    planner = FakePlanner({"task": [step]}, {"task": others}, origin=origin)
    runner = TaskRunner(device, planner=planner, tools=lambda plan: tools, clock=FakeClock(), rest=False)
    result = runner.run("task")
    return result, sum(isinstance(action, Tap) for action in device.performed)


@pytest.mark.parametrize("origin", [PlanOrigin.MODEL, PlanOrigin.MEMORY])
@pytest.mark.parametrize("name", ["再来一单", "抽奖", "领券", "开始充电", "Reorder", "Bid", "Upload"])
def test_remembered_or_model_plan_taps_unknown_button_once(origin: PlanOrigin, name: str) -> None:
    result, taps = run(tap(name, see=Expectation(text="Done")), origin, name=name)
    assert taps == 1
    assert result.status is TaskStatus.NEEDS_REVIEW
    assert "may have been sent or done" in result.error_message


@pytest.mark.parametrize("retry", [0, 1, 3])
def test_navigation_tap_uses_all_planned_retries(retry: int) -> None:
    step = replace(tap("Settings", see=Expectation(text="Wi-Fi")), retry=retry)
    result, taps = run(step, PlanOrigin.MODEL, name="Settings")
    assert (result.status, taps) == (TaskStatus.FAILED, retry + 1)
