"""
What Handeye asks of UI Automation, in plain data: no COM object comes past this line but as a handle that is only passed back.

`com.ComApi` is the real one; everything else of this package is tested against trees in the same form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from handeye.errors import TreeFailed
from handeye.geometry import Box
from handeye.perceive.uia.vocabulary import Pattern, Property

Verb = Literal["invoke", "default", "set_text", "set_number", "toggle", "select", "expand", "scroll", "focus"]
"""What an element can be told to do. "default" is its default action of before UI Automation (MSAA)."""


class Unanswered(TreeFailed):
    """An application did not answer in time. It may have done all the same what it was told."""


@dataclass(slots=True, eq=False)
class Node:
    """An element as it was read: `box` in desktop pixels, None when it has none; `properties` by their ids."""

    handle: object
    box: Box | None
    properties: Mapping[int, Any]
    patterns: frozenset[Pattern]
    children: list[Node] = field(default_factory=list)

    def get(self, name: Property) -> Any:
        return self.properties.get(name)

    def text_of(self, name: Property) -> str:
        value = self.properties.get(name)
        return value if isinstance(value, str) else ""

    @property
    def is_password(self) -> bool:
        return bool(self.get(Property.IS_PASSWORD))


@dataclass(frozen=True, slots=True)
class Tree:
    """The elements of some windows, the first one's root first; `notes` say what is missing."""

    roots: Sequence[Node]
    notes: tuple[str, ...] = ()


class UiaApi(Protocol):
    """
    Every call ends within a time limit. Raises Unanswered when an application does not answer, TreeFailed when it is busy,
    DeviceLost when it has ended, DeviceError when an element is gone or refuses, UnsupportedAction when it has not what is
    asked.
    """

    def tree(self, windows: Sequence[int]) -> Tree:
        """
        The control view of each window, read by one request. A window but the first that is gone is left out; TreeFailed when
        the first one is.
        """
        ...

    def look(self, handle: object) -> Node:
        """One element as it is now, without children."""
        ...

    def look_all(self, handles: Sequence[object]) -> Sequence[Node | None]:
        """As `look`, several, within the time limit of one; None for one that is gone."""
        ...

    def text(self, handle: object, most: int) -> str:
        """The text of an element that has the text pattern, at most so many characters."""
        ...

    def do(self, handle: object, verb: Verb, value: str = "") -> None: ...

    def answers(self, window: int) -> bool:
        """Whether the program of a window does anything: not when it hangs, or the window is gone."""
        ...

    def close(self) -> None: ...
