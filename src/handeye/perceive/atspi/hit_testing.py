"""
Hit test in web pages: find what covers an element of a page, such as a cookie banner or a sticky header.

Chromium draws its pages itself, and no window lies over covered elements. Its document supports hit tests, but answers
late: the first answer is often for an earlier point, and later ones are right.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final

from handeye.geometry import Point
from handeye.perceive.atspi.calls import Caller
from handeye.perceive.atspi.chromium import DOCUMENTS
from handeye.perceive.atspi.nodes import TEXT, Node, at_point, read_basics
from handeye.perceive.atspi.protocol import ACCESSIBLE, Question, Ref, numbers_of, ref_from
from handeye.perceive.atspi.scaling import Scaling
from handeye.perceive.atspi.visibility import ancestors_of
from handeye.roles import ATSPI, role_of_class

# The next answer comes after 20 ms, on a busy machine after 100.
_PAUSE_S: Final = 0.05
_ANSWERS: Final = 6
# Smaller elements are invisible fields behind a drawn one: code editors have one of a pixel.
_LEAST_PX: Final = 6

# Roles whose entries are shown in a window of their own.
_OPENING: Final = numbers_of("combo box")
_LABELS: Final = numbers_of("label")
_LINKS: Final = numbers_of("link")
# Roles in which a click has the same effect on any part.
_WHOLES: Final = (
    _LABELS | _LINKS | numbers_of("push button", "toggle button", "menu item", "page tab", "video", "audio")
)
_WORDS: Final = numbers_of("static", "heading", "paragraph", "label", "image", "section")
# Roles of boxes, where a hit test returns a part of them. A drawn switch may lie over a check box.
_BOXES: Final = numbers_of("push button", "toggle button", "combo box", "entry", "text")
_TAGS: Final = frozenset({"button", "input", "select", "textarea"})
# Roles that are clicked on their own text, in whatever shape.
_LETTERED: Final = _LINKS | numbers_of("push button", "toggle button", "menu item", "page tab")
_SCREEN_COORDINATES: Final = 0
_LABELLED_BY: Final = 2
_UNREPORTED: Final = "something that its page does not tell"


async def cover_in_page(caller: Caller, ref: Ref, at: Point, scaling: Scaling) -> str | None:
    """
    Return a description of what covers an element of a page at a point in desktop pixels. Return None if the page shows the
    element, a part of it, its container or its label there, does not answer, or the element is in no page. Raises what
    asking raises.
    """
    own = Node(ref)
    above = await ancestors_of(caller, ref)
    await read_basics(caller, [own, *above])
    caller.check(ref)
    pages = [each.ref for each in above if each.role in DOCUMENTS]
    if not pages or any(each.role in _OPENING for each in above):
        return None
    if own.box is not None and min(own.box.width, own.box.height) < _LEAST_PX:
        return None
    local_point = scaling.told(at)
    for page in dict.fromkeys((pages[0], pages[-1])):  # the innermost page, then the outermost, which may cover it
        found = await _shown_at(caller, page, local_point)
        if found is not None and (cover := await _cover(caller, own, above, found, local_point)) is not None:
            return cover
    return None


async def _shown_at(caller: Caller, page: Ref, at: Point) -> Ref | None:
    """Return the object at a point once two consecutive answers agree; the first answer is ignored."""
    before: Ref | None = None
    for number in range(_ANSWERS):
        pair = await caller.ask(at_point(page, at.x, at.y))
        now = ref_from(pair) if pair is not None else None
        if number > 1 and now == before:
            return now
        before = now
        await asyncio.sleep(_PAUSE_S)
    return None


async def _cover(caller: Caller, own: Node, above: Sequence[Node], found: Ref, at: Point) -> str | None:
    """Return a description of the found object if a click on it would miss the element, else None."""
    holders = {each.ref for each in above}
    if found == own.ref:
        return None
    if found in holders:
        return _UNREPORTED if await _is_hidden_by_its_holder(caller, own, above, found, at) else None
    there = Node(found)
    around = await ancestors_of(caller, found)
    await read_basics(caller, [there, *around])
    chain = [there, *around]
    if any(each.ref == own.ref for each in around) or not there.role_name:
        return None
    if any(each.role in _WHOLES and each.ref in holders for each in around):
        return None
    if own.role in _WORDS and there.role in _LINKS and around and around[0].ref in holders:
        return None  # a card, all of which is a link
    if {each.ref for each in chain} & await _labels(caller, own.ref):
        return None
    return await _called(caller, there)


async def _is_hidden_by_its_holder(caller: Caller, own: Node, above: Sequence[Node], found: Ref, at: Point) -> bool:
    """
    Return True if the container is shown in place of the element: something that the page does not report lies over it.
    """
    between = above[: [each.ref for each in above].index(found) + 1]
    if any(each.role in _WHOLES for each in between):
        return False
    if own.role in _BOXES:
        (attributes,) = await caller.ask_all([Question(own.ref, ACCESSIBLE, "GetAttributes", "a{ss}")])
        if attributes is not None and attributes.get("tag") in _TAGS:
            return True
    return own.role in _LETTERED and await _has_letters_at(caller, own, at)


async def _has_letters_at(caller: Caller, own: Node, at: Point) -> bool:
    """
    Return True if the element's text covers the point: between words and after the end of a line, the page reports
    something else.
    """
    (letter,) = await caller.ask_all(
        [Question(own.ref, TEXT, "GetOffsetAtPoint", "i", "iiu", (at.x, at.y, _SCREEN_COORDINATES))]
    )
    return letter is not None and letter >= 0


async def _labels(caller: Caller, ref: Ref) -> set[Ref | None]:
    (relations,) = await caller.ask_all([Question(ref, ACCESSIBLE, "GetRelationSet", "a(ua(so))")])
    return {ref_from(pair) for kind, targets in relations or () if kind == _LABELLED_BY for pair in targets}


async def _called(caller: Caller, node: Node) -> str:
    name = node.name
    if not name:
        (pairs,) = await caller.ask_all([Question(node.ref, ACCESSIBLE, "GetChildren", "a(so)")])
        name = await _first_name(caller, pairs or ())
    role = role_of_class(node.role_name, ATSPI) or "element"
    return f"the {role} {name[:60]!r}" if name else f"a {role} without a name"


async def _first_name(caller: Caller, pairs: Sequence[Any]) -> str:
    inside = [Node(ref) for pair in pairs[:_ANSWERS] if (ref := ref_from(pair)) is not None]
    await read_basics(caller, inside)
    return next((each.name for each in inside if each.name), "")
