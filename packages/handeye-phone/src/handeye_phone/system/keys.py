"""Android key codes that this phone handles, and the effect of editing keys on a text field."""

from __future__ import annotations

from typing import Final

from handeye_phone.drawing.scene import TextField

# android.view.KeyEvent
HOME: Final = 3
BACK: Final = 4
CALL: Final = 5
VOLUME_UP: Final = 24
VOLUME_DOWN: Final = 25
POWER: Final = 26
SEARCH: Final = 84
ESCAPE: Final = 111
MENU: Final = 82
VOLUME_MUTE: Final = 164
APP_SWITCH: Final = 187
SLEEP: Final = 223
WAKEUP: Final = 224
WAKE_CODES: Final = frozenset({POWER, SLEEP, WAKEUP})

CHARACTERS: Final[dict[int, str]] = {
    **{7 + digit: str(digit) for digit in range(10)},
    **{29 + index: chr(ord("a") + index) for index in range(26)},
    **{144 + digit: str(digit) for digit in range(10)},
    17: "*",
    18: "#",
    55: ",",
    56: ".",
    62: " ",
    68: "`",
    69: "-",
    70: "=",
    71: "[",
    72: "]",
    73: "\\",
    74: ";",
    75: "'",
    76: "/",
    77: "@",
    81: "+",
    154: "/",
    155: "*",
    156: "-",
    157: "+",
    158: ".",
}


_ENTER: Final = frozenset({66, 160})  # and the numeric pad's
_DEL: Final = 67
_FORWARD_DEL: Final = 112
_CLEAR: Final = 28
_DPAD_UP: Final = 19
_DPAD_DOWN: Final = 20
_DPAD_LEFT: Final = 21
_DPAD_RIGHT: Final = 22
_MOVE_HOME: Final = 122
_MOVE_END: Final = 123


def edit(field: TextField, code: int) -> None:
    """Apply an editing key; other keys leave the field alone."""
    moves = {
        _DPAD_LEFT: field.caret - 1,
        _DPAD_RIGHT: field.caret + 1,
        _DPAD_UP: 0,
        _DPAD_DOWN: len(field.text),
        _MOVE_HOME: _line_start(field),
        _MOVE_END: _line_end(field),
    }
    if code in moves:
        field.move(moves[code])
    elif code in _ENTER and field.multiline:
        field.insert("\n")
    elif code in _ENTER and field.submit is not None:
        field.submit()
    elif code == _DEL:
        field.delete_before()
    elif code == _FORWARD_DEL:
        field.delete_after()
    elif code == _CLEAR:
        field.replace("")


def _line_start(field: TextField) -> int:
    return field.text.rfind("\n", 0, field.caret) + 1


def _line_end(field: TextField) -> int:
    end = field.text.find("\n", field.caret)
    return len(field.text) if end < 0 else end
