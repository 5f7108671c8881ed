"""Tests of references with a recorded position, which is searched first and accepted only on a match."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from handeye.geometry import Box, Size
from handeye.locate import TemplateStrategy, find_all
from handeye.locate.sources.template import at_recorded_position
from handeye.matching import Reference
from handeye.screen import Screen
from handeye.target import Position, Region, Target
from handeye_phone.artwork import icon, wallpaper

CUT = Size(720, 1600)
PLACE = Box(300, 500, 364, 564)


class Shelf:
    def __init__(self, reference: Reference) -> None:
        self.reference = reference

    def find(self, name: str) -> tuple[Reference, ...]:
        return (self.reference,)


def screen(*places: Box, size: Size = CUT, name: str = "wechat") -> Screen:
    image = wallpaper(*size, dark=False).convert("RGB")
    for place in places:
        picture = icon(name, place.width)
        image.paste(picture, (place.left, place.top), picture)
    return Screen.from_image(image)


def cut(place: Box = PLACE, size: Size = CUT) -> Reference:
    position = Region(
        place.left / size.width, place.top / size.height, place.right / size.width, place.bottom / size.height
    )
    return Reference("wechat", np.asarray(icon("wechat", place.width)).copy(), None, size, position)


def times(box: Box, scale: float) -> Box:
    return Box(*(round(side * scale) for side in box))


@pytest.mark.parametrize("scale", [1.0, 1.25, 1.5])
def test_recorded_position_scales_with_screen_size(scale: float) -> None:
    place = times(PLACE, scale)
    (found,) = at_recorded_position(cut(), screen(place, size=Size(round(720 * scale), round(1600 * scale))))
    assert found.peak.box.iou(place) > 0.85
    assert found.peak.scale == pytest.approx(scale, rel=0.05)


def test_recorded_position_selects_among_equal_icons() -> None:
    both = screen(PLACE, PLACE.translate(-200, 700))
    match = TemplateStrategy(Shelf(cut())).locate(Target(reference="wechat"), both)
    assert match is not None
    (element,) = match.elements
    assert element.bbox.iou(PLACE) > 0.85
    assert len(find_all(cut(), both)) == 2


def test_target_with_position_gets_every_match() -> None:
    both = screen(PLACE, PLACE.translate(-200, 700))
    match = TemplateStrategy(Shelf(cut())).locate(Target(reference="wechat", position=Position.BOTTOM_LEFT), both)
    assert match is not None
    assert len(match.elements) == 2


def test_two_icons_near_recorded_position_are_refused() -> None:
    assert at_recorded_position(cut(), screen(PLACE.translate(-36, 0), PLACE.translate(36, 0))) == []


def test_moved_icon_is_found_by_full_search() -> None:
    moved = PLACE.translate(100, 600)
    assert at_recorded_position(cut(), screen(moved)) == []
    match = TemplateStrategy(Shelf(cut())).locate(Target(reference="wechat"), screen(moved))
    assert match is not None
    assert match.elements[0].bbox.iou(moved) > 0.85


def test_different_icon_at_recorded_position_is_rejected() -> None:
    assert at_recorded_position(cut(), screen(PLACE, name="mail")) == []


def test_rotated_screen_ignores_recorded_position() -> None:
    sideways = screen(Box(300, 300, 364, 364), size=Size(1600, 720))
    assert at_recorded_position(cut(), sideways) == []
    assert len(find_all(cut(), sideways)) == 1


def test_region_excluding_recorded_position_is_respected() -> None:
    assert at_recorded_position(cut(), screen(PLACE), Box(0, 900, 720, 1600)) == []


@pytest.mark.parametrize("size", [Size(1, 1), Size(8, 2000), Size(3000, 9000)])
def test_screen_of_any_size_raises_no_error(size: Size) -> None:
    assert at_recorded_position(cut(), Screen.from_image(Image.new("RGB", size))) == []
