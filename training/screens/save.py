"""Storage of a screen on disk: a picture, and a JSON file next to it with its truth."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def save(
    folder: Path,
    name: str,
    picture: bytes,
    ending: str,
    shape: tuple[int, ...],
    about: dict[str, Any],
    elements: list[dict[str, Any]],
) -> None:
    """The picture first and the truth last: a screen whose JSON is there is whole."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}{ending}").write_bytes(picture)
    save_truth(folder, name, shape, about, elements)


def save_truth(
    folder: Path, name: str, shape: tuple[int, ...], about: dict[str, Any], elements: list[dict[str, Any]]
) -> None:
    """The truth of a picture that is there, whole or not at all."""
    truth = {"size": [shape[1], shape[0]], **about, "elements": elements}
    partial = folder / f"{name}.part"
    partial.write_text(json.dumps(truth, ensure_ascii=False))
    partial.rename(folder / f"{name}.json")
