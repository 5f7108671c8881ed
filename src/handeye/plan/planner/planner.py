"""The planner: templates first, remembered plans second, a model last."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Final

from handeye.errors import HandeyeError, InvalidReply, ModelUnreachable, NoPlan, UnusablePlan
from handeye.models import ChatModel, Prompt, ReadsLines, ask_json, escape_invisible
from handeye.plan.base import PlanOrigin, StepPlan, TaskPlan
from handeye.plan.consent.objections import objections
from handeye.plan.consent.proof import unproved_reason
from handeye.plan.consent.sending import with_guards
from handeye.plan.planner.app_knowledge import AppKnowledge, Modules, app_knowledge_for
from handeye.plan.planner.memory import PlanKey, PlanMemory, normalised
from handeye.plan.planner.model_plan import PlanReply, as_one_line, plan_of
from handeye.plan.planner.prompt import ReplanContext, ScreenInput, planner_prompt
from handeye.plan.templates.template import TASK_LIMIT
from handeye.plan.validation import problems
from handeye.screen import Screen

MOST_PROBLEMS: Final = 5
"""Most problems of a plan that are reported to its model: the first few show what it has misunderstood."""

_MADE: Final = 8
"""Plans whose key is remembered until their run ends: a run has one plan, and a program has few runs at a time."""

_log = logging.getLogger(__name__)

Versions = Callable[[tuple[str, ...]], str | None]
"""Return the version of the first of these packages that is installed, or None if unknown."""


class Planner:
    """
    Makes plans (docs/spec/vision-agent.md), in this order:

    1. by the module's template: people wrote and tested it, it is free, and it has guards that models omit;
    2. by `memory`: a plan that a model made for the same task, and that worked;
    3. by the `model`, which sees the screen. It gets the modules' images and apps; its plan is checked against the task
       (`handeye.plan.consent.objections`), sent back once with the problems, and refused after that.

    A template that fails is not replaced by a remembered plan, only by `replan`. Without a model, a task that fits neither
    has no plan. `reader` reads the screen's text for the model, which gets the picture only if it `sees`; `packages` may be
    started in addition to those of the modules; `version_of` returns the app's version for the memory. `look` takes the
    screenshot if one is needed and none was given: a template needs none. Safe to share between threads.
    """

    def __init__(
        self,
        modules: Modules,
        *,
        model: ChatModel | None = None,
        memory: PlanMemory | None = None,
        reader: ReadsLines | None = None,
        sees: bool = True,
        packages: Collection[str] = (),
        version_of: Versions = lambda packages: None,
        look: Callable[[], Screen] | None = None,
    ) -> None:
        self._modules, self._model, self._memory, self._look = modules, model, memory, look
        self._reader, self._sees = reader, sees
        self._packages, self._version_of = packages, version_of
        self._made: deque[tuple[TaskPlan, PlanKey]] = deque(maxlen=_MADE)
        self._lock = threading.Lock()

    def plan(self, task: str, screenshot: Screen | None = None, history: Sequence[StepPlan] | None = None) -> TaskPlan:
        """
        Return the plan for a task, starting at `screenshot`. With `history`, the steps that were carried out for it before,
        only the model is asked: templates and remembered plans start from the beginning.

        Raises NoPlan, with the nearest known wordings or the model's reason; UnusablePlan with both errors if the model's plans
        cannot be used; ModelError and ConfigError if the model cannot be asked; ConfigError for a damaged file of the memory;
        what `look` raises.
        """
        if history:
            return self._ask_model(task, screenshot, ReplanContext(tuple(history)))
        try:
            return self._modules.plan(task, screenshot)
        except NoPlan:
            if not 0 < len(task.strip()) <= TASK_LIMIT or (self._model is None and self._memory is None):
                raise
            known = self._known(task)
            if self._memory is not None and self._memory.knows(task, known.module):
                screenshot = self._screenshot(screenshot)
                if (plan := self._remembered(task, screenshot, known, self._memory)) is not None:
                    return plan
            if self._model is None:
                raise
        return self._ask_model(task, screenshot, None)

    def replan(
        self,
        original_task: str,
        current_screenshot: Screen | None,
        failed_step: StepPlan,
        failure_reason: str,
        executed_steps: Sequence[StepPlan],
    ) -> TaskPlan:
        """
        Return a model's plan for the rest of the task, from the current screen. It never sends again what an executed step has
        sent. The plan that failed is forgotten, and the new one is not remembered: it begins in the middle.

        Raises NoPlan without a model, else as `plan`.
        """
        for plan, key in self._forget(lambda plan, key: key.task == normalised(original_task)):
            self._drop(plan, key)
        return self._ask_model(
            original_task, current_screenshot, ReplanContext(tuple(executed_steps), failed_step, failure_reason)
        )

    def succeeded(self, plan: TaskPlan) -> None:
        """
        Remember a plan whose goal was proved without a replan, if a model made it. A failed write is only logged, since the
        task is done.
        """
        for made, key in self._forget(lambda other, key: other == plan):
            if self._memory is None or made.origin is not PlanOrigin.MODEL:
                continue
            try:
                self._memory.keep(key, made)
            except HandeyeError as error:
                _log.warning("the plan is not remembered: %s", error)

    def failed(self, plan: TaskPlan) -> None:
        """Forget a plan that did not lead to its goal, if it was remembered."""
        for made, key in self._forget(lambda other, key: other == plan):
            self._drop(made, key)

    def _drop(self, plan: TaskPlan, key: PlanKey) -> None:
        if self._memory is None or plan.origin is not PlanOrigin.MEMORY:
            return
        try:
            self._memory.drop(key)
        except HandeyeError as error:
            _log.warning("the plan that failed is not forgotten: %s", error)

    def _remembered(self, task: str, screen: Screen | None, known: AppKnowledge, memory: PlanMemory) -> TaskPlan | None:
        """Return a plan that worked for this task, or None. It is checked again, since anyone may have edited its file."""
        key = self._key(task, screen, known)
        plan = memory.recall(key)
        if plan is None:
            return None
        plan = replace(plan, module=known.module, origin=PlanOrigin.MEMORY, doubt=unproved_reason(plan, task, known))
        wrong = _problems_of(plan, task, known)
        if wrong:
            _log.warning("the remembered plan for %r is not used: %s", task[:80], wrong)
            return None
        self._note(plan, key)
        return plan

    def _ask_model(self, task: str, screen: Screen | None, trouble: ReplanContext | None) -> TaskPlan:
        if self._model is None:
            why = f": {trouble.reason}" if trouble is not None and trouble.reason else ""
            raise NoPlan(f"no model is configured that could find another way to do {task[:80]!r}{why}")
        known, screen = self._known(task), self._screenshot(screen)
        executed = trouble.executed if trouble is not None else ()
        made: list[TaskPlan] = []

        def check(reply: PlanReply) -> str | None:
            if reply.refusal:
                return None
            plan = with_guards(plan_of(reply, task, known), task, known, executed)
            made.append(replace(plan, doubt=unproved_reason(plan, task, known, executed)))
            return _problems_of(plan, task, known, executed)

        sight = ScreenInput(self._model.name, self._sees, self._reader)
        try:
            prompt = planner_prompt(task, known, screen, sight, trouble)
            reply = _answer(self._model, prompt, check)
        except InvalidReply as error:
            raise UnusablePlan(_unusable_message(error)) from error
        if reply.refusal:
            raise NoPlan(f"the model says that this cannot be done: “{escape_invisible(as_one_line(reply.refusal))}”")
        if trouble is None and self._memory is not None:
            self._note(made[-1], self._key(task, screen, known))
        return made[-1]

    def _screenshot(self, screen: Screen | None) -> Screen | None:
        return self._look() if screen is None and self._look is not None else screen

    def _known(self, task: str) -> AppKnowledge:
        return app_knowledge_for(self._modules, task, self._packages)

    def _key(self, task: str, screen: Screen | None, known: AppKnowledge) -> PlanKey:
        size = screen.size if screen is not None else None
        return PlanKey.of(task, known.module, self._version_of(known.own), size)

    def _note(self, plan: TaskPlan, key: PlanKey) -> None:
        with self._lock:
            self._made.append((plan, key))

    def _forget(self, which: Callable[[TaskPlan, PlanKey], bool]) -> list[tuple[TaskPlan, PlanKey]]:
        with self._lock:
            found = [each for each in self._made if which(*each)]
            self._made = deque((each for each in self._made if each not in found), maxlen=_MADE)
        return found


def _answer(model: ChatModel, prompt: Prompt, check: Callable[[PlanReply], str | None]) -> PlanReply:
    """
    Return the model's answer. A plan has no fallback, so a server that accepted the request and gave no answer in time is asked
    once more; one that is unreachable or busy has been retried already.
    """
    try:
        return ask_json(model, prompt, PlanReply, check=check)[0]
    except ModelUnreachable as error:
        if error.usage is None or not error.usage.calls:
            raise
        _log.warning("%s; it is asked once more", error)
    return ask_json(model, prompt, PlanReply, check=check)[0]


def _problems_of(plan: TaskPlan, task: str, known: AppKnowledge, executed: Sequence[StepPlan] = ()) -> str | None:
    """Return the problems of a plan that no person wrote, or None."""
    found = list(map(str, problems(plan))) or list(objections(plan, task, known, executed))
    more = len(found) - MOST_PROBLEMS
    listed = "; ".join(found[:MOST_PROBLEMS])
    return (f"{listed}; and {more} more" if more > 0 else listed) or None


def _unusable_message(error: InvalidReply) -> str:
    """Return the message for unusable answers; it mentions two of them only if the model was asked twice."""
    first, second = error.__cause__, error.problem
    if not isinstance(first, InvalidReply):
        tries = second
    elif first.problem == second:
        tries = f"it was told what was wrong, asked once more, and answered so again: {second}"
    else:
        tries = f"{first.problem}; it was told so, and asked once more: {second}"
    return f"the model made no plan that can be used: {tries}; say it in other words, or use another model"
