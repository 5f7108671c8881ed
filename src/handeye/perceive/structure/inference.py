"""What tier 1+ says of a window: parts that no application names, and how they follow from those that it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from handeye.elements import UIElement
from handeye.geometry import Box

STRUCTURE_SOURCE: Final = "structure"

INFERRED: Final = ("column border", "row border", "resize handle", "splitter", "panel grip")
"""The roles that are inferred (seed 002, tier 1+)."""

LEAST_CONFIDENCE: Final = 0.7
"""Seed 002, tier 1+, step 4: what is less sure than that is left out."""


@dataclass(frozen=True, slots=True)
class Inference:
    """
    One part that follows from the rectangles of others. `box` is in desktop pixels; a drag starts at its centre.

    `derived_from` is in the language of `handeye.perceive.structure.derivation`, by the numbers of `anchors`, from which it
    was computed. `parent` is what holds it. `about` is told with it: "between", the names of what it parts in the order of
    reading. `instead_of` are the numbers of elements without a name that are this part, and need not be listed beside it.
    """

    role: str
    name: str
    box: Box
    confidence: float
    derived_from: str
    anchors: tuple[int, ...]
    parent: int | None = None
    about: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    instead_of: frozenset[int] = frozenset()

    def element(self, number: int) -> UIElement:
        """As an element with the number `number`."""
        metadata = {"derived_from": self.derived_from, "anchors": self.anchors, **self.about}
        return UIElement(
            self.role,
            self.name,
            self.box,
            self.confidence,
            STRUCTURE_SOURCE,
            id=number,
            parent=self.parent,
            interactive=True,
            metadata=metadata,
        )
