"""
Split a task into clauses and classify each: an order, a look, a question, a prohibition, reported speech or a condition.

A task asks for an act only if the act's word is the verb of an order. 支付宝 and 订票软件 order no payment; 张三让我付款 is
reported speech, 不要给他转账 is a prohibition, 转账前先看看余额 only gives a time. So the words before a verb are checked
too: they may be polite words, adverbs, and phrases of place, means and receiver (在淘宝上, 用微信, 给张三). After anything
else a word for an act is not an order: what is not understood is refused. All patterns are for folded text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import Final

from handeye.plan.templates.slots import fold
from handeye.text import quotations, simplified

QUOTED: Final = "\ufffc"
"""Placeholder for each character inside quotation marks: quoted words order nothing."""


class ClauseKind(Enum):
    """Kind of a clause."""

    ORDER = "order"
    LOOK = "look"
    ASK = "ask"
    NEGATED = "negated"
    TOLD = "told"
    CONDITION = "condition"
    SAID = "said"  # continues the message of an earlier clause


@dataclass(frozen=True, slots=True)
class Clause:
    """
    One clause of a task. `text` is folded, with QUOTED in place of quoted words and messages; `said` is folded with all words.
    `body` is the index after the polite opening, and `opened` is true if there is such an opening. From `closed_at` on nothing
    is ordered: a "not" or a word for looking begins there.
    """

    text: str
    said: str
    mood: ClauseKind
    body: int
    closed_at: int
    opened: bool

    def orders(self, start: int, end: int) -> bool:
        """Return True if the word for an act at text[start:end] is the verb of an order."""
        if self.mood is not ClauseKind.ORDER or start >= self.closed_at or start < self.body:
            return False
        before, after = self.text[self.body : start], self.text[end:]
        object_first = _OBJECT_BEFORE_VERB.search(before) is not None
        if _PAST.match(after) and not (self.opened or object_first or _ENDS_IN_AN_ORDER.match(after)):
            return False
        if not before.strip():
            return True
        if not _is_wide(before):
            return _LEAD_LATIN.fullmatch(before) is not None and _NOUN_CONTEXT.search(before) is None
        if _OBJECT_FIRST.fullmatch(before) is not None and _DONE_WITH.match(after) is not None:
            return True
        if _OTHER_VERB.search(before) is not None or (object_first and not _RESULT.match(after)):
            return False
        return _LEAD.fullmatch(before) is not None or (
            _OPENED_FIRST.fullmatch(before) is not None and _TAKES.match(after) is not None
        )

    @property
    def only_looks(self) -> bool:
        """True if the clause asks for nothing beyond opening, finding and reading."""
        return self.mood is not ClauseKind.ORDER or _LOOKING.match(self.text, self.body) is not None

    def tapped(self) -> str:
        """Return the label of the control that the clause orders to tap, or "" if it orders no tap."""
        found = _TAPS.match(self.said, self.body) if self.mood is ClauseKind.ORDER else None
        return (found[1] or found[2]) if found is not None and found.start() < self.closed_at else ""


# Clause boundaries; 别再打 and v2.0 stay whole. `when`: the clause before it only gives a time.
# `joins`: a prohibition before it also covers the clause after it.
_SPLIT: Final = re.compile(
    r"(?P<when>之前|以前|之后|以后|的时候|的话"
    r"|(?<=[一-鿿])[前后](?=先|再|就|请|帮|把|给我|看|查|截|打开|返回))"
    r"|(?P<joins>、|并且?(?![非不])|(?<![一-鿿])和(?=把|给)|(?<![a-z])(?:and|or|nor)(?![a-z]))"
    r"|[,，。;；!！\n]|\.(?!\w)|(?<=[?？])"
    r"|然后|接着|随后|(?<![别勿要用准许不])再(?!见)"
    r"|(?<![a-z])(?:then|but)(?![a-z])"
    r"|而是|但是"
)
_OR: Final = re.compile(r"(?<![a-z])or(?![a-z])|或")

# Polite words and adverbs before an order.
_OPENING: Final = re.compile(
    r"(?:\s|,"
    # "Please", "for me".
    r"|请问?|麻烦[你您]?|劳驾|帮我们?|帮忙|替我|为我|给我(?=把|打开|看|查|读|截|删|买|订|拨)"
    # "First", "at once". 先不 is a prohibition.
    r"|(?:你|我)?(?:先|就|再|也)(?!不)|立刻|立即|马上|赶紧|快"
    # "You are to", "I want". 我想知道 is a question.
    r"|现在(?=就)|[你您](?=把|给|去|来|先|帮)|我(?:想要?|要|需要|想让你|要你|得)(?!知道|看)|需要你?"
    # "Do not forget to": a "not" that forbids nothing.
    r"|要不(?=帮|替|给我|去)|记得|务必|别忘了?|不要忘记?了?"
    r"|去(?=把|给|看|查)|来(?=把|给)"
    r"|(?:please|kindly|just|now|also|so|hey|hi|ok|okay|help me(?: to)?|let's|go ahead and"
    r"|remember to|don't forget to|make sure (?:to|you|that you)"
    r"|i (?:want|need) (?:you )?to|i'd like (?:you )?to|i would like (?:you )?to"
    r"|you (?:should|must|have to|need to)"
    r"|first|next|finally)(?![a-z]))*"
)
# Questions that are orders: 能帮我…吗, could you. "Would you mind" is followed by another verb form.
_POLITE: Final = re.compile(
    r"(?:请问)?你?(?:能不能|可不可以|能否|可否|是否可以|能|可以)(?:请|麻烦)?(?:你)?(?=帮|替我|给我|把|将|给)"
    r"|[你您](?:能不能|可不可以|能|可以)(?=买|订|删|付)"
    r"|(?:can|could|would|will) (?:you|u)(?![a-z])(?! mind)"
)
# Endings that make an order look like a question: 好吗, 行不行.
_QUESTION_TAG: Final = re.compile(
    r"(?:好吗|行吗|可以吗|好不好|行不行|可以不|ok吗|吗|呗|,? ?(?:please|ok|okay))?[?？\s]*\Z"
)
_QUESTION_END: Final = re.compile(r"(?:吗|呢|没有|[?？])\s*\Z")
_NEGATION: Final = re.compile(
    # 不要, but not 不要的照片 (unwanted photos).
    r"(?:不要|不用|不需要)(?!了?的)"
    r"|不(?:必|准|许|能(?!不)|得|可以?(?!以)|想|该|应|会|小心|再)"
    r"|不(?=[付转买发删打拨下订充借同允安卸清送说])"
    # 别, but not in 特别, 类别, 别人, 别墅.
    r"|(?<![特类性级分区告识个辨送])别(?![人的墅名处样针致克])|[勿莫甭]"
    r"|没有?(?!用的|看)|未(?!来)|无[需须]"
    r"|禁止|避免|防止|拒绝|取消(?!订单)|撤[回销]|停止|免得|以免"
    r"|(?<![a-z])(?:not|never|no|without|avoid|cannot|refuse|stop|neither|unless|[a-z]+n't|dont"
    r"|cancel(?! (?:the |my |this |that )?orders?(?![a-z])))(?![a-z])"
)
_CONDITION: Final = re.compile(
    r"如果|要是|假如|若|万一|只要|除非|(?:if|when|once|before|after|unless|while|until|in case)(?![a-z])"
)
# The word after which the order of a conditional clause begins: 到家就发消息.
_WHEN: Final = re.compile(r"(?<=.)就")
# Words for looking and asking, anywhere in a clause: after them nothing is ordered.
_LOOKS: Final = re.compile(
    r"看[看一下到]|查看|查一下|查查|查询|查找|搜索|搜一下|了解|检查|翻译"
    r"|有没有|有谁|是不是|是否|怎么|怎样|如何|为什么|为何|谁|哪|什么|多少"
    r"|[删付买转发]没"
    r"|(?<![a-z])(?:check|see|look|show|view|read|find|search|translate"
    r"|whether|if|who|whom|whose|how|why|where|when|what|which|about"
    r"|is|was|are|were|did|does|has|have)(?![a-z])"
)
# The beginning of a clause that only looks, after an optional place: 在微信里看, open, show.
_LOOKING: Final = re.compile(
    r"\s*(?:[在用到去].{1,16}?[里上中下内]?(?:面|边)?)?\s*"
    r"(?:看|查|打开|进入|找|搜|读|告诉我|显示|返回|回到|浏览|访问|启动|截|翻译|扫一扫|了解"
    r"|(?:open|show|look|see|view|read|check|find|search|go|visit|tell me|launch|start|scroll|translate"
    r"|what|where|who|how|is|in|on)(?![a-z]))"
)
# Reported speech and acts of others: 他让我付款, 张三说, she wrote.
_REPORTED: Final = re.compile(
    r"(?:他|她|它)们?|对方|有人|我(?!想|要|需|得)"
    r"|(?!请|让)[^把给用在帮跟]{1,8}"
    r"(?:让|叫|要求?|请|求|催|喊|逼|劝|通知|提醒|建议|告诉|问|跟|对)(?:我|大家)"
    r"|[^给跟和对向把用在发告回帮]{1,6}说"
    r"|(?:he|she|they|it|we|i|ann|bob) (?!want|need|would|'d)"
)
# Words that introduce a message. An unquoted message goes on to the task's end. 小说 and 演讲 are nouns.
_MESSAGE_INTRO: Final = re.compile(
    r"(?<![小传])说(?![明法])|(?<![演听])讲(?![座究解话义课])|内容[是为]"
    r"|告诉(?!我)|转告|通知(?!我|栏)|问(?!题)|祝(?!福)|提醒(?!我|事)|:"
    r"|(?<![a-z])(?:saying|that says|say|tell (?!me)\w+|text \w+|ask \w+|let (?!me|us|it)\w+ know"
    r"|remind (?!me)\w+|that)(?![a-z])"
)
# A tap on a control and its label: in quotation marks, or the words before 按钮 and the like.
_TAPS: Final = re.compile(
    r"(?:点击|点按|点一下|点|按下?|轻触|(?:tap|press|click|hit)(?: on)?(?: the)?)\s*"
    r"(?:[“\"「『'‘]([^”\"」』'’]{1,20})[”\"」』'’]"
    r"|([^\s,]{1,10}?)(?=\s*(?:按钮|键|图标|button|key|icon|\Z)))"
)

# Words that introduce a receiver, a companion or an object: 给张三, 把照片.
_OBJECT_INTRO: Final = r"(?:[给跟和与同对向替为帮]|把|将)"
# Phrases allowed before a verb. A place ends with 里 and the like, and the verb follows directly.
_LEAD: Final = re.compile(
    # Adverbs and auxiliary verbs.
    r"(?:\s|先|再|就|也|都|全部?|统统|一起|直接|顺便|一键|批量|彻底"
    r"|继续|完成|进行|开始|确认|记得|务必|要|想|去|来|帮忙|帮我|替我|给我"
    # Place, means, selection.
    r"|在.(?:(?![里内上中]).){0,14}(?:里面?|上面?|中|内|下面?)?"
    r"|(?:从|用|通过|往|到|去|选择?|挑选?|勾选).{1,14}?"
    # What is opened on the way, and the app, before the receiver.
    rf"|(?:打开|进入|启动|找到|点开|回到).{{0,16}}?(?={_OBJECT_INTRO})"
    r"|(?:微信|支付宝|淘宝|京东|美团|钉钉|飞书|qq|短信|手机银行|.{1,6}(?:app|软件))(?=给|把|向|跟|对|替|告诉|转(?!发)|问|祝)"
    # Receiver, companion or object.
    rf"|{_OBJECT_INTRO}.{{1,40}}?)*"
)
# 打开微信发消息给张三: an app that is opened first. The act must have an object, else it may be part of the app's name.
_OPENED_FIRST: Final = re.compile(r"(?:打开|进入|启动|点开|回到).{1,12}")
_TAKES: Final = re.compile(
    rf"\s*(?:[一二两三四五六七八九十\d{QUOTED}]|给|掉|[个条张](?!人)|(?:消息|微信|短信)给|朋友圈)"
)
# 把照片删了: the object comes before the verb, and only a result may follow the verb.
_OBJECT_BEFORE_VERB: Final = re.compile(r"[把将]")
_RESULT: Final = re.compile(
    rf"\W*\Z|\s*(?:[掉了完光好]|一下|一遍|干净|吧|吗|呗"
    rf"|[给到成进出去至上下回]|[一二两三四五六七八九十\d{QUOTED}]"
    rf"|电话|消息|微信|短信|好不好|行不行|可以)"
)
# 昨天的照片删掉, 照片都删了吧: an inanimate object first, the act last.
_OBJECT_FIRST: Final = re.compile(
    r"(?!.*[我你他她它被误已自要])(?:[这那]些?|[昨今前]天|所有|全部|最后|一|的|[张条个段份])*[^,把将]{0,4}的?"
    r"(?:照片|图片|视频|截图|消息|记录|通知|短信|邮件|文件|录音|抖音|微信|应用|app|游戏)(?:都|全部?)?"
)
_DONE_WITH: Final = re.compile(r"(?:掉|了吧|吧|掉吧)?\W*\Z")
_ENDS_IN_AN_ORDER: Final = re.compile(r"了吧[^\w?]*\Z")
# A past form reports and does not order; 发了这条 is still an order.
_PAST: Final = re.compile(r"了(?!\w*[一这那它])")
# Verbs whose object is the act: 新建付款提醒, 计算贷款利息.
_OTHER_VERB: Final = re.compile(
    r"计算|算|新建|创建|画|拍|听|学|练|讨论|安排|规划|生成|打印|整理|统计"
    r"|调[高低大小到整]|改|标|玩|扫|比较|对比|提醒|分析|总结|准备|模拟|演示"
)
# The same in English: adverbs, then a place.
_LEAD_LATIN: Final = re.compile(
    r"(?:\s|(?:please|just|now|also|to|go|try to|first|again|quickly|help(?: me)?(?: to)?)(?![a-z]))*"
    r"(?:(?:in|on|from|with|using|via|at|within)(?: (?!(?:write|type|add|note|put|say)(?![a-z]))[\w.'-]+){1,4}\s+"
    r"|use(?: [\w.'-]+){1,4} to\s+)?"
)
# Words after which a word for an act is a noun: my order, the last call.
_NOUN_CONTEXT: Final = re.compile(
    r"(?<![a-z])(?:my|your|his|her|their|our|the|an?|this|that|last|i|he|she|they|we|it|of|in|on|with|from)\s+\Z"
)


# Verbs that may only lead to an order, and phrases that make the clause a look instead.
_ON_THE_WAY: Final = re.compile(r"(?:打开|进入|启动|找到|回到|在|用|到|去|on |in )")
_LOOKS_THERE: Final = re.compile(r"[在用到去][^给把]{1,16}?(?:看|查|搜|读|找|浏览|截|扫一扫)")
# Characters of the question tags of an order: 好吗, 行不行, 可以吗.
_AGREES: Final = re.compile("[好行可]")
# A "not" that ends within this many characters negates the whole clause.
_EARLY: Final = 12


@lru_cache(maxsize=16)  # one task is checked for every act
def clauses(task: str) -> tuple[Clause, ...]:
    """
    Return the clauses of a task, in order.

    >>> [clause.mood.name for clause in clauses("张三让我付款，看看余额，不要转账，然后截图")]
    ['TOLD', 'LOOK', 'NEGATED', 'LOOK']
    """
    said = simplified(fold(task))
    blanked = _blanked(said, [(each.start + 1, each.end - 1) for each in quotations(task)])
    found: list[Clause] = []
    forbidden = False  # the previous clause is a prohibition: it also covers clauses joined to it
    in_message = False  # an unquoted message has begun: it goes on to the task's end
    start, joined = 0, False
    for end, gap, when, joins in _ends(blanked):
        listed = _OR.match(blanked, end) is not None
        text = blanked[start:end]
        if text.strip():
            conditional = when or _CONDITION.match(text.lstrip()) is not None
            # 到家就发消息: the order follows 就; blanks keep its position in the clause.
            then = _WHEN.search(text) if conditional and not when else None
            if then is not None:
                text = " " * then.end() + text[then.end() :]
            clause = _clause(text, said[start:end], conditional=conditional and then is None)
            carried = forbidden and (joined or listed or _OR.search(text) is not None)
            if in_message or carried:
                clause = replace(clause, mood=ClauseKind.SAID if in_message else ClauseKind.NEGATED)
            clause, continues = _mask_message(clause)
            in_message |= continues
            forbidden = clause.mood is ClauseKind.NEGATED
            found.append(clause)
        start, joined = gap, joins
    return tuple(found)


def _ends(text: str) -> list[tuple[int, int, bool, bool]]:
    """Return each clause's end, the start of the next, and two flags: it only gives a time, the next one is joined to it."""
    ends = [
        (each.start(), each.end(), each["when"] is not None, each["joins"] is not None)
        for each in _SPLIT.finditer(text)
    ]
    return [*ends, (len(text), len(text), False, False)]


def _blanked(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + QUOTED * (end - start) + text[end:]
    return text


def _clause(text: str, said: str, *, conditional: bool) -> Clause:
    opening = _OPENING.match(text)
    body = opening.end() if opening is not None else 0
    polite = _POLITE.match(text, body)
    if polite is not None:
        again = _OPENING.match(text, polite.end())
        body = again.end() if again is not None else polite.end()
    opened = bool(text[:body].strip())
    tag = _QUESTION_TAG.search(text)
    asks = _QUESTION_END.search(text) is not None and polite is None
    if asks and opened and tag is not None and tag.start() > body and _AGREES.search(tag[0]) is not None:
        asks = False
    message = _MESSAGE_INTRO.search(text, body)
    own = text[: message.end()] if message is not None else text  # a "not" in a message forbids nothing
    negation, look = _NEGATION.search(own, body), _LOOKS.search(own, body)
    closed = min((each.start() for each in (negation, look) if each is not None), default=len(text))
    mood = ClauseKind.CONDITION if conditional else _mood(own[body:], asks=asks)
    return Clause(text, said, mood, body, closed, opened)


def _mood(body: str, *, asks: bool) -> ClauseKind:
    if _LOOKING.match(body) is not None and not _leads_to_order(body):
        return ClauseKind.LOOK
    if (negation := _NEGATION.search(body)) is not None and negation.end() <= _EARLY:
        return ClauseKind.NEGATED
    if asks:
        return ClauseKind.ASK
    return ClauseKind.TOLD if _REPORTED.match(body) is not None else ClauseKind.ORDER


def _leads_to_order(body: str) -> bool:
    """Return True if opening or finding something only leads to an order: 打开支付宝给张三转账, 找到张三的聊天把它删除."""
    return _ON_THE_WAY.match(body) is not None and _LOOKS_THERE.match(body) is None


def _mask_message(clause: Clause) -> tuple[Clause, bool]:
    """Replace the message of a clause by QUOTED. Return True as well if the message goes on after the clause."""
    if clause.mood is not ClauseKind.ORDER:
        return clause, False
    found = _MESSAGE_INTRO.search(clause.text, clause.body)
    if found is None:
        return clause, False
    rest = clause.text[found.end() :]
    text = clause.text[: found.end()] + QUOTED * len(rest)
    goes_on = QUOTED not in rest and bool(rest.strip() or found[0] in ("说", "讲", ":"))
    return replace(clause, text=text), goes_on


def _is_wide(text: str) -> bool:
    return any(char >= "⺀" for char in text)
