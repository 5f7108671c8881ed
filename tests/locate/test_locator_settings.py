"""Tests of VisualLocator's settings: order, min_confidence, confirm callback and tree; and of check_element."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from handeye.actions import Action, ActionResult
from handeye.elements import UIElement, UIState
from handeye.errors import OcrFailed, UnsupportedAction, UsageError
from handeye.geometry import Box
from handeye.locate import LocateStrategy, VisualLocator
from handeye.matching import Reference
from handeye.screen import Screen
from handeye.target import Region, Target
from handeye.text import TextLine

HERE, THERE = Box(50, 100, 130, 140), Box(50, 400, 130, 440)
TREE = '<hierarchy><node class="android.widget.Button" text="" content-desc="发送" bounds="[50,100][130,140]" /></hierarchy>'


def picture(*boxes: Box) -> Screen:
    """Striped boxes, so that each shows something."""
    image = Image.new("RGB", (400, 600), (240, 240, 240))
    pen = ImageDraw.Draw(image)
    for box in boxes:
        for x in range(box.left, box.right, 8):
            pen.line((x, box.top, x + 3, box.bottom - 1), fill=(20, 20, 20), width=2)
    return Screen.from_image(image)


class Reader:
    """Lines of text where the picture has boxes."""

    name = "reader"

    def __init__(self, *lines: tuple[str, Box]) -> None:
        self.lines = tuple(TextLine(text, box, 1.0) for text, box in lines)

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        return tuple(line for line in self.lines if screen.pixels[line.box.top : line.box.bottom].std() > 5)


class Phone:
    """A device with one picture and a tree."""

    uri = "fake:"

    def __init__(self, screen: Screen) -> None:
        self.screen, self.captured, self.dumped = screen, 0, 0

    def screenshot(self) -> Screen:
        self.captured += 1
        return self.screen

    def perform(self, action: Action) -> ActionResult:
        raise UnsupportedAction("no")

    def close(self) -> None: ...

    def dump_hierarchy(self) -> str:
        self.dumped += 1
        return TREE


class QuickTree:
    """A tree that costs nothing to read."""

    name, slow = "quick", False

    def detect(self, screen: Screen) -> UIState:
        return UIState(screen, (UIElement("button", "发送", HERE, 1.0, "tree", text="发送", id=1),))


def order_of(locator: VisualLocator) -> list[str]:
    return [each.strategy for each in locator.locate("nothing of the kind", picture()).attempts]


def test_default_order_puts_slow_tree_after_ocr() -> None:
    first = ["cache", "accessibility", "template", "ocr", "ranker", "visual", "fixed"]
    assert order_of(VisualLocator(reader=None)) == first
    assert order_of(VisualLocator(tree=QuickTree())) == first
    slow = ["cache", "template", "ocr", "accessibility", "ranker", "visual", "fixed"]
    assert order_of(VisualLocator(Phone(picture()))) == slow


@pytest.mark.parametrize(
    ("preset", "first"),
    [
        (LocateStrategy.OPENCV_ONLY, ["template"]),
        (LocateStrategy.AI_ONLY, ["visual"]),
        (LocateStrategy.OPENCV_FIRST, ["cache", "template"]),
        (LocateStrategy.AI_FIRST, ["cache", "visual"]),
        (LocateStrategy.TREE_FIRST, ["cache", "accessibility"]),
        (LocateStrategy.OCR_FIRST, ["cache", "ocr"]),
    ],
)
def test_presets_set_the_first_strategies(preset: LocateStrategy, first: list[str]) -> None:
    order = order_of(VisualLocator(order=preset))
    assert order[: len(first)] == first
    assert len(order) in (1, 7)


def test_order_must_be_a_list_of_known_strategies() -> None:
    assert order_of(VisualLocator(order=["ocr", "fixed"])) == ["ocr", "fixed"]
    for wrong in (["ocr", "magic"], "ocr"):
        with pytest.raises(UsageError):
            VisualLocator(order=wrong)
        with pytest.raises(UsageError):
            VisualLocator(reader=None).locate_with_fallback("x", wrong, picture())


def test_one_frame_is_captured_if_none_given() -> None:
    phone = Phone(picture(HERE))
    locator = VisualLocator(phone, reader=Reader(("运行", HERE)))
    assert locator.locate("运行").method_used == "ocr"
    assert phone.captured == 1


def test_device_tree_is_used_only_for_own_frames() -> None:
    phone = Phone(picture(HERE))
    locator = VisualLocator(phone)
    assert locator.locate("发送").method_used == "accessibility"
    old = locator.locate("发送", phone.screen.image)
    assert not old.success or old.method_used == "cache"
    locator.clear_cache()
    old = locator.locate("发送", phone.screen.image)
    assert not old.success
    assert "older than the device's tree" in str(old.error)
    assert phone.dumped == 1


def test_ranker_uses_device_tree_only_for_own_frames() -> None:
    phone = Phone(picture(HERE))
    locator = VisualLocator(phone, reader=None, parser=None, order=["ranker"])
    assert locator.locate("发送").looked
    old = locator.locate("发送", phone.screen.image)
    assert not old.looked
    assert "older than the device's tree" in str(old.error)
    assert phone.dumped == 1


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan"), "0.5", True])
def test_min_confidence_outside_0_to_1_is_rejected(value: float) -> None:
    with pytest.raises(UsageError):
        VisualLocator(min_confidence=value)


def test_damaged_settings_file_does_not_break_locator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    damaged = tmp_path / "damaged.env"
    damaged.write_bytes(b"\xff\xfe\x00bad")
    monkeypatch.setenv("HANDEYE_DOTENV", str(damaged))
    assert VisualLocator(reader=Reader(("Save", HERE))).locate("Save", picture(HERE)).success
    monkeypatch.setenv("HANDEYE_MIN_CONFIDENCE", "0.999")
    assert not VisualLocator(reader=Reader(("Save (3)", HERE))).locate("Save", picture(HERE)).success


@pytest.mark.parametrize("order", [None, 5, [None], {"ocr": 1}])
def test_invalid_order_or_element_type_raises_usage_error(order: object) -> None:
    locator = VisualLocator(reader=None)
    with pytest.raises(UsageError, match="order"):
        locator.locate_with_fallback("x", order, picture())  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="type of element"):
        locator.locate("x", picture(), 5)  # type: ignore[arg-type]


def test_find_below_min_confidence_is_a_candidate() -> None:
    reader = Reader(("Save (3)", HERE))
    assert VisualLocator(reader=reader).locate("Save", picture(HERE)).success
    result = VisualLocator(reader=reader, min_confidence=0.99).locate("Save", picture(HERE))
    assert (result.success, len(result.candidates)) == (False, 1)
    assert not result.candidates[0].reliable


def test_confirm_callback_chooses_among_candidates() -> None:
    asked: list[tuple[Target, tuple[UIElement, ...], Screen]] = []

    def second(target: Target, candidates: tuple[UIElement, ...], screen: Screen) -> UIElement:
        asked.append((target, candidates, screen))
        return candidates[1]

    screen, reader = picture(HERE, THERE), Reader(("确定", HERE), ("确定", THERE))
    result = VisualLocator(reader=reader, confirm=second).locate("确定", screen)
    assert (result.success, result.reliable, result.method_used) == (True, True, "ocr")
    assert result.element is not None
    assert result.element.bbox.top >= THERE.top - 20
    assert result.attempts[-1].strategy == "confirm"
    assert asked[0][0].text == "确定"
    assert asked[0][2] is screen
    again = VisualLocator(reader=reader, confirm=lambda *_: None).locate("确定", screen)
    assert (again.success, len(again.candidates)) == (False, 2)


def test_confirmed_choice_is_cached_until_invalidated() -> None:
    asked: list[int] = []

    def second(target: Target, candidates: tuple[UIElement, ...], screen: Screen) -> UIElement:
        asked.append(len(candidates))
        return candidates[1]

    reader = Reader(("确定", HERE), ("确定", THERE))
    locator = VisualLocator(reader=reader, confirm=second)
    first, again = (locator.locate("确定", picture(HERE, THERE)) for _time in range(2))
    assert first.element is not None
    assert again.element is not None
    assert (again.method_used, again.element.bbox, again.reliable, asked) == ("cache", first.element.bbox, True, [2])
    assert again.confidence < 1
    other = locator.locate("确定", picture(HERE, THERE, Box(250, 250, 330, 290)))
    assert (other.success, asked) == (True, [2, 2])
    locator.judge("确定", held=False)
    locator.locate("确定", picture(HERE, THERE))
    assert asked == [2, 2, 2]


def test_confirm_callback_is_called_only_for_ambiguity() -> None:
    def never(*_: object) -> UIElement | None:
        raise AssertionError("asked")

    locator = VisualLocator(reader=Reader(("确定", HERE)), confirm=never)
    assert locator.locate("确定", picture(HERE)).success
    assert not locator.locate("取消", picture(HERE)).success


def test_confirm_callback_must_return_a_candidate() -> None:
    made_up = UIElement("button", "x", HERE)
    locator = VisualLocator(reader=Reader(("确定", HERE), ("确定", THERE)), confirm=lambda *_: made_up)
    with pytest.raises(UsageError, match="candidates"):
        locator.locate("确定", picture(HERE, THERE))


def test_capture_region_accepts_x_y_width_height() -> None:
    locator = VisualLocator(Phone(picture(HERE)))
    image, about = locator.capture_screen(region={"x": 40, "y": 90, "width": 100, "height": 60})
    assert image.size == about.resolution == (100, 60)
    for wrong in ({"x": 1}, {"x": 0, "y": 0, "width": 0, "height": 5}, (1, 2, 3), ("a", 0, 1, 1), (350, 0, 100, 10)):
        with pytest.raises(UsageError):
            locator.capture_screen(region=wrong)  # type: ignore[arg-type]


def test_check_element_verifies_the_text() -> None:
    locator = VisualLocator(reader=Reader(("运行", HERE)))
    element = locator.locate("运行", picture(HERE)).element
    assert element is not None
    check = locator.check_element(element, picture(HERE))
    assert (check.valid, check.text, check.picture) == (True, True, True)
    assert check.evidence == ("the text '运行' is there", "the picture is there")
    gone = locator.check_element(element, picture(THERE))
    assert (gone.valid, gone.text, gone.picture) == (False, False, False)
    assert not locator.verify_location(element, picture(THERE).image)


def test_check_element_without_text_uses_tree_or_image() -> None:
    locator = VisualLocator(Phone(picture(HERE)))
    element = locator.locate("发送").element
    assert element is not None
    check = locator.check_element(element, picture(HERE))
    assert (check.valid, check.tree) == (True, True)
    unknown = VisualLocator(reader=None).check_element(UIElement("icon", "x", HERE), picture(HERE))
    assert not unknown
    assert "nothing is known" in unknown.evidence[0]


def test_check_element_compares_reference_image_by_alias() -> None:
    class Shelf:
        def find(self, name: str) -> tuple[Reference, ...]:
            known = name in ("stripes", "barres")
            return (Reference("stripes", picture(HERE).crop(HERE.expand(4)).pixels),) if known else ()

    locator = VisualLocator(reader=None, images=Shelf())
    shown = picture(HERE)
    first, again = (locator.locate(Target(reference="barres"), shown).element for _time in range(2))
    assert first is not None
    assert again is not None
    assert (again.source, again.metadata["reference"]) == ("cache", "stripes")
    locator.clear_cache()  # so that only the reference can prove it
    for element in (first, again, replace(first, description="what a person calls it")):
        assert locator.check_element(element, shown).picture is True
        assert locator.check_element(element, picture(THERE)).picture is False


@pytest.mark.parametrize(
    "line",
    [
        TextLine(None, HERE, 1.0),  # type: ignore[arg-type]
        TextLine("运行", HERE, "0.9"),  # type: ignore[arg-type]
        TextLine("运行", tuple(HERE), 1.0),  # type: ignore[arg-type]
        TextLine("运行", Box(0.5, 0, 9, 9), 1.0),  # type: ignore[arg-type]
        "运行",
    ],
)
def test_malformed_reader_result_falls_through_to_next_strategy(line: object) -> None:
    class Broken:
        name = "broken"

        def read(self, screen: Screen) -> tuple[object, ...]:
            return (line,)

    locator = VisualLocator(reader=Broken(), places={"运行": Region(0, 0, 1, 1)})  # type: ignore[arg-type]
    result = locator.locate("运行", picture(HERE))
    assert result.method_used == "fixed"
    assert ("ocr", "failed") in [(each.strategy, each.outcome) for each in result.attempts]
    with pytest.raises(OcrFailed):
        locator.check_element(UIElement("button", "x", HERE, text="运行"), picture(HERE))


def test_box_outside_screen_reports_specified_message() -> None:
    check = VisualLocator(reader=None).check_element(UIElement("icon", "x", Box(-500, 200, 10, 250)), picture())
    assert (check.valid, check.evidence) == (False, ("坐标超出屏幕范围",))


def test_failed_judgement_removes_cached_find() -> None:
    locator = VisualLocator(reader=Reader(("运行", HERE)))
    locator.locate("运行", picture(HERE))
    assert locator.locate("运行", picture(HERE)).method_used == "cache"
    locator.judge("运行", held=False)
    assert locator.locate("运行", picture(HERE)).method_used == "ocr"


def test_judgement_applies_across_orders_and_by_role() -> None:
    locator = VisualLocator(reader=Reader(("运行", HERE)), order=["ocr"])
    for order in (["cache", "ocr"], LocateStrategy.OCR_FIRST):
        locator.locate_with_fallback("运行", order, picture(HERE))
        assert locator.locate_with_fallback("运行", order, picture(HERE)).method_used == "cache"
        locator.judge("运行", held=False)
        assert locator.locate_with_fallback("运行", order, picture(HERE)).method_used == "ocr"
    typed = VisualLocator(reader=Reader(("运行", HERE)))
    typed.locate("运行", picture(HERE), "button")
    typed.judge("运行", held=False)
    assert typed.locate("运行", picture(HERE), "button").method_used == "cache"
    typed.judge("运行", held=False, element_type="button")
    assert typed.locate("运行", picture(HERE), "button").method_used == "ocr"


def test_unsearchable_target_is_not_reported_absent() -> None:
    unasked = VisualLocator(reader=None).locate("dynamic:the green button", picture())
    assert (unasked.success, unasked.looked) == (False, False)
    assert str(unasked.error).startswith("nobody could look for")
    absent = VisualLocator(reader=Reader()).locate("运行", picture())
    assert absent.looked
    assert "was not found" in str(absent.error)


@pytest.mark.parametrize("reader", [None, Reader()])
def test_error_message_truncates_long_query(reader: Reader | None) -> None:
    result = VisualLocator(reader=reader).locate("很长" * 50_000, picture())
    assert not result.success
    assert len(str(result.error)) < 3000


@pytest.mark.parametrize("size", [(1, 1), (3, 2), (2000, 1)])
def test_tiny_frame_has_no_text(size: tuple[int, int]) -> None:
    locator = VisualLocator(reader=Reader(), places={"x": Region(0, 0, 1, 1)})
    screen = Screen(np.zeros((size[1], size[0], 3), np.uint8))
    assert not locator.locate("运行", screen).success
    assert locator.locate("x", screen).method_used == "fixed"


@pytest.mark.parametrize(
    "words",
    ["发送", "the gear icon", "the switch", "the search box", "the Export button", "the third icon", "the moon"],
)
def test_every_failed_attempt_has_a_note(words: str) -> None:
    locator = VisualLocator(reader=Reader(("Hello", HERE)))
    result = locator.locate(words, Screen.from_image(Image.new("RGB", (400, 600), "white")))
    assert not result.success
    assert [each.strategy for each in result.attempts if not each.note] == []
    assert any(each.outcome == "absent" for each in result.attempts)
