"""Tests of template matching on drawn screens: sizes, dark mode, masks, look-alikes, absence, invalid images."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from handeye.errors import InvalidReference
from handeye.geometry import Box
from handeye.locate import TemplateStrategy, find_all
from handeye.matching import Reference
from handeye.screen import Screen
from handeye.target import Region, Target
from handeye_phone.artwork import icon, wallpaper

OTHERS = ("clock", "calendar", "weather", "gallery", "maps", "store", "music", "video")


class Shelf:
    """Reference pictures in memory."""

    def __init__(self, **pictures: tuple[Reference, ...]) -> None:
        self.pictures = pictures

    def find(self, name: str) -> tuple[Reference, ...]:
        return self.pictures.get(name, ())


def reference(name: str, side: int = 96) -> Reference:
    return Reference(name, np.asarray(icon(name, side)).copy())


def launcher(*places: tuple[str, int, int, int], dark: bool = False) -> Screen:
    """Wallpaper, eight other icons, and each (name, left, top, side) of `places`."""
    image = wallpaper(1080, 2400, dark=dark).convert("RGB")
    rest = [(name, 90 + 240 * (index % 4), 1500 + 260 * (index // 4), 120) for index, name in enumerate(OTHERS)]
    for name, left, top, side in (*rest, *places):
        picture = icon(name, side, dark=dark)
        image.paste(picture, (left, top), picture)
    return Screen.from_image(image)


@pytest.mark.parametrize("side", [54, 72, 96, 120, 140])
@pytest.mark.parametrize("dark", [False, True])
def test_icon_is_found_in_any_size_and_theme(side: int, dark: bool) -> None:
    screen = launcher(("wechat", 500, 700, side), dark=dark)
    (place, *others) = find_all(reference("wechat"), screen)
    assert place[0].box.iou(Box(500, 700, 500 + side, 700 + side)) > 0.7
    assert others == []


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("name", ["wechat", "setting", "mail", "contacts", "camera", "notes"])
def test_absent_icon_is_not_found(name: str, dark: bool) -> None:
    assert find_all(reference(name), launcher(dark=dark)) == []


def test_two_equal_icons_are_both_returned() -> None:
    screen = launcher(("wechat", 100, 300, 96), ("wechat", 700, 900, 96))
    match = TemplateStrategy(Shelf(wechat=(reference("wechat"),))).locate(Target(reference="wechat"), screen)
    assert match is not None
    assert {element.bbox.center for element in match.elements} == {(148, 348), (748, 948)}


def test_region_selects_among_equal_icons() -> None:
    screen = launcher(("wechat", 100, 300, 96), ("wechat", 700, 900, 96))
    target = Target(reference="wechat", region=Region(0.5, 0.3, 1, 0.5))
    match = TemplateStrategy(Shelf(wechat=(reference("wechat"),))).locate(target, screen)
    assert match is not None
    (element,) = match.elements
    assert element.bbox.iou(Box(700, 900, 796, 996)) > 0.9


def test_any_variant_of_the_reference_matches() -> None:
    shelf = Shelf(chat=(reference("mail"), reference("wechat")))
    match = TemplateStrategy(shelf).locate(Target(reference="chat"), launcher(("wechat", 500, 700, 96)))
    assert match is not None
    (element,) = match.elements
    assert element.metadata["reference"] == "wechat"
    assert element.confidence > 0.9


def test_same_shape_in_another_colour_is_rejected() -> None:
    red = icon("wechat", 96)
    swapped = Image.merge("RGBA", (red.getchannel("G"), red.getchannel("R"), red.getchannel("B"), red.getchannel("A")))
    image = Image.new("RGB", (1080, 1200), (240, 240, 240))
    image.paste(swapped, (300, 300), swapped)
    assert find_all(reference("wechat"), Screen.from_image(image)) == []


def test_image_file_path_is_a_reference(tmp_path: Path) -> None:
    path = tmp_path / "图标.png"
    icon("wechat", 96).save(path)
    match = TemplateStrategy().locate(Target(reference=str(path)), launcher(("wechat", 500, 700, 96)))
    assert match is not None
    assert match.elements[0].bbox == Box(503, 703, 593, 793)  # without its transparent border


def test_unknown_reference_name_is_not_accepted() -> None:
    assert TemplateStrategy().accepts(Target(reference="nobody")) == "there is no reference image 'nobody'"
    assert TemplateStrategy().accepts(Target(text="only text")) is not None


def test_reference_larger_than_screen_is_not_found() -> None:
    small = Screen(np.random.default_rng(1).integers(0, 255, (40, 40, 3), dtype=np.uint8))
    assert find_all(reference("wechat", 256), small) == []


@pytest.mark.parametrize("size", [(1, 1), (9, 2000), (8, 8)])
def test_blank_frame_of_any_shape_has_no_match(size: tuple[int, int]) -> None:
    assert find_all(reference("wechat"), Screen(np.zeros((size[1], size[0], 3), np.uint8))) == []


@pytest.mark.parametrize(
    "pixels",
    [
        np.full((40, 40, 3), 200, np.uint8),  # one colour
        np.random.default_rng(1).integers(0, 255, (4, 40, 3), dtype=np.uint8),  # too low
        np.zeros((40, 40), np.uint8),  # no channels
        np.zeros((40, 40, 4), np.uint8),  # wholly transparent
    ],
)
def test_unsuitable_reference_image_is_rejected(pixels: np.ndarray) -> None:
    with pytest.raises(InvalidReference):
        Reference("bad", pixels)


@pytest.mark.parametrize("content", [b"", b"not an image", b"\x89PNG\r\n\x1a\n" + b"\0" * 40])
def test_error_names_the_broken_file(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.png"
    path.write_bytes(content)
    with pytest.raises(InvalidReference, match=r"broken\.png"):
        Reference.open(path)


@pytest.mark.parametrize("mode", ["P", "L", "CMYK", "1", "I;16"])
def test_reference_opens_every_image_mode(tmp_path: Path, mode: str) -> None:
    path = tmp_path / ("picture.tif" if mode in ("CMYK", "I;16") else "picture.png")
    gray = icon("wechat", 64).convert("L")
    picture = Image.fromarray(np.asarray(gray, np.uint16) * 257) if mode == "I;16" else gray.convert(mode)
    picture.save(path)
    assert Reference.open(path).gray.shape == (64, 64)
