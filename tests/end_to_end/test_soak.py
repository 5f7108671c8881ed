"""Test of many runs with random disturbances: no wrong message, and no false success."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from phone_runs import Run

from handeye.run import TaskStatus

RUNS = 30
CONTACTS = ("张三", "张三丰", "章三", "李雷", "韩梅梅", "Alice", "赵六")
MESSAGES = (
    "你好",
    "明天见",
    "see you at 7",
    "在二楼东侧的小会议室，记得带上报告和电脑，不要迟到了",
    "100%对",
    "好的😀收到",
)
DISTURBANCES = (
    *("permission", "advert", "loading", "keyboard", "dark", "density"),
    *("slow-taps", "never-idle", "drop-link", "crash", "rotation"),
)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(RUNS))
def test_random_disturbances_never_cause_a_wrong_message(run: Callable[[str, str], Run], seed: int) -> None:
    chance = random.Random(seed)
    contact, message = chance.choice(CONTACTS), chance.choice(MESSAGES)
    scenario = ",".join(chance.sample(DISTURBANCES, chance.randint(0, 3))) or "calm"
    done = run(scenario, f"给{contact}发微信消息说{message}")
    assert done.sent in ([], [(contact, message)]), f"{scenario}: {done.result.error_message}"
    if done.result.status is TaskStatus.SUCCESS:
        assert done.sent == [(contact, message)]
    elif done.result.status is TaskStatus.FAILED:
        assert done.result.error_message
    assert done.input_method_kept
