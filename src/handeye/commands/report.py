"""`handeye report FOLDER`: make the report of a run folder again, as HTML, or as JUnit XML."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, Field

from handeye.commands.base import Command, Context, Effect, Outcome
from handeye.report.folder import REPORT as PAGE
from handeye.report.folder import load_run
from handeye.report.html import write_html
from handeye.report.junit import write_junit


class ReportParams(BaseModel):
    """Parameters of `report`."""

    folder: Path = Field(description="a run folder, such as runs/20261121-221500-...")
    out: Path | None = Field(None, description="the HTML file to write; report.html in the folder by default")
    junit: Path | None = Field(None, description="write the run as JUnit XML, too")


def make_report(params: ReportParams, context: Context) -> Outcome:
    """Write the report of a run that is on disk, however it ended. Raises ConfigError and WriteFailed."""
    run = load_run(params.folder)
    page = write_html(run, params.out or params.folder / PAGE)
    data, lines = {"report": str(page), "status": run.status}, [f"report: {page}"]
    if params.junit is not None:
        data["junit"] = str(write_junit(run, params.junit))
        lines.append(f"junit: {params.junit}")
    return Outcome(data, tuple(lines))


REPORT = Command("report", "Make the report of a run folder.", Effect.READ, ReportParams, make_report)
