"""What a step taps, by its words."""

from __future__ import annotations

import re
from typing import Final

from handeye.plan.base import StepPlan
from handeye.target import DYNAMIC, TEXT
from handeye.text import skeleton

_CLICKS: Final = re.compile(
    r"(?:点击|点按|点|轻触|长按|按下?|选择|tap|click|press|hit|choose|select)\s*(?:on\s+|the\s+)*[“\"「『'‘]?(.{0,14})"
)
# What stands beside it says nothing of the thing: "the field left of Send", 发送左边的输入框.
_BESIDE: Final = re.compile(
    r"\b(?:next to|beside|left of|right of|near|above|below|under|over|behind)\b", re.IGNORECASE
)
_BEFORE: Final = re.compile("(?:旁边?|左[边侧面]|右[边侧面]|上[方面边]|下[方面边])的?")
# What stands on switches, and on hardly anything that leads to a page. Android's pages call their first one "Use Bluetooth".
_SWITCHES: Final = re.compile(
    r"模式(?![一-鿿])|开关|免打扰|勿扰|静音|振动|自动旋转|自动调节|保持唤醒|usb ?调试|(?<![a-z])nfc(?![a-z])"
    r"|使用 ?(?:wlan|蓝牙|wi-?fi|nfc)"
    r"|\b(?:mode|switch|toggle|do not disturb|auto-?rotate|use (?:wi-?fi|bluetooth|nfc)|usb debugging|stay awake|mute)\b"
)


def controls_of(step: StepPlan) -> str:
    """The words of what a step taps, without those that only say where it stands (`skeleton`)."""
    wanted = step.wanted
    if wanted is None:
        return ""
    described = (head_of(words) for words in (wanted.description, wanted.phrase) if words)
    named = [wanted.text, wanted.reference, wanted.id, wanted.path, *described]
    if step.target_ref and not step.target_ref.startswith((TEXT, DYNAMIC)):
        named.append(step.target_ref)
    return skeleton(" ".join(dict.fromkeys(word for word in (*named, clicked(step.description)) if word)))


def is_only_described(step: StepPlan) -> bool:
    """Whether nothing but a description says what the step taps: no text that stands on it, no id, and no picture of it."""
    wanted = step.wanted
    return wanted is not None and not (wanted.text or wanted.reference or wanted.id or wanted.path)


def head_of(words: str) -> str:
    """What is described, without what it stands beside."""
    return _BESIDE.split(_BEFORE.split(words)[-1])[0]


def clicked(description: str) -> str:
    """What a step's description says is clicked."""
    return " ".join(head_of(found[1]) for found in _CLICKS.finditer(skeleton(description)))


def is_switch(words: str) -> bool:
    """Whether these are words that stand on a switch, and on hardly anything that leads to a page."""
    return _SWITCHES.search(skeleton(words)) is not None
