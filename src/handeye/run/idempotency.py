"""
Idempotency of steps, by their words: acts that cannot be undone, that a second tap reverts or adds to, and that send a text.
"""

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

# Keys that send, by Android's key names and key codes.
_SENDING_KEYS: Final = frozenset({"ENTER", "NUMPAD_ENTER", "DPAD_CENTER", "SEARCH", 66, 160, 23, 84})
# Keys that activate the focused button, which may be one that agrees: those, and the space bar.
_AGREEING_KEYS: Final = _SENDING_KEYS | {"SPACE", 62}
_PREFIX: Final = "KEYCODE_"
# Acts that cannot be undone, and that a slow server may carry out twice; and labels of buttons that agree to one.
_HANDS_ON: Final = (SEND, SHARE)
_LASTING: Final = (PAY, DELETE, CALLING)
_AGREES: Final = re.compile(r"确[认定]|同意|\b(?:confirm|ok|yes|agree)\b", re.IGNORECASE)
# Words for the results of a search for a name.
_RESULTS: Final = re.compile(
    r"结果|联系人|列表|选项|建议|\b(?:results?|contacts?|suggestions?|list|option)\b", re.IGNORECASE
)
# Labels of buttons that send. A text that is one of them may be the button, and is never taken for a search result of that
# name.
_LABELS: Final = re.compile(
    r"发送|发出|发布|发表|提交|确[认定]|完成|好的?|支付|付款|转账|下单|分享|转发|回复|评论|搜索|前往"
    r"|send|submit|post|publish|done|pay|confirm|order|transfer|share|reply|comment|search|go|ok|yes",
    re.IGNORECASE,
)
# Controls that a second tap turns back, by role, by words that ask for one, and by the state they show afterwards.
_TURNING: Final = frozenset({"switch", "checkbox"})
_TURNS: Final = re.compile(r"开关|開關|勾选|切换|\b(?:switch|toggle|check ?box|tick ?box)\b", re.IGNORECASE)
_STATES: Final = re.compile(r"(?:已|is )?(?:开|关|开启|打开|关闭|启用|停用|on|off|enabled|disabled)", re.IGNORECASE)
# Labels of controls whose act adds up, or flips back, each time it is done; not the pages named after such an act. What
# agrees, pays, sends or deletes is final anyway.
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
# The same as a symbol, which is the only text on such a button; and the keys of a dialler or a calculator.
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
# Minimum number of characters of a name: shorter ones occur in other names by chance.
_TELLING: Final = 2


def sends_by_key(step: StepPlan) -> bool:
    """Return True if the step presses a key that sends the text in a field."""
    return key_of(step) in _SENDING_KEYS


def agrees_by_key(step: StepPlan) -> bool:
    """Return True if the step presses a key that activates the focused button."""
    return key_of(step) in _AGREEING_KEYS


def key_of(step: StepPlan) -> str | int | None:
    """Return the key's name in capitals and without its prefix, or its key code; None for a step that presses none."""
    if step.action is not ActionName.PRESS_KEY:
        return None
    key = step.params.get("key", step.params.get("keycode"))
    if isinstance(key, str):
        key = key.strip().upper().removeprefix(_PREFIX)
        key = int(key) if key.isdecimal() else key
    return key if isinstance(key, str | int) else None


def _code_of(step: StepPlan) -> str | int | None:
    """Return the key code of the step's key, where it is known, so that all names of a key are equal."""
    key = key_of(step)
    return KEYCODES.get(key, key) if isinstance(key, str) else key


def is_final(step: StepPlan) -> bool:
    """
    Return True if the step does what cannot be undone: a call, a payment, an order, a message, a deletion, or the button that
    agrees to one. Decided by the words of its target; by its description where the target has none.
    """
    return step.action is ActionName.CALL or _names(step, (*_LASTING, *_HANDS_ON)) or _agrees(step)


def only_sends_text(step: StepPlan) -> bool:
    """Return True if the step's only irreversible act is to send the text in a field."""
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


def is_toggle(step: StepPlan, role: str = "") -> bool:
    """
    Return True if the step taps what a second tap turns back; `role` is the role of the found element, where that is known.
    """
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
    Return True if the step turns a switch only where the switch is seen in the other state. That condition may have been
    checked before the step, where a group of steps shares it, but not before the current plan.
    """
    expect = step.expectation
    if expect is None or expect.switch is None:
        return False
    other_way = replace(expect, switch=not expect.switch)
    return any(each.wanted and each.expect == other_way for each in step.conditions)


def is_cumulative(step: StepPlan) -> bool:
    """
    Return True if each repetition of the step counts, or reverts the one before: one more in the cart, a like, a higher
    volume. Decided by the words of its target, its description where the target has none, or its key. A tab only leads to a
    page.
    """
    wanted = step.wanted
    if step.action is ActionName.PRESS_KEY:
        return _code_of(step) in _ADDING_KEYS
    if wanted is None or not step.action.needs_target or (wanted.role and role_of(wanted.role) == "tab"):
        return False
    sign = unicodedata.normalize("NFKC", (wanted.text or "").strip())
    return _ADDING_SIGNS.fullmatch(sign) is not None or _ADDS.search(_said(step).casefold()) is not None


def chooses(target: Target, typed: str) -> bool:
    """
    Return True if the target is the typed text itself, or a result or contact of that name, and no button that sends it.
    """
    if _LABELS.fullmatch(typed.strip()) is not None:
        return False
    if target.text is not None:
        return target.text.strip() == typed
    said = target.description or ""
    return (
        typed in said and _RESULTS.search(said) is not None and not any(named_acts(said)) and not _AGREES.search(said)
    )


def act_of(step: StepPlan) -> Hashable:
    """Return a key that is equal for two steps with the same act: the action, its target and its params."""
    if step.action is ActionName.CALL:
        return step.action, re.sub(r"[^\d*#]", "", str(step.params.get("number", "")))
    if step.action is ActionName.PRESS_KEY:
        return step.action, _code_of(step)
    return step.action, step.wanted, tuple(sorted((name, repr(value)) for name, value in step.params.items()))


def names_of(step: StepPlan) -> frozenset[str]:
    """Return the names of the step's target, normalised by `plain`."""
    wanted = step.wanted
    if wanted is None:
        return frozenset()
    return frozenset(filter(None, map(plain, filter(None, (wanted.text, wanted.description, wanted.reference)))))


def have_similar_names(names: frozenset[str], others: frozenset[str]) -> bool:
    """Return True if a name is in both sets, or contained in a name of the other set: "WLAN" and "the WLAN switch"."""
    return bool(names & others) or any(
        min(len(one), len(other)) >= _TELLING and (one in other or other in one) for one in names for other in others
    )


def plain(text: str) -> str:
    """Return the text without what rewording changes first: case, width, blanks and punctuation. Symbols and emoji stay."""
    return (
        "".join(
            each
            for each in unicodedata.normalize("NFKC", text).casefold()
            if unicodedata.category(each)[0] not in "PZC"
        )
        or text.strip()
    )
