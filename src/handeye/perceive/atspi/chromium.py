"""
Read pages that Chromium does not return in bulk.

It returns a page in bulk if that was loaded before any client registered for events, but no later one. Asked level by
level, such a page of 600 links cost 8,000 questions. Its document can search for the visible elements in one answer, and
only those are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from handeye.perceive.atspi.calls import Caller
from handeye.perceive.atspi.nodes import Node, read_basics
from handeye.perceive.atspi.protocol import (
    ACCESSIBLE,
    SHOWING,
    VISIBLE,
    Question,
    Ref,
    numbers_of,
    property_of,
    ref_from,
)

TOLD_BY_MATCHES: Final = "Chromium"
"""The toolkit whose documents support GetMatches. LibreOffice hangs on it."""

DOCUMENTS: Final = numbers_of("document web")
_A_NODE: Final = 3  # an entry of a list holds its marker, a link and its text
# A nested page may not report its content to the outer one.
_NESTED_PAGES: Final = DOCUMENTS | numbers_of("internal frame", "embedded")

# Options of a closed list are reported as shown, but the menu that holds them is not.
_CLOSED: Final = numbers_of("menu", "popup menu")

_COLLECTION: Final = "org.a11y.atspi.Collection"
# A match rule: states, all of them; attributes, roles, interfaces: none given; not inverted.
_RULE: Final = "(aiia{ss}iaiiasib)"
_ALL: Final = 1
_IN_THE_TREE_S_ORDER: Final = 1
# Steps from a parent that is not shown up to one that is; more than any page needs.
_MOST_STEPS: Final = 40


class Found(NamedTuple):
    """The nodes of a document whose children are now known, and whether the document has more than was read."""

    whole: list[Node]
    more: bool


async def read_document(caller: Caller, document: Node, most: int, beyond: int) -> Found | None:
    """
    Fill in the nodes below `document`: the visible ones, `most` at most, and those that `beyond` nodes scrolled out of view
    may hold. Return None if the document does not support the search.
    """
    shown = await _matches(caller, document, SHOWING, 0)
    if not shown:
        return None
    wanted = len(shown) + _A_NODE * beyond
    visible = await _matches(caller, document, VISIBLE, wanted + 1)
    # Visible elements come in tree order, from the start.
    found = list(dict.fromkeys([*(visible or ())[:wanted], *shown]))
    refs = found[:most]
    nodes = {ref: Node(ref) for ref in refs if ref != document.ref}
    await read_basics(caller, list(nodes.values()))
    parents = await _parents(caller, nodes, {document.ref, *nodes})
    for ref, node in nodes.items():
        if (parent := parents.get(ref)) is not None:
            nodes.get(parent, document).children.append(node)
    whole = [document, *(node for node in nodes.values() if node.children or node.role not in _NESTED_PAGES)]
    return Found(whole, visible is None or len(visible) > wanted or len(found) > most)


async def _matches(caller: Caller, document: Node, state: int, most: int) -> list[Ref] | None:
    attributes: dict[str, str] = {}
    rule = ((state, 0), _ALL, attributes, _ALL, (), _ALL, (), _ALL, False)
    question = Question(
        document.ref,
        _COLLECTION,
        "GetMatches",
        "a(so)",
        f"{_RULE}uib",
        (rule, _IN_THE_TREE_S_ORDER, most, True),
    )
    (pairs,) = await caller.ask_all([question])
    return None if pairs is None else [ref for pair in pairs if (ref := ref_from(pair)) is not None]


async def _parents(caller: Caller, refs: Iterable[Ref], known: set[Ref]) -> dict[Ref, Ref]:
    """Return the nearest known ancestor of each, except of elements in a closed menu."""
    above: dict[Ref, Ref | None] = {}
    asked = list(refs)
    for _ in range(_MOST_STEPS):
        pairs = await caller.ask_all([property_of(ref, ACCESSIBLE, "Parent", "(so)") for ref in asked])
        above |= {ref: ref_from(pair) if pair is not None else None for ref, pair in zip(asked, pairs, strict=True)}
        asked = list({up for up in above.values() if up is not None and up not in known and up not in above})
        if not asked:
            break
    unknown = [ref for ref in above if ref not in known]
    roles = await caller.ask_all([Question(ref, ACCESSIBLE, "GetRole", "u") for ref in unknown])
    closed = {ref for ref, role in zip(unknown, roles, strict=True) if role in _CLOSED}
    found: dict[Ref, Ref] = {}
    for ref in refs:
        up = above.get(ref)
        for _ in range(_MOST_STEPS):
            if up is None or up in known or up in closed:
                break
            up = above.get(up)
        if up is not None and up in known and up != ref:
            found[ref] = up
    return found


# Chromium's own menus: each is an unnamed frame at top level, like the browser's window. So are parts of the browser that
# are not on the screen, and menus that have been closed, whatever their states.


_FRAMES: Final = numbers_of("frame")
_MENUS: Final = numbers_of("menu")
_HOST: Final = "MenuHostRootView"


async def menu_hosts(caller: Caller, tops: Sequence[Node]) -> list[Node]:
    """Return the frames of `tops` that host menus."""
    frames = [node for node in tops if node.role in _FRAMES and not node.name and node.showing and node.box is not None]
    answers = await caller.ask_all([Question(node.ref, ACCESSIBLE, "GetAttributes", "a{ss}") for node in frames])
    hosts = [
        node for node, reply in zip(frames, answers, strict=True) if reply is not None and reply.get("class") == _HOST
    ]
    for host in hosts:
        host.attributes["class"] = _HOST
    return hosts


def without_closed_menus(top: Sequence[Node]) -> list[Node]:
    """
    Return `top` without the frames of closed menus, which show no menu. Also removes entries that are scrolled out of long
    menus.
    """
    return [node for node in top if node.attributes.get("class") != _HOST or _cut_to_view(node)]


def _cut_to_view(host: Node) -> bool:
    """Clip menu entries to their container. Return True if the host shows a menu."""
    for view, menu in _menus(host):
        entries = []
        for entry in menu.children:
            if entry.box is not None and view.box is not None:
                entry.box = entry.box.intersect(view.box)
            if entry.box is not None:
                entries.append(entry)
        menu.children = entries
    return any(True for _ in _menus(host))


def _menus(host: Node) -> Iterator[tuple[Node, Node]]:
    """Yield the visible menus with their containers."""
    stack = [host]
    while stack:
        node = stack.pop()
        for child in node.children:
            if child.role in _MENUS and child.showing and child.box is not None:
                yield node, child
            else:
                stack.append(child)
