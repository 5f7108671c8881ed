"""What people call the parts that no application names (seed 002, tier 1+), and which of them they mean."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.perceive.derivation import REACH
from handeye.perceive.inference import INFERRED
from handeye.perceive.layout import SAME_EXTENT, seen
from handeye.target import RelationKind, Target

_WORDS: Final = {
    "column border": ("column border", "column boundary", "column divider", "列边框", "列边界", "列分隔线"),
    "row border": ("row border", "row boundary", "row divider", "行边框", "行边界", "行分隔线"),
    "splitter": ("splitter", "split bar", "sash", "分隔条", "分割条", "拆分条"),
    "resize handle": ("resize handle", "resize grip", "size grip", "缩放手柄", "大小手柄", "调整大小手柄"),
    "panel grip": ("panel grip", "toolbar grip", "tool bar grip", "面板手柄", "工具栏手柄"),
}
_ROLES: Final = {word: role for role, words in _WORDS.items() for word in words}
_WORD: Final = "|".join(sorted(map(re.escape, _ROLES), key=len, reverse=True))
# What Target.parse leaves whole: "the resize handle of Files", "column border after Owner", "Files 表格的缩放手柄".
_OF: Final = re.compile(
    rf"(?:the )?({_WORD})(?: (of|after) (?:the )?(.+?)(?: (?:table|window|list|tree|toolbar))?)?", re.I
)
_BARE: Final = re.compile(rf"(?:{_WORD})\b", re.IGNORECASE)
_OF_HAN: Final = re.compile(rf"(?:(.+?)\s*(?:表格|列表|窗口|工具栏)?\s*(之?后|的)\s*的?)?({_WORD})")
_SIDES: Final = {
    RelationKind.RIGHT_OF: 0,
    RelationKind.BELOW: 0,
    RelationKind.AFTER: 0,
    RelationKind.LEFT_OF: 1,
    RelationKind.ABOVE: 1,
    RelationKind.BEFORE: 1,
}

_TEXT_AREAS: Final = frozenset(
    {
        *("text area", "editor", "editor area", "text editor", "code editor", "editing area", "text editing area"),
        *("文本编辑区", "编辑区", "编辑区域", "文本编辑区域", "代码编辑区", "代码编辑区域", "文本区域", "编辑器"),
    }
)
# A field for notes beside a page is not half as large as the page.
_CLEARLY_LARGER: Final = 2
# Between two panes there may be a handle with a margin.
_WIDEST_GAP: Final = 16
# A border lies on its neighbours' edges; Qt draws a line of one pixel between two cells.
_AT_EDGE: Final = 4


@dataclass(frozen=True, slots=True)
class PartPhrase:
    """A part of `role`: between `anchors`, or on that `side` of the only one (0: behind it, 1: before it; None: its own)."""

    role: str
    anchors: tuple[Target, ...] = ()
    side: int | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(_plain(each.text or "") for each in self.anchors)


def part_named(phrase: str) -> PartPhrase | None:
    """The part that a phrase means; None when it speaks of something else. Raises UsageError for an empty phrase."""
    target = Target.parse(phrase)
    if _BARE.match(phrase.strip()):  # with its article it is understood as a phrase, without it may be a label
        target = Target.parse(f"the {phrase.strip()}")
    if (role := _ROLES.get(_plain(target.text or "").removeprefix("the "))) is not None:
        kinds = {each.kind for each in target.relations}
        anchors = tuple(each.anchor for each in target.relations)
        if kinds == {RelationKind.BETWEEN} or not kinds:
            return PartPhrase(role, anchors)
        kind = target.relations[0].kind
        return PartPhrase(role, anchors[:1], _SIDES.get(kind)) if len(anchors) == 1 else None
    plain = " ".join(phrase.split())
    if found := _OF.fullmatch(plain):
        word, how, name = found.groups()
    elif found := _OF_HAN.fullmatch(plain):
        name, how, word = found.groups()
    else:
        return None
    behind = 0 if how is not None and (how.casefold() == "after" or how.endswith("后")) else None
    return PartPhrase(_ROLES[_plain(word)], (Target(name),) if name else (), behind)


def is_text_area(phrase: str) -> bool:
    """Whether a phrase means where one writes, as opposed to the fields around it (seed 001: 定位代码编辑区域)."""
    plain = _plain(phrase).removeprefix("the ").removeprefix("定位").removeprefix("找到")
    return plain in _TEXT_AREAS


def text_areas(elements: Iterable[UIElement]) -> tuple[UIElement, ...]:
    """The largest place of several lines, or whole document, that can be written in; several where two are nearly as large."""
    places = [
        each
        for each in elements
        if (each.metadata.get("multiline") or each.element_type == "document")
        and each.metadata.get("editable")
        and not each.metadata.get("offscreen")
        and each.element_type != "cell"  # of a sheet, which is a document
    ]
    largest = max((seen(each).area for each in places), default=0)
    return tuple(each for each in places if largest and seen(each).area * _CLEARLY_LARGER > largest)


def parts_meant(
    wanted: PartPhrase, elements: Sequence[UIElement], find: Callable[[Target], UIElement | None]
) -> tuple[UIElement, ...]:
    """
    The inferred `elements` that are meant: by the names of what they part, else by where what `find` finds stands. Several
    when it is not said which.
    """
    parts = [each for each in elements if each.element_type == wanted.role and each.element_type in INFERRED]
    parts = [each for each in parts if each.source != "accessibility"]  # what Qt calls a splitter are the panes of one
    if not wanted.anchors:
        return tuple(parts)
    named = tuple(each for each in parts if _fits(wanted, each))
    return named or tuple(_at_edge(wanted, parts, find))


def gap_between(role: str, one: UIElement, other: UIElement) -> Box | None:
    """
    Where a border between two neighbours is: a strip of `2 * REACH` pixels around the middle of what parts them. None when they
    are no neighbours in the direction that the role asks for.
    """
    for start, end, low, high in ((0, 2, 1, 3), (1, 3, 0, 2)):
        if role == ("row border" if start == 0 else "column border"):
            continue
        first, second = sorted((seen(one), seen(other)), key=lambda box: box[start])
        gap = second[start] - first[end]
        shared = min(first[high], second[high]) - max(first[low], second[low])
        if (
            -_AT_EDGE <= gap <= _WIDEST_GAP
            and shared >= SAME_EXTENT * min(first[high] - first[low], second[high] - second[low]) > 0
        ):
            middle = (first[end] + second[start]) // 2
            lower, upper = max(first[low], second[low]), min(first[high], second[high])
            edges = (middle - REACH, lower, middle + REACH, upper)
            return Box(*edges) if start == 0 else Box(edges[1], edges[0], edges[3], edges[2])
    return None


def _fits(wanted: PartPhrase, part: UIElement) -> bool:
    between = tuple(_plain(str(name)) for name in part.metadata.get("between", ()))
    if len(wanted.names) == 2:
        return set(between) == set(wanted.names) and len(between) == 2
    if wanted.side is None:  # "of Files": its name says of what it is
        return _plain(part.description) == f"{wanted.role} of {wanted.names[0]}" or between == wanted.names
    return len(between) > wanted.side and between[wanted.side] == wanted.names[0]


def _at_edge(
    wanted: PartPhrase, parts: Iterable[UIElement], find: Callable[[Target], UIElement | None]
) -> Iterable[UIElement]:
    """Borders on an edge of what was found under the names: "the row border below Alpha", where Alpha is a cell of the row."""
    if wanted.role not in ("column border", "row border"):
        return
    found = [find(each) for each in wanted.anchors]
    anchors = [each for each in found if each is not None]
    if len(anchors) < len(found):
        return
    start, end = (0, 2) if wanted.role == "column border" else (1, 3)
    if len(anchors) == 2:
        anchors.sort(key=lambda each: each.bbox[start])
        edge = anchors[0].bbox[end]
        if abs(anchors[1].bbox[start] - edge) > _AT_EDGE:
            return  # they are no neighbours
    elif wanted.side is not None:
        edge = anchors[0].bbox[end if wanted.side == 0 else start]
    else:
        return
    for part in parts:
        middle = (part.bbox[start] + part.bbox[end]) // 2
        if abs(middle - edge) <= _AT_EDGE:
            yield part


def _plain(words: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", words).casefold().split())
