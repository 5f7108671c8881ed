"""What a run has done, so that nothing is done twice by accident: no message is sent again, no switch is turned back, and what
did not help on a screen is not tried there without end.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from handeye.geometry import Box
from handeye.matching import View, changes, is_same_view
from handeye.plan import ActionName, StepPlan
from handeye.roles import role_of
from handeye.run.idempotency import (
    act_of,
    adds_up,
    chooses,
    is_called_alike,
    is_final,
    key_of,
    looks_first,
    names_of,
    only_hands_on,
    plain,
    sends_by_key,
    turns,
)
from handeye.run.result import StepResult, StepStatus
from handeye.screen import Screen

# Which acts may be done twice without harm. What a button does cannot be told by what it is not called, so these are known by
# what they are: ways to a page, an entry of a list, a look.


# These look, or lead somewhere. What is typed, and what sends it, `ActionHistory` judges.
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


# Of the frame: a page on which a second tap may undo the first differs by less from how it was before it. A page that was
# reached anew differs by nothing, another page by more.
_SAME_PAGE: Final = 0.35


@dataclass(frozen=True, slots=True)
class UnsentText:
    """
    What the run typed last and has not sent yet, the app that it was typed into, and the frame that shows it. `stays`: it could
    not be taken back, or an act since then may have sent it or moved the focus to another field, which no frame may show.
    """

    text: str = field(default="", repr=False)
    app: str | None = None
    screen: Screen | None = field(default=None, repr=False)
    stays: bool = False


@dataclass(slots=True)
class _Fruitless:
    """An act that changed nothing, or not what it should have, on one view of the screen."""

    act: Hashable
    view: View
    times: int = 1


@dataclass(slots=True)
class _Once:
    """
    An act that must not be done again, and why; `open` as long as nothing has proved one that lasts or adds up. `turned` says
    that it is one which a second time takes back, `unknown` that nobody knows what it does, `crashed` that its app crashed
    since.
    """

    act: Hashable
    names: frozenset[str]
    why: str
    open: bool = False
    turned: bool = False
    unknown: bool = False
    crashed: bool = False


@dataclass(slots=True)
class _Doubted:
    """
    A tap whose effect was not the wanted one: what it touched, where, and the page before it. `crashed` says that its app has
    crashed since.
    """

    act: Hashable
    names: frozenset[str]
    box: Box | None
    view: View
    crashed: bool = False


class ActionHistory:
    """The acts of one run that matter for what may still be done."""

    def __init__(self) -> None:
        self.draft = UnsentText()
        self._fruitless: list[_Fruitless] = []
        self._sent: dict[str, bool] = {}
        self._once: list[_Once] = []
        self._doubted: list[_Doubted] = []
        self._refused = False

    @property
    def in_doubt(self) -> bool:
        """
        Whether a person should look: something may have been sent, added or done for good and nothing proved it, or it was not
        done a second time.
        """
        return self._refused or not all(self._sent.values()) or any(each.open for each in self._once)

    def sends(self, step: StepPlan) -> bool:
        """
        Whether the step may send what was typed: any tap while a draft stands there, and ENTER; but not the choice of what was
        typed itself, such as a name among the results of a search.
        """
        if not self.draft.text:
            return False
        if not step.action.needs_target:
            return sends_by_key(step)
        return step.wanted is None or not chooses(step.wanted, self.draft.text.strip())

    def is_once_only(self, step: StepPlan, role: str = "") -> bool:
        """
        Whether the step's act is not repeated even where nothing is seen to change: a slow phone or server may have got it, and
        a second time would send, pay, add or type twice, or turn a switch back.
        """
        types = step.action is ActionName.INPUT_TEXT
        return types or is_final(step) or turns(step, role) or adds_up(step) or self.sends(step)

    def acted(self, step: StepPlan, role: str = "") -> None:
        """The step's action is given to the device; `role` is what the found element is, where that is known."""
        sends = self.sends(step)
        if sends:
            self._sent[self.draft.text] = False
            # A button that sends leaves the focus where it is; any other, and ENTER, may move it to the next field.
            self.draft = replace(self.draft, stays=self.draft.stays or not is_final(step))
        if is_final(step) and not (sends and only_hands_on(step)):
            why = "it cannot be taken back, and may have been done already"
            self._once.append(_Once(act_of(step), names_of(step), why, open=True))
        elif turns(step, role):
            why = "it was turned already, and a second tap turns it back"
            self._once.append(_Once(act_of(step), names_of(step), why, turned=True))
        elif adds_up(step):
            why = "it may have been done already, and a second time adds to it or takes it back"
            self._once.append(_Once(act_of(step), names_of(step), why, open=True))

    def unknown(self, step: StepPlan) -> None:
        """The step may have been done already, and nobody knows what a second time would do: no other plan does it again."""
        why = "it may have been done already, and nobody knows what a second time would do"
        self._once.append(_Once(act_of(step), names_of(step), why, unknown=True))

    def proved(self, step: StepPlan) -> None:
        """
        The step's effect was seen. What was typed is sent with it, or its field is left; and what was done for good before has
        led here.
        """
        sent, expect = self.draft.text if self.sends(step) else None, step.expectation
        for text in self._sent:
            self._sent[text] |= text == sent or (expect is not None and expect.text == text)
        led_here = expect is not None and bool(expect.is_evidence or expect.app)
        for each in self._once:
            each.open = each.open and not led_here and each.act != act_of(step)
        if step.action.needs_target or self.sends(step):
            self.draft = UnsentText()

    def done(self, step: StepPlan) -> None:
        """The step was carried out, and nothing says whether it worked."""
        if step.action.needs_target or self.sends(step):
            self.draft = UnsentText()

    def failed(self, step: StepPlan, changed: bool | None, screen: Screen, box: Box | None = None) -> None:
        """
        On `screen` the step's act, at `box` where it was a tap, did not do what it should. What may have changed something is
        not done again.
        """
        if changed is not False and step.action.needs_target:
            self._doubted.append(_Doubted(act_of(step), names_of(step), box, View.of(screen)))
            if not self.sends(step):
                self.draft = UnsentText()  # what was typed was chosen: its field is left
        known = self._on(step, screen)
        if known is not None:
            known.times += 1
        else:
            self._fruitless.append(_Fruitless(act_of(step), View.of(screen)))

    def app_crashed(self) -> None:
        """
        That an act did not help on a screen of the app says nothing about the act. Whether a switch was turned before the crash
        is seen on the switch: a step that looks at it first, and finds it standing the other way, turns nothing back.
        """
        self._fruitless.clear()
        for once in self._once:
            once.crashed = True
        for doubted in self._doubted:
            doubted.crashed = True

    def is_loop(self, step: StepPlan, screen: Screen) -> bool:
        """Whether the step's act was tried on this very view as often as the step allows, and did not help."""
        known = self._on(step, screen)
        return known is not None and known.times > step.retry

    def forbids(self, step: StepPlan) -> str | None:
        """
        Why a plan made after a failure must not be carried out because of this step, or None. Where something is in doubt, it
        may neither type another text nor do anything else for good: that can be the same in other words.

        Once it has said so, the run is in doubt.
        """
        why = self._repeats(step)
        if why is None and _types(step) and not all(self._sent.values()):
            why = "its text, or one that says the same, may have been sent already"
        if why is None and is_final(step):
            why = next((each.why for each in self._once if each.open), None)
        self._refused |= why is not None
        return why

    def forbids_now(
        self, step: StepPlan, screen: Screen | None = None, box: Box | None = None, role: str = ""
    ) -> str | None:
        """
        Why such a step must not be carried out on `screen`, at `box` on an element of that role, or None.

        Once it has said so, the run is in doubt.
        """
        why = self._repeats(step, role)
        if why is None and screen is not None and self._may_undo(step, View.of(screen), box):
            why = "it had an effect here before, and a second time may undo it"
        self._refused |= why is not None
        return why

    def _repeats(self, step: StepPlan, role: str = "") -> str | None:
        """Why the step would do what was done, or may have been done."""
        words = plain(str(step.params.get("text", ""))) if _types(step) else ""
        if words and any(words in plain(sent) or plain(sent) in words for sent in self._sent):
            return "its text, or a part of it, may have been sent already"
        if _types(step) and self.draft.stays:
            return "another text may still stand in the field, and would be sent along"
        if self.draft.text in self._sent and self.sends(step) and (is_final(step) or sends_by_key(step)):
            return "what stands in the field may have been sent already"
        once, looks = is_final(step) or turns(step, role) or adds_up(step), looks_first(step)
        for each in self._once:
            if looks and each.turned and each.crashed:
                continue
            alike = step.action.needs_target and is_called_alike(each.names, names_of(step))
            if each.act == act_of(step) or (alike and (once or (each.unknown and not is_harmless(step, role=role)))):
                return each.why
        return None

    def _may_undo(self, step: StepPlan, view: View, box: Box | None) -> bool:
        if not step.action.needs_target:
            return False
        act, names = act_of(step), names_of(step)
        limit, looks = _SAME_PAGE * view.size.width * view.size.height, looks_first(step)
        for each in self._doubted:
            if looks and each.crashed:
                continue
            there = box is not None and each.box is not None and each.box.contains(box.center)
            same = each.act == act or there or is_called_alike(each.names, names)
            if same and 0 < sum(moved.area for moved in changes(each.view, view)) <= limit:
                return True
        return False

    def _on(self, step: StepPlan, screen: Screen) -> _Fruitless | None:
        act, view = act_of(step), View.of(screen)
        return next((each for each in self._fruitless if each.act == act and is_same_view(each.view, view)), None)


def _types(step: StepPlan) -> bool:
    return step.action is ActionName.INPUT_TEXT
