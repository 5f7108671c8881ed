"""
Whether words say more than one thing to do: 打开微信然后打开浏览器, 说你好，然后打开飞行模式.

A pattern takes what stands in its slot for one thing. Where the words may go on with another task, that is a guess, and a
message that holds the next task is a wrong message: such a slot takes them only in quotation marks. All patterns are for
folded text.
"""

from __future__ import annotations

import re
from typing import Final

# What a phone is told to do, as it begins a second task. People also write "then call me", so these follow "then" only.
_DEVICE: Final = (
    r"打开|关闭|关掉|关上|开启|启动|启用|进入|返回|回到|截图|截屏|搜索|搜一下|播放|点击|点开|拨打|音量"
    r"|open |launch |start |turn (?:on|off) |switch (?:on|off) |search for |go (?:home|back|to) |take a screenshot"
)
_PERSON: Final = (
    r"(?:再)?(?:给|跟|对|和|向).{1,20}?(?:发|打|说|转)|告诉|通知|发送|发给|发[一条个]|发消息|发微信|发短信|打电话|转账|付款|删除"
    r"|把.{1,20}?(?:打开|关|发|删|转)|call |dial |send |text |tell |message |reply |delete |pay "
)
_THEN: Final = (
    r"然后|接着|随后|之后|最后|完了|顺便|同时|再|(?<![a-z])(?:and then|then|after that|afterwards)(?![a-z]),?"
)
_AND: Final = r"并且?|而且|(?<![a-z])and(?: also)?(?![a-z])"
_SECOND_TASK: Final = re.compile(
    rf"(?:{_THEN})\s*(?:再|请|帮我)?\s*(?:{_DEVICE}|{_PERSON})"
    rf"|(?:{_AND})\s*(?:再|请|帮我)?\s*(?:{_DEVICE})"
    # A second message in one breath: 说明天见，给李四发微信说后天见.
    r"|[,.。;:\n]\s*(?:再|也|并)?给.{1,20}?发.{0,10}?说"
)

# Within what stands on an icon or in a row. The words of a name may be among them: it is put in quotation marks then.
_JOINS: Final = re.compile(r".(?:[,，。;；、?？\n]|和(?!平)|然后|接着|并且|再|\s(?:and|then|to)\s).", re.DOTALL)
_GOES_ON: Final = re.compile(
    r".(?:给|告诉|发送|发消息|发微信|发短信|发[一条个]|看看|看一下|看下|查看|查找|搜索|搜一下|点击|点开|找到|扫一扫|打开|关闭"
    r"|\s(?:send|search for|tell|click|tap|look (?:up|for))\s)(?!\s*\Z)"
    r"|.(?:看看|看一下|看下|扫一扫)\Z",
    re.DOTALL,
)
_PACKAGE: Final = re.compile(r"[a-z]\w*(?:\.[a-z]\w*){2,}\Z", re.ASCII)


def has_second_task(folded: str) -> bool:
    """
    Whether a text may go on with something else to do.

    >>> has_second_task("你好,然后打开飞行模式"), has_second_task("先吃饭,然后去找他")
    (True, False)
    """
    return _SECOND_TASK.search(folded) is not None


def is_one_label(folded: str) -> bool:
    """
    Whether the words may be what stands on one icon or in one row: nothing joined, nothing that goes on, no package.

    >>> is_one_label("微信读书"), is_one_label("微信给张三发消息"), is_one_label("飞行模式和蓝牙")
    (True, False, False)
    """
    return not (_JOINS.search(folded) or _GOES_ON.search(folded) or _PACKAGE.match(folded) or has_second_task(folded))
