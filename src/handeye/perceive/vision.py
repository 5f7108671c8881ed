"""
Tier 2 of docs/spec/perception-tiers.md: elements read from a window's pixels, including those its application does not
report.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Protocol

from handeye.devices import Window
from handeye.elements import UIElement
from handeye.errors import CaptureFailed, MissingPart
from handeye.geometry import Box
from handeye.perceive.base import Detection, StateProvider
from handeye.screen import InputPoint, Pixels, Screen

VISION_SOURCE: Final = "vision"

PIXEL_SOURCES: Final = frozenset({VISION_SOURCE, "parser", "ocr"})
"""The sources that read pixels."""

_HOW_TO_SEE: Final = "pip install 'handeye[llm]', and name a model: LLM_PROVIDER and its key"


class ShowsWindows(Protocol):
    """The methods of a `DesktopBackend` that VisionStateProvider uses."""

    def window(self, id: int) -> Window | None: ...

    def grab_window(self, window: Window) -> Pixels: ...


class VisionStateProvider:
    """
    A WindowProvider for a screenshot of the window's client area: `vision` detects the elements, a model
    (`handeye.perceive.vision_model.ModelScreenParser`) or any other StateProvider.

    Its targets have no controls, and are as exact as `vision` is: 35 pixels for a model (docs/spec/perception-tiers.md).
    """

    def __init__(self, backend: ShowsWindows, vision: StateProvider | None = None) -> None:
        self._backend = backend
        self._vision = vision

    @property
    def name(self) -> str:
        return "vision"

    def detect(self, window: Window) -> Detection:
        """
        Return what `vision` detects, in desktop pixels. If the window moves meanwhile, boxes are relative to its position
        afterwards.

        Raises MissingPart without `vision`, CaptureFailed if the window is gone, minimized or changed its size during the
        reading, and what `vision` raises.
        """
        if self._vision is None:
            raise MissingPart("a model that looks at windows", _HOW_TO_SEE)
        shown = self._now(window)
        pixels = self._backend.grab_window(shown)
        origin = InputPoint(shown.box.left, shown.box.top)
        screen = Screen(pixels, origin=origin, window=shown.about, pixels_per_unit=pixels.shape[1] / shown.box.width)
        state = self._vision.detect(screen)
        after = self._now(window)
        if (after.box.width, after.box.height) != (shown.box.width, shown.box.height):
            raise CaptureFailed(f"{after} changed its size while it was looked at; look again")
        targets = tuple(self._on_desktop(each, screen, after.box) for each in state.elements)
        targets = tuple(replace(each, id=number, parent=None) for number, each in enumerate(targets, 1))
        return Detection(targets, (None,) * len(targets), state.notes)

    def _now(self, window: Window) -> Window:
        now = self._backend.window(window.id)
        if now is None or now.minimized or not now.box.area:
            raise CaptureFailed(f"{window} {'is gone' if now is None else 'is minimized'}: there is nothing to look at")
        return now

    def _on_desktop(self, element: UIElement, screen: Screen, client: Box) -> UIElement:
        """Convert an element from frame to desktop pixels: the frame may show the window larger or smaller than it is."""
        fx, fy = client.width / screen.size.width, client.height / screen.size.height

        def placed(box: Box) -> Box:
            return box.clip(screen.size).scale(fx, fy).translate(client.left, client.top)

        return replace(
            element,
            bbox=placed(element.bbox),
            visible_region=placed(element.visible_region) if element.visible_region else None,
            label_box=placed(element.label_box) if element.label_box else None,
            source=element.source or VISION_SOURCE,
        )
