"""The answers as tables: one row for each kind of question, the calibration, and a comparison of two runs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from parser.tables import Table

from grounding.answers import Answer
from grounding.figures import BANDS, Figures, Interval, calibration_error, difference, figures, reliability, utility
from grounding.judgement import PRESENT

_ALL = "all"


def main_table(answers: Sequence[Answer]) -> Table:
    """One row for each kind of each set and combination of sources, and their sums."""
    columns = (
        *("set", "sources", "kind", "n", "right", "wrong", "refused", "first right", "utility (95 %)"),
        *("false finds", "calibration", "ms fresh", "ms second", "covered"),
    )
    rows = []
    for (name, mode), own in _sets(answers).items():
        kinds = _grouped(own, "kind")
        for kind, part in kinds.items():
            rows.append((name, mode, kind, *_cells(figures(part))))
        if len(kinds) > 1:
            rows.append((name, mode, _ALL, *_cells(figures(own))))
    rows.append((_ALL, "", _ALL, *_cells(figures(answers))))
    return Table(columns, rows)


def calibration_table(answers: Sequence[Answer]) -> Table:
    """For each kind of question over all sets: the calibration error, and how many answers of each band are right."""
    bands = [f"{low:g}-{min(high, 1):g}" for low, high in pairwise(BANDS)]
    groups = {**_grouped(answers, "family"), _ALL: list(answers)}
    rows = []
    for name, own in groups.items():
        cells = [f"{share:.1%} of {count:,}" if share is not None else "" for count, share in reliability(own)]
        if any(cells):
            rows.append((name, _number(calibration_error(own), 1), *cells))
    return Table(("kind of question", "error in points", *bands), rows)


def comparison(before: Sequence[Answer], after: Sequence[Answer]) -> Table:
    """The utility of each set in two runs, on the questions that both have, with the paired interval of the difference."""
    rows = []
    old = {each.key: each for each in before}
    shared = [each for each in after if each.key in old]
    for (name, mode), own in [*_sets(shared).items(), ((_ALL, ""), shared)]:
        if not any(each.expected in PRESENT for each in own):
            continue
        earlier = [old[each.key] for each in own]
        change = difference(earlier, own)
        verdict = "better" if change.low > 0 else "worse" if change.high < 0 else ""
        values = (_number(utility(earlier).value, 1), _number(utility(own).value, 1), _interval(change, sign="+"))
        rows.append((name, mode, str(len(own)), *values, verdict))
    return Table(("set", "sources", "questions", "utility before", "after", "difference (95 %)", ""), rows)


def _sets(answers: Iterable[Answer]) -> dict[tuple[str, str], list[Answer]]:
    groups: dict[tuple[str, str], list[Answer]] = defaultdict(list)
    for each in answers:
        groups[each.set, each.mode].append(each)
    return groups


def _grouped(answers: Iterable[Answer], by: str) -> dict[str, list[Answer]]:
    groups: dict[str, list[Answer]] = defaultdict(list)
    for each in answers:
        groups[getattr(each, by)].append(each)
    return dict(sorted(groups.items()))


def _cells(row: Figures) -> Iterator[str]:
    yield str(row.there) if row.there else ""
    for count in (row.right, row.wrong, row.refused):
        yield f"{100 * count / row.there:.1f}" if row.there else ""
    yield str(row.first_right) if row.there else ""
    yield _interval(row.utility) if row.utility is not None else ""
    yield f"{row.false_finds} of {row.refusals}" if row.refusals else ""
    yield _number(row.calibration, 1)
    yield _number(row.fresh_ms)
    yield _number(row.second_ms)
    yield f"{100 * row.covered:.1f}" if row.covered is not None else ""


def _interval(value: Interval, sign: str = "") -> str:
    return f"{value.value:{sign}.1f} ({value.low:{sign}.1f} to {value.high:{sign}.1f})"


def _number(value: float | None, places: int = 0) -> str:
    return "" if value is None else f"{value:.{places}f}"
