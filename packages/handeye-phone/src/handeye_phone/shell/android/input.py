"""`input`: taps, swipes, keys and text."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from handeye_phone.model import PhoneModel
from handeye_phone.shell.android.keycodes import key_code
from handeye_phone.shell.android.shellcommand import Arguments, JavaException, guarded, unknown
from handeye_phone.shell.process import Command, Process

USAGE = """Usage: input [<source>] [-d DISPLAY_ID] <command> [<arg>...]

The sources are:
      keyboard dpad gamepad touchscreen mouse stylus trackball touchpad touchnavigation joystick rotaryencoder

The commands and default sources are:
      text <string> (Default: touchscreen)
      keyevent [--longpress|--doubletap|--async|--delay <ms>] <key code number or name> ... (Default: keyboard)
      tap <x> <y> (Default: touchscreen)
      swipe <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)
      draganddrop <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)
      press (Default: trackball)
      roll <dx> <dy> (Default: trackball)
      motionevent <DOWN|UP|MOVE|CANCEL> <x> <y> (Default: touchscreen)
"""
SOURCES = frozenset(
    (
        "keyboard", "dpad", "gamepad", "touchscreen", "mouse", "stylus", "trackball", "touchpad", "touchnavigation",
        "joystick", "rotaryencoder",
    )
)  # fmt: skip
SWIPE_MS = 300  # Android's default duration
LONG_PRESS_S = 0.5  # ViewConfiguration.getLongPressTimeout
STEP_S = 0.01  # between the points of a swipe; a touch screen reports about 100 times a second
MAX_GESTURE_MS = 600_000
ENTER, TAB = 66, 61
OUTSIDE = -1.0


async def run(p: Process) -> int:
    return await guarded(p, _dispatch)


async def _dispatch(p: Process, args: Arguments) -> int:
    word = args.next()
    if word in SOURCES:
        word = args.required()
    display: int | None = None
    if word == "-d":
        display = args.integer()
        word = args.required()
    action = ACTIONS.get(word or "")
    if action is None:
        return await unknown(p, word, USAGE)
    if display is None:
        display = p.model.focused_display if word in ("text", "keyevent") else 0
    if display not in p.model.displays:
        raise JavaException.argument(f"Invalid display: {display}")
    p.model.focused_display = display
    try:
        return await action(p, args, p.model.displays[display])
    except JavaException as error:
        if error.kind == "java.lang.NumberFormatException":
            raise JavaException.argument(f"Error: Invalid arguments for command: {word}") from error
        raise


@asynccontextmanager
async def _finger(p: Process) -> AsyncIterator[None]:
    """Reserve the finger for one gesture, after the scenario's delay."""
    await p.phone.tap_delay()
    async with p.phone.touch_turn:
        yield


async def _text(p: Process, args: Arguments, model: PhoneModel) -> int:
    text = _with_blanks(args.required())
    if not text.isascii() or any((char < " " and char not in "\t\n") or char == "\x7f" for char in text):
        # KeyCharacterMap.getEvents has no keys for it and returns null, which `input` does not expect.
        raise JavaException("java.lang.NullPointerException", "Attempt to get length of null array")
    await p.phone.tap_delay()
    for line_number, line in enumerate(text.split("\n")):
        if line_number:
            model.key(ENTER)
        for field_number, field in enumerate(line.split("\t")):
            if field_number:
                model.key(TAB)
            if field:
                model.type_text(field)
    return 0


def _with_blanks(text: str) -> str:
    """Replace `%s` by a blank as Android's loop does: the character after a blank is checked again."""
    out: list[str] = []
    for char in text:
        if char == "s" and out and out[-1] == "%":
            out[-1] = " "
        else:
            out.append(char)
    return "".join(out)


async def _keyevent(p: Process, args: Arguments, model: PhoneModel) -> int:
    long_press = double = False
    delay_ms = 0
    word: str | None = args.required()
    while word is not None and word.startswith("--"):
        if word == "--longpress":
            long_press = True
        elif word == "--doubletap":
            double = True
        elif word == "--delay":
            delay_ms = min(max(args.integer(), 0), MAX_GESTURE_MS)
        elif word != "--async":
            raise JavaException.argument(f"Unsupported option: {word}")
        word = args.required()
    await p.phone.tap_delay()
    first = True
    while word is not None:
        if delay_ms and not first:
            await asyncio.sleep(delay_ms / 1000)
        first = False
        code = key_code(word)
        if code:  # KEYCODE_UNKNOWN reaches no window
            for _ in range(2 if double else 1):
                model.key(code, long=long_press)
        word = args.next()
    return 0


async def _tap(p: Process, args: Arguments, model: PhoneModel) -> int:
    x, y = args.number(), args.number()
    async with _finger(p):
        model.touch_down(x, y)
        model.touch_up(x, y)
    return 0


async def _swipe(p: Process, args: Arguments, model: PhoneModel) -> int:
    x1, y1, x2, y2, seconds = _path(args)
    async with _finger(p):
        model.touch_down(x1, y1)
        await _glide(model, (x1, y1), (x2, y2), seconds)
    return 0


async def _drag_and_drop(p: Process, args: Arguments, model: PhoneModel) -> int:
    x1, y1, x2, y2, seconds = _path(args)
    async with _finger(p):
        model.touch_down(x1, y1)
        try:
            await asyncio.sleep(LONG_PRESS_S)
        except asyncio.CancelledError:
            model.touch_cancel()
            raise
        await _glide(model, (x1, y1), (x2, y2), seconds)
    return 0


def _path(args: Arguments) -> tuple[float, float, float, float, float]:
    x1, y1, x2, y2 = args.number(), args.number(), args.number(), args.number()
    duration_ms = args.integer() if args.peek() is not None else SWIPE_MS
    if duration_ms < 0:
        duration_ms = SWIPE_MS
    return x1, y1, x2, y2, min(duration_ms, MAX_GESTURE_MS) / 1000


async def _glide(model: PhoneModel, start: tuple[float, float], end: tuple[float, float], seconds: float) -> None:
    """Move the finger evenly and lift it. If the command is cancelled, the finger is lifted and nothing is pressed."""
    began = time.monotonic()
    x, y = start
    try:
        while (passed := time.monotonic() - began) < seconds:
            share = passed / seconds
            x, y = start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
            model.touch_move(x, y)
            await asyncio.sleep(min(STEP_S, seconds - passed))
    except asyncio.CancelledError:  # the link was lost: the lift is not intended
        model.touch_cancel()
        raise
    model.touch_up(*end)


async def _motion_event(p: Process, args: Arguments, model: PhoneModel) -> int:
    action = args.required().upper()
    x, y = args.number(), args.number()
    async with _finger(p):
        if action == "DOWN":
            model.touch_down(x, y)
        elif action == "MOVE":
            model.touch_move(x, y)
        elif action == "UP":
            model.touch_up(x, y)
        elif action == "CANCEL":  # a finger that leaves the screen before it is lifted presses nothing
            model.touch_move(OUTSIDE, OUTSIDE)
            model.touch_up(OUTSIDE, OUTSIDE)
        else:
            raise JavaException.argument(f"Unknown action: {action}")
    return 0


async def _press(p: Process, args: Arguments, model: PhoneModel) -> int:
    """Ignore the trackball's button: this phone has no trackball, and Android reports no error either."""
    return 0


async def _roll(p: Process, args: Arguments, model: PhoneModel) -> int:
    args.number()
    args.number()
    return 0


ACTIONS = {
    "text": _text,
    "keyevent": _keyevent,
    "tap": _tap,
    "swipe": _swipe,
    "draganddrop": _drag_and_drop,
    "press": _press,
    "roll": _roll,
    "motionevent": _motion_event,
}
COMMANDS: dict[str, Command] = {"input": run}
