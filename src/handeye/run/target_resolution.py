"""Resolve the target of one step: the frame to act on, the target on it, and reasons not to touch it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from handeye.blockers import Blocker, BlockerType
from handeye.clock import Deadline
from handeye.elements import UIElement
from handeye.errors import BudgetExceeded
from handeye.geometry import Box
from handeye.matching import View, is_same_view
from handeye.plan import ActionName, Condition, StepPlan
from handeye.run.fallback import Fallback
from handeye.run.idempotency import agrees_by_key
from handeye.run.levels import ExecutionLevel, clears_way, level_of
from handeye.run.navigation import front_app, with_app
from handeye.run.postcondition import against_guard
from handeye.run.press_checks import against_other_words, as_found
from handeye.run.recovery import Recovery
from handeye.run.result import EventKind, StepResult
from handeye.run.state import Context, RunState
from handeye.screen import Screen
from handeye.target import Expectation, LocateResult, Target
from handeye.verify import VerifyResult
from handeye.visible import shown

# Search for a step's target on a screen that may be moving, may be covered, or may need a swipe first.


COVERED = "it is covered by something that could not be dismissed"
TARGET_MOVED = "the screen changed at its place while it was looked for"
# Seconds. Text and pictures are found faster; a model takes 2 to 20, and the page may change meanwhile.
QUICK = 1.0


class TargetSearch:
    """
    Searches until the target is found, the fallbacks are used up or the step's timeout has passed. A model is asked last:
    once the page rests, no fallback is left, and nothing else has found the target; and once for each view of the page. Only
    for a target that nothing but words describe is it asked before each fallback, because nothing else can find it
    (docs/spec/vision-agent.md).
    """

    def __init__(self, context: Context, recovery: Recovery, fallback: Fallback) -> None:
        self._asked: View | None = None
        self._tools = context.tools
        self._clock = context.clock
        self._limits = context.limits
        self._recovery = recovery
        self._fallback = fallback

    def find(
        self, step: StepPlan, target: Target, screen: Screen, *, may_fall_back: bool, previous: Screen | None = None
    ) -> tuple[LocateResult, Screen]:
        """
        Return the result, and the frame it was found on. `previous` is the frame seen before `screen`, if any. Raises
        BudgetExceeded when only a model could find the target, and the budget allows no more calls.
        """
        deadline = Deadline(self._clock, step.timeout / 1000)
        fallbacks = self._limits.fallbacks if step.fallback and may_fall_back else 0
        only_words = level_of(step) is ExecutionLevel.FULL_AI
        while True:
            began = self._clock.now()
            over = deadline.passed  # read before the search: the last search is a thorough one
            rests = over or at_rest(previous, screen, self._limits.settle_s)
            located = self._locate(target, screen, thoroughly=rests and (only_words or not fallbacks))
            _stop_when_spent(located)
            if located.success and located.element and self._clock.now() - began > QUICK:
                seen, screen = screen, self._recovery.capture()
                if not region_unchanged(located.element.bbox, seen, screen):
                    if deadline.passed:
                        return replace(located, success=False, error=TARGET_MOVED), screen
                    previous = None
                    continue
            covered = False
            if located.success and located.element:
                if self._recovery.may_touch(screen, located.element.bbox):
                    return located, screen
                covered = True
            if self._recovery.remove_blocker(screen):
                deadline = Deadline(self._clock, step.timeout / 1000)
                previous = None
            elif fallbacks and rests:
                fallbacks -= 1
                self._fallback.carry_out(step, self._limits.fallbacks - fallbacks, screen)
                deadline = Deadline(self._clock, step.timeout / 1000)
                previous = None
            elif over:
                return (replace(located, success=False, error=COVERED) if covered else located), screen
            else:
                if previous is None or not is_same_view(View.of(previous), View.of(screen)):
                    previous = screen
                self._clock.sleep(self._limits.poll_s)
            screen = self._recovery.capture()

    def _locate(self, target: Target, screen: Screen, *, thoroughly: bool) -> LocateResult:
        offline, view = self._tools.offline, View.of(screen)
        if offline is None:
            return self._tools.finder.locate(target, screen)
        located = offline.locate(target, screen)
        known = self._asked is not None and is_same_view(self._asked, view)
        if located.success or known or not thoroughly:
            return located
        self._asked = view
        return self._tools.finder.locate(target, screen)


def why_not_found(result: StepResult) -> str:
    """Return the reason why a step's target was not found, for people."""
    located = result.located
    if located is None:
        return "nothing was looked for"
    if located.error and located.element is not None:
        return f"{result.step.wanted}: {located.error}"
    if located.candidates and located.method_used != "none":
        return f"{result.step.wanted} fits {len(located.candidates)} places equally well; none was chosen"
    tried = "; ".join(str(attempt) for attempt in located.attempts)
    return f"{result.step.wanted} was not found ({tried})"


def region_unchanged(box: Box, seen: Screen, now: Screen) -> bool:
    """Return True if two frames are equal at `box`, pixel by pixel."""
    if seen.digest == now.digest:
        return True
    place = box.intersect(now.box)
    return place is not None and seen.size == now.size and seen.crop(place).digest == now.crop(place).digest


def _stop_when_spent(located: LocateResult) -> None:
    """
    Raise BudgetExceeded when that kept a model from being asked for what nothing else found: further searches would end the
    same.
    """
    if located.success:
        return
    for attempt in located.attempts:
        if isinstance(attempt.error, BudgetExceeded):
            raise attempt.error


def at_rest(previous: Screen | None, screen: Screen, settle_s: float) -> bool:
    """
    Return True if two frames show the same picture, so far apart in time that a page which is still opening would have moved.
    """
    if previous is None or not is_same_view(View.of(previous), View.of(screen)):
        return False
    return (screen.taken - previous.taken).total_seconds() >= settle_s


# The name of the strategy that asks a model.
_MODEL_STRATEGY: Final = "visual"
# The names of the strategies that do not use the picture.
_WITHOUT_PICTURE: Final = frozenset({"accessibility", "cache", "fixed"})


class TargetResolution:
    """Resolves the target of one step; the target that it finds is in the step's result."""

    def __init__(self, context: Context, trail: RunState, recovery: Recovery, result: StepResult) -> None:
        self._context = context
        self._trail = trail
        self._recovery = recovery
        self._result = result
        self._verify_condition = False
        self._search = TargetSearch(context, recovery, Fallback(context, trail, recovery, result))

    def take(self) -> tuple[Screen, UIElement | None, VerifyResult | None]:
        """
        Return the frame to act on, the target on it, and the reason not to act. What covers the target is dismissed first,
        such as a keyboard over an element that only the tree shows.
        """
        step, result, element = self._result.step, self._result, None
        while True:
            screen = result.screenshot_before = self.look()
            if step.wanted is not None and (element := self.found()) is None:
                return screen, None, None
            refusal = against_guard(step, screen, self._context)
            if refusal is not None or element is None:
                return screen, element, refusal
            refusal = self.against_touch(element, screen)
            over = refusal.blocker if refusal is not None else None
            if over is None or not self._recovery.remove_blocker(screen, over):
                return screen, element, refusal

    def against_touch(self, element: UIElement, screen: Screen) -> VerifyResult | None:
        """
        Return the reason not to touch what `result.located` has found: it is another element, covered, or not probable enough
        for an irreversible act. None without one.
        """
        step, located = self._result.step, self._result.located
        tools, deeds = self._context.tools, self._trail.deeds
        if located is not None and (why := against_other_words(step, located, screen, tools, deeds)) is not None:
            return why
        refusal = self._objection(element, screen)
        over = refusal.blocker if refusal is not None else None
        if over is not None and over.type is BlockerType.KEYBOARD and self._recovery.keyboard_shown() is False:
            return None  # the page has drawn these keys itself
        if over is None and (over := self._unseen_under_keys(element, screen)) is not None:
            return _covered(over.description, over)
        if refusal is None and self._result.step.action.needs_target:
            above = self._recovery.window_over(element.center, screen)
            return _covered(f"the window {shown(above)!r}") if above is not None else None
        return refusal

    def look(self) -> Screen:
        """Return the frame to act on; where the step has a target, `result.located` is the target's location on it."""
        step, result = self._result.step, self._result
        target, seen = step.wanted, self._trail.seen
        if target is not None:
            first = result.retry_count == 0
            capture = self._recovery.capture()
            result.located, screen = self._search.find(step, target, capture, may_fall_back=first, previous=seen)
            return screen
        fresh = self._trail.fresh(step, self._context.clock.now()) if not result.retry_count else None
        screen = fresh or self._recovery.capture()
        if clears_way(step):
            screen = self._recovery.clear_way(screen)
        types = step.action is ActionName.INPUT_TEXT or agrees_by_key(step)
        return self._recovery.answer_requests(screen) if types else screen

    def found(self) -> UIElement | None:
        """Return the element found last; None without one, and the step has failed."""
        found = self._result.located
        if found is None or not found.success or found.element is None:
            self._result.fail(why_not_found(self._result))
            self._context.tell(EventKind.NOT_FOUND, self._result, self._result.error_message)
            return None
        self._context.tell(EventKind.LOCATED, self._result)
        return found.element

    def _unseen_under_keys(self, element: UIElement, screen: Screen) -> Blocker | None:
        """
        Return the keyboard, where the device reports that it covers what only the tree or an earlier run locates: its keys
        may be of any script, and the picture identifies Latin ones only. What is seen there is a key.
        """
        located, action = self._result.located, self._result.step.action
        if not (action.needs_target or action is ActionName.INPUT_TEXT):
            return None
        if self._verify_condition or located is None or located.method_used not in _WITHOUT_PICTURE:
            return None
        return self._recovery.keyboard_over(element.center, screen)

    def _objection(self, element: UIElement, screen: Screen) -> VerifyResult | None:
        """
        Return the reason against acting on `element` (`verify_before` in docs/spec/grounding.md), or None. An undecided
        verdict is noted.
        """
        target, located = self._result.step.wanted, self._result.located
        self._verify_condition = False
        if target is None or located is None or not self._result.step.action.needs_target:
            return None
        if located.method_used == _MODEL_STRATEGY:
            return None  # models have judged it already, and each question costs money
        verdict = self._context.tools.verifier.verify_before(as_found(target, located), element, screen)
        self._verify_condition = verdict.verified
        if verdict.matches_expected is False:
            return verdict
        if verdict.undecided and verdict.evidence:
            self._result.notes.append(f"before the act: {'; '.join(verdict.evidence)}")
        return None


def _covered(by: str, blocker: Blocker | None = None) -> VerifyResult:
    return VerifyResult(False, 0.9, matches_expected=False, blocker=blocker, evidence=(f"{by} lies over it",))


# Conditions that decide whether a step is carried out.


class StepConditions:
    """The conditions of one plan. Steps of a group share its decision; group 0 is decided for each step separately."""

    def __init__(self) -> None:
        self._made: dict[Condition, str | None] = {}

    def against(self, step: StepPlan, context: Context, recovery: Recovery) -> str | None:
        """
        Return the reason why the step is not carried out, or None. An undecided condition does not hold.

        A fresh frame is taken when a condition is still open. Blockers are dismissed only where the condition is not met on
        the frame as it is: it may be about that very dialog. Raises the errors that keep the frame from being checked.
        """
        screen: Screen | None = None
        for condition in step.conditions:
            if condition.group and condition in self._made:
                why = self._made[condition]
            else:
                screen = screen or recovery.capture()
                verdict, screen = _verify_condition(condition.expect, context, recovery, screen)
                why = self._made[condition] = _unmet_reason(condition, verdict)
            if why is not None:
                return why
        return None


def _verify_condition(
    expect: Expectation, context: Context, recovery: Recovery, screen: Screen
) -> tuple[VerifyResult, Screen]:
    """
    Return the verdict that proves the expectation, else the one on a screen without blockers; and the frame it was made on.
    """
    while True:
        verdict = context.tools.verifier.verify(expect, None, screen)
        if expect.app:
            verdict = with_app(verdict, expect, front_app(context.device), context.device)
        proved = verdict.verified and not recovery.hides(expect, screen)
        if proved or not recovery.remove_blocker(screen):
            return verdict, screen
        screen = recovery.capture()


def _unmet_reason(condition: Condition, verdict: VerifyResult) -> str | None:
    """Return the reason why the condition prevents the step, or None."""
    expect = condition.expect
    if verdict.verified is condition.wanted:
        return None
    holds = "holds" if verdict.verified else "is not decided" if verdict.undecided else "does not hold"
    return f"{expect} {holds}: {'; '.join(verdict.evidence)}"
