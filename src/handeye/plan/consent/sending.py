"""Steps of a plan that send something, their receivers, and the guards that keep them to the receiver whom the task names."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from handeye.devices import KEYCODES, keycode
from handeye.errors import UsageError
from handeye.plan.base import ActionName, StepPlan, TaskPlan
from handeye.plan.consent.controls import controls_of
from handeye.plan.consent.effects import SEND, SHARE, mentions, named_acts, writes_to_somebody
from handeye.plan.consent.messages import as_typed, is_whole_message, may_be_message
from handeye.plan.planner.app_knowledge import AppKnowledge
from handeye.plan.templates.slots import fold
from handeye.target import Expectation, Region

# The part of a screen with a chat's title or a letter's receivers. Further down, a name may be part of a message.
TITLE: Final = Region(0.0, 0.0, 1.0, 0.25)
# Keys that send the text of a field.
ENTERS: Final = frozenset({KEYCODES["ENTER"], KEYCODES["NUMPAD_ENTER"]})
# Number of steps up to a typed text that show what it is typed into: the tap on the field, and what opens it.
_STEPS_TO_FIELD: Final = 3
_SEARCH: Final = re.compile(r"search|find|address|url|搜索|搜寻|查找|查询|地址|网址")


@dataclass(frozen=True, slots=True)
class Sending:
    """Receiver and message of a step, None if unknown. `late`: the message has values that are read during the run."""

    receiver: str | None
    message: str | None
    late: bool = False

    def may_repeat(self, other: Sending) -> bool:
        """Return True if this may be the same message to the same receiver; an unknown value may equal any."""
        return all(
            mine is None or theirs is None or mine == theirs
            for mine, theirs in ((self.receiver, other.receiver), (self.message, other.message))
        )


def sending_of(before: Sequence[StepPlan], step: StepPlan) -> Sending:
    """Return what `step` sends, after the steps `before`."""
    typed = next((each for each in reversed(before) if each.action is ActionName.INPUT_TEXT), None)
    late = typed.late.get("params.text") if typed is not None else None
    text = late.source if late is not None else typed.params.get("text") if typed is not None else None
    receiver = step.guard.text if step.guard is not None else None
    return Sending(receiver, text if isinstance(text, str) else None, late is not None)


def sending_steps(steps: Sequence[StepPlan], task: str) -> frozenset[int]:
    """
    Return the indices of the steps that send something:

    - a tap on a control with such a label;
    - after a text was typed that is no search: ENTER, and a control that replies or shares (before that, such a control only
      opens the page where the text is typed);
    - the first tap after a message was typed, if no later control has such a label: many apps send by an arrow icon.
    """
    found: set[int] = set()
    first_tap: int | None = None
    for at, step in enumerate(steps):
        if step.action is ActionName.INPUT_TEXT:
            found |= {first_tap} if first_tap is not None else set()
            first_tap = None
        elif _is_called_sending(step, steps[:at], task):
            found.add(at)
            first_tap = None
        elif first_tap is None and step.action.needs_target and _message_waits(steps[:at], found, task):
            first_tap = at
    return frozenset(found if first_tap is None else found | {first_tap})


def _is_called_sending(step: StepPlan, before: Sequence[StepPlan], task: str) -> bool:
    if step.action is ActionName.PRESS_KEY:
        return key_code(step.params) in ENTERS and mentions(task, SEND) and _typed_no_search(before) is not None
    acts = list(named_acts(controls_of(step))) if step.action.needs_target else []
    return SEND in acts or (SHARE in acts and _typed_no_search(before) is not None)


def _typed_no_search(before: Sequence[StepPlan]) -> int | None:
    """Return the index of the last step that typed something, or None if that or the steps leading to it are a search."""
    typed = [at for at, step in enumerate(before) if step.action is ActionName.INPUT_TEXT]
    if not typed:
        return None
    led = before[typed[-2] + 1 if len(typed) > 1 else 0 : typed[-1] + 1][-_STEPS_TO_FIELD:]
    searched = any(is_search(f"{step.target_ref or ''} {step.description}") for step in led)
    return None if searched else typed[-1]


def _message_waits(before: Sequence[StepPlan], sent: Collection[int], task: str) -> bool:
    """Return True if a message of the task was typed and not sent since."""
    typed = _typed_no_search(before)
    if typed is None or any(at > typed for at in sent) or not writes_to_somebody(task):
        return False
    text = before[typed].params.get("text")
    names = {named for step in before[:typed] if (named := _text_of(step)) is not None}
    if not isinstance(text, str) or may_be_message(text, task):
        return True
    return any(is_whole_message(text, task, name) for name in names)


def with_guards(plan: TaskPlan, task: str, known: AppKnowledge, executed: Sequence[StepPlan] = ()) -> TaskPlan:
    """
    Return the plan with a guard on each step that sends: the receiver's name must be in the page's title. Where the plan names
    no receiver, it is the only text of the task that was searched or chosen before, apart from apps and the message.
    """
    apps = {fold(title) for title, _package in known.apps}
    steps = [*executed, *plan.steps]
    for at in sorted(sending_steps(steps, task)):
        if steps[at].guard is None and (name := _receiver(steps[:at], task, apps)) is not None:
            steps[at] = replace(steps[at], guard=Expectation(text=name, region=TITLE, exact=True))
    return replace(plan, steps=tuple(steps[len(executed) :]))


def _receiver(before: Sequence[StepPlan], task: str, apps: Collection[str]) -> str | None:
    """Return the only name of the task to which the steps before a sending step lead; None if there are several, or none."""
    texts = [text for step in before if (text := _text_of(step)) is not None and as_typed(text, task) is not None]
    message = next((_text_of(step) for step in reversed(before) if step.action is ActionName.INPUT_TEXT), None)
    names = {text for text in texts if text != message and fold(text) not in apps}
    return names.pop() if len(names) == 1 else None


def _text_of(step: StepPlan) -> str | None:
    """Return the text that a step types, or the label that it taps unless that does an act; else None."""
    if step.action is ActionName.INPUT_TEXT:
        text = step.params.get("text")
        return text if isinstance(text, str) else None
    wanted = step.wanted if step.action is ActionName.TAP else None
    return wanted.text if wanted is not None and not any(named_acts(controls_of(step))) else None


def key_code(params: Mapping[str, Any]) -> int | None:
    """Return the key's code, or None for an unknown key."""
    try:
        return keycode(params.get("key", params.get("keycode", "")))
    except UsageError:
        return None


def is_search(words: str) -> bool:
    """Return True if the words are about a search or an address."""
    return _SEARCH.search(fold(words)) is not None
