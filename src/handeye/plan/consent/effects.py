"""Acts with consequences: the words on their controls, and the check that a task asks for them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from handeye.plan.consent.clauses import ClauseKind, clauses
from handeye.plan.consent.messages import is_negated
from handeye.plan.templates.slots import fold
from handeye.text import simplified, skeleton

# Text after the word for an act that makes it a noun or a past event. A thing of such a name may be deleted or installed.
_NOUN_OR_PAST: Final = (
    r"过|的(?!话)|二?维?码|[键线](?![上下路盘])|不[了掉成]|功能|界面|规则|失败|成功|管理|助手|按钮"
    r"|\s*(?:button|guide|instructions|folder|log|date)(?![a-z])"
)
_PLACE: Final = (
    r".{0,8}?的?(?:软件|应用|app|程序|平台|网站|页面?|记录|图标|按钮)(?=打开|给我|看|在哪|截图|找)"
    r"|\s*(?:nothing|none|nobody|no)(?![a-z])|\s+(?:is|are|was|were|has)(?![a-z])"
    r"|(?:\s+(?!the|my|this|that|an?|all|his|her|out)[a-z]+){0,2}\s+(?:lists?|pages?|menu|screen|section|speed test)(?![a-z])"
)
_NOUN_SUFFIX: Final = re.compile(
    rf"{_NOUN_OR_PAST}|{_PLACE}|记录|历史|列表|页|详情|方式|明细|状态|通知|设置|卡|证|宝|会员|计算器|中心|提醒|流程|计划|密码|限额|日期|时间"
    r"|.{0,4}(?:软件|应用|app|程序|平台|网站)(?=[里中上内的,]|\Z)"
    r"|\s*(?:history|status|page|list|records?|settings|log|logs|details|methods?|numbers?|day|days|code|card|app"
    r"|software|price"
    r"|office|volume|calculator|phone)(?![a-z])"
)
_NO_OBJECT: Final = re.compile(rf"{_NOUN_OR_PAST}|{_PLACE}")
# Controls that change something, which a task that only looks never needs. Without names of pages and switches of settings.
_CHANGES: Final = re.compile(
    r"改|重设|设为|设成|转给|转让|转赠|信任|加入|添加(?!朋友(?:页面?)?$)|加为|黑名单|屏蔽|领取|领|收下|收款|抢|绑定?|解除|关注|订阅|申请"
    r"|报名|预约|预订|投票|点赞"
    r"|上传|保存|确认|确定|退款|退货|举报|撤回|替换|合并|移动|移出|移到|退群|退出|登录|注册|签到|投诉|赎回|兑换|抵押"
    r"|借出|续订|签署"
    r"|(?<![a-z])(?:change|edit|modify|trust|add|join|claim|redeem|bind|unlink|link|pair|follow|unfollow|apply|book"
    r"|reserve|vote|like"
    r"|upload|save|confirm|refund|return|report|replace|merge|move|leave|log ?in|sign ?in|sign ?up|register|connect"
    r"|disconnect"
    r"|ban|mute|archive|transfer|hand over|make admin|enroll?|opt in|unfriend|revoke|terminate|disable|turn off"
    r"|hang up|unsubscribe"
    r"|proceed|continue|start free trial|get it|ok|okay|yes|done|agree)(?![a-z])"
    r"|打款|秒杀|授信|抹除|清理|冻结|停机|永久|踢出|拒收|接听|挂断|投屏|上报|立即|继续|下一步|(?<![已未待])完成"
)


@dataclass(frozen=True, slots=True)
class Act:
    """
    An act with consequences. `named` matches the words on its controls, and `asked` the words with which a person asks for it
    (patterns for folded text). `thing` is what must not follow the latter; `example` is a wording that is understood.
    """

    name: str
    named: re.Pattern[str]
    asked: re.Pattern[str]
    example: str = ""
    thing: re.Pattern[str] = _NOUN_SUFFIX


def _words(latin: str, chinese: str) -> re.Pattern[str]:
    """Return a pattern for Latin words as whole words and Chinese words anywhere."""
    return re.compile(rf"(?<![a-z])(?:{latin})(?![a-z])|{chinese}")


# 打开 and "open" turn something on only in settings: elsewhere they open an app or a page.
_TURNS_ON: Final = _words(
    r"(?:turn|switch)(?: \S+){0,4} on|turn on|switch on|enable|activate|on(?=,? please)",
    "开启|启用|让.{1,12}(?<!不)可用|让.{1,12}生效|(?<=给)开了|开一下",
)
_TURNS_OFF: Final = _words(
    r"(?:turn|switch)(?: \S+){0,4} off|turn off|switch off|disable|deactivate|off(?=,? please)",
    "关掉|关上|停用|禁用|让.{1,12}不可用|(?<=给)关了|关一下",
)
_OPENS: Final = _words(r"open", "打开")
_CLOSES: Final = _words(r"close", "关闭")
_AMONG_SETTINGS: Final = _words(r"in (?:the |my )?(?:\S+ )?settings|switch|mode", "设置[里中内]|开关|模式")
_A_PAGE: Final = _words(r"page|screen|list", "页|界面|列表|菜单")

_MESSAGE_VERB: Final = _words(
    r"send|tell|text|message|reply|mail|e-mail|email|forward|answer|let \S+ know",
    "(?<![沙理开])发(?![现票动展生明])|送|(?<![小传])说(?![明法])|(?<![演听])讲(?![座究解话义课])|告诉|转告|通知|转发"
    "|回复|回答",
)
_SEND_ORDER: Final = _words(
    r"send(?! me to)|post|publish|submit|share|reply|forward(?! \d)|tweet|tell(?! me)"
    r"|let (?!me|us|it|the)[a-z]+ know|text(?! (?:size|field|box))|message|mail|e-mail|email|say|write|comment|answer"
    r"|(?:leave|give|add|drop)(?: \S+){0,4}? (?:comment|reply|message|answer|note|line)",
    # Excluding 发现, 沙发, 小说 and the like.
    "群发|(?<![沙理开])发(?![现票动展生明])|送|(?<![小传])说(?![明法])|(?<![演听])讲(?![座究解话义课])|告诉(?!我)|转告"
    "|通知(?!我)|提交|分享|共享|转发|回复"
    "|评论|回答|留言|留个言|回(?=[^到来去放收忆看家头复答])"
    "|问(?!题|[他她它]?我|路|号)|祝(?!福|贺)|提醒(?!我|事|[功列页])",
)
_ASK_TO_SEND: Final = "给张三发送“…”, 用微信跟张三讲“…”, send “…” to Ann"
SEND: Final = Act(
    "send or publish something", _words(r"send|post|publish|tweet", "发送|发布|发表|群发"), _SEND_ORDER, _ASK_TO_SEND
)
SHARE: Final = Act(
    "share or answer something",
    _words(r"share|reply|forward|submit|comment", "分享|转发|回复|提交|评论|共享(?:实时)?位置"),
    _SEND_ORDER,
    "回复张三“…”, reply “…” to Ann",
)
# An amount of money; a number with another unit is none (3 photos).
_MONEY: Final = (
    r"(?:[¥$€£]\s*\d[\d.]*|\d[\d.]*\s*(?=[^\sa-z\d]|\Z"
    r"|(?:yuan|rmb|cny|usd|eur|dollars?|euros?|bucks|pounds?|to|from|with|via|on|in)(?![a-z])))"
)
PAY: Final = Act(
    "pay or order something",
    _words(
        r"pay|payment|purchase|buy|check ?out|place order|order|transfer|subscribe|donate|tip|top up|upgrade"
        r"|wire|remit|withdraw|sell|stake",
        "支付(?!宝)|付款|转账|红包|购买|下单|订购|充值|打赏|结算|续费|开通|提现|借款|贷款|汇款|打钱|代付|借钱",
    ),
    _words(
        r"pay(?! (?:no |any )?(?:attention|heed)| a visit)|purchase|buy|check ?out|subscribe|donate|tip(?! of|:)|top up|upgrade"
        r"|wire|remit|withdraw|sell|stake"
        r"|order(?!.* by (?:name|date|size|time|price|type)| .*alphabetical| of)"
        rf"|transfer(?=\s*(?:{_MONEY}|to |money|funds|the (?:money|amount|rent)|some money|all|\W*\Z)| \S+ {_MONEY})"
        r"|(?:make|place|do)(?: \S+){0,3}? (?:payment|order|transfer|purchase|donation)",
        r"[支代]?付(?!宝)款?|汇款|打[钱款]|转账|转(?=\s*\d|给.{1,8}?\d|(?![发到换载成入出去告交移])[^\W\d]{1,4}\d)"
        r"|结(?=了\W*\Z|一下\W*\Z)|还(?=[了清掉]\W*\Z)|[交缴](?=.{0,4}(?:费|房租|罚款))|充(?=\s*\d)"
        r"|[发包塞送].{0,6}红包|买(?!单词|菜|家|卖|手|房攻)|购买?|下单|订(?![单阅])|充值|打赏|结算|续费|开通|提现|借(?![阅助鉴口东]|我看|一?本)|贷(?![前后])|买单(?!词)",
    ),
    "给张三转账50元, 把订单付了, pay for the order",
)
DELETE: Final = Act(
    "delete or remove something",
    _words(
        r"delete|erase|uninstall|remove|wipe|reset|clear|format|block|discard|deactivate"
        r"|cancel (?:the |this |my )?order|close (?:the |this |my |your )?account|empty (?:the )?trash",
        "取消订单|删除|清空|清除|卸载|注销|格式化|恢复出厂|抹掉|移除|拉黑|还原|重置",
    ),
    _words(
        r"delete|erase|uninstall|remove|wipe|reset|discard|deactivate|block(?! of)|get rid of"
        r"|cancel(?= (?:the |my |this |that )?orders?(?![a-z]))"
        r"|close(?= (?:the |my |this )?account)|empty(?= (?:the |my )?trash)"
        r"|clear(?= (?:the|my|all|this|that|these|those|it|cache|data|history"
        r"|everything|notifications|chats?|cart|browsing|out|up))"
        r"|format(?= (?:the |my |this )?(?:phone|device|disk|card|sd|storage|drive|usb))",
        "取消(?=订单)|删(?![节档减繁改])(?:除|掉|了)?|清空|清除|清理(?!大师|软件|工具|助手)|卸载|注销|格式化|恢复出厂|抹[掉除去]|移除|拉黑|还原|重置|清(?=一下|掉)",
    ),
    "删除照片, 把照片删了, delete the photo",
    _NO_OBJECT,
)
GRANT: Final = Act(
    "grant a permission or agree to terms",
    _words(
        r"allow|grant|authori[sz]e|agree|accept|approve|sign (?:the |this )?transaction"
        r"|while using(?: the app)?|only this time",
        "允许|授权|同意|接受|仅限(?:这|本)一?次",
    ),
    _words(
        r"allow|grant|authori[sz]e|agree|accept|approve|sign(?= (?:the|this) transaction)",
        "允许|授权|授予|同意|接受|[给开].{0,8}权限",
    ),
    "允许微信使用相机, allow the camera",
)
INSTALL: Final = Act(
    "install something",
    _words(r"install", "安装"),
    _words(
        r"install|download", "安装(?![包位师费])|(?<!安)装(?![修置备饰包作逼满傻扮载箱潢好])|下载(?![的页包进目速夹量])"
    ),
    "安装微信读书, install the app",
    _NO_OBJECT,
)
ACCOUNT: Final = Act(
    "log out",
    _words(r"log ?out|sign ?out", "退出登录|登出|退出账号|切换账号"),
    _words(
        r"log (?:me )?out|logout|sign (?:me )?out|signout|switch accounts?",
        "退出.{0,4}(?:登录|账号|帐号)|[账帐]号退[了出掉]|登出|切换.{0,3}(?:账号|帐号)|注销",
    ),
    "退出登录, log out",
)
CALLING: Final = Act(
    "make a call",
    _words(r"call|dial", "拨打|拨号|呼叫|语音通话|视频通话"),
    _words(
        r"call(?! (?:log|recording|history|up|out|off|me|this|that|waiting|forwarding|cent(?:er|re)|for|back number)(?![a-z])"
        r"| it \w)|dial(?! (?:tone|down|back|it))|ring(?! ?(?:volume|tones?|light)| the)"
        r"|phone(?! ?(?:numbers?|settings?|storage"
        r"|status|app|book|volume|info|case))"
        r"|(?:make|place|give)(?: \S+){0,3}? (?:phone )?call|give(?: \S+){1,3}? a ring",
        r"打(?![开印车过完得不了没通到假扫]).{0,24}电话(?![簿本亭])|拨打|拨(?=[\d一个通给+])|拨.{1,12}电话"
        r"|呼叫(?!转移|等待|中心|限制)|打给|[发打].{0,6}通话",
    ),
    "给10086打电话, call 10086",
)
POWER: Final = Act(
    "turn the device off or restart it",
    _words(r"power off|shut ?down|restart|reboot", "关机|重启|重新启动"),
    _words(r"power off|shut ?down|restart|reboot", "关机|重启|重新启动"),
    "重启手机, 关机, restart the phone",
)
ACTS: Final = (SEND, SHARE, PAY, DELETE, GRANT, INSTALL, ACCOUNT, CALLING, POWER)


def named_acts(words: str) -> Iterator[Act]:
    """Yield the acts that a control with these words does."""
    folded = skeleton(words).replace("_", " ")
    return (act for act in ACTS if any(not is_negated(folded, found.start()) for found in act.named.finditer(folded)))


def is_verb_of(act: Act, text: str, end: int) -> bool:
    """Return True if the word for the act that ends at `end` is a verb with an object, and not part of a noun (付款记录)."""
    return act.thing.match(text, end) is None


def orders_act(task: str, act: Act) -> bool:
    """
    Return True if the task orders the act: its word is the verb of an order (`handeye.plan.consent.clauses`) and not part of
    a noun (付款记录), or the task says to tap a control with that label.

    >>> orders_act("帮我把订单付了", PAY), asks_for("张三让我付款", PAY), asks_for("打开支付宝", PAY)
    (True, False, False)
    """
    for clause in clauses(task):
        for found in act.asked.finditer(clause.text):
            if clause.orders(*found.span()) and is_verb_of(act, clause.text, found.end()):
                return True
        if act.named.search(clause.tapped()):
            return True
    return False


def wanted_switch_states(task: str) -> frozenset[bool]:
    """
    Return the final switch states that the task allows: on (True), off (False), or none if it asks for no switch to be turned.

    >>> wanted_switch_states("让蓝牙处于可用状态"), asks_to_turn("turn the hotspot off"), asks_to_turn("打开微信")
    (frozenset({True}), frozenset({False}), frozenset())
    """
    folded = simplified(fold(task))
    among = _AMONG_SETTINGS.search(folded) is not None and _A_PAGE.search(folded) is None

    def asks(plainly: re.Pattern[str], among_settings: re.Pattern[str]) -> bool:
        ways = (plainly, among_settings) if among else (plainly,)
        return any(
            clause.mood in (ClauseKind.ORDER, ClauseKind.LOOK)
            and (found := way.search(clause.text))
            and found.start() < clause.closed_at
            for clause in clauses(task)
            for way in ways
        )

    asked = {True: asks(_TURNS_ON, _OPENS), False: asks(_TURNS_OFF, _CLOSES)}
    return frozenset(way for way, is_asked in asked.items() if is_asked)


def mentions(task: str, act: Act) -> bool:
    """Return True if the task contains a word for the act, ordered or not."""
    return act.asked.search(simplified(fold(task))) is not None


def only_looks(task: str) -> bool:
    """
    Return True if the task asks only to open, find, read or show something.

    >>> only_looks("在微信里看看发现页面"), only_looks("打开相册，删除照片"), only_looks("看看消息，不要转账")
    (True, False, True)
    """
    return all(clause.only_looks for clause in clauses(task)) and not any(orders_act(task, act) for act in ACTS)


def changes(words: str) -> str:
    """Return the word for a change in these words of a control, or "" if the control only navigates."""
    folded = skeleton(words).replace("_", " ")
    return next((each[0] for each in _CHANGES.finditer(folded) if not is_negated(folded, each.start())), "")


def writes_to_somebody(task: str) -> bool:
    """Return True if the task contains a message to somebody."""
    return any(
        not is_negated(clause.text, found.start())
        for clause in clauses(task)
        if clause.mood is not ClauseKind.NEGATED
        for found in _MESSAGE_VERB.finditer(clause.text)
    )
