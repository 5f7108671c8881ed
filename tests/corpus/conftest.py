"""Import path of the corpus, which is stored beside the benchmarks; the tests use a few of its pages."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))


@pytest.fixture(scope="session")
def pages() -> Path:
    return Path(__file__).parent / "pages"
