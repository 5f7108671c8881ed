"""Detect an on-screen keyboard by its rows of letters, and whether it hides the field that it types into."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Final

import cv2
import numpy as np

from handeye.geometry import Box
from handeye.screen import Screen
from handeye.text import TextLine, normalize

_ROWS: Final = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
# Minimum number of letters that must be read of each row, in two rows at least: readers drop single letters.
_ROW_LEAST: Final = 4
_TOP_LEAST: Final = 0.45  # a keyboard is in the lower half
# Width and height of a field as shares of the frame; a list's row is wider, a button narrower.
_FIELD_WIDTH: Final = (0.35, 0.97)
_FIELD_HEIGHT: Final = (0.015, 0.075)
_FIELD_FILL: Final = 0.6  # its colour fills this share of it; text takes the rest
# Where the field is on a page that was resized for the keyboard: within this share of the height above the keyboard, or in
# the title bar.
_ABOVE: Final = 0.09
_TITLE_BAR: Final = 0.15
_REDUCED: Final = 3


def find_keyboard(screen: Screen, lines: Sequence[TextLine]) -> Box | None:
    """Return the keyboard's part of the frame, from the first row of letters down; None when there is none."""
    height = screen.size.height
    low = [line for line in lines if line.box.center.y > _TOP_LEAST * height]
    places: dict[int, float] = {}  # of each row that was read: its middle
    letter = 0
    for index, letters in enumerate(_ROWS):
        row = [line for line in low if _belongs(line, letters)]
        if len(_letters(row)) >= _ROW_LEAST:
            # The median: an icon above the keyboard may be read as a letter too.
            places[index] = median(line.box.center.y for line in row)
            letter = max(letter, round(median(line.box.height for line in row)))
    if len(places) < 2 or sorted(places.values()) != list(places.values()):
        return None
    (first, upper), (second, lower), *_more = places.items()
    pitch = (lower - upper) / (second - first)
    top = upper - first * pitch - letter
    return Box(0, max(0, round(top)), screen.size.width, height)


def _belongs(line: TextLine, letters: str) -> bool:
    """Return True for a single key of the row, or a run of adjacent ones that were read as one line."""
    text = normalize(line.text)
    return bool(text) and text in letters


def _letters(row: Sequence[TextLine]) -> set[str]:
    return {letter for line in row for letter in normalize(line.text)}


def hides_its_field(screen: Screen, keyboard: Box) -> bool:
    """
    Return True if no field can be seen above the keyboard.

    A keyboard is shown because some field has the focus. A page that was resized shows it: directly above the keyboard, or in
    its title bar as a search field.
    """
    height = screen.size.height
    near = keyboard.top - round(_ABOVE * height)
    fields = _fields(screen, keyboard.top)
    return not any(field.bottom >= near or field.center.y <= _TITLE_BAR * height for field in fields)


def _fields(screen: Screen, bottom: int) -> list[Box]:
    """Return evenly coloured wide and low boxes above `bottom`, which look like input fields."""
    small = cv2.resize(screen.pixels[:bottom], None, fx=1 / _REDUCED, fy=1 / _REDUCED, interpolation=cv2.INTER_NEAREST)
    coarse = (small.astype(np.int32) + 2) >> 2
    keys = (coarse[:, :, 0] << 14) | (coarse[:, :, 1] << 7) | coarse[:, :, 2]
    fields: list[Box] = []
    for key in _common(keys):
        _count, _labels, stats, _ = cv2.connectedComponentsWithStats((keys == key).astype(np.uint8), connectivity=4)
        for left, top, width, high, area in stats[1:].tolist():
            box = Box(left, top, left + width, top + high).scale(_REDUCED, _REDUCED)
            if _is_field(box, screen) and area >= _FIELD_FILL * width * high:
                fields.append(box)
    return fields


def _common(keys: np.ndarray[tuple[int, ...], np.dtype[np.int32]]) -> list[int]:
    """Return the colours that cover enough of the picture to be a field's."""
    values, counts = np.unique(keys, return_counts=True)
    return [int(value) for value in values[counts >= keys.size * 0.003]]


def _is_field(box: Box, screen: Screen) -> bool:
    wide, high = box.width / screen.size.width, box.height / screen.size.height
    return _FIELD_WIDTH[0] <= wide <= _FIELD_WIDTH[1] and _FIELD_HEIGHT[0] <= high <= _FIELD_HEIGHT[1]
