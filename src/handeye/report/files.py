"""Writing report files: whole or not at all."""

from __future__ import annotations

import secrets
from pathlib import Path


def write_text(path: Path, text: str) -> Path:
    """`text` as UTF-8. What UTF-8 cannot hold (half of a surrogate pair) becomes a question mark."""
    return write_bytes(path, text.encode("utf-8", "replace"))


def write_bytes(path: Path, content: bytes) -> Path:
    """Write through a file beside it, so that a reader never sees half a report. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with beside.open("xb") as file:  # not mkstemp: its 0600 would keep a report from the people it is for
            file.write(content)
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    return path
