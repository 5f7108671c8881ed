"""
Fallback of a step whose target is not found (docs/spec/vision-agent.md). It is an act like any other, under the step's guard.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from handeye.actions import Wait
from handeye.elements import UIElement
from handeye.errors import InvalidPlan, RunStopped
from handeye.plan import ActionName, StepPlan
from handeye.run.device_actions import action_for
from handeye.run.idempotency import sends_by_key
from handeye.run.navigation import is_home
from handeye.run.postcondition import against_guard
from handeye.run.press_checks import against_other_words, against_task, as_found
from handeye.run.recovery import BACK, Recovery
from handeye.run.result import EventKind, StepResult
from handeye.run.state import Context, RunState
from handeye.screen import Screen

_ALLOWED: Final = (ActionName.SWIPE, ActionName.TAP, ActionName.PRESS_KEY, ActionName.WAIT)
_DEFAULT_PARAMS: Final[Mapping[ActionName, Mapping[str, Any]]] = {
    ActionName.SWIPE: {"direction": "up"},
    ActionName.PRESS_KEY: {"key": BACK},
}


class Fallback:
    """
    The fallback of one step. What may send something or cannot be undone is done once, and only where the step itself might
    act.
    """

    def __init__(self, context: Context, trail: RunState, recovery: Recovery, result: StepResult) -> None:
        self._context = context
        self._trail = trail
        self._recovery = recovery
        self._result = result
        self._acted = False

    def carry_out(self, step: StepPlan, attempt: int, screen: Screen) -> None:
        """
        Carry the fallback out once on `screen`, and wait until its effect may be seen. A tap whose target is not found is
        left out.

        Raises InvalidPlan for an invalid fallback, RunStopped for what must not be done twice, and DeviceError.
        """
        planned = planned_fallback(step)
        said = f"{attempt}/{self._context.limits.fallbacks}: {planned.description}"
        self._context.tell(EventKind.FALLBACK, self._result, said)
        self._result.notes.append(f"fallback {said}")
        element = self._place(planned, screen) if planned.action is ActionName.TAP else None
        if planned.action is not ActionName.TAP or element is not None:
            self._act(planned, element, screen)
        self._context.clock.sleep(self._context.limits.settle_s)

    def _act(self, planned: StepPlan, element: UIElement | None, screen: Screen) -> None:
        deeds, role = self._trail.deeds, element.element_type if element is not None else ""
        if self._acted and not self._trail.may_repeat(planned, role):
            self._leave_out("it was done already")
            return
        if (element is not None or sends_by_key(planned)) and not self._may(planned, element, screen):
            return
        action = action_for(planned, element.center if element is not None else None, screen)
        deeds.acted(planned, role)
        self._acted = self._result.acted = True
        if not self._turns_home_page(planned):
            self._trail.aside.append(planned)
        if isinstance(action, Wait):
            self._context.clock.sleep(action.duration_ms / 1000)
        elif action is not None:
            self._context.tell(EventKind.ACTING, self._result)
            self._recovery.call_with_reconnect("during the fallback", lambda: self._context.device.perform(action))

    def _turns_home_page(self, planned: StepPlan) -> bool:
        """Return True if the swipe pages through the home screen, where a swipe sideways throws no row out of a list."""
        return planned.action is ActionName.SWIPE and is_home(self._context.device)

    def _place(self, planned: StepPlan, screen: Screen) -> UIElement | None:
        """Return the element to tap; None where it is not found, is covered, or is not what was asked for."""
        target = planned.wanted
        if target is None:
            raise InvalidPlan(f"step {planned.step}: the fallback taps, and has no target_ref")
        tools = self._context.tools
        found = tools.finder.locate(target, screen)
        if not found.success or found.element is None or not self._recovery.may_touch(screen, found.element.bbox):
            return None
        verdict = against_other_words(planned, found, screen, tools, self._trail.deeds)
        if verdict is None:
            verdict = tools.verifier.verify_before(as_found(target, found), found.element, screen)
        if verdict.matches_expected is False:
            self._leave_out("; ".join(verdict.evidence))
            return None
        return found.element

    def _may(self, planned: StepPlan, element: UIElement | None, screen: Screen) -> bool:
        deeds, role = self._trail.deeds, element.element_type if element is not None else ""
        if self._acted and deeds.is_once_only(planned, role):
            self._leave_out("it was done already")
            return False
        refusal = against_guard(planned, screen, self._context)
        if refusal is None and element is not None:
            tools = self._context.tools
            refusal = against_task(planned, element, element.center, screen, self._trail, tools, is_fallback=True)
        if refusal is not None:
            self._leave_out("; ".join(refusal.evidence))
            return False
        if self._trail.replanned:
            why = deeds.forbids_now(planned, screen, element.bbox if element is not None else None, role)
            if why is not None:
                raise RunStopped(f"the fallback was not carried out: {why}")
        return True

    def _leave_out(self, why: str) -> None:
        self._result.notes.append(f"the fallback was not carried out: {why}")


def planned_fallback(step: StepPlan) -> StepPlan:
    """Return a step's fallback as a separate step under the same guard. Raises InvalidPlan for an invalid one."""
    fallback = step.fallback or {}
    name, params, ref = fallback.get("action", ""), fallback.get("params") or {}, fallback.get("target_ref")
    action = next((each for each in _ALLOWED if each.value == name), None)
    if action is None or not isinstance(params, Mapping) or (action is ActionName.TAP and not ref):
        raise InvalidPlan(
            f"step {step.step}: the fallback {name!r} is none of swipe, tap, press_key, wait as they must be"
        )
    if action is ActionName.PRESS_KEY and ("key" in params or "keycode" in params):
        usual: Mapping[str, Any] = {}
    else:
        usual = _DEFAULT_PARAMS.get(action, {})
    return StepPlan(
        step.step,
        action,
        target_ref=str(ref) if ref and action is ActionName.TAP else None,
        description=str(fallback.get("description") or name),
        params={**usual, **params},
        guard=step.guard,
        retry=step.retry,
    )
