"""
Whether words say more than one thing to do: 打开微信然后打开浏览器, 说你好，打开飞行模式.

A pattern takes what stands in its slot for one thing. Where the words may go on with another task, that is a guess, and a
message that holds the next task is a wrong message: such a slot takes them only in quotation marks. They may, where something
begins (behind a comma, a blank between Chinese words, "and", 然后) that one tells a phone, and nobody else: an order without a
subject, or a word about the sending itself. What speaks to the receiver (给我打电话, call me, check your mail) goes on with
the message. All patterns are for folded text.
"""

from __future__ import annotations

import re
from typing import Final

# Where something new may begin. A blank between Chinese words is a comma that was not typed.
_BREAK: Final = re.compile(
    r"[,.;:!?。、\n]+"
    r"|(?<=[⺀-鿿])\s+(?=[⺀-鿿])"
    r"|(?:然后|接着|随后|之后|最后|完了|顺便|同时|另外|还有|并且?|而且)"
    r"|(?<![a-z])(?:and|then|plus|afterwards|after that)(?![a-z])"
)
# What stands in front of an order, and is none of it. 给我打开 is for whoever asks, 给我打电话 for the receiver.
_OPENING: Final = re.compile(
    r"(?:\s|,|再|也|就|还|请|麻烦|劳驾|帮我|帮忙|给我(?=打开|关|截|搜)|先|后|要|的话|顺便|同样"
    r"|(?:and|then|also|please|now|next|finally|plus|after that|afterwards)(?![a-z]))*"
)
# What a phone is told to do, as it begins a task.
_TO_A_PHONE: Final = re.compile(
    # The phone itself: apps, pages, the screen.
    r"你?(?:打开|关闭|关掉|关上|开启|启动|启用|停用|禁用|进入|返回"
    r"|退回|回到?(?:桌面|首页|主页|主屏|微信|上一)"
    r"|截图|截屏|截个|截张|锁屏|重启|关机|刷新)"
    # Looking.
    r"|搜索|搜一|查询|查一下|查查|查看|看看|看一[下看]|检查"
    # Touching, playing, dialling.
    r"|播放|点击|点开|点一下|长按|滑动|拨打|拨号"
    r"|音量|静音|调[高低大小]|扫一扫"
    # What changes something, or costs.
    r"|下载|安装|卸载|删除|删掉|删了|清空|清除"
    r"|转账|付款|支付|下单|购买|买|充值"
    r"|拉黑|关注|撤[回销]|取消|设置|设个|提醒|登录|退出|切换|连接|断开"
    r"|转发|分享|回复|评论|保存|收藏|复制|粘贴|翻译|导航|定个|订"
    # A call to somebody; 打给我 and 打电话来 ask the receiver for one.
    r"|打(?:给(?!我)|(?:一?个)?电话(?!给我|来))"
    # 把照片删了: the thing first, then the act.
    r"|[把将].{1,20}?(?:打开|关|发|删|转|调|设|截|改|付|存|卸)"
    # English. "Open source" is no order, and "check your mail" one for the receiver.
    r"|(?:open(?! source)|launch|start(?: the| my)|close"
    r"|turn (?:on|off|up|down)|turn .{1,20} (?:on|off)|switch (?:on|off|to)"
    r"|search|look up|google|go (?:home|back|to the)|return to"
    r"|take a screenshot|screenshot|play|mute|lock|restart"
    r"|delete|remove|clear|install|uninstall|download|pay|buy|order|transfer|block"
    r"|forward|share|reply|copy|paste|save|set|remind|click|tap|show|check|read)(?![a-z])(?!.{0,24}?\byour)"
)
# Whoever writes, and whoever reads: what is for them goes on with the message.
_ME: Final = r"(?:我|你|您|me\b|us\b|you\b)"
# Another message, to another one: 给李四发, 也说一声, and one to Ann. To the receiver: 给我, 告诉我, call me.
_TO_ANOTHER: Final = re.compile(
    # Somebody is named, and then what is done: 给李四发, 跟他说, 叫妈妈打.
    rf"(?:给|跟|和|对|向|叫|让)(?!我|你|您).{{1,20}}?(?:发|说|讲|打|转|回|一样)"
    # The word itself is a message: 通知李四, 告诉我妈.
    rf"|(?:告诉|通知|转告|回复|抄送)(?!{_ME})"
    r"|告诉我[他她它结是有]"
    # The same once more: 李四也发一个.
    r"|[^我你您他她它]{0,8}也(?:发|说一|告诉|通知|给)"
    # English: "tell Bob", "another to Ann", "to Ann as well".
    rf"|(?:call|dial|text|tell|message|mail|e-mail|email|ask .{{1,20}} to|send|cc)(?![a-z])(?!\s+{_ME})"
    r"|(?:another|one|the same|the same .{1,12})(?: \w+)? to(?![a-z])"
    r"|to \w+ (?:too|as well)\Z"
)
# A word about the sending: 发完返回, 不要发给李四, 晚上八点发, don't send it.
_OF_SENDING: Final = re.compile(
    # Once it is done: 发完, 说好了再. 发我, 发烧 and 发票 are words of a message.
    r"(?:发|说|做)(?:完|好了?[再就])|完成[后以]"
    r"|发(?!我|.{0,8}给我|现|烧|财|票|型|生|展|炎)"
    r"|[^我你您]{0,12}发给(?!我|你|您)"
    # What is not to be done with it.
    r"|(?:不要|不用|不必|别|勿|先不|先别)(?:再|就|急着)?(?:发|转发|打开|关|点|截|删)"
    # When it is to be sent, at the very end: 八点再发, 晚上发出去.
    r"|(?:[^我你您]{0,8}(?:再|点|[早晚]上|后|时候?|分)|.{0,6}再)发(?:送|出去?)?(?:给[他她])?[吧了]?\W*\Z"
    # English: the same three.
    r"|(?:do not|don't|dont|never)\s+(?:send|forward|open|tell|text|message|post)(?!\s+me\b)"
    r"|(?:when|once|after) (?:it is |it's )?sent"
    r"|(?:at|in) \d+(?::\d+)? ?(?:am|pm|o'clock|minutes?|hours?)\W*\Z"
)
# Without a break: 我到家了就返回桌面, 说明天见再打开浏览器, hello then open.
_RUN_ON: Final = re.compile(
    r"(?:就|再)(?:返回|回到?(?:桌面|首页|主页|主屏)|截图|截屏|截个|打开|关闭|关掉|锁屏|点击|搜索|拨打"
    r"|给.{1,20}?[发打]|告诉(?!我|你))"
    # How often: 三遍. 说了三遍 and 有两遍 tell of it.
    r"|(?<![了过说有\d])[两三四五六七八九十\d]+遍\W*\Z"
)

# Within what stands on an icon or in a row. The words of a name may be among them: it is put in quotation marks then.
# Something is joined to something else; 和平 is a word.
_JOINS: Final = re.compile(
    r".(?:[,，。;；、?？\n]|和(?!平)|然后|接着|并且|再|\s(?:and|then|to)\s).",
    re.DOTALL,
)
# A name, and then what is to be done there: 微信给张三发消息. A word for looking may also end it.
_GOES_ON: Final = re.compile(
    r".(?:给|告诉|发送|发消息|发微信|发短信|发[一条个]"
    r"|看看|看一下|看下|查看|查找|搜索|搜一下|点击|点开|找到|扫一扫|打开|关闭"
    r"|\s(?:send|search for|tell|click|tap|look (?:up|for))\s)(?!\s*\Z)"
    r"|.(?:看看|看一下|看下|扫一扫)\Z",
    re.DOTALL,
)
# The name of an Android package.
_PACKAGE: Final = re.compile(r"[a-z]\w*(?:\.[a-z]\w*){2,}\Z", re.ASCII)


def has_second_task(folded: str) -> bool:
    """
    Whether a text may go on with something else to do.

    >>> has_second_task("你好,然后打开飞行模式"), has_second_task("先吃饭,然后去找他"), has_second_task("到家了,给我打电话")
    (True, False, False)
    """
    if _RUN_ON.search(folded) is not None:
        return True
    for gap in _BREAK.finditer(folded):
        if not folded[: gap.start()].strip():
            continue
        opening = _OPENING.match(folded, gap.end())
        begins = {gap.end(), opening.end() if opening is not None else gap.end()}
        if any(each.match(folded, at) for each in (_TO_A_PHONE, _TO_ANOTHER, _OF_SENDING) for at in begins):
            return True
    return False


def is_one_label(folded: str) -> bool:
    """
    Whether the words may be what stands on one icon or in one row: nothing joined, nothing that goes on, no package.

    >>> is_one_label("微信读书"), is_one_label("微信给张三发消息"), is_one_label("飞行模式和蓝牙")
    (True, False, False)
    """
    return not (_JOINS.search(folded) or _GOES_ON.search(folded) or _PACKAGE.match(folded) or has_second_task(folded))
