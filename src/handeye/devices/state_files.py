"""Where Handeye keeps what must survive its process: borrowed input methods, locks."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def state_folder() -> Path:
    """The folder, by the system's convention; `HANDEYE_STATE_DIR` overrides. It need not exist yet."""
    if named := os.environ.get("HANDEYE_STATE_DIR"):
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "handeye"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "handeye"
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "handeye"


REMEDY = "set HANDEYE_STATE_DIR to a folder that can be written"
