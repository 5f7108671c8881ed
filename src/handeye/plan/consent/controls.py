"""Words of the control that a step taps."""

from __future__ import annotations

import re
from typing import Final

from handeye.plan.base import StepPlan
from handeye.target import DYNAMIC, TEXT
from handeye.text import skeleton

_CLICKS: Final = re.compile(
    r"(?:点击|点按|点|轻触|长按|按下?|选择|tap|click|press|hit|choose|select)\s*(?:on\s+|the\s+)*[“\"「『'‘]?(.{0,14})"
)
# A neighbour's name does not describe the control: "the field left of Send", 发送左边的输入框.
_POSITION_EN: Final = re.compile(
    r"\b(?:next to|beside|left of|right of|near|above|below|under|over|behind)\b", re.IGNORECASE
)
_POSITION_ZH: Final = re.compile("(?:旁边?|左[边侧面]|右[边侧面]|上[方面边]|下[方面边])的?")
# Labels of switches that hardly any link to a page has. Android's settings pages name their first switch "Use Bluetooth".
_SWITCHES: Final = re.compile(
    r"模式(?![一-鿿])|开关|免打扰|勿扰|静音|振动|自动旋转|自动调节|保持唤醒|usb ?调试|(?<![a-z])nfc(?![a-z])"
    r"|使用 ?(?:wlan|蓝牙|wi-?fi|nfc)"
    r"|\b(?:mode|switch|toggle|do not disturb|auto-?rotate|use (?:wi-?fi|bluetooth|nfc)|usb debugging|stay awake|mute)\b"
)


def controls_of(step: StepPlan) -> str:
    """Return the folded words (`skeleton`) of what a step taps, without those that only give its position."""
    wanted = step.wanted
    if wanted is None:
        return ""
    described = (head_of(words) for words in (wanted.description, wanted.phrase) if words)
    named = [wanted.text, wanted.reference, wanted.id, wanted.path, *described]
    if step.target_ref and not step.target_ref.startswith((TEXT, DYNAMIC)):
        named.append(step.target_ref)
    return skeleton(" ".join(dict.fromkeys(word for word in (*named, clicked(step.description)) if word)))


def is_only_described(step: StepPlan) -> bool:
    """Return True if only a description identifies what the step taps: no text, reference image, id or path."""
    wanted = step.wanted
    return wanted is not None and not (wanted.text or wanted.reference or wanted.id or wanted.path)


def head_of(words: str) -> str:
    """Return a description without the neighbours by which it gives the position."""
    return _POSITION_EN.split(_POSITION_ZH.split(words)[-1])[0]


def clicked(description: str) -> str:
    """Return the words that a step's description names as clicked."""
    return " ".join(head_of(found[1]) for found in _CLICKS.finditer(skeleton(description)))


def is_switch(words: str) -> bool:
    """Return True if a switch has such a label, and hardly any link to a page does."""
    return _SWITCHES.search(skeleton(words)) is not None
