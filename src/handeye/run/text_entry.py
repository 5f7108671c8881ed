"""Typing a step's text, and reading back what arrived."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from handeye.actions import ActionResult, EraseText, InputText
from handeye.errors import TextInputFailed
from handeye.geometry import Box
from handeye.locate import read_lines
from handeye.matching import View, changes
from handeye.ocr import TextReader
from handeye.plan import StepPlan
from handeye.run.action_history import UnsentText
from handeye.run.navigation import front_app
from handeye.run.recovery import Recovery
from handeye.run.result import StepResult
from handeye.run.secret_frames import ShownSecret
from handeye.run.state import Context, RunState
from handeye.screen import Screen
from handeye.text import IN_DOUBT, TextLine, match_block, match_text

# Another text is as long as what was typed, give or take so many characters, or this share of them.
_FEW: Final = 2
_LONGER: Final = 0.3
# Characters more than were read are erased: a reader leaves out blanks and emoji, and an empty field does not mind.
SPARE: Final = 8
LOST: Final = "the link was lost; the effect is judged by the screen"
"""The note of an act of which nobody knows whether the device got it."""


class TextEntry:
    """Types into the focused field for one step, and keeps account of the draft that stands there until it is sent."""

    def __init__(self, context: Context, trail: RunState, recovery: Recovery, result: StepResult) -> None:
        self._context = context
        self._trail = trail
        self._recovery = recovery
        self._result = result

    def enter(self, step: StepPlan, action: InputText, screen: Screen, field: Box | None = None) -> ActionResult:
        """
        Type into `field`, where it is known, on `screen`, the frame before. A device that reads its fields back has corrected
        once what arrived otherwise, or says so. Where it cannot, the picture is read, unless the text is secret: a field that
        was empty and shows another text of about that length is emptied, and the text is typed once more. Where other text than
        the run's own stands in the field, nothing may be typed beside it.

        Raises TextInputFailed when other text arrived twice or stood there before, and DeviceLost when the link was lost on the
        way and nothing would look at what arrived.
        """
        trail, device = self._trail, self._context.device
        trail.untyped = screen
        if action.secret:
            trail.secrets.append(ShownSecret(action.text))
        own = bool(trail.deeds.draft.text) and step.wanted is None  # the plan goes on where it has just typed
        action = replace(action, alone=not own)
        trail.deeds.draft = UnsentText(action.text, front_app(device))
        if step.expectation is None:
            done = device.perform(action)  # how much arrives where the link is lost is unknown, and nothing would look
        else:
            sent = self._recovery.bridged(f"during {step.action.value}", lambda: device.perform(action))
            if sent is None:
                return ActionResult(LOST)
            done = sent
        if done.verified is not None or action.secret or self._context.tools.reader is None:
            return done
        now = self._next_frame()
        if field is not None and _stays(field, screen, now):
            return self._corrected(action, done, screen, now, field)
        return done if step.expectation is not None else self._noted(action.text, done, screen, now)

    def _corrected(
        self, action: InputText, done: ActionResult, before: Screen, now: Screen, field: Box
    ) -> ActionResult:
        """Return the result with a note on what the field shows, after typing once more where it shows another text."""
        empty, shown = not self._read(before, field), self._read(now, field)
        if _holds(action.text, shown):
            return _noting(done, "the field is read as it was typed", True)
        if action.alone and _stand_before(self._read(before, field), shown, action.text):
            raise TextInputFailed(
                "other text stood in the field before, and would be sent along: clear the field first"
            )
        if not empty or not _is_other_text(shown, action.text):
            return _noting(done, "whether it arrived so could not be read", None)
        device, first = self._context.device, _words(shown)
        device.perform(EraseText(max(len(first), len(action.text)) + SPARE))
        if self._read(self._next_frame(), field):
            raise TextInputFailed("other text arrived in the field than was sent, and it could not be erased")
        done = device.perform(action)
        shown = self._read(self._next_frame(), field)
        if _holds(action.text, shown):
            return _noting(
                done, "at first other text arrived, and was erased; now the field is read as it was typed", True
            )
        if _words(shown) != first:
            raise TextInputFailed("other text arrived in the field than was sent, twice, and each time another one")
        return _noting(done, "the field is read otherwise, both times in the same way: it may be misread", None)

    def _noted(self, text: str, done: ActionResult, before: Screen, now: Screen) -> ActionResult:
        """Return the result with a note on the text: shown more often than before, or perhaps outside of what a field shows."""
        seen = self._times(text, now) > self._times(text, before)
        said = "the screen shows it" if seen else "the screen does not show it as it was typed"
        return _noting(done, said, True if seen else None)

    def _next_frame(self) -> Screen:
        self._context.clock.sleep(self._context.limits.still_s)
        return self._recovery.capture()

    def _times(self, text: str, screen: Screen) -> int:
        lines = self._read(screen)
        return len(match_text(text, lines, exact=True)) or int(match_block(text, lines) is not None)

    def _read(self, screen: Screen, within: Box | None = None) -> tuple[TextLine, ...]:
        assert self._context.tools.reader is not None
        return read_lines(self._context.tools.reader, screen, within)


def stands(draft: UnsentText, now: Screen, reader: TextReader | None) -> bool:
    """
    Return True if the draft is seen in its field as right after it was typed, and no act since may have moved the focus. What
    else moves on the page does not matter where the draft itself can be read.
    """
    if draft.stays or draft.screen is None:
        return False
    moved = changes(View.of(draft.screen), View.of(now))
    if not moved or reader is None:
        return not moved
    places = [match.box for match in match_text(draft.text, read_lines(reader, draft.screen), exact=True)]
    return bool(places) and not any(place.intersect(box) for place in places for box in moved)


def _stays(field: Box, before: Screen, now: Screen) -> bool:
    """
    Return True if nothing but the field has changed, so that it still stands there: a keyboard that comes up moves fields, and
    its keys stand where they were.
    """
    around = field.expand(field.height // 2)
    changed = changes(View.of(before), View.of(now))
    return all(
        around.contains((box.left, box.top)) and around.contains((box.right - 1, box.bottom - 1)) for box in changed
    )


def _holds(text: str, lines: tuple[TextLine, ...]) -> bool:
    return bool(match_text(text, lines, exact=True)) or match_block(text, lines) is not None


def _stand_before(earlier: tuple[TextLine, ...], shown: tuple[TextLine, ...], text: str) -> bool:
    """Return True if what was read in the field before surely stands before the text now, too; a hint would have made room."""
    if not earlier or min(line.confidence for line in (*earlier, *shown)) < IN_DOUBT:
        return False
    return _words(shown) == _words(earlier) + text


def _is_other_text(lines: tuple[TextLine, ...], text: str) -> bool:
    """Return True if the lines are surely all that was typed, and not a part of a text that is longer than its field."""
    if not lines or min(line.confidence for line in lines) < IN_DOUBT:
        return False
    return abs(len(_words(lines)) - len(text)) <= max(_FEW, _LONGER * len(text))


def _words(lines: tuple[TextLine, ...]) -> str:
    return "".join(line.text for line in lines)


def _noting(done: ActionResult, said: str, verified: bool | None) -> ActionResult:
    return ActionResult("; ".join(filter(None, (done.note, said))), verified)
