"""Tests of coordinate normalisation: every scenario of docs/spec/coordinates.md, and invalid input."""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handeye.errors import HandeyeError, InvalidBox
from handeye.geometry import Box, CoordinateSpace, Size, check_location, detect_space, to_pixel_box, to_pixel_boxes

PIXEL, UNIT, PER_MILLE, RESIZED = CoordinateSpace
FULL_HD, QHD, UHD, SVGA = Size(1920, 1080), Size(2560, 1440), Size(3840, 2160), Size(800, 600)
PHONE = Size(1080, 2400)
LINE = "[坐标] 检测到归一化坐标 (100, 200, 300, 400), 已转换为实际坐标 (192, 216, 576, 432), 图像尺寸: (1920, 1080)"

INVALID = [
    [],
    [100, 200],
    [1, 2, 3],
    [1, 2, 3, 4, 5],
    ["abc", 100, 200, 300],
    ["100", "200", "300", "400"],
    [None, 1, 2, 3],
    [True, 100, 200, 300],
    [False, 100, 200, 300],
    [0, False, 200, 300],
    [0, 100, 200, True],
    [[1], 2, 3, 4],
    [1j, 2, 3, 4],
    [math.nan, 1, 2, 3],
    [1, 2, math.inf, 3],
    [-math.inf, 1, 2, 3],
    [1, 2, 1e308, 3],
    [1, 2, 3, 10**400],
    [1, 2, 3, 10**5000],
    [Decimal("NaN"), 1, 2, 3],
    [Decimal("sNaN"), 1, 2, 3],
    [Fraction(10**400), 1, 2, 3],
    [np.float64("nan"), 1, 2, 3],
    [np.bool_(True), 1, 2, 3],
    [np.bool_(False), 1, 2, 3],
    "1234",
    b"\x01\x02\x03\x04",
    {100, 200, 300, 400},
    {100: 1, 200: 2, 300: 3, 400: 4},
    {"left": 1, "top": 2, "right": 3, "bottom": 4},
    None,
    42,
    math.nan,
]


@pytest.fixture(params=[logging.WARNING, logging.INFO], ids=["quiet", "verbose"])
def level(request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Both ways through: with the log line off (the fast one) and on."""
    with caplog.at_level(request.param, "handeye.geometry"):
        yield


# --- detection


@pytest.mark.parametrize(
    ("values", "size", "space"),
    [
        ([100, 200, 300, 400], FULL_HD, PER_MILLE),
        ([500, 600, 700, 800], SVGA, PIXEL),
        ([400, 300, 600, 450], SVGA, PIXEL),
        ([500, 500, 600, 600], FULL_HD, PER_MILLE),
        ([0, 0, 500, 1000], QHD, PER_MILLE),
        ([250, 250, 750, 750], UHD, PER_MILLE),
        ([900, 500, 1050, 600], FULL_HD, PER_MILLE),
        ([900, 500, 1100, 600], UHD, PER_MILLE),
        ([900, 500, 1101, 600], UHD, PIXEL),
        ([900, 500, 1079, 600], FULL_HD, PER_MILLE),
        ([900, 500, 1080, 600], FULL_HD, PIXEL),
        ([1200, 900, 1500, 1000], UHD, PIXEL),
        ([-50, 100, 200, 300], FULL_HD, PER_MILLE),
        ([500, 500, 500, 600], FULL_HD, PER_MILLE),
        ([1, 1, 2, 2], FULL_HD, PER_MILLE),
        ([100.5, 200.25, 300.0, 400.0], FULL_HD, PER_MILLE),
        ([0.0, 0.0, 500.5, 300.0], FULL_HD, PER_MILLE),
        ([0.1, 0.2, 0.3, 0.4], FULL_HD, UNIT),
        ([0, 0, 1, 0.5], FULL_HD, UNIT),
        ([0.5, 0, 1, 1], FULL_HD, UNIT),
        ([0, 0.5, 1, 1], FULL_HD, UNIT),
        ([0, 0, 0.5, 1], FULL_HD, UNIT),
        ([0.8, 0.2, 0.3, 0.6], FULL_HD, UNIT),
        ([0, 0, 0.5, 0.5], Size(1, 1), UNIT),
        ([0, 0, 500, 1000], PHONE, PER_MILLE),
    ],
)
def test_clear_coordinate_space_is_detected_without_warning(
    values: list[float], size: Size, space: CoordinateSpace, caplog: pytest.LogCaptureFixture
) -> None:
    assert detect_space(values, size) is space
    assert detect_space(tuple(values), tuple(size)) is space
    assert not caplog.records


@pytest.mark.parametrize(
    ("values", "doubt", "box"),
    [
        ([300, 200, 100, 400], "inverted", (100, 200, 300, 400)),
        ([100, 400, 300, 200], "inverted", (100, 200, 300, 400)),
        ([0.5, 200, 300, 400], "mixed units", (1, 200, 300, 400)),
        ([0.5, 0.5, 300, 400], "mixed units", (1, 1, 300, 400)),
        ([0, 0, 1, 1], "too small", (0, 0, 1, 1)),
        ([0.0, 0.0, 1.0, 1.0], "too small", (0, 0, 1, 1)),
        ([0, 0, 0, 0], "too small", (0, 0, 1, 1)),
        ([0.2, 0.2, 1.02, 0.8], "too small", (0, 0, 1, 1)),
        ([-101, 100, 200, 300], "too far outside", (-101, 100, 200, 300)),
    ],
)
def test_doubtful_box_is_logged_and_treated_as_pixels(
    values: list[float], doubt: str, box: tuple[int, ...], caplog: pytest.LogCaptureFixture
) -> None:
    assert detect_space(values, FULL_HD) is PIXEL
    assert to_pixel_box(values, FULL_HD) == box
    assert [record.levelno for record in caplog.records] == [logging.WARNING] * 2
    for record in caplog.records:
        message = record.getMessage()
        assert doubt in message
        assert str(tuple(values)) in message
        assert "(1920, 1080)" in message


@pytest.mark.parametrize("source", ["ocr", "tree", "template"])
@pytest.mark.parametrize("values", [[100, 200, 300, 400], [0, 0, 1, 1], [-20, 5, 30, 5000]])
def test_boxes_from_other_sources_are_pixels(values: list[int], source: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        assert detect_space(values, FULL_HD, source=source) is PIXEL
        assert to_pixel_box(values, FULL_HD, source=source) == tuple(values)
        assert to_pixel_box(values, FULL_HD, source=source, space=PER_MILLE) == tuple(values)
        assert to_pixel_boxes([values], FULL_HD, source=source) == [tuple(values)]
    assert not caplog.records


# --- conversion


@pytest.mark.usefixtures("level")
@pytest.mark.parametrize(
    ("values", "size", "box"),
    [
        ([100, 200, 300, 400], FULL_HD, (192, 216, 576, 432)),
        ([500, 600, 700, 800], SVGA, (500, 600, 700, 800)),
        ([400, 300, 600, 450], SVGA, (400, 300, 600, 450)),
        ([500, 500, 600, 600], FULL_HD, (960, 540, 1152, 648)),
        ([0, 0, 500, 1000], QHD, (0, 0, 1280, 1440)),
        ([250, 250, 750, 750], UHD, (960, 540, 2880, 1620)),
        ([900, 500, 1050, 600], FULL_HD, (1728, 540, 1920, 648)),
        ([500, 900, 600, 1050], FULL_HD, (960, 972, 1152, 1080)),
        ([-50, 100, 200, 300], FULL_HD, (0, 108, 384, 324)),
        ([100, -50, 200, 300], FULL_HD, (192, 0, 384, 324)),
        ([500, 500, 500, 600], FULL_HD, (960, 540, 961, 648)),
        ([500, 500, 600, 500], FULL_HD, (960, 540, 1152, 541)),
        ([1000, 1000, 1000, 1000], FULL_HD, (1919, 1079, 1920, 1080)),
        ([0.1, 0.2, 0.3, 0.4], FULL_HD, (192, 216, 576, 432)),
        ([0.8, 0.6, 0.3, 0.2], FULL_HD, (576, 216, 1536, 648)),
        ([1, 0, 3, 5], FULL_HD, (2, 0, 6, 5)),
    ],
)
def test_values_are_converted_to_pixel_box(values: list[float], size: Size, box: tuple[int, ...]) -> None:
    for given_values in (values, tuple(values), np.array(values), [Decimal(str(v)) for v in values], iter(values)):
        converted = to_pixel_box(given_values, size)
        assert converted == box
        assert type(converted) is Box
        assert [type(edge) for edge in converted] == [int] * 4
    assert to_pixel_box([Fraction(str(value)) for value in values], list(size)) == box  # type: ignore[arg-type]
    assert to_pixel_boxes([values, values], size) == [box, box]


def test_centre_on_4k_equals_the_specification() -> None:
    assert to_pixel_box([250, 250, 750, 750], UHD).center == (1920, 1080)


@pytest.mark.usefixtures("level")
def test_explicit_space_overrides_detection() -> None:
    values = [400, 300, 600, 450]
    assert to_pixel_box(values, SVGA, space=PIXEL) == (400, 300, 600, 450)
    assert to_pixel_box(values, SVGA, space=PER_MILLE) == (320, 180, 480, 270)
    assert to_pixel_box(values, SVGA, space=RESIZED, resized=Size(1600, 900)) == (200, 200, 300, 300)
    assert to_pixel_box([1, 1, 1, 1], SVGA, space=UNIT) == (799, 599, 800, 600)
    assert to_pixel_boxes([values], SVGA, space=PER_MILLE) == [(320, 180, 480, 270)]
    assert to_pixel_boxes([values], SVGA, space=RESIZED, resized=(1600, 900)) == [(200, 200, 300, 300)]


def test_pixel_boxes_are_rounded_half_up_without_clipping() -> None:
    box = to_pixel_box([-50.5, 200.5, 300.4, 250.6], FULL_HD, source="tree")
    assert box == (-50, 201, 300, 251)
    assert check_location(box, FULL_HD).error == "坐标超出屏幕范围"
    assert to_pixel_box([5, 7, 5, 7], FULL_HD, source="ocr") == (5, 7, 6, 8)
    assert to_pixel_box([9, 8, 5, 4], FULL_HD, source="ocr") == (5, 4, 9, 8)


# --- the log


def test_log_line_equals_the_specification(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "handeye.geometry"):
        to_pixel_box([100, 200, 300, 400], FULL_HD)
        to_pixel_boxes([np.array([100, 200, 300, 400])], FULL_HD, space=PER_MILLE)
        to_pixel_box([0.25, 0.5, 0.75, 1], FULL_HD)
    assert [(r.name, r.levelno) for r in caplog.records] == [("handeye.geometry", logging.INFO)] * 3
    assert [r.getMessage() for r in caplog.records[:2]] == [LINE, LINE]
    assert "(0.25, 0.5, 0.75, 1)" in caplog.records[2].getMessage()


def test_only_converted_boxes_are_logged_by_their_space(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "handeye.geometry"):
        to_pixel_box([500, 600, 700, 800], SVGA)
        to_pixel_boxes([[500, 600, 700, 800], [400, 300, 600, 450]], SVGA)
        assert not caplog.records
        to_pixel_box([100, 100, 200, 200], SVGA, space=RESIZED, resized=(400, 300))
    assert [record.getMessage() for record in caplog.records] == [
        "[坐标] 检测到缩放图坐标 (100, 100, 200, 200), 已转换为实际坐标 (200, 200, 400, 400), 图像尺寸: (800, 600)"
    ]


# --- invalid input


@pytest.mark.usefixtures("level")
@pytest.mark.parametrize("values", INVALID, ids=lambda values: str(type(values).__name__))
@pytest.mark.parametrize("options", [{}, {"source": "ocr"}, {"space": PER_MILLE}, {"space": UNIT}])
def test_invalid_box_raises_or_is_skipped_in_bulk(
    values: Any, options: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(InvalidBox, match="is not a box"):
        to_pixel_box(values, FULL_HD, **options)
    with pytest.raises(ValueError):
        detect_space(values, FULL_HD)
    good = [100, 200, 300, 400]
    caplog.clear()
    boxes = to_pixel_boxes([good, values, good], FULL_HD, **options)
    assert boxes == [to_pixel_box(good, FULL_HD, **options)] * 2
    (warning,) = [record for record in caplog.records if record.levelno == logging.WARNING]
    assert "(1920, 1080)" in warning.getMessage()
    assert len(warning.getMessage()) < 500


def test_error_names_the_invalid_value() -> None:
    with pytest.raises(InvalidBox, match=r"\['abc', 100, 200, 300\] is not a box: 'abc' is not a finite number"):
        to_pixel_box(["abc", 100, 200, 300], FULL_HD)
    assert issubclass(InvalidBox, HandeyeError)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"size": (0, 1080)}, "not a size"),
        ({"size": (1920.5, 1080)}, "not a size"),
        ({"source": "guess"}, "unknown source 'guess'"),
        ({"space": RESIZED}, "pass resized"),
        ({"space": RESIZED, "resized": (0, 5)}, "not a size"),
        ({"space": "per_mille"}, "not a coordinate space"),
    ],
)
def test_invalid_options_raise_error_even_in_bulk(options: dict[str, Any], problem: str) -> None:
    options = {"size": FULL_HD, **options}
    with pytest.raises(InvalidBox, match=problem):
        to_pixel_box([100, 200, 300, 400], **options)
    with pytest.raises(InvalidBox, match=problem):
        to_pixel_boxes([], **options)


@pytest.mark.parametrize("items", [None, 5])
def test_non_sequence_of_boxes_raises_error(items: Any) -> None:
    with pytest.raises(InvalidBox, match="not a sequence of boxes"):
        to_pixel_boxes(items, FULL_HD)


def test_detect_space_refuses_an_unknown_source() -> None:
    with pytest.raises(InvalidBox, match="unknown source"):
        detect_space([1, 2, 3, 4], FULL_HD, source="guess")


# --- properties

sides = st.integers(1, 5000)
sizes = st.builds(Size, sides, sides)
coordinate = st.one_of(
    st.integers(-200, 1200), st.integers(-(2**31), 2**31), st.floats(-1.5, 1.5), st.floats(-3000, 3000)
)
anything = st.one_of(
    coordinate,
    st.floats(),
    st.integers(),
    st.booleans(),
    st.none(),
    st.text(max_size=3),
    st.decimals(),
    st.fractions(),
    st.floats(width=32).map(np.float32),
    st.integers(-(2**40), 2**40).map(np.int64),
    st.lists(st.integers(), max_size=2),
)


@given(st.lists(coordinate, min_size=4, max_size=4), sizes, st.sampled_from([UNIT, PER_MILLE, RESIZED]), sizes)
def test_converted_box_is_non_empty_and_on_screen(
    values: list[float], size: Size, space: CoordinateSpace, resized: Size
) -> None:
    try:
        box = to_pixel_box(values, size, space=space, resized=resized)
    except InvalidBox:
        assert any(abs(value) >= 2**31 for value in values)
        return
    assert box.area > 0
    assert box.intersect(size.bounds) == box
    assert check_location(box, size).valid


@st.composite
def frames_with_a_box(draw: st.DrawFn) -> tuple[Size, Box]:
    size = draw(sizes)
    xs = sorted(draw(st.lists(st.integers(0, size.width), min_size=2, max_size=2, unique=True)))
    ys = sorted(draw(st.lists(st.integers(0, size.height), min_size=2, max_size=2, unique=True)))
    return size, Box(xs[0], ys[0], xs[1], ys[1])


@given(frames_with_a_box(), sizes)
def test_round_trip_error_is_at_most_one_pixel(frame: tuple[Size, Box], sent: Size) -> None:
    size, box = frame
    full = [(UNIT, 1, 1), (PER_MILLE, 1000, 1000), (RESIZED, sent.width, sent.height)]
    for space, full_x, full_y in full:
        scale = (full_x / size.width, full_y / size.height) * 2
        values = [edge * factor for edge, factor in zip(box, scale, strict=True)]
        back = to_pixel_box(values, size, space=space, resized=sent)
        assert all(abs(one - other) <= 1 for one, other in zip(box, back, strict=True)), (values, back)
    assert to_pixel_box(box, size, space=PIXEL) == box
    assert to_pixel_box(box, size, source="template") == box


@given(frames_with_a_box())
def test_integer_per_mille_error_is_half_a_step(frame: tuple[Size, Box]) -> None:
    size, box = frame
    values = [round(edge * 1000 / side) for edge, side in zip(box, (*size, *size), strict=True)]
    back = to_pixel_box(values, size, space=PER_MILLE)
    for one, other, side in zip(box, back, (*size, *size), strict=True):
        assert abs(one - other) <= side / 2000 + 1


@settings(max_examples=300)
@given(st.lists(st.lists(anything, max_size=6), max_size=8), sizes, st.sampled_from([None, PIXEL, UNIT, PER_MILLE]))
def test_bulk_conversion_keeps_exactly_the_valid_boxes(
    items: list[list[Any]], size: Size, space: CoordinateSpace | None
) -> None:
    one_by_one = []
    for values in items:
        try:
            one_by_one.append(to_pixel_box(values, size, space=space))
        except InvalidBox:
            continue
    assert to_pixel_boxes(items, size, space=space) == one_by_one
    assert all(type(edge) is int for box in one_by_one for edge in box)


@given(
    st.lists(st.one_of(st.integers(-5, 1110), st.floats(-2, 1110), st.booleans()), min_size=4, max_size=4),
    st.sampled_from([FULL_HD, QHD, SVGA, PHONE, Size(3, 2), Size(1, 700), Size(5000, 4999)]),
    st.sampled_from([None, PER_MILLE]),
)
def test_lookup_table_and_arithmetic_conversion_agree(
    values: list[float], size: Size, space: CoordinateSpace | None
) -> None:
    """A generator is always computed; a list uses the lookup table where possible."""
    outcomes = []
    for form in (values, iter(values)):
        try:
            outcomes.append(to_pixel_box(form, size, space=space))
        except InvalidBox:
            outcomes.append(None)
    assert outcomes[0] == outcomes[1]


def test_model_reply_is_converted_end_to_end() -> None:
    reply = '[{"bbox": [100, 200, 300, 400]}, {"bbox": []}, {"bbox": ["abc", 1, 2, 3]}, {"bbox": [0, 0, 500, 1000]}]'
    boxes = to_pixel_boxes([item["bbox"] for item in json.loads(reply)], FULL_HD)
    assert boxes == [(192, 216, 576, 432), (0, 0, 960, 1080)]
