"""Tests of pages named after an action: opening them to look is allowed."""

from __future__ import annotations

import pytest

from handeye.plan.consent.effects import changes


@pytest.mark.parametrize("label", ["添加朋友", "添加朋友页", "添加朋友页面"])
def test_find_friends_page_is_not_a_change(label: str) -> None:
    assert changes(label) == ""


@pytest.mark.parametrize("label", ["添加", "添加好友", "添加到通讯录", "添加朋友张三", "加为朋友", "添加朋友并发送"])
def test_adding_a_contact_is_a_change(label: str) -> None:
    assert changes(label)
