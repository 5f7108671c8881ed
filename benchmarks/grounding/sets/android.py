"""Recorded Android screens: people's phrases by picture, by tree and by both, and visible labels by picture."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import quoteattr

import numpy as np

from grounding.cases import ABSENT, Case, Mode, Question, refusal
from grounding.sets.lines import items
from handeye.elements import UIElement
from handeye.geometry import Box, Size
from handeye.perceive.uiautomator import parse_hierarchy
from handeye.screen import Screen

PHRASES: Final = "android_screens"
LABELS: Final = "android_labels"
_MODES: Final[tuple[Mode, ...]] = ("pixels", "tree", "both")
_FLAGS: Final = ("clickable", "enabled", "checked", "scrollable", "checkable")
_LARGEST_CONTROL: Final = 0.2  # of the screen; a larger clickable node is a page, not the control of a label

Node = Mapping[str, Any]


def phrases(data: Path) -> Iterator[Case]:
    """The phrases of each screen, once for each combination of sources."""
    home = data / PHRASES
    asked = defaultdict(list)
    for item in items(home / "phrases.jsonl"):
        asked[item["screen"]].append(item)
    for screen in items(home / "screens.jsonl"):
        questions = tuple(_question(item, screen["language"]) for item in asked[screen["id"]])
        for mode in _MODES if questions else ():
            yield _case(PHRASES, mode, screen, home, questions)


def labels(data: Path) -> Iterator[Case]:
    """
    Every text that one node of a screen has, and that an independent reader saw on the picture.

    A click on the node or on the smallest clickable node around it is right.
    """
    home = data / PHRASES
    for screen in items(home / "screens.jsonl"):
        texts = Counter(node["text"].strip() for node in screen["nodes"])
        seen = [node for node in screen["nodes"] if node["ocr_seen"] and texts[node["text"].strip()] == 1]
        questions = tuple(
            Question(node["text"].strip(), "label", "label", _places(node, screen))
            for node in seen
            if node["text"].strip()
        )
        if questions:
            yield _case(LABELS, "pixels", screen, home, questions)


def tree_of(nodes: Sequence[Node], size: Size) -> tuple[UIElement, ...]:
    """
    The elements that Handeye makes of a hierarchy.

    The set keeps nodes in drawing order without their parents: a node is taken for a child of the last node that contains it.
    """
    frame = Screen(np.zeros((size.height, size.width, 3), np.uint8))
    return parse_hierarchy("".join(_xml(nodes)), frame).elements


def _xml(nodes: Sequence[Node]) -> Iterator[str]:
    yield "<hierarchy>"
    open_boxes: list[Box] = []
    for node in nodes:
        box = Box(*node["bounds"])
        while open_boxes and box.intersect(open_boxes[-1]) != box:
            open_boxes.pop()
            yield "</node>"
        open_boxes.append(box)
        yield f"<node {_attributes(node, box)}>"
    yield "</node>" * len(open_boxes) + "</hierarchy>"


def _attributes(node: Node, box: Box) -> str:
    values = {
        "text": node["text"],
        "content-desc": node["content_desc"],
        "resource-id": node["resource_id"],
        "class": node["class"],
        "bounds": f"[{box.left},{box.top}][{box.right},{box.bottom}]",
        **{flag: str(bool(node[flag])).lower() for flag in _FLAGS},
    }
    return " ".join(f"{name}={quoteattr(value)}" for name, value in values.items())


def _case(name: str, mode: Mode, screen: Node, home: Path, questions: tuple[Question, ...]) -> Case:
    size = Size(screen["width"], screen["height"])
    tree = tree_of(screen["nodes"], size) if mode != "pixels" else ()
    picture = home / screen["image"]
    return Case(name, mode, screen["package"], screen["id"], size, questions, picture, tree, slow_tree=True)


def _question(item: Node, language: str) -> Question:
    if item["kind"] == ABSENT:
        return refusal(item["phrase"])
    whose = "app's language" if item["lang"] == language else "another language"
    family = "label" if item["kind"] == "text" else item["kind"]
    return Question(item["phrase"], f"{item['kind']}, {whose}", family, (Box(*item["bbox"]),))


def _places(node: Node, screen: Node) -> tuple[Box, ...]:
    own, limit = Box(*node["bounds"]), _LARGEST_CONTROL * screen["width"] * screen["height"]
    around = (Box(*each["bounds"]) for each in screen["nodes"] if each["clickable"])
    controls = [box for box in around if own.intersect(box) == own and box.area <= limit]
    return (own, *sorted(controls, key=lambda box: box.area)[:1])
