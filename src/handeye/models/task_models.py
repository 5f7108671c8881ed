"""The configured models of one task: planner, locator and verifier share one budget."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Literal

from handeye.clock import Clock, Deadline
from handeye.errors import ConfigError
from handeye.forks import register_after_fork
from handeye.models.budget import Budget
from handeye.models.chat import ChatModel, Prompt, Reply
from handeye.models.config.model_config import LLMConfig
from handeye.models.configured import ConfiguredVision, select_configuration
from handeye.usage import Usage

if TYPE_CHECKING:
    from handeye.models.grounding.known_elements import ReadsLines, ReadsState
    from handeye.models.grounding.vision_agent import Pictures

Asked = Literal["planner", "verifier"]
"""The roles that answer text prompts; the locator is used through `TaskModels.vision`."""


class TaskModels:
    """
    The models that `config` names for the roles of a task, within one budget (`config.limits`). Thread-safe.

    Nothing is loaded or connected before the first question, and configuration errors are raised by that question: a
    task that needs no model needs no configuration. `reader`, `state` and `pictures` are as for `ConfiguredVision`.
    """

    def __init__(
        self,
        config: LLMConfig | ConfigError | None,
        *,
        reader: ReadsLines | None = None,
        state: ReadsState | None = None,
        pictures: Pictures | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._config = config
        self._reader, self._state, self._clock = reader, state, clock
        self._budget = Budget(config.limits if isinstance(config, LLMConfig) else None, clock)
        self._before = Usage()
        self.after_fork()
        register_after_fork(self)
        self._chats: dict[Asked, ChatModel] = {}
        if config is not None:
            self._chats = {role: _LazyModel(config, role, self._budget, clock) for role in ("planner", "verifier")}
        self.vision = self.vision_with(pictures)

    def after_fork(self) -> None:
        self._lock = threading.Lock()

    def vision_with(self, pictures: Pictures | None) -> ConfiguredVision | None:
        """
        Return the vision finder with other reference pictures, such as those of a plan; None when no model is
        configured.
        """
        if self._config is None:
            return None
        return ConfiguredVision(
            self._config, reader=self._reader, state=self._state, pictures=pictures, budget=self._budget
        )

    def chat(self, role: Asked) -> ChatModel | None:
        """
        Return the model of that role; None when no model is configured. Its `ask` raises ConfigError and MissingPart
        too.
        """
        return self._chats.get(role)

    def sees(self, role: Asked) -> bool:
        """Return True if the model of that role accepts pictures."""
        return isinstance(self._config, LLMConfig) and self._config.for_role(role).pictures

    @property
    def usage(self) -> Usage:
        """Total usage of all questions, of this task and those before it."""
        with self._lock:
            return self._before + self._budget.spent

    def renew(self) -> None:
        """Start the next task with a full budget."""
        with self._lock:
            self._before += self._budget.spent
            self._budget.renew()


def configured_models(
    model: LLMConfig | str | None = None,
    *,
    reader: ReadsLines | None = None,
    state: ReadsState | None = None,
    pictures: Pictures | None = None,
    clock: Clock | None = None,
) -> TaskModels:
    """
    Return the models that `model` selects (see `handeye.models.configured.select_configuration`); without one, every role is
    None.

    Raises ConfigError when `model` names one that cannot be used.
    """
    return TaskModels(select_configuration(model), reader=reader, state=state, pictures=pictures, clock=clock)


class _LazyModel:
    """The model of a role, opened by the first question."""

    def __init__(self, config: LLMConfig | ConfigError, role: Asked, budget: Budget, clock: Clock | None) -> None:
        self._config, self._role, self._budget, self._clock = config, role, budget, clock
        self._model: ChatModel | None = None
        self.after_fork()
        register_after_fork(self)

    def after_fork(self) -> None:
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        return self._config.for_role(self._role).model if isinstance(self._config, LLMConfig) else ""

    def ask(self, prompt: Prompt, deadline: Deadline | None = None) -> Reply:
        with self._lock:
            if self._model is None:
                self._model = self._open()
        return self._model.ask(prompt, deadline)

    def _open(self) -> ChatModel:
        if isinstance(self._config, ConfigError):
            raise self._config
        from handeye.models.client.factory import open_model

        return open_model(self._config, self._role, self._budget, self._clock)
