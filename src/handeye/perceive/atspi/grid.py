"""
The cells of a table that can be seen, found by place.

A sheet of LibreOffice Calc says that it has 2,147,483,647 children, and its numbers for them overflow. So nothing is counted:
what stands at points of the visible part is asked for, along one line down and one across; the rows and columns that this
shows give one point per cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from handeye.geometry import Box
from handeye.perceive.atspi.calls import Caller
from handeye.perceive.atspi.nodes import TABLE, Node, at_point, box_from, extents_of, read_basics
from handeye.perceive.atspi.questions import ACCESSIBLE, Question, Ref, property_of, ref_from
from handeye.perceive.atspi.vocabulary import numbers_of

# Rows lower and columns narrower than this are missed. Qt's lowest usual row has 17 pixels.
STEP: Final = 8
# No screen shows more cells than this: 4K with rows of 17 pixels and columns of 40.
MOST_CELLS: Final = 12_000
# Tables with more columns than a screen shows are sheets, whose headers are no part of them.
MOST_COLUMNS: Final = 64
LISTS: Final = numbers_of("list", "list box")
# Where the lines run, as a share of the width and height: the next one when nothing stands along the first.
_LINES: Final = (0.1, 0.5, 0.9)


async def read_visible_cells(caller: Caller, table: Node, window: Box) -> None:
    """Add the cells that can be seen in the table's part of the window to its children, row by row as one reads them."""
    box = table.box.intersect(window) if table.box is not None else None
    if box is None:
        return
    here = {child.ref for child in table.children} | {table.ref}
    rows = await _bands(
        caller, table, here, [[(x, y) for y in _steps(box.top, box.bottom)] for x in _at(box.left, box.right)]
    )
    columns = await _bands(
        caller, table, here, [[(x, y) for x in _steps(box.left, box.right)] for y in _at(box.top, box.bottom)]
    )
    tops = _middles((cell.top, cell.bottom) for each in rows if (cell := each.intersect(box)))
    lefts = _middles((cell.left, cell.right) for each in columns if (cell := each.intersect(box)))
    points = [(x, y) for y in tops for x in lefts][:MOST_CELLS]
    found = [ref for ref in await _standing_at(caller, table, points) if ref not in here]
    cells = [Node(ref) for ref in dict.fromkeys(found)]
    headers = [Node(ref) for ref in await _headers(caller, table, cells, len(tops)) if ref not in here]
    await read_basics(caller, [*headers, *cells])
    if await _run_backwards(caller, cells):
        cells.sort(key=lambda cell: (cell.box.top, -cell.box.right) if cell.box is not None else (box.bottom, 0))
    shown = [header for header in headers if header.box is not None and header.box.intersect(box) is not None]
    table.children += [*shown, *cells]


async def _run_backwards(caller: Caller, cells: Sequence[Node]) -> bool:
    """Whether the application counts cells that lie beside each other from right to left, as it does in Arabic and Hebrew."""
    beside = ((a, b) for a, b in pairwise(cells) if a.box is not None and b.box is not None and a.box.top == b.box.top)
    pair = next(beside, None)
    if pair is None:
        return False
    first, second = await caller.ask_all([Question(cell.ref, ACCESSIBLE, "GetIndexInParent", "i") for cell in pair])
    return isinstance(first, int) and isinstance(second, int) and 0 <= second < first


async def _headers(caller: Caller, table: Node, cells: Sequence[Node], rows: int) -> list[Ref]:
    """The headers of the first MOST_COLUMNS columns and of the rows that can be seen; a list has none."""
    if table.role in LISTS or not cells:
        return []
    columns, index = await caller.ask_all(
        [property_of(table.ref, TABLE, "NColumns", "i"), Question(cells[0].ref, ACCESSIBLE, "GetIndexInParent", "i")]
    )
    count = min(columns, MOST_COLUMNS) if isinstance(columns, int) else 0
    asked = [Question(table.ref, TABLE, "GetColumnHeader", "(so)", "i", (column,)) for column in range(count)]
    if isinstance(index, int) and index >= 0:
        (first,) = await caller.ask_all([Question(table.ref, TABLE, "GetRowAtIndex", "i", "i", (index,))])
        if isinstance(first, int) and first >= 0:
            asked += [
                Question(table.ref, TABLE, "GetRowHeader", "(so)", "i", (row,)) for row in range(first, first + rows)
            ]
    pairs = await caller.ask_all(asked)
    return list(dict.fromkeys(ref for pair in pairs if pair is not None and (ref := ref_from(pair)) is not None))


async def _bands(caller: Caller, table: Node, here: set[Ref], lines: Sequence[Sequence[tuple[int, int]]]) -> list[Box]:
    """The boxes of the cells along the first line on which any stand."""
    for line in lines:
        refs = [ref for ref in dict.fromkeys(await _standing_at(caller, table, line)) if ref not in here]
        extents = await caller.ask_all([extents_of(ref) for ref in refs])
        boxes = [box for each in extents if (box := box_from(each)) is not None]
        if boxes:
            return boxes
    return []


async def _standing_at(caller: Caller, table: Node, points: Sequence[tuple[int, int]]) -> list[Ref]:
    answers = await caller.ask_all([at_point(table.ref, x, y) for x, y in points])
    return [ref for pair in answers if pair is not None and (ref := ref_from(pair)) is not None]


def _steps(start: int, end: int) -> range:
    return range(start + STEP // 2, end, STEP)


def _at(start: int, end: int) -> list[int]:
    return [round(start + (end - start) * share) for share in _LINES]


def _middles(spans: Iterable[tuple[int, int]]) -> list[int]:
    return [(start + end) // 2 for start, end in sorted(set(spans))]
