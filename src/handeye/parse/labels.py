"""The words that belong to a box without words: a check box's, a switch's, a field's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from handeye.geometry import Box
from handeye.parse.texts import Piece

# How far a label may stand, in pixels of a screen of scale 1.
_TICK_REACH: Final = 24
_FIELD_REACH: Final = 28  # from a field up to its label
_BESIDE_REACH: Final = 220  # from a field left to a label in a column


@dataclass(frozen=True, slots=True)
class Label:
    text: str
    box: Box


class _Placed(Protocol):
    @property
    def box(self) -> Box: ...

    @property
    def role(self) -> str: ...


def label_of(thing: _Placed, texts: Sequence[Piece], rows: Sequence[Box], scale: float) -> Label | None:
    """
    The label of a control among the texts on the bare page; None for one that has its words on it, or none near.

    A check box's and a radio button's stands right of it, else left; a switch's or slider's in its row, at the left; a field's
    above it with its left side, else left of it.
    """
    box, role = thing.box, thing.role
    if role in ("checkbox", "radio"):
        reach = _TICK_REACH * scale
        return _right(box, texts, reach) or _left(box, texts, reach)
    if role in ("switch", "slider"):
        row = min((each for each in rows if _holds(each, box)), key=lambda each: each.area, default=None)
        inside = [each for each in texts if row is not None and row.contains(each.box.center)]
        if inside:
            first = min(inside, key=lambda each: (each.box.top // max(1, each.box.height), each.box.left))
            return Label(first.text, first.box)
        far = box.left  # a switch stands at the end of its row, however wide
        return _left(box, texts, far) or _right(box, texts, _TICK_REACH * scale)
    if role in ("input", "combo box"):
        return _above(box, texts, _FIELD_REACH * scale) or _left(box, texts, _BESIDE_REACH * scale)
    return None


def _right(box: Box, texts: Sequence[Piece], reach: float) -> Label | None:
    near = [each for each in texts if _level(each.box, box) and _lap(each.box) <= each.box.left - box.right <= reach]
    return _first(near, lambda each: each.box.left)


def _left(box: Box, texts: Sequence[Piece], reach: float) -> Label | None:
    near = [each for each in texts if _level(each.box, box) and _lap(each.box) <= box.left - each.box.right <= reach]
    return _first(near, lambda each: -each.box.right)


def _lap(words: Box) -> int:
    """How far words may reach into a control that they stand beside: a reader's box takes in what touches its line."""
    return -min(words.height, words.width // 2)


def _above(box: Box, texts: Sequence[Piece], reach: float) -> Label | None:
    near = [
        each
        for each in texts
        if -2 <= box.top - each.box.bottom <= reach and abs(each.box.left - box.left) <= max(8, box.height / 2)
    ]
    return _first(near, lambda each: -each.box.bottom)


def _first(texts: Sequence[Piece], key: Callable[[Piece], int]) -> Label | None:
    best = min(texts, key=key, default=None)
    return Label(best.text, best.box) if best is not None else None


def _level(one: Box, other: Box) -> bool:
    """Whether the middle of one lies in the height of the other."""
    return one.top <= other.center.y < one.bottom or other.top <= one.center.y < other.bottom


def _holds(outer: Box, inner: Box) -> bool:
    return outer.contains(inner.center)
