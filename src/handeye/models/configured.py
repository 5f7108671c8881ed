"""The configured model as a vision finder: chosen when a search begins, opened when it is first asked."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from handeye.elements import UIElement
from handeye.errors import ConfigError, HandeyeError, ModelError
from handeye.forks import register_after_fork
from handeye.geometry import Box
from handeye.models.config.environment import read_environment, vendors_with_keys
from handeye.models.config.model_config import LLMConfig
from handeye.models.config.presets import preset_called
from handeye.models.config.settings import Settings
from handeye.screen import Screen
from handeye.target import Target
from handeye.usage import Usage

if TYPE_CHECKING:
    from handeye.models.budget import Budget
    from handeye.models.grounding.acceptance import Accepted
    from handeye.models.grounding.known_elements import ReadsLines, ReadsState
    from handeye.models.grounding.vision_agent import Pictures, VisionAgent

OFF: Final = "off"
"""Value in place of a model's name that disables models, even if one is configured."""

# Number of answers kept. A run captures several frames a second while it waits; 16 are more than it needs between two steps.
_CACHE_SIZE: Final = 16
_INTERRUPTED: Final = (
    "another search that asked the model the same was interrupted before it had the answer; search again"
)

Found = UIElement | Sequence[UIElement] | None
_Question = tuple[Target, int, tuple[int, int], tuple[tuple[Box, str, float], ...]]


def configuration(model: str | None = None, provider: str | None = None) -> LLMConfig | None:
    """
    Return the configuration of the environment and `.env`, with `model` or `provider` (see
    `handeye.models.config.presets`) overridden for this call, for every role. A `model` that is the name or an alias of
    a provider selects that provider with its default model.

    Return None for `OFF`, and when nothing is configured and no model is named. A vendor's key alone configures nothing
    here: it may be there for other programs, and must not cause screenshots to be sent to that vendor (see
    `unselected_vendor_keys`). Raises ConfigError for an incomplete configuration.
    """
    if model == OFF:
        return None
    if provider is None and model and preset_called(model) is not None:
        model, provider = None, model
    settings = _settings()
    if not model and not provider:
        return read_environment(settings, lone_key=False)
    usual = settings.get("LLM_PROVIDER")
    if provider and (usual is None or preset_called(usual.value) != preset_called(provider)):
        # These describe the configured provider, not the one that is named in this call.
        settings.forget("LLM_BASE_URL", "LLM_API_KEY", "LLM_MODEL", "LLM_PROFILE", "LLM_EXTRA_BODY")
    if model:
        settings.forget("LLM_PROFILE", "LLM_EXTRA_BODY")
    settings.name(LLM_PROVIDER=provider, LLM_MODEL=model)
    config = read_environment(settings, roles=False)
    if config is None:
        raise ConfigError(
            f"the model {model!r} is named, and no provider that serves it",
            file="environment",
            expected="LLM_PROVIDER and its key, or CUSTOM_LLM_BASE_URL",
        )
    return config


def unselected_vendor_keys() -> tuple[str, str] | None:
    """
    Return the vendors' variables that are set although no model is configured, and the settings that would choose one:
    ("OPENAI_API_KEY", "LLM_PROVIDER=openai"). None when there are none.
    """
    found = vendors_with_keys(_settings())
    names, choices = (setting.name for _, setting in found), (f"LLM_PROVIDER={row.name}" for row, _ in found)
    return (" and ".join(names), " or ".join(choices)) if found else None


def _settings() -> Settings:
    settings = Settings(os.environ)
    settings.load()
    return settings


class ConfiguredVision:
    """
    A `handeye.locate.sources.visual.VisionFinder` over the configured models.

    It has one budget for its lifetime (`budget`, when it is shared with others), or one for each search (`per_search`),
    also for concurrent searches. Nothing is loaded before the first question, and configuration errors are raised by
    `find`, not before: a run that needs no model needs no configuration. The same question about the same frame is
    asked once, even by several threads. `usage` is the total usage of all questions.
    """

    def __init__(
        self,
        config: LLMConfig | ConfigError,
        *,
        reader: ReadsLines | None = None,
        state: ReadsState | None = None,
        pictures: Pictures | None = None,
        per_search: bool = False,
        budget: Budget | None = None,
    ) -> None:
        self._config = config
        self._reader, self._state, self._pictures = reader, state, pictures
        self._per_search = per_search and budget is None
        self._budget = budget
        self._opened: list[_Agent] = []
        self._idle: list[_Agent] = []
        self._answers: OrderedDict[_Question, Accepted] = OrderedDict()
        self.after_fork()
        register_after_fork(self)

    def after_fork(self) -> None:
        """Drop the pending questions of the parent process's threads: their answers arrive there."""
        self._under_way: dict[_Question, Future[Accepted]] = {}
        self._lock = threading.Lock()

    @property
    def usage(self) -> Usage:
        with self._lock:
            opened = list(self._opened)
        return sum((each.agent.usage for each in opened), Usage())

    def find(self, target: Target, screen: Screen) -> Found:
        """Return what VisionAgent.find returns; see `judge`."""
        return self.judge(target, screen).elements or None

    def judge(self, target: Target, screen: Screen) -> Accepted:
        """Return what VisionAgent.judge returns; see `judge_among`."""
        return self.judge_among(target, screen, ())

    def judge_among(self, target: Target, screen: Screen, candidates: Sequence[UIElement]) -> Accepted:
        """
        Return what VisionAgent.judge_among returns.

        Raises ConfigError and MissingPart too, for missing configuration or libraries, and ModelError if another thread
        was interrupted while it asked the same question; the next search asks it again.
        """
        question = (
            target,
            screen.digest,
            screen.size,
            tuple((each.bbox, each.text, each.confidence) for each in candidates),
        )
        with self._lock:
            if question in self._answers:
                return self._answers[question]
            running = self._under_way.get(question)
            if running is None:
                own = self._under_way[question] = Future()
        if running is not None:
            return running.result()  # another thread is asking the same question
        try:
            answer = self._ask(target, screen, candidates)
        except BaseException as error:
            with self._lock:
                del self._under_way[question]
            # An interrupt concerns the thread that received it; the waiting ones only get no answer.
            own.set_exception(error if isinstance(error, Exception) else ModelError(_INTERRUPTED))
            raise
        with self._lock:
            del self._under_way[question]
            self._answers[question] = answer
            while len(self._answers) > _CACHE_SIZE:
                self._answers.popitem(last=False)
        own.set_result(answer)
        return answer

    def clear(self) -> None:
        """Clear the cached answers."""
        with self._lock:
            self._answers.clear()

    def _ask(self, target: Target, screen: Screen, candidates: Sequence[UIElement]) -> Accepted:
        used = self._acquire_agent()
        try:
            return used.agent.judge_among(target, screen, candidates)
        finally:
            if self._per_search:
                with self._lock:
                    self._idle.append(used)

    def _acquire_agent(self) -> _Agent:
        """Return the agent to ask; with a budget per search, one that is not in use, with a renewed budget."""
        with self._lock:
            if not self._per_search:
                self._opened = self._opened or [self._open()]
                return self._opened[0]
            if self._idle:
                used = self._idle.pop()
            else:
                used = self._open()
                self._opened.append(used)
        used.budget.renew()
        return used

    def _open(self) -> _Agent:
        if isinstance(self._config, HandeyeError):
            raise self._config
        from handeye.models.budget import Budget
        from handeye.models.grounding.vision_agent import VisionAgent

        budget = self._budget or Budget(self._config.limits)
        settings = {"reader": self._reader, "state": self._state, "pictures": self._pictures}
        return _Agent(VisionAgent.from_config(self._config, budget=budget, **settings), budget)


@dataclass(frozen=True, slots=True)
class _Agent:
    """An agent and the budget that its models share."""

    agent: VisionAgent
    budget: Budget


def configured_vision(
    model: LLMConfig | str | None = None,
    *,
    reader: ReadsLines | None = None,
    state: ReadsState | None = None,
    pictures: Pictures | None = None,
    per_search: bool = False,
) -> ConfiguredVision | None:
    """
    Return a vision finder for the configured model, or None when there is none or for `OFF`. `model` is a
    configuration, or a name as for `configuration`. If it is None, errors of the configuration are raised by the first
    search.

    Raises ConfigError when `model` names one that cannot be used.
    """
    config = select_configuration(model)
    if config is None:
        return None
    return ConfiguredVision(config, reader=reader, state=state, pictures=pictures, per_search=per_search)


def select_configuration(model: LLMConfig | str | None) -> LLMConfig | ConfigError | None:
    """
    Return the configuration that `model` selects: itself, or as for `configuration`. A ConfigError is raised if `model`
    was given, and otherwise returned, to be raised when a model is needed.
    """
    if isinstance(model, LLMConfig):
        return model
    try:
        return configuration(model)
    except ConfigError as error:
        if model is not None:
            raise
        return error
