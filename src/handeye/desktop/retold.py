"""A last question before a press: is the element, and what tells it from its likes, still what it was when it was read?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from handeye.desktop.state import WindowState
from handeye.desktop.surroundings import MOST_HELD
from handeye.perceive.base import Control


@runtime_checkable
class Retelling(Protocol):
    """A live handle whose application says once more what it is."""

    def change(self, beside: Sequence[Control]) -> str | None:
        """
        Return a sentence about what has changed since it was read, in it or in `beside`, handles of the same application;
        None if nothing has.
        """
        ...


def change_since(state: WindowState, number: int | None) -> str | None:
    """The change of an element of a state, or of what is said beside it; None for none, or where nobody says."""
    control = state.control(number) if number is not None and 1 <= number <= len(state.elements) else None
    if number is None or not isinstance(control, Retelling):
        return None
    beside = [state.control(each) for each in state.labels(number)[:MOST_HELD]]
    return control.change([each for each in beside if each is not None])
