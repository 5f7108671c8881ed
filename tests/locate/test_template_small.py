"""Tests of template matching for icons of about twenty pixels that differ by a stroke or two."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw

from handeye.geometry import Box
from handeye.locate import find_all
from handeye.matching import Reference
from handeye.screen import Screen

PEN = 8  # the signs are drawn so many times as large, and made smaller
AT = (70, 60)


def sign(name: str, side: int, ink: str = "#202020", paper: str = "white") -> Image.Image:
    """Signs in a ring or a box, and filled shapes, with a margin of a fifth."""
    image = Image.new("RGB", (side * PEN, side * PEN), paper)
    draw = ImageDraw.Draw(image)
    unit = side * PEN / 30
    stroke = round(1.6 * unit)
    low, middle, high = 6 * unit, 15 * unit, 24 * unit
    frame, _, inside = name.partition(" ")
    if frame == "ring":
        draw.ellipse((low, low, high, high), outline=ink, width=stroke)
    if frame == "box":
        draw.rectangle((low, low, high, high), outline=ink, width=stroke)
    if inside in ("plus", "minus"):
        draw.line((low, middle, high, middle), fill=ink, width=stroke)
    if inside == "plus":
        draw.line((middle, low, middle, high), fill=ink, width=stroke)
    if inside == "cross":
        near, far = (8.6 * unit, 21.4 * unit) if frame == "ring" else (low, high)
        draw.line((near, near, far, far), fill=ink, width=stroke)
        draw.line((near, far, far, near), fill=ink, width=stroke)
    if frame == "disc":
        draw.ellipse((low, low, high, high), fill=ink)
    if frame in ("diamond", "lozenge"):
        wide = 11 * unit if frame == "diamond" else 8 * unit
        tall = 11 * unit
        corners = [(middle, middle - tall), (middle + wide, middle), (middle, middle + tall), (middle - wide, middle)]
        draw.polygon(corners, fill=ink)
    return image.resize((side, side), Image.Resampling.LANCZOS)


def page(*pictures: Image.Image, paper: str = "white") -> Screen:
    image = Image.new("RGB", (190, 160), paper)
    for index, picture in enumerate(pictures):
        image.paste(picture, (AT[0] + 120 * index, AT[1]))
    return Screen.from_image(image)


def cut(picture: Image.Image) -> Reference:
    return Reference("sign", np.asarray(picture).copy())


PAIRS = [
    ("ring plus", "ring minus"),
    ("ring minus", "ring plus"),
    ("box plus", "box minus"),
    ("box minus", "box plus"),
    ("box plus", "ring plus"),
    ("ring cross", "box cross"),
    ("disc", "diamond"),
    ("diamond", "disc"),
    ("diamond", "lozenge"),
    ("lozenge", "diamond"),
]


@pytest.mark.parametrize("colours", [("#202020", "white"), ("white", "#1a73e8")])
@pytest.mark.parametrize(("side", "shown_side"), [(22, 22), (30, 24), (24, 32)])
@pytest.mark.parametrize(("asked", "shown"), PAIRS)
def test_different_small_symbol_is_rejected(
    asked: str, shown: str, side: int, shown_side: int, colours: tuple[str, str]
) -> None:
    other = sign(shown, shown_side, *colours)
    assert find_all(cut(sign(asked, side, *colours)), page(other, paper=colours[1])) == []


@pytest.mark.parametrize("shown_side", [22, 30, 36, 40])
@pytest.mark.parametrize("name", sorted({name for pair in PAIRS for name in pair}))
def test_small_symbol_is_found_in_other_sizes(name: str, shown_side: int) -> None:
    places = find_all(cut(sign(name, 30)), page(sign(name, shown_side)))
    left, top = AT
    assert len(places) == 1
    assert places[0].peak.box.iou(Box(left, top, left + shown_side, top + shown_side)) > 0.75


@pytest.mark.parametrize("shift", [0.25, 0.5, 0.75])
@pytest.mark.parametrize("name", ["ring plus", "box cross", "disc", "lozenge"])
def test_small_symbol_is_found_at_subpixel_offsets(name: str, shift: float) -> None:
    large = sign(name, 30 * PEN)
    moved = Image.new("RGB", large.size, "white")
    moved.paste(large, (round(shift * PEN), round(shift * PEN)))
    shown = moved.resize((30, 30), Image.Resampling.BOX)
    (place,) = find_all(cut(large.resize((30, 30), Image.Resampling.BOX)), page(shown))
    assert place.peak.box.iou(Box(*AT, AT[0] + 30, AT[1] + 30)) > 0.85
