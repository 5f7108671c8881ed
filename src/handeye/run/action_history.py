"""
History of a run's acts, which keeps acts from being repeated by accident: no message is sent twice, no switch is turned back,
and what did not help on a screen is not tried there endlessly.
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
    chooses,
    have_similar_names,
    is_cumulative,
    is_final,
    is_toggle,
    key_of,
    looks_first,
    names_of,
    only_sends_text,
    plain,
    sends_by_key,
)
from handeye.run.result import StepResult, StepStatus
from handeye.screen import Screen

# Acts that may be repeated without harm. A button's label cannot prove that it is harmless, so only known kinds count:
# navigation, entries of a list, and acts that only look.


# These only look or navigate. Typing, and what sends the text, is judged by `ActionHistory`.
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
# These only fetch a page; an address with another scheme may trigger an act of its app.
_PAGE_SCHEMES: Final = ("http://", "https://")
# These scroll a list; a swipe sideways may throw a row out of it.
_SCROLL_DIRECTIONS: Final = frozenset({"up", "down"})
# Keys that move the focus or navigate, by Android's key names and key codes.
_NAVIGATION_KEYS: Final = frozenset(
    {"BACK", 4, "HOME", 3, "TAB", 61, "ESCAPE", 111, "PAGE_UP", 92, "PAGE_DOWN", 93, "MOVE_HOME", 122, "MOVE_END", 123}
    | {"DPAD_UP", 19, "DPAD_DOWN", 20, "DPAD_LEFT", 21, "DPAD_RIGHT", 22, "WAKEUP", 224}
)
# Roles of elements that lead to a page, or take the focus.
_NAVIGATION_ROLES: Final = frozenset(
    {"tab", "list item", "table row", "menu", "menu item", "link", "input", "combo box", "heading"}
)
# Labels and descriptions of controls that lead to an app's pages.
_NAVIGATION_LABEL: Final = re.compile(
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
    Return True if repeating the step is known to do no harm, whether or not it was done before. `role` is the role of the
    found element, where that is known; `plan` are the steps around it: their guards may show that the tapped name is the
    title of a page.
    """
    match step.action:
        case ActionName.TAP:
            return _leads_to_page(step, plan, role)
        case ActionName.PRESS_KEY:
            return key_of(step) in _NAVIGATION_KEYS
        case ActionName.OPEN_URL:
            return str(step.params.get("url", "")).casefold().startswith(_PAGE_SCHEMES)
        case ActionName.SWIPE:
            return str(step.params.get("direction", "")).casefold() in _SCROLL_DIRECTIONS
        case other:
            return other in _HARMLESS


def unsafe(steps: Sequence[StepPlan], plan: Sequence[StepPlan]) -> Iterator[StepPlan]:
    """
    Yield those of the `steps`, done one after the other, that may do harm when they are repeated. `plan` shows where they
    were to lead.
    """
    for at, step in enumerate(steps):
        sends_typed = at > 0 and steps[at - 1].action is ActionName.INPUT_TEXT and sends_by_key(step)
        if not sends_typed and not is_harmless(step, plan):
            yield step


def was_done(result: StepResult) -> bool:
    """Return True if the step's act was carried out, or may have been."""
    if result.status is StepStatus.SKIPPED:
        return result.passed_over
    # A step that was refused, or whose target was not found, has no frame from after the act.
    return result.status is not StepStatus.FAILED or result.screenshot_after is not None or result.error is not None


def _leads_to_page(step: StepPlan, plan: Sequence[StepPlan], role: str) -> bool:
    """
    Return True if the tap leads to a page: by its role, by its name, or by what is seen or guarded on the page it leads to.
    """
    wanted, expect = step.wanted, step.expectation
    if wanted is None or is_final(step) or is_cumulative(step):
        return False
    if is_toggle(step, role):
        return looks_first(step)
    if {role, role_of(wanted.role) if wanted.role else None} & _NAVIGATION_ROLES:
        return True
    if expect is not None and expect.app and not expect.is_evidence:
        return True  # an icon of the home screen
    said = [each.replace("_", " ").strip() for each in (wanted.text, wanted.description, wanted.reference) if each]
    return any(map(_NAVIGATION_LABEL.fullmatch, said)) or _is_title(step, plan)


def _is_title(step: StepPlan, plan: Sequence[StepPlan]) -> bool:
    """Return True if the tapped name is the title of the page that it leads to: expected there, or a guard of later steps."""
    expect, names = step.expectation, names_of(step)
    if expect is not None and expect.text and expect.region is not None and plain(expect.text) in names:
        return True
    return any(each.guard is not None and each.guard.text and plain(each.guard.text) in names for each in plan)


# As a share of the frame: a page on which a second tap may undo the first differs by less from how it was before the first
# tap. A page that was reached again differs by nothing, another page by more.
_SAME_PAGE: Final = 0.35


@dataclass(frozen=True, slots=True)
class UnsentText:
    """
    Text that the run typed last and has not sent yet, the app it was typed into, and the frame that shows it. `stays` is True
    if it could not be erased, or if a later act may have sent it or moved the focus to another field, which no frame may
    show.
    """

    text: str = field(default="", repr=False)
    app: str | None = None
    screen: Screen | None = field(default=None, repr=False)
    stays: bool = False


@dataclass(slots=True)
class _FailedAct:
    """An act that changed nothing, or not what it should have, on one view of the screen."""

    act: Hashable
    view: View
    times: int = 1


@dataclass(slots=True)
class _NonRepeatableAct:
    """
    An act that must not be repeated, and the reason. `open` is True as long as nothing has proved an act that lasts or adds
    up; `turned` if a second time reverts the act, `unknown` if its effect is not known, `crashed` if its app has crashed
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
class _UnexpectedTap:
    """
    A tap that had another effect than the wanted one: its act, the target's names, its box and the page before it. `crashed`
    is True if its app has crashed since.
    """

    act: Hashable
    names: frozenset[str]
    box: Box | None
    view: View
    crashed: bool = False


class ActionHistory:
    """Acts of one run that decide what may still be done."""

    def __init__(self) -> None:
        self.draft = UnsentText()
        self._failed_acts: list[_FailedAct] = []
        self._sent: dict[str, bool] = {}
        self._non_repeatable: list[_NonRepeatableAct] = []
        self._unexpected_taps: list[_UnexpectedTap] = []
        self._refused = False

    @property
    def in_doubt(self) -> bool:
        """
        True if a person should check: something may have been sent, added or irreversibly done without proof, or was refused
        a second time.
        """
        return self._refused or not all(self._sent.values()) or any(each.open for each in self._non_repeatable)

    def sends(self, step: StepPlan) -> bool:
        """
        Return True if the step may send what was typed: any tap while an unsent draft remains, and ENTER; but not the choice
        of what was typed itself, such as a name among search results.
        """
        if not self.draft.text:
            return False
        if not step.action.needs_target:
            return sends_by_key(step)
        return step.wanted is None or not chooses(step.wanted, self.draft.text.strip())

    def is_once_only(self, step: StepPlan, role: str = "") -> bool:
        """
        Return True if the step's act is not repeated even where no change is seen: a slow phone or server may have received
        it, and a second time would send, pay, add or type twice, or turn a switch back.
        """
        types = step.action is ActionName.INPUT_TEXT
        return types or is_final(step) or is_toggle(step, role) or is_cumulative(step) or self.sends(step)

    def acted(self, step: StepPlan, role: str = "") -> None:
        """
        Record that the step's action is given to the device; `role` is the role of the found element, where that is known.
        """
        sends = self.sends(step)
        if sends:
            self._sent[self.draft.text] = False
            # A button that sends leaves the focus where it is; any other, and ENTER, may move it to the next field.
            self.draft = replace(self.draft, stays=self.draft.stays or not is_final(step))
        if is_final(step) and not (sends and only_sends_text(step)):
            why = "it cannot be taken back, and may have been done already"
            self._non_repeatable.append(_NonRepeatableAct(act_of(step), names_of(step), why, open=True))
        elif is_toggle(step, role):
            why = "it was turned already, and a second tap turns it back"
            self._non_repeatable.append(_NonRepeatableAct(act_of(step), names_of(step), why, turned=True))
        elif is_cumulative(step):
            why = "it may have been done already, and a second time adds to it or takes it back"
            self._non_repeatable.append(_NonRepeatableAct(act_of(step), names_of(step), why, open=True))

    def unknown(self, step: StepPlan) -> None:
        """
        Record that the step may have been done and that the effect of a second time is unknown: no other plan repeats it.
        """
        why = "it may have been done already, and nobody knows what a second time would do"
        self._non_repeatable.append(_NonRepeatableAct(act_of(step), names_of(step), why, unknown=True))

    def proved(self, step: StepPlan) -> None:
        """
        Record that the step's effect was seen. What was typed was sent by it, or its field was left; irreversible acts before
        it have led here.
        """
        sent, expect = self.draft.text if self.sends(step) else None, step.expectation
        for text in self._sent:
            self._sent[text] |= text == sent or (expect is not None and expect.text == text)
        led_here = expect is not None and bool(expect.is_evidence or expect.app)
        for each in self._non_repeatable:
            each.open = each.open and not led_here and each.act != act_of(step)
        if step.action.needs_target or self.sends(step):
            self.draft = UnsentText()

    def done(self, step: StepPlan) -> None:
        """Record that the step was carried out without proof that it worked."""
        if step.action.needs_target or self.sends(step):
            self.draft = UnsentText()

    def failed(self, step: StepPlan, changed: bool | None, screen: Screen, box: Box | None = None) -> None:
        """
        Record that the step's act on `screen`, at `box` where it was a tap, did not do what it should. An act that may have
        changed something is not repeated.
        """
        if changed is not False and step.action.needs_target:
            self._unexpected_taps.append(_UnexpectedTap(act_of(step), names_of(step), box, View.of(screen)))
            if not self.sends(step):
                self.draft = UnsentText()  # what was typed was chosen: its field is left
        known = self._failure_on(step, screen)
        if known is not None:
            known.times += 1
        else:
            self._failed_acts.append(_FailedAct(act_of(step), View.of(screen)))

    def app_crashed(self) -> None:
        """
        Record that the app crashed. That an act did not help before the crash says nothing about the act. Whether a switch
        was turned before the crash is visible on the switch: a step that checks it first turns nothing back.
        """
        self._failed_acts.clear()
        for once in self._non_repeatable:
            once.crashed = True
        for doubted in self._unexpected_taps:
            doubted.crashed = True

    def is_loop(self, step: StepPlan, screen: Screen) -> bool:
        """Return True if the step's act failed on this very view as often as the step allows."""
        known = self._failure_on(step, screen)
        return known is not None and known.times > step.retry

    def forbids(self, step: StepPlan) -> str | None:
        """
        Return the reason why a plan made after a failure must not be carried out because of this step, or None. Where
        something is in doubt, the plan may neither type another text nor do anything else irreversible: that can be the same
        act in other words.

        After a refusal the run is in doubt.
        """
        why = self._repeats(step)
        if why is None and _types(step) and not all(self._sent.values()):
            why = "its text, or one that says the same, may have been sent already"
        if why is None and is_final(step):
            why = next((each.why for each in self._non_repeatable if each.open), None)
        self._refused |= why is not None
        return why

    def forbids_now(
        self, step: StepPlan, screen: Screen | None = None, box: Box | None = None, role: str = ""
    ) -> str | None:
        """
        Return the reason why the step must not be carried out on `screen`, at `box` on an element of that role, or None.

        After a refusal the run is in doubt.
        """
        why = self._repeats(step, role)
        if why is None and screen is not None and self._may_undo(step, View.of(screen), box):
            why = "it had an effect here before, and a second time may undo it"
        self._refused |= why is not None
        return why

    def _repeats(self, step: StepPlan, role: str = "") -> str | None:
        """Return the reason why the step would repeat what was done, or may have been done; else None."""
        words = plain(str(step.params.get("text", ""))) if _types(step) else ""
        if words and any(words in plain(sent) or plain(sent) in words for sent in self._sent):
            return "its text, or a part of it, may have been sent already"
        if _types(step) and self.draft.stays:
            return "another text may still stand in the field, and would be sent along"
        if self.draft.text in self._sent and self.sends(step) and (is_final(step) or sends_by_key(step)):
            return "what stands in the field may have been sent already"
        once, looks = is_final(step) or is_toggle(step, role) or is_cumulative(step), looks_first(step)
        for each in self._non_repeatable:
            if looks and each.turned and each.crashed:
                continue
            alike = step.action.needs_target and have_similar_names(each.names, names_of(step))
            if each.act == act_of(step) or (alike and (once or (each.unknown and not is_harmless(step, role=role)))):
                return each.why
        return None

    def _may_undo(self, step: StepPlan, view: View, box: Box | None) -> bool:
        if not step.action.needs_target:
            return False
        act, names = act_of(step), names_of(step)
        limit, looks = _SAME_PAGE * view.size.width * view.size.height, looks_first(step)
        for each in self._unexpected_taps:
            if looks and each.crashed:
                continue
            there = box is not None and each.box is not None and each.box.contains(box.center)
            same = each.act == act or there or have_similar_names(each.names, names)
            if same and 0 < sum(moved.area for moved in changes(each.view, view)) <= limit:
                return True
        return False

    def _failure_on(self, step: StepPlan, screen: Screen) -> _FailedAct | None:
        act, view = act_of(step), View.of(screen)
        return next((each for each in self._failed_acts if each.act == act and is_same_view(each.view, view)), None)


def _types(step: StepPlan) -> bool:
    return step.action is ActionName.INPUT_TEXT
