"""The models that ship in the package, opened once per process."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from handeye.parse.parser import ElementDetector, IconReader
    from handeye.parse.rescoring import Rescorer


@cache
def bundled_detector() -> ElementDetector:
    """The element detector. Its model is read at the first frame."""
    from handeye.parse.detector import Detector

    return Detector()


@cache
def bundled_rescorer() -> Rescorer:
    """What says which candidates are elements. Its weights are read at the first frame."""
    from handeye.parse.rescoring import Rescorer

    return Rescorer()


@cache
def bundled_icons() -> IconReader:
    """The reader of icons. Its models are read at the first icon."""
    from handeye.parse.icon_reader import BundledIconReader

    return BundledIconReader()
