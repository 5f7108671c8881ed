"""
Measure how well a model finds elements: `python -m training.detector.evaluate MODEL --data DIR [--set-floors]`.

A detection is right when it overlaps an element of the truth by IoU >= 0.5; each element is found at most once, by the
most certain detection first. Elements seen less than half count neither as missed nor as wrong. `interactive` asks only
whether what can be clicked is found, whatever its class, and by whatever class. Icons, images and windows that find
nothing to click are not wrong there, as they only say what is drawn; nor is a control that is really there and does
nothing, such as a disabled one. `--set-floors` measures, on screens kept out of training, the score per class at which
precision and recall balance best (F1), and writes these floors into the model.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from handeye.parse.decoding import CLASSES
from handeye.parse.detector import Detected, Detector
from handeye.parse.overlap import ious
from training.detector.crops import DRAWN, Truth, open_picture, screens
from training.detector.export import set_floors

Mask = npt.NDArray[np.bool_]
OVERLAP = 0.5
NOT_CLICKED = (*DRAWN, "window")
LEAST = 0.05  # scores below are not looked at
LOWEST_FLOOR, HIGHEST_FLOOR = 0.15, 0.6
ENOUGH = 60  # elements of a class, for a floor of its own
INTERACTIVE = "interactive"


@dataclass
class Tally:
    """Number of elements to be found, and the score and correctness of each detection."""

    wanted: int = 0
    scores: list[float] = field(default_factory=list)
    right: list[bool] = field(default_factory=list)

    def add(self, wanted: int, scores: Sequence[float], right: Sequence[bool]) -> None:
        self.wanted += wanted
        self.scores += scores
        self.right += right

    def at(self, floor: float) -> tuple[float, float]:
        """Recall and precision of the detections from `floor` on."""
        kept = np.array(self.scores) >= floor
        hits = int((np.array(self.right, bool) & kept).sum()) if self.scores else 0
        return hits / max(1, self.wanted), hits / max(1, int(kept.sum()))

    def average_precision(self) -> float:
        """The area under precision over recall, as COCO's, at this one overlap."""
        if not self.scores or not self.wanted:
            return 0.0
        right = np.array(self.right, bool)[np.argsort(-np.array(self.scores), kind="stable")]
        precision = np.cumsum(right) / np.arange(1, len(right) + 1)
        best = np.maximum.accumulate(precision[::-1])[::-1]
        return float(best[right].sum() / self.wanted)

    def best_floor(self) -> float:
        """The floor with the highest F1."""
        floors = np.arange(LOWEST_FLOOR, HIGHEST_FLOOR + 1e-9, 0.025)
        pairs = [self.at(float(floor)) for floor in floors]
        return float(floors[int(np.argmax([2 * r * p / max(1e-9, r + p) for r, p in pairs]))])


def matched(
    found: Sequence[Detected], truth: Truth, wanted: Mask, alone: Mask, spared: Callable[[Detected], bool]
) -> tuple[list[float], list[bool]]:
    """
    Score and rightness of each detection that counts, the most certain first, against the elements `wanted` (a mask).

    What overlaps only elements that are to be left `alone` (a mask) does not count, nor a wrong one that is `spared`.
    """
    if not found:
        return [], []
    boxes = np.array([each.box for each in found], np.float32)
    overlap = ious(boxes, truth.boxes) if len(truth.boxes) else np.zeros((len(boxes), 0), np.float32)
    free = wanted & ~truth.ignored
    scores, right = [], []
    for row, each in zip(overlap, found, strict=True):
        fits = np.where(free, row, 0.0)
        best = int(fits.argmax()) if len(fits) else -1
        hit = best >= 0 and fits[best] >= OVERLAP
        if hit:
            free[best] = False
        elif spared(each) or (len(row) and (row[alone] >= OVERLAP).any()):
            continue
        scores.append(each.score)
        right.append(bool(hit))
    return scores, right


def measure(model: Path, paths: Sequence[Path], least: float | None) -> dict[str, dict[str, Tally]]:
    """Tallies by library ("" for all together) and by class or INTERACTIVE."""
    detector = Detector(model)
    tallies: dict[str, dict[str, Tally]] = {}
    for path in paths:
        truth = Truth.read(path)
        found = detector.detect(open_picture(truth.picture), least=least)
        idle = truth.ignored | ~(
            truth.interactive | np.isin(truth.kinds, [CLASSES.index(role) for role in NOT_CLICKED])
        )
        rows = [(INTERACTIVE, found, truth.interactive)]
        rows += [(role, [f for f in found if f.role == role], truth.kinds == k) for k, role in enumerate(CLASSES)]
        for name, candidates, wanted in rows:
            spare = name == INTERACTIVE
            alone = idle if spare else truth.ignored
            spared = (lambda each: each.role in NOT_CLICKED) if spare else (lambda each: False)
            scores, right = matched(candidates, truth, wanted, alone, spared)
            count = int((wanted & ~truth.ignored).sum())
            for library in ("", truth.library):
                tallies.setdefault(library, {}).setdefault(name, Tally()).add(count, scores, right)
    return tallies


def _trusted(tallies: dict[str, Tally], role: str) -> Tally:
    """Return the tally that sets a role's floor: its own, or that of all that can be clicked if it has too few."""
    return tallies[role] if tallies[role].wanted >= ENOUGH else tallies[INTERACTIVE]


def show(tallies: dict[str, dict[str, Tally]]) -> None:
    """Tables: recall and precision by class, and of interactive elements by library."""
    print(f"{'class':14}{'wanted':>8}{'recall':>8}{'precis.':>8}{'AP':>8}")
    for name, tally in tallies[""].items():
        recall, precision = tally.at(0)
        print(f"{name:14}{tally.wanted:8}{recall:8.3f}{precision:8.3f}{tally.average_precision():8.3f}")
    print(f"\n{'interactive in':18}{'wanted':>8}{'recall':>8}{'precis.':>8}")
    for library, by_name in sorted(tallies.items()):
        recall, precision = by_name[INTERACTIVE].at(0)
        print(f"{library or 'all':18}{by_name[INTERACTIVE].wanted:8}{recall:8.3f}{precision:8.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("--data", type=Path, nargs="+", default=[Path("out/training")])
    parser.add_argument("--split", default="held", choices=("held", "floors"))
    parser.add_argument("--most", type=int, default=60, help="screens per source at most")
    parser.add_argument("--set-floors", action="store_true")
    parser.add_argument("--only-floors", action="store_true", help="set them and end")
    asked = parser.parse_args()
    if asked.set_floors:
        found = screens(asked.data, "floors")
        tallies = measure(asked.model, [p for each in found.values() for p in each[: asked.most]], LEAST)[""]
        floors = {role: round(_trusted(tallies, role).best_floor(), 3) for role in CLASSES}
        set_floors(asked.model, floors)
        print(json.dumps(floors))
        if asked.only_floors:
            return
    found = screens(asked.data, asked.split)
    show(measure(asked.model, [p for each in found.values() for p in each[: asked.most]], None))


if __name__ == "__main__":
    main()
