"""The model that a person has configured, as something to look with: chosen when a search begins, opened when it is asked."""

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
from handeye.forks import renew_after_fork
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
"""Instead of a model's name: none is asked, whatever is configured."""

# A run looks several times a second while it waits. Sixteen frames are more than it sees between two steps.
_KEPT: Final = 16
_INTERRUPTED: Final = (
    "another search that asked the model the same was interrupted before it had the answer; search again"
)

Found = UIElement | Sequence[UIElement] | None
_Question = tuple[Target, int, tuple[int, int], tuple[tuple[Box, str, float], ...]]


def configuration(model: str | None = None, provider: str | None = None) -> LLMConfig | None:
    """
    Return the configuration of the environment and `.env`, with another `model` or `provider` (see
    `handeye.models.config.presets`) for this once, for every role. A model that is called as a provider is, by any of its
    names, means that provider with its usual model.

    None for `OFF`, and when nothing is configured and nothing was named. A vendor's key alone configures nothing here: it may
    be there for other programs, and must not send them pictures of the screen (see `unchosen`). Raises ConfigError for what is
    configured by half.
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
        # These describe the usual provider, another one than the one that is named now.
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


def unchosen() -> tuple[str, str] | None:
    """
    The vendors' variables that are set although no model is configured, and what would choose one:
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
    A `handeye.locate.sources.visual.VisionFinder` over the configured models, with one budget for its life (`budget`, when
    it is shared with others), or for each search (`per_search`): searches at the same time have a budget each. Nothing is
    loaded before the first question.

    What is wrong with the configuration is raised by `find`, not before: who finds everything without a model needs none. The
    same question about the same frame is asked once, by however many threads. `usage` is what all questions have cost.
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
        renew_after_fork(self)

    def after_fork(self) -> None:
        """Forget the questions that threads of the parent process have asked: the answers come to them."""
        self._under_way: dict[_Question, Future[Accepted]] = {}
        self._lock = threading.Lock()

    @property
    def usage(self) -> Usage:
        with self._lock:
            opened = list(self._opened)
        return sum((each.agent.usage for each in opened), Usage())

    def find(self, target: Target, screen: Screen) -> Found:
        """As VisionAgent.find; see `judge`."""
        return self.judge(target, screen).elements or None

    def judge(self, target: Target, screen: Screen) -> Accepted:
        """Return what VisionAgent.judge returns; see `judge_among`."""
        return self.judge_among(target, screen, ())

    def judge_among(self, target: Target, screen: Screen, candidates: Sequence[UIElement]) -> Accepted:
        """
        Return what VisionAgent.judge_among returns. Raises ConfigError and MissingPart too, for what is not configured or
        installed, and ModelError where another thread was interrupted with the same question: the next search asks it anew.
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
            return running.result()  # somebody asks the same at this moment
        try:
            answer = self._ask(target, screen, candidates)
        except BaseException as error:
            with self._lock:
                del self._under_way[question]
            # An interrupt is for the thread that it came to; the others only have no answer.
            own.set_exception(error if isinstance(error, Exception) else ModelError(_INTERRUPTED))
            raise
        with self._lock:
            del self._under_way[question]
            self._answers[question] = answer
            while len(self._answers) > _KEPT:
                self._answers.popitem(last=False)
        own.set_result(answer)
        return answer

    def clear(self) -> None:
        """Forget the answers."""
        with self._lock:
            self._answers.clear()

    def _ask(self, target: Target, screen: Screen, candidates: Sequence[UIElement]) -> Accepted:
        used = self._taken()
        try:
            return used.agent.judge_among(target, screen, candidates)
        finally:
            if self._per_search:
                with self._lock:
                    self._idle.append(used)

    def _taken(self) -> _Agent:
        """The agent to ask; with a budget per search, one that nobody else uses at this moment, and nothing spent."""
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
    """An agent and the account that its models spend."""

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
    The configured model to look with; None when there is none, or for `OFF`. `model` is a configuration, or as for
    `configuration`; a configuration that is wrong, but was not asked for by name, is told at the first search.

    Raises ConfigError when `model` names one that cannot be used.
    """
    config = chosen(model)
    if config is None:
        return None
    return ConfiguredVision(config, reader=reader, state=state, pictures=pictures, per_search=per_search)


def chosen(model: LLMConfig | str | None) -> LLMConfig | ConfigError | None:
    """
    The configuration that `model` means: itself, or as for `configuration`. What is wrong with one that was not asked for by
    name is returned, for whoever needs it; with one that was, raised.
    """
    if isinstance(model, LLMConfig):
        return model
    try:
        return configuration(model)
    except ConfigError as error:
        if model is not None:
            raise
        return error
