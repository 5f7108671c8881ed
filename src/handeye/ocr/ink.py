"""The ink inside a box: cutting a detector's generous box down to what is really drawn there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from handeye.geometry import Box
from handeye.screen import Pixels

# A pixel is ink when it differs from the background by this share of the strongest contrast in the box, and at least so much.
_CONTRAST_SHARE: Final = 0.25
_CONTRAST_LEAST: Final = 20
# Words of one line are never this many line heights apart: a wider gap separates two labels.
LABEL_GAP: Final = 1.6


def ink(pixels: Pixels, box: Box) -> npt.NDArray[np.bool_]:
    """Which pixels inside `box` are not background; the background is the commonest colour (in steps of 8)."""
    part = pixels[box.top : box.bottom, box.left : box.right]
    coarse = part.astype(np.int32) >> 3
    keys = (coarse[:, :, 0] << 10) | (coarse[:, :, 1] << 5) | coarse[:, :, 2]
    values, counts = np.unique(keys, return_counts=True)
    background = part[keys == values[counts.argmax()]].mean(axis=0)
    distance = np.abs(part - background).max(axis=2)
    strongest = float(np.percentile(distance, 99))
    return np.asarray(distance > max(_CONTRAST_LEAST, _CONTRAST_SHARE * strongest))


def split_labels(pixels: Pixels, box: Box) -> list[Box]:
    """`box` cut at gaps that no line of text has; each part cut to its ink sideways, with a small margin."""
    columns = np.flatnonzero(ink(pixels, box).any(axis=0))
    if not len(columns):
        return []
    gap = max(8, round(box.height * LABEL_GAP))
    cuts = np.flatnonzero(np.diff(columns) > gap)
    starts = np.concatenate(([columns[0]], columns[cuts + 1]))
    ends = np.concatenate((columns[cuts], [columns[-1]])) + 1
    margin = max(2, box.height // 10)
    return [
        Box(
            max(box.left, box.left + int(start) - margin),
            box.top,
            min(box.right, box.left + int(end) + margin),
            box.bottom,
        )
        for start, end in zip(starts, ends, strict=True)
    ]


def snap(pixels: Pixels, box: Box) -> Box:
    """`box` cut to its ink, one pixel of margin kept; the box itself when there is no ink."""
    mask = ink(pixels, box)
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return box
    return Box(
        max(box.left, box.left + int(columns[0]) - 1),
        max(box.top, box.top + int(rows[0]) - 1),
        min(box.right, box.left + int(columns[-1]) + 2),
        min(box.bottom, box.top + int(rows[-1]) + 2),
    )


def gaps(pixels: Pixels, box: Box, text: str, centres: Sequence[float]) -> tuple[int, ...]:
    """
    The widest run of columns without ink between each character and the one before it, blanks left out; 0 for the first.

    `centres` are the characters' places in frame pixels, right to about a third of a character.
    """
    columns = box.left + np.flatnonzero(ink(pixels, box).any(axis=0))
    widths = np.diff(columns) - 1
    middles, widths = (columns[:-1] + columns[1:])[widths > 0] / 2, widths[widths > 0]
    found: list[int] = []
    previous: float | None = None
    for character, centre in zip(text, centres, strict=True):
        between = () if previous is None else widths[(middles > previous) & (middles < centre)]
        found.append(int(max(between, default=0)) if not character.isspace() else 0)
        if not character.isspace():
            previous = centre
    return tuple(found)
