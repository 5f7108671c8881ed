"""Run a task: plan it, execute the plan, and report the result."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Final

from handeye.actions import GoHome
from handeye.blockers import PermissionPolicy
from handeye.clock import Clock, SystemClock
from handeye.devices import Device
from handeye.errors import (
    DeviceError,
    DeviceLost,
    DeviceNotFound,
    DeviceOffline,
    HandeyeError,
    PersonNeeded,
    UsageError,
)
from handeye.plan import TaskPlan, TaskPlanner
from handeye.run.executor import PlanExecutor
from handeye.run.levels import Limits
from handeye.run.postcondition import MAY_HAVE_BEEN_SENT
from handeye.run.result import Event, EventKind, Listener, StepStatus, TaskResult, TaskStatus, ignore_events
from handeye.run.resume import ResumePoint
from handeye.run.state import Account, Context, LearningPlanner, RunState, ToolsFor
from handeye.run.step import StepRunner
from handeye.usage import Usage

if TYPE_CHECKING:
    from handeye.models import LLMConfig

_log: Final = logging.getLogger(__name__)
# Errors of a lost device: a step has waited for it already.
_GONE: Final = (DeviceLost, DeviceOffline, DeviceNotFound)


class TaskRunner:
    """
    Plans a task and carries it out on one device (docs/spec/vision-agent.md).

    By default the built-in app modules plan, template matching and OCR locate, and the model that the environment names is
    asked for the rest. `llm_config` names another model (see `handeye.models.configured.select_configuration`), `assets_dir`
    is the user's own library of reference images, and `temp_dir` the folder for temporary data: the places where elements
    were found.

    `planner` and `tools` replace these parts. `listen` receives every event; `policy` decides on permissions that apps ask
    for, and refuses them all by default; `account` is the budget of the models for one task. After a failed task the device
    is brought to its home screen, unless `rest` is False.

    Raises ConfigError when `llm_config` names a model that cannot be used, or for an invalid OPERATION_DELAY; UsageError for
    `llm_config`, `assets_dir` or `temp_dir` together with a `planner` and `tools`, which would not use them.
    """

    def __init__(
        self,
        adb: Device,
        llm_config: LLMConfig | str | None = None,
        assets_dir: str | Path | None = None,
        temp_dir: str | Path | None = None,
        *,
        planner: TaskPlanner | None = None,
        tools: ToolsFor | None = None,
        listen: Listener = ignore_events,
        clock: Clock | None = None,
        limits: Limits | None = None,
        policy: PermissionPolicy | None = None,
        account: Account | None = None,
        rest: bool = True,
    ) -> None:
        if planner is None or tools is None:
            from handeye.run.composition import (  # OCR and OpenCV load only when they are used
                default_agent,
                default_limits,
            )

            places = Path(temp_dir) if temp_dir is not None else None
            agent = default_agent(adb, llm_config, planner=planner, assets=assets_dir, places=places)
            planner, tools, account = agent.planner, tools or agent.tools, account or agent.account
            limits = limits or default_limits()
        elif any(each is not None for each in (llm_config, assets_dir, temp_dir)):
            raise UsageError(
                "llm_config, assets_dir and temp_dir are for the usual parts; planner and tools were given"
            )
        self._device = adb
        self._planner = planner
        self._tools = tools
        self._listen = listen
        self._clock = clock or SystemClock()
        self._limits = limits or Limits()
        self._policy = policy or PermissionPolicy()
        self._account = account
        self._rest = rest

    def run_simple(self, task: str) -> bool:
        """Return True when the task was carried out and its goal was proved."""
        return self.run(task).success

    def run(self, task: str, *, resume: ResumePoint | None = None) -> TaskResult:
        """
        Carry out `task`, from where the run `resume` ended when there is one. Expected failures are in the result (`status`,
        `error_message`, `error`), not raised.

        A KeyboardInterrupt is raised after a RUN_FINISHED event with the result so far, status ABORTED.
        """
        result = TaskResult(task, TaskStatus.RUNNING, device=self._device.uri)
        start = self._clock.now()
        steps: StepRunner | None = None
        if self._account is not None:
            self._account.renew()
        self._tell(EventKind.RUN_STARTED, result)
        try:
            result.plan = plan = resume.plan if resume is not None else self._plan(task, result)
            self._tell(EventKind.PLANNED, result)
            steps = self._step_runner(plan, result)
            course = PlanExecutor(result, self._planner, steps)
            if resume is not None:
                course.resume(resume)
            else:
                course.carry_out(plan)
            _flag_unproved_goal(result)
        except HandeyeError as error:
            result.status, result.error_message, result.error = TaskStatus.FAILED, str(error), error
        except KeyboardInterrupt:
            result.error_message = "interrupted"
            raise
        finally:
            self._end(result, steps, start)
        return result

    def _end(self, result: TaskResult, steps: StepRunner | None, start: float) -> None:
        """Finish the run; the RUN_FINISHED event is sent whatever fails on the way to the home screen."""
        cut_short = result.status is TaskStatus.RUNNING
        if cut_short:
            result.status = TaskStatus.ABORTED
            result.error_message = result.error_message or "a fault in the program has ended the run"
        if steps is not None and steps.trail.deeds.in_doubt:
            _flag_possible_send(result)
        try:
            if not cut_short:  # an interruption is no evidence about the plan
                self._report_to_planner(result)
            if steps is not None and self._rest:
                self._go_to_rest(result, steps)
        finally:
            result.total_time = self._clock.now() - start
            self._tell(EventKind.RUN_FINISHED, result)

    def _plan(self, task: str, result: TaskResult) -> TaskPlan:
        """Return the task's plan. A planner that needs the screen captures it itself: on some phones that takes 2 s."""
        before = self._account.usage if self._account is not None else Usage()
        try:
            return self._planner.plan(task)
        finally:
            if self._account is not None:
                result.planned_with(self._account.usage - before)

    def _report_to_planner(self, result: TaskResult) -> None:
        """Report to the planner how its plan has ended; a lost device is no evidence about it."""
        plan, planner = result.plan, self._planner
        if plan is None or result.replans or not isinstance(planner, LearningPlanner):
            return
        try:
            if result.success:
                planner.succeeded(plan)
            elif result.status in (TaskStatus.FAILED, TaskStatus.ABORTED) and not isinstance(result.error, DeviceError):
                planner.failed(plan)
        except HandeyeError as error:  # the result of the run must not be lost for it
            _log.warning("how the plan ended is not remembered: %s", error)

    def _step_runner(self, plan: TaskPlan, result: TaskResult) -> StepRunner:
        def listen(event: Event) -> None:
            """Add each step to the result at once, so that an interrupted run can still be reported."""
            if event.kind is EventKind.STEP_STARTED and event.step_result is not None:
                result.step_results.append(event.step_result)
            self._listen(event)
            if event.kind is EventKind.STEP_FINISHED:
                for old in result.step_results[: -self._limits.kept_frames]:
                    old.screenshot_before = old.screenshot_after = None

        context = Context(self._device, self._tools(plan), self._clock, self._limits, listen, self._policy)
        return StepRunner(context, RunState(task=result.task))

    def _go_to_rest(self, result: TaskResult, steps: StepRunner) -> None:
        """
        After a failed step, erase an unsent draft and go to the home screen; a screen that a person has to answer stays.
        After Ctrl-C only the draft is erased: the screen is the person's. A lost device is left alone.
        """
        failed = [each for each in result.step_results if each.status in (StepStatus.FAILED, StepStatus.RUNNING)]
        if result.status is TaskStatus.SUCCESS or not failed or isinstance(result.error, _GONE) or steps.trail.gone:
            return
        try:
            steps.erase_draft()
            if result.status in (TaskStatus.FAILED, TaskStatus.NEEDS_REVIEW) and not isinstance(
                result.error, PersonNeeded
            ):
                self._device.perform(GoHome())
        except HandeyeError as error:
            result.error_message += f"; and the device could not be brought to its home screen: {error}"

    def _tell(self, kind: EventKind, result: TaskResult) -> None:
        self._listen(Event(kind, self._clock.wall(), result.error_message, plan=result.plan, result=result))


def _flag_unproved_goal(result: TaskResult) -> None:
    """Mark a success as NEEDS_REVIEW where the plan itself does not prove its task, even though its steps were proved."""
    plan = result.replans[-1] if result.replans else result.plan
    if result.status is TaskStatus.SUCCESS and plan is not None and plan.doubt:
        result.status = TaskStatus.NEEDS_REVIEW
        result.error_message = f"every step was done, but that does not prove the task: {plan.doubt}"


def _flag_possible_send(result: TaskResult) -> None:
    """Add to the error of a run that was cut short that something may have been sent."""
    if result.status not in (TaskStatus.FAILED, TaskStatus.ABORTED) or MAY_HAVE_BEEN_SENT in result.error_message:
        return
    result.error_message += f"; {MAY_HAVE_BEEN_SENT}"
    if result.status is TaskStatus.FAILED:
        result.status = TaskStatus.NEEDS_REVIEW
