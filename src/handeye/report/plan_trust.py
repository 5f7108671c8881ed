"""
Whether the plan of a run's folder may be carried out.

A folder comes from anywhere, and its `plan.json` says what a phone would do. So its plans are held against the task, as those
that a model makes (`handeye.plan.consent.objections`); one that says it is a template's must be the one that the template
makes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from handeye.errors import NoPlan, UsageError
from handeye.plan import Modules, PlanOrigin, StepPlan, TaskPlan, goal_doubt, known_for, objections
from handeye.report.earlier_runs import EarlierRun, run_again
from handeye.run import StepStatus

_NOTHING_DONE: Final = "nothing was done; look where the screen is, and"
_DONE: Final = frozenset({StepStatus.SUCCESS, StepStatus.UNVERIFIED})


def check_plan_trust(run: EarlierRun, modules: Modules) -> EarlierRun:
    """
    The run, when its plans are what `modules` plan for its task today, or what a model may plan for it.

    Raises UsageError, which says what the plan would do and may not.
    """
    earlier = run.earlier
    executed = [step for step in earlier.done if earlier.statuses.get(step.step) in _DONE]
    plan = _held(earlier.plan, run.task, modules, executed)
    first = _held(earlier.first, run.task, modules, ()) if earlier.first is not None else None
    return replace(run, earlier=replace(earlier, plan=plan, first=first))


def _held(plan: TaskPlan, task: str, modules: Modules, executed: Sequence[StepPlan]) -> TaskPlan:
    if plan.origin is PlanOrigin.TEMPLATE:
        if not _is_the_templates(plan, task, modules):
            raise UsageError(
                f"the plan in the folder is not the one that is made for {task[:80]!r} today; {_way_on(task)}"
            )
        return plan
    known = known_for(modules, task)
    if (wrong := next(objections(plan, task, known, executed), None)) is not None:
        raise UsageError(f"the plan in the folder does what its task does not ask for: {wrong}; {_way_on(task)}")
    doubt = goal_doubt(plan, task, known, executed)
    # As for remembered plans: the file chooses no images, and does not say that it proves its task.
    return replace(plan, module=known.module, doubt=doubt)


def _way_on(task: str) -> str:
    return f"{_NOTHING_DONE} {run_again(task)}"


def _is_the_templates(plan: TaskPlan, task: str, modules: Modules) -> bool:
    try:
        made = modules.plan(task)
    except NoPlan:
        return False
    return (made.module, _counted(made)) == (plan.module, _counted(plan))


def _counted(plan: TaskPlan) -> tuple[StepPlan, ...]:
    """The steps numbered from 1: one that was made on the way counts on from those before."""
    return tuple(replace(step, step=number) for number, step in enumerate(plan.steps, 1))
