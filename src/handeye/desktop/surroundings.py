"""
The names that tell an element from its likes: "Delete" beside 'Alice' is another button than "Delete" beside 'Carol', though it
stands at the same place, and "Yes" below 'Delete Alice?' is another one than below 'Delete everything?'.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from handeye.elements import UIElement
from handeye.geometry import Box

MOST_NAMES: Final = 6
"""Of a row: who stands in it is told by its first cells."""

# A chain of parents is no longer in any real tree; a longer one goes in a circle.
_DEEPEST: Final = 256
# A question stands right above its buttons, or its dialog has more texts than a person reads.
_FARTHEST_PX: Final = 120
_MOST_TEXTS: Final = 12
_MOST_LOOKED_AT: Final = 64
_DIALOGS: Final = frozenset({"dialog", "alert", "alert dialog", "message box"})
# What changes by itself, or with every letter that is typed.
_UNSTEADY: Final = frozenset({"status bar", "progress bar", "scroll bar", "tooltip", "window"})
_HOLDING: Final = frozenset({"group", "pane", "list", "table", "tree", "tab bar", "toolbar", "menu bar", "web view"})
_TEXTS: Final = frozenset({"text", "heading"})


class _Named(NamedTuple):
    """An element with a name, and where it is seen."""

    middle: int
    id: int
    name: str
    box: Box
    is_text: bool


class Surroundings:
    """
    Of `elements`, boxes in desktop pixels, parents by `id`; `names` are what they are called, in their order. What stands in
    fields is in none of them.

    What an element is among: of a nameless one the names that it holds; of any one the names in its row, as far as they are
    in the innermost thing that holds both; the text right above it; and all texts of its dialog.
    """

    def __init__(self, elements: Sequence[UIElement], names: Sequence[str]) -> None:
        self._parents = {each.id: each.parent for each in elements if each.id is not None}
        self._dialogs = {each.id for each in elements if each.metadata.get("class") in _DIALOGS}
        self._unsteady = {
            each.id for each in elements if each.element_type in _UNSTEADY and each.element_type != "window"
        }
        self._held: dict[int, list[_Named]] = defaultdict(list)  # by holder, from the top to the bottom
        self._texts: list[_Named] = []
        self._named: list[_Named] = []
        self._asked: dict[int, tuple[int, ...]] = {}
        for each, name in zip(elements, names, strict=True):
            box = _seen(each)
            if each.id is None or not name or not box.area or each.element_type in _UNSTEADY:
                continue
            chain = self._holders(each.parent)
            if not self._unsteady.isdisjoint(chain):
                continue
            named = _Named((box.top + box.bottom) // 2, each.id, name, box, each.element_type in _TEXTS)
            for holder in chain:
                self._held[holder].append(named)
            if each.element_type not in _HOLDING:
                self._named.append(named)
            if named.is_text:
                self._texts.append(named)
        self._texts.sort(key=_bottom)
        self._named.sort(key=_bottom)
        for held in self._held.values():
            held.sort()
        self._in_dialog = {
            id: [each.name for each in self._texts if id in self._holders(each.id)][:_MOST_TEXTS]
            for id in self._dialogs
        }

    def of(self, element: UIElement, name: str) -> tuple[str, ...]:
        """The names, each once."""
        box = _seen(element)
        if element.element_type in _UNSTEADY or not box.area or element.id is None:
            return ()
        names = [] if name else self._inside(element.id)
        chain = self._holders(element.parent)
        names += self._in_row(element.id, box, chain)
        names += self._above(box)
        for holder in self._dialogs.intersection(chain):
            names += self._in_dialog[holder]
        return tuple(dict.fromkeys(names))

    def _inside(self, id: int) -> list[str]:
        held = self._held.get(id, ())
        if len(held) > _MOST_LOOKED_AT:
            return []  # a pane: its content says what it shows at the moment, not which one it is
        return [each.name for each in held[:MOST_NAMES]]

    def _in_row(self, id: int, box: Box, chain: Iterable[int]) -> list[str]:
        own = {id, *(each.id for each in self._held.get(id, ()))}
        for holder in chain:
            held = self._held.get(holder, [])
            first = bisect_left(held, box.top, key=_middle)
            last = bisect_left(held, box.bottom, key=_middle)
            row = held[first : min(last, first + _MOST_LOOKED_AT)]
            beside = [(each.box.left, each.name) for each in row if each.id not in own and _is_beside(each.box, box)]
            if beside:
                return [name for _, name in sorted(beside)[:MOST_NAMES]]
        return []

    def _above(self, box: Box) -> list[str]:
        """The text right above it, with nothing else between that reaches over some of its width."""
        end = bisect_right(self._named, box.top + 1, key=_bottom)
        for named in reversed(self._named[max(0, end - _MOST_LOOKED_AT) : end]):
            if named.box.bottom < box.top - _FARTHEST_PX:
                break
            if named.box.left < box.right and box.left < named.box.right:
                return [named.name] if named.is_text else []
        return []

    def _holders(self, parent: int | None) -> tuple[int, ...]:
        """What holds the children of `parent`, itself first."""
        if parent is None or parent not in self._parents:
            return ()
        if parent not in self._asked:
            chain = [parent]
            while (above := self._parents[chain[-1]]) is not None and above in self._parents and len(chain) < _DEEPEST:
                chain.append(above)
            self._asked[parent] = tuple(chain)
        return self._asked[parent]


def _seen(element: UIElement) -> Box:
    return element.visible_region or element.bbox


def _is_beside(other: Box, box: Box) -> bool:
    """At the same height for the greater part of the lower one, and not above each other."""
    left, top, right, bottom = box
    others_left, others_top, others_right, others_bottom = other
    if others_left < right and left < others_right:
        return False
    shared = min(others_bottom, bottom) - max(others_top, top)
    return 2 * shared > min(others_bottom - others_top, bottom - top)


def _middle(named: _Named) -> int:
    return named.middle


def _bottom(named: _Named) -> int:
    return named.box.bottom
