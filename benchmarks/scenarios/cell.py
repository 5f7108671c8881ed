"""One task under one disturbance, on a phone of its own."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final
from unittest import mock

from handeye.devices import PhoneDevice
from handeye.models import LLMConfig
from handeye.run import TaskResult
from handeye.session import Session
from handeye_phone.apps.settings import MAIN, PAGES
from handeye_phone.model import PhoneModel
from handeye_phone.state import PhoneState
from handeye_phone.system.intent import Intent
from scenarios.disturbances import DISTURBANCES, Disturbance
from scenarios.model_tasks import MODEL_TASKS
from scenarios.poor_model import PoorModel
from scenarios.referee import Verdict, harm_of, judge, missing_of
from scenarios.tasks import BROWSER, SETTINGS, TASKS, Start, Task

_SETTINGS_PAGES: Final = {
    "wifi": "android.settings.WIFI_SETTINGS",
    "display": "android.settings.DISPLAY_SETTINGS",
    "about": "android.settings.DEVICE_INFO_SETTINGS",
}
_SETTLED_S: Final = 0.5
"""Seconds from the end of a run to its judgement, as the phone may still be loading what was asked for."""


@dataclass(slots=True)
class Cell:
    """Result of one task under one disturbance. `seconds` is the run's own time, `error` its final error."""

    task: str
    disturbance: str
    solvable: bool
    verdict: str
    status: str = ""
    steps: int = 0
    model_calls: int = 0
    seconds: float = 0.0
    error: str = ""
    missing: list[str] = field(default_factory=list)
    harm: list[str] = field(default_factory=list)
    folder: str = ""

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def task_named(name: str) -> Task:
    """Raises KeyError."""
    return {task.name: task for task in (*TASKS, *MODEL_TASKS)}[name]


def disturbance_named(name: str) -> Disturbance:
    """Raises KeyError."""
    return {each.name: each for each in DISTURBANCES}[name]


def run_cell(task: Task, disturbance: Disturbance, folder: Path, *, poor_model: int | None = None) -> Cell:
    """
    Run the task and judge it, without a model, or with the poor one of that seed. `folder` keeps the run's report, the
    phone's states and the verdict, unless all is well: then it is removed again. The adb server is the environment's.
    """
    with _own_memory(), PhoneDevice(disturbance.around(task)) as device, ExitStack() as stack:
        before = prepare(device, task.start)
        model: LLMConfig | str = "off"
        if poor_model is not None:
            model = stack.enter_context(PoorModel(poor_model, task, device)).config
        began = time.monotonic()
        result = Session(device, model=model, plans="off").run(task.words, report=folder)
        seconds = time.monotonic() - began
        after = _settled(device)
    cell = _judged(task, disturbance, before, after, result)
    cell.seconds = round(seconds, 1)
    if cell.verdict == Verdict.OK.value:
        shutil.rmtree(folder)
    else:
        cell.folder = folder.name
        _keep(folder, cell, before, after)
    return cell


def prepare(device: PhoneDevice, start: Start) -> PhoneState:
    """Set the phone up as the task begins and return its state."""
    phone = device.phone
    phone.call(lambda model: _set_up(model, start))
    return phone.state


def _set_up(model: PhoneModel, start: Start) -> None:
    rows = {row.title: row for row in (*MAIN, *(row for _, page in PAGES.values() for row in page)) if row.key}
    for title, on in start.switches.items():
        namespace, _, key = rows[title].key.partition("/")
        model.settings.put(namespace, key, rows[title].on if on else rows[title].off)
    for contact, text in start.drafts.items():
        model.write_draft(contact, text)
    if start.chat:
        model.open_chat(start.chat)
    elif start.page and start.app == SETTINGS:
        model.start_activity(Intent(action=_SETTINGS_PAGES[start.page]))
    elif start.page and start.app == BROWSER:
        model.open_url(start.page)
    elif start.app:
        model.launch(start.app)


def _settled(device: PhoneDevice) -> PhoneState:
    time.sleep(_SETTLED_S)
    return device.phone.state


def _judged(task: Task, disturbance: Disturbance, before: PhoneState, after: PhoneState, result: TaskResult) -> Cell:
    missing, harm = missing_of(task.goal, before, after, result.values), harm_of(task.goal, before, after)
    solvable = disturbance.allows(task)
    verdict = judge(solvable, result.status, missing, harm)
    return Cell(
        task.name,
        disturbance.name,
        solvable,
        verdict.value,
        result.status.value,
        len(result.step_results),
        result.model_calls,
        error=result.error_message,
        missing=missing,
        harm=harm,
    )


def _keep(folder: Path, cell: Cell, before: PhoneState, after: PhoneState) -> None:
    kept = {"cell": cell.to_dict(), "before": before.to_dict(), "after": after.to_dict()}
    (folder / "phone.json").write_text(json.dumps(kept, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


@contextmanager
def _own_memory() -> Iterator[None]:
    """Use state and cache of this cell alone: no cell learns from another, and no developer's setting leaks in."""
    with tempfile.TemporaryDirectory(prefix="handeye-scenario-") as scratch:
        own = {"HANDEYE_STATE_DIR": f"{scratch}/state", "HANDEYE_CACHE": f"{scratch}/cache", "HANDEYE_DOTENV": ""}
        with mock.patch.dict(os.environ, own):
            os.environ.pop("HANDEYE_APPS", None)
            yield
