"""The curve of a training as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot


def draw_curve(rows: Sequence[Sequence[float]], path: Path) -> None:
    """Loss by thousands of crops seen."""
    figure, axes = pyplot.subplots(figsize=(7, 4))
    axes.plot([row[0] for row in rows], [row[1] for row in rows])
    axes.set_xlabel("crops seen, thousands")
    axes.set_ylabel("loss")
    axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(path)
    pyplot.close(figure)
