"""The command line: `python benchmarks/corpus/run.py`."""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from corpus import acceptance, drawn_screens, pictures, real_cases, tables
from corpus.generate import generate
from corpus.measure import CHAIN, SURE, Answer, ask
from corpus.picture_queries import PictureAsker
from corpus.queries import Query, questions_on, second_looks
from corpus.reading import KeptReader
from corpus.trees import TruthTree
from corpus.truth import Scene, scenes_in
from handeye.locate.cache import CacheStrategy
from handeye.locate.locator import VisualLocator
from handeye.ocr.paddle import PaddleReader

OUT = Path(__file__).parents[2] / "out" / "corpus"
QUICK = 4  # without --full, questions are asked on every so many-th page of a library


class Bench:
    """The strategies as users have them, over readings that are kept and trees that tell the truth."""

    def __init__(self, readings: str) -> None:
        self.reader = KeptReader(PaddleReader(), OUT / "readings", readings)
        self.tree = TruthTree()
        self.cache = CacheStrategy()
        self.locator = VisualLocator(reader=self.reader, tree=self.tree, cache=self.cache)

    def texts(self, scene: Scene, queries: list[Query]) -> Iterator[Answer]:
        self.reader.read(scene.screen)  # the frame is read once, outside of the times
        yield from ask(self.locator, "ocr", queries)
        self.tree.show(scene)
        yield from ask(self.locator, "accessibility", queries)
        self.cache.clear()
        yield from ask(self.locator, CHAIN, queries)

    def second_looks(self, queries: Iterable[Query]) -> Iterator[Answer]:
        """Look at the first screen, say that it was right, and ask the cache alone at the second one."""
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
    bench = Bench(arguments.readings)
    answers: list[Answer] = []
    queries: list[Query] = []
    for number, (library, pages) in enumerate(_by_library(scenes).items(), 1):
        print(f"\r{library:20}({number})", end="", flush=True)
        answers += _library(bench, pages, arguments.full, arguments.strategy, queries)
    print("\r" + " " * 30, end="\r")
    if arguments.data:
        answers += real_cases.sikuli(arguments.data, bench.locator)
        answers += real_cases.screenagent(arguments.data, bench.locator)
    accepted = acceptance.measure(answers, queries, bench.reader) if arguments.acceptance else {}
    _report(answers, accepted)
    if arguments.show:
        wrong = [answer for answer in answers if answer.verdict in arguments.show.split(",")]
        print(f"{pictures.show(wrong, OUT / 'wrong')} pictures in {OUT / 'wrong'}")
    return 0


def _library(bench: Bench, scenes: list[Scene], full: bool, strategies: str, queries: list[Query]) -> Iterator[Answer]:
    pictured = PictureAsker(scenes, OUT / "cuts", OUT / "glyphs")
    by_page = defaultdict(dict)
    for scene in scenes:
        by_page[scene.page][scene.variant] = scene
    few = scenes[0].library == drawn_screens.LIBRARY
    chosen = sorted(by_page) if full or few else sorted(by_page)[::QUICK]
    for page in chosen:
        for scene in by_page[page].values():
            asked = questions_on(scene)
            queries += asked
            if "ocr" in strategies:
                yield from bench.texts(scene, asked)
            if "template" in strategies:
                yield from ask(bench.locator, "template", list(pictured.questions_on(scene)))
        if "cache" in strategies and "light" in by_page[page]:
            light = by_page[page]["light"]
            chance = random.Random(page)
            looks = list(second_looks(light, by_page[page].get("changed", light), chance))
            yield from bench.second_looks(looks)
        for scene in scenes:
            scene.release()


def _by_library(scenes: Iterable[Scene]) -> dict[str, list[Scene]]:
    libraries = defaultdict(list)
    for scene in scenes:
        libraries[scene.library].append(scene)
    return libraries


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
    parser.add_argument("--generate", action="store_true", help="make the screens anew")
    parser.add_argument("--data", type=Path, help="a folder with real cases: sikuli_templates, screenagent_clicks")
    parser.add_argument("--only", default="", metavar="WORDS", help="only screens whose name holds this")
    parser.add_argument(
        "--strategy", default="ocr,template,cache", help="which questions: ocr (and trees), template, cache"
    )
    parser.add_argument("--acceptance", action="store_true", help="measure seed 001's acceptance list too")
    parser.add_argument(
        "--show", const="wrong", nargs="?", metavar="VERDICTS", help="write pictures of these answers (default: wrong)"
    )
    parser.add_argument(
        "--readings", default="", metavar="NAME", help="keep what was read under this name, whatever the reader"
    )
    return parser.parse_args()
