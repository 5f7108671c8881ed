"""Tests of phone numbers: usual formats are accepted, and two numbers are never joined into one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handeye.apps import ModuleRegistry
from handeye.errors import NoPlan
from handeye.plan import ActionName, Slot, SlotType

PHONE = Slot(SlotType.PHONE)


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("10086", "10086"),
        ("110。", "110"),
        ("１００８６", "10086"),
        ("13800138000", "13800138000"),
        ("138 0013 8000", "13800138000"),
        ("138-0013-8000", "13800138000"),
        ("+86 138 0013 8000", "+8613800138000"),
        ("010-88888888", "01088888888"),
        ("010 8888 8888", "01088888888"),
        ("(010)88888888", "01088888888"),
        ("（010）88888888", "01088888888"),
        ("400-820-8820", "4008208820"),
        ("+44 20 7946 0018", "+442079460018"),
        ("+44 (20) 7946-0018.", "+442079460018"),
        ("020 7946 0018", "02079460018"),
        ("555 123 4567", "5551234567"),
        ("(555) 123-4567", "5551234567"),
        ("555.123.4567", "5551234567"),
        ("+1 555\u00a0123\u20114567", "+15551234567"),
    ],
)
def test_usual_phone_number_formats_are_accepted(typed: str, number: str) -> None:
    assert PHONE.accept(typed) == number


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "+",
        "妈妈",
        "1",
        "1.5",
        "-10086",
        "10086 10010",  # two numbers
        "110 120",
        "13800138000 13900139000",
        "10086,10010",
        "10086 13800138000",
        "+8613800138000 +8613900139000",
        "010-88888888-8001",  # an extension is dialled later
        "10086#1",
        "*#06#",  # an order to the phone, not a number
        "**21*13800138000#",
        "+44 20 7946 0018 ext 5",
        "100 86\n10010",
        "(010 88888888",
        "010)88888888",
        "138  0013\t8000",
        "1" * 16,
        "٠١٢٣٤٥٦٧",
    ],
)
def test_invalid_or_multiple_phone_numbers_are_refused(typed: str) -> None:
    assert PHONE.accept(typed) is None


@given(st.text(alphabet="0123456789+-. ()#*,;pw\n", max_size=30))
def test_accepted_number_keeps_exactly_the_typed_digits(typed: str) -> None:
    number = PHONE.accept(typed)
    if number is not None:
        assert [char for char in typed if char.isdigit()] == list(number.removeprefix("+"))
        assert number.startswith("+") == typed.strip().startswith("+")
        assert 2 <= len(number.removeprefix("+")) <= 15


@pytest.mark.parametrize(
    ("task", "number"),
    [
        ("call +44 20 7946 0018", "+442079460018"),
        ("拨打138 0013 8000", "13800138000"),
        ("给010-88888888打电话", "01088888888"),
        ("拨打10086", "10086"),
    ],
)
def test_plan_calls_the_number_of_the_task(task: str, number: str) -> None:
    plan = ModuleRegistry().plan(task)
    assert [dict(step.params) for step in plan.steps if step.action is ActionName.CALL] == [{"number": number}]


@pytest.mark.parametrize("task", ["拨打1.5", "call -5", "call 10086 10010", "拨打*#06#"])
def test_task_without_valid_number_has_no_plan(task: str) -> None:
    with pytest.raises(NoPlan):
        ModuleRegistry().plan(task)
