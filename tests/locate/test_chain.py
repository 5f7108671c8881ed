"""Tests of LocateChain, fixed places and VisualLocator, with real strategies where possible."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from handeye import typeface
from handeye.elements import UIElement
from handeye.errors import LocateError, OcrFailed, UsageError
from handeye.geometry import Box, Size
from handeye.locate import LocateChain, LocateStrategy, OcrStrategy, VisualLocator
from handeye.locate.base import Match
from handeye.locate.locator import as_target
from handeye.locate.sources.fixed import FixedPlace, FixedStrategy
from handeye.ocr import CachedReader
from handeye.screen import Screen
from handeye.target import Region, Target, parse_target

SCREEN = Screen(np.full((400, 300, 3), 240, np.uint8))
TARGET = Target(text="运行")


class Scripted:
    """A strategy that answers as it is told."""

    def __init__(
        self, name: str, *answers: UIElement, error: Exception | None = None, refuses: str | None = None
    ) -> None:
        self.name, self.answers, self.error, self.refuses = name, answers, error, refuses
        self.asked = 0

    def accepts(self, target: Target) -> str | None:
        return self.refuses

    def locate(self, target: Target, screen: Screen) -> Match | None:
        self.asked += 1
        if self.error:
            raise self.error
        return Match(self.answers, "as told") if self.answers else None


def element(left: int, confidence: float = 0.95, *, reliable: bool = True) -> UIElement:
    return UIElement("button", "运行", Box(left, 10, left + 20, 30), confidence, reliable=reliable)


def page(*labels: tuple[str, int, int]) -> Screen:
    image = Image.new("RGB", (1080, 1400), (245, 245, 245))
    font = ImageFont.truetype(typeface.FONT_DIR / typeface.FONT_FILES[0], 44)
    for text, x, y in labels:
        ImageDraw.Draw(image).text((x, y), text, font=font, fill=(20, 20, 20))
    return Screen.from_image(image)


def test_chain_stops_at_first_find_and_records_attempts() -> None:
    last = Scripted("last", element(100))
    result = LocateChain(
        [
            Scripted("a", refuses="no picture"),
            Scripted("b"),
            Scripted("c", error=OcrFailed("broken")),
            Scripted("d", element(5)),
            last,
        ]
    ).locate(TARGET, SCREEN)
    assert (result.success, result.method_used, result.element) == (True, "d", element(5))
    assert [(attempt.strategy, attempt.outcome) for attempt in result.attempts] == [
        ("a", "skipped"),
        ("b", "absent"),
        ("c", "failed"),
        ("d", "found"),
    ]
    assert "broken" in result.attempts[2].note
    assert last.asked == 0


def test_not_found_is_a_result_not_an_error() -> None:
    result = LocateChain([Scripted("a"), Scripted("b", error=LocateError("no"))]).locate(TARGET, SCREEN)
    assert (result.success, result.element, result.candidates) == (False, None, ())
    assert "was not found" in (result.error or "")


def test_unexpected_errors_are_propagated() -> None:
    with pytest.raises(ZeroDivisionError):
        LocateChain([Scripted("a", error=ZeroDivisionError())]).locate(TARGET, SCREEN)


def test_equal_matches_become_unreliable_candidates() -> None:
    result = LocateChain([Scripted("a", element(5), element(100))]).locate(TARGET, SCREEN)
    assert (result.success, result.element, result.method_used) == (False, None, "a")
    assert [candidate.bbox.left for candidate in result.candidates] == [5, 100]
    assert not any(candidate.reliable for candidate in result.candidates)


@pytest.mark.parametrize(
    ("second", "chosen"),
    [(element(102), 102), (element(200), None), (element(102, reliable=False), None)],
)
def test_later_strategy_resolves_equal_matches(second: UIElement, chosen: int | None) -> None:
    result = LocateChain([Scripted("a", element(5), element(100)), Scripted("b", second)]).locate(TARGET, SCREEN)
    assert (result.element.bbox.left if result.element else None) == chosen


@pytest.mark.parametrize("confidence", [0.3, 0.0, float("nan")])
def test_low_confidence_find_falls_through_to_next_strategy(confidence: float) -> None:
    chain = LocateChain([Scripted("visual", element(5, confidence)), Scripted("ocr", element(90))])
    assert chain.locate(TARGET, SCREEN).method_used == "ocr"
    alone = LocateChain([Scripted("visual", element(5, confidence))]).locate(TARGET, SCREEN)
    assert not alone.success
    assert [candidate.bbox.left for candidate in alone.candidates] == [5]


def test_elapsed_time_comes_from_injected_clock() -> None:
    ticks = iter([0.5, 1.0, 1.25])  # of the search, and of its one strategy
    result = LocateChain([Scripted("a", element(5))], clock=lambda: next(ticks)).locate(TARGET, SCREEN)
    assert result.attempts[0].elapsed_ms == 250


def test_fixed_place_is_never_reliable() -> None:
    result = LocateChain([FixedStrategy({"运行": Region(0.5, 0.25, 0.6, 0.3)})]).locate(TARGET, SCREEN)
    assert result.success
    assert not result.reliable
    assert result.element is not None
    assert result.element.bbox == Box(150, 100, 180, 120)


def test_fixed_place_of_another_orientation_is_rejected() -> None:
    place = FixedPlace.pixels((100, 100, 200, 150), (1920, 1080))
    result = LocateChain([FixedStrategy({"运行": place})]).locate(TARGET, SCREEN)
    assert [attempt.outcome for attempt in result.attempts] == ["failed"]
    assert "turned the other way" in result.attempts[0].note


def test_fixed_place_without_resolution_keeps_first_orientation() -> None:
    strategy = FixedStrategy({"运行": Region(0.1, 0.1, 0.2, 0.2)})
    upright, turned = Screen(np.zeros((400, 300, 3), np.uint8)), Screen(np.zeros((300, 400, 3), np.uint8))
    assert strategy.locate(TARGET, upright) is not None
    with pytest.raises(LocateError, match="turned the other way"):
        strategy.locate(TARGET, turned)
    assert strategy.locate(TARGET, upright) is not None


def test_fixed_place_scales_with_resolution() -> None:
    place = FixedPlace.pixels((540, 1200, 648, 1320), (1080, 2400))
    match = FixedStrategy({"运行": place}).locate(TARGET, Screen(np.zeros((1600, 720, 3), np.uint8)))
    assert match is not None
    assert match.elements[0].bbox == Box(360, 800, 432, 880)


@pytest.mark.parametrize("region", [Region(-0.1, 0, 1, 1), Region(0.5, 0, 0.4, 1), Region(0, 0, 5, 5)])
def test_fixed_place_outside_the_screen_is_rejected(region: Region) -> None:
    with pytest.raises(UsageError):
        FixedStrategy({"x": region})


def test_text_is_found_at_its_position(reader: CachedReader) -> None:
    screen = page(("张三丰", 60, 200), ("张三", 60, 400), ("章三", 60, 600))
    result = VisualLocator(reader=reader).locate("张三", screen)
    assert result.method_used == "ocr"
    assert result.element is not None
    assert 380 < result.element.center.y < 460
    assert result.confidence > 0.8


def test_region_selects_among_equal_texts(reader: CachedReader) -> None:
    screen = page(("确定", 60, 200), ("确定", 60, 1000))
    locator = VisualLocator(reader=reader)
    assert len(locator.locate("确定", screen).candidates) == 2
    below = locator.locate(Target(text="确定", region=Region(0, 0.5, 1, 1)), screen)
    assert below.element is not None
    assert below.element.center.y > 900


def test_role_selects_among_equal_texts(reader: CachedReader) -> None:
    image = page(("登录", 100, 200)).image.copy()
    pen = ImageDraw.Draw(image)
    pen.rounded_rectangle((100, 800, 500, 900), 16, fill=(30, 120, 240))
    font = ImageFont.truetype(typeface.FONT_DIR / typeface.FONT_FILES[0], 44)
    pen.text((255, 820), "登录", font=font, fill=(255, 255, 255))
    result = VisualLocator(reader=reader).locate("登录", Screen.from_image(image), "button")
    assert result.element is not None
    assert result.element.center.y > 700


class Labels:
    """A strategy that finds each label where it stands, and every control of the kind "image"."""

    name = "labels"

    def __init__(self, *labels: tuple[str, int]) -> None:
        self.labels = labels
        self.asked: list[Target] = []

    def accepts(self, target: Target) -> str | None:
        return None

    def locate(self, target: Target, screen: Screen) -> Match | None:
        self.asked.append(target)
        if target.role == "image":
            return Match((element(250), element(280)))
        found = [UIElement("text", text, Box(left, 10, left + 20, 30), text=text) for text, left in self.labels]
        return Match(tuple(each for each in found if each.text.casefold() == (target.text or "").casefold()))


class PhraseLabels(Labels):
    """The same, of a strategy that understands phrases itself."""

    reads_phrases = True


def test_role_word_is_tried_as_label_first() -> None:
    chain = LocateChain([Labels(("Photos", 5), ("Albums", 40), ("Photos", 100))])
    second = chain.locate(parse_target("the second Photos"), SCREEN).element
    assert second is not None
    assert second.bbox.left == 100
    beside = chain.locate(parse_target("the Photos to the left of Albums"), SCREEN).element
    assert beside is not None
    assert beside.bbox.left == 5


def test_ordinal_ignores_a_single_matching_label() -> None:
    found = LocateChain([Labels(("Photo", 5))]).locate(parse_target("the last photo"), SCREEN).element
    assert found is not None
    assert found.bbox.left == 280


def test_phrase_reading_strategy_gets_only_the_phrase() -> None:
    target = parse_target("the second Photos")
    others, model = Labels(), PhraseLabels()
    LocateChain([others]).locate(target, SCREEN)
    assert len(others.asked) == 3  # the words as they are, the second label "Photos", the second image
    LocateChain([model]).locate(target, SCREEN)
    assert model.asked == [target]


def test_verify_location_checks_text_on_another_frame(reader: CachedReader) -> None:
    locator = VisualLocator(reader=reader)
    screen = page(("发送", 700, 900), ("取消", 200, 900))
    found = locator.locate("发送", screen).element
    assert found is not None
    assert locator.verify_location(found, screen)
    assert not locator.verify_location(found, page(("取消", 200, 900)))
    assert not locator.verify_location(found, page(("发送", 700, 300)))


def test_attempts_report_presets_and_missing_parts(reader: CachedReader) -> None:
    locator = VisualLocator(reader=reader, parser=None, places={"运行": Region(0.4, 0.4, 0.6, 0.6)})
    result = locator.locate_with_fallback("运行", ["visual", "ocr", "fixed"], page(("别的", 60, 60)))
    assert [attempt.outcome for attempt in result.attempts] == ["skipped", "absent", "found"]
    assert result.method_used == "fixed"
    only_ai = locator.locate_with_fallback("运行", LocateStrategy.AI_ONLY, SCREEN)
    assert "no vision model is configured" in (only_ai.error or "")
    with pytest.raises(UsageError, match="magic"):
        locator.locate_with_fallback("运行", ["magic"], SCREEN)


def test_capture_needs_a_device() -> None:
    with pytest.raises(UsageError):
        VisualLocator(reader=None).capture_screen()
    with pytest.raises(UsageError):
        VisualLocator(reader=None).locate("运行")


@pytest.mark.parametrize(
    ("prompt", "text", "exact"),
    [
        ("在截图中找到'运行'按钮的位置", "运行", False),
        ("find the “Save as” item", "Save as", False),
        ("text:张三", "张三", True),
        ("运行", "运行", False),
    ],
)
def test_prompt_becomes_target(prompt: str, text: str, exact: bool) -> None:
    target = as_target(prompt)
    assert (target.text, target.exact) == (text, exact)
    assert as_target("dynamic:底部'输入'框").description == "底部'输入'框"


@pytest.mark.parametrize("element_type", ["button", "Button", "按钮"])
def test_element_type_is_role_if_prompt_names_none(element_type: str) -> None:
    assert as_target("运行", element_type).role == "button"
    assert as_target("the Save switch", element_type).role == "switch"
    assert as_target(Target(text="运行", role="link"), element_type).role == "link"


def test_ocr_strategy_rejects_image_reference(reader: CachedReader) -> None:
    assert OcrStrategy(reader).accepts(Target(reference="wechat")) == "no text is asked for"
    assert Size(*SCREEN.size) == (300, 400)


def test_low_confidence_candidates_do_not_block_later_find() -> None:
    doubtful = Scripted("ocr", element(10, 0.44), element(100, 0.45))
    found = LocateChain([doubtful, Scripted("visual", element(200))]).locate(TARGET, SCREEN)
    assert found.success
    assert found.method_used == "visual"
    alone = LocateChain([doubtful]).locate(TARGET, SCREEN)
    assert [each.outcome for each in alone.attempts] == ["absent"]
    assert len(alone.candidates) == 2


def test_candidates_are_sorted_by_confidence() -> None:
    strategies = [
        Scripted("ocr", element(10, 0.2), element(40, float("nan"))),
        Scripted("template", element(70, 0.45)),
        Scripted("visual", element(100, 0.3), element(130, 0.45)),
    ]
    result = LocateChain(strategies).locate(TARGET, SCREEN)
    assert [each.bbox.left for each in result.candidates] == [70, 130, 100, 10, 40]


class Doubting(Scripted):
    """A ranker that doubts every find, or none, and finds nothing itself."""

    def __init__(self, doubt: str) -> None:
        super().__init__("ranker")
        self.doubt = doubt
        self.doubted: list[UIElement] = []

    def after(self, found: object, *, answered: bool = False) -> Doubting:
        return self

    def doubts(self, target: Target, screen: Screen, found: UIElement) -> str:
        self.doubted.append(found)
        return self.doubt


@pytest.mark.parametrize(("confidence", "asked"), [(0.79, True), (0.89, True), (0.9, False), (1.0, False)])
def test_ranker_checks_only_uncertain_finds(confidence: float, asked: bool) -> None:
    ranker = Doubting("it is improbable")
    result = LocateChain([Scripted("first", element(10, confidence)), ranker]).locate(TARGET, SCREEN)
    assert bool(ranker.doubted) is asked
    assert result.success is not asked
    assert [each.reliable for each in result.candidates] == [False] * asked


def test_find_accepted_by_ranker_is_returned() -> None:
    result = LocateChain([Scripted("first", element(10, 0.7)), Doubting("")]).locate(TARGET, SCREEN)
    assert result.method_used == "first"


def test_ranker_does_not_check_later_finds() -> None:
    ranker = Doubting("it is improbable")
    result = LocateChain([ranker, Scripted("model", element(10, 0.7))]).locate(TARGET, SCREEN)
    assert result.method_used == "model"
    assert not ranker.doubted
