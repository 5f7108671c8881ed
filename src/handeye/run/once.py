"""What a step does by its words: what cannot be taken back, what a second tap turns back, what sends a text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Hashable
from typing import Final

from handeye.plan.base import ActionName, StepPlan
from handeye.plan.words import CALLING, DELETE, PAY, SEND, SHARE, Act, named_acts
from handeye.roles import role_of
from handeye.target import Target

# Keys that send, by Android's names and numbers.
_SENDING_KEYS: Final = frozenset({"ENTER", "NUMPAD_ENTER", "DPAD_CENTER", "SEARCH", 66, 160, 23, 84})
# Keys that press the button in focus, which may be one that agrees: those, and the space bar.
_AGREEING_KEYS: Final = _SENDING_KEYS | {"SPACE", 62}
_PREFIX: Final = "KEYCODE_"
# Acts that cannot be taken back, and that a slow server may do twice; and the buttons that agree to one.
_HANDS_ON: Final = (SEND, SHARE)
_LASTING: Final = (PAY, DELETE, CALLING)
_AGREES: Final = re.compile(r"确[认定]|同意|\b(?:confirm|ok|yes|agree)\b", re.IGNORECASE)
# What people call that which a search for a name brings up.
_RESULTS: Final = re.compile(
    r"结果|联系人|列表|选项|建议|\b(?:results?|contacts?|suggestions?|list|option)\b", re.IGNORECASE
)
# Labels of buttons that send. A text that is one of them may be the button, and is never taken for a result of its name.
_LABELS: Final = re.compile(
    r"发送|发出|发布|发表|提交|确[认定]|完成|好的?|支付|付款|转账|下单|分享|转发|回复|评论|搜索|前往"
    r"|send|submit|post|publish|done|pay|confirm|order|transfer|share|reply|comment|search|go|ok|yes",
    re.IGNORECASE,
)
# Controls that a second tap turns back, by role, by the words of who asks for one, and by what they show afterwards.
_TURNING: Final = frozenset({"switch", "checkbox"})
_TURNS: Final = re.compile(r"开关|開關|勾选|切换|\b(?:switch|toggle|check ?box|tick ?box)\b", re.IGNORECASE)
_STATES: Final = re.compile(r"(?:已|is )?(?:开|关|开启|打开|关闭|启用|停用|on|off|enabled|disabled)", re.IGNORECASE)
# Characters of a name below which it stands in other names by chance.
_TELLING: Final = 2


def sends_by_key(step: StepPlan) -> bool:
    """Whether the step presses a key that sends what stands in a field."""
    return key_of(step) in _SENDING_KEYS


def agrees_by_key(step: StepPlan) -> bool:
    """Whether the step presses a key that presses the button in focus."""
    return key_of(step) in _AGREEING_KEYS


def key_of(step: StepPlan) -> str | int | None:
    """The key's name in capitals and without its prefix, or its number; None for a step that presses none."""
    if step.action is not ActionName.PRESS_KEY:
        return None
    key = step.params.get("key", step.params.get("keycode"))
    if isinstance(key, str):
        key = key.strip().upper().removeprefix(_PREFIX)
        key = int(key) if key.isdecimal() else key
    return key if isinstance(key, str | int) else None


def is_final(step: StepPlan) -> bool:
    """
    Whether the step does what cannot be taken back: a call, a payment, an order, a message, a deletion, or the button that
    agrees to one. By the words of its target; by its description where the target has none.
    """
    return step.action is ActionName.CALL or _names(step, (*_LASTING, *_HANDS_ON)) or _agrees(step)


def only_hands_on(step: StepPlan) -> bool:
    """Whether what the step does for good is to send the text that stands in a field, and nothing but that."""
    return step.action is not ActionName.CALL and not _names(step, _LASTING)


def _names(step: StepPlan, acts: Collection[Act]) -> bool:
    said = _said(step)
    return bool(said) and any(act in acts for act in named_acts(said))


def _agrees(step: StepPlan) -> bool:
    return _AGREES.search(_said(step)) is not None


def _said(step: StepPlan) -> str:
    wanted = step.wanted
    if not step.action.needs_target or wanted is None:
        return ""
    said = " ".join(filter(None, (wanted.text, wanted.description, wanted.reference, wanted.id)))
    return said or step.description


def turns(step: StepPlan, role: str = "") -> bool:
    """Whether the step taps what a second tap turns back; `role` is what the found element is, where that is known."""
    wanted, expect = step.wanted, step.expectation
    if not step.action.needs_target:
        return False
    if expect is not None and (expect.switch is not None or _STATES.fullmatch((expect.text or "").strip())):
        return True
    asked = role_of(wanted.role) if wanted is not None and wanted.role else None
    said = " ".join(filter(None, (step.description, wanted.description if wanted is not None else None)))
    return asked in _TURNING or role in _TURNING or _TURNS.search(said) is not None


def chooses(target: Target, typed: str) -> bool:
    """Whether the target is what was typed itself, or a result or contact of that name, and no button that sends it."""
    if _LABELS.fullmatch(typed.strip()) is not None:
        return False
    if target.text is not None:
        return target.text.strip() == typed
    said = target.description or ""
    return (
        typed in said and _RESULTS.search(said) is not None and not any(named_acts(said)) and not _AGREES.search(said)
    )


def act_of(step: StepPlan) -> Hashable:
    """What makes two acts the same: what is done, to what, and how."""
    if step.action is ActionName.CALL:
        return step.action, re.sub(r"[^\d*#]", "", str(step.params.get("number", "")))
    return step.action, step.wanted, tuple(sorted((name, repr(value)) for name, value in step.params.items()))


def names_of(step: StepPlan) -> frozenset[str]:
    """What the step's target is called, as plain words."""
    wanted = step.wanted
    if wanted is None:
        return frozenset()
    return frozenset(filter(None, map(plain, filter(None, (wanted.text, wanted.description, wanted.reference)))))


def is_called_alike(names: frozenset[str], others: frozenset[str]) -> bool:
    """Whether one of the names stands in another: "WLAN" and "the WLAN switch"."""
    return any(
        min(len(one), len(other)) >= _TELLING and (one in other or other in one) for one in names for other in others
    )


def plain(text: str) -> str:
    """The text without what a rewording changes first: case, width, blanks and punctuation. Symbols and emoji stay."""
    return (
        "".join(
            each
            for each in unicodedata.normalize("NFKC", text).casefold()
            if unicodedata.category(each)[0] not in "PZC"
        )
        or text.strip()
    )
