"""Tests of run folders: saved data is loaded again, secrets are masked, foreign folders are validated."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from handeye.errors import ConfigError, WriteFailed
from handeye.plan import ActionName, StepPlan
from handeye.report import RunRecord, load_run, prepare_folder, save_run, write_html, write_json
from handeye.report.event_log import event_lines
from handeye.report.folder import is_running
from handeye.run import StepResult, StepStatus, TaskResult, TaskStatus


def test_saved_run_is_loaded_unchanged(tmp_path: Path, mixed_run: TaskResult) -> None:
    folder = save_run(mixed_run, tmp_path / "run")
    assert sorted(path.name for path in (folder / "screens").iterdir()) == [
        "01-after.webp", "01-before.webp", "02-after.webp", "03-after.webp", "03-before.webp",
    ]  # fmt: skip
    loaded = load_run(folder)
    assert loaded == RunRecord.of(mixed_run)
    assert sorted(loaded.pictures) == ["01-after", "01-before", "02-after", "03-after", "03-before"]
    assert [step.verified for step in loaded.steps] == [True, None, True, False]
    report = write_html(loaded, tmp_path / "r.html").read_text(encoding="utf-8")
    assert report.count("<image ") == 5
    assert load_run(save_run(loaded, tmp_path / "copy")) == loaded


def test_json_report_contains_the_same_facts(tmp_path: Path, mixed_run: TaskResult) -> None:
    facts = json.loads(write_json(mixed_run, tmp_path / "r.json").read_text(encoding="utf-8"))
    assert facts["status"] == "failed"
    assert facts["steps"][0]["box"] == [100, 200, 180, 280]
    assert facts["steps"][1]["evidence"] == ["the screen changed by 12.3 %"]
    assert facts["steps"][1]["verified"] is None


def test_missing_picture_is_reported_in_the_html(tmp_path: Path, mixed_run: TaskResult) -> None:
    folder = save_run(mixed_run, tmp_path / "run")
    (folder / "screens" / "01-before.webp").unlink()
    (folder / "screens" / "02-after.webp").write_bytes(b"RIFF nonsense")
    page = write_html(load_run(folder), tmp_path / "r.html", lang="en").read_text(encoding="utf-8")
    assert page.count("<image ") == 3
    assert page.count("No picture") == 2


def test_secrets_are_masked_in_all_reports(tmp_path: Path, run_of: Callable[[int], TaskResult]) -> None:
    secret = "p4ss 密码 <&>"
    result = run_of(1)
    step = StepPlan(2, ActionName.INPUT_TEXT, params={"text": secret, "secret": True}, description=f"输入{secret}")
    shown = StepPlan(3, ActionName.INPUT_TEXT, params={"text": "open"})
    result.step_results += [
        StepResult(step, StepStatus.FAILED, error_message=f"{secret} did not arrive", notes=[f"typed {secret}"]),
        StepResult(shown, StepStatus.SUCCESS),
    ]
    result.task = f"用{secret}登录"
    folder = save_run(result, tmp_path / "run")
    raw = (folder / "result.json").read_text(encoding="utf-8")
    page = write_html(result, tmp_path / "r.html").read_text(encoding="utf-8")
    for text in (raw, page):
        assert "p4ss" not in text
        assert "••••" in text
    steps = json.loads(raw)["steps"]
    assert steps[1]["params"] == {"text": "••••"}
    assert steps[2]["params"] == {"text": "open"}
    assert json.loads(raw)["task"] == "用••••登录"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda facts: facts["steps"][0]["before"].update(name="../../../etc/passwd"), "is no frame"),
        (lambda facts: facts["steps"][0]["before"].update(name="/etc/passwd"), "is no frame"),
        (lambda facts: facts["steps"][0]["before"].update(width=-5, height=-5), "is no frame"),
        (lambda facts: facts["steps"][0].update(box=[1, 2, 3]), "box"),
        (lambda facts: facts["steps"][0].update(number="<b>"), "number"),
        (lambda facts: facts.pop("task"), "task"),
        (lambda facts: facts.update(steps=7), "steps"),
    ],
)
def test_foreign_run_folder_is_validated(
    tmp_path: Path, mixed_run: TaskResult, change: Callable[[dict[str, Any]], object], says: str
) -> None:
    folder = save_run(mixed_run, tmp_path / "run")
    facts = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    change(facts)
    (folder / "result.json").write_text(json.dumps(facts), encoding="utf-8")
    with pytest.raises(ConfigError, match=says):
        load_run(folder)


def test_unknown_status_words_are_shown_verbatim(tmp_path: Path, mixed_run: TaskResult) -> None:
    record = RunRecord.of(mixed_run)
    odd = dataclasses.replace(
        record, status="{0.__class__}", steps=(dataclasses.replace(record.steps[0], status='a b"c'),)
    )
    page = write_html(odd, tmp_path / "r.html").read_text(encoding="utf-8")
    assert "{0.__class__}" in page
    assert 'class="step neutral"' in page


@pytest.mark.parametrize("content", [None, "", "{", "[]", "null", "[" * 100_000])
def test_invalid_result_file_is_refused(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "result.json").write_text(content, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"result\.json"):
        load_run(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_named_pipe_as_events_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "events.jsonl")
    assert not is_running(tmp_path)
    with pytest.raises(WriteFailed, match="it is no regular file"):
        prepare_folder(tmp_path)
    with pytest.raises(ConfigError, match="it is no regular file"):
        event_lines(tmp_path / "events.jsonl")


def test_run_without_steps_can_be_saved(tmp_path: Path) -> None:
    result = TaskResult("x", TaskStatus.FAILED, error_message="half a surrogate \ud800")
    record = load_run(save_run(result, tmp_path))
    assert (record.task, record.steps) == ("x", ())
