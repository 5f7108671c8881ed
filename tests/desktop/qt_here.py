"""PySide6, whose applications many tests use."""

from __future__ import annotations

import ctypes
import functools
import importlib.util
from pathlib import Path

import pytest


def need_pyside() -> None:
    """Skip the test where PySide6, or a system library that its windows need, is not installed."""
    if (reason := _missing()) is not None:
        pytest.skip(reason, allow_module_level=True)


@functools.cache
def _missing() -> str | None:
    found = importlib.util.find_spec("PySide6")
    if found is None or found.origin is None:
        return "needs PySide6"
    try:
        ctypes.CDLL(str(Path(found.origin).parent / "Qt" / "plugins" / "platforms" / "libqxcb.so"))
    except OSError as error:
        return f"PySide6 needs a library of the system: {error}"
    return None
