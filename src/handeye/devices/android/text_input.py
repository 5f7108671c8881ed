"""
Typing text so that it arrives, character for character, or an error says that it did not (seed 004, "中文输入编码设计").

Printable ASCII goes through `input text`, everything else through ADBKeyboard. Neither reports whether the field took it (a
broadcast ends with "result=0" even when nobody listens), so the focused field is read back.
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

# `input text` becomes one key event after the other; long runs overflow the queue of slow phones.
ASCII_CHUNK = 500
# Code points per broadcast: at 4 bytes of UTF-8 and 4/3 of Base64 about 11 KB, far below the 65,535 of one command.
BROADCAST_CHUNK = 2000
# How long the field is given to show what was typed, and how long one look at it may take: a screen that never stands
# still keeps `uiautomator dump` busy for 10 s.
READ_BACK_S = 2.0
LOOK_TIMEOUT_S = 4.0
READ_BACK_POLL_S = 0.1

_PRINTABLE_ASCII = re.compile(r"[ -~]+")
# `input text` turns "%s" into a blank, with no way to escape it; between two calls nothing is turned.
_BETWEEN_PERCENT_AND_S = re.compile(r"(?<=%)(?=s)")
# What AOSP's AccessibilityNodeInfoDumper writes as "." because XML cannot hold it.
_NOT_IN_XML = re.compile(r"[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufdd0-\ufddf\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class _Look:
    """A look at the focused field; `text` is None where it could not be read."""

    text: str | None
    why_not: str = ""


class _OtherText(TextInputFailed):
    """The field shows other text than was sent: `shown`, which no message holds."""

    def __init__(self, message: str, shown: str) -> None:
        super().__init__(message)
        self.shown = shown


class TextInput:
    """Types into the focused field of one device; `erase` deletes so many characters at its end."""

    def __init__(self, link: Link, input_methods: InputMethods, erase: Callable[[int], None]) -> None:
        self._link = link
        self._input_methods = input_methods
        self._erase = erase
        self.display: int | None = None  # where the field is, on a phone with several

    def type(self, text: str, *, secret: bool = False, verify: bool = True, alone: bool = False) -> ActionResult:
        """
        Type `text` where the cursor is. `verify` reads the field before and after. What arrived otherwise is erased and typed
        once more, unless it is secret. `alone` refuses a field that shows more than `text` then, and takes `text` back where it
        stands at the end: whoever sends the field would send the other text with it.

        Raises TextInputFailed when the text cannot be typed, when the field shows something else, or more than is allowed; the
        message gives lengths and never the text.
        """
        before = self._look() if verify else _Look(None, "it was not asked for")
        try:
            done = self._type(text, before, secret=secret, exact=alone)
        except _OtherText as error:
            if secret or not self._taken_back(before, error.shown, text):
                raise
            done = self._type(text, before, secret=secret, exact=alone)
            done = replace(done, note=f"{done.note}; at first other text arrived, and was erased")
        if alone and done.verified and before.text:
            self._refuse_others(before, text)
        return done

    def _refuse_others(self, before: _Look, text: str) -> None:
        """Raise TextInputFailed when the field shows more than `text`, once that is taken back. A hint has made room for it."""
        shown = self._look().text
        if shown is None or _as_one_line(shown).strip() == _as_one_line(text).strip():
            return
        others = f"{len(shown) - len(text)} other characters stand in the field beside the {len(text)} that were typed"
        if _as_dumped(shown) == _as_dumped(f"{before.text}{text}"):
            self._erase(len(text))
            if self._look().text == before.text:
                others += ", which were taken back"
        raise TextInputFailed(f"{others}. {_CLEAR_IT}")

    def _type(self, text: str, before: _Look, *, secret: bool, exact: bool) -> ActionResult:
        if _PRINTABLE_ASCII.fullmatch(text):
            return self._type_keys(text, before, secret=secret, exact=exact)
        with self._input_methods.adb_keyboard():
            return self._type_broadcast(text, before, secret=secret, exact=exact)

    def _type_keys(self, text: str, before: _Look, *, secret: bool, exact: bool) -> ActionResult:
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

    def _type_broadcast(self, text: str, before: _Look, *, secret: bool, exact: bool) -> ActionResult:
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
            # To ADBKeyboard alone: without -p every app on the phone may listen.
            words = ("am", "broadcast", "-a", action, "-p", ADB_KEYBOARD_PACKAGE, "--es", "msg", message)
            result = self._link.shell(*words)
            if _failed(result) or "Broadcast completed" not in result.text:
                raise TextInputFailed(_refusal(action, result, start, len(text), secret=secret))

    def _look(self) -> _Look:
        try:
            tree = dump_hierarchy(self._link, timeout_s=LOOK_TIMEOUT_S, display=self.display)
            field: FocusedField | None = focused_field(tree)
        except (CommandFailed, DeviceOffline) as error:
            return _Look(None, f"the screen could not be read ({error})")
        if field is None:
            return _Look(None, "no text field with the focus could be seen")
        if field.password:
            return _Look(None, "a password field does not show what it holds")
        return _Look(field.text)

    def _check(self, before: _Look, text: str, *, exact: bool, secret: bool) -> tuple[bool | None, str]:
        """
        Return True if the field shows `text` now, False when nothing arrived, None when that cannot be known; and a sentence
        about it. Unless it has to be `exact`, also where the field has grouped its digits or changed its capitals.

        Raises _OtherText when something else arrived.
        """
        if before.text is None:
            return None, f"not checked: {before.why_not}"
        deadline = Deadline(self._link.clock, READ_BACK_S)
        while True:
            after = self._look()
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
        raise _OtherText(
            f"the field shows other text than was sent: {len(text)} characters were added to {len(before.text)}, and it now "
            f"shows {len(after.text)}. {_REMEDY}",
            after.text,
        )

    def _taken_back(self, before: _Look, shown: str, text: str) -> bool:
        """Return True if the field is as it was before, once what arrived in it is erased; nothing that was there before is."""
        if before.text is None:
            return False
        if shown.startswith(before.text):
            added = len(shown) - len(before.text)
        else:  # a hint made room for it, if it is no longer than what was typed
            added = len(shown) if len(shown) <= len(text) else 0
        if not added:
            return False
        self._erase(added)
        return self._look().text == before.text


_UNCHANGED = "nothing arrived"
_CLEAR_IT = "They would be sent along: clear the field, or send what stands there, first"
_REMEDY = "Is the right field focused, does it limit or format its content, or did an input method compose the keys?"


def input_words(display: int | None) -> tuple[str, ...]:
    """The beginning of an `input` command for a display; since Android 10 there may be others than the phone's own."""
    return ("input", "-d", str(display)) if display else ("input",)


def ascii_pieces(text: str) -> Iterator[str]:
    """The calls of `input text` that together type `text`: none holds a literal `%s`, none is too long."""
    for piece in _BETWEEN_PERCENT_AND_S.split(text):
        for start in range(0, len(piece), ASCII_CHUNK):
            yield piece[start : start + ASCII_CHUNK]


def arrived(before: str, after: str, text: str) -> bool:
    """
    Return True if a field that showed `before` and shows `after` took `text`: at the cursor, in place of a selection, or in
    place of a hint. Characters that the dump cannot show, and line ends that a one-line field turns into blanks, count as
    equal.
    """
    if after == before:
        return False
    return any(is_inserted(shown(before), shown(after), shown(text)) for shown in (_as_dumped, _as_one_line))


def _as_dumped(text: str) -> str:
    return _NOT_IN_XML.sub(".", text.replace("\r\n", "\n"))


def _as_one_line(text: str) -> str:
    return re.sub(r"[\n\r\t]", " ", _as_dumped(text))


def refuse_untypable(text: str) -> None:
    """Raise TextInputFailed for characters that no field can hold."""
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
    # Phones of some makers end with 0 after a SecurityException.
    return result.exit_code != 0 or "Exception" in result.said


def _refusal(what: str, result: ShellResult, done: int, total: int, *, secret: bool) -> str:
    said = "" if secret else f" {result.said.strip()[:200]!r}"
    return (
        f"{what} was refused after {done} of {total} characters (exit code {result.exit_code}).{said} On Xiaomi phones "
        'switch on "USB debugging (security settings)"'
    )
