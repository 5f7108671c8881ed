"""Native ids of elements, given by their applications: they detect another element at the same place with the same texts.

Native ids are constant as long as the object lives, also across reading processes: measured on GTK 3 (buttons, cells of a
list), Qt 5, Qt 6 and Chromium, over a minute, also when objects move. LibreOffice recreates its cells for each reading.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, Protocol, runtime_checkable

from handeye.desktop.identity import MAX_ROW_ELEMENTS
from handeye.desktop.state import WindowState
from handeye.perceive import Control

_LASTING: Final = frozenset({"gtk", "Qt", "Chromium"})
_REMEDY: Final = "take its number from the new list, or say in words which one, such as 'the second ...'"


@runtime_checkable
class Identified(Protocol):
    """A live handle with an id that is unique on the desktop."""

    @property
    def object_id(self) -> str: ...


def native_id(state: WindowState, number: int) -> str | None:
    """Return the native id of an element, or None if it has none or its toolkit does not keep ids."""
    control = state.control(number)
    lasts = state.element(number).metadata.get("toolkit") in _LASTING
    return control.object_id if lasts and isinstance(control, Identified) else None


def duplicate_ids(state: WindowState) -> Mapping[int, str]:
    """Return the native ids of elements with duplicates of their role and name, by number."""
    counts = Counter((each.role, each.name) for each in state.identities)
    numbers = (number for number, each in enumerate(state.identities, 1) if counts[each.role, each.name] > 1)
    return {number: found for number in numbers if (found := native_id(state, number)) is not None}


def native_id_change(kept: str, state: WindowState, number: int) -> str | None:
    """
    Return the change of an element whose native id differs from the saved one, and what to do; None if it counts as the same.
    A recreated object counts as the same if texts distinguish it from its duplicates. An element does not if the saved object
    is elsewhere in the window now.
    """
    now = native_id(state, number)
    if now is None or now == kept:
        return None
    each = state.identities[number - 1]
    if any(native_id(state, other) == kept for other in range(1, len(state.elements) + 1)):
        return f"another {each.called} stands there now: {_REMEDY}"
    if each.likes > 1:
        return (
            f"its application has made the {each.called} anew, one of {each.likes} that nothing tells apart: {_REMEDY}"
        )
    return None


@runtime_checkable
class Recheckable(Protocol):
    """A live handle that can be checked for changes since it was read, as the last step before a press."""

    def change(self, beside: Sequence[Control]) -> str | None:
        """
        Return a sentence about the change since it was read, in it or in `beside`, handles of the same application; None if
        nothing has changed.
        """
        ...


def change_since(state: WindowState, number: int | None) -> str | None:
    """Return the change of an element or of its identifying texts since its state was read; None if unchanged or unknown."""
    control = state.control(number) if number is not None and 1 <= number <= len(state.elements) else None
    if number is None or not isinstance(control, Recheckable):
        return None
    beside = [state.control(each) for each in state.labels(number)[:MAX_ROW_ELEMENTS]]
    return control.change([each for each in beside if each is not None])
