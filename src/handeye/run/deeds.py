"""
What a run has done, so that nothing is done twice by accident: no message is sent again, no switch is turned back, and what
did not help on a screen is not tried there without end.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Final

from handeye.plan.base import ActionName, StepPlan
from handeye.roles import role_of
from handeye.run.stillness import View, changes, is_same_view
from handeye.screen import Screen
from handeye.target import Target

# Keys that send, by Android's names and numbers.
_SENDING_KEYS: Final = frozenset({"ENTER", "NUMPAD_ENTER", "DPAD_CENTER", "SEARCH", 66, 160, 23, 84})
# What people call that which a search for a name brings up, and what sends.
_RESULTS: Final = re.compile(
    r"结果|联系人|列表|选项|建议|\b(?:results?|contacts?|suggestions?|list|option)\b", re.IGNORECASE
)
_SENDS: Final = re.compile(
    r"发送|发出|发布|提交|确[认定]|支付|付款|转账|下单|\b(?:send|submit|post|publish|pay|confirm|order|transfer|ok)\b",
    re.IGNORECASE,
)
# What cannot be taken back, and what a slow server may do twice.
_FINAL: Final = re.compile(
    r"支付|付款|转账|下单|购买|提交|发布|删除|\b(?:pay|buy|purchase|order|transfer|submit|post|publish|delete)\b",
    re.IGNORECASE,
)
_PREFIX: Final = "KEYCODE_"
# Controls that a second tap turns back, by role and by the words of who asks for one.
_TURNING: Final = frozenset({"switch", "checkbox"})
_TURNS: Final = re.compile(r"开关|開關|勾选|切换|\b(?:switch|toggle|check ?box|tick ?box)\b", re.IGNORECASE)
# Of the frame: a page on which a second tap may undo the first differs by less from how it was before it. A page that was
# reached anew differs by nothing, another page by more.
_SAME_PAGE: Final = 0.35


@dataclass(frozen=True, slots=True)
class Draft:
    """What the run typed last and has not sent yet, and the app that it was typed into."""

    text: str = field(default="", repr=False)
    app: str | None = None


@dataclass(slots=True)
class _Fruitless:
    """An act that changed nothing, or not what it should have, on one view of the screen."""

    act: Hashable
    view: View
    times: int = 1


class Deeds:
    """The acts of one run that matter for what may still be done."""

    def __init__(self) -> None:
        self.draft = Draft()
        self._fruitless: list[_Fruitless] = []
        self._sent: dict[str, bool] = {}
        self._once: dict[Hashable, str] = {}
        self._doubted: list[tuple[Hashable, View]] = []
        self._refused = False

    @property
    def in_doubt(self) -> bool:
        """Whether a person should look: something may have been sent and nothing proved it, or was not done a second time."""
        return self._refused or not all(self._sent.values())

    def sends(self, step: StepPlan) -> bool:
        """
        Whether the step may send what was typed: any tap while a draft stands there, and ENTER; but not the choice of what was
        typed itself, such as a name among the results of a search.
        """
        if not self.draft.text:
            return False
        if step.action is ActionName.PRESS_KEY:
            key = step.params.get("key", step.params.get("keycode"))
            return (key.upper().removeprefix(_PREFIX) if isinstance(key, str) else key) in _SENDING_KEYS
        if not step.action.needs_target:
            return False
        return step.wanted is None or not _chooses(step.wanted, self.draft.text.strip())

    def acted(self, step: StepPlan, role: str = "") -> None:
        """The step's action was given to the device; `role` is what the found element is, where that is known."""
        if self.sends(step):
            self._sent.setdefault(self.draft.text, False)
        if step.action is ActionName.CALL:
            self._once[_act(step)] = "the call was made already"
        elif is_final(step):
            self._once[_act(step)] = "it cannot be taken back, and may have been done already"
        elif step.action.needs_target and _turns(step, role):
            self._once[_act(step)] = "it was turned already, and a second tap turns it back"

    def proved(self, step: StepPlan) -> None:
        """The step's effect was seen. What was typed is sent with it, or its field is left."""
        sent, expect = self.draft.text if self.sends(step) else None, step.expectation
        for text in self._sent:
            self._sent[text] |= text == sent or (expect is not None and expect.text == text)
        if step.action.needs_target or self.sends(step):
            self.draft = Draft()

    def done(self, step: StepPlan) -> None:
        """The step was carried out, and nothing says whether it worked."""
        if step.action.needs_target or self.sends(step):
            self.draft = Draft()

    def failed(self, step: StepPlan, changed: bool | None, screen: Screen) -> None:
        """On `screen` the step's act did not do what it should. What may have changed something is not done again."""
        if changed is not False and step.action.needs_target:
            self._doubted.append((_act(step), View.of(screen)))
        known = self._on(step, screen)
        if known is not None:
            known.times += 1
        else:
            self._fruitless.append(_Fruitless(_act(step), View.of(screen)))

    def is_loop(self, step: StepPlan, screen: Screen) -> bool:
        """Whether the step's act was tried on this very view as often as the step allows, and did not help."""
        known = self._on(step, screen)
        return known is not None and known.times > step.retry

    def forbids(self, step: StepPlan, screen: Screen | None = None) -> str | None:
        """
        Why a step that another plan holds after a failure must not be carried out (on `screen`, when it is as far), or None.

        Once it has said so, the run is in doubt.
        """
        why = self._once.get(_act(step))
        typed = str(step.params.get("text", "")) if step.action is ActionName.INPUT_TEXT else ""
        if typed and any(typed in sent or sent in typed for sent in self._sent):
            why = "its text, or a part of it, may have been sent already"
        elif why is None and screen is not None and self._may_undo(step, View.of(screen)):
            why = "it had an effect here before, and a second time may undo it"
        self._refused |= why is not None
        return why

    def _may_undo(self, step: StepPlan, view: View) -> bool:
        act, limit = _act(step), _SAME_PAGE * view.size.width * view.size.height
        before = (earlier for doubted, earlier in self._doubted if doubted == act)
        return any(0 < sum(box.area for box in changes(earlier, view)) <= limit for earlier in before)

    def _on(self, step: StepPlan, screen: Screen) -> _Fruitless | None:
        act, view = _act(step), View.of(screen)
        return next((each for each in self._fruitless if each.act == act and is_same_view(each.view, view)), None)


def is_final(step: StepPlan) -> bool:
    """Whether the step taps what cannot be taken back: a payment, an order, a deletion. By its words; once is enough for it."""
    wanted = step.wanted
    if not step.action.needs_target or wanted is None:
        return False
    said = " ".join(filter(None, (step.description, wanted.text, wanted.description)))
    return _FINAL.search(said) is not None


def _act(step: StepPlan) -> Hashable:
    """What makes two acts the same: what is done, to what, and how."""
    return step.action, step.wanted, tuple(sorted((name, repr(value)) for name, value in step.params.items()))


def _chooses(target: Target, typed: str) -> bool:
    """Whether the target is what was typed itself, or a result or contact of that name, and no button that sends it."""
    if target.text is not None:
        return target.text.strip() == typed
    said = target.description or ""
    return typed in said and _RESULTS.search(said) is not None and _SENDS.search(said) is None


def _turns(step: StepPlan, role: str) -> bool:
    """Whether the step taps what a second tap turns back."""
    wanted = step.wanted
    if step.expectation is not None and step.expectation.switch is not None:
        return True
    asked = role_of(wanted.role) if wanted is not None and wanted.role else None
    said = " ".join(filter(None, (step.description, wanted.description if wanted is not None else None)))
    return asked in _TURNING or role in _TURNING or _TURNS.search(said) is not None
