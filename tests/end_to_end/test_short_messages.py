"""Test of messages that OCR cannot read reliably: proved by the phone's tree, else left for review."""

from __future__ import annotations

import pytest
from phone_runs import mine

from handeye.devices import PhoneDevice
from handeye.ocr import CachedReader
from handeye.perceive import provider_for
from handeye.run import TaskRunner, TaskStatus, default_planner
from handeye.run.composition import compose
from handeye_phone.scenario import Scenario


@pytest.mark.parametrize(
    ("text", "with_tree"),
    [("🙂", True), ("🙂", False), ("I am here", True), ("I'll be late", True), ("I'm ill", False)],
)
def test_short_message_is_sent_once_proved_by_tree(
    adb_port: int, reader: CachedReader, text: str, with_tree: bool
) -> None:
    modules = default_planner()
    with PhoneDevice(Scenario.parse("calm")) as phone:
        tree = provider_for(phone) if with_tree else None
        runner = TaskRunner(
            phone, planner=modules, tools=lambda plan: compose(modules.images(plan.module), reader, tree=tree)
        )
        before = mine(phone)
        result = runner.run(f"给李雷发微信消息说{text}")
        sent = mine(phone)
    assert result.status is (TaskStatus.SUCCESS if with_tree else TaskStatus.NEEDS_REVIEW), result.error_message
    assert [each for each in sent if each not in before] == [("李雷", text)]
