"""Run one step: locate, act, verify, and retry where that is safe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from handeye.actions import Action, ActionResult, EraseText, InputText, Tap, Wait
from handeye.blockers import SuggestionAction
from handeye.clock import Deadline
from handeye.elements import UIElement
from handeye.errors import DeviceLost, DeviceOffline, HandeyeError, RunStopped
from handeye.geometry import Box, Point
from handeye.matching import View, is_same_view
from handeye.plan import ActionName, StepPlan, is_secret, secret_slots
from handeye.run.action_history import UnsentText
from handeye.run.device_actions import action_for
from handeye.run.levels import is_blind, longest_wait_s
from handeye.run.navigation import HomePageNavigation, against_lost_app, front_app, is_home, why_no_icon, without_icon
from handeye.run.postcondition import Before, Postcondition, against_guard, without_looking
from handeye.run.press_checks import against_task
from handeye.run.recovery import BLACK, Recovery
from handeye.run.result import EventKind, StepResult, StepStatus
from handeye.run.secret_frames import ShownSecret
from handeye.run.state import FRESH_S, Context, RunState
from handeye.run.target_resolution import StepConditions, TargetResolution
from handeye.run.target_resolution import region_unchanged as is_unmoved
from handeye.run.text_entry import LOST, TextEntry, draft_unchanged
from handeye.run.value_reading import STEADY_S, Value, take_value
from handeye.screen import Screen
from handeye.verify import ObservesBeforeTyping, VerifyResult

# Offset from the element's centre, as a share of its size, for a tap after one on the centre had no effect: still well
# inside.
_OFF_CENTER: Final = 0.2


class StepRunner:
    """Runs single steps of a plan on one device; `trail` is the state that is carried from one step to the next."""

    def __init__(self, context: Context, trail: RunState | None = None) -> None:
        self.context = context
        self.trail = trail or RunState()

    def run(
        self, step: StepPlan, decisions: StepConditions, values: Mapping[str, str] | None = None, *, more: bool = False
    ) -> StepResult:
        """
        Carry out one step, with `values` that were read before. Errors end the step and are returned in the result, not
        raised.

        A step that is cut short by Ctrl-C is still RUNNING in its STEP_FINISHED event. `more` is True if the next step is
        carried out without looking: no frame is taken in between then.
        """
        context, result = self.context, StepResult(step, StepStatus.RUNNING, start_time=self.context.clock.wall())
        spent = context.tools.usage
        context.tell(EventKind.STEP_STARTED, result)
        try:
            result.step = step = step.with_values(values or {}) if step.late else step
            result.step = step = without_icon(step, context.device)
            context.clock.sleep(step.wait_before / 1000)
            self._carry_out(step, result, decisions, more=more)
        except HandeyeError as error:
            result.fail(str(error))
            result.error = error
        finally:
            if result.status is StepStatus.FAILED and " is black: " not in result.error_message:
                black = [note for note in result.notes if note.startswith(BLACK)]
                result.error_message = "; ".join((result.error_message, *black[:1]))
            result.end_time = context.clock.wall()
            usage = context.tools.usage - spent
            result.usage = usage if usage.calls else None
            self.trail.drop_secret_frames(result, context.tools.reader)
            context.tell(EventKind.STEP_FINISHED, result)
            self.trail.let_go(result.screenshot_before, result.screenshot_after)
        return result

    def _carry_out(self, step: StepPlan, result: StepResult, decisions: StepConditions, *, more: bool) -> None:
        """
        Run the step; wait for a device that disconnects before the step has acted, and restart the step then. Raises
        HandeyeError.
        """
        try:
            _Attempt(self, step, result).carry_out(decisions, more=more)
        except (DeviceLost, DeviceOffline) as error:
            if result.acted or self.trail.gone:
                raise
            Recovery(self.context, result, self.trail).await_device(error, self.context.clock.now())
            _Attempt(self, step, result).carry_out(decisions, more=more)

    def erase_draft(self) -> bool:
        """
        Erase what was typed and not sent, where it is still seen in its field and no act has moved the focus; else it stays,
        and counts as a draft. Return True if no draft is left. Raises DeviceError.

        A draft that a failed run leaves behind would be found by the next run, or be sent by accident.
        """
        device, deeds = self.context.device, self.trail.deeds
        draft = deeds.draft
        if not draft.text:
            return True
        if front_app(device) == draft.app and draft_unchanged(draft, device.screenshot(), self.context.tools.reader):
            device.perform(EraseText(len(draft.text)))
            deeds.draft = UnsentText()
            return True
        deeds.draft = replace(draft, stays=True)
        return False


class _Attempt:
    """State of one step while it is carried out: its parts, and its result so far."""

    def __init__(self, runner: StepRunner, step: StepPlan, result: StepResult) -> None:
        self._context = runner.context
        self._trail = runner.trail
        self._step = step
        self._result = result
        self._recovery = Recovery(runner.context, result, runner.trail)
        self._aim = TargetResolution(runner.context, runner.trail, self._recovery, result)
        self._last_tapped: Box | None = None
        self._dismissed = 0
        self._once_only = False
        self._effect = Postcondition(runner.context, runner.trail, self._recovery, result)

    def carry_out(self, decisions: StepConditions, *, more: bool) -> None:
        step, result = self._step, self._result
        if (why_not := decisions.against(step, self._context, self._recovery)) is not None:
            result.status = StepStatus.SKIPPED
            result.notes.append(f"not needed: {why_not}")
        elif is_blind(step):
            self._run_without_looking(more=more)
        elif step.action is ActionName.RETURN_HOME:
            self._return_home()
        elif step.action is ActionName.READ:
            self._read()
        else:
            self._try()

    def _run_without_looking(self, *, more: bool) -> None:
        """
        Carry out a direct command without a frame before it; a frame after it is taken only where no such command follows at
        once.
        """
        step, result, before = self._step, self._result, self._trail.seen
        self._refuse_repeated_act()
        action = action_for(step, None, None)
        there = not more and step.action is ActionName.GO_HOME and is_home(self._context.device)
        self._trail.deeds.acted(step)
        done = self._perform(action)
        after: Screen | None = None
        if more:
            self._context.clock.sleep(max(longest_wait_s(step), self._context.limits.pause_s))
        else:
            after = result.screenshot_after = self._effect.settled(step, before, begun=there)
            self._see(after)
        result.verify_result = verdict = without_looking(done, before if after is not None else None, after)
        self._context.tell(EventKind.VERIFIED, result)
        (self._trail.deeds.proved if verdict.verified else self._trail.deeds.done)(step)
        self._end(verdict)

    def _return_home(self) -> None:
        step, result = self._step, self._result
        result.screenshot_before = self._trail.seen
        verdict, screen = HomePageNavigation(self._context, self._recovery, result).reach()
        result.screenshot_after = screen
        self._see(screen)
        result.verify_result = verdict
        self._context.tell(EventKind.VERIFIED, result)
        self._trail.deeds.proved(step)
        self._end(verdict)

    def _read(self) -> None:
        """
        Locate the label and read the value next to it until the value is stable; a page may still be filling in what it
        shows.
        """
        step, result = self._step, self._result
        clock = self._context.clock
        deadline, steady = Deadline(clock, step.timeout / 1000), Deadline(clock, STEADY_S)
        last: Value | None = None
        while True:
            screen = self._aim.look()
            result.screenshot_before = result.screenshot_after = screen
            self._see(screen)
            element = self._aim.found()
            if element is None:
                return
            if (refusal := against_guard(step, screen, self._context)) is not None:
                self._refuse(refusal)
                return
            value = take_value(step, element, screen, self._context.tools)
            same = value is not None and last is not None and value.text == last.text
            if same and steady.passed:
                break
            if not same:
                if deadline.passed and (value is None or last is not None):
                    value = None  # it still changes: none of them is the one
                    break
                steady = Deadline(clock, STEADY_S)
            last = value
            clock.sleep(self._context.limits.poll_s)
        if value is None:
            result.fail(f"nothing that can be read for certain stands beside {step.wanted}")
            return
        result.value = value.text
        if self._trail.plan is not None and any(
            step.params.get("save_as") in secret_slots(each) for each in self._trail.plan.steps
        ):
            self._trail.secrets.append(ShownSecret.typed(value.text, None, screen))
        result.verify_result = VerifyResult(True, value.confidence, matches_expected=True, evidence=(value.evidence,))
        self._context.tell(EventKind.VERIFIED, result)
        self._end(result.verify_result)

    def _try(self) -> None:
        step, result = self._step, self._result
        for attempt in range(step.retry + 1):
            result.retry_count = attempt
            if attempt:
                self._context.tell(EventKind.RETRY, result, f"attempt {attempt + 1} of {step.retry + 1}")
            screen, element, refusal = self._aim.take()
            if refusal is None and element is not None and self._page_changed_before_typing(screen):
                screen, element, refusal = self._aim.take()
            if step.wanted is not None and element is None:
                if (why := why_no_icon(step, self._context.device)) and result.status is StepStatus.FAILED:
                    result.fail(f"{result.error_message}; {why}")
                return
            point = self._point(element) if element is not None else None
            if refusal is None and element is not None and point is not None and step.action is not ActionName.CHECK:
                refusal = against_task(step, element, point, screen, self._trail, self._context.tools)
            if refusal is None and step.action is not ActionName.CHECK:
                self._refuse_repeated_act(screen, element)
                refusal = self._focus(point, screen)
            if refusal is not None:
                self._refuse(refusal)
                return
            verdict = self._acted(element, point, screen)
            self._report_to_finder(verdict)
            if self._is_finished(verdict, screen):
                return
        assert result.verify_result is not None  # the loop runs at least once
        result.fail("; ".join(result.verify_result.evidence))

    def _refuse_repeated_act(self, screen: Screen | None = None, element: UIElement | None = None) -> None:
        """
        Raise RunStopped for what did not help on this screen before, and, after a failure, for what must not be done twice.
        """
        step, deeds = self._step, self._trail.deeds
        box, role = (element.bbox, element.element_type) if element is not None else (None, "")
        if self._trail.replanned and (why := deeds.forbids_now(step, screen, box, role)) is not None:
            raise RunStopped(f"it was not done again: {why}")
        if screen is not None and deeds.is_loop(step, screen):
            raise RunStopped("it was tried on this very screen before and did not help: the run goes in a circle")

    def _page_changed_before_typing(self, screen: Screen) -> bool:
        """
        Let the verifier record what will tell later that the typed text is new, which may take seconds. Return True if the
        page has changed meanwhile, so that the field must be located again.
        """
        step, clock, verifier, plan = self._step, self._context.clock, self._context.tools.verifier, self._trail.plan
        text, steps = str(step.params.get("text", "")), plan.steps if plan is not None else ()
        if step.action is not ActionName.INPUT_TEXT or step.params.get("secret"):
            return False
        proofs = [each.expectation for each in (step, *steps) if each.expectation is not None]
        if not isinstance(verifier, ObservesBeforeTyping) or not any(each.new and each.text == text for each in proofs):
            return False
        begun = clock.now()
        verifier.before_typing(text, screen)
        return clock.now() - begun > FRESH_S and not is_same_view(View.of(screen), View.of(self._recovery.capture()))

    def _focus(self, point: Point | None, screen: Screen) -> VerifyResult | None:
        """Tap the field to focus it before text is typed. Return a refusal of typing or sending, or None."""
        step, context = self._step, self._context
        lost = against_lost_app(step, self._trail.app, context.device)
        if lost is not None or step.action is not ActionName.INPUT_TEXT or point is None:
            return lost
        self._perform(Tap(screen.to_input(point)))
        context.clock.sleep(context.limits.settle_s)
        return against_guard(step, self._recovery.capture(), context) if step.guard is not None else None

    def _acted(self, element: UIElement | None, point: Point | None, screen: Screen) -> VerifyResult:
        """Carry out the act and return the verdict on its effect."""
        step, result, context, deeds = self._step, self._result, self._context, self._trail.deeds
        role = element.element_type if element is not None else ""
        before = Before.of(step, screen, context.device, self._recovery.dismissed)
        at = point if step.action.needs_target else None
        action = action_for(step, at, screen)
        self._dismissed, self._once_only = self._recovery.dismissed, deeds.is_once_only(step, role)
        if step.action is not ActionName.CHECK:
            deeds.acted(step, role)
            self._trail.acted(step, role)
        done = self._perform(action, screen, element.bbox if element is not None else None)
        verdict = self._effect.judge(step, before, done)
        again = not verdict and self._may_repeat(verdict) and result.retry_count < step.retry
        if (again or self._trail.unseen is step) and self._effect.comes_late(screen):
            verdict = self._effect.judge(step, before, done)
        if step.action is ActionName.INPUT_TEXT and deeds.draft.text:
            deeds.draft = replace(deeds.draft, screen=result.screenshot_after)
        if is_secret(step) and self._trail.secrets:
            secret = self._trail.secrets[-1].text
            self._trail.secrets[-1] = ShownSecret.typed(secret, self._trail.untyped, result.screenshot_after)
        result.verify_result = verdict
        context.tell(EventKind.VERIFIED, result)
        return verdict

    def _see(self, screen: Screen) -> None:
        self._trail.see(screen, self._context.clock.now())

    def _point(self, element: UIElement) -> Point:
        """
        Return the centre of the element; a point off centre where a tap on the centre changed nothing
        (docs/spec/vision-agent.md).
        """
        middle, box = element.center, element.click_box
        missed, self._last_tapped = self._last_tapped, box
        if missed != box:
            return middle
        return Point(middle.x + round(_OFF_CENTER * box.width), middle.y + round(_OFF_CENTER * box.height))

    def _perform(self, action: Action | None, screen: Screen | None = None, field: Box | None = None) -> ActionResult:
        step, result, context = self._step, self._result, self._context
        if action is None:
            return ActionResult()
        context.tell(EventKind.ACTING, result)
        result.acted = True
        if isinstance(action, Wait):
            context.clock.sleep(action.duration_ms / 1000)
            done = ActionResult()
        elif isinstance(action, InputText) and screen is not None:
            entry = TextEntry(context, self._trail, self._recovery, result)
            done = entry.enter(step, action, screen, field)
        else:
            # Where it is unknown whether the phone still received the act, the screen is checked instead of repeating the
            # act.
            sent = self._recovery.call_with_reconnect(
                f"during {step.action.value}", lambda: context.device.perform(action)
            )
            done = sent or ActionResult(LOST)
        if done.note:
            result.notes.append(done.note)
        context.tell(EventKind.ACTED, result, done.note)
        return done

    def _report_to_finder(self, verdict: VerifyResult) -> None:
        """Report to the finder whether the place it found was right; an undecided verdict reports nothing."""
        target = self._step.wanted
        if target is None or self._result.located is None:
            return
        if verdict.verified and not self._trail.secrets:
            self._context.tools.finder.judge(target, True)
        elif verdict.matches_expected is False:
            self._context.tools.finder.judge(target, False)

    def _is_finished(self, verdict: VerifyResult, screen: Screen) -> bool:
        """Return True if the step has ended, in success or failure; False if it may be tried once more."""
        step, deeds = self._step, self._trail.deeds
        if verdict.verified:
            deeds.proved(step)
            self._end(verdict)
            return True
        helped = verdict.undecided and verdict.screen_changed is not False
        if not helped and step.action is not ActionName.CHECK:
            located = self._result.located.element if self._result.located is not None else None
            deeds.failed(step, verdict.screen_changed, screen, located.bbox if located is not None else None)
        if verdict.suggestion is SuggestionAction.SKIP:
            deeds.done(step)
            self._result.status = StepStatus.SKIPPED
            self._result.notes.append(f"passed over: {verdict.suggestion_detail or 'it is not needed'}")
            return True
        if verdict.undecided:
            deeds.done(step)
            self._end(verdict)
            return True
        if self._may_repeat(verdict):
            return False
        if self._trail.unseen is step:
            deeds.unknown(step)
        self._result.fail("; ".join(verdict.evidence))
        return True

    def _end(self, verdict: VerifyResult) -> None:
        self._result.status = StepStatus.SUCCESS if verdict.verified else StepStatus.UNVERIFIED

    def _refuse(self, verdict: VerifyResult) -> None:
        self._result.verify_result = verdict
        self._result.fail("nothing was done, because " + "; ".join(verdict.evidence))

    def _may_repeat(self, verdict: VerifyResult) -> bool:
        """
        Return True if the step may be done once more.

        Only what had no effect is repeated: a second tap on a switch undoes the first, and text would be entered twice. A tap
        may also have been swallowed by a dialog that has been dismissed since; then its place looks as it did. A check has
        already waited for its time. What a slow phone or server may do late, and what is not known to be harmless when
        repeated, is done once.
        """
        result, self._trail.unseen = self._result, None
        if self._once_only or self._step.action is ActionName.CHECK or verdict.undecided:
            return False
        if verdict.suggestion in (SuggestionAction.ABORT, SuggestionAction.REPLAN):
            return False
        element = result.located.element if result.located is not None else None
        role = element.element_type if element is not None else ""
        if verdict.screen_changed is False:
            may = self._trail.may_repeat(self._step, role)
            self._trail.unseen = None if may else self._step
            return may
        before, after = result.screenshot_before, result.screenshot_after
        if self._recovery.dismissed == self._dismissed or before is None or after is None or element is None:
            return False
        # The blocker that came up may itself be the effect of the tap.
        return self._trail.may_repeat(self._step, role) and is_unmoved(element.bbox, before, after)
