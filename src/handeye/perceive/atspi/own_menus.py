"""
Chromium's own menus: each is a frame without a name beside the browser's. Parts of the browser that are not on the screen are
such frames too, and so is a menu that was open, whatever their states say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from handeye.perceive.atspi.calls import Caller
from handeye.perceive.atspi.nodes import Node
from handeye.perceive.atspi.questions import ACCESSIBLE, Question
from handeye.perceive.atspi.vocabulary import numbers_of

_FRAMES: Final = numbers_of("frame")
_MENUS: Final = numbers_of("menu")
_HOST: Final = "MenuHostRootView"


async def menu_hosts(caller: Caller, tops: Sequence[Node]) -> list[Node]:
    """The frames of `tops` that are made for menus."""
    frames = [node for node in tops if node.role in _FRAMES and not node.name and node.showing and node.box is not None]
    answers = await caller.ask_all([Question(node.ref, ACCESSIBLE, "GetAttributes", "a{ss}") for node in frames])
    hosts = [
        node for node, said in zip(frames, answers, strict=True) if said is not None and said.get("class") == _HOST
    ]
    for host in hosts:
        host.attributes["class"] = _HOST
    return hosts


def without_closed_menus(top: Sequence[Node]) -> list[Node]:
    """
    `top` without the frames of menus that are closed: they show no menu. What a long menu has scrolled away is taken out of
    the others, too.
    """
    return [node for node in top if node.attributes.get("class") != _HOST or _cut_to_view(node)]


def _cut_to_view(host: Node) -> bool:
    """Whether it shows a menu, whose entries are cut at the edges of what holds it."""
    for view, menu in _menus(host):
        entries = []
        for entry in menu.children:
            if entry.box is not None and view.box is not None:
                entry.box = entry.box.intersect(view.box)
            if entry.box is not None:
                entries.append(entry)
        menu.children = entries
    return any(True for _ in _menus(host))


def _menus(host: Node) -> Iterator[tuple[Node, Node]]:
    """The menus that are shown, and what holds each of them."""
    stack = [host]
    while stack:
        node = stack.pop()
        for child in node.children:
            if child.role in _MENUS and child.showing and child.box is not None:
                yield node, child
            else:
                stack.append(child)
