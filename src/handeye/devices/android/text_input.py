"""
Type text and verify that it arrived exactly, or raise (docs/spec/vision-agent.md).

Printable ASCII goes through `input text`, everything else through ADBKeyboard. Neither reports whether the field
accepted it (a broadcast ends with "result=0" even without a receiver), so the focused field is read back.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from handeye.actions import ActionResult
from handeye.clock import Deadline
from handeye.devices.android.hierarchy import FocusedField, dump_hierarchy, focused_field
from handeye.devices.android.input_method import ADB_KEYBOARD_PACKAGE, InputMethods
from handeye.devices.android.link import Link
from handeye.devices.android.transport import ShellResult
from handeye.devices.formatted_text import arrived_formatted, is_inserted
from handeye.errors import CommandFailed, DeviceOffline, TextInputFailed

# `input text` sends one key event after the other; long runs overflow the queue of slow phones.
ASCII_CHUNK = 500
# Code points per broadcast: at 4 bytes of UTF-8 and 4/3 of Base64 about 11 KB, far below the 65,535 of one command.
BROADCAST_CHUNK = 2000
# Time for the field to show what was typed, and timeout for reading it once: a screen that keeps changing keeps
# `uiautomator dump` busy for 10 s.
READ_BACK_S = 2.0
LOOK_TIMEOUT_S = 4.0
READ_BACK_POLL_S = 0.1

_PRINTABLE_ASCII = re.compile(r"[ -~]+")
# `input text` turns "%s" into a space and offers no way to escape it; split between two calls it stays unchanged.
_BETWEEN_PERCENT_AND_S = re.compile(r"(?<=%)(?=s)")
# Characters that AOSP's AccessibilityNodeInfoDumper writes as "." because XML cannot contain them.
_NOT_IN_XML = re.compile(r"[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufdd0-\ufddf\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class _FieldContent:
    """Content of the focused field; `text` is None if it could not be read."""

    text: str | None
    why_not: str = ""


class _UnexpectedText(TextInputFailed):
    """The field shows other text than was sent: `shown`, which is never part of a message."""

    def __init__(self, message: str, shown: str) -> None:
        super().__init__(message)
        self.shown = shown


class TextInput:
    """Types into the focused field of one device; `erase` deletes that many characters at its end."""

    def __init__(self, link: Link, input_methods: InputMethods, erase: Callable[[int], None]) -> None:
        self._link = link
        self._input_methods = input_methods
        self._erase = erase
        self.display: int | None = None  # of the field, on a phone with several

    def type(self, text: str, *, secret: bool = False, verify: bool = True, alone: bool = False) -> ActionResult:
        """
        Type `text` at the cursor. `verify` reads the field before and after. If other text arrived, it is erased and
        typed once more, unless it is secret. `alone` refuses a field that then shows more than `text`, and erases
        `text` again if it is at the end: sending the field would send the other text with it.

        Raises TextInputFailed if the text cannot be typed, or the field shows other text, or more than allowed; the
        message has lengths and never the text.
        """
        before = self._read_field() if verify else _FieldContent(None, "it was not asked for")
        try:
            done = self._type(text, before, secret=secret, exact=alone)
        except _UnexpectedText as error:
            if secret or not self._undo(before, error.shown, text):
                raise
            done = self._type(text, before, secret=secret, exact=alone)
            done = replace(done, note=f"{done.note}; at first other text arrived, and was erased")
        if alone and done.verified and before.text:
            self._refuse_other_text(before, text)
        return done

    def _refuse_other_text(self, before: _FieldContent, text: str) -> None:
        """
        Raise TextInputFailed if the field shows more than `text`, which is erased first if it is at the end. A hint does
        not count: it disappears.
        """
        shown = self._read_field().text
        if shown is None or _as_one_line(shown).strip() == _as_one_line(text).strip():
            return
        others = f"{len(shown) - len(text)} other characters stand in the field beside the {len(text)} that were typed"
        if _as_dumped(shown) == _as_dumped(f"{before.text}{text}"):
            self._erase(len(text))
            if self._read_field().text == before.text:
                others += ", which were taken back"
        raise TextInputFailed(f"{others}. {_CLEAR_IT}")

    def _type(self, text: str, before: _FieldContent, *, secret: bool, exact: bool) -> ActionResult:
        if _PRINTABLE_ASCII.fullmatch(text):
            return self._type_keys(text, before, secret=secret, exact=exact)
        with self._input_methods.adb_keyboard():
            return self._type_broadcast(text, before, secret=secret, exact=exact)

    def _type_keys(self, text: str, before: _FieldContent, *, secret: bool, exact: bool) -> ActionResult:
        done = 0
        for piece in ascii_pieces(text):
            result = self._link.shell(*input_words(self.display), "text", piece.replace(" ", "%s"))
            if _failed(result):
                raise TextInputFailed(_refusal("input text", result, done, len(text), secret=secret))
            done += len(piece)
        verified, note = self._check(before, text, exact=exact, secret=secret)
        if verified is False:
            raise TextInputFailed(note)
        return ActionResult(f"typed {len(text)} characters by key events; {note}", verified)

    def _type_broadcast(self, text: str, before: _FieldContent, *, secret: bool, exact: bool) -> ActionResult:
        note = ""
        for action in ("ADB_INPUT_B64", "ADB_INPUT_TEXT"):
            self._broadcast(action, text, secret=secret)
            verified, note = self._check(before, text, exact=exact, secret=secret)
            if verified is not False:
                return ActionResult(f"typed {len(text)} characters by {action}; {note}", verified)
        raise TextInputFailed(note)

    def _broadcast(self, action: str, text: str, *, secret: bool) -> None:
        for start in range(0, len(text), BROADCAST_CHUNK):
            chunk = text[start : start + BROADCAST_CHUNK]
            message = base64.b64encode(chunk.encode("utf-8")).decode("ascii") if action == "ADB_INPUT_B64" else chunk
            # To ADBKeyboard only: without -p every app on the phone could receive it.
            words = ("am", "broadcast", "-a", action, "-p", ADB_KEYBOARD_PACKAGE, "--es", "msg", message)
            result = self._link.shell(*words)
            if _failed(result) or "Broadcast completed" not in result.text:
                raise TextInputFailed(_refusal(action, result, start, len(text), secret=secret))

    def _read_field(self) -> _FieldContent:
        try:
            tree = dump_hierarchy(self._link, timeout_s=LOOK_TIMEOUT_S, display=self.display)
            field: FocusedField | None = focused_field(tree)
        except (CommandFailed, DeviceOffline) as error:
            return _FieldContent(None, f"the screen could not be read ({error})")
        if field is None:
            return _FieldContent(None, "no text field with the focus could be seen")
        if field.password:
            return _FieldContent(None, "a password field does not show what it holds")
        return _FieldContent(field.text)

    def _check(self, before: _FieldContent, text: str, *, exact: bool, secret: bool) -> tuple[bool | None, str]:
        """
        Return True if the field shows `text` now, False if nothing arrived, None if that is unknown; and a sentence
        about it. Unless `exact`, a field that grouped the digits or changed capitals also counts.

        Raises _UnexpectedText if something else arrived.
        """
        if before.text is None:
            return None, f"not checked: {before.why_not}"
        deadline = Deadline(self._link.clock, READ_BACK_S)
        while True:
            after = self._read_field()
            if after.text is not None and arrived(before.text, after.text, text):
                return True, "the field shows them"
            if deadline.passed:
                break
            if after.text is not None and not exact and arrived_formatted(before.text, after.text, text):
                return True, "the field shows them in its own format" + ("" if secret else f", {after.text!r}")
            deadline.pause(READ_BACK_POLL_S)
        if after.text is None:
            return None, f"not checked: {after.why_not}"
        if after.text == before.text:
            return False, f"{_UNCHANGED}: {len(text)} characters were sent and the field did not change. {_REMEDY}"
        raise _UnexpectedText(
            f"the field shows other text than was sent: {len(text)} characters were added to {len(before.text)}, and it now "
            f"shows {len(after.text)}. {_REMEDY}",
            after.text,
        )

    def _undo(self, before: _FieldContent, shown: str, text: str) -> bool:
        """Erase what arrived and return True if the field is as before; text that was there before is not erased."""
        if before.text is None:
            return False
        if shown.startswith(before.text):
            added = len(shown) - len(before.text)
        else:  # a hint that disappeared, if what is shown is no longer than what was typed
            added = len(shown) if len(shown) <= len(text) else 0
        if not added:
            return False
        self._erase(added)
        return self._read_field().text == before.text


_UNCHANGED = "nothing arrived"
_CLEAR_IT = "They would be sent along: clear the field, or send what stands there, first"
_REMEDY = "Is the right field focused, does it limit or format its content, or did an input method compose the keys?"


def input_words(display: int | None) -> tuple[str, ...]:
    """Return the beginning of an `input` command for a display; since Android 10 there may be several."""
    return ("input", "-d", str(display)) if display else ("input",)


def ascii_pieces(text: str) -> Iterator[str]:
    """Split `text` into calls of `input text`: none contains a literal `%s`, none is too long."""
    for piece in _BETWEEN_PERCENT_AND_S.split(text):
        for start in range(0, len(piece), ASCII_CHUNK):
            yield piece[start : start + ASCII_CHUNK]


def arrived(before: str, after: str, text: str) -> bool:
    """
    Return True if a field that showed `before` and shows `after` accepted `text`: at the cursor, or replacing a
    selection or a hint. Characters that the dump cannot contain, and line breaks that a one-line field turns into
    spaces, count as equal.
    """
    if after == before:
        return False
    return any(is_inserted(shown(before), shown(after), shown(text)) for shown in (_as_dumped, _as_one_line))


def _as_dumped(text: str) -> str:
    return _NOT_IN_XML.sub(".", text.replace("\r\n", "\n"))


def _as_one_line(text: str) -> str:
    return re.sub(r"[\n\r\t]", " ", _as_dumped(text))


def refuse_untypable(text: str) -> None:
    """Raise TextInputFailed for characters that no field can contain."""
    if "\0" in text:
        raise TextInputFailed(
            f"character {text.index(chr(0)) + 1} of the text is NUL, which no Android field can hold; take it out"
        )
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise TextInputFailed(
            f"character {error.start + 1} of the text is half of a surrogate pair, which is not text; take it out"
        ) from None


def _failed(result: ShellResult) -> bool:
    # Phones of some manufacturers exit with 0 after a SecurityException.
    return result.exit_code != 0 or "Exception" in result.said


def _refusal(what: str, result: ShellResult, done: int, total: int, *, secret: bool) -> str:
    said = "" if secret else f" {result.said.strip()[:200]!r}"
    return (
        f"{what} was refused after {done} of {total} characters (exit code {result.exit_code}).{said} On Xiaomi phones "
        'switch on "USB debugging (security settings)"'
    )
