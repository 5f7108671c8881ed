"""Evidence from the box of a candidate: its size, its proportions and where on the screen it is."""

from __future__ import annotations

import numpy as np

from handeye.locate.ranking.pool import Column, Pool


def shape_evidence(pool: Pool) -> dict[str, Column]:
    """Width, height and area as shares of the screen's, the aspect ratio, and the centre in shares of the screen (0-1)."""
    width, height = max(1, pool.size.width), max(1, pool.size.height)
    wide, high = (pool.boxes[:, 2] - pool.boxes[:, 0]) / width, (pool.boxes[:, 3] - pool.boxes[:, 1]) / height
    return {
        "width_share": wide,
        "height_share": high,
        "area_share": wide * high,
        "aspect": wide * width / np.maximum(high * height, 1.0),
        "center_x": pool.centers[:, 0] / width,
        "center_y": pool.centers[:, 1] / height,
    }
