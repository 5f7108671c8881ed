"""Tests of `handeye run`: output, exit code and report, also after Ctrl-C or a kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from handeye.cli.app import app
from handeye_phone import VirtualPhone

TASK = "给张三发微信消息说你好"


@pytest.fixture
def phone(adb_port: int) -> Iterator[VirtualPhone]:
    with VirtualPhone() as phone:
        yield phone


def test_json_run_prints_one_document_and_writes_report(phone: VirtualPhone, tmp_path: Path) -> None:
    out = tmp_path / "run"
    answer = CliRunner().invoke(
        app, ["run", TASK, "--device", f"android:///{phone.serial}", "--out", str(out), "--json"]
    )
    assert answer.exit_code == 0, answer.output
    told = json.loads(answer.stdout)
    assert told["status"] == "success"
    assert all(step["evidence"] for step in told["steps"])
    assert phone.state.to_dict()["messages"]["张三"][-1] == {"from": "me", "text": "你好"}
    page = (out / "report.html").read_text("utf-8")
    assert TASK in page
    assert 50_000 < len(page) < 3_000_000
    again = CliRunner().invoke(app, ["report", str(out), "--out", str(tmp_path / "again.html")])
    assert again.exit_code == 0, again.output
    assert TASK in (tmp_path / "again.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("task", "device", "code", "said"),
    [
        ("烤一个蛋糕", "phone", 4, "烤一个蛋糕"),
        ("给赵六发微信消息说你好", "phone", 1, "赵六"),
        (TASK, "android:///127.0.0.1:9", 3, "127.0.0.1:9"),
        (TASK, "android:///NO-SUCH-SERIAL", 3, "NO-SUCH-SERIAL"),
        (TASK, "toaster:", 2, "toaster"),
        (TASK, "image:nothing.png", 2, "nothing.png"),
    ],
)
def test_failed_run_has_message_exit_code_and_report(
    phone: VirtualPhone, tmp_path: Path, task: str, device: str, code: int, said: str
) -> None:
    uri = f"android:///{phone.serial}" if device == "phone" else device
    out = tmp_path / "run"
    answer = CliRunner().invoke(app, ["run", task, "--device", uri, "--out", str(out)])
    assert answer.exit_code == code, answer.output
    assert said in answer.output
    assert "Traceback" not in answer.output
    assert said in (out / "report.html").read_text("utf-8")
    assert phone.call(lambda model: model.focused_activity).startswith("com.android.launcher3")
    assert phone.state.to_dict()["sent"] == {}


def test_ctrl_c_restores_keyboard_and_writes_report(phone: VirtualPhone, tmp_path: Path) -> None:
    keyboard = phone.call(lambda model: model.input_method)
    out, junit = tmp_path / "run", tmp_path / "junit.xml"
    words = ["run", TASK, "--device", phone.serial, "--out", str(out), "--junit", str(junit)]
    process = subprocess.Popen(
        [sys.executable, "-m", "handeye", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    try:
        # In the middle of the work: the messenger is open, nothing is sent.
        wait_until(lambda: "com.tencent.mm" in phone.call(lambda model: model.focused_activity))
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=120)
    finally:
        process.kill()
    said = output.decode("utf-8")
    assert process.returncode == 130, said
    assert "Traceback" not in said
    assert (out / "report.html").exists()
    assert 'failures="0" errors="0"' not in junit.read_text("utf-8")
    assert phone.call(lambda model: model.input_method) == keyboard
    assert phone.state.to_dict()["sent"] == {}


def test_resumed_killed_run_sends_message_once(phone: VirtualPhone, tmp_path: Path) -> None:
    """The run is killed after typing the message and before tapping send; SIGKILL allows no cleanup."""
    out, junit = tmp_path / "run", tmp_path / "junit.xml"
    words = [sys.executable, "-m", "handeye", "run", TASK, "--device", phone.serial, "--out", str(out)]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: has_typed(out / "events.jsonl"))
    finally:
        process.kill()
        process.wait()
    assert phone.state.to_dict()["sent"] == {}
    shown = json.loads(CliRunner().invoke(app, ["runs", "show", str(out), "--json"]).stdout)
    assert (shown["status"], shown["task"]) == ("interrupted", TASK)
    answer = CliRunner().invoke(app, ["run", "--resume", str(out), "--junit", str(junit), "--json"])
    assert answer.exit_code == 0, answer.output
    assert phone.state.to_dict()["sent"] == {"张三": ["你好"]}
    assert 'failures="0" errors="0"' in junit.read_text("utf-8")


def has_typed(events: Path) -> bool:
    """Return True after ten steps: the message is in its field. The events may end in the middle of a line."""
    lines = events.read_text("utf-8", "replace").splitlines() if events.exists() else []
    finished = [json.loads(line)["step"]["number"] for line in lines[:-1] if '"step_finished"' in line]
    return len(finished) >= 10


def wait_until(condition: Callable[[], bool], timeout_s: float = 300.0) -> None:
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, "the run did not get so far"
        time.sleep(0.05)
