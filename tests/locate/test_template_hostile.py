"""Tests of template matching with frames and references of any shape, and of its correlation and memory use."""

from __future__ import annotations

import gc
import tracemalloc

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handeye.errors import InvalidReference
from handeye.locate import find_all
from handeye.matching import Reference
from handeye.matching.correlation import FramePlane
from handeye.screen import Screen
from handeye_phone.artwork import icon

SOAK_SEARCHES = 2_500
SMALLEST_OBJECT = 16  # bytes: no object of Python's is smaller, so that one left behind by each search shows


def noise(seed: int, height: int, width: int, channels: int) -> np.ndarray:
    """Squares of random colours, some of them alike, and stripes: what corrupt and tiled pictures look like."""
    chance = np.random.default_rng(seed)
    cells = chance.integers(0, 255, (-(-height // 7), -(-width // 5), channels), dtype=np.uint8)
    pixels = np.kron(cells, np.ones((7, 5, 1), np.uint8))[:height, :width]
    return np.ascontiguousarray(pixels)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 9999),
    st.integers(1, 150),
    st.integers(1, 150),
    st.integers(8, 120),
    st.integers(8, 120),
    st.sampled_from([3, 4]),
)
def test_any_reference_on_any_frame_gives_valid_result(
    seed: int, tall: int, wide: int, high: int, broad: int, channels: int
) -> None:
    screen = Screen(noise(seed, tall, wide, 3))
    try:
        reference = Reference("any", noise(seed + 1, high, broad, channels))
    except InvalidReference:
        return
    for peak, evidence, _reference in find_all(reference, screen):
        assert peak.box.intersect(screen.box) is not None
        assert -1.0 <= peak.score <= 1.0
        assert evidence


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 9999), st.integers(12, 90), st.integers(12, 90), st.integers(0, 40), st.integers(0, 40))
def test_image_cropped_from_frame_is_found_there(seed: int, high: int, broad: int, top: int, left: int) -> None:
    pixels = np.random.default_rng(seed).integers(0, 255, (140, 140, 3), dtype=np.uint8)
    smooth = cv2.blur(pixels, (7, 7))  # details as large as those of a screen
    pixels = np.ascontiguousarray(cv2.normalize(smooth, None, 0, 255, cv2.NORM_MINMAX))
    reference = Reference("cut", pixels[top : top + high, left : left + broad].copy())
    (place, *_rest) = find_all(reference, Screen(pixels))
    assert place.peak.box == (left, top, left + broad, top + high)
    assert place.peak.score > 0.85


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 9999), st.integers(4, 30), st.integers(4, 30), st.booleans())
def test_correlation_equals_opencv_match_template(seed: int, high: int, broad: int, masked: bool) -> None:
    chance = np.random.default_rng(seed)
    frame = chance.integers(0, 255, (60, 50), dtype=np.uint8)
    small = chance.integers(0, 255, (high, broad), dtype=np.uint8)
    mask = None
    if masked:
        mask = np.where(chance.random((high, broad)) < 0.7, 255, 0).astype(np.uint8)
        mask[0, :2] = 255
    expected = cv2.matchTemplate(frame, small, cv2.TM_CCOEFF_NORMED, mask=mask)
    assert np.abs(FramePlane(frame).correlate(small, mask) - expected).max() < 0.01


def test_icon_on_8k_frame_is_found() -> None:
    pixels = np.full((4320, 7680, 3), 240, np.uint8)
    picture = np.asarray(icon("wechat", 96).convert("RGB"))
    pixels[4000:4096, 7000:7096] = picture
    (place,) = find_all(Reference("wechat", picture.copy()), Screen(pixels))
    assert place.peak.box == (7000, 4000, 7096, 4096)


def test_released_frame_is_searched_again_without_cache() -> None:
    picture = np.asarray(icon("wechat", 96).convert("RGB"))
    pixels = np.full((900, 700, 3), 240, np.uint8)
    pixels[300:396, 200:296] = picture
    screen, reference = Screen(pixels), Reference("wechat", picture.copy())
    first = find_all(reference, screen)
    assert screen.derived
    screen.release()
    assert not screen.derived
    assert [place.peak for place in find_all(reference, screen)] == [place.peak for place in first]


@pytest.mark.soak
def test_thousands_of_searches_do_not_leak_memory() -> None:
    """Two references stop at the colour check, two run every pass; tracing memory doubles their 20 ms each."""
    references = [Reference(name, np.asarray(icon(name, 48)).copy()) for name in ("wechat", "mail", "chrome", "clock")]
    pixels = noise(1, 240, 320, 3)

    def search(times: int) -> None:
        for index in range(times):
            find_all(references[index % len(references)], Screen(pixels.copy()))

    search(100)
    gc.collect()
    tracemalloc.start()
    search(100)  # what tracing itself and the first searches under it keep
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    search(SOAK_SEARCHES)
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert after - before < SMALLEST_OBJECT * SOAK_SEARCHES
