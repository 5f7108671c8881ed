"""
Checks whether the plan in a run's folder may be executed.

A folder may come from an untrusted source, and its `plan.json` controls the device. Its plans are therefore checked
against the task like plans made by a model (`handeye.plan.consent.objections`); a plan that claims to come from a
template must equal the one that the template makes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from handeye.errors import NoPlan, UsageError
from handeye.plan import Modules, PlanOrigin, StepPlan, TaskPlan, app_knowledge_for, objections, unproved_reason
from handeye.report.earlier_runs import ResumableRun, run_again
from handeye.run import StepStatus

_NOTHING_DONE: Final = "nothing was done; look where the screen is, and"
_DONE: Final = frozenset({StepStatus.SUCCESS, StepStatus.UNVERIFIED})


def check_plan_trust(run: ResumableRun, modules: Modules) -> ResumableRun:
    """
    Return the run if each of its plans equals the one that `modules` make for its task, or is a permitted model plan.

    Raises UsageError, which names the forbidden action of the plan.
    """
    earlier = run.earlier
    executed = [step for step in earlier.done if earlier.statuses.get(step.step) in _DONE]
    plan = _checked(earlier.plan, run.task, modules, executed)
    first = _checked(earlier.first, run.task, modules, ()) if earlier.first is not None else None
    return replace(run, earlier=replace(earlier, plan=plan, first=first))


def _checked(plan: TaskPlan, task: str, modules: Modules, executed: Sequence[StepPlan]) -> TaskPlan:
    if plan.origin is PlanOrigin.TEMPLATE:
        if not _matches_template(plan, task, modules):
            raise UsageError(
                f"the plan in the folder is not the one that is made for {task[:80]!r} today; {_advice(task)}"
            )
        return plan
    known = app_knowledge_for(modules, task)
    if (wrong := next(objections(plan, task, known, executed), None)) is not None:
        raise UsageError(f"the plan in the folder does what its task does not ask for: {wrong}; {_advice(task)}")
    doubt = unproved_reason(plan, task, known, executed)
    # As for remembered plans: the file may neither choose reference images nor claim that it proves its task.
    return replace(plan, module=known.module, doubt=doubt)


def _advice(task: str) -> str:
    return f"{_NOTHING_DONE} {run_again(task)}"


def _matches_template(plan: TaskPlan, task: str, modules: Modules) -> bool:
    try:
        made = modules.plan(task)
    except NoPlan:
        return False
    return (made.module, _renumbered(made)) == (plan.module, _renumbered(plan))


def _renumbered(plan: TaskPlan) -> tuple[StepPlan, ...]:
    """Return the steps numbered from 1: a plan made during a run continues the numbering of the plan before it."""
    return tuple(replace(step, step=number) for number, step in enumerate(plan.steps, 1))
