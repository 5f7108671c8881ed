"""Tests of the messenger: search, open a chat, send. Success is judged by the phone's state."""

from __future__ import annotations

import pytest


def test_message_is_sent_to_the_tapped_contact(hand):
    hand.open_messenger()
    hand.open_chat("张三")
    assert hand.phone.state.chat == "张三"
    hand.tap(id="input")
    hand.phone.type_text("你好")
    assert hand.sent() == {}
    hand.tap(text="发送")
    assert hand.sent() == {"张三": ["你好"]}
    assert hand.phone.state.draft == ""
    assert "你好" in hand.texts()


def test_messenger_is_on_the_second_page(hand):
    assert not hand.sees(text="微信")
    hand.swipe_left()
    assert hand.sees(text="微信")
    assert hand.sees(text="微信读书")
    hand.swipe_left()
    assert hand.phone.state.page == 2
    assert not hand.sees(text="微信")
    hand.swipe_left()
    assert hand.phone.state.page == 2
    hand.swipe_right()
    hand.swipe_right()
    hand.swipe_right()
    assert hand.phone.state.page == 0


def test_search_lists_contacts_before_chat_records(hand):
    hand.open_messenger()
    hand.tap(desc="搜索")
    hand.phone.type_text("张三")
    names = [node.get("text") for node in hand.all(id="name")]
    assert names == ["张三", "张三丰"]
    hand.phone.key(28)
    hand.phone.type_text("zhang")
    assert {"张三", "张三丰", "章三"} <= {node.get("text") for node in hand.all(id="name")}
    hand.phone.key(28)
    hand.phone.type_text("谢谢")
    assert [node.get("text") for node in hand.all(id="group")] == ["聊天记录"]
    hand.phone.key(28)
    hand.phone.type_text("没有这个人")
    assert hand.sees(id="empty", text="无“没有这个人”相关结果")


def test_send_button_needs_a_nonblank_draft(hand):
    hand.open_messenger()
    hand.tap(text="王小明", id="name")
    assert not hand.sees(text="发送")
    hand.tap(id="input")
    hand.phone.type_text("  ")
    assert not hand.sees(text="发送")
    hand.phone.type_text("在吗")
    hand.tap(text="发送")
    assert hand.sent() == {"王小明": ["  在吗"]}


NASTY = [
    "plain",
    'it\'s "quoted" `and` $(ticked) ; rm -rf / && echo %s \\n',
    "行一\n行二\n\n行四",
    "😀👍🏽👨‍👩‍👧‍👦🇨🇳",
    "שלום עולם (123) مرحبا",
    "e\u0301 n\u0303 ｆｕｌｌ　ｗｉｄｔｈ",
    "\t tab and trailing  ",
    "<b>&amp;</b>",
    "长" * 600,
]


@pytest.mark.parametrize("text", NASTY)
def test_any_message_text_is_sent_unchanged(hand, text):
    hand.open_messenger()
    hand.tap(text="王小明", id="name")
    hand.tap(id="input")
    hand.phone.type_text(text)
    assert hand.phone.state.draft == text
    assert hand.box(id="input")
    hand.phone.frame()
    assert any(node.get("text") == text for node in hand.all(id="input"))
    hand.tap(text="发送")
    assert hand.sent() == {"王小明": [text]}
    assert hand.phone.state.messages["王小明"][-1] == {"from": "me", "text": text}


def test_newest_message_is_visible_and_older_ones_scroll(hand):
    hand.open_messenger()
    hand.tap(text="王小明", id="name")
    hand.tap(id="input")
    for number in range(30):
        hand.phone.type_text(f"消息 {number}")
        hand.tap(text="发送")
    assert hand.sees(text="消息 29")
    assert not hand.sees(text="消息 0")
    hand.phone.key(4)
    width, height = hand.phone.size
    for _ in range(12):
        hand.swipe(width / 2, height * 0.3, width / 2, height * 0.8)
    assert hand.sees(text="明天下午的会改到三点了")
    assert not hand.sees(text="消息 29")


def test_draft_is_kept_after_leaving_the_chat(hand):
    hand.open_messenger()
    hand.tap(text="王小明", id="name")
    hand.tap(id="input")
    hand.phone.type_text("还没写完")
    hand.tap(desc="返回")
    hand.tap(text="李雷", id="name")
    assert hand.phone.state.draft == ""
    hand.phone.key(4)
    hand.tap(text="王小明", id="name")
    assert hand.phone.state.draft == "还没写完"


def test_sending_moves_chat_up_and_clears_unread_badge(hand):
    hand.open_messenger()
    assert hand.sees(id="unread", text="2")
    hand.tap(text="妈妈", id="name")
    hand.tap(id="input")
    hand.phone.type_text("好")
    hand.tap(text="发送")
    hand.tap(desc="返回")
    assert not hand.sees(id="unread", text="2")
    assert hand.all(id="name")[0].get("text") == "妈妈"
    assert hand.all(id="last")[0].get("text") == "好"


def test_contacts_tab_scrolls_and_jumps_by_letter(hand):
    hand.open_messenger()
    hand.tap(desc="通讯录")
    assert hand.sees(text="Alice", id="name")
    assert not hand.sees(text="赵敏", id="name")
    hand.tap(text="Z", cls="TextView")
    assert hand.sees(text="赵敏", id="name")
    hand.tap(text="张三丰", id="name")
    hand.tap(text="发消息")
    assert hand.phone.state.chat == "张三丰"


def test_long_press_on_message_opens_delete_menu(hand):
    hand.open_messenger()
    hand.tap(text="李雷", id="name")
    hand.hold(text="太好了")
    assert hand.sees(text="复制")
    assert hand.sees(text="删除")
    hand.tap(text="删除")
    assert "太好了" not in hand.texts()
    assert [m["text"] for m in hand.phone.state.messages["李雷"]] == ["书我放你桌上了"]


def test_long_press_fires_before_release(hand):
    hand.open_messenger()
    hand.tap(text="李雷", id="name")
    x, y = hand.box(text="太好了").center
    hand.phone.touch_down(x, y)
    assert hand.phone.next_deadline() == pytest.approx(hand.clock.time + 0.5)
    assert not hand.sees(text="复制")
    hand.clock.pass_s(0.5)
    assert hand.sees(text="复制")
    hand.phone.touch_up(x, y)
    assert hand.sees(text="复制")


def test_enter_in_chat_inserts_line_break(hand):
    hand.open_messenger()
    hand.tap(text="王小明", id="name")
    hand.tap(id="input")
    hand.phone.type_text("a")
    hand.phone.key(66)
    hand.phone.type_text("b")
    assert hand.phone.state.draft == "a\nb"
    assert hand.sent() == {}


def test_editing_keys_handle_whole_characters(hand):
    hand.open_messenger()
    hand.tap(text="王小明", id="name")
    hand.tap(id="input")
    hand.phone.type_text("ab👍🏽")
    hand.phone.key(67)
    assert hand.phone.state.draft == "ab"
    hand.phone.key(21)
    hand.phone.type_text("X")
    assert hand.phone.state.draft == "aXb"
    hand.phone.key(122)
    hand.phone.key(112)
    hand.phone.key(123)
    hand.phone.key(54)
    assert hand.phone.state.draft == "Xbz"


def test_tap_places_the_caret(hand):
    hand.open_messenger()
    hand.tap(text="王小明", id="name")
    hand.tap(id="input")
    hand.phone.type_text("你好世界")
    box = hand.box(id="input")
    hand.tap_at(box.left + 30, box.center.y)
    hand.phone.type_text(">")
    assert hand.phone.state.draft == ">你好世界"


def test_text_without_focused_field_is_ignored(hand):
    hand.open_messenger()
    hand.phone.type_text("lost")
    assert hand.phone.state.focused_text is None
    assert hand.sent() == {}
    assert hand.phone.state.query == ""


@pytest.mark.parametrize(("pause_s", "screen"), [(0.02, "chat"), (0.1, "text"), (0.3, "text"), (0.5, "chat")])
def test_double_tap_interval_matches_android(hand, pause_s, screen):
    hand.phone.open_chat("张三丰")
    box = hand.box(text="早起打太极吗？")
    for pause in (0.0, pause_s):
        hand.clock.pass_s(pause)
        hand.phone.touch_down(*box.center)
        hand.phone.touch_up(*box.center)
    assert hand.phone.state.screen == screen
    if screen == "text":
        hand.phone.key(4)
        assert hand.phone.state.screen == "chat"
