"""Report of a run as JSON."""

from __future__ import annotations

from pathlib import Path

from handeye.files import write_text
from handeye.report.record import RunRecord
from handeye.run import TaskResult
from handeye.visible import visible_json


def to_json(result: TaskResult | RunRecord) -> str:
    """Return the run's facts as JSON, without pixels; secrets are redacted."""
    record = result if isinstance(result, RunRecord) else RunRecord.of(result)
    return visible_json(record.to_dict(), indent=2) + "\n"


def write_json(result: TaskResult | RunRecord, path: str | Path) -> Path:
    """Write the run's facts to `path`, and return the path. Raises WriteFailed if it cannot be written."""
    return write_text(Path(path), to_json(result), private=True)
