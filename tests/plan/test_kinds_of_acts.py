"""Tests of kinds of actions: an order for one kind allows only the controls of that kind."""

from __future__ import annotations

import pytest

from handeye.plan import DELETE, PAY, Act
from handeye.plan.consent.effect_kinds import is_another_kind


@pytest.mark.parametrize(
    ("control", "act", "task"),
    [
        ("删除", DELETE, "还原照片"),
        ("卸载", DELETE, "还原照片"),
        ("删除", DELETE, "重置网络设置"),
        ("Delete", DELETE, "reset the zoom"),
        ("恢复出厂设置", DELETE, "清除通知"),
        ("注销", DELETE, "清空购物车"),
        ("拉黑", DELETE, "删除张三"),
        ("Block", DELETE, "delete Ann"),
        ("Format", DELETE, "clear the chat"),
        ("借款", PAY, "买一杯咖啡"),
        ("贷款", PAY, "给张三转账50元"),
        ("提现", PAY, "给张三转账50元"),
        ("开通", PAY, "给张三转账50元"),
        ("打赏", PAY, "买一杯咖啡"),
        ("转账", PAY, "买一杯咖啡"),
        ("购买", PAY, "给张三转账50元"),
        ("Transfer", PAY, "buy the book"),
        ("Subscribe", PAY, "pay the bill"),
    ],
)
def test_control_of_another_kind_is_not_allowed(control: str, act: Act, task: str) -> None:
    assert is_another_kind(control, act, task)


@pytest.mark.parametrize(
    ("control", "act", "task"),
    [
        ("删除", DELETE, "把抖音卸载了"),
        ("卸载", DELETE, "删除抖音"),
        ("清空聊天记录", DELETE, "删除和张三的聊天"),
        ("Remove", DELETE, "get rid of the photo, delete it"),
        ("清除所有数据（恢复出厂设置）", DELETE, "把手机恢复出厂设置"),
        ("注销账号", DELETE, "删除我的账号"),
        ("确认支付", PAY, "给张三转账50元"),
        ("立即支付", PAY, "买一杯咖啡"),
        ("付款", PAY, "给手机充值50元"),
        ("充值", PAY, "给妈妈的手机充100元话费"),
        ("转账", PAY, "给张三付50元"),
        ("去结算", PAY, "把订单付了"),
        ("Place order", PAY, "get me a pizza, order it"),
        ("Pay", PAY, "top up the card"),
        ("红包", PAY, "给妈妈发个红包"),
        ("更多", PAY, "买一杯咖啡"),
    ],
)
def test_controls_of_the_ordered_kind_are_allowed(control: str, act: Act, task: str) -> None:
    assert not is_another_kind(control, act, task)
