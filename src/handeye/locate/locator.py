"""Locator facade: the API of docs/spec/visual-locator.md on top of one chain of strategies."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import Any, Final, Literal, Protocol, runtime_checkable

from PIL import Image

from handeye.devices import Device, RegionCapture
from handeye.elements import UIElement
from handeye.errors import UnsupportedAction, UsageError
from handeye.geometry import Box
from handeye.locate.base import Learner, Strategy, requested_confidence
from handeye.locate.chain import SEARCH_SECONDS, Clock, LocateChain, Unavailable, with_usage
from handeye.locate.element_check import ElementCheck, ElementChecker
from handeye.locate.ranker import bundled_ranker
from handeye.locate.sources.cache import CacheStrategy
from handeye.locate.sources.fixed import FixedPlace, FixedStrategy
from handeye.locate.sources.ocr import OcrStrategy
from handeye.locate.sources.parser import ScreenParser
from handeye.locate.sources.ranker import RankingStrategy, Sources
from handeye.locate.sources.template import TemplateStrategy
from handeye.locate.sources.tree import AccessibilityStrategy
from handeye.locate.sources.visual import VisionFinder, VisualStrategy, pictures_of
from handeye.matching import ReferenceSource
from handeye.models import configured_vision
from handeye.ocr import CachedReader, PaddleReader, TextReader
from handeye.perceive import StateProvider, provider_for
from handeye.roles import role_of
from handeye.screen import Screen, Screenshot, ScreenshotMetadata, as_screen
from handeye.target import Attempt, LocateResult, Region, Target, parse_target


class LocateStrategy(Enum):
    """
    Presets for the order of strategies: the first three are those of docs/spec/vision-agent.md, the others name the first
    one after the cache.
    """

    OPENCV_ONLY = "opencv_only"
    AI_ONLY = "ai_only"
    OPENCV_FIRST = "opencv_first"
    AI_FIRST = "ai_first"
    TREE_FIRST = "tree_first"
    OCR_FIRST = "ocr_first"

    @property
    def order(self) -> tuple[str, ...]:
        return _ORDERS[self]


_ORDERS: Final = {
    LocateStrategy.OPENCV_ONLY: ("template",),
    LocateStrategy.AI_ONLY: ("visual",),
    LocateStrategy.OPENCV_FIRST: ("cache", "template", "ocr", "accessibility", "ranker", "visual", "fixed"),
    LocateStrategy.AI_FIRST: ("cache", "visual", "ocr", "accessibility", "template", "ranker", "fixed"),
    LocateStrategy.TREE_FIRST: ("cache", "accessibility", "template", "ocr", "ranker", "visual", "fixed"),
    LocateStrategy.OCR_FIRST: ("cache", "ocr", "template", "accessibility", "ranker", "visual", "fixed"),
}
# Reasons why a known strategy is not available.
_MISSING: Final = {
    "cache": "nothing is remembered",
    "accessibility": "the device gives no accessibility tree",
    "template": "no reference images are configured",
    "ocr": "no text reader is configured",
    "ranker": "there is neither a tree nor a screen parser whose elements could be weighed",
    "visual": "no vision model is configured: name one in LLM_PROVIDER, with its key (docs/models.md)",
    "fixed": "no fixed places are configured",
}
_OLD_FRAME: Final = "the screenshot may be older than the device's tree"

Confirm = Callable[[Target, tuple[UIElement, ...], Screen], UIElement | None]
"""Asks a person to choose one of the candidates; returns None if none is right."""


@runtime_checkable
class Clearable(Protocol):
    def clear(self) -> None: ...


class VisualLocator:
    """
    Finds the element that a person names on a screenshot.

    Every part is optional. `reader` is the bundled OCR by default; None disables it. Without `images` only references given
    as paths are searched for. `parser` is the bundled one by default; with None, icons and drawn controls are not searched
    for. `vision` is by default the model configured in the environment (docs/models.md); without one, or with None, no
    model is called. `device` is captured if no screenshot is given; `tree` reads its elements, by default through the
    device. `cache` remembers places, by default in memory. `extra` strategies replace those with the same name.

    `order` is a preset or a list of strategy names; by default the cheapest and most exact first (TREE_FIRST, or
    OPENCV_FIRST where reading the tree takes seconds). A match with less than `min_confidence` (0-1) is only a candidate;
    the default is the variable HANDEYE_MIN_CONFIDENCE, else 0.8 for the ranker, whose confidence is a probability, and 0.5
    for the others. A search is limited to `deadline_s` seconds, without the time of models. `confirm` is called to choose
    if there are candidates and no match; its choice is remembered like a match (CacheStrategy.choose).
    """

    def __init__(
        self,
        device: Device | None = None,
        *,
        reader: TextReader | Literal["bundled"] | None = "bundled",
        images: ReferenceSource | None = None,
        places: Mapping[str, FixedPlace | Region] | None = None,
        tree: StateProvider | None = None,
        parser: ScreenParser | Literal["bundled"] | None = "bundled",
        vision: VisionFinder | Literal["configured"] | None = "configured",
        cache: CacheStrategy | None = None,
        extra: Sequence[Strategy] = (),
        order: LocateStrategy | Sequence[str] | None = None,
        min_confidence: float | None = None,
        deadline_s: float = SEARCH_SECONDS,
        confirm: Confirm | None = None,
        clock: Clock = time.perf_counter,
    ) -> None:
        least = requested_confidence(min_confidence)
        if reader == "bundled":  # its models load at the first read
            reader = CachedReader(PaddleReader())
        self._device = device
        self._reader = reader
        self._least = least
        self._deadline_s = deadline_s
        self._confirm = confirm
        self._clock = clock
        # The device's own tree is live, so it cannot be used with a screenshot passed by the caller.
        self._tree_is_live = tree is None
        if tree is None:
            tree = provider_for(device)
        if vision == "configured":
            pictures = pictures_of(images) if images is not None else None
            vision = configured_vision(
                reader=reader, state=None if self._tree_is_live else tree, pictures=pictures, per_search=True
            )
        if parser == "bundled":
            parser = ScreenParser(reader)
        self._vision = vision
        ranker = RankingStrategy(bundled_ranker, Sources(tree, parser, reader), min_confidence=least)
        template = TemplateStrategy(images)
        self._strategies: dict[str, Strategy] = {
            "cache": cache or CacheStrategy(reader=reader),
            "template": template,
            **({"accessibility": AccessibilityStrategy(tree, reader)} if tree is not None else {}),
            **({"ocr": OcrStrategy(reader, template.references)} if reader is not None else {}),
            **({"ranker": ranker} if tree is not None or parser is not None else {}),
            **({"visual": VisualStrategy(vision)} if vision is not None else {}),
            **({"fixed": FixedStrategy(places)} if places else {}),
        }
        self._strategies.update({strategy.name: strategy for strategy in extra})
        if order is None:
            order = LocateStrategy.OPENCV_FIRST if tree is not None and tree.slow else LocateStrategy.TREE_FIRST
        self._order = _strategy_names(order)
        self._chain(self._order)  # raises for a wrong name now, not at the first search

    def capture_screen(
        self,
        region: tuple[int, int, int, int] | Mapping[str, Any] | None = None,
        window: str | re.Pattern[str] | None = None,
        monitor: str | int | None = None,
    ) -> tuple[Image.Image, ScreenshotMetadata]:
        """
        Return a picture of the device's screen, of a window's client area, or of a `region` of either, with its metadata.

        `region` is x, y, width, height in pixels of the screen (the window, the monitor), or a mapping with these names;
        `window` is a title as for a desktop (handeye.devices.desktop.window_choice), or a mapping's `window_title`
        (docs/spec/visual-locator.md); `monitor` is a desktop's monitor: its name, its number from 1, or "primary". Elements
        found in the picture are in its own pixels: the metadata's `to_input` converts them to the screen. Raises UsageError
        without a device or for a region outside, DeviceNotFound, with a list, for an unknown window or monitor,
        UnsupportedAction if the device has neither.
        """
        screen = self._capture(region, window, monitor)
        return screen.image, screen.metadata

    def locate(
        self,
        prompt: str | Target,
        screenshot: Screenshot | None = None,
        element_type: str | None = None,
    ) -> LocateResult:
        """
        Find the element that `prompt` names, by the configured order of strategies.

        `element_type` is a role hint. The result lists the attempts; a target that is not found does not raise. Raises
        UsageError for an invalid prompt or screenshot, InvalidImage for a file that is no image.
        """
        return self._locate(as_target(prompt, element_type), self._order, screenshot)

    def locate_with_fallback(
        self,
        prompt: str | Target,
        strategies: LocateStrategy | Sequence[str],
        screenshot: Screenshot | None = None,
    ) -> LocateResult:
        """Like `locate`, by the given strategies in that order. Raises UsageError for an unknown name."""
        return self._locate(as_target(prompt), _strategy_names(strategies), screenshot)

    def verify_location(self, element: UIElement, screenshot: Screenshot) -> bool:
        """Return True if `element` is still where it was found."""
        return self.check_element(element, screenshot).valid

    def check_element(self, element: UIElement, screenshot: Screenshot) -> ElementCheck:
        """Like `verify_location`, with the evidence."""
        template, tree, cache = (self._strategies.get(name) for name in ("template", "accessibility", "cache"))
        if not self._tree_matches(screenshot):
            tree = None
        remembered = cache if isinstance(cache, CacheStrategy) else None
        return ElementChecker(self._reader, template, remembered, tree).check(element, self._screen(screenshot))

    def judge(self, prompt: str | Target, held: bool, element_type: str | None = None) -> None:
        """
        Report whether acting on the match for `prompt` succeeded; the cache confirms or forgets it.

        `prompt` and `element_type` are those of the search; the order of strategies does not matter.
        """
        target = as_target(prompt, element_type)
        for strategy in self._strategies.values():
            if isinstance(strategy, Learner):
                strategy.judge(target, held)

    def clear_cache(self) -> None:
        """Clear the caches of text and matches, for this locator's app (see CacheStrategy)."""
        for part in (self._reader, *self._strategies.values()):
            if isinstance(part, Clearable):
                part.clear()

    def _locate(self, target: Target, names: Sequence[str], screenshot: Screenshot | None) -> LocateResult:
        chain = self._chain(names, with_tree=self._tree_matches(screenshot))
        screen = self._screen(screenshot)
        result = with_usage(chain, self._vision).locate(target, screen)
        if result.success or not result.candidates or self._confirm is None:
            return result
        result = _confirmed(result, self._confirm(target, result.candidates, screen))
        cache = self._strategies.get("cache")
        if result.element is not None and isinstance(cache, CacheStrategy):
            cache.choose(target, screen, result.element)
        return result

    def _chain(self, names: Sequence[str], *, with_tree: bool = True) -> LocateChain:
        chosen: list[Strategy] = []
        for name in names:
            strategy = self._strategies.get(name)
            if strategy is None and name not in _MISSING:
                known = ", ".join(sorted({*_MISSING, *self._strategies}))
                raise UsageError(f"there is no strategy {name!r}; there are: {known}")
            if isinstance(strategy, AccessibilityStrategy) and not with_tree:
                strategy = Unavailable(name, _OLD_FRAME)
            if isinstance(strategy, RankingStrategy) and not with_tree:
                strategy = strategy.without_tree() or Unavailable(name, _OLD_FRAME)
            chosen.append(strategy or Unavailable(name, _MISSING[name]))
        return LocateChain(chosen, least_confidence=self._least, deadline_s=self._deadline_s, clock=self._clock)

    def _tree_matches(self, screenshot: Screenshot | None) -> bool:
        """Return True if the tree may belong to the same moment: not for a plain picture and the device's live tree."""
        return not self._tree_is_live or screenshot is None or isinstance(screenshot, Screen | tuple)

    def _screen(self, screenshot: Screenshot | None) -> Screen:
        return self._capture() if screenshot is None else as_screen(screenshot)

    def _capture(
        self,
        region: tuple[int, int, int, int] | Mapping[str, Any] | None = None,
        window: str | re.Pattern[str] | None = None,
        monitor: str | int | None = None,
    ) -> Screen:
        if self._device is None:
            raise UsageError("there is no device to capture: give a screenshot, or a device to VisualLocator")
        wanted, window = _capture_part(region, window)
        if isinstance(self._device, RegionCapture):
            return self._device.capture(wanted, window, monitor)
        for what, named in (("window", window), ("monitor", monitor)):
            if named is not None:
                raise UnsupportedAction(
                    f"{self._device.uri} cannot capture the {what} {named!r}: only its whole screen"
                )
        screen = self._device.screenshot()
        if wanted is None:
            return screen
        if not wanted.area or wanted.intersect(screen.box) != wanted:
            raise UsageError(f"the region {region!r} (x, y, width, height) leaves the screen of {screen.size!r}")
        return screen.crop(wanted)


def as_target(prompt: str | Target, element_type: str | None = None) -> Target:
    """Return the prompt as a target (handeye.target.phrase), with the role hint if it has no role. Raises UsageError."""
    if not isinstance(prompt, str | Target):
        raise UsageError(f"{prompt!r} is no prompt: give a text or a Target")
    if element_type is not None and not isinstance(element_type, str):
        raise UsageError(f"{element_type!r} is no type of element: give a role's name")
    target = prompt if isinstance(prompt, Target) else parse_target(prompt)
    if element_type is None or target.role:
        return target
    return replace(target, role=role_of(element_type) or element_type)


def _strategy_names(order: LocateStrategy | Sequence[str]) -> tuple[str, ...]:
    if isinstance(order, LocateStrategy):
        return order.order
    if isinstance(order, str) or not isinstance(order, Sequence) or not all(isinstance(name, str) for name in order):
        raise UsageError(f"an order of strategies is a list of names or a LocateStrategy, not {order!r}")
    return tuple(order)


def _capture_part(
    region: tuple[int, int, int, int] | Mapping[str, Any] | None, window: str | re.Pattern[str] | None
) -> tuple[Box | None, str | re.Pattern[str] | None]:
    """
    Return the region and window to capture. A mapping may contain the window, the numbers, or both. Raises UsageError.
    """
    if not isinstance(region, Mapping):
        return (None if region is None else _region(region)), window
    if unknown := region.keys() - {*_EDGES, "window_title"}:
        raise UsageError(f"{region!r} is no region: {', '.join(map(repr, unknown))} is not known")
    titled = region.get("window_title")
    if titled is not None and window is not None:
        raise UsageError(f"name one window, not both {titled!r} and {window!r}")
    numbered = any(name in region for name in _EDGES)
    if not numbered and titled is None:
        raise UsageError(f"{region!r} is no region: give x, y, width and height in pixels")
    return (_region(region) if numbered else None), window if titled is None else titled


_EDGES: Final = ("x", "y", "width", "height")


def _region(region: tuple[int, int, int, int] | Mapping[str, Any]) -> Box:
    """Return the box of x, y, width, height. Raises UsageError."""
    try:
        edges = [region[name] for name in _EDGES] if isinstance(region, Mapping) else region
        x, y, width, height = map(int, edges)
        if (x, y, width, height) != tuple(edges):
            raise ValueError("these are parts of pixels")
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise UsageError(f"{region!r} is no region: give x, y, width and height in pixels") from error
    return Box(x, y, x + width, y + height)


def _confirmed(result: LocateResult, chosen: UIElement | None) -> LocateResult:
    """
    Return the result with the chosen candidate; its confidence is unchanged, and it is reliable because it was confirmed.
    """
    if chosen is None:
        attempts = (*result.attempts, Attempt("confirm", "absent", "none of the candidates was confirmed"))
        return replace(result, attempts=attempts)
    if chosen not in result.candidates:
        raise UsageError(f"`confirm` must choose one of the candidates or None, not {chosen!r}")
    element = replace(chosen, reliable=True)
    attempts = (*result.attempts, Attempt("confirm", "found", "chosen by whoever was asked", chosen.confidence))
    return LocateResult(True, element, chosen.source or result.method_used, attempts=attempts)
