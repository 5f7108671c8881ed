"""Human referring expressions for elements of Android trees without pictures (UIBert)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from grounding.cases import Case, Question
from grounding.sets.lines import items
from handeye.elements import UIElement
from handeye.geometry import Box, Size
from handeye.roles import ANDROID, role_of_class

NAME: Final = "uibert_refexp_tree"
SIZE: Final = Size(1440, 2560)  # Rico's screens; the set's boxes are fractions of them
_PRESSED: Final = frozenset(
    ("button", "checkbox", "radio", "switch", "input", "combo box", "slider", "tab", "menu item")
)


def expressions(data: Path) -> Iterator[Case]:
    """One case per expression: the hierarchies of a screen may differ between its expressions."""
    for item in items(data / NAME / "items.jsonl"):
        question = Question(item["instruction"], "expression", "expression", (box_of(item["target_bbox"]),))
        tree = elements_of(item["view_hierarchy"])
        yield Case(NAME, "tree", item["rico_id"], item["rico_id"], SIZE, (question,), None, tree)


def box_of(fractions: Sequence[float]) -> Box:
    left, top, right, bottom = fractions
    return Box(
        round(left * SIZE.width), round(top * SIZE.height), round(right * SIZE.width), round(bottom * SIZE.height)
    )


def elements_of(nodes: Sequence[dict[str, Any]]) -> tuple[UIElement, ...]:
    """The nodes as a flat list: the set has no parents."""
    return tuple(_element(number, node) for number, node in enumerate(nodes, 1))


def _element(number: int, node: dict[str, Any]) -> UIElement:
    role = role_of_class(node["class"], ANDROID) or "element"
    return UIElement(
        element_type=role,
        description=node["desc"].strip(),
        bbox=box_of(node["bbox"]),
        source="accessibility",
        text=node["text"].strip(),
        id=number,
        interactive=True if role in _PRESSED else None,
        metadata={"class": node["class"], "id": node["id"]},
    )
