"""`handeye plan TASK`: the steps of a task and their origin; nothing is acted on."""

from __future__ import annotations

from contextlib import closing, nullcontext
from typing import Annotated, Any, Self

from pydantic import BaseModel, Field, model_validator

from handeye.commands.annotate import MOST_OF_NOTE, MOST_WORDS
from handeye.commands.base import Context, Outcome, Table
from handeye.commands.locate import uri_of
from handeye.commands.parameters import Cli, ModelName
from handeye.devices import Device, open_device
from handeye.plan import REDACTION, StepPlan, TaskPlan, is_secret, plan_to_dict
from handeye.report import Secrets
from handeye.run import default_agent
from handeye.usage import Usage
from handeye.visible import shown


class PlanParams(BaseModel):
    """Parameters of `plan`."""

    task: Annotated[str, Cli(argument=True, many=True, metavar="[IMAGE] TASK")] = Field(
        min_length=1, description="What to do, and before it a picture for a model that plans."
    )
    screenshot: str | None = Field(None, min_length=1, description="The picture, named so.")
    device: Annotated[str | None, Cli(flags=("--device", "-d"))] = Field(
        None, min_length=1, description="The device to look at, in place of a picture."
    )
    model: ModelName = None

    @model_validator(mode="before")
    @classmethod
    def _with_picture(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Split the words of a command line into a picture and the task. Raises ValueError for more words."""
        words = given.get("task")
        if not isinstance(words, list):
            return given
        *images, task = words
        if len(images) > 1 or (images and given.get("screenshot") is not None):
            raise ValueError("name one picture and one task; a task of several words stands in quotation marks")
        return {**given, "task": task, **({"screenshot": images[0]} if images else {})}

    @model_validator(mode="after")
    def _is_sensible(self) -> Self:
        if self.screenshot is not None and self.device is not None:
            raise ValueError("a picture and a device were named; one of them is looked at")
        return self


def plan(params: PlanParams, context: Context) -> Outcome:
    """
    Plan the task from a picture, a device's screen or its words alone. Remembered plans are used, and nothing is remembered.

    Raises NoPlan, InvalidPlan, and the errors of devices and models.
    """
    uri = uri_of(params.screenshot) if params.screenshot is not None else params.device
    with closing(open_device(uri)) if uri is not None else nullcontext() as device:
        made, cost = planned(params.task, device, params.model)
    made, task = Secrets.of_plan(made).hidden((made, params.task))
    return Outcome({"task": task, **data_of(made, cost)}, lines_of(made, cost), table=table_of(made))


def planned(task: str, device: Device | None, model: str | None) -> tuple[TaskPlan, Usage]:
    """Return the plan and its model usage. A device is looked at only if the plan depends on its screen."""
    agent = default_agent(device, model, plans="read-only")
    made = agent.planner.plan(task)
    return made, agent.account.usage


def data_of(plan: TaskPlan, cost: Usage) -> dict[str, Any]:
    """Return a plan for JSON, as run folders and remembered plans have it, without secrets."""
    return {
        "origin": plan.origin.value,
        "module": plan.module,
        "model_calls": cost.calls,
        "plan": plan_to_dict(plan),
        **({"usage": cost.to_dict()} if cost.calls else {}),
    }


def lines_of(plan: TaskPlan, cost: Usage) -> tuple[str, ...]:
    """Return the origin of the plan, its goal, what may go wrong, and its model usage."""
    template = plan.analysis.get("template")
    made_by = {"template": f"the template {template}", "memory": "a plan that has worked before", "model": "a model"}
    head = f"{len(plan.steps)} steps by {made_by[plan.origin.value]}, module {plan.module or '-'}"
    goal = f"goal: {shown(plan.success_criteria, MOST_OF_NOTE)}" if plan.success_criteria else ""
    issues = tuple(f"may go wrong: {shown(each, MOST_OF_NOTE)}" for each in plan.potential_issues)
    return tuple(filter(None, (head, goal, *issues, f"models: {cost}" if cost.calls else "")))


def table_of(plan: TaskPlan) -> Table:
    """Return the steps for people."""
    return Table(("#", "action", "step", "target", "expected", "when"), tuple(map(_row, plan.steps)), "step")


def _row(step: StepPlan) -> tuple[str, ...]:
    return (
        str(step.step),
        act_of(step),
        shown(step.description, MOST_WORDS),
        target_of(step),
        expected_of(step),
        when_of(step),
    )


def act_of(step: StepPlan) -> str:
    """Return the step's action: "tap", "swipe left", "input_text '你好'"; a secret text is hidden."""
    value = next((step.params[name] for name in _SHOWN_PARAMS if name in step.params), None)
    if is_secret(step):
        value = REDACTION
    return step.action.value if value is None else f"{step.action.value} {shown(repr(value), MOST_WORDS)}"


_SHOWN_PARAMS = ("text", "key", "keycode", "direction", "package", "url", "number", "duration")


def target_of(step: StepPlan) -> str:
    return shown(str(step.wanted), MOST_OF_NOTE) if step.wanted is not None else ""


def expected_of(step: StepPlan) -> str:
    """Return what must be seen after the step, or ""."""
    return shown(str(step.expectation), MOST_OF_NOTE) if step.expectation is not None else ""


def when_of(step: StepPlan) -> str:
    """Return the conditions of the step, and of its guard."""
    when = [f"{'if' if each.wanted else 'unless'} {each.expect}" for each in step.conditions]
    guard = [f"only while {step.guard}"] if step.guard is not None else []
    return shown("; ".join((*when, *guard)), MOST_OF_NOTE)
