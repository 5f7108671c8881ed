"""Parse calls in a reply, `click(start_box='(1,2)')` or `pyautogui.click(x=1, y=2)`, as places."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from handeye.models.families.profile import Order
from handeye.models.reply.places import (
    ACTS,
    DOING,
    PLACE_KEYS,
    POINTING,
    TYPED,
    Unreadable,
    Written,
    places_in,
    plain_key,
)
from handeye.models.reply.prose import MARK
from handeye.models.reply.text import Call, calls, function_tags

_PLACES: Final = frozenset({*PLACE_KEYS, "element"})
_CLICK_OPTIONS: Final = frozenset({
    "action", "button", "clicks", "numclicks", "presses", "interval", "duration", "pause", "tween", "logscreenshot",
    "modifiers", "elementinfo", "elementtype", "label", "name", "description",
})  # fmt: skip
"""Arguments that describe the click or its target; the numbers of any other argument belong to the place."""


def read_calls(text: str) -> tuple[list[Written], str]:
    """
    Return the place that the calls in a text point at, and the text with `MARK` in place of each call.

    Raises Unreadable when one of them is another action, or when two point at different places: a sequence of clicks is
    no answer to "where".
    """
    places: list[Written] = []
    kept: list[str] = []
    at = 0
    for call in sorted([*calls(text), *function_tags(text)], key=lambda call: call.start):
        verb = _verb(call)
        if verb in POINTING and verb != "press":
            places.append(_place(call))
        elif call.explicit or verb in ACTS or verb == "press" or "." in call.name:
            raise Unreadable(f"it wants to call {call.name[:40]!r} instead of naming a place")
        else:
            continue
        kept.append(text[at : call.start])
        at = max(at, call.end)
    if len({place.numbers for place in places}) > 1:
        raise Unreadable("it clicks several places")
    return places[:1], f"\n{MARK}\n".join([*kept, text[at:]])


def _verb(call: Call) -> str:
    """Return the verb of a call: its name, or for AutoGLM's do(action="Tap", ...) that action."""
    name = plain_key(call.name.rsplit(".", 1)[-1])
    if name in ("do", "computeruse", "mobileuse", "computer"):
        return plain_key(_bare(call.named.get("action", "")))
    return name


def _place(call: Call) -> Written:
    named = {plain_key(key): value for key, value in call.named.items() if _bare(value) not in _EMPTY}
    if extra := sorted((DOING | TYPED) & named.keys()):
        raise Unreadable(f"the call of {call.name[:40]!r} has {extra[0]!r}, which names no place")
    if call.twice:
        raise Unreadable(f"the call of {call.name[:40]!r} gives {call.twice[:40]!r} twice, differently")
    if not call.closed and not _ends_whole(call):
        raise Unreadable("its call is cut off", cut=True)
    said = [value for key, value in named.items() if key in _PLACES]
    by_name = "x" in named and "y" in named and not said
    if call.positional and (said or by_name):
        raise Unreadable(f"the call of {call.name[:40]!r} has a value without a name beside a place")
    if by_name:
        said = [f"{_bare(named['x'])},{_bare(named['y'])}"]
    elif call.positional and not said:
        said = [",".join(call.positional)] if len(call.positional) == 2 else list(call.positional)
    known = {*_PLACES, *_CLICK_OPTIONS, *(("x", "y") if by_name else ())}
    if numbers := sorted(key for key, value in named.items() if key not in known and _NUMBERS.search(_bare(value))):
        raise Unreadable(f"the call of {call.name[:40]!r} has the number {numbers[0]!r} beside a place")
    if len(said) != 1:
        raise Unreadable(f"the call of {call.name[:40]!r} does not name one place")
    keys = [key for key in named if key in PLACE_KEYS]
    _expected, order = PLACE_KEYS[keys[0]] if keys else (None, None)
    places = places_in(_bare(said[0]), order or Order.XY)
    if len(places) != 1:
        raise Unreadable(f"the call of {call.name[:40]!r} names several places")
    return replace(places[0], named=by_name)


_EMPTY: Final = frozenset({"", "[]", "()", "None", "null"})
_NUMBERS = re.compile(r"^[\[(+\-.]{0,3}[0-9]", re.ASCII)


def _ends_whole(call: Call) -> bool:
    """
    Return True if the last argument of a call without a closing bracket is complete, as in `click(start_box='(1,2)'`.
    """
    last = (*call.positional, *call.named.values())[-1:]
    return bool(last) and last[0][-1:] in "'\")]>" and (last[0][:1] not in "'\"" or last[0][-1:] == last[0][:1])


def _bare(value: str) -> str:
    """Return a value without its quotation marks and the marks around a box."""
    value = value.strip().strip("'\"").strip()
    for mark in ("<|box_start|>", "<|box_end|>"):
        value = value.replace(mark, "")
    return value.strip()
