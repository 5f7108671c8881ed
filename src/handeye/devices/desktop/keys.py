"""Keys of a desktop keyboard by the names that users write, with their codes on X11 and Windows.

X11 codes are keysyms (X Window System Protocol, appendix A; keysymdef.h, XF86keysym.h), Windows codes are virtual-key
codes (winuser.h). A key that types one character is named by that character.
"""

from __future__ import annotations

import difflib
import os
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from handeye.errors import UsageError

UNICODE_KEYSYMS = 0x01000000
"""Offset of X11's keysyms for Unicode; Latin-1 has its own range below."""

_MOST_KEYS = 8  # held down together; more keys mean that a text was passed as a chord
_NAME_SHOWN = 60  # characters of an unknown name that a message repeats


@dataclass(frozen=True, slots=True)
class Key:
    """
    One key. `virtual_key` is None for a character whose key depends on the layout; Windows looks it up (VkKeyScanEx).
    `extended`: the key shares a scan code with the numeric keypad (KEYEVENTF_EXTENDEDKEY).
    """

    name: str
    keysym: int
    virtual_key: int | None = None
    extended: bool = False
    modifier: bool = False


def _row(
    names: str, keysym: int, virtual_key: int, *, extended: bool = False, modifier: bool = False
) -> dict[str, Key]:
    first, *others = names.split()
    key = Key(first, keysym, virtual_key, extended, modifier)
    return dict.fromkeys((first, *others), key)


# The first name of each row is the one that Handeye prints. Names are compared in lower case, without spaces, _ and -.
_NAMED: Mapping[str, Key] = MappingProxyType(
    {
        **_row("ctrl control lctrl ctrll leftctrl ctrlleft controll controlleft 控制", 0xFFE3, 0x11, modifier=True),
        **_row("shift lshift shiftl leftshift shiftleft 上档 ⇧", 0xFFE1, 0x10, modifier=True),
        **_row("alt lalt altl leftalt altleft option opt ⌥", 0xFFE9, 0x12, modifier=True),
        **_row(
            "super win windows cmd command meta lwin superl leftsuper winleft leftwin ⌘ 徽标",
            0xFFEB,
            0x5B,
            extended=True,
            modifier=True,
        ),
        **_row("rightctrl rctrl ctrlr ctrlright controlr controlright", 0xFFE4, 0xA3, extended=True, modifier=True),
        **_row("rightshift rshift shiftr shiftright", 0xFFE2, 0xA1, modifier=True),
        **_row("rightalt ralt altr altright", 0xFFEA, 0xA5, extended=True, modifier=True),
        **_row("altgr isolevel3shift", 0xFE03, 0xA5, extended=True, modifier=True),
        **_row("rightsuper rwin superr winright rightwin", 0xFFEC, 0x5C, extended=True, modifier=True),
        **_row("enter return 回车 ⏎ ↵", 0xFF0D, 0x0D),
        **_row("tab 制表 ⇥", 0xFF09, 0x09),
        **_row("space spacebar 空格", 0x20, 0x20),
        **_row("backspace bksp 退格 ⌫", 0xFF08, 0x08),
        **_row("escape esc 退出 取消", 0xFF1B, 0x1B),
        **_row("delete del 删除 ⌦", 0xFFFF, 0x2E, extended=True),
        **_row("insert ins 插入", 0xFF63, 0x2D, extended=True),
        **_row("home", 0xFF50, 0x24, extended=True),
        **_row("end", 0xFF57, 0x23, extended=True),
        **_row("pageup pgup prior 上翻页 上一页", 0xFF55, 0x21, extended=True),
        **_row("pagedown pgdn pgdown next 下翻页 下一页", 0xFF56, 0x22, extended=True),
        **_row("left arrowleft leftarrow ← 左 左箭头 左方向", 0xFF51, 0x25, extended=True),
        **_row("up arrowup uparrow ↑ 上 上箭头 上方向", 0xFF52, 0x26, extended=True),
        **_row("right arrowright rightarrow → 右 右箭头 右方向", 0xFF53, 0x27, extended=True),
        **_row("down arrowdown downarrow ↓ 下 下箭头 下方向", 0xFF54, 0x28, extended=True),
        **_row("capslock caps 大写锁定", 0xFFE5, 0x14),
        **_row("numlock 数字锁定", 0xFF7F, 0x90, extended=True),
        **_row("scrolllock", 0xFF14, 0x91),
        **_row("printscreen print prtsc prtscr prtscn sysrq 截屏", 0xFF61, 0x2C, extended=True),
        **_row("pause break pausebreak 暂停", 0xFF13, 0x13),
        **_row("menu apps contextmenu 菜单", 0xFF67, 0x5D, extended=True),
        **_row("help", 0xFF6A, 0x2F),
        **{name: key for n in range(1, 25) for name, key in _row(f"f{n}", 0xFFBD + n, 0x6F + n).items()},
        **{
            name: key
            for n in range(10)
            for name, key in _row(f"numpad{n} num{n} kp{n} keypad{n} 小键盘{n}", 0xFFB0 + n, 0x60 + n).items()
        },
        **_row("numpadadd numpadplus kpadd", 0xFFAB, 0x6B),
        **_row("numpadsubtract numpadminus kpsubtract", 0xFFAD, 0x6D),
        **_row("numpadmultiply kpmultiply", 0xFFAA, 0x6A),
        **_row("numpaddivide kpdivide", 0xFFAF, 0x6F, extended=True),
        **_row("numpaddecimal kpdecimal", 0xFFAE, 0x6E),
        **_row("numpadenter kpenter", 0xFF8D, 0x0D, extended=True),
        **_row("volumeup 音量加", 0x1008FF13, 0xAF, extended=True),
        **_row("volumedown 音量减", 0x1008FF11, 0xAE, extended=True),
        **_row("volumemute mute 静音", 0x1008FF12, 0xAD, extended=True),
        **_row("medianext nexttrack", 0x1008FF17, 0xB0, extended=True),
        **_row("mediaprevious prevtrack previoustrack", 0x1008FF16, 0xB1, extended=True),
        **_row("mediastop", 0x1008FF15, 0xB2, extended=True),
        **_row("mediaplay playpause mediaplaypause", 0x1008FF14, 0xB3, extended=True),
        **_row("browserback", 0x1008FF26, 0xA6, extended=True),
        **_row("browserforward", 0x1008FF27, 0xA7, extended=True),
        **_row("browserrefresh", 0x1008FF29, 0xA8, extended=True),
        **_row("browserhome", 0x1008FF18, 0xAC, extended=True),
    }
)

# Punctuation that has an English name; a layout may type it with shift or not.
_PUNCTUATION: Mapping[str, str] = MappingProxyType(
    {
        "plus": "+",
        "minus": "-",
        "comma": ",",
        "period": ".",
        "dot": ".",
        "slash": "/",
        "backslash": "\\",
        "semicolon": ";",
        "equals": "=",
        "equal": "=",
        "quote": "'",
        "apostrophe": "'",
        "grave": "`",
        "backtick": "`",
        "underscore": "_",
        "asterisk": "*",
    }
)

# Phone keys, and what has the same effect on a desktop.
_PHONE_KEYS: Mapping[str, str] = MappingProxyType(
    {
        "back": "escape closes a menu or dialog, alt+left goes back in a browser",
        "appswitch": "alt+tab",
        "recents": "alt+tab",
        "movehome": "home",
        "moveend": "end",
        "forwarddel": "delete",
        "dpadup": "up",
        "dpaddown": "down",
        "dpadleft": "left",
        "dpadright": "right",
        "dpadcenter": "enter",
        "search": "ctrl+f in most applications",
        "power": "a desktop is not switched off by a key",
        "wakeup": "any key, such as shift",
    }
)


def key_named(name: str) -> Key:
    """
    Return the key called `name`, ignoring case: "Enter", "page down", "F5", "ß", "+", "win", "回车键". A letter names its
    key in either case.

    Raises UsageError, which suggests similar names or the replacement for a phone-only key.
    """
    if name == " ":
        return _NAMED["space"]
    if len(name) == 1 and _is_character(name) and name not in _NAMED:
        return _key_of(name)
    word = re.sub(r"[\s_-]", "", unicodedata.normalize("NFC", name)).lower()
    for known in (word, word.removesuffix("键"), word.removesuffix("key")):
        if known in _NAMED:
            return _NAMED[known]
        if known in _PUNCTUATION:
            return _key_of(_PUNCTUATION[known])
        if len(known) == 1 and _is_character(known):
            return _key_of(known)
    raise UsageError(f"{name[:_NAME_SHOWN]!r} is not the name of a key{_hint(name, word)}")


def chord(keys: str) -> tuple[Key, ...]:
    """
    Return the keys of a chord joined by "+": "ctrl+shift+s", "ctrl++", "+". Modifiers come first, the key that acts
    last. Raises UsageError.
    """
    written = re.sub(r"\s*\+\s*", "+", keys.replace("+", "+")) if keys != " " else keys
    names = [*written[:-2].split("+"), "+"] if written.endswith("++") and written != "++" else written.split("+")
    if written == "+":
        names = ["+"]
    if not all(names):
        raise UsageError(
            f"{keys[:_NAME_SHOWN]!r} names no keys: write, for example, enter, ctrl+s, or ctrl++ for ctrl and +"
        )
    if len(names) > _MOST_KEYS:
        raise UsageError(f"{len(names)} keys cannot be pressed together; {_MOST_KEYS} at most. To type a text, type it")
    pressed = sorted((key_named(name) for name in names), key=lambda key: not key.modifier)
    if len(set(pressed)) < len(pressed):
        raise UsageError(f"{keys[:_NAME_SHOWN]!r} names a key twice")
    return tuple(pressed)


def keysym_of(character: str) -> int:
    """Return the X11 keysym of a character: its code point in Latin-1, else its code point plus `UNICODE_KEYSYMS`."""
    code = ord(character)
    return code if 0x20 <= code <= 0x7E or 0xA0 <= code <= 0xFF else UNICODE_KEYSYMS | code


def _key_of(character: str) -> Key:
    small = character.lower() if len(character.lower()) == 1 else character
    plain = small.isascii() and small.isalnum()
    return Key(small, keysym_of(small), ord(small.upper()) if plain else None)


def _is_character(text: str) -> bool:
    """Return True if the character is visible: not a control character, lone surrogate or combining mark."""
    return unicodedata.category(text)[0] in "LNPS"


def _hint(name: str, word: str) -> str:
    phone = word.removeprefix("keycode")
    if phone in _PHONE_KEYS:
        return f"; phones have it. Instead: {_PHONE_KEYS[phone]}"
    if word.startswith("keycode"):
        return "; names that begin with KEYCODE_ are for phones"
    parts = [part for part in re.split(r"[\s_-]+", name.strip().lower()) if part]
    if len(parts) > 1 and all(part in _NAMED or len(part) == 1 for part in parts):
        return f"; keys that are pressed together are joined by +: {'+'.join(parts)}"
    close = difflib.get_close_matches(word, (*_NAMED, *_PUNCTUATION), n=3)
    return f"; similar: {', '.join(dict.fromkeys(_printed(one) for one in close))}" if close else ""


def _printed(name: str) -> str:
    return _NAMED[name].name if name in _NAMED else name


# Parse the key with which the user ends a run.


STOP_KEY_VARIABLE: Final = "HANDEYE_PANIC_KEY"
"""Environment variable that sets the stop key for every desktop opened by URI."""

# Keys that are part of typing text, like letters; on Linux no program receives a watched key.
_TEXT_KEYS: Final = frozenset({"enter", "tab", "space", "backspace"})


def stop_key_named(name: str) -> Key:
    """Return the key. Raises UsageError for an unknown key, and for keys that texts and key combinations contain."""
    key = key_named(name)
    if key.modifier or len(key.name) == 1 or key.name in _TEXT_KEYS:
        raise UsageError(f"{key.name!r} cannot be the stop key, as it is written with: name another one, such as pause")
    return key


@dataclass(frozen=True, slots=True)
class StopKey:
    """A key that ends a run, and the setting that named it."""

    key: Key
    place: str

    @classmethod
    def of(cls, named: StopKey | str) -> StopKey:
        """Return the stop key. Raises UsageError as stop_key_named."""
        return named if isinstance(named, StopKey) else cls(stop_key_named(named), "panic_key")


def stop_key_of(asked: str | None) -> StopKey | None:
    """
    Return the stop key that a device URI asks for, else that of the environment; None if empty. Raises UsageError,
    which names the setting, for a key that cannot be the stop key.
    """
    name, place = (os.environ.get(STOP_KEY_VARIABLE, ""), STOP_KEY_VARIABLE) if asked is None else (asked, "?panic_key")
    if not name.strip():
        return None
    try:
        return StopKey(stop_key_named(name), place)
    except UsageError as error:
        raise UsageError(f"{place}: {error}") from error
