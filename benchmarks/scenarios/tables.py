"""The table of a suite: task by disturbance, with results and costs."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from scenarios.cell import Cell, task_named
from scenarios.disturbances import DISTURBANCES
from scenarios.model_tasks import MODEL_TASKS
from scenarios.referee import Verdict
from scenarios.tasks import TASKS

_SUMS: Final = (
    *("solvable", "done", "unsure", "failed"),
    *("impossible", "refused", "wrong", "untrue", "hung or crashed", "median s"),
)


def table(cells: Iterable[Cell]) -> str:
    """Return all cells as Markdown: the matrix, the sums and the cells that are not OK."""
    by_place = {(cell.task, cell.disturbance): cell for cell in cells}
    columns = [each.name for each in DISTURBANCES if any(place[1] == each.name for place in by_place)]
    rows = [task for task in (*TASKS, *MODEL_TASKS) if any(place[0] == task.name for place in by_place)]
    lines = [f"| task | {' | '.join(columns)} |", f"|---|{'---|' * len(columns)}"]
    for task in rows:
        inside = (_inside(by_place.get((task.name, column))) for column in columns)
        lines.append(f"| {task.name} | {' | '.join(inside)} |")
    return "\n".join((*lines, "", *sums(list(by_place.values())), "", *troubles(by_place.values()))) + "\n"


def _inside(cell: Cell | None) -> str:
    if cell is None:
        return ""
    word = cell.verdict if cell.verdict != Verdict.OK.value or cell.solvable else "refused"
    return f"{word} {cell.steps}/{cell.model_calls}/{cell.seconds:.0f}s"


def sums(cells: Sequence[Cell]) -> list[str]:
    """Return the table of counts by kind of result, per disturbance and in all."""
    lines = [f"| disturbance | {' | '.join(_SUMS)} |", f"|---|{'---|' * len(_SUMS)}"]
    groups = [(each.name, [cell for cell in cells if cell.disturbance == each.name]) for each in DISTURBANCES]
    for name, group in [*groups, ("all", list(cells))]:
        if group:
            lines.append(f"| {name} | {' | '.join(_sum(group))} |")
    return lines


def _sum(cells: Sequence[Cell]) -> list[str]:
    solvable = [cell for cell in cells if cell.solvable]
    rest = [cell for cell in cells if not cell.solvable]
    all_, count = Counter(cell.verdict for cell in cells), Counter(cell.verdict for cell in solvable)
    refused = sum(cell.verdict == Verdict.OK.value for cell in rest)
    ended = statistics.median(cell.seconds for cell in cells)
    numbers = (
        len(solvable),
        *(count[verdict.value] for verdict in (Verdict.OK, Verdict.UNSURE, Verdict.FAILED)),
        len(rest),
        refused,
        all_[Verdict.WRONG.value],
        all_[Verdict.UNTRUE.value],
        all_[Verdict.HUNG.value] + all_[Verdict.CRASHED.value],
    )
    return [*map(str, numbers), f"{ended:.0f}"]


def troubles(cells: Iterable[Cell]) -> list[str]:
    """Return the cells that are not OK, in words."""
    bad = [cell for cell in cells if cell.verdict != Verdict.OK.value]
    return [line for cell in bad for line in _trouble(cell)]


def _trouble(cell: Cell) -> list[str]:
    words = repr(task_named(cell.task).words)
    why = "; ".join((*cell.harm, *cell.missing)) or "nothing is missing"
    said = cell.error.replace("\n", " ").replace("|", "\\|")
    return [f"- **{cell.task} / {cell.disturbance}** ({words}): {cell.verdict}; {why}. It ended {cell.status}: {said}"]
