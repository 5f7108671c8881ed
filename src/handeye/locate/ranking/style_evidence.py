"""Evidence from how a text is set: its height and its ink, against those of the other texts on the picture."""

from __future__ import annotations

from typing import Final
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.locate.ranking.pool import Column, Pool
from handeye.screen import Screen

Ink = npt.NDArray[np.float64]

_COLUMNS: Final = ("text_height", "height_among_equals", "ink_apart", "ink_colourful")
_INKED: Final = 0.9  # of the greatest difference from the ground: the pixels that letters cover wholly
_PLAIN: Final = 32
_LEAST_INKED: Final = 0.02  # of the pixels: a dash alone has no colour that could be compared

_seen: WeakKeyDictionary[Screen, dict[Box, Ink]] = WeakKeyDictionary()


def style_evidence(pool: Pool, screen: Screen | None) -> dict[str, Column]:
    """
    The height of each text as a share of the median text's, and of the largest with the same words; the difference of its ink
    from the median ink (0-1), and the distance of its ink from gray (0-1). Missing without a picture, and for what has no text
    or was not seen on the picture.
    """
    columns = {name: np.full(len(pool), np.nan) for name in _COLUMNS}
    seen = [at for at, each in enumerate(pool.elements) if each.source != "accessibility" and each.text.strip()]
    if screen is None or not seen:
        return columns
    boxes = [_text_box(pool.elements[at]) for at in seen]
    heights = np.array([box.height for box in boxes], dtype=np.float64)
    columns["text_height"][seen] = heights / max(1.0, float(np.median(heights)))
    labels = [pool.elements[at].text.strip().casefold() for at in seen]
    by_height = sorted(zip(heights, labels, strict=True))
    largest = {label: height for height, label in by_height}
    columns["height_among_equals"][seen] = heights / np.maximum(1.0, [largest[label] for label in labels])
    inks = np.stack([ink_of(screen, box) for box in boxes])
    known = inks[~np.isnan(inks[:, 0])]
    if len(known):
        columns["ink_apart"][seen] = np.abs(inks - np.median(known, axis=0)).max(axis=1) / 255
        columns["ink_colourful"][seen] = np.ptp(inks, axis=1) / 255
    return columns


def ink_of(screen: Screen, box: Box) -> Ink:
    """Return the mean RGB colour of the pixels that differ most from the ground; NaN where the box is empty or plain."""
    inks = _seen.setdefault(screen, {})
    if box not in inks:
        inks[box] = _ink(screen, box)
    return inks[box]


def _ink(screen: Screen, box: Box) -> Ink:
    box = box.clip(screen.size)
    pixels = screen.pixels[box.top : box.bottom, box.left : box.right].reshape(-1, 3).astype(np.float64)
    if not len(pixels):
        return np.full(3, np.nan)
    away = np.abs(pixels - np.median(pixels, axis=0)).max(axis=1)
    if np.mean(away >= _PLAIN) < _LEAST_INKED:
        return np.full(3, np.nan)
    ink: Ink = pixels[away >= _INKED * away.max()].mean(axis=0)
    return ink


def _text_box(element: UIElement) -> Box:
    return element.label_box or element.bbox
