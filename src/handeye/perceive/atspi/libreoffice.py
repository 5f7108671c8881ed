"""
Correct the positions of LibreOffice's elements.

Its windows in GTK 3 hold a native menu bar, and below it a native panel in which LibreOffice draws everything else. It
reports drawn elements as if the menu bar were not there: 27 pixels too high in LibreOffice 7.4, until the pointer first
moves. The native panel is reported correctly, and the root of the drawn elements has its size: the offset between the two
is the error of all drawn elements. Native fields among them (the font's name) are reported correctly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from handeye.perceive.atspi.nodes import Node
from handeye.perceive.atspi.protocol import numbers_of

_DRAWN: Final = numbers_of("root pane")
_NATIVE: Final = numbers_of("panel")


class Shift(NamedTuple):
    """Pixels to add to the reported position of drawn elements."""

    dx: int = 0
    dy: int = 0


NO_SHIFT: Final = Shift()


class Drawn(NamedTuple):
    """The root of a window's drawn elements, and the native panel that it fills."""

    root: Node
    panel: Node

    @property
    def shift(self) -> Shift:
        """The error of the drawn elements' positions, from the reported boxes of both."""
        root, panel = self.root.box, self.panel.box
        return Shift(panel.left - root.left, panel.top - root.top) if root and panel else NO_SHIFT


def drawn_in(top: Sequence[Node]) -> Drawn | None:
    """
    Return the drawn part of the window `top`, or None. The panel may be reported as the root's parent, or elsewhere in the
    tree.
    """
    roots = list(_roots(top))
    if len(roots) != 1 or (root := roots[0].box) is None:
        return None
    size = (root.width, root.height)
    native = (node for node in _walk(top) if node.role in _NATIVE and node.box is not None)
    panels = {node.box: node for node in native if node.box and (node.box.width, node.box.height) == size}
    return Drawn(roots[0], *panels.values()) if len(panels) == 1 else None


def put_in_place(drawn: Drawn) -> set[Node]:
    """Correct the boxes of a window's drawn elements and return those elements."""
    shift, parts = drawn.shift, set()
    stack = [drawn.root]
    while stack:
        node = stack.pop()
        parts.add(node)
        reported, moved = node.box, node.box.translate(*shift) if node.box is not None else None
        # A native element fills the drawn one that holds it, and so has the box that the drawn one should have.
        stack += [child for child in node.children if reported is None or shift == NO_SHIFT or child.box != moved]
        node.box = moved
    return parts


def _roots(top: Sequence[Node]) -> Iterator[Node]:
    return (node for node in _walk(top) if node.role in _DRAWN)


def _walk(top: Sequence[Node]) -> Iterator[Node]:
    """Yield the native nodes, and the roots of the drawn ones."""
    stack = list(top)
    while stack:
        node = stack.pop()
        yield node
        if node.role not in _DRAWN:
            stack += node.children
