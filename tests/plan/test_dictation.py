"""Tests of messages without quotation marks: sent only when plainly one text; quoted ones verbatim."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handeye.apps import ModuleRegistry
from handeye.errors import NoPlan
from handeye.plan import ActionName, fold, is_plainly_one_text

APPS = ModuleRegistry()


def sent(task: str) -> str:
    """The message that the plan for a task sends; "" for a task that no template takes."""
    try:
        steps = APPS.plan(task).steps
    except NoPlan:
        return ""
    return [str(step.params["text"]) for step in steps if step.action is ActionName.INPUT_TEXT][-1]


MORE_THAN_ONE = [
    "hello, can you also tell Ann",
    "hello, are you able to mute the phone",
    "hi. What's up with Ann",
    "晚上一起吃饭，顺便买瓶酒",
    "到家了，看看窗外",
    "会议改到三点，检查一下日程",
    "我到了，再给李四打个电话",
    "我到了，李四那边也发",
    "我到了，李四也一样",
    "我到了，完事锁屏",
    "我到了，然后播首歌",
    "我到了，然后听歌",
    "我到了，把手机静音",
    "我到了，关机",
    "我到了，手机静音",
    "我到了，亮度调低",
    "我到了，打开WiFi",
    "我到了，WiFi打开",
    "我到了，开一下WiFi",
    "我到了，开飞行模式",
    "我到了，开个闹钟",
    "我到了，定八点的闹钟",
    "我到了，拍张照",
    "我到了，录个屏",
    "我到了，导航回家",
    "我到了，读一下他的回复",
    "我到了，等他回复",
    "我到了，告诉我他回了什么",
    "我到了，他回了告诉我",
    "我到了 语气客气点",
    "我到了，语气要客气",
    "我到了，用英文",
    "我到了（用英文）",
    "我到了，加个表情",
    "我到了，带上刚才的照片",
    "我到了，晚上再发",
    "我到了，十分钟后",
    "我到了，别忘了截图",
    "我到了，记得截图",
    "我到了，李四就不用了",
    "我到了，拉李四进群",
    "我到了，置顶聊天",
    "我到了，语音发",
    "我到了，群里也说一声",
    "生日快乐，发个红包",
    "生日快乐，送个红包",
    "我到了，收一下他的红包",
    "我到了，清后台",
    "我到了，微信退了",
    "我到了，回主页",
    "我到了，上B站看视频",
    "hello, no need to wait",
    "hello, and Ann too",
    "hello, same for Ann",
    "hello, in Chinese",
    "hello in Chinese",
    "hello, make it polite",
    "hello, with a smiley",
    "hello, take a photo",
    "hello, lock the phone",
    "hello and turn the volume down",
    "hello and put the phone on silent",
    "hello, let Ann know too",
    "hello, wait for his reply",
    "hello, tell me what he answers",
    "hello and read me his reply",
    "I am home and will check the mail",
    "dinner is ready, check the oven",
    "I will be late, order without me",
]
ONE = [
    "Hi! How are you?",
    "hello. Are you there?",
    "Hi. When do we meet?",
    "I will call you tomorrow",
    "hello tomorrow morning",
    "open the door, please",
    "不要打开那个链接",
    "你查看一下邮件",
    "到了打开门",
    "帮我买点菜，谢谢",
    "我到家了，你先睡",
    "我在路上，回头再说",
    "不来了",
    "明天 10:30 开会",
    "点心到了",
    "看看 https://example.org/a?b=1&c=2",
]


@pytest.mark.parametrize("message", MORE_THAN_ONE)
def test_unquoted_message_with_unclear_ending_is_not_sent(message: str) -> None:
    assert not is_plainly_one_text(fold(message))
    assert sent(f"给张三发微信说{message}") == ""
    assert sent(f"send a WeChat message to Tom saying {message}") == ""
    assert sent(f"给张三发微信说“{message}”") == message


@pytest.mark.parametrize("message", ONE)
def test_plain_unquoted_message_is_sent_whole(message: str) -> None:
    assert sent(f"给张三发微信说{message}") == message


@pytest.mark.parametrize(
    "behind",
    [
        "",
        "。",
        "！",
        "吧",
        "哦",
        "，谢谢",
        "，谢谢你",
        "，谢谢啦",
        "，好吗？",
        " please",
        ", please",
        ", thanks",
        "，拜托了",
    ],
)
def test_politeness_after_quoted_message_is_not_sent(behind: str) -> None:
    assert sent(f"给张三发微信消息说“明天见”{behind}") == "明天见"
    assert sent(f"帮我用微信跟张三讲「明天见」{behind}") == "明天见"
    assert sent(f'send a WeChat message to Tom saying "see you"{behind}') == "see you"


@pytest.mark.parametrize(
    "behind",
    [
        "，李四也一样",
        "，把手机静音",
        "，开飞行模式",
        "，别发错人",
        "（群里不用）",
        "和“再见”",
        "，然后截图",
        " and “bye”",
        " in five minutes",
        " twice",
        ", Ann too",
        "，谢谢，再给李四发一份",
    ],
)
def test_other_words_after_quoted_message_are_refused(behind: str) -> None:
    assert sent(f"给张三发微信消息说“明天见”{behind}") == ""
    assert sent(f"send a WeChat message to Tom saying “see you”{behind}") == ""


@pytest.mark.parametrize(
    "said",
    [
        "说明情况",
        "说什么好",
        "说了你好",
        "讲个笑话",
        "讲个故事",
        "讲讲我到了",
        "讲清楚我不去",
        "说一下我到了",
        "说声谢谢",
        "说点什么",
        "说个事",
        "说几句",
    ],
)
def test_manner_of_speaking_is_not_a_message(said: str) -> None:
    assert sent(f"用微信跟张三{said}") == ""


@pytest.mark.parametrize(
    "said",
    [
        "生日祝福",
        "同样的话",
        "你好的英文",
        "剪贴板里的内容",
        "我的位置",
        "我爱你三个字",
        "你好，我是说再见",
        "你好，我说错了",
        "你好，你润色一下",
        "你好，明天早上八点",
        "你好，他没回的话就算了",
    ],
)
def test_described_corrected_or_timed_message_needs_quotation_marks(said: str) -> None:
    assert sent(f"给张三发微信说{said}") == ""
    assert sent(f"给张三发微信说“{said}”") == said


@pytest.mark.parametrize(
    "said",
    ["something nice", "my location", "that I am late", "hello, I mean bye", "hello unless he is busy"],
)
def test_unclear_english_message_needs_quotation_marks(said: str) -> None:
    assert sent(f"send a WeChat message to Tom saying {said}") == ""
    assert sent(f"send a WeChat message to Tom saying “{said}”") == said


PARTS = st.sampled_from(["我到了", "，", " ", "“", "”", "谢谢", "打开", "hello", ", ", "and ", "你", "。", "\n", "😀"])


@given(st.lists(PARTS, min_size=1, max_size=8).map("".join))
def test_sent_message_is_a_contiguous_part_of_task(said: str) -> None:
    message = sent(f"给张三发微信消息说{said}")
    assert message in said
    if "，打开" in message.lstrip("，。, \n😀"):
        assert f"“{message}”" in said
