"""`handeye run TASK`: carry out a task in a person's words."""

from __future__ import annotations

import itertools
import tempfile
import time
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BaseModel, Field, model_validator

from handeye.blockers import Ask, Blocker, Grant, PermissionChoice, PermissionPolicy
from handeye.commands.annotate import MOST_WORDS
from handeye.commands.base import Context, ExitCode, Outcome, exit_code_of
from handeye.commands.parameters import ARGUMENT, Cli, JunitFile, MinConfidence, ModelName
from handeye.devices import open_device, with_user
from handeye.errors import HandeyeError, WriteFailed
from handeye.plan import CacheMode
from handeye.report import (
    RunRecord,
    RunRecorder,
    Secrets,
    check_plan_trust,
    load_resumable_run,
    load_run,
    prepare_folder,
    write_junit,
)
from handeye.run import Event, EventKind, Listener, ResumePoint, TaskResult, TaskStatus, default_planner
from handeye.session import DEFAULT_DEVICE, Session
from handeye.visible import shown

RUNS = Path("runs")


class RunParams(BaseModel):
    """Parameters of `run`: a task, or an earlier run to go on with."""

    task: Annotated[str | None, ARGUMENT] = Field(
        None, min_length=1, description="What to do, for example 给张三发微信消息说你好"
    )
    resume: Path | None = Field(
        None, description="Go on with the run in this folder, which ended early; nothing is done twice."
    )
    device: Annotated[str | None, Cli(flags=("--device", "-d"), variable="HANDEYE_DEVICE")] = Field(
        None, min_length=1, description="android:///SERIAL, android: (the only one), phone:"
    )
    user: int | None = Field(
        None, ge=0, description="Whose apps, by number: a work profile's (10), or those of cloned apps (999)."
    )
    out: Annotated[Path | None, Cli(flags=("--out", "-o"))] = Field(None, description="Folder for the report.")
    report: bool = Field(True, description="Write the report.")
    junit: JunitFile = None
    permissions: PermissionChoice = Field(
        "deny", description="Permissions that apps ask for: ask, deny, or allow-listed (see --allow)."
    )
    allow: list[str] = Field(
        [],
        description="A permission that is granted: 位置, camera, 微信:位置; also how far: photos=selected. Repeat for more.",
    )
    plans: CacheMode = Field("read-write", description="Plans that have worked: read-write, read-only or off.")
    min_confidence: MinConfidence = None
    model: ModelName = None

    @model_validator(mode="after")
    def _is_sensible(self) -> Self:
        if (self.task is None) == (self.resume is None):
            raise ValueError("name a task, or the folder of a run with --resume, and not both")
        if self.resume is not None and (self.out is not None or not self.report):
            raise ValueError("a resumed run is written into its own folder; --out and --no-report are for new runs")
        if self.junit is not None and not self.report:
            raise ValueError("JUnit XML is made of the report; leave out --no-report")
        if self.allow and self.permissions != "allow-listed":
            raise ValueError("--allow is for --permissions allow-listed")
        return self


@dataclass(frozen=True, slots=True)
class _Job:
    """A task, its device, and the recorder of its report, or None for no report."""

    task: str
    device: str
    recorder: RunRecorder | None
    earlier: ResumePoint | None = None


def run_task(params: RunParams, context: Context) -> Outcome:
    """
    Run the task, and write a report however it ends. Raises WriteFailed before anything is done if the report cannot be
    written, and UsageError if there is no run to resume. A failure to write afterwards is a warning and does not change the
    result of the task.
    """
    policy = PermissionPolicy(params.permissions, params.allow, _ask_with(context))
    if params.junit is not None:
        _try_out(params.junit)
    job = _job(params, context)
    heard: list[TaskResult] = []

    def listen(event: Event) -> None:
        if event.result is not None:
            heard[:] = [event.result]
        context.listen(event)
        if job.recorder is not None:
            job.recorder(event)

    try:
        with closing(open_device(job.device)) as device:
            session = Session(
                device,
                listen=listen,
                model=params.model,
                policy=policy,
                plans=params.plans,
                min_confidence=params.min_confidence,
            )
            result = session.run(job.task, resume=job.earlier)
    except HandeyeError as error:
        result = heard[0] if heard else _not_begun(job, error, listen)
    except KeyboardInterrupt:
        _tell_interrupted(job.recorder, heard[0] if heard else None, params.junit, context)
        raise
    return _outcome(result, job.recorder, params.junit)


def _job(params: RunParams, context: Context) -> _Job:
    """Return the job, with a report folder that exists and can be written."""
    if params.resume is not None:
        left = check_plan_trust(load_resumable_run(params.resume), default_planner())
        device = with_user(params.device or left.device, params.user)
        context.say(f"going on with {shown(repr(left.task), MOST_WORDS)} on {shown(device)}")
        return _Job(left.task, device, RunRecorder(params.resume, resume=True), left.earlier)
    assert params.task is not None  # checked by `_is_sensible`
    device = with_user(params.device or DEFAULT_DEVICE, params.user)
    recorder = None
    if params.report:
        recorder = RunRecorder(prepare_folder(params.out) if params.out is not None else new_run_folder())
    return _Job(params.task, device, recorder)


def _ask_with(context: Context) -> Ask | None:
    """Return a function that asks the person at the terminal, or None if there is none."""
    choose = context.choose
    if choose is None:
        return None

    def ask(blocker: Blocker) -> Grant | bool | None:
        context.say(f"An app asks for a permission: {shown(blocker.words or blocker.description, MOST_WORDS)}")
        answers: list[tuple[str, Grant | bool]] = [(f"grant it ({grant})", grant) for grant in blocker.grants]
        answers = [*(answers or [("grant it", True)]), ("refuse it", False)]
        for number, (answer, _) in enumerate(answers, 1):
            context.say(f"  {number}: {answer}")
        chosen = choose("Which?", len(answers))
        return None if chosen is None else answers[chosen - 1][1]

    return ask


def _not_begun(job: _Job, error: HandeyeError, listen: Listener) -> TaskResult:
    """Return a failed result for a missing or busy device, and send the events of a run, so that all listeners get it."""
    result = TaskResult(job.task, TaskStatus.FAILED, error_message=str(error), error=error, device=job.device)
    listen(Event(EventKind.RUN_STARTED, time.time(), result=result))
    listen(Event(EventKind.RUN_FINISHED, time.time(), str(error), result=result))
    return result


def _try_out(path: Path) -> None:
    """Raise WriteFailed if no file can be written there: after the run it is too late to choose another place."""
    try:
        if path.is_dir():
            raise IsADirectoryError(f"{str(path)!r} is a folder")
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except (OSError, ValueError) as error:
        raise WriteFailed(path, error, "choose another file for the JUnit XML") from error


def _tell_interrupted(
    recorder: RunRecorder | None, result: TaskResult | None, junit: Path | None, context: Context
) -> None:
    if recorder is None:
        return
    if recorder.report is not None:
        context.say(f"report: {recorder.report}")
    elif recorder.failure is not None:
        context.say(f"no report: {recorder.failure}")
    else:
        recorder.let_go()
    if result is not None and junit is not None:
        context.say(_junit(result, recorder, junit)[1])


def _junit(result: TaskResult, recorder: RunRecorder, path: Path) -> tuple[bool, str]:
    """
    Write the JUnit XML; return True if that succeeded, and a message. It is made of the result if the folder has no record.
    """
    try:
        record = load_run(recorder.folder) if recorder.failure is None else RunRecord.of(result)
        return True, f"junit: {write_junit(record, path)}"
    except HandeyeError as error:
        return False, f"no JUnit XML: {error}"


def _outcome(result: TaskResult, recorder: RunRecorder | None, junit: Path | None) -> Outcome:
    code = {TaskStatus.SUCCESS: ExitCode.OK, TaskStatus.NEEDS_REVIEW: ExitCode.UNVERIFIED}.get(result.status)
    if code is None:
        code = exit_code_of(result.error) if result.error is not None else ExitCode.FAILED
    report = str(recorder.report) if recorder is not None and recorder.report is not None else None
    data: dict[str, Any] = {**Secrets.of(result).hidden(result.to_dict()), "report": report}
    told = [f"models: {result.usage}" if result.usage is not None else "", f"report: {report}" if report else ""]
    warnings: list[str] = []
    if recorder is not None and recorder.failure is not None:
        data["report_error"] = str(recorder.failure)
        warnings.append(f"no report: {recorder.failure}")
    if recorder is not None and junit is not None:
        written, said = _junit(result, recorder, junit)
        (told if written else warnings).append(said)
        if written:
            data["junit"] = str(junit)
    return Outcome(data, tuple(filter(None, told)), code, tuple(warnings))


def new_run_folder(root: Path = RUNS) -> Path:
    """
    Make a folder whose name sorts by time: `20261121-221500`. No two runs get the same one. The name does not contain the task,
    whose secrets are known only once there is a plan.

    Raises WriteFailed.
    """
    base = root / time.strftime("%Y%m%d-%H%M%S")
    try:
        root.mkdir(parents=True, exist_ok=True)
        for count in itertools.count(1):
            folder = base if count == 1 else base.with_name(f"{base.name}-{count}")
            with suppress(FileExistsError):
                folder.mkdir(mode=0o700)
                break
    except OSError as error:
        raise WriteFailed(base, error, "name a folder with --out, or use --no-report") from error
    return folder
