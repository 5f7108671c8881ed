"""Type a step's text, and read back what arrived."""

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
from handeye.text import LOW_CONFIDENCE, TextLine, match_block, match_text

# A read text counts as another text if its length differs from the typed one by at most so many characters, or this share.
_LENGTH_TOLERANCE: Final = 2
_LENGTH_TOLERANCE_SHARE: Final = 0.3
# So many more characters are erased than were read: text readers leave out blanks and emoji, and erasing in an empty field
# has no effect.
SPARE: Final = 8
LOST: Final = "the link was lost; the effect is judged by the screen"
"""The note of an act for which it is unknown whether the device received it."""


class TextEntry:
    """Types into the focused field for one step, and keeps track of the draft in it until it is sent."""

    def __init__(self, context: Context, trail: RunState, recovery: Recovery, result: StepResult) -> None:
        self._context = context
        self._trail = trail
        self._recovery = recovery
        self._result = result

    def enter(self, step: StepPlan, action: InputText, screen: Screen, field: Box | None = None) -> ActionResult:
        """
        Type into `field`, where it is known; `screen` is the frame before. A device that reads its fields back has retyped
        once where other text arrived, or reports that. Where it cannot, the picture is read, unless the text is secret: a
        field that was empty and shows another text of about that length is emptied, and the text is typed once more. Nothing
        may be typed into a field that contains text which the run did not type.

        Raises TextInputFailed when other text arrived twice or was in the field before, and DeviceLost when the connection
        was lost meanwhile and nothing would check what arrived.
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
            sent = self._recovery.call_with_reconnect(f"during {step.action.value}", lambda: device.perform(action))
            if sent is None:
                return ActionResult(LOST)
            done = sent
        if done.verified is not None or action.secret or self._context.tools.reader is None:
            return done
        now = self._next_frame()
        if field is not None and _field_unmoved(field, screen, now):
            return self._corrected(action, done, screen, now, field)
        return done if step.expectation is not None else self._with_visibility_note(action.text, done, screen, now)

    def _corrected(
        self, action: InputText, done: ActionResult, before: Screen, now: Screen, field: Box
    ) -> ActionResult:
        """Return the result with a note on what the field shows, after typing once more where it shows another text."""
        empty, shown = not self._read(before, field), self._read(now, field)
        if _holds(action.text, shown):
            return _with_note(done, "the field is read as it was typed", True)
        if action.alone and _follows_old_text(self._read(before, field), shown, action.text):
            raise TextInputFailed(
                "other text stood in the field before, and would be sent along: clear the field first"
            )
        if not empty or not _is_other_text(shown, action.text):
            return _with_note(done, "whether it arrived so could not be read", None)
        device, first = self._context.device, _words(shown)
        device.perform(EraseText(max(len(first), len(action.text)) + SPARE))
        if self._read(self._next_frame(), field):
            raise TextInputFailed("other text arrived in the field than was sent, and it could not be erased")
        done = device.perform(action)
        shown = self._read(self._next_frame(), field)
        if _holds(action.text, shown):
            return _with_note(
                done, "at first other text arrived, and was erased; now the field is read as it was typed", True
            )
        if _words(shown) != first:
            raise TextInputFailed("other text arrived in the field than was sent, twice, and each time another one")
        return _with_note(done, "the field is read otherwise, both times in the same way: it may be misread", None)

    def _with_visibility_note(self, text: str, done: ActionResult, before: Screen, now: Screen) -> ActionResult:
        """
        Return the result with a note on whether the screen shows the text more often than before: it may be longer than its
        field.
        """
        seen = self._times(text, now) > self._times(text, before)
        said = "the screen shows it" if seen else "the screen does not show it as it was typed"
        return _with_note(done, said, True if seen else None)

    def _next_frame(self) -> Screen:
        self._context.clock.sleep(self._context.limits.still_s)
        return self._recovery.capture()

    def _times(self, text: str, screen: Screen) -> int:
        lines = self._read(screen)
        return len(match_text(text, lines, exact=True)) or int(match_block(text, lines) is not None)

    def _read(self, screen: Screen, within: Box | None = None) -> tuple[TextLine, ...]:
        assert self._context.tools.reader is not None
        return read_lines(self._context.tools.reader, screen, within)


def draft_unchanged(draft: UnsentText, now: Screen, reader: TextReader | None) -> bool:
    """
    Return True if the draft is still seen in its field as right after it was typed, and no act since may have moved the
    focus. Changes elsewhere on the page do not matter where the draft itself can be read.
    """
    if draft.stays or draft.screen is None:
        return False
    moved = changes(View.of(draft.screen), View.of(now))
    if not moved or reader is None:
        return not moved
    places = [match.box for match in match_text(draft.text, read_lines(reader, draft.screen), exact=True)]
    return bool(places) and not any(place.intersect(box) for place in places for box in moved)


def _field_unmoved(field: Box, before: Screen, now: Screen) -> bool:
    """
    Return True if nothing but the field has changed, so that it has not moved: a keyboard that comes up moves fields, and its
    keys would cover their old place.
    """
    around = field.expand(field.height // 2)
    changed = changes(View.of(before), View.of(now))
    return all(
        around.contains((box.left, box.top)) and around.contains((box.right - 1, box.bottom - 1)) for box in changed
    )


def _holds(text: str, lines: tuple[TextLine, ...]) -> bool:
    return bool(match_text(text, lines, exact=True)) or match_block(text, lines) is not None


def _follows_old_text(earlier: tuple[TextLine, ...], shown: tuple[TextLine, ...], text: str) -> bool:
    """
    Return True if the text that was read in the field before is surely still in front of the new text; a hint would have
    disappeared.
    """
    if not earlier or min(line.confidence for line in (*earlier, *shown)) < LOW_CONFIDENCE:
        return False
    return _words(shown) == _words(earlier) + text


def _is_other_text(lines: tuple[TextLine, ...], text: str) -> bool:
    """
    Return True if the lines surely show a complete other text, and not the visible part of a text that is longer than its
    field.
    """
    if not lines or min(line.confidence for line in lines) < LOW_CONFIDENCE:
        return False
    return abs(len(_words(lines)) - len(text)) <= max(_LENGTH_TOLERANCE, _LENGTH_TOLERANCE_SHARE * len(text))


def _words(lines: tuple[TextLine, ...]) -> str:
    return "".join(line.text for line in lines)


def _with_note(done: ActionResult, said: str, verified: bool | None) -> ActionResult:
    return ActionResult("; ".join(filter(None, (done.note, said))), verified)
