"""Tests of the scenario suite: reachable goals, hung runs and half-written tables."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from scenarios.cell import Cell, disturbance_named, prepare, task_named
from scenarios.command import main, read_cells
from scenarios.disturbances import DISTURBANCES
from scenarios.model_tasks import GOOD_PLANS, MODEL_TASKS
from scenarios.poor_answers import Sight, right, wrong
from scenarios.referee import Verdict, harm_of
from scenarios.tables import table
from scenarios.tasks import TASKS, Task

from handeye.devices import PhoneDevice
from handeye.models import Picture
from handeye.testing.model_server import ModelRequest
from handeye_phone.apps.messenger.book import CONTACTS
from handeye_phone.model import PhoneModel

NAMES = {contact.name for contact in CONTACTS}


def test_suite_has_enough_solvable_and_unsolvable_tasks() -> None:
    names = [task.name for task in (*TASKS, *MODEL_TASKS)]
    assert len(set(names)) == len(names)
    assert sum(task.solvable for task in TASKS) >= 40
    assert sum(not task.solvable for task in TASKS) >= 8


@pytest.mark.parametrize("task", [*TASKS, *MODEL_TASKS], ids=lambda task: task.name)
def test_task_goal_is_reachable_on_the_phone(task: Task) -> None:
    state = PhoneModel().state
    assert {contact for contact, _ in task.goal.sent} <= NAMES - set(task.start.missing)
    assert set(task.goal.switches) | set(task.start.switches) <= set(state.switches)
    assert (task.goal.sent != () or task.goal.chat == "") or task.goal.app == "com.tencent.mm"
    assert task.name in GOOD_PLANS or task in TASKS or not task.solvable


def test_every_start_state_can_be_set_up(adb_port: int) -> None:
    with PhoneDevice() as device:
        for task in (*TASKS, *MODEL_TASKS):
            if task.start.app or task.start.drafts or task.start.switches:
                state = prepare(device, task.start)
                assert not task.start.app or state.app == task.start.app
                assert not task.start.chat or state.chat == task.start.chat
                assert all(state.switches[title] == on for title, on in task.start.switches.items())
                assert task.start.drafts.items() <= state.drafts.items()
                assert harm_of(task.goal, state, device.phone.state) == []


def test_only_non_ascii_typing_needs_the_input_method() -> None:
    without = disturbance_named("no IME")
    assert not without.allows(task_named("send-zh"))
    assert without.allows(task_named("send-en"))
    assert without.allows(task_named("airplane-on"))
    assert not any(each.allows(task_named("send-absent")) for each in DISTURBANCES)


def test_hung_run_is_reported_and_next_one_runs(tmp_path: Path) -> None:
    words = [
        "--out",
        str(tmp_path),
        "--jobs",
        "1",
        "--task",
        "send-zh",
        "--disturbance",
        "none",
        "dark",
        "--deadline",
        "0.1",
    ]
    assert main(words) == 1
    cells = read_cells(tmp_path / "cells.jsonl")
    assert {cell.verdict for cell in cells.values()} == {Verdict.HUNG.value}
    assert set(cells) == {("send-zh", "none"), ("send-zh", "dark")}
    assert "no end after 0.1 s" in (tmp_path / "table.md").read_text(encoding="utf-8")


def test_finished_cells_are_not_run_again(tmp_path: Path) -> None:
    known = [Cell(name, "none", True, "ok", "success", 3, 0, 2.0) for name in ("louder", "quieter")]
    lines = [json.dumps(cell.to_dict(), ensure_ascii=False) for cell in known]
    (tmp_path / "cells.jsonl").write_text("\n".join(lines) + '\n{"task": "back", "dist', encoding="utf-8")
    assert main(["--out", str(tmp_path), "--task", "louder", "quieter", "--disturbance", "none"]) == 0
    assert [each["task"] for each in json.loads((tmp_path / "table.json").read_text(encoding="utf-8"))] == [
        "louder",
        "quieter",
    ]


def test_share_is_deterministic_for_a_seed(tmp_path: Path) -> None:
    names = [task.name for task in TASKS][:8]
    known = [Cell(name, "none", True, "ok", "success", 3, 0, 2.0) for name in names]
    lines = "".join(json.dumps(cell.to_dict(), ensure_ascii=False) + "\n" for cell in known)

    def chosen(*words: str) -> list[str]:
        (tmp_path / "cells.jsonl").write_text(lines, encoding="utf-8")
        assert main(["--out", str(tmp_path), "--task", *names, "--disturbance", "none", *words]) == 0
        return [each["task"] for each in json.loads((tmp_path / "table.json").read_text(encoding="utf-8"))]

    first = chosen("--share", "0.25", "--seed", "1")
    assert len(first) == 2
    assert first == chosen("--share", "0.25", "--seed", "1")
    assert len({tuple(chosen("--share", "0.25", "--seed", str(seed))) for seed in range(8)}) > 1
    assert chosen() == names


def test_table_lists_wrong_and_refused_cells() -> None:
    cells = [
        Cell("send-zh", "none", True, "ok", "success", 11, 0, 9.6),
        Cell("send-absent", "none", False, "ok", "failed", 6, 0, 5.0, "no such contact"),
        Cell("send-zh", "dark", True, "wrong", "success", 11, 2, 9.0, harm=["sent to 章三: '你好'"]),
    ]
    text = table(cells)
    assert "| send-zh | ok 11/0/10s | wrong 11/2/9s |" in text
    assert "| send-absent | refused 6/0/5s |  |" in text
    assert "- **send-zh / dark** ('给张三发微信消息说你好'): wrong; sent to 章三: '你好'." in text
    assert "| all | 2 | 1 | 0 | 0 | 1 | 1 | 1 | 0 | 0 | 9 |" in text


QUESTIONS = ("Actions, with their params:", "You check screenshots", "in boxes with numbers", "a magenta box is drawn")


@pytest.mark.parametrize("question", [*QUESTIONS, 'Task: find one element\n{"find": "微信"}'])
def test_poor_model_is_deterministic_and_sometimes_wrong(question: str) -> None:
    phone = PhoneModel()
    phone.launch("com.tencent.mm")
    sight = Sight.of("model-message", phone)
    asked = ModelRequest("openai", "", {}, {}, question, (Picture(b""),), True)
    answers = [wrong(sight, asked, Random(seed)) for seed in range(20)]
    assert answers == [wrong(sight, asked, Random(seed)) for seed in range(20)]
    assert any(answer != right(sight, asked, Random(0)) for answer in answers)
