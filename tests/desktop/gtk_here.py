"""GTK 3 in the system's own Python, whose applications many tests use."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Final

import pytest

SYSTEM_PYTHON: Final = Path("/usr/bin/python3")
_ASKED: Final = (SYSTEM_PYTHON, "-c", "import gi; gi.require_version('Gtk', '3.0')")


def need_gtk() -> None:
    if not SYSTEM_PYTHON.exists() or subprocess.run(_ASKED, capture_output=True, check=False).returncode:
        pytest.skip("GTK 3 is not installed: apt-get install python3-gi gir1.2-gtk-3.0")
