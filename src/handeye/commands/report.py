"""`handeye report FOLDER`: make the HTML of a run folder again."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, Field

from handeye.commands.base import Command, Context, Effect, Outcome
from handeye.report.folder import load_run
from handeye.report.html import write_html


class ReportParams(BaseModel):
    """Parameters of `report`."""

    folder: Path = Field(description="a run folder, such as runs/20261121-221500-...")
    out: Path | None = Field(None, description="the HTML file to write; report.html in the folder by default")


def make_report(params: ReportParams, context: Context) -> Outcome:
    """Write the report of a run that is on disk."""
    path = write_html(load_run(params.folder), params.out or params.folder / "report.html")
    return Outcome({"report": str(path)}, (f"report: {path}",))


REPORT = Command("report", "Make the HTML report of a run folder.", Effect.READ, ReportParams, make_report)
