"""Tests of the Chinese translations of run messages."""

from __future__ import annotations

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handeye.blockers import BlockerType
from handeye.errors import DeviceBusy
from handeye.plan import ActionName
from handeye.report import LANGUAGES, language_of, translated
from handeye.report.catalogue import TRANSLATIONS
from handeye.report.labels import EN, ZH
from handeye.run.postcondition import MAY_HAVE_BEEN_SENT
from handeye.target import Expectation, Target
from handeye.text import match


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (str(Target(text="微信", reference="wechat")), "文字“微信”或图片“wechat”"),
        (str(Target(text="张三", role="list item")), "列表项 文字“张三”"),
        (str(Expectation(text="你好", new=True)), "新出现文字“你好”"),
        (str(Expectation(text="通讯录", app="com.tencent.mm")), "有文字“通讯录”，应用“com.tencent.mm”在前台"),
        (str(Expectation(gone="发送")), "文字“发送”消失"),
        ("step 6 (确认 (x)): the text 'a; b, c' is still there", "第 6 步（确认 (x)）：文字“a; b, c”仍在"),
        ("list item text '王五' was not found (ocr: no such text)", "没有找到列表项 文字“王五”（ocr: no such text）"),
        (
            "not needed: app 'com.a' is in front holds: com.a is in front",
            "不需要：应用“com.a”在前台，成立：com.a 在前台",
        ),
        (
            "the text '你好' is there in its region (exact match), and was not there before; the screen changed by 5.2 %",
            "指定区域内有文字“你好”（完全一致），之前没有；屏幕变化 5.2 %",
        ),
        ("interrupted; it may have been sent or done all the same; look before doing it again",
         "被中断；可能已经发送或执行；重做之前请先查看"),
        (f"interrupted; {MAY_HAVE_BEEN_SENT}",
         "被中断；可能已经发送或执行；请先查看聊天或相应的页面；如果没有发送或执行，请重新运行任务"),
        ("permission: 是否允许", "权限请求：是否允许"),
        ("the picture is black: com.bank forbids pictures of its window; only the accessibility tree shows it",
         "画面全黑：com.bank 禁止截取它的窗口；只有控件树能看到它"),
        ("the picture is black: display 2 is dark; lit is 0 (lit, 1080x2400): write ?display=0",
         "画面全黑：显示屏 2 没有点亮；点亮的是 0 (lit, 1080x2400)：请写 ?display=0"),
        ("'launch com.x' on the device ended with exit code 1: com.x is installed for user 10 (Work profile) only, not for "
         "user 0. Name the user: --user 10, or ?user=10 at the end of the device's URI",
         "设备上的命令“launch com.x”以退出码 1 结束：com.x 只为用户 10 (Work profile) 安装，没有为用户 0 安装。"
         "请指明用户：--user 10，或在设备 URI 末尾加 ?user=10"),
        ("'launch com.x' on the device ended with exit code 1: com.x is not installed on x:5; install it first",
         "设备上的命令“launch com.x”以退出码 1 结束：x:5 上没有安装 com.x；请先安装"),
        ("typed 6 characters by key events; the field shows them", "用按键输入了 6 个字符；输入框已显示"),
        ("the tree has '嗯' below all that stood there, and had none before", "控件树里“嗯”在原有内容下方，之前没有"),
        ("the tree has '嗯' below all that stood there, and had 2 before", "控件树里“嗯”在原有内容下方，之前有 2 处"),
        ("'🙂' has too few characters that a text reader knows", "“🙂”里能识别的字符太少"),
        ("the phone says that its volume went: media from 7 to 8 of 15", "手机显示音量（media）从 7 变为 8，最大 15"),
        ("step 7 (点击): x:5 went away and did not come back in time (adb says: the deadline passed). "
         "Check the cable or the network, and that the phone is awake; then connect again",
         "第 7 步（点击）：x:5 已断开，没有及时恢复（adb：the deadline passed）。"
         "请检查数据线或网络，并确认手机已唤醒；然后重新连接"),
        (str(DeviceBusy("android:///x:5", 7)),
         "android:///x:5 正忙：进程 7 正在它上面执行任务；请等待结束，或停止该进程"),
    ],
)  # fmt: skip
def test_common_messages_are_translated_to_chinese(said: str, shown: str) -> None:
    assert translated(said, "zh") == shown
    assert translated(said, "en") == said


def layers_of_text_matches() -> list[str]:
    """As the module that finds texts lists them, one a line, with dots behind."""
    return re.findall(r"^\* (\w+) \.\.", match.__doc__ or "", re.MULTILINE)


def test_every_text_match_layer_is_translated() -> None:
    layers = layers_of_text_matches()
    assert {"exact", "label", "part", "misread"} < set(layers)
    for layer in layers:
        shown = translated(f"the text 'a b' is there ({layer} match)", "zh")
        assert "match" not in shown, shown
    long = (
        "the text 'x' is there in its region (3 lines, 2 characters read differently, 1 that no reader knows left out)"
    )
    assert translated(long, "zh") == "指定区域内有文字“x”（3 行，2 个字符读法不同，略去 1 个无法识别的字符）"


@pytest.mark.parametrize(
    "said",
    [
        "", "no sentence of ours", "cake, the screen changed twice, bread", "the text is gone", "'it\\'s", "x" * 5000,
        "{q1} is not a slot; {}", "\x00\u202e; \x1b[31m",
    ],
)  # fmt: skip
def test_unknown_messages_stay_untranslated(said: str) -> None:
    assert translated(said, "zh") == said


def test_quoted_text_is_not_translated() -> None:
    """Text from the screen stays as it is, even when it looks like a message of Handeye."""
    assert translated("the text 'interrupted; the screen did not change' is gone", "zh") == (
        "文字“interrupted; the screen did not change”已消失"
    )


@given(
    st.lists(st.sampled_from([*(english for english, _ in TRANSLATIONS), "; ", ", ", " ", "'", "{", "%"]), max_size=12)
)
def test_any_text_can_be_translated(pieces: list[str]) -> None:
    said = "".join(pieces)
    translated(said, "zh")
    assert translated(said, "en") == said


def test_translations_keep_their_placeholders() -> None:
    """Each placeholder of the English message is in the Chinese one exactly once, and no message is listed twice."""
    for english, chinese in TRANSLATIONS:
        slots = sorted(name for _, name, *_ in string.Formatter().parse(english) if name)
        assert slots == sorted(name for _, name, *_ in string.Formatter().parse(chinese) if name), english
    assert len({english for english, _ in TRANSLATIONS}) == len(TRANSLATIONS)


def test_both_languages_have_the_same_words() -> None:
    assert set(ZH) == set(EN)
    for words in LANGUAGES.values():
        assert {each.value for each in ActionName} <= set(words)
    assert all(
        translated(f"{each.value}: x", "zh") != f"{each.value}: x"
        for each in BlockerType
        if each.value not in ("none", "unknown")
    )


def test_language_follows_task_unless_configured(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (language_of("打开 Chrome"), language_of("open chrome"), language_of("")) == ("zh", "en", "en")
    monkeypatch.setenv("HANDEYE_LANG", "zh_CN.UTF-8")
    assert language_of("open chrome") == "zh"
    monkeypatch.setenv("HANDEYE_LANG", "en")
    assert language_of("打开微信") == "en"


@pytest.mark.parametrize(
    ("said", "chinese"),
    [
        ("permission: a permission request", "权限请求"),
        ("dismissed ad: an advert", "已关闭广告"),
        ("ad: something new", "广告：something new"),
        ("ad: a full-screen advert that counts down: '跳过 2'", "倒计时的全屏广告：“跳过 2”"),
        (
            "step 2 (点击; 图标): text '支付宝' was not found (cache: absent; ocr: absent; accessibility: absent)",
            "第 2 步（点击; 图标）：没有找到文字“支付宝”（cache：没有；ocr：没有；accessibility：没有）",
        ),
        (
            "no app module knows how to do '订票'; known wordings that come near: 读",
            "没有应用模块会做“订票”；相近的说法：读",
        ),
        ("the tree has '黄丽' where '黃丽' was read with 0.81", "控件树里是“黄丽”，从画面读到“黃丽”（0.81）"),
        (
            "the text '黄丽' is not on the screen in its region; '黃丽' stands there, read with doubt",
            "指定区域内没有文字“黄丽”；那里读到“黃丽”，但没有把握",
        ),
    ],
)
def test_blocker_and_locator_messages_are_translated(said: str, chinese: str) -> None:
    assert translated(said, "zh") == chinese
