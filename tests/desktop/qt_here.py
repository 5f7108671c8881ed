"""PySide6, whose applications many tests use: skipped where it is not installed, but not in CI."""

from __future__ import annotations

import os

import pytest


def need_pyside() -> None:
    if not os.environ.get("CI"):
        pytest.importorskip("PySide6")
