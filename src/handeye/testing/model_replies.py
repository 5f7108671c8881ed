"""
Write a model family's answer about a known location, in the family's exact format.

For tests and the test server: the scene is known, this module writes the answer in the family's format and numbers, and
the parser must recover the scene. It shares no code with the parser: the arithmetic is implemented again, in reverse.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from handeye.geometry import Box, CoordinateSpace, Point
from handeye.models import Format, Order, Profile, SentImage

UNIT_DIGITS: Final = 4
"""Decimals of a number in 0-1, enough to distinguish the pixels of an 8K frame. Models write two to four."""
PERCENT_DIGITS: Final = 1
"""Decimals of a percentage, as Molmo writes it."""

_Numbers = list[str]


def write_box(profile: Profile, sent: SentImage, box: Box, label: str = "it") -> str:
    """Return the family's answer for a box in frame pixels. A family that writes points returns the centre pixel."""
    if profile.format in _POINT_FORMATS:
        return write_point(profile, sent, box.center, label)
    return _written(profile, _in_order(profile, written_numbers(profile, sent, box)), label)


def write_point(profile: Profile, sent: SentImage, point: Point, label: str = "it") -> str:
    """Return the family's answer for one frame pixel; a family that only writes boxes returns one of zero size."""
    numbers = written_numbers(profile, sent, point)
    if profile.format not in _POINT_FORMATS:
        numbers = [*numbers, *numbers]
    return _written(profile, _in_order(profile, numbers), label)


def written_numbers(profile: Profile, sent: SentImage, place: Box | Point) -> _Numbers:
    """Return the location in the family's numbers, x first, rounded to what it can write."""
    sides = (sent.part.width, sent.part.height)
    corner = (sent.part.left, sent.part.top)
    return [
        _number(profile, Fraction(value - corner[at % 2], sides[at % 2]), sent.size[at % 2])
        for at, value in enumerate(place)
    ]


def _number(profile: Profile, share: Fraction, sent_side: int) -> str:
    """Format a fraction (0-1) of a side as the family does."""
    if profile.bins:
        return str(min(999, math.floor(share * 1000)))
    if profile.space is CoordinateSpace.UNIT:
        return _decimal(share, UNIT_DIGITS)
    if profile.space is CoordinateSpace.PER_MILLE:
        return _decimal(share * 1000, 0)
    if profile.grid is not None:
        return _decimal(share * profile.grid.width, PERCENT_DIGITS)
    return _decimal(share * sent_side, 0)


def _decimal(value: Fraction, digits: int) -> str:
    """Round half up, without converting to float."""
    scaled = math.floor(value * 10**digits + Fraction(1, 2))
    return f"{scaled / 10**digits:.{digits}f}"


def _in_order(profile: Profile, numbers: _Numbers) -> _Numbers:
    if profile.order is Order.XY:
        return numbers
    return [number for pair in zip(numbers[0::2], numbers[1::2], strict=True) for number in reversed(pair)]


def _written(profile: Profile, numbers: _Numbers, label: str) -> str:
    return _WRITERS[profile.format](numbers, label)


def _listed(numbers: _Numbers) -> str:
    return f"[{','.join(numbers)}]"


def _pairs(numbers: _Numbers) -> str:
    return ",".join(f"({x},{y})" for x, y in zip(numbers[0::2], numbers[1::2], strict=True))


def _edges(numbers: _Numbers, _label: str) -> str:
    named = ", ".join(
        f'"{name}": {value}' for name, value in zip(("xmin", "ymin", "xmax", "ymax"), numbers, strict=True)
    )
    return f'{{"found": true, {named}, "confidence": 0.9}}'


def _keyed(key: str) -> Callable[[_Numbers, str], str]:
    return lambda numbers, label: f'```json\n[\n  {{"{key}": [{", ".join(numbers)}], "label": {_json(label)}}}\n]\n```'


def _json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


_POINT_FORMATS: Final = frozenset({
    Format.POINTS, Format.COORDINATE, Format.POINT_ATTRIBUTES, Format.PAIR, Format.LIST, Format.START_BOX,
    Format.START_BOX_TOKENS, Format.PYAUTOGUI, Format.CLICK_CALL, Format.DO_ACTION,
})  # fmt: skip

_WRITERS: Final[Mapping[Format, Callable[[_Numbers, str], str]]] = MappingProxyType({
    Format.NAMED_EDGES: _edges,
    Format.BBOX_2D: _keyed("bbox_2d"),
    Format.BOX_2D: _keyed("box_2d"),
    Format.POINTS: lambda n, label: f'{{"points": [{{"x": {n[0]}, "y": {n[1]}}}]}}',
    Format.COORDINATE: lambda n, label: (
        "<tool_call>\n"
        f'{{"name": "computer_use", "arguments": {{"action": "left_click", "coordinate": [{n[0]}, {n[1]}]}}}}'
        "\n</tool_call>"
    ),
    Format.REF_BOX: lambda n, label: f"<ref>{label}</ref><box>{_pairs(n)}</box>",
    Format.OBJECT_BOX: lambda n, label: (
        f"<|object_ref_start|>{label}<|object_ref_end|><|box_start|>{_pairs(n)}<|box_end|><|im_end|>"
    ),
    Format.NESTED_BOX: lambda n, label: f"<ref>{label}</ref><box>[{_listed(n)}]</box>",
    Format.PLAIN_BOX: lambda n, label: f"<ref>{label}</ref><box>{' '.join(n)}</box>",
    Format.BEGIN_BOX: lambda n, label: f"It is here: <|begin_of_box|>[{_listed(n)}]<|end_of_box|>",
    Format.BBOX_TAG: lambda n, label: f"<bbox>{' '.join(n)}</bbox>",
    Format.POINT_ATTRIBUTES: lambda n, label: f'<point x="{n[0]}" y="{n[1]}" alt="{label}">{label}</point>',
    Format.LOC_TOKENS: lambda n, label: f"{label}{''.join(f'<loc_{value}>' for value in n)}</s>",
    Format.PAIR: lambda n, label: f"({', '.join(n)})",
    Format.LIST: lambda n, label: f"[{', '.join(n)}]",
    Format.START_BOX: lambda n, label: f"Thought: I see {label}.\nAction: click(start_box='({','.join(n)})')",
    Format.START_BOX_TOKENS: lambda n, label: (
        f"Thought: I see {label}.\nAction: click(start_box='<|box_start|>({','.join(n)})<|box_end|>')"
    ),
    Format.OPERATION: lambda n, label: (
        f"Grounded Operation: CLICK(box=[[{','.join(value.zfill(3) for value in n)}]], "
        f"element_type='button', element_info='{label}')"
    ),
    Format.PYAUTOGUI: lambda n, label: f"```python\npyautogui.click(x={n[0]}, y={n[1]})\n```",
    Format.CLICK_CALL: lambda n, label: f"Click({', '.join(n)})",
    Format.DO_ACTION: lambda n, label: f'<think>{label}</think><answer>do(action="Tap", element={_listed(n)})</answer>',
})  # fmt: skip
