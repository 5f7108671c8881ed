"""What each element of a window tells, of itself and to what stands around it."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from handeye.desktop.descent import Descent
from handeye.desktop.running import counts, runs
from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.perceive.layout import seen
from handeye.perceive.told import FILLED_IN

MOST_TOLD: Final = 12
"""Names that are kept as they are; of more there is a checksum."""

TEXTS: Final = frozenset({"text", "heading"})
# What changes by itself, or with every letter that is typed.
UNSTEADY: Final = frozenset({"status bar", "progress bar", "scroll bar", "tooltip"})
_PRESSED: Final = frozenset({"button", "link", "tab", "list item", "tree item", "menu item", "checkbox", "radio"})
# Of what stands in a field: enough to tell two apart, too little to guess it from.
_SIXTEEN_BITS: Final = 0xFFFF

Edges = npt.NDArray[np.float64]


class Told:
    """
    Of each of `elements`, by index: `names` is what it is called, `words` that and what it is called beside it, () for what
    changes by itself; `steady` is the same without what counts, `values` says in a few bits what stands in it.
    `boxes` is what can be seen of it, `inner` the inner half of that.
    """

    def __init__(self, elements: Sequence[UIElement], names: Sequence[str], tree: Descent) -> None:
        self.elements = elements
        self.names = names
        self.boxes = [seen(each) for each in elements]
        self.inner = inner_halves(self.boxes)
        self.words: list[tuple[str, ...]] = [()] * len(elements)
        self.steady: list[tuple[str, ...]] = [()] * len(elements)
        self.values: list[tuple[str, ...]] = [()] * len(elements)
        self._tree = tree
        unsteady_until, before = 0, False  # in the tree's order
        for at, index in enumerate(tree.order):
            each, name = elements[index], names[index]
            if each.element_type in UNSTEADY:
                unsteady_until = max(unsteady_until, tree.of(index).stop)
            if at < unsteady_until or each.element_type == "window":
                continue
            self.words[index] = _words(each, name)
            running = each.element_type in TEXTS and (runs(name) or (before and counts(name)))
            self.steady[index] = () if running else self.words[index]
            self.values[index] = _values(each)
            if name:
                before = each.element_type in _PRESSED

    def is_text(self, index: int) -> bool:
        """Whether it is a steady text, and not the label of a button."""
        if self.elements[index].element_type not in TEXTS or not self.steady[index]:
            return False
        parent = self._tree.parent[index]
        return parent is None or self.elements[parent].element_type != "button"


def inner_halves(boxes: Sequence[Box]) -> Edges:
    """The inner halves of boxes: left, top, right, bottom by row."""
    edges = np.array(boxes, float).reshape(-1, 4)
    inset = (edges[:, 2:] - edges[:, :2]) / 4
    return np.hstack([edges[:, :2] + inset, edges[:, 2:] - inset])


def shortened(words: Iterable[str]) -> tuple[str, ...]:
    """All words, or the first ones and a checksum of the others."""
    every = tuple(words)
    if len(every) <= MOST_TOLD:
        return every
    rest = zlib.crc32("\n".join(every[MOST_TOLD:]).encode("utf-8", "surrogatepass"))
    return (*every[:MOST_TOLD], f"{len(every) - MOST_TOLD} more ({rest:08x})")


def _words(element: UIElement, name: str) -> tuple[str, ...]:
    if element.element_type in FILLED_IN or not name:
        return (name,) if name else ()
    beside = " ".join(element.description[:160].split())
    return (name, beside) if beside and beside != name and element.text else (name,)


def _values(element: UIElement) -> tuple[str, ...]:
    value = element.metadata.get("value")
    said = element.text if element.element_type in FILLED_IN else "" if value is None else str(value)
    if not said or element.metadata.get("password"):
        return ()
    return (f"a value ({zlib.crc32(said.encode('utf-8', 'surrogatepass')) & _SIXTEEN_BITS:04x})",)
