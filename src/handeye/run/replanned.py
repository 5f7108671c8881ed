"""What another plan takes over from the one that failed: its guards, its last proof, the numbers of its steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from handeye.errors import InvalidPlan
from handeye.plan.base import ActionName, PlanOrigin, StepPlan, TaskPlan
from handeye.target import ANOTHER_APP, Expectation

# The places of a step whose late texts belong to its proof.
_OF_PROOF: Final = ("expect.", "guard.")


def joined(failed: TaskPlan, other: TaskPlan, *, after: int) -> TaskPlan:
    """
    `other` as it may be carried out in place of the rest of `failed`, its steps numbered from `after` + 1.

    A template guards what it types and sends ("only under the title 张三"); whoever plans anew does not know that. So a text
    that was guarded is guarded in the other plan as well, and so is every tap that may send it; other texts than those of the
    failed plan are not typed there. What proved the goal of a template proves it still: it is looked at last.

    Raises InvalidPlan when the other plan types something else.
    """
    steps = [*_guarded(failed, other), *_last_proof(failed, other)]
    return replace(other, steps=tuple(replace(step, step=after + at) for at, step in enumerate(steps, 1)))


def _guarded(failed: TaskPlan, other: TaskPlan) -> Iterator[StepPlan]:
    guards = _guards(failed)
    typed = {_typed(step) for step in failed.steps if step.action is ActionName.INPUT_TEXT}
    guard: Expectation | None = None
    for step in other.steps:
        if step.action is ActionName.INPUT_TEXT:
            if guards and _typed(step) not in typed:
                raise InvalidPlan(f"step {step.step} types another text than the plan that it replaces")
            guard = guards.get(_typed(step))
        acts = step.action.needs_target or step.action in (ActionName.INPUT_TEXT, ActionName.PRESS_KEY)
        yield replace(step, guard=guard) if acts and guard is not None and step.guard is None else step


def _guards(plan: TaskPlan) -> Mapping[str, Expectation]:
    """Under which circumstances each text may be typed."""
    return {
        _typed(step): step.guard
        for step in plan.steps
        if step.action is ActionName.INPUT_TEXT and step.guard is not None
    }


def _typed(step: StepPlan) -> str:
    return str(step.params.get("text", ""))


def _last_proof(failed: TaskPlan, other: TaskPlan) -> Iterator[StepPlan]:
    """A check of what the last step of a plan that no model made had to bring about, unless the other plan ends with it."""
    last = failed.steps[-1] if failed.steps else None
    if last is None or failed.origin is PlanOrigin.MODEL or last.expectation is None:
        return
    expect = replace(last.expectation, changed=False)
    if not (expect.is_evidence or expect.app) or expect.app == ANOTHER_APP:
        return
    end = other.steps[-1] if other.steps else None
    if end is not None and end.action is ActionName.CHECK and end.expectation == expect:
        return
    # A check's guard says where its proof counts; that of an act says when it may be done.
    guard = last.guard if last.action is ActionName.CHECK else None
    late = {place: text for place, text in last.late.items() if place.startswith(_OF_PROOF)}
    yield StepPlan(
        0,
        ActionName.CHECK,
        description=last.description,
        expect=expect,
        guard=guard,
        timeout=last.timeout,
        late=late,
    )
