"""
Which acts may be done twice without harm. What a button does cannot be told by what it is not called, so these are known by
what they are: ways to a page, an entry of a list, a look.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from handeye.plan.base import ActionName, StepPlan
from handeye.roles import role_of
from handeye.run.once import adds_up, is_final, key_of, looks_first, names_of, plain, sends_by_key, turns
from handeye.run.result import StepResult, StepStatus

# These look, or lead somewhere. What is typed, and what sends it, `Deeds` judges.
_HARMLESS: Final = frozenset(
    {
        ActionName.LAUNCH_APP,
        ActionName.GO_HOME,
        ActionName.RETURN_HOME,
        ActionName.CHECK,
        ActionName.READ,
        ActionName.WAIT,
        ActionName.INPUT_TEXT,
    }
)
# A page is only fetched by these; another address may be an act of its app.
_PAGES: Final = ("http://", "https://")
# A list is moved by these; sideways, a row may be thrown out of it.
_SCROLLS: Final = frozenset({"up", "down"})
# Keys that move or lead back, by Android's names and numbers.
_MOVES: Final = frozenset(
    {"BACK", 4, "HOME", 3, "TAB", 61, "ESCAPE", 111, "PAGE_UP", 92, "PAGE_DOWN", 93, "MOVE_HOME", 122, "MOVE_END", 123}
    | {"DPAD_UP", 19, "DPAD_DOWN", 20, "DPAD_LEFT", 21, "DPAD_RIGHT", 22, "WAKEUP", 224}
)
# Roles of what leads to a page, or takes the focus.
_ENTRIES: Final = frozenset(
    {"tab", "list item", "table row", "menu", "menu item", "link", "input", "combo box", "heading"}
)
# What every app calls the ways to its pages, and what such a control is called in words.
_WAYS: Final = re.compile(
    r"(?:(?:顶部|底部|左上角|右上角|上方|下方)的?)?"
    r"(?:搜索(?:或.*)?|搜寻|查找|返回|菜单|更多(?:选项)?|设置|首页|主页|通讯录|联系人|消息|聊天|发现|我|我的|地址|网址|输入)"
    r"(?:框|栏|页|页面|图标|按钮|键|标签)*"
    r"|(?:the )?(?:(?:top|bottom) )?(?:wechat )?"
    r"(?:search(?: or .*)?|find|back|menu|more(?: options)?|settings|home|contacts|messages|chats|address|url|message|input)"
    r"(?: (?:box|bar|field|page|icon|button|tab))*",
    re.IGNORECASE,
)


def is_harmless(step: StepPlan, plan: Sequence[StepPlan] = (), role: str = "") -> bool:
    """
    Whether the step is known to do no harm when it is done again, whether or not it was done before. `role` is what the found
    element is, where that is known; `plan` are the steps around it: their guards may say that a page of the tapped name is
    reached.
    """
    match step.action:
        case ActionName.TAP:
            return _leads(step, plan, role)
        case ActionName.PRESS_KEY:
            return key_of(step) in _MOVES
        case ActionName.OPEN_URL:
            return str(step.params.get("url", "")).casefold().startswith(_PAGES)
        case ActionName.SWIPE:
            return str(step.params.get("direction", "")).casefold() in _SCROLLS
        case other:
            return other in _HARMLESS


def unsafe(steps: Sequence[StepPlan], plan: Sequence[StepPlan]) -> Iterator[StepPlan]:
    """
    Those of these `steps`, done one after the other, that may do harm when they are done again. `plan` says where they were to
    lead.
    """
    for at, step in enumerate(steps):
        sends_typed = at > 0 and steps[at - 1].action is ActionName.INPUT_TEXT and sends_by_key(step)
        if not sends_typed and not is_harmless(step, plan):
            yield step


def was_done(result: StepResult) -> bool:
    """Whether the step's act was carried out, or may have been."""
    if result.status is StepStatus.SKIPPED:
        return result.passed_over
    # A step that was refused, or has not found its target, has no frame of afterwards.
    return result.status is not StepStatus.FAILED or result.screenshot_after is not None or result.error is not None


def _leads(step: StepPlan, plan: Sequence[StepPlan], role: str) -> bool:
    """Whether the tap leads to a page: by its role, by its name, or by what is seen or guarded where it has led."""
    wanted, expect = step.wanted, step.expectation
    if wanted is None or is_final(step) or adds_up(step):
        return False
    if turns(step, role):
        return looks_first(step)
    if {role, role_of(wanted.role) if wanted.role else None} & _ENTRIES:
        return True
    if expect is not None and expect.app and not expect.is_evidence:
        return True  # an icon of the home screen
    said = [each.replace("_", " ").strip() for each in (wanted.text, wanted.description, wanted.reference) if each]
    return any(map(_WAYS.fullmatch, said)) or _is_title(step, plan)


def _is_title(step: StepPlan, plan: Sequence[StepPlan]) -> bool:
    """Whether what is tapped is the title of the page that it leads to: what is seen there, or guards what follows."""
    expect, names = step.expectation, names_of(step)
    if expect is not None and expect.text and expect.region is not None and plain(expect.text) in names:
        return True
    return any(each.guard is not None and each.guard.text and plain(each.guard.text) in names for each in plan)
