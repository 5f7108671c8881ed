"""One text reader for all tests of this folder: its models are loaded once. One thread: tests run on all cores already."""

from __future__ import annotations

import pytest

from handeye.ocr.paddle import PaddleReader
from handeye.ocr.reader import CachedReader


@pytest.fixture(scope="session")
def reader() -> CachedReader:
    return CachedReader(PaddleReader(threads=1))
