"""The corpus lives beside the benchmarks; these tests ask its questions on a few of its pages."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))


@pytest.fixture(scope="session")
def pages() -> Path:
    return Path(__file__).parent / "pages"
