"""The figures of a group of answers."""

from __future__ import annotations

import random
import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from grounding.answers import Answer
from grounding.judgement import PRESENT

WRONG_COSTS: Final = 4  # a wrong answer cancels four right ones
LEAST_FOR_CALIBRATION: Final = 400  # answers; with fewer the error of ten bins is mostly chance
_BINS: Final = 10
_RESAMPLES: Final = 2000
BANDS: Final = (0.0, 0.5, 0.8, 0.9, 0.95, 1.01)


class Interval(NamedTuple):
    """A figure and its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Figures:
    """
    Counts and shares of one row. `there` counts questions whose thing is on the screen, `refusals` those that a refusal
    answers (several equal places and things that are not there); `false_finds` are wrong answers to these.
    """

    there: int
    right: int
    wrong: int
    refused: int
    first_right: int
    refusals: int
    false_finds: int
    utility: Interval | None
    calibration: float | None
    fresh_ms: float | None
    second_ms: float | None
    covered: float | None


def figures(answers: Sequence[Answer]) -> Figures:
    """Return the figures of answers."""
    there = [each for each in answers if each.expected in PRESENT]
    refusals = [each for each in answers if each.expected not in PRESENT]
    seen = [each.covered for each in answers if each.covered is not None]
    return Figures(
        len(there),
        sum(each.verdict == "right" for each in there),
        sum(each.verdict == "wrong" for each in there),
        sum(each.verdict == "refused" for each in there),
        sum(each.verdict == "refused" and each.first_right for each in there),
        len(refusals),
        sum(each.verdict == "wrong" for each in refusals),
        utility(answers) if there else None,
        calibration_error(answers),
        _median(each.fresh_ms for each in answers),
        _median(each.second_ms for each in answers),
        sum(seen) / len(seen) if seen else None,
    )


def utility(answers: Iterable[Answer]) -> Interval:
    """
    Right less WRONG_COSTS times wrong, in per cent of the questions whose thing is there. A refusal counts as nothing.

    The interval is a bootstrap over screens: answers on one screen share its look and its language.
    """
    return _bootstrap(_by_screen(answers))


def difference(before: Iterable[Answer], after: Iterable[Answer]) -> Interval:
    """Return the change of the utility, with its interval over the same resampled screens."""
    first, second = _by_screen(before), _by_screen(after)
    return _bootstrap(second, first)


def calibration_error(answers: Iterable[Answer]) -> float | None:
    """
    The mean distance of confidence and share right, over ten bins of equal size, in points; None for too few answers.

    Refusals are no answers.
    """
    given = [(each.confidence, each.verdict == "right") for each in answers if each.answered]
    if len(given) < LEAST_FOR_CALIBRATION:
        return None
    random.Random(1).shuffle(given)  # equal confidences are not ordered by set or verdict
    given.sort(key=itemgetter(0))
    bins = np.array_split(np.array(given, float), _BINS)
    gaps = [abs(part[:, 0].mean() - part[:, 1].mean()) * len(part) for part in bins]
    return 100 * float(sum(gaps)) / len(given)


def reliability(answers: Iterable[Answer]) -> list[tuple[int, float | None]]:
    """For each band of confidence the number of answers, and the share of them that is right."""
    given = [each for each in answers if each.answered]
    rows: list[tuple[int, float | None]] = []
    for low, high in pairwise(BANDS):
        band = [each.verdict == "right" for each in given if low <= each.confidence < high]
        rows.append((len(band), sum(band) / len(band) if band else None))
    return rows


def _median(values: Iterable[float | None]) -> float | None:
    known = [each for each in values if each is not None]
    return statistics.median(known) if known else None


Sums = dict[tuple[str, str], tuple[float, float]]


def _by_screen(answers: Iterable[Answer]) -> Sums:
    """Points and questions whose thing is there, for each screen of each set."""
    sums: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0.0, 0.0])
    for each in answers:
        row = sums[each.set, each.screen]
        there = each.expected in PRESENT
        row[0] += (there and each.verdict == "right") - WRONG_COSTS * (each.verdict == "wrong")
        row[1] += there
    return {screen: (points, there) for screen, (points, there) in sums.items()}


def _bootstrap(sums: Sums, less: Sums | None = None) -> Interval:
    """The share of points in per cent, less that of `less` on the same screens, with its interval."""
    screens = sorted(sums)
    table = np.array([sums[each] for each in screens])
    other = np.array([less[each] for each in screens]) if less is not None else None
    drawn = np.random.default_rng(1).integers(0, len(screens), (_RESAMPLES, len(screens)))
    values = _shares(table[drawn])
    whole = _shares(table[None])[0]
    if other is not None:
        values = values - _shares(other[drawn])
        whole = whole - _shares(other[None])[0]
    low, high = np.nanpercentile(values, (2.5, 97.5))
    return Interval(float(whole), float(low), float(high))


def _shares(tables: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Per cent of points for each resampled table of shape (resamples, screens, 2); NaN where no question's thing is there."""
    points, there = tables.sum(axis=1).T
    shares: npt.NDArray[np.float64] = np.full(len(points), np.nan)
    np.divide(100 * points, there, out=shares, where=there > 0)
    return shares
