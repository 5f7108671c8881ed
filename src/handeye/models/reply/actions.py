"""
Verbs and keys of replies, shared by the parsers of objects and calls: those that point at a place, and those of other
actions.
"""

from __future__ import annotations

import re
from typing import Final, Literal

from handeye.models.families.profile import Order

Expected = Literal["box", "point"] | None
"""Shape of the numbers, as their key or tag names it."""

POINTING: Final = frozenset({
    "click", "leftclick", "leftsingle", "singleclick", "tap", "touch", "press", "longpress", "doubleclick", "doubletap",
    "leftdouble", "rightclick", "rightsingle", "middleclick", "tripleclick", "hover", "mousemove", "moveto", "move",
    "clickabsolute", "clickat", "hoverat", "locate", "point", "ground", "find", "select", "clickelement", "tapelement",
})  # fmt: skip
"""
Verbs that point at a place. It does not matter which one is used: the question was where, and the action is not
performed.
"""
TOOLS: Final = frozenset({
    "computeruse", "computer", "mobileuse", "browseruse", "computercall", "guiaction", "grounding", "answer",
})  # fmt: skip
"""Tools whose calls contain a place."""
ACTS: Final = frozenset({
    "type", "write", "typewrite", "scroll", "drag", "dragto", "swipe", "hotkey", "keypress", "keydown", "keyup", "wait",
    "sleep", "screenshot", "finished", "finish", "calluser", "openapp", "launch", "openurl", "navigate", "goto", "system",
    "popen", "run", "exec", "eval", "shell", "bash", "exit",
})  # fmt: skip
"""Verbs of other actions, wherever they occur."""
DOING: Final = frozenset({
    "endbox", "endpoint", "endcoordinate", "startcoordinate", "coordinate2", "direction", "app", "url", "key", "keys",
    "command", "cmd", "script",
})  # fmt: skip
"""Keys and arguments of actions that do more than point."""
TYPED: Final = frozenset({"text", "content", "value"})
"""In an action, the text to type; elsewhere a label."""

PLACE_KEYS: Final[dict[str, tuple[Expected, Order | None]]] = {
    "box2d": ("box", Order.YX),
    "bbox2d": ("box", Order.XY),
    "point2d": ("point", Order.XY),
    "coordinate": (None, Order.XY),
    "startbox": (None, Order.XY),
    **dict.fromkeys(("bbox", "box", "boundingbox", "bboxes", "boxes", "boundingboxes"), ("box", None)),
    **dict.fromkeys(("point", "points", "clickpoint", "center", "centre", "startpoint"), ("point", None)),
    **dict.fromkeys(("coordinates", "coords", "position", "location"), (None, None)),
}
"""
Keys that hold a place, the shape that they name, and the order that they imply: `box_2d` is Gemini's key, y first;
`bbox_2d`, `point_2d` and `coordinate` are Qwen's and Claude's, x first. For the others the family decides.
"""


def plain_key(key: str) -> str:
    return re.sub(r"[^a-z0-9]", "", key[:100].lower())
