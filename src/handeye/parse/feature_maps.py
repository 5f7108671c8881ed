"""The detector's feature maps, sampled at any box of a frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from handeye.parse.decoding import STRIDES
from handeye.parse.tiling import Tile

Floats = npt.NDArray[np.float32]
Codes = npt.NDArray[np.uint8]

# Channels of the maps of 8, 16 and 32 pixels per cell.
WIDTHS: Final = (64, 96, 96)
# Sampling points of each map, as shares of a box's sides. On the finest map the middle and the ends differ, on the
# coarser ones a box is a cell or two.
_THIRDS: Final = (1 / 6, 1 / 2, 5 / 6)
_INNER: Final = tuple((x, y) for y in _THIRDS for x in _THIRDS)
_ENDS: Final = ((0.0, 1 / 2), (1.0, 1 / 2))
_CORNERS: Final = ((1 / 4, 1 / 4), (3 / 4, 1 / 4), (1 / 4, 3 / 4), (3 / 4, 3 / 4))
_MIDDLE: Final = ((1 / 2, 1 / 2),)
ROI_FEATURES: Final = 4 * WIDTHS[0] + 2 * WIDTHS[1] + WIDTHS[2]
_UNIT: Final = 32.0  # codes are 0-255; most are below 64


class FeatureMap(NamedTuple):
    """
    The feature maps of one piece of a frame that was resized by `scale`: for each of STRIDES codes (channels, height,
    width) of 0-255, as the int8 network outputs them.
    """

    piece: Tile
    scale: float
    maps: tuple[Codes, ...]


def roi_features(boxes: Floats, seen: Sequence[FeatureMap]) -> Floats:
    """
    Return the maps' values at `boxes` (n, 4), left-top-right-bottom in frame pixels: (n, ROI_FEATURES). Zeros without maps.

    A box is looked up in the piece that its centre belongs to. On the finest map: the mean and the maximum of nine points,
    and both ends; on the next one the mean of four points and the centre; on the coarsest the centre.
    """
    features = np.zeros((len(boxes), ROI_FEATURES), np.float32)
    for each in seen:
        shown = boxes * each.scale
        middle = (shown[:, :2] + shown[:, 2:]) / 2
        own = each.piece.own
        here = np.flatnonzero(
            (middle[:, 0] >= own.left)
            & (middle[:, 0] < own.right)
            & (middle[:, 1] >= own.top)
            & (middle[:, 1] < own.bottom)
        )
        if len(here):
            features[here] = _at(shown[here] - np.tile((each.piece.shown.left, each.piece.shown.top), 2), each.maps)
    return features / _UNIT


def _at(boxes: Floats, maps: Sequence[Codes]) -> Floats:
    fine, middling, coarse = maps
    inner = _sampled(fine, STRIDES[0], boxes, _INNER)
    return np.concatenate(
        [
            inner.mean(1),
            inner.max(1),
            *_sampled(fine, STRIDES[0], boxes, _ENDS).transpose(1, 0, 2),
            _sampled(middling, STRIDES[1], boxes, _CORNERS).mean(1),
            _sampled(middling, STRIDES[1], boxes, _MIDDLE)[:, 0],
            _sampled(coarse, STRIDES[2], boxes, _MIDDLE)[:, 0],
        ],
        1,
    ).astype(np.float32)


def _sampled(values: Codes, stride: int, boxes: Floats, points: Sequence[tuple[float, float]]) -> Codes:
    """Return the codes of the nearest cells at points of each box, (n, points, channels)."""
    shares = np.array(points, np.float32)
    low, long = boxes[:, None, :2], boxes[:, None, 2:] - boxes[:, None, :2]
    cells = ((low + shares[None] * long) / stride).astype(np.intp)
    columns = np.clip(cells[:, :, 0], 0, values.shape[2] - 1)
    rows = np.clip(cells[:, :, 1], 0, values.shape[1] - 1)
    return np.asarray(values[:, rows, columns].transpose(1, 2, 0))
