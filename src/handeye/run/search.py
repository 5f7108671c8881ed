"""Finding a step's target on a screen that may still be moving, may be covered, or may need a swipe first."""

from __future__ import annotations

from dataclasses import replace

from handeye.clock import Deadline
from handeye.errors import BudgetExceeded
from handeye.geometry import Box
from handeye.matching.stability import View, is_same_view
from handeye.plan.base import StepPlan
from handeye.run.context import Context
from handeye.run.fallback import Fallback
from handeye.run.levels import ExecutionLevel, level_of
from handeye.run.recover import Recovery
from handeye.run.result import StepResult
from handeye.screen import Screen
from handeye.target import LocateResult, Target

COVERED = "it is covered by something that could not be dismissed"
MOVED = "the screen changed at its place while it was looked for"
# Seconds. Text and pictures are found in less; a model takes 2 to 20, and the page moves on meanwhile.
QUICK = 1.0


class Search:
    """
    Looks until the target is there, the fallbacks are used up or the step's time has passed. A model is asked last: once the
    page rests, no fallback is left, and nothing else has found it there; and once about each view of the page. Only for a
    target that nothing but words describe it is asked before each fallback, because nothing else can find it (seed 004).
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
        The result, and the frame it was found on. `previous` is the frame seen before `screen`, if any. Raises BudgetExceeded
        when only a model could find it, and none may be asked any more.
        """
        deadline = Deadline(self._clock, step.timeout / 1000)
        fallbacks = self._limits.fallbacks if step.fallback and may_fall_back else 0
        only_words = level_of(step) is ExecutionLevel.FULL_AI
        while True:
            began = self._clock.now()
            over = deadline.passed  # told before the look: the last one is a thorough one
            rests = over or at_rest(previous, screen, self._limits.settle_s)
            located = self._locate(target, screen, thoroughly=rests and (only_words or not fallbacks))
            _stop_when_spent(located)
            if located.success and located.element and self._clock.now() - began > QUICK:
                seen, screen = screen, self._recovery.capture()
                if not stands(located.element.bbox, seen, screen):
                    if deadline.passed:
                        return replace(located, success=False, error=MOVED), screen
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
    """Why a step's target is not there to act on, in words."""
    located = result.located
    if located is None:
        return "nothing was looked for"
    if located.error and located.element is not None:
        return f"{result.step.wanted}: {located.error}"
    if located.candidates and located.method_used != "none":
        return f"{result.step.wanted} fits {len(located.candidates)} places equally well; none was chosen"
    tried = "; ".join(str(attempt) for attempt in located.attempts)
    return f"{result.step.wanted} was not found ({tried})"


def stands(box: Box, seen: Screen, now: Screen) -> bool:
    """Whether two frames show the same at `box`, pixel by pixel."""
    if seen.digest == now.digest:
        return True
    place = box.intersect(now.box)
    return place is not None and seen.size == now.size and seen.crop(place).digest == now.crop(place).digest


def _stop_when_spent(located: LocateResult) -> None:
    """Raise BudgetExceeded when that kept a model from looking for what nothing else found: more looks would end the same."""
    if located.success:
        return
    for attempt in located.attempts:
        if isinstance(attempt.error, BudgetExceeded):
            raise attempt.error


def at_rest(previous: Screen | None, screen: Screen, settle_s: float) -> bool:
    """Whether two looks saw the same picture, so far apart that a page which is still opening would have moved."""
    if previous is None or not is_same_view(View.of(previous), View.of(screen)):
        return False
    return (screen.taken - previous.taken).total_seconds() >= settle_s
