"""Tests of blockers on real frames of the virtual phone, and of ordinary pages without any."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from phone_frames import Phone
from PIL import Image, ImageDraw, ImageFont

import handeye
from handeye.blockers import BlockerType, PermissionPolicy
from handeye.blockers.detector import find_blocker
from handeye.blockers.glyphs import find_crosses, is_cross
from handeye.errors import OcrFailed
from handeye.geometry import Box
from handeye.ocr import CachedReader
from handeye.screen import Screen
from handeye.text import normalize

LOOKS = [("", None), ("dark", 320), ("dark", None), ("", 560)]


def phone(scenario: str, look: tuple[str, int | None]) -> Phone:
    theme, density = look
    return Phone(",".join(name for name in (scenario, theme) if name), density)


def dialog(words: list[tuple[str, int]], *, dimmed: bool = True) -> Screen:
    """A white card with words on a page of list rows; `words` are texts and their heights on the card."""
    from handeye import typeface

    page = Phone().open().frame().image.copy()
    if dimmed:
        page = page.point(lambda value: value // 2)
    pen = ImageDraw.Draw(page)
    pen.rounded_rectangle((120, 850, 960, 1500), 40, fill=(255, 255, 255))
    for text, y in words:
        mask, _margin = typeface.line_mask(text, 44)
        page.paste((30, 30, 30), ((1080 - mask.width) // 2, y), mask)
    return Screen.from_image(page)


@pytest.mark.parametrize("look", LOOKS)
def test_permission_dialog_is_refused(reader: CachedReader, look: tuple[str, int | None]) -> None:
    device = phone("permission", look).open()
    blocker = find_blocker(device.frame(), reader)
    assert blocker is not None
    assert blocker.type is BlockerType.PERMISSION
    suggestion = blocker.dismiss_suggestion
    assert suggestion is not None
    assert suggestion.box is not None
    assert device.box_of("拒绝").contains(suggestion.box.center)
    assert suggestion.target_ref == "text:拒绝"
    assert blocker.grant is not None
    assert blocker.grant.box is not None
    assert device.box_of("仅限这一次").contains(blocker.grant.box.center)
    assert PermissionPolicy().dismissal(blocker) is suggestion
    assert PermissionPolicy("allow-listed", ["微信:位置"]).dismissal(blocker) is blocker.grant
    assert PermissionPolicy("allow-listed", ["相机"]).dismissal(blocker) is suggestion


@pytest.mark.parametrize("look", LOOKS)
def test_advert_is_closed_by_its_small_cross(reader: CachedReader, look: tuple[str, int | None]) -> None:
    device = phone("advert", look).open()
    blocker = find_blocker(device.frame(), reader)
    assert blocker is not None
    assert blocker.type is BlockerType.AD
    assert blocker.dismiss_suggestion is not None
    assert blocker.dismiss_suggestion.box is not None
    assert device.box_of("关闭").contains(blocker.dismiss_suggestion.box.center)
    assert not device.box_of("立即抢购").contains(blocker.dismiss_suggestion.box.center)


@pytest.mark.parametrize("look", LOOKS[:2])
def test_crash_dialog_is_closed(reader: CachedReader, look: tuple[str, int | None]) -> None:
    device = phone("crash", look).open()
    for _ in range(device.model.scenario.crash_after_taps):
        device.tap("微信(3)")
    blocker = find_blocker(device.frame(), reader)
    assert blocker is not None
    assert blocker.type is BlockerType.ERROR
    assert blocker.dismiss_suggestion is not None
    assert blocker.dismiss_suggestion.box is not None
    assert device.box_of("关闭应用").contains(blocker.dismiss_suggestion.box.center)


@pytest.mark.parametrize("look", LOOKS)
def test_loading_is_waited_for(reader: CachedReader, look: tuple[str, int | None]) -> None:
    blocker = find_blocker(phone("loading", look).open().frame(), reader)
    assert blocker is not None
    assert blocker.type is BlockerType.LOADING
    assert blocker.dismiss_suggestion is not None
    assert blocker.dismiss_suggestion.action == "wait"


def test_progress_ring_without_text_counts_as_loading(reader: CachedReader) -> None:
    image = Image.new("RGB", (1080, 2400), (250, 250, 250))
    ImageDraw.Draw(image).arc((480, 1140, 600, 1260), 20, 250, fill=(7, 193, 96), width=12)
    blocker = find_blocker(Screen.from_image(image), reader)
    assert blocker is not None
    assert blocker.type is BlockerType.LOADING


@pytest.mark.parametrize("look", LOOKS[:2])
@pytest.mark.parametrize("covers", [True, False])
def test_keyboard_is_a_blocker_only_over_its_field(
    reader: CachedReader, look: tuple[str, int | None], covers: bool
) -> None:
    device = phone("keyboard" if covers else "", look).open().tap("妈妈").focus_field()
    blocker = find_blocker(device.frame(), reader)
    assert (blocker is not None) == covers
    if blocker is not None:
        assert blocker.type is BlockerType.KEYBOARD
        assert blocker.dismiss_suggestion is not None
        assert blocker.dismiss_suggestion.keycode == 4


@pytest.mark.parametrize(
    ("words", "kind", "label"),
    [
        (["发现新版本 8.0", "更新后体验更好", "立即更新", "以后再说"], BlockerType.DIALOG, "以后再说"),
        (["Rate this app", "Enjoying it so far?", "Rate now", "Not now"], BlockerType.DIALOG, "Not now"),
        (
            ["Allow Maps to access your location?", "While using the app", "Don’t allow"],
            BlockerType.PERMISSION,
            "Don’t allow",
        ),
        (["Gallery keeps stopping", "App info", "Close app"], BlockerType.ERROR, "Close app"),
    ],
)
def test_other_dialogs_are_dismissed_by_the_declining_button(
    reader: CachedReader, words: list[str], kind: BlockerType, label: str
) -> None:
    placed = [(text, 890 + 150 * index) for index, text in enumerate(words)]
    blocker = find_blocker(dialog(placed), reader)
    assert blocker is not None
    assert blocker.type is kind
    assert blocker.dismiss_suggestion is not None
    assert blocker.dismiss_suggestion.target_ref is not None
    # The phone's font draws ’ as wide as a Chinese sign: a blank may be read after it.
    assert normalize(blocker.dismiss_suggestion.target_ref).endswith(normalize(label))


def test_card_over_undimmed_page_is_content(reader: CachedReader) -> None:
    words = [("Gallery keeps stopping", 890), ("App info", 1040), ("拒绝", 1190), ("允许", 1340)]
    assert find_blocker(dialog(words), reader) is not None
    assert find_blocker(dialog(words, dimmed=False), reader) is None


@pytest.mark.parametrize(
    ("look", "package"),
    [
        (LOOKS[0], ""),
        (LOOKS[0], "com.tencent.mm"),
        (LOOKS[0], "com.android.settings"),
        (LOOKS[0], "com.android.chrome"),
        (LOOKS[1], ""),
        (LOOKS[1], "com.tencent.mm"),
    ],
)
def test_ordinary_pages_have_no_blocker(reader: CachedReader, look: tuple[str, int | None], package: str) -> None:
    device = phone("", look)
    if package:
        device.open(package)
    assert find_blocker(device.frame(), reader) is None


def test_ocr_failure_is_raised_from_blocker_search() -> None:
    class Broken:
        name = "broken"

        def read(self, screen: Screen) -> tuple[()]:
            raise OcrFailed("the engine died")

    with pytest.raises(OcrFailed):
        find_blocker(Screen(np.zeros((80, 60, 3), np.uint8)), Broken())


@pytest.mark.parametrize("size", [(1, 1), (2, 300), (300, 2), (9, 9)])
def test_tiny_frames_hold_no_cross(size: tuple[int, int]) -> None:
    screen = Screen(np.random.default_rng(0).integers(0, 255, (size[1], size[0], 3), np.uint8))
    assert find_crosses(screen, screen.box) == []
    assert find_crosses(screen, Box(500, 500, 600, 600)) == []


@pytest.mark.parametrize("size", [14, 24, 60])
@pytest.mark.parametrize("stroke", [2, 4])
def test_cross_is_distinguished_from_other_signs(size: int, stroke: int) -> None:
    def drawn(*lines: tuple[float, float, float, float]) -> np.ndarray:
        image = Image.new("L", (size, size))
        for x0, y0, x1, y1 in lines:
            last = size - 1
            ImageDraw.Draw(image).line((x0 * last, y0 * last, x1 * last, y1 * last), fill=255, width=stroke)
        return np.asarray(image) > 0

    assert is_cross(drawn((0, 0, 1, 1), (0, 1, 1, 0)))
    assert not is_cross(drawn((0, 0.5, 1, 0.5), (0.5, 0, 0.5, 1)))  # plus
    assert not is_cross(drawn((0, 0, 1, 1), (0, 0, 0, 1)))
    assert not is_cross(drawn((0, 0, 1, 0), (1, 0, 1, 1), (1, 1, 0, 1), (0, 1, 0, 0)))  # a frame
    assert not is_cross(drawn((0, 0, 1, 1), (0, 1, 1, 0), (0, 0, 1, 0), (0, 1, 1, 1), (0, 0, 0, 1), (1, 0, 1, 1)))
    assert not is_cross(np.ones((size, size), bool))


@pytest.mark.parametrize(
    ("scenario", "kind"), [("permission", BlockerType.PERMISSION), ("advert,dark", BlockerType.AD), ("", None)]
)
def test_blockers_are_found_in_landscape(reader: CachedReader, scenario: str, kind: BlockerType | None) -> None:
    blocker = find_blocker(phone(f"rotation,{scenario}".strip(","), ("", None)).open().frame(), reader)
    assert (blocker.type if blocker else None) is kind


def test_error_dialog_with_a_question_is_declined(reader: CachedReader) -> None:
    page = Image.new("RGB", (1080, 2400), (90, 90, 90))
    pen = ImageDraw.Draw(page)
    font = ImageFont.truetype(str(Path(handeye.__file__).parent / "fonts" / "handeye-sans-sc.otf"), 48)
    pen.rounded_rectangle((120, 950, 960, 1450), 40, fill="white")
    pen.text((180, 1010), "网络异常", font=font, fill="black")
    pen.text((180, 1110), "加载失败，打开手机设置？", font=font, fill="black")
    pen.text((250, 1330), "取消", font=font, fill=(60, 60, 60))
    pen.text((680, 1330), "确定", font=font, fill=(20, 120, 60))
    blocker = find_blocker(Screen.from_image(page), reader)
    assert blocker is not None
    assert blocker.dismiss_suggestion is not None
    assert blocker.dismiss_suggestion.box is not None
    assert blocker.dismiss_suggestion.box.right < 540  # 取消, on the left
