"""
A run's folder, written while it runs (`handeye.report.recorder`):

* `events.jsonl`: the events line by line (`handeye.report.event_log`), from which everything else can be generated
* `screens/NN-before.webp`, `screens/NN-after.webp`: the frames of step NN, each different frame once
* `plan.json`: the plans, in the order of the events `planned` and `replanned`; without it a run cannot be resumed
* `result.json` and `report.html`: one document each, for programs and for people, written when the run has ended

Reports are generated from the folder alone, so they can be generated again in another language or by a later release.
Folders of older releases have only `result.json` and `screens`.
"""

from __future__ import annotations

import dataclasses
import json
import re
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final

from handeye.errors import ConfigError, UsageError, WriteFailed
from handeye.files import check_not_symlink, let_go_lock, make_folder, open_regular, take_lock, write_bytes
from handeye.report.event_log import EVENTS, event_lines, plain_json, read_limited, record_from_events, validated
from handeye.report.json import write_json
from handeye.report.record import RunRecord, picture_webp
from handeye.run import TaskResult, TaskStatus

PLANS: Final = "plan.json"
RESULT: Final = "result.json"
SCREENS: Final = "screens"
REPORT: Final = "report.html"
FOLDER_REMEDY: Final = "choose another folder for the report"

_NAME: Final = re.compile(r"[0-9]{2,6}-(before|after)\Z")


def prepare_folder(folder: Path) -> Path:
    """
    Prepare `folder` for a new run, and return it. Raises WriteFailed, and UsageError while another run writes there.

    Files of a former run are removed, so that none of its frames are mixed with the new ones; other files are kept.
    """
    try:
        make_folder(folder, private=True)
        check_not_symlink(folder / SCREENS)
        # The file is locked before it is changed, and never removed: another run may have started in the folder meanwhile.
        with open_regular(folder / EVENTS, "ab", within=folder) as events:
            if ours := _try_lock(events):
                events.truncate(0)
                for name in (PLANS, RESULT, REPORT):
                    (folder / name).unlink(missing_ok=True)
                _remove_frames(folder / SCREENS)
                let_go_lock(events)
    except (OSError, ValueError) as error:
        raise WriteFailed(folder, error, FOLDER_REMEDY) from error
    if not ours:
        raise folder_in_use_error(folder)
    return folder


def folder_in_use_error(folder: Path) -> UsageError:
    """Return the error for a folder that another run is writing."""
    return UsageError(f"{str(folder)!r} belongs to a run that is still going on; {FOLDER_REMEDY}")


def _try_lock(events: IO[bytes]) -> bool:
    """Return True if the file could be locked; False while a run writes it."""
    try:
        take_lock(events)
    except (BlockingIOError, PermissionError):
        return False
    return True


def _remove_frames(screens: Path) -> None:
    """Remove the frames in `screens` by their file names only: the folder may contain other files of the user."""
    if not screens.is_dir():
        return
    for path in screens.iterdir():
        if path.suffix == ".webp" and _NAME.match(path.stem):
            path.unlink()
    if not any(screens.iterdir()):
        screens.rmdir()


def save_run(result: TaskResult | RunRecord, folder: str | Path) -> Path:
    """
    Write a run that no RunRecorder recorded, a result in memory or another folder's record, into `folder`, and return the
    folder.

    The folder is created if missing; it gets the result and the frames, but no events. Raises WriteFailed and
    InvalidImage.
    """
    record = result if isinstance(result, RunRecord) else RunRecord.of(result)
    folder = Path(folder)
    for name, source in record.pictures.items():
        write_bytes(folder / SCREENS / f"{name}.webp", picture_webp(source), private=True)
    write_json(record, folder / RESULT)  # last: a folder with a result is complete
    return folder


def is_run(folder: Path) -> bool:
    """Return True if a run has written into the folder; a folder that was only prepared has no events yet."""
    return has_events(folder) or (folder / RESULT).is_file()


def has_events(folder: Path) -> bool:
    """Return True if the folder's event log is not empty."""
    try:
        return (folder / EVENTS).stat().st_size > 0
    except (OSError, ValueError):
        return False


def last_written(folder: Path) -> float:
    """Return the time of the last write to the run in `folder`, in seconds since the epoch; 0 if it no longer exists."""
    times = [0.0]
    for name in (EVENTS, RESULT):
        with suppress(OSError):
            times.append((folder / name).stat().st_mtime)
    return max(times)


def is_running(folder: Path) -> bool:
    """Return True if a process is still writing the run in `folder`."""
    try:
        with open_regular(folder / EVENTS, within=folder) as file:
            ours = _try_lock(file)
            if ours:
                let_go_lock(file)
    except (OSError, ValueError):
        return False
    return not ours


def load_run(folder: str | Path) -> RunRecord:
    """
    Return the run in `folder`, whether it has ended, is still running or was killed. Raises ConfigError if there is none,
    or if its files are not what a run writes.

    A frame whose file is missing, or is a link out of the folder, is left out. Names that are not frame names are
    rejected: a folder may come from an untrusted source, and must not make a report include other files of this computer.
    """
    path = Path(folder) / EVENTS
    if path.is_file():
        record = record_from_events(event_lines(path), path, running=is_running(path.parent))
    else:
        path = Path(folder) / RESULT
        record = validated(_json(path), path)
    return dataclasses.replace(record, pictures=_frames(record, path))


def missing_from(folder: Path, run: RunRecord) -> tuple[str, ...]:
    """
    Return the parts of the ended `run` that its folder lacks: file names, and the number of missing frames.

    The disk was full, the process was killed, or the files were deleted. Empty for a folder of an older release, and
    while the run is in progress.
    """
    if not has_events(folder) or run.status == TaskStatus.RUNNING.value:
        return ()
    seen = {picture.name for step in run.steps for picture in (step.before, step.after) if picture is not None}
    lost = len(seen - run.pictures.keys())
    frames = (f"{lost} frame{'s' if lost > 1 else ''}",) if lost else ()
    planned = (PLANS,) if run.origin else ()
    return (*frames, *(name for name in (*planned, RESULT, REPORT) if not (folder / name).is_file()))


def plans_of(folder: Path) -> list[dict[str, Any]]:
    """Return the plans of a run as plain data (see `handeye.plan.serialization`). Raises ConfigError."""
    path = folder / PLANS
    raw = _json(path)
    plans = raw.get("plans") if isinstance(raw, dict) else None
    if not isinstance(plans, list) or not all(isinstance(plan, dict) for plan in plans):
        raise ConfigError("holds no plans", file=path, expected="an object with `plans`, as a run writes it")
    return plans


def _json(path: Path) -> object:
    try:
        raw = plain_json(read_limited(path).decode("utf-8"))
    except json.JSONDecodeError as error:
        raise ConfigError(f"is not valid JSON: {error.msg}", file=path, line=error.lineno) from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"cannot be read: {error}", file=path, expected="a folder that a run wrote") from error
    if isinstance(raw, dict):
        raw.pop("pictures", None)
    return raw


def _frames(record: RunRecord, path: Path) -> dict[str, Path]:
    """
    Return the paths of the frames by name. Raises ConfigError, which names the file at `path`, for an invalid frame.
    """
    pictures: dict[str, Path] = {}
    for step in record.steps:
        for picture in (step.before, step.after):
            if picture is None:
                continue
            if not _NAME.match(picture.name) or not picture.width * picture.height > 0 or picture.width < 0:
                raise ConfigError(
                    f"{picture!r} is no frame", file=path, expected="a name such as 03-before, and its size"
                )
            name = f"{SCREENS}/{picture.name}.webp"
            with suppress(OSError), open_regular(path.parent / name, within=path.parent):
                pictures[picture.name] = path.parent / name
    return pictures
