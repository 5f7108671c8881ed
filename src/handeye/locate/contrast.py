"""How clearly a label stands out from its face: what is gray on gray looks disabled, whatever it is."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from handeye.geometry import Box
from handeye.screen import Screen

# Contrast ratio as WCAG 2 defines it. It asks for 3 of large text and 4.5 of other text, inactive controls excepted (1.4.3):
# #a0a0a0 on #e0e0e0 has 2.0, #c8c8c8 on #eeeeee 1.4, white on Material's blue 4.5.
_FAINT: Final = 2.5
# The ink is what differs most from the ground: so many pixels of a thin label are wholly inked.
_INKED: Final = 0.98
_LINEAR_BELOW: Final = 0.04045  # of sRGB


def looks_disabled(screen: Screen, label: Box) -> bool:
    """Whether the label is too faint to be read with ease. A picture cannot tell more: some disabled controls are not faint."""
    part = label.intersect(screen.box)
    if part is None:
        return False
    light = _luminance(screen.pixels[part.top : part.bottom, part.left : part.right])
    ground = float(np.median(light))
    away = np.abs(light - ground)
    ink = float(np.median(light[away >= np.quantile(away, _INKED)]))
    low, high = sorted((ground, ink))
    return (high + 0.05) / (low + 0.05) < _FAINT


def _luminance(pixels: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    """Relative luminance of WCAG 2, 0-1."""
    share = pixels.astype(np.float64) / 255
    linear = np.where(share <= _LINEAR_BELOW, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ np.array([0.2126, 0.7152, 0.0722]), np.float64)
