"""Accessibility strategy: find a target in the tree by text, description, id, role or path."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from handeye.elements import UIElement
from handeye.errors import LocateError
from handeye.locate.base import Match
from handeye.locate.chain import LEAST_CONFIDENCE
from handeye.locate.relations import RELATION_TIE, reading_order
from handeye.locate.sources.tree_index import Tree, seen_box
from handeye.locate.sources.tree_matching import (
    ANYTHING,
    PENALTY,
    UNMISTAKABLE,
    Fit,
    Found,
    by_icon,
    by_place,
    by_words,
    fit,
    id_matches,
    select,
    with_role,
)
from handeye.locate.sources.tree_text_check import compare_with_frame
from handeye.models import UNCONFIRMED_MOST
from handeye.ocr import TextReader
from handeye.perceive import CachingProvider, StateProvider
from handeye.roles import role_named
from handeye.screen import Screen
from handeye.target import RelationKind, Target

Choose = Callable[[Sequence[UIElement]], object]

# Roles of elements that are repeated in their container; their size depends on their content, and Windows gives each an id.
_ROWS: Final = frozenset({"list item", "table row", "tree item", "cell", "header item", "tab", "menu item", "menu"})
# Roles of texts, whose height is that of their letters.
_TEXTS: Final = frozenset({"text", "heading"})
# Tolerance of aligned edges: scaled desktops round to whole pixels, and forms are laid out by hand.
_UNEVEN_PX: Final = 2


def countable(
    tree: Tree, role: str, elements: Sequence[UIElement], choose: Choose, *, ordinal: int = 0
) -> Sequence[UIElement]:
    """
    Return those of `elements` that a person counts ("the second image" is that of a list, not of the whole page); none if
    unclear.

    They are copies built from one layout, with the same class and id, and take at least twice the area of other groups.
    Without an id they share the edges of a row or column, or of connected rows and columns; other elements of their class
    may be counted or not, so `choose`, which returns the element meant, must return the same for both. `ordinal`: the whole
    screen is counted from its beginning, or for a negative one from its end; if elements before them are larger or repeated
    more often, the result is empty.
    """
    if role in UNMISTAKABLE or len(elements) < 2:
        return elements
    groups: dict[object, list[UIElement]] = defaultdict(list)
    for element in elements:
        groups[_layout(tree, element)].append(element)
    kind = series = _dominant_group(list(groups.values()))
    if kind and kind[0].element_type not in _ROWS and not kind[0].metadata.get("id"):
        series = _dominant_group(_in_line(kind))
        split = len(series) < len(kind) and kind[0].element_type in _TEXTS
        if split or choose(series) != choose(kind):
            return ()
    if not series:
        return ()
    boxes = [seen_box(each) for each in series]
    top, bottom = min(box.top for box in boxes), max(box.bottom for box in boxes)
    largest = max(box.area for box in boxes)
    for each in elements:
        box, times = seen_box(each), len(groups[_layout(tree, each)])
        is_before = (ordinal > 0 and box.bottom <= top) or (ordinal < 0 and box.top >= bottom)
        if is_before and (box.area > largest or times > len(series)):
            return ()
    return series


def _dominant_group(groups: Sequence[list[UIElement]]) -> list[UIElement]:
    """Return the group of several elements with at least twice the area of every other one; empty if there is none."""
    several = [each for each in groups if len(each) > 1] or [[]]
    most, *others = sorted(several, key=_total_area, reverse=True)
    return most if not others or _total_area(most) >= 2 * _total_area(others[0]) else []


def _total_area(elements: Sequence[UIElement]) -> int:
    return sum(seen_box(each).area for each in elements)


def _in_line(elements: Sequence[UIElement]) -> list[list[UIElement]]:
    """Return the elements grouped by the rows and columns whose edges they share, in their given order."""
    left, lines = list(enumerate(elements)), []
    while left:
        line = [left.pop(0)]
        for _at, one in line:  # grows meanwhile
            near = {at for at, each in left if _share_edges(one, each)}
            line += [each for each in left if each[0] in near]
            left = [each for each in left if each[0] not in near]
        lines.append([elements[at] for at, _each in sorted(line, key=lambda each: each[0])])
    return lines


def _share_edges(one: UIElement, other: UIElement) -> bool:
    """Return True for the same edges of a column, or, except for texts, of a row."""
    mine, its = seen_box(one), seen_box(other)
    row = one.element_type not in _TEXTS and abs(mine.top - its.top) <= _UNEVEN_PX >= abs(mine.bottom - its.bottom)
    return row or abs(mine.left - its.left) <= _UNEVEN_PX >= abs(mine.right - its.right)


def _layout(tree: Tree, element: UIElement) -> object:
    """Return a key that copies share: class and container for rows, else class and id."""
    kind = element.metadata.get("class")
    if element.element_type not in _ROWS:
        return kind, element.metadata.get("id")
    above = (each for each in tree.ancestors(element) if each.element_type != element.element_type)
    return kind, id(next(above, None))


T = TypeVar("T")

# Maximum matches that are read by OCR one by one; of more none is chosen anyway.
_MOST_READ: Final = 8
# Maximum matches: a screen that a person sees has fewer.
MOST_PLACES: Final = 500


class AccessibilityStrategy:
    """
    Searches among the elements that `provider` reads. Hidden and empty ones never match; enabled ones are preferred.

    A node and its ancestor with the same meaning are one match. A covered element is unreliable; so is a text where the
    frame shows a plain area or, by `reader`, another text: the tree may belong to another moment. An element whose text the
    frame does not confirm is never certain. With `pictured` false, frames have the screen's size but no picture, and are
    not compared. Raises UsageError for an invalid path, and the provider's own errors.
    """

    def __init__(self, provider: StateProvider, reader: TextReader | None = None, *, pictured: bool = True) -> None:
        self._provider = provider
        self._reader = reader if pictured else None
        self._pictured = pictured
        self._tree: Tree | None = None

    @property
    def name(self) -> str:
        return "accessibility"

    @property
    def slow(self) -> bool:
        """True if reading the tree takes seconds, so that template and OCR should run first."""
        return self._provider.slow

    def accepts(self, target: Target) -> str | None:
        if target.path or target.id or target.role or (target.text or target.description or "").strip():
            return None
        return "a picture has no name in a tree"

    def locate(self, target: Target, screen: Screen) -> Match | None:
        tree = self._read(screen)
        within = target.region.box(screen.size) if target.region is not None else None
        found = [each for each in _search(tree, target) if within is None or within.contains(each.element.center)]
        if not found:
            return Match((), f"none of the tree's {len(tree.shown)} elements fits")
        found = _one_place_each(tree, sorted(found, key=lambda each: -each.confidence))
        return _as_match(tree, _best(target, found), screen if self._pictured else None, self._reader)

    def holds(self, outer: UIElement, inner: UIElement) -> bool:
        """See locate.base.Nesting; uses the tree that was read last."""
        tree = self._tree
        return tree is not None and tree.holds(outer, inner)

    def is_over(self, inner: UIElement, outer: UIElement) -> bool:
        """See locate.base.Nesting."""
        tree = self._tree
        return tree is not None and tree.is_over(inner, outer)

    def clear(self) -> None:
        """Drop the cached tree; the next search reads it again."""
        self._tree = None
        if isinstance(self._provider, CachingProvider):
            self._provider.clear()

    def _read(self, screen: Screen) -> Tree:
        state = self._provider.detect(screen)
        tree = self._tree  # another thread may replace it at any time
        if tree is None or tree.state is not state:
            self._tree = tree = Tree(state)
        return tree


def _search(tree: Tree, target: Target) -> list[Found]:
    pool: Sequence[UIElement] = tree.shown
    address = ""
    if target.path:
        shown = set(map(id, tree.shown))
        pool, address = [each for each in select(tree, target.path) if id(each) in shown], f"path {target.path!r}"
    if target.id:
        pool, address = [each for each in pool if id_matches(each, target.id)], f"id {target.id!r}"
    words = (target.text or target.description or "").strip()
    role = (role_named(target.role) or target.role) if target.role else None
    in_menu = any(each.kind is RelationKind.IN and each.anchor.role == "menu" for each in target.relations)
    if not words and role == ANYTHING and in_menu:
        role = "menu item"
    if not words or (address and not target.text):
        return _by_role(tree, pool, role, target, address)
    role = None if role == ANYTHING else role
    named = _limited(by_words(words, pool, exact=target.exact))
    found = with_role(tree, role, named) if role else named
    if not target.exact:
        found += by_icon(tree, words, pool, role)
    if not found and (target.relations or target.position) and target.ordinal is None:
        return by_place(tree, words, pool, role)
    return found


def _by_role(tree: Tree, pool: Sequence[UIElement], role: str | None, target: Target, address: str) -> list[Found]:
    if address:
        return [Found(each, 1.0, address) for each in pool if role is None or fit(tree, each, role)]
    if role is None:
        return []
    fits = _limited([(each, suits) for each in pool if (suits := fit(tree, each, role))])
    strict, loose = ([each for each, suits in fits if suits is degree] for degree in (Fit.STRICT, Fit.LOOSE))
    if target.ordinal is not None or any(each.counts_lines for each in target.relations):
        strict, loose = _counted(tree, role, target, strict), []
    elif not target.chooses:
        loose = []  # with a role alone, nothing supports a loose fit
    note = f"the role {role}"
    return [
        *(Found(each, UNCONFIRMED_MOST, note) for each in strict),
        *(Found(each, UNCONFIRMED_MOST * PENALTY, note) for each in loose),
    ]


def _counted(tree: Tree, role: str, target: Target, strict: list[UIElement]) -> list[UIElement]:
    """Return the elements that a person counts, on the screen or in the target's container; none if unclear."""
    parts = [strict]
    for relation in target.relations:
        if relation.kind is RelationKind.IN:
            parts = [inner for part in parts for inner in _elements_per_anchor(tree, relation.anchor, part)]
    ordinal = 0 if target.relations else target.ordinal or 0

    def choose(counted: Sequence[UIElement]) -> object:
        if target.ordinal is None or any(each.kind is not RelationKind.IN for each in target.relations):
            return len(counted)
        at = target.ordinal - (target.ordinal > 0)
        return [id(each) for each in reading_order(counted)[at : at + 1 or None]]

    counted = [countable(tree, role, part, choose, ordinal=ordinal) for part in parts]
    # There may be two such containers, with different elements in each.
    return list(counted[0]) if len({frozenset(map(id, each)) for each in counted}) == 1 else []


def _elements_per_anchor(tree: Tree, anchor: Target, elements: list[UIElement]) -> list[list[UIElement]]:
    """Return the elements in each candidate of an anchor; all elements if none is in any."""
    found = _search(tree, anchor)
    least = max((each.confidence for each in found), default=0.0) - RELATION_TIE
    holders = [each.element for each in found if each.confidence >= least][:_MOST_READ]
    parts = [
        [each for each in elements if tree.holds(holder, each)]
        or [each for each in elements if each is not holder and seen_box(holder).contains(each.center)]
        for holder in holders
    ]
    return [part for part in parts if part] or [elements]


def _limited(found: list[T]) -> list[T]:
    if len(found) > MOST_PLACES:
        raise LocateError(f"it fits {len(found):,} elements of the tree, more than {MOST_PLACES}: say more about it")
    return found


def _one_place_each(tree: Tree, found: list[Found]) -> list[Found]:
    """Return the matches without those at the same place as a better one before them."""
    places: list[Found] = []
    for each in _limited(found):
        same = (at for at, place in enumerate(places) if _is_one_place(tree, each.element, place.element))
        if (at := next(same, None)) is None:
            places.append(each)
        elif each.confidence >= places[at].confidence - RELATION_TIE and _is_more_specific(
            tree, each.element, places[at].element
        ):
            places[at] = replace(each, confidence=places[at].confidence)
    return places


def _is_one_place(tree: Tree, one: UIElement, other: UIElement) -> bool:
    """
    Return True if one control takes the clicks on both, or they contain each other's centers, or one contains the other in
    the tree and its center.
    """
    over, under = seen_box(one).contains(other.center), seen_box(other).contains(one.center)
    nested = (over and tree.holds(one, other)) or (under and tree.holds(other, one))
    return (over and under) or nested or tree.is_one_control(one, other)


def _is_more_specific(tree: Tree, one: UIElement, other: UIElement) -> bool:
    """Return True if `one` has the words itself and `other` only repeats them; if both have them, the inner one."""
    if bool(one.text) != bool(other.text):
        return bool(one.text)
    return bool(one.text) and any(above is other for above in tree.ancestors(one))


def _best(target: Target, found: list[Found]) -> list[Found]:
    """Return the best matches; with relations also less confident ones, since neighbours decide."""
    least = found[0].confidence - RELATION_TIE
    return [each for each in found if each.confidence >= (min(least, LEAST_CONFIDENCE) if target.relations else least)]


def _as_match(tree: Tree, found: list[Found], screen: Screen | None, reader: TextReader | None) -> Match:
    """Return the matches as elements: the usable ones, of these the enabled ones; only candidates if none is usable."""
    judged = [_checked(tree, each, screen, reader if place < _MOST_READ else None) for place, each in enumerate(found)]
    usable = [pair for pair in judged if pair[0].reliable]
    enabled = [pair for pair in usable if pair[0].enabled is not False] or usable
    notes = (enabled or judged)[0][1] + (f", {len(enabled)} times" if len(enabled) > 1 else "")
    doubtful = () if enabled else tuple(element for element, _ in judged)
    return Match(tuple(element for element, _ in enabled), notes, doubtful=doubtful)


def _checked(tree: Tree, found: Found, screen: Screen | None, reader: TextReader | None) -> tuple[UIElement, str]:
    element = replace(found.element, label_box=found.label, confidence=found.confidence)
    if cover := tree.cover_of(found.element, element.center):
        note = f"{found.evidence}; covered by {_description(cover)}, so a click would not reach it"
        return replace(element, reliable=False), note
    drawn, said = compare_with_frame(screen, element, reader, found.label) if screen is not None else (None, "")
    if drawn is None:  # not confirmed by the frame, so not certain: the tree may belong to another moment
        element = replace(element, confidence=min(element.confidence, UNCONFIRMED_MOST))
    disabled = "; it is disabled" if element.enabled is False else ""
    return replace(element, reliable=drawn is not False), found.evidence + said + disabled


def _description(element: UIElement) -> str:
    name = element.text or element.description or str(element.metadata.get("id", ""))
    return f"the {element.element_type} {name[:60]!r}" if name else f"a {element.element_type} without a name"
