"""The locating facade: seed 001's API over one chain."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import Final, Protocol, runtime_checkable

from PIL import Image

from handeye.devices.base import Device
from handeye.elements import UIElement
from handeye.errors import UnsupportedAction, UsageError
from handeye.geometry import Box, check_location
from handeye.locate.base import Strategy
from handeye.locate.chain import Clock, LocateChain, Unavailable
from handeye.locate.fixed import FixedPlace, FixedStrategy
from handeye.locate.match_text import match_text
from handeye.locate.ocr import OcrStrategy
from handeye.locate.reference import ReferenceSource
from handeye.locate.template import TemplateStrategy
from handeye.ocr.base import TextReader
from handeye.screen import Screen, ScreenshotMetadata
from handeye.target import DYNAMIC, TEXT, LocateResult, Region, Target


class LocateStrategy(Enum):
    """Named orders of strategies (seed 004)."""

    OPENCV_ONLY = "opencv_only"
    AI_ONLY = "ai_only"
    OPENCV_FIRST = "opencv_first"

    @property
    def order(self) -> tuple[str, ...]:
        return _ORDERS[self]


_ORDERS: Final = {
    LocateStrategy.OPENCV_ONLY: ("template",),
    LocateStrategy.AI_ONLY: ("visual",),
    # Cheapest and most exact first.
    LocateStrategy.OPENCV_FIRST: ("template", "ocr", "visual", "fixed"),
}
# Why a strategy that is known by name is not there.
_MISSING: Final = {
    "template": "no reference images are configured",
    "ocr": "no text reader is configured",
    "visual": "no vision model is configured",
    "fixed": "no fixed places are configured",
}
# What a person quotes in a sentence is the text on the control (seed 001: 在截图中找到'运行'按钮的位置).
_QUOTED: Final = re.compile(r"""'([^']+)'|"([^"]+)"|‘([^’]+)’|“([^”]+)”|「([^」]+)」|『([^』]+)』""")
# How far a confirmed element may have moved, in frame pixels.
_NEARBY: Final = 12


@runtime_checkable
class Clearable(Protocol):
    def clear(self) -> None: ...


class VisualLocator:
    """
    Finds what a person names on a screenshot.

    Every part is optional: without a `reader` nothing is read, without `images` only references given as paths are
    searched for. `device` is captured when no screenshot is given. `extra` strategies take the place of those with the same
    name ("visual" for instance). `order` is a preset or a list of strategy names.
    """

    def __init__(
        self,
        device: Device | None = None,
        *,
        reader: TextReader | None = None,
        images: ReferenceSource | None = None,
        places: Mapping[str, FixedPlace | Region] | None = None,
        extra: Sequence[Strategy] = (),
        order: LocateStrategy | Sequence[str] = LocateStrategy.OPENCV_FIRST,
        clock: Clock = time.perf_counter,
    ) -> None:
        self._device = device
        self._reader = reader
        self._clock = clock
        self._strategies: dict[str, Strategy] = {"template": TemplateStrategy(images)}
        if reader is not None:
            self._strategies["ocr"] = OcrStrategy(reader)
        if places:
            self._strategies["fixed"] = FixedStrategy(places)
        self._strategies.update({strategy.name: strategy for strategy in extra})
        self._order = order.order if isinstance(order, LocateStrategy) else tuple(order)
        self._chain(self._order)  # a wrong name is told now, not at the first search

    def capture_screen(
        self, region: tuple[int, int, int, int] | None = None, window: str | None = None
    ) -> tuple[Image.Image, ScreenshotMetadata]:
        """A picture of the device's screen, or of `region` (x, y, width, height in pixels), and when and of what it was.

        Raises UsageError without a device or for a region outside the screen, UnsupportedAction for a window.
        """
        screen = self._capture(region, window)
        return screen.image, screen.metadata

    def locate(
        self,
        prompt: str | Target,
        screenshot: Screen | Image.Image | None = None,
        element_type: str | None = None,
    ) -> LocateResult:
        """Find what `prompt` names, by the configured order of strategies.

        `element_type` is a role hint. The result tells what was tried; nothing is raised for a target that is not there.
        """
        return self._chain(self._order).locate(as_target(prompt, element_type), self._screen(screenshot))

    def locate_with_fallback(
        self,
        prompt: str | Target,
        strategies: LocateStrategy | Sequence[str],
        screenshot: Screen | Image.Image | None = None,
    ) -> LocateResult:
        """Like `locate`, by the strategies named, in that order. Raises UsageError for a name that does not exist."""
        order = strategies.order if isinstance(strategies, LocateStrategy) else tuple(strategies)
        return self._chain(order).locate(as_target(prompt), self._screen(screenshot))

    def verify_location(self, element: UIElement, screenshot: Screen | Image.Image) -> bool:
        """Whether `element` still stands where it was found."""
        return self.check_element(element, self._screen(screenshot))[0]

    def check_element(self, element: UIElement, screen: Screen) -> tuple[bool, str]:
        """`verify_location`, with the evidence in words."""
        check = check_location(element.bbox, screen.size)
        if not check.can_interact:
            return False, check.error or "outside of the screen"
        around = element.bbox.expand(max(_NEARBY, element.bbox.height)).clip(screen.size)
        if element.text and self._reader is not None:
            lines = [line for line in self._reader.read(screen) if line.box.intersect(around)]
            matches = match_text(element.text, lines)
            there = any(match.box.intersect(element.bbox) for match in matches)
            return there, f"the text {element.text!r} is {'' if there else 'not '}there"
        reference = element.metadata.get("reference")
        template = self._strategies.get("template")
        if isinstance(reference, str) and template is not None:
            region = _fractions(around, screen)
            target = Target(reference=element.description, region=region)
            if template.accepts(target) is None:
                there = template.locate(target, screen) is not None
                return there, f"the picture {reference!r} is {'' if there else 'not '}there"
        return False, "nothing is known about it that could be checked on the frame"

    def clear_cache(self) -> None:
        """Forget what was read and found."""
        for part in (self._reader, *self._strategies.values()):
            if isinstance(part, Clearable):
                part.clear()

    def _chain(self, names: Sequence[str]) -> LocateChain:
        chosen: list[Strategy] = []
        for name in names:
            strategy = self._strategies.get(name)
            if strategy is None and name not in _MISSING:
                known = ", ".join(sorted({*_MISSING, *self._strategies}))
                raise UsageError(f"there is no strategy {name!r}; there are: {known}")
            chosen.append(strategy or Unavailable(name, _MISSING[name]))
        return LocateChain(chosen, clock=self._clock)

    def _screen(self, screenshot: Screen | Image.Image | None) -> Screen:
        if screenshot is None:
            return self._capture(None, None)
        return screenshot if isinstance(screenshot, Screen) else Screen.from_image(screenshot)

    def _capture(self, region: tuple[int, int, int, int] | None, window: str | None) -> Screen:
        if self._device is None:
            raise UsageError("there is no device to capture: give a screenshot, or a device to VisualLocator")
        if window is not None:
            raise UnsupportedAction(f"{self._device.uri} cannot capture the window {window!r}: only its whole screen")
        screen = self._device.screenshot()
        if region is None:
            return screen
        x, y, width, height = region
        box = Box(x, y, x + width, y + height)
        if width < 1 or height < 1 or box.intersect(screen.box) != box:
            raise UsageError(f"the region {region!r} (x, y, width, height) leaves the screen of {screen.size!r}")
        return screen.crop(box)


def as_target(prompt: str | Target, element_type: str | None = None) -> Target:
    """A prompt as a target: `dynamic:` and `text:` as in Target.parse; of a sentence with a quotation, the quoted text."""
    if isinstance(prompt, Target):
        target = prompt
    else:
        quoted = None if prompt.strip().startswith((DYNAMIC, TEXT)) else _QUOTED.search(prompt)
        if quoted and quoted.group().strip() != prompt.strip():
            text = next(group for group in quoted.groups() if group)
            target = Target(text=text, reference=text)
        else:
            target = Target.parse(prompt)
    if element_type is None or target.role:
        return target
    return replace(target, role=element_type)


def _fractions(box: Box, screen: Screen) -> Region:
    width, height = screen.size
    return Region(box.left / width, box.top / height, box.right / width, box.bottom / height)
