"""Parser of `derived_from` (docs/spec/perception-tiers.md): a small language for a rectangle that follows from other elements.

    border_x = A.rect[2], using A=[3] HeaderItem
    splitter_x = (A.rect[2] + B.rect[0]) / 2, using A=[5] Pane, B=[6] Pane
    rect = (A.rect[2]-8, A.rect[3]-8, A.rect[2], A.rect[3]), using A=[9] DataGrid

Nothing but sums, products and the edges of the named elements is evaluated. The whole grammar:

    derivation = names "=" value, "using" anchor { "," anchor }
    value      = expression | "(" expression { "," expression } ")" | LETTER ".rect"        four expressions, or one
    expression = term { ("+" | "-") term }
    term       = factor { ("*" | "/") factor }
    factor     = NUMBER | LETTER ".rect[" 0..3 "]" | "(" expression ")" | "-" factor
    anchor     = LETTER "=" "[" ID "]" [ WORD ]
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from handeye.elements import UIElement
from handeye.geometry import Box

BORDER_HALF_WIDTH: Final = 3
"""
Half the width of a border's box in pixels, so that its centre is the border itself. GTK accepts a drag within 3 pixels of a
header's border (TREE_VIEW_DRAG_WIDTH is 6), Qt within 4, Windows 4-5; a wider box would cover adjacent text.
"""

LONGEST: Final = 300
"""Longest derivation in characters. The longest one that the rules write has 90."""

_DEEPEST: Final = 8  # nesting depth of brackets
_TOKEN: Final = re.compile(r"\s*(?:(\d{1,9}(?:\.\d{1,6})?)|([A-Za-z_][A-Za-z_0-9]*)|(.))")
_ANCHOR: Final = re.compile(r"\s*([A-Za-z]\w{0,15})\s*=\s*\[(\d{1,9})\](?:\s*\[?([A-Za-z][A-Za-z ]{0,30})\]?)?\s*")
_ACROSS: Final = frozenset({"border_x", "splitter_x", "x", "left_x", "right_x"})
_DOWN: Final = frozenset({"border_y", "splitter_y", "y", "top_y", "bottom_y"})
_WHOLE: Final = frozenset({"rect", "handle", "grip"})
_EDGES: Final = 4


class DerivationError(Exception):
    """A derivation that cannot be parsed, or that yields no rectangle."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """An element that a derivation refers to: its letter, its id, and the control type that the derivation gives it."""

    letter: str
    id: int
    control_type: str = ""


@dataclass(frozen=True, slots=True)
class Derivation:
    """
    `kind` is "x", "y" or "rect"; `values` are one coordinate or four edges, in pixels; `anchors` are in the order given.
    """

    kind: str
    values: tuple[float, ...]
    anchors: tuple[Anchor, ...]

    def box(self, rects: Mapping[int, Box]) -> Box:
        """
        Return the rectangle: the four edges, or a strip of 2 x `BORDER_HALF_WIDTH` pixels around the coordinate, over the
        extent that all anchors share. Raises DerivationError if it has no area.
        """
        numbers = [math.floor(value + 0.5) for value in self.values]
        spans = [rects[anchor.id] for anchor in self.anchors]
        if self.kind == "x":
            top, bottom = max(each.top for each in spans), min(each.bottom for each in spans)
            found = Box(numbers[0] - BORDER_HALF_WIDTH, top, numbers[0] + BORDER_HALF_WIDTH, bottom)
        elif self.kind == "y":
            left, right = max(each.left for each in spans), min(each.right for each in spans)
            found = Box(left, numbers[0] - BORDER_HALF_WIDTH, right, numbers[0] + BORDER_HALF_WIDTH)
        else:
            found = Box(*numbers)
        if found.width <= 0 or found.height <= 0:
            raise DerivationError("its rectangle has no area")
        return found


def derive(text: str, rects: Mapping[int, Box]) -> Derivation:
    """
    Parse a derivation and evaluate it with `rects`, the rectangles of elements by id. Raises DerivationError with a reason that
    quotes nothing of `text`.
    """
    if len(text) > LONGEST:
        raise DerivationError(f"its derivation has more than {LONGEST} characters")
    formula, using, named = text.partition("using")
    if not using:
        raise DerivationError("its derivation names no elements that it uses")
    anchors = _anchors(named)
    missing = [anchor.id for anchor in anchors if anchor.id not in rects]
    if missing:
        raise DerivationError(f"there is no element [{missing[0]}] with a place")
    parser = _Parser(formula.rstrip().removesuffix(","), {anchor.letter: rects[anchor.id] for anchor in anchors})
    kind, values = parser.assignment()
    if not all(math.isfinite(value) and abs(value) < 1e6 for value in values):
        raise DerivationError("its numbers are beyond any screen")
    return Derivation(kind, values, anchors)


def renumbered(text: str, numbers: Mapping[int, int]) -> str:
    """Return a derivation with the ids of its anchors replaced as in `numbers`."""
    formula, using, named = text.partition("using")
    changed = re.sub(r"=(\s*)\[(\d+)\]", lambda m: f"={m[1]}[{numbers.get(int(m[2]), int(m[2]))}]", named)
    return formula + using + changed


def _anchors(text: str) -> tuple[Anchor, ...]:
    found: list[Anchor] = []
    for part in text.split(","):
        match = _ANCHOR.fullmatch(part)
        if match is None:
            raise DerivationError("the elements that it uses cannot be read")
        found.append(Anchor(match[1], int(match[2]), (match[3] or "").strip()))
    if len({anchor.letter for anchor in found}) != len(found):
        raise DerivationError("one letter stands for two elements")
    return tuple(found)


class _Parser:
    def __init__(self, text: str, rects: Mapping[str, Box]) -> None:
        self._tokens = [match.group().strip() for match in _TOKEN.finditer(text) if match.group().strip()]
        self._at = 0
        self._depth = 0
        self._edges_read = 0
        self._rects = rects

    def assignment(self) -> tuple[str, tuple[float, ...]]:
        name = self._next().casefold()
        self._take("=")
        kind = "x" if name in _ACROSS else "y" if name in _DOWN else "rect" if name in _WHOLE else None
        if kind is None:
            raise DerivationError("it does not say which coordinate it derives")
        values = self._edges() if kind == "rect" else (self._sum(),)
        if not self._edges_read:
            raise DerivationError("its formula follows from no element")
        if self._at != len(self._tokens):
            raise DerivationError("its formula goes on where it should end")
        return kind, values

    def _edges(self) -> tuple[float, ...]:
        if self._peek() in ("(", "["):
            closing = {"(": ")", "[": "]"}[self._next()]
            values = [self._sum()]
            while self._peek() == ",":
                self._next()
                values.append(self._sum())
            self._take(closing)
            if len(values) != _EDGES:
                raise DerivationError(f"its rectangle has {len(values)} edges")
            return tuple(values)
        rect = self._rect_of(self._next())
        return tuple(float(edge) for edge in rect)

    def _sum(self) -> float:
        value = self._product()
        while self._peek() in ("+", "-"):
            sign = 1 if self._next() == "+" else -1
            value += sign * self._product()
        return value

    def _product(self) -> float:
        value = self._factor()
        while self._peek() in ("*", "/"):
            operator, other = self._next(), self._factor()
            if operator == "/" and other == 0:
                raise DerivationError("it divides by zero")
            value = value * other if operator == "*" else value / other
        return value

    def _factor(self) -> float:
        token = self._next()
        if token[0].isdecimal():
            return float(token)
        if token == "-":
            return -self._deeper(self._factor)
        if token == "(":
            value = self._deeper(self._sum)
            self._take(")")
            return value
        rect = self._rect_of(token)
        self._take("[")
        edge = self._next()
        self._take("]")
        if edge not in ("0", "1", "2", "3"):
            raise DerivationError("a rectangle has the edges 0 to 3")
        return float(rect[int(edge)])

    def _deeper(self, read: Callable[[], float]) -> float:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise DerivationError("its formula is too deep")
        value = read()
        self._depth -= 1
        return value

    def _rect_of(self, letter: str) -> Box:
        if not letter.isidentifier():
            raise DerivationError("its formula cannot be read")
        if letter not in self._rects:
            raise DerivationError("its formula names an element that it does not use")
        self._edges_read += 1
        self._take(".")
        self._take("rect")
        return self._rects[letter]

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _next(self) -> str:
        if self._at >= len(self._tokens):
            raise DerivationError("its formula ends too early")
        self._at += 1
        return self._tokens[self._at - 1]

    def _take(self, token: str) -> None:
        if self._next() != token:
            raise DerivationError("its formula cannot be read")


# The result type of tier 1+: a part that no application reports, inferred from elements that it does.


STRUCTURE_SOURCE: Final = "structure"

INFERRED: Final = ("column border", "row border", "resize handle", "splitter", "panel grip")
"""The roles that are inferred (tier 1+ of docs/spec/perception-tiers.md)."""

LEAST_CONFIDENCE: Final = 0.7
"""Parts below this confidence are dropped (tier 1+, step 4 of docs/spec/perception-tiers.md)."""


@dataclass(frozen=True, slots=True)
class Inference:
    """
    One part that follows from the rectangles of others. `box` is in desktop pixels; a drag starts at its centre.

    `derived_from` is the formula of the box in the language of `handeye.perceive.structure.derivation`, in terms of the ids
    in `anchors`. `parent` is the id of its container. `about` goes into the element's metadata: "between" holds the names
    of the parts on both sides, in reading order. `instead_of` are the ids of unnamed elements that are this part and need
    not be listed too.
    """

    role: str
    name: str
    box: Box
    confidence: float
    derived_from: str
    anchors: tuple[int, ...]
    parent: int | None = None
    about: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    instead_of: frozenset[int] = frozenset()

    def element(self, number: int) -> UIElement:
        """Return it as an element with the id `number`."""
        metadata = {"derived_from": self.derived_from, "anchors": self.anchors, **self.about}
        return UIElement(
            self.role,
            self.name,
            self.box,
            self.confidence,
            STRUCTURE_SOURCE,
            id=number,
            parent=self.parent,
            interactive=True,
            metadata=metadata,
        )
