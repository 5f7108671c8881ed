"""
Tokenise a reply's text: thinking to strip, marks around the answer, groups of numbers, tags, calls.

The meaning of the numbers is decided in handeye.models.reply.reader. Everything is linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from handeye.models.reply.json import json_values

ANSWER_MARKS: Final = (
    ("<answer>", "</answer>"),
    ("<|begin_of_box|>", "<|end_of_box|>"),
    ("<tool_call>", "</tool_call>"),
)
"""Marks around the answer; if a reply has them, the rest is commentary."""

NARROW: Final = {
    **{ord(wide): ord(wide) - 0xFEE0 for wide in map(chr, range(0xFF01, 0xFF5F)) if not wide.isalnum()},
    **str.maketrans("　【】〔〕“”„‘’", ' []()"""\'\''),
}
"""Full-width brackets, commas and quotation marks to their ASCII forms."""

_NOISE = re.compile(r"<\|(?:im_end|im_start|endoftext|eot_id|end)\|>|</?s>|<eos>|\[EOS\]|\[UNUSED\d{1,4}\]|\ufeff")
_FENCE = re.compile(r"```[a-zA-Z]{0,20}")
_TOKEN = re.compile(r"\s*([()\[\]{}]|[,，;；]|[+-]?(?:[0-9]{1,20}(?:\.[0-9]{0,20})?|\.[0-9]{1,20}))")
_PAIRS: Final = {"(": ")", "[": "]", "{": "}"}


def without_thinking(text: str, marks: Sequence[tuple[str, str]]) -> tuple[str, bool]:
    """
    Return the reply without the text between `marks`, and whether the thinking was never closed.

    If the prompt itself opened the thinking, there is only the closing mark: the text before the last one is thinking.
    """
    unended = False
    for opening, closing in marks:
        kept: list[str] = []
        at = 0
        while (start := text.find(opening, at)) >= 0:
            kept.append(text[at:start])
            inside = start + len(opening)
            end = text.find(closing, inside)
            if end >= 0:
                at = end + len(closing)
                continue
            unended = True
            at = len(text)
            break
        kept.append(text[at:])
        text = "".join(kept)
        if closing in text:
            text = text[text.rfind(closing) + len(closing) :]
    return text, unended


def answer_parts(text: str) -> tuple[list[str], str, str]:
    """
    Return the distinct texts between the answer marks (the whole text if there are none), and the commentary before and
    after them; without end-of-text tokens.
    """
    parts, before_it, behind = [_NOISE.sub(" ", text)], list[str](), list[str]()
    for opening, closing in ANSWER_MARKS:
        inside: list[str] = []
        for part in parts:
            before, *marked = part.split(opening)
            if not marked:
                inside.append(before)
                continue
            before_it.append(before)
            for answer in marked:
                within, _mark, after = answer.partition(closing)
                inside.append(within)
                behind.append(after)
        parts = inside
    whole = (part.replace("</answer>", " ").strip() for part in parts)
    return list(dict.fromkeys(part for part in whole if part)), "\n".join(before_it), "\n".join(behind)


def without_fences(text: str) -> str:
    """Return the text without code fences."""
    return _FENCE.sub(" ", text)


@dataclass(frozen=True, slots=True)
class Group:
    """
    Numbers in one pair of brackets, or several such groups in one: `items` are numbers or groups. `round` is True for
    round brackets: `(1,2),(3,4)` are the corners of a box, `[1,2],[3,4]` may be two points.
    """

    items: tuple[Any, ...]
    round: bool = False

    @property
    def numbers(self) -> tuple[float, ...] | None:
        """The numbers, if the group contains nothing else; else None."""
        return None if any(isinstance(item, Group) for item in self.items) else self.items


def number_group(text: str) -> Group | None:
    """
    Return a text of only numbers, commas and brackets as a group; None for any other text.

    Numbers are separated by commas or by white space, never by both in turn: "1 200, 300" may be two numbers.
    """
    stack: list[_OpenGroup] = [_OpenGroup("")]
    at, end = 0, len(text.rstrip())
    while at < end:
        token = _TOKEN.match(text, at)
        if token is None:
            return None
        at = token.end()
        sign = token.group(1)
        if sign in _PAIRS:
            if len(stack) > 4:
                return None
            stack.append(_OpenGroup(_PAIRS[sign]))
        elif sign in ")]}":
            done = stack.pop()
            if done.closer != sign or not stack or not done.complete:
                return None
            stack[-1].add(Group(tuple(done.items), sign == ")"))
        elif sign in ",，;；":
            if not stack[-1].comma():
                return None
        else:
            if at < end and (text[at].isalnum() or text[at] in "%."):
                return None
            stack[-1].add(float(sign) if "." in sign else int(sign))
    if len(stack) != 1 or not stack[0].complete or stack[0].pending:
        return None
    return Group(tuple(stack[0].items))


_PAIR_OF_NUMBERS = re.compile(r"[0-9]\s{0,9}[,，]\s{0,9}[+-]?[0-9.]")


def bracket_problem(text: str) -> str:
    """
    Return what is wrong with the brackets of a text that contains numbers of a place; "" when they match, or there are
    no numbers.
    """
    if not _PAIR_OF_NUMBERS.search(text):
        return ""
    opened: list[str] = []
    for sign in text:
        if sign in _PAIRS:
            opened.append(sign)
        elif sign in _PAIRS.values():
            if not opened:
                return f"its brackets do not match: {sign!r} closes none"
            if _PAIRS[opening := opened.pop()] != sign:
                return f"its brackets do not match: {opening!r} is closed by {sign!r}"
    return f"its brackets do not match: {opened[-1]!r} is not closed" if opened else ""


@dataclass(slots=True)
class _OpenGroup:
    closer: str
    items: list[Any] = field(default_factory=list)
    commas: int = 0
    pending: bool = False

    def add(self, item: Any) -> None:
        self.items.append(item)
        self.pending = False

    def comma(self) -> bool:
        if not self.items or self.pending:
            return False
        self.commas += 1
        self.pending = True
        return True

    @property
    def complete(self) -> bool:
        """True if the items are separated by commas throughout (one may trail), or by none."""
        if not self.items:
            return False
        between = self.commas - self.pending
        return between == len(self.items) - 1 or (between == 0 and not self.pending)


@dataclass(frozen=True, slots=True)
class Tag:
    """
    `<name attributes>body</name>`, or `<|name_start|>body<|name_end|>`. `body` is None when the tag was not closed;
    `twice` is an attribute with two different values, or "".
    """

    name: str
    attributes: dict[str, str]
    body: str | None
    start: int
    end: int
    twice: str = ""


_TAG = re.compile(
    r"<(?:\|(?P<token>box|point|quad)_start\|"
    r"|(?P<name>box|bbox|point|points|polygon|coordinate)(?P<attributes>\s[^<>]{0,4000})?/?)>"
)
_ATTRIBUTE = re.compile(r"""([A-Za-z_][\w-]{0,40})\s{0,9}=\s{0,9}(?:"([^"]{0,2000})"|'([^']{0,2000})')""", re.ASCII)


def tags(text: str) -> list[Tag]:
    """Return the tags that hold places, in order."""
    found: list[Tag] = []
    lost: set[str] = set()
    at = 0
    while (opening := _TAG.search(text, at)) is not None:
        at = opening.end()
        name = opening["token"] or opening["name"]
        closing = f"<|{name}_end|>" if opening["token"] else f"</{name}>"
        end = -1 if closing in lost else text.find(closing, at)
        attributes, twice = _by_name(
            (key, double or single) for key, double, single in _ATTRIBUTE.findall(opening["attributes"] or "")
        )
        body = None
        if end < 0:
            lost.add(closing)
        else:
            body = text[at:end]
            at = end + len(closing)
        found.append(Tag(name, attributes, body, opening.start(), at, twice))
    return found


def _by_name(pairs: Iterable[tuple[str, str]]) -> tuple[dict[str, str], str]:
    """
    Return values by name, and a name that has two different values, also in another spelling; "" if there is none.
    """
    named: dict[str, str] = {}
    seen: dict[str, str] = {}
    twice = ""
    for name, value in pairs:
        plain = name.lower().replace("_", "").replace("-", "")
        if seen.setdefault(plain, value) != value:
            twice = name
        named.setdefault(name, value)
    return named, twice


_CUT_TAG = re.compile(r"<\|?(?:loc_|box|bbox|point|polygon|coordinate)[^<>]{0,4000}$")


def ends_in_tag(text: str) -> bool:
    """Return True if the text ends inside the opening of a tag for a place."""
    return bool(_CUT_TAG.search(text, max(0, text.rfind("<"))))


_LOC = re.compile(r"<loc_([0-9]{1,6})>")


def loc_runs(text: str) -> list[tuple[tuple[int, ...], int, int]]:
    """Return the numbers of each run of `<loc_1><loc_2>...`, with its start and end."""
    runs: list[tuple[list[int], int, int]] = []
    for token in _LOC.finditer(text):
        if runs and not text[runs[-1][2] : token.start()].strip():
            numbers, start, _end = runs.pop()
            numbers.append(int(token[1]))
            runs.append((numbers, start, token.end()))
        else:
            runs.append(([int(token[1])], token.start(), token.end()))
    return [(tuple(numbers), start, end) for numbers, start, end in runs]


@dataclass(frozen=True, slots=True)
class Call:
    """
    `name(...)` with its arguments as texts: `named` by key, `positional` in order. `explicit`: it is where an action is
    expected (at the start of a line, after "Action:"), not in the middle of a sentence. `twice` is an argument with two
    different values, or "".
    """

    name: str
    positional: tuple[str, ...]
    named: dict[str, str]
    explicit: bool
    start: int
    end: int
    closed: bool = True
    twice: str = ""


_CALL = re.compile(r"(?<![\w.])((?:[A-Za-z_]\w{0,40}\.){0,4}[A-Za-z_]\w{0,60})\(", re.ASCII)
_ACTION_BEFORE = re.compile(r"(?:[\n;]|[Aa]ction\s?[:：]|[Oo]peration\s?[:：]|>)[ \t]{0,40}$")
_NAMED = re.compile(r"\s{0,20}([A-Za-z_]\w{0,40})\s{0,9}=(?!=)", re.ASCII)
_FUNCTION = re.compile(r"<function=([\w.-]{1,80})>", re.ASCII)
_PARAMETER = re.compile(r"<parameter=([\w.-]{1,80})>", re.ASCII)


def calls(text: str) -> list[Call]:
    """Return the calls in the text that are not inside another call's arguments."""
    found: list[Call] = []
    at = 0
    while (head := _CALL.search(text, at)) is not None:
        before = text[max(0, head.start() - 60) : head.start()]
        arguments, at, closed = _arguments(text, head.end())
        positional = tuple(
            argument.strip() for argument in arguments if not _NAMED.match(argument) and argument.strip()
        )
        named, twice = _by_name(
            (match[1], argument[match.end() :].strip()) for argument in arguments if (match := _NAMED.match(argument))
        )
        explicit = bool(_ACTION_BEFORE.search(before)) or (head.start() <= 60 and not before.strip())
        found.append(Call(head[1], positional, named, explicit, head.start(), at, closed, twice))
    return found


def function_tags(text: str) -> list[Call]:
    """Return calls written as `<function=click><parameter=x>1</parameter></function>`."""
    found: list[Call] = []
    heads = list(_FUNCTION.finditer(text))
    ends = [*(head.start() for head in heads[1:]), len(text)]
    for head, end in zip(heads, ends, strict=False):
        pieces = _PARAMETER.split(text[head.end() : end])
        values = [value.partition("</parameter>") for value in pieces[2::2]]
        named, twice = _by_name(zip(pieces[1::2], (value for value, _mark, _rest in values), strict=True))
        closed = all(mark for _value, mark, _rest in values)
        found.append(Call(head[1], (), named, True, head.start(), end, closed, twice))
    return found


def _arguments(text: str, at: int) -> tuple[list[str], int, bool]:
    """Return the arguments of a call whose bracket opened before `at`, its end, and whether it was closed."""
    arguments: list[str] = []
    depth, begin, quote = 0, at, ""
    for sign in _ARGUMENT_SIGN.finditer(text, at):
        mark, place = sign.group(), sign.start()
        if quote:
            if mark == quote and _ends_quote(text, place + 1):
                quote = ""
        elif mark in "\"'":
            quote = mark
        elif mark in "([{":
            depth += 1
        elif mark == "," and not depth:
            arguments.append(text[begin:place])
            begin = place + 1
        elif mark in ")]}":
            if not depth:
                arguments.append(text[begin:place])
                return arguments, place + 1, True
            depth -= 1
    arguments.append(text[begin:])
    return arguments, len(text), False


_ARGUMENT_SIGN = re.compile(r"""[()\[\]{},"']""")


def _ends_quote(text: str, at: int) -> bool:
    """
    Return True if a quotation mark before `at` ends a text: models do not escape inner ones, as in `content='it's'`.
    """
    return not text[at : at + 8].lstrip() or text[at : at + 8].lstrip()[0] in ",)]}\n"


def json_in(text: str) -> Any | None:
    """Return the object or list that `text` consists of; None when it is something else."""
    values = json_values(text).values
    return values[0][0] if len(values) == 1 and values[0][1] == 0 else None
