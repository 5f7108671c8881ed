"""Tests of reference images that are rotated on the screen."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from drawn_page import DrawnPage
from PIL import Image, ImageDraw, ImageFont

from handeye.geometry import Box
from handeye.locate import LEAST_CONFIDENCE, TemplateStrategy, VisualLocator, find_all
from handeye.matching import Reference, find_rotated
from handeye.matching.acceptance import MOST_TURN
from handeye.screen import Screen
from handeye.target import Target
from handeye.verify import ScreenVerifier
from handeye_phone.artwork import icon


def reference(name: str) -> Reference:
    return Reference(name, np.asarray(icon(name, 96)).copy())


def turned(name: str, angle: float, side: int = 120) -> tuple[Screen, Box]:
    """A light page with five other icons and this one turned clockwise, and where it stands."""
    image = Image.new("RGB", (900, 1200), (245, 245, 245))
    for index, other in enumerate(("mail", "camera", "maps", "store", "music")):
        picture = icon(other, 120)
        image.paste(picture, (60 + 165 * index, 900), picture)
    picture = icon(name, side).rotate(-angle, expand=True, resample=Image.Resampling.BICUBIC)
    image.paste(picture, (350, 400), picture)
    return Screen.from_image(image), Box(350, 400, 350 + picture.width, 400 + picture.height)


@pytest.mark.parametrize("angle", [10, 25, 90, 180, -40])
@pytest.mark.parametrize("name", ["chrome", "clock"])
def test_rotated_icon_is_found_with_its_angle(name: str, angle: float) -> None:
    screen, truth = turned(name, angle)
    (place,) = find_all(reference(name), screen)
    assert place.peak.box.iou(truth) > 0.7
    assert (place.peak.angle - angle + 180) % 360 - 180 == pytest.approx(0, abs=4)
    assert place.peak.scale == pytest.approx(120 / 96, rel=0.06)
    assert place.is_turned == (abs(angle) > MOST_TURN)
    assert (place.peak.score < LEAST_CONFIDENCE) == place.is_turned


SIDE = 54


def arrow(*ends: str) -> Image.Image:
    """Hollow arrows to these ends (left, right), one beside the other, on white."""
    image = Image.new("RGB", (SIDE * len(ends), SIDE), "white")
    outline = [(22, 82), (118, 82), (118, 54), (194, 108), (118, 162), (118, 134), (22, 134)]
    large = Image.new("RGB", (4 * SIDE, 4 * SIDE), "white")
    ImageDraw.Draw(large).line([*outline, *outline[:2]], fill="#202020", width=16, joint="curve")
    right = large.resize((SIDE, SIDE), Image.Resampling.LANCZOS)
    for index, end in enumerate(ends):
        drawn = right if end == "right" else right.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        image.paste(drawn, (SIDE * index, 0))
    return image


def arrows_page(*ends: str) -> Screen:
    image = Image.new("RGB", (420, 420), "white")
    image.paste(arrow(*ends), (180, 180))
    return Screen.from_image(image)


class Arrow:
    def find(self, name: str) -> tuple[Reference, ...]:
        return (Reference(name, np.asarray(arrow(name))),)


@pytest.mark.parametrize(("asked", "shown"), [("right", "left"), ("left", "right")])
def test_opposite_arrow_is_only_a_candidate(asked: str, shown: str) -> None:
    locator = VisualLocator(images=Arrow(), reader=None)
    refused = locator.locate(Target(reference=asked), arrows_page(shown))
    assert not refused.success
    assert all(candidate.metadata["angle"] for candidate in refused.candidates)
    found = locator.locate(Target(reference=asked), arrows_page(shown, asked))
    assert found.element is not None
    assert found.element.bbox == Box(180 + SIDE, 180, 180 + 2 * SIDE, 180 + SIDE)


def test_rotated_candidate_reports_its_angle() -> None:
    class Clock:
        def find(self, name: str) -> tuple[Reference, ...]:
            return (reference("clock"),)

    screen, truth = turned("clock", 90)
    result = VisualLocator(images=Clock(), reader=None).locate(Target(reference="clock"), screen)
    assert not result.success
    (candidate,) = result.candidates
    assert candidate.bbox.iou(truth) > 0.7
    assert candidate.metadata["angle"] == pytest.approx(90, abs=4)
    match = TemplateStrategy(Clock()).locate(Target(reference="clock"), screen)
    assert match is not None
    assert "turned by" in match.note


@pytest.mark.parametrize("name", ["wechat", "setting", "call"])
def test_different_rotated_icon_is_not_matched(name: str) -> None:
    screen, _truth = turned("chrome", 30)
    assert find_all(reference(name), screen) == []


@pytest.mark.parametrize("size", [(1, 1), (12, 400), (900, 1200)])
def test_blank_frame_has_no_rotated_match(size: tuple[int, int]) -> None:
    blank = Screen.from_image(Image.new("RGB", size, "white"))
    assert find_rotated(reference("chrome"), blank, [blank.box, Box(-50, -50, 20, 20)]) == []


@pytest.mark.parametrize("angle", [-15, -10, -5, 5, 10, 15])
def test_slightly_rotated_button_is_found_and_verified(angle: int, tmp_path: Path) -> None:
    button = Image.new("RGB", (220, 90), "#f4f4f4")
    pen = ImageDraw.Draw(button)
    pen.rounded_rectangle((20, 20, 200, 70), 10, fill="#1a66c2")
    pen.text((62, 30), "Sign in", "white", ImageFont.load_default(28))
    button.save(tmp_path / "button.png")
    image = Image.new("RGB", (900, 700), "#f4f4f4")
    image.paste(button.rotate(angle, Image.Resampling.BICUBIC, expand=True, fillcolor="#f4f4f4"), (300, 250))
    target, screen = Target(reference=str(tmp_path / "button.png")), Screen.from_image(image)
    templates = TemplateStrategy()
    verifier = ScreenVerifier(DrawnPage(900, 700), templates)  # on which nothing was written
    match = templates.locate(target, screen)
    assert match is not None
    (found,) = match.elements
    assert abs(found.center.x - 300 - button.rotate(angle, expand=True).width / 2) < 6
    assert verifier.verify_before(target, found, screen).verified
    assert not verifier.verify_before(target, found, Screen.from_image(image.rotate(180))).verified
