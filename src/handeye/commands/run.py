"""`handeye run TASK`: carry out a task in a person's words."""

from __future__ import annotations

import itertools
import os
import re
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field

from handeye.commands.base import Command, Context, Effect, ExitCode, Outcome, exit_code_of
from handeye.commands.locate import MODEL_OPTION
from handeye.devices.table import open_device
from handeye.errors import HandeyeError, InvalidImage, WriteFailed
from handeye.report.folder import prepare_folder
from handeye.run.events import Event, EventKind, Listener
from handeye.run.result import TaskResult, TaskStatus
from handeye.session import DEFAULT_DEVICE, Session, write_report

RUNS = Path("runs")


class RunParams(BaseModel):
    """Parameters of `run`."""

    task: str = Field(min_length=1, description="what to do, in a person's words")
    device: str = Field(DEFAULT_DEVICE, description="which device, as a URI")
    out: Path | None = Field(None, description="folder for the report; a new one under runs/ by default")
    report: bool = Field(True, description="write the report")
    model: str | None = Field(None, min_length=1, description=MODEL_OPTION)


def run_task(params: RunParams, context: Context) -> Outcome:
    """
    Run the task; whatever happens, a report says so. Raises WriteFailed before anything is done when a report has no place;
    one that cannot be written afterwards is a warning, and the task's own result stands.
    """
    folder = _folder(params)
    heard: list[TaskResult] = []

    def listen(event: Event) -> None:
        if event.result is not None:
            heard[:] = [event.result]
        context.listen(event)

    try:
        with closing(open_device(params.device)) as device:
            result = Session(device, listen=listen, model=params.model).run(params.task)
    except HandeyeError as error:
        result = heard[0] if heard else _not_begun(params, error, listen)
    except KeyboardInterrupt:
        _report_interrupted(heard, folder, context)
        raise
    return _outcome(result, *_report(result, folder))


def _folder(params: RunParams) -> Path | None:
    """Where the report goes, made and tried before the run; None when there shall be none."""
    if not params.report:
        return None
    return prepare_folder(params.out) if params.out is not None else new_run_folder(params.task)


def _not_begun(params: RunParams, error: HandeyeError, listen: Listener) -> TaskResult:
    """No device, or a busy one: there was nothing to run on. Told as a run, so that every listener hears the same story."""
    result = TaskResult(params.task, TaskStatus.FAILED, error_message=str(error), error=error, device=params.device)
    listen(Event(EventKind.RUN_STARTED, time.time(), result=result))
    listen(Event(EventKind.RUN_FINISHED, time.time(), str(error), result=result))
    return result


def _report(result: TaskResult, folder: Path | None) -> tuple[str | None, str | None]:
    """The report's path, and why there is none."""
    if folder is None:
        return None, None
    try:
        return str(write_report(result, folder)), None
    except (WriteFailed, InvalidImage) as error:
        return None, str(error)


def _report_interrupted(heard: list[TaskResult], folder: Path | None, context: Context) -> None:
    if heard:
        report, error = _report(heard[0], folder)
        if report or error:
            context.say(f"report: {report}" if report else f"no report: {error}")
    elif folder is not None:
        with suppress(OSError):  # not empty: it was there before
            folder.rmdir()


def _outcome(result: TaskResult, report: str | None, report_error: str | None) -> Outcome:
    code = {TaskStatus.SUCCESS: ExitCode.OK, TaskStatus.NEEDS_REVIEW: ExitCode.UNVERIFIED}.get(result.status)
    if code is None:
        code = exit_code_of(result.error) if result.error is not None else ExitCode.FAILED
    data: dict[str, Any] = {**result.to_dict(), "report": report}
    if report_error is not None:
        data["report_error"] = report_error
    told = (f"models: {result.usage}" if result.usage is not None else "", f"report: {report}" if report else "")
    lines = tuple(filter(None, told))
    return Outcome(data, lines, code, (f"no report: {report_error}",) if report_error else ())


def new_run_folder(task: str, root: Path = RUNS) -> Path:
    """
    Make a folder whose name sorts by time and can be told apart: `20261121-221500-给张三发微信`. No two runs get the same one.

    Raises WriteFailed.
    """
    slug = re.sub(r"[^\w]+", "-", task).strip("-")[:24].strip("-") or "task"
    try:
        os.fsencode(slug)
    except UnicodeEncodeError:  # file names are ASCII under some locales
        slug = "task"
    base = root / f"{time.strftime('%Y%m%d-%H%M%S')}-{slug}"
    try:
        root.mkdir(parents=True, exist_ok=True)
        for count in itertools.count(1):
            folder = base if count == 1 else base.with_name(f"{base.name}-{count}")
            with suppress(FileExistsError):
                folder.mkdir()
                break
    except OSError as error:
        raise WriteFailed(base, error, "name a folder with --out, or use --no-report") from error
    return folder


RUN = Command("run", "Carry out a task in a person's words.", Effect.ACT, RunParams, run_task)
