"""Elements of a screen, and all of them at one moment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from handeye.geometry import Box, Point
from handeye.screen import Screen


@dataclass(frozen=True, slots=True)
class UIElement:
    """
    One thing on the screen (seed 001).

    `bbox` is in pixels of the frame; a plain tuple becomes a Box. `center`, where a click goes, is computed. `confidence` is
    0-1. `source` names who says so ("ocr", "template", "tree", ...). `visible_region` is set when only a part is on the
    screen. An unreliable element names its rivals in `candidates`.

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
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # Seed 001 has plain tuples and a dict here: four numbers become a Box, a read-only view a dict of its own.
        if (
            not isinstance(self.bbox, Box)
            and isinstance(self.bbox, tuple | list)
            and len(self.bbox) == len(Box._fields)
        ):
            object.__setattr__(self, "bbox", Box(*self.bbox))
        if type(self.metadata) is not dict:
            object.__setattr__(self, "metadata", dict(self.metadata))

    @property
    def click_box(self) -> Box:
        """The box that a click aims at: what can be seen of the label, where its middle can be seen; else of the element."""
        seen = self.visible_region or self.bbox
        label = self.label_box
        shown = seen.intersect(label) if label is not None and seen.contains(label.center) else None
        return shown or seen

    @property
    def center(self) -> Point:
        """The middle of `click_box`."""
        return self.click_box.center


@dataclass(frozen=True, slots=True)
class UIState:
    """All elements of one frame; `notes` say which providers could not look, and why."""

    screen: Screen
    elements: tuple[UIElement, ...]
    notes: tuple[str, ...] = ()
