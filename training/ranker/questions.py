"""
Questions for `training.ranker.collect` from what is in the repository, one JSON object a line.

    python -m training.ranker.questions written --out written.jsonl      # training/phrases/written
    python -m training.ranker.questions reworded --screens documentation --out reworded_docs.jsonl
    python -m training.ranker.questions corpus --data out --out corpus.jsonl   # pages of benchmarks/corpus, after `make corpus`
    python -m training.ranker.questions docs --data out/docs --out docs.jsonl  # the pages of pages.json, after they are built

Of the corpus, only pages are used of libraries that thresholds may be tuned on, and that `make grounding` does not ask.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

WRITTEN: Final = Path(__file__).parents[1] / "phrases" / "written"
REWORDED: Final = Path(__file__).parents[1] / "phrases" / "reworded"
BENCHMARKS: Final = Path(__file__).parents[2] / "benchmarks"
OF_A_KIND: Final = 6  # questions of each kind about a page of the corpus


def written() -> Iterator[dict[str, Any]]:
    """The written phrases; a picture's application is its group."""
    pictures = json.loads((WRITTEN / "pictures.json").read_text(encoding="utf-8"))
    for file in sorted(WRITTEN.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            phrase = json.loads(line)
            picture = pictures[phrase["picture"]]
            yield {
                "screen": f"{phrase['picture']}.{picture.get('ending', 'png')}",
                "group": picture["source"],
                "words": phrase["words"],
                "boxes": [phrase["box"]] if phrase["box"] else [],
                "kind": phrase["kind"],
                "language": phrase["language"],
            }


def corpus(data: Path) -> Iterator[dict[str, Any]]:
    """Some questions of each kind about each page."""
    sys.path.insert(0, str(BENCHMARKS))
    from corpus.queries import questions_on
    from corpus.truth import scenes_in
    from grounding.sets.own import EVERY_PAGE

    from corpus import drawn_screens

    chance = random.Random(1)
    scenes = list(scenes_in(data / "corpus" / "screens"))
    names: dict[str, set[str]] = defaultdict(set)
    for scene in scenes:
        names[scene.library].add(scene.page)
    for scene in scenes:
        asked_by_benchmark = sorted(names[scene.library])[::EVERY_PAGE]
        if scene.held_out or scene.library == drawn_screens.LIBRARY or scene.page in asked_by_benchmark:
            continue
        by_kind = defaultdict(list)
        for query in questions_on(scene):
            by_kind[query.kind].append(query)
        scene.release()
        for kind, queries in by_kind.items():
            for query in chance.sample(queries, min(OF_A_KIND, len(queries))):
                yield {
                    "screen": scene.picture.name,
                    "group": scene.library,
                    "words": query.words,
                    "boxes": [[round(each) for each in scene.things[number].box] for number in query.right],
                    "kind": kind,
                    "language": scene.language,
                }


def docs(data: Path) -> Iterator[dict[str, Any]]:
    """Everything asked about the pages of documentation; a page's package is its group."""
    for file in sorted((data / "pages").glob("*.json")):
        page = json.loads(file.read_text(encoding="utf-8"))
        for question in page["questions"]:
            yield {
                "screen": f"{page['name']}.png",
                "group": page["group"],
                "words": question["words"],
                "boxes": question["boxes"],
                "kind": question["kind"],
                "language": page["language"],
            }


def reworded(kind: str) -> Iterator[dict[str, Any]]:
    """The phrases for labels on screens of a kind, or those for icons."""
    screens = {each["screen"]: each for each in _lines(REWORDED / "screens.jsonl")}
    for line in _lines(REWORDED / ("icons.jsonl" if kind == "icon" else "labels.jsonl")):
        if kind != "icon" and screens[line["screen"]]["kind"] != kind:
            continue
        yield {
            "screen": line["screen"],
            "group": line["screen"].partition("/")[0] if kind == "icon" else screens[line["screen"]]["group"],
            "words": line["words"],
            "boxes": line["boxes"] if kind == "icon" else [line["box"]],
            "kind": "reworded icon" if kind == "icon" else "reworded",
            "language": line["language"],
        }


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    for line in file.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=["written", "reworded", "corpus", "docs"])
    parser.add_argument("--screens", choices=["application", "documentation", "icon"], default="application")
    parser.add_argument("--data", type=Path, default=Path("out"), help="the folder that holds corpus/screens, or pages")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    match options.kind:
        case "written":
            questions = written()
        case "reworded":
            questions = reworded(options.screens)
        case "corpus":
            questions = corpus(options.data)
        case _:
            questions = docs(options.data)
    lines = [json.dumps(each, ensure_ascii=False) for each in questions]
    options.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines)} questions in {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
