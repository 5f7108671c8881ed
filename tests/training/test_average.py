"""Tests of averaging trained models: mean scores over the union of their columns."""

from __future__ import annotations

import numpy as np
import pytest
from training.ranker.average import Arrays, averaged

from handeye.locate.ranker.trees import Trees


def model(name: str, low: float, high: float, temperature: float = 1.0) -> Arrays:
    """One tree: `low` where the column is at most 0.5, else `high`."""
    trees = Trees(
        feature=np.array([[0, -1, -1]], np.int16),
        threshold=np.array([[0.5, 0, 0]], np.float32),
        left=np.array([[1, -1, -1]], np.int16),
        right=np.array([[2, -1, -1]], np.int16),
        nan_left=np.array([[True, False, False]]),
        value=np.array([[0, low, high]], np.float32),
        depth=1,
    )
    return {**trees.arrays(), "names": np.array([name]), "temperature": np.array(temperature)}


def test_averaged_scores_are_means_of_models() -> None:
    joined = averaged([model("length", 1, 3), model("height", 10, 30)])
    assert list(joined["names"]) == ["length", "height"]
    rows = np.array([[0, 0], [1, 0], [0, 1]], np.float32)
    assert Trees.of(joined).scores(rows).tolist() == [5.5, 6.5, 15.5]


def test_model_with_temperature_cannot_be_averaged() -> None:
    with pytest.raises(SystemExit, match=r"a temperature of 1\.5 cannot be averaged"):
        averaged([model("length", 1, 3, temperature=1.5)])
