"""One private desktop for each worker of the test run: two sessions on one display hear each other's events."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from handeye.errors import MissingPart
from handeye.testing.desktop import PrivateDesktop


@pytest.fixture(scope="session")
def desktop() -> Iterator[PrivateDesktop]:
    """Skipped where the programs are not installed; in CI they must be."""
    try:
        with PrivateDesktop() as private:
            yield private
    except MissingPart as missing:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(missing))
