"""What a step does by its words: what cannot be taken back, what a second tap turns back or adds to, what sends a text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Hashable
from dataclasses import replace
from typing import Final

from handeye.devices import KEYCODES
from handeye.plan import CALLING, DELETE, PAY, SEND, SHARE, Act, ActionName, StepPlan, named_acts
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
# What adds up, or flips back, with each time it is done, by the words of its control; not the pages that are called after it.
# What agrees, pays, sends or deletes is final anyway.
_ADDS: Final = re.compile(
    r"加购|加入(?!的)|添加(?!的|朋友(?:页面?)?$)|增加|减少|加一|减一|[加减]号|数量[加减]|音量[加减增+-]|调[大小高低]|赞一[个下]|取消赞|喜欢(?!的)|点踩"
    r"|(?<!我的)(?<!查看)(?:点赞|关注|订阅|收藏|星标|播放|投票|签到|报名|预约|预订|申请|领取)(?![夹页栏列器的号]|列表|中心|记录|历史|须知|结果|说明|规则)"
    r"|置顶|静音|暂停|打卡|邀请|拍一拍|拍照|快门|录制|录音(?!机)|[上下]一[首曲集]|快进|快退|保存(?!的)|创建|抢(?!先|票软件)"
    r"|再来一[单份]|来一[单份]|送出|抽奖|领券|兑换(?!记录)|签收|加好友|开锁|解锁(?!方式)|叫车|取号"
    r"|(?<![a-z])(?:add|increase|increment|decrease|decrement|plus|minus|louder|quieter|volume (?:up|down)|unlike|dislike"
    r"|upvote|downvote|vote|follow|unfollow|favou?rite|unfavou?rite|bookmark|mute|unmute|pause|play(?! store)|claim"
    r"|redeem|check ?in|join|invite|apply|book now|reserve|save|create|shutter|take (?:a )?(?:photo|picture)"
    r"|reorder|repost|retweet|bid|spin|enroll"
    # Not "looks like a gear".
    r"|(?<!looks )(?<!looking )(?<!shaped )like(?! an?(?![a-z])| the(?![a-z])))(?![a-z])"
)
# The same as a sign, which is all that stands on such a button; and the keys of a dialler or a calculator.
_ADDING_SIGNS: Final = re.compile(r"(?:[+\-−–➕➖👍👎❤♥♡☆★⭐0-9*#]|赞|踩|抢|\+ ?1)\ufe0f?")
_ADDING_KEYS: Final = frozenset(
    KEYCODES[key]
    for key in (
        "VOLUME_UP",
        "VOLUME_DOWN",
        "VOLUME_MUTE",
        "MUTE",
        "POWER",
        "CAMERA",
        "HEADSETHOOK",
        "MEDIA_PLAY_PAUSE",
        "MEDIA_NEXT",
        "MEDIA_PREVIOUS",
        "MEDIA_FAST_FORWARD",
        "MEDIA_REWIND",
    )
)
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


def _code_of(step: StepPlan) -> str | int | None:
    """The number of the step's key, where it is known, so that it is the same by whatever name."""
    key = key_of(step)
    return KEYCODES.get(key, key) if isinstance(key, str) else key


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


def looks_first(step: StepPlan) -> bool:
    """
    Whether the step turns a switch only where it is seen to stand the other way. The look may be older than the step, where a
    group of steps shares it, but not older than the plan that is carried out.
    """
    expect = step.expectation
    if expect is None or expect.switch is None:
        return False
    other_way = replace(expect, switch=not expect.switch)
    return any(each.wanted and each.expect == other_way for each in step.conditions)


def adds_up(step: StepPlan) -> bool:
    """
    Whether each time that the step is done counts, or flips back the time before: one more in the cart, a like, a louder tone.
    By the words of its target, its description where it has none, or its key. A tab only leads to a page.
    """
    wanted = step.wanted
    if step.action is ActionName.PRESS_KEY:
        return _code_of(step) in _ADDING_KEYS
    if wanted is None or not step.action.needs_target or (wanted.role and role_of(wanted.role) == "tab"):
        return False
    sign = unicodedata.normalize("NFKC", (wanted.text or "").strip())
    return _ADDING_SIGNS.fullmatch(sign) is not None or _ADDS.search(_said(step).casefold()) is not None


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
    if step.action is ActionName.PRESS_KEY:
        return step.action, _code_of(step)
    return step.action, step.wanted, tuple(sorted((name, repr(value)) for name, value in step.params.items()))


def names_of(step: StepPlan) -> frozenset[str]:
    """What the step's target is called, as plain words."""
    wanted = step.wanted
    if wanted is None:
        return frozenset()
    return frozenset(filter(None, map(plain, filter(None, (wanted.text, wanted.description, wanted.reference)))))


def is_called_alike(names: frozenset[str], others: frozenset[str]) -> bool:
    """Whether a name is the same, or one of them stands in another: "WLAN" and "the WLAN switch"."""
    return bool(names & others) or any(
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
