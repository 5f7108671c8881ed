"""Typing a step's text, and reading back what arrived."""

from __future__ import annotations

from typing import Final

from handeye.actions import ActionResult, InputText
from handeye.errors import DeviceLost
from handeye.locate.match_block import match_block
from handeye.locate.match_text import match_text
from handeye.locate.reading import lines_on
from handeye.plan.base import StepPlan
from handeye.run.context import Context
from handeye.run.deeds import Draft
from handeye.run.front import front_app
from handeye.run.recover import Recovery
from handeye.run.result import StepResult
from handeye.run.trail import Trail
from handeye.screen import Screen

LOST: Final = "the link was lost; the effect is judged by the screen"
"""The note of an act of which nobody knows whether the device got it."""


class TextEntry:
    """Types into the focused field for one step, and keeps account of the draft that stands there until it is sent."""

    def __init__(self, context: Context, trail: Trail, recovery: Recovery, result: StepResult) -> None:
        self._context = context
        self._trail = trail
        self._recovery = recovery
        self._result = result

    def enter(self, step: StepPlan, action: InputText, screen: Screen) -> ActionResult:
        """
        Type; `screen` is the frame before. A device that reads its fields back has corrected once what arrived otherwise, or
        says so (TextInputFailed). Where it cannot, the picture is read, unless the text is secret.

        Raises DeviceLost when the link was lost on the way and nothing would look at what arrived.
        """
        trail = self._trail
        trail.untyped = screen
        trail.secret_typed |= action.secret
        trail.deeds.draft = Draft(action.text, front_app(self._context.device))
        try:
            done = self._context.device.perform(action)
        except DeviceLost as error:
            if step.expectation is None:
                raise  # how much of the text arrived is unknown, and nothing would look
            self._result.notes.append(f"the link was lost during {step.action.value}: {error}")
            self._recovery.await_device()
            return ActionResult(LOST)
        if done.verified is None and not action.secret and step.expectation is None:
            return self._read_back(action.text, done, screen)
        return done

    def _read_back(self, text: str, done: ActionResult, before: Screen) -> ActionResult:
        """Note whether the picture shows the text, more often than it did before. It may lie outside of what a field shows."""
        if self._context.tools.reader is None:
            return done
        self._context.clock.sleep(self._context.limits.still_s)
        now = self._recovery.capture()
        seen = self._times(text, now) > self._times(text, before)
        said = "the screen shows it" if seen else "the screen does not show it as it was typed"
        return ActionResult("; ".join(filter(None, (done.note, said))), True if seen else None)

    def _times(self, text: str, screen: Screen) -> int:
        assert self._context.tools.reader is not None
        lines = lines_on(self._context.tools.reader, screen)
        return len(match_text(text, lines, exact=True)) or int(match_block(text, lines) is not None)
