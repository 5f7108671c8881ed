"""Run folders: `handeye runs list`, `handeye runs show RUN` and `handeye report FOLDER`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field

from handeye.commands.annotate import MOST_OF_NOTE, MOST_WORDS
from handeye.commands.base import Context, Outcome, Table
from handeye.commands.parameters import ARGUMENT, Cli, JunitFile
from handeye.commands.run import RUNS
from handeye.errors import ConfigError, UsageError
from handeye.report import (
    INTERRUPTED,
    LANGUAGES,
    PLANS,
    RunRecord,
    StepRecord,
    is_run,
    language_of,
    last_written,
    load_run,
    local_time,
    missing_from,
    translated,
    write_html,
    write_junit,
)
from handeye.report import REPORT as PAGE
from handeye.run import StepStatus, TaskStatus
from handeye.visible import shown

LAST = "last"
RunsFolder = Annotated[Path, Field(description="The folder with the run folders.")]


class RunsListParams(BaseModel):
    """Parameters of `runs list`."""

    root: RunsFolder = RUNS
    limit: int = Field(20, ge=1, description="So many at most, the newest.")


class RunsShowParams(BaseModel):
    """Parameters of `runs show`."""

    run: Annotated[str, ARGUMENT] = Field(
        LAST, min_length=1, description="A run folder, its name or the beginning of it, or: last"
    )
    root: RunsFolder = RUNS


def list_runs(params: RunsListParams, context: Context) -> Outcome:
    """List the runs, newest first; a folder that cannot be read is a warning. Raises UsageError if `root` cannot be listed."""
    folders = _newest_first(params.root)
    read: list[tuple[Path, RunRecord]] = []
    unread: list[str] = []
    for folder in folders[: params.limit]:
        try:
            read.append((folder, load_run(folder)))
        except ConfigError as error:
            unread.append(str(error))
    read.sort(key=lambda each: each[1].started, reverse=True)
    table = Table(
        ("time", "task", "status", "steps", "model calls", "s", "folder"),
        tuple(_row(*each, params.root) for each in read),
    )
    left_out = len(folders) - params.limit
    lines = () if folders else (f"no runs in {shown(str(params.root))}",)
    more = (f"{left_out} older runs are not shown; --limit shows more",) if left_out > 0 else ()
    data = {"runs": [_summary(*each) for each in read], "unreadable": unread}
    return Outcome(data, lines, warnings=(*unread, *more), table=table if read else None)


def show_run(params: RunsShowParams, context: Context) -> Outcome:
    """Show one run, step by step, with the evidence. Raises UsageError unless the name fits one run, and ConfigError."""
    folder = _folder(params)
    run = load_run(folder)
    missing = missing_from(folder, run)
    data = {**run.to_dict(), "folder": str(folder), "missing": list(missing)}
    return Outcome(data, tuple(_Shown(run, folder, missing).lines()))


def _newest_first(root: Path) -> list[Path]:
    """
    Return the run folders in `root` and in its groups, such as `demo/`, the one written to last first. Raises UsageError if
    they cannot be listed.
    """
    try:
        folders = _folders(root)
        runs = [folder for folder in folders if is_run(folder)]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise UsageError(f"the runs in {str(root)!r} cannot be listed: {error}") from error
    for group in folders:
        if group not in runs:
            with suppress(OSError):  # a folder without read permission is no group of runs
                runs += filter(is_run, _folders(group))
    return sorted(runs, key=last_written, reverse=True)


def _folders(root: Path) -> list[Path]:
    return [folder for folder in root.iterdir() if folder.is_dir()]


def _name(folder: Path, root: Path) -> str:
    """Return the name of a run in a list: its folder's name, with that of its group."""
    return folder.relative_to(root).as_posix()


def _folder(params: RunsShowParams) -> Path:
    if is_run(Path(params.run)):
        return Path(params.run)
    runs = _newest_first(params.root)
    if params.run == LAST and runs:
        return runs[0]
    named = {_name(folder, params.root): folder for folder in runs}
    fitting = [name for name in named if name.startswith(params.run)]
    exact = [name for name in fitting if name == params.run]
    if len(exact or fitting) == 1:
        return named[(exact or fitting)[0]]
    name, where = shown(params.run, MOST_WORDS), shown(str(params.root))
    if fitting:
        raise UsageError(f"{name!r} fits {len(fitting)} runs in {where}: {', '.join(fitting[:5])}")
    raise UsageError(f"there is no run {name!r}, and none of this name in {where}; `handeye runs list` shows them")


def _summary(folder: Path, run: RunRecord) -> dict[str, Any]:
    return {
        "folder": str(folder),
        "started": run.started,
        "task": run.task,
        "status": run.status,
        "steps": len(run.steps),
        "proved": _proved(run),
        "model_calls": run.model_calls,
        "total_s": run.total_s,
        "device": run.device,
    }


def _row(folder: Path, run: RunRecord, root: Path) -> tuple[str, ...]:
    steps = f"{_proved(run)}/{len(run.steps)}"
    return (
        _when(run),
        shown(run.task, MOST_WORDS),
        shown(run.status),
        steps,
        str(run.model_calls),
        f"{run.total_s:.1f}",
        shown(_name(folder, root)),
    )


def _proved(run: RunRecord) -> int:
    return sum(step.status == "success" for step in run.steps)


def _when(run: RunRecord) -> str:
    return local_time(run.started, "%Y-%m-%d %H:%M:%S") or "-"


class _Shown:
    """One run for people, in the language of its task."""

    def __init__(self, run: RunRecord, folder: Path, missing: Sequence[str]) -> None:
        self._run, self._folder, self._missing = run, folder, missing
        self._language = language_of(run.task)

    def lines(self) -> Iterator[str]:
        yield from self._head()
        for step in self._run.steps:
            found = f"  {step.method} {step.confidence:.2f}" if step.method and step.confidence is not None else ""
            name = shown(step.description or step.action, MOST_WORDS)
            yield f"{step.number:>3} {self._status(step.shown_status)}  {name}  {self._seconds(step.elapsed_s)}{found}"
            yield from (f"      {self._word(key)}: {text}" for key, text in self._told(step))

    def _head(self) -> Iterator[str]:
        run, word = self._run, self._word
        yield f"{shown(run.task) or word('no_plan')}: {self._status(run.status)}"
        if run.error:
            yield f"  {shown(translated(run.error, self._language))}"
        plan = " ".join(filter(None, (word(run.origin) if run.origin else "", run.template or run.module)))
        facts = [
            self._seconds(run.total_s),
            word("verified_steps", done=_proved(run), all=len(run.steps)),
            word("model_calls", n=run.model_calls),
        ]
        facts += [f"{word('plan')}: {shown(plan)}"] if plan else []
        facts += [word("replans", n=run.replans)] if run.replans else []
        facts += [word("resumed", n=run.resumed)] if run.resumed else []
        yield f"  {_when(run)}, {', '.join(facts)}"
        yield f"  {word('device')} {shown(run.device) or '-'}, {word('folder')} {shown(str(self._folder))}"
        if self._missing:
            lost = word("missing", names=", ".join(self._missing))
            yield f"  {lost}" + (f", {word('not_resumable')}" if PLANS in self._missing else "")

    def _told(self, step: StepRecord) -> Iterator[tuple[str, str]]:
        """Yield the details of a step, each with the key of its heading."""
        said = [("target", step.target), ("expected", step.expected), *(("evidence", each) for each in step.evidence)]
        said += [("value", repr(step.value))] if step.value is not None else []
        said += [("blocker", step.blocker), *(("note", each) for each in step.notes), ("error", step.error)]
        for key, text in said:
            if text:
                yield key, shown(translated(text, self._language), MOST_OF_NOTE)

    def _status(self, status: str) -> str:
        return self._word(status) if status in _STATUSES else shown(status)

    def _seconds(self, amount: float) -> str:
        return self._word("seconds", s=f"{amount:.1f}")

    def _word(self, key: str, **values: object) -> str:
        """Return the report's word, begun in lower case; the key itself if it is a later release's."""
        words = LANGUAGES[self._language]
        if key not in words:
            return shown(key)
        word = words[key].format(**values)
        return word[0].lower() + word[1:]


_STATUSES = frozenset({*(each.value for each in TaskStatus), *(each.value for each in StepStatus), INTERRUPTED, "done"})


class ReportParams(BaseModel):
    """Parameters of `report`."""

    folder: Annotated[Path, ARGUMENT] = Field(description="A run folder, however its run ended.")
    out: Annotated[Path | None, Cli(flags=("--out", "-o"))] = Field(None, description="The HTML file to write.")
    junit: JunitFile = None


def make_report(params: ReportParams, context: Context) -> Outcome:
    """Write the report of a run folder, however its run ended. Raises ConfigError and WriteFailed."""
    run = load_run(params.folder)
    page = write_html(run, params.out or params.folder / PAGE)
    data, lines = {"report": str(page), "status": run.status}, [f"report: {page}"]
    if params.junit is not None:
        data["junit"] = str(write_junit(run, params.junit))
        lines.append(f"junit: {params.junit}")
    return Outcome(data, tuple(lines))
