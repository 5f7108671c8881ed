"""
Kinds of an act: an order to reset does not allow a deletion, and an order to buy does not allow a loan.

The words of one act cover several kinds. A control that is clearly of one kind needs an order of that kind, or of one that
includes it: buying and transferring include paying. All patterns are for folded text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from handeye.plan.consent.clauses import ClauseKind, clauses
from handeye.plan.consent.effects import DELETE, PAY, Act
from handeye.text import skeleton


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of an act: the words on its controls, and the words of a task that order or include it."""

    on_controls: re.Pattern[str]
    ordered: re.Pattern[str]


def _kind(controls: str, latin: str, asked: str, latin_asked: str) -> Kind:
    """Return a kind with patterns for Chinese words anywhere and Latin words as whole words."""
    return Kind(
        re.compile(rf"{controls}|(?<![a-z])(?:{latin})(?![a-z])"),
        re.compile(rf"{asked}|(?<![a-z])(?:{latin_asked})(?![a-z])"),
    )


_KINDS: Final[dict[str, tuple[Kind, ...]]] = {
    PAY.name: (
        _kind("借款|贷款|借钱", "loan|borrow", "借|贷", "loan|borrow"),
        _kind("提现", "withdraw|cash out", "提现|取[钱款]", "withdraw|cash out"),
        _kind(
            "转账|红包|汇款|打钱",
            "transfer|wire|remit",
            "转|红包|付|还|交|汇|打[钱款]|给.{1,12}?[\\d一二两三四五六七八九十百千万]",
            "transfer|pay|send|give|wire|remit",
        ),
        _kind(
            "购买|下单|订购|结算",
            "purchase|buy|check ?out|place order|order",
            "买|下单|[订定]|结算|付|点.{0,8}[份杯个]|抢",
            "purchase|buy|check ?out|order|pay(?! \\S+ \\d)|get|book",
        ),
        _kind("出售|卖出", "sell|stake", "出售|卖", "sell|stake"),
        _kind("打赏", "tip|donate", "打赏|捐", "tip|donat(?:e|ion)"),
        _kind(
            "续费|开通|充值",
            "subscribe|upgrade|top up",
            "续费|开通|充|交|订|买|会员",
            "subscribe|upgrade|top up|renew|buy",
        ),
    ),
    DELETE.name: (
        _kind("恢复出厂|还原|重置|格式化", "reset|format", "恢复出厂|还原|重置|格式化|抹", "reset|format|wipe|erase"),
        _kind("注销", "deactivate|close .{0,5}account", "注销|账[号户]|帐[号户]", "deactivate|account"),
        _kind("取消订单", "cancel .{0,5}order", "取消", "cancel"),
        _kind("拉黑", "block", "拉黑|黑名单|屏蔽", "block"),
        _kind("卸载", "uninstall", "卸|删|移除|清", "uninstall|remove|delete|erase"),
        _kind(
            "删除|清空|清除|移除|抹掉",
            "delete|erase|remove|wipe|clear|discard|empty .{0,4}trash",
            "删|清|抹|移除|卸载|注销|格式化|恢复出厂",
            "delete|erase|remove|wipe|clear|discard|empty|uninstall|format|get rid|reset (?:the |my |this )?(?:phone|device)",
        ),
    ),
}


def is_another_kind(words: str, act: Act, task: str) -> bool:
    """
    Return True if a control with these words does a kind of `act` that the task does not order.

    >>> is_another_kind("删除", DELETE, "还原照片"), is_another_kind("确认支付", PAY, "给张三转账50元")
    (True, False)
    """
    there = skeleton(words).replace("_", " ")
    texts = [clause.text for clause in clauses(task) if clause.mood is not ClauseKind.NEGATED]
    return any(
        kind.on_controls.search(there) is not None and not any(kind.ordered.search(text) for text in texts)
        for kind in _KINDS.get(act.name, ())
    )
