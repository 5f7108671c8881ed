"""Tests of frames of any size and content: judged safely, and read once."""

from __future__ import annotations

import numpy as np
import pytest
from drawn_dialogs import Known, Look, dialog, page
from hypothesis import given, settings
from hypothesis import strategies as st

from handeye.blockers.detector import find_blocker
from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.matching import changed_regions
from handeye.ocr import CachedReader
from handeye.screen import Screen
from handeye.target import Expectation, Target
from handeye.text import TextLine
from handeye.verify import ScreenVerifier

COLOUR = st.tuples(*[st.integers(0, 255)] * 3)


@st.composite
def frames(draw: st.DrawFn) -> Screen:
    """A page with some rectangles on it."""
    width, height = draw(st.integers(1, 300)), draw(st.integers(1, 300))
    pixels = np.full((height, width, 3), draw(COLOUR), np.uint8)
    for _ in range(draw(st.integers(0, 4))):
        top, left = draw(st.integers(0, height)), draw(st.integers(0, width))
        pixels[top : top + draw(st.integers(1, 300)), left : left + draw(st.integers(1, 300))] = draw(COLOUR)
    return Screen(pixels)


@settings(max_examples=60, deadline=None)
@given(frames())
def test_any_frame_is_verified_safely(screen: Screen) -> None:
    blocker = find_blocker(screen, Known())
    if blocker is not None and blocker.box is not None:
        assert screen.box.intersect(blocker.box) == blocker.box


@settings(max_examples=40, deadline=None)
@given(frames(), frames())
def test_regions_of_change_lie_on_the_frame(before: Screen, after: Screen) -> None:
    for region in changed_regions(before, after):
        assert after.box.intersect(region) == region


SMALL = Screen.from_image(page(Look(360, 800)))


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=60), st.text(max_size=60))
def test_any_expectation_text_is_verified_safely(text: str, read: str) -> None:
    screen, place = SMALL, Box(100, 400, 260, 420)
    lines = (TextLine(read, place, 0.99),) if read else ()
    judge = ScreenVerifier(Known(lines))
    for verdict in (
        judge.verify(Expectation(text=text, description=text), screen, screen),
        judge.verify_with_description(screen, text),
    ):
        assert verdict.evidence
        assert verdict.verified is (verdict.matches_expected is True)
    if text.strip():
        there = UIElement("button", text, place, text=text)
        assert judge.verify_before(Target(text=text), there, screen).evidence


@pytest.mark.parametrize("words", [["发现新版本"], ["没有人认识的话"]])
def test_frame_is_ocr_read_only_once(words: list[str]) -> None:
    screen, engine = dialog(words, ["以后再说", "立即更新"])
    judge = ScreenVerifier(CachedReader(engine))
    verdict = judge.verify(Expectation(text="没有"), None, screen)
    assert verdict.blocker is not None
    judge.find_blocker(screen)
    judge.verify_with_description(Screen(screen.pixels.copy()), "“别的”出现")
    there = UIElement("text", words[0], engine.lines[0].box, text=words[0])
    assert judge.verify_before(Target(text=words[0]), there, screen).verified
    assert engine.reads == 1
