"""
A run's folder: `result.json` and `screens/NN-before.webp`, `screens/NN-after.webp`.

Reports are functions of it, so that they can be made again, in another language or by a later release.
"""

from __future__ import annotations

import dataclasses
import json
import re
import tempfile
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter, ValidationError

from handeye.errors import ConfigError, WriteFailed
from handeye.files import write_bytes
from handeye.report.json import write_json
from handeye.report.record import RunRecord, picture_webp
from handeye.run.result import TaskResult

RESULT: Final = "result.json"
SCREENS: Final = "screens"
REPORT: Final = "report.html"
SIZE_LIMIT: Final = 32 * 1024 * 1024
"""Bytes of a result.json. A run of 200 steps has under 1 MB."""

_NAME: Final = re.compile(r"\d{2,6}-(before|after)\Z")
_RECORD: Final = TypeAdapter(RunRecord)


def prepare_folder(folder: Path) -> Path:
    """
    Make `folder` ready for a run's report before the run, and return it. Raises WriteFailed.

    What a former run wrote there goes, so that no picture of it stands beside the new ones; other files stay.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass  # a folder that is there may still refuse files
        for name in (RESULT, REPORT):
            (folder / name).unlink(missing_ok=True)
        _remove_frames(folder / SCREENS)
    except (OSError, ValueError) as error:
        raise WriteFailed(folder, error, "choose another folder for the report") from error
    return folder


def _remove_frames(screens: Path) -> None:
    """Frames by their names only: a person may have put the report where a folder of this name was theirs."""
    if screens.is_symlink() or not screens.is_dir():
        return
    for path in screens.iterdir():
        if path.suffix == ".webp" and _NAME.match(path.stem):
            path.unlink()
    if not any(screens.iterdir()):
        screens.rmdir()


def save_run(result: TaskResult | RunRecord, folder: str | Path) -> Path:
    """Write the run into `folder` (made when it is not there) and return it. Raises WriteFailed and InvalidImage."""
    record = result if isinstance(result, RunRecord) else RunRecord.of(result)
    folder = Path(folder)
    for name, source in record.pictures.items():
        write_bytes(folder / SCREENS / f"{name}.webp", picture_webp(source))
    write_json(record, folder / RESULT)  # last: a folder with a result is complete
    return folder


def load_run(folder: str | Path) -> RunRecord:
    """
    The run in `folder`. Raises ConfigError when there is none, or its result.json is not one.

    A frame whose file is missing is left out. Names that are not those of frames are refused: a folder may come from
    anywhere, and must not make a report show another file of this computer.
    """
    path = Path(folder) / RESULT
    try:
        if path.stat().st_size > SIZE_LIMIT:
            raise ConfigError(f"is larger than {SIZE_LIMIT // 2**20} MB", file=path, expected="the result of one run")
        raw = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise ConfigError(f"is not valid JSON: {error.msg}", file=path, line=error.lineno) from error
    except (OSError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigError(f"cannot be read: {error}", file=path, expected="a folder that a run wrote") from error
    if isinstance(raw, dict):
        raw.pop("pictures", None)
    try:
        record = _RECORD.validate_python(raw)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        raise ConfigError(f"{where}: {first['msg']}", file=path, expected="as save_run writes it") from None
    pictures: dict[str, Path] = {}
    for step in record.steps:
        for picture in (step.before, step.after):
            if picture is None:
                continue
            if not _NAME.match(picture.name) or not picture.width * picture.height > 0 or picture.width < 0:
                raise ConfigError(
                    f"{picture!r} is no frame", file=path, expected="a name such as 03-before, and its size"
                )
            file = path.parent / SCREENS / f"{picture.name}.webp"
            if file.is_file() and not file.is_symlink():
                pictures[picture.name] = file
    return dataclasses.replace(record, pictures=pictures)
