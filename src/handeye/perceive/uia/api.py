"""
The interface to UI Automation in plain data. COM objects pass through it only as opaque handles.

`com.ComApi` is the real implementation; everything else of this package is tested against trees in the same form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from handeye.errors import TreeFailed
from handeye.geometry import Box
from handeye.perceive.uia.vocabulary import Pattern, Property

Verb = Literal["invoke", "default", "set_text", "set_number", "toggle", "select", "expand", "scroll", "focus"]
"""An action on an element. "default" is its default action in MSAA, the API before UI Automation."""


class CallTimedOut(TreeFailed):
    """An application did not answer in time. It may still have performed the action."""


@dataclass(slots=True, eq=False)
class Node:
    """An element as it was read: `box` in desktop pixels or None, `properties` by property id."""

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
    """The elements of some windows, the first window's root first; `notes` report what is missing."""

    roots: Sequence[Node]
    notes: tuple[str, ...] = ()


class UiaApi(Protocol):
    """
    Every call ends within a time limit. Raises Unanswered if an application does not answer, TreeFailed if it is busy,
    DeviceLost if it has ended, DeviceError if an element is gone or refuses, UnsupportedAction if the element lacks the
    pattern.
    """

    def tree(self, windows: Sequence[int]) -> Tree:
        """
        Return the control view of each window, read by one request. Windows that are gone are skipped; raises TreeFailed if
        the first one is gone.
        """
        ...

    def look(self, handle: object) -> Node:
        """Return one element's current state, without children."""
        ...

    def look_all(self, handles: Sequence[object]) -> Sequence[Node | None]:
        """Return several elements as `look` does, within the time limit of one; None for those that are gone."""
        ...

    def text(self, handle: object, most: int) -> str:
        """Return the text of an element with the text pattern, at most `most` characters."""
        ...

    def do(self, handle: object, verb: Verb, value: str = "") -> None: ...

    def answers(self, window: int) -> bool:
        """Return True if the window's program responds: False if it hangs, or the window is gone."""
        ...

    def close(self) -> None: ...
