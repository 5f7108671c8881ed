"""Calibration of icon similarities to probabilities: logistic models fitted on sets that training did not see."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from handeye.parse.icons import IconIndex
from training.icons.dataset import Icon, Labelled

OTHERS: Final = 19  # icons beside the one asked for, as on a screen
TEXTS: Final = 3  # phrases asked of each class
WITHOUT: Final = 0.5  # share of questions whose icon is not there
PENALTY: Final = 1e-3

Vectors = npt.NDArray[np.float32]
UNCALIBRATED: Final = {
    "known": np.array([-4, 1, 4, 0.3], np.float32),
    "words": np.array([-4, 1, 1], np.float32),
    "name": np.array([-2, 3, 5], np.float32),
}


def calibrate(
    path: Path, labelled: Labelled, look: Callable[[list[Icon]], Vectors], report: Callable[[str], None]
) -> dict[str, Vectors]:
    """The weights of `handeye.parse.icons.Calibration` for an index without them."""
    index, random = IconIndex(path), np.random.default_rng(5)
    icons = labelled.calibration
    vectors = look(icons)
    by_class: dict[int, list[int]] = defaultdict(list)
    for at, icon in enumerate(icons):
        if icon.cls >= 0:
            by_class[icon.cls].append(at)
    known, words = _Samples(), _Samples()
    for cls, members in by_class.items():
        texts = labelled.texts.get(cls, [])
        for text in random.choice(texts, min(TEXTS, len(texts)), replace=False):
            shown, right = _screen(random, icons, cls, members, by_class, labelled)
            asked, seen = index.asked(str(text)), vectors[shown]
            meant = [at for at, _ in asked.classes]
            if cls in meant:
                known.add(index.known_features(cls, asked, seen), right)
            if asked.words is not None:
                words.add(index.word_features(asked.words, seen), right)
    named = _Samples()
    best, features = index.name_features(vectors)
    truth = np.array([icon.cls for icon in icons])
    named.add(features[truth >= 0], (best == truth)[truth >= 0])
    fitted = {"known": known.fitted(), "words": words.fitted(), "name": named.fitted()}
    for name, weights in fitted.items():
        report(f"calibration of {name}: {np.round(weights, 2).tolist()}")
    return fitted


def _screen(
    random: np.random.Generator,
    icons: list[Icon],
    cls: int,
    members: list[int],
    by_class: dict[int, list[int]],
    labelled: Labelled,
) -> tuple[list[int], npt.NDArray[np.bool_]]:
    """Icons as on one screen, look-alikes among them, and which are of the class: at most one, often none."""
    shown = [int(at) for at in random.choice(len(icons), OTHERS, replace=False) if icons[int(at)].cls != cls]
    twins = [twin for twin in labelled.confusable.get(cls, ())[:3] if twin in by_class]
    shown += [int(random.choice(by_class[twin])) for twin in twins]
    if random.random() >= WITHOUT:
        shown.append(int(random.choice(members)))
    return shown, np.array([icons[at].cls == cls for at in shown])


class _Samples:
    """Measures and truths, collected."""

    def __init__(self) -> None:
        self._features: list[Vectors] = []
        self._right: list[npt.NDArray[np.bool_]] = []

    def add(self, features: Vectors, right: npt.NDArray[np.bool_]) -> None:
        self._features.append(features)
        self._right.append(right)

    def fitted(self, rounds: int = 40) -> Vectors:
        """Logistic regression by Newton's method, the constant first."""
        x = np.concatenate(self._features).astype(np.float64)
        x = np.concatenate([np.ones((len(x), 1)), x], axis=1)
        y = np.concatenate(self._right).astype(np.float64)
        weights = np.zeros(x.shape[1])
        for _ in range(rounds):
            p = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
            slope = x.T @ (p - y) + PENALTY * weights
            curvature = (x * (p * (1 - p))[:, None]).T @ x + PENALTY * np.eye(x.shape[1])
            weights -= np.linalg.solve(curvature, slope)
        return weights.astype(np.float32)
