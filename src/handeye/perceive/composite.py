"""
Merge what several providers detect in one window: duplicates removed, numbered in reading order
(docs/spec/perception-tiers.md).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from handeye.devices import Window
from handeye.elements import UIElement
from handeye.errors import HandeyeError, RunStopped, TreeFailed, UsageError
from handeye.geometry import Box
from handeye.perceive.base import Control, Detection, WindowProvider
from handeye.perceive.element_format import numbered, with_number
from handeye.perceive.structure.derivation import INFERRED
from handeye.perceive.structure.layout import visible_box

SAME_IOU: Final = 0.1
"""
Two rectangles of different sources with a larger IoU are the same element (docs/spec/perception-tiers.md). A model's
rectangles are off by up to 35 pixels.
"""

_SAME_CONTAINER_IOU: Final = 0.7
# A container is not the same element as its content, however much of it that fills. A picture that fills seven tenths of
# its pane may be the pane.
_CONTAINERS: Final = frozenset(
    {
        *("window", "pane", "group", "splitter", "table", "tree", "list", "toolbar", "menu bar", "tab bar", "document"),
        *("web view", "header", "table row", "card", "menu", "status bar"),
    }
)
# A source that works on pixels may call these a splitter or a resize handle. A border between two headers is neither of
# the headers.
_HANDLES: Final = frozenset({"grip", "separator"})
# A part of a control, such as the cross on a tab, lies wholly inside it and has another role; a rectangle that a model
# drew too small still has a quarter of the control's area.
_PART_INSIDE: Final = 0.9
_PART_SHARE: Final = 0.25
_THIN: Final = (
    20  # a size grip is 17 pixels wide in Qt; split panes, which are called splitters too, are many times that
)
_THIN_REACH: Final = 35
"""
Largest distance in pixels between the centres of two borders or handles of the same role that are merged: a model's error
(tier 2 of docs/spec/perception-tiers.md). They are too thin to overlap.
"""

# Rank of the sources, most exact first: reported by the application, derived from that, read from pixels. Sources that
# are not listed rank between.
_EXACTNESS: Final = {"accessibility": 0, "uia": 0, "atspi": 0, "tree": 0, "structure": 1, "vision": 3, "visual": 3}
_DEFAULT_EXACTNESS: Final = 2

_LEAST_ROW_SHARE: Final = 0.5
"""Least share of the smaller of two heights that neighbours in one line of reading have in common."""


@dataclass(frozen=True, slots=True)
class _Detected:
    """One target of one provider. `place` is the index of that provider."""

    element: UIElement
    control: Control | None
    place: int

    @property
    def key(self) -> tuple[int, int | None]:
        return self.place, self.element.id

    @property
    def rank(self) -> tuple[int, int]:
        return _EXACTNESS.get(self.element.source, _DEFAULT_EXACTNESS), self.place


class CompositeStateProvider:
    """
    A WindowProvider that asks `providers` in parallel and merges their results.

    An element found by two of them counts once: the more exact source's is used, with its control. Two elements of one
    provider are never merged, nor is a container with its content. Ids are assigned from 1 in reading order, parents before
    their content. A provider that fails becomes a note.
    """

    def __init__(self, *providers: WindowProvider) -> None:
        if not providers:
            raise UsageError("there is nothing to put together: give one provider or more")
        self._providers = providers

    @property
    def name(self) -> str:
        return " and ".join(provider.name for provider in self._providers)

    def detect(self, window: Window) -> Detection:
        """
        Return the merged detection. Raises TreeFailed with all reasons if every provider failed, and lets RunStopped
        through.
        """
        answers = self._ask(window)
        failed = [error for error in answers if isinstance(error, HandeyeError)]
        notes = [
            f"{provider.name}: {note}"
            for provider, answer in zip(self._providers, answers, strict=True)
            for note in ((str(answer),) if isinstance(answer, HandeyeError) else answer.notes)
        ]
        if len(failed) == len(answers):
            raise TreeFailed(f"nothing could be read of {window}: {'; '.join(notes)}") from failed[0]
        detected = [
            _Detected(element, control, place)
            for place, answer in enumerate(answers)
            if isinstance(answer, Detection)
            for element, control in zip(numbered(answer.targets), answer.controls, strict=True)
        ]
        return _merge(detected, tuple(notes))

    def _ask(self, window: Window) -> list[Detection | HandeyeError]:
        if len(self._providers) == 1:
            return [_answer(self._providers[0], window)]
        with ThreadPoolExecutor(len(self._providers), thread_name_prefix="handeye-perceive") as pool:
            return list(pool.map(lambda provider: _answer(provider, window), self._providers))


def _answer(provider: WindowProvider, window: Window) -> Detection | HandeyeError:
    try:
        return provider.detect(window)
    except RunStopped:
        raise
    except HandeyeError as error:
        return error


def _merge(detected: Sequence[_Detected], notes: tuple[str, ...]) -> Detection:
    merged: list[_Detected] = []
    replaced_by: dict[tuple[int, int | None], _Detected] = {}  # duplicates, and the target that replaces each
    for place in sorted({each.place for each in detected}, key=lambda p: min(e.rank for e in detected if e.place == p)):
        others = _Index(merged)
        own = [each for each in detected if each.place == place]
        for each in own:
            same = others.same_as(each.element)
            if same is None:
                merged.append(each)
            else:
                replaced_by[each.key] = same
    ordered = list(_in_reading_order(merged))
    numbers: dict[int, dict[int, int]] = defaultdict(dict)
    for number, each in enumerate(ordered, 1):
        if each.element.id is not None:
            numbers[each.place][each.element.id] = number
    for (place, old), winner in replaced_by.items():
        if old is not None and winner.element.id is not None:
            numbers[place][old] = numbers[winner.place][winner.element.id]
    targets = tuple(with_number(each.element, number, numbers[each.place]) for number, each in enumerate(ordered, 1))
    return Detection(targets, tuple(each.control for each in ordered), notes)


class _Index:
    """Merged targets, for comparison with those of another provider."""

    def __init__(self, merged: Sequence[_Detected]) -> None:
        self._kept = list(merged)
        self._boxes: npt.NDArray[np.int64] = np.array([visible_box(each.element) for each in merged], np.int64).reshape(
            -1, 4
        )
        self._thin: dict[str, list[_Detected]] = defaultdict(list)
        for each in merged:
            if each.element.element_type in INFERRED and _is_thin(visible_box(each.element)):
                self._thin[each.element.element_type].append(each)

    def same_as(self, element: UIElement) -> _Detected | None:
        """Return the merged target with the largest overlap that is the same element, or None."""
        box = visible_box(element)
        if not self._kept or not box.area:
            return None
        shares = _ious(self._boxes, box)
        for index in np.argsort(-shares, kind="stable"):
            if shares[index] <= SAME_IOU:
                break
            merged = self._kept[int(index)]
            if _is_same(merged.element, element, float(shares[index])):
                return merged
        thin = self._thin.get(element.element_type, ())
        near = ((_distance(visible_box(each.element), box), at) for at, each in enumerate(thin))
        nearest, at = min(near, default=(_THIN_REACH + 1, 0))
        return thin[at] if nearest <= _THIN_REACH else None


def _is_thin(box: Box) -> bool:
    return min(box.width, box.height) <= _THIN


def _shared(boxes: npt.NDArray[np.int64], box: Box) -> npt.NDArray[np.int64]:
    """Return the intersection area of each of `boxes`, shape (n, 4), with `box`."""
    width = np.minimum(boxes[:, 2], box.right) - np.maximum(boxes[:, 0], box.left)
    height = np.minimum(boxes[:, 3], box.bottom) - np.maximum(boxes[:, 1], box.top)
    return np.asarray(np.maximum(width, 0) * np.maximum(height, 0), np.int64)


def _ious(boxes: npt.NDArray[np.int64], box: Box) -> npt.NDArray[np.float64]:
    shared = _shared(boxes, box)
    areas = np.maximum(boxes[:, 2] - boxes[:, 0], 0) * np.maximum(boxes[:, 3] - boxes[:, 1], 0)
    return np.asarray(shared / np.maximum(1, areas + box.area - shared), np.float64)


def _is_same(exact: UIElement, other: UIElement, iou: float) -> bool:
    """Return True if two overlapping targets of different sources are the same element."""
    if (exact.element_type in INFERRED) != (other.element_type in INFERRED):
        return bool({exact.element_type, other.element_type} & _HANDLES)
    if (exact.element_type in _CONTAINERS) != (other.element_type in _CONTAINERS):
        return iou > _SAME_CONTAINER_IOU
    if exact.element_type == other.element_type:
        return True
    small, large = sorted((visible_box(exact), visible_box(other)), key=lambda box: box.area)
    shared = small.intersect(large)
    is_part = shared is not None and shared.area >= _PART_INSIDE * small.area
    return not (is_part and small.area < _PART_SHARE * large.area)


def _distance(one: Box, other: Box) -> int:
    """Return the distance of the centres in pixels across a border or handle, or the gap along it if that is larger."""
    across = one.height > one.width
    a, b = one.center, other.center
    if one.width < 2 * one.height and one.height < 2 * one.width:
        return max(abs(a.x - b.x), abs(a.y - b.y))
    gap = max(one.top, other.top) - min(one.bottom, other.bottom)
    if not across:
        gap = max(one.left, other.left) - min(one.right, other.right)
    return max(abs(a.x - b.x) if across else abs(a.y - b.y), gap)


def _in_reading_order(detected: Sequence[_Detected]) -> Iterator[_Detected]:
    """
    Yield line by line from the top, each line from the left, content right after its container. Elements in a cycle of
    parents come last.
    """
    present = {each.key for each in detected}
    holders = _ContainerIndex(detected)
    inside: dict[tuple[int, int | None] | None, list[_Detected]] = defaultdict(list)
    for each in detected:
        parent = (each.place, each.element.parent)
        known = each.element.parent is not None and parent in present
        inside[parent if known else holders.around(each.element)].append(each)
    stack = list(reversed(_lines(inside[None])))
    while stack:
        each = stack.pop()
        yield each
        stack += reversed(_lines(inside.pop(each.key, [])))
    del inside[None]
    for lost in inside.values():
        yield from lost


class _ContainerIndex:
    """Containers, to find one for targets that have no parent: those detected from pixels, and trees without parents."""

    def __init__(self, detected: Sequence[_Detected]) -> None:
        containers = [each for each in detected if each.element.element_type in _CONTAINERS]
        containers.sort(key=lambda each: visible_box(each.element).area)
        self._keys = [each.key for each in containers]
        self._boxes: npt.NDArray[np.int64] = np.array(
            [visible_box(each.element) for each in containers], np.int64
        ).reshape(-1, 4)
        self._areas = np.array([visible_box(each.element).area for each in containers], np.int64)

    def around(self, element: UIElement) -> tuple[int, int | None] | None:
        """Return the key of the smallest container that is larger than `element` and encloses most of it, or None."""
        box = visible_box(element)
        if not self._keys or not box.area:
            return None
        fits = (_shared(self._boxes, box) >= _PART_INSIDE * box.area) & (self._areas > box.area)
        return self._keys[int(np.argmax(fits))] if fits.any() else None


def _lines(detected: Sequence[_Detected]) -> list[_Detected]:
    """
    Sort into lines: a target belongs to a line if most of its height lies within the height that the whole line shares.
    """
    lines: list[list[_Detected]] = []
    top = bottom = 0
    for each in sorted(detected, key=lambda one: (visible_box(one.element).top, visible_box(one.element).left)):
        box = visible_box(each.element)
        common = min(bottom, box.bottom) - max(top, box.top)
        if lines and common > _LEAST_ROW_SHARE * min(bottom - top, box.height):
            lines[-1].append(each)
            top, bottom = max(top, box.top), min(bottom, box.bottom)
        else:
            lines.append([each])
            top, bottom = box.top, box.bottom
    return [each for line in lines for each in sorted(line, key=lambda one: visible_box(one.element).left)]
