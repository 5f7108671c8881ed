"""`handeye flow IMAGE TASK`: plan a task and find each step's target on one picture (docs/spec/vision-agent.md)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from PIL import Image
from pydantic import BaseModel, Field

from handeye.commands.annotate import (
    CANDIDATE,
    FOUND,
    MOST_OF_NOTE,
    MOST_WORDS,
    Mark,
    annotated,
    refuse_source,
    with_picture,
)
from handeye.commands.base import Context, ExitCode, Outcome, Table
from handeye.commands.locate import as_data, uri_of
from handeye.commands.parameters import ARGUMENT, ImageArgument, ModelName
from handeye.commands.plan import act_of, data_of, expected_of, lines_of, target_of, when_of
from handeye.devices import Device, open_device
from handeye.plan import ActionName, StepPlan
from handeye.report import Secrets
from handeye.run import Tools, default_agent, front_app, level_of, with_app
from handeye.screen import Screen
from handeye.target import LocateResult
from handeye.verify import Verifier
from handeye.visible import shown

# After these actions the screen is another one. Those of the second kind count only without conditions: a plan that may begin
# anywhere goes to the home screen first, unless it is there already.
_LEAVES: Final = frozenset({ActionName.LAUNCH_APP, ActionName.OPEN_URL, ActionName.CALL, ActionName.RETURN_HOME})
_MOVES: Final = frozenset({ActionName.GO_HOME, ActionName.PRESS_KEY, ActionName.SWIPE})
_ON_THE_WAY: Final = "known only once a value was read"


class FlowParams(BaseModel):
    """Parameters of `flow`."""

    image: ImageArgument
    task: Annotated[str, ARGUMENT] = Field(min_length=1, description="What to do, for example 打开微信")
    draw: Path | None = Field(None, description="Write the picture with the places drawn.")
    model: ModelName = None


@dataclass(frozen=True, slots=True)
class _Look:
    """
    A step, and its target on the picture. `found` is None for a step without a target, or whose target is not known yet. `due`
    is True if its conditions hold on the picture, None if the picture cannot decide; `why` is the evidence.
    """

    step: StepPlan
    found: LocateResult | None
    due: bool | None = True
    why: str = ""

    @property
    def told(self) -> str:
        """The place of the target, or why there is none, and a condition that fails or is open."""
        if self.due is False:
            return f"left out: {shown(self.why, MOST_OF_NOTE)}"
        place = self._place
        open_ = (
            f"whether it is carried out is not to be seen: {shown(self.why, MOST_OF_NOTE)}" if self.due is None else ""
        )
        return "; ".join(filter(None, (place, open_)))

    @property
    def _place(self) -> str:
        if self.found is None:
            return _ON_THE_WAY if _is_late(self.step) else ""
        if self.found.element is not None and self.found.success:
            return f"{self.found.method_used} {self.found.confidence:.2f} at {tuple(self.found.element.center)}"
        if self.found.candidates and self.found.method_used == "none":
            return "not for sure on this picture"
        if self.found.candidates:
            return f"{len(self.found.candidates)} places fit equally well"
        if self.found.failure is not None:
            return shown(str(self.found.failure), MOST_OF_NOTE)
        return "not on this picture" if self.found.looked else "nobody could look"


def flow(params: FlowParams, context: Context) -> Outcome:
    """
    Return the plan, the place of each step's target on the picture, and what would be verified after it. Nothing is acted on,
    so the target of a later step is usually not there: it is on a later screen.

    FAILED if the first target is not there, unless a step before it leaves this screen. Raises as `plan` and `locate` do.
    """
    refuse_source(params.draw, params.image)
    with closing(open_device(uri_of(params.image))) as device:
        agent = default_agent(device, params.model, plans="read-only")
        screen = device.screenshot()
        made = agent.planner.plan(params.task, screen)
        tools = agent.tools(made)
        looks = [_look(step, tools, screen, device) for step in made.steps]
        cost = agent.account.usage
    secrets = Secrets.of_plan(made)
    made, task = secrets.hidden((made, params.task))
    looks = [
        _Look(step, look.found, look.due, secrets.hidden(look.why))
        for step, look in zip(made.steps, looks, strict=True)
    ]
    first = _first(looks)
    code = ExitCode.OK if first is None or first.success else ExitCode.FAILED
    steps = [_data(look) for look in looks]
    data = {"task": task, **data_of(made, cost), "success": code is ExitCode.OK, "steps": steps}
    outcome = Outcome(secrets.hidden(data), lines_of(made, cost), code, table=_table(looks))
    return with_picture(outcome, params.draw, lambda: _drawn(screen, looks, task))


def _look(step: StepPlan, tools: Tools, screen: Screen, device: Device) -> _Look:
    due, why = _due(step, tools.verifier, screen, device)
    if due is False or step.wanted is None or _is_late(step):
        return _Look(step, None, due, why)
    return _Look(step, tools.finder.locate(step.wanted, screen), due, why)


def _due(step: StepPlan, verifier: Verifier, screen: Screen, device: Device) -> tuple[bool | None, str]:
    """Return True if all conditions of the step hold here (None: undecided), and the evidence if they do not."""
    open_ = ""
    for condition in step.conditions:
        verdict = verifier.verify(condition.expect, None, screen)
        if condition.expect.app:
            verdict = with_app(verdict, condition.expect, front_app(device), device)
        why = "; ".join(verdict.evidence if condition.expect.is_evidence else verdict.evidence[:1])
        if verdict.undecided:
            open_ = open_ or why
        elif verdict.verified is not condition.wanted:
            return False, why
    return (None, open_) if open_ else (True, "")


def _first(looks: Sequence[_Look]) -> LocateResult | None:
    """Return the result for the first target that must be on this screen, or None if there is none."""
    for look in looks:
        step = look.step
        if look.due is False:
            continue
        if step.action in _LEAVES or (step.action in _MOVES and not step.conditions):
            return None
        if look.found is not None:
            return look.found
    return None


def _is_late(step: StepPlan) -> bool:
    return any(place.startswith("target.") for place in step.late)


def _table(looks: Sequence[_Look]) -> Table:
    rows = tuple(
        (
            str(look.step.step),
            str(level_of(look.step).value),
            act_of(look.step),
            shown(look.step.description, MOST_WORDS),
            target_of(look.step),
            look.told,
            expected_of(look.step),
            when_of(look.step),
        )
        for look in looks
    )
    return Table(("#", "level", "action", "step", "target", "on this picture", "then verified", "when"), rows, "step")


def _data(look: _Look) -> dict[str, Any]:
    step = look.step
    return {
        "step": step.step,
        "action": step.action.value,
        "level": level_of(step).value,
        "description": step.description,
        "target": str(step.wanted) if step.wanted is not None else None,
        "when": when_of(step),
        "due": look.due,
        "located": as_data(look.found) if look.found is not None else None,
        "expected": str(step.expectation) if step.expectation is not None else None,
    }


def _drawn(screen: Screen, looks: Sequence[_Look], task: str) -> Image.Image:
    marks: list[Mark] = []
    legend: list[tuple[str | None, str]] = [(None, shown(task, MOST_WORDS))]
    for look in looks:
        if look.found is None:
            continue
        name = f"{look.step.step}: {shown(look.step.description or look.step.action.value, MOST_WORDS)}"
        element = look.found.element
        if look.found.success and element is not None:
            marks.append(Mark(element.visible_region or element.bbox, FOUND, look.step.step, aim=True))
            legend.append((FOUND, name))
        marks += [Mark(each.bbox, CANDIDATE, look.step.step) for each in look.found.candidates]
    return annotated(screen, marks, legend)
