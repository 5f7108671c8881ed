"""Finding a target in the accessibility tree: by text, description, id, role or path."""

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
    LESS_SURE,
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
from handeye.locate.sources.tree_text_check import shown_there
from handeye.models import UNCONFIRMED_MOST
from handeye.ocr import TextReader
from handeye.perceive import KeepingProvider, StateProvider
from handeye.roles import role_named
from handeye.screen import Screen
from handeye.target import RelationKind, Target

# Elements that a person counts: "the second image" is the second picture of a list, not of everything that is drawn.


Choose = Callable[[Sequence[UIElement]], object]

# What is one of several by its very role, in what holds it; its size follows from what it holds, and Windows gives each an id.
_ROWS: Final = frozenset({"list item", "table row", "tree item", "cell", "header item", "tab", "menu item", "menu"})
# As high as their letters, whatever they are to each other.
_TEXTS: Final = frozenset({"text", "heading"})
# Scaled desktops round edges of one line to whole pixels, and forms are laid out by hand.
_UNEVEN_PX: Final = 2


def countable(
    tree: Tree, role: str, elements: Sequence[UIElement], choose: Choose, *, ordinal: int = 0
) -> Sequence[UIElement]:
    """
    Those of `elements` that a person counts; none when it cannot be told which.

    They are copies of one another: an app builds them from one layout, with the same class and id. What takes twice the room of
    others catches the eye. Without an id they have the edges of one row or column, or of rows and columns that meet; others of
    their class may be counted or not, so `choose`, which returns what is meant of those counted, must say the same of both.
    `ordinal`: all of the screen is counted from its beginning, or for a negative one from its end: what stands before them
    there, and is larger or more often repeated, would be counted, too.
    """
    if role in UNMISTAKABLE or len(elements) < 2:
        return elements
    groups: dict[object, list[UIElement]] = defaultdict(list)
    for element in elements:
        groups[_layout(tree, element)].append(element)
    kind = series = _most(list(groups.values()))
    if kind and kind[0].element_type not in _ROWS and not kind[0].metadata.get("id"):
        series = _most(_in_line(kind))
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


def _most(groups: Sequence[list[UIElement]]) -> list[UIElement]:
    """The group of several that takes twice the room of each other one; nothing where none does."""
    several = [each for each in groups if len(each) > 1] or [[]]
    most, *others = sorted(several, key=_room, reverse=True)
    return most if not others or _room(most) >= 2 * _room(others[0]) else []


def _room(elements: Sequence[UIElement]) -> int:
    return sum(seen_box(each).area for each in elements)


def _in_line(elements: Sequence[UIElement]) -> list[list[UIElement]]:
    """The elements by the rows and columns whose edges they share, in the order they came."""
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
    """Return True for the edges of one column, or for other things than text of one row."""
    mine, its = seen_box(one), seen_box(other)
    row = one.element_type not in _TEXTS and abs(mine.top - its.top) <= _UNEVEN_PX >= abs(mine.bottom - its.bottom)
    return row or abs(mine.left - its.left) <= _UNEVEN_PX >= abs(mine.right - its.right)


def _layout(tree: Tree, element: UIElement) -> object:
    """Return the key that its copies share: the class and what holds them where they are rows, else the class and the id."""
    kind = element.metadata.get("class")
    if element.element_type not in _ROWS:
        return kind, element.metadata.get("id")
    above = (each for each in tree.ancestors(element) if each.element_type != element.element_type)
    return kind, id(next(above, None))


T = TypeVar("T")

# More places than this are not read one by one; none of them is chosen anyway.
_MOST_READ: Final = 8
# More places than this are no screen that a person has in view.
MOST_PLACES: Final = 500


class AccessibilityStrategy:
    """
    Looks among the elements that `provider` reads. Hidden and empty ones never match; enabled ones go first.

    A node and what it is nested in, which mean the same, are one place. What is covered by something else is told and not
    trusted, and so is a text where the frame shows a plain area or another text, when there is a `reader` to tell: the tree may
    be of another moment than the frame. What the frame does not confirm by the same text is found, and never sure.
    With `pictured` false, frames have the screen's size and no picture: nothing is compared with them.
    Raises UsageError for a path that cannot be read, and the provider's own errors.
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
        """True if a look costs seconds, so that template and OCR should go first."""
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
        return _settled(tree, _best(target, found), screen if self._pictured else None, self._reader)

    def holds(self, outer: UIElement, inner: UIElement) -> bool:
        """See locate.base.Nesting: by the tree that was read last."""
        tree = self._tree
        return tree is not None and tree.holds(outer, inner)

    def is_over(self, inner: UIElement, outer: UIElement) -> bool:
        """See locate.base.Nesting."""
        tree = self._tree
        return tree is not None and tree.is_over(inner, outer)

    def clear(self) -> None:
        """Forget the tree; the next look reads it anew."""
        self._tree = None
        if isinstance(self._provider, KeepingProvider):
            self._provider.clear()

    def _read(self, screen: Screen) -> Tree:
        state = self._provider.detect(screen)
        tree = self._tree  # another thread may put its own there at any time
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
    named = _few(by_words(words, pool, exact=target.exact))
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
    fits = _few([(each, suits) for each in pool if (suits := fit(tree, each, role))])
    strict, loose = ([each for each, suits in fits if suits is degree] for degree in (Fit.STRICT, Fit.LOOSE))
    if target.ordinal is not None or any(each.counts_lines for each in target.relations):
        strict, loose = _counted(tree, role, target, strict), []
    elif not target.chooses:
        loose = []  # of a kind alone, nothing bears out that another is meant
    note = f"the role {role}"
    return [
        *(Found(each, UNCONFIRMED_MOST, note) for each in strict),
        *(Found(each, UNCONFIRMED_MOST * LESS_SURE, note) for each in loose),
    ]


def _counted(tree: Tree, role: str, target: Target, strict: list[UIElement]) -> list[UIElement]:
    """Those that a person counts: of all, or of those in what the target is said to be in; none where it cannot be told."""
    parts = [strict]
    for relation in target.relations:
        if relation.kind is RelationKind.IN:
            parts = [inner for part in parts for inner in _parts(tree, relation.anchor, part)]
    ordinal = 0 if target.relations else target.ordinal or 0

    def choose(counted: Sequence[UIElement]) -> object:
        if target.ordinal is None or any(each.kind is not RelationKind.IN for each in target.relations):
            return len(counted)
        at = target.ordinal - (target.ordinal > 0)
        return [id(each) for each in reading_order(counted)[at : at + 1 or None]]

    counted = [countable(tree, role, part, choose, ordinal=ordinal) for part in parts]
    # Two things may be so called, and other things are counted in each.
    return list(counted[0]) if len({frozenset(map(id, each)) for each in counted}) == 1 else []


def _parts(tree: Tree, anchor: Target, elements: list[UIElement]) -> list[list[UIElement]]:
    """The elements in each of the things that an anchor may be; all, where nothing is in any."""
    found = _search(tree, anchor)
    least = max((each.confidence for each in found), default=0.0) - RELATION_TIE
    holders = [each.element for each in found if each.confidence >= least][:_MOST_READ]
    parts = [
        [each for each in elements if tree.holds(holder, each)]
        or [each for each in elements if each is not holder and seen_box(holder).contains(each.center)]
        for holder in holders
    ]
    return [part for part in parts if part] or [elements]


def _few(found: list[T]) -> list[T]:
    if len(found) > MOST_PLACES:
        raise LocateError(f"it fits {len(found):,} elements of the tree, more than {MOST_PLACES}: say more about it")
    return found


def _one_place_each(tree: Tree, found: list[Found]) -> list[Found]:
    """The finds without those that are the same place as a better one before them."""
    places: list[Found] = []
    for each in _few(found):
        same = (at for at, place in enumerate(places) if _is_one_place(tree, each.element, place.element))
        if (at := next(same, None)) is None:
            places.append(each)
        elif each.confidence >= places[at].confidence - RELATION_TIE and _tells_more(
            tree, each.element, places[at].element
        ):
            places[at] = replace(each, confidence=places[at].confidence)
    return places


def _is_one_place(tree: Tree, one: UIElement, other: UIElement) -> bool:
    """Return True if one control takes the clicks on both, each has the middle of the other, or one has it that holds it."""
    over, under = seen_box(one).contains(other.center), seen_box(other).contains(one.center)
    nested = (over and tree.holds(one, other)) or (under and tree.holds(other, one))
    return (over and under) or nested or tree.is_one_control(one, other)


def _tells_more(tree: Tree, one: UIElement, other: UIElement) -> bool:
    """Return True if the words stand on `one` itself, and `other` only repeats them: of two that carry them, the inner one."""
    if bool(one.text) != bool(other.text):
        return bool(one.text)
    return bool(one.text) and any(above is other for above in tree.ancestors(one))


def _best(target: Target, found: list[Found]) -> list[Found]:
    """The best finds; where neighbours say which of several places is meant, the less sure ones too."""
    least = found[0].confidence - RELATION_TIE
    return [each for each in found if each.confidence >= (min(least, LEAST_CONFIDENCE) if target.relations else least)]


def _settled(tree: Tree, found: list[Found], screen: Screen | None, reader: TextReader | None) -> Match:
    """The finds as elements: those that can be used, the enabled ones first; candidates alone where none can be used."""
    judged = [_judged(tree, each, screen, reader if place < _MOST_READ else None) for place, each in enumerate(found)]
    usable = [pair for pair in judged if pair[0].reliable]
    enabled = [pair for pair in usable if pair[0].enabled is not False] or usable
    notes = (enabled or judged)[0][1] + (f", {len(enabled)} times" if len(enabled) > 1 else "")
    doubtful = () if enabled else tuple(element for element, _ in judged)
    return Match(tuple(element for element, _ in enabled), notes, doubtful=doubtful)


def _judged(tree: Tree, found: Found, screen: Screen | None, reader: TextReader | None) -> tuple[UIElement, str]:
    element = replace(found.element, label_box=found.label, confidence=found.confidence)
    if cover := tree.cover_of(found.element, element.center):
        note = f"{found.evidence}; covered by {_called(cover)}, so a click would not reach it"
        return replace(element, reliable=False), note
    drawn, said = shown_there(screen, element, reader, found.label) if screen is not None else (None, "")
    if drawn is None:  # what nothing on the frame confirms is not sure: a tree may be of another moment
        element = replace(element, confidence=min(element.confidence, UNCONFIRMED_MOST))
    disabled = "; it is disabled" if element.enabled is False else ""
    return replace(element, reliable=drawn is not False), found.evidence + said + disabled


def _called(element: UIElement) -> str:
    name = element.text or element.description or str(element.metadata.get("id", ""))
    return f"the {element.element_type} {name[:60]!r}" if name else f"a {element.element_type} without a name"
