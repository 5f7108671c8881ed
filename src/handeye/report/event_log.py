"""
`events.jsonl`: the events of a run, one JSON object per line, appended and flushed as they occur.

`event` is the value of an EventKind and `at` seconds since the epoch; `message` is for people. Further fields:

* run_started: `version`, `device`
* planned, replanned: `task`, `module`, `template`, `success_criteria`, `origin`, `planning`
* events of a step: `step`, the facts of its StepRecord that changed since its last event; complete at step_finished
* run_finished: `task`, `status`, `error`, `error_kind`, `total_s`, `planning`

A resumed run has several run_started. The task is logged only with the plan, because the plan defines which of its words
are secret.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from handeye.errors import ConfigError
from handeye.files import read_regular
from handeye.report.record import INTERRUPTED, RunRecord, StepRecord
from handeye.run import EventKind, StepStatus, TaskStatus
from handeye.usage import Usage

EVENTS: Final = "events.jsonl"
SIZE_LIMIT: Final = 32 * 1024 * 1024
"""Maximum bytes of a file of a run. A run of 200 steps has under 2 MB of events."""
LONGEST_NUMBER: Final = 16
"""Maximum digits of a number in a file of a run: seconds since the epoch have ten, tokens of a run under ten."""

_RECORD: Final = TypeAdapter(RunRecord)
_USAGE: Final = TypeAdapter(Usage | None)
_PLAN_FACTS: Final = ("task", "module", "template", "success_criteria", "origin")
_END_FACTS: Final = ("task", "status", "error", "error_kind")
EventLine = Mapping[str, Any]


def event_lines(path: Path) -> list[EventLine]:
    """
    Return the events of a run, without a last line that was cut short when the process ended.

    Raises ConfigError, with the line number, for lines that a run does not write.
    """
    return list(_parsed(path, read_limited(path)))


def read_limited(path: Path) -> bytes:
    """
    Return the content of a file in a run folder. Raises ConfigError if it is missing, too large, or a link out of the
    folder.
    """
    try:
        return read_regular(path, SIZE_LIMIT, within=path.parent)
    except OSError as error:
        raise ConfigError(f"cannot be read: {error}", file=path, expected="a folder that a run wrote") from error


def whole_length(path: Path) -> int:
    """Return the length in bytes of the complete lines of a run's events."""
    return read_limited(path).rfind(b"\n") + 1


def _parsed(path: Path, content: bytes) -> Iterator[EventLine]:
    *whole, _cut = content.split(b"\n")
    for number, raw in enumerate(whole, 1):
        try:
            line = plain_json(raw)
        except (ValueError, RecursionError) as error:
            raise ConfigError(f"is not valid JSON: {error}", file=path, line=number) from None
        if not isinstance(line, dict) or not isinstance(line.get("event"), str):
            raise ConfigError("has no event", file=path, line=number, expected="an object such as {'event': 'planned'}")
        yield line


def plain_json(content: str | bytes) -> Any:
    """Parse JSON, rejecting numbers that a run never contains. Raises ValueError and RecursionError."""
    return json.loads(content, parse_constant=_refused, parse_int=_integer, parse_float=_number)


def _refused(constant: str) -> None:
    raise ValueError(f"{constant} is no number")


def _integer(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise ValueError(f"a number of {len(digits)} digits")
    return int(digits)


def _number(digits: str) -> float:
    number = float(digits)
    if abs(number) > 10.0**LONGEST_NUMBER:
        raise ValueError(f"{digits[:LONGEST_NUMBER]} is larger than any number of a run")
    return number


def record_from_events(lines: Iterable[EventLine], path: Path, *, running: bool = False) -> RunRecord:
    """
    Return the run that the events describe. A run without an end, and its current step, are INTERRUPTED, or running if
    `running`. Raises ConfigError, which names the file at `path`.
    """
    builder = _RunBuilder(path)
    for number, line in enumerate(lines, 1):
        builder.add(line, number)
    return validated(builder.build(running), path)


def validated(raw: object, path: Path) -> RunRecord:
    """Return a record from plain data. Raises ConfigError if the data is invalid."""
    try:
        return _RECORD.validate_python(raw)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        raise ConfigError(f"{where}: {first['msg']}", file=path, expected="as a run writes it") from None


class _RunBuilder:
    """Builds a run record from its events."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._facts: dict[str, Any] = {"task": "", "status": ""}
        self._steps: list[dict[str, Any]] = []
        self._began, self._last, self._total = 0.0, 0.0, 0.0
        self._planning: list[object] = []
        self._sessions = 0
        self._replans = 0

    def add(self, line: EventLine, number: int) -> None:
        event, at = line["event"], line.get("at")
        if not isinstance(at, int | float):
            raise ConfigError("has no time", file=self._path, line=number, expected="`at`, seconds since the epoch")
        if event == EventKind.RUN_STARTED.value:
            self._begin(line, at)
        self._last = max(self._last, at)
        if event in (EventKind.PLANNED.value, EventKind.REPLANNED.value):
            self._copy(line, _PLAN_FACTS)
            self._replans += event == EventKind.REPLANNED.value
        elif event == EventKind.RUN_FINISHED.value:
            self._copy(line, _END_FACTS)
            self._end_step(INTERRUPTED)  # its later events could not be written
            self._total += _seconds(line.get("total_s"))
            self._began = 0.0
        elif "step" in line:
            self._step(event, line["step"], number)
        if self._planning and "planning" in line:
            self._planning[-1] = line["planning"]

    def _begin(self, line: EventLine, at: float) -> None:
        self._end_session(INTERRUPTED)
        self._copy(line, ("version", "device"))
        self._facts.setdefault("started", at)
        self._facts["status"], self._began, self._last = "", at, at
        self._planning.append(None)
        self._sessions += 1

    def _end_session(self, status: str) -> None:
        """End a session that has no run_finished; its duration lasts until its last event."""
        if self._began:
            self._total += max(0.0, self._last - self._began)
            self._began = 0.0
            self._end_step(status)

    def _end_step(self, status: str) -> None:
        if self._steps and self._steps[-1].get("status") == StepStatus.RUNNING.value:
            self._steps[-1] |= {"status": status, "elapsed_s": self._duration(self._steps[-1])}

    def _duration(self, step: EventLine) -> float:
        return round(max(0.0, self._last - _seconds(step.get("started"))), 3)

    def _copy(self, line: EventLine, names: Iterable[str]) -> None:
        self._facts |= {name: line[name] for name in names if name in line}

    def _step(self, event: str, facts: object, number: int) -> None:
        if not isinstance(facts, dict):
            raise ConfigError("the step is no object", file=self._path, line=number)
        if event == EventKind.STEP_STARTED.value:
            self._steps.append(dict(facts))
        elif self._steps:
            self._steps[-1] |= facts
        else:
            raise ConfigError("a step goes on that never began", file=self._path, line=number)

    def build(self, running: bool) -> dict[str, Any]:
        unfinished = bool(self._began) or not self._facts["status"]
        status = TaskStatus.RUNNING.value if running else INTERRUPTED
        self._end_session(StepStatus.RUNNING.value if running else INTERRUPTED)
        return {
            **self._facts,
            **({"status": status} if unfinished else {}),
            "total_s": round(self._total, 3),
            "steps": self._steps,
            "usage": self._usage(),
            "replans": self._replans,
            "resumed": max(0, self._sessions - 1),
        }

    def _usage(self) -> Usage | None:
        try:
            costs = [_USAGE.validate_python(each) for each in (*self._planning, *(s.get("usage") for s in self._steps))]
        except ValidationError as error:
            raise ConfigError(f"usage: {error.errors()[0]['msg']}", file=self._path) from None
        asked = [cost for cost in costs if cost is not None]
        return Usage(**sum(asked, start=Usage()).to_dict()) if asked else None


def _seconds(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def step_facts(record: StepRecord, said: dict[str, Any]) -> dict[str, Any]:
    """Return the step's number and the facts that differ from `said`, those already logged, and add them to `said`."""
    known = dataclasses.asdict(record)
    facts = {name: value for name, value in known.items() if said.get(name, _DEFAULTS.get(name)) != value}
    said |= facts
    return {"number": record.number, **facts}


_DEFAULTS: Final = {each.name: each.default for each in dataclasses.fields(StepRecord)} | {"params": {}}
