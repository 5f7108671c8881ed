"""Tests of reading values: only stable ones, no placeholders, no labels of the next row."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from handeye.geometry import Box
from handeye.plan import ActionName, StepPlan
from handeye.run import TaskResult, TaskRunner, TaskStatus, Tools
from handeye.run.value_reading import is_placeholder
from handeye.screen import Screen
from handeye.target import Target
from handeye.testing.fakes import FakeClock, FakeDevice, FakeFinder, FakePage, FakePlanner, FakeVerifier
from handeye.text import TextLine

LABEL = Box(4, 20, 44, 30)
BESIDE = Box(60, 20, 90, 30)


class Lines:
    """Reads the label, and what stands on the page by then."""

    name = "lines"

    def __init__(self, now: Callable[[], Sequence[TextLine]]) -> None:
        self._now = now

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        return (TextLine("余额", LABEL, 0.99), *self._now())


def read(lines: Callable[[float], Sequence[TextLine]], **params: object) -> TaskResult:
    """A run that reads the balance from a page that shows these `lines` so many seconds after its beginning."""
    clock = FakeClock()
    began = clock.time
    device = FakeDevice({"home": FakePage({"余额": LABEL})}, start="home")
    said = {"save_as": "balance", **params}
    step = StepPlan(1, ActionName.READ, target=Target(text="余额"), params=said, timeout=3000)
    tools = Tools(FakeFinder(device), FakeVerifier(device), reader=Lines(lambda: lines(clock.time - began)))
    planner = FakePlanner({"task": [step]})
    return TaskRunner(device, planner=planner, tools=lambda plan: tools, clock=clock, rest=False).run("task")


def shown(text: str) -> list[TextLine]:
    return [TextLine(text, BESIDE, 0.99)]


def test_changing_value_is_read_once_stable() -> None:
    result = read(lambda seconds: shown("0.00" if seconds < 1.1 else "250.00"))
    assert result.values == {"balance": "250.00"}


def test_value_that_never_stabilizes_is_not_read() -> None:
    assert read(lambda seconds: shown(f"{seconds:.3f}")).status is TaskStatus.FAILED


@pytest.mark.parametrize("text", ["加载中…", "正在加载", "--", "—", "...", "请稍候", "Loading…", "***"])
def test_placeholder_is_not_read_as_a_value(text: str) -> None:
    assert is_placeholder(text)
    assert read(lambda seconds: shown(text)).status is TaskStatus.FAILED
    assert read(lambda seconds: shown(text if seconds < 1 else "12")).values == {"balance": "12"}


@pytest.mark.parametrize("text", ["12.50", "-3", "Loading dock", "加载项", "A–B"])
def test_real_values_are_not_placeholders(text: str) -> None:
    assert not is_placeholder(text)


def test_label_of_next_row_is_not_the_value() -> None:
    next_row = [TextLine("优惠券", Box(4, 32, 40, 42), 0.99), TextLine("3张", Box(70, 32, 90, 42), 0.99)]
    assert read(lambda seconds: next_row).status is TaskStatus.FAILED
    assert read(lambda seconds: next_row, take="below").values == {"balance": "优惠券"}  # as it was asked for


def line(text: str, top: int, height: int = 10, left: int = 4) -> TextLine:
    return TextLine(text, Box(left, top, left + 40, top + height), 0.99)


# The label stands at 20 to 30.
ROWS_WITHOUT_VALUES = {
    "the next row": [line("优惠券", 36)],
    "rows at equal distances": [line("优惠券", 36), line("积分", 52), line("红包", 68)],
    "a row in smaller letters that is as near to the one after it": [line("优惠券", 36, 8), line("积分", 50, 8)],
    "a group of two": [line("我的", 2, 4), line("优惠券", 36), line("积分", 66)],
    "a heading far above": [line("我的", 2, 4), line("优惠券", 36)],
    "a name in other letters": [line("VIP", 36, 8), line("积分", 50)],
}
NOTES = {
    "a note in smaller letters": [line("250.00 元", 33, 8), line("优惠券", 60)],
    "the last of the page": [line("250.00 元", 33, 8)],
    "letters of another script, nearer than all else": [line("250.00", 35, 10), line("优惠券", 60)],
    "a value in larger letters": [line("250.00 元", 35, 16), line("优惠券", 80)],
}


@pytest.mark.parametrize("lines", ROWS_WITHOUT_VALUES.values(), ids=ROWS_WITHOUT_VALUES)
def test_row_without_a_value_fails_the_read(lines: Sequence[TextLine]) -> None:
    assert read(lambda seconds: lines, take="row").status is TaskStatus.FAILED


@pytest.mark.parametrize("lines", NOTES.values(), ids=NOTES)
def test_text_below_label_in_row_is_the_value(lines: Sequence[TextLine]) -> None:
    assert read(lambda seconds: lines, take="row").values == {"balance": lines[0].text}


def words(*texts: tuple[str, int, int]) -> list[TextLine]:
    return [TextLine(text, Box(left, 20, right, 30), 0.99) for text, left, right in texts]


@pytest.mark.parametrize("take", ["row", "right"])
def test_several_columns_are_not_read_as_one_value(take: str) -> None:
    row = words(("12.50", 50, 64), ("积分", 70, 80), ("900", 86, 96))
    assert read(lambda seconds: row, take=take).status is TaskStatus.FAILED
    assert read(lambda seconds: words(("12.50", 50, 64), ("提现", 80, 96)), take=take).status is TaskStatus.FAILED


def test_pattern_selects_the_column() -> None:
    row = words(("12.50", 50, 64), ("积分", 70, 80), ("900", 86, 96))
    assert read(lambda seconds: row, pattern="{value} 积分 900").values == {"balance": "12.50"}


def test_spaced_words_before_a_chevron_are_one_value() -> None:
    row = words(("12.50", 50, 64), ("元", 67, 74), ("›", 90, 94))
    assert read(lambda seconds: row[:2]).values == {"balance": "12.50 元"}
    assert read(lambda seconds: row).values == {"balance": "12.50 元"}
