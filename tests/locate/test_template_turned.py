"""Pictures that stand turned on the screen."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from handeye.geometry import Box
from handeye.locate.keypoints import find_turned
from handeye.locate.reference import Reference
from handeye.locate.template import find_all
from handeye.phone.artwork import icon
from handeye.screen import Screen


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
def test_a_turned_icon_is_found_with_its_angle(name: str, angle: float) -> None:
    screen, truth = turned(name, angle)
    (place,) = find_all(reference(name), screen)
    assert place.peak.box.iou(truth) > 0.7
    assert (place.peak.angle - angle + 180) % 360 - 180 == pytest.approx(0, abs=4)
    assert place.peak.scale == pytest.approx(120 / 96, rel=0.06)


@pytest.mark.parametrize("name", ["wechat", "setting", "call"])
def test_another_turned_icon_is_not_it(name: str) -> None:
    screen, _truth = turned("chrome", 30)
    assert find_all(reference(name), screen) == []


@pytest.mark.parametrize("size", [(1, 1), (12, 400), (900, 1200)])
def test_nothing_is_found_on_nothing(size: tuple[int, int]) -> None:
    blank = Screen.from_image(Image.new("RGB", size, "white"))
    assert find_turned(reference("chrome"), blank, [blank.box, Box(-50, -50, 20, 20)]) == []
