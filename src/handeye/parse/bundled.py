"""The models that ship in the package, opened once per process."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from handeye.parse.parser import ElementDetector, IconReader


@cache
def bundled_detector() -> ElementDetector | None:
    """The element detector; None where its weights are not there yet."""
    from handeye.parse.detector import WEIGHTS, Detector

    return Detector() if WEIGHTS.exists() else None


@cache
def bundled_icons() -> IconReader | None:
    """The reader of icons; None where its weights are not there yet."""
    from handeye.parse.icon_encoder import WEIGHTS
    from handeye.parse.icon_reader import BundledIconReader

    return BundledIconReader() if WEIGHTS.exists() else None
