"""Execute a plan step by step, and replan the rest when a step fails."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from handeye.actions import EraseText
from handeye.blockers import SuggestionAction
from handeye.devices import AppAware
from handeye.errors import HandeyeError, InvalidPlan, LocateError, PersonNeeded, RunStopped
from handeye.plan import ActionName, PlanOrigin, StepPlan, TaskPlan, TaskPlanner
from handeye.run.action_history import UnsentText, unsafe, was_done
from handeye.run.levels import is_blind
from handeye.run.navigation import app_reached, front_app
from handeye.run.postcondition import MAY_HAVE_BEEN_SENT
from handeye.run.recovery import Recovery
from handeye.run.result import Event, EventKind, StepResult, StepStatus, TaskResult, TaskStatus, has_to_prove, status_of
from handeye.run.resume import (
    IF_NOT_DONE,
    MAY_BE_DONE,
    MAY_STAND_TYPED,
    ResumePoint,
    alone,
    is_search_word,
    is_typed_already,
    merged_plan,
    restarted_plan,
    text_of_step,
)
from handeye.run.step import StepRunner
from handeye.run.target_resolution import StepConditions
from handeye.run.text_entry import SPARE
from handeye.screen import Screen

# Errors that another plan may get around; a lost device, a spent budget or a missing part it cannot.
_REPLANNABLE: Final = (LocateError, InvalidPlan, RunStopped)


class PlanExecutor:
    """Executes the steps of one task, and fills in its result."""

    def __init__(self, result: TaskResult, planner: TaskPlanner, steps: StepRunner) -> None:
        self._result = result
        self._planner = planner
        self._steps = steps
        self._context = steps.context
        self._decisions = StepConditions()
        # The plan that the run began with: its guards and proofs hold for the plans that replace it.
        self._first = TaskPlan({}, ())
        # Text that an earlier run typed and did not send: it may still be in its field.
        self._draft = ""
        self._resumed = False

    def resume(self, earlier: ResumePoint) -> None:
        """
        Continue where an earlier run ended, once the screen is found to be there; else replan without repeating any act.
        """
        result, trail, self._resumed = self._result, self._steps.trail, True
        trail.deeds, trail.replanned, trail.untyped = earlier.deeds(), True, earlier.untyped
        self._draft, self._first = trail.deeds.draft.text, earlier.first or earlier.plan
        trail.plan = earlier.plan
        result.values.update(earlier.values)
        left = earlier.left(trail.deeds)
        if trail.deeds.in_doubt:
            if left is None:
                result.status, result.error_message = TaskStatus.NEEDS_REVIEW, f"nothing was done: {MAY_HAVE_BEEN_SENT}"
            else:
                self._go_through(left)
                self._flag_unproved(earlier)
            return
        if left is not None and (again := earlier.first_unsafe_repeat()) is not None:
            result.status, result.error_message = TaskStatus.NEEDS_REVIEW, MAY_BE_DONE.format(_name(again))
            return
        if left is not None:
            where, *steps = left
            if self._steps.run(where, self._decisions, result.values).status is StepStatus.SUCCESS:
                self._go_through(self._after_typing(steps))
                self._flag_unproved(earlier)
                return
        for step in earlier.unknown():
            trail.deeds.unknown(step)
        self._plan_again()

    def _after_typing(self, steps: Sequence[StepPlan]) -> Sequence[StepPlan]:
        """
        Return the steps after the typing of a text that is in its field already: the tap into an empty field would not find
        it.
        """
        typings = [at for at, step in enumerate(steps) if step.action is ActionName.INPUT_TEXT]
        if not typings or any(map(has_to_prove, steps[: typings[0]])):
            return steps
        typing, after = steps[typings[0]], steps[typings[0] + 1 :]
        return after if self._is_typed_already(typing) else steps

    def _flag_unproved(self, earlier: ResumePoint) -> None:
        """
        Mark a success as NEEDS_REVIEW where the earlier run left a step unproved: skipping it in this run does not prove it.
        """
        result, doubted = self._result, earlier.doubted()
        if doubted is not None and result.status is TaskStatus.SUCCESS:
            result.status = TaskStatus.NEEDS_REVIEW
            result.error_message = f"what was done before is not proved: {_name(doubted)}"

    def _plan_again(self) -> None:
        result = self._result
        result.plan = plan = self._with_usage(
            lambda: self._planner.plan(result.task, self._context.device.screenshot())
        )
        for step in plan.steps:
            if (why := self._steps.trail.deeds.forbids(step)) is not None:
                result.status = TaskStatus.NEEDS_REVIEW
                result.error_message = (
                    f"nothing was done again: in step {step.step} ({_name(step)}) {why}; {IF_NOT_DONE}"
                )
                return
        # Its field is left, or will be looked at before it is typed into: taps on the way there do not send it.
        self._steps.trail.deeds.draft = UnsentText()
        self._context.listen(Event(EventKind.PLANNED, self._context.clock.wall(), plan=plan, result=result))
        self.carry_out(plan)

    def carry_out(self, plan: TaskPlan) -> None:
        """Execute the plan from the first step to the last, or to one that fails and that no other plan gets around."""
        self._first = self._steps.trail.plan = plan
        self._go_through(plan.steps)

    def _go_through(self, steps: Sequence[StepPlan]) -> None:
        left = list(steps)
        while left:
            step = left.pop(0)
            stands = self._is_typed_already(step)
            if stands:
                continue
            if stands is None and self._is_search_word(step, left):
                self._empty_field()
            elif stands is None:
                self._result.status, self._result.error_message = TaskStatus.NEEDS_REVIEW, MAY_STAND_TYPED
                return
            self._steps.trail.app = app_reached(self._result.step_results)
            more = bool(left) and is_blind(left[0])
            done = self._steps.run(step, self._decisions, self._result.values, more=more)
            if done.value is not None and (name := step.params.get("save_as")):
                self._result.values[str(name)] = done.value
            if done.status is StepStatus.FAILED:
                noted, other = len(done.notes), self._replanned(done)
                if len(done.notes) > noted:
                    self._context.tell(EventKind.NOTED, done)
                if other is None:
                    self._failed(done)
                    return
                left = list(other.steps)
        self._result.status = status_of(self._result.step_results)
        if self._result.status is TaskStatus.NEEDS_REVIEW:
            self._result.error_message = "every step was done, but nothing proves the goal"

    def _is_typed_already(self, step: StepPlan) -> bool | None:
        """Return True if an earlier run has already typed what the step types; None when that is uncertain."""
        draft, typed = self._draft, text_of_step(step, self._result.values)
        if step.action is not ActionName.INPUT_TEXT or not draft or not (typed in draft or draft in typed):
            return False
        trail, context = self._steps.trail, self._context
        screen = context.device.screenshot()
        stands = is_typed_already(typed, draft, trail.untyped, screen, context.tools.verifier)
        if stands is False:
            self._draft = ""
        if not stands:
            return stands
        look = replace(
            step, action=ActionName.CHECK, target=None, target_ref=None, expect=alone(draft), verify_ref=None
        )
        if self._steps.run(look, self._decisions, self._result.values).status is not StepStatus.SUCCESS:
            return None
        self._draft = ""
        trail.deeds.draft = UnsentText(draft, front_app(context.device), screen)
        return True

    def _is_search_word(self, step: StepPlan, after: Sequence[StepPlan]) -> bool:
        """
        Return True if the text that may still be in the field is exactly the word that the step types, and only searched for.
        """
        typed = text_of_step(step, self._result.values).strip()
        return typed == self._draft.strip() and is_search_word(typed, after)

    def _empty_field(self) -> None:
        """
        Erase a search word, which is no message, so that it can be typed again. Without a focused field the keys do nothing.
        """
        self._context.device.perform(EraseText(len(self._draft) + SPARE))
        self._draft, self._steps.trail.deeds.draft = "", UnsentText()

    def _replanned(self, failed: StepResult) -> TaskPlan | None:
        """Return another plan for the remaining steps; None when there is none, or none may be tried."""
        result, trail = self._result, self._steps.trail
        if len(result.replans) >= self._context.limits.replans or not _is_replannable(failed):
            return None
        try:
            erased = self._steps.erase_draft()  # else the other plan would type next to it
            lost, screen = self._lost_app(failed), self._context.device.screenshot()
            other = self._other(failed, screen, lost=lost, standing="" if erased else trail.deeds.draft.text)
        except HandeyeError as error:  # the step's own failure is what the run ends with
            failed.notes.append(f"no other plan: {error}")
            return None
        for step in other.steps:
            if (why := trail.deeds.forbids(step)) is not None:
                failed.notes.append(f"the other plan was not carried out: in its step {step.step} {why}")
                return None
        trail.replanned, trail.seen, trail.plan, self._decisions = True, screen, other, StepConditions()
        result.replans.append(other)
        told = Event(EventKind.REPLANNED, self._context.clock.wall(), failed.error_message, plan=other, result=result)
        self._context.listen(told)
        return other

    def _other(self, failed: StepResult, screen: Screen, *, lost: bool, standing: str) -> TaskPlan:
        """
        Return the plan to go on with. Where the app is `lost`, that is the first plan of the run from its start: it costs
        nothing and its way is known. A model is asked first only where a model made the current plan; and where something was
        done that may do harm when repeated, nothing is restarted. Raises HandeyeError.
        """
        result, after = self._result, len(self._result.step_results)
        going = result.replans[-1] if result.replans else self._first
        if lost and (harm := next(unsafe(self._done(), (*self._first.steps, *going.steps)), None)) is not None:
            failed.notes.append(f"not begun again: {_name(harm)} was done, and may do harm a second time")
            lost = False
        if lost and going.origin is not PlanOrigin.MODEL:
            return restarted_plan(self._first, after=after)
        try:
            asked = self._asked(failed, screen)
            return merged_plan(self._first, asked, after=after, values=result.values, standing=standing)
        except HandeyeError as error:
            if not lost:
                raise
            failed.notes.append(f"no other plan, so the first one again: {error}")
            return restarted_plan(self._first, after=after)

    def _done(self) -> Sequence[StepPlan]:
        """Return the steps that the run has carried out; for a resumed run, also all that its plan may have done before."""
        done = [result.step for result in self._result.step_results if was_done(result)]
        # The acts of fallbacks come first: none of them sends what the step before has typed.
        done = [*self._steps.trail.aside, *done]
        return (*self._first.steps, *done) if self._resumed else done

    def _lost_app(self, failed: StepResult) -> bool:
        """
        Return True if the app that the steps have led into has crashed: the home screen is in front instead, or another app
        after an error report was dismissed in this step. Blockers are dismissed first. Another app in front without an error
        report is one that the steps have led into. Raises HandeyeError.
        """
        device, earlier = self._context.device, self._result.step_results[:-1]
        app = app_reached(earlier)
        if app is None:
            return False
        recovery = Recovery(self._context, failed, self._steps.trail)
        recovery.clear_way(recovery.capture())
        front = front_app(device)
        if front is None or front == app:
            return False
        home = device.home_app() if isinstance(device, AppAware) else None
        if front != home and self._steps.trail.reported is not failed.step:
            return False
        self._steps.trail.deeds.app_crashed()
        failed.notes.append(f"{app} is not in front any more, as after a crash: {front} is")
        return True

    def _asked(self, failed: StepResult, screen: Screen) -> TaskPlan:
        result, done = self._result, (StepStatus.SUCCESS, StepStatus.UNVERIFIED)
        executed = [each.step for each in result.step_results if each.status in done or each.passed_over]
        return self._with_usage(
            lambda: self._planner.replan(result.task, screen, failed.step, failed.error_message, executed)
        )

    def _with_usage(self, ask: Callable[[], TaskPlan]) -> TaskPlan:
        """Return the plan that `ask` makes, and add the model usage of making it to the result."""
        spent = self._context.tools.usage
        try:
            return ask()
        finally:
            self._result.planned_with(self._context.tools.usage - spent)

    def _failed(self, done: StepResult) -> None:
        result, step = self._result, done.step
        result.error = done.error
        result.error_message = f"step {step.step} ({step.description or step.action.value}): {done.error_message}"
        if (word := _searched_for(result.step_results)) is not None:
            result.error_message += f"; {word!r} was searched for, and not found"
        if self._steps.trail.deeds.in_doubt or self._steps.trail.unseen is step:
            result.status = TaskStatus.NEEDS_REVIEW
            result.error_message += f"; {MAY_HAVE_BEEN_SENT}"
        elif isinstance(done.error, PersonNeeded):
            result.status = TaskStatus.NEEDS_REVIEW
        elif _must_abort(done) or (isinstance(done.error, RunStopped) and self._steps.trail.replanned):
            result.status = TaskStatus.ABORTED
        else:
            result.status = TaskStatus.FAILED


def _name(step: StepPlan) -> str:
    return step.description or str(step.wanted or step.action.value)


def _is_replannable(failed: StepResult) -> bool:
    if _must_abort(failed) or isinstance(failed.error, PersonNeeded):
        return False
    return failed.error is None or isinstance(failed.error, _REPLANNABLE)


def _searched_for(results: Sequence[StepResult]) -> str | None:
    """
    Return the word that was typed right before the last step, if that step failed to find a result of that name: a check, or
    a tap whose target was not found. Else None.
    """
    *before, failed = results
    found = failed.located is not None and failed.located.success
    if failed.error is not None or failed.step.action not in (ActionName.CHECK, ActionName.TAP) or found:
        return None
    acts = [each for each in before if each.step.action is not ActionName.CHECK]
    if not acts or acts[-1].step.action is not ActionName.INPUT_TEXT or acts[-1].step.params.get("secret"):
        return None
    word, wanted = str(acts[-1].step.params.get("text", "")).strip(), failed.step.wanted
    named = (failed.step.description, wanted.text if wanted is not None else None)
    return word if word and any(word in each for each in named if each) else None


def _must_abort(failed: StepResult) -> bool:
    """Return True if the verdict shows that no further step makes sense."""
    verdict = failed.verify_result
    return verdict is not None and verdict.suggestion is SuggestionAction.ABORT
