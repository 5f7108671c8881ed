"""Match names with the elements of a tree: by their words, by an icon's id, by the label next to them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cache
from typing import Final, TypeAlias

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.locate.chain import LEAST_CONFIDENCE
from handeye.locate.geometry import place_distance
from handeye.locate.icon_names import concepts, contradicts, coverage, id_tokens, names_drawing
from handeye.locate.ranker.candidates import LARGEST_CONTROL
from handeye.locate.sources.tree_index import Tree, seen_box
from handeye.perceive import IN_TAB_BAR
from handeye.roles import role_of, role_of_class
from handeye.target import RelationKind, Step, steps_of
from handeye.text import LAYERS, TextLine, TextMatch, match_text

# Selection by an XPath-like path; see handeye.target.node_path for the grammar.


def id_matches(element: UIElement, wanted: str) -> bool:
    """Return True if the element's id is `wanted`: all of it (`com.x:id/ok`), or the part after its last "/"."""
    known = str(element.metadata.get("id", ""))
    return bool(known) and wanted in (known, known.rpartition("/")[2])


def select(tree: Tree, path: str) -> list[UIElement]:
    """Return the elements at the path, in the tree's order. Raises UsageError, with the position, for an invalid path."""
    steps = steps_of(path)
    if not steps[0].deep and steps[0].name == "hierarchy" and len(steps) > 1:
        steps = steps[1:]
    parents: list[UIElement | None] = [None]
    for step in steps:
        found: dict[int, UIElement] = {}
        for parent in _outermost(tree, parents) if step.deep else parents:
            for group in _groups(tree, parent, step.deep):
                for element in _select_siblings(step, group):
                    found[id(element)] = element
        parents = [element for element in tree.elements if id(element) in found]
    return [element for element in parents if element is not None]


def _groups(tree: Tree, parent: UIElement | None, deep: bool) -> Iterable[list[UIElement]]:
    """Return the lists of siblings among which a step searches."""
    yield tree.children(parent)
    if deep:
        below = tree.elements if parent is None else tree.descendants(parent)
        for element in below:
            if children := tree.children(element):
                yield children


def _outermost(tree: Tree, parents: list[UIElement | None]) -> list[UIElement | None]:
    """Return the parents that are inside no other: a deep step from these covers the others, too."""
    known = {id(parent) for parent in parents if parent is not None}
    return [
        parent
        for parent in parents
        if parent is None or not any(id(above) in known for above in tree.ancestors(parent))
    ]


def _select_siblings(step: Step, siblings: list[UIElement]) -> list[UIElement]:
    chosen = [element for element in siblings if _is_named(element, step.name)]
    for predicate in step.predicates:
        if isinstance(predicate, int):
            at = len(chosen) - 1 if predicate < 0 else predicate - 1
            chosen = chosen[at : at + 1] if chosen else []
        else:
            chosen = [element for element in chosen if predicate(element)]
    return chosen


def _is_named(element: UIElement, name: str) -> bool:
    if name == "*":
        return True
    cls = str(element.metadata.get("class", "")).casefold()
    if name in (cls, cls.rpartition(".")[2]):
        return True
    return "." not in name and element.element_type in (name, role_of(name), role_of_class(name))


# Fit of elements and roles. Platforms and people use different words: a clickable LinearLayout is a button for its user, an
# ImageButton an icon. So there are two degrees: the platform's own role, and a role that a person may use.


class Fit(IntEnum):
    """Degrees to which an element fits a role."""

    NONE = 0
    LOOSE = 1  # a person may use this role for it
    STRICT = 2  # the platform's own role


# Roles that are the same for a person.
_SAME: Final[dict[str, frozenset[str]]] = {
    "button": frozenset({"button", "split button"}),
    "icon": frozenset({"icon", "image", "button"}),
    "image": frozenset({"image", "icon", "video", "map"}),
    "text": frozenset({"text", "heading"}),
    "heading": frozenset({"heading", "title bar"}),
    "list item": frozenset({"list item", "cell", "tree item", "table row"}),
    "table row": frozenset({"table row", "list item", "tree item"}),
    "column": frozenset({"header item"}),
}
# Roles that people may confuse with it.
_MAYBE: Final[dict[str, frozenset[str]]] = {
    "checkbox": frozenset({"switch", "radio"}),
    "radio": frozenset({"checkbox"}),
    "switch": frozenset({"checkbox"}),
    "input": frozenset({"combo box", "spinner"}),
    "combo box": frozenset({"input", "button", "spinner"}),
    "spinner": frozenset({"input", "combo box"}),
    "heading": frozenset({"text"}),
}
# The role for any element, and the roles of elements that can be pressed.
ANYTHING: Final = "item"
_PRESSED: Final = frozenset({"button", "link", "tab", "menu item", "menu", "list item", "table row", "item", "card"})
# Controls whose role is unambiguous; people use many names for pictures and buttons.
UNMISTAKABLE: Final = frozenset(
    {"checkbox", "radio", "switch", "input", "slider", "combo box", "spinner", "tab", "link"}
)
PICTURES: Final = frozenset({"icon", "image"})
ROWS: Final = frozenset({"list item", "table row"})
FIELDS: Final = frozenset({"input", "combo box", "spinner"})
# Largest share of the screen of a control, and of a picture: a larger one is a page or a background.
_PAGE: Final = 0.5
_BACKGROUND: Final = 0.8
# A picture with a larger aspect ratio is a shadow or a line.
_STRIP: Final = 10
# The class of plain boxes: dividers, shadows, spacers.
_PLAIN_VIEWS: Final = frozenset({"View", "android.view.View"})


def fit(tree: Tree, element: UIElement, role: str) -> Fit:
    """Return how well `element` fits `role`; an unknown role must be the platform's own word."""
    kind = "tab" if role == "tab" and element.metadata.get(IN_TAB_BAR) else element.element_type
    share = tree.share(element)
    if share > _BACKGROUND if role in PICTURES else share > _PAGE and role in _PRESSED:
        return Fit.NONE
    box = seen_box(element)
    strip = max(box.width, box.height) > _STRIP * min(box.width, box.height)
    if role in PICTURES and (
        strip or element.text or tree.children(element) or (role == "icon" and share > LARGEST_CONTROL)
    ):
        return Fit.NONE
    if kind in _SAME.get(role, (role,)):
        return Fit.STRICT
    if role in PICTURES:
        drawn = kind == "element" and element.metadata.get("class") not in _PLAIN_VIEWS
        return Fit.LOOSE if drawn or element.interactive else Fit.NONE
    # Words on a control are not a separate item; the control is.
    is_text = element.text and (role == "text" or (role == ANYTHING and tree.control_of(element) is None))
    pressed = role in _PRESSED and (element.interactive or (kind in PICTURES and role in ("button", ANYTHING)))
    # The id may tell the role of a custom control: `wifiSwitch`.
    by_id = role in UNMISTAKABLE and role in map(role_of, id_tokens(str(element.metadata.get("id", ""))))
    return Fit.LOOSE if is_text or pressed or by_id or kind in _MAYBE.get(role, ()) else Fit.NONE


# Factor of the confidence compared with words on a control of the requested role: for a loose fit, for a label next to the
# control, for a part of a control with another name, or for a programmer's name. Applied twice for another role.
PENALTY: Final = 0.85
# Controls without words: their labels are next to them.
_WORDLESS: Final = PICTURES | {"switch", "checkbox", "radio", "slider", "input", "spinner", "combo box", "progress bar"}
# The controls of a role without words, each with the ids of its ancestors.
_Controls: TypeAlias = list[tuple[UIElement, set[int]]]


@dataclass(frozen=True, slots=True)
class Found:
    """
    An element with the confidence (0-1) that it is meant, the evidence, and the box of its label if that is elsewhere.
    """

    element: UIElement
    confidence: float
    evidence: str
    label: Box | None = None


def by_words(wanted: str, pool: Iterable[UIElement], *, exact: bool) -> list[Found]:
    """Return the elements whose text or description is `wanted`, by the rules of match_text."""
    matched = cache(lambda words: _match(wanted, words, exact))
    found: list[tuple[tuple[float, int], Found]] = []
    for element in pool:
        matches = [match for words in (element.text, element.description) if (match := matched(words))]
        if matches:
            best = max(matches, key=_fits)
            kind = "text" if best.line.text == element.text else "description"
            note = f"{best.layer} match with the {kind} {best.line.text[:60]!r}"
            found.append((_fits(best), Found(element, best.confidence, note)))
    # As in match_text: if one fits better, the others have another name.
    top = max((fits for fits, _ in found), default=None)
    return [each for fits, each in found if fits == top]


def _fits(match: TextMatch) -> tuple[float, int]:
    """Return the sort key of a match: its confidence, then its layer."""
    return match.confidence, -LAYERS.index(match.layer)


def _match(wanted: str, words: str, exact: bool) -> TextMatch | None:
    """
    Return the match of a single name: a tree, unlike OCR, does not split or join texts. A link inside a sentence has no
    node.
    """
    lines = (TextLine(words, Box(0, 0, len(words), 1), 1.0),)
    match = next(iter(match_text(wanted, lines, exact=exact)), None) if words.strip() else None
    return None if match is None or match.layer == "title" else match


def with_role(tree: Tree, role: str, named: Sequence[Found]) -> list[Found]:
    """Return the matches as controls of that role: the element itself, one that it is a part of, or one next to it."""
    controls = None
    if named and role in _WORDLESS:  # a text typed into a field is not its name
        free = [each for each in tree.shown if role in FIELDS or not (each.text or each.description)]
        controls = [(each, set(map(id, tree.ancestors(each)))) for each in free if fit(tree, each, role)]
    return [control for found in named for control in _as_role(tree, role, found, controls)]


def _as_role(tree: Tree, role: str, found: Found, controls: _Controls | None) -> list[Found]:
    element = found.element
    if role in ROWS and element.element_type in FIELDS:
        return []  # a text in a search field, typed to find the row
    suits = fit(tree, element, role)
    if suits is Fit.STRICT:
        return [found]
    for above in tree.ancestors(element) if role != "menu" else ():  # words in a menu name an entry of it
        if above.interactive and fit(tree, above, role) is Fit.STRICT:
            note = f"{found.evidence}, on the {role} around it"
            sure = PENALTY if above.text and above.text != element.text else 1.0
            return [Found(above, found.confidence * sure, note, seen_box(element))]
    if suits is Fit.LOOSE:
        return [replace(found, confidence=found.confidence * PENALTY)]
    if controls is not None:  # the text is never the control itself: a switch, a picture
        beside, sure = _next_to_label(tree, role, element, controls), found.confidence * PENALTY
        return [Found(each, sure, f"the {role} beside: {found.evidence}", seen_box(element)) for each in beside]
    return [replace(found, confidence=found.confidence * PENALTY**2, evidence=f"{found.evidence}; no {role}")]


def _next_to_label(tree: Tree, role: str, label: UIElement, controls: _Controls) -> list[UIElement]:
    """Return the controls in the label's row: below the nearest ancestor that has any, or in a flat list by position."""
    for above in tree.ancestors(label):
        if inside := [each for each, around in controls if id(above) in around]:
            return inside if len(inside) == 1 else _nearest(label, inside)
    everywhere = [] if tree.layered else [each for each, _ in controls]
    return _nearest(label, everywhere) or (_nearest(label, everywhere, over=True) if role in PICTURES else [])


def _nearest(label: UIElement, others: Sequence[UIElement], *, over: bool = False) -> list[UIElement]:
    """
    Return those of `others` nearest to the label in its row, or directly above it: within a line's height of the nearest.
    """
    box, kind = seen_box(label), RelationKind.BEFORE if over else RelationKind.BESIDE
    fits = [(place_distance(kind, seen_box(each), box, loose=over), each) for each in others if each is not label]
    least = min((distance for distance, _each in fits if distance is not None), default=0.0)
    return [each for distance, each in fits if distance is not None and distance <= least + box.height]


def by_icon(tree: Tree, wanted: str, pool: Iterable[UIElement], role: str | None) -> list[Found]:
    """
    Return the elements whose description or id has the meaning of `wanted` in a programmer's words; the more other words,
    the lower the confidence.
    """
    found: list[Found] = []
    for element in pool:
        described, name = element.description, str(element.metadata.get("id", ""))
        names = tuple(filter(None, (described, name)))
        share = max(coverage(wanted, (described,)), coverage(wanted, (name,)) * (PENALTY if described else 1.0))
        suits = fit(tree, element, role or "icon")
        # The id of a loose fit may name what it leads to; its description is its name for people.
        other = suits is Fit.LOOSE and concepts(described) and not concepts(described) & concepts(wanted)
        if share >= LEAST_CONFIDENCE and suits and not other and not contradicts(wanted, (described,)):
            sure = (1 + share) / 2 * (PENALTY if role else PENALTY**2)
            found.append(Found(element, sure, f"{' '.join(names)[:60]!r} says {wanted[:60]!r}"))
    return found


def by_place(tree: Tree, wanted: str, pool: Iterable[UIElement], role: str | None) -> list[Found]:
    """
    Return every element that may be a drawing without a name: "the bell to the right of ..." is identified by its
    neighbour. Elements with another name, or with a text in or on them, are excluded.
    """
    role = role or ("icon" if names_drawing(wanted) else None)
    if role not in PICTURES | {"button"}:
        return []
    note = f"nothing in the tree says {wanted[:60]!r}; the {role} is told by its place"
    return [
        Found(each, PENALTY**3, note)
        for each in pool
        if fit(tree, each, role) is Fit.STRICT
        and not (each.text or any(below.text for below in tree.descendants(each)))
        and not contradicts(wanted, (each.description, str(each.metadata.get("id", ""))))
    ]
