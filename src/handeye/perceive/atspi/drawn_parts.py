"""
Where LibreOffice's parts really are.

Its windows in GTK 3 hold a native menu bar, and below it a native panel in which LibreOffice draws everything else. Of what is
drawn it says places as if the menu bar were not there: 27 pixels too high in LibreOffice 7.4. The native panel is told where it
is, and the root of what is drawn as large as that: what parts the two is what all drawn parts are off by. Native fields that
stand among them (the font's name) are told where they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from handeye.perceive.atspi.nodes import Node
from handeye.perceive.atspi.vocabulary import numbers_of

_DRAWN: Final = numbers_of("root pane")
_NATIVE: Final = numbers_of("panel")


class Shift(NamedTuple):
    """By how many pixels drawn parts are further to the right and down than they are told."""

    dx: int = 0
    dy: int = 0


NO_SHIFT: Final = Shift()


def shift_of(top: Sequence[Node]) -> Shift:
    """What the drawn parts of the window `top` are off by. The panel may be told as the root's parent, or as a cousin."""
    roots = list(_roots(top))
    if len(roots) != 1 or (root := roots[0].box) is None:
        return NO_SHIFT
    size = (root.width, root.height)
    native = (node for node in _walk(top) if node.role in _NATIVE and node.box is not None)
    places = {
        (node.box.left, node.box.top) for node in native if node.box and (node.box.width, node.box.height) == size
    }
    if len(places) != 1:
        return NO_SHIFT
    left, upper = places.pop()
    return Shift(left - root.left, upper - root.top)


def put_in_place(top: Sequence[Node], shift: Shift) -> None:
    """Correct the boxes of the drawn parts of a window."""
    stack = list(_roots(top)) if shift != NO_SHIFT else []
    while stack:
        node = stack.pop()
        told, moved = node.box, node.box.translate(*shift) if node.box is not None else None
        # A native part fills the drawn one that holds it, and so is told where that one should be.
        stack += [child for child in node.children if told is None or child.box != moved]
        node.box = moved


def _roots(top: Sequence[Node]) -> Iterator[Node]:
    return (node for node in _walk(top) if node.role in _DRAWN)


def _walk(top: Sequence[Node]) -> Iterator[Node]:
    """What is not drawn, and the roots of what is."""
    stack = list(top)
    while stack:
        node = stack.pop()
        yield node
        if node.role not in _DRAWN:
            stack += node.children
