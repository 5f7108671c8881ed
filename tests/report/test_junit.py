"""Tests of the JUnit XML: valid for test servers, and passing only for a successful run."""

from __future__ import annotations

import dataclasses
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handeye.report import RunRecord, StepRecord, write_junit
from handeye.report.junit import to_junit
from handeye.run import TaskResult

# Of Jenkins' junit-10.xsd: the attributes of an element (with * those that must be there) and its children.
SCHEMA = {
    "testsuites": ({"name", "time", "tests", "failures", "errors"}, {"testsuite"}),
    "testsuite": (
        {"name*", "tests*", "failures*", "errors*", "time", "skipped", "timestamp"},
        {"properties", "testcase"},
    ),
    "properties": (set(), {"property"}),
    "property": ({"name*", "value*"}, set()),
    "testcase": ({"name*", "time", "classname"}, {"skipped", "error", "failure", "system-out"}),
    "failure": ({"type", "message"}, set()),
    "error": ({"type", "message"}, set()),
    "skipped": ({"type", "message"}, set()),
    "system-out": (set(), set()),
}


def checked(xml: str) -> ET.Element:
    """The suite, once the document has the form of the schema and its numbers are those of its cases."""
    root = ET.fromstring(xml)
    for element in root.iter():
        attributes, children = SCHEMA[element.tag]
        assert set(element.attrib) <= {name.rstrip("*") for name in attributes}
        assert {name.rstrip("*") for name in attributes if name.endswith("*")} <= set(element.attrib)
        assert {child.tag for child in element} <= children
    (suite,) = root
    for name, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        assert int(suite.attrib[name]) == sum(1 for _ in suite.iter(tag)), name
    return suite


def outcomes(suite: ET.Element) -> list[str]:
    """Outcome of each case: "passed", or the tag and the type."""
    told = []
    for case in suite.iter("testcase"):
        bad = [child for child in case if child.tag != "system-out"]
        told.append(f"{bad[0].tag} {bad[0].get('type') or ''}".strip() if bad else "passed")
    return told


def run_of(status: str, *steps: StepRecord, error: str = "") -> RunRecord:
    return RunRecord("a task", status, error, steps=steps, started=1_790_000_000.0, total_s=3.25)


def step(status: str, number: int = 1, **facts: object) -> StepRecord:
    return dataclasses.replace(StepRecord(number, "tap", "a step", status), **facts)  # type: ignore[arg-type]


def test_hostile_text_is_escaped_in_junit(mixed_run: TaskResult, tmp_path: Path) -> None:
    path = write_junit(RunRecord.of(mixed_run), tmp_path / "deep" / "junit.xml")
    text = path.read_text("utf-8")
    suite = checked(text)
    assert "\x1b" not in text
    assert "\\x1b[31m" in suite.attrib["name"]
    assert "مرحبا 你好" in suite.attrib["name"]
    assert outcomes(suite) == ["passed", "failure needs_review", "passed", "failure not verified"]
    assert suite.attrib["timestamp"].startswith("2026-")


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        (run_of("success", step("success"), step("unverified", 2)), ["passed", "passed"]),
        (run_of("success", step("failed"), step("success", 2)), ["skipped", "passed"]),
        (run_of("success", step("interrupted"), step("success", 2)), ["skipped", "passed"]),
        (run_of("success", step("skipped"), step("success", 2)), ["skipped", "passed"]),
        (run_of("needs_review", step("unverified", expected="x")), ["failure needs_review"]),
        (run_of("needs_review", step("unverified")), ["passed", "failure needs_review"]),
        (run_of("failed", step("success"), step("failed", 2)), ["passed", "failure not verified"]),
        (run_of("failed", step("failed", error_kind="DeviceLost")), ["error DeviceLost"]),
        (run_of("failed", step("failed", error_kind="RunStopped")), ["failure RunStopped"]),
        (run_of("needs_review", step("failed", error_kind="PersonNeeded")), ["failure PersonNeeded"]),
        (run_of("failed", error="no plan"), ["error failed"]),
        (run_of("interrupted", step("success"), step("interrupted", 2)), ["passed", "error interrupted"]),
        (run_of("interrupted", step("success")), ["passed", "error interrupted"]),
        (run_of("running", step("running")), ["error interrupted"]),
        (run_of("of a later release", step("success")), ["passed", "error of a later release"]),
        (run_of("failed", step("of a later release")), ["failure not verified"]),
    ],
)
def test_run_and_step_status_map_to_junit(run: RunRecord, expected: list[str]) -> None:
    assert outcomes(checked(to_junit(run))) == expected


STATUSES = st.sampled_from(
    ["success", "unverified", "failed", "skipped", "interrupted", "running", "pending", "needs_review", "\x00odd"]
)
TEXTS = st.text(max_size=12)


@given(
    status=STATUSES,
    steps=st.lists(st.builds(step, STATUSES, expected=TEXTS, error=TEXTS, evidence=st.tuples(TEXTS)), max_size=4),
    started=st.floats(),
    total_s=st.floats(0, 1e6),
    text=TEXTS,
)
def test_junit_passes_only_for_success(
    status: str, steps: list[StepRecord], started: float, total_s: float, text: str
) -> None:
    run = RunRecord(text, status, text, started=started, total_s=total_s, steps=tuple(steps), device=text)
    suite = checked(to_junit(run))
    green = suite.attrib["failures"] == suite.attrib["errors"] == "0"
    assert green is (status == "success")


def test_long_run_is_written_to_junit(run_of: Callable[[int], TaskResult]) -> None:
    assert len(outcomes(checked(to_junit(RunRecord.of(run_of(12)))))) == 12
