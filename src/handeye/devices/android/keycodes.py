"""Android key codes by name (AOSP: android.view.KeyEvent, without the prefix `KEYCODE_`)."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from types import MappingProxyType

from handeye.errors import UsageError

# Codes from 0 on, without gaps.
_FROM_ZERO = (
    "UNKNOWN SOFT_LEFT SOFT_RIGHT HOME BACK CALL ENDCALL 0 1 2 3 4 5 6 7 8 9 STAR POUND "
    "DPAD_UP DPAD_DOWN DPAD_LEFT DPAD_RIGHT DPAD_CENTER VOLUME_UP VOLUME_DOWN POWER CAMERA CLEAR "
    "A B C D E F G H I J K L M N O P Q R S T U V W X Y Z COMMA PERIOD "
    "ALT_LEFT ALT_RIGHT SHIFT_LEFT SHIFT_RIGHT TAB SPACE SYM EXPLORER ENVELOPE ENTER DEL GRAVE MINUS EQUALS "
    "LEFT_BRACKET RIGHT_BRACKET BACKSLASH SEMICOLON APOSTROPHE SLASH AT NUM HEADSETHOOK FOCUS PLUS MENU NOTIFICATION SEARCH "
    "MEDIA_PLAY_PAUSE MEDIA_STOP MEDIA_NEXT MEDIA_PREVIOUS MEDIA_REWIND MEDIA_FAST_FORWARD MUTE PAGE_UP PAGE_DOWN"
)

_OTHERS = {
    "ESCAPE": 111,
    "FORWARD_DEL": 112,
    "CTRL_LEFT": 113,
    "CTRL_RIGHT": 114,
    "CAPS_LOCK": 115,
    "META_LEFT": 117,
    "META_RIGHT": 118,
    "SYSRQ": 120,
    "MOVE_HOME": 122,
    "MOVE_END": 123,
    "INSERT": 124,
    "FORWARD": 125,
    "MEDIA_PLAY": 126,
    "MEDIA_PAUSE": 127,
    **{f"F{number}": 130 + number for number in range(1, 13)},
    **{f"NUMPAD_{digit}": 144 + digit for digit in range(10)},
    "NUMPAD_ENTER": 160,
    "VOLUME_MUTE": 164,
    "SETTINGS": 176,
    "APP_SWITCH": 187,
    "LANGUAGE_SWITCH": 204,
    "CONTACTS": 207,
    "CALENDAR": 208,
    "MUSIC": 209,
    "CALCULATOR": 210,
    "ASSIST": 219,
    "BRIGHTNESS_DOWN": 220,
    "BRIGHTNESS_UP": 221,
    "SLEEP": 223,
    "WAKEUP": 224,
    "CUT": 277,
    "COPY": 278,
    "PASTE": 279,
    "ALL_APPS": 284,
}

# Common names in addition to Android's own (docs/spec/vision-agent.md).
_ALIASES = {
    "END_CALL": 6,
    "HANGUP": 6,
    "DELETE": 67,
    "BACKSPACE": 67,
    "RETURN": 66,
    "ESC": 111,
    "RECENTS": 187,
    "MUTE_MIC": 91,
}

KEYCODES: Mapping[str, int] = MappingProxyType(
    {**{name: code for code, name in enumerate(_FROM_ZERO.split())}, **_OTHERS, **_ALIASES}
)

# KeyEvent grows by a few codes each year (Android 15: more than 322); a much larger number is a mistake.
_MAX_CODE = 1023


def keycode(key: str | int) -> int:
    """
    Return the code of a key: a number, or a name in any case, with or without `KEYCODE_`.

    A digit string is a number, as for Android's `input keyevent`; the digit keys are `KEYCODE_0` to `KEYCODE_9`. Raises
    UsageError, which suggests similar names.
    """
    if isinstance(key, int) and not isinstance(key, bool) and 0 <= key <= _MAX_CODE:
        return key
    if isinstance(key, str):
        word = key.strip().upper().replace(" ", "_").replace("-", "_")
        if word.isascii() and word.isdigit() and int(word) <= _MAX_CODE:
            return int(word)
        name = word.removeprefix("KEYCODE_")
        if name in KEYCODES:
            return KEYCODES[name]
        close = difflib.get_close_matches(name, KEYCODES, n=3)
        hint = f"; similar: {', '.join(close)}" if close else ""
        raise UsageError(f"{key!r} is not the name of an Android key{hint}")
    raise UsageError(f"{key!r} is not an Android key: use a name such as 'BACK' or a number up to {_MAX_CODE}")
