"""
Rows by name and number, for a list, table or tree of which only what can be seen was read.

Names are asked for all at once: 1,000 rows of two columns take Qt 0.1 s and GTK 0.6 s.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from handeye.errors import DeviceError
from handeye.geometry import Point
from handeye.perceive.atspi.calls import Caller
from handeye.perceive.atspi.nodes import Node, at_point
from handeye.perceive.atspi.questions import ACCESSIBLE, Question, Ref, property_of, ref_from
from handeye.perceive.atspi.vocabulary import ENABLED, numbers_of
from handeye.perceive.told import clean

MOST_ROWS: Final = 12_000
"""Cells of a table, or rows of a list, whose names are asked for. A sheet has 2,147,483,647."""

_HEADERS: Final = numbers_of("table column header", "table row header", "column header", "row header")
# A row of GTK's has no name: a label in it, or in a box in it, says what it is.
_LABEL_DEPTH: Final = 2


async def read_rows(caller: Caller, holder: Ref) -> list[Node]:
    """What `holder` holds in its order, also what cannot be seen: roles and names, no places. Raises DeviceError."""
    count = await caller.ask(property_of(holder, ACCESSIBLE, "ChildCount", "i"))
    if not isinstance(count, int) or not 0 <= count <= MOST_ROWS:
        raise DeviceError(
            f"it has more than {MOST_ROWS:,} entries: their names are not asked for; scroll to the one meant"
        )
    rows = [Node(ref) for refs in await _children(caller, [holder]) for ref in refs]
    roles = await caller.ask_all([Question(row.ref, ACCESSIBLE, "GetRole", "u") for row in rows])
    for row, role, name in zip(rows, roles, await _names(caller, [row.ref for row in rows]), strict=True):
        row.told(role, ENABLED, name)
    await _name_by_labels(caller, [row for row in rows if not row.name])
    return [row for row in rows if row.name and row.role not in _HEADERS]


async def row_at(caller: Caller, holder: Ref, at: Point) -> int | None:
    """The number, counted from 0, of what `holder` holds at a place; None where nothing stands."""
    (pair,) = await caller.ask_all([at_point(holder, at.x, at.y)])
    ref = ref_from(pair) if pair is not None else None
    return await number_of(caller, ref) if ref is not None and ref != holder else None


async def number_of(caller: Caller, ref: Ref) -> int | None:
    """The number of an object among the children of its parent; None where its application does not say."""
    index = await caller.ask(Question(ref, ACCESSIBLE, "GetIndexInParent", "i"))
    return index if isinstance(index, int) and index >= 0 else None


async def _children(caller: Caller, holders: Sequence[Ref]) -> list[list[Ref]]:
    answers = await caller.ask_all([Question(ref, ACCESSIBLE, "GetChildren", "a(so)") for ref in holders])
    return [[ref for pair in pairs or () if (ref := ref_from(pair)) is not None] for pairs in answers]


async def _names(caller: Caller, refs: Sequence[Ref]) -> list[str]:
    answers = await caller.ask_all([property_of(ref, ACCESSIBLE, "Name", "s") for ref in refs])
    return [clean(name or "").strip() for name in answers]


async def _name_by_labels(caller: Caller, rows: Sequence[Node]) -> None:
    """Call each row what the first thing with a name in it is called."""
    level = [(row, row.ref) for row in rows]
    for _ in range(_LABEL_DEPTH):
        inside = await _children(caller, [ref for _, ref in level])
        below = [(row, ref) for (row, _), refs in zip(level, inside, strict=True) for ref in refs]
        for (row, _), name in zip(below, await _names(caller, [ref for _, ref in below]), strict=True):
            row.name = row.name or name
        level = [(row, ref) for row, ref in below if not row.name]
