"""
Train the ranker from collected evidence: `python -m training.ranker.train --evidence DIR [DIR ...] --out ranker.npz`.

Boosted trees (LightGBM) with a softmax over all candidates of a question and "none of these" as their objective. Questions are
weighted so that absent ones count as --absent of all, as the product meets them. Groups (applications, libraries, screens) are
held out in folds to fit the temperature and to print what the ranker reaches.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import lightgbm
import numpy as np
import numpy.typing as npt

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.locate.ranker.model import places
from handeye.locate.ranker.trees import Trees

Floats = npt.NDArray[np.float64]
FOLDS: Final = 5
_MUCH_LARGER: Final = 12.0  # times: the row of a short label is as large
_SAME_ANSWER: Final = 0.5  # of the smaller box: the candidate is what the strategies before answered
SHARES: Final = {"written": 0.4, "generated": 0.25, "uibert": 0.15, "corpus": 0.2, "docs": 0.4, "icons": 0.3}
"""How much each set counts, by the beginning of its folder's name: people's words more than generated ones."""
PARAMETERS: Final = {
    "learning_rate": 0.04,
    "num_leaves": 24,
    "min_data_in_leaf": 30,
    "lambda_l2": 1.0,
    "feature_fraction": 0.4,
    "bagging_fraction": 0.6,
    "bagging_freq": 1,
    "max_depth": 8,
    "verbose": -1,
    "num_threads": 2,
}


@dataclass
class Evidence:
    """Rows of many questions: `start` holds where each question's rows begin, with the end of all as the last."""

    rows: npt.NDArray[np.float32]
    right: npt.NDArray[np.bool_]
    start: npt.NDArray[np.int64]
    questions: list[dict[str, Any]]
    names: tuple[str, ...]
    boxes: npt.NDArray[np.float32]
    places: npt.NDArray[np.int64]

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        return np.diff(self.start)

    def of(self, keep: npt.NDArray[np.bool_]) -> Evidence:
        """The questions that are kept."""
        chosen = np.repeat(keep, self.lengths)
        start = np.concatenate([[0], np.cumsum(self.lengths[keep])])
        questions = [each for each, kept in zip(self.questions, keep, strict=True) if kept]
        return Evidence(
            self.rows[chosen], self.right[chosen], start, questions, self.names, self.boxes[chosen], self.places[chosen]
        )


def load(folders: Sequence[Path]) -> Evidence:
    """All evidence in the folders; questions whose thing no candidate covers are left out."""
    rows, right, boxes, held, lengths, questions, names = [], [], [], [], [], [], ()
    for file in sorted(path for folder in folders for path in folder.glob("*.npz") if ".part" not in path.name):
        with np.load(file) as arrays:
            asked = json.loads(str(arrays["questions"]))
            counts = np.bincount(arrays["question"], minlength=len(asked))
            table, hit, edges, place = (arrays[name] for name in ("rows", "right", "boxes", "places"))
            if not len(table):
                continue
            names = tuple(map(str, arrays["names"]))
            ends = np.cumsum(counts)
            for number, (question, end, count) in enumerate(zip(asked, ends, counts, strict=True)):
                own = slice(end - count, end)
                question["set"] = file.parent.name
                question["number"] = number
                if hit[own].any():
                    rows.append(table[own])
                    right.append(hit[own] & _narrow(edges[own], hit[own]))
                    boxes.append(edges[own])
                    held.append(place[own])
                    lengths.append(count)
                    questions.append(question)
    start = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    kept = np.concatenate(boxes), np.concatenate(held)
    return Evidence(np.concatenate(rows), np.concatenate(right), start, questions, names, *kept)


def _narrow(boxes: npt.NDArray[np.float32], hits: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """True for boxes that are not much larger than the smallest right one: a page whose middle is in a button is not meant."""
    areas = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    narrow: npt.NDArray[np.bool_] = areas <= _MUCH_LARGER * areas[hits].min()
    return narrow


def fold_of(question: dict[str, Any]) -> int:
    return hashlib.sha256(str(question["group"]).encode()).digest()[0] % FOLDS


def weights_of(evidence: Evidence, absent: float) -> Floats:
    """
    A weight for each question, 1 on average: sets count by SHARES, and absent questions as `absent` of their set.
    """
    sets = np.array([each["set"].partition("_")[0] for each in evidence.questions])
    there = np.array([each["there"] for each in evidence.questions])
    weights = np.zeros(len(sets))
    for name in set(sets):
        own = sets == name
        both = bool((own & there).any() and (own & ~there).any())
        for kind, share in ((there, 1 - absent), (~there, absent)):
            if (own & kind).any():
                weights[own & kind] = SHARES.get(name, 1.0) * (share if both else 1.0) / (own & kind).sum()
    result: Floats = weights * len(weights) / weights.sum()
    return result


def softmax(scores: Floats, start: npt.NDArray[np.int64], temperature: float = 1.0) -> Floats:
    """Probabilities within each question."""
    scaled = scores / temperature
    top = np.maximum.reduceat(scaled, start[:-1])
    raised = np.exp(scaled - np.repeat(top, np.diff(start)))
    chances: Floats = raised / np.repeat(np.add.reduceat(raised, start[:-1]), np.diff(start))
    return chances


def fit(evidence: Evidence, rounds: int, absent: float, seed: int) -> lightgbm.Booster:
    """Boosted trees whose scores, through the softmax, make the right rows probable."""
    per_row = np.repeat(weights_of(evidence, absent), evidence.lengths)
    start = evidence.start

    def objective(scores: Floats, _data: lightgbm.Dataset) -> tuple[Floats, Floats]:
        chances = softmax(scores, start)
        right = chances * evidence.right
        target = right / np.repeat(np.add.reduceat(right, start[:-1]) + 1e-12, evidence.lengths)
        return per_row * (chances - target), per_row * np.maximum(chances * (1 - chances), 1e-3)

    data = lightgbm.Dataset(evidence.rows, label=evidence.right.astype(float), feature_name=list(evidence.names))
    return lightgbm.train({**PARAMETERS, "objective": objective, "seed": seed}, data, num_boost_round=rounds)


def temperature_for(scores: Floats, evidence: Evidence, absent: float) -> float:
    """The temperature under which the right rows are most probable."""
    weights = weights_of(evidence, absent)
    best = (np.inf, 1.0)
    for temperature in np.geomspace(0.5, 4, 40):
        chances = softmax(scores, evidence.start, temperature)
        right = np.add.reduceat(chances * evidence.right, evidence.start[:-1])
        best = min(best, (float(-(weights * np.log(right + 1e-9)).sum()), float(temperature)))
    return best[1]


@dataclass(frozen=True)
class Outcome:
    """The end of one question: the answer of the strategies before, and the most probable one of the ranker."""

    there: bool
    today: str
    right: bool
    refuses: bool
    sure: float
    today_sure: float

    def verdict(self, least: float, *, trusted: float) -> str:
        """
        The answer of the ranker from a probability of `least` on. The answer of the strategies before it stands where the
        ranker gives it `trusted` or more.
        """
        if self.today != "refused" and self.today_sure >= trusted:
            return self.today
        if self.refuses or self.sure < least:
            return "refused"
        return "right" if self.right else "wrong"


def outcomes(scores: Floats, evidence: Evidence, temperature: float) -> list[Outcome]:
    chances = softmax(scores, evidence.start, temperature)
    found = []
    for number, question in enumerate(evidence.questions):
        own = slice(evidence.start[number], evidence.start[number + 1])
        chance = joined(chances[own], evidence.boxes[own], evidence.places[own])
        best = int(np.argmax(chance))
        right = bool(evidence.right[own][best])
        before = evidence.rows[own][:-1, evidence.names.index("answered_here")]
        today = float(chances[own][:-1][before >= _SAME_ANSWER].sum())
        refuses = best == len(chance) - 1
        found.append(Outcome(question["there"], question["today"], right, refuses, float(chance[best]), today))
    return found


def report(found: Sequence[Outcome], evidence: Evidence) -> None:
    """Print right / wrong and utility by set, way and kind: the strategies before, the ranker after them, and alone."""
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for outcome, question in zip(found, evidence.questions, strict=True):
        for kind in (question["kind"], "all"):
            groups[f"{question['set']} {question['way']} {kind}"].append(outcome)
    policies = ((0.8, 0.0), (0.85, 0.0), (0.9, 0.0), (0.8, 0.3), (0.85, 0.5), (0.8, 1.1), (0.9, 1.1))
    heads = ("before", *(f"{least} {'alone' if trusted > 1 else f'trust {trusted}'}" for least, trusted in policies))
    print(f"{'':36} {'n':>5} {'first':>5}  " + " ".join(f"{head:>15}" for head in heads))
    for key, answers in sorted(groups.items()):
        there = sum(each.there for each in answers)
        first = sum(each.right and each.there for each in answers)
        cells = [_cell([each.today for each in answers], there)]
        for least, trusted in policies:
            cells.append(_cell([each.verdict(least, trusted=trusted) for each in answers], there))
        print(f"{key:36} {len(answers):5} {first:5}  " + " ".join(f"{cell:>15}" for cell in cells))


def _cell(verdicts: Sequence[str], there: int) -> str:
    right, wrong = verdicts.count("right"), verdicts.count("wrong")
    utility = f"{100 * (right - 4 * wrong) / there:6.1f}" if there else ""
    return f"{right}/{wrong} {utility}"


def joined(chances: Floats, boxes: npt.NDArray[np.float32], held: npt.NDArray[np.int64]) -> Floats:
    """
    The chances of one question, those of one place added to its best candidate; the last one is "none of these". `held` has
    for each row its control, a digest of its text (0: none) and its group of equal candidates (-1: none), which share theirs.
    """
    elements = [
        UIElement("", "", Box(*(round(float(value)) for value in box)), text=str(digest or ""))
        for box, digest in zip(boxes[:-1], held[:-1, 1], strict=True)
    ]
    shared = chances[:-1].copy()
    for group in set(held[:-1, 2]) - {-1}:
        equal = held[:-1, 2] == group
        shared[equal] = shared[equal].mean()
    result = np.zeros(len(chances))
    numbers = {id(each): at for at, each in enumerate(elements)}
    for place in places(elements, shared, held[:-1, 0]):
        result[numbers[id(place.element)]] = place.probability
    result[-1] = chances[-1]
    return result


def trees_of(model: lightgbm.Booster) -> Trees:
    """The model as arrays."""
    dumped = model.dump_model()["tree_info"]
    flat = [_flattened(tree["tree_structure"]) for tree in dumped]
    most = max(len(nodes) for nodes in flat)
    shape = (len(flat), most)
    feature, left, right = (np.full(shape, -1, np.int16) for _ in range(3))
    threshold, value = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    nan_left = np.zeros(shape, np.bool_)
    depth = 0
    for tree, nodes in enumerate(flat):
        for at, node in enumerate(nodes):
            depth = max(depth, node["depth"])
            if "leaf_value" in node:
                value[tree, at] = node["leaf_value"]
                continue
            feature[tree, at], left[tree, at], right[tree, at] = node["feature"], node["left"], node["right"]
            # LightGBM compares in 64 bits with a threshold between two values: the next lower number of 32 bits is the same.
            exact = min(node["threshold"], float(np.finfo(np.float32).max))
            limit = np.float32(exact)
            threshold[tree, at] = limit if float(limit) <= exact else np.nextafter(limit, np.float32(-np.inf))
            nan_left[tree, at] = node["default_left"] if node["missing_type"] == "NaN" else node["threshold"] >= 0.0
    return Trees(feature, threshold, left, right, nan_left, value, depth)


def _flattened(root: dict[str, Any]) -> list[dict[str, Any]]:
    nodes: list[dict[str, Any]] = []

    def visit(node: dict[str, Any], depth: int) -> int:
        at = len(nodes)
        nodes.append({"depth": depth})
        if "split_feature" not in node:
            nodes[at]["leaf_value"] = node["leaf_value"]
            return at
        kept = ("threshold", "default_left", "missing_type")
        nodes[at] |= {"feature": node["split_feature"], **{name: node[name] for name in kept}}
        nodes[at]["left"] = visit(node["left_child"], depth + 1)
        nodes[at]["right"] = visit(node["right_child"], depth + 1)
        return at

    visit(root, 0)
    return nodes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--evidence", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--folds", type=int, default=FOLDS, help="0: no folds, and a temperature of 1")
    parser.add_argument("--rounds", type=int, default=250)
    parser.add_argument("--seed", type=int, default=1, help="models of several seeds can be averaged")
    parser.add_argument("--absent", type=float, default=0.15)
    parser.add_argument("--check", type=Path, nargs="+", help="evidence to report on that nothing is learned from")
    parser.add_argument("--without", default="", help="comma-separated beginnings of columns that are left out")
    options = parser.parse_args()
    evidence = load(options.evidence)
    if options.without:
        out = tuple(options.without.split(","))
        keep = [not name.startswith(out) for name in evidence.names]
        evidence.names = tuple(name for name, kept in zip(evidence.names, keep, strict=True) if kept)
        evidence.rows = evidence.rows[:, keep]
    folds = np.array([fold_of(each) for each in evidence.questions])
    scores = np.zeros(len(evidence.rows))
    for fold in range(options.folds):
        inside = folds == fold
        if inside.any():
            model = fit(evidence.of(~inside), options.rounds, options.absent, options.seed)
            scores[np.repeat(inside, evidence.lengths)] = model.predict(evidence.of(inside).rows, raw_score=True)
    temperature = temperature_for(scores, evidence, options.absent) if options.folds else 1.0
    print(f"{len(evidence.questions)} questions, {len(evidence.rows)} rows, temperature {temperature:.2f}")
    if options.folds:
        report(outcomes(scores, evidence, temperature), evidence)
    model = fit(evidence, options.rounds, options.absent, options.seed)
    trees = trees_of(model)
    sample = evidence.rows[:5000]
    apart = np.abs(trees.scores(sample) - model.predict(sample, raw_score=True)).max()
    print(f"numpy differs from LightGBM by {apart:.6f} at most")
    np.savez_compressed(
        options.out, **trees.arrays(), names=np.array(evidence.names), temperature=np.array(temperature)
    )
    if options.check:
        checked = load(options.check)
        checked_scores = trees.scores(checked.rows[:, [checked.names.index(name) for name in evidence.names]])
        report(outcomes(checked_scores, checked, temperature), checked)
    importance = sorted(zip(model.feature_importance("gain"), evidence.names, strict=True), reverse=True)
    print("most used:", ", ".join(name for _gain, name in importance[:25]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
