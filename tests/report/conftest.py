"""Finished runs with everything that a report can show, hostile text included."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from handeye.blockers import Blocker, BlockerType
from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.plan import ActionName, StepPlan, TaskPlan
from handeye.run import StepResult, StepStatus, TaskResult, TaskStatus
from handeye.screen import Screen
from handeye.target import Attempt, Expectation, LocateResult, Target
from handeye.verify import VerifyResult

EVIL = "<script>alert('x')</script> \"&' </style> \x00\x1b[31m \u202e مرحبا 你好"


def frame(seed: int, width: int = 540, height: int = 1200) -> Screen:
    """A frame with some structure: blocks, as screens have."""
    blocks = np.random.default_rng(seed).integers(0, 255, (height // 20, width // 20, 3), np.uint8)
    return Screen(np.kron(blocks, np.ones((20, 20, 1), np.uint8)))


def element(box: Box) -> UIElement:
    return UIElement("icon", EVIL, box, 0.973, "template", EVIL)


@pytest.fixture
def run_of() -> Callable[[int], TaskResult]:
    """A run of so many steps, each with two frames of its own."""

    def build(count: int) -> TaskResult:
        results = []
        for number in range(1, count + 1):
            step = StepPlan(
                number,
                ActionName.TAP,
                target_ref="wechat",
                description=f"点击 {EVIL}",
                target=Target(text=EVIL, reference="wechat"),
                expect=Expectation(text=EVIL),
            )
            results.append(
                StepResult(
                    step,
                    StepStatus.SUCCESS,
                    1_790_000_000.0 + number,
                    1_790_000_001.5 + number,
                    retry_count=1,
                    screenshot_before=frame(2 * number),
                    screenshot_after=frame(2 * number + 1),
                    located=LocateResult(
                        True,
                        element(Box(100, 200, 180, 280)),
                        "template",
                        attempts=(Attempt("template", "found", EVIL, 0.973, 24.4),),
                    ),
                    verify_result=VerifyResult(True, 0.9, matches_expected=True, evidence=(EVIL,)),
                    notes=["fallback 1/3: " + EVIL],
                )
            )
        plan = TaskPlan({"template": "wechat.send_message"}, tuple(r.step for r in results), "目标", (), "wechat")
        return TaskResult(EVIL, TaskStatus.SUCCESS, plan, results, 12.34, device="android:///127.0.0.1:15555")

    return build


@pytest.fixture
def mixed_run(run_of: Callable[[int], TaskResult]) -> TaskResult:
    """Four steps: found, undecided, ambiguous, failed without pictures."""
    result = run_of(4)
    first, second, third, fourth = result.step_results
    assert first.screenshot_after is not None
    second.screenshot_before = Screen(first.screenshot_after.pixels.copy())  # the same picture, captured again
    second.status = StepStatus.UNVERIFIED
    second.verify_result = VerifyResult(False, 0.3, matches_expected=None, evidence=("the screen changed by 12.3 %",))
    third.located = LocateResult(
        False,
        None,
        "none",
        candidates=(element(Box(10, 20, 30, 40)), element(Box(50, 60, 70, 80))),
        attempts=(Attempt("ocr", "ambiguous", "2 times"),),
    )
    fourth.status, fourth.error_message, fourth.located = StepStatus.FAILED, "link <lost>", None
    fourth.screenshot_before = fourth.screenshot_after = None
    fourth.verify_result = VerifyResult(
        False,
        0.9,
        matches_expected=False,
        evidence=("“你好” is not there",),
        blocker=Blocker(BlockerType.AD, "an advert"),
    )
    result.status, result.error_message = TaskStatus.FAILED, "step 4: link <lost>"
    return result
