"""One step: look, act, check, and try again where that is safe."""

from __future__ import annotations

from dataclasses import dataclass, replace

from handeye.actions import Action, ActionResult, EraseText, InputText, Tap, Wait
from handeye.clock import Clock, Deadline
from handeye.devices.base import Device
from handeye.errors import DeviceLost, HandeyeError
from handeye.geometry import Point
from handeye.plan.base import ActionName, StepPlan
from handeye.run.act import action_for
from handeye.run.events import Event, EventKind, Listener
from handeye.run.front import front_app, with_app
from handeye.run.limits import Limits
from handeye.run.recover import Recovery
from handeye.run.result import StepResult, StepStatus
from handeye.run.search import Search
from handeye.run.tools import Tools
from handeye.screen import Screen
from handeye.target import Expectation
from handeye.verify.base import SuggestionAction, VerifyResult

STOOD_BEFORE = "it stood there before, and nothing changed: that proves nothing"
MAY_HAVE_BEEN_SENT = "it may have been sent all the same; look before sending it again"


@dataclass(frozen=True, slots=True)
class Typed:
    """How many characters the run typed last and has not sent yet, and the app that they were typed into."""

    length: int
    app: str | None


@dataclass(frozen=True, slots=True)
class Before:
    """How things stood before the act: the frame, and the app in front where the step's expectation asks for it."""

    screen: Screen
    app: str | None


class StepRunner:
    """Carries out single steps of a plan on one device."""

    def __init__(self, device: Device, tools: Tools, clock: Clock, limits: Limits, listen: Listener) -> None:
        self._device = device
        self._tools = tools
        self._clock = clock
        self._limits = limits
        self._listen = listen
        # The last frame, only for steps that do not touch what they see on it.
        self._seen: Screen | None = None
        # The frame before the last typing: what stands there anew is told by comparing with it.
        self._untyped: Screen | None = None
        self._typed = Typed(0, None)
        # From then on the screen may show a secret, and no piece of it is kept.
        self._secret_typed = False

    def run(self, step: StepPlan) -> StepResult:
        """Carry out one step. Errors end the step, not the program: they are in the result."""
        result = StepResult(step, StepStatus.RUNNING, start_time=self._clock.wall())
        spent = self._tools.usage
        self._tell(EventKind.STEP_STARTED, result)
        try:
            self._clock.sleep(step.wait_before / 1000)
            self._try(step, result)
        except HandeyeError as error:
            self._fail(result, str(error))
            result.error = error
        finally:
            result.end_time = self._clock.wall()
            usage = self._tools.usage - spent
            result.usage = usage if usage.calls else None
            if result.status is StepStatus.RUNNING:  # interrupted
                result.status = StepStatus.FAILED
            self._tell(EventKind.STEP_FINISHED, result)
            for kept in (result.screenshot_before, result.screenshot_after):
                if kept is not None and kept is not self._seen:
                    kept.release()
        return result

    def _try(self, step: StepPlan, result: StepResult) -> None:
        recovery = Recovery(self._device, self._tools, self._clock, self._limits, self._listen, result)
        search = Search(self._tools, self._clock, self._limits, recovery)
        for attempt in range(step.retry + 1):
            result.retry_count = attempt
            if attempt:
                self._tell(EventKind.RETRY, result, f"attempt {attempt + 1} of {step.retry + 1}")
            screen = self._look(step, result, search, recovery)
            result.screenshot_before = screen
            at: Point | None = None
            if (found := result.located) is not None:
                if not found.success or found.element is None:
                    self._fail(result, self._why_not_found(result))
                    return
                at = found.element.center
                self._tell(EventKind.LOCATED, result)
            if (refusal := self._guarded(step, screen)) is not None:
                result.verify_result = refusal
                self._fail(result, "nothing was done, because " + "; ".join(refusal.evidence))
                return
            front = self._front(step.expectation)
            done = self._act(step, at, screen, result, recovery)
            verdict = self._judge(step, Before(screen, front), done, result, recovery)
            result.verify_result = verdict
            self._tell(EventKind.VERIFIED, result)
            self._learn(step, verdict, result)
            if verdict.verified or verdict.undecided:
                result.status = StepStatus.SUCCESS if verdict.verified else StepStatus.UNVERIFIED
                if step.action.needs_target:  # what was typed is sent, or its field is left
                    self._typed = Typed(0, None)
                return
            if not _may_repeat(step, verdict, recovery):
                break
        assert result.verify_result is not None  # the loop runs at least once
        self._fail(result, "; ".join(result.verify_result.evidence))

    def _look(self, step: StepPlan, result: StepResult, search: Search, recovery: Recovery) -> Screen:
        """The frame to act on; where the step has a target, `result.located` says where it is on it."""
        target = step.wanted
        if target is not None:
            first = result.retry_count == 0
            result.located, screen = search.find(
                step, target, recovery.capture(), may_fall_back=first, previous=self._seen
            )
            return screen
        # A frame takes up to 2 s on some phones. Only a tap needs one of this very moment.
        screen = self._seen if self._seen is not None else recovery.capture()
        return recovery.clear_way(screen) if step.action is ActionName.CHECK else screen

    def _act(
        self, step: StepPlan, at: Point | None, screen: Screen, result: StepResult, recovery: Recovery
    ) -> ActionResult:
        done = ActionResult()
        actions: list[Action] = []
        if step.action is ActionName.INPUT_TEXT and at is not None:
            actions.append(Tap(screen.to_input(at)))  # a field must have the focus before it takes text
        if (action := action_for(step, at, screen)) is not None:
            actions.append(action)
        for action in actions:
            if isinstance(action, Wait):
                self._clock.sleep(action.duration_ms / 1000)
                continue
            if isinstance(action, InputText):
                self._untyped = screen
                self._secret_typed |= action.secret
                self._typed = Typed(len(action.text), self._app_in_front())
            try:
                done = self._device.perform(action)
            except DeviceLost as error:
                if isinstance(action, InputText) and step.expectation is None:
                    raise  # how much of the text arrived is unknown, and nothing would look
                # Whether the phone still got it is unknown. Look again instead of doing it twice.
                result.notes.append(f"the link was lost during {step.action.value}: {error}")
                recovery.await_device()
                done = ActionResult("the link was lost; the effect is judged by the screen")
            if len(actions) > 1 and isinstance(action, Tap):
                self._clock.sleep(self._limits.settle_s)
        if done.note:
            result.notes.append(done.note)
        if actions:
            self._tell(EventKind.ACTED, result, done.note)
        return done

    def _judge(
        self, step: StepPlan, before: Before, done: ActionResult, result: StepResult, recovery: Recovery
    ) -> VerifyResult:
        """Look until the expectation holds or the step's time is up; blockers on the way are dismissed."""
        only_looks = step.action is ActionName.CHECK
        self._clock.sleep(0.0 if only_looks else max(step.wait_after / 1000, self._limits.pause_s))
        expect = step.expectation
        deadline = Deadline(self._clock, step.timeout / 1000)
        after = before.screen if only_looks else recovery.capture()
        while True:
            result.screenshot_after = self._seen = after
            if expect is None or (done.verified and step.action is ActionName.INPUT_TEXT):
                return _without_looking(done, before.screen, after)
            verdict = self._looked(step, expect, before, after)
            if verdict.verified or (verdict.undecided and not expect.new):
                return verdict
            if recovery.remove_blocker(after):
                deadline = Deadline(self._clock, step.timeout / 1000)
            elif deadline.passed:
                return _perhaps(verdict) if expect.new and only_looks else verdict
            else:
                self._clock.sleep(self._limits.poll_s)
            after = recovery.capture()

    def _learn(self, step: StepPlan, verdict: VerifyResult, result: StepResult) -> None:
        """Tell the finder whether the place it found for the step was the right one; what is undecided says nothing."""
        if step.wanted is None or result.located is None:
            return
        if verdict.verified and not self._secret_typed:
            self._tools.finder.judge(step.wanted, True)
        elif verdict.matches_expected is False:
            self._tools.finder.judge(step.wanted, False)

    def _looked(self, step: StepPlan, expect: Expectation, before: Before, after: Screen) -> VerifyResult:
        """The verdict on one look: by picture, and by the app in front where that is asked for."""
        earlier = self._untyped if expect.new else before.screen
        verdict = self._tools.verifier.verify(expect, earlier, after)
        if expect.app:
            return with_app(verdict, expect, before.app, self._device)
        if step.action is ActionName.CHECK:
            return self._guarded(step, after) or verdict
        if verdict.verified and verdict.screen_changed is False and not expect.new:
            return replace(verdict, verified=False, matches_expected=None, evidence=(*verdict.evidence, STOOD_BEFORE))
        return verdict

    def _guarded(self, step: StepPlan, screen: Screen) -> VerifyResult | None:
        """None when the step's guard holds on this frame; else the verdict against it."""
        if step.guard is None:
            return None
        verdict = self._tools.verifier.verify(step.guard, None, screen)
        return None if verdict.verified else replace(verdict, matches_expected=False)

    def erase_typed(self) -> None:
        """
        Take back what was typed and not sent, when the app it was typed into is still in front. Raises DeviceError.

        A draft that a failed run leaves behind would be found by the next one, or be sent by a person's finger.
        """
        if self._typed.length and self._typed.app is not None and self._app_in_front() == self._typed.app:
            self._device.perform(EraseText(self._typed.length))
        self._typed = Typed(0, None)

    def _app_in_front(self) -> str | None:
        return front_app(self._device)

    def _front(self, expect: Expectation | None) -> str | None:
        return self._app_in_front() if expect is not None and expect.app else None

    def _why_not_found(self, result: StepResult) -> str:
        located = result.located
        if located is None:
            return "nothing was looked for"
        if located.error and located.element is not None:
            return f"{result.step.wanted}: {located.error}"
        if located.candidates:
            return f"{result.step.wanted} fits {len(located.candidates)} places equally well; none was chosen"
        tried = "; ".join(str(attempt) for attempt in located.attempts)
        return f"{result.step.wanted} was not found ({tried})"

    def _fail(self, result: StepResult, message: str) -> None:
        result.status = StepStatus.FAILED
        result.error_message = message

    def _tell(self, kind: EventKind, result: StepResult, message: str = "") -> None:
        self._listen(Event(kind, self._clock.wall(), message, step=result.step, step_result=result))


def _may_repeat(step: StepPlan, verdict: VerifyResult, recovery: Recovery) -> bool:
    """
    Whether doing the step once more is safe.

    Only what had no effect is repeated: a second tap on a switch undoes the first, and text would stand there twice. A tap may
    also have been swallowed by a dialog that has since been dismissed; it looks for its target anew. A check has already
    waited for its time.
    """
    if step.action is ActionName.CHECK or verdict.suggestion is SuggestionAction.ABORT:
        return False
    return verdict.screen_changed is False or (step.action.needs_target and recovery.dismissed > 0)


def _perhaps(verdict: VerifyResult) -> VerifyResult:
    """What was sent and is not seen may have arrived all the same: a person should look, and nobody should send it again."""
    return replace(verdict, verified=False, matches_expected=None, evidence=(*verdict.evidence, MAY_HAVE_BEEN_SENT))


def _without_looking(done: ActionResult, before: Screen, after: Screen) -> VerifyResult:
    """Proved when the device itself saw the effect; else only what can be said without looking closer."""
    changed = before.digest != after.digest
    if done.verified:
        said = (done.note or "the device confirmed it",)
        return VerifyResult(True, 1.0, matches_expected=True, screen_changed=changed, evidence=said)
    seen = ("the screen changed" if changed else "the screen did not change",)
    return VerifyResult(False, 0.0, screen_changed=changed, evidence=seen)
