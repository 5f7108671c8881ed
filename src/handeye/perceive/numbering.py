"""Renumber elements together with the references to them: parents, and the anchors of inferred parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from handeye.elements import UIElement
from handeye.perceive.structure.derivation import renumbered


def numbered(elements: Sequence[UIElement]) -> tuple[UIElement, ...]:
    """Return the elements in the same order, numbered from 1, with their references updated."""
    if all(each.id == number for number, each in enumerate(elements, 1)):
        return tuple(elements)
    numbers = {each.id: number for number, each in enumerate(elements, 1) if each.id is not None}
    return tuple(with_number(each, number, numbers) for number, each in enumerate(elements, 1))


def with_number(element: UIElement, number: int, numbers: Mapping[int, int]) -> UIElement:
    """
    Return the element with another number. `numbers` maps old numbers to new ones; a parent that is not in it becomes None.
    """
    parent = numbers.get(element.parent) if element.parent is not None else None
    metadata = dict(element.metadata)
    if "anchors" in metadata:
        metadata["anchors"] = tuple(numbers.get(anchor, anchor) for anchor in metadata["anchors"])
    if "derived_from" in metadata:
        metadata["derived_from"] = renumbered(str(metadata["derived_from"]), numbers)
    return replace(element, id=number, parent=parent, metadata=metadata)
