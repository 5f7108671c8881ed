"""Tests of whole-screen images in another aspect ratio: docs/spec/vision-agent.md stores its states as 360x640."""

from __future__ import annotations

import numpy as np
import pytest
from phone_frames import Phone
from PIL import Image

from handeye.errors import InvalidReference
from handeye.matching import Reference
from handeye.ocr import CachedReader
from handeye.screen import Screen
from handeye.target import Expectation
from handeye.verify import ScreenVerifier, VerifyResult

SHAPES = [(360, 640), (300, 400)]


class Shelf:
    def __init__(self, image: Image.Image) -> None:
        self.image = image

    def find(self, name: str) -> tuple[Reference, ...]:
        return (Reference(name, np.asarray(self.image).copy()),)


@pytest.fixture(scope="module")
def pages() -> dict[str, Image.Image]:
    phone = Phone().open()
    chats = phone.model.frame()
    return {"chats": chats, "chat": phone.tap("妈妈").model.frame(), "typing": phone.focus_field().model.frame()}


def verdict(reader: CachedReader, picture: Image.Image, page: Image.Image, how: str) -> VerifyResult:
    after = Screen.from_image(page)
    if how == "by name":
        return ScreenVerifier(reader, Shelf(picture)).verify(Expectation(reference="main"), None, after)
    return ScreenVerifier(reader).verify_with_reference(picture, after)


@pytest.mark.parametrize("how", ["by name", "by picture"])
@pytest.mark.parametrize("shape", SHAPES[:2])
def test_thumbnail_of_another_aspect_ratio_matches_its_page(
    reader: CachedReader, pages: dict[str, Image.Image], shape: tuple[int, int], how: str
) -> None:
    for name, page in pages.items():
        assert verdict(reader, page.resize(shape), page, how).verified, name


@pytest.mark.parametrize(("how", "one", "other"), [("by name", "chats", "chat"), ("by picture", "chat", "typing")])
def test_thumbnail_of_another_page_does_not_match(
    reader: CachedReader, pages: dict[str, Image.Image], how: str, one: str, other: str
) -> None:
    assert verdict(reader, pages[one].resize(SHAPES[0]), pages[other], how).matches_expected is False


def test_cropped_thumbnail_does_not_contradict_its_page(reader: CachedReader, pages: dict[str, Image.Image]) -> None:
    cut = pages["chats"].crop((0, 240, 1080, 2160)).resize(SHAPES[0])
    assert verdict(reader, cut, pages["chats"], "by name").matches_expected is not False


def test_flat_reference_image_is_invalid(reader: CachedReader) -> None:
    white = Image.new("RGB", (1080, 2400), "white")
    with pytest.raises(InvalidReference):
        verdict(reader, white.resize(SHAPES[0]), white, "by picture")
