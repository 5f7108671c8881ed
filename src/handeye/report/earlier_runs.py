"""Restore the state of a run that ended early from its folder."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from handeye.errors import ConfigError, InvalidImage, UsageError
from handeye.plan import REDACTION, ActionName, StepPlan, TaskPlan, is_secret, plan_from_dict
from handeye.report.event_log import EVENTS, EventLine, event_lines
from handeye.report.folder import PLANS, RESULT, SCREENS, is_running, load_run, plans_of
from handeye.report.record import RunRecord, read_frame
from handeye.run import WHERE, EventKind, ResumePoint, StepStatus, TaskStatus
from handeye.screen import Screen
from handeye.trusted_files import foreign_owner, reason_for_distrust

# Longest task, in characters, that is shown inside a command to type.
_LONGEST_COMMAND: Final = 200
_PASSED: Final = frozenset(each.value for each in (StepStatus.SUCCESS, StepStatus.UNVERIFIED, StepStatus.SKIPPED))
_PLANNED: Final = (EventKind.PLANNED.value, EventKind.REPLANNED.value)


@dataclass(frozen=True, slots=True)
class ResumableRun:
    """A run that can be resumed: its task, its device and the point that it reached."""

    task: str
    device: str
    earlier: ResumePoint


def load_resumable_run(folder: Path) -> ResumableRun:
    """
    Return the run in `folder`, ready to be resumed.

    Raises UsageError if it cannot be resumed: it succeeded, is still running, has no plan yet, types a secret (secrets
    are not saved), or belongs to another user and is not trusted (`handeye.trusted_files`). Raises ConfigError and
    InvalidPlan for files that a run does not write.
    """
    owner = foreign_owner(folder, *(folder / name for name in (EVENTS, PLANS, RESULT, SCREENS)))
    if owner is not None and reason_for_distrust(folder):
        allow = f"handeye trust {shlex.quote(str(folder))}"
        raise UsageError(
            f"the run in {str(folder)!r} belongs to another user ({owner}), and its plan is not used; {allow}"
        )
    record = load_run(folder)
    if is_running(folder):
        raise UsageError(f"the run in {str(folder)!r} is still going on")
    if record.status == TaskStatus.SUCCESS.value:
        raise UsageError(f"the run in {str(folder)!r} has succeeded; there is nothing to go on with")
    path = folder / EVENTS
    lines = event_lines(path) if path.is_file() else []
    if not any(line["event"] in _PLANNED for line in lines):
        raise UsageError(
            f"the run in {str(folder)!r} left no plan that could be gone on with; {run_again(record.task)}"
        )
    if not (folder / PLANS).is_file():
        why = f"{str(folder)!r} does not say what its run did to the end ({PLANS} is missing)"
        raise UsageError(f"{why}; {run_again(record.task)}")
    progress = _replay_plans(lines, [_plan(plan) for plan in plans_of(folder)], path)
    earlier = replace(_resume_point(progress), untyped=_frame_before_typing(record))
    if any(map(is_secret, (*earlier.done, *earlier.plan.steps))):
        raise UsageError(f"the run in {str(folder)!r} types a secret, which is not kept; {run_again(record.task)}")
    return ResumableRun(record.task, record.device, earlier)


def run_again(task: str) -> str:
    """
    Return advice to run `task` again, for a run that cannot be resumed. The command is left out if a secret was removed
    from the task, or if the task is too long or cannot be typed.

    >>> run_again("返回桌面"), run_again(f"say {HIDDEN}")
    ("run the task itself again: handeye run '返回桌面'", 'run the task itself again')
    """
    again = "run the task itself again"
    if REDACTION in task or task.startswith("-") or not task.isprintable() or len(task) > _LONGEST_COMMAND:
        return again
    return f"{again}: handeye run {shlex.quote(task)}"


@dataclass(slots=True)
class _PlanProgress:
    """
    Progress of one plan: the status of each step, the values that were read, and the current step.

    A step that failed or was interrupted before it acted has no status, so it may be retried. `anew` is True for a plan
    of the whole task; False for one that replaces the plan before it.
    """

    plan: TaskPlan
    anew: bool = True
    statuses: dict[int, StepStatus] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)
    current: StepPlan | None = None
    acted: bool = False

    def begin(self, facts: dict[str, object]) -> None:
        """Start a step. The step that checks the current screen after a resume is not part of the plan."""
        named = [step for step in self.plan.steps if step.step == facts.get("number")]
        self.current = named[0] if named and facts.get("description") != WHERE else None
        self.acted = False

    def follow(self, event: str, facts: dict[str, object]) -> None:
        step, status, value = self.current, facts.get("status"), facts.get("value")
        if step is None:
            return
        if event == EventKind.ACTING.value:
            self.acted = True
            self.statuses[step.step] = StepStatus.RUNNING
        elif event == EventKind.STEP_FINISHED.value and isinstance(status, str) and (self.acted or status in _PASSED):
            # A step that acted and was skipped afterwards still counts as executed.
            acted = self.acted and status == StepStatus.SKIPPED.value
            self.statuses[step.step] = StepStatus.UNVERIFIED if acted else _status(status)
        name = step.params.get("save_as")
        if step.action is ActionName.READ and isinstance(name, str) and isinstance(value, str):
            self.values[name] = value


def _replay_plans(lines: list[EventLine], plans: list[TaskPlan], path: Path) -> list[_PlanProgress]:
    """
    Return the progress of each plan of a run. A resumed run logs its plan again; the progress made before still counts.

    Raises ConfigError if the plans do not match the events.
    """
    progress: list[_PlanProgress] = []
    resumed, used = False, 0
    for number, line in enumerate(lines, 1):
        event, step = line["event"], line.get("step")
        if event == EventKind.RUN_STARTED.value:
            resumed = bool(progress)
        elif event in _PLANNED:
            if used == len(plans):
                raise ConfigError(f"{PLANS} lacks a plan that was made", file=path, line=number)
            if not (resumed and plans[used].steps == progress[-1].plan.steps):
                progress.append(_PlanProgress(plans[used], event == EventKind.PLANNED.value))
            resumed, used = False, used + 1
        elif isinstance(step, dict) and progress:
            if event == EventKind.STEP_STARTED.value:
                progress[-1].begin(step)
            progress[-1].follow(event, step)
    return progress


def _resume_point(progress: list[_PlanProgress]) -> ResumePoint:
    *before, last = progress
    done: list[StepPlan] = []
    statuses, values = dict(last.statuses), dict(last.values)
    for plan_progress in before:
        for step in plan_progress.plan.steps:
            # Steps of earlier plans have no number in the last plan: they get negative numbers.
            if (status := plan_progress.statuses.get(step.step)) is not None:
                done.append(replace(step, step=-len(done) - 1))
                statuses[done[-1].step] = status
        values = plan_progress.values | values
    first = [plan_progress.plan for plan_progress in progress if plan_progress.anew]
    return ResumePoint(last.plan, statuses, values, tuple(done), first=first[-1] if first else None)


def _plan(data: dict[str, Any]) -> TaskPlan:
    """
    Return a plan with the step numbers of the run. The steps of a replacement plan continue the earlier numbering, which
    `plan_from_dict` does not accept.
    """
    steps = data.get("steps")
    first = steps[0].get("step") if isinstance(steps, list) and steps and isinstance(steps[0], dict) else 1
    if not isinstance(first, int) or not isinstance(steps, list):
        return plan_from_dict(data)
    counted = [{**step, "step": step["step"] - first + 1} if _is_numbered(step) else step for step in steps]
    plan = plan_from_dict({**data, "steps": counted})
    return replace(plan, steps=tuple(replace(step, step=step.step + first - 1) for step in plan.steps))


def _is_numbered(step: object) -> bool:
    return isinstance(step, dict) and isinstance(step.get("step"), int)


def _frame_before_typing(record: RunRecord) -> Screen | None:
    """Return the last frame before the last text input, or None if it was not saved or cannot be read."""
    typed = [at for at, step in enumerate(record.steps) if step.action == ActionName.INPUT_TEXT.value]
    if not typed:
        return None
    frame = record.steps[typed[-1]].before
    if frame is None and typed[-1]:  # interrupted while typing
        frame = record.steps[typed[-1] - 1].after
    if frame is None or frame.name not in record.pictures:
        return None
    try:
        return read_frame(record.pictures[frame.name])
    except InvalidImage:
        return None


def _status(word: str) -> StepStatus:
    """
    Return the status with that value; RUNNING for an unknown one of a later release, since the step may have been
    executed.
    """
    return next((each for each in StepStatus if each.value == word), StepStatus.RUNNING)
