"""The command line of the suite."""

from __future__ import annotations

import argparse
import json
import math
import random
import signal
import sys
from collections.abc import Iterable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Final

from scenarios.cell import Cell
from scenarios.disturbances import DISTURBANCES
from scenarios.model_tasks import MODEL_TASKS
from scenarios.pool import Job, run_all
from scenarios.referee import Verdict
from scenarios.tables import sums, table
from scenarios.tasks import TASKS

DEADLINE_S: Final = 300.0
"""For one run. The longest took under 120 s on a busy machine; a run that needs more hangs."""

CELLS: Final = "cells.jsonl"
NAMES: Final = [task.name for task in (*TASKS, *MODEL_TASKS)]


def main(words: Sequence[str] | None = None) -> int:
    """Run what has not run yet, write the table, and return 0 when nothing was wrong, hung or crashed, and all was done."""
    asked = _parser().parse_args(words)
    out: Path = asked.out
    out.mkdir(parents=True, exist_ok=True)
    known = {} if asked.again else read_cells(out / CELLS)
    wanted = _sample(_wanted(asked.task or _usual(asked.poor_model), asked.disturbance), asked.share, asked.seed)
    if asked.retry:
        known = {
            place: cell for place, cell in known.items() if place not in wanted or cell.verdict == Verdict.OK.value
        }
    jobs = [
        Job(task, disturbance, out / f"{task}--{disturbance.replace(' ', '-')}", asked.poor_model)
        for task, disturbance in wanted
        if (task, disturbance) not in known
    ]
    _write_cells(out / CELLS, known.values())

    def tell(cell: Cell) -> None:
        known[cell.task, cell.disturbance] = cell
        with (out / CELLS).open("a", encoding="utf-8") as file:
            file.write(json.dumps(cell.to_dict(), ensure_ascii=False) + "\n")
        print(f"{len(known):4} {cell.verdict:7} {cell.task} / {cell.disturbance}: {cell.seconds:.0f} s", flush=True)

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ended from outside: leave no process behind
    run_all(jobs, tell, beside=asked.jobs, deadline_s=asked.deadline)
    cells = [known[place] for place in wanted]
    (out / "table.md").write_text(table(cells), encoding="utf-8")
    (out / "table.json").write_text(
        json.dumps([cell.to_dict() for cell in cells], ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
    )
    print("\n".join(sums(cells)))
    return int(any(cell.verdict != Verdict.OK.value for cell in cells))


def read_cells(path: Path) -> dict[tuple[str, str], Cell]:
    """Return the cells that an earlier run wrote, one a line; a line that its end cut off is left out."""
    if not path.exists():
        return {}
    names = {each.name for each in fields(Cell)}
    found: dict[tuple[str, str], Cell] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            values = json.loads(line)
        except ValueError:
            continue
        if set(values) == names:
            found[values["task"], values["disturbance"]] = Cell(**values)
    return found


def _write_cells(path: Path, cells: Iterable[Cell]) -> None:
    lines = (json.dumps(cell.to_dict(), ensure_ascii=False) + "\n" for cell in cells)
    path.write_text("".join(lines), encoding="utf-8")


def _usual(poor_model: int | None) -> list[str]:
    """Return the usual tasks; without a model, those that only a model can plan are left out."""
    return NAMES if poor_model is not None else [task.name for task in TASKS]


def _wanted(tasks: Sequence[str], disturbances: Sequence[str]) -> list[tuple[str, str]]:
    """Return task and disturbance of each run, task by task, so that a run that is stopped has whole rows."""
    return [(task, each) for task in tasks for each in disturbances or [each.name for each in DISTURBANCES]]


def _sample(runs: Sequence[tuple[str, str]], share: float, seed: int) -> list[tuple[str, str]]:
    """Return the same `share` of the runs for the same `seed`, in their order; all of them for 1."""
    chosen = random.Random(seed).sample(range(len(runs)), math.ceil(share * len(runs)))
    return [runs[index] for index in sorted(chosen)]


def _share(word: str) -> float:
    share = float(word)
    if not 0 < share <= 1:
        raise ValueError(word)
    return share


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="scenarios", description=__doc__)
    parser.add_argument(
        "--out", type=Path, default=Path("out/scenarios"), help="folder for table, cells and failed runs"
    )
    parser.add_argument("--jobs", type=int, default=2, help="runs beside each other, each with a phone of its own")
    parser.add_argument("--deadline", type=float, default=DEADLINE_S, help="seconds for one run")
    parser.add_argument("--task", action="extend", nargs="*", default=[], choices=NAMES, metavar="NAME")
    parser.add_argument(
        "--disturbance",
        action="extend",
        nargs="*",
        default=[],
        choices=[each.name for each in DISTURBANCES],
        metavar="NAME",
    )
    parser.add_argument("--share", type=_share, default=1.0, help="run only this share of it (0-1), chosen by --seed")
    parser.add_argument("--seed", type=int, default=0, help="which share: the same seed chooses the same runs")
    parser.add_argument("--poor-model", type=int, metavar="SEED", help="ask the model that is right half of the time")
    parser.add_argument("--again", action="store_true", help="forget what has run before")
    parser.add_argument("--retry", action="store_true", help="run again what was not well")
    return parser


if __name__ == "__main__":
    sys.exit(main())
