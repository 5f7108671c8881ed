"""Tests of picture signatures of nameless elements: which changes count as a different picture."""

from __future__ import annotations

import numpy as np
import pytest

from handeye.desktop.appearance import is_alike, picture_signature
from handeye.geometry import Box
from handeye.screen import Screen

BOX = Box(10, 10, 60, 50)


def frame(shape: str, ink: int = 0, paper: int = 230, ring: bool = False) -> Screen:
    """A picture with a shape in BOX; with a ring around it as what has the keyboard."""
    pixels = np.full((100, 100, 3), paper, np.uint8)
    for at in range(24):
        for x, y in {"cross": ((at, at), (23 - at, at)), "bar": ((at, 11), (at, 12)), "none": ()}[shape]:
            pixels[18 + y, 22 + x] = ink
    if ring:
        pixels[10, 10:60] = pixels[49, 10:60] = pixels[10:50, 10] = pixels[10:50, 59] = 0
    return Screen(pixels)


@pytest.mark.parametrize("shape", ["cross", "bar", "none"])
def test_signature_ignores_grey_levels_and_focus_ring(shape: str) -> None:
    kept = picture_signature(frame(shape), BOX)
    for now in (frame(shape), frame(shape, ring=True), frame(shape, ink=255, paper=60), frame(shape, paper=200)):
        assert is_alike(kept, now, BOX)


def test_signature_differs_for_another_shape() -> None:
    for ink in (0, 210):
        for kept, now in (("cross", "bar"), ("bar", "cross"), ("cross", "none"), ("none", "cross")):
            assert not is_alike(picture_signature(frame(kept, ink), BOX), frame(now, ink), BOX)


def tinted(ink: tuple[int, int, int], paper: tuple[int, int, int] = (230, 230, 230)) -> Screen:
    """A square in BOX."""
    pixels = np.full((100, 100, 3), paper, np.uint8)
    pixels[20:40, 25:45] = ink
    return Screen(pixels)


def test_signature_differs_for_another_tint() -> None:
    inks = [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 160, 0), (60, 60, 60)]
    for one in inks:
        for other in inks:
            assert is_alike(picture_signature(tinted(one), BOX), tinted(other), BOX) == (one == other)
            assert is_alike(picture_signature(tinted((0, 0, 0), one), BOX), tinted((0, 0, 0), other), BOX) == (
                one == other
            )
    dark, below_the_pointer = tinted((200, 0, 0), (220, 220, 220)), tinted((200, 0, 0), (225, 235, 245))
    assert is_alike(picture_signature(dark, BOX), below_the_pointer, BOX)


def test_selected_row_matches_its_picture_signature() -> None:
    def row(paper: tuple[int, int, int], text: int) -> Screen:
        pixels = np.full((40, 400, 3), paper, np.uint8)
        pixels[10:30, 20:40] = (200, 0, 0)
        pixels[10:30:4, 60:160:7] = text
        return Screen(pixels)

    box = Box(0, 0, 400, 40)
    assert is_alike(picture_signature(row((255, 255, 255), 0), box), row((60, 130, 220), 255), box)


@pytest.mark.parametrize("kept", ["", "nonsense", "\x00", "字"])
def test_invalid_signature_matches_nothing(kept: str) -> None:
    assert not is_alike(kept, frame("cross"), BOX)


def test_signature_differs_for_another_size() -> None:
    assert not is_alike(picture_signature(frame("cross"), BOX), frame("cross"), Box(10, 10, 90, 90))
