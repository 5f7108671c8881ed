"""Tests of labels that grant a permission, with or without the word "allow"."""

from __future__ import annotations

import pytest

from handeye.plan import named_acts
from handeye.plan.consent.effects import GRANT, orders_act


@pytest.mark.parametrize(
    "label",
    [
        "仅限这一次",
        "仅在使用中允许",
        "仅在使用该应用时允许",
        "始终允许",
        "本次运行允许",
        "Only this time",
        "While using the app",
        "Allow once",
    ],
)
def test_granting_button_labels_are_recognized(label: str) -> None:
    assert GRANT in named_acts(label)


@pytest.mark.parametrize("task", ["给妈妈发条微信报个平安", "这一次发给张三", "only this week"])
def test_ordinary_tasks_do_not_ask_for_a_grant(task: str) -> None:
    assert not orders_act(task, GRANT)
    assert GRANT not in named_acts(task)
