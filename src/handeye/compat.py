"""`Planner` and `Verifier` of docs/spec/vision-agent.md, usable without a run, with default parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from handeye.locate import TemplateStrategy
from handeye.matching import ReferenceSource
from handeye.models import LLMConfig, configured_models
from handeye.ocr import CachedReader, PaddleReader, TextReader
from handeye.plan import Modules, StepPlan, TaskPlan
from handeye.plan import Planner as PlanPlanner
from handeye.run import default_planner, planning_parts
from handeye.screen import Screen, Screenshot, as_screen
from handeye.verify import ScreenVerifier


class Planner(PlanPlanner):
    """
    `handeye.plan.Planner` with the built-in and the user's app modules, the default memory, and the model named by the
    environment.

    `llm_config` names another model (see `handeye.models.configured_models`); `parts` are further arguments of that
    class, which replace the defaults. Screenshots may be anything that `handeye.screen.as_screen` accepts. Raises
    ConfigError if `llm_config` names a model that cannot be used.
    """

    def __init__(self, modules: Modules | None = None, llm_config: LLMConfig | str | None = None, **parts: Any) -> None:
        reader = CachedReader(PaddleReader())
        defaults = planning_parts(configured_models(llm_config, reader=reader), reader)
        super().__init__(modules if modules is not None else default_planner(), **{**defaults, **parts})

    def plan(
        self, task: str, screenshot: Screenshot | None = None, history: Sequence[StepPlan] | None = None
    ) -> TaskPlan:
        return super().plan(task, _screen(screenshot), history)

    def replan(
        self,
        original_task: str,
        current_screenshot: Screenshot | None,
        failed_step: StepPlan,
        failure_reason: str,
        executed_steps: Sequence[StepPlan],
    ) -> TaskPlan:
        seen = _screen(current_screenshot)
        return super().replan(original_task, seen, failed_step, failure_reason, executed_steps)


class Verifier(ScreenVerifier):
    """
    `ScreenVerifier` with the bundled text reader, every module's reference images, and the model named by the
    environment.

    `llm_config` and `parts` are as for `Planner`. Raises ConfigError if `llm_config` names a model that cannot be used.
    """

    def __init__(
        self,
        reader: TextReader | None = None,
        images: ReferenceSource | TemplateStrategy | None = None,
        llm_config: LLMConfig | str | None = None,
        **parts: Any,
    ) -> None:
        reader = reader if reader is not None else CachedReader(PaddleReader())
        images = images if images is not None else default_planner().images()
        defaults = {"model": configured_models(llm_config).chat("verifier")}
        super().__init__(reader, images, **{**defaults, **parts})


def _screen(picture: Screenshot | None) -> Screen | None:
    return None if picture is None else as_screen(picture)
