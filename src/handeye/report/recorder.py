"""Event listener that records a run in a folder while it runs."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final

from handeye._version import __version__
from handeye.errors import HandeyeError, InvalidPlan, WriteFailed
from handeye.files import check_not_symlink, make_folder, open_regular, take_lock, write_text
from handeye.plan import TaskPlan, plan_to_dict
from handeye.report.event_log import EVENTS, EventLine, event_lines, step_facts, whole_length
from handeye.report.folder import (
    FOLDER_REMEDY,
    PLANS,
    REPORT,
    RESULT,
    SCREENS,
    folder_in_use_error,
    has_events,
    load_run,
    plans_of,
)
from handeye.report.frame_writer import FrameWriter
from handeye.report.html import write_html
from handeye.report.json import write_json
from handeye.report.record import Picture, plan_facts, step_record
from handeye.report.redaction import Secrets
from handeye.run import Event, EventKind, StepResult
from handeye.usage import Usage

_PLANNED: Final = (EventKind.PLANNED.value, EventKind.REPLANNED.value)


class RunRecorder:
    """
    Records a run in `folder` (see `handeye.report.folder`): events, frames and plans as they occur, the result and the
    report at the end. A saved frame is removed from the step's result to free its memory.

    The folder is locked until the run has ended or `let_go` is called. `resume` continues the folder of a run that ended
    early. Raises UsageError while another run writes there, ConfigError if there is nothing to resume, and WriteFailed if
    the folder cannot be written.

    Afterwards `failure` is the error that stopped the recording, if any, and `report` the path of the report. A full disk
    does not stop the run; but the folder cannot be resumed then, because its record of the executed steps is incomplete:
    its plans are removed.
    """

    def __init__(self, folder: Path, *, resume: bool = False) -> None:
        self.folder = folder
        self.failure: HandeyeError | None = None
        self.report: Path | None = None
        self._secrets = Secrets()
        self._logged_facts: dict[str, Any] = {}
        self._pictures: tuple[Picture | None, Picture | None] = (None, None)
        self._plans: list[dict[str, Any]] = []
        self._frames = FrameWriter(folder / SCREENS)
        self._count = 0
        before = event_lines(folder / EVENTS) if resume else []
        self._file: IO[bytes] | None = self._open_events()
        if resume:
            self._continue_from(before)

    def _open_events(self) -> IO[bytes]:
        """Return the locked event file, positioned after the last complete line."""
        path = self.folder / EVENTS
        try:
            make_folder(self.folder, private=True)
            check_not_symlink(self.folder / SCREENS)
            file = open_regular(path, "ab", within=self.folder)
        except (OSError, ValueError) as error:
            raise WriteFailed(path, error, FOLDER_REMEDY) from error
        try:
            take_lock(file)
            file.truncate(whole_length(path))
            file.seek(0, os.SEEK_END)
        except (BlockingIOError, PermissionError):
            file.close()
            raise folder_in_use_error(self.folder) from None
        except OSError as error:
            file.close()
            raise WriteFailed(path, error, FOLDER_REMEDY) from error
        return file

    def _continue_from(self, lines: list[EventLine]) -> None:
        """Continue the step and plan counts of the earlier run."""
        self._count = sum(line["event"] == EventKind.STEP_STARTED.value for line in lines)
        self._plans = plans_of(self.folder)[: sum(line["event"] in _PLANNED for line in lines)]

    def let_go(self) -> None:
        """Release the folder; one without events is removed."""
        with suppress(HandeyeError, OSError):  # a frame that could not be written
            self._frames.close()
        self._close()
        if not has_events(self.folder):
            with suppress(OSError):  # not empty: it was there before
                (self.folder / EVENTS).unlink(missing_ok=True)
                self.folder.rmdir()

    def __call__(self, event: Event) -> None:
        if self.failure is not None:
            self._record_end(event)
            return
        try:
            self._record(event)
        except (HandeyeError, OSError) as error:
            self._stop_recording(error)
            return
        if event.kind is EventKind.RUN_FINISHED:
            self._finish()

    def _record(self, event: Event) -> None:
        plan = event.plan if event.kind in (EventKind.PLANNED, EventKind.REPLANNED) else None
        if plan is not None:
            self._save_plan(plan)
        self._write(event, self._facts(event, plan))

    def _facts(self, event: Event, plan: TaskPlan | None) -> dict[str, Any]:
        """Return the fields of the event's line, except kind, time and message."""
        result, step = event.result, event.step_result
        if step is not None:
            return self._step(event.kind, step)
        if result is None:
            return {}
        if event.kind is EventKind.RUN_STARTED:
            return {"version": __version__, "device": result.device}
        facts: dict[str, Any] = {"task": result.task, **_usage(result.planning)}
        if event.kind is EventKind.RUN_FINISHED:
            kind = type(result.error).__name__ if result.error is not None else ""
            ended = {"status": result.status.value, "error": result.error_message, "error_kind": kind}
            return facts | ended | {"total_s": round(result.total_time, 3)}
        return facts | plan_facts(plan)

    def _step(self, kind: EventKind, result: StepResult) -> dict[str, Any]:
        if kind is EventKind.STEP_STARTED:
            self._count += 1
            self._logged_facts, self._pictures = {}, (None, None)
        elif kind is EventKind.STEP_FINISHED:
            before = self._frames.keep(result.screenshot_before, f"{self._count:02d}-before")
            self._pictures = before, self._frames.keep(result.screenshot_after, f"{self._count:02d}-after")
            result.screenshot_before = result.screenshot_after = None
        # Events of a step after its end must not reset its pictures.
        return {"step": step_facts(step_record(result, self._secrets, *self._pictures), self._logged_facts)}

    def _write(self, event: Event, facts: dict[str, Any]) -> None:
        """Append the event's line. An ACTING event is synced to disk, so that a resumed run never repeats the action."""
        message = {"message": event.message} if event.message and event.kind is not EventKind.RUN_FINISHED else {}
        line = {"event": event.kind.value, "at": round(event.at, 3), **self._secrets.hidden(message | facts)}
        file = self._file
        if file is None:
            raise WriteFailed(
                self.folder, OSError("the run has ended"), "record each run with a RunRecorder of its own"
            )
        file.write(json.dumps(line, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
        file.flush()
        if event.kind is EventKind.ACTING:
            os.fsync(file.fileno())

    def _save_plan(self, plan: TaskPlan) -> None:
        self._secrets.learn(plan.steps)
        try:
            self._plans.append(self._secrets.hidden(plan_to_dict(plan)))
        except InvalidPlan:
            self._plans.append({})  # made by a program, with values that JSON cannot hold: not resumable
        text = json.dumps({"plans": self._plans}, ensure_ascii=False, indent=2)
        write_text(self.folder / PLANS, text + "\n", private=True, remedy=FOLDER_REMEDY)

    def _finish(self) -> None:
        """Write the result and the report from the recorded events."""
        try:
            self._frames.close()
            record = load_run(self.folder)
            write_json(record, self.folder / RESULT)
            self.report = write_html(record, self.folder / REPORT)
            self._close()
        except HandeyeError as error:
            self.failure, self.report = error, None
        except OSError as error:
            self.failure, self.report = WriteFailed(self.folder, error, FOLDER_REMEDY), None

    def _close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            file.close()  # also releases the lock

    def _stop_recording(self, error: HandeyeError | OSError) -> None:
        """Stop recording, and make the folder non-resumable; it stays locked until the run has ended."""
        self.failure = error if isinstance(error, HandeyeError) else WriteFailed(self.folder, error, FOLDER_REMEDY)
        with suppress(OSError):  # the folder and its plans no longer exist
            (self.folder / PLANS).unlink(missing_ok=True)
        with suppress(HandeyeError, OSError):
            self._frames.close()

    def _record_end(self, event: Event) -> None:
        """After a write error, try to write how the run ended, in case there is room again."""
        file = self._file
        if event.kind is not EventKind.RUN_FINISHED or file is None:
            return
        try:
            file.truncate(whole_length(self.folder / EVENTS))
            self._write(event, self._facts(event, None))
        except (HandeyeError, OSError):
            pass
        finally:
            with suppress(OSError):  # the buffered rest of a line that does not fit
                self._close()


def _usage(cost: Usage | None) -> dict[str, Any]:
    return {"planning": cost.to_dict()} if cost is not None else {}
