"""
Infer borders of columns and rows and the corner handle of a table from the rectangles of headers and cells, by the formulas
of docs/spec/perception-tiers.md.

A border is inferred only where two headers or rows touch. Hidden and scrolled-out elements have no box and are ignored.
Tables of web pages are skipped: hardly any can be resized, and the tree does not show which.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.perceive.element_format import control_type, element_name
from handeye.perceive.structure.derivation import BORDER_HALF_WIDTH, LEAST_CONFIDENCE, Inference
from handeye.perceive.structure.layout import TABLES, Layout, visible_box

# Pixels between the rectangles of neighbours. Qt's headers touch, its cells leave one for the grid line, GTK's cells two
# for padding; Windows' list views let headers overlap by one.
_OVERLAP: Final = 1
_TOUCH: Final = 3
# Least free pixels after the last header or row for its border to count as draggable: at the end of the table it is not.
# Less may be the space of a scroll bar (14-17 pixels, 34 at a scale of two), up to which Qt stretches the last column of
# a tree; it does not stretch rows.
_FREE_AFTER_COLUMNS: Final = 40
_FREE_AFTER_ROWS: Final = 24
# A table within this many pixels of its container's end has no resize handle of its own.
_MARGIN: Final = 8
# Qt does not report the scroll bars of its tables. They are 14 (Fusion) to 17 (Windows) pixels wide.
_QT_SCROLL_BAR: Final = 17
CORNER: Final = 8
"""Side of a table's resize handle in pixels (docs/spec/perception-tiers.md)."""

# Confidence of each rule. Two headers that touch have a border; whether the last one can be dragged, whether rows without
# headers have a border, and whether a table has a corner handle depends on the toolkit.
_BETWEEN_HEADERS: Final = 0.95
_ON_A_GRIP: Final = 0.95
_AFTER_THE_LAST: Final = 0.75
_BETWEEN_ROWS: Final = LEAST_CONFIDENCE
_IN_THE_CORNER: Final = LEAST_CONFIDENCE

_ROWS: Final = frozenset({"cell", "table row"})
# Toolkits whose rows are resized by their headers or not at all: a drag between two cells selects them.
_ROWS_NOT_DRAGGABLE: Final = frozenset({"gtk", "qt"})
# Toolkits that report each resize grip as an element: without one, nothing can be dragged.
_GRIPS_REPORTED: Final = frozenset({"wpf"})


@dataclass(frozen=True, slots=True)
class _Axis:
    """
    One of the two directions of headers: its role and coordinate name, the indices of a box's start and end edges, and how
    many pixels after the last header count as free space.
    """

    role: str
    coordinate: str
    start: int
    end: int
    free: int

    def span(self, element: UIElement) -> tuple[int, int]:
        box = visible_box(element)
        return box[self.start], box[self.end]

    def ends_in_view(self, element: UIElement) -> bool:
        return visible_box(element)[self.end] == element.bbox[self.end]

    def starts_in_view(self, element: UIElement) -> bool:
        return visible_box(element)[self.start] == element.bbox[self.start]

    def strip(self, element: UIElement, at: int) -> Box:
        """Return a strip of 2 x REACH pixels around `at`, as long as the element is in the other direction."""
        edges = list(visible_box(element))
        edges[self.start], edges[self.end] = at - BORDER_HALF_WIDTH, at + BORDER_HALF_WIDTH
        return Box(*edges)


_ACROSS: Final = _Axis("column border", "border_x", 0, 2, _FREE_AFTER_COLUMNS)
_DOWN: Final = _Axis("row border", "border_y", 1, 3, _FREE_AFTER_ROWS)


def table_parts(layout: Layout) -> Iterator[Inference]:
    """Yield column borders, row borders and resize handles, table by table in the order of the elements."""
    headers: dict[int | None, list[UIElement]] = defaultdict(list)
    for header in layout.of("header item"):
        if layout.is_on_a_web_page(header):
            continue
        holder = layout.holder_of(header)
        headers[holder.id if holder else None].append(header)
    with_row_headers: set[int | None] = set()
    for holder_id, group in headers.items():
        holder = layout.by_id.get(holder_id) if holder_id is not None else None
        columns, rows = _columns_and_rows(group)
        reachable = _Reachable(layout, holder)
        for band in _bands(columns, _ACROSS):
            if holder is None or _matches_cell_order(layout, holder, band):
                yield from reachable.of(_borders(holder, band, _ACROSS))
        for band in _bands(rows, _DOWN):
            with_row_headers.add(holder_id)
            yield from reachable.of(_borders(holder, band, _DOWN))
    yield from _row_borders(layout, with_row_headers)
    for table in layout.of("table"):
        if not layout.is_on_a_web_page(table):
            yield from _corner(layout, table)


def _columns_and_rows(headers: Sequence[UIElement]) -> tuple[list[UIElement], list[UIElement]]:
    """Split headers into those of columns and those of rows: by their class, else by their alignment."""
    tops = Counter(visible_box(each).top for each in headers)
    lefts = Counter(visible_box(each).left for each in headers)

    def is_of_a_row(each: UIElement) -> bool:
        class_name = str(each.metadata.get("class", "")).casefold().replace(" ", "")
        if "rowheader" in class_name or "columnheader" in class_name:
            return "rowheader" in class_name
        return tops[visible_box(each).top] == 1 and lefts[visible_box(each).left] > 1

    of_rows = [each for each in headers if is_of_a_row(each)]
    return [each for each in headers if not is_of_a_row(each)], of_rows


def _bands(headers: Sequence[UIElement], axis: _Axis) -> Iterator[list[UIElement]]:
    """Yield the headers of each line in order of position. A table with nested headers has two lines."""
    bands: dict[tuple[int, int], list[UIElement]] = defaultdict(list)
    other = (1, 3) if axis is _ACROSS else (0, 2)
    for each in headers:
        box = visible_box(each)
        bands[box[other[0]], box[other[1]]].append(each)
    for band in bands.values():
        yield sorted(band, key=axis.span)


def _borders(holder: UIElement | None, band: Sequence[UIElement], axis: _Axis) -> Iterator[Inference]:
    right_to_left = axis is _ACROSS and _is_right_to_left(band)
    for first, second in pairwise(band):
        gap = axis.span(second)[0] - axis.span(first)[1]
        if -_OVERLAP <= gap <= _TOUCH and axis.ends_in_view(first):
            named = (second, first) if right_to_left else (first, second)
            yield _border(holder, axis, first, named, _BETWEEN_HEADERS)
    if holder is None or holder.element_type not in TABLES:
        return  # where the table ends is not known
    last = band[0] if right_to_left else band[-1]
    if right_to_left:
        free, in_view = axis.span(last)[0] - axis.span(holder)[0], axis.starts_in_view(last)
    else:
        free, in_view = axis.span(holder)[1] - axis.span(last)[1], axis.ends_in_view(last)
    if free >= axis.free and in_view:
        yield _border(holder, axis, last, (last,), _AFTER_THE_LAST, at_start=right_to_left)


def _border(
    holder: UIElement | None,
    axis: _Axis,
    anchor: UIElement,
    named: tuple[UIElement, ...],
    confidence: float,
    *,
    at_start: bool = False,
) -> Inference:
    edge = axis.start if at_start else axis.end
    # After the last header only its own last pixel can be dragged: Qt treats the next one as free space.
    inside = 1 if confidence == _AFTER_THE_LAST and not at_start else 0
    names = tuple(element_name(each) for each in named)
    if not all(names):  # GTK has a header without a name after the last one
        names = (names[0] or f"{anchor.element_type} {anchor.id}",)
    where = f"between {names[0]} and {names[1]}" if len(names) > 1 else f"after {names[0]}"
    formula = f"{axis.coordinate} = A.rect[{edge}]{' - 1' if inside else ''}"
    return Inference(
        axis.role,
        f"{axis.role} {where}",
        axis.strip(anchor, visible_box(anchor)[edge] - inside),
        confidence,
        f"{formula}, using A=[{anchor.id}] {control_type(anchor.element_type)}",
        (anchor.id or 0,),
        holder.id if holder else anchor.parent,
        {"between": names},
    )


def _toolkit(element: UIElement) -> str:
    return str(element.metadata.get("toolkit", "")).casefold()


class _Reachable:
    """
    Filter for borders that a drag can reach: their strip lies inside their table, not under one of its scroll bars, and on
    a grip if the toolkit reports grips.
    """

    def __init__(self, layout: Layout, table: UIElement | None) -> None:
        self._inside = visible_box(table) if table is not None and table.element_type in TABLES else None
        if table is None or self._inside is None:
            return
        near = (*layout.children[table.id], *layout.children[table.parent])
        self._bars = [visible_box(each) for each in near if each.element_type == "scroll bar"]
        self._grips = _grips_in(layout, table) if _toolkit(table) in _GRIPS_REPORTED else None
        parts = [each.bbox for each in layout.children[table.id]] if _toolkit(table) == "qt" else []
        self._goes_on = {
            axis.role: any(each[axis.end] > self._inside[axis.end] for each in parts) for axis in (_ACROSS, _DOWN)
        }

    def of(self, borders: Iterable[Inference]) -> Iterator[Inference]:
        """Yield the reachable borders, each replacing the unnamed grips that it lies on."""
        for border in filter(self._is_reached, borders):
            if self._inside is None or self._grips is None:
                yield border
            elif grips := [grip for grip in self._grips if border.box.intersect(visible_box(grip))]:
                unnamed = frozenset(grip.id for grip in grips if grip.id is not None and not element_name(grip))
                yield replace(border, confidence=_ON_A_GRIP, instead_of=unnamed)

    def _is_reached(self, border: Inference) -> bool:
        if self._inside is None:
            return True
        axis, other = (_ACROSS, _DOWN) if border.role == _ACROSS.role else (_DOWN, _ACROSS)
        # Content that continues downwards has its scroll bar at the right, where columns end, and vice versa.
        end = self._inside[axis.end] - (_QT_SCROLL_BAR if self._goes_on[other.role] else 0)
        fits = self._inside[axis.start] <= border.box[axis.start] and border.box[axis.end] <= end
        return fits and not any(border.box.intersect(bar) for bar in self._bars)


def _grips_in(layout: Layout, table: UIElement) -> list[UIElement]:
    return [grip for grip in layout.of("grip") if table in layout.above(grip)]


def _matches_cell_order(layout: Layout, table: UIElement, headers: Sequence[UIElement]) -> bool:
    """
    Return True if the headers run in the same direction as the cells below. Qt 6.12 reports the headers of right-to-left
    tables at their left-to-right positions, so their borders would be wrong.
    """
    cells = (each for each in layout.children[table.id] if each.element_type not in ("header item", "scroll bar"))
    for first, second in pairwise(cells):
        if visible_box(first).top == visible_box(second).top:
            return len(headers) < 2 or (visible_box(first).left > visible_box(second).left) == _is_right_to_left(
                headers
            )
    return True


def _is_right_to_left(band: Sequence[UIElement]) -> bool:
    """Return True if the headers are listed from right to left, as in Arabic and Hebrew."""
    numbers = [each.id or 0 for each in band]
    return len(numbers) > 1 and all(later < earlier for earlier, later in pairwise(numbers))


def _row_borders(layout: Layout, with_row_headers: set[int | None]) -> Iterator[Inference]:
    """Yield borders between the rows of tables without row headers, at the bottom of each row's first cell."""
    rows: dict[int, list[UIElement]] = defaultdict(list)
    tables: dict[int, UIElement] = {}
    parts_of_rows = {each.id for each in layout.of(*_ROWS)}
    for each in layout.of(*_ROWS):
        if each.parent in parts_of_rows or layout.is_on_a_web_page(each):
            continue  # cells inside a row: the row itself is used
        table = layout.table_of(each)
        if table is not None and table.id is not None and table.element_type == "table":
            tables[table.id] = table
            rows[table.id].append(each)
    for number, cells in rows.items():
        if number not in with_row_headers and _toolkit(tables[number]) not in _ROWS_NOT_DRAGGABLE:
            yield from _Reachable(layout, tables[number]).of(_between(tables[number], _first_cells(cells)))


def _between(table: UIElement, rows: Sequence[UIElement]) -> Iterator[Inference]:
    """Yield borders between rows that touch, by the first cell of each."""
    for first, second in pairwise(rows):
        gap = visible_box(second).top - visible_box(first).bottom
        if -_OVERLAP <= gap <= _TOUCH and _DOWN.ends_in_view(first):
            yield _border(table, _DOWN, first, (first, second), _BETWEEN_ROWS)


def _first_cells(cells: Sequence[UIElement]) -> list[UIElement]:
    """
    Return the first cell of each row, from top to bottom. Among cells with the same top, the shortest marks the end of the
    row.
    """
    rows: dict[int, list[UIElement]] = defaultdict(list)
    for cell in cells:
        rows[visible_box(cell).top].append(cell)
    firsts: list[UIElement] = []
    for top in sorted(rows):
        bottom = min(visible_box(cell).bottom for cell in rows[top])
        firsts.append(next(cell for cell in rows[top] if visible_box(cell).bottom == bottom))
    return firsts


def _corner(layout: Layout, table: UIElement) -> Iterator[Inference]:
    """Yield the handle in the bottom right corner of a table that has room to grow and no scroll bar there."""
    box = visible_box(table)
    if box != table.bbox or box.width <= 2 * CORNER or box.height <= 2 * CORNER or _toolkit(table) in _GRIPS_REPORTED:
        return
    for parent in layout.above(table):
        around = visible_box(parent)
        if around.right - box.right < _MARGIN and around.bottom - box.bottom < _MARGIN:
            return  # it fills its container, and is resized with that
    corner = Box(box.right - CORNER, box.bottom - CORNER, box.right, box.bottom)
    if _scrolls(layout, table):
        return
    near = (*layout.children[table.id], *layout.children[table.parent])
    if any(each.element_type == "scroll bar" and visible_box(each).intersect(corner) for each in near):
        return
    edges = f"A.rect[2]-{CORNER}, A.rect[3]-{CORNER}, A.rect[2], A.rect[3]"
    yield Inference(
        "resize handle",
        f"resize handle of {layout.called(table) or table.element_type}",
        corner,
        _IN_THE_CORNER,
        f"rect = ({edges}), using A=[{table.id}] {control_type(table.element_type)}",
        (table.id or 0,),
        table.parent,
        {"between": (layout.called(table),)},
    )


def _scrolls(layout: Layout, table: UIElement) -> bool:
    """
    Return True if the rows reach the table's end. Its corner then has a scroll bar, even if the application reports none
    (Qt).
    """
    bottom = visible_box(table).bottom
    return any(
        each.visible_region is not None or bottom - visible_box(each).bottom <= _TOUCH
        for each in layout.children[table.id]
        if each.element_type in _ROWS or each.element_type == "header item"
    )
