"""
Check that every clause of a task is understood; only then may an act with consequences run for it.

A word for paying, deleting, calling or sending is not enough: other words may take the order back (算了, just kidding),
postpone it (明天, 等张三回了消息) or ask about it (会怎样, what happens then), and no list of such words is complete. So each
clause must be of one of a few kinds: an order, a step towards it (open, go, search, look), a prohibition that names its object,
or politeness. All patterns are for folded text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from handeye.plan.consent.clauses import QUOTED, Clause, ClauseKind, clauses
from handeye.plan.consent.effects import ACTS, CALLING, DELETE, PAY, SEND, SHARE, Act, is_verb_of
from handeye.plan.consent.messages import places_in
from handeye.plan.templates.slots import fold
from handeye.text import quotations, simplified

_POLITE: Final = re.compile(
    r"(?:\W|请|谢谢|多谢|感谢|拜托|麻烦|辛苦|[你您了啦吧哈啊呀]|好吗|行吗|可以吗"
    r"|(?<![a-z])(?:please|pls|thanks|thank you|thx|ok|okay)(?![a-z]))*"
)
# Orders without consequences that lead to the act.
_ON_THE_WAY: Final = re.compile(
    r"\s*(?:打开|进入|启动|返回|回到|回桌面|点击|点开|点|按|选|勾选|输入|填|截图|截屏|滑|滚动|找|查|搜|看|读|翻译|去|到|转到"
    r"|(?:[在用到从].{1,16}|微信|支付宝|浏览器)[里上中内](?:面|边)?(?:[讲说发]\W*)?\Z|内容[是为]"
    r"|(?:open|go|visit|launch|start|return|back|tap|press|click|hit|choose|select|pick|scroll|swipe|type|enter|find|search"
    r"|look|show|see|view|read|check|take a screenshot|in|on|with|use)(?![a-z]))"
)
_A_QUOTATION: Final = re.compile(
    rf"\W*?[“\"「『'‘]{QUOTED}+[”\"」』'’]?\s*(?:(?:发?给|发送[到给]|to\s).{{1,20}})?\W*\Z"
)
# Times other than now for an order.
_TIME: Final = (
    r"(?:明天|后天|今晚|明早|明晚|下周|下个?月|月[底初末]|年[底初]|(?:周|星期|礼拜)[一二三四五六日天末]"
    r"|[上下中]午|傍晚|凌晨|晚上|每[天周月年次])"
)
# A time within the name of a thing postpones nothing: 明天的票, 一张明天去上海的票.
_TIMED_THING: Final = re.compile(rf"(?<=[张份个间本杯件场条]){_TIME}[^,]{{0,10}}?的(?!话|时候)|{_TIME}的(?!话|时候)")
# Words that take an order back, postpone it, or ask about it.
_UNSETTLED: Final = re.compile(
    rf"{_TIME}|稍后|晚点|待会|过会|等会|一会儿?|[\d一二三四五六七八九十半]点(?![击开赞])|(?:分钟|小时|天)[以之]?后"
    r"|到(?:家(?!乐福)|时|公司|学校|酒店|站)|有空|有时间|再[说想议]|考虑|后悔|前(?:先?问|叫我|告诉)|先(?:问|让)我"
    r"|等|如果|要是|假如|万一|算了|才怪|玩笑|假装|本来|会怎|会不|会有|有什么|后果|意思|多少|要收|手续费|需要|行不行|是不是|[么呢]\W*\Z"
    r"|[说发打讲]错|说着玩|说笑|误会|逗你"
    r"|(?<![a-z])(?:tomorrow|tonight|later|next|soon|kidding|joking|pretend|never mind|if|unless|until|when|once|what"
    r"|why|how|nothing|none|nobody|no one|instead|maybe|perhaps|at (?:\d+|noon|night|midnight)|in \d+|in an? \w+"
    r"|after|before|while|as soon|provided|would|should|could|might|may|every|daily|weekly|monthly|excluded|oops"
    r"|only (?:with|after)|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|(?:this|in the) (?:morning|afternoon|evening|weekend)|or not)(?![a-z])"
)
# Words that leave the order undecided, anywhere in the clause.
_LEFT_OPEN: Final = re.compile(
    r"看(?:情况|心情|着办|运气|缘分)|找个?(?:时间|机会)|会不会|就停|停[在下]|去[他它你](?:的|妈)\W*\Z"
)
# Text after the word for an act that comments on it or makes it a noun: 转账太多了, 付款页面, 买卖.
_COMMENT_OR_NOUN: Final = re.compile(
    r"不|没|很|后(?![面边一缀])|太(?!阳)|犯法|会(?![员议话计])|必要|的(?:按钮|方法|步骤|教程|功能|时候|原因|后果|风险|想法|事情?|说明|截图|人|记录|攻略|评价|歌)\W*\Z"
    r"|(?:打开|看看|看一下|截图|截屏|点一下|点开|找到|找一下|加上|报名)\W*\Z"
    r"|(?<![a-z])(?:(?<!that )(?<!which )(?<!who )(?:is|are|was|were)"
    r"|(?:screen|wiki|guide|info|rules|buttons?|section|sheet|speed|options?|tutorial|instructions)\W*\Z)(?![a-z])"
)
_OF_DELETED: Final = re.compile(r"的(?:截图|记录|人|歌|评价|攻略)\W*\Z")  # things that may be deleted
_ATTRIBUTE: Final = re.compile(r"[^,]*(?:不|没|很|太|会)[^,]{0,8}的(?=[^\W\d])")
# Note and calendar apps, whose text may look like an order: 打开备忘录，买牛奶.
_NOTES: Final = re.compile(
    r"备忘录|待办|便签|笔记|日历|日程|清单|(?<![a-z])(?:notes?|to-?do|reminders?|calendar|list)(?![a-z])"
)
# An order to send without the message itself: the next clause may be the message.
_WORDLESS: Final = re.compile(
    r"[发回](?:[一两]?[条个])?(?:消息|短信|微信|信息|邮件)(?:给.{1,8})?\W*\Z|回复.{1,8}\Z|给.{1,8}(?:留言|回复|发消息)\W*\Z"
    r"|(?<![a-z])(?:text|message|mail|email|ping|reply(?: to)?|write(?: to)?|answer) \w+\W*\Z"
)
# Words that turn a switch, that take this back, and that delegate it. With "if it is off" it is still an order.
_TURNS: Final = re.compile(
    r"打开|开启|启用|关闭|关[掉上了一]|停用|禁用|开[了一]|(?<![a-z])(?:turn|switch|enable|disable|open|close)(?![a-z])"
)
_TAKEN_BACK: Final = re.compile(
    r"\A\W*等|算了|才怪|玩笑|逗你|(?<![a-z])(?:kidding|joking|never mind|forget it|scratch that)(?![a-z])"
)
_BY_ANOTHER: Final = re.compile(
    r"(?:提醒|通知|告诉|remind |ask |tell )|[让叫](?!手机|它|系统|平板)[^,]{1,8}?(?:打开|关闭|开启|关掉)|的?说明"
)
_WHEN_IT_IS_NOT: Final = re.compile(r"(?<![a-z])(?:if|unless) it(?: is|'s)(?: not| already)? (?:on|off)(?![a-z])")
_FORBIDS: Final = re.compile(
    r"\W*(?:也|但是?|请|千万|绝对|可|and |but |please )*"
    r"(?:不要|不用|不准|不许|别|请勿|勿|do not|don't|dont|never|not)(?![a-z])\s*(?:to )?再?"
)
_FORBIDDEN: Final = re.compile(r"(?:打开|打(?=\d)|动|碰|点击?|关|改|看|touch|open|change|tap|close)(?![a-z])")
# A prohibition that names no object: 别删它 after an order takes the order back.
_NO_OBJECT: Final = re.compile(
    r"(?:[\W了吗吧呢啊的给掉他她它去出来到]|(?<![a-z])(?:it|him|her|them|to|the|that|this|any|anything|ever)(?![a-z]))*\Z"
)


def unclear_clause(task: str, act: Act, message: str | None = None) -> str:
    """
    Return the first clause of a task whose meaning for `act` is unclear, so that the act may not run; "" if there is none. A
    `message` that is sent is treated as quoted.

    >>> from handeye.plan.consent.effects import DELETE
    >>> unclear_clause("打开微信，删除张三", DELETE), not_understood("删除张三，才怪", DELETE)
    ('', '才怪')
    """
    sends = act in (SEND, SHARE)
    parts = clauses(_quoting(task, message) if message is not None else task)
    for at, clause in enumerate(parts):
        text = clause.text if sends else _spoken(clause)
        if not _is_understood(clause, text) or not (sends or _is_meant(clause, text, act, parts[at + 1 :])):
            return clause.said.strip() or task
    return ""


def unclear_switch_clause(task: str) -> str:
    """
    Return the first clause that takes back, postpones or questions the order to turn a switch, or delegates it; "" if none.

    >>> unclear_switch_clause("打开飞行模式，算了"), turn_not_understood("明天打开飞行模式")
    ('算了', '明天打开飞行模式')
    """
    for clause in clauses(task):
        text = _WHEN_IT_IS_NOT.sub("", clause.text)
        orders = clause.mood in (ClauseKind.ORDER, ClauseKind.LOOK) and _TURNS.search(text) is not None
        if _TAKEN_BACK.search(text) or (orders and (_UNSETTLED.search(text) or _BY_ANOTHER.match(text, clause.body))):
            return clause.said.strip() or task
    return ""


def is_ordered_elsewhere(name: str, act: Act, task: str, word: str = "") -> bool:
    """
    Return True if `act` is not ordered for `name`: the task names it where it forbids the act, or only where it forbids or
    orders something else. `word` is the word for the act, which separates deleting one contact from blocking another.

    >>> from handeye.plan.consent.effects import DELETE
    >>> is_ordered_elsewhere("李四", DELETE, "删除张三，不要删除李四"), is_anothers("张三", DELETE, "打开张三的聊天，把它删除")
    (True, False)
    """
    wanted = simplified(fold(name)).strip()
    parts = clauses(task)
    there = [clause for clause in parts if wanted and wanted in clause.said]
    ordering = [clause for clause in parts if _orders(clause, act)]
    ordering = [clause for clause in ordering if word and word in clause.said] or ordering
    if act not in (SEND, SHARE) and any(
        clause.mood is ClauseKind.NEGATED and act.asked.search(clause.text) for clause in there
    ):
        return True
    return bool(there) and not any(
        clause in ordering
        or (clause.mood is not ClauseKind.NEGATED and not any(_orders(clause, other) for other in ACTS))
        for clause in there
    )


def number_is_ordered(digits: str, task: str) -> bool:
    """Return True if these digits occur in a clause that orders a call."""
    return any(
        digits in "".join(re.findall(r"\d+", clause.said)) for clause in clauses(task) if _orders(clause, CALLING)
    )


def _is_understood(clause: Clause, text: str) -> bool:
    if _LEFT_OPEN.search(text):
        return False
    if _POLITE.fullmatch(text) or clause.mood is ClauseKind.SAID or clause.mood is ClauseKind.LOOK:
        return True
    if clause.mood is ClauseKind.NEGATED:
        return _forbids_object(text)
    if _A_QUOTATION.match(text):
        return True
    if (
        clause.mood is not ClauseKind.ORDER
        or _UNSETTLED.search(_TIMED_THING.sub("", text[clause.body :]))
        or clause.closed_at < len(clause.text)
    ):
        return False
    return any(_orders(clause, act) for act in ACTS) or _ON_THE_WAY.match(text, clause.body) is not None


def _is_meant(clause: Clause, text: str, act: Act, following: Sequence[Clause]) -> bool:
    """Return True if the words for `act` in the clause order it: they are no comment on the act, no message and no note."""
    if clause.mood is not ClauseKind.ORDER:
        return True
    if act in (PAY, CALLING) and _NOTES.search(text):
        return False
    if _orders(clause, SEND) and QUOTED not in clause.text:
        sent = SEND.asked.search(clause.text)
        if following and _WORDLESS.search(clause.text):
            return False
        if sent is not None and any(sent.start() < each.start() for each in act.asked.finditer(clause.text)):
            return False
    found = next((each for each in act.asked.finditer(clause.text) if clause.orders(*each.span())), None)
    behind = _ATTRIBUTE.sub("", clause.text[found.end() :]) if found is not None else ""
    comment = _COMMENT_OR_NOUN.search(behind)
    return comment is None or (act is DELETE and _OF_DELETED.match(comment[0]) is not None)


def _forbids_object(text: str) -> bool:
    """Return True if the prohibition names its object: 不要转账 after an order takes that back, 不要删除李四 does not."""
    start = _FORBIDS.match(text)
    if start is None:
        return False
    verbs = [found for act in ACTS if (found := act.asked.match(text, start.end()))]
    verbs += [found] if (found := _FORBIDDEN.match(text, start.end())) else []
    rest = max((each.end() for each in verbs), default=start.end() if text.isascii() else len(text))
    return _NO_OBJECT.match(text, rest) is None


def _orders(clause: Clause, act: Act) -> bool:
    return any(
        clause.orders(*found.span()) and is_verb_of(act, clause.text, found.end())
        for found in act.asked.finditer(clause.text)
    ) or bool(act.named.search(clause.tapped()))


def _spoken(clause: Clause) -> str:
    """Return the clause's words with QUOTED only for what is in quotation marks."""
    text = clause.said
    for each in quotations(text):
        text = text[: each.start + 1] + QUOTED * (each.end - each.start - 2) + text[each.end - 1 :]
    return text


def _quoting(task: str, message: str) -> str:
    for start, end in places_in(message, task):
        if not any(each.start < start and end < each.end for each in quotations(task)):
            return f"{task[:start]}“{task[start:end]}”{task[end:]}"
    return task
