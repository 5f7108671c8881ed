"""Read UI Automation trees from files in the format of Accessibility Insights for Windows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from handeye.geometry import Box
from handeye.perceive import Node, Pattern, Property


def read_snapshot(file: Path) -> Node:
    """
    Return the topmost node, usually the desktop. Raises OSError, ValueError and KeyError for a file of another format.
    """
    return node_from(json.loads(file.read_text(encoding="utf-8")))


def node_from(row: Mapping[str, Any]) -> Node:
    """Return a node that is its own handle."""
    properties = {int(id): entry["Value"] for id, entry in row["Properties"].items() if "Value" in entry}
    rect = properties.pop(int(Property.BOUNDING_RECTANGLE), None)
    patterns = frozenset(Pattern(pattern["Id"]) for pattern in row["Patterns"] or () if pattern["Id"] in set(Pattern))
    children = [node_from(child) for child in row["Children"] or ()]
    node = Node(None, _box(rect) if rect else None, properties, patterns, children)
    node.handle = node
    return node


def _box(rect: Sequence[float]) -> Box:
    left, top, width, height = map(int, rect)
    return Box(left, top, left + width, top + height)
