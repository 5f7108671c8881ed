"""Back to an app's first page, one BACK after the other (seed 004, "返回首页循环检测")."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from handeye.actions import PressKey
from handeye.clock import Deadline
from handeye.errors import InvalidPlan, RunStopped
from handeye.matching.stability import Stillness, View, is_same_view
from handeye.plan.base import StepPlan
from handeye.run.context import Context
from handeye.run.events import EventKind
from handeye.run.front import front_app
from handeye.run.recover import BACK, Recovery
from handeye.run.result import StepResult
from handeye.screen import Screen
from handeye.target import Expectation, Target
from handeye.verify.base import VerifyResult

_WANTED: Final = "it needs a target that stands on the first page only"


class HomePage:
    """Presses BACK until the first page is seen, and stops with a reason where that leads nowhere."""

    def __init__(self, context: Context, recovery: Recovery, result: StepResult) -> None:
        self._context = context
        self._recovery = recovery
        self._result = result
        self._looks = ways_to_tell(result.step)

    def reach(self) -> tuple[VerifyResult, Screen]:
        """
        The proof that the first page is in front, and the frame that shows it.

        Raises RunStopped when the app was left, when the screen no longer changes with BACK, and after `Limits.backs` of them.
        """
        limits = self._context.limits
        app = self._front_app()
        for pressed in range(limits.backs + 1):
            screen = self._recovery.clear_way(self._at_rest(self._recovery.capture()))
            self._stay_in(app)
            verdict = self._seen(screen)
            if verdict.verified:
                return replace(verdict, evidence=(*verdict.evidence, f"BACK was pressed {pressed} times")), screen
            if pressed < limits.backs:
                self._press_back(screen, verdict)
                self._stay_in(app)
        raise RunStopped(
            f"the first page was not reached with {limits.backs} times BACK: {'; '.join(verdict.evidence)}"
        )

    def _seen(self, screen: Screen) -> VerifyResult:
        """The first verdict that proves the page, else the last one: by picture, then by text, then by a model."""
        verifier = self._context.tools.verifier
        for look in self._looks:
            verdict = verifier.verify(look, None, screen)
            if verdict.verified:
                break
        return verdict

    def _press_back(self, screen: Screen, verdict: VerifyResult) -> None:
        context = self._context
        if self._recovery.bridged(f"during {BACK}", lambda: context.device.perform(PressKey(BACK))) is None:
            return  # the next look decides what follows
        context.tell(EventKind.ACTED, self._result, BACK)
        context.clock.sleep(context.limits.back_s)
        deadline, before = Deadline(context.clock, context.limits.unmoved_s), View.of(screen)
        while is_same_view(before, View.of(self._recovery.capture())):
            if deadline.passed:
                raise RunStopped(
                    f"the first page was not reached: the screen no longer changes with BACK ({'; '.join(verdict.evidence)})"
                )
            context.clock.sleep(context.limits.poll_s)

    def _at_rest(self, screen: Screen) -> Screen:
        context = self._context
        stillness, deadline = Stillness(), Deadline(context.clock, context.limits.unmoved_s)
        while not stillness.rests(screen) and not deadline.passed:
            context.clock.sleep(context.limits.still_s)
            screen = self._recovery.capture()
        return screen

    def _stay_in(self, app: str | None) -> None:
        now = self._front_app()
        if app is not None and now is not None and now != app:
            raise RunStopped(f"BACK has left {app} before its first page was seen; {now} is in front")

    def _front_app(self) -> str | None:
        device = self._context.device
        asked = self._recovery.bridged("while asking for the app in front", lambda: (front_app(device),))
        return asked[0] if asked is not None else front_app(device)


def ways_to_tell(step: StepPlan) -> tuple[Expectation, ...]:
    """
    What is looked for, one after the other: the step's expectation, else its target by picture, by text and by words.

    Raises InvalidPlan when there is nothing that could be looked for.
    """
    if step.expectation is not None and step.expectation.is_evidence:
        return (step.expectation,)
    target = step.wanted
    ways = _ways(target) if target is not None else ()
    if not ways:
        raise InvalidPlan(f"step {step.step} ({step.action.value}): {_WANTED}")
    return ways


def _ways(target: Target) -> tuple[Expectation, ...]:
    whole = Expectation(region=target.region, exact=target.exact)
    return (
        *((replace(whole, reference=target.reference),) if target.reference else ()),
        *((replace(whole, text=target.text),) if target.text else ()),
        *((replace(whole, description=target.description),) if target.description else ()),
    )
