"""
Collect the evidence for questions, one file a screen.

    python -m training.ranker.collect --questions FILE --screens DIR --out DIR

FILE holds one question a line, as training.phrases.generate writes it (`screen`, `words`, `boxes`, ...), or UIBert's referring
expressions (`instruction`, `target_bbox`, `view_hierarchy`). A screen whose file is there is left out, so a run that was cut
off goes on.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import pickle
import sys
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from handeye.elements import UIElement
from handeye.errors import HandeyeError
from handeye.geometry import Box, Size
from handeye.locate import ScreenParser, Sources, VisualLocator
from handeye.locate.ranker.candidates import Pool
from handeye.locate.ranker.features.table import evidence_table
from handeye.locate.ranker.model import equal_candidates
from handeye.locate.ranker.question import Question
from handeye.locate.ranker.sentence_encoder import Meaning, TextEncoder
from handeye.ocr import CachedReader, PaddleReader
from handeye.parse.icons import BundledIconReader
from handeye.roles import ANDROID, role_of_class
from handeye.screen import Screen
from handeye.target import parse_target
from handeye.testing.perceiving import FakeProvider
from training.ranker.pools import Asked, Seen, is_hit, is_right
from training.screens.trees import tree_of
from training.splits import Side, split

_BY_PIXELS: Final = 0.5
_BY_TREE: Final = 0.75
_TODAY: Final = ("accessibility", "template", "ocr")
_ABSENT: Final = 0.4
_INSIDE: Final = 0.5  # of the smaller box
_UIBERT: Final = Size(1440, 2560)


@dataclass(frozen=True)
class Frame:
    """One screen: its picture, the elements of its tree (None: it has none), and what is asked there."""

    name: str
    group: str
    screen: Callable[[], Screen]
    tree: tuple[UIElement, ...] | None
    pictured: bool
    asked: tuple[Asked, ...]


class Collector:
    """Asks the strategies and the sources, in one way of looking at a frame after the other."""

    def __init__(self) -> None:
        reader = self._reader = CachedReader(PaddleReader(threads=1))
        self._provider = FakeProvider()
        self._parser = ScreenParser(reader)
        self._icons = BundledIconReader()
        self._locators = {
            "pixels": VisualLocator(reader=reader, parser=self._parser, vision=None),
            "both": VisualLocator(reader=reader, parser=self._parser, vision=None, tree=self._provider),
            "tree": VisualLocator(reader=None, parser=None, vision=None, tree=self._provider),
        }

    def collect(self, frame: Frame) -> list[Seen]:
        """The finds of the strategies and the elements of the sources, for all questions about a frame."""
        screen = frame.screen()
        self._provider.elements = frame.tree or ()
        for locator in self._locators.values():
            locator.clear_cache()
        return [self._seen(frame, way, asked, screen) for asked in frame.asked for way in _ways(frame, asked)]

    def from_elements(self, frame: Frame, pools: Path) -> list[Seen]:
        """
        The same without parsing the picture: with the elements that an earlier question about it saw, and as if the strategies
        before the ranker had found nothing. A quarter of the questions is asked of the tree alone, as always; some also
        of the screen without their thing. Raises HandeyeError where no picture was seen.
        """
        screen = frame.screen()
        seen: list[Seen] = pickle.loads(pools.read_bytes()) if pools.exists() else []
        earlier = [each.pool for each in seen if each.way == "pixels"]
        if not earlier:
            raise HandeyeError(f"{pools} holds no question about the picture")
        drawn = max((tuple(one for one in each.elements if one.source != "ocr") for each in earlier), key=len)
        icons = [at for at, each in enumerate(drawn) if each.element_type == "icon"]
        vectors = self._icons.vectors(screen.pixels, [drawn[at].bbox for at in icons])
        self._provider.elements = frame.tree or ()
        found = []
        for asked in frame.asked:
            if next(_ways(frame, asked)) == "tree":
                found.append(self._seen(frame, "tree", asked, screen))
            else:
                question = Question(parse_target(asked.words))
                scores = np.max([self._icons.scores(words, vectors) for words in question.readings], axis=0)
                pool = Pool(drawn, screen.size, dict(zip(icons, map(float, scores), strict=True)))
                found.append(Seen(frame.name, frame.group, "pixels", asked, pool, "refused"))
                if _chance(frame, f"{asked.words} absent") < _ABSENT:
                    absent = replace(asked, boxes=(), kind=f"absent {asked.kind}")
                    found.append(replace(found[-1], asked=absent, pool=_without(pool, asked.boxes)))
        return found

    def _seen(self, frame: Frame, way: str, asked: Asked, screen: Screen) -> Seen:
        target = parse_target(asked.words)
        locator = self._locators[way]
        result = locator.locate_with_fallback(target, _TODAY, screen)
        found = result.success and result.element is not None
        earlier = (result.element,) if found and result.element is not None else result.candidates
        pictured = (self._parser, self._reader) if way != "tree" else (None, None)
        sources = Sources(None if way == "pixels" else self._provider, *pictured)
        pool = sources.pool(target, screen, earlier, answered=found)
        middle = result.element.center if result.reliable and result.element else None
        return Seen(frame.name, frame.group, way, asked, pool, _verdict(middle, asked.boxes))


def tabled(seen: Sequence[Seen], meaning: Meaning, screen: Callable[[], Screen]) -> dict[str, npt.NDArray[Any]]:
    """The rows of all questions, the number of each row's question, which rows are right, where they are, and the questions."""
    rows, numbers, right, boxes, places, questions = [], [], [], [], [], []
    screen = cache(screen)
    names: tuple[str, ...] = ()
    for number, each in enumerate(seen):
        target = parse_target(each.asked.words)
        picture = screen() if each.way != "tree" else None
        table, names = evidence_table(Question(target), each.pool, meaning, picture)
        elements = each.pool.elements
        rows.append(table)
        numbers += [number] * len(table)
        hits = [is_right(one, each.asked.boxes) for one in elements]
        right.append(np.array([*hits, not each.asked.boxes]))
        boxes.append(np.array([*(tuple(one.bbox) for one in elements), (0, 0, 0, 0)], dtype=np.float32))
        places.append(_places(Question(target), each.pool))
        questions.append(
            {
                "screen": each.screen,
                "group": each.group,
                "way": each.way,
                "words": each.asked.words,
                "kind": each.asked.kind,
                "language": each.asked.language,
                "there": bool(each.asked.boxes),
                "today": each.before,
            }
        )
    return {
        "rows": np.concatenate(rows) if rows else np.zeros((0, 0), np.float32),
        "question": np.array(numbers, np.int64),
        "right": np.concatenate(right) if right else np.zeros(0, bool),
        "boxes": np.concatenate(boxes) if boxes else np.zeros((0, 4), np.float32),
        "places": np.concatenate(places) if places else np.zeros((0, 3), np.int64),
        "names": np.array(names),
        "questions": np.array(json.dumps(questions, ensure_ascii=False)),
    }


def with_and_without(seen: Sequence[Seen]) -> Iterator[Seen]:
    """
    Yield each question as it was seen, and one about a kind, a neighbour, a place or a number once more, as if the strategies
    before the ranker had not been asked.
    """
    for each in seen:
        yield each
        target = parse_target(each.asked.words)
        if each.pool.earlier and (target.role or target.chooses):
            yield replace(each, pool=replace(each.pool, earlier=(), answered=False), before="refused")


def _places(question: Question, pool: Pool) -> npt.NDArray[np.int64]:
    """For each row the control that it lies in, a digest of its text (0: none), its group of equal candidates (-1: none)."""
    texts = [zlib.crc32(text.encode()) if text else 0 for text in pool.texts]
    found = np.full((len(pool) + 1, 3), -1, np.int64)
    found[:-1, 0], found[:-1, 1] = pool.controls, texts
    for number, equal in enumerate(equal_candidates(question, pool)):
        found[equal, 2] = number
    return found


def _without(pool: Pool, boxes: Sequence[Box]) -> Pool:
    """A pool without what is mostly in one of the boxes; what holds a box stays."""
    shared = (pool.box(at).intersect(box) for at in range(len(pool)) for box in boxes)
    inside = [bool(each) for each in shared]
    left = [at for at in range(len(pool)) if not inside[at]]
    scores = {number: pool.icon_scores[at] for number, at in enumerate(left) if at in pool.icon_scores}
    return Pool(tuple(pool.elements[at] for at in left), pool.size, scores)


def _chance(frame: Frame, words: str) -> float:
    """A number from 0 to 1 that depends on the screen and the words alone."""
    return hashlib.sha256(f"{frame.name} {words}".encode()).digest()[0] / 256


def _ways(frame: Frame, asked: Asked) -> Iterator[str]:
    """The ways to ask a question: of a frame that has a picture and a tree one way, most often by its pixels alone."""
    if frame.pictured and frame.tree is not None:
        chance = _chance(frame, asked.words)
        yield "pixels" if chance < _BY_PIXELS else "tree" if chance < _BY_TREE else "both"
    else:
        yield "pixels" if frame.pictured else "tree"


def _verdict(told: Any, boxes: Sequence[Box]) -> str:
    if told is None:
        return "refused"
    return "right" if is_hit(told, boxes) else "wrong"


# -- questions


def generated(file: Path, screens: Path, *, with_trees: bool) -> Iterator[Frame]:
    """Frames of the data engine with the questions made from their truth; frames of the check are left out."""
    by_screen: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in file.read_text(encoding="utf-8").splitlines():
        question = json.loads(line)
        if not question.get("check_frame"):
            by_screen[question.get("screen") or question["picture"]].append(question)
    shuffled = sorted(by_screen.items(), key=lambda each: hashlib.sha256(each[0].encode()).digest())
    for name, questions in shuffled:
        path = screens / name
        truth = path.with_suffix(".json")
        tree = None
        group = questions[0].get("group") or (name.split("/")[-2] if "/" in name else name)
        if with_trees and truth.exists():
            told = json.loads(truth.read_text(encoding="utf-8"))
            tree = tree_of(told) if told.get("elements") or told.get("tree") else None
        asked = tuple(_asked(each) for each in questions)
        yield Frame(name, group, lambda path=path: Screen.open(path), tree, True, asked)  # type: ignore[misc]


def _asked(question: dict[str, Any]) -> Asked:
    if "boxes" in question:
        boxes = question["boxes"]
    else:
        boxes = [question["box"]] if question["box"] else []
    return Asked(
        question["words"],
        tuple(Box(*(round(each) for each in box)) for box in boxes),
        question["kind"],
        question.get("language", ""),
    )


def uibert(file: Path, side: Side) -> Iterator[Frame]:
    """UIBert's referring expressions on one side of the splits: trees without pictures."""
    blank = Screen(np.random.default_rng(1).integers(0, 255, (_UIBERT.height, _UIBERT.width, 3), np.uint8))
    by_tree: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in file.read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        by_tree[item["rico_id"]].append(item)
    for name, items in by_tree.items():
        if split("uibert_refexp_tree", name) != side:
            continue
        asked = tuple(
            Asked(each["instruction"], (_fraction_box(each["target_bbox"]),), "expression", "en") for each in items
        )
        yield Frame(name, name, lambda: blank, _uibert_tree(items[0]["view_hierarchy"]), False, asked)


def _uibert_tree(nodes: Sequence[dict[str, Any]]) -> tuple[UIElement, ...]:
    elements = []
    for number, node in enumerate(nodes, 1):
        role = role_of_class(node["class"], ANDROID) or "element"
        elements.append(
            UIElement(
                role,
                node["desc"].strip(),
                _fraction_box(node["bbox"]),
                source="accessibility",
                text=node["text"].strip(),
                id=number,
                interactive=role in ("button", "checkbox", "radio", "switch", "input", "combo box", "tab") or None,
                metadata={"class": node["class"], "id": node["id"]},
            )
        )
    return tuple(elements)


def _fraction_box(fractions: Sequence[float]) -> Box:
    left, top, right, bottom = fractions
    return Box(
        round(left * _UIBERT.width),
        round(top * _UIBERT.height),
        round(right * _UIBERT.width),
        round(bottom * _UIBERT.height),
    )


def _write(file: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    partial = file.with_suffix(".part")
    partial.write_bytes(content)
    partial.rename(file)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--screens", type=Path, help="the folder of the pictures; none for UIBert")
    parser.add_argument(
        "--side",
        choices=["develop", "check"],
        default="develop",
        help="of UIBert's splits; only develop may be learned from",
    )
    parser.add_argument("--trees", action="store_true", help="also with the truth as an accessibility tree")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--again", action="store_true", help="only the evidence anew, from pools that were collected before"
    )
    parser.add_argument(
        "--elements-of",
        type=Path,
        help="take what is seen on a picture from the pools there, instead of looking again",
    )
    parser.add_argument("--limit", type=int, help="so many screens at most")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    if options.screens:
        frames = generated(options.questions, options.screens, with_trees=options.trees)
    else:
        frames = uibert(options.questions, options.side)
    meaning = Meaning(TextEncoder())
    collector = Collector()
    for number, frame in enumerate(frames):
        if options.limit is not None and number >= options.limit:
            break
        file = options.out / (hashlib.sha256(frame.name.encode()).hexdigest()[:16] + ".npz")
        pools = file.with_suffix(".pools")
        if file.exists() and not options.again:
            continue
        try:
            if not pools.exists():
                if options.again:
                    continue
                known = options.elements_of / pools.name if options.elements_of else None
                seen = collector.from_elements(frame, known) if known else collector.collect(frame)
                _write(pools, pickle.dumps(seen))
            arrays = tabled(list(with_and_without(pickle.loads(pools.read_bytes()))), meaning, frame.screen)
        except (HandeyeError, OSError) as error:
            print(f"{frame.name}: {error}", file=sys.stderr)
            continue
        buffer = io.BytesIO()
        np.savez(buffer, **arrays)
        _write(file, buffer.getvalue())
        print(f"\r{number} {frame.name[:60]:60}", end="", file=sys.stderr, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
