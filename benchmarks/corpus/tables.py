"""The answers as tables: right, wrong, refused per kind of question, and how much a confidence is worth."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

from corpus.measure import Answer

BINS: Final = (0.0, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1.01)


def summary(answers: Sequence[Answer]) -> dict[str, Any]:
    """The figures of one group of answers."""
    verdicts = [answer.verdict for answer in answers]
    present = [answer for answer in answers if answer.query.right]
    found = [answer for answer in present if answer.element is not None]
    sure = [answer for answer in answers if answer.sure]
    return {
        "asked": len(answers),
        "right": verdicts.count("right"),
        "wrong": verdicts.count("wrong"),
        "refused": verdicts.count("refused"),
        "rightly refused": verdicts.count("rightly refused"),
        "candidate": sum(answer.named for answer in present),
        "wrong and sure": sum(answer.verdict == "wrong" for answer in sure),
        "wrong per hundred": round(100 * verdicts.count("wrong") / max(1, len(answers)), 2),
        "sure answers right": round(sum(answer.verdict == "right" for answer in sure) / len(sure), 4) if sure else None,
        "box over half": round(
            sum(a.overlap >= 0.5 for a in found if a.verdict == "right")
            / max(1, sum(a.verdict == "right" for a in found)),
            3,
        ),
        "ms": round(statistics.median(answer.ms for answer in answers), 2) if answers else None,
    }


def by_kind(answers: Iterable[Answer]) -> dict[str, dict[str, dict[str, Any]]]:
    """Strategy, then kind of question, then figures; the kind "all" sums a strategy up."""
    groups: dict[str, dict[str, list[Answer]]] = defaultdict(lambda: defaultdict(list))
    for answer in answers:
        groups[answer.strategy][answer.query.kind].append(answer)
        groups[answer.strategy]["all"].append(answer)
    return {
        strategy: {kind: summary(kinds[kind]) for kind in sorted(kinds, key=lambda kind: (kind == "all", kind))}
        for strategy, kinds in groups.items()
    }


def calibration(answers: Iterable[Answer]) -> list[dict[str, Any]]:
    """For each band of confidence: how many answers, and what share of them is right."""
    given = [answer for answer in answers if answer.element is not None]
    rows = []
    for low, high in pairwise(BINS):
        band = [answer for answer in given if answer.element and low <= answer.element.confidence < high]
        if band:
            right = sum(answer.verdict == "right" for answer in band)
            rows.append({"from": low, "to": min(high, 1.0), "answers": len(band), "right": round(right / len(band), 4)})
    return rows


def lines(table: dict[str, dict[str, dict[str, Any]]]) -> Iterator[str]:
    """The table as text."""
    counts = f"{'asked':>6}{'right':>7}{'wrong':>7}{'(sure)':>7}{'refused':>9}{'candidate':>10}"
    head = f"{'strategy':14}{'kind':26}{counts}{'box ok':>8}{'ms':>9}"
    yield head
    yield "-" * len(head)
    for strategy, kinds in table.items():
        for kind, row in kinds.items():
            refused = f"{row['refused']}+{row['rightly refused']}"
            box = f"{row['box over half']:.0%}" if row["right"] else "-"
            yield (
                f"{strategy:14}{kind:26}{row['asked']:6}{row['right']:7}{row['wrong']:7}{row['wrong and sure']:7}"
                f"{refused:>9}{row['candidate']:10}{box:>8}{row['ms']:9.2f}"
            )


def band_lines(bands: dict[str, list[dict[str, Any]]]) -> Iterator[str]:
    """Confidence and truth, band by band, as text."""
    yield "\nconfidence: share right (answers)"
    for name, rows in bands.items():
        cells = [f"{row['from']:.2f}-{row['to']:.2f} {row['right']:.0%} ({row['answers']})" for row in rows]
        yield f"{name:28}" + "  ".join(cells)


def markdown(table: dict[str, dict[str, dict[str, Any]]], bands: dict[str, list[dict[str, Any]]]) -> Iterator[str]:
    """Both tables as docs/accuracy.md has them."""
    yield "| strategy | kind | asked | right | wrong | (sure) | refused | candidate | box ok |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for strategy, kinds in table.items():
        for number, (kind, row) in enumerate(kinds.items()):
            there = row["right"] + row["refused"] > 0
            refused = "+".join(
                str(row[name]) for name in ("refused", "rightly refused") if row[name] or name == "refused"
            )
            cells = [
                "" if number else strategy,
                kind,
                f"{row['asked']:,}",
                f"{row['right']:,}" if there else "",
                row["wrong"],
                row["wrong and sure"],
                refused if there else f"+{row['rightly refused']}",
                row["candidate"] if there else "",
                f"{row['box over half']:.0%}" if row["right"] else "",
            ]
            yield f"| {' | '.join(map(str, cells))} |"
    yield ""
    steps = list(pairwise(BINS))
    yield f"| strategy | {' | '.join(f'{low:g}-{min(high, 1):g}' for low, high in steps)} |"
    yield "|---" * (len(steps) + 1) + "|"
    for name, rows in bands.items():
        shares = {row["from"]: f"{row['right']:.1%} of {row['answers']:,}" for row in rows}
        yield f"| {name} | {' | '.join(shares.get(low, '–') for low, _high in steps)} |"
