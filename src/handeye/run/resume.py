"""Resume a run that ended early, without repeating what may have been done; and join a new plan to the first one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from handeye.errors import InvalidPlan, NoPlan
from handeye.plan import ActionName, PlanOrigin, StepPlan, TaskPlan
from handeye.run.action_history import ActionHistory, UnsentText, unsafe
from handeye.run.idempotency import chooses, is_final, sends_by_key
from handeye.run.result import StepStatus, has_to_prove
from handeye.screen import Screen
from handeye.target import ANOTHER_APP, Expectation
from handeye.verify import Verifier

WHERE: Final = "the screen is where the earlier run ended"
MAY_STAND_TYPED: Final = "what the earlier run typed may still stand in its field; empty it, and run the task again"
IF_NOT_DONE: Final = "if it was not, or may be done again, run the task itself again"
MAY_BE_DONE: Final = (
    f"nothing was done: {{}} may have been done already, and nobody knows what a second time would do; {IF_NOT_DONE}"
)
# Characters at either end of a text that a field still shows where the whole text does not fit.
_PIECE: Final = 8
_LOOKS: Final = frozenset({ActionName.CHECK, ActionName.READ})
# Statuses of steps that may have acted; a skipped step has not.
_BEGUN: Final = frozenset({StepStatus.RUNNING, StepStatus.SUCCESS, StepStatus.UNVERIFIED, StepStatus.FAILED})


@dataclass(frozen=True, slots=True)
class ResumePoint:
    """
    A run that ended early: its plan (the last one where there were several), the statuses of its steps by their numbers, and
    the values that they had read. `done` holds the steps of the earlier plans, which the last plan replaced; `untyped` is the
    frame before the last typing, which shows what is new in the field, None when it was not stored. `first` is the plan that
    the run began with, whose guards and last proof hold for those that replace it; None when that is `plan`.
    """

    plan: TaskPlan
    statuses: Mapping[int, StepStatus]
    values: Mapping[str, str] = field(default_factory=dict)
    done: tuple[StepPlan, ...] = ()
    untyped: Screen | None = None
    first: TaskPlan | None = None

    def doubted(self) -> StepPlan | None:
        """
        Return the first step that should have proved something, did not, and is not repeated by what is `left`; else None.
        """
        last = self._last_proved()
        kept = self.plan.steps[: last + 1 if last is not None else 0]
        unproved = (step for step in (*self.done, *kept) if self.statuses.get(step.step) is StepStatus.UNVERIFIED)
        return next(filter(has_to_prove, unproved), None)

    def deeds(self) -> ActionHistory:
        """Return the history of the earlier run, for what must not be done twice. A step that was begun may have acted."""
        deeds = ActionHistory()
        for planned in (*self.done, *self.plan.steps):
            status = self.statuses.get(planned.step)
            if status not in _BEGUN:
                continue
            step = planned.with_values(self.values) if self._has_values(planned) else planned
            if step.action is ActionName.INPUT_TEXT:
                deeds.draft = UnsentText(text_of_step(step, self.values))
            deeds.acted(step)
            if status is StepStatus.SUCCESS:
                deeds.proved(step)
            elif status is StepStatus.UNVERIFIED:
                deeds.done(step)
        return deeds

    def unknown(self) -> Iterator[StepPlan]:
        """Yield the steps that may have acted, and whose repetition may do harm."""
        return self._unknown((*self.done, *self.plan.steps))

    def first_unsafe_repeat(self) -> StepPlan | None:
        """Return the first of the steps `left` that may have acted, and whose repetition may do harm; or None."""
        last = self._last_proved()
        return next(self._unknown(self.plan.steps[last + 1 :]), None) if last is not None else None

    def left(self, deeds: ActionHistory) -> tuple[StepPlan, ...] | None:
        """
        Return the remaining steps, the first of them a check of where the screen is; None when nothing was proved that could
        be checked: the task is planned again then.

        Where something may have been sent, only checks of whether it was are left; None when they could not tell. Where only
        checks are left, they identify the place themselves: they do nothing elsewhere.
        """
        if deeds.in_doubt:
            return self._looks()
        steps, last = self.plan.steps, self._last_proved()
        if last is not None and _only_check(steps[last + 1 :]) and _where(steps[last + 1]) is not None:
            return steps[last + 1 :]
        at = last
        while last is not None and at is not None and at >= 0:
            if (where := self._where(steps[at])) is not None:
                return (where, *steps[last + 1 :])
            if steps[at].action not in _LOOKS:
                return None
            at -= 1  # a check that does not identify the place has not changed it either
        return None

    def _unknown(self, steps: Sequence[StepPlan]) -> Iterator[StepPlan]:
        begun = [step for step in steps if self.statuses.get(step.step) in _BEGUN]
        return unsafe(begun, (*self.done, *self.plan.steps))

    def _looks(self) -> tuple[StepPlan, ...] | None:
        """
        Return a check of the last act's expected effect, and the checks after it: both must hold, because the draft of a
        message can look like the message. None when another act would have to follow, or an earlier plan left the doubt.
        """
        begun = [
            at
            for at, step in enumerate(self.plan.steps)
            if step.action not in _LOOKS and self.statuses.get(step.step) in _BEGUN
        ]
        if not begun or replace(self, plan=replace(self.plan, steps=())).deeds().in_doubt:
            return None
        act, after = self.plan.steps[begun[-1]], self.plan.steps[begun[-1] + 1 :]
        own = None if self._looks_like_draft(act) else _own_proof(act)
        if own is None or not _only_check(after):
            return None
        return (own, *after)

    def _looks_like_draft(self, act: StepPlan) -> bool:
        """Return True if the only expected effect of `act` is a text that is on the screen as a draft, too."""
        expect = act.expectation
        if expect is None or not expect.text or expect.gone or expect.reference or expect.description or expect.app:
            return False
        typed = [step for step in self.plan.steps if step.action is ActionName.INPUT_TEXT]
        return any(expect.text in (text := text_of_step(step, self.values)) or text in expect.text for step in typed)

    def _where(self, step: StepPlan) -> StepPlan | None:
        return _where(step) if self.statuses.get(step.step) is StepStatus.SUCCESS else None

    def _last_proved(self) -> int | None:
        proved = [at for at, step in enumerate(self.plan.steps) if self.statuses.get(step.step) is StepStatus.SUCCESS]
        return proved[-1] if proved else None

    def _has_values(self, step: StepPlan) -> bool:
        return all(text.slots <= self.values.keys() for text in step.late.values())


def text_of_step(step: StepPlan, values: Mapping[str, str]) -> str:
    """Return the text that the step types, with values that were read before; empty while a value is missing."""
    known = all(text.slots <= values.keys() for text in step.late.values())
    return str(step.with_values(values).params.get("text", "")) if known else ""


def is_search_word(typed: str, after: Sequence[StepPlan]) -> bool:
    """
    Return True if a text that is typed before the steps `after` is a search word: the first of them that acts taps the result
    of that very name. Such a word is not sent, and may be typed again.
    """
    act = next((step for step in after if step.action not in _LOOKS), None)
    taps = act is not None and act.action is ActionName.TAP and not is_final(act)
    return taps and act is not None and act.wanted is not None and chooses(act.wanted, typed)


def is_typed_already(typed: str, draft: str, untyped: Screen | None, screen: Screen, verifier: Verifier) -> bool | None:
    """
    Return True if `draft`, which an earlier run has typed, is in its field on `screen`, where `typed` is to be typed: it is
    the same text, alone in its line, where it was not on `untyped`. False when nothing of it is read; None when that cannot
    be decided, such as for a text of symbols only, which no text reader reads.
    """
    draft = draft.strip()
    if not any(sign.isalnum() for sign in draft):
        return None
    if verifier.verify(Expectation(text=draft), None, screen).matches_expected is False:
        pieces = {draft, draft[:_PIECE].strip(), draft[-_PIECE:].strip()}
        absent = all(verifier.verify(Expectation(gone=piece), None, screen).verified for piece in pieces)
        return False if absent else None
    if untyped is None or typed.strip() != draft:
        return None
    return verifier.verify(alone(draft), untyped, screen).verified or None


def alone(text: str) -> Expectation:
    """Return the expectation that `text` is new in a line of its own: what was typed, without older text."""
    return Expectation(text=text.strip(), exact=True, new=True)


def _only_check(steps: Sequence[StepPlan]) -> bool:
    return bool(steps) and all(step.action is ActionName.CHECK for step in steps)


def _own_proof(act: StepPlan) -> StepPlan | None:
    """Return a check of the expected effect of `act`; None when it expects nothing that can be checked."""
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
    Return a check of whether what the step has proved still holds; None where that does not identify the screen: that
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


# Parts of the first plan that a later plan takes over: its guards and its last proof; and the numbering of its steps.


# Places of a step whose late texts belong to its proof.
_OF_PROOF: Final = ("expect.", "guard.")
# With these actions a plan can start on any screen. Templates can start anywhere (`handeye.apps`).
_ENTRY_ACTIONS: Final = frozenset({ActionName.LAUNCH_APP, ActionName.GO_HOME, ActionName.OPEN_URL})


class _Guards(NamedTuple):
    """The steps whose guards hold for typing a text, and for what may send it."""

    typing: StepPlan | None
    sending: StepPlan | None


_NO_GUARD: Final = _Guards(None, None)


def merged_plan(
    first: TaskPlan, other: TaskPlan, *, after: int, values: Mapping[str, str] | None = None, standing: str = ""
) -> TaskPlan:
    """
    Return `other` as it may be carried out in place of the rest of the run, its steps numbered from `after` + 1.

    `first` is the plan that the run began with, even when another one has replaced it meanwhile: a template guards what it
    types and sends ("only under the title 张三"), and a planner does not know that. So a text that was guarded is guarded in
    the other plan as well, and so is every act that may send it; texts that the first plan does not type are refused. The
    last proof of a template is checked at the end of the other plan as well. `values` were read from the screen before;
    `standing` was typed and could not be erased.

    Raises InvalidPlan when the other plan types something else.
    """
    first = replace(first, steps=tuple(_filled(step, values or {}) for step in first.steps))
    goal = _goal(first)
    steps = [*_guarded(first, other, standing), *_last_proof(first, goal, other)]
    numbered = tuple(replace(step, step=after + at) for at, step in enumerate(steps, 1))
    proves = goal is not None and first.origin is PlanOrigin.TEMPLATE
    return replace(other, steps=numbered, doubt="" if proves else other.doubt)


def restarted_plan(first: TaskPlan, *, after: int) -> TaskPlan:
    """
    Return the plan that the run began with, from its start, its steps numbered from `after` + 1: for an app that is no longer
    in front, which is no evidence against the plan. Its guards and proofs are its own.

    Raises NoPlan for a plan that is no template and does not itself lead into an app: it began on another screen.
    """
    if first.origin is not PlanOrigin.TEMPLATE and not (first.steps and first.steps[0].action in _ENTRY_ACTIONS):
        raise NoPlan("the first plan began in the middle of an app, so that it cannot be begun once more")
    return replace(first, steps=tuple(replace(step, step=after + at) for at, step in enumerate(first.steps, 1)))


def _filled(step: StepPlan, values: Mapping[str, str]) -> StepPlan:
    """Return the step with the values that were read; unchanged while some are missing."""
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
        # Until something is typed, the plan is on its way to the field; only an act that sends by its words may send an older
        # draft.
        acts = types or (is_final(step) or sends_by_key(step) if fresh else _may_send(step))
        yield _under(guarded, step) if acts and guarded is not None and step.guard is None else step


def _under(guarded: StepPlan, step: StepPlan) -> StepPlan:
    """Return `step` with the guard of `guarded`, and with the late texts of that guard."""
    late = {place: text for place, text in guarded.late.items() if place.startswith("guard.")}
    return replace(step, guard=guarded.guard, late={**step.late, **late})


def _guards(plan: TaskPlan) -> Mapping[str, _Guards]:
    """
    Return the guards for typing and sending each text; texts without a guard are left out. The first guarded act after a
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
    """Return the expected effect of the last step of a plan that no model made; None when that proves nothing."""
    last = first.steps[-1].expectation if first.steps and first.origin is not PlanOrigin.MODEL else None
    if last is None or not (last.is_evidence or last.app) or last.app == ANOTHER_APP:
        return None
    return replace(last, changed=False)


def _last_proof(first: TaskPlan, goal: Expectation | None, other: TaskPlan) -> Iterator[StepPlan]:
    """Yield a check of the first plan's goal, unless the other plan ends with it."""
    end = other.steps[-1] if other.steps else None
    if goal is None or (end is not None and end.action is ActionName.CHECK and end.expectation == goal):
        return
    last = first.steps[-1]
    # A check's guard restricts where its proof counts; that of an act restricts when it may be done.
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
