"""The control around a label: the evenly coloured face that a button or an input field draws behind its text."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from handeye.geometry import Box
from handeye.screen import Pixels, Screen

# A row or column belongs to the face while this share of it has the face's colour; text and icons on it take the rest.
_SHARE: Final = 0.6
_SAME_COLOUR: Final = 10  # difference per channel: JPEG and soft gradients
# A face higher than so many text heights, or wider than this share of the frame with no border, is a panel, not a control.
_HIGHEST: Final = 5.0
_WIDEST: Final = 0.97


def face_of(screen: Screen, label: Box) -> Box | None:
    """The button face or field behind the text in `label`, in frame pixels; None when it stands on the bare page."""
    around = label.expand(max(2, label.height // 6)).clip(screen.size)
    colour = _border_colour(screen.pixels, around)
    same = np.abs(screen.pixels.astype(np.int16) - colour).max(axis=2) <= _SAME_COLOUR
    reach = round(label.height * _HIGHEST)
    top = _edge(same[max(0, around.top - reach) : around.top, around.left : around.right][::-1])
    bottom = _edge(same[around.bottom : around.bottom + reach, around.left : around.right])
    if top is None or bottom is None:
        return None
    upper, lower = around.top - top, around.bottom + bottom
    left = _edge(same[upper:lower, : around.left].T[::-1])
    right = _edge(same[upper:lower, around.right :].T)
    width = screen.size.width
    face = Box(
        around.left - (around.left if left is None else left),
        upper,
        around.right + (width - around.right if right is None else right),
        lower,
    )
    if face.height > _HIGHEST * label.height or face.width > _WIDEST * width:
        return None
    return face


def _border_colour(pixels: Pixels, box: Box) -> npt.NDArray[np.int16]:
    rim = np.concatenate(
        [
            pixels[box.top, box.left : box.right],
            pixels[box.bottom - 1, box.left : box.right],
            pixels[box.top : box.bottom, box.left],
            pixels[box.top : box.bottom, box.right - 1],
        ]
    )
    return np.asarray(np.median(rim, axis=0), np.int16)


def _edge(rows: npt.NDArray[np.bool_]) -> int | None:
    """How many rows from the first on are mostly of the colour; None when all are, so that no edge is in sight."""
    if not rows.size:
        return None
    ends = np.flatnonzero(rows.mean(axis=1) < _SHARE)
    return int(ends[0]) if len(ends) else None
