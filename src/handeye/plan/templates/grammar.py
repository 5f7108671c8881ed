"""
Grammar and parser of task patterns.

    给{contact}发[一条](微信|wechat)[消息]说{message}

* `{name}`: a slot. `(a|b)`: one of these. `[a]`, `[a|b]`: one of these or nothing. `\\` takes the next character literally.
* A blank matches one or more blanks. Case and full-width forms do not matter.
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
"""Most characters of one pattern. A sentence has fewer than 100; a person writes no longer pattern."""

PARSE_CACHE_SIZE: Final = 1024
"""Size of the parse cache: a pattern is parsed several times (for its file, its slots, its task); 77 patterns are bundled."""

DEPTH_LIMIT: Final = 8
"""Deepest nesting of brackets: more is unreadable, and the parser recurses once for each level."""


@dataclass(frozen=True, slots=True)
class Literal:
    """Folded characters that must be there."""

    text: str


@dataclass(frozen=True, slots=True)
class Blanks:
    """One or more blanks."""


@dataclass(frozen=True, slots=True)
class SlotNode:
    """A slot."""

    name: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several sequences. An optional part has an empty sequence as last option, so that the part is preferred."""

    options: tuple[tuple[Node, ...], ...]


Node = Literal | Blanks | SlotNode | Choice
Sequence_ = tuple[Node, ...]


@lru_cache(maxsize=PARSE_CACHE_SIZE)
def parse(pattern: str) -> Sequence_:
    """Return the tree of `pattern`. Raises InvalidPlan, which names the character position (from 1)."""
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
        """Return the sequences between `|` up to `closing` ("" is the end), and the index after the closing bracket."""
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
    """Merge neighbouring literals, and runs of blanks."""
    joined: list[Node] = []
    for node in nodes:
        last = joined[-1] if joined else None
        if isinstance(node, Literal) and isinstance(last, Literal):
            joined[-1] = Literal(last.text + node.text)
        elif not (isinstance(node, Blanks) and isinstance(last, Blanks)):
            joined.append(node)
    return tuple(joined)


def nullable(nodes: Sequence_) -> bool:
    """Return True if the sequence matches the empty text."""
    return all(isinstance(node, Choice) and any(map(nullable, node.options)) for node in nodes)


def slot_names(nodes: Sequence_) -> frozenset[str]:
    """Return the names of all slots."""
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, SlotNode):
            names.add(node.name)
        elif isinstance(node, Choice):
            names.update(*map(slot_names, node.options))
    return frozenset(names)


def required_slots(nodes: Sequence_) -> frozenset[str]:
    """Return the slots that have a value in every match."""
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, SlotNode):
            names.add(node.name)
        elif isinstance(node, Choice):
            names |= frozenset.intersection(*map(required_slots, node.options))
    return frozenset(names)


def plainest_wording(nodes: Sequence_, values: Mapping[str, str] = MappingProxyType({})) -> str:
    """
    Return the plainest wording: first options, no optional parts. A slot without a value in `values` is shown as `{name}`.
    """
    words = ""
    for node in nodes:
        if isinstance(node, Literal):
            words += node.text
        elif isinstance(node, SlotNode):
            words += values.get(node.name, f"{{{node.name}}}")
        elif isinstance(node, Choice):
            words += "" if nullable((node,)) else plainest_wording(node.options[0], values)
        else:
            words += " "
    return words


def wordings(nodes: Sequence_, values: Mapping[str, str], limit: int) -> tuple[str, ...]:
    """Return up to `limit` wordings with these values for the slots, the plainest one first."""
    found = [
        plainest_wording(nodes, values),
        *("".join(parts) for parts in islice(_all_wordings(nodes, values), limit)),
    ]
    return tuple(dict.fromkeys(found))[:limit]


def _all_wordings(nodes: Sequence_, values: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    """Yield the parts of every wording, first options first; lazily, since there may be millions."""
    if not nodes:
        yield ()
        return
    first, *rest = nodes
    if isinstance(first, Choice):
        beginnings: Iterator[tuple[str, ...]] = (
            way for option in first.options for way in _all_wordings(option, values)
        )
    else:
        beginnings = iter([(plainest_wording((first,), values),)])
    for beginning in beginnings:
        for ending in _all_wordings(tuple(rest), values):
            yield (*beginning, *ending)


def literal_characters(nodes: Sequence_) -> frozenset[str]:
    """Return the (folded) characters that every matching task contains."""
    return frozenset(char for node in nodes if isinstance(node, Literal) for char in node.text)


def _refuse_touching_slots(nodes: Sequence_, pattern: str) -> None:
    """Raise InvalidPlan for adjacent slots, whose boundary is undefined, and for a name used twice in one wording."""
    _walk(nodes, pattern, frozenset(), touching=False)


def _walk(nodes: Sequence_, pattern: str, seen: frozenset[str], *, touching: bool) -> tuple[frozenset[str], bool]:
    """Check `nodes`; `touching`: the text before may end in a slot. Return the names seen and `touching` after `nodes`."""
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
