"""Convert values of a reply to the numbers of places: how many numbers, in which order, under which names.

A place that cannot be parsed with certainty is `Unreadable`. Nothing is completed, swapped or guessed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from handeye.models.families.profile import Order
from handeye.models.reply.json import CutObject, Unusable
from handeye.models.reply.text import Group, bracket_problem, number_group, tags

# Verbs and keys of replies, shared by the parsers of objects and calls: those that point at a place, and those of other
# actions.


Expected = Literal["box", "point"] | None
"""Shape of the numbers, as their key or tag names it."""

POINTING: Final = frozenset({
    "click", "leftclick", "leftsingle", "singleclick", "tap", "touch", "press", "longpress", "doubleclick", "doubletap",
    "leftdouble", "rightclick", "rightsingle", "middleclick", "tripleclick", "hover", "mousemove", "moveto", "move",
    "clickabsolute", "clickat", "hoverat", "locate", "point", "ground", "find", "select", "clickelement", "tapelement",
})  # fmt: skip
"""
Verbs that point at a place. It does not matter which one is used: the question was where, and the action is not
performed.
"""
TOOLS: Final = frozenset({
    "computeruse", "computer", "mobileuse", "browseruse", "computercall", "guiaction", "grounding", "answer",
})  # fmt: skip
"""Tools whose calls contain a place."""
ACTS: Final = frozenset({
    "type", "write", "typewrite", "scroll", "drag", "dragto", "swipe", "hotkey", "keypress", "keydown", "keyup", "wait",
    "sleep", "screenshot", "finished", "finish", "calluser", "openapp", "launch", "openurl", "navigate", "goto", "system",
    "popen", "run", "exec", "eval", "shell", "bash", "exit",
})  # fmt: skip
"""Verbs of other actions, wherever they occur."""
DOING: Final = frozenset({
    "endbox", "endpoint", "endcoordinate", "startcoordinate", "coordinate2", "direction", "app", "url", "key", "keys",
    "command", "cmd", "script",
})  # fmt: skip
"""Keys and arguments of actions that do more than point."""
TYPED: Final = frozenset({"text", "content", "value"})
"""In an action, the text to type; elsewhere a label."""

PLACE_KEYS: Final[dict[str, tuple[Expected, Order | None]]] = {
    "box2d": ("box", Order.YX),
    "bbox2d": ("box", Order.XY),
    "point2d": ("point", Order.XY),
    "coordinate": (None, Order.XY),
    "startbox": (None, Order.XY),
    **dict.fromkeys(("bbox", "box", "boundingbox", "bboxes", "boxes", "boundingboxes"), ("box", None)),
    **dict.fromkeys(("point", "points", "clickpoint", "center", "centre", "startpoint"), ("point", None)),
    **dict.fromkeys(("coordinates", "coords", "position", "location"), (None, None)),
}
"""
Keys that hold a place, the shape that they name, and the order that they imply: `box_2d` is Gemini's key, y first;
`bbox_2d`, `point_2d` and `coordinate` are Qwen's and Claude's, x first. For the others the family decides.
"""


def plain_key(key: str) -> str:
    return re.sub(r"[^a-z0-9]", "", key[:100].lower())


REFUSAL_NUMBER: Final = -1
"""A place of only this number is a "no": some families write [-1, -1] when they find nothing."""


class Unreadable(Exception):
    """A place cannot be parsed. `cut`: only because the reply ends too early."""

    def __init__(self, problem: str, *, cut: bool = False) -> None:
        super().__init__(problem)
        self.problem = problem
        self.cut = cut


@dataclass(frozen=True, slots=True)
class Written:
    """
    The numbers of one place, two (a point) or four (a box), as written. `order` is the one that the format implies;
    None uses the family's. `named`: each number was named (x, ymax), so that no order can contradict it.
    """

    numbers: tuple[float, ...]
    order: Order | None = None
    named: bool = False
    label: str = ""
    confidence: float | None = None

    @property
    def refused(self) -> bool:
        """True if the numbers mean that there is no such place."""
        return all(number == REFUSAL_NUMBER for number in self.numbers)

    def x_first(self, order: Order) -> tuple[float, ...]:
        """Return x, y or left, top, right, bottom, where `order` is the family's."""
        if (self.order or order) is Order.XY:
            return self.numbers
        y1, x1, *rest = self.numbers
        return (x1, y1, *reversed(rest))


_EDGES: Final = (
    ("xmin", "ymin", "xmax", "ymax"),
    ("x0", "y0", "x1", "y1"),
    ("x1", "y1", "x2", "y2"),
    ("left", "top", "right", "bottom"),
    ("minx", "miny", "maxx", "maxy"),
)
_CORNER_AND_SIZE: Final = ("left", "top", "width", "height")
_CENTRES: Final = (("x", "y"), ("centerx", "centery"), ("cx", "cy"))
_SIZES: Final = frozenset({"width", "height", "w", "h"})


def number(value: Any, name: str) -> float:
    """Return a finite number out of JSON; strings and booleans raise Unreadable."""
    if isinstance(value, Unusable):
        raise Unreadable(f"{name} {value.value}", cut=value is Unusable.UNFINISHED)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise Unreadable(f"{name} is not a number")
    return value


def named_numbers(keys: Mapping[str, Any]) -> Written | None:
    """
    Return the place that an object's named numbers form, by plain keys ("xmin"); None when there is none. Raises
    Unreadable when they form different places.
    """
    boxes = {_numbers(keys, names) for names in _EDGES if all(name in keys for name in names)}
    if all(name in keys for name in _CORNER_AND_SIZE):
        left, top, width, height = _numbers(keys, _CORNER_AND_SIZE)
        boxes.add((left, top, left + width, top + height))
    points = {_numbers(keys, names) for names in _CENTRES if all(name in keys for name in names)}
    if len(boxes) > 1 or len(points) > 1:
        raise Unreadable("its names tell of different places")
    for box in boxes:
        if any(not (box[0] <= x <= box[2] and box[1] <= y <= box[3]) for x, y in points):
            raise Unreadable("its point is not in its box")
        return Written(box, Order.XY, named=True)
    for point in points:
        if _SIZES & keys.keys():
            raise Unreadable("x, y with a width and a height may be a corner or the middle")
        if edges := sorted(_EDGE_NAMES & keys.keys()):
            raise Unreadable(f"x, y with {edges[0]!r} may be a corner or the middle")
        if isinstance(keys, CutObject):
            raise Unreadable("the object with x and y is cut off", cut=True)
        return Written(point, Order.XY, named=True)
    return None


_EDGE_NAMES: Final = frozenset(name for names in _EDGES for name in names)


def _numbers(keys: Mapping[str, Any], names: Iterable[str]) -> tuple[float, ...]:
    return tuple(number(keys[name], name) for name in names)


def places_of(value: Any, order: Order | None, expected: Expected = None) -> list[Written]:
    """Return the places of a list or text of numbers; [] for one that is empty or null. Raises Unreadable."""
    if value is None or value == [] or value == "":
        return []
    if isinstance(value, Unusable):
        raise Unreadable(f"a place {value.value}", cut=value is Unusable.UNFINISHED)
    if isinstance(value, str):
        return places_in(value, order, expected)
    if isinstance(value, list):
        return group_places(_group(value), order, expected)
    raise Unreadable(f"{str(value)[:40]!r} is no place")


def places_in(text: str, order: Order | None, expected: Expected = None) -> list[Written]:
    """Return the places of a text, as `places_of`: numbers with or without brackets, or a tag around them."""
    inner = tags(text[:1000])
    if inner and inner[0].start == 0 and inner[0].body is not None:
        text = inner[0].body
    group = number_group(text)
    if group is None:
        raise Unreadable(bracket_problem(text) or f"{text[:40]!r} is not a place")
    return group_places(group, order, expected)


def _group(values: Iterable[Any]) -> Group:
    items = [_group(item) if isinstance(item, list) else number(item, "a coordinate") for item in values]
    return Group(tuple(items))


def group_places(group: Group, order: Order | None, expected: Expected = None) -> list[Written]:
    """Return the places of a group of numbers. Raises Unreadable if their count fits neither a point nor a box."""
    numbers = group.numbers
    if numbers is not None:
        return [Written(_checked(numbers), order)]
    if len(group.items) == 1:
        return group_places(group.items[0], order, expected)
    parts = [part.numbers if isinstance(part, Group) else None for part in group.items]
    counts = {len(part) if part is not None else 0 for part in parts}
    if counts == {4}:
        return [Written(part, order) for part in parts if part is not None]
    pairs = [part for part in parts if part is not None and len(part) == 2]
    if counts != {2}:
        raise Unreadable("numbers and lists are mixed" if 0 in counts else "lists of different lengths")
    if expected == "point":
        return [Written(pair, order) for pair in pairs]
    flat = tuple(value for pair in pairs for value in pair)
    corners = expected == "box" or all(part.round for part in group.items)
    if len(pairs) == 2 and not corners:
        raise Unreadable("two pairs of numbers may be two points or two corners")
    if len(pairs) in (2, 4):
        return [Written(_checked(flat), order)]
    raise Unreadable(f"{len(pairs)} pairs of numbers are no box")


def _checked(numbers: tuple[float, ...]) -> tuple[float, ...]:
    """Return two or four numbers unchanged; reduce eight that are the corners of an upright rectangle to its box."""
    if len(numbers) in (2, 4):
        return numbers
    if len(numbers) == 8:
        firsts, seconds = sorted(set(numbers[0::2])), sorted(set(numbers[1::2]))
        corners = set(zip(numbers[0::2], numbers[1::2], strict=True))
        if len(firsts) == len(seconds) == 2 and len(corners) == 4:
            return (firsts[0], seconds[0], firsts[1], seconds[1])
        raise Unreadable("eight numbers that are not the corners of an upright box")
    raise Unreadable(f"{len(numbers)} numbers are neither a point nor a box")
