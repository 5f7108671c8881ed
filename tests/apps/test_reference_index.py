"""Tests of index.json: resolution and position of reference images."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from handeye.apps import AssetsManager
from handeye.errors import ConfigError
from handeye.geometry import Size
from handeye.target import Region
from handeye_phone.artwork import icon


def library(folder: Path, **entries: dict[str, object]) -> AssetsManager:
    (folder / "icons").mkdir(parents=True)
    for name in ("chat", "chat_v2"):
        icon("wechat", 64).save(folder / "icons" / f"{name}.png")
    (folder / "index.json").write_text(json.dumps({"version": "1.0", "icons": entries}), encoding="utf-8")
    return AssetsManager(folder)


CHAT = {"path": "icons/chat.png", "resolution": [1080, 2400], "position": [0.1, 0.2, 0.3, 0.25]}


def test_index_gives_resolution_and_position(tmp_path: Path) -> None:
    other = {"path": "icons/chat_v2.png", "resolution": [720, 1600]}
    first, second = library(tmp_path, chat=CHAT, chat_v2=other).find("chat")
    assert (first.captured, first.position) == (Size(1080, 2400), Region(0.1, 0.2, 0.3, 0.25))
    assert (second.captured, second.position) == (Size(720, 1600), None)


def test_writing_the_index_keeps_resolution_and_position(tmp_path: Path) -> None:
    written = library(
        tmp_path, chat=CHAT, chat_v2={"path": "icons/chat_v2.png", "resolution": [720, 1600]}
    ).write_index()
    entries = json.loads(written.read_text(encoding="utf-8"))["icons"]
    assert entries["chat"]["resolution"] == [1080, 2400]
    assert entries["chat"]["position"] == [0.1, 0.2, 0.3, 0.25]
    assert entries["chat_v2"] == {"path": "icons/chat_v2.png", "resolution": [720, 1600], "exists": True}
    assert AssetsManager(tmp_path).find("chat")[1].captured == Size(720, 1600)


@pytest.mark.parametrize(
    "wrong",
    [
        {"resolution": [0, 2400]},
        {"resolution": [1080]},
        {"position": [0.3, 0.2, 0.1, 0.25]},
        {"position": [0, 0, 1, 1.5]},
        {"position": [0, 0, float(np.nan), 1]},
    ],
)
def test_invalid_index_position_names_the_file(tmp_path: Path, wrong: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match=r"index\.json"):
        library(tmp_path, chat={"path": "icons/chat.png", **wrong}).find("chat")
