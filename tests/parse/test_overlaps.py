"""Tests of vectorised box overlaps against the same computation pair by pair."""

import numpy as np

from handeye.geometry import Box
from handeye.parse.overlap import Boxes, ious, shared_areas


def boxes(count: int, seed: int) -> list[Box]:
    chance = np.random.default_rng(seed)
    corners, sizes = chance.integers(0, 200, (count, 2)), chance.integers(0, 90, (count, 2))
    return [
        Box(x, y, x + wide, y + high) for (x, y), (wide, high) in zip(corners.tolist(), sizes.tolist(), strict=True)
    ]


def table(of: list[Box]) -> np.ndarray:
    return np.array(of, np.float32).reshape(-1, 4)


def shared(one: Box, other: Box) -> int:
    common = one.intersect(other)
    return common.area if common else 0


def test_ious_equal_pairwise_iou() -> None:
    one, other = boxes(150, 1), boxes(40, 2)
    assert np.allclose(ious(table(one), table(other)), [[a.iou(b) for b in other] for a in one], atol=1e-6)


def test_ious_without_boxes_are_empty() -> None:
    assert ious(table([]), table(boxes(3, 1))).shape == (0, 3)
    assert ious(table(boxes(3, 1)), table([])).shape == (3, 0)


def test_most_shared_equals_best_pairwise_intersection() -> None:
    lines, asked = boxes(30, 3), boxes(150, 4)
    assert Boxes(lines).most_shared(asked).tolist() == [max(shared(box, line) for line in lines) for box in asked]


def test_most_shared_without_boxes_is_zero() -> None:
    assert Boxes([]).most_shared(boxes(2, 5)).tolist() == [0, 0]
    assert Boxes(boxes(2, 5)).most_shared([]).tolist() == []


def test_shared_areas_equal_pairwise_intersections() -> None:
    one, other = boxes(90, 7), boxes(40, 8)
    assert shared_areas(table(one), table(other)).tolist() == [[shared(a, b) for b in other] for a in one]
    assert shared_areas(table([]), table(other)).shape == (0, 40)
