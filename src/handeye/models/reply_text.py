"""
What is in a reply's text: thinking to strip, marks around the answer, groups of numbers, tags, calls.

Nothing here knows what a number means; see handeye.models.reply. Everything is linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from handeye.models.reply_json import json_values

ANSWER_MARKS: Final = (
    ("<answer>", "</answer>"),
    ("<|begin_of_box|>", "<|end_of_box|>"),
    ("<tool_call>", "</tool_call>"),
)
"""Where a reply has such marks, what is between them is the answer, and the rest is talk."""

_NOISE = re.compile(r"<\|(?:im_end|im_start|endoftext|eot_id|end)\|>|</?s>|<eos>|\[EOS\]|\[UNUSED\d{1,4}\]|\ufeff")
_FENCE = re.compile(r"```[a-zA-Z]{0,20}")
_TOKEN = re.compile(r"\s*([()\[\]{}]|[,，;；]|[+-]?(?:[0-9]{1,20}(?:\.[0-9]{0,20})?|\.[0-9]{1,20}))")
_GROUP_SIGNS: Final = frozenset("0123456789.+-,，;； \t\r\n()[]")
_PAIRS: Final = {"(": ")", "[": "]", "{": "}"}


def without_thinking(text: str, marks: Sequence[tuple[str, str]]) -> tuple[str, bool]:
    """
    The reply without what is between `marks`, and whether the thinking was never ended.

    Where the prompt itself opened it, only the closing mark is there: what stands before the last one is thinking.
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
            answers = [place for mark, _end in ANSWER_MARKS if (place := text.find(mark, inside)) >= 0]
            unended = not answers
            at = min(answers, default=len(text))
            break
        kept.append(text[at:])
        text = "".join(kept)
        if closing in text:
            text = text[text.rfind(closing) + len(closing) :]
    return text, unended


def answer_part(text: str) -> str:
    """What is between the marks of the answer, all of it where there are none; without end-of-text tokens."""
    text = _NOISE.sub(" ", text)
    for opening, closing in ANSWER_MARKS:
        if opening in text:
            parts = text.split(opening)[1:]
            text = "\n".join(part.split(closing, 1)[0] for part in parts)
    return text.replace("<answer>", " ").replace("</answer>", " ")


def without_fences(text: str) -> str:
    """The text without the lines that begin and end code."""
    return _FENCE.sub(" ", text)


@dataclass(frozen=True, slots=True)
class Group:
    """
    Numbers in one pair of brackets, or several such groups in one: `items` are numbers or groups. `round` tells round
    brackets from others: `(1,2),(3,4)` are the corners of a box, `[1,2],[3,4]` may be two points.
    """

    items: tuple[Any, ...]
    round: bool = False

    @property
    def numbers(self) -> tuple[float, ...] | None:
        """The numbers, when nothing else is in it."""
        return None if any(isinstance(item, Group) for item in self.items) else self.items


def number_group(text: str) -> Group | None:
    """
    A text that is nothing but numbers, commas and brackets, as a group; None for any other text.

    Numbers are parted by commas or by white space, not now by one, now by the other: "1 200, 300" may be two numbers.
    """
    stack: list[_Reading] = [_Reading("")]
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
            stack.append(_Reading(_PAIRS[sign]))
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


@dataclass(slots=True)
class _Reading:
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
        """Parted by commas throughout (one may trail), or by none."""
        if not self.items:
            return False
        between = self.commas - self.pending
        return between == len(self.items) - 1 or (between == 0 and not self.pending)


def bracket_groups(text: str) -> list[tuple[Group, int, int]]:
    """
    The groups of two numbers or more in the text that stand in brackets, with where they begin and end. Groups that follow
    one another with at most a comma between, as `(1,2),(3,4)`, are one. A bracket with anything else in it is passed over.
    """
    runs: list[tuple[list[Any], int, int]] = []
    at = 0
    while (bracket := _BRACKET.search(text, at)) is not None:
        start = bracket.start()
        end = _balanced_end(text, start)
        group = number_group(text[start:end]) if end - start > 2 else None
        at = max(end, start + 1)
        if group is None or _count(group) < 2:
            continue
        if runs and not text[runs[-1][2] : start].strip(" \t\r\n,，"):
            items, begin, _end = runs.pop()
            items.extend(group.items)
            runs.append((items, begin, end))
        else:
            runs.append((list(group.items), start, end))
    return [(Group(tuple(items)), start, end) for items, start, end in runs]


_BRACKET = re.compile(r"[\[(]")


def _balanced_end(text: str, start: int) -> int:
    """Where the bracket at `start` is closed, or the first sign that no group of numbers has in it."""
    depth = 0
    for at in range(start, len(text)):
        sign = text[at]
        if sign not in _GROUP_SIGNS:
            return at
        if sign in "([":
            depth += 1
        elif sign in ")]":
            depth -= 1
            if not depth:
                return at + 1
    return len(text)


def _count(group: Group) -> int:
    return sum(_count(item) if isinstance(item, Group) else 1 for item in group.items)


@dataclass(frozen=True, slots=True)
class Tag:
    """`<name attributes>body</name>`, or `<|name_start|>body<|name_end|>`. `body` is None when the tag was not closed."""

    name: str
    attributes: dict[str, str]
    body: str | None
    start: int
    end: int


_TAG = re.compile(
    r"<(?:\|(?P<token>box|point|quad)_start\|"
    r"|(?P<name>box|bbox|point|points|polygon|coordinate)(?P<attributes>\s[^<>]{0,4000})?/?)>"
)
_ATTRIBUTE = re.compile(r"""([A-Za-z_][\w-]{0,40})\s{0,9}=\s{0,9}(?:"([^"]{0,2000})"|'([^']{0,2000})')""", re.ASCII)


def tags(text: str) -> list[Tag]:
    """The tags that hold places, in order."""
    found: list[Tag] = []
    lost: set[str] = set()
    at = 0
    while (opening := _TAG.search(text, at)) is not None:
        at = opening.end()
        name = opening["token"] or opening["name"]
        closing = f"<|{name}_end|>" if opening["token"] else f"</{name}>"
        end = -1 if closing in lost else text.find(closing, at)
        attributes = {key: double or single for key, double, single in _ATTRIBUTE.findall(opening["attributes"] or "")}
        body = None
        if end < 0:
            lost.add(closing)
        else:
            body = text[at:end]
            at = end + len(closing)
        found.append(Tag(name, attributes, body, opening.start(), at))
    return found


_LOC = re.compile(r"<loc_([0-9]{1,6})>")


def loc_runs(text: str) -> list[tuple[tuple[int, ...], int, int]]:
    """The numbers of `<loc_1><loc_2>...` that stand together, with where each run begins and ends."""
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
    `name(...)` with its arguments as texts: `named` by key, `positional` in order. `explicit`: it stands where an action is
    expected (at the start of a line, behind "Action:"), not in the middle of a sentence.
    """

    name: str
    positional: tuple[str, ...]
    named: dict[str, str]
    explicit: bool
    start: int
    end: int
    closed: bool = True


_CALL = re.compile(r"(?<![\w.])((?:[A-Za-z_]\w{0,40}\.){0,4}[A-Za-z_]\w{0,60})\(", re.ASCII)
_ACTION_BEFORE = re.compile(r"(?:[\n;]|[Aa]ction\s?[:：]|[Oo]peration\s?[:：]|>)[ \t]{0,40}$")
_NAMED = re.compile(r"\s{0,20}([A-Za-z_]\w{0,40})\s{0,9}=(?!=)", re.ASCII)
_FUNCTION = re.compile(r"<function=([\w.-]{1,80})>", re.ASCII)
_PARAMETER = re.compile(r"<parameter=([\w.-]{1,80})>", re.ASCII)


def calls(text: str) -> list[Call]:
    """The calls in the text that do not stand inside another one's arguments."""
    found: list[Call] = []
    at = 0
    while (head := _CALL.search(text, at)) is not None:
        before = text[max(0, head.start() - 60) : head.start()]
        arguments, at, closed = _arguments(text, head.end())
        positional = tuple(
            argument.strip() for argument in arguments if not _NAMED.match(argument) and argument.strip()
        )
        named = {
            match[1]: argument[match.end() :].strip() for argument in arguments if (match := _NAMED.match(argument))
        }
        explicit = bool(_ACTION_BEFORE.search(before)) or (head.start() <= 60 and not before.strip())
        found.append(Call(head[1], positional, named, explicit, head.start(), at, closed))
    return found


def function_tags(text: str) -> list[Call]:
    """Calls written as `<function=click><parameter=x>1</parameter></function>`."""
    found: list[Call] = []
    heads = list(_FUNCTION.finditer(text))
    ends = [*(head.start() for head in heads[1:]), len(text)]
    for head, end in zip(heads, ends, strict=False):
        pieces = _PARAMETER.split(text[head.end() : end])
        named: dict[str, str] = {}
        closed = True
        for key, value in zip(pieces[1::2], pieces[2::2], strict=True):
            named[key], mark, _rest = value.partition("</parameter>")
            closed = closed and bool(mark)
        found.append(Call(head[1], (), named, True, head.start(), end, closed))
    return found


def _arguments(text: str, at: int) -> tuple[list[str], int, bool]:
    """The arguments of a call whose bracket opened before `at`, where it ends, and whether it was closed."""
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
    """Whether a quotation mark before `at` ends a text: models do not escape those inside, as in `content='it's'`."""
    return not text[at : at + 8].lstrip() or text[at : at + 8].lstrip()[0] in ",)]}\n"


def json_in(text: str) -> Any | None:
    """The one object or list that `text` is; None when it is something else."""
    values = json_values(text).values
    return values[0][0] if len(values) == 1 and values[0][1] == 0 else None
