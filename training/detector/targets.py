"""Targets of the network for a crop: which cells answer for which element, and which cells are not asked.

An element is given to the map whose cells fit its size, and there to the cells around its centre: a core that must
answer, a ring around it that may. The cells under elements that are hardly visible, or cut by the crop's edge, are not
asked.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from handeye.parse.decoding import CLASSES, GROUP_OF, GROUPS, STRIDES

# Sizes (see `extent`) that each map answers for, in pixels; neighbours share a band, for an element that is a little scaled.
SIZES: Final = ((0.0, 72.0), (56.0, 208.0), (168.0, float("inf")))
CORE: Final = 0.14  # of the width and height to each side of the centre; wide rows speak along their middle
CORE_CELLS: Final = 1.5  # and at least this far, in cells, within the element
RING: Final = 0.17
RING_CELLS: Final = 0.5  # beyond the core
FLAT: Final = 3.0  # a row counts as at most three times as long as it is high: its map must have cells of its height

Floats = npt.NDArray[np.float32]


class Element(NamedTuple):
    """One element of a crop: left-top-right-bottom in the crop's pixels, its class, and whether it is only to be left alone."""

    box: tuple[float, float, float, float]
    kind: int
    ignored: bool = False


class Targets(NamedTuple):
    """
    One row per cell, the maps' cells one after another, each row by row.

    `kinds` (cells, groups): the class that a group's box shows, -1 for none. `boxes` (cells, groups, 4): left-top-right-bottom
    in pixels. `weights` (cells, groups): an element's cells share its weight. `asked` (cells, classes): 0 where no answer is
    wrong.
    """

    kinds: npt.NDArray[np.int8]
    boxes: Floats
    weights: Floats
    asked: npt.NDArray[np.uint8]


def extent(width: float, height: float) -> float:
    """The size by which an element is given to a map: its geometric mean, a flat row's not more than three heights."""
    return float(min((width * height) ** 0.5, FLAT * min(width, height)))


def targets(elements: list[Element], size: tuple[int, int]) -> Targets:
    """The targets of a crop of `size` (width, height), multiples of 64."""
    parts = [_of_map(elements, size, stride, sizes) for stride, sizes in zip(STRIDES, SIZES, strict=True)]
    return Targets(*(np.concatenate(each) for each in zip(*parts, strict=True)))


def _of_map(elements: list[Element], size: tuple[int, int], stride: int, sizes: tuple[float, float]) -> Targets:
    columns, rows = size[0] // stride, size[1] // stride
    kinds = np.full((rows, columns, len(GROUPS)), -1, np.int8)
    boxes = np.zeros((rows, columns, len(GROUPS), 4), np.float32)
    weights = np.zeros((rows, columns, len(GROUPS)), np.float32)
    asked = np.ones((rows, columns, len(CLASSES)), np.uint8)
    for element in sorted(elements, key=_area, reverse=True):  # of two in one cell the smaller one has it
        width, height = element.box[2] - element.box[0], element.box[3] - element.box[1]
        if element.ignored:
            asked[_cells(element.box, (0.5, 0.5), stride, (rows, columns), 0)] = 0
            continue
        if not sizes[0] <= extent(width, height) < sizes[1]:
            continue
        core = _cells(element.box, (CORE, CORE), stride, (rows, columns), CORE_CELLS)
        asked[(*_cells(element.box, (RING, RING), stride, (rows, columns), CORE_CELLS + RING_CELLS), element.kind)] = 0
        group = GROUP_OF[element.kind]
        kinds[(*core, group)], boxes[(*core, group)] = element.kind, element.box
        count = (core[0].stop - core[0].start) * (core[1].stop - core[1].start)
        weights[(*core, group)] = max(1, count) ** -0.5
    where = np.nonzero(kinds >= 0)
    asked[where[0], where[1], kinds[where]] = 1
    cells = rows * columns
    return Targets(
        kinds.reshape(cells, -1),
        boxes.reshape(cells, len(GROUPS), 4),
        weights.reshape(cells, -1),
        asked.reshape(cells, -1),
    )


def _area(element: Element) -> float:
    left, top, right, bottom = element.box
    return (right - left) * (bottom - top)


def _cells(
    box: tuple[float, float, float, float],
    share: tuple[float, float],
    stride: int,
    shape: tuple[int, int],
    least: float,
) -> tuple[slice, slice]:
    """Rows and columns of the cells whose centres lie within `share` of a box's sides around its middle, or `least` cells."""
    found = []
    for low, high, part, count in (
        (box[1], box[3], share[1], shape[0]),
        (box[0], box[2], share[0], shape[1]),
    ):
        middle, length = (low + high) / 2 / stride, (high - low) / stride
        reach = min(length / 2, max(part * length, least))
        first, last = int(np.ceil(middle - reach - 0.5)), int(np.floor(middle + reach - 0.5))
        if first > last:  # no centre lies in it: the cell of the middle speaks
            first = last = int(middle)
        found.append(slice(min(max(0, first), count), min(max(0, last + 1), count)))
    return found[0], found[1]
