"""Tests of every accepted form of a screenshot."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

from handeye import Screen, ScreenParser, VisualLocator
from handeye.errors import InvalidImage, UsageError
from handeye.screen import as_screen


def picture() -> Image.Image:
    image = Image.new("RGB", (300, 200), "white")
    ImageDraw.Draw(image).rounded_rectangle((40, 60, 180, 110), 8, "royalblue")
    return image


def as_file(image: Image.Image, folder: Path) -> Path:
    image.save(folder / "screen.png")
    return folder / "screen.png"


def as_bytes(image: Image.Image, folder: Path) -> bytes:
    held = io.BytesIO()
    image.save(held, "PNG")
    return held.getvalue()


def as_capture(image: Image.Image, folder: Path) -> tuple[Any, Any]:
    return image, Screen.from_image(image).metadata


FORMS: dict[str, Callable[[Image.Image, Path], Any]] = {
    "frame": lambda image, folder: Screen.from_image(image),
    "image": lambda image, folder: image,
    "array": lambda image, folder: np.array(image),
    "bytes": as_bytes,
    "path": as_file,
    "path as text": lambda image, folder: str(as_file(image, folder)),
    "capture": as_capture,
}


@pytest.fixture(scope="module")
def parser() -> ScreenParser:
    return ScreenParser(None)


@pytest.mark.parametrize("form", FORMS)
def test_every_screenshot_form_gives_the_same_frame(form: str, tmp_path: Path) -> None:
    frame = as_screen(FORMS[form](picture(), tmp_path))
    assert np.array_equal(frame.pixels, np.array(picture()))


@pytest.mark.parametrize("form", FORMS)
def test_parser_accepts_every_screenshot_form(form: str, tmp_path: Path, parser: ScreenParser) -> None:
    given = FORMS[form](picture(), tmp_path)
    seen = [(each.element_type, each.bbox) for each in parser.parse(given).elements]
    assert seen
    assert seen == [(each.element_type, each.bbox) for each in parser.parse(Screen.from_image(picture())).elements]
    assert parser.find(given, "the search icon").looked


@pytest.mark.parametrize("form", FORMS)
def test_locator_accepts_every_screenshot_form(form: str, tmp_path: Path) -> None:
    locator = VisualLocator(reader=None, parser=None, vision=None)
    as_file(picture().crop((30, 50, 190, 120)), tmp_path).rename(tmp_path / "button.png")
    found = locator.locate(str(tmp_path / "button.png"), FORMS[form](picture(), tmp_path))
    assert found.success
    assert found.element is not None
    assert found.element.bbox == (30, 50, 190, 120)


@pytest.mark.parametrize("wrong", [None, 7, [1, 2], np.zeros((4, 4), np.uint8)])
def test_invalid_screenshot_raises_usage_error(wrong: Any, parser: ScreenParser) -> None:
    with pytest.raises(UsageError):
        parser.parse(wrong)


def test_non_image_bytes_raise_invalid_image(parser: ScreenParser) -> None:
    with pytest.raises(InvalidImage):
        parser.parse(b"no picture")
