"""Pages that Chromium does not tell in bulk.

It does so of a page that was loaded before anybody asked for events, and of no later one. Asked level by level, such a page of
600 links cost 8,000 questions. Its document finds what is shown by itself, in one answer, and then only that is asked about.
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
"""The toolkit whose documents find what is in them. LibreOffice's search hangs it."""

DOCUMENTS: Final = numbers_of("document web")
_A_NODE: Final = 3  # an entry of a list holds its mark, a link and the words on it
# A page in the page may keep to itself what is in it.
_APART: Final = DOCUMENTS | numbers_of("internal frame", "embedded")

# Options of a list that is closed say that they are shown, but not so the menu that holds them.
_CLOSED: Final = numbers_of("menu", "popup menu")

_COLLECTION: Final = "org.a11y.atspi.Collection"
# A rule: states, all of them; attributes, roles, interfaces: none given; not turned round.
_RULE: Final = "(aiia{ss}iaiiasib)"
_ALL: Final = 1
_IN_THE_TREE_S_ORDER: Final = 1
# From a parent that is not shown up to one that is; more than any page has.
_MOST_STEPS: Final = 40


class Found(NamedTuple):
    """The nodes of a document whose children are known now, and whether it holds more than was asked about."""

    whole: list[Node]
    more: bool


async def read_document(caller: Caller, document: Node, most: int, beyond: int) -> Found | None:
    """
    Fill in what is below `document`: what is shown, `most` at most, and what `beyond` nodes that are scrolled out of view may
    hold. None when the document does not find anything.
    """
    shown = await _matches(caller, document, SHOWING, 0)
    if not shown:
        return None
    wanted = len(shown) + _A_NODE * beyond
    visible = await _matches(caller, document, VISIBLE, wanted + 1)
    # What is visible comes in the tree's order, from its beginning.
    found = list(dict.fromkeys([*(visible or ())[:wanted], *shown]))
    refs = found[:most]
    nodes = {ref: Node(ref) for ref in refs if ref != document.ref}
    await read_basics(caller, list(nodes.values()))
    parents = await _parents(caller, nodes, {document.ref, *nodes})
    for ref, node in nodes.items():
        if (parent := parents.get(ref)) is not None:
            nodes.get(parent, document).children.append(node)
    whole = [document, *(node for node in nodes.values() if node.children or node.role not in _APART)]
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
    """The nearest known ancestor of each, but for what is in a closed menu."""
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


# Chromium's own menus: each is a frame without a name beside the browser's. Parts of the browser that are not on the screen are
# such frames too, and so is a menu that was open, whatever their states say.


_FRAMES: Final = numbers_of("frame")
_MENUS: Final = numbers_of("menu")
_HOST: Final = "MenuHostRootView"


async def menu_hosts(caller: Caller, tops: Sequence[Node]) -> list[Node]:
    """The frames of `tops` that are made for menus."""
    frames = [node for node in tops if node.role in _FRAMES and not node.name and node.showing and node.box is not None]
    answers = await caller.ask_all([Question(node.ref, ACCESSIBLE, "GetAttributes", "a{ss}") for node in frames])
    hosts = [
        node for node, said in zip(frames, answers, strict=True) if said is not None and said.get("class") == _HOST
    ]
    for host in hosts:
        host.attributes["class"] = _HOST
    return hosts


def without_closed_menus(top: Sequence[Node]) -> list[Node]:
    """
    `top` without the frames of menus that are closed: they show no menu. What a long menu has scrolled away is taken out of
    the others, too.
    """
    return [node for node in top if node.attributes.get("class") != _HOST or _cut_to_view(node)]


def _cut_to_view(host: Node) -> bool:
    """Whether it shows a menu, whose entries are cut at the edges of what holds it."""
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
    """The menus that are shown, and what holds each of them."""
    stack = [host]
    while stack:
        node = stack.pop()
        for child in node.children:
            if child.role in _MENUS and child.showing and child.box is not None:
                yield node, child
            else:
                stack.append(child)
