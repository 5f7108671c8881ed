"""
Decode the detector's output maps to boxes: channel layout, cell selection, and removal of duplicates.

The network has three output maps of 8, 16 and 32 pixels per cell. A cell has one logit per class and three boxes, one per
group of classes, so that an icon in the middle of its button, or a link that fills its row, does not take its neighbour's
cell. A box is four distances from the cell's centre to left, top, right and bottom, as logarithms in cells.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from handeye.parse.overlap import ious

# The detector's classes, in the order of its channels: roles of handeye.roles.
CLASSES: Final = (
    *("button", "input", "checkbox", "radio", "switch", "slider", "tab", "link", "menu item", "list item", "combo box"),
    *("icon", "image", "scroll bar", "window"),
)
# Classes that share a box in each cell: two of one group seldom have the same centre; of different groups they often do.
GROUPS: Final = (
    ("button", "input", "checkbox", "radio", "switch", "slider", "tab", "link", "combo box"),
    ("icon", "image"),
    ("menu item", "list item", "scroll bar", "window"),
)
GROUP_OF: Final = np.array([next(i for i, group in enumerate(GROUPS) if name in group) for name in CLASSES])
STRIDES: Final = (8, 16, 32)
CHANNELS: Final = len(CLASSES) + 4 * len(GROUPS)
# Range of the logarithms of distances: 1/20 of a cell to 90 cells (2,900 px on the coarsest map).
NEAREST: Final = -3.0
FARTHEST: Final = 4.5
# Boxes of one group are the same element from this IoU on: neighbours do not overlap, nested rows less than half.
_SAME: Final = 0.5
# A control and a container with this IoU are the same element.
_SAME_PLACE: Final = 0.85
_MEMBERS: Final = tuple(np.flatnonzero(number == GROUP_OF) for number in range(len(GROUPS)))
_TORN: Final = 3  # a score at its floor has one class with at least a third of it
_MOST: Final = 3000  # detections; a screen has at most some hundred elements

Floats = npt.NDArray[np.float32]


class RawDetections(NamedTuple):
    """
    Detections, the most certain first: (n, 4) left-top-right-bottom in pixels of the shown piece, classes, scores; `shares`
    (n, classes) are the probabilities of each class on its own in the cell, 0 for those of other groups.
    """

    boxes: Floats
    classes: npt.NDArray[np.intp]
    scores: Floats
    shares: Floats

    def only(self, chosen: npt.NDArray[Any]) -> RawDetections:
        """Return the selected detections; `chosen` are indices or a mask."""
        return RawDetections(*(part[chosen] for part in self))


def decode(maps: Sequence[Floats], floors: Floats) -> RawDetections:
    """
    Return the elements in `maps`, one (CHANNELS, height, width) map per stride.

    `floors` is the minimum score (0-1) per class.
    """
    parts = [_above_floor(values, stride, floors) for values, stride in zip(maps, STRIDES, strict=True)]
    found = RawDetections(*(np.concatenate(each) for each in zip(*parts, strict=True)))
    found = found.only(np.argsort(-found.scores, kind="stable")[:_MOST])
    return _one_per_place(_suppressed(found))


def _above_floor(values: Floats, stride: int, floors: Floats) -> RawDetections:
    """
    Return the detections of one map that reach their floor, by group.

    A box's score is the sum over its group's classes: a cell undecided between button and link is still certain that there
    is a control. The floor is that of the most probable class.
    """
    least = float(floors.min()) / _TORN
    loud = values[: len(CLASSES)] > math.log(least / (1 - least))
    parts = []
    for number, members in enumerate(_MEMBERS):
        rows, columns = np.nonzero(loud[members].any(axis=0))
        shares = 1 / (1 + np.exp(-values[members[:, None], rows, columns]))
        kinds = members[shares.argmax(axis=0)]
        scores = np.minimum(shares.sum(axis=0), 1)
        enough = scores >= floors[kinds]
        own = np.zeros((int(enough.sum()), len(CLASSES)), np.float32)
        own[:, members] = shares[:, enough].T
        parts.append((np.full(len(own), number), kinds[enough], rows[enough], columns[enough], scores[enough], own))
    groups, classes, rows, columns, scores, own = (np.concatenate(each) for each in zip(*parts, strict=True))
    first = len(CLASSES) + 4 * groups
    reach = [
        np.exp(np.clip(values[first + side, rows, columns], NEAREST, FARTHEST)) * np.float32(stride)
        for side in range(4)
    ]
    x, y = (columns + 0.5).astype(np.float32) * stride, (rows + 0.5).astype(np.float32) * stride
    boxes = np.stack([x - reach[0], y - reach[1], x + reach[2], y + reach[3]], axis=1).astype(np.float32)
    return RawDetections(boxes, classes, scores.astype(np.float32), own)


def _suppressed(found: RawDetections) -> RawDetections:
    """Apply non-maximum suppression per group."""
    if not len(found.scores):
        return found
    corners = np.concatenate([found.boxes[:, :2], found.boxes[:, 2:] - found.boxes[:, :2]], axis=1)
    kept = cv2.dnn.NMSBoxesBatched(
        corners.tolist(), found.scores.tolist(), GROUP_OF[found.classes].tolist(), 0.0, _SAME
    )
    chosen = np.sort(np.asarray(kept, np.intp).reshape(-1))
    return found.only(chosen)


def _one_per_place(found: RawDetections) -> RawDetections:
    """Drop the less certain of a control and a container at the same place."""
    if not len(found.scores):
        return found
    group = GROUP_OF[found.classes]
    overlap = ious(found.boxes, found.boxes)
    rivals = (
        (overlap >= _SAME_PLACE) & (group[:, None] != group[None, :]) & (group[:, None] != 1) & (group[None, :] != 1)
    )
    beaten = np.triu(rivals, 1).any(axis=0)  # the list is sorted: a rival with a lower number is more certain
    return found.only(~beaten)
