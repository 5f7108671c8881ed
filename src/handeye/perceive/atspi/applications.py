"""Find the accessible object of a desktop window."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from handeye.devices import Window
from handeye.errors import TreeFailed
from handeye.geometry import Box
from handeye.perceive.atspi.calls import ApplicationTimeout, Caller
from handeye.perceive.atspi.chromium import menu_hosts
from handeye.perceive.atspi.nodes import Node, read_basics
from handeye.perceive.atspi.protocol import (
    ACCESSIBLE,
    APPLICATION,
    DAEMON,
    DEFUNCT,
    REGISTRY,
    ROOT,
    Question,
    Ref,
    numbers_of,
    property_of,
    ref_from,
)
from handeye.perceive.atspi.scaling import Scaling, scaling_of
from handeye.perceive.element_format import clean_text

# GTK includes the decorations in its box, others do not, and a moving window has another position a moment later: a
# window without a matching title needs at least this IoU.
_SAME_PLACE: Final = 0.5
_WINDOWS: Final = numbers_of(
    *("frame", "window", "dialog", "alert", "file chooser", "color chooser", "font chooser", "internal frame")
)
# Roles of other top-level objects: menus and lists that are open, in Qt, and tool tips.
_POPUPS: Final = numbers_of("popup menu", "menu", "tool tip", "list", "list box", "window", "notification")

_ADVICE: Final = {
    "chrom": "start it with --force-renderer-accessibility",
    "electron": "start it with --force-renderer-accessibility",
    "code": "start it with --force-renderer-accessibility",
}
_DEFAULT_ADVICE: Final = "was it started before the accessibility bus, as another user, or with NO_AT_BRIDGE?"


@dataclass(frozen=True)
class Shown:
    """The object of a window, the open popups of its application, and the name of its toolkit ("gtk", "Qt")."""

    frame: Node
    popups: tuple[Node, ...]
    toolkit: str


async def find_window(caller: Caller, window: Window, processes: dict[str, int]) -> Shown:
    """
    Return the object of `window`, matched by process, title and box. `processes` caches the process ids of applications.

    Raises TreeFailed if its application is not on the bus or has no such window, ApplicationTimeout if it does not answer.
    """
    applications = await _applications(caller, window, processes)
    tops = await _top_levels(caller, applications)
    frame = _best_match(tops, window)
    if frame is None:
        if applications and all(app.bus in caller.hung for app in applications):
            raise ApplicationTimeout(f"the application of {window} does not answer: it hangs, or is stopped")
        raise TreeFailed(
            f"no application on the accessibility bus shows the window {window}: {_advice(window)}"
            if not tops
            else f"its application says nothing of the window {window} to the accessibility bus"
        )
    toolkit = await caller.ask(property_of(Ref(frame.ref.bus, ROOT), APPLICATION, "ToolkitName", "s"))
    windows = [node for node in tops if node.role in _WINDOWS and node.showing]
    others = [node for node in tops if node is not frame and node.ref.bus == frame.ref.bus]
    popups = [node for node in others if _is_popup(node, windows)] + await menu_hosts(caller, others)
    return Shown(frame, tuple(popups), clean_text(toolkit))


def _is_popup(node: Node, windows: Sequence[Node]) -> bool:
    if node.role not in _POPUPS or not node.showing or node.box is None:
        return False
    return node.role not in _WINDOWS or not node.name or len(windows) == 1


async def _applications(caller: Caller, window: Window, processes: dict[str, int]) -> list[Ref]:
    pairs = await caller.ask(Question(Ref(REGISTRY, ROOT), ACCESSIBLE, "GetChildren", "a(so)"))
    found = [ref for pair in pairs or () if (ref := ref_from(pair)) is not None]
    if pairs is not None:
        caller.are_there({ref.bus for ref in found})
    new = [ref for ref in found if ref.bus not in processes]
    asked = [
        Question(Ref(DAEMON, "/" + DAEMON.replace(".", "/")), DAEMON, _PROCESS_OF, "u", "s", (ref.bus,)) for ref in new
    ]
    for ref, process in zip(new, await caller.ask_all(asked), strict=True):
        if isinstance(process, int):
            processes[ref.bus] = process
    if window.process is None:
        return found
    return [ref for ref in found if processes.get(ref.bus) == window.process]


_PROCESS_OF: Final = "GetConnectionUnixProcessID"


async def _top_levels(caller: Caller, applications: Iterable[Ref]) -> list[Node]:
    rows = [Question(ref, ACCESSIBLE, "GetChildren", "a(so)") for ref in applications]
    answers = await caller.ask_all(rows)
    nodes = [Node(ref) for pairs in answers for ref in _refs(pairs)]
    await read_basics(caller, nodes)
    return [node for node in nodes if node.role_name and not node.states & DEFUNCT]


def _refs(pairs: Any) -> list[Ref]:
    return [ref for pair in pairs or () if (ref := ref_from(pair)) is not None]


def _best_match(tops: Sequence[Node], window: Window) -> Node | None:
    """Return the best match by title, which Qt 5 may not report, then by box: two windows may have the same title."""
    windows = [node for node in tops if _may_be_window(node)]
    titled = [node for node in windows if node.name and node.name == clean_text(window.title)]
    if len(titled) == 1:
        return titled[0]
    placed = [(_overlap(node.box, window), node) for node in titled or windows if node.box is not None]
    best = max(placed, key=lambda each: each[0], default=None)
    if best is not None and best[0] >= _SAME_PLACE:
        return best[1]
    # A moving window of an application that has only this one.
    showing = [node for node in windows if node.showing and node.box is not None]
    return showing[0] if window.process is not None and len(showing) == 1 else None


def _may_be_window(node: Node) -> bool:
    """Return True if its role allows a window: Qt gives a top-level plain widget the role "filler"."""
    return node.role in _WINDOWS or (node.showing and node.role not in _POPUPS)


def _overlap(box: Box | None, window: Window) -> float:
    if box is None:
        return 0.0
    scaling = scaling_of(box, window)
    boxes = [box] if scaling is None else [box, Scaling(scaling.factor).pixels(box)]
    return max(each.iou(there) for each in boxes for there in (window.box, window.frame))


def _advice(window: Window) -> str:
    program = window.program.casefold()
    return next((advice for part, advice in _ADVICE.items() if part in program), _DEFAULT_ADVICE)
