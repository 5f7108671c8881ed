"""
Average several trainings: `python -m training.ranker.average ONE.npz OTHER.npz --out ranker.npz`.

The scores of the result are the means of theirs. Trainings with other seeds, rounds or examples err in other places, so that
the mean of two is more often right than each.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Arrays = dict[str, npt.NDArray[Any]]


def averaged(models: Sequence[Arrays]) -> Arrays:
    """The trees of all models, with their values divided by the number of models; all need a temperature of 1."""
    names = list(dict.fromkeys(str(name) for model in models for name in model["names"]))
    width = max(model["feature"].shape[1] for model in models)
    parts: dict[str, list[npt.NDArray[Any]]] = {
        name: [] for name in ("feature", "threshold", "left", "right", "nan_left", "value")
    }
    for model in models:
        if float(model["temperature"]) != 1.0:
            raise SystemExit(f"a temperature of {float(model['temperature'])} cannot be averaged: train with --folds 0")
        number = np.array([names.index(str(name)) for name in model["names"]] + [-1])
        columns = {**model, "feature": number[model["feature"]].astype(np.int16), "value": model["value"] / len(models)}
        missing = width - model["feature"].shape[1]
        for name, found in parts.items():
            found.append(
                np.pad(
                    columns[name],
                    ((0, 0), (0, missing)),
                    constant_values=-1 if name in ("feature", "left", "right") else 0,
                )
            )
    joined: Arrays = {name: np.concatenate(found) for name, found in parts.items()}
    joined["value"] = joined["value"].astype(np.float32)
    depth = np.array(max(int(model["depth"]) for model in models))
    return {**joined, "depth": depth, "names": np.array(names), "temperature": np.array(1.0)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    np.savez_compressed(options.out, **averaged([dict(np.load(each)) for each in options.models]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
