"""Folder for state that must outlive its process: replaced input methods, locks."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def state_folder() -> Path:
    """Return the state folder, by the platform's convention or `HANDEYE_STATE_DIR`. It may not exist yet."""
    if named := os.environ.get("HANDEYE_STATE_DIR"):
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "handeye"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "handeye"
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "handeye"


REMEDY = "set HANDEYE_STATE_DIR to a folder that can be written"
