"""A task from its words to its proof."""

from __future__ import annotations

from collections.abc import Sequence

from handeye.actions import GoHome
from handeye.clock import Clock, SystemClock
from handeye.devices.base import Device
from handeye.errors import HandeyeError
from handeye.plan.base import TaskPlan, TaskPlanner
from handeye.run.events import Event, EventKind, Listener, ignore
from handeye.run.limits import Limits
from handeye.run.result import StepResult, StepStatus, TaskResult, TaskStatus
from handeye.run.step import StepRunner
from handeye.run.tools import ToolsFor


class TaskRunner:
    """
    Plans a task and carries it out on one device (seed 004).

    Without further arguments the built-in app modules plan, and templates and OCR look: all offline. `listen` hears every
    event. A failed task leaves the device on its home screen, unless `rest` is False.
    """

    def __init__(
        self,
        adb: Device,
        *,
        planner: TaskPlanner | None = None,
        tools: ToolsFor | None = None,
        listen: Listener = ignore,
        clock: Clock | None = None,
        limits: Limits | None = None,
        rest: bool = True,
    ) -> None:
        if planner is None or tools is None:
            from handeye.run.defaults import (
                default_planner,
                default_tools,
            )  # OCR and OpenCV load only when they are used

            planner = planner or default_planner()
            tools = tools or default_tools(planner, adb)
        self._device = adb
        self._planner = planner
        self._tools = tools
        self._listen = listen
        self._clock = clock or SystemClock()
        self._limits = limits or Limits()
        self._rest = rest

    def run_simple(self, task: str) -> bool:
        """True when the task was carried out and its goal was proved."""
        return self.run(task).success

    def run(self, task: str) -> TaskResult:
        """
        Carry out `task`. What goes wrong on purpose is in the result (`status`, `error_message`, `error`), not raised.

        A KeyboardInterrupt passes through after a RUN_FINISHED event with the result so far, status ABORTED.
        """
        result = TaskResult(task, TaskStatus.RUNNING, device=self._device.uri)
        start = self._clock.now()
        self._tell(EventKind.RUN_STARTED, result)
        try:
            result.plan = self._planner.plan(task)
            self._tell(EventKind.PLANNED, result)
            self._carry_out(result.plan, result)
        except HandeyeError as error:
            result.status, result.error_message, result.error = TaskStatus.FAILED, str(error), error
        except KeyboardInterrupt:
            result.status, result.error_message = TaskStatus.ABORTED, "interrupted"
            raise
        finally:
            if result.status is TaskStatus.RUNNING:
                result.status = TaskStatus.ABORTED
            if result.status in (TaskStatus.FAILED, TaskStatus.ABORTED) and result.step_results and self._rest:
                self._go_to_rest(result)
            result.total_time = self._clock.now() - start
            self._tell(EventKind.RUN_FINISHED, result)
        return result

    def _carry_out(self, plan: TaskPlan, result: TaskResult) -> None:
        self._current = result
        self._steps = steps = StepRunner(self._device, self._tools(plan), self._clock, self._limits, self._hear)
        for step in plan.steps:
            done = steps.run(step)
            if done.status is StepStatus.FAILED:
                result.status, result.error = TaskStatus.FAILED, done.error
                result.error_message = (
                    f"step {step.step} ({step.description or step.action.value}): {done.error_message}"
                )
                return
        result.status = _status_of(result.step_results)
        if result.status is TaskStatus.NEEDS_REVIEW:
            result.error_message = "every step was done, but nothing proves the goal"

    def _hear(self, event: Event) -> None:
        """Keeps the result complete at every moment, so that an interrupted run can still be reported."""
        if event.kind is EventKind.STEP_STARTED and event.step_result is not None:
            self._current.step_results.append(event.step_result)
        self._listen(event)

    def _go_to_rest(self, result: TaskResult) -> None:
        """Take back an unsent draft; after a failure, go to the home screen. After Ctrl-C the screen is the person's."""
        try:
            self._steps.erase_typed()
            if result.status is TaskStatus.FAILED:
                self._device.perform(GoHome())
        except HandeyeError as error:
            result.error_message += f"; and the device could not be brought to its home screen: {error}"

    def _tell(self, kind: EventKind, result: TaskResult) -> None:
        self._listen(Event(kind, self._clock.wall(), result.error_message, plan=result.plan, result=result))


def _status_of(results: Sequence[StepResult]) -> TaskStatus:
    """
    The goal is what the last step brings about: a run is a success when that is proved, and every earlier step that had
    something to prove proved it. Steps that expect nothing need no proof: the last one could not hold without them.
    """
    if not results or results[-1].status is not StepStatus.SUCCESS:
        return TaskStatus.NEEDS_REVIEW
    doubtful = any(each.status is StepStatus.UNVERIFIED and _asks_for_proof(each) for each in results)
    return TaskStatus.NEEDS_REVIEW if doubtful else TaskStatus.SUCCESS


def _asks_for_proof(result: StepResult) -> bool:
    expect = result.step.expectation
    return expect is not None and (expect.is_evidence or expect.app is not None)
