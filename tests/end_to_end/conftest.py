"""Fixtures for whole runs on virtual phones: a shared text reader, loaded once per worker."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from phone_runs import Run, input_method, mine

from handeye.devices import PhoneDevice
from handeye.ocr import CachedReader, PaddleReader
from handeye.run import Event, TaskRunner, default_planner
from handeye.run.composition import compose
from handeye_phone.scenario import Scenario


@pytest.fixture(scope="session")
def reader() -> CachedReader:
    return CachedReader(PaddleReader())


@pytest.fixture
def run(adb_port: int, reader: CachedReader) -> Callable[[str | Scenario, str], Run]:
    """`run(scenario, task)` on a phone of its own; the scenario by names or by value."""
    modules = default_planner()

    def go(scenario: str | Scenario, task: str) -> Run:
        events: list[Event] = []
        chosen = Scenario.parse(scenario) if isinstance(scenario, str) else scenario
        with PhoneDevice(chosen) as phone:
            before, keyboard = mine(phone), input_method(phone)
            runner = TaskRunner(
                phone,
                planner=modules,
                tools=lambda plan: compose(modules.images(plan.module), reader),
                listen=events.append,
            )
            result = runner.run(task)
            sent = mine(phone)
            for each in before:
                sent.remove(each)
            app = phone.phone.call(lambda model: model.focused_activity)
            return Run(result, sent, app, input_method(phone) == keyboard, events, phone.phone.log)

    return go
