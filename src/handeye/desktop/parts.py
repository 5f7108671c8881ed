"""Inferred parts of windows, such as column borders, and the phrases for them (docs/spec/perception-tiers.md, tier 1+)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.locate import normalize_text
from handeye.perceive import BORDER_HALF_WIDTH, INFERRED, SAME_EXTENT, visible_box
from handeye.screen import Screen
from handeye.target import RelationKind, Target, parse_target

_WORDS: Final = {
    "column border": ("column border", "column boundary", "column divider", "列边框", "列边界", "列分隔线"),
    "row border": ("row border", "row boundary", "row divider", "行边框", "行边界", "行分隔线"),
    "splitter": ("splitter", "split bar", "sash", "分隔条", "分割条", "拆分条"),
    "resize handle": ("resize handle", "resize grip", "size grip", "缩放手柄", "大小手柄", "调整大小手柄"),
    "panel grip": ("panel grip", "toolbar grip", "tool bar grip", "面板手柄", "工具栏手柄"),
}
_ROLES: Final = {word: role for role, words in _WORDS.items() for word in sorted(words, key=len, reverse=True)}
_KINDS: Final = (" table", " window", " list", " tree", " toolbar", "表格", "列表", "窗口", "工具栏")
_BEHIND: Final = frozenset({RelationKind.RIGHT_OF, RelationKind.BELOW, RelationKind.AFTER})
_BEFORE: Final = frozenset({RelationKind.LEFT_OF, RelationKind.ABOVE, RelationKind.BEFORE})
_AXES: Final = {RelationKind.LEFT_OF: 0, RelationKind.RIGHT_OF: 0, RelationKind.ABOVE: 1, RelationKind.BELOW: 1}

_LONG: Final = frozenset({"column border", "row border", "splitter"})

_TEXT_AREAS: Final = frozenset(
    {
        *("text area", "editor", "editor area", "text editor", "code editor", "editing area", "text editing area"),
        *("文本编辑区", "编辑区", "编辑区域", "文本编辑区域", "代码编辑区", "代码编辑区域", "文本区域", "编辑器"),
    }
)
# Least ratio of the largest text area to any other: a notes field next to a page is not half as large as the page.
_CLEARLY_LARGER: Final = 2
# Widest gap between two panes, which may have a handle with a margin between them.
_WIDEST_GAP: Final = 16


@dataclass(frozen=True, slots=True)
class PartPhrase:
    """
    A phrase for a part of `role`: between two `anchors`, or `behind` the only one (False: before it; None: belonging to it).
    `axis` is 0 if the phrase says left or right of it, 1 if above or below, else None.
    """

    role: str
    anchors: tuple[Target, ...] = ()
    behind: bool | None = None
    axis: int | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(normalize_text(each.text or "") for each in self.anchors)


def part_named(phrase: str) -> PartPhrase | None:
    """Return the part that a phrase means, or None if it means no part. Raises UsageError for an empty phrase."""
    for target in (parse_target(phrase), parse_target(f"the {phrase}")):  # without its article it may be a label
        if (role := _ROLES.get(normalize_text(target.text or "").removeprefix("the "))) is not None:
            kinds = {each.kind for each in target.relations}
            anchors = tuple(each.anchor for each in target.relations)
            if kinds <= {RelationKind.BETWEEN}:
                return PartPhrase(role, anchors)
            if len(anchors) > 1:
                return None
            axis = next((_AXES[each] for each in kinds if each in _AXES), None)
            return PartPhrase(role, anchors, True if kinds & _BEHIND else False if kinds & _BEFORE else None, axis)
    return _part_of(_without_article(" ".join(phrase.split())))


def _part_of(phrase: str) -> PartPhrase | None:
    """Parse what parse_target does not split: "resize handle of Files", "column border after Owner", "Files 表格的缩放手柄"."""
    for word, role in _ROLES.items():
        if phrase.casefold().startswith((f"{word} of ", f"{word} after ")):
            link, _, name = phrase[len(word) + 1 :].partition(" ")
            link = link.casefold()
        elif phrase.endswith(word) and phrase.removesuffix(word).rstrip().endswith(("的", "后")):
            whole = phrase.removesuffix(word).rstrip().removesuffix("的").rstrip()
            name = whole.removesuffix("后").removesuffix("之").rstrip()
            link = "after" if whole != name else "of"
        else:
            continue
        kind = next((each for each in _KINDS if name.casefold().endswith(each)), "")
        name = _without_article(name[: len(name) - len(kind)].rstrip() or name)
        return PartPhrase(role, (Target(name),), True if link == "after" else None) if name else None
    return None


def _without_article(name: str) -> str:
    return name[len("the ") :] if name.casefold().startswith("the ") else name


def is_text_area(phrase: str) -> bool:
    """Return True if a phrase means the main text area of a window (docs/spec/visual-locator.md: 定位代码编辑区域)."""
    plain = normalize_text(phrase).removeprefix("the ").removeprefix("定位").removeprefix("找到")
    return plain in _TEXT_AREAS


def text_areas(elements: Iterable[UIElement]) -> tuple[UIElement, ...]:
    """Return the largest editable multiline field or document; several if others are nearly as large."""
    places = [
        each
        for each in elements
        if (each.metadata.get("multiline") or each.element_type == "document")
        and each.metadata.get("editable")
        and not each.metadata.get("offscreen")
        and each.element_type != "cell"  # of a spreadsheet, which is a document
    ]
    largest = max((visible_box(each).area for each in places), default=0)
    return tuple(each for each in places if largest and visible_box(each).area * _CLEARLY_LARGER > largest)


def parts_meant(
    wanted: PartPhrase, elements: Sequence[UIElement], find: Callable[[Target], UIElement | None]
) -> tuple[UIElement, ...]:
    """
    Return the inferred `elements` that are meant: by the names of their neighbours, else by the positions of the anchors that
    `find` returns. Several if the phrase does not say which.
    """
    parts = [each for each in elements if each.element_type == wanted.role and each.element_type in INFERRED]
    parts = [each for each in parts if each.source != "accessibility"]  # Qt's "splitter" is the container of the panes
    if not wanted.anchors:
        return tuple(parts)
    if wanted.axis is not None and wanted.role in _LONG:
        parts = [each for each in parts if (each.bbox.width > each.bbox.height) == (wanted.axis == 1)]
    if named := tuple(each for each in parts if _fits(wanted, each)):
        return named
    anchors = [found for each in wanted.anchors if (found := find(each)) is not None]
    found_all = len(anchors) == len(wanted.anchors)
    at = border_between(wanted.role, anchors, wanted.behind, wanted.axis) if found_all else None
    axis, strip = at or (0, Box(0, 0, 0, 0))
    there = [each for each in parts if strip[axis] <= each.center[axis] < strip[axis + 2]]
    is_in_header = wanted.role in ("column border", "row border")  # of the table that its neighbours are in
    return tuple(each for each in there if is_in_header or each.bbox.intersect(strip))


def border_between(
    role: str, anchors: Sequence[UIElement], behind: bool | None = None, said: int | None = None
) -> tuple[int, Box] | None:
    """
    Return the axis (x 0, y 1) and the box of a border between two neighbours, or `behind` or before a single one ("the row
    border below Alpha", a cell of the row): a strip `2 * REACH` pixels wide across that axis. `said` is the axis that the
    phrase gives. None if they are no neighbours in a direction that fits the role.
    """
    boxes = [visible_box(each) for each in anchors]
    for axis in (0, 1):
        if role == ("row border", "column border")[axis] or said not in (None, axis):
            continue
        first, *others = sorted(boxes, key=lambda box: box[axis])
        across = 1 - axis
        low, high = max(each[across] for each in boxes), min(each[across + 2] for each in boxes)
        if others:
            last = others[-1]
            shared = SAME_EXTENT * min(each[across + 2] - each[across] for each in boxes)
            if not -BORDER_HALF_WIDTH <= last[axis] - first[axis + 2] <= _WIDEST_GAP or not high - low >= shared > 0:
                continue
            middle = (first[axis + 2] + last[axis]) // 2
        elif behind is None:
            return None
        else:
            middle = first[axis + 2] if behind else first[axis]
        edges = (middle - BORDER_HALF_WIDTH, low, middle + BORDER_HALF_WIDTH, high)
        return axis, Box(*edges) if axis == 0 else Box(edges[1], edges[0], edges[3], edges[2])
    return None


def _fits(wanted: PartPhrase, part: UIElement) -> bool:
    between = tuple(normalize_text(str(name)) for name in part.metadata.get("between", ()))
    if len(wanted.names) > 1:
        return len(between) > 1 and set(between) == set(wanted.names)
    if wanted.behind is None:  # "of Files": the description names the owner
        return normalize_text(part.description) == f"{wanted.role} of {wanted.names[0]}" or between == wanted.names
    return between[0 if wanted.behind else 1 :][:1] == wanted.names


# Drawn things without an accessible element, found by their pixels (docs/spec/perception-tiers.md, tier 3).

# Difference of a colour channel from the background that belongs to something drawn; antialiasing leaves less.
_DIFFERS: Final = 40
# Least share of one colour for a background: a photograph has no such colour.
_GROUND: Final = 0.5
# Kernel that joins strokes of one drawing; border in pixels, where frames are drawn; least size of a thing in pixels.
_JOINED: Final = np.ones((5, 5), np.uint8)
_EDGE: Final = 2
_LEAST: Final = 6


def drawn_things(screen: Screen, place: Box) -> list[Box]:
    """
    Return the boxes of separate things on the uniform background of `place`, without those that touch its border; all boxes are
    in frame pixels. Empty if the place has no uniform background.
    """
    inner = place.clip(screen.size).expand(-_EDGE)
    if min(inner.width, inner.height) <= _LEAST:
        return []
    pixels = screen.crop(inner).pixels
    packed = pixels.astype(np.int32) @ np.array([1 << 16, 1 << 8, 1], np.int32)
    _, first, counts = np.unique(packed, return_index=True, return_counts=True)
    if counts.max() < _GROUND * packed.size:
        return []
    ground = pixels.reshape(-1, 3)[first[counts.argmax()]]
    mask = np.abs(pixels.astype(np.int16) - ground).max(axis=2) > _DIFFERS
    count, labels = cv2.connectedComponents(cv2.dilate(mask.astype(np.uint8), _JOINED))
    found = []
    for label in range(1, count):
        left, top, width, height = cv2.boundingRect(((labels == label) & mask).astype(np.uint8))
        is_apart = left > 0 and top > 0 and left + width < inner.width and top + height < inner.height
        if is_apart and min(width, height) >= _LEAST:
            found.append(Box(left, top, left + width, top + height).translate(inner.left, inner.top))
    return found
