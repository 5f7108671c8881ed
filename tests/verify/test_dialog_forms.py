"""Tests of dialogs in every form, and that no consequential button dismisses them."""

from __future__ import annotations

import pytest
from drawn_dialogs import LIGHT, LOOKS, Known, Look, centred, dialog, dimmed, page, sheet, written
from PIL import Image, ImageDraw

from handeye.blockers import Blocker, BlockerType
from handeye.blockers.detector import find_blocker
from handeye.geometry import Box
from handeye.screen import Screen
from handeye.text import TextLine

BACK = "BACK"


def way_out(blocker: Blocker | None) -> str:
    """The label that is tapped, or BACK."""
    assert blocker is not None
    how = blocker.dismiss_suggestion
    assert how is not None
    return BACK if how.action == "press_key" else (how.target_ref or how.action).removeprefix("text:")


@pytest.mark.parametrize("look", LOOKS, ids=str)
@pytest.mark.parametrize(
    ("message", "buttons", "kind", "way"),
    [
        (["发现新版本"], ["以后再说", "立即更新"], BlockerType.DIALOG, "以后再说"),
        (["Delete this record?"], ["Cancel", "Delete"], BlockerType.DIALOG, "Cancel"),
        (["“地图”想使用您的位置信息"], ["拒绝", "允许"], BlockerType.PERMISSION, "拒绝"),
        (["“Maps” Would Like to", "Use Your Location"], ["Don’t Allow", "OK"], BlockerType.PERMISSION, "Don’t Allow"),
        (["网络异常"], ["取消", "重试"], BlockerType.ERROR, "取消"),
    ],
)
def test_dialogs_are_recognized_in_every_theme(
    look: Look, message: list[str], buttons: list[str], kind: BlockerType, way: str
) -> None:
    screen, reader = dialog(message, buttons, look)
    blocker = find_blocker(screen, reader)
    assert blocker is not None
    assert blocker.type is kind
    assert way_out(blocker) == way
    assert message[0] in blocker.words


@pytest.mark.parametrize(
    ("message", "buttons", "way"),
    [
        # What the message speaks of, the button does.
        (["确定取消订单吗？"], ["取消", "确定"], BACK),
        (["确定取消订单吗？"], ["再想想", "确定"], "再想想"),
        (["Cancel your subscription?"], ["Cancel", "Keep it"], BACK),
        (["关闭后将清空草稿"], ["关闭", "确定"], BACK),
        # Neither of these is modest: one agrees, the other loses something.
        (["Do you want to save your changes?"], ["Don’t save", "Save"], BACK),
        (["是否保存对文档的更改？"], ["不保存", "保存"], BACK),
        (["Stay signed in?"], ["No", "Yes"], BACK),
        # One button, but not a notice.
        (["账号将被注销"], ["确定"], BACK),
        (["Your order will be charged to your card"], ["OK"], BACK),
        (["继续即表示同意用户协议"], ["好的"], BACK),
        (["是否退出登录"], ["确定"], BACK),
        (["All files will be deleted"], ["OK"], BACK),
        (["立即购买"], ["确认"], BACK),
        # Notices.
        (["密码修改成功"], ["确定"], "确定"),
        (["There is a new look"], ["Got it"], "Got it"),
        (["活动已结束"], ["我知道了"], "我知道了"),
    ],
)
def test_consequential_button_never_dismisses_a_dialog(message: list[str], buttons: list[str], way: str) -> None:
    screen, reader = dialog(message, buttons)
    blocker = find_blocker(screen, reader)
    assert way_out(blocker) == way


@pytest.mark.parametrize(
    "agrees",
    [
        "同意",
        "同意并继续",
        "立即支付",
        "删除",
        "发送",
        "退出登录",
        "确认支付",
        "Agree",
        "Buy now",
        "Delete",
        "Send",
        "Log out",
    ],
)
def test_agreeing_button_is_never_pressed(agrees: str) -> None:
    for buttons in ([agrees], [agrees, "确定"], ["OK", agrees]):
        screen, reader = dialog(["温馨提示"], buttons)
        assert way_out(find_blocker(screen, reader)) == BACK


def test_android_permission_offers_refusal_and_mildest_grant() -> None:
    answers = ["始终允许", "仅在使用中允许", "仅限这一次", "拒绝"]
    screen, reader = dialog(["允许微信获取此设备的位置信息吗？"], answers, stacked=True)
    blocker = find_blocker(screen, reader)
    assert blocker is not None
    assert blocker.type is BlockerType.PERMISSION
    assert way_out(blocker) == "拒绝"
    assert blocker.grant is not None
    assert blocker.grant.target_ref == "text:仅限这一次"


def test_permanent_grant_is_not_offered() -> None:
    screen, reader = dialog(["Allow Maps to access your location?"], ["Deny", "Allow all the time"])
    blocker = find_blocker(screen, reader)
    assert blocker is not None
    assert (blocker.type, blocker.grant) == (BlockerType.PERMISSION, None)


@pytest.mark.parametrize(
    "message", ["请输入支付密码", "请完成安全验证，拖动滑块", "Verify you are human", "登录已过期，请重新登录"]
)
def test_person_only_dialog_is_marked(message: str) -> None:
    screen, reader = dialog([message], ["取消", "确定"])
    blocker = find_blocker(screen, reader)
    assert blocker is not None
    assert blocker.needs_person
    assert way_out(blocker) == "取消"


@pytest.mark.parametrize("look", [LIGHT, Look(dark=True), Look(720, 1600, left=0.6)], ids=str)
def test_a_bottom_sheet_is_a_dialog(look: Look) -> None:
    screen, reader = sheet(["拍照", "从相册选择", "取消"], look)
    blocker = find_blocker(screen, reader)
    assert blocker is not None
    assert blocker.type is BlockerType.DIALOG
    assert way_out(blocker) == "取消"
    assert blocker.box is not None
    assert blocker.box.bottom == look.height
    assert blocker.box.top > look.height / 3


@pytest.mark.parametrize("look", [LIGHT, Look(dark=True)], ids=str)
def test_toast_and_snackbar_are_not_blockers(look: Look) -> None:
    for top, height in ((0.8, 44), (0.45, 60)):
        image = page(look)
        pen, unit = ImageDraw.Draw(image), look.unit
        y = top * look.height
        face = (60, 60, 60) if not look.dark else (200, 200, 200)
        pen.rounded_rectangle((60 * unit, y, 300 * unit, y + height * unit), 8 * unit, fill=face)
        lines = [written(pen, look, "已复制", look.width / 2, y + height * unit / 2)]
        assert find_blocker(Screen.from_image(image), Known(tuple(lines))) is None


def test_dark_loading_message_is_waited_for() -> None:
    for text, kind in (("加载中", BlockerType.LOADING), ("已完成", None)):
        image = page(LIGHT)
        pen = ImageDraw.Draw(image)
        pen.rounded_rectangle((390, 1040, 690, 1340), 30, fill=(40, 40, 40))
        lines = (TextLine(text, Box(470, 1250, 610, 1300), 0.99),)
        blocker = find_blocker(Screen.from_image(image), Known(lines))
        assert (blocker.type if blocker else None) is kind


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        (["网络不给力", "请检查网络设置", "重新加载"], BlockerType.ERROR),
        (["This site can’t be reached", "Reload"], BlockerType.ERROR),
        (["网络不给力"], None),  # nothing is offered
        (["暂无订单", "刷新"], None),  # an empty list is no error
        (["正在加载"], BlockerType.LOADING),
    ],
)
@pytest.mark.parametrize("look", [LIGHT, Look(dark=True)], ids=str)
def test_failed_page_is_retried_by_its_button(texts: list[str], kind: BlockerType | None, look: Look) -> None:
    screen, reader = centred(texts, look)
    blocker = find_blocker(screen, reader)
    assert (blocker.type if blocker else None) is kind
    if kind is BlockerType.ERROR:
        assert way_out(blocker) == texts[-1]


def test_a_cross_below_an_advert_closes_it() -> None:
    image = dimmed(LIGHT)
    pen = ImageDraw.Draw(image)
    pen.rounded_rectangle((190, 700, 890, 1500), 40, fill=(226, 60, 52))
    pen.line((515, 1560, 565, 1610), fill="white", width=7)
    pen.line((515, 1610, 565, 1560), fill="white", width=7)
    lines = (TextLine("限时特惠", Box(400, 900, 680, 970), 0.99), TextLine("立即抢购", Box(400, 1300, 680, 1370), 0.99))
    blocker = find_blocker(Screen.from_image(image), Known(lines))
    assert blocker is not None
    assert blocker.type is BlockerType.POPUP
    assert blocker.dismiss_suggestion is not None
    assert blocker.dismiss_suggestion.box is not None
    assert Box(500, 1550, 580, 1620).contains(blocker.dismiss_suggestion.box.center)


@pytest.mark.parametrize("ground", [(120, 20, 30), (110, 110, 110), (60, 60, 60)])
@pytest.mark.parametrize("texts", [["扫一扫", "加我为朋友"], ["手机号", "登录"], ["付款码", "12345678"]])
def test_white_card_on_plain_background_is_content(ground: tuple[int, int, int], texts: list[str]) -> None:
    image = Image.new("RGB", (1080, 2400), ground)
    pen = ImageDraw.Draw(image)
    pen.rounded_rectangle((100, 700, 980, 1700), 40, fill="white")
    lines = tuple(written(pen, LIGHT, text, 540, 1000 + 300 * at) for at, text in enumerate(texts))
    assert find_blocker(Screen.from_image(image), Known(lines)) is None


@pytest.mark.parametrize("look", [LIGHT, Look(dark=True)], ids=str)
def test_list_below_plain_header_is_not_a_sheet(look: Look) -> None:
    image = page(look)
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 0, look.width, look.height * 0.35), fill=(96, 96, 100))
    lines = (written(pen, look, "取消", look.width / 2, look.height * 0.6),)
    assert find_blocker(Screen.from_image(image), Known(lines)) is None


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_undimmed_full_page_is_not_ocr_read(look: Look) -> None:
    reader = Known()
    assert find_blocker(Screen.from_image(page(look)), reader) is None
    assert reader.reads == 0


def test_only_the_dialog_card_is_read() -> None:
    screen, reader = dialog(["发现新版本"], ["以后再说", "立即更新"])
    outside = TextLine("允许", Box(40, 300, 200, 340), 0.99)
    reader.lines += (outside,)
    blocker = find_blocker(screen, reader)
    assert blocker is not None
    assert "允许" not in blocker.words
    assert reader.reads == 1


@pytest.mark.parametrize("words", ["", "\x00\u202e\ufeff", "😀" * 50, "取消" * 5000, "\ud83d"])
def test_hostile_dialog_texts_are_handled_safely(words: str) -> None:
    screen, reader = dialog(["提示"], ["取消", "确定"])
    reader.lines += (TextLine(words, Box(500, 1190, 580, 1200), 0.99),)
    blocker = find_blocker(screen, reader)
    assert blocker is not None
    assert len(blocker.words) <= 400
