"""LibreOffice Calc, which may be missing where the rest of LibreOffice is installed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

_PROGRAM = shutil.which("libreoffice")
_PARTS = (
    "libsclo.so",
    "libvclplug_gtk3lo.so",
)  # Calc, and what draws it with GTK 3: without that it has no accessibility tree

needs_calc = pytest.mark.skipif(
    _PROGRAM is None or not all(Path(_PROGRAM).resolve().with_name(part).exists() for part in _PARTS),
    reason="needs LibreOffice Calc: apt-get install libreoffice-calc libreoffice-gtk3",
)
