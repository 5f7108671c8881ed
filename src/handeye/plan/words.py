"""What a task's words say: which texts stand in it, and which consequential acts it asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from handeye.plan.compound import has_second_task
from handeye.plan.slots import QUOTES, SENTENCE_MARKS, fold

# A text that is typed without the "not" before it says the opposite.
_NEGATION: Final = re.compile(
    r"(?:不要?|没有?|别|勿|未|莫|取消|撤销|拒绝|停止|(?<![a-z])(?:not|never|no|don't|dont|without|cannot|can't|cancel)\s+)\Z"
)
_QUOTED: Final = re.compile(r"“([^”]*)”|「([^」]*)」|『([^』]*)』|‘([^’]*)’|\"([^\"]*)\"")
_AROUND: Final = SENTENCE_MARKS + "“”「」『』‘’\"'"
# What may stand before a message, beside marks and the name of its receiver.
_LEADS_IN: Final = re.compile(
    r"(?:说|道|内容[是为]?|消息|信息|短信|微信|回复|评论|发表?|送|问|答|写|条|个"
    r"|(?<![a-z])(?:say|says|saying|that|message|messages|text|send|write|writing|reply|replying|post|comment|know|with|tweet))\s*\Z"
)
# What may follow a message in a task: to whom, or by what it goes.
_GOES_ON: Final = re.compile(r"\s*(?:发?给|发送?到|(?:to|on|via|in|with|by|using)(?![a-z]))")
_BY: Final = r"(?:on|via|by|in|using)\s+\w+\s+|[用在通过]+.{1,6}?"
_TO: Final = r"to\s|发送?[给到]|转发给|给"
_PUT: Final = re.compile(r"(?:^|[,，。\s])(?:请|帮我)?[把将]\Z")
_MARKS: Final = fold(SENTENCE_MARKS)
# A question mark is a part of what is said: without it, "he comes?" is news.
_ENDS: Final = " \n\t" + "".join(mark for mark in fold(SENTENCE_MARKS) if mark not in "?,、;:")


# What a person asks is asked one thing after the other.
_CLAUSE: Final = re.compile(r"[,，。.;；、!！\n]|(?<=[?？])|然后|接着|并且?|再|(?<![a-z])(?:and|then)(?![a-z])")
_LOOKS: Final = re.compile(
    r"看看|看一下|看下|看到|查看|查一下|查查|查询|查找|搜索|搜一下|了解|检查|有没有|有谁|是不是|是否|怎么|如何|为什么|为何|谁|哪|什么|多少"
    r"|(?<![a-z])(?:check|see|look|show|view|read|find|search|whether|if|who|whom|whose|how|why|where|when|what|which|about|is|was"
    r"|are|were|did|does|has|have)(?![a-z])"
)
_ASKS_BACK: Final = re.compile(r"(?:吗|呢|没有|[?？])\s*\Z")
# Behind the word for an act, what makes it the name of a thing, or what somebody else did; and what does so before it.
_THING: Final = re.compile(
    r"了|过|的|记录|历史|列表|页|详情|方式|明细|状态|通知|码|功能|界面|规则|失败|成功|设置|管理"
    r"|\s*(?:history|status|page|list|records?|settings|log|logs|button|details|methods?|numbers?)(?![a-z])"
)
_OF_A_THING: Final = re.compile(
    r"(?<![a-z])(?:my|your|his|her|their|our|the|an?|this|that|last|i|he|she|they|we|it)\s+\Z"
)
_LOOKING: Final = re.compile(
    r"\s*(?:请你?|麻烦你?|帮我|帮忙|please\s|could you\s|can you\s)*\s*(?:[在用到去].{1,16}?[里上中下内]?(?:面|边)?)?\s*"
    r"(?:看|查|打开|进入|找|搜|读|告诉我|显示|返回|回到|浏览|访问|启动|截"
    r"|(?:open|show|look|see|view|read|check|find|search|go|visit|tell me|launch|start|scroll|what|where|who|how|is|in|on)"
    r"(?![a-z]))"
)
# What a control does that a person who only looks never wants. Names of pages are no part of it, nor what switches a setting.
_CHANGES: Final = re.compile(
    r"改|重设|设为|设成|转给|转让|转赠|信任|加入|添加|加为|黑名单|屏蔽|领取|领|收下|收款|抢|绑定?|解除|关注|订阅|申请|报名|预约|预订|投票|点赞"
    r"|上传|保存|确认|确定|退款|退货|举报|撤回|替换|合并|移动|移出|移到|退群|退出|登录|注册|签到|投诉|赎回|兑换|抵押|借出|续订|签署"
    r"|(?<![a-z])(?:change|edit|modify|trust|add|join|claim|redeem|bind|unlink|link|pair|follow|unfollow|apply|book|reserve|vote|like"
    r"|upload|save|confirm|refund|return|report|replace|merge|move|leave|log ?in|sign ?in|sign ?up|register|connect|disconnect"
    r"|ban|mute|archive|transfer|hand over|make admin|enroll?|opt in)(?![a-z])"
)


@dataclass(frozen=True, slots=True)
class Act:
    """
    An act with consequences. `named` are the words on its controls, `asked` those with which a person asks for it (patterns on
    folded text).
    """

    name: str
    named: re.Pattern[str]
    asked: re.Pattern[str]


def _words(latin: str, chinese: str) -> re.Pattern[str]:
    """Latin words as whole words, Chinese ones anywhere."""
    return re.compile(rf"(?<![a-z])(?:{latin})(?![a-z])|{chinese}")


# 打开 and "open" turn something only among settings: elsewhere they open an app or a page.
_TURNS_ON: Final = _words(
    r"(?:turn|switch)(?: \S+){0,4} on|turn on|switch on|enable|activate", "开启|启用|让.{1,12}(?<!不)可用|让.{1,12}生效"
)
_TURNS_OFF: Final = _words(
    r"(?:turn|switch)(?: \S+){0,4} off|turn off|switch off|disable|deactivate", "关掉|关上|停用|禁用|让.{1,12}不可用"
)
_OPENS: Final = _words(r"open", "打开")
_CLOSES: Final = _words(r"close", "关闭")
_AMONG_SETTINGS: Final = _words(r"in (?:the |my )?(?:\S+ )?settings|switch|mode", "设置[里中内]|开关|模式")
_A_PAGE: Final = _words(r"page|screen|list", "页|界面|列表|菜单")

_TO_SOMEBODY: Final = _words(
    r"send|tell|text|message|reply|mail|e-mail|email|forward|answer|let \S+ know",
    "(?<![沙理开])发(?![现票动展生明])|送|(?<![小传])说(?![明法])|(?<![演听])讲(?![座究解话义课])|告诉|转告|通知|转发|回复|回答",
)
_HANDED_ON: Final = _words(
    r"send|post|publish|submit|share|reply|forward|tweet|tell|text|message|mail|e-mail|email|say|write|comment|answer",
    # Not 发现, 沙发, 小说 and the like.
    "(?<![沙理开])发(?![现票动展生明])|送|(?<![小传])说(?![明法])|(?<![演听])讲(?![座究解话义课])|告诉|转告|通知|提交|分享|转发|回复|评论|回答",
)
SEND: Final = Act("send or publish something", _words(r"send|post|publish|tweet", "发送|发布|发表"), _HANDED_ON)
SHARE: Final = Act(
    "share or answer something", _words(r"share|reply|forward|submit|comment", "分享|转发|回复|提交|评论"), _HANDED_ON
)
PAY: Final = Act(
    "pay or order something",
    _words(
        r"pay|payment|purchase|buy|check ?out|place order|order|transfer|subscribe|donate|tip|top up|upgrade",
        "支付(?!宝)|付款|转账|红包|购买|下单|订购|充值|打赏|结算|续费|开通|提现|借款|贷款",
    ),
    _words(
        r"pay|purchase|buy|check ?out|order|transfer|subscribe|donate|tip|top up|upgrade",
        "付(?!宝)款?|转账|[发包塞送].{0,6}红包|买|购买?|下单|订(?![单阅])|充值|打赏|结算|续费|开通|提现|借|贷",
    ),
)
DELETE: Final = Act(
    "delete or remove something",
    _words(
        r"delete|erase|uninstall|remove|wipe|reset|clear|format|block|discard|deactivate",
        "删除|清空|清除|卸载|注销|格式化|恢复出厂|抹掉|移除|拉黑|还原|重置",
    ),
    _words(
        r"delete|erase|uninstall|remove|wipe|reset|clear|format|block|discard|deactivate",
        "删除?|清空|清除|清理|卸载|注销|格式化|恢复出厂|抹|移除|拉黑|还原|重置",
    ),
)
GRANT: Final = Act(
    "grant a permission or agree to terms",
    _words(
        r"allow|grant|authori[sz]e|agree|accept|while using(?: the app)?|only this time",
        "允许|授权|同意|接受|仅限(?:这|本)一?次",
    ),
    _words(r"allow|grant|authori[sz]e|agree|accept", "允许|授权|授予|同意|接受|[给开].{0,8}权限"),
)
INSTALL: Final = Act(
    "install something",
    _words(r"install", "安装"),
    _words(r"install|download", "安装|装|下载"),
)
ACCOUNT: Final = Act(
    "log out",
    _words(r"log ?out|sign ?out", "退出登录|登出|退出账号|切换账号"),
    _words(
        r"log ?out|sign ?out|switch accounts?",
        "退出.{0,4}(?:登录|账号|帐号)|登出|切换.{0,3}(?:账号|帐号)|注销",
    ),
)
CALLING: Final = Act(
    "make a call",
    _words(r"call|dial", "拨打|拨号|呼叫|语音通话|视频通话"),
    _words(r"call|dial|ring|phone(?! ?numbers?)", "打.{0,24}电话|拨打?|呼叫|打给|[发打].{0,6}通话"),
)
ACTS: Final = (SEND, SHARE, PAY, DELETE, GRANT, INSTALL, ACCOUNT, CALLING)


def named_acts(words: str) -> Iterator[Act]:
    """The acts that a control of these words does."""
    folded = fold(words).replace("_", " ")
    return (act for act in ACTS if any(not _negated(folded, found.start()) for found in act.named.finditer(folded)))


def asks_for(task: str, act: Act) -> bool:
    """
    Whether a person's task says that it is to be done. "Do not send it" does not, and neither does who wants to see whether
    somebody has paid, asks how one does it, or names a thing that is called after it (付款记录, my order).
    """
    for clause in _CLAUSE.split(fold(task)):
        if _ASKS_BACK.search(clause):
            continue
        looks = _LOOKS.search(clause)
        for found in act.asked.finditer(clause):
            seen_only = looks is not None and looks.start() <= found.start()
            named_after_it = _THING.match(clause, found.end()) or _OF_A_THING.search(clause[: found.start()])
            if not (seen_only or named_after_it or _negated(clause, found.start())):
                return True
    return False


def asks_to_turn(task: str) -> frozenset[bool]:
    """
    How a switch may stand in the end where the task asks for one to be turned, on (True) or off (False); empty where it does
    not.

    >>> asks_to_turn("让蓝牙处于可用状态"), asks_to_turn("turn the hotspot off"), asks_to_turn("打开微信")
    (frozenset({True}), frozenset({False}), frozenset())
    """
    folded = fold(task)
    among = _AMONG_SETTINGS.search(folded) is not None and _A_PAGE.search(folded) is None

    def says(plainly: re.Pattern[str], among_settings: re.Pattern[str]) -> bool:
        found = [*plainly.finditer(folded), *(among_settings.finditer(folded) if among else ())]
        return any(not _negated(folded, each.start()) for each in found)

    asked = {True: says(_TURNS_ON, _OPENS), False: says(_TURNS_OFF, _CLOSES)}
    return frozenset(way for way, said in asked.items() if said)


def mentions(task: str, act: Act) -> bool:
    """Whether the task has a word for it at all, asked for or not."""
    return act.asked.search(fold(task)) is not None


def only_looks(task: str) -> bool:
    """
    Whether all that the task asks for is to open, find, read or show something.

    >>> only_looks("在微信里看看发现页面"), only_looks("打开相册，删除照片")
    (True, False)
    """
    clauses = [bare for clause in _CLAUSE.split(fold(task)) if (bare := clause.strip())]
    return all(_LOOKING.match(clause) is not None or _ASKS_BACK.search(clause) for clause in clauses)


def changes(words: str) -> str:
    """What a control of these words says that it changes; "" for one that only leads somewhere."""
    folded = fold(words).replace("_", " ")
    return next((each[0] for each in _CHANGES.finditer(folded) if not _negated(folded, each.start())), "")


def writes_to_somebody(task: str) -> bool:
    """Whether the task has a message in it, for somebody."""
    folded = fold(task)
    return any(not _negated(folded, found.start()) for found in _TO_SOMEBODY.finditer(folded))


def places_in(text: str, task: str) -> Iterator[tuple[int, int]]:
    """
    Where `text` stands in `task`, whatever its case and width and how it is spaced: as whole words, not behind a "not", and not
    as a part of what the task puts in quotation marks.
    """
    words = fold(text).split()
    if not words:
        return
    folded = fold(task)
    quoted = [found.span(found.lastindex or 0) for found in _QUOTED.finditer(task)]
    pattern = re.compile(r"\s+".join(map(re.escape, words)))
    at = 0
    while (found := pattern.search(folded, at)) is not None:
        start, end = found.span()
        at = start + 1
        parts_a_word = _joined(folded, start) or _joined(folded, end)
        parts_a_quote = any(left <= start and end <= right and (left, right) != (start, end) for left, right in quoted)
        if not (parts_a_word or parts_a_quote or _negated(folded, start)):
            yield start, end


def as_typed(text: str, task: str) -> str | None:
    """
    The text as it stands in the task, character by character; None when it does not stand there.

    >>> as_typed("hello  BOB", "Say “Hello Bob” to Ann")
    'Hello Bob'
    """
    return next((task[start:end] for start, end in places_in(text, task)), None)


def is_whole_message(text: str, task: str, receiver: str) -> bool:
    """
    Whether a message of the task begins and ends where `text` does: in quotation marks, or after a word such as "saying" or
    the name of the `receiver`, and at the task's end or before the receiver ("to Ann", 发给张三). A comma ends nothing: what
    is cut off behind it may say the opposite. Nor is it one where the words may go on with another task.
    """
    name, folded = fold(receiver).strip(), fold(task)
    for start, end in places_in(text, task):
        if _is_quoted(folded, start, end):
            before, after = folded[: start - 1], folded[end + 1 :]
            if _is_left(after, name) or (_is_led_to(before, name) and not _QUOTED.search(after)):
                return True
            continue
        if has_second_task(folded[start:end]):
            continue
        if _is_led_to(folded[:start], name) and _is_left(folded[end:], name):
            return True
    return False


def may_be_message(text: str, task: str) -> bool:
    """Whether `text` may be a message of the task, or a part of one: it stands between marks, or as `is_whole_message` says."""
    folded = fold(task)
    for start, end in places_in(text, task):
        before, after = folded[:start].rstrip(), folded[end:].lstrip()
        begins = not before or before[-1] in _AROUND or _LEADS_IN.search(folded[:start]) is not None
        if begins and (not after or after[0] in _AROUND or _GOES_ON.match(folded[end:]) is not None):
            return True
    return False


def _is_quoted(folded: str, start: int, end: int) -> bool:
    return any(
        folded[start - 1 : start] == fold(left) and folded[end : end + 1] == fold(right) for left, right in QUOTES
    )


def _is_led_to(before: str, name: str) -> bool:
    """Whether a message begins behind these words."""
    bare = before.rstrip().rstrip(_MARKS).rstrip()
    if not bare or _LEADS_IN.search(bare) is not None or _PUT.search(bare) is not None:
        return True
    return name != "" and re.search(rf"{re.escape(name)}(?:\s+(?:on|via|by|in|using)\s+\w+)?\Z", bare) is not None


def _is_left(after: str, name: str) -> bool:
    """Whether a message ends before these words."""
    if not after.strip(_ENDS):
        return True
    return name != "" and re.match(rf"\s*(?:{_BY})?(?:{_TO})\s*{re.escape(name)}", after) is not None


def _negated(folded: str, at: int) -> bool:
    return _NEGATION.search(folded[max(0, at - 12) : at]) is not None


def _joined(text: str, at: int) -> bool:
    """Whether a Latin word or a number goes on over this place."""
    return 0 < at < len(text) and all(char.isascii() and char.isalnum() for char in text[at - 1 : at + 1])
