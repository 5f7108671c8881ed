"""UI Automation from a file, in the form in which Accessibility Insights for Windows saves a window."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from handeye.geometry import Box
from handeye.perceive import Node, Pattern, Property


def read_snapshot(file: Path) -> Node:
    """The topmost node, of the desktop as a rule. Raises OSError, ValueError and KeyError for what is no such file."""
    return node_from(json.loads(file.read_text(encoding="utf-8")))


def node_from(row: Mapping[str, Any]) -> Node:
    """A node whose handle is itself."""
    properties = {int(id): said["Value"] for id, said in row["Properties"].items() if "Value" in said}
    rect = properties.pop(int(Property.BOUNDING_RECTANGLE), None)
    patterns = frozenset(Pattern(told["Id"]) for told in row["Patterns"] or () if told["Id"] in set(Pattern))
    children = [node_from(child) for child in row["Children"] or ()]
    node = Node(None, _box(rect) if rect else None, properties, patterns, children)
    node.handle = node
    return node


def _box(rect: Sequence[float]) -> Box:
    left, top, width, height = map(int, rect)
    return Box(left, top, left + width, top + height)
