"""Writing report files: whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_text(path: Path, text: str) -> Path:
    """`text` as UTF-8. What UTF-8 cannot hold (half of a surrogate pair) becomes a question mark."""
    return write_bytes(path, text.encode("utf-8", "replace"))


def write_bytes(path: Path, content: bytes) -> Path:
    """Write through a file beside it, so that a reader never sees half a report. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(beside, 0o666 & ~umask)  # mkstemp's 0600 would keep a report from the people it is for
        os.replace(beside, path)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise
    return path
