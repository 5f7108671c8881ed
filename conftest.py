"""Fixtures of every test: an adb server of its own worker, and no traces outside its folder."""

from __future__ import annotations

import os
import re
import signal
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st

from handeye.models.config.presets import PRESETS
from handeye.testing.adb import PrivateAdbServer

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)

# A busy machine makes no test fail: time is measured in benchmarks/, never asserted.
settings.register_profile("handeye", deadline=None)
settings.load_profile("handeye")

# Whatever names a model, an address or a key: a test must never ask the developer's model, at the developer's cost.
MODEL_SETTINGS = re.compile(
    rf"(?:LLM|HANDEYE_(?:PLANNER|LOCATOR|VERIFIER|STRONG))_\w+"
    rf"|(?:{'|'.join(row.prefix for row in PRESETS)})_(?:API_KEY|BASE_URL|MODEL|PROFILE)"
)


def pytest_configure() -> None:
    """
    Whoever is started in the background, as by `nohup`, ignores Ctrl-C and the end of its terminal, and all that it starts
    does so too; the tests send these signals to what they start.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Wine first: there is one for all workers, and tests that stand at the end are divided among those that are done first."""
    items.sort(key=lambda item: item.path.parent.name != "wine")


NO_SKIP = os.environ.get("HANDEYE_NO_SKIP") == "1"
"""Set by `.ci/run`, which installs every optional program: a skipped test fails."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    return report if item.get_closest_marker("may_skip") else _without_skips(report)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return _without_skips((yield))


def _without_skips(report: Report) -> Report:
    """Turn a skip into a failure where no skip is allowed."""
    if NO_SKIP and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"HANDEYE_NO_SKIP is set, but this was skipped: {report.longrepr}"
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell why tests were skipped, in a line for each reason; pytest's `-rs` has one for each place, which are hundreds."""
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ") for report in terminalreporter.stats.get("skipped", [])
    )
    for reason, count in reasons.most_common():
        terminalreporter.write_line(f"skipped {count}: {reason}")


def pytest_collection_finish() -> None:
    """Hypothesis makes a table of characters in 2.4 s and keeps it: whoever collects first makes it for all workers."""
    st.text().validate()


@pytest.fixture(autouse=True)
def own_surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what Handeye remembers about phones and screens in the test's folder; ignore the developer's settings."""
    monkeypatch.setenv("HANDEYE_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("HANDEYE_CACHE", str(tmp_path / "cache"))
    for name in ("XDG_CONFIG_HOME", "APPDATA"):  # where people keep app modules of their own
        monkeypatch.setenv(name, str(tmp_path / "config"))
    for name in (
        "HANDEYE_DEVICE",
        "HANDEYE_DESKTOP",
        "HANDEYE_APPS",
        "HANDEYE_LANG",
        "ADB_PATH",
        "ADB_SERVER_SOCKET",
        "ANDROID_SERIAL",
    ):
        monkeypatch.delenv(name, raising=False)
    for name in filter(MODEL_SETTINGS.fullmatch, list(os.environ)):
        monkeypatch.delenv(name)
    monkeypatch.setenv("HANDEYE_DOTENV", "")


@pytest.fixture(scope="session")
def private_adb() -> Iterator[PrivateAdbServer]:
    """One adb server per worker, on a free port, with keys of its own."""
    with PrivateAdbServer() as server:
        yield server


@pytest.fixture
def adb_port(private_adb: PrivateAdbServer, monkeypatch: pytest.MonkeyPatch) -> int:
    """Everything that looks for an adb server in the environment finds the private one."""
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(private_adb.port))
    return private_adb.port
