"""Going on where a run ended early, without doing again what may have been done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from handeye.plan.base import ActionName, StepPlan, TaskPlan
from handeye.run.deeds import Deeds, Draft
from handeye.run.result import StepStatus, has_to_prove
from handeye.screen import Screen
from handeye.target import ANOTHER_APP

WHERE: Final = "the screen is where the earlier run ended"
_LOOKS: Final = frozenset({ActionName.CHECK, ActionName.READ})
# A step that came so far may have acted; one that was skipped has not.
_BEGUN: Final = frozenset({StepStatus.RUNNING, StepStatus.SUCCESS, StepStatus.UNVERIFIED, StepStatus.FAILED})


@dataclass(frozen=True, slots=True)
class Earlier:
    """
    A run that ended early: its plan, the last one where there were several, how far its steps came, by their numbers, and what
    they had read from the screen. `done` holds the steps of the plans before, which the last plan replaced; `untyped` is the
    frame before the last typing, which tells what stands there anew, None when it was not kept. `first` is the plan that the
    run began with, whose guards and last proof hold for those that replace it; None when that is `plan`.
    """

    plan: TaskPlan
    statuses: Mapping[int, StepStatus]
    values: Mapping[str, str] = field(default_factory=dict)
    done: tuple[StepPlan, ...] = ()
    untyped: Screen | None = None
    first: TaskPlan | None = None

    def doubted(self) -> StepPlan | None:
        """The first step that should have proved something, did not, and is not done again by what is `left`."""
        last = self._last_proved()
        kept = self.plan.steps[: last + 1 if last is not None else 0]
        unproved = (step for step in (*self.done, *kept) if self.statuses.get(step.step) is StepStatus.UNVERIFIED)
        return next(filter(has_to_prove, unproved), None)

    def deeds(self) -> Deeds:
        """What the earlier run did, for what must not be done twice. A step that was begun may have acted."""
        deeds = Deeds()
        for planned in (*self.done, *self.plan.steps):
            status = self.statuses.get(planned.step)
            if status not in _BEGUN:
                continue
            step = planned.with_values(self.values) if self._knows(planned) else planned
            if step.action is ActionName.INPUT_TEXT:
                deeds.draft = Draft(str(step.params.get("text", "")))
            deeds.acted(step)
            if status is StepStatus.SUCCESS:
                deeds.proved(step)
            elif status is StepStatus.UNVERIFIED:
                deeds.done(step)
        return deeds

    def left(self, deeds: Deeds) -> tuple[StepPlan, ...] | None:
        """
        The steps that are still to be done, the first of them a look at where the screen is; None when nothing was proved that
        could be looked for: the task is planned anew then.

        Where something may have been sent, only looks at whether it was are left; None when they could not tell.
        """
        steps, last = self.plan.steps, self._last_proved()
        if deeds.in_doubt:
            return self._looks()
        if last is None or (where := _where(steps[last])) is None:
            return None
        return (where, *steps[last + 1 :])

    def _looks(self) -> tuple[StepPlan, ...] | None:
        """
        What the last act should have brought about, and the checks after it: both must hold, because the draft of a message can
        look like the message. None when another act would have to follow, or an earlier plan left the doubt.
        """
        begun = [
            at
            for at, step in enumerate(self.plan.steps)
            if step.action not in _LOOKS and self.statuses.get(step.step) in _BEGUN
        ]
        if not begun or replace(self, plan=replace(self.plan, steps=())).deeds().in_doubt:
            return None
        act, after = self.plan.steps[begun[-1]], self.plan.steps[begun[-1] + 1 :]
        own = _own_proof(act)
        if own is None or not after or any(step.action is not ActionName.CHECK for step in after):
            return None
        return (own, *after)

    def _last_proved(self) -> int | None:
        proved = [at for at, step in enumerate(self.plan.steps) if self.statuses.get(step.step) is StepStatus.SUCCESS]
        return proved[-1] if proved else None

    def _knows(self, step: StepPlan) -> bool:
        return all(text.slots <= self.values.keys() for text in step.late.values())


def _own_proof(act: StepPlan) -> StepPlan | None:
    """A look at whether what `act` should have brought about is there; None when it says nothing that can be looked for."""
    expect = act.expectation
    if expect is None or not (expect.is_evidence or expect.app) or expect.app == ANOTHER_APP:
        return None
    late = {place: text for place, text in act.late.items() if place.partition(".")[0] in ("expect", "guard")}
    return StepPlan(
        act.step,
        ActionName.CHECK,
        description=act.description,
        expect=replace(expect, changed=False),
        guard=act.guard,
        timeout=act.timeout,
        late=late,
    )


def _where(step: StepPlan) -> StepPlan | None:
    """
    A look at whether what the step has proved still holds; None where that says nothing about where the screen is: that
    something is gone holds nearly everywhere, and what is new needs a frame from then.
    """
    if step.expectation is None:
        return None
    expect = replace(step.expectation, changed=False, new=False)
    seen = expect.text or expect.reference or expect.description or expect.switch is not None or expect.app
    if not seen or expect.app == ANOTHER_APP:
        return None
    late = {place: text for place, text in step.late.items() if place.startswith("expect.")}
    return StepPlan(step.step, ActionName.CHECK, description=WHERE, expect=expect, timeout=step.timeout, late=late)
