"""The words by which replies point at places, and by which they would do something else, in one list for objects and calls."""

from __future__ import annotations

import re
from typing import Final, Literal

from handeye.models.families.profile import Order

Expected = Literal["box", "point"] | None
"""What the key or tag around numbers says that they are."""

POINTING: Final = frozenset({
    "click", "leftclick", "leftsingle", "singleclick", "tap", "touch", "press", "longpress", "doubleclick", "doubletap",
    "leftdouble", "rightclick", "rightsingle", "middleclick", "tripleclick", "hover", "mousemove", "moveto", "move",
    "clickabsolute", "clickat", "hoverat", "locate", "point", "ground", "find", "select", "clickelement", "tapelement",
})  # fmt: skip
"""Verbs that name a place. Which of them is said does not matter: the question was where, and nothing is done."""
TOOLS: Final = frozenset({
    "computeruse", "computer", "mobileuse", "browseruse", "computercall", "guiaction", "grounding", "answer",
})  # fmt: skip
"""Tools whose calls carry a place."""
ACTS: Final = frozenset({
    "type", "write", "typewrite", "scroll", "drag", "dragto", "swipe", "hotkey", "keypress", "keydown", "keyup", "wait",
    "sleep", "screenshot", "finished", "finish", "calluser", "openapp", "launch", "openurl", "navigate", "goto", "system",
    "popen", "run", "exec", "eval", "shell", "bash", "exit",
})  # fmt: skip
"""Verbs that do something else, wherever they stand."""
DOING: Final = frozenset({
    "endbox", "endpoint", "endcoordinate", "startcoordinate", "coordinate2", "direction", "app", "url", "key", "keys",
    "command", "cmd", "script",
})  # fmt: skip
"""Keys and arguments of what does more than point."""
TYPED: Final = frozenset({"text", "content", "value"})
"""Beside an action, what it would type or hold; elsewhere a label."""

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
Keys that hold a place, what they say it is, and the order that they stand for: `box_2d` is Gemini's key, y first; `bbox_2d`,
`point_2d` and `coordinate` are Qwen's and Claude's, x first. The others leave it to the family.
"""


def plain_key(key: str) -> str:
    return re.sub(r"[^a-z0-9]", "", key[:100].lower())
