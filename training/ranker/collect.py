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
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from handeye.elements import UIElement
from handeye.errors import HandeyeError
from handeye.geometry import Box, Size
from handeye.locate.locator import VisualLocator
from handeye.locate.ranking.encoder import TextEncoder
from handeye.locate.ranking.evidence import evidence_table
from handeye.locate.ranking.meaning import Meaning
from handeye.locate.ranking.question import Question
from handeye.locate.ranking.strategy import Sources
from handeye.locate.screen_parser import ScreenParser
from handeye.ocr.cached import CachedReader
from handeye.ocr.paddle import PaddleReader
from handeye.roles import ANDROID, role_of_class
from handeye.screen import Screen
from handeye.target import LocateResult, Target
from handeye.testing.trees import FakeProvider

SLACK_PX: Final = 2
_BY_PIXELS: Final = 0.5
_BY_TREE: Final = 0.75
_TODAY: Final = ("accessibility", "template", "ocr", "parser")
_UIBERT: Final = Size(1440, 2560)


@dataclass(frozen=True)
class Asked:
    """A question about a screen. `boxes` are in pixels of the frame; none of them: only a refusal is right."""

    words: str
    boxes: tuple[Box, ...]
    kind: str
    language: str


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
    """Asks today's strategies and the evidence, for one way of looking at a frame after the other."""

    def __init__(self, meaning: Meaning) -> None:
        self._meaning = meaning
        reader = CachedReader(PaddleReader(threads=1))
        self._provider = FakeProvider()
        self._parser = ScreenParser(reader)
        self._locators = {
            "pixels": VisualLocator(reader=reader, parser=self._parser, vision=None),
            "both": VisualLocator(reader=reader, parser=self._parser, vision=None, tree=self._provider),
            "tree": VisualLocator(reader=None, parser=None, vision=None, tree=self._provider),
        }

    def collect(self, frame: Frame) -> dict[str, npt.NDArray[Any]]:
        """The rows of all questions, the number of each row's question, which rows are right, and the questions as JSON."""
        screen = frame.screen()
        self._provider.elements = frame.tree or ()
        rows, numbers, right, boxes, questions = [], [], [], [], []
        for asked in frame.asked:
            for way in _ways(frame, asked):
                table, names, hits, shown, result = self._evidence(way, asked, screen)
                numbers += [len(questions)] * len(table)
                rows.append(table)
                right.append(hits)
                boxes.append(shown)
                told = result.element.center if result.reliable and result.element else None
                questions.append(
                    {
                        "screen": frame.name,
                        "group": frame.group,
                        "way": way,
                        "words": asked.words,
                        "kind": asked.kind,
                        "language": asked.language,
                        "there": bool(asked.boxes),
                        "today": _verdict(told, asked.boxes),
                    }
                )
        return {
            "rows": np.concatenate(rows) if rows else np.zeros((0, 0), np.float32),
            "question": np.array(numbers),
            "right": np.concatenate(right) if right else np.zeros(0, bool),
            "boxes": np.concatenate(boxes) if boxes else np.zeros((0, 4), np.float32),
            "names": np.array(names if rows else ()),
            "questions": np.array(json.dumps(questions, ensure_ascii=False)),
        }

    def _evidence(
        self, way: str, asked: Asked, screen: Screen
    ) -> tuple[npt.NDArray[np.float32], tuple[str, ...], npt.NDArray[np.bool_], npt.NDArray[np.float32], LocateResult]:
        target = Target.parse(asked.words)
        locator = self._locators[way]
        locator.clear_cache()
        result = locator.locate_with_fallback(target, _TODAY, screen)
        found = result.success and result.element is not None
        earlier = (result.element,) if found and result.element is not None else result.candidates
        sources = Sources(
            None if way == "pixels" else self._provider,
            None if way == "tree" else self._parser,
        )
        pool = sources.pool(target, screen, earlier, answered=found)
        table, names = evidence_table(Question(target), pool, self._meaning, None if way == "tree" else screen)
        hits = [any(_widened(box).contains(each.center) for box in asked.boxes) for each in pool.elements]
        boxes = np.array([*(tuple(each.bbox) for each in pool.elements), (0, 0, 0, 0)], dtype=np.float32)
        return table, names, np.array([*hits, not asked.boxes]), boxes, result


def _ways(frame: Frame, asked: Asked) -> Iterator[str]:
    """How a question is asked: of a frame that has a picture and a tree in one way, most often by its pixels alone."""
    if frame.pictured and frame.tree is not None:
        chance = hashlib.sha256(f"{frame.name} {asked.words}".encode()).digest()[0] / 256
        yield "pixels" if chance < _BY_PIXELS else "tree" if chance < _BY_TREE else "both"
    else:
        yield "pixels" if frame.pictured else "tree"


def _verdict(told: Any, boxes: Sequence[Box]) -> str:
    if told is None:
        return "refused"
    return "right" if any(_widened(box).contains(told) for box in boxes) else "wrong"


def _widened(box: Box) -> Box:
    return Box(box.left - SLACK_PX, box.top - SLACK_PX, box.right + SLACK_PX, box.bottom + SLACK_PX)


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
        group = name.split("/")[-2] if "/" in name else name
        if with_trees and truth.exists():
            tree = _truth_tree(json.loads(truth.read_text(encoding="utf-8")))
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


def _truth_tree(truth: dict[str, Any]) -> tuple[UIElement, ...]:
    elements = []
    for number, each in enumerate(truth["elements"], 1):
        if each.get("state") == "covered":
            continue
        icon = each.get("name", "").partition(":")[2].replace("-", "_")
        elements.append(
            UIElement(
                each["role"],
                "",
                Box(*(round(value) for value in each["box"])),
                source="accessibility",
                text=each.get("text") or "",
                id=number,
                interactive=bool(each.get("interactive")),
                metadata={"id": f"id/{icon}"} if icon and number % 2 else {},
            )
        )
    return tuple(elements)


def uibert(file: Path, groups: frozenset[str] | None) -> Iterator[Frame]:
    """UIBert's referring expressions: trees without pictures, of the given screens."""
    blank = Screen(np.random.default_rng(1).integers(0, 255, (_UIBERT.height, _UIBERT.width, 3), np.uint8))
    by_tree: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in file.read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        by_tree[item["rico_id"]].append(item)
    for name, items in by_tree.items():
        if groups is not None and name not in groups:
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--screens", type=Path, help="the folder of the pictures; none for UIBert")
    parser.add_argument("--groups", type=Path, help="a JSON list of the UIBert screens that may be used")
    parser.add_argument("--trees", action="store_true", help="also with the truth as an accessibility tree")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--limit", type=int, help="so many screens at most")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    if options.screens:
        frames = generated(options.questions, options.screens, with_trees=options.trees)
    else:
        groups = frozenset(json.loads(options.groups.read_text())) if options.groups else None
        frames = uibert(options.questions, groups)
    collector = Collector(Meaning(TextEncoder()))
    for number, frame in enumerate(frames):
        if options.limit is not None and number >= options.limit:
            break
        file = options.out / (hashlib.sha256(frame.name.encode()).hexdigest()[:16] + ".npz")
        if file.exists():
            continue
        try:
            arrays = collector.collect(frame)
        except (HandeyeError, OSError) as error:
            print(f"{frame.name}: {error}", file=sys.stderr)
            continue
        partial = file.with_suffix(".part.npz")
        np.savez_compressed(partial, **arrays)
        partial.rename(file)
        print(f"\r{number} {frame.name[:60]:60}", end="", file=sys.stderr, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
