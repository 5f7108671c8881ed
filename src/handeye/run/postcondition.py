"""Verify a step's postcondition: wait until the screen rests, check it, and check again until the step's timeout."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from handeye.actions import ActionResult
from handeye.blockers import SuggestionAction, failed_page
from handeye.clock import Deadline
from handeye.devices import AppAware, Device, OpenWindows
from handeye.locate import read_lines
from handeye.matching import ScreenStability, View, is_same_view
from handeye.plan import ActionName, StepPlan
from handeye.run.levels import longest_wait_s
from handeye.run.navigation import against_home, front_app, windows_before, with_app, with_window, without_app
from handeye.run.recovery import Recovery, is_absence
from handeye.run.result import StepResult
from handeye.run.state import Context, RunState
from handeye.screen import Screen
from handeye.target import HOME_APP, Expectation
from handeye.verify import VerifyResult

STOOD_BEFORE: Final = "it stood there before, and nothing changed: that proves nothing"
MAY_HAVE_BEEN_SENT: Final = (
    "it may have been sent or done all the same; look at the chat or page where it would stand; if it was not sent or done, "
    "run the task again"
)

# Seconds after a step's timeout in which a late effect is awaited before an act is repeated.
LATE_S: Final = 2.0
_ASKING: Final = "while asking for the app in front"
# Acts whose only effect is which app is in front: if it was in front before, that is as good.
_BRING_TO_FRONT: Final = frozenset({ActionName.LAUNCH_APP, ActionName.GO_HOME, ActionName.OPEN_URL})


@dataclass(frozen=True, slots=True)
class Before:
    """
    State before the act: the frame, the open windows where the step goes back, and the app in front where the effect is
    judged by it. `dismissed` is the number of blockers that the step has dismissed so far.
    """

    screen: Screen
    app: str | None
    windows: OpenWindows | None = None
    dismissed: int = 0

    @classmethod
    def of(cls, step: StepPlan, screen: Screen, device: Device, dismissed: int = 0) -> Before:
        """Capture the state; the device is asked only where its answer matters. Raises DeviceError."""
        expect = step.expectation
        asks = expect is not None and (expect.app or (is_absence(expect) and step.action is not ActionName.CHECK))
        return cls(screen, front_app(device) if asks else None, windows_before(step, device), dismissed)


class Postcondition:
    """Judges the effect of one step's act (`verify_after` in docs/spec/grounding.md)."""

    def __init__(self, context: Context, trail: RunState, recovery: Recovery, result: StepResult) -> None:
        self._context = context
        self._trail = trail
        self._recovery = recovery
        self._result = result

    def judge(self, step: StepPlan, before: Before, done: ActionResult) -> VerifyResult:
        """
        Return the verdict, once the expectation holds, something contradicts it or the step's timeout has passed. Blockers
        that come up meanwhile are dismissed or awaited.
        """
        expect, only_looks = step.expectation, step.action is ActionName.CHECK
        after = before.screen if only_looks else self.settled(step, before.screen)
        deadline = Deadline(self._context.clock, step.timeout / 1000)
        while True:
            self._record_frame(after)
            if expect is None or (done.verified and _asks_for_the_text(step, expect)):
                return without_looking(done, before.screen, after)
            verdict = self._verdict_on(step, expect, before, after)
            if verdict.verified or verdict.suggestion is SuggestionAction.ABORT:
                return verdict
            if verdict.blocker is not None and self._recovery.remove_blocker(after, verdict.blocker):
                deadline = Deadline(self._context.clock, step.timeout / 1000)
            elif verdict.undecided and not expect.new and verdict.suggestion is not SuggestionAction.WAIT:
                return verdict
            elif deadline.passed:
                return _maybe_sent(verdict) if expect.new and only_looks else verdict
            else:
                self._context.clock.sleep(self._context.limits.poll_s)
            after = self._recovery.capture()

    def comes_late(self, before: Screen) -> bool:
        """
        Return True if the screen changes within LATE_S after all, though no effect was seen before: the act must not be
        repeated then.
        """
        clock, limits = self._context.clock, self._context.limits
        deadline = Deadline(clock, LATE_S)
        while True:
            if not is_same_view(View.of(before), View.of(self._recovery.capture())):
                return True
            if deadline.passed:
                return False
            deadline.pause(limits.poll_s)

    def settled(self, step: StepPlan, before: Screen | None, *, begun: bool = False) -> Screen:
        """
        Return the frame once the screen rests, or the longest time that the step's effect may take has passed.

        Where no expectation will prove the effect, a change must have been seen, unless the effect has `begun` already: just
        after a tap, two frames may show the page as it was before.
        """
        context = self._context
        deadline, stillness = Deadline(context.clock, longest_wait_s(step)), ScreenStability()
        context.clock.sleep(context.limits.pause_s)
        begun = begun or step.expectation is not None
        screen = self._recovery.capture()
        while not deadline.passed:
            rests = stillness.is_stable(screen)
            begun = begun or (before is not None and not is_same_view(View.of(before), View.of(screen)))
            if rests and begun:
                break
            deadline.pause(context.limits.still_s)
            screen = self._recovery.capture()
        return screen

    def _record_frame(self, after: Screen) -> None:
        self._result.screenshot_after = after
        self._trail.see(after, self._context.clock.now())

    def _verdict_on(self, step: StepPlan, expect: Expectation, before: Before, after: Screen) -> VerifyResult:
        """Return the verdict on one frame: by picture, and by the app in front where the expectation names one."""
        only_looks = step.action is ActionName.CHECK
        earlier: Screen | None = before.screen
        if expect.new:
            earlier = self._trail.untyped
        elif only_looks and not expect.changed:
            earlier = None  # nothing was done: there is no before and after
        verdict = self._context.tools.verifier.verify(expect, earlier, after)
        page = step.action is ActionName.OPEN_URL
        if verdict.verified and (blocker := self._recovery.hides(expect, after, page=page)) is not None:
            why = f"{blocker.description} lies over it"
            verdict = replace(verdict, verified=False, matches_expected=None, blocker=blocker)
            verdict = replace(verdict, evidence=(*verdict.evidence, why))
        if verdict.verified and not only_looks and not expect.app and is_absence(expect):
            verdict = self._check_not_home(verdict, before.app)
        if verdict.undecided and expect.switch is not None and not expect.app:
            verdict = self._check_not_home(verdict, self._trail.app)
        stood = verdict.verified and verdict.screen_changed is False and not expect.new and not only_looks
        if stood and not expect.app:
            return _stood_before(verdict)
        if expect.app:
            verdict = self._with_app(verdict, expect, before.app)
            if verdict.verified and self._is_app_of_before(step, expect, before, after, stood=stood):
                return _stood_before(verdict)
        if only_looks:
            refusal = against_guard(step, after, self._context)
            return verdict if refusal is None else refusal  # no `or`: a verdict against it is falsy
        if verdict.verified and page:
            return self._against_failed_page(verdict, after)
        dismissed = (
            self._recovery.dismissed > before.dismissed
        )  # then BACK may have closed that, or the other way round
        if before.windows is not None and verdict.undecided and verdict.screen_changed and not dismissed:
            return with_window(verdict, before.windows, self._context.device)
        return verdict

    def _with_app(self, verdict: VerifyResult, expect: Expectation, before: str | None) -> VerifyResult:
        device = self._context.device
        told = self._recovery.call_with_reconnect(_ASKING, lambda: with_app(verdict, expect, before, device))
        return told if told is not None else without_app(verdict)

    def _check_not_home(self, verdict: VerifyResult, before: str | None) -> VerifyResult:
        device = self._context.device
        told = self._recovery.call_with_reconnect(_ASKING, lambda: against_home(verdict, before, device))
        return told if told is not None else without_app(verdict)

    def _is_app_of_before(
        self, step: StepPlan, expect: Expectation, before: Before, after: Screen, *, stood: bool
    ) -> bool:
        """
        Return True if the app was in front before and nothing changed since: a proof only for steps that expect nothing but
        that app.
        """
        if step.action is ActionName.CHECK or (step.action in _BRING_TO_FRONT and not expect.is_evidence):
            return False
        device, wanted = self._context.device, expect.app
        if wanted == HOME_APP:
            wanted = device.home_app() if isinstance(device, AppAware) else None
        if before.app is None or before.app != wanted:
            return False
        return stood or (not expect.is_evidence and is_same_view(View.of(before.screen), View.of(after)))

    def _against_failed_page(self, verdict: VerifyResult, after: Screen) -> VerifyResult:
        """
        Contradict the verdict where the browser shows an error page: it shows the address of a page that it could not load,
        too.
        """
        reader = self._context.tools.reader
        failed = failed_page(after, read_lines(reader, after)) if reader is not None else None
        if failed is None:
            return verdict
        why = f"{failed.description}: {failed.words!r}"
        return replace(verdict, verified=False, matches_expected=False, evidence=(why, *verdict.evidence))


def against_guard(step: StepPlan, screen: Screen, context: Context) -> VerifyResult | None:
    """Return None when the step's guard holds on this frame; else the verdict against it."""
    if step.guard is None:
        return None
    verdict = context.tools.verifier.verify(step.guard, None, screen)
    return None if verdict.verified else replace(verdict, matches_expected=False)


def _asks_for_the_text(step: StepPlan, expect: Expectation) -> bool:
    """
    Return True if only the text that the step types is expected: a device that reads fields back has verified that already.
    """
    if step.action is not ActionName.INPUT_TEXT:
        return False
    more = expect.gone or expect.reference or expect.description or expect.app or expect.row or expect.changed
    return expect.text == step.params.get("text") and not more and expect.switch is None


def _stood_before(verdict: VerifyResult) -> VerifyResult:
    return replace(verdict, verified=False, matches_expected=None, evidence=(*verdict.evidence, STOOD_BEFORE))


def without_looking(done: ActionResult, before: Screen | None, after: Screen | None) -> VerifyResult:
    """Return a verdict without checking an expectation: proved when the device confirmed the effect, else undecided."""
    changed: bool | None = None
    if before is not None and after is not None:
        changed = not is_same_view(View.of(before), View.of(after))
    if done.verified:
        said = (done.note or "the device confirmed it",)
        return VerifyResult(True, 1.0, matches_expected=True, screen_changed=changed, evidence=said)
    seen = {True: "the screen changed", False: "the screen did not change", None: "it was done without looking"}
    return VerifyResult(False, 0.0, screen_changed=changed, evidence=(seen[changed],))


def _maybe_sent(verdict: VerifyResult) -> VerifyResult:
    """
    Return the verdict as undecided: what was sent and is not seen may have arrived, so a person should check before it is
    sent again.
    """
    return replace(verdict, verified=False, matches_expected=None, evidence=(*verdict.evidence, MAY_HAVE_BEEN_SENT))
