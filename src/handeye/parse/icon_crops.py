"""
Crop an icon to a mask of distances from the background, the input of the icon encoder.

Colour, theme and padding do not change what an icon means, and a small network would have to learn that first. So each
pixel becomes its distance from the background's colour, the margin is trimmed, and the rest is scaled to one size. Training
uses this same function.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from handeye.geometry import Box
from handeye.screen import Pixels

SIDE: Final = 64
"""Width and height of a mask, in pixels."""

# A crop larger than this is shrunk first: finer detail does not survive the scaling to 64 pixels.
_WORKING_SIDE: Final = 128
# Width of the ring around the box that gives the background, as a share of the box's shorter side: a detector's box is
# tight, and its own edge is often ink.
_RING: Final = 0.08
# Colours are counted in bins of 16 steps: anti-aliasing and JPEG move a flat colour by a few.
_BIN_SHIFT: Final = 4
# Difference (of 255) that noise and compression cause between two pixels of one colour.
_NOISE: Final = 6.0
# Least maximal contrast, in steps; below it nothing is visible.
_MIN_CONTRAST: Final = 14.0
# Share of the pixels that may exceed full ink: specks and ringing.
_SPECKS: Final = 0.01
# Least share of full ink for a pixel to count as icon when the margin is trimmed.
_TRIM: Final = 0.2

Mask = npt.NDArray[np.float32]


def icon_mask(pixels: Pixels, box: Box) -> Mask:
    """
    Return the distance of each pixel of an icon from its background: shape (64, 64), 0 (background) to 1 (ink).

    `pixels` is a frame (height, width, 3), `box` the icon's box in frame pixels, which is clipped to the frame. The
    background is the most common colour right around the box. The margin is trimmed, the aspect kept, the icon centred. All
    zeros if the box is empty, outside the frame, or of one colour.
    """
    height, width = pixels.shape[:2]
    visible = box.intersect(Box(0, 0, width, height))
    if visible is None:
        return np.zeros((SIDE, SIDE), np.float32)
    box = visible
    ring = max(1, round(_RING * min(box.width, box.height)))
    left, top = max(0, box.left - ring), max(0, box.top - ring)
    around = pixels[top : box.bottom + ring, left : box.right + ring]
    background = _background(around, ring + 1)
    # One pixel more than the box: anti-aliased edges extend beyond it.
    inner = around[
        max(0, box.top - top - 1) : box.bottom - top + 1,
        max(0, box.left - left - 1) : box.right - left + 1,
    ]
    return _fitted(_trimmed(_distance(_shrunk(inner), background)))


def icon_masks(pixels: Pixels, boxes: Sequence[Box]) -> npt.NDArray[np.float32]:
    """Return the masks of many boxes, shape (n, 64, 64)."""
    if not boxes:
        return np.zeros((0, SIDE, SIDE), np.float32)
    return np.stack([icon_mask(pixels, box) for box in boxes])


def _background(around: Pixels, ring: int) -> npt.NDArray[np.float32]:
    """Return the most common colour of the ring: the mean of the pixels in its fullest bin, shape (3,)."""
    edge = np.concatenate(
        [
            around[:ring].reshape(-1, 3),
            around[-ring:].reshape(-1, 3),
            around[ring:-ring, :ring].reshape(-1, 3),
            around[ring:-ring, -ring:].reshape(-1, 3),
        ]
    )
    red, green, blue = (edge >> _BIN_SHIFT).astype(np.int32).T
    bins = (red << 8) + (green << 4) + blue
    fullest = int(np.bincount(bins).argmax())
    colour: npt.NDArray[np.float32] = edge[bins == fullest].mean(axis=0, dtype=np.float32)
    return colour


def _shrunk(crop: Pixels) -> Pixels:
    longest = max(crop.shape[:2])
    if longest <= _WORKING_SIDE:
        return crop
    scale = _WORKING_SIDE / longest
    size = (max(1, round(crop.shape[1] * scale)), max(1, round(crop.shape[0] * scale)))
    shrunk: Pixels = np.asarray(cv2.resize(crop, size, interpolation=cv2.INTER_AREA), np.uint8)
    return shrunk


def _distance(crop: Pixels, background: npt.NDArray[np.float32]) -> Mask:
    """Return the largest difference among the three channels, scaled so that the strongest ink is 1."""
    off = np.abs(crop.astype(np.float32) - background)
    steps = np.maximum(np.maximum(off[:, :, 0], off[:, :, 1]), off[:, :, 2])  # faster than `max(axis=2)`
    full = float(np.sort(steps, axis=None)[-1 - int(_SPECKS * steps.size)])  # `partition` is slow with many ties
    if full < _MIN_CONTRAST:
        return np.zeros(steps.shape, np.float32)
    mask: Mask = np.clip((steps - _NOISE) / (full - _NOISE), 0.0, 1.0)
    return mask


def _trimmed(mask: Mask) -> Mask:
    left, top, width, height = cv2.boundingRect((mask > _TRIM).view(np.uint8))
    return mask[top : top + height, left : left + width] if width else mask


def _fitted(mask: Mask) -> Mask:
    """Return the mask scaled to fit 64x64, its aspect kept, centred."""
    height, width = mask.shape
    scale = SIDE / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    drawn = np.asarray(cv2.resize(mask, size, interpolation=way), np.float32)
    fitted = np.zeros((SIDE, SIDE), np.float32)
    left, top = (SIDE - size[0]) // 2, (SIDE - size[1]) // 2
    fitted[top : top + size[1], left : left + size[0]] = drawn
    return fitted
