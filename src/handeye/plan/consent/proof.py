"""
Check that the proof of a plan would also prove its task.

Each step is verified against the plan's own expectation. In a plan that a person wrote that leads to the task's goal, but a
model may name whatever is easily seen. So a model's plan must cover what its task says; else its run does not count as a
success.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from handeye.plan.base import ActionName, StepPlan, TaskPlan
from handeye.plan.consent.content import content_of
from handeye.plan.consent.controls import controls_of
from handeye.plan.consent.effects import ACTS, CALLING, SEND, SHARE, named_acts, orders_act, wanted_switch_states
from handeye.plan.consent.sending import sending_steps
from handeye.plan.planner.app_knowledge import AppKnowledge
from handeye.plan.templates.slots import fold
from handeye.target import Expectation
from handeye.text import quotations, skeleton

MIN_COVERAGE: Final = 2 / 3
"""
More than this share of a task's words must occur in what its plan does and shows: 支付 alone does not prove 支付宝.
Of the eight tasks that models plan in `benchmarks/scenarios`, the good plans reach 1.0, those for another task at most 0.5.
"""

_MOVES: Final = frozenset(
    {ActionName.CHECK, ActionName.WAIT, ActionName.SWIPE, ActionName.GO_HOME, ActionName.PRESS_KEY}
)


# Tasks that are done once a text is where it was typed.
_WRITES: Final = re.compile(
    r"搜|查|找|百度|输入|填|写|记[下录一]|备忘|新建|创建|设[为成置]|改|翻译|网址|网站|了解"
    r"|(?<![a-z])(?:search|find|look (?:up|for)|google|type|write|enter|fill|note|put|add|create|new|set|rename|name|translate"
    r"|calculate|open (?:https?|www))(?![a-z])"
)


def unproved_reason(plan: TaskPlan, task: str, known: AppKnowledge, executed: Sequence[StepPlan] = ()) -> str:
    """
    Return why the plan would not prove the task even if every step succeeds, or "" if it would.

    What the task names (quoted texts, numbers, and most other words except app names) must occur in what the plan types, taps,
    opens and shows, and something of it in its last expectation or act. The acts that the task asks for must be among the
    steps, and a switch that it wants turned must be verified as on or off at the end. A model's descriptions do not count, only
    texts that are found and typed. `executed` are the steps that ran before.
    """
    return next(_doubts(plan, task, known, (*executed, *plan.steps)), "")


def _doubts(plan: TaskPlan, task: str, known: AppKnowledge, steps: Sequence[StepPlan]) -> Iterator[str]:
    names = [name for name, _package in known.named]
    content, asked = content_of(task, names), skeleton(task)
    echoed = _echoed(steps, task)
    covered = [text for step in steps for text in (*_done(step, known), *_shown(step.expectation, known))]
    covered = [text for text in covered if not echoed(text)]
    for act in ACTS:
        if orders_act(task, act) and not _does(act.name, steps, task):
            yield f"the task asks to {act.name}, and no step does"
    missing = [text for text in content.quoted if not any(text in skeleton(each) for each in covered)]
    missing += [number for number in content.numbers if not any(number in re.findall(r"\d+", each) for each in covered)]
    if missing:
        yield f"the plan has nothing of {missing[0]!r:.80} in it"
    if content.share_in(covered) <= MIN_COVERAGE:
        yield f"the plan is about something else than {' '.join(content.pieces)!r:.80}"
    ends = [text for text in _ends(steps, task, known) if not echoed(text)]
    tied = (
        content.is_touched_by(each)
        or (skeleton(each) in asked and (content.is_empty or not content_of(each, names).is_empty))
        for each in ends
        if len(each.strip()) > 1
    )
    if not any(tied):
        yield "what is seen at the plan's end says nothing of the task"
    turned = wanted_switch_states(task)
    seen = plan.steps[-1].expectation
    shown = seen.switch if seen is not None else None
    if shown not in turned and (turned or shown is not None):
        yield "the plan's end does not show the switch as the task wants it"


def _echoed(steps: Sequence[StepPlan], task: str) -> Callable[[str], bool]:
    """
    Return a predicate for texts that only repeat typed input: seen again they prove that something was searched, written or
    sent, and nothing else. A text that is tapped was on the screen by itself.
    """
    if _WRITES.search(fold(task)) is not None or sending_steps(steps, task):
        return lambda text: False
    typed = [fold(str(step.params.get("text", ""))) for step in steps if step.action is ActionName.INPUT_TEXT]
    tapped = {fold(step.wanted.text) for step in steps if step.wanted is not None and step.wanted.text}
    return lambda text: fold(text) not in tapped and any(fold(text) in each for each in typed)


def _done(step: StepPlan, known: AppKnowledge) -> Iterator[str]:
    """Yield the texts that a step types, taps, opens or is guarded by."""
    wanted = step.wanted
    if wanted is not None:
        yield from filter(None, (wanted.text, wanted.reference and wanted.reference.replace("_", " ")))
        if wanted.text is None:
            yield wanted.description or ""
    yield from (value for name in ("text", "url", "number") if isinstance(value := step.params.get(name), str))
    if step.action is ActionName.LAUNCH_APP:
        yield from _titles(str(step.params.get("package")), known)
    if step.guard is not None and step.guard.text:
        yield step.guard.text


def _titles(package: str, known: AppKnowledge) -> Iterator[str]:
    return (name for name, each in known.named if each == package)


def _shown(expect: Expectation | None, known: AppKnowledge) -> Iterator[str]:
    """Yield the texts that an expectation looks for."""
    if expect is None:
        return
    yield from filter(None, (expect.text, expect.gone, expect.row))
    if expect.reference:
        yield expect.reference.replace("_", " ")
    if expect.app:
        yield from _titles(expect.app, known)
    yield from (each.text for each in quotations(expect.description or ""))


def _ends(steps: Sequence[StepPlan], task: str, known: AppKnowledge) -> Iterator[str]:
    """Yield the texts of the last expectation and of the last act; where that sends, its message and receiver."""
    yield from _shown(steps[-1].expectation, known)
    acts = [at for at, step in enumerate(steps) if step.action not in _MOVES]
    if not acts:
        return
    last = steps[acts[-1]]
    if last.wanted is None or last.wanted.description is None or last.wanted.text is not None:
        yield from _done(last, known)
    if acts[-1] in sending_steps(steps, task):
        typed = [step for step in steps[: acts[-1]] if step.action is ActionName.INPUT_TEXT]
        yield from (text for step in (*typed[-1:], last) for text in _done(step, known))


def _does(act: str, steps: Sequence[StepPlan], task: str) -> bool:
    if act in (SEND.name, SHARE.name):
        return bool(sending_steps(steps, task))
    if act == CALLING.name and any(step.action is ActionName.CALL for step in steps):
        return True
    return any(act == each.name for step in steps for each in named_acts(controls_of(step)))
