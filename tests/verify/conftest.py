"""Fixtures for this folder: one shared text reader on one thread, as the tests already use all cores."""

from __future__ import annotations

import pytest

from handeye.ocr import CachedReader, PaddleReader


@pytest.fixture(scope="session")
def reader() -> CachedReader:
    return CachedReader(PaddleReader(threads=1))
