"""
Content words of a task: its words without stop words and without the names of the apps that it uses.

Chinese is not segmented into words: pairs of neighbouring characters are compared. All text is folded by `skeleton`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from handeye.text import quotations, skeleton

# Longer words first, so that the alternation removes them whole.
_COMMON_ZH: Final = (
    "浏览器|"
    "是不是|有没有|处于|状态|可用|生效|发微信|发消息|发短信|发送|聊天|对话|页面|界面|首页|屏幕|画面|频道|栏目|列表|菜单|标签|按钮|图标"
    "|应用|程序|软件|模式|开关|设置|手机|消息|短信|内容|联系人|好友|一下|看看|瞧瞧|看到|看一|查看|查一|查查|查找|搜索|搜一|打开|开启|启用"
    "|启动|关闭|关掉|关上|停用|禁用|进入|返回|回到|显示|告诉|帮我|帮忙|麻烦|调出来|找到|里面|上面|下面|现在|当前|然后|接着|并且|再|一声"
    "|怎么样|怎么|什么|多少|哪里|哪儿|哪|谁|几个|几|所有|全部|都|把|将|让|请|给|跟|和|与|对|向|从|到|在|用|去|来|上|中|里|内|下|出"
    "|的|了|着|过|吗|呢|吧|啊|我|你|他|她|它|是|有|没|也|就|还|会|要|想|能|可以|说|讲|发(?![现票展明])|看|瞧|查|找|搜|读|聊|点|个|条|一"
)
_COMMON_LATIN: Final = (
    r"a|an|the|my|your|me|i|you|it|its|this|that|these|those|is|are|was|were|be|do|does|to|of|in|on|at|for|from|with|by|and|or"
    r"|then|please|can|could|would|will|what|who|whom|which|where|when|how|if|whether|any|all|some|there|here|now|up|out|into"
    r"|open|show|see|look|view|read|check|find|search|go|visit|tell|say|says|saying|send|launch|start|turn|switch|enable|disable"
    r"|set|make|get|let|off|page|screen|app|apps|application|settings?|phone|browser|list|tab|menu|button|icon|chat|chats|message"
    r"|messages|contact|contacts|mode|home"
)
_COMMON: Final = re.compile(rf"(?:{_COMMON_ZH})|(?<![a-z0-9])(?:{_COMMON_LATIN})(?![a-z0-9])")
_PIECES: Final = re.compile(r"[a-z0-9]+|[^\W\x00-\x7f]+")
_DIGITS: Final = re.compile(r"\d+")
# Weight of a Latin word; Chinese counts one per character.
_LATIN_WEIGHT: Final = 2


@dataclass(frozen=True, slots=True)
class Content:
    """
    `pieces` are words of Latin letters and digits, and runs of other letters; `quoted` are the texts in quotation marks, and
    `numbers` the digits outside of them.
    """

    pieces: tuple[str, ...]
    quoted: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.pieces or self.quoted)

    def share_in(self, texts: Iterable[str]) -> float:
        """Return the weighted share (0-1) of the pieces that occur in the texts; 1 if there are no pieces."""
        folded = [skeleton(text) for text in texts]
        words = {piece for text in folded for piece in _PIECES.findall(text)}
        known = total = 0
        for piece in self.pieces:
            weight = _LATIN_WEIGHT if piece.isascii() else len(piece)
            total += weight
            known += weight * (piece in words) if piece.isascii() else _covered(piece, folded)
        return known / total if total else 1.0

    def is_touched_by(self, text: str) -> bool:
        """Return True if the text contains a piece or a quotation of the task, or is part of a quotation."""
        folded = skeleton(text).strip()
        return bool(folded) and (
            (bool(self.pieces) and self.share_in((text,)) > 0) or any(q in folded or folded in q for q in self.quoted)
        )


def content_of(task: str, names: Collection[str] = ()) -> Content:
    """
    Return the content words of `task`, without `names` (of apps and their modules).

    >>> content_of("看看微信通讯录里都有谁", ["微信"]).pieces, content_of("Open the chat with Ann").pieces
    (('通讯录',), ('ann',))
    """
    found = quotations(task)
    rest = skeleton(_without(task, [(each.start, each.end) for each in found]))
    for name in sorted({skeleton(name) for name in names if name.strip()}, key=len, reverse=True):
        edge = ("(?<![a-z0-9])", "(?![a-z0-9])") if name.isascii() else ("", "")
        rest = re.sub(f"{edge[0]}{re.escape(name)}{edge[1]}", " ", rest)
    pieces = _PIECES.findall(_COMMON.sub(" ", rest))
    telling = [piece for piece in pieces if len(piece) > 1 or piece.isdecimal()]
    return Content(
        tuple(telling or pieces),
        tuple(skeleton(each.text) for each in found if each.text),
        tuple(_DIGITS.findall(rest)),
    )


def _without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    kept, at = "", 0
    for start, end in spans:
        kept += text[at:start] + " "
        at = end
    return kept + text[at:]


def _covered(piece: str, told: Collection[str]) -> int:
    """Return how many characters of the piece occur in the texts together with a neighbour."""
    if len(piece) == 1:
        return int(any(piece in text for text in told))
    there: set[int] = set()
    for at in range(len(piece) - 1):
        if any(piece[at : at + 2] in text for text in told):
            there |= {at, at + 1}
    return len(there)
