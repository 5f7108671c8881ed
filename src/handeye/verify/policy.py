"""Who decides on a permission that an app asks for: nobody grants one silently."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Literal

from handeye.errors import UsageError
from handeye.locate.match_text import normalize
from handeye.verify.base import Blocker, BlockerType, DismissSuggestion

PermissionChoice = Literal["ask", "deny", "allow-listed"]
CHOICES: Final = ("ask", "deny", "allow-listed")

# What apps ask for, and how Android and iOS say so in their requests, Chinese and English. Every kind that a request's words
# name has to be allowed: a request for the camera "and to record audio" is two.
PERMISSIONS: Final[dict[str, tuple[str, ...]]] = {
    "location": ("location", "位置", "定位", "地理位置"),
    "camera": ("camera", "take pictures", "take photos", "record video", "相机", "摄像头", "拍照", "拍摄", "录像"),
    "microphone": ("microphone", "record audio", "麦克风", "录音", "录制音频"),
    "contacts": ("contacts", "address book", "通讯录", "联系人"),
    "photos": ("photos", "photo library", "gallery", "照片", "相册", "图片"),
    "storage": ("storage", "files", "media", "music", "存储", "文件", "媒体", "音乐", "视频"),
    "phone": ("phone calls", "phone state", "phone", "拨打", "打电话", "电话", "通话状态", "设备信息"),
    "call log": ("call log", "call logs", "通话记录"),
    "sms": ("sms", "text messages", "短信"),
    "calendar": ("calendar", "日历", "日程"),
    "notifications": ("notifications", "通知"),
    "nearby devices": ("nearby devices", "bluetooth", "relative position", "附近的设备", "附近设备", "蓝牙"),
    "local network": ("local network", "本地网络", "局域网"),
    "activity": ("physical activity", "fitness", "motion", "身体活动", "健身", "运动数据", "健康"),
    "sensors": ("body sensors", "vital signs", "heart rate", "身体传感器", "心率"),
    "tracking": ("track", "跟踪", "追踪"),
    "clipboard": ("clipboard", "paste from", "剪贴板", "粘贴"),
    "overlay": ("display over other apps", "draw over", "悬浮窗", "显示在其他应用"),
    "installing": ("install", "unknown apps", "安装"),
    "accounts": ("accounts", "账号", "帐号", "账户"),
    "screen": (
        "recording or casting",
        "record your screen",
        "screen capture",
        "录制屏幕",
        "投屏",
        "截取屏幕",
        "屏幕上显示的",
    ),
    "administration": ("device admin", "accessibility", "vpn", "root", "超级用户", "设备管理", "无障碍"),
}
_BY_WORD: Final = {normalize(word): kind for kind, words in PERMISSIONS.items() for word in (kind, *words)}
# The app that asks, as requests name it: “X” wants …, Allow X to …, 允许X访问 …
_ASKING: Final = re.compile(
    r"[“\"「『'‘](?P<quoted>[^“”\"「」『』'‘’]{1,60})[”\"」』'’]"
    r"|\ballow\s+(?P<english>.{1,60}?)\s+to\b|允许\s*(?P<chinese>.{1,30}?)\s*(?:访问|使用|获取|读取|拍摄|录制|拨打|发送|在|向)",
    re.I,
)

Ask = Callable[[Blocker], bool | None]
"""Asks a person whether to grant what a blocker asks for; None when nobody answers."""


@dataclass(frozen=True, slots=True)
class _Allowed:
    """A permission of one app, or of any (`app` empty)."""

    app: str
    kind: str


class PermissionPolicy:
    """
    What becomes of permission requests: "deny" refuses them, "ask" asks a person, "allow-listed" grants those in `allowed` and
    refuses all others.

    An entry of `allowed` is a permission ("位置", "location", "相机"; see PERMISSIONS), or one of one app ("微信:位置"). `ask`
    is called with the blocker when the choice is "ask". Raises UsageError for an unknown choice or permission.
    """

    def __init__(self, choice: PermissionChoice = "deny", allowed: Iterable[str] = (), ask: Ask | None = None) -> None:
        if choice not in CHOICES:
            raise UsageError(f"no permission policy is called {choice!r}; there are: {', '.join(CHOICES)}")
        self.choice: PermissionChoice = choice
        self._allowed = frozenset(_entry(each) for each in allowed)
        self._ask = ask

    def dismissal(self, blocker: Blocker) -> DismissSuggestion | None:
        """
        How to get past `blocker`: for a permission request by what this policy decides, for anything else as it suggests.

        None: nobody may decide, or nobody knows how; the step then needs a person.
        """
        if blocker.type is not BlockerType.PERMISSION:
            return blocker.dismiss_suggestion
        if self.choice == "ask":
            answer = self._ask(blocker) if self._ask is not None else None
            if answer is None:
                return None
            return blocker.grant if answer else blocker.dismiss_suggestion
        if self.choice == "allow-listed" and blocker.grant is not None and self._allows(blocker.words):
            return blocker.grant
        return blocker.dismiss_suggestion

    def _allows(self, words: str) -> bool:
        """Whether everything that the words ask for is on the list; words that ask for nothing known are never granted."""
        asked = asked_for(words)
        app = normalize(asking_app(words) or "")
        return bool(asked) and all(
            _Allowed("", kind) in self._allowed or (app and _Allowed(app, kind) in self._allowed) for kind in asked
        )


def asked_for(words: str) -> frozenset[str]:
    """The permissions that a request names, by their names in PERMISSIONS."""
    plain = normalize(words)
    return frozenset(kind for word, kind in _BY_WORD.items() if word in plain)


def asking_app(words: str) -> str | None:
    """The app that asks, as the request calls it; None when it names none."""
    named = _ASKING.search(words)
    return next((each.strip() for each in named.groups() if each), None) if named else None


def _entry(written: str) -> _Allowed:
    app, _, name = written.replace("：", ":").rpartition(":")
    kind = _BY_WORD.get(normalize(name))
    if kind is None:
        raise UsageError(f"{written!r} names no permission that is known here; there are: {', '.join(PERMISSIONS)}")
    return _Allowed(normalize(app), kind)
