"""The result type of tier 1+: a part that no application reports, inferred from elements that it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from handeye.elements import UIElement
from handeye.geometry import Box

STRUCTURE_SOURCE: Final = "structure"

INFERRED: Final = ("column border", "row border", "resize handle", "splitter", "panel grip")
"""The roles that are inferred (tier 1+ of docs/spec/perception-tiers.md)."""

LEAST_CONFIDENCE: Final = 0.7
"""Parts below this confidence are dropped (tier 1+, step 4 of docs/spec/perception-tiers.md)."""


@dataclass(frozen=True, slots=True)
class Inference:
    """
    One part that follows from the rectangles of others. `box` is in desktop pixels; a drag starts at its centre.

    `derived_from` is the formula of the box in the language of `handeye.perceive.structure.derivation`, in terms of the ids
    in `anchors`. `parent` is the id of its container. `about` goes into the element's metadata: "between" holds the names
    of the parts on both sides, in reading order. `instead_of` are the ids of unnamed elements that are this part and need
    not be listed too.
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
        """Return it as an element with the id `number`."""
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
