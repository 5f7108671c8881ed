"""Writing report files: whole or not at all."""

from __future__ import annotations

import secrets
from pathlib import Path

from handeye.errors import WriteFailed


def write_text(path: Path, text: str) -> Path:
    """`text` as UTF-8. What UTF-8 cannot hold (half of a surrogate pair) becomes a question mark."""
    return write_bytes(path, text.encode("utf-8", "replace"))


def write_bytes(path: Path, content: bytes) -> Path:
    """Write through a file beside it, so that a reader never sees half a report. Raises WriteFailed."""
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with beside.open("xb") as file:  # not mkstemp: its 0600 would keep a report from the people it is for
                file.write(content)
            beside.replace(path)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
    except (OSError, ValueError) as error:  # ValueError: a name that this system cannot have
        raise WriteFailed(path, error) from error
    return path
