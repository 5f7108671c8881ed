"""
Training examples of the rescorer: `python -m training.rescorer.examples --data DIR --detector MODEL --screens N`.

For each screen: the candidates as the product makes them, and the target of each. Lines of text are the truth's,
moved, joined and lost as a text reader does, or none at all; for applications they are those that a reader read
(training.screens.read).
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from handeye.geometry import Box, Size
from handeye.parse import propose, scale_of
from handeye.parse.candidates import Candidates, candidates
from handeye.parse.detector import MIN_CANDIDATE_SCORE, Detector, DetectorOutput
from handeye.parse.overlap import ious
from handeye.parse.parser import split_at_shapes
from handeye.parse.rescorer import steps_between
from handeye.text import TextLine
from training.detector.crops import Pixels, Truth, disturbed, open_picture, screens

WITHOUT_TEXT: Final = 0.15  # the share of screens that are shown without any lines
WITHOUT_DETECTOR: Final = 0.03
DISTURBED: Final = 0.5  # shown in other colours, paler or darker, blurred or pressed by JPEG
LOST: Final = 0.04  # lines that a reader does not see
JOINED: Final = 0.35  # neighbours on a row that a reader takes for one line
MISREAD: Final = 0.25  # icons that a reader takes for letters, and what for
LETTERS: Final = (*"OQXLCBVDi8&+<>^!?=·•口日回三人大米白", "LJ", "F7", "口口", "ID", "×", "88", "0")
BEGINS: Final = 0.2  # the overlap from which a candidate may be an element
HIDDEN: Final = 0.7  # the share of a candidate that lies in what is to be left alone


def lines_of(values: dict[str, Any], draw: random.Random) -> list[TextLine]:
    """The truth's lines of text as a reader might tell them; where a reader was asked, what it told."""
    if draw.random() < WITHOUT_TEXT:
        return []
    if "lines" in values:
        return [TextLine(text, Box(*box), 1.0) for text, *box in values["lines"] if draw.random() >= LOST]
    found: list[TextLine] = []
    texts = [
        each for each in values["elements"] if each["role"] == "text" and each.get("text") and draw.random() >= LOST
    ]
    texts += [
        {**each, "text": draw.choice(LETTERS)}
        for each in values["elements"]
        if each["role"] == "icon" and draw.random() < MISREAD
    ]
    for each in sorted(texts, key=lambda each: (round(each["box"][1] / 6), each["box"][0])):
        left, top, right, bottom = each["box"]
        high = bottom - top
        if each.get("visible", 1.0) < 0.5 or high < 5:
            continue
        moved = [draw.gauss(0, 0.05) * high for _ in range(4)]
        inner = draw.uniform(0, 0.12) * high  # a line's box in a page is higher than its letters
        box = Box(
            round(left + moved[0]),
            round(top + inner + moved[1]),
            round(right + moved[2]),
            round(bottom - inner + moved[3]),
        )
        last = found[-1] if found else None
        if (
            last is not None
            and abs(last.box.top - box.top) < 0.3 * high
            and 0 <= box.left - last.box.right < 1.2 * high
            and draw.random() < JOINED
        ):
            found[-1] = TextLine(f"{last.text} {each['text']}", _around(last.box, box), 1.0)
        elif box.right > box.left and box.bottom > box.top:
            found.append(TextLine(each["text"], box, 1.0))
    return found


def _around(one: Box, other: Box) -> Box:
    return Box(
        min(one.left, other.left), min(one.top, other.top), max(one.right, other.right), max(one.bottom, other.bottom)
    )


class Meant(NamedTuple):
    """
    Targets of n candidates: the class of the element that each overlaps best and by how much (IoU), (n,); the weight of
    that, (n,); and the steps from its box to that element's, (n, 4).
    """

    kinds: npt.NDArray[np.int64]
    overlaps: npt.NDArray[np.float32]
    counts: npt.NDArray[np.float32]
    steps: npt.NDArray[np.float32]


def meant(found: Candidates, truth: Truth) -> Meant:
    """Return the targets of the candidates. Those on elements that are only to be ignored have weight 0."""
    size = len(found)
    if not len(truth.boxes):
        nothing = np.zeros(size, np.float32)
        return Meant(np.zeros(size, np.int64), nothing, nothing + 1, np.zeros((size, 4), np.float32))
    overlap = ious(found.boxes, truth.boxes)
    best, most = overlap.argmax(1), overlap.max(1)
    low = np.maximum(found.boxes[:, None, :2], truth.boxes[None, :, :2])
    high = np.minimum(found.boxes[:, None, 2:], truth.boxes[None, :, 2:])
    shared = np.prod(np.clip(high - low, 0, None), axis=2)
    area = np.maximum(np.prod(found.boxes[:, 2:] - found.boxes[:, :2], axis=1), 1)[:, None]
    hidden = ((shared / area >= HIDDEN) & truth.ignored[None]).any(1) & (most < BEGINS)
    counts = np.where(hidden | (truth.ignored[best] & (most >= BEGINS)), 0, 1).astype(np.float32)
    steps = steps_between(found.boxes, truth.boxes[best])
    return Meant(truth.kinds[best], most.astype(np.float32), counts, steps)


def look(pixels: Pixels, lines: Sequence[TextLine], detector: Detector | None) -> Candidates:
    """The candidates of a frame, as the product makes them."""
    heights = [line.box.height for line in lines]
    scale = scale_of(Size(pixels.shape[1], pixels.shape[0]), heights)
    seen = propose(pixels, [line.box for line in lines], scale)
    sight = DetectorOutput([], [])
    if detector is not None:
        sight = detector.look(pixels, median(heights) if heights else None, MIN_CANDIDATE_SCORE)
    return candidates(pixels, sight, seen, split_at_shapes(lines, seen), scale)


def example(path: Path, detector: Detector, draw: random.Random) -> dict[str, Any] | None:
    values = json.loads(path.read_text(encoding="utf-8"))
    truth = Truth.read(path)
    pixels = open_picture(truth.picture)
    if draw.random() < DISTURBED:
        pixels = disturbed(pixels, draw)
    shown = detector if draw.random() >= WITHOUT_DETECTOR else None
    found = look(np.ascontiguousarray(pixels), lines_of(values, draw), shown)
    if not len(found):
        return None
    each = meant(found, truth)
    pairs = [np.argwhere(each).astype(np.uint16) for each in found.neighbours]
    return {
        "features": found.features.astype(np.float16),
        "kinds": each.kinds.astype(np.uint8),
        "overlaps": each.overlaps.astype(np.float16),
        "counts": each.counts.astype(np.float16),
        "steps": np.clip(each.steps, -4, 4).astype(np.float16),
        "sizes": np.array([len(each) for each in pairs], np.int32),
        "pairs": np.concatenate(pairs),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, nargs="+", default=[Path("out/training")])
    parser.add_argument("--detector", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path("out/training/rescorer"))
    parser.add_argument("--screens", type=int, default=1500)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--named", default="", help="only screens with this in their name: a seed, a library")
    parser.add_argument("--seed", type=int, default=0, help="a second run with another seed adds to the first one's")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    detector, draw, began = Detector(asked.detector), random.Random(asked.seed), time.monotonic()
    for split, share in (("floors", 0.12), ("train", 1.0)):
        named = {
            name: [path for path in each if asked.named in path.stem]
            for name, each in screens(asked.data, split).items()
        }
        found = [each for each in named.values() if each]
        weights = [len(each) ** 0.5 for each in found]
        made: list[dict[str, Any]] = []
        chosen = (draw.choice(draw.choices(found, weights)[0]) for _ in range(round(asked.screens * share)))
        for path in dict.fromkeys(chosen):
            try:
                each = example(path, detector, draw)
            except (OSError, StopIteration, ValueError):  # still being written
                continue
            if each is not None:
                made.append(each)
            if len(made) % 100 == 0:
                print(split, len(made), f"{time.monotonic() - began:.0f} s", flush=True)
            if (time.monotonic() - began) / 60 > asked.minutes:
                break
        stacked = {
            name: np.concatenate([each[name] for each in made])
            for name in ("features", "kinds", "overlaps", "counts", "steps", "pairs")
        }
        stacked["sizes"] = np.stack([each["sizes"] for each in made])
        stacked["lengths"] = np.array([len(each["counts"]) for each in made], np.int32)
        np.savez(asked.out / f"examples-{split}-{asked.seed}.npz", **stacked)
        print(split, len(made), "screens,", len(stacked["counts"]), "candidates")


if __name__ == "__main__":
    main()
