"""
The syntax of task patterns, as a tree.

    给{contact}发[一条](微信|wechat)[消息]说{message}

* `{name}`: a slot. `(a|b)`: one of these. `[a]`, `[a|b]`: one of these or nothing. `\\` takes the next character literally.
* A blank stands for one or more blanks. Case and full-width forms do not matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from types import MappingProxyType
from typing import Final

from handeye.errors import InvalidPlan
from handeye.plan.templates.slots import fold

PATTERN_LIMIT: Final = 500
"""Characters of one pattern. A sentence has fewer than 100; more is not a pattern a person wrote."""

KEPT_TREES: Final = 1024
"""A pattern is read when its file is checked, when its slots are, and when its task is made; those that ship have 77."""

DEPTH_LIMIT: Final = 8
"""Brackets within brackets: nobody can read more, and the parser recurses once for each."""


@dataclass(frozen=True, slots=True)
class Literal:
    """Folded characters that must be there."""

    text: str


@dataclass(frozen=True, slots=True)
class Blanks:
    """One or more blanks."""


@dataclass(frozen=True, slots=True)
class SlotNode:
    """Where a slot's value stands."""

    name: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several sequences; an optional part has an empty one, last: the part is taken when it can be."""

    options: tuple[tuple[Node, ...], ...]


Node = Literal | Blanks | SlotNode | Choice
Sequence_ = tuple[Node, ...]


@lru_cache(maxsize=KEPT_TREES)
def parse(pattern: str) -> Sequence_:
    """The tree of `pattern`. Raises InvalidPlan, which names the character position (from 1)."""
    if len(pattern) > PATTERN_LIMIT:
        raise InvalidPlan(
            f"pattern {pattern[:40]!r}... has {len(pattern)} characters; at most {PATTERN_LIMIT} are read"
        )
    if not pattern.strip():
        raise InvalidPlan("a pattern is empty: write the words of the task, with slots such as {contact}")
    options, end = _Parser(pattern.strip()).choice(0, "", 0)
    tree = options[0] if len(options) == 1 else (Choice(options),)
    if nullable(tree):
        raise InvalidPlan(f"pattern {pattern!r} also fits an empty task: something outside [ ] is needed")
    _refuse_touching_slots(tree, pattern)
    if end != len(pattern.strip()):  # the parser reads to the end or raises; this guards its invariant
        raise InvalidPlan(f"pattern {pattern!r}: could not be read from character {end + 1}")
    return tree


class _Parser:
    def __init__(self, pattern: str) -> None:
        self.pattern = pattern

    def fail(self, at: int, problem: str) -> InvalidPlan:
        return InvalidPlan(f"pattern {self.pattern!r}, character {at + 1}: {problem}")

    def choice(self, at: int, closing: str, depth: int) -> tuple[tuple[Sequence_, ...], int]:
        """Sequences between `|` up to `closing` ("" is the end); also where it ended, behind the bracket."""
        if depth > DEPTH_LIMIT:
            raise self.fail(at, f"brackets are nested more than {DEPTH_LIMIT} deep")
        start, options, nodes = at, list[Sequence_](), list[Node]()
        while at < len(self.pattern):
            char = self.pattern[at]
            if char == closing:
                return (*options, _joined(nodes)), at + 1
            if char == "|":
                options.append(_joined(nodes))
                nodes, at = [], at + 1
            else:
                node, at = self.node(char, at, depth)
                nodes.append(node)
        if closing:
            raise self.fail(start - 1, f"this bracket is never closed; expected {closing!r}")
        return (*options, _joined(nodes)), at

    def node(self, char: str, at: int, depth: int) -> tuple[Node, int]:
        if char == "{":
            return self.slot(at)
        if char == "(":
            options, end = self.choice(at + 1, ")", depth + 1)
            return Choice(options), end
        if char == "[":
            options, end = self.choice(at + 1, "]", depth + 1)
            return Choice((*options, ())), end
        if char in ")]}":
            raise self.fail(at, f"{char!r} closes nothing; write \\{char} for the character itself")
        if char.isspace():
            return Blanks(), at + 1
        if char == "\\":
            at += 1
            if at == len(self.pattern):
                raise self.fail(at - 1, "a backslash must be followed by the character it protects")
        return Literal(fold(self.pattern[at])), at + 1

    def slot(self, at: int) -> tuple[SlotNode, int]:
        end = self.pattern.find("}", at)
        name = self.pattern[at + 1 : end] if end > 0 else ""
        if not name.isidentifier():
            raise self.fail(at, f"expected a slot such as {{contact}}, found {self.pattern[at : at + 20]!r}")
        return SlotNode(name), end + 1


def _joined(nodes: list[Node]) -> Sequence_:
    """Neighbouring literals as one, and runs of blanks as one."""
    joined: list[Node] = []
    for node in nodes:
        last = joined[-1] if joined else None
        if isinstance(node, Literal) and isinstance(last, Literal):
            joined[-1] = Literal(last.text + node.text)
        elif not (isinstance(node, Blanks) and isinstance(last, Blanks)):
            joined.append(node)
    return tuple(joined)


def nullable(nodes: Sequence_) -> bool:
    """Whether the sequence fits nothing at all."""
    return all(isinstance(node, Choice) and any(map(nullable, node.options)) for node in nodes)


def slot_names(nodes: Sequence_) -> frozenset[str]:
    """Every slot that occurs."""
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, SlotNode):
            names.add(node.name)
        elif isinstance(node, Choice):
            names.update(*map(slot_names, node.options))
    return frozenset(names)


def certain_slots(nodes: Sequence_) -> frozenset[str]:
    """The slots that have a value whichever way the pattern fits."""
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, SlotNode):
            names.add(node.name)
        elif isinstance(node, Choice):
            names |= frozenset.intersection(*map(certain_slots, node.options))
    return frozenset(names)


def plainest(nodes: Sequence_, values: Mapping[str, str] = MappingProxyType({})) -> str:
    """
    The shortest way to say it that a person would: first options, nothing optional. A slot that has none of `values` is shown
    as `{name}`.
    """
    words = ""
    for node in nodes:
        if isinstance(node, Literal):
            words += node.text
        elif isinstance(node, SlotNode):
            words += values.get(node.name, f"{{{node.name}}}")
        elif isinstance(node, Choice):
            words += "" if nullable((node,)) else plainest(node.options[0], values)
        else:
            words += " "
    return words


def wordings(nodes: Sequence_, values: Mapping[str, str], limit: int) -> tuple[str, ...]:
    """Up to `limit` ways to say it with these values for its slots, the plainest one first."""
    said = [plainest(nodes, values), *("".join(parts) for parts in islice(_said(nodes, values), limit))]
    return tuple(dict.fromkeys(said))[:limit]


def _said(nodes: Sequence_, values: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    """Every way through, the first options first, one part after the other; lazily, for there may be millions."""
    if not nodes:
        yield ()
        return
    first, *rest = nodes
    if isinstance(first, Choice):
        beginnings: Iterator[tuple[str, ...]] = (way for option in first.options for way in _said(option, values))
    else:
        beginnings = iter([(plainest((first,), values),)])
    for beginning in beginnings:
        for ending in _said(tuple(rest), values):
            yield (*beginning, *ending)


def literal_characters(nodes: Sequence_) -> frozenset[str]:
    """Characters that every fitting task contains (folded)."""
    return frozenset(char for node in nodes if isinstance(node, Literal) for char in node.text)


def _refuse_touching_slots(nodes: Sequence_, pattern: str) -> None:
    """Nothing would tell where one value ends and the next begins; and no name may be used twice on one way through."""
    _walk(nodes, pattern, frozenset(), touching=False)


def _walk(nodes: Sequence_, pattern: str, seen: frozenset[str], *, touching: bool) -> tuple[frozenset[str], bool]:
    """`touching`: the text before may end in a slot. Returns the same after `nodes`, with the names seen."""
    for node in nodes:
        if isinstance(node, SlotNode):
            if touching:
                raise InvalidPlan(f"pattern {pattern!r}: nothing tells where the slot before {{{node.name}}} ends")
            if node.name in seen:
                raise InvalidPlan(f"pattern {pattern!r}: slot {{{node.name}}} occurs twice")
            seen, touching = seen | {node.name}, True
        elif isinstance(node, Choice):
            ends = [_walk(option, pattern, seen, touching=touching) for option in node.options]
            seen, touching = seen.union(*(names for names, _ in ends)), any(touch for _, touch in ends)
        elif isinstance(node, Literal):
            touching = False
    return seen, touching
