"""Windows with their UI Automation trees: visible labels by picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from grounding.cases import Case, Question
from grounding.sets.lines import size_of
from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.perceive import Property
from handeye.perceive.uia.elements import element_of, place
from handeye.perceive.uia.vocabulary import control_types
from handeye.testing.uia_snapshots import read_snapshot

NAME: Final = "windows_uia"
_CONTROLS: Final = frozenset(("button", "list item", "header item", "menu item", "tab", "checkbox", "radio", "link"))
_SUFFIX: Final = ".snapshot.json"


def labels(data: Path) -> Iterator[Case]:
    """Every text that stands in a window once; a click on it or on the control around it is right."""
    for snapshot in sorted((data / NAME).glob(f"*{_SUFFIX}")):
        picture = snapshot.with_name(snapshot.name.removesuffix(_SUFFIX) + ".png")
        size = size_of(picture)
        shown = [each for each in elements_of(snapshot) if each.bbox.intersect(size.bounds) and not _hidden(each)]
        texts = [each for each in shown if each.element_type == "text" and each.text]
        count = Counter(each.text for each in texts)
        questions = tuple(
            Question(each.text, "label", "label", _places(each, shown)) for each in texts if count[each.text] == 1
        )
        name = snapshot.name.removesuffix(_SUFFIX)
        yield Case(NAME, "pixels", name, name, size, questions, picture)


def elements_of(snapshot: Path) -> list[UIElement]:
    """The elements of the window, in pixels of its own picture."""
    top = read_snapshot(snapshot)
    window = next(node for node in (top, *top.children) if node.get(Property.CONTROL_TYPE) in control_types("Window"))
    assert window.box is not None
    dx, dy = -window.box[0], -window.box[1]
    elements = (element_of(placed) for placed in place([window]))
    return [each if _hidden(each) else replace(each, bbox=each.bbox.translate(dx, dy)) for each in elements]


def _hidden(element: UIElement) -> bool:
    return bool(element.metadata.get("offscreen"))


def _places(text: UIElement, shown: list[UIElement]) -> tuple[Box, ...]:
    controls = [each.bbox for each in shown if each.element_type in _CONTROLS and each.bbox.contains(text.bbox.center)]
    return (text.bbox, *controls)
