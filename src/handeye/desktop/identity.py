"""Identities of elements across readings of a window: role, name, position, tree path and nearby texts."""

from __future__ import annotations

import binascii
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from handeye.devices import Window, shortened
from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.perceive import CONTENT_ROLES, element_name, visible_box
from handeye.plan import named_acts

# Texts that change by themselves, and names that are mere answers: neither distinguishes an element from others.


# A clock with seconds, or a percentage: nothing else in a window changes like that (a time without seconds may be a train's, a
# bare number an amount). Then the words that may accompany one in the same text: "34 % of 100".
_CLOCK_OR_PERCENT: Final = re.compile(
    r"(\d{1,9}:\d\d:\d\d(?:[.,]\d{1,9})?\s*(?:[ap]\.?m\.?)?|\d{1,9}(?:[.,]\d{1,9})?\s*[%％])"
    r"|\b(?:of \d+|done|completed?|left|remaining)\b|已?完成|剩余|[\s()/|·:,;.…-]+",
    re.IGNORECASE,
)

_WORDS: Final = """
    yes no ok okay cancel confirm deny decline reject continue next proceed save keep replace overwrite apply retry ignore abort
    skip close done finish restore undo stop start run open sign
    是 否 好 确定 取消 确认 拒绝 继续 下一步 保存 不保存 替换 覆盖 应用 重试 忽略 关闭 完成
"""
# Names of buttons whose meaning depends on a text near them. The same holds for acts with consequences.
_ANSWERS: Final = frozenset(_WORDS.split()) | {"don't save"}


def is_clock_or_percent(text: str) -> bool:
    """Return True if a text is only a clock or a percentage."""
    return any(found[1] for found in _CLOCK_OR_PERCENT.finditer(text)) and not _CLOCK_OR_PERCENT.sub("", text)


def is_counter(text: str) -> bool:
    """Return True if a text is a bare number of at most 4 digits, such as a count of unread messages."""
    number = text.removeprefix("(").removesuffix(")").removesuffix("+")
    return number.isdecimal() and len(number) <= len("9999")


@lru_cache(maxsize=4096)
def is_answer(name: str) -> bool:
    """Return True if a name answers a text elsewhere, or does an act with consequences to what that names: "Delete user"."""
    folded = name.strip(" .!…&_").replace("_", "").replace("&", "").replace("’", "'").casefold()
    has_consequences = any(any(named_acts(each)) for each in (name, folded))
    return has_consequences or folded in _ANSWERS or folded.startswith(("confirm ", "确认"))


class TreeIndex:
    """
    Parent/child index of a window's elements, by their positions in the list. `parent` has the index of each element's parent,
    or None. `order` is the pre-order walk, children in list order; `of(i)` is the range of an element's subtree in it.
    """

    def __init__(self, elements: Sequence[UIElement]) -> None:
        at = {each.id: index for index, each in enumerate(elements) if each.id is not None}
        self.parent = [at.get(each.parent) if each.parent is not None else None for each in elements]
        children: dict[int | None, list[int]] = defaultdict(list)
        for index, parent in enumerate(self.parent):
            children[parent].append(index)
        self.order: list[int] = []
        self._first = [-1] * len(elements)
        for root in (*children[None], *range(len(elements))):
            left = [root]
            if self._first[root] < 0:
                self.parent[root] = None  # breaks cycles of parents
            while left:
                index = left.pop()
                if self._first[index] < 0:
                    self._first[index] = len(self.order)
                    self.order.append(index)
                    left += reversed(children[index])
        self._size = [1] * len(elements)
        for index in reversed(self.order):
            above = self.parent[index]
            if above is not None:
                self._size[above] += self._size[index]

    def of(self, index: int) -> range:
        """Return the range of an element's subtree in `order`, the element itself first."""
        return range(self._first[index], self._first[index] + self._size[index])

    def above(self, index: int) -> Iterator[int]:
        """Yield the ancestors of an element, the innermost first."""
        parent = self.parent[index]
        while parent is not None:
            yield parent
            parent = self.parent[parent]

    def holds(self, index: int, other: int) -> bool:
        """Return True if `other` is the element or a descendant of it."""
        return self._first[other] in self.of(index)


# Texts that identify elements: those of its row or card for a duplicate of a role and name, its question for an answer.
# "Delete" next to 'Alice' differs from "Delete" next to 'Carol' at the same position, and so does "Yes" below two questions.
# A unique role and name needs no texts; a duplicate that is alone at its tree path is identified by its question.


MAX_ROW_ELEMENTS: Final = 64
"""Most elements of a row or a card. A container with more is a page, whose content changes."""

_LONGEST: Final = 160
"""Most characters of a description that are used, such as an image's."""

_REACH_PX: Final = 240
"""Most pixels between an element and a text above or below that belongs to it."""

_TEXTS: Final = frozenset({"text", "heading"})
# Roles whose content changes by itself, or with every letter that is typed.
_VOLATILE_ROLES: Final = frozenset({"status bar", "progress bar", "scroll bar", "tooltip"})
_PRESSED: Final = frozenset({"button", "link", "tab", "list item", "tree item", "menu item", "checkbox", "radio"})
_ANSWERING: Final = frozenset({"button", "link"})
_ALERTS: Final = frozenset({"alert", "alert dialog", "message box"})
_DIALOGS: Final = _ALERTS | {"dialog"}
# Most texts of a question: a dialog with more is a form.
_MOST_ASKED: Final = 6
# Roles that may be in a separate column, away from the names of their rows.
_COLUMNS: Final = _ANSWERING | {"checkbox", "radio", "switch", "input", "spinner", "combo box", "menu", "icon", "image"}
# Containers of content: their texts are not the question of a button outside of them.
_SHOWING: Final = frozenset({"list", "table", "tree", "document", "web view"})

Words = Sequence[tuple[str, ...]]
"""Texts by index of the element."""


class IdentifyingTexts(NamedTuple):
    """
    The texts that identify an element (`words`), the indices of the elements with these texts (`labels`), and for a duplicate
    the index of the largest subtree around it without another duplicate (`part`).
    """

    words: tuple[str, ...] = ()
    labels: tuple[int, ...] = ()
    part: int | None = None


def identifying_texts(
    elements: Sequence[UIElement], names: Sequence[str], paths: Sequence[object], tree: TreeIndex
) -> list[IdentifyingTexts]:
    """Return the identifying texts of each element; `paths` are their tree paths, boxes are in desktop pixels."""
    steady, every = _words(elements, names, tree)
    asking = [
        index
        for index in tree.order
        if elements[index].element_type in _TEXTS and steady[index] and visible_box(elements[index]).area
        if all(elements[above].element_type != "button" for above in tree.above(index))
    ]
    found = [IdentifyingTexts()] * len(elements)
    groups: dict[tuple[str, str, object], list[int]] = defaultdict(list)
    for index, each in enumerate(elements):
        if each.element_type not in _VOLATILE_ROLES and each.element_type != "window":
            groups[each.element_type, names[index], paths[index]].append(index)
    namesakes = Counter((role, name) for role, name, _ in groups)
    for (role, name, _), members in groups.items():
        if len(members) > 1:
            near, parts = _nearest(members, elements, every, tree, far=bool(name) and role in _COLUMNS)
            for index, around in _disambiguate(near, steady, every).items():
                found[index] = around._replace(part=parts[index])
        elif role in _ANSWERING or (name and namesakes[role, name] > 1):
            asked = is_answer(name) or namesakes[role, name] > 1
            texts = _question(members[0], elements, asking, tree, is_answer=asked)
            found[members[0]] = IdentifyingTexts(tuple(dict.fromkeys(names[each] for each in texts)), tuple(texts))
    return found


def _words(elements: Sequence[UIElement], names: Sequence[str], tree: TreeIndex) -> tuple[Words, Words]:
    """Return the texts of each element that do not change by themselves, and all texts including field values."""
    steady: list[tuple[str, ...]] = [()] * len(elements)
    every: list[tuple[str, ...]] = [()] * len(elements)
    after_control = False
    for index in tree.order:
        each, name = elements[index], names[index]
        roles = {elements[above].element_type for above in (index, *tree.above(index))}
        if each.element_type == "window" or not roles.isdisjoint(_VOLATILE_ROLES):
            continue
        is_volatile = each.element_type in _TEXTS and (
            is_clock_or_percent(name) or (after_control and is_counter(name))
        )
        described = () if each.element_type in CONTENT_ROLES else (" ".join(each.description[:_LONGEST].split()),)
        words = tuple(dict.fromkeys(word for word in (name, *described) if word))
        steady[index] = () if is_volatile else words
        every[index] = (*words, *_value(each))
        if name:
            after_control = each.element_type in _PRESSED
    return steady, every


def _value(element: UIElement) -> tuple[str, ...]:
    """Return a checksum of a field's content: enough to distinguish two, too little to guess it from."""
    value = element.metadata.get("value")
    content = element.text if element.element_type in CONTENT_ROLES else "" if value is None else str(value)
    if not content or element.metadata.get("password"):
        return ()
    return (f"a value ({binascii.crc_hqx(content.encode('utf-8', 'surrogatepass'), 0):04x})",)


def _disambiguate(
    near: Mapping[int, Sequence[Sequence[int]]], steady: Words, every: Words
) -> dict[int, IdentifyingTexts]:
    """
    Return for each duplicate the texts of as few levels of `near` as distinguish it from the others; if none do, all texts,
    including volatile ones.
    """
    found: dict[int, IdentifyingTexts] = {}
    texts: dict[int, tuple[str, ...]] = {}
    level = 0

    def around(each: int) -> IdentifyingTexts:
        return IdentifyingTexts(
            texts[each], tuple(at for group in near[each][: level + 1] for at in group if steady[at])
        )

    for words in (steady, every):
        for level in range(max(map(len, near.values()))):
            for each, levels in near.items():
                more = tuple(word for at in levels[level] for word in words[at]) if level < len(levels) else ()
                texts[each] = (*texts[each], *more) if level else more
            times = Counter(texts.values())
            found |= {
                each: around(each) for each in near.keys() - found.keys() if texts[each] and times[texts[each]] == 1
            }
    return {each: found.get(each) or around(each) for each in near}


def _nearest(
    members: Sequence[int], elements: Sequence[UIElement], every: Words, tree: TreeIndex, *, far: bool
) -> tuple[dict[int, list[list[int]]], dict[int, int]]:
    """
    Return for each member the elements nearer to it than to any other member, by level: first those of the largest subtree that
    contains no other member, then, by position, those of that subtree's parent (all elements, if it has none), and with `far`
    those of each further ancestor. Return as well the root of that subtree for each member.
    """
    times = Counter(above for each in members for above in (each, *tree.above(each)))
    parts: dict[int, int] = {}
    near: dict[int, list[list[int]]] = {}
    for each in members:
        parts[each] = each
        for above in tree.above(each):
            if times[above] > 1 or len(tree.of(above)) > MAX_ROW_ELEMENTS:
                break
            parts[each] = above
        subtree = tree.of(parts[each])
        near[each] = [
            [tree.order[at] for at in subtree if tree.order[at] != each] if len(subtree) <= MAX_ROW_ELEMENTS else []
        ]
    taken = {at for part in parts.values() for at in tree.of(part)}
    free = [
        each
        for at, each in enumerate(tree.order)
        if at not in taken and every[each] and visible_box(elements[each]).area
    ]
    for text, owner in _owners(free, parts, elements).items():
        levels = near[owner]
        # An element that was only seen has no ancestor but the window.
        for level, holder in enumerate(tuple(tree.above(parts[owner])) or (None,), 1):
            if level == len(levels):
                levels.append([])
            if holder is None or tree.holds(holder, text):
                levels[level].append(text)
                break
            if not far:
                break
    return near, parts


def _owners(texts: Sequence[int], parts: Mapping[int, int], elements: Sequence[UIElement]) -> dict[int, int]:
    """Return for each text the member with the nearest subtree, if that is in the same row or within _REACH_PX."""
    left, top, right, bottom = _inner_halves([visible_box(elements[each]) for each in texts]).T
    owner, least = np.full(len(texts), -1), np.full(len(texts), np.inf)
    for each, part in parts.items():
        box = visible_box(elements[part]) if visible_box(elements[part]).area else visible_box(elements[each])
        if not box.area:
            continue
        x1, y1, x2, y2 = _inner_halves([box])[0]
        vertical_gap = np.maximum(top - y2, y1 - bottom).clip(0)
        gap = np.hypot(np.maximum(left - x2, x1 - right).clip(0), vertical_gap)
        closer = (gap < least) & ((vertical_gap == 0) | (gap <= _REACH_PX))
        owner[closer], least[closer] = each, gap[closer]
    return {text: each for text, each in zip(texts, owner.tolist(), strict=True) if each >= 0}


def _inner_halves(boxes: Sequence[Box]) -> npt.NDArray[np.float64]:
    """Return boxes of half the size with the same centres, one per row, so that adjacent table cells do not touch."""
    edges = np.array(boxes, float).reshape(-1, 4)
    inset = (edges[:, 2:] - edges[:, :2]) / 4
    return np.hstack([edges[:, :2] + inset, edges[:, 2:] - inset])


def _question(
    index: int, elements: Sequence[UIElement], asking: Sequence[int], tree: TreeIndex, *, is_answer: bool
) -> list[int]:
    """
    Return the texts of the question that an element answers: those of its dialog, else those within _REACH_PX in its smallest
    ancestor that has a text above it. An element whose name is no answer gets only the texts of a dialog that is not a form.
    """
    dialog = next((each for each in tree.above(index) if elements[each].metadata.get("class") in _DIALOGS), None)
    if dialog is not None:
        texts = [text for text in asking if tree.holds(dialog, text)]
        is_form = len(texts) > _MOST_ASKED
        return [] if is_form and not is_answer and elements[dialog].metadata.get("class") not in _ALERTS else texts
    if not is_answer:
        return []
    box = visible_box(elements[index])

    def shown_in(at: int) -> int | None:
        """Return the list or page that an element is in, or is."""
        return next((each for each in (at, *tree.above(at)) if elements[each].element_type in _SHOWING), None)

    close = [
        text
        for text in asking
        if box.top - _REACH_PX < visible_box(elements[text]).bottom and visible_box(elements[text]).top < box.bottom
    ]
    for holder in tree.above(index):
        texts = [text for text in close if tree.holds(holder, text) and shown_in(text) == shown_in(holder)]
        if any(visible_box(elements[text]).bottom <= box.top + 1 for text in texts):
            return texts
    return []


# Roles whose name depends on their content: a window's title changes with the first letter that is typed into it.
_RENAMED: Final = frozenset({"window"})


class Identity(NamedTuple):
    """
    Identity of an element within its window.

    `place` is relative to the window's top left corner, so that moving the window changes nothing. `path` are the roles of the
    ancestors, the innermost first. `among` are the texts that distinguish it from duplicates (`identifying_texts`). `rank`
    numbers indistinguishable elements, and `likes` is their count; for an element without distinguishing texts, it counts
    all with its role, name and path.
    """

    role: str
    name: str
    place: Box
    path: tuple[str, ...]
    among: tuple[str, ...] = ()
    rank: int = 0
    likes: int = 1

    @property
    def called(self) -> str:
        """Role and name, for messages."""
        return f"{self.role} {self.name!r}" if self.name else self.role

    def difference(self, other: Identity) -> str:
        """Return how another element of that role and name differs, as the end of a sentence."""
        if self.place != other.place:
            return f"stands at {tuple(other.place)} in its window now"
        if self.among != other.among:
            now, then = _listed(other.among, self.among), _listed(self.among, other.among)
            return f"stands among other things now: {now}, not {then}"
        if self.likes != other.likes:
            return f"was one of {self.likes} of its kind, and is one of {other.likes} now"
        return "stands elsewhere in the tree now"


def known(elements: Sequence[UIElement], window: Window) -> tuple[tuple[Identity, ...], list[IdentifyingTexts]]:
    """Return the identities of elements, all different, and the identifying texts of each; boxes are in desktop pixels."""
    tree = TreeIndex(elements)
    names = ["" if each.element_type in _RENAMED else element_name(each) for each in elements]
    paths = [tuple(elements[above].element_type for above in tree.above(index)) for index in range(len(elements))]
    around = identifying_texts(elements, names, paths, tree)
    kinds = [
        (each.element_type, name, path, near.words)
        for each, name, path, near in zip(elements, names, paths, around, strict=True)
    ]
    counts_of = Counter(kinds) + Counter((*kind[:3], ()) for kind in kinds if kind[3])
    ranks, found = Counter[object](), []
    for each, kind in zip(elements, kinds, strict=True):
        role, name, path, words = kind
        found.append(Identity(role, name, _place(each, window), path, words, ranks[kind], counts_of[kind]))
        ranks[kind] += 1
    return tuple(found), around


def _listed(names: tuple[str, ...], others: tuple[str, ...]) -> str:
    """Return the names that are not among the others, else all, as one text."""
    shown = [name for name in names if name not in others] or names
    return shortened(", ".join(map(repr, shown))) or "nothing with a name"


def _place(element: UIElement, window: Window) -> Box:
    box = element.visible_region or element.bbox
    return box if element.metadata.get("offscreen") else box.translate(-window.box.left, -window.box.top)
