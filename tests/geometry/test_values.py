"""Tests of the geometry value types, and of the checks in docs/spec/visual-locator.md (坐标计算和验证)."""

from __future__ import annotations

import doctest
import importlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handeye import geometry
from handeye.errors import InvalidBox
from handeye.geometry import Box, LocationCheck, Point, Size, check_location, click_point

edge = st.integers(-5000, 5000)
boxes = st.builds(Box, edge, edge, edge, edge)
full_boxes = boxes.filter(lambda box: box.area > 0)
sizes = st.builds(Size, st.integers(1, 4000), st.integers(1, 4000))
FULL_HD = Size(1920, 1080)


@pytest.mark.parametrize("name", ["values", "placing", "spaces"])
def test_docstring_examples_pass(name: str) -> None:
    result = doctest.testmod(importlib.import_module(f"handeye.geometry.{name}"), extraglobs=vars(geometry))
    assert result.attempted > 0
    assert result.failed == 0


def test_box_is_a_hashable_tuple() -> None:
    box = Box(100, 200, 300, 250)
    assert box == (100, 200, 300, 250)
    assert (box.width, box.height, box.area, box.center) == (200, 50, 10000, (200, 225))
    assert {box: 1}[box] == 1


def test_contains_is_half_open() -> None:
    box = Box(10, 20, 30, 40)
    inside = [(10, 20), (29, 39)]
    outside = [(9, 20), (10, 19), (30, 39), (29, 40)]
    assert [box.contains(Point(*point)) for point in inside + outside] == [True, True, False, False, False, False]


def test_intersection_and_iou() -> None:
    box = Box(0, 0, 10, 10)
    assert box.intersect(Box(5, 0, 15, 10)) == (5, 0, 10, 10)
    assert box.iou(Box(5, 0, 15, 10)) == pytest.approx(1 / 3)
    assert box.intersect(Box(10, 0, 20, 10)) is None
    assert box.intersect(Box(0, 10, 10, 20)) is None
    assert box.iou(Box(10, 0, 20, 10)) == 0.0
    assert Box(5, 5, 5, 5).iou(Box(5, 5, 5, 5)) == 0.0


@given(boxes, boxes)
def test_iou_is_symmetric_and_within_0_1(one: Box, other: Box) -> None:
    assert one.iou(other) == other.iou(one)
    assert 0.0 <= one.iou(other) <= 1.0


@given(full_boxes)
def test_box_contains_its_centre_and_equals_itself(box: Box) -> None:
    assert box.contains(box.center)
    assert box.contains(click_point(box))
    assert box.iou(box) == 1.0
    assert box.intersect(box) == box


@given(boxes, sizes)
def test_clipped_box_is_non_empty_and_on_screen(box: Box, size: Size) -> None:
    clipped = box.clip(size)
    assert clipped.area > 0
    assert clipped.intersect(size.bounds) == clipped
    assert clipped.clip(size) == clipped
    visible = box.intersect(size.bounds)
    assert visible is None or visible == clipped


@given(st.builds(Point, edge, edge), st.integers(0, 50))
def test_box_at_is_centred_on_its_point(point: Point, radius: int) -> None:
    box = Box.at(point, radius)
    assert box.center == point
    assert box.width == box.height == 2 * radius + 1


@given(full_boxes, st.integers(-6000, 6000), st.integers(-6000, 6000))
def test_translate_expand_and_scale(box: Box, dx: int, dy: int) -> None:
    moved = box.translate(dx, dy)
    assert moved.center == box.center.translate(dx, dy)
    assert moved.translate(-dx, -dy) == box
    assert box.expand(dx).area > 0
    assert box.expand(abs(dx)).width == box.width + 2 * abs(dx)
    assert box.scale(2, 3) == (box.left * 2, box.top * 3, box.right * 2, box.bottom * 3)
    assert box.scale(0.001, 0.001).area > 0


@pytest.mark.parametrize("factor", [0, -1, float("nan"), float("inf"), 1e300])
def test_scale_rejects_invalid_factors(factor: float) -> None:
    with pytest.raises(InvalidBox):
        Box(1, 1, 2, 2).scale(factor, 1)
    with pytest.raises(InvalidBox):
        Box(1, 1, 2, 2).scale(1, factor)


def test_box_at_rejects_negative_radius() -> None:
    with pytest.raises(InvalidBox, match="radius -1"):
        Box.at(Point(1, 1), -1)


@pytest.mark.parametrize(
    "size", [(0, 10), (10, 0), (-1, 5), (1.5, 5), ("1", "2"), (1,), None, 7, (2**31, 5), (5, 10**400)]
)
def test_invalid_size_is_rejected(size: object) -> None:
    with pytest.raises(InvalidBox, match="not a size"):
        Box(0, 0, 1, 1).clip(size)  # type: ignore[arg-type]


# --- docs/spec/visual-locator.md


def test_click_point_is_the_centre_as_specified() -> None:
    assert click_point((100, 200, 300, 250)) == (200, 225)
    assert click_point((100, 200, 300, 250))._asdict() == {"x": 200, "y": 225}


@pytest.mark.parametrize("box", [(5, 5, 5, 9), (5, 5, 9, 5), (9, 5, 5, 9), (1, 2, 3), ("1", 2, 3, 4), None])
def test_click_point_rejects_empty_or_invalid_box(box: tuple[int, int, int, int]) -> None:
    with pytest.raises(InvalidBox):
        click_point(box)


def test_a_box_outside_the_screen_is_invalid() -> None:
    check = check_location((-50, 200, 300, 250), FULL_HD)
    assert (check.valid, check.error) == (False, "坐标超出屏幕范围")
    assert check_location((2000, 200, 2100, 250), FULL_HD) == LocationCheck(False, "坐标超出屏幕范围", False, None)


def test_a_box_on_the_screen_is_valid() -> None:
    for box in (Box(100, 200, 300, 250), Box(0, 0, 1920, 1080), Box(7, 7, 8, 8)):
        assert check_location(box, FULL_HD) == LocationCheck(True, None, True, box)


@pytest.mark.parametrize(
    ("box", "safe"),
    [
        ((-50, 200, 300, 250), (0, 200, 300, 250)),
        ((-150, 200, 50, 250), (0, 200, 50, 250)),  # exactly a quarter visible
        ((-154, 200, 50, 250), None),  # less than a quarter
        ((1910, 0, 1930, 20), (1910, 0, 1920, 20)),
        ((1913, 0, 1928, 20), None),  # 7 columns left, though almost half
        ((0, 1073, 20, 1088), None),  # 7 rows left
        ((1900, 500, 1940, 504), (1900, 500, 1920, 504)),  # a low element cut on the right: its height is not cut
        ((1900, 1060, 1940, 1100), (1900, 1060, 1920, 1080)),
        ((1920, 0, 1930, 20), None),
    ],
)
def test_partly_visible_elements(box: tuple[int, int, int, int], safe: tuple[int, int, int, int] | None) -> None:
    check = check_location(box, FULL_HD)
    assert (check.valid, check.error) == (False, "坐标超出屏幕范围")
    assert (check.can_interact, check.safe_region) == (safe is not None, safe)


def test_an_empty_box_is_invalid() -> None:
    assert check_location((5, 5, 5, 9), FULL_HD) == LocationCheck(False, "边界框为空", False, None)


@given(boxes, sizes)
def test_safe_region_lies_on_screen_and_in_box(box: Box, size: Size) -> None:
    check = check_location(box, size)
    assert check.can_interact == (check.safe_region is not None)
    assert check.valid == (check.error is None)
    if check.safe_region is not None:
        point = click_point(check.safe_region)
        assert box.contains(point)
        assert size.bounds.contains(point)
