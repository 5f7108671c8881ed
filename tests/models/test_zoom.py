"""Tests of zoom and tiles: the crops that are sent, their cost, and the combined result."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handeye.errors import InvalidReply, UsageError
from handeye.geometry import Box, Point, Size
from handeye.models import Grounding, Place, Question
from handeye.models.grounding.zoom import LEAST_SIDE, tiles, tiles_of, zoom
from handeye.screen import Screen
from handeye.testing.models import ScriptedGrounder

SCREEN = Screen(np.zeros((1080, 1920, 3), np.uint8))
LARGE = Screen(np.zeros((2160, 3840, 3), np.uint8))


def knowing(truth: Box, error: int = 0) -> ScriptedGrounder:
    """A model that sees the thing when it is shown whole, with an error that falls with the size of what it is shown."""

    def answer(question: Question) -> Grounding:
        area = question.within or question.screen.box
        if truth.intersect(area) != truth:
            return Grounding(reason="not shown")
        off = error * area.width // question.screen.size.width
        return Grounding((Place(truth.translate(off, off), 0.7),))

    return ScriptedGrounder(answer)


def test_one_zoom_halves_the_error() -> None:
    model = knowing(Box(1000, 500, 1040, 540), error=16)
    found = zoom(model).ground(Question(SCREEN, "OK"))
    assert found.places[0].box == Box(1008, 508, 1048, 548)
    assert found.usage.calls == len(model.questions) == 2
    crop = model.questions[1].within
    assert crop is not None
    assert (crop.width, crop.height) == (960, 540)
    assert crop.contains((1008, 508))


def test_depth_three_zooms_down_to_minimum_side() -> None:
    model = knowing(Box(3000, 1500, 3020, 1520))
    found = zoom(model, depth=3).ground(Question(LARGE, "OK"))
    sides = [question.within.width for question in model.questions[1:] if question.within]
    assert sides == [1920, 960, LEAST_SIDE]
    assert found.usage.calls == 4
    assert not found.places[0].doubts


@pytest.mark.parametrize("size", [(760, 400), (300, 768)])
def test_small_frames_are_not_zoomed(size: tuple[int, int]) -> None:
    model = knowing(Box(10, 10, 40, 40))
    zoom(model).ground(Question(Screen(np.zeros((size[1], size[0], 3), np.uint8)), "OK"))
    assert len(model.questions) == 1


def test_absent_target_is_not_zoomed() -> None:
    model = knowing(Box(5000, 5000, 5010, 5010))
    assert zoom(model).ground(Question(SCREEN, "OK")).places == ()
    assert len(model.questions) == 1


def test_zoom_without_result_adds_a_doubt() -> None:
    model = ScriptedGrounder(lambda each: Grounding() if each.within else Grounding((Place(Box(0, 0, 30, 30), 0.99),)))
    found = zoom(model, depth=3).ground(Question(SCREEN, "OK"))
    assert found.places[0].box == Box(0, 0, 30, 30)
    assert found.places[0].doubts == ("a closer look does not show it",)
    assert len(model.questions) == 2, "what is not seen is not looked for even closer"


def test_unreadable_zoom_answer_adds_a_doubt() -> None:
    def answer(question: Question) -> Grounding:
        if question.within:
            raise InvalidReply("no number", "left")
        return Grounding((Place(Box(0, 0, 30, 30), 0.99),))

    found = zoom(ScriptedGrounder(answer)).ground(Question(SCREEN, "OK"))
    assert found.places[0].doubts
    assert any("no number" in note for note in found.notes)


def test_different_zoom_place_adds_doubt_and_candidate() -> None:
    first, second = Place(Box(900, 500, 930, 530), 0.9), Place(Box(1200, 700, 1230, 730), 0.9)
    model = ScriptedGrounder(lambda each: Grounding((second if each.within else first,)))
    found = zoom(model).ground(Question(SCREEN, "OK"))
    assert found.places[0].box == second.box
    assert found.places[0].doubts
    assert found.candidates == (first,)


def test_several_places_are_not_zoomed() -> None:
    """A crop around one place would exclude the others."""
    places = Place(Box(100, 100, 120, 120)), Place(Box(1500, 900, 1520, 920))
    model = ScriptedGrounder(lambda question: Grounding(places if question.within is None else places[:1]))
    found = zoom(model).ground(Question(SCREEN, "Save"))
    assert found.places == places
    assert len(model.questions) == 1


def test_place_not_confirmed_by_tiles_is_candidate() -> None:
    here, there = Place(Box(100, 100, 120, 120), 0.5), Place(Box(1500, 900, 1520, 920), 0.5)

    def answer(question: Question) -> Grounding:
        if question.within is None:
            return Grounding((here, there))
        return Grounding((here,)) if question.within.contains(here.box.center) else Grounding()

    found = tiles(ScriptedGrounder(answer), when="auto", side=800, overlap=100, seen=lambda _size: Size(640, 360))
    answered = found.ground(Question(SCREEN, "Save"))
    assert answered.places == (here,)
    assert answered.candidates == (there,)


def test_auto_zooms_only_small_places() -> None:
    for side, calls in ((20, 2), (200, 1)):
        model = ScriptedGrounder(
            lambda _each, side=side: Grounding((Place(Box(500, 500, 500 + side, 500 + side), 0.9),))
        )
        zoom(model, when="auto").ground(Question(SCREEN, "OK"))
        assert len(model.questions) == calls, side


def test_off_returns_the_grounder_itself() -> None:
    model = knowing(Box(0, 0, 9, 9))
    assert zoom(model, when="off") is model
    assert tiles(model, when="off") is model


@pytest.mark.parametrize("settings", [{"depth": 0}, {"depth": 4}, {"shrink": 0.0}, {"shrink": 1.0}])
def test_invalid_settings_are_refused(settings: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        zoom(knowing(Box(0, 0, 9, 9)), **settings)  # type: ignore[arg-type]
    with pytest.raises(UsageError):
        tiles(knowing(Box(0, 0, 9, 9)), side=100, overlap=100)


@settings(max_examples=50, deadline=None)
@given(
    st.integers(1, 4000), st.integers(1, 4000), st.integers(0, 3999), st.integers(0, 3999), st.integers(1, 900),
    st.integers(1, 3),
)  # fmt: skip
def test_every_crop_contains_the_answer(width: int, height: int, x: int, y: int, side: int, depth: int) -> None:
    frame = Screen(
        np.broadcast_to(np.zeros(3, np.uint8), (height, width, 3)).copy() if width * height < 1e6 else LARGE.pixels
    )
    truth = Box(x, y, x + side, y + side).clip(frame.size)
    model = ScriptedGrounder(lambda _each: Grounding((Place(truth, 0.5),)))
    found = zoom(model, depth=depth).ground(Question(frame, "OK"))
    for question in model.questions[1:]:
        assert question.within is not None
        assert question.within.intersect(frame.box) == question.within
        assert question.within.intersect(truth) == truth
    assert found.places[0].box == truth


def test_tiles_cover_screen_and_merge_overlapping_places() -> None:
    truth = Box(1240, 700, 1300, 730)  # in the overlap of two tiles
    model = knowing(truth)
    found = tiles(model).ground(Question(LARGE, "OK"))
    assert found.usage.calls == len(model.questions) == 8
    assert [place.box for place in found.places] == [truth]


def test_tiles_report_two_matching_places() -> None:
    boxes = (Box(100, 100, 140, 140), Box(3000, 1800, 3040, 1840))

    def answer(question: Question) -> Grounding:
        area = question.within or question.screen.box
        return Grounding(tuple(Place(box, 0.9) for box in boxes if box.intersect(area) == box))

    assert len(tiles(ScriptedGrounder(answer)).ground(Question(LARGE, "OK")).places) == 2


def test_auto_tiles_only_shrunk_frames_without_result() -> None:
    def shrunk(size: Size) -> Size:
        return Size(size.width // 3, size.height // 3)

    truth = Box(2000, 1000, 2040, 1040)
    tiny = ScriptedGrounder(
        lambda each: (
            Grounding((Place(truth, 0.9),)) if each.within and each.within.intersect(truth) == truth else Grounding()
        )
    )
    found = tiles(tiny, when="auto", seen=shrunk).ground(Question(LARGE, "OK"))
    assert found.places[0].box == truth
    assert found.usage.calls == 9
    unshrunk = ScriptedGrounder(lambda _each: Grounding())
    tiles(unshrunk, when="auto").ground(Question(LARGE, "OK"))
    assert len(unshrunk.questions) == 1


@settings(deadline=None)
@given(st.integers(1, 8000), st.integers(1, 5000), st.integers(0, 300), st.integers(0, 300))
def test_tiles_cover_every_pixel(width: int, height: int, left: int, top: int) -> None:
    area = Box(left, top, left + width, top + height)
    parts = tiles_of(area, 1280, 256)
    assert len(parts) <= 20
    for point in (Point(left, top), area.center, Point(area.right - 1, area.bottom - 1), Point(left, area.bottom - 1)):
        assert any(part.contains(point) for part in parts)
    columns = sorted({(part.left, part.right) for part in parts})
    assert all(after[0] <= before[1] for before, after in pairwise(columns))
    assert all(part.intersect(area) == part for part in parts)
