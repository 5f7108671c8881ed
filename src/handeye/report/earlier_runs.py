"""From the folder of a run that ended early to what is left of it."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from handeye.errors import ConfigError, InvalidImage, UsageError
from handeye.plan import HIDDEN, ActionName, StepPlan, TaskPlan, is_secret, plan_from_dict
from handeye.report.event_log import EVENTS, Line, event_lines
from handeye.report.folder import PLANS, RESULT, SCREENS, is_running, load_run, plans_of
from handeye.report.record import RunRecord, kept_frame
from handeye.run import WHERE, EventKind, ResumePoint, StepStatus, TaskStatus
from handeye.screen import Screen
from handeye.trusted_files import foreign_owner, reason_for_distrust

# Characters of a task that is shown as a command to type; a longer one is looked up in the run.
_LONGEST_COMMAND: Final = 200
_PASSED: Final = frozenset(each.value for each in (StepStatus.SUCCESS, StepStatus.UNVERIFIED, StepStatus.SKIPPED))
_PLANNED: Final = (EventKind.PLANNED.value, EventKind.REPLANNED.value)


@dataclass(frozen=True, slots=True)
class EarlierRun:
    """A run that may go on: its task, the device that it ran on, and how far it came."""

    task: str
    device: str
    earlier: ResumePoint


def earlier_run(folder: Path) -> EarlierRun:
    """
    The run in `folder`, to be resumed. Raises UsageError when there is nothing to go on with: it has succeeded, is still going
    on, had no plan yet, or types a secret, which no folder keeps; or when it belongs to another user, and nobody has trusted it
    (`handeye.trusted_files`). Raises ConfigError and InvalidPlan for files that are no run's.
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
    courses = _courses(lines, [_plan(plan) for plan in plans_of(folder)], path)
    earlier = replace(_earlier(courses), untyped=_untyped(record))
    if any(map(is_secret, (*earlier.done, *earlier.plan.steps))):
        raise UsageError(f"the run in {str(folder)!r} types a secret, which is not kept; {run_again(record.task)}")
    return EarlierRun(record.task, record.device, earlier)


def run_again(task: str) -> str:
    """
    The way on where a run cannot be resumed, as a command to type; without one for a task that a secret was taken out of, or
    that nobody would type.

    >>> run_again("返回桌面"), run_again(f"say {HIDDEN}")
    ("run the task itself again: handeye run '返回桌面'", 'run the task itself again')
    """
    again = "run the task itself again"
    if HIDDEN in task or task.startswith("-") or not task.isprintable() or len(task) > _LONGEST_COMMAND:
        return again
    return f"{again}: handeye run {shlex.quote(task)}"


@dataclass(slots=True)
class _Course:
    """
    A plan, how far its steps came, what they have read, and the step that is on its way.

    A step that failed or was cut off before it acted is left open: it may be tried again. `anew` plans the task from its
    beginning; another replaces the one before.
    """

    plan: TaskPlan
    anew: bool = True
    statuses: dict[int, StepStatus] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)
    current: StepPlan | None = None
    acted: bool = False

    def begin(self, facts: dict[str, object]) -> None:
        """A step begins; the look at where the screen is, in a resumed run, is none of the plan's."""
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
            # One that was done and passed over afterwards has acted all the same.
            acted = self.acted and status == StepStatus.SKIPPED.value
            self.statuses[step.step] = StepStatus.UNVERIFIED if acted else _status(status)
        name = step.params.get("save_as")
        if step.action is ActionName.READ and isinstance(name, str) and isinstance(value, str):
            self.values[name] = value


def _courses(lines: list[Line], plans: list[TaskPlan], path: Path) -> list[_Course]:
    """
    A course for each plan of a run. A resumed run tells its plan again: what was done for it before still counts.

    Raises ConfigError when the plans are not those that the events tell of.
    """
    courses: list[_Course] = []
    resumed, told = False, 0
    for number, line in enumerate(lines, 1):
        event, step = line["event"], line.get("step")
        if event == EventKind.RUN_STARTED.value:
            resumed = bool(courses)
        elif event in _PLANNED:
            if told == len(plans):
                raise ConfigError(f"{PLANS} lacks a plan that was made", file=path, line=number)
            if not (resumed and plans[told].steps == courses[-1].plan.steps):
                courses.append(_Course(plans[told], event == EventKind.PLANNED.value))
            resumed, told = False, told + 1
        elif isinstance(step, dict) and courses:
            if event == EventKind.STEP_STARTED.value:
                courses[-1].begin(step)
            courses[-1].follow(event, step)
    return courses


def _earlier(courses: list[_Course]) -> ResumePoint:
    *before, last = courses
    done: list[StepPlan] = []
    statuses, values = dict(last.statuses), dict(last.values)
    for course in before:
        for step in course.plan.steps:
            # Steps of the plans before have no number in the last one: they get one below zero.
            if (status := course.statuses.get(step.step)) is not None:
                done.append(replace(step, step=-len(done) - 1))
                statuses[done[-1].step] = status
        values = course.values | values
    first = [course.plan for course in courses if course.anew]
    return ResumePoint(last.plan, statuses, values, tuple(done), first=first[-1] if first else None)


def _plan(data: dict[str, Any]) -> TaskPlan:
    """
    A plan with the numbers that its steps had in the run: those of one that replaced another go on counting, which plans that
    are read otherwise may not.
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


def _untyped(record: RunRecord) -> Screen | None:
    """The last frame before the last typing; None when it was not kept, or cannot be read."""
    typed = [at for at, step in enumerate(record.steps) if step.action == ActionName.INPUT_TEXT.value]
    if not typed:
        return None
    frame = record.steps[typed[-1]].before
    if frame is None and typed[-1]:  # cut off while it was typing
        frame = record.steps[typed[-1] - 1].after
    if frame is None or frame.name not in record.pictures:
        return None
    try:
        return kept_frame(record.pictures[frame.name])
    except InvalidImage:
        return None


def _status(word: str) -> StepStatus:
    """An unknown word, of a later release, counts as begun: what it names may have been done."""
    return next((each for each in StepStatus if each.value == word), StepStatus.RUNNING)
