"""Tests of one-colour reference icons whose shape is only in the alpha channel."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from handeye.geometry import Box
from handeye.locate import VisualLocator
from handeye.screen import Screen
from handeye.target import Target

PLACE = Box(400, 300, 440, 340)


def magnifier(side: int, colour: str) -> Image.Image:
    """Drawn four times as large, so that its edges are smooth."""
    large = Image.new("RGBA", (4 * side, 4 * side), (0, 0, 0, 0))
    pen = ImageDraw.Draw(large)
    pen.ellipse((10, 10, 2.8 * side, 2.8 * side), outline=colour, width=side // 3)
    pen.line((2.6 * side, 2.6 * side, 3.8 * side, 3.8 * side), fill=colour, width=side // 3)
    return large.resize((side, side), Image.Resampling.LANCZOS)


def page(colour: str, ink: str, *, shown: bool) -> Screen:
    image = Image.new("RGB", (800, 600), colour)
    pen = ImageDraw.Draw(image)
    for left in range(60, 760, 90):  # other icons: squares, crosses
        pen.rectangle((left, 100, left + 30, 130), outline=ink, width=3)
        pen.line((left, 200, left + 30, 230), fill=ink, width=3)
        pen.line((left + 30, 200, left, 230), fill=ink, width=3)
    if shown:
        icon = magnifier(PLACE.width, ink)
        image.paste(icon, (PLACE.left, PLACE.top), icon)
    return Screen.from_image(image)


@pytest.fixture(params=["#222222", "#eeeeee"])
def reference(request: pytest.FixtureRequest, tmp_path: Path) -> Target:
    path = tmp_path / "search.png"
    magnifier(32, request.param).save(path)
    return Target(reference=str(path))


@pytest.mark.parametrize(("colour", "ink"), [("#ffffff", "#333333"), ("#181818", "#e0e0e0")])
def test_icon_is_found_on_light_and_dark_pages(reference: Target, colour: str, ink: str) -> None:
    result = VisualLocator(reader=None).locate_with_fallback(reference, ["template"], page(colour, ink, shown=True))
    assert result.element is not None, result.error
    assert PLACE.contains(result.element.center)


@pytest.mark.parametrize(("colour", "ink"), [("#ffffff", "#333333"), ("#181818", "#e0e0e0")])
def test_absent_icon_is_not_matched_to_others(reference: Target, colour: str, ink: str) -> None:
    result = VisualLocator(reader=None).locate_with_fallback(reference, ["template"], page(colour, ink, shown=False))
    assert result.element is None
    assert not result.candidates
