"""Tests of names read with low confidence, checked in the device's tree: 黄丽 is neither 黃丽 nor 黄莉."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from page_of_lines import PageReader, frame
from phone_frames import Phone

from handeye.elements import UIElement, UIState
from handeye.errors import TreeFailed
from handeye.geometry import Box
from handeye.ocr import CachedReader
from handeye.perceive.uiautomator import parse_hierarchy
from handeye.screen import Screen
from handeye.target import Expectation, Region
from handeye.text import TextLine
from handeye.verify import ScreenVerifier

TITLE = Region(0.0, 0.0, 1.0, 0.3)
AT = Box(280, 300, 420, 340)


@dataclass
class Told:
    """A tree that has these texts, each with its box; `asked` counts how often it was read."""

    texts: Sequence[tuple[str, Box]] | None
    asked: int = 0
    name: str = field(default="told", init=False)
    slow: bool = field(default=True, init=False)

    def detect(self, screen: Screen) -> UIState:
        self.asked += 1
        if self.texts is None:
            raise TreeFailed("no tree")
        elements = (UIElement("text", "", box, text=text, source="accessibility") for text, box in self.texts)
        return UIState(screen, tuple(elements))


def verdict(wanted: str, read: str, sure: float, tree: Told | None, *, exact: bool = True) -> bool | None:
    judge = ScreenVerifier(PageReader([TextLine(read, AT, sure)]), state=tree)
    return judge.verify(Expectation(text=wanted, region=TITLE, exact=exact), None, frame()).matches_expected


@pytest.mark.parametrize("read", ["黃丽", "黄莉", "莤丽"])
def test_low_confidence_name_is_resolved_by_the_tree(read: str) -> None:
    assert verdict("黄丽", read, 0.8, Told([("黄丽", AT.expand(20))])) is True


@pytest.mark.parametrize("other", ["黃丽", "黄莉", "黄丽丽", "黄", "王丽", "黄丽 的群", ""])
def test_low_confidence_reading_does_not_accept_another_name(other: str) -> None:
    assert verdict("黄丽", "黃丽", 0.8, Told([(other, AT.expand(20))])) is False


@pytest.mark.parametrize("sure", [0.8, 0.99])
def test_names_with_thin_letters_are_resolved_by_tree(sure: float) -> None:
    """OCR miscounts thin letters: Bill and Bil differ, and without a tree the reading decides."""
    assert verdict("Bill", "Bil", sure, Told([("Bill", AT.expand(20))])) is True
    assert verdict("Bill", "Bil", sure, Told([("Bil", AT.expand(20))])) is False
    assert verdict("Bill", "Bil", sure, None) is False


@pytest.mark.parametrize("other", ["黃丽", "黄莉"])
def test_low_confidence_name_contradicted_by_tree_is_refused(other: str) -> None:
    assert verdict("黄丽", "黄丽", 0.8, Told([(other, AT.expand(20))])) is False


@pytest.mark.parametrize("box", [Box(280, 500, 420, 540), Box(0, 300, 100, 340)])
def test_same_name_elsewhere_in_tree_proves_nothing(box: Box) -> None:
    assert verdict("黄丽", "黃丽", 0.8, Told([("黄丽", box)])) is False


def test_innermost_tree_element_decides_the_name() -> None:
    page = ("黄丽", Box(0, 0, 720, 1600))
    assert verdict("黄丽", "黃丽", 0.8, Told([page, ("黃丽", AT.expand(20))])) is False


@pytest.mark.parametrize(
    ("wanted", "read", "sure"), [("黄丽", "黃丽", 0.98), ("黄丽", "张三", 0.7), ("黄丽", "黄丽丽", 0.8)]
)
def test_clear_or_different_reading_skips_the_tree(wanted: str, read: str, sure: float) -> None:
    tree = Told([(wanted, AT.expand(20))])
    assert verdict(wanted, read, sure, tree) is False
    assert not tree.asked


def test_high_confidence_name_skips_the_tree() -> None:
    tree = Told([])
    assert verdict("黄丽", "黄丽", 0.95, tree) is True
    assert not tree.asked


def test_ocr_reading_decides_without_a_tree() -> None:
    for tree in (None, Told(None), Told([])):
        assert verdict("黄丽", "黃丽", 0.8, tree) is False
        assert verdict("黄丽", "黄丽", 0.8, tree) is True


class PhoneTree:
    """The tree of a virtual phone."""

    name = "phone"
    slow = True

    def __init__(self, phone: Phone) -> None:
        self._phone = phone

    def detect(self, screen: Screen) -> UIState:
        return parse_hierarchy(self._phone.model.hierarchy(), screen)


@pytest.mark.parametrize("density", [240, 280, 320, 360, 420])
def test_small_titles_of_real_pages_are_distinguished(density: int, reader: CachedReader) -> None:
    phone = Phone(density=density)
    phone.model.open_chat("黄丽")
    phone.time += 1
    judge, screen = ScreenVerifier(reader, state=PhoneTree(phone)), phone.frame()
    for wanted in ("黄丽", "黃丽", "黄莉", "黄丽丽", "黄"):
        expect = Expectation(text=wanted, region=Region(0.0, 0.0, 1.0, 0.15), exact=True)
        assert judge.verify(expect, None, screen).verified is (wanted == "黄丽"), wanted
