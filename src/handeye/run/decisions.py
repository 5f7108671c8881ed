"""Whether a step is carried out at all: its conditions, each looked at once."""

from __future__ import annotations

from handeye.plan.base import Condition, StepPlan
from handeye.run.context import Context
from handeye.run.front import front_app, with_app
from handeye.run.recover import Recovery
from handeye.screen import Screen
from handeye.target import Expectation
from handeye.verify.base import VerifyResult


class Decisions:
    """The conditions of one plan. Steps that share a group share its decision; group 0 is each step's own."""

    def __init__(self) -> None:
        self._made: dict[Condition, str | None] = {}

    def against(self, step: StepPlan, context: Context, recovery: Recovery) -> str | None:
        """
        Why the step is not carried out, or None. What cannot be decided does not hold.

        Looks at a fresh frame when something is still open. What lies over it is dismissed only where the condition is not seen
        as it is: it may be about that very dialog. Raises what keeps from looking.
        """
        screen: Screen | None = None
        for condition in step.conditions:
            if condition.group and condition in self._made:
                why = self._made[condition]
            else:
                screen = screen or recovery.capture()
                verdict, screen = _seen(condition.expect, context, recovery, screen)
                why = self._made[condition] = _against(condition, verdict)
            if why is not None:
                return why
        return None


def _seen(expect: Expectation, context: Context, recovery: Recovery, screen: Screen) -> tuple[VerifyResult, Screen]:
    """The verdict that proves it, else the one on a screen with nothing over it; and the frame that it was made on."""
    while True:
        verdict = context.tools.verifier.verify(expect, None, screen)
        if expect.app:
            verdict = with_app(verdict, expect, front_app(context.device), context.device)
        proved = verdict.verified and not recovery.hides(expect, screen)
        if proved or not recovery.remove_blocker(screen):
            return verdict, screen
        screen = recovery.capture()


def _against(condition: Condition, verdict: VerifyResult) -> str | None:
    """Why the condition does not let the step be carried out, or None."""
    expect = condition.expect
    if verdict.verified is condition.wanted:
        return None
    holds = "holds" if verdict.verified else "is not decided" if verdict.undecided else "does not hold"
    return f"{expect} {holds}: {'; '.join(verdict.evidence)}"
