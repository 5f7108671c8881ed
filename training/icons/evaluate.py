"""
The figures on sets that training never saw: `python -m training.icons.evaluate`.

Each question shows one right icon among 19 or 99 others of the same sets, drawn as on a screen. "Refused" asks for an icon
that is not there: right is that no score reaches a half.
"""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from handeye.parse.icons import ENCODER_WEIGHTS as ENCODER
from handeye.parse.icons import WEIGHTS as INDEX
from handeye.parse.icons import IconEncoder, IconIndex
from handeye.parse.word_vectors import name_key
from training.icons.crops import Crops
from training.icons.dataset import Drawings, Icon, load
from training.icons.phrases import PHRASES
from training.icons.places import argument_parser, places_of

SETS: Final = (
    "lucide",
    "material-symbols",
    "ant-design",
    "ic",
    "fa6-solid",
    "fa6-regular",
    "radix-icons",
    "ep",
    "feather",
)
POOL: Final = 500  # icons a set gives to the pool, besides those that are asked for
REPEATS: Final = 6  # questions of each phrase
SURE: Final = 0.5
# Sets in which a number at the end of a name makes another drawing.
_NUMBERED: Final = frozenset({"ic", "material-symbols"})
_NUMBER: Final = re.compile(r"-\d+(-outline)?$")

Vectors = npt.NDArray[np.float32]


class Questions:
    """Icons of the held-out sets, their vectors, and what of them is right for which class."""

    def __init__(self, icons: list[Icon], vectors: Vectors, classes: list[str], seed: int) -> None:
        self.icons, self.vectors, self.classes = icons, vectors, classes
        self.random = np.random.default_rng(seed)
        self.of_name: dict[str, list[int]] = defaultdict(list)
        self._of_class: dict[int, set[int]] = defaultdict(set)
        for at, icon in enumerate(icons):
            for name in icon.texts:
                self.of_name[name_key(name)].append(at)
            self._of_class[icon.cls].add(at)

    def right(self, names: tuple[str, ...]) -> list[int]:
        """The icons with one of these names, but not those that carry another set's number: "filter 1" is no filter."""
        found = {at for name in names for at in self.of_name[name_key(name)]}
        return sorted(
            at for at in found if not (self.icons[at].prefix in _NUMBERED and _NUMBER.search(self.icons[at].name))
        )

    def arguable(self, right: list[int]) -> set[int]:
        """Indices of right icons and of those that the vocabulary takes for the same; none is shown as a wrong icon."""
        return set(right).union(*(self._of_class[self.icons[at].cls] for at in right if self.icons[at].cls >= 0))

    def screen(self, right: int | None, wrong: set[int], count: int) -> list[int]:
        """`right` and others that are not in `wrong`."""
        others = [int(at) for at in self.random.choice(len(self.icons), count + len(wrong), replace=False)]
        others = [at for at in others if at not in wrong][: count - (right is not None)]
        return others if right is None else [right, *others]


def by_phrase(questions: Questions, index: IconIndex, chinese: bool, count: int, missed: dict[str, int]) -> float:
    hits = asked = 0
    for english, other, names in PHRASES:
        phrase = other if chinese else english
        members = questions.right(names)
        arguable = questions.arguable(members)
        for _ in range(REPEATS):
            shown = questions.screen(int(questions.random.choice(members)), arguable, count)
            right = int(index.scores(phrase, questions.vectors[shown]).argmax()) == 0
            hits, asked = hits + right, asked + 1
            missed[phrase] += not right
    return hits / asked


def refused(questions: Questions, index: IconIndex, chinese: bool, count: int) -> tuple[float, float]:
    """The share of absent icons refused, and of present ones accepted and right."""
    none = found = asked = 0
    for english, other, names in PHRASES:
        phrase = other if chinese else english
        members = questions.right(names)
        arguable = questions.arguable(members)
        for _ in range(REPEATS):
            without = questions.screen(None, arguable, count)
            none += index.scores(phrase, questions.vectors[without]).max() < SURE
            with_it = questions.screen(int(questions.random.choice(members)), arguable, count)
            scores = index.scores(phrase, questions.vectors[with_it])
            found += scores.argmax() == 0 and scores[0] >= SURE
            asked += 1
    return none / asked, found / asked


def by_own_name(questions: Questions, index: IconIndex, count: int, limit: int) -> dict[str, float]:
    """By set: an icon asked for by the name its set gives it."""
    by_set: dict[str, list[bool]] = defaultdict(list)
    of_key: dict[str, set[int]] = defaultdict(set)
    for at, icon in enumerate(questions.icons):
        of_key[name_key(icon.texts[0])].add(at)
    for at in questions.random.permutation(len(questions.icons))[:limit]:
        icon = questions.icons[at]
        same = of_key[name_key(icon.texts[0])]
        shown = questions.screen(int(at), same, count)
        by_set[icon.prefix].append(int(index.scores(icon.texts[0], questions.vectors[shown]).argmax()) == 0)
    every = [right for rights in by_set.values() for right in rights]
    return {"all": float(np.mean(every)), **{name: float(np.mean(rights)) for name, rights in sorted(by_set.items())}}


def pool(held: list[Icon], seed: int) -> list[Icon]:
    """Of each set everything the phrases may ask for, and a share of the rest."""
    wanted = {name_key(name) for _, _, names in PHRASES for name in names}
    random = np.random.default_rng(seed)
    chosen: list[Icon] = []
    for prefix in SETS:
        icons = [icon for icon in held if icon.prefix == prefix]
        asked = [icon for icon in icons if any(name_key(name) in wanted for name in icon.texts)]
        rest = [icon for icon in icons if icon not in asked]
        chosen += asked + [rest[int(at)] for at in random.permutation(len(rest))[:POOL]]
    return chosen


def evaluate(arguments: argparse.Namespace) -> None:
    places = places_of(arguments)
    labelled, drawings = load(places), Drawings.opened(places)
    icons = pool(labelled.held, seed=11)
    crops = Crops(drawings, IconEncoder(arguments.weights / ENCODER.name, threads=1), places.bank)
    questions = Questions(icons, crops.vectors(icons), labelled.classes, seed=13)
    crops.keep()
    index = IconIndex(arguments.weights / INDEX.name)
    print(f"{len(icons)} icons of {', '.join(SETS)}")
    for chinese in (False, True):
        missed: dict[str, int] = defaultdict(int)
        language = "Chinese" if chinese else "English"
        for count in (20, 100):
            print(f"{language} phrases among {count}: {by_phrase(questions, index, chinese, count, missed):.1%}")
        print("  most missed:", sorted(missed.items(), key=lambda one: -one[1])[:12])
        none, found = refused(questions, index, chinese, 20)
        print(f"{language}: absent refused {none:.1%}, present found and sure {found:.1%}")
    for name, share in by_own_name(questions, index, 20, 1500).items():
        print(f"own name among 20, {name}: {share:.1%}")
    names = index.names(questions.vectors)
    known = [(labelled.classes[icon.cls], said) for icon, (said, _) in zip(icons, names, strict=True) if icon.cls >= 0]
    print(f"named right (of icons with a class): {np.mean([a == b or name_key(b) == a for a, b in known]):.1%}")


if __name__ == "__main__":
    parser = argument_parser(__doc__)
    parser.add_argument("--weights", type=Path, default=ENCODER.parent)
    evaluate(parser.parse_args())
