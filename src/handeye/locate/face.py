"""The control around a label: the face or the frame line that a button or an input field draws around its text."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.geometry import Box
from handeye.screen import Pixels, Screen

# How far a control reaches above and below its text's ink, in heights of that ink. A 56 px field around a 16 px font without
# tall letters has 2.9 on each side; cards and panels have more, and hold other text.
_REACH: Final = 3.2
# Difference per channel that is still the same colour: JPEG, dithering; faint faces are 8 off the page. Rows of a gradient may
# differ by so much from one to the next, and from the text's first to its last.
_SAME_COLOUR: Final = 6
_DRIFT: Final = 4
_STEEPEST: Final = 80
# Above and below the text a row belongs to the face while half of it has one colour.
_ROW_SHARE: Final = 0.5
# Of each side so much is a visible edge, round corners left out; a line that merely passes above and below makes no control.
_EDGE_SHARE: Final = 0.8
_WIDEST: Final = 0.97
_SAMPLED: Final = 24  # columns of a label that are looked at to tell a row's colour
# A field's text begins at its left; a button's stands in the middle, give or take an icon.
FIELD_LEAST: Final = 2.5  # a field is wider than so many of its heights
_LEFT: Final = 0.3
_OFF_CENTRE: Final = 0.12

Colours = npt.NDArray[np.int16]


def face_of(screen: Screen, label: Box) -> Box | None:
    """The button face or field around the text in `label`, in frame pixels; None when it stands on the bare page."""
    around = label.expand(max(2, label.height // 6)).clip(screen.size)
    reach = round(label.height * _REACH)
    top, bottom = max(0, around.top - reach), min(screen.size.height, around.bottom + reach)
    band = screen.pixels[top:bottom]
    colours = _row_colours(band, around.translate(0, -top))
    if colours is None:
        return None
    upper, lower, rows = colours
    alike = _alike(band[upper:lower], rows)
    seeds = np.flatnonzero(alike[around.top - top - upper, around.left : around.right])
    seed = (around.left + int(seeds[0]), around.top - top - upper)
    _count, _filled, _mask, (left, above, width, height) = cv2.floodFill(alike, None, seed, 1)
    face = Box(left, above, left + width, above + height).translate(0, top + upper)
    if (
        face.height < label.height
        or face.width > _WIDEST * screen.size.width
        or not _has_edges(band, face.translate(0, -top), rows)
        or _is_section(screen, face)
    ):
        return None
    return face


def is_field(face: Box, label: Box) -> bool:
    """Whether a text at `label` stands in `face` as in an input field: at the left of much room."""
    return (
        face.width >= FIELD_LEAST * face.height
        and label.left - face.left <= _LEFT * face.width
        and not is_button(face, label)
    )


def is_button(face: Box, label: Box) -> bool:
    """Whether a text at `label` stands in `face` as on a button: in the middle of it, perhaps beside an icon."""
    off = abs(label.left + label.right - face.left - face.right) / 2
    return off <= max(_OFF_CENTRE * face.width, label.height)


def _row_colours(band: Pixels, label: Box) -> tuple[int, int, Colours] | None:
    """The rows [upper, lower) of the face and the colour of each; None when no edge is in sight, or nothing even."""
    strip = band[:, label.left : label.right : max(1, label.width // _SAMPLED)].astype(np.int16)
    medians = np.median(strip, axis=1).astype(np.int16)
    even = (np.abs(strip - medians[:, None]).max(axis=2) <= _SAME_COLOUR).mean(axis=1) >= _ROW_SHARE
    follows = np.abs(np.diff(medians, axis=0)).max(axis=1) <= _DRIFT  # row i + 1 after row i
    first, last = label.top, label.bottom - 1
    if not even[first] or not even[last] or np.abs(medians[first] - medians[last]).max() > _STEEPEST:
        return None
    above = _end((even[:first] & follows[:first])[::-1])
    below = _end(even[last + 1 :] & follows[last:])
    if above is None or below is None:
        return None
    medians[first : last + 1] = np.linspace(medians[first], medians[last], last - first + 1)  # not the letters' colours
    upper, lower = first - above, last + 1 + below
    return upper, lower, medians[upper:lower]


def _is_section(screen: Screen, face: Box) -> bool:
    """Whether the sides go on above or below it: a row of a table, a part of a card between two lines."""
    reach = max(3, face.height // 4)
    left = screen.pixels[:, [max(0, face.left - 2), face.left + 2]].astype(np.int16)
    right = screen.pixels[:, [face.right - 3, min(screen.size.width - 1, face.right + 1)]].astype(np.int16)
    for rows in (slice(max(0, face.top - reach), max(0, face.top - 2)), slice(face.bottom + 2, face.bottom + reach)):
        goes_on = [np.abs(side[rows, 0] - side[rows, 1]).max(axis=1) > _DRIFT for side in (left, right)]
        if goes_on[0].size and min(side.mean() for side in goes_on) >= _EDGE_SHARE:
            return True
    return False


def _alike(pixels: Pixels, rows: Colours) -> Pixels:
    """Which pixels (255) have the colour of their row."""
    least, most = rows.min(axis=0), rows.max(axis=0)
    if (most - least).max() <= _SAME_COLOUR:  # no gradient: eight times quicker
        middle = (least + most) // 2
        low, high = (tuple(map(int, middle + off)) for off in (-_SAME_COLOUR, _SAME_COLOUR))
        return np.asarray(cv2.inRange(pixels, low, high), np.uint8)
    colours = np.repeat(np.clip(rows, 0, 255).astype(np.uint8)[:, None], pixels.shape[1], axis=1)
    off = cv2.absdiff(pixels, colours)
    return np.asarray(cv2.inRange(off, (0, 0, 0), (_SAME_COLOUR,) * 3), np.uint8)


def _end(belongs: npt.NDArray[np.bool_]) -> int | None:
    """How many rows from the first on belong to the face; None when all do, so that no edge is in sight."""
    ends = np.flatnonzero(~belongs)
    return int(ends[0]) if len(ends) else None


def _has_edges(band: Pixels, face: Box, rows: Colours) -> bool:
    """Whether the rows just outside of the face differ from it along its straight part: a shape, not two lines that pass by."""
    corner = min(face.height // 2, face.width // 4)
    inside = slice(face.left + corner, face.right - corner)
    for outside, colour in (
        (range(face.top - 1, face.top - 3, -1), rows[0]),
        (range(face.bottom, face.bottom + 2), rows[-1]),
    ):
        lines = [band[row, inside] for row in outside if 0 <= row < len(band)]
        differs = [np.abs(line.astype(np.int16) - colour).max(axis=1) > _DRIFT for line in lines]
        if not differs or np.any(differs, axis=0).mean() < _EDGE_SHARE:
            return False
    return True
