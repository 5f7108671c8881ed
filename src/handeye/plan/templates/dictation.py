"""Check that unquoted words are clearly one dictated text, without a second task after it.

No list of second tasks is complete. So after the first clause of a text only clauses that clearly continue a message are
accepted: those that begin as one speaks to somebody (我, 你, 明天, 路上小心, see you) and contain no word about devices, apps
or the sending itself. Everything else must be quoted: a wrong message cannot be taken back, but a refused task can be
reworded. All patterns are for folded text.
"""

from __future__ import annotations

import re
from typing import Final

# Detection of a second task within a slot: 打开微信然后打开浏览器, 说你好，打开飞行模式. After a break (a comma, a blank
# between Chinese words, "and", 然后), an order to a phone without a subject or a word about the sending is a second task;
# words to the receiver (给我打电话, call me, check your mail) continue the message.


# Breaks after which a new task may begin. A blank between Chinese words is an omitted comma.
_BREAK: Final = re.compile(
    r"[,.;:!?。、\n]+"
    r"|(?<=[⺀-鿿])\s+(?=[⺀-鿿])"
    r"|(?:然后|接着|随后|之后|最后|完了|顺便|同时|另外|还有|并且?|而且)"
    r"|(?<![a-z])(?:and|then|plus|afterwards|after that)(?![a-z])"
)
# Words before an order that are not part of it. 给我打开 addresses the phone, 给我打电话 the receiver.
_OPENING: Final = re.compile(
    r"(?:\s|,|再|也|就|还|请|麻烦|劳驾|帮我|帮忙|给我(?=打开|关|截|搜)|先|后|要|的话|顺便|同样"
    r"|(?:and|then|also|please|now|next|finally|plus|after that|afterwards)(?![a-z]))*"
)
# Beginnings of orders to a phone.
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
    # Changing something, or spending money.
    r"|下载|安装|卸载|删除|删掉|删了|清空|清除"
    r"|转账|付款|支付|下单|购买|买|充值"
    r"|拉黑|关注|撤[回销]|取消|设置|设个|提醒|登录|退出|切换|连接|断开"
    r"|转发|分享|回复|评论|保存|收藏|复制|粘贴|翻译|导航|定个|订"
    # A call to somebody; 打给我 and 打电话来 ask the receiver to call.
    r"|打(?:给(?!我)|(?:一?个)?电话(?!给我|来))"
    # 把照片删了: the object first, then the act.
    r"|[把将].{1,20}?(?:打开|关|发|删|转|调|设|截|改|付|存|卸)"
    # English. "Open source" is no order; "check your mail" addresses the receiver.
    r"|(?:open(?! source)|launch|start(?: the| my)|close"
    r"|turn (?:on|off|up|down)|turn .{1,20} (?:on|off)|switch (?:on|off|to)"
    r"|search|look up|google|go (?:home|back|to the)|return to"
    r"|take a screenshot|screenshot|play|mute|lock|restart"
    r"|delete|remove|clear|install|uninstall|download|pay|buy|order|transfer|block"
    r"|forward|share|reply|copy|paste|save|set|remind|click|tap|show|check|read)(?![a-z])(?!.{0,24}?\byour)"
)
# Sender and receiver: words addressed to them continue the message.
_ME: Final = r"(?:我|你|您|me\b|us\b|you\b)"
# Another message to somebody else: 给李四发, 也说一声, and one to Ann. Not 给我, 告诉我, call me: these address the receiver.
_TO_ANOTHER: Final = re.compile(
    # A person, then an act: 给李四发, 跟他说, 叫妈妈打.
    rf"(?:给|跟|和|对|向|叫|让)(?!我|你|您).{{1,20}}?(?:发|说|讲|打|转|回|一样)"
    # Verbs that mean sending a message: 通知李四, 告诉我妈.
    rf"|(?:告诉|通知|转告|回复|抄送)(?!{_ME})"
    r"|告诉我[他她它结是有]"
    # The same once more: 李四也发一个.
    r"|[^我你您他她它]{0,8}也(?:发|说一|告诉|通知|给)"
    # English: "tell Bob", "another to Ann", "to Ann as well".
    rf"|(?:call|dial|text|tell|message|mail|e-mail|email|ask .{{1,20}} to|send|cc)(?![a-z])(?!\s+{_ME})"
    r"|(?:another|one|the same|the same .{1,12})(?: \w+)? to(?![a-z])"
    r"|to \w+ (?:too|as well)\Z"
)
# Words about the sending: 发完返回, 不要发给李四, 晚上八点发, don't send it.
_OF_SENDING: Final = re.compile(
    # After it is done: 发完, 说好了再. 发我, 发烧 and 发票 are words of a message.
    r"(?:发|说|做)(?:完|好了?[再就])|完成[后以]"
    r"|发(?!我|.{0,8}给我|现|烧|财|票|型|生|展|炎)"
    r"|[^我你您]{0,12}发给(?!我|你|您)"
    # Prohibitions.
    r"|(?:不要|不用|不必|别|勿|先不|先别)(?:再|就|急着)?(?:发|转发|打开|关|点|截|删)"
    # The time of sending, at the very end: 八点再发, 晚上发出去.
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
    # Repetition: 三遍. 说了三遍 and 有两遍 only report it.
    r"|(?<![了过说有\d])[两三四五六七八九十\d]+遍\W*\Z"
)

# Patterns for labels of icons and rows. A name that contains such words must be quoted.
# Two things joined; 和平 is a word.
_JOINS: Final = re.compile(
    r".(?:[,，。;；、?？\n]|和(?!平)|然后|接着|并且|再|\s(?:and|then|to)\s).",
    re.DOTALL,
)
# A name followed by an act: 微信给张三发消息. A word for looking may also come last.
_LABEL_THEN_ACT: Final = re.compile(
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
    Return True if a text may continue with a second task.

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
    Return True if the words may be the label of one icon or row: nothing joined, no act after it, no package name.

    >>> is_one_label("微信读书"), is_one_label("微信给张三发消息"), is_one_label("飞行模式和蓝牙")
    (True, False, False)
    """
    return not (
        _JOINS.search(folded) or _LABEL_THEN_ACT.search(folded) or _PACKAGE.match(folded) or has_second_task(folded)
    )


_ADDRESS: Final = re.compile(r"https?://[!-~]+")
# Clause boundaries. A mark between Latin letters or digits is none: v2.0, 8:30.
_ENDS: Final = re.compile(
    r"[,;!。、\n~…—|]+|[.:?](?![a-z0-9])|(?<=[⺀-鿿])[.:?]|(?<=[⺀-鿿])\s+|\s+(?=[⺀-鿿])|[\U0001f000-\U0001faff☀-➿]+"
    r"|(?:然后|接着|随后|之后|最后|完了|完事|顺便|同时|另外|还有|并且?(?![非不])|而且)"
    r"|(?<![a-z])(?P<and>and)(?![a-z])|(?<![a-z])(?:then|plus|afterwards|but)(?![a-z])"
)
# Beginnings of clauses that address the receiver or are about the sender.
_SPEECH_START: Final = re.compile(
    r"\W*(?:\Z"
    # thanks, greetings and wishes
    r"|(?:谢谢|多谢|谢啦|感谢|辛苦|对不起|抱歉|不好意思|祝|生日快乐|新年快乐|节日快乐|天天开心|万事如意|晚安|早安|早上好|晚上好|你好|您好|再见"
    r"|拜拜|回见|不见不散|保重|加油|哈|嗯|好[的啊呀吧]|收到|行\W*\Z|一切(?:都好|顺利)|一路平安|爱你|想你)"
    # sender and receiver; 我想, 我要 and 帮我 may address a phone
    r"|(?:我(?!想(?!你|念|见)|要(?!迟|走)|需要|得)|咱们?|你|您|大家|他没|她没)"
    r"|(?:但是?|可是?|不过|因为|所以|除非|就是)(?=我|你|您|咱|[他她]|[^\W\da-z]{1,4}(?:有|没|不))"
    r"|那就?(?:这么|这样|好|我|你|明天|后天|周|到时)"
    # time and place
    r"|(?:今天|明天|后天|今晚|明早|明晚|晚上|早上|上午|中午|下午|周[一二三四五六日末]|星期|会后|会上|到时候|一会儿?|待会儿?|回头|马上|地点|时间"
    r"|第[一二三四五六七八九十\d]|\d{1,2}:\d{2}\W*\Z|开会\W*\Z|[⺀-鿿]\W*\Z)"
    # requests to the receiver
    r"|(?:路上|小心|注意安全|慢慢|慢点|多(?:穿|喝|吃|保重|休息|带)|早(?:点|些)(?:来|回|睡|休息|到)|快点?[来下回到]|自己(?:拿|吃|来|小心)"
    r"|去(?:找|接|见|陪)[你您他她]|[走回来去睡哭笑吃到]了\W*\Z|(?:不要|别|不用)(?:迟到|等我|担心|着急|忘了带|客气|太累|生气)"
    r"|(?:记得|别忘了?)(?:带|吃|穿|喝|早|多|来|休息|睡|回家)|别告诉.{1,3}\Z|给我打(?:个)?电话\W*\Z|打(?:个)?电话给我\W*\Z"
    r"|(?:到了)?告诉我一声|看到回复?我)"
    # English
    r"|(?:i(?!'?d like| want| need| would)|i'm|i'll|i've|we|we're|we'll|you|you're|see you|thanks|thank you|thx|bye|goodbye"
    r"|love(?: you)?|take care|sleep well|drive (?:carefully|safely)|have an?|happy|good (?:night|morning|evening|luck)|sorry"
    r"|no (?:problem|worries|rush|hurry)|yes|no\W*\Z|sure|hope|hi|hello|it's|it is|that's|unless|because|cheers"
    r"|call me(?! an?(?![a-z]))|let me know|send me|bring|please\W*\Z|(?:please )?(?:wait for me|come|hurry)"
    r"|check your|don't (?:be|worry|wait)|ask [a-z]+\W*\Z|line \d+\W*\Z"
    # questions to the receiver; "can you" addresses a phone
    r"|(?:how|where) are (?:you|we|things)|how's|what's up\W*\Z|(?:are|were|do|did|have) you|when (?:are|do|will) (?:you|we)"
    r"|(?:world|everyone|everybody|dear)\W*\Z|[a-z]{1,2}\W*\Z)(?![a-z])"
    r")"
)
# Words about devices, apps and the sending, and requests to third persons: not allowed in any clause after the first.
_OF_A_DEVICE: Final = re.compile(
    r"打开|关|开(?![会心车始学])|发|转|删|截|录|拍|锁|静音|音量|亮度|蓝牙|wi-?fi|wlan|飞行|模式|手机|屏|微信|支付宝|qq|app|浏览器|网|群|聊天"
    r"|红包|闹|叫醒|叫我|提醒|语音|语气|表情|[英中]文|搜|查|看看|播|放|听|导航|下载|安装|卸载|付|买|充|订(?!好)|设|置顶|调|加|送|收一|清|退|重启"
    r"|一样|遍|主页|桌面|首页|帮我|给(?!我(?:打|\W*\Z)|你|您)|告诉(?!我一声|妈|爸|他|她|别人)|通知|回复(?!我)|等[他她]|[他她]回"
    r"|打(?:给|(?:个)?电话(?!给我|\W*\Z))"
    r"|(?<![a-z])(?:open|close|turn|switch|put|mute|silent|silence|volume|phone|screen|screenshot|photo|picture|lock|wifi"
    r"|bluetooth|mode|wechat|browser|app|alarm|timer|remind|search|google|play|record|forward|post|copy|same|too|also"
    r"|twice|chinese|english|delete|block|pay|order|buy|transfer|set"
    r"|tell(?! me when)|text(?! me)|message(?! me)|call(?! me| you))(?![a-z])"
)
_A_WORD: Final = re.compile(r"\s*[a-z'-]+\W*\Z")
# Descriptions of a message instead of its words: 生日祝福, 同样的话, something nice, my location.
_DESCRIBED: Final = re.compile(
    r"\s*(?:(?!谢|多谢|感谢|收到|喜欢).{0,12}的(?:话|内容|[英中]文|翻译|意思|位置|号码|新闻|天气|祝福|链接|截图)"
    r"|.{0,4}(?:祝福|问候)语?|.{0,4}那句话?|一样的|.{1,10}[一二三四五六七八九十]个字"
    r"|(?:(?:something|anything)(?![a-z])|the same(?: as| thing)|my (?:location|address|(?:phone )?number|eta)\W*\Z"
    r"|(?:what|where|when|who) (?:the|my|his|her|our|i|he|she|we|they)(?![a-z])).*)\W*\Z"
)
# Corrections and conditions: the message is not the words as written.
_CORRECTION: Final = re.compile(
    r"我(?:是说|[说打发写]错)|润色|措辞|你看着写|你写得|的话就算|我(?:确认|看|检查).{0,4}[再后]\W*\Z"
    r"|(?<![a-z])(?:i mean(?! it)|i'll (?:press|tap|hit)|(?:if|unless|once|until) (?:he|she|they|it)(?![a-z]))(?! lies)"
)
# A time alone after a message may be the time to send it.
_ONLY_A_TIME: Final = re.compile(
    r"(?=.*\w)\s*(?:今天|明天|后天|今晚|明早|明晚)?(?:早上|上午|中午|下午|晚上)?(?:[\d一二三四五六七八九十]{1,3}点半?)?\W*\Z"
)
# Endings without a mark before them that give the manner, time, number or means of sending.
_MANNER_END: Final = re.compile(
    r"(?<=\S)[(][^()]*[)]\W*\Z"
    r"|(?<![a-z])(?:in (?:chinese|english|french|german|japanese|spanish|\w+ (?:minutes?|hours?))"
    r"|(?:on|in|via|through|using) wechat|twice|as well)\W*\Z"
)
# After 说 and 讲 these give the manner or topic of speaking: 讲个笑话, 说一下, 说声谢谢, 讲清楚.
_NO_DICTATION: Final = re.compile(
    r"\s*(?:一?个(?![人体别])|一?下(?!午)|[一几两]?声(?![音明])|一?点(?![心名赞评])|[一几两]?句|讲|说|清楚?|明(?![天年早晚白月])|明白|完[了后]?|些什么"
    r"|什么(?:好|话|呢|都行)?\W*\Z|了(?!解)|过(?![年来去节])|that (?:i|you|he|she|it|we|they|the|my)(?![a-z]))"
)
_SAID: Final = re.compile(r"(?:[说讲]|saying|says)\Z")
_QUOTATION: Final = re.compile(r"\s*(?:“([^”]*)”|「([^」]*)」|『([^』]*)』|‘([^’]*)’|\"([^\"]*)\"|'([^']*)')")
_POLITE: Final = re.compile(
    r"\W*(?:(?:谢谢[你您]?|多谢|感谢|拜托了?|麻烦[你您]?了?|辛苦了?|好吗|好不好|行吗|可以吗|吧|哦|哈|啊|呀|呗|啦|了"
    r"|(?<![a-z])(?:please|pls|thanks|thank you|thx|ok|okay)(?![a-z]))\W*)*"
)


def is_plainly_one_text(folded: str) -> bool:
    """
    Return True if an unquoted text is clearly one text, and no part of it may be a second task.

    >>> is_plainly_one_text("到家了,给我打电话"), is_plainly_one_text("到家了,手机静音"), is_plainly_one_text("hello, Ann too")
    (True, False, False)
    """
    if (
        has_second_task(folded)
        or any(each.search(folded) for each in (_MANNER_END, _CORRECTION))
        or _DESCRIBED.match(folded)
    ):
        return False
    text = _ADDRESS.sub(" ", folded)
    gaps = list(_ENDS.finditer(text))
    for gap, end in zip(gaps, [*(each.start() for each in gaps), len(text)][1:], strict=True):
        clause = text[gap.end() : end]
        if not text[: gap.start()].strip() or not clause.strip():
            continue
        joined = gap["and"] is not None and _A_WORD.fullmatch(clause) is not None
        if not (joined or _SPEECH_START.match(clause)) or _OF_A_DEVICE.search(clause) or _ONLY_A_TIME.match(clause):
            return False
    return True


def is_dictated(before: str, text: str) -> bool:
    """Return True if `text` is verbatim speech (说你好, not 说个笑话), or if `before` does not end in a verb of saying."""
    return _SAID.search(before.rstrip()) is None or _NO_DICTATION.match(text) is None


def quoted_alone(typed: str, folded: str) -> str | None:
    """
    Return the text in the quotation marks at the beginning of `typed`, or None if there are none or if more than politeness
    follows them.

    >>> quoted_alone("“你好”，谢谢", "“你好”,谢谢"), quoted_alone("“你好”，李四也一样", "“你好”,李四也一样")
    ('你好', None)
    """
    found = _QUOTATION.match(folded)
    if found is None or found.lastindex is None or not _POLITE.fullmatch(folded, found.end()):
        return None
    start, end = found.span(found.lastindex)
    return typed[start:end] or None


def begins_quoted(folded: str) -> bool:
    """Return True if the text begins with a quotation: what follows that is not part of it."""
    return _QUOTATION.match(folded) is not None
