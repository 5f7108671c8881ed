"""What people call icons, and what programmers call them: "the magnifier" is `ic_search`, 返回 is "Navigate up".

An icon carries no text; its id and its description say what it is for, in a programmer's words. Both sides become sets of
concepts: the rows of `CONCEPTS` where a word stands in one, else the word itself. An icon fits when it has all the concepts
asked for; the fewer others it has, the better.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

# Each row is one meaning; the first word names it. English words are singular, lower case; phrases have blanks. Where a sign
# has two meanings in use (the house of "home", the arrow of "back"), only the common one stands here: a wrong icon is worse
# than none.
CONCEPTS: Final[tuple[tuple[str, ...], ...]] = (
    ("search", "magnifier", "magnifying glass", "magnify", "lens", "find", "搜索", "查找", "放大镜", "搜寻"),
    (
        *("back", "navigate up", "go back", "up navigation", "return", "back arrow", "left arrow", "arrow left"),
        *(
            "arrow back",
            "backward",
            "nav back",
            "left side arrow",
            "返回",
            "后退",
            "向上导航",
            "转到上一层级",
            "返回箭头",
        ),
    ),
    ("forward", "right arrow", "arrow right", "forward arrow", "arrow forward", "right side arrow", "前进"),
    ("next", "skip next", "下一个", "下一首", "下一步"),
    ("previous", "prev", "skip previous", "上一个", "上一首", "上一步"),
    ("up arrow", "arrow up", "upward arrow", "chevron up", "向上箭头"),
    ("down arrow", "arrow down", "downward arrow", "chevron down", "drop down arrow", "向下箭头"),
    (
        *(
            "more",
            "overflow",
            "more option",
            "three dot",
            "3 dot",
            "three doted",
            "three dotted",
            "vertical dot",
            "ellipsis",
        ),
        *("kebab", "dots", "dot", "overflow menu", "更多", "三点", "三个点", "更多选项"),
    ),
    (
        *("menu", "hamburger", "drawer", "three line", "3 line", "three horizontal line", "3 horizontal line"),
        *(
            "navigation drawer",
            "open navigation drawer",
            "hamburger menu",
            "three bar",
            "三条线",
            "菜单",
            "三横",
            "汉堡",
        ),
    ),
    ("settings", "setting", "gear", "cog", "preference", "cogwheel", "设置", "齿轮", "设定"),
    ("home", "house", "主页", "首页", "房子"),
    ("close", "cross", "x", "dismiss", "cross mark", "wrong mark", "关闭", "叉", "叉号", "✕", "×"),
    ("cancel", "取消"),
    ("add", "plus", "create", "new", "+", "add new", "添加", "新建", "加号", "新增"),
    ("remove", "minus", "减号", "移除"),
    ("delete", "trash", "bin", "trash can", "dustbin", "garbage", "删除", "垃圾桶", "回收站"),
    ("edit", "pencil", "pen", "compose", "编辑", "铅笔", "写"),
    ("save", "floppy", "保存"),
    ("send", "paper plane", "发送", "纸飞机"),
    ("share", "分享", "共享", "转发"),
    ("like", "thumb up", "thumbs up", "赞", "点赞"),
    ("dislike", "thumb down", "thumbs down", "踩"),
    ("heart", "favorite", "favourite", "love", "fav", "爱心", "喜欢", "收藏", "心形"),
    ("star", "rate", "rating", "星", "星标", "星形"),
    ("bookmark", "书签"),
    ("camera", "take photo", "相机", "拍照", "照相机", "摄像头"),
    ("gallery", "album", "相册", "图库"),
    ("video", "movie", "video camera", "视频"),
    ("music", "song", "audio", "音乐"),
    ("mic", "microphone", "voice", "voice search", "麦克风", "话筒", "语音"),
    ("volume", "speaker", "sound", "音量", "扬声器", "喇叭"),
    ("mute", "静音"),
    ("play", "播放"),
    ("pause", "暂停"),
    ("stop", "停止"),
    ("record", "录制", "录音"),
    ("shuffle", "random", "随机", "随机播放"),
    ("repeat", "loop", "循环", "重复"),
    ("rewind", "rew", "fast rewind", "快退"),
    ("fast forward", "ffwd", "快进"),
    ("refresh", "reload", "sync", "rescan", "刷新", "重新加载", "同步"),
    ("download", "下载"),
    ("upload", "上传"),
    ("call", "phone", "telephone", "dial", "电话", "拨号", "通话", "打电话"),
    ("message", "chat", "sms", "speech bubble", "消息", "聊天", "短信", "信息"),
    ("mail", "email", "envelope", "邮件", "信封", "邮箱"),
    ("comment", "评论"),
    ("notification", "bell", "alert", "通知", "铃铛", "提醒"),
    ("alarm", "alarm clock", "闹钟"),
    ("clock", "time", "timer", "时钟", "计时"),
    ("history", "recent", "历史", "历史记录"),
    ("calendar", "date", "日历", "日期"),
    ("location", "pin", "place", "location pin", "gps", "position", "marker", "定位", "位置"),
    ("map", "地图"),
    ("navigation", "navigate", "direction", "compass", "导航", "指南针"),
    ("profile", "account", "user", "person", "avatar", "个人", "我的", "头像", "账户", "用户", "个人资料"),
    ("people", "group", "contact", "联系人", "群组", "通讯录"),
    ("cart", "shopping cart", "basket", "trolley", "bag", "shopping bag", "购物车"),
    ("filter", "funnel", "筛选", "过滤"),
    ("sort", "排序"),
    ("list", "列表"),
    ("grid", "网格"),
    ("info", "information", "about", "i", "信息图标", "关于", "详情"),
    ("help", "question mark", "question", "faq", "帮助", "问号"),
    ("warning", "exclamation", "警告", "感叹号"),
    ("lock", "padlock", "锁", "锁定"),
    ("unlock", "解锁"),
    ("password visibility", "eye", "show password", "visibility", "眼睛"),
    ("check", "tick", "tick mark", "check mark", "checkmark", "right mark", "done", "ok", "对勾", "勾", "完成", "确定"),
    ("copy", "复制"),
    ("paste", "粘贴"),
    ("attach", "attachment", "paperclip", "附件", "回形针"),
    ("print", "printer", "打印"),
    ("scan", "scanner", "qr", "qr code", "barcode", "扫一扫", "扫码", "二维码", "扫描"),
    ("emoji", "smiley", "smile", "emoticon", "emotion", "表情", "笑脸"),
    ("gift", "present", "礼物"),
    ("wallet", "钱包"),
    ("facebook", "fb"),
    ("twitter", "tweet"),
    ("google", "谷歌"),
    ("wechat", "微信"),
    ("wifi", "wi fi", "无线网络"),
    ("bluetooth", "蓝牙"),
    ("flashlight", "flash", "torch", "手电筒", "闪光灯"),
    ("fullscreen", "full screen", "expand", "maximize", "全屏", "展开"),
    ("collapse", "minimize", "最小化", "收起"),
    ("crop", "裁剪"),
    ("rotate", "旋转"),
    ("undo", "撤销"),
    ("redo", "重做"),
    ("logout", "log out", "sign out", "power", "退出", "注销"),
    ("login", "log in", "sign in", "登录"),
    ("keyboard", "键盘"),
    ("theme", "dark mode", "moon", "夜间模式", "月亮"),
    ("sun", "brightness", "亮度", "太阳"),
    ("tag", "标签"),
    ("flag", "旗", "旗帜"),
    ("globe", "language", "world", "earth", "地球", "语言"),
    ("cloud", "云"),
    ("folder", "directory", "文件夹"),
    ("file", "document", "文件", "文档"),
    ("trophy", "award", "奖杯"),
    ("chart", "graph", "statistics", "stats", "图表", "统计"),
)

# A drawing with two meanings in use: the arrow to the right is "forward" in one programmer's words and "next" in another's.
_AKIN: Final = (frozenset({"forward", "next"}), frozenset({"back", "previous"}))

# Words that say that something is a control, not which.
_EMPTY_WORDS: Final = frozenset(
    {
        *("a", "an", "the", "of", "for", "to", "and", "this", "that", "its"),
        *(
            "icon",
            "ic",
            "iv",
            "img",
            "image",
            "imageview",
            "imagebutton",
            "imgbtn",
            "btnimg",
            "imgview",
            "picture",
            "pic",
        ),
        *("btn", "ib", "button", "fab", "symbol", "sign", "logo", "drawable", "action", "item", "widget", "id"),
        *("tv", "txt", "text", "view", "textview", "layout", "lay", "ll", "rl", "fl"),
        *("图标", "按钮", "符号", "标志", "图片", "的"),
    }
)
# Words that name the place of a control as often as its purpose: they count only where nothing else is left.
_PLACES: Final = frozenset(
    {
        *("menu", "toolbar", "actionbar", "bar", "tab", "list", "nav", "navigation"),
        *("header", "footer", "top", "bottom", "main", "title", "row"),
    }
)
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+|[+×✕]")
_LONGEST: Final = 4  # words of the longest phrase of CONCEPTS
# What is never a text: words for shapes.
_SHAPES: Final = frozenset(
    {
        *("arrow", "dot", "circle", "star", "heart", "cross", "tick", "flag", "emoji", "smiley", "chevron", "triangle"),
        *("箭头", "圆点", "星星", "爱心", "叉", "对勾", "旗", "表情", "三角"),
    }
)
# A name that has other concepts besides the ones asked for is a guess; with more than as many again it is none.
LEAST_COVERAGE: Final = 0.5
# A name of more words is a sentence.
_MOST_WORDS: Final = 8


def concepts(words: str) -> frozenset[str]:
    """The concepts in a person's words or a programmer's name; empty when they say nothing, or too much to be a name."""
    return _concepts(words[:200])


def coverage(wanted: str, names: Iterable[str]) -> float:
    """
    How well an icon with these names (its id, its description) is what `wanted` says, 0-1.

    1.0: some name says this and nothing else. 0.5: it says as much again. 0: none says all that is wanted.
    """
    want = concepts(wanted)
    best = 0.0
    for name in names if want else ():
        have = concepts(name)
        if want <= have:
            best = max(best, len(want) / len(have))
    return best


def contradicts(wanted: str, names: Iterable[str]) -> bool:
    """Whether a name says that the icon is for something else: it has a known meaning, and none of those wanted or akin."""
    want = concepts(wanted)
    near = want.union(*(akin for akin in _AKIN if akin & want))
    return any(have & _KNOWN and not have & near for have in map(concepts, names))


def shares_nothing(wanted: str, name: str) -> bool:
    """Whether a name says something, and nothing of what is wanted."""
    have = concepts(name)
    return bool(have) and not have & concepts(wanted)


def draws(words: str) -> bool:
    """Whether words without a role mean a drawn thing: "the red dot", "arrow head"."""
    return bool(_SHAPES.intersection(_tokens(words)))


@lru_cache(maxsize=8192)
def _concepts(words: str) -> frozenset[str]:
    tokens = [_singular(token) for token in _tokens(words)]
    found: list[str] = []
    at = 0
    while at < len(tokens):
        for length in range(min(_LONGEST, len(tokens) - at), 0, -1):
            phrase = " ".join(tokens[at : at + length])
            if phrase in _CONCEPT_OF:
                found.append(_CONCEPT_OF[phrase])
                break
        else:
            length = 1
            if tokens[at] not in _EMPTY_WORDS:
                found.append(tokens[at])
        at += length
    if len(found) > _MOST_WORDS:
        return frozenset()
    meant = frozenset(found) - _PLACES or frozenset(found) & _KNOWN
    return meant or frozenset(found)


def id_tokens(name: str) -> list[str]:
    """The words of a programmer's name, lower case: `com.x:id/ivBackArrow` has iv, back and arrow."""
    return [token.casefold() for token in _WORD.findall(name.rpartition("/")[2])]


def _tokens(words: str) -> Iterator[str]:
    plain = unicodedata.normalize("NFKC", words.rpartition(":id/")[2])
    for token in _WORD.findall(plain):
        yield from (token.casefold(),) if token.isascii() else _chinese_words(token)


def _chinese_words(run: str) -> Iterator[str]:
    """A run of other letters cut at the words that CONCEPTS knows, longest first; what lies between stays whole."""
    at = start = 0
    while at < len(run):
        known = next((run[at : at + n] for n in range(_LONGEST_CHINESE, 0, -1) if run[at : at + n] in _CHINESE), None)
        if known is None:
            at += 1
            continue
        if start < at:
            yield run[start:at]
        yield known
        at = start = at + len(known)
    if start < at:
        yield run[start:at]


def _singular(token: str) -> str:
    if token.isascii() and len(token) > 3 and token.endswith("s") and not token.endswith("ss"):
        return token[:-1]
    return token


_CONCEPT_OF: Final = {
    " ".join(_singular(word) for word in phrase.split()): row[0] for row in CONCEPTS for phrase in row
}
_CHINESE: Final = frozenset(word for word in {*_CONCEPT_OF, *_EMPTY_WORDS} if not word.isascii())
_LONGEST_CHINESE: Final = max(map(len, _CHINESE))
_KNOWN: Final = frozenset(row[0] for row in CONCEPTS)
