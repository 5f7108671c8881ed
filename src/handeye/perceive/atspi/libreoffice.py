"""
Where LibreOffice's parts really are.

Its windows in GTK 3 hold a native menu bar, and below it a native panel in which LibreOffice draws everything else. Of what is
drawn it says places as if the menu bar were not there: 27 pixels too high in LibreOffice 7.4, until the pointer first moves.
The native panel is told where it is, and the root of what is drawn as large as that: what parts the two is what all drawn
parts are off by. Native fields that stand among them (the font's name) are told where they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from handeye.perceive.atspi.nodes import Node
from handeye.perceive.atspi.protocol import numbers_of

_DRAWN: Final = numbers_of("root pane")
_NATIVE: Final = numbers_of("panel")


class Shift(NamedTuple):
    """By how many pixels drawn parts are further to the right and down than they are told."""

    dx: int = 0
    dy: int = 0


NO_SHIFT: Final = Shift()


class Drawn(NamedTuple):
    """What is drawn in a window: the root of it, and the native panel that it fills."""

    root: Node
    panel: Node

    @property
    def shift(self) -> Shift:
        """What the drawn parts are off by, as the boxes of both were told."""
        root, panel = self.root.box, self.panel.box
        return Shift(panel.left - root.left, panel.top - root.top) if root and panel else NO_SHIFT


def drawn_in(top: Sequence[Node]) -> Drawn | None:
    """What is drawn in the window `top`. The panel may be told as the root's parent, or as a cousin."""
    roots = list(_roots(top))
    if len(roots) != 1 or (root := roots[0].box) is None:
        return None
    size = (root.width, root.height)
    native = (node for node in _walk(top) if node.role in _NATIVE and node.box is not None)
    panels = {node.box: node for node in native if node.box and (node.box.width, node.box.height) == size}
    return Drawn(roots[0], *panels.values()) if len(panels) == 1 else None


def put_in_place(drawn: Drawn) -> set[Node]:
    """Correct the boxes of the drawn parts of a window; gives those parts."""
    shift, parts = drawn.shift, set()
    stack = [drawn.root]
    while stack:
        node = stack.pop()
        parts.add(node)
        told, moved = node.box, node.box.translate(*shift) if node.box is not None else None
        # A native part fills the drawn one that holds it, and so is told where that one should be.
        stack += [child for child in node.children if told is None or shift == NO_SHIFT or child.box != moved]
        node.box = moved
    return parts


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
