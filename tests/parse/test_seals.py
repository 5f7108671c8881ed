"""A damaged model is named before it answers."""

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


def test_every_model_that_ships_is_sealed() -> None:
    told = dict(reversed(line.split()) for line in (WEIGHTS.parent / CHECKSUM_FILE).read_text().splitlines())
    models = WEIGHTS.parent.glob("*.onnx")
    assert told == {each.name: hashlib.sha256(each.read_bytes()).hexdigest() for each in models}, (
        "python -m training.seal"
    )


def test_one_wrong_bit_in_a_model_is_told(weights: Path) -> None:
    for name in ("detector.onnx", "icons.onnx"):
        damage(weights / name)
    with pytest.raises(ParserFailed, match=r"detector.onnx.* is damaged.*reinstall handeye"):
        Detector(weights / "detector.onnx").detect(FRAME)
    with pytest.raises(ParserFailed, match=r"icons.onnx.* is damaged.*reinstall handeye"):
        IconEncoder(weights / "icons.onnx").encode(np.zeros((1, 64, 64), np.float32))


def test_seals_that_cannot_be_read_are_told(weights: Path) -> None:
    (weights / CHECKSUM_FILE).write_text("nonsense\n")
    with pytest.raises(ParserFailed, match="cannot be checked"):
        Detector(weights / "detector.onnx").detect(FRAME)


def test_a_model_of_ones_own_needs_no_seal(weights: Path) -> None:
    (weights / CHECKSUM_FILE).unlink()
    assert Detector(weights / "detector.onnx").detect(FRAME) == []
