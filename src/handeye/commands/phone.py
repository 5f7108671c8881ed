"""`handeye phone ...` and `handeye demo`: start the virtual phone, disturb it, show its state, run the main job on it."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field

from handeye.commands.base import Context, ExitCode, Outcome
from handeye.commands.parameters import ARGUMENT, Cli
from handeye.commands.run import RUNS
from handeye.devices import SCENARIOS, ADBController, AuthPolicy, PhoneDevice, Scenario, VirtualPhone
from handeye.errors import CommandFailed, UsageError
from handeye.report import RunRecorder, prepare_folder
from handeye.run import TaskResult, combined_listener
from handeye.session import Session

DEFAULT_PORT = 15555
# adb servers probe these for emulators and would list the phone twice.
PROBED_BY_ADB = range(5555, 5586)
SCENARIO_FILES = (".yaml", ".yml", ".json")


class StartParams(BaseModel):
    """Parameters of `phone start`."""

    port: int = Field(DEFAULT_PORT, ge=0, le=65535, description="TCP port on 127.0.0.1; 0 picks a free one.")
    scenario: str = Field("calm", description="Disturbances: names joined by commas, or a file.")
    window: bool = Field(False, description="Show it live in a local web page.")
    auth: AuthPolicy = Field(AuthPolicy.OPEN, description="How keys are treated: open, keys or refuse.")


def start(params: StartParams, context: Context) -> Outcome:
    """Run the virtual phone until Ctrl-C."""
    if params.port in PROBED_BY_ADB:
        raise UsageError(f"port {params.port} is probed by adb servers for emulators (5555-5585); use {DEFAULT_PORT}")
    phone = VirtualPhone(port=params.port, scenario=_scenario(params.scenario), auth=params.auth)
    try:
        phone.start()
    except OSError as error:
        why = f"port {params.port} on 127.0.0.1 cannot be opened ({error.strerror or error})"
        raise UsageError(
            f"{why}; is a phone running there already? Choose another --port, or 0 for a free one"
        ) from error
    window: str | None = None
    try:
        context.say(f"virtual phone on {phone.serial}")
        context.say(f"  adb connect {phone.serial}")
        context.say(f'  handeye run "给张三发微信消息说你好" --device android:///{phone.serial}')
        window = phone.open_window() if params.window else None
        if window is not None:
            context.say(f"  live picture: {window}")
        # Now, not at the end: the reader waits for a phone to connect to.
        context.answer(_about(phone, window))
        while phone.running:
            time.sleep(0.5)
    except KeyboardInterrupt:
        pass  # the way to end it
    finally:
        about = _about(phone, window)
        phone.stop()
    return Outcome(about, ("virtual phone stopped",))


def _about(phone: VirtualPhone, window: str | None) -> dict[str, str | int | None]:
    return {"serial": phone.serial, "port": phone.port, "window": window}


class PhoneParams(BaseModel):
    """Parameters of the verbs for a running virtual phone."""

    port: int = Field(DEFAULT_PORT, ge=1, le=65535, description="Its port.")


def show_state(params: PhoneParams, context: Context) -> Outcome:
    """Return the virtual phone's own state: messages, open app, switches."""
    state: dict[str, Any] = json.loads(_vphone(params.port, "state"))
    return Outcome(state, tuple(json.dumps(state, ensure_ascii=False, indent=2).splitlines()))


class ScenarioParams(PhoneParams):
    """Parameters of `phone scenario`."""

    names: Annotated[str | None, ARGUMENT] = Field(
        None, description="Names joined by commas, or a file; none lists them."
    )


def set_scenario(params: ScenarioParams, context: Context) -> Outcome:
    """Switch disturbances on, or list them."""
    if params.names is None:
        return Outcome({"scenarios": list(SCENARIOS)}, tuple(SCENARIOS))
    scenario = _scenario(params.names)  # a wrong name or file is refused here, with what would be right
    _vphone(params.port, "scenario-json", json.dumps(scenario.to_dict(), ensure_ascii=False))
    return Outcome({"scenario": params.names}, (f"scenario: {params.names}",))


def _scenario(text: str) -> Scenario:
    """Return the scenario of names joined by commas, or of a file; no name has a dot in it. Raises ScenarioError."""
    return Scenario.load(text) if Path(text).suffix in SCENARIO_FILES else Scenario.parse(text)


def _vphone(port: int, *words: str) -> str:
    serial = f"127.0.0.1:{port}"
    with closing(ADBController(serial)) as phone:
        phone.connect()
        answer = phone.shell("cmd", "vphone", *words)
    if answer.exit_code:
        raise CommandFailed(f"cmd vphone {words[0]}", answer.exit_code, answer.stderr.decode("utf-8", "replace"))
    return answer.stdout.decode("utf-8")


TASK = "给张三发微信消息说你好"
CONTACT, MESSAGE = "张三", "你好"
ROUNDS = ("calm", "permission,advert,dark,slow-capture")


class DemoParams(BaseModel):
    """Parameters of `demo`."""

    out: Annotated[Path, Cli(flags=("--out", "-o"))] = Field(RUNS / "demo", description="Folder for the reports.")
    scenario: list[str] = Field(list(ROUNDS), description="Disturbances; once per run.")


def demo(params: DemoParams, context: Context) -> Outcome:
    """Start a virtual phone per scenario, run the task, and check in the phone's state that the message was sent."""
    rounds: list[dict[str, Any]] = []
    for names in params.scenario:
        context.say(f"── virtual phone, {names} ──")
        recorder = RunRecorder(prepare_folder(params.out / names.replace(",", "-")))
        with closing(PhoneDevice(Scenario.parse(names))) as device:
            before = _sent(device)
            result = Session(device, listen=combined_listener(context.listen, recorder)).run(TASK)
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
    """Return every sent message in the phone's state, as (contact, text)."""
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
