"""
Check that the task asks for what is tapped, by the words that stand where the finger goes down.

A plan that no person wrote was judged by the words that it uses itself. What a model then finds for them is another thing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from handeye.elements import UIElement
from handeye.errors import HandeyeError
from handeye.geometry import Point
from handeye.locate.sources.tree_index import Tree
from handeye.locate.text_lines import lines_on
from handeye.plan.base import PlanOrigin, StepPlan
from handeye.plan.trust import objections_at
from handeye.run.tools import Tools
from handeye.run.trail import Trail
from handeye.screen import Screen
from handeye.text.match import IN_DOUBT
from handeye.verify.base import VerifyResult

# Sources whose elements carry the text that stands there; a model's carry what the model says.
_READ: Final = frozenset({"accessibility", "ocr"})
# The role whose text is content. A combo box's may be the name of an act that it offers.
_FIELD: Final = "input"


def against_task(
    step: StepPlan,
    element: UIElement,
    point: Point,
    screen: Screen,
    trail: Trail,
    tools: Tools,
    *,
    is_fallback: bool = False,
) -> VerifyResult | None:
    """
    Return the objection of the task to a tap on `element` at `point`, in pixels of `screen`; None without one. Plans of
    templates are a person's and not checked.

    The words are those of the control at that point, by the accessibility tree, else as read from the frame. Raises OcrFailed,
    or a DeviceError of the tree's device.
    """
    if trail.plan is None or trail.plan.origin is PlanOrigin.TEMPLATE:
        return None
    words, role = words_at(element, point, screen, tools)
    evidence = tuple(objections_at(step, words, role, trail.task, may_send=not is_fallback))
    return VerifyResult(False, 0.95, matches_expected=False, evidence=evidence) if evidence else None


def words_at(element: UIElement, point: Point, screen: Screen, tools: Tools) -> tuple[str, str]:
    """
    The words of the control at the point by the tree, with those that are read there: a tree may name a whole page or nothing
    where the picture shows a button. And its role. No words for a field of the tree: its text is content.
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
        lines = [line for line in lines_on(tools.reader, screen, element.bbox) if line.confidence >= IN_DOUBT]
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
    """The texts in the innermost group around `control` that has any: the label of a switch in its row."""
    return next((texts for above in tree.ancestors(control) if (texts := _texts(tree.descendants(above)))), [])
