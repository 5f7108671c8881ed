"""`handeye run TASK`: carry out a task in a person's words."""

from __future__ import annotations

import re
import time
from contextlib import closing
from pathlib import Path

from pydantic import BaseModel, Field

from handeye.commands.base import Command, Context, Effect, ExitCode, Outcome, exit_code_of
from handeye.devices.table import open_device
from handeye.errors import HandeyeError
from handeye.run.events import Event, EventKind
from handeye.run.result import TaskResult, TaskStatus
from handeye.session import DEFAULT_DEVICE, Session, write_report

RUNS = Path("runs")


class RunParams(BaseModel):
    """Parameters of `run`."""

    task: str = Field(min_length=1, description="what to do, in a person's words")
    device: str = Field(DEFAULT_DEVICE, description="which device, as a URI")
    out: Path | None = Field(None, description="folder for the report; a new one under runs/ by default")
    report: bool = Field(True, description="write the report")


def run_task(params: RunParams, context: Context) -> Outcome:
    """Run the task; whatever happens, a report says so."""
    last: list[TaskResult] = []

    def listen(event: Event) -> None:
        if event.result is not None:
            last[:] = [event.result]
        context.listen(event)

    try:
        with closing(open_device(params.device)) as device:
            result = Session(device, listen=listen).run(params.task)
    except HandeyeError as error:  # no device: there was nothing to run on
        result = TaskResult(params.task, TaskStatus.FAILED, error_message=str(error), error=error, device=params.device)
        context.listen(Event(EventKind.RUN_FINISHED, time.time(), str(error), result=result))
    except KeyboardInterrupt:
        if last:
            context.say(_report(last[0], params) or "")
        raise
    return _outcome(result, _report(result, params))


def _report(result: TaskResult, params: RunParams) -> str | None:
    if not params.report:
        return None
    return str(write_report(result, params.out or new_run_folder(result.task)))


def _outcome(result: TaskResult, report: str | None) -> Outcome:
    code = {TaskStatus.SUCCESS: ExitCode.OK, TaskStatus.NEEDS_REVIEW: ExitCode.UNVERIFIED}.get(result.status)
    if code is None:
        code = exit_code_of(result.error) if result.error is not None else ExitCode.FAILED
    data = {**result.to_dict(), "report": report}
    return Outcome(data, (f"report: {report}",) if report else (), code)


def new_run_folder(task: str, root: Path = RUNS) -> Path:
    """A folder name that sorts by time and can be told apart: `20261121-221500-给张三发微信`. It does not exist yet."""
    slug = re.sub(r"[^\w]+", "-", task).strip("-")[:24].strip("-") or "task"
    base = root / f"{time.strftime('%Y%m%d-%H%M%S')}-{slug}"
    folder, count = base, 1
    while folder.exists():
        count += 1
        folder = base.with_name(f"{base.name}-{count}")
    return folder


RUN = Command("run", "Carry out a task in a person's words.", Effect.ACT, RunParams, run_task)
