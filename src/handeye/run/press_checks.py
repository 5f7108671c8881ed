"""
Check that the task asks for what is tapped, by the words at the tap point.

The words that a model's plan uses were judged when it was made; the element that is found for them can be another one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from handeye.elements import UIElement
from handeye.errors import HandeyeError
from handeye.geometry import Point
from handeye.locate import LEAST_IRREVERSIBLE, Tree, id_tokens, read_lines
from handeye.plan import (
    ACCOUNT,
    CALLING,
    DELETE,
    PAY,
    POWER,
    ActionName,
    PlanOrigin,
    StepPlan,
    mentions,
    named_acts,
    objections_at,
)
from handeye.run.action_history import ActionHistory
from handeye.run.idempotency import chooses, is_final
from handeye.run.state import RunState, Tools
from handeye.screen import Screen
from handeye.target import LocateResult, Target
from handeye.text import LOW_CONFIDENCE
from handeye.verify import VerifyResult
from handeye.visible import shown

# Sources whose elements carry the text that is on the screen; a model's carry the model's words.
_READ: Final = frozenset({"accessibility", "ocr"})
# The role whose text is content. A combo box's text may be the name of an act that it offers.
_FIELD: Final = "input"


def against_task(
    step: StepPlan,
    element: UIElement,
    point: Point,
    screen: Screen,
    trail: RunState,
    tools: Tools,
    *,
    is_fallback: bool = False,
) -> VerifyResult | None:
    """
    Return the objection of the task to a tap on `element` at `point`, in pixels of `screen`; None without one. Plans of
    templates are written by people and not checked.

    The words are those of the control at that point, by the accessibility tree, else as read from the frame. Raises
    OcrFailed, or a DeviceError of the tree's device.
    """
    if trail.plan is None or trail.plan.origin is PlanOrigin.TEMPLATE:
        return None
    words, role = words_at(element, point, screen, tools)
    evidence = tuple(objections_at(step, words, role, trail.task, may_send=not is_fallback))
    return VerifyResult(False, 0.95, matches_expected=False, evidence=evidence) if evidence else None


def words_at(element: UIElement, point: Point, screen: Screen, tools: Tools) -> tuple[str, str]:
    """
    Return the words and the role of the control at the point: the tree's words with those that are read there, because a tree
    may name a whole page or nothing where the picture shows a button. No words for a field of the tree: its text is content.
    """
    found = [element.text] if element.source in _READ else []
    role = element.element_type
    is_field = element.source == "accessibility" and role == _FIELD
    tree = _tree(tools, screen)
    node = tree.node_at(point) if tree is not None else None
    if tree is not None and node is not None:
        control = tree.control_of(node) or node
        role = control.element_type
        is_field = role == _FIELD
        found += [control.text, control.description, *([] if any(found) else [node.text, node.description])]
        if not any(found):
            found += _texts(tree.descendants(control)) or _beside(tree, control) or [control.metadata.get("id", "")]
    if is_field:
        return "", role
    if tools.reader is not None:
        lines = [line for line in read_lines(tools.reader, screen, element.bbox) if line.confidence >= LOW_CONFIDENCE]
        found += [line.text for line in lines if line.box.contains(point)]
        if not any(found):
            found += [line.text for line in lines]
    return " ".join(dict.fromkeys(filter(None, found))), role


def _tree(tools: Tools, screen: Screen) -> Tree | None:
    if tools.tree is None:
        return None
    try:
        return Tree(tools.tree.detect(screen))
    except HandeyeError:  # the screen moves, or shows no tree: the picture is there
        return None


def _texts(elements: Iterable[UIElement]) -> list[str]:
    return [words for each in elements for words in (each.text, each.description) if words]


def _beside(tree: Tree, control: UIElement) -> list[str]:
    """Return the texts in the innermost group around `control` that has any: the label of a switch in its row."""
    return next((texts for above in tree.ancestors(control) if (texts := _texts(tree.descendants(above)))), [])


# Checks for finds by other words than the target's label: the confidence that they need, and what must be seen there.


_RANKER: Final = "ranker"
_LASTING: Final = (PAY, DELETE, ACCOUNT, CALLING, POWER)
_MOST_OF_LABEL: Final = 80


def is_found_by_ranker(located: LocateResult) -> bool:
    """
    Return True if the ranker found it: its label may differ from the target's words, and its confidence is a probability.
    """
    return located.method_used == _RANKER


def is_sure_if_irreversible(located: LocateResult) -> bool:
    """Return True if the find is confident enough for an irreversible act."""
    element = located.element
    return element is not None and (not is_found_by_ranker(located) or element.confidence >= LEAST_IRREVERSIBLE)


def press_objection(target: Target, located: LocateResult) -> str:
    """
    Return the reason why a press on what was found by other words is not confident enough, where only the target's words and
    the find's own show what the press does; empty if it is.
    """
    element = located.element
    if element is None or is_sure_if_irreversible(located):
        return ""
    own, names = ("", "") if element.element_type == _FIELD else (_own_words(element), _names_of(element))
    if not (_lasts(_said(target)) or any(map(_is_final_by, (_said(target), own, names)))):
        return ""
    return _not_sure(shown(own or names or element.element_type, _MOST_OF_LABEL), element)


def against_other_words(
    step: StepPlan, located: LocateResult, screen: Screen, tools: Tools, deeds: ActionHistory
) -> VerifyResult | None:
    """
    Return the objection to the step's act on what was found by other words, or None. Either the act is irreversible, by the
    words of the step, by what was typed before, or by the words on the control, and the find is not probable enough for that;
    or the find is for what was typed, such as a person's name, which no other name can replace. None for other finds, and
    for steps that touch nothing. Raises OcrFailed, or a DeviceError of the tree's device.
    """
    element = located.element
    touches = step.action.needs_target or step.action is ActionName.INPUT_TEXT
    if element is None or not touches or not is_found_by_ranker(located):
        return None
    names_typed = bool(deeds.draft.text) and step.wanted is not None and chooses(step.wanted, deeds.draft.text.strip())
    if is_sure_if_irreversible(located) and not names_typed:
        return None
    words, names = _words_of(element, screen, tools)
    label = shown(words or names or element.element_type, _MOST_OF_LABEL)
    if names_typed:
        return _refused(f"{label!r} was found for what was typed, and reads otherwise")
    if _asks_for_irreversible(step) or deeds.sends(step) or _is_final_by(words) or _is_final_by(names):
        return _refused(_not_sure(label, element))
    return None


def as_found(target: Target, located: LocateResult) -> Target:
    """
    Return the target that must be seen at the find: the target itself; or the find's own text, without a role, where it was
    found by other words or by the words on a reference picture: the ranker has weighed that already.
    """
    element = located.element
    if element is not None and element.source == "ocr" and "reference" in element.metadata:
        return Target(text=element.text, region=target.region)
    if element is None or not is_found_by_ranker(located):
        return target
    if own := _own_words(element):
        return Target(text=own, region=target.region)
    said = target.phrase or target.description or target.text
    return Target(description=said, region=target.region) if said else target


def _not_sure(label: str, element: UIElement) -> str:
    return (
        f"{label!r} is what the words mean with a probability of {element.confidence:.2f} only, and what cannot be taken "
        f"back needs {LEAST_IRREVERSIBLE}: say its label"
    )


def _refused(why: str) -> VerifyResult:
    return VerifyResult(False, LEAST_IRREVERSIBLE, matches_expected=False, evidence=(why,))


def _words_of(element: UIElement, screen: Screen, tools: Tools) -> tuple[str, str]:
    """Return the words on a control, and its names: its icon's and its id's. Empty for a field, which holds content."""
    seen, role = words_at(element, element.center, screen, tools)
    if _FIELD in (role, element.element_type):
        return "", ""
    return seen or _own_words(element), _names_of(element)


def _names_of(element: UIElement) -> str:
    """Return the label next to an element, what its icon shows, and the words of its id."""
    names = (str(element.metadata.get(key, "")) for key in ("label", "icon"))
    return " ".join(filter(None, (*names, *id_tokens(str(element.metadata.get("id", ""))))))


def _own_words(element: UIElement) -> str:
    """Return the text of an element, else its description in the tree; descriptions of other sources are remarks."""
    return element.text or (element.description if element.source == "accessibility" else "")


def _asks_for_irreversible(step: StepPlan) -> bool:
    """Return True if the step's words name an irreversible act, or ask for one that lasts: "log me out"."""
    return is_final(step) or _lasts(_said(step.wanted) if step.wanted is not None else "")


def _said(target: Target) -> str:
    return " ".join(filter(None, (target.text, target.description, target.phrase)))


def _lasts(said: str) -> bool:
    return any(named_acts(said)) or any(mentions(said, act) for act in _LASTING)


def _is_final_by(words: str) -> bool:
    """Return True if a control with these words does, or agrees to, an irreversible act."""
    if not words:
        return False
    return any(named_acts(words)) or is_final(StepPlan(1, ActionName.TAP, target=Target(text=words)))
