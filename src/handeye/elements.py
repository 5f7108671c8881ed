"""Elements of a screen, and the state of a whole screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from handeye.geometry import Box, Point
from handeye.screen import Screen


@dataclass(frozen=True, slots=True)
class UIElement:
    """
    A UI element (docs/spec/visual-locator.md).

    `bbox` is the bounding box in pixels of the frame; a plain tuple becomes a Box. `center`, the click point, is
    computed. `confidence` is 0-1. `source` names the detector ("ocr", "template", "tree", ...). `visible_region` is set
    if only a part is on the screen. An unreliable element has competing candidates in `candidates`.

    `label_box` is the bounding box of its text, if smaller than the element. Elements of a tree also have `parent` (the
    parent's `id`; parents come first in a UIState), `enabled`, and `interactive` (a click has an effect); what cannot
    be derived from a picture alone is None.
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
        # docs/spec/visual-locator.md has plain tuples and a dict here: four numbers become a Box, a read-only view a
        # new dict.
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
        """The box to click: the visible part of the label if its centre is visible; else that of the element."""
        seen = self.visible_region or self.bbox
        label = self.label_box
        shown = seen.intersect(label) if label is not None and seen.contains(label.center) else None
        return shown or seen

    @property
    def center(self) -> Point:
        """The centre of `click_box`."""
        return self.click_box.center


@dataclass(frozen=True, slots=True)
class UIState:
    """All elements of one frame; `notes` list the providers that failed, with the reason."""

    screen: Screen
    elements: tuple[UIElement, ...]
    notes: tuple[str, ...] = ()
