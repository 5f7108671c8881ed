"""
Tables on a terminal, without truncation.

If a table is wider than the terminal, its widest columns are moved, one by one, until the others fit; their cells follow below
the row, each on a line of its own. Cells are not wrapped: Chinese has no blanks to break at, and a name must be copied whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from handeye.commands import Table

_GAP: Final = "  "
_BELOW: Final = "      "


def print_table(table: Table, console: Console, width: int | None) -> None:
    """Print the table at most `width` cells wide. With None each row is one line, for other programs."""
    for line in _lines(table, width, "-" if console.options.ascii_only else "─"):
        console.print(line, soft_wrap=True)  # as Text, not as markup: it may hold a screen's text


def _lines(table: Table, width: int | None, rule: str) -> Iterator[Text]:
    widths = [max(map(cell_len, column)) for column in zip(table.columns, *table.rows, strict=True)]
    beside = _beside(table, widths, width)
    across = sum(widths[at] for at in beside) + len(_GAP) * (len(beside) - 1)
    yield Text(_row([table.columns[at] for at in beside], [widths[at] for at in beside]), style="bold")
    yield Text(rule * min(across, width or across))
    for row in table.rows:
        yield Text(_row([row[at] for at in beside], [widths[at] for at in beside]))
        for at, name in enumerate(table.columns):
            if at not in beside and row[at]:
                yield Text(f"{_BELOW}{name}: {row[at]}" if name else _BELOW + row[at])


def _beside(table: Table, widths: Sequence[int], width: int | None) -> list[int]:
    """Return the columns that fit in one line. The first one stays always; the main one is moved below last."""
    beside = list(range(len(widths)))
    while width is not None and len(beside) > 1 and sum(widths[at] + len(_GAP) for at in beside) - len(_GAP) > width:
        beside.remove(max(beside[1:], key=lambda at: (table.columns[at] != table.main, widths[at])))
    return beside


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    filled = (cell + " " * (width - cell_len(cell)) for cell, width in zip(cells, widths, strict=True))
    return _GAP.join(filled).rstrip()
