"""A window's elements at one moment, by number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from handeye.desktop.appearance import MOST_ROW_PIXELS
from handeye.desktop.identity import IdentifyingTexts, Identity, known
from handeye.devices import Window
from handeye.elements import UIElement
from handeye.errors import UsageError
from handeye.geometry import Box
from handeye.perceive import Control, Detection, numbered, visible_box


@dataclass(frozen=True)
class WindowState:
    """
    The elements of `window` at one moment: `detection`'s targets, numbered from 1. `infer` and `vision` are the tiers that were
    used.

    `looks` has by number a checksum of the pixels of each element that was only seen, to identify it later without a model.
    `pictures` has by number the signature (`handeye.desktop.appearance`) of each nameless or indistinguishable element.
    """

    window: Window
    detection: Detection
    infer: bool = False
    vision: bool = False
    looks: Mapping[int, int] = field(default_factory=dict)
    pictures: Mapping[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if any(each.id != number for number, each in enumerate(self.detection.targets, 1)):
            given = self.detection
            object.__setattr__(self, "detection", Detection(numbered(given.targets), given.controls, given.notes))

    @property
    def elements(self) -> tuple[UIElement, ...]:
        return self.detection.targets

    @property
    def notes(self) -> tuple[str, ...]:
        return self.detection.notes

    @property
    def identities(self) -> tuple[Identity, ...]:
        """Identity of each element, which finds it again in another state."""
        return self._known[0]

    def labels(self, number: int) -> tuple[int, ...]:
        """Return the numbers of the elements that identify an element: the cells of its row, the question that it answers."""
        return tuple(index + 1 for index in self._known[1][number - 1].labels)

    def drawn(self, number: int) -> Box:
        """Return the box that identifies an element by its picture: the row of an indistinguishable one, else its own box."""
        own, part = visible_box(self.element(number)), self._known[1][number - 1].part
        row = visible_box(self.elements[part]) if part is not None and self.identities[number - 1].likes > 1 else own
        return row if row.intersect(own) == own and row.area <= MOST_ROW_PIXELS else own

    @cached_property
    def _known(self) -> tuple[tuple[Identity, ...], list[IdentifyingTexts]]:
        return known(self.elements, self.window)

    def element(self, number: int) -> UIElement:
        """Return the element of that number. Raises UsageError if there is none."""
        if not 1 <= number <= len(self.elements):
            has = f"1 to {len(self.elements)}" if self.elements else "none"
            raise UsageError(f"{self.window} has no element {number}; its numbers are {has}")
        return self.elements[number - 1]

    def control(self, number: int) -> Control | None:
        """Return the live handle of an element, or None. Raises UsageError for an unknown number."""
        self.element(number)
        return self.detection.controls[number - 1]

    def number_of(self, known: Identity) -> int | None:
        """Return the number of the element with that identity, or None."""
        return self._numbers.get(known)

    @cached_property
    def _numbers(self) -> dict[Identity, int]:
        return {identity: number for number, identity in enumerate(self.identities, 1)}
