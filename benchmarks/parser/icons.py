"""Icons by phrase and by name, among icons of the same held-out set; and phrases for which there is none."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from parser.held_icons import SETS, Icon, drawn, icons_of, install
from parser.phrases import PHRASES, Phrase
from parser.tables import Table, share

FEW, MANY = 20, 100
MOST_OF_A_SET: Final = 400  # icons of one set that are drawn beside those that a phrase names; a screen has fewer
MOST_RIGHT: Final = (
    4  # icons of a set that one phrase is asked for; otherwise clocks, of which lucide has 14, would count most
)
DRAWS: Final = 5  # how often a phrase and an icon stand among others
THRESHOLDS: Final = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
NAMES: Final = 200  # icons of a set that are asked for by their own names
ENCODED_AT_ONCE: Final = 256


class Grounding(Protocol):
    """The measured part: the product's way from a piece of a screen to what it shows."""

    def vectors(self, icons: Sequence[Icon], chance: random.Random) -> NDArray[np.float32]:
        """A row for each icon, drawn as a screen shows it."""
        ...

    def scores(self, phrase: str, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """The probability that each is what the phrase names."""
        ...

    @property
    def least(self) -> float:
        """Below this the product refuses."""
        ...


@dataclass(frozen=True)
class Trial:
    """One question: what was asked of which set, and how it ended. `score` is the best one's."""

    kind: str
    icon_set: str
    asked: str
    right: bool
    score: float
    meant: str = ""
    taken: str = ""


@dataclass(frozen=True)
class HeldSet:
    name: str
    icons: Sequence[Icon]
    vectors: NDArray[np.float32]


def held_sets(data: Path, grounding: Grounding) -> Iterator[HeldSet]:
    """The held-out sets, drawn and encoded."""
    packages = install(data)
    for name in SETS:
        icons = icons_of(packages, name)
        chance = random.Random(f"drawn {name}")
        named = [icon for icon in icons if any(phrase.names(name, icon.name) for phrase in PHRASES)]
        others = [icon for icon in icons if icon not in named]
        icons = named + chance.sample(others, min(len(others), MOST_OF_A_SET))
        yield HeldSet(name, icons, grounding.vectors(icons, chance))


def trials(held: HeldSet, grounding: Grounding) -> Iterator[Trial]:
    """Every question of one set."""
    for phrase in PHRASES:
        for language in ("english", "chinese"):
            yield from _asked(held, phrase, language, grounding)
    yield from _own_names(held, grounding)


def _asked(held: HeldSet, phrase: Phrase, language: str, grounding: Grounding) -> Iterator[Trial]:
    right = [number for number, icon in enumerate(held.icons) if phrase.names(held.name, icon.name)]
    others = [number for number, icon in enumerate(held.icons) if phrase.may_stand_beside(held.name, icon.name)]
    words = getattr(phrase, language)
    scores = grounding.scores(words, held.vectors)
    chance = random.Random(f"{held.name} {phrase.english}")
    for count in (FEW, MANY):
        for number in chance.sample(right, min(len(right), MOST_RIGHT)):
            for _ in range(DRAWS):
                yield _trial(f"{language} {count}", held, words, scores, number, chance.sample(others, count - 1))
    for _ in range(DRAWS):
        yield _trial(f"{language} absent", held, words, scores, None, chance.sample(others, FEW))


def _own_names(held: HeldSet, grounding: Grounding) -> Iterator[Trial]:
    chance = random.Random(f"names {held.name}")
    named = [number for number, icon in enumerate(held.icons) if not any(map(str.isdigit, icon.name))]
    for number in chance.sample(named, min(len(named), NAMES)):
        words = held.icons[number].name.replace("-", " ")
        shown = [number, *chance.sample([other for other in range(len(held.icons)) if other != number], FEW - 1)]
        few = HeldSet(held.name, [held.icons[each] for each in shown], held.vectors[shown])
        yield _trial("own name", few, words, grounding.scores(words, few.vectors), 0, range(1, FEW))


def _trial(
    kind: str, held: HeldSet, words: str, scores: NDArray[np.float32], target: int | None, others: Sequence[int]
) -> Trial:
    """Ask once; an icon with the target's score is taken before it, as a tie is no answer."""
    best = max(others, key=lambda number: scores[number])
    meant = "" if target is None else held.icons[target].name
    if target is not None and scores[target] > scores[best]:
        return Trial(kind, held.name, words, True, float(scores[target]), meant, meant)
    return Trial(kind, held.name, words, False, float(scores[best]), meant, held.icons[best].name)


REACH: Final = {
    "english 20": 98,
    "english 100": 95,
    "chinese 20": 93,
    "chinese 100": 88,
    "own name": 90,
    "english absent": 90,
    "chinese absent": 90,
}
_TITLES: Final = {
    "english 20": f"English phrase among {FEW}",
    "english 100": f"English phrase among {MANY}",
    "chinese 20": f"Chinese phrase among {FEW}",
    "chinese 100": f"Chinese phrase among {MANY}",
    "own name": f"own name among {FEW}",
    "english absent": "absent icon, English: refused",
    "chinese absent": "absent icon, Chinese: refused",
}


def tables(asked: Sequence[Trial], least: float) -> list[Table | str]:
    """The figures by kind and set, what the product answers with its threshold, and where it fails most."""

    def refused(trial: Trial) -> bool:
        return trial.score < least

    counted = _by_set(asked, lambda trial: refused(trial) if "absent" in trial.kind else trial.right)
    answered = [
        [
            _TITLES[kind],
            *(share(sum(map(of, own)), len(own)) for of in _endings(refused)),
        ]
        for kind in _TITLES
        if "absent" not in kind and (own := [trial for trial in asked if trial.kind == kind])
    ]
    return [
        Table(("asked", "reach", "all sets alike", *SETS, "questions"), counted),
        f"What is answered with a threshold of {least:g}:",
        Table(("asked", "right", "wrong", "refused"), answered),
        "With other thresholds, phrases of both languages among 100, and absent ones:",
        Table(("least", "right", "wrong", "refused", "absent: refused"), list(_by_threshold(asked))),
        "Phrases that fail most often, in all sets together:",
        Table(("asked", "failed", "of", "taken instead"), _failures(asked, refused)),
    ]


def _by_threshold(asked: Sequence[Trial]) -> Iterator[tuple[str, ...]]:
    present = [trial for trial in asked if trial.kind in (f"english {MANY}", f"chinese {MANY}")]
    absent = [trial for trial in asked if "absent" in trial.kind]
    for least in THRESHOLDS:
        answered = [trial for trial in present if trial.score >= least]
        right = sum(trial.right for trial in answered)
        ends = (right, len(answered) - right, len(present) - len(answered))
        quiet = sum(trial.score < least for trial in absent)
        yield (f"{least:g}", *(share(count, len(present)) for count in ends), share(quiet, len(absent)))


def _endings(refused: Callable[[Trial], bool]) -> tuple[Callable[[Trial], bool], ...]:
    return (
        lambda trial: trial.right and not refused(trial),
        lambda trial: not trial.right and not refused(trial),
        refused,
    )


def _by_set(asked: Sequence[Trial], good: Callable[[Trial], bool]) -> list[list[str]]:
    rows = []
    for kind, title in _TITLES.items():
        own = [trial for trial in asked if trial.kind == kind]
        sets = {name: [trial for trial in own if trial.icon_set == name] for name in SETS}
        shares = {name: sum(map(good, trials)) / len(trials) for name, trials in sets.items() if trials}
        mean = 100 * sum(shares.values()) / max(1, len(shares))
        cells = [f"{100 * shares[name]:.1f}" if name in shares else "-" for name in SETS]
        rows.append([title, f"≥ {REACH[kind]} %", f"**{mean:.1f} %**", *cells, str(len(own))])
    return rows


def _failures(asked: Sequence[Trial], refused: Callable[[Trial], bool], most: int = 12) -> list[list[str]]:
    kinds = (f"english {MANY}", f"chinese {MANY}")
    words = {trial.asked: [] for trial in asked if trial.kind in kinds}
    for trial in asked:
        if trial.kind in kinds:
            words[trial.asked].append(trial)
    worst = sorted(words.items(), key=lambda item: sum(trial.right for trial in item[1]) / len(item[1]))
    rows = []
    for phrase, own in worst[:most]:
        wrong = [trial for trial in own if not trial.right]
        taken = sorted({trial.taken for trial in wrong}, key=lambda name: -sum(t.taken == name for t in wrong))
        rows.append([phrase, str(len(wrong)), str(len(own)), ", ".join(taken[:4])])
    return rows


class Shipped:
    """The product's own parts; `weights` is a folder with other ones than those that ship."""

    def __init__(self, least: float, weights: Path | None = None) -> None:
        from handeye.parse.icons import ENCODER_WEIGHTS, WEIGHTS, IconEncoder, IconIndex

        files = [each if weights is None else weights / each.name for each in (ENCODER_WEIGHTS, WEIGHTS)]
        self.encoder, self.index = IconEncoder(files[0]), IconIndex(files[1])
        self.least = least

    def vectors(self, icons: Sequence[Icon], chance: random.Random) -> NDArray[np.float32]:
        from handeye.parse.icon_crops import icon_mask

        rows = []
        for start in range(0, len(icons), ENCODED_AT_ONCE):
            cuts = [drawn(icon, chance) for icon in icons[start : start + ENCODED_AT_ONCE]]
            rows.append(self.encoder.encode(np.stack([icon_mask(cut.pixels, cut.box) for cut in cuts])))
        return np.concatenate(rows)

    def scores(self, phrase: str, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.asarray(self.index.scores(phrase, vectors), np.float32)
