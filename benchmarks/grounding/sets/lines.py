"""JSON lines, as most sets keep their items."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PIL import Image

from handeye.geometry import Size


def items(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


def size_of(picture: Path) -> Size:
    """Width and height of a picture, from its header."""
    with Image.open(picture) as image:
        return Size(*image.size)
