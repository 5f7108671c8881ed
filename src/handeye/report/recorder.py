"""The listener that writes a run down while it happens."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final

from handeye._version import __version__
from handeye.errors import HandeyeError, InvalidPlan, WriteFailed
from handeye.files import make_folder, open_regular, refuse_link, take_lock, write_text
from handeye.plan import TaskPlan, plan_to_dict
from handeye.report.event_log import EVENTS, Line, event_lines, step_facts, whole_length
from handeye.report.folder import ELSEWHERE, PLANS, REPORT, RESULT, SCREENS, has_events, load_run, plans_of, taken
from handeye.report.frame_writer import FrameShelf
from handeye.report.html import write_html
from handeye.report.json import write_json
from handeye.report.record import Picture, plan_facts, step_record
from handeye.report.redaction import Secrets
from handeye.run import Event, EventKind, StepResult
from handeye.usage import Usage

_PLANNED: Final = (EventKind.PLANNED.value, EventKind.REPLANNED.value)


class RunRecorder:
    """
    Writes a run into `folder` (see `handeye.report.folder`): each event as it comes, frames and plans as they are there, and
    the result and the report at the end. A frame that is on disk is let go: the step's result no longer holds it.

    The folder is this run's from now on, until the run has ended or `let_go`. `resume` goes on with a folder whose run ended
    early. Raises UsageError while another run writes there, ConfigError when there is none to go on with, and WriteFailed when
    the folder cannot be written.

    Afterwards `failure` says what could not be written, and `report` where the report is. A run is not stopped by a full disk;
    but its folder cannot be resumed then, because nobody would know what was done: the plans are taken out of it.
    """

    def __init__(self, folder: Path, *, resume: bool = False) -> None:
        self.folder = folder
        self.failure: HandeyeError | None = None
        self.report: Path | None = None
        self._secrets = Secrets()
        self._said: dict[str, Any] = {}
        self._pictures: tuple[Picture | None, Picture | None] = (None, None)
        self._plans: list[dict[str, Any]] = []
        self._frames = FrameShelf(folder / SCREENS)
        self._count = 0
        before = event_lines(folder / EVENTS) if resume else []
        self._file: IO[bytes] | None = self._opened()
        if resume:
            self._go_on(before)

    def _opened(self) -> IO[bytes]:
        """The events' file, locked, behind the last line that was written whole."""
        path = self.folder / EVENTS
        try:
            make_folder(self.folder, private=True)
            refuse_link(self.folder / SCREENS)
            file = open_regular(path, "ab", within=self.folder)
        except (OSError, ValueError) as error:
            raise WriteFailed(path, error, ELSEWHERE) from error
        try:
            take_lock(file)
            file.truncate(whole_length(path))
            file.seek(0, os.SEEK_END)
        except (BlockingIOError, PermissionError):
            file.close()
            raise taken(self.folder) from None
        except OSError as error:
            file.close()
            raise WriteFailed(path, error, ELSEWHERE) from error
        return file

    def _go_on(self, lines: list[Line]) -> None:
        """Count on from what the earlier run has told."""
        self._count = sum(line["event"] == EventKind.STEP_STARTED.value for line in lines)
        self._plans = plans_of(self.folder)[: sum(line["event"] in _PLANNED for line in lines)]

    def let_go(self) -> None:
        """Leave the folder as it is; one that was only made ready goes."""
        with suppress(HandeyeError, OSError):  # a frame that could not be written
            self._frames.close()
        self._close()
        if not has_events(self.folder):
            with suppress(OSError):  # not empty: it was there before
                (self.folder / EVENTS).unlink(missing_ok=True)
                self.folder.rmdir()

    def __call__(self, event: Event) -> None:
        if self.failure is not None:
            self._tell_end(event)
            return
        try:
            self._hear(event)
        except (HandeyeError, OSError) as error:
            self._give_up(error)
            return
        if event.kind is EventKind.RUN_FINISHED:
            self._finish()

    def _hear(self, event: Event) -> None:
        plan = event.plan if event.kind in (EventKind.PLANNED, EventKind.REPLANNED) else None
        if plan is not None:
            self._keep_plan(plan)
        self._write(event, self._facts(event, plan))

    def _facts(self, event: Event, plan: TaskPlan | None) -> dict[str, Any]:
        """What the event's line says beside its kind, its time and its message."""
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
            self._said, self._pictures = {}, (None, None)
        elif kind is EventKind.STEP_FINISHED:
            before = self._frames.keep(result.screenshot_before, f"{self._count:02d}-before")
            self._pictures = before, self._frames.keep(result.screenshot_after, f"{self._count:02d}-after")
            result.screenshot_before = result.screenshot_after = None
        # What is told of a step after its end must not take its pictures back.
        return {"step": step_facts(step_record(result, self._secrets, *self._pictures), self._said)}

    def _write(self, event: Event, facts: dict[str, Any]) -> None:
        """Append the event's line. One before an act reaches the disk itself: nothing is done twice."""
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

    def _keep_plan(self, plan: TaskPlan) -> None:
        self._secrets.learn(plan.steps)
        try:
            self._plans.append(self._secrets.hidden(plan_to_dict(plan)))
        except InvalidPlan:
            self._plans.append({})  # made by a program, of values that no file can hold: not to be resumed
        text = json.dumps({"plans": self._plans}, ensure_ascii=False, indent=2)
        write_text(self.folder / PLANS, text + "\n", private=True, remedy=ELSEWHERE)

    def _finish(self) -> None:
        """The result and the report, as functions of what was written."""
        try:
            self._frames.close()
            record = load_run(self.folder)
            write_json(record, self.folder / RESULT)
            self.report = write_html(record, self.folder / REPORT)
            self._close()
        except HandeyeError as error:
            self.failure, self.report = error, None
        except OSError as error:
            self.failure, self.report = WriteFailed(self.folder, error, ELSEWHERE), None

    def _close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            file.close()  # the lock goes with it

    def _give_up(self, error: HandeyeError | OSError) -> None:
        """Not to be resumed from now on; the folder stays this run's until it has ended."""
        self.failure = error if isinstance(error, HandeyeError) else WriteFailed(self.folder, error, ELSEWHERE)
        with suppress(OSError):  # the folder is gone, and the plans with it
            (self.folder / PLANS).unlink(missing_ok=True)
        with suppress(HandeyeError, OSError):
            self._frames.close()

    def _tell_end(self, event: Event) -> None:
        """After something could not be written, how the run ended all the same, if there is room for that by now."""
        file = self._file
        if event.kind is not EventKind.RUN_FINISHED or file is None:
            return
        try:
            file.truncate(whole_length(self.folder / EVENTS))
            self._write(event, self._facts(event, None))
        except (HandeyeError, OSError):
            pass
        finally:
            with suppress(OSError):  # what is left of a line that does not fit
                self._close()


def _usage(cost: Usage | None) -> dict[str, Any]:
    return {"planning": cost.to_dict()} if cost is not None else {}
