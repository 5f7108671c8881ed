"""Tests of budgets for calls, tokens, cost and time, also with threads and failing servers."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from handeye.clock import Clock, Deadline
from handeye.errors import BudgetExceeded, ModelBusy, ModelUnreachable, UsageError
from handeye.models import Budget, Prompt, Reply
from handeye.models.budget import Bounded, Limits
from handeye.testing.fakes import FakeClock
from handeye.usage import Usage

QUESTION = Prompt(("where is it?",))


class FakeModel:
    """Answers at once, or takes `seconds`, or raises; remembers the deadlines."""

    name = "fake"

    def __init__(
        self, usage: Usage, clock: Clock | None = None, seconds: float = 0.0, error: Exception | None = None
    ) -> None:
        self.usage, self.clock, self.seconds, self.error = usage, clock, seconds, error
        self.deadlines: list[float | None] = []

    def ask(self, prompt: Prompt, deadline: Deadline | None = None) -> Reply:
        self.deadlines.append(None if deadline is None else deadline.left)
        if self.clock is not None:
            self.clock.sleep(min(self.seconds, deadline.left) if deadline is not None else self.seconds)
        if self.error is not None:
            raise self.error
        return Reply("there", self.usage, self.name)


def test_call_beyond_limit_is_not_made() -> None:
    model = FakeModel(Usage(calls=1))
    bounded = Bounded(model, Budget(Limits(calls=2)))
    bounded.ask(QUESTION)
    bounded.ask(QUESTION)
    with pytest.raises(BudgetExceeded, match="2 calls") as caught:
        bounded.ask(QUESTION)
    assert (caught.value.limit, caught.value.spent, caught.value.allowed) == ("calls", 2, 2)
    assert len(model.deadlines) == 2


@pytest.mark.parametrize(
    ("limits", "name"),
    [(Limits(tokens=1000), "tokens"), (Limits(cost=0.01), "cost"), (Limits(seconds=5), "time")],
)
def test_each_limit_ends_the_task(limits: Limits, name: str) -> None:
    bounded = Bounded(FakeModel(Usage(1, 900, 100, 0, 0.02, 0, 6.0)), Budget(limits))
    assert bounded.ask(QUESTION).text == "there"
    with pytest.raises(BudgetExceeded) as caught:
        bounded.ask(QUESTION)
    assert caught.value.limit == name


def test_models_share_one_budget() -> None:
    budget = Budget(Limits(calls=3))
    planner, locator = (Bounded(FakeModel(Usage(calls=1, cost=0.5)), budget) for _ in range(2))
    for model in (planner, locator, planner):
        model.ask(QUESTION)
    with pytest.raises(BudgetExceeded):
        locator.ask(QUESTION)
    assert budget.spent == Usage(calls=3, cost=1.5)


def test_concurrent_calls_do_not_exceed_limit() -> None:
    start = Barrier(16)

    class Slow(FakeModel):
        def ask(self, prompt: Prompt, deadline: Deadline | None = None) -> Reply:
            return super().ask(prompt, deadline)

    model = Slow(Usage(calls=1, tokens_in=10))
    budget = Budget(Limits(calls=50))
    bounded = Bounded(model, budget)

    def many(_: int) -> int:
        start.wait()
        made = 0
        for _ in range(20):
            try:
                bounded.ask(QUESTION)
            except BudgetExceeded:
                break
            made += 1
        return made

    with ThreadPoolExecutor(16) as pool:
        made = sum(pool.map(many, range(16)))
    assert made == len(model.deadlines) == budget.spent.calls == 50
    assert budget.spent.tokens_in == 500


def test_running_call_counts_against_limit() -> None:
    budget = Budget(Limits(calls=1))
    with budget.admit() as call:
        with pytest.raises(BudgetExceeded):
            budget.admit()
        call.spend(Usage(calls=1, tokens_in=5))
    assert budget.spent == Usage(calls=1, tokens_in=5)


def test_failed_call_counts_as_call_and_time() -> None:
    clock = FakeClock()
    budget = Budget(Limits(calls=2), clock)
    bounded = Bounded(FakeModel(Usage(), clock, seconds=4.0, error=ModelBusy("too many")), budget)
    for _ in range(2):
        with pytest.raises(ModelBusy):
            bounded.ask(QUESTION)
    with pytest.raises(BudgetExceeded):
        bounded.ask(QUESTION)
    assert budget.spent == Usage(calls=2, seconds=8.0)


def test_call_deadline_is_the_remaining_budget_time() -> None:
    clock = FakeClock()
    model = FakeModel(Usage(calls=1, seconds=7.0), clock, seconds=7.0)
    bounded = Bounded(model, Budget(Limits(seconds=10), clock))
    bounded.ask(QUESTION)
    bounded.ask(QUESTION, Deadline(clock, 60))
    assert model.deadlines == [10.0, 3.0]


def test_nearer_deadline_wins_over_budget_time() -> None:
    clock = FakeClock()
    model = FakeModel(Usage(calls=1), clock)
    Bounded(model, Budget(Limits(seconds=10), clock)).ask(QUESTION, Deadline(clock, 2))
    assert model.deadlines == [2.0]


def test_timeout_at_budget_end_raises_budget_exceeded() -> None:
    clock = FakeClock()
    model = FakeModel(Usage(), clock, seconds=60, error=ModelUnreachable("no answer in time"))
    bounded = Bounded(model, Budget(Limits(seconds=5), clock))
    with pytest.raises(BudgetExceeded, match="5 s"):
        bounded.ask(QUESTION)


def test_unreachable_server_is_not_reported_as_budget_exceeded() -> None:
    clock = FakeClock()
    bounded = Bounded(
        FakeModel(Usage(), clock, seconds=1, error=ModelUnreachable("refused")), Budget(Limits(seconds=5), clock)
    )
    with pytest.raises(ModelUnreachable, match="refused"):
        bounded.ask(QUESTION)


def test_cost_limit_stops_calls_without_known_price() -> None:
    unpriced = FakeModel(Usage(calls=1, unpriced=1))
    careful = Bounded(unpriced, Budget(Limits(cost=1.0)))
    careful.ask(QUESTION)
    with pytest.raises(BudgetExceeded) as caught:
        careful.ask(QUESTION)
    assert caught.value.limit == "cost"
    told = Bounded(unpriced, Budget(Limits(cost=1.0, allow_unpriced=True)))
    for _ in range(5):
        told.ask(QUESTION)
    assert told.budget.spent.unpriced == 5


NUMBERS = st.one_of(st.integers(-(10**30), 10**30), st.floats(allow_nan=True, allow_infinity=True))


@example([(0, 0, 1.79e308, 0, 0), (0, 0, 1.79e308, 0, 0)])
@given(st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS, NUMBERS), max_size=8))
def test_budget_never_decreases_for_any_reported_usage(lies: list[tuple[float, float, float, float, float]]) -> None:
    budget = Budget(Limits(calls=None, tokens=None))
    before = budget.spent
    for tokens_in, tokens_out, cached, cost, seconds in lies:
        with budget.admit() as call:
            call.spend(Usage(1, tokens_in, tokens_out, cached, cost, 0, seconds))  # type: ignore[arg-type]
        after = budget.spent
        assert after.calls == before.calls + 1
        for name in ("tokens_in", "tokens_out", "tokens_cached", "cost", "seconds"):
            assert getattr(after, name) >= getattr(before, name)
            assert math.isfinite(getattr(after, name))
        before = after


@pytest.mark.parametrize(
    "limits",
    [
        {"calls": -1},
        {"calls": 1.5},
        {"calls": True},
        {"tokens": math.nan},
        {"tokens": 10**400},
        {"cost": math.inf},
        {"cost": "1"},
        {"seconds": -0.1},
    ],
)
def test_invalid_limits_are_refused(limits: dict[str, object]) -> None:
    with pytest.raises(UsageError, match="makes no sense"):
        Limits(**limits)  # type: ignore[arg-type]


def test_none_means_unlimited_and_zero_allows_no_call() -> None:
    free = Bounded(FakeModel(Usage(1, 10**6, 10**6, 0, 99.0)), Budget(Limits(calls=None, tokens=None)))
    for _ in range(200):
        free.ask(QUESTION)
    with pytest.raises(BudgetExceeded):
        Bounded(FakeModel(Usage()), Budget(Limits(calls=0))).ask(QUESTION)


def test_usage_text_states_estimated_and_unpriced_calls() -> None:
    spent = Usage(1, 1000, 50, 200, 0.01, 0, 2.0) + Usage(1, 500, 20, unpriced=1, seconds=1.0, estimated=1)
    assert str(spent) == "2 calls, about 1500 tokens in, 70 out, $0.0100 and 1 calls without a known price, 3.0 s"
