"""Interfaces of the accessibility providers and of the live control handles that they return."""

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
    Read all elements of the moment that `screen` shows; boxes are in pixels of that frame.

    Raises a HandeyeError if nothing could be read. `slow` means that a reading takes seconds, so callers try cheaper ways
    first.
    """

    @property
    def name(self) -> str: ...

    @property
    def slow(self) -> bool: ...

    def detect(self, screen: Screen) -> UIState: ...


@runtime_checkable
class CachingProvider(StateProvider, Protocol):
    """A provider that caches its answer for equal frames."""

    def clear(self) -> None:
        """Drop the cached answer."""
        ...


@runtime_checkable
class CachedStateProvider(StateProvider, Protocol):
    """A provider whose cached answer can be read without a new reading."""

    def remembered(self, screen: Screen) -> UIState | None:
        """Return the cached `detect` result for an equal frame, or None if there is none or it has expired."""
        ...


class Control(Protocol):
    """
    A live handle of one element on a desktop: the platform's own actions, which need no pointer (tier 1 of
    docs/spec/perception-tiers.md).

    Each method raises UnsupportedAction if the element does not offer it (the caller then clicks the element's centre), and
    a DeviceError if the element or its application is gone. A normal return means that the platform accepted the action,
    not that it had an effect.
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
        """Return its current text, or None if it holds no text."""
        ...

    def box(self) -> Box | None:
        """Return its current bounding box in desktop pixels, or None if it is not on the screen."""
        ...


@runtime_checkable
class RowContainer(Protocol):
    """
    A live handle of a list, table or tree that can list its rows, including those scrolled out of view. The methods raise a
    DeviceError, also if there are too many rows.
    """

    def rows(self) -> Sequence[tuple[UIElement, Control]]:
        """Return the named rows in order, without ids, parents and boxes."""
        ...

    def row_at(self, at: Point) -> int | None:
        """Return the 0-based number of the row or cell at a point in desktop pixels, or None if there is none."""
        ...


@runtime_checkable
class Row(Protocol):
    """A live handle of a row or cell."""

    def row_number(self) -> int | None:
        """Return the 0-based number, counted as `RowContainer.row_at` does, or None if the application does not report it."""
        ...


@runtime_checkable
class Selectable(Protocol):
    """A live handle of an entry whose application reports whether it is selected."""

    def is_selected(self) -> bool:
        """Return True if it is selected now. Raises DeviceError."""
        ...


@runtime_checkable
class NumericControl(Protocol):
    """A control that may have a numeric value in addition to its text, such as a slider or a spin box."""

    def number(self) -> float | None:
        """Return the value in the application's own units, or None if it has none. Raises DeviceError."""
        ...


@dataclass(frozen=True, slots=True)
class Detection:
    """
    The contents of a window: `targets` (boxes in desktop pixels, numbered from 1 by `id`) and the live handle of each, or
    None. `notes` report what could not be read, and why. Unpacks as docs/spec/perception-tiers.md requires: `targets,
    controls = detection`.
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
    Reads the elements of a desktop window: one of the tiers of docs/spec/perception-tiers.md.

    Raises a HandeyeError if nothing could be read at all; parts that could not be read in time are reported as notes.
    """

    @property
    def name(self) -> str: ...

    def detect(self, window: Window) -> Detection: ...
