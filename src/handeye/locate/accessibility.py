"""Finding a target in the accessibility tree: by text, description, id, role or path."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from handeye.elements import UIElement
from handeye.errors import HandeyeError, LocateError
from handeye.geometry import Box
from handeye.locate.base import Match
from handeye.locate.relate import counts_lines, narrow
from handeye.locate.tree import Tree, seen_box
from handeye.locate.tree_drawn import shows
from handeye.locate.tree_names import Found, by_icon, by_place, by_words, with_role
from handeye.locate.tree_path import id_matches, select
from handeye.locate.tree_roles import ANYTHING, Fit, fit
from handeye.locate.tree_series import countable
from handeye.ocr.base import TextReader
from handeye.perceive.base import KeepingProvider, StateProvider
from handeye.roles import role_named
from handeye.screen import Screen
from handeye.target import LocateResult, Relation, RelationKind, Target

_log = logging.getLogger(__name__)

# Finds closer in confidence than this are equally good: they differ in how the words were written, not in what they mean.
TIE: Final = 0.04
# A target that says itself which of several places is meant (by neighbours) is chosen from the less sure ones too.
_LEAST_OF_SEVERAL: Final = 0.5
# Of elements that nothing but their role names: the platform's own word, or what a person may call so. Of people's expressions
# that name a role and a place, 88 % are right for pictures and buttons, and all 14 for controls that nobody mistakes.
_ROLE_ONLY: Final = {Fit.STRICT: 0.78, Fit.LOOSE: 0.65}
# More things than this of one name are not looked through one by one for what is counted in them.
_MOST_HOLDERS: Final = 8
# A click on something covered goes elsewhere; a box in which nothing is drawn is of another moment, or a lie; of several kinds
# of pictures nobody knows which are counted. All stay below the chain's LEAST_CONFIDENCE: told, and never clicked.
_DOUBTED: Final = 0.4
# What nothing on the frame confirms is not sure (cache.LEAST_SURE): a tree may be of another moment than the frame.
_UNCONFIRMED: Final = 0.79
# More places than this are not read one by one; none of them is chosen anyway.
_MOST_READ: Final = 8
# Two elements that share so much, and whose middles are no more than a cell (in pixels) or two apart, are one place to click.
_SAME_BOX: Final = 0.7
_CELL: Final = 64
# More places than this are no screen that a person has in view.
MOST_PLACES: Final = 500
# Pixels of one colour, but for the noise of a JPEG.
_FLAT: Final = 8


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
        found = _inside(target, _search(tree, target), screen)
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
    if not words and role == ANYTHING and any(_in_menu(each) for each in target.relations):
        role = "menu item"
    if not words or (address and not target.text):
        return _by_role(tree, pool, role, target, address)
    role = None if role == ANYTHING else role
    named = by_words(words, pool, exact=target.exact)
    found = with_role(tree, role, named) if role else named
    if not target.exact:
        found += by_icon(tree, words, pool, role)
    if not found and (target.relations or target.position) and target.ordinal is None:
        return by_place(tree, words, pool, role)
    return found


def _in_menu(relation: Relation) -> bool:
    return relation.kind is RelationKind.IN and relation.anchor.role == "menu"


def _by_role(tree: Tree, pool: Sequence[UIElement], role: str | None, target: Target, address: str) -> list[Found]:
    if address:
        return [Found(each, 1.0, address) for each in pool if role is None or fit(tree, each, role)]
    if role is None:
        return []
    fits = [(each, fit(tree, each, role)) for each in pool]
    least = Fit.LOOSE if target.chooses else Fit.STRICT  # of a kind alone, nothing bears out that another is meant
    found = [Found(each, _ROLE_ONLY[suits], f"the role {role}") for each, suits in fits if suits >= least]
    if target.ordinal is None and not any(map(counts_lines, target.relations)):
        return found
    counted = _counted(tree, role, target, [each for each, suits in fits if suits is Fit.STRICT])
    if not counted:
        return [replace(each, confidence=_DOUBTED, evidence=f"{each.evidence}, of several kinds") for each in found]
    kept = set(map(id, counted))
    return [each for each in found if id(each.element) in kept]


def _counted(tree: Tree, role: str, target: Target, strict: Sequence[UIElement]) -> list[UIElement] | None:
    """Those that a person counts: of all, or of those in what the target is said to be in; None where it cannot be told."""
    lines = tuple(each for each in target.relations if counts_lines(each))
    others = [each for each in target.relations if not counts_lines(each)]
    bare, screen = replace(target, relations=lines, colour=None), tree.state.screen
    known_alone = all(each.kind is RelationKind.IN for each in others)

    def chosen(places: Sequence[UIElement]) -> object:
        if not known_alone:
            return len(places)
        return [each.bbox for each in narrow(bare, Match(tuple(places)), screen, _nowhere).elements]

    parts = [list(strict)]
    for anchor in (each.anchor for each in others if each.kind is RelationKind.IN):
        parts = [inner for part in parts for inner in _parts(tree, anchor, part)]
    first = (target.ordinal or 0) > 0 and not target.relations
    counted = [countable(tree, role, part, chosen, from_first=first) for part in parts]
    sets = {frozenset(map(id, each)) if each else None for each in counted}
    return counted[0] if len(sets) == 1 else None  # two things are so called, and other things are counted in each


def _parts(tree: Tree, anchor: Target, elements: list[UIElement]) -> list[list[UIElement]]:
    """The elements in each of the things that an anchor may be; all, where nothing is in any."""
    found = _search(tree, anchor)
    least = max((each.confidence for each in found), default=0.0) - TIE
    holders = [each.element for each in found if each.confidence >= least][:_MOST_HOLDERS]
    parts = [
        [each for each in elements if tree.holds(holder, each)]
        or [each for each in elements if each is not holder and seen_box(holder).contains(each.center)]
        for holder in holders
    ]
    return [part for part in parts if part] or [elements]


def _nowhere(anchor: Target) -> LocateResult:
    return LocateResult(False, None, "none", looked=False)


def _inside(target: Target, found: list[Found], screen: Screen) -> list[Found]:
    if target.region is None:
        return found
    within = target.region.box(screen.size)
    return [each for each in found if within.contains(each.element.center)]


def _one_place_each(tree: Tree, found: list[Found]) -> list[Found]:
    """The finds without those that are the same place as a better one before them."""
    if len(found) > MOST_PLACES:
        raise LocateError(f"it fits {len(found):,} elements of the tree, more than {MOST_PLACES}: say more about it")
    places: list[Found] = []
    known = _Known(tree)
    for each in found:
        at = known.place_of(each.element)
        if at is None:
            known.add(each.element, len(places))
            places.append(each)
        elif each.confidence >= places[at].confidence - TIE and _tells_more(tree, each.element, places[at].element):
            places[at] = replace(each, confidence=places[at].confidence)
    return places


class _Known:
    """The elements that are one place: nearly one box, the same control, or one nested in the other around one point."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._places: dict[object, int] = {}
        self._inside: dict[int, list[tuple[UIElement, int]]] = {}
        self._by_middle: dict[tuple[int, int], list[tuple[Box, int]]] = {}

    def add(self, element: UIElement, place: int) -> None:
        for key in self._keys(element):
            self._places.setdefault(key, place)
        for above in self._tree.ancestors(element):
            self._inside.setdefault(id(above), []).append((element, place))
        middle = element.center
        self._by_middle.setdefault((middle.x // _CELL, middle.y // _CELL), []).append((seen_box(element), place))

    def place_of(self, element: UIElement) -> int | None:
        for key in self._keys(element):
            if key in self._places:
                return self._places[key]
        for above in self._tree.ancestors(element):
            if id(above) in self._places and seen_box(above).contains(element.center):
                return self._places[id(above)]
        for inner, place in self._inside.get(id(element), ()):
            if seen_box(inner).contains(element.center):
                return place
        return self._same_box(element)

    def _same_box(self, element: UIElement) -> int | None:
        middle, box = element.center, seen_box(element)
        column, line = middle.x // _CELL, middle.y // _CELL
        for cell in itertools.product((column - 1, column, column + 1), (line - 1, line, line + 1)):
            for other, place in self._by_middle.get(cell, ()):
                if box.iou(other) >= _SAME_BOX:
                    return place
        return None

    def _keys(self, element: UIElement) -> Iterator[object]:
        yield id(element)
        if (control := self._tree.control_of(element)) is not None:
            yield "control", id(control)


def _tells_more(tree: Tree, one: UIElement, other: UIElement) -> bool:
    """Return True if the words stand on `one` itself, and `other` only repeats them: of two that carry them, the inner one."""
    if bool(one.text) != bool(other.text):
        return bool(one.text)
    return bool(one.text) and any(above is other for above in tree.ancestors(one))


def _best(target: Target, found: list[Found]) -> list[Found]:
    top = found[0].confidence
    least = min(top - TIE, _LEAST_OF_SEVERAL) if target.relations else top - TIE
    return [each for each in found if each.confidence >= least]


def _settled(tree: Tree, found: list[Found], screen: Screen | None, reader: TextReader | None) -> Match:
    """The finds as elements: those that can be used first, and when there are any, only those."""
    judged = [_judged(tree, each, screen, reader if place < _MOST_READ else None) for place, each in enumerate(found)]
    usable = [pair for pair in judged if pair[0].reliable] or judged
    enabled = [pair for pair in usable if pair[0].enabled is not False] or usable
    notes = enabled[0][1] + (f", {len(enabled)} times" if len(enabled) > 1 else "")
    return Match(tuple(element for element, _ in enabled), notes)


def _judged(tree: Tree, found: Found, screen: Screen | None, reader: TextReader | None) -> tuple[UIElement, str]:
    element, note, confidence, reliable = found.element, found.evidence, found.confidence, True
    labelled = replace(element, label_box=found.label)
    cover = tree.cover_of(element, labelled.center)
    if cover:
        confidence, reliable = confidence * _DOUBTED, False
        note += f"; covered by {_called(cover)}, so a click would not reach it"
    drawn, said = (
        shown_there(screen, element, None if cover else reader, found.label) if screen is not None else (None, "")
    )
    note += said
    if drawn is False:
        confidence, reliable = confidence * _DOUBTED, False
    elif drawn is None and reliable:
        confidence = min(confidence, _UNCONFIRMED)
    if element.enabled is False:
        note += "; it is disabled"
    return replace(labelled, confidence=confidence, reliable=reliable), note


def shown_there(
    screen: Screen, element: UIElement, reader: TextReader | None, label: Box | None = None
) -> tuple[bool | None, str]:
    """
    Return False where the frame shows a plain area or another text in place of an element of the tree, True where it shows its
    text, None where that cannot be told; and a note. The text is read in `label`, by default where the element is seen.
    """
    if screen.is_protected:  # its app forbids pictures: that nothing is drawn there says nothing
        return None, ""
    if (element.text or element.description) and _is_flat(screen, element):
        return False, "; nothing is drawn where the tree says it stands: the tree may be of another moment"
    if reader is None:
        return None, ""
    try:
        drawn = shows(reader, screen, element, label or seen_box(element))
    except HandeyeError as error:  # the tree was read: its answer is only less sure
        _log.warning("an element of the tree could not be compared with the frame: %s", error)
        return None, f"; not compared with the frame: {error}"
    other = f"; the frame shows another text than {element.text[:60]!r} there: the tree may be of another moment"
    return drawn, other if drawn is False else ""


def _called(element: UIElement) -> str:
    name = element.text or element.description or str(element.metadata.get("id", ""))
    return f"the {element.element_type} {name[:60]!r}" if name else f"a {element.element_type} without a name"


def _is_flat(screen: Screen, element: UIElement) -> bool:
    box = seen_box(element).clip(screen.size)
    pixels = screen.pixels[box.top : box.bottom, box.left : box.right]
    return bool(np.all(np.ptp(pixels, axis=(0, 1)) <= _FLAT))
