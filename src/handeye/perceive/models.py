"""The configured models, for the tiers that can ask one: within one budget, so that a limit holds for both."""

from __future__ import annotations

from dataclasses import dataclass

from handeye.clock import Clock
from handeye.errors import ConfigError
from handeye.models import Budget, ChatModel, LLMConfig, chosen, open_model, profile_to_use
from handeye.perceive.vision_model import ModelScreenParser
from handeye.usage import Usage


@dataclass(frozen=True, slots=True)
class TierModels:
    """
    `structure` is asked in words (tier 1+: the planner's model), `vision` looks at windows (tier 2: the locator's; None where
    that takes no pictures). `usage` is what both have cost.
    """

    structure: ChatModel
    vision: ModelScreenParser | None
    budget: Budget

    @property
    def usage(self) -> Usage:
        return self.budget.spent


def tier_models(model: LLMConfig | str | None = None, *, clock: Clock | None = None) -> TierModels | None:
    """
    The models that `model` means (see `handeye.models.configured.chosen`); None when none is configured. Nothing is sent yet.

    Raises ConfigError for a wrong configuration, MissingPart without the client libraries, UsageError when the cost is limited
    and the price is not known, or when the locator's family only points.
    """
    config = chosen(model)
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
