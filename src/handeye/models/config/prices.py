"""Prices of tokens: rows of data, each with its source and date. A model that is not listed has no known price."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final

from handeye.errors import UsageError
from handeye.models.config.presets import provider_at
from handeye.models.config.validation import is_amount, short_repr
from handeye.usage import Usage

MILLION: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens: input, output, and input from the server's cache (None: the same as input)."""

    tokens_in: float
    tokens_out: float
    cached: float | None = None

    def __post_init__(self) -> None:
        cached = self.tokens_in if self.cached is None else self.cached
        for price in (self.tokens_in, self.tokens_out, cached):
            if not is_amount(price):
                raise UsageError(f"a price of ${short_repr(price)} makes no sense; give a number from 0 up")

    def cost(self, usage: Usage) -> float:
        """Return the cost of `usage` in US dollars."""
        cached = self.tokens_in if self.cached is None else self.cached
        fresh = usage.tokens_in - usage.tokens_cached
        return (fresh * self.tokens_in + usage.tokens_cached * cached + usage.tokens_out * self.tokens_out) / MILLION


FREE: Final = Price(0.0, 0.0)


@dataclass(frozen=True, slots=True)
class PriceRow:
    """
    The price of the models of `provider` whose whole name matches `pattern` (a regular expression, case-insensitive,
    without the date suffix that many names have), for prompts of at most `up_to` tokens and to the end of the day
    `until`. `source` is the page, `said` the month in which it stated the price.
    """

    provider: str
    pattern: str
    price: Price
    said: str
    source: str
    up_to: int | None = None
    until: date | None = None


_CLAUDE: Final = "platform.claude.com/docs/en/about-claude/pricing"
_OPENAI: Final = "developers.openai.com/api/docs/pricing, as quoted by its resellers"
_GEMINI: Final = "ai.google.dev/gemini-api/docs/pricing"
_ZAI: Final = "docs.z.ai/guides/overview/pricing"
_DEEPSEEK: Final = "api-docs.deepseek.com/quick_start/pricing; the peak price, half of it is billed off-peak"
_KIMI: Final = "platform.moonshot.ai, as listed by docs.openclaw.ai/providers/moonshot"

PRICES: Final[tuple[PriceRow, ...]] = (
    PriceRow("claude", r"claude-opus-5-5", Price(4, 20, 0.2), "2026-10", _CLAUDE),
    PriceRow("claude", r"claude-opus-(4-[5-9]|5)", Price(5, 25, 0.5), "2026-10", _CLAUDE),
    PriceRow("claude", r"claude-opus-4(-[01])?", Price(15, 75, 1.5), "2026-10", _CLAUDE),
    PriceRow("claude", r"claude-sonnet-5-5", Price(2, 10, 0.1), "2026-10", _CLAUDE),
    PriceRow("claude", r"claude-sonnet-5", Price(2, 10, 0.2), "2026-10", _CLAUDE),
    PriceRow("claude", r"claude-sonnet-4(-[0-6])?|claude-3-[57]-sonnet", Price(3, 15, 0.3), "2026-10", _CLAUDE),
    PriceRow("claude", r"claude-haiku-5-5", Price(0.1, 0.5, 0.01), "2026-10", _CLAUDE, up_to=100_000),
    PriceRow("claude", r"claude-haiku-5-5", Price(0.5, 2.5, 0.05), "2026-10", _CLAUDE),
    PriceRow("claude", r"claude-haiku-4-5", Price(1, 5, 0.1), "2026-10", _CLAUDE),
    PriceRow("openai", r"gpt-6\.1-terra", Price(1, 5, 0.05), "2026-10", _OPENAI, up_to=272_000),
    PriceRow("openai", r"gpt-6\.1-terra", Price(2, 7.5, 0.1), "2026-10", _OPENAI),
    PriceRow("openai", r"gpt-6\.1-sol", Price(2, 10, 0.1), "2026-10", _OPENAI, up_to=272_000),
    PriceRow("openai", r"gpt-6-sol", Price(2, 10, 0.2), "2026-09", _OPENAI, up_to=272_000),
    PriceRow("openai", r"gpt-6-luna", Price(0.1, 0.5, 0.01), "2026-09", _OPENAI, up_to=272_000),
    PriceRow("openai", r"gpt-5\.6-terra", Price(2, 12, 0.2), "2026-07", _OPENAI, up_to=270_000),
    PriceRow("openai", r"gpt-5\.6-luna", Price(0.2, 1.2, 0.02), "2026-07", _OPENAI, up_to=270_000),
    PriceRow("openai", r"gpt-5\.5", Price(5, 30, 0.5), "2026-06", _OPENAI, up_to=270_000),
    PriceRow("openai", r"gpt-5\.4", Price(2.5, 15, 0.25), "2026-06", _OPENAI, up_to=270_000),
    PriceRow("openai", r"gpt-5\.4-mini", Price(0.75, 4.5, 0.075), "2026-06", _OPENAI, up_to=270_000),
    PriceRow("openai", r"gpt-5\.4-nano", Price(0.2, 1.25, 0.02), "2026-06", _OPENAI, up_to=270_000),
    PriceRow("openai", r"gpt-4o", Price(2.5, 10, 1.25), "2026-03", _OPENAI),
    PriceRow("openai", r"gpt-4o-mini", Price(0.15, 0.6, 0.075), "2026-03", _OPENAI),
    PriceRow("gemini", r"gemini-3\.8-flash", Price(0.75, 3.75), "2026-10", _GEMINI, until=date(2026, 12, 31)),
    PriceRow("gemini", r"gemini-3\.8-flash", Price(1.5, 7.5), "2026-10", _GEMINI),
    PriceRow("gemini", r"gemini-3\.5-flash", Price(1.5, 9, 0.15), "2026-09", _GEMINI),
    PriceRow("gemini", r"gemini-3\.1-pro-preview", Price(2, 12), "2026-09", _GEMINI, up_to=200_000),
    PriceRow("gemini", r"gemini-3\.1-pro-preview", Price(4, 18), "2026-09", _GEMINI),
    PriceRow("zhipu", r"glm-4v-flash|glm-4\.6v-flash", FREE, "2026-10", _ZAI),
    PriceRow("zhipu", r"glm-4\.5v", Price(0.6, 1.8, 0.11), "2026-02", _ZAI),
    PriceRow("deepseek", r"deepseek-flash|deepseek-v4-flash", Price(0.3, 1.2, 0.006), "2026-11", _DEEPSEEK),
    PriceRow("deepseek", r"deepseek-v4-pro", Price(1.32, 3.96, 0.044), "2026-11", _DEEPSEEK),
    PriceRow("moonshot", r"kimi-k2\.6", Price(0.95, 4, 0.16), "2026-05", _KIMI),
    PriceRow("moonshot", r"kimi-k2\.5", Price(0.6, 3, 0.1), "2026-05", _KIMI),
)

# "gpt-4o-2024-08-06", "claude-haiku-4-5-20251001", "glm-4.5v-250815" cost what the name without the date costs; "-latest" too.
_DATE: Final = re.compile(r"-(20\d\d-?\d\d-?\d\d|latest)$")


def price_rows(base_url: str, model: str) -> tuple[PriceRow, ...]:
    """
    Return the rows that may apply to this model at this address; none where the price is not known. See `price_for`.
    """
    provider = provider_at(base_url)
    if provider is None:
        return ()
    name = _DATE.sub("", model.strip().lower().removeprefix("models/"))
    return tuple(
        row for row in PRICES if row.provider == provider.name and re.fullmatch(row.pattern, name, re.IGNORECASE)
    )


def price_for(rows: tuple[PriceRow, ...], tokens_in: int, wall: float) -> Price | None:
    """
    Return the price of a prompt of that many tokens at the time `wall` (seconds since the epoch): that of the first row
    that applies. None if no row does.
    """
    day = datetime.fromtimestamp(wall, UTC).date()
    for row in rows:
        if (row.up_to is None or tokens_in <= row.up_to) and (row.until is None or day <= row.until):
            return row.price
    return None
