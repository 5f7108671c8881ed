"""What another plan takes over from the one that the run began with: its guards, its last proof; and how its steps count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from handeye.errors import InvalidPlan, NoPlan
from handeye.plan.base import ActionName, PlanOrigin, StepPlan, TaskPlan
from handeye.run.once import is_final, sends_by_key
from handeye.target import ANOTHER_APP, Expectation

# The places of a step whose late texts belong to its proof.
_OF_PROOF: Final = ("expect.", "guard.")
# With these a plan can begin on any screen. What people write begins anywhere (`handeye.apps`).
_LEADS_IN: Final = frozenset({ActionName.LAUNCH_APP, ActionName.GO_HOME, ActionName.OPEN_URL})


class _Guards(NamedTuple):
    """The steps whose guards hold for the typing of a text, and for what may send it."""

    typing: StepPlan | None
    sending: StepPlan | None


_NO_GUARD: Final = _Guards(None, None)


def joined(
    first: TaskPlan, other: TaskPlan, *, after: int, values: Mapping[str, str] | None = None, standing: str = ""
) -> TaskPlan:
    """
    `other` as it may be carried out in place of what is left of the run, its steps numbered from `after` + 1.

    `first` is the plan that the run began with, also when another one has replaced it meanwhile: a template guards what it
    types and sends ("only under the title 张三"), and whoever plans anew does not know that. So a text that was guarded is
    guarded in the other plan as well, and so is every act that may send it; other texts than those of the first plan are not
    typed there. What proved the goal of a template proves it still: it is looked at last. `values` were read from the screen
    before; `standing` was typed and could not be erased.

    Raises InvalidPlan when the other plan types something else.
    """
    first = replace(first, steps=tuple(_filled(step, values or {}) for step in first.steps))
    goal = _goal(first)
    steps = [*_guarded(first, other, standing), *_last_proof(first, goal, other)]
    numbered = tuple(replace(step, step=after + at) for at, step in enumerate(steps, 1))
    proves = goal is not None and first.origin is PlanOrigin.TEMPLATE
    return replace(other, steps=numbered, doubt="" if proves else other.doubt)


def begun_again(first: TaskPlan, *, after: int) -> TaskPlan:
    """
    The plan that the run began with, from its start, its steps numbered from `after` + 1: for an app that is not in front any
    more, which says nothing against the plan. Its guards and proofs are its own.

    Raises NoPlan for a plan that no person wrote and that does not itself lead into an app: it began on another screen.
    """
    if first.origin is not PlanOrigin.TEMPLATE and not (first.steps and first.steps[0].action in _LEADS_IN):
        raise NoPlan("the first plan began in the middle of an app, so that it cannot be begun once more")
    return replace(first, steps=tuple(replace(step, step=after + at) for at, step in enumerate(first.steps, 1)))


def _filled(step: StepPlan, values: Mapping[str, str]) -> StepPlan:
    """The step with what was read on the way; as it is when some of that was not read yet."""
    known = all(text.slots <= values.keys() for text in step.late.values())
    return step.with_values(values) if step.late and known else step


def _guarded(first: TaskPlan, other: TaskPlan, standing: str) -> Iterator[StepPlan]:
    guards = _guards(first)
    typed = {_typed(step) for step in first.steps if step.action is ActionName.INPUT_TEXT}
    under, fresh = guards.get(standing, _NO_GUARD), True
    for step in other.steps:
        types = step.action is ActionName.INPUT_TEXT
        if types:
            if guards and _typed(step) not in typed:
                raise InvalidPlan(f"step {step.step} types another text than the plan that it replaces")
            under, fresh = guards.get(_typed(step), _NO_GUARD), False
        guarded = under.typing if types else under.sending
        # Until something is typed, the plan is on its way there; only what sends by its words may send what still stands.
        acts = types or (is_final(step) or sends_by_key(step) if fresh else _may_send(step))
        yield _under(guarded, step) if acts and guarded is not None and step.guard is None else step


def _under(guarded: StepPlan, step: StepPlan) -> StepPlan:
    """`step` with the guard of `guarded`, and with the texts that the guard still lacks."""
    late = {place: text for place, text in guarded.late.items() if place.startswith("guard.")}
    return replace(step, guard=guarded.guard, late={**step.late, **late})


def _guards(plan: TaskPlan) -> Mapping[str, _Guards]:
    """
    Under which circumstances each text may be typed and sent; what nothing guards is left out. The first guarded act after a
    typing is taken for the one that sends it.
    """
    guards: dict[str, _Guards] = {}
    text: str | None = None
    for step in plan.steps:
        if step.action is ActionName.INPUT_TEXT:
            text = _typed(step)
            if step.guard is not None:
                guards[text] = _Guards(step, step)
        elif text is not None and _may_send(step) and step.guard is not None:
            guards[text] = _Guards(guards.get(text, _NO_GUARD).typing, step)
            text = None
    return guards


def _may_send(step: StepPlan) -> bool:
    return step.action.needs_target or step.action is ActionName.PRESS_KEY


def _typed(step: StepPlan) -> str:
    return str(step.params.get("text", ""))


def _goal(first: TaskPlan) -> Expectation | None:
    """What the last step of a plan that no model made has to bring about; None when that proves nothing."""
    last = first.steps[-1].expectation if first.steps and first.origin is not PlanOrigin.MODEL else None
    if last is None or not (last.is_evidence or last.app) or last.app == ANOTHER_APP:
        return None
    return replace(last, changed=False)


def _last_proof(first: TaskPlan, goal: Expectation | None, other: TaskPlan) -> Iterator[StepPlan]:
    """A check of the goal of the first plan, unless the other plan ends with it."""
    end = other.steps[-1] if other.steps else None
    if goal is None or (end is not None and end.action is ActionName.CHECK and end.expectation == goal):
        return
    last = first.steps[-1]
    # A check's guard says where its proof counts; that of an act says when it may be done.
    guard = last.guard if last.action is ActionName.CHECK else None
    late = {place: text for place, text in last.late.items() if place.startswith(_OF_PROOF)}
    yield StepPlan(
        0,
        ActionName.CHECK,
        description=last.description,
        expect=goal,
        guard=guard,
        timeout=last.timeout,
        late=late,
    )
