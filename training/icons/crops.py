"""One crop of each icon, the same each time: what centroids, calibration and figures are taken from."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from handeye.parse.icons import IconEncoder
from training.icons.composing import Composer
from training.icons.dataset import Drawings, Icon

_SEED: Final = 20261122
_BATCH: Final = 256

Vectors = npt.NDArray[np.float32]


class Crops:
    """
    Vectors of icons as the product would see them on a screen, through the file that ships.

    Masks are kept in `folder`, because making them takes as long as encoding them; they depend on the icon alone.
    """

    def __init__(self, drawings: Drawings, encoder: IconEncoder, folder: Path) -> None:
        self._drawings, self._encoder, self._file = drawings, encoder, folder / "masks.npz"
        self._masks: dict[int, npt.NDArray[np.uint8]] = {}
        if self._file.exists():
            with np.load(self._file) as kept:
                self._masks = dict(zip(kept["rows"].tolist(), kept["masks"], strict=True))
        self._kept = len(self._masks)

    def masks(self, icons: list[Icon]) -> Vectors:
        """Masks (n, 64, 64), 0-1."""
        return np.stack([self._mask(icon) for icon in icons]).astype(np.float32) / 255.0

    def vectors(self, icons: list[Icon]) -> Vectors:
        """Unit vectors (n, d)."""
        parts = [self._encoder.encode(self.masks(icons[at : at + _BATCH])) for at in range(0, len(icons), _BATCH)]
        return np.concatenate(parts)

    def keep(self) -> None:
        """Write down the masks that were made since."""
        if len(self._masks) == self._kept:
            return
        self._file.parent.mkdir(parents=True, exist_ok=True)
        rows = sorted(self._masks)
        new = self._file.with_name("new.npz")
        np.savez(new, rows=np.array(rows), masks=np.stack([self._masks[row] for row in rows]))
        new.replace(self._file)
        self._kept = len(rows)

    def _mask(self, icon: Icon) -> npt.NDArray[np.uint8]:
        if icon.row not in self._masks:
            composer = Composer(np.random.default_rng([_SEED, icon.row]))
            self._masks[icon.row] = composer.crop(self._drawings.of(icon))
        return self._masks[icon.row]
