"""A UI Automation that tells windows from files, in the form of Accessibility Insights' snapshots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from handeye.errors import DeviceError, HandeyeError
from handeye.perceive import Node, Property
from handeye.perceive.uia.api import CallTimedOut, Tree, Verb

NOTES: Final = Path(__file__).parent / "uia_notes.snapshot.json"
"""A window of a note-taking application: menu, tree, table, fields, tabs."""


class SnapshotApi:
    """
    A UiaApi of such windows: `roots` by their handles. What it is told to do is in `done`; `fail_with` is raised from then
    on, as when the application has been closed; `unanswered` by what it is told to do, which it does all the same, as when that
    opens a dialog. `alive` is whether it takes messages meanwhile. How many were looked at together is in `looked`; what is in
    `gone` is looked at in vain.
    """

    def __init__(self, roots: Mapping[int, Node]) -> None:
        self.roots = dict(roots)
        self.done: list[tuple[str, str, str]] = []
        self.texts: dict[str, str] = {}
        self.asked: list[Sequence[int]] = []
        self.looked: list[int] = []
        self.gone: list[Node] = []
        self.fail_with: HandeyeError | None = None
        self.unanswered: CallTimedOut | None = None
        self.alive = True
        self.closed = False

    def tree(self, windows: Sequence[int]) -> Tree:
        self._check()
        self.asked.append(tuple(windows))
        return Tree([self.roots[window] for window in windows if window in self.roots])

    def look(self, handle: object) -> Node:
        self._check()
        assert isinstance(handle, Node)
        return handle

    def look_all(self, handles: Sequence[object]) -> Sequence[Node | None]:
        self.looked.append(len(handles))
        return [None if handle in self.gone else self.look(handle) for handle in handles]

    def text(self, handle: object, most: int) -> str:
        return self.texts[self.look(handle).text_of(Property.NAME)][:most]

    def do(self, handle: object, verb: Verb, value: str = "") -> None:
        self.done.append((verb, self.look(handle).text_of(Property.NAME), value))
        if self.unanswered is not None:
            raise self.unanswered

    def answers(self, window: int) -> bool:
        return self.alive and window in self.roots

    def close(self) -> None:
        self.closed = True

    def _check(self) -> None:
        if self.fail_with is not None:
            raise self.fail_with


def gone() -> DeviceError:
    return DeviceError("it is gone")


def find(node: Node, name: str) -> Node:
    """The first node below that is called so."""
    stack = [node]
    while stack:
        one = stack.pop()
        if one.text_of(Property.NAME) == name:
            return one
        stack.extend(reversed(one.children))
    raise KeyError(name)
