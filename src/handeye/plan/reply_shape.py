"""The shape of a model's plan: seed 004's JSON, every object closed."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

MOST_STEPS: Final = 50
"""Steps of a model's plan. Seed 004's longest example has six; more than fifty are a model that goes round in circles."""

LONGEST_WAIT_MS: Final = 30_000
"""A model that wants to wait longer than half a minute has no reason that can be checked."""

Line = Annotated[str, StringConstraints(max_length=400)]
Words = Annotated[str, StringConstraints(min_length=1, max_length=400)]
Typed = Annotated[str, StringConstraints(min_length=1, max_length=4000)]
Milliseconds = Annotated[int, Field(ge=0, le=LONGEST_WAIT_MS)]
Action = Literal[
    "tap",
    "long_press",
    "swipe",
    "input_text",
    "press_key",
    "wait",
    "go_home",
    "launch_app",
    "open_url",
    "call",
    "check",
    "read",
    "return_home",
]


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class ParamsReply(_Closed):
    text: Typed | None = None
    secret: bool | None = None
    direction: Literal["left", "right", "up", "down"] | None = None
    duration: Milliseconds | None = None
    count: int | None = None
    key: Words | None = None
    keycode: Annotated[int, Field(ge=0, le=1023)] | None = None
    package: Words | None = None
    url: Annotated[str, StringConstraints(min_length=1, max_length=2000)] | None = None
    number: Words | None = None
    save_as: Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,63}$")] | None = None
    take: Literal["text", "row", "right", "below"] | None = None


class FallbackReply(_Closed):
    action: Literal["swipe", "tap", "press_key", "wait"]
    params: ParamsReply | None = None
    target_ref: Words | None = None
    description: Line | None = None


class StepReply(_Closed):
    step: int
    action: Action
    target_ref: Words | None = None
    target_type: Literal["icon", "ui", "state", "text", "dynamic"] | None = None
    description: Line | None = None
    params: ParamsReply | None = None
    verify_ref: Words | None = None
    success_condition: Line | None = None
    guard: Words | None = None
    fallback: FallbackReply | None = None
    timeout: Milliseconds | None = None
    retry: Annotated[int, Field(ge=0, le=5)] | None = None
    wait_before: Milliseconds | None = None
    wait_after: Milliseconds | None = None
    closes_popup: bool | None = None


class AnalysisReply(_Closed):
    current_screen: Line | None = None
    target_state: Line | None = None
    estimated_steps: int | None = None


class PlanReply(_Closed):
    """A plan, or why there is none: `impossible`, and nothing else then."""

    analysis: AnalysisReply | None = None
    steps: Annotated[list[StepReply], Field(max_length=MOST_STEPS)] = Field(default_factory=list)
    success_criteria: Line | None = None
    potential_issues: Annotated[list[Line], Field(max_length=20)] | None = None
    impossible: Line | None = None

    @property
    def refusal(self) -> str:
        """Why the task cannot be done; "" for a plan."""
        return (self.impossible or "").strip()

    @model_validator(mode="after")
    def _is_one_of_both(self) -> Self:
        if self.refusal and self.steps:
            raise ValueError("a plan has steps and no `impossible`; what cannot be done has `impossible` and no steps")
        if not self.refusal and not (self.steps and (self.success_criteria or "").strip()):
            raise ValueError("a plan has steps and success_criteria; what cannot be done has `impossible` and says why")
        return self
