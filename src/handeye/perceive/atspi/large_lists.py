"""
Find the visible children of a parent with thousands of them by index, without listing them all.

Listing 3,000 children blocks GTK for a second, and 10,000 for much longer. The visible ones are neighbours: of as many as
fit into the window at once, one or two are asked for their boxes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from handeye.errors import DeviceError
from handeye.geometry import Box, Point
from handeye.perceive.atspi.calls import Caller
from handeye.perceive.atspi.nodes import TABLE, Node, at_point, box_from, extents_of, read_basics
from handeye.perceive.atspi.protocol import ACCESSIBLE, ENABLED, Question, Ref, numbers_of, property_of, ref_from
from handeye.perceive.element_format import clean_text

# No screen shows more of them.
_MOST: Final = 1000


async def read_large_list(caller: Caller, holder: Ref, count: int, view: Box) -> list[Ref] | None:
    """
    Return those of the `count` children of `holder` that may be visible in `view`, in order, or None if none was found, as
    where their sizes differ much.
    """
    first = await _refs(caller, holder, [0])
    (extents,) = await caller.ask_all([extents_of(ref) for ref in first.values()]) if first else (None,)
    if extents is None or min(extents[2:]) <= 0:
        return None
    _, _, width, height = extents
    at_once = max(1, view.width // width) * max(1, view.height // height)  # GTK reports sizes also of rows out of view
    step = max(1, at_once // 2)
    tried = await _refs(caller, holder, range(0, count, step))
    answers = await caller.ask_all([extents_of(ref) for ref in tried.values()])
    boxes = {number: box_from(each) for number, each in zip(tried, answers, strict=True)}
    seen = [number for number, box in boxes.items() if box is not None and box.intersect(view) is not None]
    if not seen or seen[-1] - seen[0] > _MOST:
        return None
    near = range(max(0, seen[0] - step), min(count, seen[-1] + step + 1))
    return list((await _refs(caller, holder, near)).values())


async def _refs(caller: Caller, holder: Ref, numbers: Iterable[int]) -> dict[int, Ref]:
    numbers = list(numbers)
    pairs = await caller.ask_all([Question(holder, ACCESSIBLE, "GetChildAtIndex", "(so)", "i", (n,)) for n in numbers])
    found = {n: ref_from(pair) for n, pair in zip(numbers, pairs, strict=True) if pair is not None}
    return {n: ref for n, ref in found.items() if ref is not None}


# The visible cells of a table, found by hit tests.
#
# A sheet of LibreOffice Calc reports 2,147,483,647 children, and their indices overflow. So nothing is counted: points of
# the visible part are hit-tested along one line down and one across; the rows and columns found that way give one point
# per cell.


# Rows lower and columns narrower than this are missed. Qt's lowest usual row has 17 pixels.
STEP: Final = 8
# No screen shows more cells than this: 4K with rows of 17 pixels and columns of 40.
MOST_CELLS: Final = 12_000
# Tables with more columns than a screen shows are sheets, whose headers are not part of them.
MOST_COLUMNS: Final = 64
LISTS: Final = numbers_of("list", "list box")
# Positions of the lines, as a share of the width and height: the next one is used if the first hits no cell.
_LINES: Final = (0.1, 0.5, 0.9)


async def read_visible_cells(caller: Caller, table: Node, window: Box) -> None:
    """Append the cells that are visible in the table's part of the window to its children, row by row in reading order."""
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
    found = [ref for ref in await _objects_at(caller, table, points) if ref not in here]
    cells = [Node(ref) for ref in dict.fromkeys(found)]
    headers = [Node(ref) for ref in await _headers(caller, table, cells, len(tops)) if ref not in here]
    await read_basics(caller, [*headers, *cells])
    if await _is_right_to_left(caller, cells):
        cells.sort(key=lambda cell: (cell.box.top, -cell.box.right) if cell.box is not None else (box.bottom, 0))
    shown = [header for header in headers if header.box is not None and header.box.intersect(box) is not None]
    table.children += [*shown, *cells]


async def _is_right_to_left(caller: Caller, cells: Sequence[Node]) -> bool:
    """Return True if cells in one row are numbered from right to left, as in Arabic and Hebrew."""
    adjacent = (
        (a, b) for a, b in pairwise(cells) if a.box is not None and b.box is not None and a.box.top == b.box.top
    )
    pair = next(adjacent, None)
    if pair is None:
        return False
    first, second = await caller.ask_all([Question(cell.ref, ACCESSIBLE, "GetIndexInParent", "i") for cell in pair])
    return isinstance(first, int) and isinstance(second, int) and 0 <= second < first


async def _headers(caller: Caller, table: Node, cells: Sequence[Node], rows: int) -> list[Ref]:
    """Return the headers of the first MOST_COLUMNS columns and of the visible rows; a list has none."""
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
    """Return the boxes of the cells along the first line that hits any."""
    for line in lines:
        refs = [ref for ref in dict.fromkeys(await _objects_at(caller, table, line)) if ref not in here]
        extents = await caller.ask_all([extents_of(ref) for ref in refs])
        boxes = [box for each in extents if (box := box_from(each)) is not None]
        if boxes:
            return boxes
    return []


async def _objects_at(caller: Caller, table: Node, points: Sequence[tuple[int, int]]) -> list[Ref]:
    answers = await caller.ask_all([at_point(table.ref, x, y) for x, y in points])
    return [ref for pair in answers if pair is not None and (ref := ref_from(pair)) is not None]


def _steps(start: int, end: int) -> range:
    return range(start + STEP // 2, end, STEP)


def _at(start: int, end: int) -> list[int]:
    return [round(start + (end - start) * share) for share in _LINES]


def _middles(spans: Iterable[tuple[int, int]]) -> list[int]:
    return [(start + end) // 2 for start, end in sorted(set(spans))]


# Rows by name and index, for a list, table or tree of which only the visible part was read.
#
# All names are requested at once: 1,000 rows of two columns take Qt 0.1 s and GTK 0.6 s.


MOST_ROWS: Final = 12_000
"""Most cells of a table, or rows of a list, whose names are requested. A sheet has 2,147,483,647."""

_HEADERS: Final = numbers_of("table column header", "table row header", "column header", "row header")
# GTK's rows have no name: they are named by a label inside them, or inside a box in them.
_LABEL_DEPTH: Final = 2


async def read_rows(caller: Caller, holder: Ref) -> list[Node]:
    """
    Return the named children of `holder` in order, including invisible ones, with roles and names but no boxes. Raises
    DeviceError.
    """
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
    """Return the 0-based index of the child of `holder` at a point, or None if there is none."""
    (pair,) = await caller.ask_all([at_point(holder, at.x, at.y)])
    ref = ref_from(pair) if pair is not None else None
    return await number_of(caller, ref) if ref is not None and ref != holder else None


async def number_of(caller: Caller, ref: Ref) -> int | None:
    """Return the index of an object in its parent, or None if its application does not report it."""
    index = await caller.ask(Question(ref, ACCESSIBLE, "GetIndexInParent", "i"))
    return index if isinstance(index, int) and index >= 0 else None


async def _children(caller: Caller, holders: Sequence[Ref]) -> list[list[Ref]]:
    answers = await caller.ask_all([Question(ref, ACCESSIBLE, "GetChildren", "a(so)") for ref in holders])
    return [[ref for pair in pairs or () if (ref := ref_from(pair)) is not None] for pairs in answers]


async def _names(caller: Caller, refs: Sequence[Ref]) -> list[str]:
    answers = await caller.ask_all([property_of(ref, ACCESSIBLE, "Name", "s") for ref in refs])
    return [clean_text(name or "").strip() for name in answers]


async def _name_by_labels(caller: Caller, rows: Sequence[Node]) -> None:
    """Name each row after the first named object inside it."""
    level = [(row, row.ref) for row in rows]
    for _ in range(_LABEL_DEPTH):
        inside = await _children(caller, [ref for _, ref in level])
        below = [(row, ref) for (row, _), refs in zip(level, inside, strict=True) for ref in refs]
        for (row, _), name in zip(below, await _names(caller, [ref for _, ref in below]), strict=True):
            row.name = row.name or name
        level = [(row, ref) for row, ref in below if not row.name]
