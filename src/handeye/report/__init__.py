"""Reports: functions of a finished run."""

from handeye.report.folder import load_run, save_run
from handeye.report.html import write_html
from handeye.report.json import write_json
from handeye.report.record import RunRecord, StepRecord

__all__ = ["RunRecord", "StepRecord", "load_run", "save_run", "write_html", "write_json"]
