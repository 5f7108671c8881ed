"""The elements of a tree that a name means: by the words on them, by an icon's id, by the label beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.locate.icon_words import LEAST_COVERAGE, contradicts, coverage, draws
from handeye.locate.match_text import match_text
from handeye.locate.tree import Tree, seen_box
from handeye.locate.tree_roles import PICTURES, Fit, fit
from handeye.ocr.base import TextLine

# How much surer or less sure than the words' own match a find is.
_OWN_ROLE: Final = 1.0  # the words stand on a control of that role
_ITS_CONTROL: Final = 0.97  # on a part of one
_OTHERWISE_NAMED: Final = 0.9  # on a part of one that has another name itself
_MAYBE_ROLE: Final = 0.92  # on something that a person may call so
_OTHER_ROLE: Final = 0.75  # on something else: the person may be wrong about the role
_NO_SUCH_CONTROL: Final = (
    0.45  # on something else, where the words are no name for the thing itself: a switch, a picture
)
# A control that its label stands beside: in one row of the tree, or only to look at.
_SAME_CARD: Final = 0.85
_BESIDE: Final = 0.75
# Controls that carry no words: their names stand beside them.
_WORDLESS: Final = PICTURES | {"switch", "checkbox", "radio", "slider", "input", "progress bar"}
# An icon whose name says what was asked for and nothing else, and how much less when its id alone says so and its
# description something else, or when nobody asked for an icon.
_ICON: Final = 0.85
_ONLY_ID: Final = 0.8
_NO_PICTURE: Final = 0.85
# In a tree nothing is misread: what differs by more than width, case and marks is another text, unless a person mistyped.
_MISTYPED: Final = frozenset({"folded", "fuzzy"})
_MISTYPED_AT_BEST: Final = 0.7
# What is drawn and not written may be known by its neighbours alone; that is a guess.
_DRAWN: Final = frozenset({"icon", "image", "button"})
_BY_PLACE: Final = 0.6
# Line heights between two names, so that no rule for neighbouring lines joins them.
_APART: Final = 1000
# A row: two boxes that share so much of the lower one's height.
_SAME_ROW: Final = 0.5


@dataclass(frozen=True, slots=True)
class Found:
    """An element, how sure it is that it is meant (0-1), what says so, and where its label stands when that is elsewhere."""

    element: UIElement
    confidence: float
    evidence: str
    label: Box | None = None


def by_words(tree: Tree, wanted: str, pool: Iterable[UIElement], *, exact: bool) -> list[Found]:
    """The elements whose text or description is `wanted`, by the rules of match_text."""
    names = [
        (words, element)
        for element in pool
        for words in dict.fromkeys((element.text, element.description))
        if words.strip()
    ]
    # No reader split or joined these, so each stands on a line far from all others.
    lines = [TextLine(words, Box(0, at * _APART, 1, at * _APART + 1), 1.0) for at, (words, _) in enumerate(names)]
    found: dict[int, Found] = {}
    for match in match_text(wanted, lines, exact=exact):
        words, element = names[match.line.box.top // _APART]
        if id(element) in found:
            continue
        confidence = min(match.confidence, _MISTYPED_AT_BEST) if match.layer in _MISTYPED else match.confidence
        kind = "text" if words == element.text else "description"
        found[id(element)] = Found(element, confidence, f"{match.layer} match with the {kind} {words[:60]!r}")
    return list(found.values())


def with_role(tree: Tree, role: str, named: Sequence[Found]) -> list[Found]:
    """The same finds as the control of that role which each names: itself, what it is a part of, or what stands beside it."""
    return [control for found in named for control in _as_role(tree, role, found)]


def _as_role(tree: Tree, role: str, found: Found) -> list[Found]:
    element = found.element
    suits = fit(tree, element, role)
    if suits is Fit.STRICT:
        return [replace(found, confidence=found.confidence * _OWN_ROLE)]
    for above in tree.ancestors(element):
        if tree.control_of(above) is above and fit(tree, above, role) is Fit.STRICT:
            note = f"{found.evidence}, on the {role} around it"
            sure = _OTHERWISE_NAMED if above.text and above.text != element.text else _ITS_CONTROL
            return [Found(above, found.confidence * sure, note, seen_box(element))]
    if suits is Fit.LOOSE:
        return [replace(found, confidence=found.confidence * _MAYBE_ROLE)]
    sure = _SAME_CARD if tree.layered else _BESIDE
    beside = [
        Found(each, found.confidence * sure, f"the {role} beside: {found.evidence}", seen_box(element))
        for each in (partners(tree, element, role) if role in _WORDLESS else ())
    ]
    less = _NO_SUCH_CONTROL if role in _WORDLESS else _OTHER_ROLE
    return beside or [replace(found, confidence=found.confidence * less, evidence=f"{found.evidence}; no {role}")]


def partners(tree: Tree, label: UIElement, role: str) -> list[UIElement]:
    """The controls of that role in the label's row: below the nearest ancestor that has any, else by their places."""
    for above in tree.ancestors(label):
        inside = [each for each in tree.descendants(above) if each is not label and _is_partner(tree, each, role)]
        if inside:
            return in_row(label, inside) if len(inside) > 1 else inside
    if tree.layered:
        return []
    others = [each for each in tree.shown if each is not label and _is_partner(tree, each, role)]
    return in_row(label, others) or (_above(label, others) if role in PICTURES else [])


def _is_partner(tree: Tree, element: UIElement, role: str) -> bool:
    """Only what has no words of its own needs a label, and a field whose words are what was typed."""
    nameless = not (element.text or element.description) or role in ("input", "dropdown")
    return (
        nameless
        and fit(tree, element, role) is Fit.STRICT
        and element.bbox.intersect(tree.state.screen.box) is not None
    )


def in_row(label: UIElement, others: Sequence[UIElement]) -> list[UIElement]:
    """Of `others` the ones in the label's row that are nearest to it; both sides when equally near."""
    box = seen_box(label)
    row = [each for each in others if _share_of_height(box, seen_box(each)) >= _SAME_ROW]
    if not row:
        return []
    near = min(_gap(box, seen_box(each)) for each in row)
    return [each for each in row if _gap(box, seen_box(each)) <= near + box.height]


def _above(label: UIElement, others: Sequence[UIElement]) -> list[UIElement]:
    """The picture right over its caption."""
    box = seen_box(label)
    over = [
        each
        for each in others
        if 0 <= box.top - seen_box(each).bottom <= box.height
        and seen_box(each).left <= box.center.x < seen_box(each).right
    ]
    return over if len(over) == 1 else []


def by_icon(tree: Tree, wanted: str, pool: Iterable[UIElement], role: str | None) -> list[Found]:
    """The elements whose id or description says in a programmer's words what `wanted` says in a person's."""
    found: list[Found] = []
    for element in pool:
        name = str(element.metadata.get("id", ""))
        described = coverage(wanted, (element.description,)) if element.description else 0.0
        identified = coverage(wanted, (name,)) * (_ONLY_ID if element.description else 1.0) if name else 0.0
        share = max(described, identified)
        if share < LEAST_COVERAGE:
            continue
        pictured = fit(tree, element, role if role in PICTURES else "icon")
        if role is not None and role not in PICTURES and fit(tree, element, role) is Fit.NONE:
            continue
        if pictured is Fit.NONE and (role is None or role in PICTURES):
            continue
        confidence = _ICON * (0.5 + 0.5 * share) * (1.0 if role else _NO_PICTURE)
        said = element.description if described >= identified else name
        found.append(Found(element, confidence, f"{said[:60]!r} says {wanted[:60]!r}"))
    return found


def by_place(tree: Tree, wanted: str, pool: Iterable[UIElement], role: str | None) -> list[Found]:
    """
    Everything that may be the drawn thing which nothing in the tree names: "the bell to the right of ..." is known by its
    neighbour. What is named as something else is not it.
    """
    if role is None and draws(wanted):
        role = "icon"
    if role not in _DRAWN:
        return []
    note = f"nothing in the tree says {wanted[:60]!r}; the {role} is told by its place"
    return [
        Found(each, _BY_PLACE, note)
        for each in pool
        if fit(tree, each, role) is Fit.STRICT
        and not contradicts(wanted, (each.description, str(each.metadata.get("id", ""))))
    ]


def _share_of_height(one: Box, other: Box) -> float:
    shared = min(one.bottom, other.bottom) - max(one.top, other.top)
    return shared / max(1, min(one.height, other.height))


def _gap(one: Box, other: Box) -> int:
    return max(0, other.left - one.right, one.left - other.right)
