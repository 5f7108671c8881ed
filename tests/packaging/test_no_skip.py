"""Tests of HANDEYE_NO_SKIP=1, set by `.ci/run`: every skipped test fails."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SUITE = """
import pytest

@pytest.fixture
def program():
    pytest.skip("needs a program")

def test_fixture(program): pass

@pytest.mark.skipif(True, reason="needs a library")
def test_mark(): pass

@pytest.mark.may_skip
def test_data(): pytest.skip("no recorded cases")

@pytest.mark.xfail(reason="known")
def test_expected(): assert False
"""


def outcome(folder: Path, no_skip: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-o", "markers=may_skip", folder],
        cwd=folder,
        env={**os.environ, "HANDEYE_NO_SKIP": no_skip, "PYTEST_ADDOPTS": ""},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    return done.stdout


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    shutil.copy(Path(__file__).parents[2] / "conftest.py", tmp_path)
    (tmp_path / "test_suite.py").write_text(SUITE, encoding="utf-8")
    return tmp_path


def test_skips_are_counted_by_reason(suite: Path) -> None:
    told = outcome(suite, "")
    assert "3 skipped, 1 xfailed" in told
    assert "skipped 1: needs a program" in told


def test_skips_fail_where_none_is_allowed(suite: Path) -> None:
    told = outcome(suite, "1")
    assert "1 skipped, 1 xfailed" in told
    assert "2 errors" in told
    assert "needs a program" in told
    assert "needs a library" in told


def test_a_skipped_file_fails_where_none_is_allowed(suite: Path) -> None:
    (suite / "test_suite.py").write_text("import pytest\npytest.importorskip('no_such_library')\n", encoding="utf-8")
    assert "1 skipped" in outcome(suite, "")
    assert "1 error" in outcome(suite, "1")
