"""`handeye flow IMAGE TASK`: plan a task, find each step's target on one picture, and say what would be verified (seed 004)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from PIL import Image
from pydantic import BaseModel, Field

from handeye.commands.annotate import CANDIDATE, FOUND, Mark, annotated, refuse_source, with_picture
from handeye.commands.base import Command, Context, Effect, ExitCode, Outcome, Table
from handeye.commands.display import MOST_OF_NOTE, MOST_WORDS, shown
from handeye.commands.locate import MODEL_OPTION, as_data, uri_of
from handeye.commands.plan import act_of, data_of, expected_of, lines_of, target_of
from handeye.devices.table import open_device
from handeye.plan.base import ActionName, StepPlan
from handeye.report.hiding import Secrets
from handeye.run.defaults import default_agent
from handeye.run.levels import level_of
from handeye.run.tools import Finder
from handeye.screen import Screen
from handeye.target import LocateResult

# After these the picture says nothing any more; the second kind only where it is carried out for certain: a plan that may begin
# anywhere goes to the home screen first, unless it is there.
_LEAVES: Final = frozenset({ActionName.LAUNCH_APP, ActionName.OPEN_URL, ActionName.CALL, ActionName.RETURN_HOME})
_MOVES: Final = frozenset({ActionName.GO_HOME, ActionName.PRESS_KEY, ActionName.SWIPE})
_ON_THE_WAY: Final = "known only once a value was read"


class FlowParams(BaseModel):
    """Parameters of `flow`."""

    image: str = Field(min_length=1, description="an image file, or a device URI")
    task: str = Field(min_length=1, description="what to do, in a person's words")
    draw: Path | None = Field(None, description="write the picture with the places drawn, by the steps' numbers")
    model: str | None = Field(None, min_length=1, description=MODEL_OPTION)


@dataclass(frozen=True, slots=True)
class _Look:
    """A step, and its target on the picture; `found` is None for a step that looks for nothing, or not yet."""

    step: StepPlan
    found: LocateResult | None

    @property
    def told(self) -> str:
        """Where the target is, or why it is not."""
        if self.found is None:
            return _ON_THE_WAY if _is_late(self.step) else ""
        if self.found.element is not None and self.found.success:
            return f"{self.found.method_used} {self.found.confidence:.2f} at {tuple(self.found.element.center)}"
        if self.found.candidates:
            return f"{len(self.found.candidates)} places fit equally well"
        if self.found.failure is not None:
            return shown(str(self.found.failure), MOST_OF_NOTE)
        return "not on this picture" if self.found.looked else "nobody could look"


def flow(params: FlowParams, context: Context) -> Outcome:
    """
    The plan, where on the picture the target of each step is, and what would be verified after it. Nothing is acted on: a later
    step's target is as a rule on a later screen.

    FAILED when the target that is looked for first is not there, unless a step before it leads away from this screen. Raises as
    `plan` and `locate` do.
    """
    refuse_source(params.draw, params.image)
    with closing(open_device(uri_of(params.image))) as device:
        agent = default_agent(device, params.model, plans="read-only")
        screen = device.screenshot()
        made = agent.planner.plan(params.task, screen)
        finder = agent.tools(made).finder
        found = [_located(step, finder, screen) for step in made.steps]
        cost = agent.account.usage
    secrets = Secrets.of_plan(made)
    made, task = secrets.hidden((made, params.task))
    looks = [_Look(*each) for each in zip(made.steps, found, strict=True)]
    first = _first(looks)
    code = ExitCode.OK if first is None or first.success else ExitCode.FAILED
    steps = [_data(look) for look in looks]
    data = {"task": task, **data_of(made, cost), "success": code is ExitCode.OK, "steps": steps}
    outcome = Outcome(secrets.hidden(data), lines_of(made, cost), code, table=_table(looks))
    return with_picture(outcome, params.draw, lambda: _drawn(screen, looks, task))


def _located(step: StepPlan, finder: Finder, screen: Screen) -> LocateResult | None:
    return None if step.wanted is None or _is_late(step) else finder.locate(step.wanted, screen)


def _first(looks: Sequence[_Look]) -> LocateResult | None:
    """What was found for the first target that has to be on this very screen; None when none has to."""
    for look in looks:
        step = look.step
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
        )
        for look in looks
    )
    return Table(("#", "level", "action", "step", "target", "on this picture", "then verified"), rows)


def _data(look: _Look) -> dict[str, Any]:
    step = look.step
    return {
        "step": step.step,
        "action": step.action.value,
        "level": level_of(step).value,
        "description": step.description,
        "target": str(step.wanted) if step.wanted is not None else None,
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


FLOW = Command("flow", "Plan a task, and find its steps' targets on one picture.", Effect.READ, FlowParams, flow)
