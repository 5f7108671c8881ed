"""Tests of plans as plain data: round trips, and refusals that name the path of the error."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handeye.errors import InvalidPlan
from handeye.plan import (
    ActionName,
    Condition,
    PlanOrigin,
    StepPlan,
    TargetType,
    TaskPlan,
    TextTemplate,
    plan_from_dict,
    plan_to_dict,
)
from handeye.target import Expectation, Position, Region, Relation, RelationKind, Target

TAP = StepPlan(1, ActionName.TAP, target_ref="text:OK")


def plan_of(*steps: StepPlan) -> TaskPlan:
    return TaskPlan({}, steps)


EVERYTHING = TaskPlan(
    analysis={"current_screen": "桌面", "estimated_steps": 2, "more": [1, {"a": None}]},
    steps=(
        StepPlan(
            1,
            ActionName.READ,
            target_ref="text:版本",
            target_type=TargetType.TEXT,
            params={"save_as": "version", "take": "right"},
            target=Target(
                text="版本",
                region=Region(0.0, 0.25, 1.0, 0.5),
                position=Position.TOP,
                relations=(Relation(RelationKind.RIGHT_OF, Target(text="{更多}")),),
            ),
            conditions=(Condition(Expectation(app="com.android.settings"), wanted=False, group=2),),
        ),
        StepPlan(
            2,
            ActionName.INPUT_TEXT,
            params={},
            expect=Expectation(text="x", new=True, row="行", switch=True),
            guard=Expectation(text="张三", exact=True),
            fallback={"action": "swipe", "params": {"direction": "left"}},
            timeout=5000,
            late={"params.text": TextTemplate.parse("{{v}}: {version}")},
        ),
    ),
    success_criteria="发送",
    potential_issues=("a", "b"),
    module="wechat",
    origin=PlanOrigin.MODEL,
)


def test_plan_round_trips_through_plain_data() -> None:
    written = json.dumps(plan_to_dict(EVERYTHING), ensure_ascii=False)
    assert plan_from_dict(json.loads(written)) == EVERYTHING
    assert '"{{v}}: {version}"' in written, "a late text is written as people write it"


def test_default_values_are_not_written() -> None:
    assert plan_to_dict(plan_of(TAP))["steps"] == [{"step": 1, "action": "tap", "target_ref": "text:OK"}]


def test_secret_is_not_written_to_plain_data() -> None:
    typed = StepPlan(
        1,
        ActionName.INPUT_TEXT,
        params={"text": "hunter2", "secret": True},
        description="type hunter2",
        expect=Expectation(text="hunter2"),
    )
    data = plan_to_dict(replace(plan_of(typed), success_criteria="hunter2 is typed"))
    assert "hunter2" not in json.dumps(data)
    step = plan_from_dict(data).steps[0]
    assert step.params == {"secret": True}
    with pytest.raises(InvalidPlan, match=r"params\.text is missing"):
        plan_from_dict({"analysis": {}, "steps": [{"step": 1, "action": "input_text", "params": {"secret": False}}]})


def test_nan_parameter_is_refused() -> None:
    with pytest.raises(InvalidPlan, match=r"steps\[0\]\.params\.duration"):
        plan_to_dict(plan_of(replace(TAP, params={"duration": float("nan")})))


def changed(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    data = plan_to_dict(plan_of(TAP, replace(TAP, step=2)))
    change(data["steps"][1])
    return data


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda step: step.update(action="fly"), r"steps\[1\]\.action: .*not 'fly'"),
        (lambda step: step.update(retry="2"), r"steps\[1\]\.retry: .*integer"),
        (lambda step: step.update(bogus=1), r"steps\[1\]\.bogus"),
        (lambda step: step.update(step=3), "step 2: it has the number 3"),
        (lambda step: step.pop("target_ref"), "step 2: tap: it has no target"),
        (lambda step: step.update(target={"colour": "red"}), r"steps\[1\]\.target: .*needs a text"),
        (lambda step: step.update(target={"text": "x", "region": [0, 1]}), r"steps\[1\]\.target\.region"),
        (lambda step: step.update(action="swipe", params={"direction": "away"}), r"params\.direction is 'away'"),
        (lambda step: step.update(action="press_key", params={"key": "ANY"}), r"params\.key is 'ANY'"),
        (lambda step: step.update(action="press_key", params={}), "one of key"),
        (lambda step: step.update(action="wait", params={"duration": 9_000_000}), r"params\.duration"),
        (lambda step: step.update(action="open_url", params={"url": "javascript:alert(1)"}), r"params\.url"),
        (lambda step: step.update(action="open_url", params={"url": "http://[::1"}), r"params\.url"),
        (lambda step: step.update(action="launch_app", params={"package": "a b"}), r"params\.package"),
        (lambda step: step.update(action="check", target_ref=None), "nothing to check"),
        (lambda step: step.update(fallback={"action": "call"}), r"fallback\.action is 'call'"),
        (lambda step: step.update(fallback={"action": "tap"}), "target_ref is for tap"),
        (lambda step: step.update(fallback={"action": "wait", "params": 3}), r"fallback\.params"),
        (lambda step: step.update(timeout=-1), "timeout is -1"),
        (lambda step: step.update(retry=99), "retry is 99"),
        (lambda step: step.update(late={"description": "{never}"}), "'never' is used"),
        (lambda step: step.update(late={"description": "{"}), "no slot"),
    ],
)
def test_invalid_step_is_refused_with_its_path(change: Callable[[dict[str, Any]], object], said: str) -> None:
    with pytest.raises(InvalidPlan, match=said):
        plan_from_dict(changed(change))


def test_empty_and_oversized_plans_are_refused() -> None:
    with pytest.raises(InvalidPlan, match="no steps"):
        plan_from_dict({"analysis": {}, "steps": []})
    many = [{"step": number, "action": "go_home"} for number in range(1, 202)]
    with pytest.raises(InvalidPlan, match="201 steps"):
        plan_from_dict({"analysis": {}, "steps": many})


NAMES = st.sampled_from(["steps", "step", "action", "params", "target", "late", "analysis", "tap", "text", "fallback"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | NAMES | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=6,
)
STEPS = st.fixed_dictionaries(
    {"step": st.just(1), "action": st.just("tap")}, optional={"target_ref": NAMES, "late": JSON}
)


@settings(max_examples=80, deadline=None)
@given(JSON | st.fixed_dictionaries({"analysis": st.just({}), "steps": st.lists(STEPS | JSON, max_size=2)}))
def test_arbitrary_data_is_a_plan_or_refused(data: object) -> None:
    try:
        plan = plan_from_dict(data)
    except InvalidPlan:
        return
    assert plan_from_dict(plan_to_dict(plan)) == plan
