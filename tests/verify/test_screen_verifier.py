"""Tests of verdicts and their evidence, on real frames of the virtual phone."""

from __future__ import annotations

import numpy as np
import pytest
from phone_frames import Phone
from PIL import Image, ImageDraw

from handeye.blockers import BlockerType, SuggestionAction
from handeye.errors import InvalidReference
from handeye.geometry import Box
from handeye.matching import Reference, compare
from handeye.ocr import CachedReader
from handeye.screen import Screen
from handeye.target import Expectation, Region
from handeye.verify import ScreenVerifier, Verifier
from handeye_phone.artwork import icon


class Shelf:
    def __init__(self, **pictures: np.ndarray) -> None:
        self.pictures = pictures

    def find(self, name: str) -> tuple[Reference, ...]:
        return (Reference(name, self.pictures[name]),) if name in self.pictures else ()


@pytest.fixture(scope="module")
def home() -> Screen:
    return Phone().frame()


@pytest.fixture(scope="module")
def chats() -> Screen:
    return Phone().open().frame()


@pytest.fixture(scope="module")
def chat() -> Screen:
    return Phone().open().tap("妈妈").frame()


@pytest.fixture
def verifier(reader: CachedReader) -> Verifier:
    return ScreenVerifier(reader, Shelf(camera=np.asarray(icon("camera", 128)).copy()))


def test_text_that_is_there_proves_a_step(verifier: Verifier, home: Screen, chats: Screen) -> None:
    verdict = verifier.verify(Expectation(text="文件传输助手"), home, chats)
    assert verdict
    assert verdict.matches_expected is True
    assert verdict.suggestion is SuggestionAction.CONTINUE
    assert verdict.confidence > 0.8
    assert any("文件传输助手" in line for line in verdict.evidence)


def test_longer_name_does_not_prove_shorter_one(verifier: Verifier, home: Screen, chats: Screen) -> None:
    verdict = verifier.verify(Expectation(text="张三", exact=True), home, chats)
    assert not verdict
    assert verdict.matches_expected is False
    assert verdict.suggestion is SuggestionAction.REPLAN


def test_text_counts_in_its_region_only(verifier: Verifier, chats: Screen) -> None:
    assert verifier.verify(Expectation(text="通讯录", region=Region(0, 0.8, 1, 1)), None, chats)
    assert not verifier.verify(Expectation(text="通讯录", region=Region(0, 0, 1, 0.5)), None, chats)


def test_gone_holds_only_for_absent_text(verifier: Verifier, home: Screen, chats: Screen) -> None:
    assert verifier.verify(Expectation(gone="文件传输助手"), chats, home)
    assert verifier.verify(Expectation(gone="文件传输助手"), home, chats).matches_expected is False


def test_every_part_of_expectation_must_hold(verifier: Verifier, home: Screen, chats: Screen) -> None:
    assert verifier.verify(Expectation(text="通讯录", gone="相册", changed=True), home, chats)
    assert not verifier.verify(Expectation(text="通讯录", gone="文件传输助手"), home, chats)
    assert not verifier.verify(Expectation(text="通讯录", changed=True), chats, chats)


def test_a_reference_image_proves_a_step(verifier: Verifier, home: Screen, chats: Screen) -> None:
    assert verifier.verify(Expectation(reference="camera"), None, home)
    assert verifier.verify(Expectation(reference="camera"), None, chats).matches_expected is False


def test_an_unknown_reference_is_undecided(verifier: Verifier, home: Screen) -> None:
    verdict = verifier.verify(Expectation(reference="nobody"), None, home)
    assert verdict.undecided
    assert "nobody" in verdict.evidence[0]


def test_a_change_alone_proves_nothing(verifier: Verifier, home: Screen, chats: Screen) -> None:
    verdict = verifier.verify(Expectation(changed=True), home, chats)
    assert (verdict.verified, verdict.matches_expected, verdict.screen_changed) == (False, None, True)
    assert verdict.suggestion is SuggestionAction.CONTINUE
    assert verdict.evidence[0].startswith("the screen changed by ")


@pytest.mark.parametrize("expect", [Expectation(changed=True), None])
def test_unchanged_screen_suggests_a_retry(verifier: Verifier, chats: Screen, expect: Expectation | None) -> None:
    verdict = verifier.verify(expect, chats, chats)
    assert not verdict
    assert verdict.screen_changed is False
    assert verdict.suggestion is SuggestionAction.RETRY


def test_blocking_dialog_is_named_in_the_verdict(verifier: Verifier, home: Screen) -> None:
    verdict = verifier.verify(Expectation(text="没有这句话的"), home, Phone("permission").open().frame())
    assert verdict.blocker is not None
    assert verdict.blocker.type is BlockerType.PERMISSION
    assert verdict.suggestion is SuggestionAction.DISMISS


def test_loading_is_waited_for(verifier: Verifier, home: Screen) -> None:
    verdict = verifier.verify(Expectation(text="通讯录"), home, Phone("loading").open().frame())
    assert verdict.suggestion is SuggestionAction.WAIT


def test_page_is_recognised_by_reference_image(reader: CachedReader, chats: Screen, chat: Screen, home: Screen) -> None:
    verifier = ScreenVerifier(reader)
    picture = chats.image.resize((360, 800))
    later = Phone("").open()
    later.time += 3600  # another clock
    assert verifier.verify_with_reference(picture, later.frame().image)
    assert verifier.verify_with_reference(picture, chats.image, "“文件传输助手”还在")
    for other in (chat, home):
        assert verifier.verify_with_reference(picture, other).matches_expected is False
    assert not verifier.verify_with_reference(picture, chats, "'没有的字' is shown")


def test_part_of_page_is_recognised_by_image(reader: CachedReader, chats: Screen, home: Screen) -> None:
    part = chats.crop(Box(30, 250, 700, 400))
    assert ScreenVerifier(reader).verify_with_reference(part, chats)
    assert not ScreenVerifier(reader).verify_with_reference(part, home)
    with pytest.raises(InvalidReference):
        ScreenVerifier(reader).verify_with_reference(Image.new("RGB", (50, 50)), home)


@pytest.mark.parametrize(
    ("description", "holds"),
    [
        ("页面上有'文件传输助手'", True),
        ("聊天列表里有'文件传输助手'", None),
        ("text:通讯录", True),
        ("“没有这个”出现了", False),
        ("'没有这个' is gone", True),
        ("“通讯录”已消失", False),
        ("已打开微信主界面", None),
        ("", None),
    ],
)
def test_descriptions_are_judged_by_quoted_texts(
    reader: CachedReader, chats: Screen, description: str, holds: bool | None
) -> None:
    verdict = ScreenVerifier(reader).verify_with_description(chats, description)
    assert verdict.matches_expected is holds
    assert verdict.verified is (holds is True)
    assert verdict.evidence


def test_quick_check_compares_pixels_before_text(reader: CachedReader, home: Screen, chats: Screen) -> None:
    verifier = ScreenVerifier(reader)
    assert verifier.quick_check(home, home, "anything") == (False, "the screen did not change")
    assert verifier.quick_check(home.image, chats.image, "微信打开了")[0]
    assert verifier.quick_check(home, chats, "“通讯录”出现")[0]
    assert not verifier.quick_check(home, chats, "“转账成功”出现")[0]


def test_status_bar_and_caret_changes_are_ignored(chats: Screen) -> None:
    image = chats.image.copy()
    pen = ImageDraw.Draw(image)
    pen.rectangle((40, 20, 200, 70), fill=(10, 10, 10))  # the clock
    pen.rectangle((100, 1500, 103, 1555), fill=(0, 180, 80))  # a caret
    assert not compare(chats, Screen.from_image(image))
    pen.rectangle((100, 1500, 140, 1540), fill=(0, 180, 80))
    change = compare(chats, Screen.from_image(image))
    assert change
    assert change.box == Box(100, 1500, 141, 1556)


def test_rotated_screen_counts_as_changed(chats: Screen) -> None:
    turned = Screen.from_image(chats.image.rotate(90, expand=True))
    assert compare(chats, turned).fraction == 1.0
