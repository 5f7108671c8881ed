"""The tasks: each row holds a person's request, the phone's state before, and its required state afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import quote_plus

MESSENGER: Final = "com.tencent.mm"
BROWSER: Final = "com.android.chrome"
SETTINGS: Final = "com.android.settings"
DIALER: Final = "com.android.dialer"
LAUNCHER: Final = "com.android.launcher3"
SEARCH: Final = "https://search.example/?q="


@dataclass(frozen=True, slots=True)
class Start:
    """
    State of the phone when the task is given; the factory state for all that is not set.

    `app` is in front (with `page` of the settings, or `chat` of the messenger), `switches` are set, `missing` contacts
    are not there, `drafts` were left unsent, `permission_needed` is the messenger that does not work without its
    permission.
    """

    app: str = ""
    page: str = ""
    chat: str = ""
    switches: Mapping[str, bool] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    drafts: Mapping[str, str] = field(default_factory=dict)
    permission_needed: bool = False


@dataclass(frozen=True, slots=True)
class Goal:
    """
    Required state of the phone in the end, and the only things that may have been done to it.

    `sent` are messages as (contact, text), `visited` addresses and `calls` numbers, in their order; `switches` by their
    titles; `volume` the steps up (or down); `app`, `screen` and `chat` are in front; `value` was read from the screen.
    """

    sent: tuple[tuple[str, str], ...] = ()
    visited: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    switches: Mapping[str, bool] = field(default_factory=dict)
    volume: int = 0
    app: str = ""
    screen: str = ""
    chat: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    """
    `words` are the person's. `solvable`: this phone can do it at all; if not, `goal` holds what may be tried.
    `typed` are the texts that have to be typed: without ADBKeyboard, only ASCII can be.
    """

    name: str
    words: str
    goal: Goal
    start: Start = Start()
    solvable: bool = True
    typed: tuple[str, ...] = ()

    @property
    def app(self) -> str:
        """Return the app that the task is about: its dialogs and crashes are in the way."""
        return self.goal.app or self.start.app or MESSENGER

    @property
    def types_ascii(self) -> bool:
        return all(text.isascii() for text in self.typed)


def message(
    name: str,
    words: str,
    contact: str,
    text: str,
    start: Start = Start(),
    *,
    solvable: bool = True,
) -> Task:
    """Return the task of one message to one contact; its chat is in front afterwards."""
    sent = ((contact, text),) if solvable else ()
    goal = Goal(sent=sent, app=MESSENGER, chat=contact if solvable else "")
    return Task(name, words, goal, start, solvable=solvable, typed=(contact, text))


def switch(name: str, words: str, title: str, on: bool, start: Start = Start()) -> Task:
    """Return the task of one switch of the settings."""
    return Task(name, words, Goal(switches={title: on}, app=SETTINGS), start)


LONG: Final = (
    "我们明天下午三点在二楼东侧的会议室开会，记得带上上周的报告和你的电脑，别迟到了；"
    "会后一起去吃饭，地点在公司对面的那家面馆，我已经订好了六个人的位子。"
)

MESSAGES: Final = (
    message("send-zh", "给张三发微信消息说你好", "张三", "你好"),
    message("send-longer-name", "给张三丰发微信消息说明早见", "张三丰", "明早见"),
    message("send-same-sound", "给章三发微信消息说快递到了吗？", "章三", "快递到了吗？"),
    message("send-lilei-磊", "发微信给李磊说收到", "李磊", "收到"),
    message("send-in-chinese-2", "用微信告诉李雷，明天十点开会", "李雷", "明天十点开会"),
    message("send-similar-glyph", "给王晓明发微信消息说会议改到三点了", "王晓明", "会议改到三点了"),
    message("send-en", "send a wechat message to Alice saying see you at 7", "Alice", "see you at 7"),
    message("send-en-2", "tell Bob on wechat that the train is late", "Bob", "the train is late"),
    message("send-umlaut", "给David Müller发微信消息说Grüße zurück", "David Müller", "Grüße zurück"),
    message("send-emoji", "给韩梅梅发微信消息说好的😀明天见", "韩梅梅", "好的😀明天见"),
    message("send-long", f"给陈晨发微信消息说{LONG}", "陈晨", LONG),
    message("send-quotes", '给赵敏发微信消息说他说"好的"然后走了', "赵敏", '他说"好的"然后走了'),
    message("send-newline", "给刘洋发微信消息说第一行\n第二行", "刘洋", "第一行\n第二行"),
    message(
        "send-url",
        "给黄丽发微信消息说看看 https://example.org/a?b=1&c=2",
        "黄丽",
        "看看 https://example.org/a?b=1&c=2",
    ),
    message("send-shell", "给Carol发微信消息说$(reboot); id", "Carol", "$(reboot); id"),
    message("send-digits", "给妈妈发微信消息说12345", "妈妈", "12345"),
    message("send-file-helper", "给文件传输助手发微信消息说买牛奶", "文件传输助手", "买牛奶"),
    message("send-said-before", "给王小明发微信消息说收到，谢谢！", "王小明", "收到，谢谢！"),
    message("send-from-other-chat", "给张三发微信消息说你好", "张三", "你好", Start(app=MESSENGER, chat="张三丰")),
    message("send-from-same-chat", "给张三发微信消息说你好", "张三", "你好", Start(app=MESSENGER, chat="张三")),
    message("send-beside-draft", "给张三发微信消息说你好", "张三", "你好", Start(drafts={"李磊": "还没写完的话"})),
    message("send-from-settings", "给Alice发微信消息说on my way", "Alice", "on my way", Start(app=SETTINGS)),
    message("send-absent", "给赵六发微信消息说你好", "赵六", "你好", solvable=False),
    message("send-gone", "给张三发微信消息说你好", "张三", "你好", Start(missing=("张三",)), solvable=False),
    message("send-part-of-name", "给张发微信消息说你好", "张", "你好", solvable=False),
    message(
        "send-over-draft",
        "给李雷发微信消息说明天见",
        "李雷",
        "明天见",
        Start(drafts={"李雷": "还没写完的话"}),
        solvable=False,
    ),
    message(
        "send-permission-needed",
        "给张三发微信消息说你好",
        "张三",
        "你好",
        Start(permission_needed=True),
        solvable=False,
    ),
)

APPS: Final = (
    Task("open-messenger", "打开微信", Goal(app=MESSENGER)),
    Task("open-messenger-en", "open wechat", Goal(app=MESSENGER), Start(app=BROWSER)),
    Task("open-messenger-already", "打开微信", Goal(app=MESSENGER), Start(app=MESSENGER)),
    Task(
        "open-messenger-from-chat", "打开微信", Goal(app=MESSENGER, screen="chats"), Start(app=MESSENGER, chat="李雷")
    ),
    Task("open-look-alike", "打开微信读书", Goal(app="com.example.reader")),
    Task("open-calculator", "打开计算器", Goal(app="com.android.calculator2")),
    Task("open-third-page", "打开指南针", Goal(app="com.example.compass")),
    Task("open-settings", "打开系统设置", Goal(app=SETTINGS, screen="main")),
    Task("open-app-absent", "打开支付宝", Goal(), solvable=False),
    Task("open-chat", "打开和张三的聊天", Goal(app=MESSENGER, chat="张三"), typed=("张三",)),
    Task("open-chat-en", "open the chat with Alice", Goal(app=MESSENGER, chat="Alice"), typed=("Alice",)),
    Task("open-chat-absent", "打开和赵六的聊天", Goal(app=MESSENGER), solvable=False, typed=("赵六",)),
    Task("home-screen", "返回桌面", Goal(app=LAUNCHER), Start(app=SETTINGS, page="wifi")),
    Task("messenger-home", "返回微信首页", Goal(app=MESSENGER, screen="chats"), Start(app=MESSENGER, chat="李雷")),
    Task("back", "返回上一页", Goal(app=SETTINGS, screen="main"), Start(app=SETTINGS, page="about")),
)

WEB: Final = (
    Task(
        "search",
        "用浏览器搜索上海天气",
        Goal(visited=(SEARCH + quote_plus("上海天气"),), app=BROWSER, screen="results"),
        typed=("上海天气",),
    ),
    Task(
        "search-en",
        "search for hotels in Berlin",
        Goal(visited=(SEARCH + quote_plus("hotels in Berlin"),), app=BROWSER, screen="results"),
        typed=("hotels in Berlin",),
    ),
    Task(
        "search-from-a-page",
        "在浏览器里搜索面馆",
        Goal(visited=(SEARCH + quote_plus("面馆"),), app=BROWSER, screen="results"),
        Start(app=BROWSER, page="https://news.example/"),
        typed=("面馆",),
    ),
    Task(
        "open-url", "打开网址https://example.org/", Goal(visited=("https://example.org/",), app=BROWSER, screen="page")
    ),
    Task(
        "open-url-offline",
        "打开网址https://example.org/",
        Goal(visited=("https://example.org/",), app=BROWSER),
        Start(switches={"使用 WLAN": False}),
        solvable=False,
    ),
    Task("call", "拨打10086", Goal(calls=("10086",), app=DIALER, screen="call")),
    Task("call-en", "call +44 20 7946 0018", Goal(calls=("+442079460018",), app=DIALER, screen="call")),
)

SWITCHES: Final = (
    switch("airplane-on", "打开飞行模式", "飞行模式", True),
    switch("airplane-already-on", "打开飞行模式", "飞行模式", True, Start(switches={"飞行模式": True})),
    switch("airplane-off", "turn off airplane mode", "飞行模式", False, Start(switches={"飞行模式": True})),
    switch("airplane-already-off", "关闭飞行模式", "飞行模式", False),
    switch("dark-on", "打开深色模式", "深色模式", True),
    switch("saver-by-row", "打开省电模式", "省电模式", True, Start(switches={"勿扰模式": True})),
    switch(
        "disturb-off-by-row", "关闭勿扰模式", "勿扰模式", False, Start(switches={"勿扰模式": True, "省电模式": True})
    ),
    switch("nfc-far-down", "把NFC打开", "NFC", True),
    switch("bluetooth-on-page", "打开蓝牙", "使用蓝牙", True),
    switch("wifi-off-on-page", "turn off wifi", "使用 WLAN", False),
)

READING: Final = (
    Task("setting-page", "在设置里打开显示", Goal(app=SETTINGS, screen="display")),
    Task("setting-far-down", "在设置里找到开发者选项", Goal(app=SETTINGS, screen="developer")),
    Task("setting-absent", "在设置里打开量子模式", Goal(), solvable=False),
    Task("read-version", "查看手机的Android版本", Goal(value="14", app=SETTINGS, screen="about")),
    Task("read-serial-en", "what is my phone's serial number", Goal(value="HANDEYE0001", app=SETTINGS, screen="about")),
    Task(
        "read-and-send",
        "把手机的版本号发给张三",
        Goal(sent=(("张三", "版本号：HE.2026.1"),), app=MESSENGER, chat="张三", value="HE.2026.1"),
        typed=("张三", "版本号：HE.2026.1"),
    ),
    Task("louder", "音量调大", Goal(volume=1)),
    Task("quieter", "turn down the volume", Goal(volume=-1)),
    Task("unknown", "烤一个蛋糕", Goal(), solvable=False),
)

TASKS: Final = (*MESSAGES, *APPS, *WEB, *SWITCHES, *READING)
