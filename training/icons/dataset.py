"""The icons with what they are called: classes, texts, tokens. Built from the drawn icons and the product's vocabulary."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from handeye.parse.vocabulary import Concept, concepts
from handeye.parse.word_vectors import name_key
from training.icons.names import MAX_TEXT, base_name, clean, is_chinese, plain_tags, tags_of_sets
from training.icons.places import Places
from training.icons.sets import usable_sets

# A name that no concept has becomes a class of its own when this many sets draw it, up to so many classes.
MIN_SETS: Final = 3
MAX_OWN_CLASSES: Final = 3500


@dataclass(slots=True)
class Icon:
    """One icon. `row` is its place in `masks.npy`, `cls` its class or -1, `texts` what its set calls it, the name first."""

    row: int
    prefix: str
    name: str
    colour: int
    texts: list[str]
    tags: list[str]
    cls: int = -1
    weight: float = 1.0


@dataclass(slots=True)
class Labelled:
    """All icons and classes. A class is a concept's id, or a name's words in order of the alphabet."""

    icons: list[Icon]
    classes: list[str]
    texts: dict[int, list[str]]
    held: list[Icon]
    calibration: list[Icon]
    concept_ids: frozenset[str]
    confusable: dict[int, list[int]] = field(default_factory=dict)


def load(places: Places) -> Labelled:
    """Read the drawn icons and name them by the vocabulary; the held-out ones and those for calibration apart."""
    sets = {one.prefix: one for one in usable_sets(places.packages)}
    icons = [icon for icon in _icons(places) if icon.prefix in sets]
    known = _concept_by_key(concepts())
    for icon in icons:
        icon.weight = sets[icon.prefix].weight
    by_use: dict[str, list[Icon]] = defaultdict(list)
    for icon in icons:
        by_use[sets[icon.prefix].use].append(icon)
    training = by_use["training"]
    own = _own_classes(training, known)
    matched = frozenset(known[k] for icon in training for k in _keys(icon) if k in known)
    classes = [*sorted(matched), *own]
    number = {name: at for at, name in enumerate(classes)}
    for icon in icons:
        icon.cls = next((number[known[k]] for k in _keys(icon) if known.get(k) in number), -1)
        if icon.cls < 0:
            icon.cls = number.get(key(icon.texts[0]), -1)
    texts = {number[c.id]: _texts_of(c) for c in concepts() if c.id in number}
    spelled: dict[int, set[str]] = defaultdict(set)
    for icon in training:
        if icon.cls >= 0 and classes[icon.cls] not in matched:
            spelled[icon.cls].add(icon.texts[0])
    texts.update({cls: sorted(names) for cls, names in spelled.items()})
    labelled = Labelled(training, classes, texts, by_use["held out"], by_use["calibration"], matched)
    labelled.confusable = _confusable(labelled, number)
    return labelled


def _icons(places: Places) -> list[Icon]:
    tags = tags_of_sets(places.packages)
    rows: list[dict[str, Any]] = json.loads((places.drawn / "icons.json").read_text("utf-8"))
    icons = []
    for at, row in enumerate(rows):
        prefix, name = row["set"], row["name"]
        names = dict.fromkeys(clean(prefix, one)[:MAX_TEXT] for one in (name, *row["aliases"]))
        named = tags.get(prefix, {}).get(name) or tags.get(prefix, {}).get(base_name(prefix, name), [])
        icons.append(Icon(at, prefix, name, row["colour"], list(names), plain_tags(named)))
    return icons


@cache
def key(text: str) -> str:
    """`name_key`, worked out once for each text."""
    return name_key(text)


def _keys(icon: Icon) -> list[str]:
    return [key(text) for text in icon.texts]


def _concept_by_key(known: tuple[Concept, ...]) -> dict[str, str]:
    """The concept that a drawing's name means; names before phrases, first meanings before second ones."""
    by_key: dict[str, str] = {}
    for each in known:
        by_key.setdefault(key(each.id.replace("-", " ")), each.id)
    for second in (False, True):
        for terms in ("names", "phrases"):
            for each in known:
                for term in getattr(each, terms):
                    if (term in each.also) == second:
                        by_key.setdefault(key(term), each.id)
    by_key.pop("", None)
    return by_key


def _own_classes(training: list[Icon], known: dict[str, str]) -> list[str]:
    drawn_by: dict[str, set[str]] = defaultdict(set)
    for icon in training:
        if not any(k in known for k in _keys(icon)):
            drawn_by[key(icon.texts[0])].add(icon.prefix.split("-")[0])
    often = Counter({name: len(sets) for name, sets in drawn_by.items() if len(sets) >= MIN_SETS and name})
    return [name for name, _ in sorted(often.most_common(MAX_OWN_CLASSES))]


def _texts_of(each: Concept) -> list[str]:
    """The texts that mean this concept before any other."""
    return [term for term in each.terms if term not in each.also] or list(each.terms)


_OPPOSITES: Final = (
    *(("left", "right"), ("up", "down"), ("in", "out"), ("plus", "minus"), ("add", "remove"), ("check", "x")),
    *(("open", "closed"), ("previous", "next"), ("horizontal", "vertical"), ("back", "forward"), ("start", "end")),
    *(
        ("top", "bottom"),
        ("off", ""),
        ("undo", "redo"),
        ("lock", "unlock"),
        ("upload", "download"),
        ("circle", "square"),
    ),
)


def _confusable(labelled: Labelled, number: dict[str, int]) -> dict[int, list[int]]:
    """By class the classes that look or sound alike: the vocabulary's, and names with one word turned into its opposite."""
    pairs: dict[int, set[int]] = defaultdict(set)
    for each in concepts():
        if each.id in number:
            pairs[number[each.id]] |= {number[other] for other in each.confusable if other in number}
    by_key = {key(name.replace("-", " ")): at for name, at in number.items()}
    for name, at in by_key.items():
        words = name.split()
        for one, other in (*_OPPOSITES, *((b, a) for a, b in _OPPOSITES if b)):
            if one in words:
                turned = key(" ".join(other if word == one else word for word in words))
                if turned in by_key and by_key[turned] != at:
                    pairs[at].add(by_key[turned])
                    pairs[by_key[turned]].add(at)
    return {at: sorted(others) for at, others in pairs.items() if others}


@dataclass(frozen=True, slots=True)
class Drawings:
    """The pictures, mapped from disk."""

    masks: npt.NDArray[np.uint8]
    colours: npt.NDArray[np.uint8]

    @classmethod
    def opened(cls, places: Places) -> Drawings:
        return cls(
            np.load(places.drawn / "masks.npy", mmap_mode="r"), np.load(places.drawn / "colours.npy", mmap_mode="r")
        )

    def of(self, icon: Icon) -> npt.NDArray[np.uint8]:
        """The alpha (80, 80) of an icon, or its colours (80, 80, 4) premultiplied."""
        if icon.colour < 0:
            return np.ascontiguousarray(self.masks[icon.row])
        picture = self.colours[icon.colour].copy()
        picture[:, :, :3] = (picture[:, :, :3].astype(np.uint16) * picture[:, :, 3:] // 255).astype(np.uint8)
        return picture


def english(texts: list[str]) -> list[str]:
    return [text for text in texts if not is_chinese(text)]
