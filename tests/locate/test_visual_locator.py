"""Tests of VisualLocator as docs/spec/visual-locator.md describes it, on an image and on the virtual phone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from handeye import typeface
from handeye.apps import ModuleRegistry
from handeye.devices import open_device
from handeye.elements import UIElement
from handeye.errors import InvalidImage, UnsupportedAction, UsageError
from handeye.geometry import Box
from handeye.locate import VisualLocator
from handeye.ocr import CachedReader, PaddleReader
from handeye.screen import Screen
from handeye.target import Region
from handeye.text import TextLine


class Counted:
    """The reader, and how often it was asked to look."""

    name = "counted"

    def __init__(self) -> None:
        self.reader, self.looks = PaddleReader(threads=1), 0

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        self.looks += 1
        return self.reader.read(screen)

    def read_region(self, screen: Screen, box: Box) -> tuple[TextLine, ...]:
        self.looks += 1
        return self.reader.read_region(screen, box)


@pytest.fixture(scope="module")
def counted() -> Counted:
    return Counted()


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    """A window with a 运行 button at (400, 300), 160 by 60."""
    image = Image.new("RGB", (900, 600), (240, 240, 240))
    pen = ImageDraw.Draw(image)
    pen.rounded_rectangle((400, 300, 560, 360), 10, fill=(40, 140, 70))
    font = ImageFont.truetype(typeface.FONT_DIR / typeface.FONT_FILES[0], 32)
    pen.text((448, 310), "运行", font=font, fill=(255, 255, 255))
    pen.text((60, 40), "运行记录", font=font, fill=(30, 30, 30))
    path = tmp_path / "窗口.png"
    image.save(path)
    return path


@pytest.fixture
def locator(picture: Path, counted: Counted) -> Iterator[VisualLocator]:
    places = {"保存": Region(0.1, 0.8, 0.2, 0.9)}
    with closing(open_device(f"image:{picture}")) as device:
        yield VisualLocator(device, reader=CachedReader(counted), places=places)


def test_screen_or_region_is_captured(locator: VisualLocator, picture: Path) -> None:
    image, about = locator.capture_screen()
    assert (image.size, about.resolution, about.file_path) == ((900, 600), (900, 600), str(picture))
    assert about.timestamp.tzinfo is not None
    part, about = locator.capture_screen(region=(400, 300, 160, 60))
    assert part.size == about.resolution == (160, 60)
    assert part.getpixel((80, 8)) == (40, 140, 70)
    for outside in ((800, 500, 200, 200), (-1, 0, 10, 10), (0, 0, 0, 10)):
        with pytest.raises(UsageError):
            locator.capture_screen(region=outside)
    with pytest.raises(UnsupportedAction, match="PyCharm"):
        locator.capture_screen(window="PyCharm - main.py")
    with pytest.raises(UnsupportedAction, match="monitor 2"):
        locator.capture_screen(monitor=2)


def test_prompt_finds_its_quoted_text(locator: VisualLocator, picture: Path) -> None:
    with Image.open(picture) as screenshot:
        result = locator.locate("在截图中找到'运行'按钮的位置", screenshot, "button")
    assert result.success
    assert result.reliable
    assert result.confidence > 0.8
    assert result.element is not None
    assert result.element.element_type == "button"
    assert Box(400, 300, 560, 360).contains(result.element.center)


def test_strategies_fall_back_in_given_order(locator: VisualLocator) -> None:
    result = locator.locate_with_fallback("运行", ["visual", "ocr", "fixed"])
    assert (result.success, result.method_used) == (True, "ocr")
    assert [attempt.outcome for attempt in result.attempts] == ["skipped", "found"]
    result = locator.locate_with_fallback("保存", ["visual", "ocr", "fixed"])
    assert (result.success, result.method_used, result.reliable) == (True, "fixed", False)
    assert result.element is not None
    assert result.element.bbox == Box(90, 480, 180, 540)
    assert not locator.locate_with_fallback("退出", ["visual", "ocr", "fixed"]).success


def test_element_is_verified_on_a_later_screenshot(locator: VisualLocator, picture: Path) -> None:
    element = locator.locate("text:运行").element
    assert element is not None
    with Image.open(picture) as now:
        assert locator.verify_location(element, now)
        ImageDraw.Draw(now).rectangle((380, 280, 600, 380), fill=(240, 240, 240))
        assert not locator.verify_location(element, now)


def test_cached_find_needs_no_ocr_until_cleared(locator: VisualLocator, counted: Counted) -> None:
    before = counted.looks
    first, again = locator.locate("运行"), locator.locate("运行")
    assert first.element is not None
    assert again.element is not None
    assert (first.method_used, again.method_used) == ("ocr", "cache")
    assert first.element.bbox == again.element.bbox
    assert counted.looks == before + 1
    locator.clear_cache()
    locator.locate("运行")
    assert counted.looks == before + 2


def test_user_created_element_is_verified_by_description(locator: VisualLocator, picture: Path) -> None:
    """The cache has no entry for it, and it has no text."""
    own = UIElement("button", "运行", Box(400, 300, 560, 360))
    with Image.open(picture) as now:
        assert locator.verify_location(own, now)
        assert not locator.verify_location(replace(own, bbox=Box(600, 500, 700, 560)), now)
        ImageDraw.Draw(now).rectangle((380, 280, 600, 380), fill=(240, 240, 240))
        assert not locator.verify_location(own, now)


def test_screenshot_may_be_frame_image_array_or_path(locator: VisualLocator, picture: Path) -> None:
    with Image.open(picture) as image:
        array = np.array(image)
        for screenshot in (picture, str(picture), array, image, Screen.from_image(image)):
            result = locator.locate("运行", screenshot)
            assert result.element is not None
            assert Box(400, 300, 560, 360).contains(result.element.center)
    array[0, 0] = 7  # still the caller's own


@pytest.mark.parametrize("screenshot", [5, [[0]], np.zeros((4, 4)), np.zeros((9, 9, 4), np.uint8)])
def test_invalid_screenshot_raises_usage_error(locator: VisualLocator, screenshot: object) -> None:
    with pytest.raises(UsageError):
        locator.locate("运行", screenshot)  # type: ignore[arg-type]


def test_missing_or_invalid_image_raises_invalid_image(locator: VisualLocator, tmp_path: Path) -> None:
    with pytest.raises(InvalidImage, match=r"shot\.png"):
        locator.locate("运行", tmp_path / "shot.png")
    with pytest.raises(InvalidImage):
        locator.locate("运行", b"PNG")


@pytest.mark.parametrize("prompt", [None, 5, b"x"])
def test_invalid_prompt_raises_usage_error(locator: VisualLocator, prompt: object) -> None:
    with pytest.raises(UsageError):
        locator.locate(prompt)  # type: ignore[arg-type]


@pytest.mark.parametrize("edge", [float("inf"), float("nan")])
def test_non_finite_region_raises_usage_error(locator: VisualLocator, edge: float) -> None:
    with pytest.raises(UsageError):
        locator.capture_screen((edge, 10, 50, 50))  # type: ignore[arg-type]


@pytest.mark.usefixtures("adb_port")
def test_virtual_phone_elements_are_located(reader: CachedReader) -> None:
    with closing(open_device("phone:")) as device:
        locator = VisualLocator(device, reader=reader, images=ModuleRegistry(environment={}).images("system"))
        image, about = locator.capture_screen()
        assert image.size == about.resolution == (1080, 2400)
        part, _about = locator.capture_screen(region=(100, 200, 800, 600))
        assert part.size == (800, 600)
        camera = locator.locate("camera")
        assert (camera.method_used, camera.reliable) == ("template", True)
        named = locator.locate_with_fallback("设置", ["visual", "ocr", "fixed"])
        assert (named.method_used, named.reliable) == ("ocr", True)
        for found in (camera.element, named.element):
            assert found is not None
            assert locator.verify_location(found, image)
            assert not locator.verify_location(found, Image.new("RGB", image.size, (90, 90, 90)))
        locator.clear_cache()
        assert not locator.locate_with_fallback("不存在的人", ["visual", "ocr", "fixed"]).success
