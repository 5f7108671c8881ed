"""
Tolerant JSON parser for models' replies: JSON in prose, fenced, with comments, trailing commas, single quotes, bare
keys, cut off in the middle.

The parser is tolerant about syntax and strict about values. It never completes one: a number at the very end of the
text may lack digits, so it is `UNFINISHED`, and so is a list of numbers that was not closed. (`json-repair` closes
both: `{"bbox": [100, 200, 300, 40` becomes a box that the model never wrote. See
docs/decisions/011-reading-replies.md.) Time is linear in the length of the text, and nesting is bounded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

DEEPEST: Final = 32
"""Levels of nesting. Replies have five at most, and the functions that process the values may recurse."""

LONGEST_ANSWER: Final = 100_000
"""
Characters of an answer without its thinking. Answers have some hundred; longer ones are run-away output, and slow to
parse.
"""

_LONGEST_NUMBER: Final = 20
"""Digits before and after the decimal point. A longer number is no coordinate."""


class Unusable(Enum):
    """A value that is present but cannot be used."""

    UNFINISHED = "is cut off"
    SAID_TWICE = "is said twice, differently"
    EMPTY = "has no value"


class CutObject(dict[str, Any]):
    """An object without its end: it may have had more keys."""


@dataclass(frozen=True, slots=True)
class JsonText:
    """
    The objects and lists in a text, with the start and end of each. `broken`: text that looks like an object could not
    be parsed.
    """

    values: tuple[tuple[Any, int, int], ...]
    broken: bool


_SPACE = re.compile(r"[\s\ufeff\u200b]*")
_NUMBER = re.compile(
    rf"[+-]?(?:[0-9]{{1,{_LONGEST_NUMBER}}}(?:\.[0-9]{{0,{_LONGEST_NUMBER}}})?|\.[0-9]{{1,{_LONGEST_NUMBER}}})"
    r"(?:[eE][+-]?[0-9]{1,3})?"
)
_WORD = re.compile(r"[A-Za-z_$][\w$-]*", re.ASCII)
_INFINITY = re.compile(r"[+-]?(?:Infinity|inf)")
_WORDS: Final[dict[str, Any]] = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("null", "None", "undefined", "NULL"), None),
    **dict.fromkeys(("NaN", "nan"), float("nan")),
    **dict.fromkeys(("Infinity", "inf"), float("inf")),
}
_CLOSES: Final = {"{": "}", "[": "]", "(": ")"}
_QUOTES: Final = {'"': '"', "'": "'", "“": "”", "‘": "’"}
_COMMAS: Final = frozenset(",，;；、")
_COLONS: Final = frozenset(":：=")
_ENDS: Final = frozenset(",，;；、:：}])｝］）】")
# Full-width brackets and their ASCII forms.
_NARROW: Final = dict(zip("［］｛｝（）【】", "[]{}()[]", strict=True))
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_OPENING = re.compile(r"[\[{［｛]")
# One UTF-16 code unit after a backslash, or the surrogate pair of a character beyond the basic plane.
_UNITS = re.compile(r"u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}")


class _SyntaxProblem(Exception):
    """The character at `at` is a syntax error; `keys`: an object had begun. It is not raised out of this module."""

    def __init__(self, at: int, keys: bool) -> None:
        self.at = at
        self.keys = keys


@dataclass(slots=True)
class _Open:
    """A container that is being parsed."""

    closer: str
    items: list[Any]
    members: dict[str, Any]
    key: str | None = None
    comma: bool = True

    @property
    def is_object(self) -> bool:
        return self.closer == "}"

    def add(self, value: Any) -> bool:
        """Add a value; return False if a list of numbers lacks a comma, because it may be a number with a gap in it."""
        if self.is_object:
            assert self.key is not None
            known = self.members.get(self.key, value)
            same = known is value or known == value
            self.members[self.key] = value if same else Unusable.SAID_TWICE
            self.key = None
        else:
            if not self.comma and (_is_number(value) or _is_number(self.items[-1])):
                return False
            self.items.append(value)
        self.comma = False
        return True

    def close(self, *, cut: bool) -> Any:
        if self.is_object:
            if self.key is not None:
                self.members.setdefault(self.key, Unusable.UNFINISHED if cut else Unusable.EMPTY)
            return CutObject(self.members) if cut else self.members
        if cut:
            return Unusable.UNFINISHED
        return self.items


def json_values(text: str) -> JsonText:
    """Return every object and list of the text that is not inside another one, in order."""
    values: list[tuple[Any, int, int]] = []
    broken = False
    reader = _Reader(text)
    opening = _OPENING.search(text)
    while opening is not None:
        start = opening.start()
        try:
            value, end = reader.read(start)
            values.append((value, start, end))
        except _SyntaxProblem as failed:
            end = max(start + 1, failed.at)
            broken = broken or failed.keys
        opening = _OPENING.search(text, end)
    return JsonText(tuple(values), broken)


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.last_comment_end = text.rfind("*/")

    def read(self, at: int) -> tuple[Any, int]:
        """Return the value that begins at `at`, and its end. Raises _SyntaxProblem with the position of a syntax error."""
        text = self.text
        stack: list[_Open] = []
        while True:
            at = self._skip(at)
            if at >= len(text):
                return _cut(stack), len(text)
            sign = _NARROW.get(text[at], text[at])
            top = stack[-1] if stack else None
            if top is not None and sign in "}])":
                value = self._close(stack, sign, at)
                at += 1
            elif top is not None and sign in _COMMAS:
                if top.comma or top.key is not None:
                    raise _SyntaxProblem(at, _has_keys(stack))
                top.comma = True
                at += 1
                continue
            elif top is not None and top.is_object and top.key is None:
                at = self._key(top, at, stack)
                continue
            elif sign in _CLOSES:
                if len(stack) >= DEEPEST:
                    raise _SyntaxProblem(at + 1, _has_keys(stack))
                stack.append(_Open(_CLOSES[sign], [], {}))
                at += 1
                continue
            else:
                value, at = self._scalar(at, stack)
            if not stack:
                return value, at
            if not stack[-1].add(value):
                raise _SyntaxProblem(at, _has_keys(stack))

    def _skip(self, at: int) -> int:
        """Return the position after white space and comments."""
        text = self.text
        while True:
            at = _SPACE.match(text, at).end()  # type: ignore[union-attr]
            if text.startswith("//", at) or text.startswith("#", at):
                line_end = text.find("\n", at)
                at = len(text) if line_end < 0 else line_end
            elif text.startswith("/*", at) and at + 2 <= self.last_comment_end:
                at = text.find("*/", at + 2) + 2
            else:
                return at

    def _close(self, stack: list[_Open], sign: str, at: int) -> Any:
        """
        Return the container that `sign` closes. A list without its own bracket ends where its parent does, as in
        `{"bbox": [1, 2, 3, 4}`.
        """
        top = stack[-1]
        if top.closer == sign or (not top.is_object and sign in "])"):
            return stack.pop().close(cut=False)
        if not top.is_object and len(stack) > 1 and stack[-2].closer == sign:
            stack.pop()
            stack[-1].add(top.close(cut=False))
            return stack.pop().close(cut=False)
        raise _SyntaxProblem(at + 1, _has_keys(stack))

    def _key(self, top: _Open, at: int, stack: list[_Open]) -> int:
        text = self.text
        if text[at] in _QUOTES:
            key, at, _closed = self._string(at)
        else:
            word = _WORD.match(text, at)
            if word is None:
                raise _SyntaxProblem(at, _has_keys(stack))
            key, at = word.group(), word.end()
        at = self._skip(at)
        if at < len(text):
            if text[at] not in _COLONS:
                raise _SyntaxProblem(at, _has_keys(stack))
            at += 1
        top.key = key
        return at

    def _scalar(self, at: int, stack: list[_Open]) -> tuple[Any, int]:
        text = self.text
        if text[at] in _QUOTES:
            value, at, closed = self._string(at)
            return (value if closed else Unusable.UNFINISHED), at
        number = _NUMBER.match(text, at)
        if number is not None:
            at = number.end()
            if at == len(text):
                return Unusable.UNFINISHED, at
            if not (text[at].isspace() or text[at] in _ENDS):  # a unit, a percent sign, a sum
                raise _SyntaxProblem(at, _has_keys(stack))
            return _number(number.group()), at
        infinity = _INFINITY.match(text, at)
        if infinity is not None:
            return float("inf"), infinity.end()
        word = _WORD.match(text, at)
        if word is None or word.group() not in _WORDS:
            raise _SyntaxProblem(max(at, word.end() if word else at), _has_keys(stack))
        return _WORDS[word.group()], word.end()

    def _string(self, at: int) -> tuple[str, int, bool]:
        """
        Return a quoted text, its end, and whether it was closed. A quotation mark that is not followed by a delimiter
        belongs to the text: models write `"label": "the "Save" button"`.
        """
        text, close = self.text, _QUOTES[self.text[at]]
        stops = _STOPS[close]
        parts: list[str] = []
        begin = at = at + 1
        while True:
            stop = stops.search(text, at)
            if stop is None:
                parts.append(text[begin:])
                return "".join(parts), len(text), False
            at = stop.end()
            if text[stop.start()] == "\\":
                parts.append(text[begin : stop.start()])
                escaped, at = self._escape(at)
                parts.append(escaped)
                begin = at
                continue
            after = _SPACE.match(text, at).end()  # type: ignore[union-attr]
            if after >= len(text) or text[after] in _ENDS or "\n" in text[at:after]:
                parts.append(text[begin : at - 1])
                return "".join(parts), at, True

    def _escape(self, at: int) -> tuple[str, int]:
        """Return the character of an escape whose backslash is at `at - 1`, and the position after it."""
        if at >= len(self.text):
            return "", at
        sign = self.text[at]
        units = _UNITS.match(self.text, at) if sign == "u" else None
        if units is not None:
            numbers = bytes.fromhex(units.group().replace("\\", "").replace("u", ""))
            return numbers.decode("utf-16-be", "surrogatepass"), units.end()
        return _ESCAPES.get(sign, sign), at + 1


_STOPS: Final = {close: re.compile(rf"[\\{close}]") for close in _QUOTES.values()}


def _cut(stack: list[_Open]) -> Any:
    """Return the value of the containers that are still open at the end of the text."""
    value: Any = Unusable.UNFINISHED
    inner = None
    for container in reversed(stack):
        if inner is not None and (not container.is_object or container.key is not None):
            container.comma = True
            container.add(value)
        value = container.close(cut=True)
        inner = container
    return value


def _has_keys(stack: list[_Open]) -> bool:
    return any(container.members or container.key is not None for container in stack)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _number(digits: str) -> int | float:
    try:
        return int(digits)
    except ValueError:
        return float(digits)
