"""The configured models for the tiers that can ask one, with one shared budget so that a limit holds for both."""

from __future__ import annotations

from dataclasses import dataclass

from handeye.clock import Clock
from handeye.errors import ConfigError
from handeye.models import Budget, ChatModel, LLMConfig, open_model, profile_to_use, select_configuration
from handeye.perceive.vision_model import ModelScreenParser
from handeye.usage import Usage


@dataclass(frozen=True, slots=True)
class TierModels:
    """
    `structure` gets text (tier 1+: the planner's model), `vision` gets pictures of windows (tier 2: the locator's model, or
    None if that accepts no pictures). `usage` is the sum of both.
    """

    structure: ChatModel
    vision: ModelScreenParser | None
    budget: Budget

    @property
    def usage(self) -> Usage:
        return self.budget.spent


def tier_models(model: LLMConfig | str | None = None, *, clock: Clock | None = None) -> TierModels | None:
    """
    Return the models that `model` selects (see `handeye.models.configured.select_configuration`), or None if none is
    configured. Sends nothing.

    Raises ConfigError for an invalid configuration, MissingPart without the client libraries, UsageError if the cost is
    limited but the price is unknown, or if the locator's model family only returns points.
    """
    config = select_configuration(model)
    if isinstance(config, ConfigError):
        raise config
    if config is None:
        return None
    budget = Budget(config.limits, clock)
    locator = config.for_role("locator")
    vision = None
    if locator.pictures:
        profile = profile_to_use(locator.model, locator.profile)
        vision = ModelScreenParser(open_model(config, "locator", budget, clock), profile, clock=clock)
    return TierModels(open_model(config, "planner", budget, clock), vision, budget)
