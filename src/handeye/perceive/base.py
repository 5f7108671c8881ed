"""Who can say what is on the screen without looking at pixels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from handeye.devices import Window
from handeye.elements import UIElement, UIState
from handeye.geometry import Box, Point
from handeye.screen import Screen


class StateProvider(Protocol):
    """
    Reads all elements of the moment that `screen` shows; boxes are in pixels of that frame.

    Raises a HandeyeError when it could not look. `slow` says that a reading costs seconds, so that cheaper ways go first.
    """

    @property
    def name(self) -> str: ...

    @property
    def slow(self) -> bool: ...

    def detect(self, screen: Screen) -> UIState: ...


@runtime_checkable
class KeepingProvider(StateProvider, Protocol):
    """A provider that answers equal frames from memory."""

    def clear(self) -> None:
        """Forget what was read."""
        ...


@runtime_checkable
class RememberingProvider(StateProvider, Protocol):
    """A provider that tells at no cost what it has read of a frame already."""

    def remembered(self, screen: Screen) -> UIState | None:
        """What `detect` gave for an equal frame; None when it was not asked, or too long ago."""
        ...


class Control(Protocol):
    """
    A live handle of one element on a desktop: the platform's own actions, which need no pointer (seed 002, tier 1).

    Each raises UnsupportedAction when this element does not offer it (the caller clicks at its centre then), and a DeviceError
    when the element or its application is gone. That a call returned says that the platform took it, not that it worked.
    """

    @property
    def offers(self) -> frozenset[str]:
        """The names of the methods below that this element offers: "invoke", "set_text", "toggle", "select", ..."""
        ...

    def invoke(self) -> None: ...

    def set_text(self, text: str) -> None: ...

    def toggle(self) -> None: ...

    def select(self) -> None: ...

    def expand(self) -> None: ...

    def scroll_into_view(self) -> None: ...

    def focus(self) -> None: ...

    def text(self) -> str | None:
        """What stands in it now; None when it holds no text."""
        ...

    def box(self) -> Box | None:
        """Where it is now, in desktop pixels; None when it is not on the screen."""
        ...


@runtime_checkable
class RowHolder(Protocol):
    """
    A live handle of a list, table or tree that tells its rows also where they cannot be seen. Raises a DeviceError, as where
    there are too many.
    """

    def rows(self) -> Sequence[tuple[UIElement, Control]]:
        """Those that have a name, in their order, without numbers, parents and places."""
        ...

    def row_at(self, at: Point) -> int | None:
        """The number, counted from 0, of the row or cell at a place in desktop pixels; None where none is."""
        ...


@runtime_checkable
class Row(Protocol):
    """A live handle of a row or cell."""

    def row_number(self) -> int | None:
        """As `RowHolder.row_at` counts; None where nobody says."""
        ...


@runtime_checkable
class Selectable(Protocol):
    """A live handle of an entry that its application tells to be chosen or not."""

    def is_selected(self) -> bool:
        """Whether it is chosen now. Raises DeviceError."""
        ...


@runtime_checkable
class Valued(Protocol):
    """A control that may have a value beside what it shows, such as a slider or a spin box."""

    def number(self) -> float | None:
        """The value, as its application counts it; None where it has none. Raises DeviceError."""
        ...


@dataclass(frozen=True, slots=True)
class Detection:
    """
    What a window holds: `targets` (boxes in desktop pixels, numbered from 1 by `id`), and for each its live handle, None where
    there is none. `notes` say what could not be read, and why. Unpacks as seed 002 has it: `targets, controls = detection`.
    """

    targets: tuple[UIElement, ...]
    controls: tuple[Control | None, ...]
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.targets) != len(self.controls):
            raise ValueError(f"{len(self.targets)} targets but {len(self.controls)} controls")

    def __iter__(self) -> Iterator[tuple[UIElement, ...] | tuple[Control | None, ...]]:
        yield self.targets
        yield self.controls


class WindowProvider(Protocol):
    """
    Says what a window of the desktop holds: the tiers of seed 002.

    Raises a HandeyeError when it could not look at all; what it could not read in time is a note.
    """

    @property
    def name(self) -> str: ...

    def detect(self, window: Window) -> Detection: ...
