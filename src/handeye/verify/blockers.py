"""What stands in the way of a step, recognised offline from words and layout together, and how to get rid of it.

The words are data, Chinese and English. Words alone never make a blocker: a chat may well say 允许. A dialog needs a card over
a darkened page, loading an otherwise empty page, a keyboard its rows of keys.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from handeye.geometry import Box
from handeye.locate.match_text import labels_of, normalize
from handeye.ocr.base import RegionReader, TextLine, TextReader
from handeye.perceive.base import StateProvider
from handeye.screen import Screen
from handeye.verify.base import Blocker, BlockerType, DismissSuggestion
from handeye.verify.glyphs import find_cross, find_spinner
from handeye.verify.keyboard import find_keyboard, hides_its_field
from handeye.verify.modal import Modal, find_modal

KEYCODE_BACK: Final = 4
WAIT_MS: Final = 800  # long enough that waiting is worth a new look, short enough not to be noticed


def _labels(labels: str) -> tuple[str, ...]:
    return tuple(normalize(label) for label in labels.split("|"))


# Labels of buttons, the preferred one first. To refuse is always safe; a person can still allow.
REFUSE: Final = _labels("拒绝|不允许|禁止|不同意|拒绝且不再询问|拒绝并不再询问|Don't allow|Deny|Decline|Refuse")
GRANT: Final = _labels(
    "允许|始终允许|仅在使用中允许|仅在使用期间允许|使用时允许|使用应用时允许|仅限这一次|本次运行允许|仅此一次|允许一次"
    "|Allow|While using the app|Only this time|Allow once|Allow all the time|Allow while using app"
)
# OK comes last: beside a Cancel it means "yes, do that", and what that is the screen's words decide.
CLOSE_FAILED: Final = _labels("取消|Cancel|我知道了|知道了|Got it|Dismiss|关闭应用|Close app|关闭|Close|确定|OK")
LATER: Final = _labels(
    "取消|稍后|稍后再说|以后再说|下次再说|暂不|暂不更新|以后|不了|不用了|忽略|跳过|残忍拒绝|不感兴趣|关闭|我知道了|知道了"
    "|Cancel|Later|Not now|No thanks|No, thanks|Maybe later|Remind me later|Skip|Dismiss|Close|Got it"
)
ADVERT_MARKS: Final = _labels("广告|推广|赞助|Ad|Ads|Sponsored|Advertisement")
FAILED: Final = re.compile(
    r"停止运行|无响应|没有响应|keepsstopping|hasstopped|isn't?responding|notresponding|出错了|发生错误|网络异常|网络错误|连接失败|加载失败",
)
SKIP: Final = re.compile(r"跳过广告|skipads?|跳过\(?\d{1,2}s?\)?|\d{1,2}s?\|?跳过|skip\(?\d{1,2}s?\)?|\d{1,2}s?\|?skip")
LOADING: Final = re.compile(
    r"(?:正在)?(?:加载|载入|处理|连接|登录|刷新|请求)中|正在(?:加载|载入|处理|连接|登录|刷新)|请稍候|请稍等|loading|pleasewait|justamoment"
)
# A page that loads says little else; more lines than this on it and the word is only a part of the content.
_LOADING_LINES: Final = 2
# A splash advert's skip button stands in the corner: right of and above these shares of the frame, or below the last.
_SKIP_LEFT: Final = 0.6
_SKIP_TOP: Final = 0.16
_SKIP_BOTTOM: Final = 0.84


def find_blocker(screen: Screen, reader: TextReader, state: StateProvider | None = None) -> Blocker | None:
    """
    What covers the screen, or None. Raises OcrFailed when the screen could not be read.

    Of a card over a darkened page only the card is read, where the reader can.
    """
    modal = find_modal(screen)
    if modal is not None:
        on_card = reader.read_region(screen, modal.box) if isinstance(reader, RegionReader) else reader.read(screen)
        blocker = _dialog(screen, modal, on_card)
        if blocker is not None:
            return blocker
    lines = reader.read(screen)
    return _splash(screen, lines) or _loading(screen, lines) or _keyboard(screen, lines)


def _dialog(screen: Screen, modal: Modal, lines: Sequence[TextLine]) -> Blocker | None:
    """A card over the page: by its words, else by its ✕."""
    card = modal.box
    inside = [label for line in lines for label in labels_of(line) if card.contains(label.box.center)]
    said = {normalize(line.text): line for line in inside}
    words = "".join(said)
    refuse = _first(REFUSE, said)
    if refuse and _first(GRANT, said):
        return _tap(BlockerType.PERMISSION, "a permission request", refuse.text, refuse.box, card)
    close = _first(CLOSE_FAILED, said)
    if FAILED.search(words):
        how = _tap(BlockerType.ERROR, "an error message", close.text, close.box, card) if close else None
        return how or _press_back(BlockerType.ERROR, "an error message without a known button", card)
    if LOADING.search(words) and len(inside) <= _LOADING_LINES:
        return _wait("a loading message over the page", card)
    return _advert_or_popup(screen, modal, said)


def _advert_or_popup(screen: Screen, modal: Modal, said: dict[str, TextLine]) -> Blocker | None:
    card = modal.box
    cross = find_cross(screen, card)
    later = _first(LATER, said)
    if any(mark in said for mark in ADVERT_MARKS):
        if cross:
            return _tap(BlockerType.AD, "an advert", "✕", cross, card)
        if later:
            return _tap(BlockerType.AD, "an advert", later.text, later.box, card)
        return _press_back(BlockerType.AD, "an advert without a ✕", card)
    if later:
        return _tap(BlockerType.DIALOG, "a dialog", later.text, later.box, card)
    if cross and modal.darkened:
        return _tap(BlockerType.POPUP, "a pop-up with a ✕", "✕", cross, card)
    if modal.darkened and said:
        return _press_back(BlockerType.UNKNOWN, "a card over the page whose buttons are not known", card)
    return None


def _splash(screen: Screen, lines: Sequence[TextLine]) -> Blocker | None:
    """A full-screen advert: its skip button stands in a corner and counts down or names the advert."""
    width, height = screen.size
    marked = any(normalize(line.text) in ADVERT_MARKS for line in lines)
    for line in lines:
        x, y = line.box.center
        corner = x >= _SKIP_LEFT * width and (y <= _SKIP_TOP * height or y >= _SKIP_BOTTOM * height)
        text = normalize(line.text)
        if corner and (SKIP.fullmatch(text) or (marked and text in ("跳过", "skip"))):
            return _tap(BlockerType.AD, "a full-screen advert", line.text, line.box, screen.box)
    return None


def _loading(screen: Screen, lines: Sequence[TextLine]) -> Blocker | None:
    width, height = screen.size
    content = [line for line in lines if 0.08 * height < line.box.center.y < 0.9 * height]
    if len(content) > _LOADING_LINES:
        return None
    for line in content:
        x, y = line.box.center
        central = abs(x - width / 2) <= 0.12 * width and 0.2 * height <= y <= 0.85 * height
        if central and LOADING.fullmatch(normalize(line.text)):
            return _wait(f"the page is loading: {line.text!r}", line.box)
    # A ring is often read as a letter: C, O.
    ring = find_spinner(screen) if all(len(line.text) == 1 for line in content) else None
    return _wait("the page is loading: a turning ring", ring) if ring else None


def _keyboard(screen: Screen, lines: Sequence[TextLine]) -> Blocker | None:
    keyboard = find_keyboard(screen, lines)
    if keyboard is None or not hides_its_field(screen, keyboard):
        return None
    return _press_back(BlockerType.KEYBOARD, "the keyboard covers the field it types into", keyboard)


def _first(labels: Sequence[str], said: dict[str, TextLine]) -> TextLine | None:
    return next((said[label] for label in labels if label in said), None)


def _tap(kind: BlockerType, what: str, label: str, box: Box, where: Box) -> Blocker:
    reference = f"dynamic:{label}" if label == "✕" else f"text:{label}"
    return Blocker(kind, what, DismissSuggestion("tap", reference, f"tap {label!r}", box=box), where)


def _press_back(kind: BlockerType, what: str, where: Box) -> Blocker:
    return Blocker(kind, what, DismissSuggestion("press_key", None, "press BACK", keycode=KEYCODE_BACK), where)


def _wait(what: str, where: Box) -> Blocker:
    return Blocker(
        BlockerType.LOADING, what, DismissSuggestion("wait", None, "wait until it is gone", wait_ms=WAIT_MS), where
    )
