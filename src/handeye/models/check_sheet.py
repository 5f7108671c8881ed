"""
Test page for `handeye model check`: random words at random places, which only a model that sees the picture can name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from random import Random
from typing import Final

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from handeye.geometry import Box, Point, Size
from handeye.models.families.profile import Order
from handeye.screen import Screen

# Larger than every family's image budget, so that pixels of the frame and of the sent picture are different numbers, and not
# square, so that x and y differ too.
FRAME: Final = Size(2560, 1600)
BUTTONS: Final = 9
BUTTON: Final = Size(340, 110)
_GAP: Final = 40
_BAR: Final = 150  # the height of the bar with the word
_WORD_HEIGHT, _LABEL_HEIGHT = 96, 52
_PAGE, _BAR_COLOUR, _INK, _ON_BAR = "#f4f5f7", "#1f2937", "#111827", "#ffffff"
_COLOURS: Final = ("#bfdbfe", "#bbf7d0", "#fde68a", "#fecaca", "#ddd6fe", "#a5f3fc")
# Letters that are not mistaken for one another, combined to syllables: easy to read and spell, and in no dictionary.
_CONSONANTS, _VOWELS = "BDFGKLMNPRTV", "AEU"
_SYLLABLES: Final = 4
# A wrong reading must miss the target by more than this share of its height; otherwise the answer would not show which reading
# is right.
_MARGIN: Final = 0.5
_TRIES: Final = 200


class Counting(Enum):
    """Unit of the numbers in an answer."""

    UNIT = "0-1"
    PERCENT = "0-100"
    PER_MILLE = "0-1000"
    SENT = "pixels of the picture sent"
    FRAME = "pixels of the whole frame"


@dataclass(frozen=True, slots=True)
class Reading:
    """One interpretation of the numbers in an answer, as written: their unit, and whether x or y comes first."""

    counting: Counting
    order: Order

    def point(self, numbers: Sequence[float], sent: Size, frame: Size) -> tuple[float, float]:
        """Return the centre of a point or box, given as written in the answer, in pixels of the frame."""
        middles = [sum(numbers[axis::2]) / len(numbers[axis::2]) for axis in (0, 1)]
        x, y = middles if self.order is Order.XY else reversed(middles)
        across, down = _full(self.counting, sent, frame)
        return x * frame.width / across, y * frame.height / down

    def written(self, point: tuple[float, float], sent: Size, frame: Size) -> tuple[float, float]:
        """Return a point of the frame as a model with this unit and order would write it."""
        across, down = _full(self.counting, sent, frame)
        x, y = point[0] * across / frame.width, point[1] * down / frame.height
        return (x, y) if self.order is Order.XY else (y, x)


READINGS: Final = tuple(Reading(counting, order) for order in Order for counting in Counting)


def _full(counting: Counting, sent: Size, frame: Size) -> tuple[int, int]:
    """Return the numbers that stand for the full width and height in this unit."""
    whole = {Counting.UNIT: 1, Counting.PERCENT: 100, Counting.PER_MILLE: 1000}.get(counting)
    if whole is not None:
        return whole, whole
    return sent if counting is Counting.SENT else frame


@dataclass(frozen=True, slots=True)
class Sheet:
    """The page: `word` is in the dark bar at its top, `label` only on the button `target` (pixels of the frame)."""

    screen: Screen
    word: str
    label: str
    target: Box


def draw_sheet(sent: Size, chance: Random) -> Sheet:
    """
    Draw a new page. `sent` is the size in pixels at which it will be sent to the model.

    The target is placed so that a wrong interpretation of the model's numbers (see `Reading`) misses it.
    """
    for _ in range(_TRIES):
        boxes = list(_places(chance))
        if _distinguishes_readings(boxes[0], sent):
            break
    words = list(_words(chance))
    picture = Image.new("RGB", FRAME, _PAGE)
    pen = ImageDraw.Draw(picture)
    pen.rectangle((0, 0, FRAME.width, _BAR), fill=_BAR_COLOUR)
    _write(pen, words[-1], Point(FRAME.width // 2, _BAR // 2), _WORD_HEIGHT, _ON_BAR)
    for number, box in enumerate(boxes):
        pen.rounded_rectangle(
            (box.left, box.top, box.right - 1, box.bottom - 1), 16, fill=_COLOURS[number % len(_COLOURS)]
        )
        _write(pen, words[number], box.center, _LABEL_HEIGHT, _INK)
    return Sheet(Screen(np.array(picture)), words[-1], words[0], boxes[0])


def _places(chance: Random) -> Iterator[Box]:
    """Yield boxes for the buttons, at a distance from each other and below the bar."""
    taken: list[Box] = []
    while len(taken) < BUTTONS:
        left = chance.randint(_GAP, FRAME.width - BUTTON.width - _GAP)
        top = chance.randint(_BAR + _GAP, FRAME.height - BUTTON.height - _GAP)
        box = Box(left, top, left + BUTTON.width, top + BUTTON.height)
        if not any(box.expand(_GAP).intersect(other) for other in taken):
            taken.append(box)
            yield box


def _words(chance: Random) -> Iterator[str]:
    """Yield a different word for each button and one for the bar."""
    found: set[str] = set()
    while len(found) <= BUTTONS:
        word = "".join(chance.choice(_CONSONANTS) + chance.choice(_VOWELS) for _ in range(_SYLLABLES))
        if word not in found:
            found.add(word)
            yield word


def _distinguishes_readings(target: Box, sent: Size) -> bool:
    margin = target.expand(round(_MARGIN * target.height))
    exact = (float(Fraction(target.left + target.right, 2)), float(Fraction(target.top + target.bottom, 2)))
    for right in READINGS:
        numbers = right.written(exact, sent, FRAME)
        if any(margin.contains(_whole(wrong.point(numbers, sent, FRAME))) for wrong in READINGS if wrong != right):
            return False
    return True


def _whole(point: tuple[float, float]) -> Point:
    return Point(int(min(max(point[0], -1), 10**9)), int(min(max(point[1], -1), 10**9)))


def _write(pen: ImageDraw.ImageDraw, text: str, at: Point, height: int, colour: str) -> None:
    pen.text(at, text, fill=colour, font=ImageFont.load_default(size=height), anchor="mm")
