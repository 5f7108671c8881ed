"""`handeye demo`: the main job on the virtual phone, judged by the phone's own state."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field

from handeye.commands.base import Command, Context, Effect, ExitCode, Outcome
from handeye.commands.run import RUNS
from handeye.devices.android.virtual import PhoneDevice
from handeye.phone.scenario import Scenario
from handeye.report.folder import prepare_folder
from handeye.report.recorder import RunRecorder
from handeye.run.events import both
from handeye.run.result import TaskResult
from handeye.session import Session

TASK = "给张三发微信消息说你好"
CONTACT, MESSAGE = "张三", "你好"
ROUNDS = ("calm", "permission,advert,dark,slow-capture")


class DemoParams(BaseModel):
    """Parameters of `demo`."""

    out: Path = Field(RUNS / "demo", description="folder for the reports")
    scenario: list[str] = Field(list(ROUNDS), description="disturbances, one run each")


def demo(params: DemoParams, context: Context) -> Outcome:
    """Start a virtual phone per scenario, carry out the task, and ask the phone whether the message stands in the chat."""
    rounds: list[dict[str, Any]] = []
    for names in params.scenario:
        context.say(f"── virtual phone, {names} ──")
        recorder = RunRecorder(prepare_folder(params.out / names.replace(",", "-")))
        with closing(PhoneDevice(Scenario.parse(names))) as device:
            before = _sent(device)
            result = Session(device, listen=both(context.listen, recorder)).run(TASK)
            sent = _new(before, _sent(device))
        proved = sent == [(CONTACT, MESSAGE)]
        if recorder.failure is not None:
            raise recorder.failure
        context.say(_verdict(result, sent, proved))
        context.say(f"report: {recorder.report}")
        rounds.append(
            {"scenario": names, "proved": proved, "sent": [list(each) for each in sent], "report": str(recorder.report)}
            | {"status": result.status.value, "total_s": round(result.total_time, 1)}
        )
    ok = all(each["proved"] and each["status"] == "success" for each in rounds)
    return Outcome({"ok": ok, "rounds": rounds}, (), ExitCode.OK if ok else ExitCode.FAILED)


def _sent(device: PhoneDevice) -> list[tuple[str, str]]:
    """Every message of ours that the phone holds: (to whom, what)."""
    messages = device.phone.state.to_dict()["messages"]
    return [(name, each["text"]) for name, chat in messages.items() for each in chat if each["from"] == "me"]


def _new(before: Sequence[tuple[str, str]], after: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    left = list(after)
    for each in before:
        if each in left:
            left.remove(each)
    return left


def _verdict(result: TaskResult, sent: Sequence[tuple[str, str]], proved: bool) -> str:
    says = "; ".join(f"{name} ← {text}" for name, text in sent) or "no new message"
    mark = "✓" if proved else "✗"
    return f"{mark} the phone's own state: {says} ({result.total_time:.1f} s)"


DEMO = Command(
    "demo", "Run the main job on virtual phones and check it in their own state.", Effect.ACT, DemoParams, demo
)
