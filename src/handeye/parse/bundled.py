"""The models that ship in the package, opened once per process."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from handeye.parse.parser import ElementDetector, IconReader


@cache
def bundled_detector() -> ElementDetector:
    """The element detector. Its model is read at the first frame."""
    from handeye.parse.detector import Detector

    return Detector()


@cache
def bundled_icons() -> IconReader:
    """The reader of icons. Its models are read at the first icon."""
    from handeye.parse.icon_reader import BundledIconReader

    return BundledIconReader()
