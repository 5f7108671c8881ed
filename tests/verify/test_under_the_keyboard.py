"""Tests of tree elements under the keyboard: they are not tapped, as the tap would press a key."""

from __future__ import annotations

import pytest
from phone_frames import Phone

from handeye.blockers import BlockerType, SuggestionAction
from handeye.elements import UIElement, UIState
from handeye.ocr import CachedReader
from handeye.perceive.uiautomator import parse_hierarchy
from handeye.screen import Screen
from handeye.target import Target
from handeye.verify import ScreenVerifier


class TreeOf:
    name = "tree"
    slow = False

    def __init__(self, phone: Phone) -> None:
        self.phone = phone

    def detect(self, screen: Screen) -> UIState:
        return parse_hierarchy(self.phone.model.hierarchy(), screen)


@pytest.fixture(scope="module")
def covered() -> Phone:
    """A chat with a draft, whose field and button for sending lie under the keyboard."""
    phone = Phone("keyboard").open().tap("妈妈").focus_field()
    phone.model.type_text("你好")
    phone.time += 0.5
    return phone


def button(phone: Phone, screen: Screen) -> UIElement:
    return next(each for each in TreeOf(phone).detect(screen).elements if each.text == "发送")


def test_tree_button_under_keyboard_is_covered(reader: CachedReader, covered: Phone) -> None:
    screen = covered.frame()
    verdict = ScreenVerifier(reader, state=TreeOf(covered)).verify_before(
        Target(text="发送"), button(covered, screen), screen
    )
    assert verdict.matches_expected is False
    assert verdict.blocker is not None
    assert verdict.blocker.type is BlockerType.KEYBOARD
    assert verdict.suggestion is SuggestionAction.DISMISS


def test_key_read_on_the_keyboard_is_not_covered(reader: CachedReader, covered: Phone) -> None:
    screen = covered.frame()
    keys = [line for line in reader.read(screen) if line.box.top > 0.7 * screen.size.height and len(line.text) == 1]
    assert keys
    there = UIElement("text", keys[0].text, keys[0].box, 1.0, "ocr", keys[0].text)
    verdict = ScreenVerifier(reader, state=TreeOf(covered)).verify_before(Target(text=keys[0].text), there, screen)
    assert verdict.verified


def test_button_above_the_keyboard_is_not_covered(reader: CachedReader) -> None:
    phone = Phone().open().tap("妈妈").focus_field()
    phone.model.type_text("你好")
    phone.time += 0.5
    screen = phone.frame()
    verdict = ScreenVerifier(reader, state=TreeOf(phone)).verify_before(
        Target(text="发送"), button(phone, screen), screen
    )
    assert verdict.verified
