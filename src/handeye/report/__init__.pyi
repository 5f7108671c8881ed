from .catalogue import translated
from .earlier_runs import load_resumable_run
from .folder import PLANS, REPORT, is_run, last_written, load_run, missing_from, prepare_folder, save_run
from .html import write_html
from .json import write_json
from .junit import write_junit
from .labels import LANGUAGES, language_of
from .plan_trust import check_plan_trust
from .record import INTERRUPTED, RunRecord, StepRecord, local_time
from .recorder import RunRecorder
from .redaction import Secrets

__all__ = [
    "INTERRUPTED",
    "LANGUAGES",
    "PLANS",
    "REPORT",
    "RunRecord",
    "RunRecorder",
    "Secrets",
    "StepRecord",
    "check_plan_trust",
    "is_run",
    "language_of",
    "last_written",
    "load_resumable_run",
    "load_run",
    "local_time",
    "missing_from",
    "prepare_folder",
    "save_run",
    "translated",
    "write_html",
    "write_json",
    "write_junit",
]
