"""Reports: a run written down while it happens, and functions of what was written."""

from handeye.report.folder import load_run, save_run
from handeye.report.html import write_html
from handeye.report.json import write_json
from handeye.report.junit import write_junit
from handeye.report.record import RunRecord, StepRecord
from handeye.report.recorder import RunRecorder

__all__ = ["RunRecord", "RunRecorder", "StepRecord", "load_run", "save_run", "write_html", "write_json", "write_junit"]
