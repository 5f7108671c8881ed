"""Tables for the screen and for the docs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs" / "parser-accuracy.md"


@dataclass(frozen=True)
class Table:
    """Table of counts: the words above each column, and rows of cells."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]

    def __str__(self) -> str:
        widths = [max(map(len, column)) for column in zip(self.columns, *self.rows, strict=True)]
        lines = (self.columns, *self.rows)
        return "\n".join(
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
        )

    @property
    def markdown(self) -> str:
        lines = (self.columns, ["---"] * len(self.columns), *self.rows)
        return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def share(hits: int, of: int) -> str:
    """Return a share in percent, with the number that it was counted on."""
    return f"{100 * hits / of:.1f} %" if of else "-"


def write(name: str, parts: Iterable[Table | str], docs: Path = DOCS, command: str = "") -> None:
    """
    Put tables, and words between them, between the marks of that name in the docs; the first mark names the `command`.

    Raises SystemExit when the docs have no such marks.
    """
    command = command or f"python benchmarks/parser/run.py {name} --docs"
    begin, end = f"<!-- {name}: {command} -->", f"<!-- end of {name} -->"
    text = docs.read_text(encoding="utf-8")
    before, found, rest = text.partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise SystemExit(f"{docs} has no marks to write between: {begin} {end}")
    body = "\n\n".join(part.markdown if isinstance(part, Table) else part for part in parts)
    docs.write_text(f"{before}{begin}\n\n{body}\n\n{end}{after}", encoding="utf-8")
