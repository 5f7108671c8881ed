"""Tests of the shipped reference images on pages of the virtual phone: matched only where the element is."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import handeye.apps
from handeye import typeface
from handeye.geometry import Box
from handeye.locate import find_all
from handeye.matching import Reference
from handeye.screen import Screen
from handeye_phone.artwork import icon
from handeye_phone.model import PhoneModel
from handeye_phone.scenario import Scenario

PICTURES = [
    Reference.open(path) for path in sorted((Path(handeye.apps.__file__).parent / "builtin").glob("*/images/*.png"))
]
DOCK = ("call", "camera", "chrome", "setting")


class Pages:
    """The phone, one page after another; its clock is turned by hand so that nothing moves."""

    def __init__(self, look: str, density: int | None) -> None:
        self.time = 0.0
        self.model = PhoneModel(Scenario.parse(look), clock=lambda: self.time)
        if density:
            self.model.override_density(density)

    def box(self, attribute: str, value: str) -> Box:
        found = re.search(rf'{attribute}="{value}"[^>]*bounds="\[(\d+),(\d+)\]\[(\d+),(\d+)\]"', self.model.hierarchy())
        assert found, f"{value!r} is not on the phone"
        return Box(*map(int, found.groups()))

    def tap(self, attribute: str, value: str) -> None:
        self.model.touch_down(*self.box(attribute, value).center)
        self.model.touch_up(*self.box(attribute, value).center)
        self.time += 5

    @property
    def screen(self) -> Screen:
        return Screen.from_image(self.model.frame())

    def home(self) -> set[str]:
        return set(DOCK)

    def chats(self) -> set[str]:
        self.model.launch("com.tencent.mm")
        self.time += 5
        return {"wechat_search", "wechat_contacts"}

    def typing(self) -> set[str]:
        self.chats()
        self.tap("text", "妈妈")
        self.tap("class", "android.widget.EditText")
        self.model.type_text("你好")
        self.time += 5
        return {"send_button"}

    def settings(self) -> set[str]:
        self.model.launch("com.android.settings")
        self.time += 5
        return {"wechat_search"}


@pytest.mark.parametrize(
    ("look", "density", "page"),
    [
        ("", None, Pages.home),
        ("", None, Pages.chats),
        ("dark", 320, Pages.typing),
        ("dark", 560, Pages.settings),
    ],
)
def test_reference_images_match_only_their_pages(
    look: str, density: int | None, page: Callable[[Pages], set[str]]
) -> None:
    phone = Pages(look, density)
    there = page(phone)
    screen = phone.screen
    found = {picture.name.removesuffix("_v2") for picture in PICTURES if find_all(picture, screen)}
    assert found == there


@pytest.mark.parametrize("word", ["发送", "发布", "登录"])
def test_same_button_with_another_label_is_not_matched(word: str) -> None:
    picture = next(picture for picture in PICTURES if picture.name == "send_button")
    image = Image.new("RGB", (600, 400), (247, 247, 247))
    button = Image.fromarray(picture.pixels[:, :, :3])
    face = button.getpixel((button.width // 2, 10))
    inside = Image.new("RGB", (button.width - 44, button.height - 28), face)
    ink, _margin = typeface.line_mask(word, 39)
    inside.paste((255, 255, 255), ((inside.width - ink.width) // 2, (inside.height - ink.height) // 2), ink)
    button.paste(inside, (22, 14))
    image.paste(button, (200, 150))
    assert bool(find_all(picture, Screen.from_image(image))) is (word == "发送")


def covered(name: str, side: str) -> Screen:
    """The icon on a light page, with a third hidden behind something gray."""
    image = Image.new("RGB", (500, 500), (245, 245, 245))
    picture = icon(name, 96)
    image.paste(picture, (200, 200), picture)
    boxes = {"left": (200, 200, 232, 296), "bottom": (200, 264, 296, 296)}
    image.paste((128, 128, 128), boxes[side])
    return Screen.from_image(image)


@pytest.mark.parametrize("side", ["left", "bottom"])
def test_icon_is_found_with_a_third_covered(side: str) -> None:
    picture = Reference("wechat", np.asarray(icon("wechat", 96)).copy())
    (place,) = find_all(picture, covered("wechat", side))
    assert place[0].box.iou(Box(200, 200, 296, 296)) > 0.7
    assert find_all(picture, covered("mail", side)) == []
