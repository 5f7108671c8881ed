"""
Match a pattern against a task in time proportional to the task's length.

The tree is compiled to a small program for a backtracking machine that never visits the same instruction at the same
character twice (RE2's "bit state" method: R. Cox, "Regular Expression Matching: the Virtual Machine Approach", 2009).
So no pattern and no task can make it slow, and it finds the first match in order of preference: options in their order,
an inner slot as short as possible, a slot at the end as long as possible.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Final

from handeye.plan.templates.grammar import PARSE_CACHE_SIZE, Blanks, Choice, Literal, Sequence_, SlotNode
from handeye.plan.templates.slots import QUOTES, SENTENCE_MARKS, fold

MOST_STATES: Final = 300_000
"""Most (instruction, position) states of one match. A message of 19,000 characters takes 230,000 with the bundled patterns."""


class Op(IntEnum):
    CHAR = 0  # this character
    LOOSE = 1  # this character, with optional blanks before it (not needed in Chinese, but people type them)
    BLANK = 2  # one or more blanks
    ANY = 3  # any character except `text`
    MARK = 4  # a sentence mark or blank
    SPLIT = 5  # first `a`, then `b`
    JUMP = 6  # `a`
    OPEN = 7  # a slot's value begins
    CLOSE = 8  # a slot's value ends
    END = 9  # the task must end here


@dataclass(slots=True)
class Instruction:
    op: Op
    text: str = ""
    a: int = 0
    b: int = 0


@dataclass(frozen=True, slots=True)
class Span:
    """A slot's place in the task; `quoted` if it is in quotation marks, which are not part of it."""

    start: int
    end: int
    quoted: bool


_QUOTED: Final = '"'
_MARKS: Final = frozenset(fold(SENTENCE_MARKS))


@lru_cache(maxsize=PARSE_CACHE_SIZE)
def _compiled(tree: Sequence_) -> tuple[Instruction, ...]:
    return tuple(_Compiler(tree).code)


class _Compiler:
    def __init__(self, tree: Sequence_) -> None:
        self.code: list[Instruction] = []
        self._sequence(tree, last=True)
        self._emit(Op.END)

    def _emit(self, op: Op, text: str = "", a: int = 0, b: int = 0) -> Instruction:
        instruction = Instruction(op, text, a, b)
        self.code.append(instruction)
        return instruction

    @property
    def _here(self) -> int:
        return len(self.code)

    def _sequence(self, nodes: Sequence_, *, last: bool) -> None:
        for number, node in enumerate(nodes, 1):
            final = last and number == len(nodes)
            if isinstance(node, Literal):
                for char in node.text:
                    self._emit(Op.LOOSE if _is_wide(char) else Op.CHAR, char)
            elif isinstance(node, Blanks):
                self._emit(Op.BLANK)
            elif isinstance(node, SlotNode):
                self._slot(node.name, final=final)
            else:
                self._choice(node, final=final)

    def _choice(self, node: Choice, *, final: bool) -> None:
        jumps: list[Instruction] = []
        for option in node.options[:-1]:
            split = self._emit(Op.SPLIT, a=self._here + 1)
            self._sequence(option, last=final)
            jumps.append(self._emit(Op.JUMP))
            split.b = self._here
        self._sequence(node.options[-1], last=final)
        for jump in jumps:
            jump.a = self._here

    def _slot(self, name: str, *, final: bool) -> None:
        jumps: list[Instruction] = []
        for left, right in QUOTES:
            split = self._emit(Op.SPLIT, a=self._here + 1)
            self._emit(Op.LOOSE, fold(left))
            self._emit(Op.OPEN, name + _QUOTED)
            self._repeat(Op.ANY, fold(right), greedy=True)
            self._emit(Op.CLOSE, name)
            self._emit(Op.CHAR, fold(right))
            if final:
                skip = self._emit(Op.SPLIT, a=self._here + 1)
                self._repeat(Op.MARK, "", greedy=True)
                skip.b = self._here
            jumps.append(self._emit(Op.JUMP))
            split.b = self._here
        self._emit(Op.OPEN, name)
        self._repeat(Op.ANY, "", greedy=final)
        self._emit(Op.CLOSE, name)
        for jump in jumps:
            jump.a = self._here

    def _repeat(self, op: Op, text: str, *, greedy: bool) -> None:
        """Emit code that matches `op` one or more times."""
        start = self._here
        self._emit(op, text)
        following = self._here + 1
        self._emit(Op.SPLIT, a=start if greedy else following, b=following if greedy else start)


class Program:
    """A compiled pattern."""

    def __init__(self, tree: Sequence_) -> None:
        self._code = _compiled(tree)

    @property
    def length(self) -> int:
        """Number of instructions."""
        return len(self._code)

    def run(self, task: str) -> Mapping[str, Span] | None:
        """
        Return the slots' places in `task`, or None if it does not match or would need more than MOST_STATES states. `task` must
        be folded, character by character.
        """
        after_blanks = _after_blanks(task)
        length, width = len(task), len(task) + 1
        visited: set[int] = set()
        stack: list[tuple[int, int, tuple[object, ...] | None]] = [(0, 0, None)]
        while stack and len(visited) <= MOST_STATES:
            pc, at, trail = stack.pop()
            while (state := pc * width + at) not in visited:
                visited.add(state)
                step = self._code[pc]
                op, pc = step.op, pc + 1
                if op is Op.SPLIT:
                    stack.append((step.b, at, trail))
                    pc = step.a
                elif op is Op.ANY:
                    if at == length or task[at] == step.text:
                        break
                    at += 1
                elif op is Op.CHAR or op is Op.LOOSE:
                    place = after_blanks[at] if op is Op.LOOSE else at
                    if place == length or task[place] != step.text:
                        break
                    at = place + 1
                elif op is Op.BLANK:
                    if after_blanks[at] == at:
                        break
                    at = after_blanks[at]
                elif op is Op.MARK:
                    if at == length or not (task[at] in _MARKS or task[at].isspace()):
                        break
                    at += 1
                elif op is Op.JUMP:
                    pc = step.a
                elif op is Op.OPEN or op is Op.CLOSE:
                    trail = (trail, op, step.text, at)
                elif at == length:
                    return _spans(trail)
                else:
                    break
        return None


def _spans(trail: tuple[object, ...] | None) -> dict[str, Span]:
    spans: dict[str, Span] = {}
    end = 0
    while trail is not None:
        before, op, name, at = trail
        if not isinstance(name, str) or not isinstance(at, int):
            raise AssertionError(f"broken trail {trail!r}")
        if op is Op.CLOSE:
            end = at
        else:
            spans[name.removesuffix(_QUOTED)] = Span(at, end, quoted=name.endswith(_QUOTED))
        trail = before if isinstance(before, tuple) else None
    return spans


def _after_blanks(task: str) -> list[int]:
    """Return for each index the first index from there on that is not blank; computed once, so that skipping is O(1)."""
    places = list(range(len(task) + 1))
    for at in range(len(task) - 1, -1, -1):
        if task[at].isspace():
            places[at] = places[at + 1]
    return places


def _is_wide(char: str) -> bool:
    """Return True for scripts written without blanks between words, with their punctuation and brackets."""
    return char >= "⺀" or char in "“”‘’"
