"""One text reader for all tests of this folder: its models are loaded once. One thread: tests run on all cores already."""

from __future__ import annotations

import pytest

from handeye.ocr import CachedReader, PaddleReader


@pytest.fixture(scope="session")
def reader() -> CachedReader:
    return CachedReader(PaddleReader(threads=1))
