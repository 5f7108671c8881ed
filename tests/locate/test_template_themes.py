"""Tests of reference images in other themes: alpha channels on any background, and inverted light and dark."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from handeye.geometry import Box
from handeye.locate import TemplateStrategy, find_all
from handeye.locate.sources.template import find_inverted
from handeye.matching import Reference
from handeye.screen import Screen
from handeye.target import Expectation, Target
from handeye.verify import ScreenVerifier

PLACE = Box(420, 310, 468, 358)


def face(side: int = 48, mouth: int = 0) -> Image.Image:
    """A yellow face on nothing; `mouth` is where its mouth begins to bend, 180 for a sad one."""
    large = Image.new("RGBA", (4 * side, 4 * side), (0, 0, 0, 0))
    pen = ImageDraw.Draw(large)
    pen.ellipse((4, 4, 4 * side - 5, 4 * side - 5), fill="#f0be1e")
    for left in (1.1, 2.4):
        pen.ellipse((left * side, 1.2 * side, (left + 0.5) * side, 1.8 * side), fill="#3c320a")
    pen.arc((1.1 * side, 1.5 * side, 2.9 * side, 3.1 * side), mouth, mouth + 180, fill="#3c320a", width=side // 3)
    return large.resize((side, side), Image.Resampling.LANCZOS)


def page(colour: str, drawing: Image.Image) -> Screen:
    image = Image.new("RGB", (900, 600), colour)
    ImageDraw.Draw(image).rectangle((60, 80, 240, 180), fill="#7a8896")
    image.paste(drawing, (PLACE.left, PLACE.top), drawing)
    return Screen.from_image(image)


@pytest.mark.parametrize("colour", ["#ffffff", "#20272e", "#10304a"])
def test_transparent_image_is_found_on_any_background(colour: str, tmp_path: Path) -> None:
    face().save(tmp_path / "face.png")
    drawing = Reference.open(tmp_path / "face.png")
    (place,) = find_all(drawing, page(colour, face()))
    assert place.peak.box.iou(PLACE) > 0.6
    assert not find_all(drawing, page(colour, face(mouth=180)))


def bell(ink: int, side: int = 48) -> Image.Image:
    large = Image.new("L", (192, 192), 255 - ink)
    pen = ImageDraw.Draw(large)
    pen.pieslice((30, 20, 162, 192), 180, 360, outline=ink, width=14)
    pen.line((16, 100, 176, 100), fill=ink, width=14)
    pen.ellipse((82, 120, 110, 150), fill=ink)
    return large.resize((side, side), Image.Resampling.LANCZOS).convert("RGB")


def strip(*inks: int, page: int, side: int = 48) -> Screen:
    """A page with a bell in each ink, on a field of the other shade."""
    image = Image.new("RGB", (900, 600), (page,) * 3)
    for at, ink in enumerate(inks):
        image.paste(bell(ink, side), (120 + 200 * at, 310))
    return Screen.from_image(image)


def reference(ink: int, tmp_path: Path) -> Target:
    bell(ink).save(tmp_path / "bell.png")
    return Target(reference=str(tmp_path / "bell.png"))


@pytest.mark.parametrize("side", [48, 72])
@pytest.mark.parametrize(("ink", "other"), [(20, 235), (235, 20)])
def test_gray_icon_is_found_in_inverted_theme(ink: int, other: int, side: int, tmp_path: Path) -> None:
    match = TemplateStrategy().locate(reference(ink, tmp_path), strip(other, page=255 - other, side=side))
    assert match is not None
    (found,) = match.elements
    assert found.bbox.iou(Box(120, 310, 120 + side, 310 + side)) > 0.6
    assert "light and dark exchanged" in match.note


def test_inverted_icon_in_same_theme_is_not_matched(tmp_path: Path) -> None:
    asked = Reference.open(reference(20, tmp_path).reference or "")
    assert not find_inverted(asked, strip(235, 20, page=235), Box(0, 0, 900, 600))
    assert find_inverted(asked, strip(235, page=20), Box(0, 0, 900, 600))


def test_inverted_match_does_not_verify_image_expectation(tmp_path: Path) -> None:
    expected = Expectation(reference=reference(20, tmp_path).reference)
    assert not ScreenVerifier(None, TemplateStrategy()).verify(expected, None, strip(235, page=20)).verified


def star(side: int = 32) -> Image.Image:
    """A star of one colour on nothing."""
    large = Image.new("RGBA", (4 * side, 4 * side), (0, 0, 0, 0))
    tips = [(64, 8), (77, 48), (120, 48), (86, 74), (98, 116), (64, 91), (30, 116), (42, 74), (8, 48), (51, 48)]
    ImageDraw.Draw(large).polygon(tips, fill="#d23f6b")
    return large.resize((side, side), Image.Resampling.LANCZOS)


@pytest.mark.parametrize("colour", ["#ffffff", "#20272e", "#10304a"])
def test_one_colour_image_is_found_on_any_background(colour: str, tmp_path: Path) -> None:
    star().save(tmp_path / "star.png")
    (place,) = find_all(Reference.open(tmp_path / "star.png"), page(colour, star()))
    assert place.peak.box.contains(Box(PLACE.left, PLACE.top, PLACE.left + 32, PLACE.top + 32).center)


def test_all_of_seventy_equal_images_are_found() -> None:
    image = Image.new("RGB", (1200, 900), "#f4f4f4")
    for at in range(70):
        left, top = 40 + 110 * (at % 10), 40 + 110 * (at // 10)
        image.paste(face(40), (left, top), face(40))
    drawing = Reference("face", Screen.from_image(image).crop(Box(38, 38, 82, 82)).pixels)
    assert len(find_all(drawing, Screen.from_image(image))) == 70
