"""The command line: `python benchmarks/parser/run.py icons | screens | pages | gallery`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path

from corpus.reading import KeptReader

from handeye.locate import ScreenParser
from handeye.ocr import PaddleReader
from handeye.parse.detector import Detector
from handeye.screen import Screen
from parser import engine_screens, icons, pages, questions, screens
from parser.tables import Table, write

EACH = 20  # screens of each source, unless it is said how many
LEAST_SCORE = 0.15  # from which probability on an icon counts as named here; the ranker weighs it with other evidence
DATA = Path(__file__).parents[2] / "out" / "parser"


def main() -> int:
    arguments = _arguments()
    parts = _MEASURES[arguments.measure](arguments)
    for part in parts:
        print(part, end="\n\n")
    if arguments.docs:
        write(arguments.measure, parts)
    return 0


def _parser(arguments: argparse.Namespace) -> ScreenParser:
    """The product's own, but for its reader, whose readings are kept on disk: a second run need not read again."""
    return ScreenParser(KeptReader(PaddleReader(threads=arguments.threads or None), arguments.data / "readings"))


def _icons(arguments: argparse.Namespace) -> list[Table | str]:
    if arguments.sheet:
        return [_sheet(arguments)]
    shipped = icons.Shipped(LEAST_SCORE, arguments.weights)
    asked: list[icons.Trial] = []
    for held in icons.held_sets(arguments.data, shipped):
        print(f"{held.name}: {len(held.icons)} icons", file=sys.stderr)
        asked += icons.trials(held, shipped)
    return icons.tables(asked, shipped.least)


def _sheet(arguments: argparse.Namespace) -> str:
    """Pictures of every icon that a phrase calls right, to look at."""
    from parser import held_icons
    from parser.phrases import PHRASES

    packages = held_icons.install(arguments.data)
    sets = {name: held_icons.icons_of(packages, name) for name in held_icons.SETS}
    rows = [
        (phrase.english, [icon for name in sets for icon in sets[name] if phrase.names(name, icon.name)])
        for phrase in PHRASES
    ]
    held_icons.sheet(rows).save(arguments.sheet)
    return f"{sum(len(own) for _, own in rows)} icons in {arguments.sheet}"


def _screens(arguments: argparse.Namespace) -> list[Table | str]:
    folder = arguments.screens or arguments.data / "screens" / "held"
    held = list(screens.held_screens(folder, arguments.each))
    if not held:
        raise SystemExit(
            f"no screens in {folder}: make them with python -m training.screens.make, or name theirs by --screens"
        )
    ways: dict[str, Callable[[Screen], Iterator[screens.Found]]] = {}
    if "fused" in arguments.ways:
        ways["the parser, with words"] = partial(_parsed, _parser(arguments))
    if "mute" in arguments.ways:
        ways["the parser, without words"] = partial(_parsed, ScreenParser(None))
    if "detector" in arguments.ways:
        ways["the detector alone"] = partial(_detected, Detector())
    parts: list[Table | str] = []
    for kind, title in screens.KINDS.items():
        own = [each for each in held if each.kind == kind]
        measured = []
        for way, look in ways.items() if own else ():
            scored = [(each, screens.score(each, list(look(Screen.open(each.picture))))) for each in own]
            measured.append(screens.summed(way, scored))
            print(f"{way}\n{screens.missed_words(scored)}\n", file=sys.stderr)
        parts += [title, *screens.tables(measured)] if measured else []
    return parts


def _parsed(parser: ScreenParser, screen: Screen) -> Iterator[screens.Found]:
    for each in parser.parse(screen).elements:
        yield each.bbox, each.element_type, bool(each.interactive)


def _detected(detector: Detector, screen: Screen) -> Iterator[screens.Found]:
    """Return what the detector alone takes for something to click: controls, and icons that stand on none of them."""
    found = detector.detect(screen.pixels)
    controls = [each.box for each in found if each.role not in ("icon", "image", "window")]
    for each in found:
        alone = each.role == "icon" and not any(box.contains(each.box.center) for box in controls)
        yield each.box, each.role, alone or each.box in controls


def _pages(arguments: argparse.Namespace) -> list[Table | str]:
    if arguments.render or not (arguments.data / "pages").exists():
        _render(arguments.data)
    parser = _parser(arguments)
    answers: list[questions.Answer] = []
    held = questions.scenes_in(arguments.data / "pages")
    made = list(engine_screens.scenes(arguments.screens or arguments.data / "screens" / "held"))
    seen = list(engine_screens.scenes(arguments.seen, engine_screens.SEEN)) if arguments.seen else []
    kinds = {id(scene): pages.NAME_MADE for scene in made} | {id(scene): pages.NAME_SEEN for scene in seen}
    for scene in (each for each in (*held, *made, *seen) if arguments.only in each.name):
        screen = scene.screen
        for question in scene.questions:
            answers += questions.ask(parser, scene, screen, pages.kind_of(question), [question])
        by_name = [questions.Question(pages.named(icon.name), (icon.box,)) for icon in scene.unique_icons()]
        answers += questions.ask(parser, scene, screen, kinds.get(id(scene), pages.NAME), by_name)
        print(f"\r{scene.name:40}", end="", file=sys.stderr)
    print(file=sys.stderr)
    for each in answers if arguments.show else ():
        if each.verdict in arguments.show.split(","):
            print(f"{each.verdict:8}{each.kind:18}{each.scene.name:24}{each.question.words!r}: {each.note}")
    return pages.tables(answers)


def _render(data: Path) -> None:
    from parser import held_apps, held_pages, held_sites

    for scene in chain(held_pages.render(data), held_sites.render(data), held_apps.render(data)):
        print(f"\r{scene.name:40}", end="", file=sys.stderr)
    print(file=sys.stderr)


def _gallery(arguments: argparse.Namespace) -> list[Table | str]:
    from parser import gallery

    return [gallery.make(arguments.data, _parser(arguments))]


_MEASURES: dict[str, Callable[[argparse.Namespace], Sequence[Table | str]]] = {
    "icons": _icons,
    "screens": _screens,
    "pages": _pages,
    "gallery": _gallery,
}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="What the embedded screen parser finds on what its training never saw."
    )
    parser.add_argument("measure", choices=sorted(_MEASURES))
    parser.add_argument(
        "--data", type=Path, default=DATA, metavar="DIR", help="where icon sets, pages and screens are kept"
    )
    parser.add_argument("--docs", action="store_true", help="write the tables into docs/parser-accuracy.md")
    parser.add_argument("--threads", type=int, default=0, help="how many threads the reader may use (default: all)")
    parser.add_argument("--weights", type=Path, metavar="DIR", help="icons: other weights than those that ship")
    parser.add_argument("--sheet", type=Path, metavar="PNG", help="icons: only draw what each phrase means")
    parser.add_argument(
        "--screens", type=Path, metavar="DIR", help="screens, pages: the held-out screens of the data engine"
    )
    parser.add_argument(
        "--seen", type=Path, metavar="DIR", help="pages: screens of held-out libraries with icon sets that training saw"
    )
    parser.add_argument("--each", type=int, default=EACH, metavar="N", help="screens: how many of each source (0: all)")
    parser.add_argument("--ways", default="fused,mute,detector", help="screens: which ways to look")
    parser.add_argument("--render", action="store_true", help="pages: draw them anew")
    parser.add_argument("--only", default="", metavar="WORDS", help="pages: only those whose name holds this")
    parser.add_argument(
        "--show", default="", metavar="VERDICTS", help="pages: print these answers (right,wrong,refused)"
    )
    return parser.parse_args()
