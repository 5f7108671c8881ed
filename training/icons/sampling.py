"""Sampling of training batches: which icons are shown, with which look-alikes, and by which words they are called."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

import numpy as np
import numpy.typing as npt

from training.icons.composing import Composer
from training.icons.dataset import Drawings, Icon, Labelled

CONCEPT_BOOST: Final = 4.0  # what people ask for is seen this much more often than a class of rare names
BY_CLASS: Final = 0.5  # of a batch; the rest is drawn from all icons, named or not
LOOK_ALIKES: Final = 0.2  # of a batch: classes that another of the batch is taken for
REPLAYED: Final = 0.3  # of a batch are crops of an earlier one, moved a little: drawing a crop costs a third of a step
_KEPT: Final = 16384  # crops for replay


class Sampler:
    """Draws batches from a generator: the same seed, the same batches."""

    def __init__(self, labelled: Labelled, drawings: Drawings, random: np.random.Generator) -> None:
        self._labelled, self._drawings, self._random = labelled, drawings, random
        self._composer = Composer(random)
        self._of_class: dict[int, dict[str, list[Icon]]] = defaultdict(lambda: defaultdict(list))
        for icon in labelled.icons:
            if icon.cls >= 0:
                self._of_class[icon.cls][icon.prefix.split("-")[0]].append(icon)
        self._classes = np.array(sorted(self._of_class))
        self._shares = self._class_shares()
        weights = np.array([icon.weight * (0.3 if icon.prefix == "iconmind" else 1.0) for icon in labelled.icons])
        self._running = np.cumsum(weights / weights.sum())
        self._kept_masks = np.zeros((_KEPT, 64, 64), np.uint8)
        self._kept_icons: list[Icon] = []
        self._next = 0

    def batch(self, size: int) -> tuple[npt.NDArray[np.uint8], list[Icon]]:
        """Masks (size, 64, 64) and what they show."""
        replayed = round(size * REPLAYED) if len(self._kept_icons) >= size else 0
        icons = self._icons(size - replayed)
        fresh = [self._crop(icon) for icon in icons]
        chosen = self._random.choice(len(self._kept_icons), replayed, replace=False) if replayed else []
        again = [self._moved(self._kept_masks[at]) for at in chosen]
        shown = icons + [self._kept_icons[at] for at in chosen]
        self._keep(fresh, icons)
        return np.stack(fresh + again), shown

    def text(self, icon: Icon) -> str:
        """One of the texts that call an icon."""
        chance = self._random.random()
        class_texts = self._labelled.texts.get(icon.cls, ())
        if class_texts and self._labelled.classes[icon.cls] in self._labelled.concept_ids and chance < 0.55:
            return class_texts[int(self._random.integers(len(class_texts)))]
        if icon.tags and chance > 0.85:
            return icon.tags[int(self._random.integers(len(icon.tags)))]
        if chance > 0.75:
            return icon.texts[int(self._random.integers(len(icon.texts)))]
        return icon.texts[0]

    def _class_shares(self) -> npt.NDArray[np.float64]:
        concepts = self._labelled.concept_ids
        shares = np.array(
            [
                sum(max(icon.weight for icon in icons) for icons in self._of_class[cls].values()) ** 0.5
                * (CONCEPT_BOOST if self._labelled.classes[cls] in concepts else 1.0)
                for cls in self._classes
            ]
        )
        return shares / shares.sum()

    def _icons(self, count: int) -> list[Icon]:
        named = round(count * (BY_CLASS - LOOK_ALIKES))
        classes = [int(cls) for cls in self._random.choice(self._classes, named, p=self._shares)]
        wanted = round(count * LOOK_ALIKES)
        confusable = self._labelled.confusable
        twins = [int(self._random.choice(confusable[cls])) for cls in classes if cls in confusable][:wanted]
        found = [self._of_class_at_random(cls) for cls in classes + twins if cls in self._of_class]
        rest = np.searchsorted(self._running, self._random.random(count - len(found)))
        return found + [self._labelled.icons[min(int(at), len(self._labelled.icons) - 1)] for at in rest]

    def _of_class_at_random(self, cls: int) -> Icon:
        families = self._of_class[cls]
        names = list(families)
        weights = np.array([families[name][0].weight for name in names])
        icons = families[names[int(self._random.choice(len(names), p=weights / weights.sum()))]]
        return icons[int(self._random.integers(len(icons)))]

    def _crop(self, icon: Icon) -> npt.NDArray[np.uint8]:
        other = self._labelled.icons[int(self._random.integers(len(self._labelled.icons)))]
        return self._composer.crop(self._drawings.of(icon), np.asarray(self._drawings.masks[other.row]))

    def _moved(self, mask: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        """A kept crop, one or two pixels off and somewhat fainter."""
        down, right = (int(step) for step in self._random.integers(-2, 3, 2))
        moved = np.zeros_like(mask)
        rows, columns = slice(max(0, down), 64 + min(0, down)), slice(max(0, right), 64 + min(0, right))
        moved[rows, columns] = mask[max(0, -down) : 64 - max(0, down), max(0, -right) : 64 - max(0, right)]
        return (moved * float(self._random.uniform(0.75, 1.0))).astype(np.uint8)

    def _keep(self, masks: list[npt.NDArray[np.uint8]], icons: list[Icon]) -> None:
        for mask, icon in zip(masks, icons, strict=True):
            self._kept_masks[self._next] = mask
            if self._next < len(self._kept_icons):
                self._kept_icons[self._next] = icon
            else:
                self._kept_icons.append(icon)
            self._next = (self._next + 1) % _KEPT
