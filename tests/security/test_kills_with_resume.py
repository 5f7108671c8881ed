"""
Tests of a run that is killed repeatedly and resumed each time: the message is sent at most once, and a success is real.

Two such cases without a separate process are in tests/end_to_end/test_resume_on_phone.py.
"""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from handeye.clock import Deadline, SystemClock
from handeye.devices import PhoneDevice
from handeye.report import load_run
from handeye_phone.scenario import Scenario

TASK: Final = "给张三发微信消息说你好"
KILLS: Final = 4
# A run is killed after so many more events; a whole one has 56.
MOST_EVENTS: Final = 20
# It is killed within this time after such a line, in seconds: also in the middle of an act.
JITTER_S: Final = 0.4


def started(phone: PhoneDevice, *words: str) -> subprocess.Popen[bytes]:
    """`handeye run` as a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "handeye", "run", *words, "--device", f"android:///{phone.serial}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def lines_of(folder: Path) -> int:
    record = folder / "events.jsonl"
    return record.read_bytes().count(b"\n") if record.exists() else 0


def killed(run: subprocess.Popen[bytes], folder: Path, after: int, jitter_s: float) -> bool:
    """Kill `run` once it has written `after` more lines; False when it has ended before."""
    clock, goal = SystemClock(), lines_of(folder) + after
    deadline = Deadline(clock, 60)
    while run.poll() is None and lines_of(folder) < goal and not deadline.passed:
        deadline.pause(0.01)
    clock.sleep(jitter_s)
    ended = run.poll() is not None
    run.send_signal(signal.SIGKILL)
    run.communicate()
    return not ended


@pytest.mark.wide
@pytest.mark.usefixtures("adb_port")
@pytest.mark.parametrize("seed", range(5))
def test_killed_and_resumed_runs_send_once(seed: int, tmp_path: Path) -> None:
    chance, folder = random.Random(seed), tmp_path / "run"
    words = (TASK, "--out", str(folder))
    with PhoneDevice(Scenario.parse("calm")) as phone:
        for _ in range(KILLS):
            run = started(phone, *words)
            if not killed(run, folder, chance.randint(1, MOST_EVENTS), chance.uniform(0, JITTER_S)):
                break
            if (folder / "plan.json").exists():
                load_run(folder)
                words = ("--resume", str(folder))
            assert phone.phone.state.sent in ({}, {"张三": ["你好"]})
        else:
            started(phone, *words).communicate(timeout=120)
        sent = phone.phone.state.sent
    status = json.loads((folder / "result.json").read_text("utf-8"))["status"]
    assert sent in ({}, {"张三": ["你好"]})
    assert sent or status != "success"
