"""
A run as JUnit XML, as test servers read it: the run is a test suite, each step a test case.

The form is the one that the schema of Jenkins' xunit plugin describes (junit-10.xsd). What counts as what:

* a step that was done, with or without something to prove, has passed, unless it should have proved something and did not
* a step that failed is a `failure`; an `error` when an error kept it from being tried or looked at (a lost device, a model
  that does not answer), or the process was killed in it
* a step whose conditions did not hold is `skipped`; so is one that failed in a run that got around it and proved its goal
* NEEDS_REVIEW is a `failure` of the type "needs_review": `skipped` would let a build pass although nobody knows whether the
  goal was reached, and it is no `error`, because everything could be carried out
* a run that ended badly without a step to blame (no plan, no device, a goal that nothing proves) has one test case more, for
  the goal itself: a suite is never green when its run was not a success
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

_NOT_LOOKED: Final = ("RunStopped", "PersonNeeded")
"""Errors by which a run ends a step that it could try: they are failures."""


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
    """The run as JUnit XML. Control characters are shown as \\x1b: XML cannot hold them, and a terminal would obey them."""
    cases: list[tuple[str, StepRecord | None, _Verdict | None]] = [
        (_named(step), step, _of_step(step, run)) for step in run.steps
    ]
    if (goal := _of_goal(run, [verdict for *_, verdict in cases])) is not None:
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
    more = {"skipped": str(found["skipped"]), "timestamp": _iso(run.started)}
    suite = ET.SubElement(suites, "testsuite", {"name": name, **total, **more})
    suite.append(_properties(run))
    suite.extend(_case(run, *case) for case in cases)
    ET.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(suites, encoding="unicode") + "\n"


def _of_step(step: StepRecord, run: RunRecord) -> _Verdict | None:
    """What is wrong with a step; None when it has passed."""
    proved = run.status == TaskStatus.SUCCESS.value
    said = step.error or "; ".join(step.evidence) or step.verdict or step.status
    if step.status == StepStatus.SUCCESS.value:
        return None
    if step.status == StepStatus.SKIPPED.value:
        return _Verdict("skipped", "skipped", "; ".join(step.notes) or "it was not needed")
    if step.status == StepStatus.UNVERIFIED.value:
        return None if proved or not step.expected else _Verdict("failure", "needs_review", f"not proved: {said}")
    if proved:
        return _Verdict("skipped", step.status, f"the run got around it: {said}")
    if step.status in (INTERRUPTED, StepStatus.RUNNING.value):
        return _Verdict("error", INTERRUPTED, "the run came to no end in this step; what it did is not known")
    kind = step.error_kind or "not verified"
    return _Verdict("error" if step.error_kind and step.error_kind not in _NOT_LOOKED else "failure", kind, said)


def _of_goal(run: RunRecord, steps: list[_Verdict | None]) -> _Verdict | None:
    """What is wrong with the run, where no step says so."""
    if run.status == TaskStatus.SUCCESS.value or any(each and each.element != "skipped" for each in steps):
        return None
    if run.status == TaskStatus.NEEDS_REVIEW.value:
        return _Verdict("failure", run.status, run.error or "nothing proves the goal")
    return _Verdict("error", run.error_kind or run.status, run.error or f"the run is {run.status}")


def _named(step: StepRecord) -> str:
    return f"{step.number:02d} {step.description or step.action}"


def _case(run: RunRecord, name: str, step: StepRecord | None, verdict: _Verdict | None) -> ET.Element:
    where = ".".join(filter(None, ("handeye", run.template or run.module)))
    elapsed = _seconds(step.elapsed_s if step is not None else 0.0)
    case = ET.Element("testcase", name=visible(name), classname=visible(where), time=elapsed)
    if verdict is not None:
        told = ET.SubElement(case, verdict.element, message=visible(verdict.message))
        if verdict.element != "skipped":
            told.set("type", visible(verdict.kind))
            told.text = visible("\n".join(_details(step))) if step is not None else visible(verdict.message)
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


def _iso(started: float) -> str:
    """UTC without an offset: older schemas know no other."""
    try:
        return datetime.fromtimestamp(started, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    except (OverflowError, OSError, ValueError):
        return "1970-01-01T00:00:00"
