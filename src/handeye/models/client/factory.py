"""Create the client for a configured model."""

from __future__ import annotations

from handeye.clock import Clock
from handeye.errors import (
    ConfigError,
    UsageError,
)
from handeye.models.budget import Bounded, Budget
from handeye.models.chat import ChatModel
from handeye.models.client.base import NOT_CONFIGURED, HttpChat
from handeye.models.config.model_config import LLMConfig, Role


def open_model(
    config: LLMConfig | None,
    role: Role = "locator",
    budget: Budget | None = None,
    clock: Clock | None = None,
) -> ChatModel:
    """
    Return the model of a role, ready to be asked; within `budget`, or one of its own by `config.limits`. Nothing is
    sent yet.

    Raises ConfigError when there is no configuration (`LLMConfig.from_env()` returned None), what `connect` raises, and
    UsageError when the cost is limited and the model's price is not known.
    """
    if config is None:
        raise ConfigError("no model is configured", file="environment", expected=NOT_CONFIGURED)
    chosen = config.for_role(role)
    account = budget if budget is not None else Budget(config.limits, clock)
    if account.limits.cost is not None and not chosen.priced and not account.limits.allow_unpriced:
        raise UsageError(
            f"the price of {chosen} is not known, so a limit of ${account.limits.cost:g} cannot hold; give it "
            "(LLMConfig.price), limit the calls or tokens instead, or allow it (LLM_ALLOW_UNPRICED=1)"
        )
    return Bounded(connect(chosen, clock), account)


def connect(config: LLMConfig, clock: Clock | None = None) -> HttpChat:
    """
    Return the client for a configuration, without a budget. Raises MissingPart without the client libraries, and
    ConfigError for certificates or proxies of the environment that cannot be used.
    """
    if config.api == "anthropic":
        from handeye.models.client.anthropic import AnthropicChat

        return AnthropicChat(config, clock)
    from handeye.models.client.openai import OpenAIChat

    return OpenAIChat(config, clock)
