"""Tests of notices: OK is pressed only on informational ones; others are left with BACK."""

from __future__ import annotations

import pytest
from drawn_dialogs import LOOKS, Look, dialog
from hypothesis import given
from hypothesis import strategies as st

from handeye.blockers import BlockerType
from handeye.blockers.detector import find_blocker
from handeye.blockers.dialog_vocabulary import is_crash, is_notice


def action(message: str, button: str) -> str:
    screen, reader = dialog([message], [button])
    blocker = find_blocker(screen, reader)
    assert blocker is not None
    assert blocker.dismiss_suggestion is not None
    return blocker.dismiss_suggestion.action


@pytest.mark.parametrize("button", ["确定", "OK", "Got it"])
@pytest.mark.parametrize(
    "message",
    [
        "将转账500元给李四",
        "即将下单，共 99 元",
        "设备将恢复出厂设置",
        "将为您拨打 10086",
        "已为您选择自动更新，将使用移动流量",
        "将覆盖原文件",
        "开启定位服务后继续",
        "将解除绑定该设备",
        "将公开您的手机号",
        "拉黑李四",
        "免费试用结束后自动扣款",
        "保存成功，将自动支付",
        "微信将停止运行",
        "Your order will be placed now.",
        "All unsaved changes will be lost.",
        "All your files are deleted",
        "Your data will be shared with our partners.",
        "Transfer $500 to Ann.",
        "Call 911",
        # An error that goes on to say what follows.
        "网络异常，将重新扣除余额",
        "Payment: request timed out 请求超时",
        "Network error. Your card will be charged again.",
        "The update installs now. Gallery has stopped",
    ],
)
def test_message_about_an_action_is_left_with_back(message: str, button: str) -> None:
    assert action(message, button) == "press_key"


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_money_transfer_message_is_left_in_every_theme(look: Look) -> None:
    screen, reader = dialog(["将转账500元给李四"], ["确定"], look)
    blocker = find_blocker(screen, reader)
    assert blocker is not None
    assert blocker.dismiss_suggestion is not None
    assert blocker.dismiss_suggestion.action == "press_key"


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("密码修改成功", BlockerType.DIALOG),
        ("已复制到剪贴板", BlockerType.DIALOG),
        ("活动已结束", BlockerType.DIALOG),
        ("提交成功，感谢您的反馈", BlockerType.DIALOG),
        ("系统繁忙，请稍后再试", BlockerType.DIALOG),
        ("Your changes have been saved.", BlockerType.DIALOG),
        ("There is a new look", BlockerType.DIALOG),
        ("网络异常，请检查网络后重试", BlockerType.ERROR),
        ("Something went wrong. Please try again later.", BlockerType.ERROR),
        ("Unfortunately, Gallery has stopped.", BlockerType.ERROR),
        ("微信已停止运行", BlockerType.ERROR),
    ],
)
def test_informational_notice_is_closed_with_ok(message: str, kind: BlockerType) -> None:
    screen, reader = dialog([message], ["确定"])
    blocker = find_blocker(screen, reader)
    assert blocker is not None
    assert blocker.type is kind
    assert action(message, "确定") == "tap"


@given(st.text(max_size=200))
def test_any_message_is_judged_safely(message: str) -> None:
    assert not is_notice(message + "将付款")
    assert not is_crash(message + "?")


def test_ambiguous_long_notice_is_judged_quickly() -> None:
    assert is_notice("网络异常" * 30)
    assert not is_notice("网络异常" * 29 + "付")
