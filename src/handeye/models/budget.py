"""Limits on the model usage of a task, and the account of its usage."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass, fields, replace
from types import TracebackType
from typing import Final

from handeye.clock import Clock, Deadline, SystemClock
from handeye.errors import BudgetExceeded, ModelError, ModelUnreachable, UsageError
from handeye.forks import register_after_fork
from handeye.models.chat import ChatModel, Prompt, Reply
from handeye.models.config.validation import is_amount, is_count, short_repr
from handeye.usage import Usage


@dataclass(frozen=True, slots=True)
class Limits:
    """
    Limits for one task; None is no limit.

    `calls` is the number of questions (the retries of one question are one call), `tokens` in and out together, `cost`
    in US dollars, `seconds` the total time of the calls. The defaults stop a run that goes round in circles: a task of
    20 steps with two questions each needs 40 calls and some 80,000 tokens. There is no default for the cost, because it
    would keep models whose price is not known from working; with one, they are refused unless `allow_unpriced`.
    """

    calls: int | None = 100
    tokens: int | None = 1_000_000
    cost: float | None = None
    seconds: float | None = None
    allow_unpriced: bool = False

    def __post_init__(self) -> None:
        for name in ("calls", "tokens", "cost", "seconds"):
            bound = getattr(self, name)
            whole = name in ("calls", "tokens")
            if bound is not None and not (is_count(bound) if whole else is_amount(bound)):
                raise UsageError(
                    f"a limit of {short_repr(bound)} {name} makes no sense; "
                    f"give a {'whole ' if whole else ''}number from 0 up, or None for no limit"
                )


# Upper bound of a booked number: more than any account reaches, and small enough that sums stay finite.
_LARGEST: Final = 10**12


class Budget:
    """
    The account of one task, shared by its models and threads.

    Calls are counted when they start, so that concurrent threads cannot exceed `limits.calls`. Tokens, cost and time
    are known only afterwards: a call is admitted while something is left, so the calls in progress may exceed the
    limit, but no further call is started.

    >>> budget = Budget(Limits(calls=1))
    >>> with budget.admit() as call:
    ...     call.spend(Usage(calls=1, tokens_in=900, tokens_out=60))
    >>> budget.admit()
    Traceback (most recent call last):
    handeye.errors.BudgetExceeded: the budget of 1 calls for models is used up (1 calls); raise the limit or simplify the task
    """

    def __init__(self, limits: Limits | None = None, clock: Clock | None = None) -> None:
        self.limits = limits if limits is not None else Limits()
        self.clock = clock if clock is not None else SystemClock()
        self._spent = Usage()
        self.after_fork()
        register_after_fork(self)

    def after_fork(self) -> None:
        """Keep what was spent, and drop the calls in progress: they are the parent process's."""
        self._lock = threading.Lock()
        self._under_way = 0

    @property
    def spent(self) -> Usage:
        return self._spent

    @property
    def seconds_left(self) -> float:
        """Seconds that calls may still take; infinite without a limit."""
        return math.inf if self.limits.seconds is None else max(0.0, self.limits.seconds - self._spent.seconds)

    def renew(self) -> None:
        """Reset what was spent, for the next task."""
        with self._lock:
            self._spent = Usage()

    def admit(self) -> Admission:
        """Return permission for one call. Raises BudgetExceeded when a limit is reached."""
        with self._lock:
            self._check()
            self._under_way += 1
        return Admission(self)

    def _check(self) -> None:
        limits, spent = self.limits, self._spent
        accounts: tuple[tuple[str, float, float | None], ...] = (
            ("calls", spent.calls + self._under_way, limits.calls),
            ("tokens", spent.tokens_in + spent.tokens_out, limits.tokens),
            ("cost", spent.cost, limits.cost),
            ("time", spent.seconds, limits.seconds),
        )
        for name, used, allowed in accounts:
            if allowed is not None and used >= allowed:
                raise BudgetExceeded(name, used, allowed)
        if limits.cost is not None and spent.unpriced and not limits.allow_unpriced:
            why = f"a call's price is not known, so the limit of ${limits.cost:g} cannot hold"
            raise BudgetExceeded("cost", spent.cost, limits.cost, why)

    def _settle(self, usage: Usage) -> None:
        with self._lock:
            self._under_way -= 1
            self._spent += _plausible(usage)


class Admission:
    """One admitted call. Leaving the context without `spend` books the call and its duration, at no known cost."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._began = budget.clock.now()
        self._settled = False

    def spend(self, usage: Usage) -> None:
        """Book the usage of the call; only the first call of this method counts."""
        if not self._settled:
            self._settled = True
            self._budget._settle(replace(usage, calls=max(1, usage.calls)))

    def close(self, usage: Usage | None = None) -> None:
        """Book the duration and, where it is known, the usage of a failed call, unless its usage is booked already."""
        seconds = self._budget.clock.now() - self._began
        self.spend(replace(usage or Usage(), seconds=seconds))

    def __enter__(self) -> Admission:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Bounded:
    """`model`, asked only while `budget` allows it. Models that share one budget keep a task within its limits."""

    def __init__(self, model: ChatModel, budget: Budget) -> None:
        self.model = model
        self.budget = budget

    @property
    def name(self) -> str:
        return self.model.name

    def ask(self, prompt: Prompt, deadline: Deadline | None = None) -> Reply:
        """Ask the model within the remaining time. Raises BudgetExceeded too."""
        with self.budget.admit() as call:
            try:
                reply = self.model.ask(prompt, self._bounded(deadline))
            except ModelError as error:
                call.close(error.usage)
                if self.budget.seconds_left > 0 or not isinstance(error, ModelUnreachable):
                    raise
                usage = error.usage
            else:
                call.spend(reply.usage)
                return reply
        over = BudgetExceeded("time", self.budget.spent.seconds, self.budget.limits.seconds or 0.0)
        over.usage = usage
        raise over

    def _bounded(self, deadline: Deadline | None) -> Deadline | None:
        left = self.budget.seconds_left
        if math.isinf(left):
            return deadline
        return deadline.at_most(left) if deadline is not None else Deadline(self.budget.clock, left)


def _plausible(usage: Usage) -> Usage:
    """Return `usage` with negative and non-finite numbers set to 0, so that no booking reduces the account."""
    values = {field.name: getattr(usage, field.name) for field in fields(usage)}
    return Usage(**{name: min(value, _LARGEST) if 0 < value < math.inf else 0 for name, value in values.items()})
