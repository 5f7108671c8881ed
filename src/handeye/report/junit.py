"""
Report of a run as JUnit XML: the run is a test suite, each step a test case.

The format follows the schema of Jenkins' xunit plugin (junit-10.xsd). Mapping of the results:

* an executed step passes, unless it had an expectation that was not verified
* a failed step is a `failure`; it is an `error` if an error prevented the attempt or its check (a lost device, a model
  that does not answer), or if the process was killed during the step
* a step whose conditions did not hold is `skipped`; so is a failed step of a run that recovered and verified its goal
* NEEDS_REVIEW is a `failure` of the type "needs_review": `skipped` would let a build pass although it is unknown whether
  the goal was reached, and it is no `error`, because every step could be executed
* a run that failed without a failed step (no plan, no device, an unverified goal) has one more test case for the goal: a
  suite never passes if its run was not a success
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal

from handeye.files import write_text
from handeye.report.record import INTERRUPTED, RunRecord, StepRecord
from handeye.run import StepStatus, TaskStatus
from handeye.visible import visible

_FAILURE_KINDS: Final = ("RunStopped", "PersonNeeded")
"""Errors that end a step which could be attempted: they are reported as failures."""


@dataclass(frozen=True, slots=True)
class _Verdict:
    """A child element of a test case, and its type."""

    element: Literal["failure", "error", "skipped"]
    kind: str
    message: str


def write_junit(run: RunRecord, path: str | Path) -> Path:
    """Write the run as JUnit XML to `path`, and return it. Raises WriteFailed."""
    return write_text(Path(path), to_junit(run))


def to_junit(run: RunRecord) -> str:
    """
    Return the run as JUnit XML. Control characters are shown as \\x1b: XML cannot contain them, and a terminal would
    execute them.
    """
    cases: list[tuple[str, StepRecord | None, _Verdict | None]] = [
        (_case_name(step), step, _step_verdict(step, run)) for step in run.steps
    ]
    if (goal := _goal_verdict(run, [verdict for *_, verdict in cases])) is not None:
        cases.append((run.success_criteria or run.task or "the task", None, goal))
    found = Counter(verdict.element for *_, verdict in cases if verdict is not None)
    total = {
        "tests": str(len(cases)),
        "failures": str(found["failure"]),
        "errors": str(found["error"]),
        "time": _seconds(run.total_s),
    }
    suites = ET.Element("testsuites", {"name": "handeye", **total})
    name = visible(run.task or "a run that had no plan yet")
    more = {"skipped": str(found["skipped"]), "timestamp": _utc_timestamp(run.started)}
    suite = ET.SubElement(suites, "testsuite", {"name": name, **total, **more})
    suite.append(_properties(run))
    suite.extend(_case(run, *case) for case in cases)
    ET.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(suites, encoding="unicode") + "\n"


def _step_verdict(step: StepRecord, run: RunRecord) -> _Verdict | None:
    """Return the problem of a step, or None if it passed."""
    proved = run.status == TaskStatus.SUCCESS.value
    reason = step.error or "; ".join(step.evidence) or step.verdict or step.status
    if step.status == StepStatus.SUCCESS.value:
        return None
    if step.status == StepStatus.SKIPPED.value:
        return _Verdict("skipped", "skipped", "; ".join(step.notes) or "it was not needed")
    if step.status == StepStatus.UNVERIFIED.value:
        return None if proved or not step.expected else _Verdict("failure", "needs_review", f"not proved: {reason}")
    if proved:
        return _Verdict("skipped", step.status, f"the run got around it: {reason}")
    if step.status in (INTERRUPTED, StepStatus.RUNNING.value):
        return _Verdict("error", INTERRUPTED, "the run came to no end in this step; what it did is not known")
    kind = step.error_kind or "not verified"
    return _Verdict("error" if step.error_kind and step.error_kind not in _FAILURE_KINDS else "failure", kind, reason)


def _goal_verdict(run: RunRecord, steps: list[_Verdict | None]) -> _Verdict | None:
    """Return the problem of the run, or None if the run succeeded or one of its steps already reports it."""
    if run.status == TaskStatus.SUCCESS.value or any(each and each.element != "skipped" for each in steps):
        return None
    if run.status == TaskStatus.NEEDS_REVIEW.value:
        return _Verdict("failure", run.status, run.error or "nothing proves the goal")
    return _Verdict("error", run.error_kind or run.status, run.error or f"the run is {run.status}")


def _case_name(step: StepRecord) -> str:
    return f"{step.number:02d} {step.description or step.action}"


def _case(run: RunRecord, name: str, step: StepRecord | None, verdict: _Verdict | None) -> ET.Element:
    where = ".".join(filter(None, ("handeye", run.template or run.module)))
    elapsed = _seconds(step.elapsed_s if step is not None else 0.0)
    case = ET.Element("testcase", name=visible(name), classname=visible(where), time=elapsed)
    if verdict is not None:
        child = ET.SubElement(case, verdict.element, message=visible(verdict.message))
        if verdict.element != "skipped":
            child.set("type", visible(verdict.kind))
            child.text = visible("\n".join(_details(step))) if step is not None else visible(verdict.message)
    if step is not None and step.evidence:
        ET.SubElement(case, "system-out").text = visible("\n".join(step.evidence))
    return case


def _details(step: StepRecord) -> Iterator[str]:
    for name, text in (("target", step.target), ("expected", step.expected), ("blocker", step.blocker)):
        if text:
            yield f"{name}: {text}"
    yield from (f"looked: {each.strategy}: {each.outcome} {each.note}".rstrip() for each in step.attempts)
    yield from (f"note: {note}" for note in step.notes)


def _properties(run: RunRecord) -> ET.Element:
    facts = {
        "status": run.status,
        "device": run.device,
        "module": run.module,
        "plan": run.origin,
        "model_calls": str(run.model_calls),
        "replans": str(run.replans),
        "resumed": str(run.resumed),
        "handeye": run.version,
    }
    properties = ET.Element("properties")
    for name, value in facts.items():
        if value:
            ET.SubElement(properties, "property", name=name, value=visible(value))
    return properties


def _seconds(amount: float) -> str:
    return f"{max(0.0, amount):.3f}"


def _utc_timestamp(started: float) -> str:
    """Return the time in UTC without an offset, the only format that older schemas accept."""
    try:
        return datetime.fromtimestamp(started, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    except (OverflowError, OSError, ValueError):
        return "1970-01-01T00:00:00"
