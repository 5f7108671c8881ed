"""What is on a screen: elements, and all of them at one moment."""

from __future__ import annotations

import copyreg
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from handeye.geometry import Box, Point
from handeye.screen import Screen

_EMPTY: Mapping[str, Any] = MappingProxyType({})


def _view(values: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(values)


# Read-only views cannot be pickled or deep-copied by themselves, and elements travel between processes and into asdict().
copyreg.pickle(MappingProxyType, lambda view: (_view, (dict(view),)))


@dataclass(frozen=True, slots=True)
class UIElement:
    """
    One thing on the screen (seed 001).

    `bbox` is in pixels of the frame. `confidence` is 0-1. `source` names who says so ("ocr", "template", "tree", ...).
    `visible_region` is set when only a part is on the screen. An unreliable element names its rivals in `candidates`.

    `label_box` is where its text stands, when that is less than the element. Elements of a tree also know `parent` (the
    parent's `id`; parents come first in a UIState), whether they are `enabled`, and whether a click does something
    (`interactive`); what a picture alone cannot tell is None.
    """

    element_type: str
    description: str
    bbox: Box
    confidence: float = 1.0
    source: str = ""
    text: str = ""
    visible_region: Box | None = None
    reliable: bool = True
    candidates: tuple[UIElement, ...] = ()
    id: int | None = None
    label_box: Box | None = None
    parent: int | None = None
    enabled: bool | None = None
    interactive: bool | None = None
    metadata: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)

    @property
    def center(self) -> Point:
        """The middle of what can be seen of it."""
        return (self.visible_region or self.bbox).center


@dataclass(frozen=True, slots=True)
class UIState:
    """All elements of one frame; `notes` say which providers could not look, and why."""

    screen: Screen
    elements: tuple[UIElement, ...]
    notes: tuple[str, ...] = ()
