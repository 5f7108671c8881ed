"""Cost of model calls."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Usage:
    """
    Calls, tokens, cost and time; adds up with `+`.

    `tokens_in` includes `tokens_cached`, those from the server's cache. `cost` is in US dollars, for the calls with a
    known price; `unpriced` counts the others. `seconds` is the sum of the calls' durations. `estimated` counts the
    calls without plausible usage from the server: their tokens are estimated.
    """

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    cost: float = 0.0
    unpriced: int = 0
    seconds: float = 0.0
    estimated: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            self.tokens_cached + other.tokens_cached,
            self.cost + other.cost,
            self.unpriced + other.unpriced,
            self.seconds + other.seconds,
            self.estimated + other.estimated,
        )

    def __sub__(self, earlier: Usage) -> Usage:
        """Return the usage since `earlier`, an older reading of the same account."""
        return Usage(
            self.calls - earlier.calls,
            self.tokens_in - earlier.tokens_in,
            self.tokens_out - earlier.tokens_out,
            self.tokens_cached - earlier.tokens_cached,
            self.cost - earlier.cost,
            self.unpriced - earlier.unpriced,
            self.seconds - earlier.seconds,
            self.estimated - earlier.estimated,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return a dict for JSON; the cost to a millionth of a dollar, the time to a millisecond."""
        return asdict(self) | {"cost": round(self.cost, 6), "seconds": round(self.seconds, 3)}

    def __str__(self) -> str:
        priced = f"${self.cost:.4f}" + (f" and {self.unpriced} calls without a known price" if self.unpriced else "")
        about = "about " if self.estimated else ""
        return f"{self.calls} calls, {about}{self.tokens_in} tokens in, {self.tokens_out} out, {priced}, {self.seconds:.1f} s"
