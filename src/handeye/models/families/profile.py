"""
Profile of a model family: how it writes coordinates, and the picture size that it is sent.

A family is a row of data (handeye.models.families.general). No other part of Handeye depends on the name of a model.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Final

from handeye.geometry import CoordinateSpace, Size

PERCENT: Final = Size(100, 100)
"""The `grid` of a family that writes percent."""

THINKING: Final = (
    *((f"<{name}>", f"</{name}>") for name in (
        "think", "thinking", "thought", "thoughts", "reasoning", "reflection", "analysis", "scratchpad", "grounding_think",
        "seed:think",
    )),
    ("◁think▷", "◁/think▷"),
)  # fmt: skip
"""Marks around thinking, of every family: servers and prompts change them, and thinking is never the answer."""


GUESSED: Final = (
    "no family is known for this model's name, and its numbers were taken for 0-1000; say which it is (LLM_PROFILE)"
)
"""
The doubt on each place of such a model: pixels that are parsed as 0-1000 name another place (docs/model-families.md).
"""

UNVERSIONED: Final = (
    "this model's name does not tell its version, which decides what its numbers count; say which family it is "
    "(LLM_PROFILE)"
)
"""The doubt for a name such as `ui-tars`, under which models with 0-1000 and with pixels are served."""

GUESSES: Final = frozenset({GUESSED, UNVERSIONED})


class Shape(Enum):
    """Shape of the answer to a question for a place."""

    BOX = "box"
    POINT = "point"
    BOTH = "both"
    """
    Either, in the format that `format` names: a bare pair of numbers is a point, not half of a box; two pairs in round
    brackets are the corners of a box, not two points.
    """


class Order(Enum):
    """Order of the numbers in a pair, where the text does not name them."""

    XY = "x first"
    YX = "y first"


class Format(Enum):
    """
    Text format of a family's answer, which the prompt has to ask for. The example is a place with its label.

    `handeye.testing.model_replies` writes each of them; the numbers are in the space of the family.
    """

    NAMED_EDGES = '{"found": true, "xmin": 1, "ymin": 2, "xmax": 3, "ymax": 4, "confidence": 0.9}'
    BBOX_2D = '[{"bbox_2d": [1, 2, 3, 4], "label": "OK"}]'
    BOX_2D = '[{"box_2d": [2, 1, 4, 3], "label": "OK"}]'
    POINTS = '{"points": [{"x": 1, "y": 2}]}'
    COORDINATE = '{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [1, 2]}}'
    REF_BOX = "<ref>OK</ref><box>(1,2),(3,4)</box>"
    OBJECT_BOX = "<|object_ref_start|>OK<|object_ref_end|><|box_start|>(1,2),(3,4)<|box_end|>"
    NESTED_BOX = "<ref>OK</ref><box>[[1,2,3,4]]</box>"
    PLAIN_BOX = "<ref>OK</ref><box>1 2 3 4</box>"
    BEGIN_BOX = "<|begin_of_box|>[[1,2,3,4]]<|end_of_box|>"
    BBOX_TAG = "<bbox>1 2 3 4</bbox>"
    POINT_ATTRIBUTES = '<point x="1" y="2" alt="OK">OK</point>'
    LOC_TOKENS = "OK<loc_1><loc_2><loc_3><loc_4>"
    PAIR = "(1, 2)"
    LIST = "[1, 2]"
    START_BOX = "Thought: It is here.\nAction: click(start_box='(1,2)')"
    START_BOX_TOKENS = "Thought: It is here.\nAction: click(start_box='<|box_start|>(1,2)<|box_end|>')"
    OPERATION = "Grounded Operation: CLICK(box=[[001,002,003,004]], element_type='button', element_info='OK')"
    PYAUTOGUI = "pyautogui.click(x=1, y=2)"
    CLICK_CALL = "Click(1, 2)"
    DO_ACTION = '<think>It is here.</think><answer>do(action="Tap", element=[1,2])</answer>'


@dataclass(frozen=True, slots=True)
class SmartResize:
    """
    Resizing of a picture by a server before the model sees it (Qwen's `smart_resize`): each side to the nearest
    multiple of `factor`, then the whole scaled so that its pixels are `min_pixels` to `max_pixels`.

    A picture whose sides are multiples and whose pixels are within the bounds is not resized. Such servers reject
    pictures narrower than 1:200.
    """

    factor: int
    min_pixels: int
    max_pixels: int

    def seen(self, size: tuple[int, int]) -> Size:
        """Return the size that a picture of `size` has when the model sees it."""
        width, height = size
        sides = [max(self.factor, round(side / self.factor) * self.factor) for side in size]
        if sides[0] * sides[1] > self.max_pixels:
            shrink = math.sqrt(width * height / self.max_pixels)
            sides = [max(self.factor, math.floor(side / shrink / self.factor) * self.factor) for side in size]
        elif sides[0] * sides[1] < self.min_pixels:
            grow = math.sqrt(self.min_pixels / (width * height))
            sides = [math.ceil(side * grow / self.factor) * self.factor for side in size]
        return Size(*sides)

    def budget(self, *, most: int) -> ImageBudget:
        """Return the budget of pictures that this rule does not resize, with at most `most` pixels."""
        return ImageBudget(_LONGEST_SIDE, None, min(most, self.max_pixels), self.min_pixels, self.factor)


# Far above what the pixel limit allows for any screen: only a very narrow picture is that long.
_LONGEST_SIDE: Final = 8192

WIDEST: Final = 200
"""The largest ratio of two sides that `smart_resize` accepts."""


@dataclass(frozen=True, slots=True)
class ImageBudget:
    """
    Limits of the picture that is sent: at most `long_side` and `short_side` pixels and `max_pixels` in total; pictures
    are not enlarged, except up to `min_pixels`. Sides are multiples of `multiple`. Within these limits servers do not
    resize it.
    """

    long_side: int = 2048
    short_side: int | None = None
    max_pixels: int | None = None
    min_pixels: int = 1
    multiple: int = 1

    def fit(self, size: tuple[int, int]) -> Size:
        """
        Return the size at which a picture of `size` is sent; its aspect ratio is kept except for rounding and `WIDEST`.
        """
        width, height = size
        scale = min(1.0, self.long_side / max(size))
        if self.short_side is not None:
            scale = min(scale, self.short_side / min(size))
        if self.max_pixels is not None:
            scale = min(scale, math.sqrt(self.max_pixels / (width * height)))
        sides = [max(1.0, side * scale) for side in size]
        grow = math.sqrt(self.min_pixels / (sides[0] * sides[1]))
        if grow > 1:
            sides = [side * grow for side in sides]
        return Size(*self._whole(sides, up=grow > 1))

    def _whole(self, sides: list[float], *, up: bool) -> list[int]:
        """
        Return the sides as whole multiples, rounded so that the limits hold, and not narrower than `WIDEST` if there is
        a multiple.
        """
        unit = self.multiple
        most = max(unit, self.long_side // unit * unit)
        near = [math.ceil(side / unit) * unit if up else math.floor(side / unit) * unit for side in sides]
        whole = [min(max(side, unit), most) for side in near]
        if unit == 1:
            return whole
        least = math.ceil(max(whole) / WIDEST / unit) * unit
        whole = [max(side, least) for side in whole]
        while whole[0] * whole[1] < self.min_pixels:
            whole[whole.index(min(whole))] += unit
        return whole


@dataclass(frozen=True)
class Profile:
    """
    The answer format of one family of models.

    `names` are regular expressions; they are searched in a served name (lower case, "/" ":" "_" and spaces as "-") at
    the start of a word. Numbers are in `space`; `RESIZED` means pixels of the picture that was sent, or, with a `grid`,
    of a picture of that fixed size (`PERCENT`). With `bins`, a number is the index of a bin and means its centre.
    `otherwise` is the space of an answer whose numbers exceed `space`, where the family's own parser does the same.
    `detect`: the model is asked for `space`, and numbers that contradict it are classified by `geometry.detect_space`.

    `thinking` are pairs of marks around the model's thinking, in addition to `THINKING`. `resize` is how its servers
    resize a picture; `budget` avoids that. `source` is where the row is from; `conclusive` is True if that is the
    family's own code or document, or code that was measured with it. Other rows should be checked with `handeye model
    check`. `unversioned` matches names of the family under which a version with another coordinate space is served.
    `guessed` is the doubt on the answers of a model whose family was not stated (see `profile_to_use`); "" for none.
    """

    name: str
    names: tuple[str, ...]
    format: Format
    shape: Shape
    space: CoordinateSpace
    source: str
    order: Order = Order.XY
    grid: Size | None = None
    bins: bool = False
    otherwise: CoordinateSpace | None = None
    detect: bool = False
    budget: ImageBudget = ImageBudget()
    resize: SmartResize | None = None
    thinking: tuple[tuple[str, str], ...] = ()
    conclusive: bool = True
    unversioned: str = ""
    guessed: str = ""

    def sent_size(self, size: tuple[int, int]) -> Size:
        """
        Return the size at which a picture of `size` is sent: within the budget, and after the servers' own resizing
        rule.
        """
        sent = self.budget.fit(size)
        return sent if self.resize is None else self.resize.seen(sent)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile("|".join(rf"(?<![a-z0-9])(?:{name})" for name in self.names) or r"(?!)")

    def fits(self, served: str) -> int:
        """Return the number of letters of a served model's name (see `names`) that match this family; 0 for none."""
        return max((found.end() - found.start() for found in self._pattern.finditer(plain_name(served))), default=0)


def plain_name(served: str) -> str:
    """
    Return a served name in the form in which `Profile.names` are searched.

    >>> plain_name("Qwen/Qwen2.5-VL_7B")
    'qwen-qwen2.5-vl-7b'
    """
    return re.sub(r"[\s/:_\\]+", "-", served.strip().lower())
