"""Tests of model checksums: a damaged model is reported before it is used."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import numpy as np
import pytest

from handeye.errors import ParserFailed
from handeye.parse.detector import WEIGHTS, Detector
from handeye.parse.icons import IconEncoder
from handeye.parse.model_runtime import CHECKSUM_FILE

FRAME = np.full((64, 64, 3), 240, np.uint8)


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    """A copy of the folder of the models that ship."""
    return shutil.copytree(WEIGHTS.parent, tmp_path / "weights")


def damage(path: Path) -> None:
    """Turn one bit in the middle."""
    held = bytearray(path.read_bytes())
    held[len(held) // 2] ^= 4
    path.write_bytes(held)


def test_every_shipped_model_has_a_checksum() -> None:
    told = dict(reversed(line.split()) for line in (WEIGHTS.parent / CHECKSUM_FILE).read_text().splitlines())
    models = WEIGHTS.parent.glob("*.onnx")
    assert told == {each.name: hashlib.sha256(each.read_bytes()).hexdigest() for each in models}, (
        "python -m training.seal"
    )


def test_flipped_bit_in_model_is_reported(weights: Path) -> None:
    for name in ("detector.onnx", "icons.onnx"):
        damage(weights / name)
    with pytest.raises(ParserFailed, match=r"detector.onnx.* is damaged.*reinstall handeye"):
        Detector(weights / "detector.onnx").detect(FRAME)
    with pytest.raises(ParserFailed, match=r"icons.onnx.* is damaged.*reinstall handeye"):
        IconEncoder(weights / "icons.onnx").encode(np.zeros((1, 64, 64), np.float32))


def test_unreadable_checksum_file_is_reported(weights: Path) -> None:
    (weights / CHECKSUM_FILE).write_text("nonsense\n")
    with pytest.raises(ParserFailed, match="cannot be checked"):
        Detector(weights / "detector.onnx").detect(FRAME)


def test_custom_model_needs_no_checksum(weights: Path) -> None:
    (weights / CHECKSUM_FILE).unlink()
    assert Detector(weights / "detector.onnx").detect(FRAME) == []
