"""Parse Android's accessibility tree, as `uiautomator dump` writes it, into elements on the frame."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import pairwise
from types import MappingProxyType
from typing import Final
from xml.parsers import expat

from handeye.devices import TreeAware, repaired
from handeye.elements import UIElement, UIState
from handeye.errors import TreeFailed
from handeye.geometry import Box, Size
from handeye.perceive.element_format import MAX_TEXT
from handeye.roles import ANDROID, role_of_class
from handeye.screen import Screen

# Detect tab bars at the bottom of a phone's screen, which Android trees report as boxes, groups or buttons.


IN_TAB_BAR: Final = "in_tab_bar"
"""The metadata key that is set for the tabs of such a bar."""
_FEWEST: Final = 3
_BOTTOM: Final = 0.9  # of the screen's height: a bar reaches further down
_WIDTH: Final = 0.6  # of the screen's width: a bar takes at least so much
_HIGHEST: Final = 0.15  # of the screen's height
_ALIKE: Final = 0.8  # share: tabs of one bar differ less in width, height and place
_BOXES: Final = frozenset({"element", "group", "button", "item", "card"})
_SYSTEM: Final = "com.android.systemui"


def with_tabs(elements: Sequence[UIElement], size: Size) -> tuple[UIElement, ...]:
    """
    Return the elements with the tabs of a bottom bar marked: boxes of one size in a row, of which all but one can be
    pressed. The row of a grid, such as a keypad or a gallery, is not a bar, nor are the system's navigation buttons.
    """
    boxes = [each for each in elements if each.element_type in _BOXES and each.metadata.get("package") != _SYSTEM]
    low = [each for each in boxes if _is_low(each, size)]
    tabs = {id(each) for each in _bar(low, boxes, size)}
    return tuple(
        replace(each, metadata={**each.metadata, IN_TAB_BAR: True}) if id(each) in tabs else each for each in elements
    )


def _is_low(element: UIElement, size: Size) -> bool:
    return element.bbox.bottom >= _BOTTOM * size.height and 0 < element.bbox.height <= _HIGHEST * size.height


def _bar(low: Sequence[UIElement], boxes: Sequence[UIElement], size: Size) -> list[UIElement]:
    """Return the tabs from left to right, or an empty list if the boxes form no bar."""
    pressed = [each for each in low if each.interactive]
    rows = Counter((each.bbox.bottom, each.bbox.top) for each in pressed)
    row = max((edges for edges, count in rows.items() if count >= _FEWEST - 1), default=None)
    model = next((each for each in pressed if (each.bbox.bottom, each.bbox.top) == row), None)
    if model is None:
        return []
    tabs: list[UIElement] = []
    for each in sorted(low, key=lambda each: not each.interactive):  # the open one often cannot be pressed
        if _is_alike(each, model) and not any(other.bbox.contains(each.center) for other in tabs):
            tabs.append(each)
    tabs.sort(key=lambda each: each.bbox.left)
    wide = tabs[-1].bbox.right - tabs[0].bbox.left >= _WIDTH * size.width
    close = all(after.bbox.left - before.bbox.right <= model.bbox.width / 2 for before, after in pairwise(tabs))
    above = model.bbox.translate(0, -model.bbox.height)
    in_grid = any(each.interactive and above.iou(each.bbox) >= _ALIKE**2 for each in boxes)
    return tabs if len(tabs) >= _FEWEST and wide and close and not in_grid else []


def _is_alike(each: UIElement, model: UIElement) -> bool:
    (left, top, right, bottom), other = each.bbox, model.bbox
    shared = min(bottom, other.bottom) - max(top, other.top)
    low, high = sorted((right - left, other.width))
    return low >= _ALIKE * high and shared >= _ALIKE * max(bottom - top, other.height)


# The tree is untrusted input from an app. The largest pages of real apps have some thousand nodes and a depth of 60.
MAX_CHARACTERS: Final = 32_000_000
MAX_NODES: Final = 20_000
MAX_DEPTH: Final = 250
# An equal frame reuses the last tree, but only for a while: invisible properties may change.
KEPT: Final = timedelta(seconds=30)

_BOUNDS: Final = re.compile(r"\[\s*(-?\d{1,7})\s*,\s*(-?\d{1,7})\s*\]" * 2, re.ASCII)
_CHUNK: Final = 1 << 16
_EMPTY: Final = Box(0, 0, 0, 0)


class UiAutomatorProvider:
    """
    The elements in an Android device's tree, one reading per frame. Not thread-safe.

    `device` is asked for its tree when a frame is new; a frame with equal pixels within `KEPT` is answered from the cache.
    """

    def __init__(self, device: TreeAware) -> None:
        self._device = device
        self._last: UIState | None = None

    @property
    def name(self) -> str:
        return "uiautomator"

    @property
    def slow(self) -> bool:
        """Always True: a dump takes a second and more on real phones."""
        return True

    def detect(self, screen: Screen) -> UIState:
        """Return all nodes, parents first. Raises TreeFailed, or the device's own DeviceError."""
        if (known := self.remembered(screen)) is not None:
            return known
        self._last = None  # if the reading fails, the old tree is not valid either
        self._last = parse_hierarchy(self._device.dump_hierarchy(), screen)
        return self._last

    def remembered(self, screen: Screen) -> UIState | None:
        """Return the tree of an equal frame that was read within `KEPT`, or None."""
        return self._last if self._last is not None and _same(self._last.screen, screen) else None

    def clear(self) -> None:
        """Drop the cached tree."""
        self._last = None


def parse_hierarchy(xml: str, screen: Screen) -> UIState:
    """
    Return the nodes of a `uiautomator dump` as elements of the frame `screen`, in drawing order, numbered from 1.

    `element_type` is a role of handeye.roles, or "element" for a class without one; `text` and `description` are the node's
    text and content-desc. `metadata` holds "class", "id" (resource-id), "package", those of the flags "checked",
    "selected", "focused", "password" that are set, and "in_tab_bar" for tabs (`with_tabs`). Bounds are in the device's input
    units; a node without a visible part keeps an empty box.

    Raises TreeFailed for XML that is truncated, too large (`MAX_NODES`, `MAX_DEPTH`), declares a document type, or shows
    the screen in another rotation than the frame.
    """
    if len(xml) > MAX_CHARACTERS:
        raise TreeFailed(f"the tree has {len(xml):,} characters, more than {MAX_CHARACTERS:,}: it is not read")
    reading = _HierarchyHandler(screen)
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = reading.start
    parser.EndElementHandler = reading.end
    parser.StartDoctypeDeclHandler = reading.doctype
    clean = repaired(xml)
    try:
        for start in range(0, len(clean), _CHUNK):
            parser.Parse(clean[start : start + _CHUNK], False)
        parser.Parse("", True)
    except expat.ExpatError as error:
        raise TreeFailed(
            f"the tree cannot be read: {error}; {len(reading.elements)} nodes came before. Ask for it again"
        ) from error
    reading.check_turn()
    return UIState(screen, with_tabs(reading.elements, screen.size))


@dataclass
class _HierarchyHandler:
    """Expat handlers, and the nodes parsed so far."""

    screen: Screen
    elements: list[UIElement] = field(default_factory=list)
    open: list[int | None] = field(default_factory=list)
    right: int = 0  # extent of the windows, in frame pixels
    bottom: int = 0

    def doctype(self, name: str, system: str | None, public: str | None, internal: int) -> None:
        raise TreeFailed(f"the tree declares a document type ({name!r}), which uiautomator never does: it is not read")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self.open) >= MAX_DEPTH:
            raise TreeFailed(f"the tree is more than {MAX_DEPTH} levels deep: it is not read")
        if tag != "node":  # <hierarchy>, and tags that some vendors add
            self.open.append(self.open[-1] if self.open else None)
            return
        if len(self.elements) >= MAX_NODES:
            raise TreeFailed(f"the tree has more than {MAX_NODES:,} nodes: it is not read")
        element = self._element(attributes)
        if element.parent is None:
            self.right, self.bottom = max(self.right, element.bbox.right), max(self.bottom, element.bbox.bottom)
        self.elements.append(element)
        self.open.append(element.id)

    def end(self, tag: str) -> None:
        self.open.pop()

    def check_turn(self) -> None:
        """
        Raise TreeFailed if the tree has another rotation than the frame. Windows are never larger than the screen: one that
        is wider and lower than the frame was rotated.
        """
        width, height = self.screen.size
        if self.screen.origin != (0, 0) or (self.right > width) == (self.bottom > height):
            return  # a partial frame, or no side or both sides exceed the frame
        if self.bottom < height or self.right < width:
            raise TreeFailed(
                f"the tree reaches to {self.right}x{self.bottom}, the frame is {width}x{height}: "
                "the screen was turned in between; take a new picture"
            )

    def _element(self, attributes: dict[str, str]) -> UIElement:
        box = self._box(attributes.get("bounds", ""))
        visible = box.intersect(self.screen.box)
        cls = attributes.get("class", "")
        about = {"class": cls, "id": attributes.get("resource-id", ""), "package": attributes.get("package", "")}
        states = {
            name: True for name in ("checked", "selected", "focused", "password") if attributes.get(name) == "true"
        }
        return UIElement(
            element_type=role_of_class(cls, ANDROID) or "element",
            description=attributes.get("content-desc", "")[:MAX_TEXT],
            bbox=box,
            source="accessibility",
            text=attributes.get("text", "")[:MAX_TEXT],
            visible_region=visible if visible is not None and visible != box else None,
            id=len(self.elements) + 1,
            parent=self.open[-1] if self.open else None,
            enabled=attributes.get("enabled") != "false",
            interactive=any(attributes.get(name) == "true" for name in ("clickable", "long-clickable", "checkable")),
            metadata=MappingProxyType(about | states),
        )

    def _box(self, bounds: str) -> Box:
        written = _BOUNDS.fullmatch(bounds)
        if written is None:
            return _EMPTY
        left, top, right, bottom = map(int, written.groups())
        if right <= left or bottom <= top:
            return _EMPTY
        scale, origin = self.screen.pixels_per_unit, self.screen.origin
        return Box(
            round((left - origin.x) * scale),
            round((top - origin.y) * scale),
            round((right - origin.x) * scale),
            round((bottom - origin.y) * scale),
        )


def _same(known: Screen, screen: Screen) -> bool:
    return known is screen or (
        known.size == screen.size and abs(screen.taken - known.taken) <= KEPT and known.digest == screen.digest
    )
