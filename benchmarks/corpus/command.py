"""The command line: `python benchmarks/corpus/run.py`."""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cv2

from corpus import acceptance, drawn_screens, pictures, tables
from corpus.generate import generate
from corpus.measure import CHAIN, SURE, Answer, ask
from corpus.picture_queries import PictureAsker
from corpus.queries import Query, questions_on, second_looks
from corpus.reading import KeptReader
from corpus.trees import TruthTree
from corpus.truth import Scene, scenes_in
from handeye.locate import CacheStrategy, VisualLocator
from handeye.ocr import PaddleReader

OUT = Path(__file__).parents[2] / "out" / "corpus"
QUICK = 4  # without --full, questions are asked on every so many-th page of a library


class Bench:
    """
    The strategies as users have them, over stored readings and correct trees.

    `threads` is what one of several processes may use; None: all cores.
    """

    def __init__(self, readings: str, threads: int | None = None) -> None:
        if threads is not None:
            cv2.setNumThreads(threads)
        self.reader = KeptReader(PaddleReader(threads=threads), OUT / "readings", readings)
        self.tree = TruthTree()
        self.cache = CacheStrategy(reader=self.reader)
        self.locator = VisualLocator(reader=self.reader, tree=self.tree, cache=self.cache)

    def texts(self, scene: Scene, queries: list[Query]) -> Iterator[Answer]:
        self.reader.read(scene.screen)  # the frame is read once, which is not timed
        yield from ask(self.locator, "ocr", queries)
        self.tree.show(scene)
        yield from ask(self.locator, "accessibility", queries)
        self.cache.clear()
        yield from ask(self.locator, CHAIN, queries)

    def second_looks(self, queries: Iterable[Query]) -> Iterator[Answer]:
        """Locate on the first screen, confirm the answer, and ask the cache alone on the second one."""
        for query in queries:
            self.cache.clear()
            first = self.locator.locate_with_fallback(query.target, ["cache", "ocr"], query.before.screen)
            if first.success and first.confidence > SURE:
                self.cache.judge(query.target, True)
                yield from ask(self.locator, "cache", [query])


def main() -> int:
    arguments = _arguments()
    if arguments.generate or not (OUT / "screens" / "done").exists():
        generate(OUT, arguments.only)
    scenes = [scene for scene in scenes_in(OUT / "screens") if arguments.only in scene.name]
    answers: list[Answer] = []
    queries: list[Query] = []
    pages = list(_pages(scenes, arguments))
    for number, (answered, asked) in enumerate(_answered(pages, arguments.jobs), 1):
        print(f"\r{number} of {len(pages)} pages", end="", flush=True)
        answers += answered
        queries += asked
    print("\r" + " " * 30, end="\r")
    accepted = acceptance.measure(answers, queries, Bench(arguments.readings).reader) if arguments.acceptance else {}
    _report(answers, accepted)
    if arguments.show:
        wrong = [answer for answer in answers if answer.verdict in arguments.show.split(",")]
        print(f"{pictures.show(wrong, OUT / 'wrong')} pictures in {OUT / 'wrong'}")
    return 0


@dataclass(frozen=True)
class _Page:
    """One page of a library in all its renderings, with its strategies and readings: a unit of work for one process."""

    scenes: tuple[Scene, ...]
    name: str
    strategies: str
    readings: str
    threads: int | None


def _pages(scenes: Iterable[Scene], arguments: argparse.Namespace) -> Iterator[_Page]:
    """Yield the pages to ask about; without --full every QUICK-th one of the libraries."""
    threads = None if arguments.jobs == 1 else 1
    libraries = defaultdict(list)
    for scene in scenes:
        libraries[scene.library].append(scene)
    for library, own in libraries.items():
        names = sorted({scene.page for scene in own})
        for name in names if arguments.full or library == drawn_screens.LIBRARY else names[::QUICK]:
            yield _Page(tuple(own), name, arguments.strategy, arguments.readings, threads)


def _answered(pages: Sequence[_Page], jobs: int) -> Iterator[tuple[list[Answer], list[Query]]]:
    if jobs == 1:
        yield from map(_ask_on, pages)
        return
    # Fresh processes: a forked one would share the locks of the threads that its parent runs.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(_ask_on, pages)


@cache
def _bench(readings: str, threads: int | None) -> Bench:
    """Return the bench of this process, so that the networks load once."""
    return Bench(readings, threads)


def _ask_on(page: _Page) -> tuple[list[Answer], list[Query]]:
    bench = _bench(page.readings, page.threads)
    pictured = PictureAsker(list(page.scenes), OUT / "cuts", OUT / "glyphs")
    variants = {scene.variant: scene for scene in page.scenes if scene.page == page.name}
    answers: list[Answer] = []
    queries: list[Query] = []
    for scene in variants.values():
        asked = questions_on(scene)
        queries += asked
        if "ocr" in page.strategies:
            answers += bench.texts(scene, asked)
        if "template" in page.strategies:
            answers += ask(bench.locator, "template", list(pictured.questions_on(scene)))
    if "cache" in page.strategies and "light" in variants:
        light = variants["light"]
        looks = list(second_looks(light, variants.get("changed", light), random.Random(page.name)))
        answers += bench.second_looks(looks)
    for scene in page.scenes:
        scene.release()
    return answers, queries


def _report(answers: list[Answer], accepted: dict[str, float]) -> None:
    table = tables.by_kind(answers)
    print("\n".join(tables.lines(table)))
    wrong = [answer for answer in answers if answer.verdict == "wrong"]
    print(
        f"\nwrong answers per hundred: {100 * len(wrong) / max(1, len(answers)):.2f} ({len(wrong)} of {len(answers)})"
    )
    bands: dict[str, Any] = {}
    for strategy in table:
        for held, name in ((False, "tuned on"), (True, "held out")):
            own = [a for a in answers if a.strategy == strategy and a.query.scene.held_out == held]
            bands[f"{strategy}, {name}"] = tables.calibration(own)
    print("\n".join(tables.band_lines(bands)))
    for name, figure in accepted.items():
        kind, bar = acceptance.BARS[name]
        print(f"{name:28}{figure:8.3f}   {kind} {bar:g}: {'met' if acceptance.met(name, figure) else 'MISSED'}")
    report = {
        "table": table,
        "wrong per hundred": 100 * len(wrong) / max(1, len(answers)),
        "bands": bands,
        "acceptance": accepted,
    }
    (OUT / "table.json").write_text(json.dumps(report, ensure_ascii=False, indent=1))
    (OUT / "tables.md").write_text("\n".join(tables.markdown(table, bands)) + "\n")
    (OUT / "wrong.txt").write_text("\n".join(_line(a) for a in answers if a.verdict in ("wrong", "refused")))


def _line(answer: Answer) -> str:
    query, element = answer.query, answer.element
    meant = [f"{query.scene.things[number].text} {tuple(query.scene.things[number].place)}" for number in query.right]
    if element:
        got = f"{element.text!r} at {tuple(element.bbox)} {element.confidence:.2f}"
    else:
        got = f"nothing, {len(answer.candidates)} candidates"
    about = f"{answer.verdict:8}{answer.strategy:14}{query.scene.name:38}{query.kind:24}{query.words!r}"
    return f"{about} meant {meant} got {got}: {answer.note}"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="The corpus: right, wrong and refused answers.")
    parser.add_argument("--full", action="store_true", help="ask on every page instead of every fourth")
    parser.add_argument(
        "--jobs", type=int, default=1, metavar="N", help="pages asked at the same time (times are slower)"
    )
    parser.add_argument("--generate", action="store_true", help="make the screens anew")
    parser.add_argument("--only", default="", metavar="WORDS", help="only screens whose name holds this")
    parser.add_argument(
        "--strategy", default="ocr,template,cache", help="which questions: ocr (and trees), template, cache"
    )
    parser.add_argument(
        "--acceptance", action="store_true", help="also measure the acceptance list of docs/spec/visual-locator.md"
    )
    parser.add_argument(
        "--show", const="wrong", nargs="?", metavar="VERDICTS", help="write pictures of these answers (default: wrong)"
    )
    parser.add_argument(
        "--readings", default="", metavar="NAME", help="keep what was read under this name, whatever the reader"
    )
    return parser.parse_args()
