"""Objects of applications, by which they know their elements: at the same place among the same words may be another one.

Objects keep their paths as long as they live, from one process that reads them to the next: measured on GTK 3 (buttons, cells
of a list), Qt 5, Qt 6 and Chromium, over a minute, also when they change places. LibreOffice makes its cells anew for each
reading.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, Protocol, runtime_checkable

from handeye.desktop.identity import MOST_HELD
from handeye.desktop.state import WindowState
from handeye.perceive import Control

_LASTING: Final = frozenset({"gtk", "Qt", "Chromium"})
_REMEDY: Final = "take its number from the new list, or say in words which one, such as 'the second ...'"


@runtime_checkable
class Identified(Protocol):
    """A live handle that tells its object from all others of the desktop."""

    @property
    def object_id(self) -> str: ...


def object_of(state: WindowState, number: int) -> str | None:
    """None where an object does not last, or nobody tells which one it is."""
    control = state.control(number)
    lasts = state.element(number).metadata.get("toolkit") in _LASTING
    return control.object_id if lasts and isinstance(control, Identified) else None


def objects_of_twins(state: WindowState) -> Mapping[int, str]:
    """The objects of those that are not the only ones of their role and name, by number."""
    likes = Counter((each.role, each.name) for each in state.identities)
    numbers = (number for number, each in enumerate(state.identities, 1) if likes[each.role, each.name] > 1)
    return {number: found for number in numbers if (found := object_of(state, number)) is not None}


def change_of_object(kept: str, state: WindowState, number: int) -> str | None:
    """
    The change of an element that is known again, where it is another object than the one that was kept, and what to do then;
    None where it counts as the same. One that its application has made anew does where words tell it from its likes; one
    whose object stands elsewhere now does not, whatever they say.
    """
    now = object_of(state, number)
    if now is None or now == kept:
        return None
    each = state.identities[number - 1]
    if any(object_of(state, other) == kept for other in range(1, len(state.elements) + 1)):
        return f"another {each.called} stands there now: {_REMEDY}"
    if each.likes > 1:
        return (
            f"its application has made the {each.called} anew, one of {each.likes} that nothing tells apart: {_REMEDY}"
        )
    return None


# A last question before a press: is the element, and what tells it from its likes, still what it was when it was read?


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
