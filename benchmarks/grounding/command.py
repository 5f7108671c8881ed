"""The command line: `python benchmarks/grounding/run.py`."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from parser.tables import Table, write
from training.splits import split

from grounding import answers as files
from grounding import failures, tables
from grounding.answers import Answer
from grounding.cases import Case, Missing
from grounding.chain import Bench
from grounding.sets.all import recorded, rendered

ROOT: Final = Path(__file__).parents[2]
OUT: Final = ROOT / "out"
DOCS: Final = ROOT / "docs" / "accuracy.md"
TIMED_EVERY: Final = (
    8  # every so many-th frame of a set is read anew, for the times; the others' readings are kept on disk
)


def main(words: Sequence[str] | None = None) -> int:
    arguments = _arguments().parse_args(words)
    home: Path = arguments.out / "grounding"
    home.mkdir(parents=True, exist_ok=True)
    cases, missing = _cases(arguments)
    answers = _earlier(arguments) if arguments.answers else list(_answered(cases, arguments, home))
    measured = _measured(answers, arguments) if answers else []
    if arguments.docs:
        write("grounding", measured, DOCS, "make grounding ARGS=--docs")
    parts: list[Table | str] = [*(f"{each.set}: {each.reason}" for each in missing), *measured]
    if arguments.compare:
        parts += [f"Compared with {arguments.compare}:", tables.comparison(files.read(arguments.compare), answers)]
    if arguments.failures:
        count = failures.write_sheets(cases, answers, home / "failures")
        parts.append(f"{count} contact sheets in {home / 'failures'}")
    for part in parts:
        print(part, end="\n\n")
    texts = [part.markdown if isinstance(part, Table) else part for part in parts]
    (home / "table.md").write_text("\n\n".join(texts) + "\n", encoding="utf-8")
    return 0


def _measured(answers: Sequence[Answer], arguments: argparse.Namespace) -> list[Table | str]:
    calibration = tables.calibration_table(answers)
    return [_about(answers, arguments), tables.main_table(answers), "Calibration, by kind of question:", calibration]


def _cases(arguments: argparse.Namespace) -> tuple[list[Case], list[Missing]]:
    """The cases that are asked for, and the sets that are not there. Raises SystemExit for a set that does not exist."""
    sources = [*recorded(arguments.data), *rendered(arguments.out, tuple(arguments.scenes))]
    wanted = set(filter(None, arguments.sets.split(",")))
    if unknown := wanted - {source.name for source in sources}:
        known = ", ".join(source.name for source in sources)
        raise SystemExit(f"there is no set {', '.join(sorted(unknown))}; there are: {known}")
    found: list[Case] = []
    missing: list[Missing] = []
    for source in sources:
        if wanted and source.name not in wanted:
            continue
        cases = source.cases()
        if isinstance(cases, Missing):
            missing.append(cases)
        else:
            found += _limited([case for case in cases if _is_on(case, arguments.split)], arguments.limit)
    return found, missing


def _earlier(arguments: argparse.Namespace) -> list[Answer]:
    """The answers of earlier runs to what is asked for; of a set that several runs have, those of the last one."""
    kept: dict[str, list[Answer]] = {}
    for path in arguments.answers:
        own = files.read(path)
        kept |= {name: [each for each in own if each.set == name] for name in dict.fromkeys(each.set for each in own)}
    wanted = set(filter(None, arguments.sets.split(",")))
    chosen = (each for name, own in kept.items() if not wanted or name in wanted for each in own)
    return [each for each in chosen if arguments.split in ("all", split(each.set, each.group))]


def _is_on(case: Case, side: str) -> bool:
    return side in ("all", split(case.set, case.group))


def _limited(cases: list[Case], limit: int | None) -> list[Case]:
    """The first `limit` cases of each combination of sources."""
    count: Counter[str] = Counter()
    kept = []
    for case in cases:
        count[case.mode] += 1
        if limit is None or count[case.mode] <= limit:
            kept.append(case)
    return kept


@dataclass(frozen=True)
class _Work:
    """One case for one process."""

    case: Case
    timed: bool
    readings: Path
    threads: int | None
    ranker: bool


def _answered(cases: Sequence[Case], arguments: argparse.Namespace, home: Path) -> Iterator[Answer]:
    """Ask every case; answers are written down as they come."""
    threads = None if arguments.jobs == 1 else 1
    counts: Counter[tuple[str, str]] = Counter()
    work = []
    for case in cases:
        timed = counts[case.set, case.mode] % TIMED_EVERY == 0
        counts[case.set, case.mode] += 1
        work.append(_Work(case, timed, home / "readings", threads, arguments.ranker))
    with (home / "answers.jsonl").open("w", encoding="utf-8") as file:
        for number, own in enumerate(_asked(work, arguments.jobs), 1):
            print(f"\r{number} of {len(work)} {own[0].set:24}", end="", flush=True, file=sys.stderr)
            for each in own:
                file.write(files.as_line(each) + "\n")
                yield each
    print(file=sys.stderr)


def _asked(work: Sequence[_Work], jobs: int) -> Iterator[list[Answer]]:
    if jobs == 1:
        yield from map(_ask, work)
        return
    # Fresh processes: a forked one would share the locks of the threads that its parent runs.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(_ask, work)


@cache
def _bench(readings: Path, threads: int | None, ranker: bool) -> Bench:
    """One per process: the models load once."""
    return Bench(readings, threads, ranker=ranker)


def _ask(work: _Work) -> list[Answer]:
    return _bench(work.readings, work.threads, work.ranker).ask(work.case, timed=work.timed)


def _about(answers: Sequence[Answer], arguments: argparse.Namespace) -> str:
    screens = len({(each.set, each.screen) for each in answers})
    split_words = "" if arguments.split == "all" else f", the {arguments.split} side of the splits"
    limited = f", at most {arguments.limit} cases of each set" if arguments.limit else ""
    return f"{len(answers):,} questions on {screens:,} screens{split_words}{limited}, {arguments.jobs} at a time:"


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="How well the default offline chain finds what people name.")
    parser.add_argument(
        "--data", type=Path, default=ROOT.parent / "shared" / "data", help="the folder of recorded sets"
    )
    parser.add_argument("--out", type=Path, default=OUT, help="where rendered sets are, and answers go")
    parser.add_argument(
        "--scenes", type=Path, action="append", default=[], help="a further folder of scenes (repeatable)"
    )
    parser.add_argument("--sets", default="", metavar="A,B", help="only these sets")
    parser.add_argument(
        "--split", choices=("all", "develop", "check"), default="all", help="only that side of the splits"
    )
    parser.add_argument("--limit", type=int, metavar="N", help="at most N cases of each set")
    parser.add_argument(
        "--jobs", type=int, default=1, metavar="N", help="cases asked at the same time (times are slower)"
    )
    parser.add_argument("--without-ranker", action="store_false", dest="ranker", help="leave the ranker out")
    parser.add_argument("--failures", action="store_true", help="draw contact sheets of wrong and refused answers")
    parser.add_argument(
        "--answers",
        type=Path,
        action="append",
        metavar="JSONL",
        help="tables of earlier answers, without asking (repeatable)",
    )
    parser.add_argument("--docs", action="store_true", help="write the tables into docs/accuracy.md")
    parser.add_argument("--compare", type=Path, metavar="JSONL", help="the answers of an earlier run, to compare with")
    return parser
