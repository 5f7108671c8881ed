"""What changes by itself, and what is a mere answer: whether a text or a name tells one thing from another."""

from __future__ import annotations

import re
from typing import Final

# A clock with seconds, or so much of a hundred: nothing else in a window counts like that. A time without seconds may be that
# of a train, and a bare number an amount.
_RUNS: Final = re.compile(r"\d+:\d\d:\d\d(?:[.,]\d+)?\s*(?:[ap]\.?m\.?)?|\d+(?:[.,]\d+)?\s*[%％]", re.IGNORECASE)
# What may stand beside one in a text of its own: "34 % of 100".
_BESIDE: Final = re.compile(
    r"\b(?:of \d+|done|completed?|left|remaining)\b|已?完成|剩余|[\s()/|·:,;.…-]+", re.IGNORECASE
)
# A few digits: how many messages a button leads to.
_COUNTER: Final = re.compile(r"\(?\d{1,4}\+?\)?")

_ANSWERS: Final = """
    yes no ok okay cancel delete remove erase confirm allow deny block accept decline reject agree continue next proceed submit
    buy pay order send save discard keep replace overwrite apply retry ignore abort skip close done finish install uninstall
    format reset restore undo stop start run open sign transfer approve publish
    是 否 好 确定 取消 删除 移除 确认 允许 拒绝 继续 下一步 提交 购买 支付 发送 保存 不保存 替换 覆盖 应用
    重试 忽略 关闭 完成 安装 同意 接受
"""
ANSWERS: Final = frozenset(_ANSWERS.split()) | {"don't save"}
"""Names that say nothing of what is agreed to: that stands in a text beside them."""

# What they begin is done to what is shown around them: "Delete user", "Pay now".
_GRAVE: Final = frozenset(
    (
        "delete",
        "remove",
        "erase",
        "send",
        "buy",
        "pay",
        "transfer",
        "approve",
        "submit",
        "confirm",
        "publish",
        "uninstall",
    )
)
_GRAVE_BEGINNINGS: Final = ("删除", "移除", "购买", "支付", "发送", "提交", "确认", "转账")


def runs(text: str) -> bool:
    """Whether a text is nothing but a clock or a percentage."""
    rest = _RUNS.sub("", text)
    return rest != text and not _BESIDE.sub("", rest)


def counts(text: str) -> bool:
    """Whether it is a bare number of a few digits."""
    return _COUNTER.fullmatch(text) is not None


def is_answer(name: str) -> bool:
    """Whether it is an answer to what stands elsewhere, or does to that what cannot be undone."""
    said = name.strip(" .!…&_").replace("_", "").replace("&", "").replace("’", "'").casefold()
    return said in ANSWERS or said.split(" ")[0] in _GRAVE or said.startswith(_GRAVE_BEGINNINGS)
