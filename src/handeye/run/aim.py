"""Where one step acts: the frame, the target on it, and what speaks against touching it."""

from __future__ import annotations

from typing import Final

from handeye.blockers.base import Blocker, BlockerType
from handeye.elements import UIElement
from handeye.plan.base import ActionName
from handeye.run.context import Context
from handeye.run.effect import against_guard
from handeye.run.events import EventKind
from handeye.run.fallback import Fallback
from handeye.run.levels import clears_way
from handeye.run.once import agrees_by_key
from handeye.run.other_words import against_other_words, as_found
from handeye.run.recover import Recovery
from handeye.run.result import StepResult
from handeye.run.search import Search, why_not_found
from handeye.run.trail import Trail
from handeye.screen import Screen
from handeye.verify.base import VerifyResult
from handeye.visible import shown

# The name of the chain's strategy that asks a model.
_MODELS: Final = "visual"
# And those of the strategies that look at no picture.
_BLIND: Final = frozenset({"accessibility", "cache", "fixed"})


class Aim:
    """Aims one step; where it has found its target is in its result."""

    def __init__(self, context: Context, trail: Trail, recovery: Recovery, result: StepResult) -> None:
        self._context = context
        self._trail = trail
        self._recovery = recovery
        self._result = result
        self._seen = False
        self._search = Search(context, recovery, Fallback(context, trail, recovery, result))

    def take(self) -> tuple[Screen, UIElement | None, VerifyResult | None]:
        """
        The frame to act on, the target on it, and what speaks against the act. What lies over the target, such as a keyboard
        over what only the tree tells of, goes first.
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
        The reason not to touch what `result.located` has found: it is another thing, covered, or not probable enough for what
        cannot be taken back. None without one.
        """
        step, located = self._result.step, self._result.located
        tools, deeds = self._context.tools, self._trail.deeds
        if located is not None and (why := against_other_words(step, located, screen, tools, deeds)) is not None:
            return why
        refusal = self._doubt(element, screen)
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
        """The frame to act on; where the step has a target, `result.located` says where it is on it."""
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
        """The find of the last look; None without one, and the step has failed."""
        found = self._result.located
        if found is None or not found.success or found.element is None:
            self._result.fail(why_not_found(self._result))
            self._context.tell(EventKind.NOT_FOUND, self._result, self._result.error_message)
            return None
        self._context.tell(EventKind.LOCATED, self._result)
        return found.element

    def _unseen_under_keys(self, element: UIElement, screen: Screen) -> Blocker | None:
        """
        The keyboard, where the device says that it lies over what only the tree or an earlier run tells of: its keys may be of
        any script, and a picture tells Latin ones only. What is seen there is a key.
        """
        located, action = self._result.located, self._result.step.action
        if not (action.needs_target or action is ActionName.INPUT_TEXT):
            return None
        if self._seen or located is None or located.method_used not in _BLIND:
            return None
        return self._recovery.keyboard_over(element.center, screen)

    def _doubt(self, element: UIElement, screen: Screen) -> VerifyResult | None:
        """The reason against acting on `element` (seed 003's verify_before), or None. What is undecided is noted."""
        target, located = self._result.step.wanted, self._result.located
        self._seen = False
        if target is None or located is None or not self._result.step.action.needs_target:
            return None
        if located.method_used == _MODELS:
            return None  # models have judged it already, and a person pays for each question
        verdict = self._context.tools.verifier.verify_before(as_found(target, located), element, screen)
        self._seen = verdict.verified
        if verdict.matches_expected is False:
            return verdict
        if verdict.undecided and verdict.evidence:
            self._result.notes.append(f"before the act: {'; '.join(verdict.evidence)}")
        return None


def _covered(by: str, blocker: Blocker | None = None) -> VerifyResult:
    return VerifyResult(False, 0.9, matches_expected=False, blocker=blocker, evidence=(f"{by} lies over it",))
