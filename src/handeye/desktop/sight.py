"""The picture in which a phrase is looked for: of a window and of what it has opened, where the system gives one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from handeye.desktop.state import WindowState
from handeye.devices.desktop.base import DesktopBackend
from handeye.errors import CaptureFailed, TargetNotFound
from handeye.geometry import Box
from handeye.perceive.layout import seen
from handeye.screen import InputPoint, Pixels, Screen


@dataclass(frozen=True)
class Sight:
    """
    A frame of the part of the screen that shows a window. Where none can be taken, as under XWayland, it is black and
    `unseen` says why: what the application says needs no picture, and only the frame's size counts.
    """

    screen: Screen
    unseen: str = ""


def sight_of(state: WindowState, backend: DesktopBackend) -> Sight:
    """The window and what it has opened. Raises TargetNotFound where no monitor shows any of it."""
    boxes = [state.window.frame, *(seen(each) for each in state.elements if not each.metadata.get("offscreen"))]
    shown = _around(boxes).intersect(_around(monitor.box for monitor in backend.monitors()))
    if shown is None:
        raise TargetNotFound(f"anything of {state.window}", ("it is outside of the screen",))
    unseen = ""
    try:
        pixels: Pixels = backend.grab(shown)
    except CaptureFailed as error:
        pixels, unseen = np.zeros((shown.height, shown.width, 3), np.uint8), _first_sentence(str(error))
    return Sight(
        Screen(pixels, origin=InputPoint(float(shown.left), float(shown.top)), window=state.window.about), unseen
    )


def _first_sentence(text: str) -> str:
    return text.partition(". ")[0]


def _around(boxes: Iterable[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return Box(min(lefts), min(tops), max(rights), max(bottoms))
