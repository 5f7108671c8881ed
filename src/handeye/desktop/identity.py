"""Identities by which elements are known again: what they are, where they stand, and what they stand among."""

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
from handeye.perceive import FILLED_IN, element_name, visible_box
from handeye.plan import named_acts

# Texts that change by themselves, and names that are mere answers: neither tells one thing from another.


# A clock with seconds, or so much of a hundred: nothing else in a window counts like that (a time without seconds may be that
# of a train, a bare number an amount). Then what may stand beside one in a text of its own: "34 % of 100".
_RUNS: Final = re.compile(
    r"(\d{1,9}:\d\d:\d\d(?:[.,]\d{1,9})?\s*(?:[ap]\.?m\.?)?|\d{1,9}(?:[.,]\d{1,9})?\s*[%％])"
    r"|\b(?:of \d+|done|completed?|left|remaining)\b|已?完成|剩余|[\s()/|·:,;.…-]+",
    re.IGNORECASE,
)

_WORDS: Final = """
    yes no ok okay cancel confirm deny decline reject continue next proceed save keep replace overwrite apply retry ignore abort
    skip close done finish restore undo stop start run open sign
    是 否 好 确定 取消 确认 拒绝 继续 下一步 保存 不保存 替换 覆盖 应用 重试 忽略 关闭 完成
"""
# Names that say nothing of what is agreed to: that stands in a text beside them. So it is with acts that have consequences.
_ANSWERS: Final = frozenset(_WORDS.split()) | {"don't save"}


def runs(text: str) -> bool:
    """Return True if a text is nothing but a clock or a percentage."""
    return any(found[1] for found in _RUNS.finditer(text)) and not _RUNS.sub("", text)


def counts(text: str) -> bool:
    """Return True if it is a bare number of a few digits, as of the messages that a button leads to."""
    number = text.removeprefix("(").removesuffix(")").removesuffix("+")
    return number.isdecimal() and len(number) <= len("9999")


@lru_cache(maxsize=4096)
def is_answer(name: str) -> bool:
    """Return True if it is an answer to what stands elsewhere, or does to that what has consequences: "Delete user"."""
    said = name.strip(" .!…&_").replace("_", "").replace("&", "").replace("’", "'").casefold()
    has_consequences = any(any(named_acts(each)) for each in (name, said))
    return has_consequences or said in _ANSWERS or said.startswith(("confirm ", "确认"))


# The tree of a window's elements, by their places in the list.


class TreeIndex:
    """
    `parent` has for each element the index of what holds it, None where nothing does. `order` is the walk from the top,
    children in the list's order, and `of(i)` the part of it that an element and all that it holds take.
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
                self.parent[root] = None  # also where parents go in a circle
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
        """Places in `order`: of the element itself first."""
        return range(self._first[index], self._first[index] + self._size[index])

    def above(self, index: int) -> Iterator[int]:
        """The elements around an element, the innermost first."""
        parent = self.parent[index]
        while parent is not None:
            yield parent
            parent = self.parent[parent]

    def holds(self, index: int, other: int) -> bool:
        """Return True if `other` is the element or in it."""
        return self._first[other] in self.of(index)


# Texts by which elements are known: of its row or card for one of several of a role and name, of its question for an answer.
#
# "Delete" beside 'Alice' is another button than "Delete" beside 'Carol', though it stands at the same place, and "Yes" below
# 'Delete Alice?' is another one than below 'Delete everything?'. The only one of its role and name is itself, whatever stands
# around it; of several, one that is alone at its path in the tree is known by its question.


MOST_HELD: Final = 64
"""Elements of a row or a card. What holds more is a page, whose content says what it shows at the moment."""

_LONGEST: Final = 160
"""Characters of a description, as an image has one."""

_REACH_PX: Final = 240
"""Between an element and what stands above or below it and belongs to it."""

_TEXTS: Final = frozenset({"text", "heading"})
# What changes by itself, or with every letter that is typed.
_UNSTEADY: Final = frozenset({"status bar", "progress bar", "scroll bar", "tooltip"})
_PRESSED: Final = frozenset({"button", "link", "tab", "list item", "tree item", "menu item", "checkbox", "radio"})
_ANSWERING: Final = frozenset({"button", "link"})
_ALERTS: Final = frozenset({"alert", "alert dialog", "message box"})
_DIALOGS: Final = _ALERTS | {"dialog"}
# A question is short: a dialog with more texts is a form.
_MOST_ASKED: Final = 6
# What stands in a column of its own, away from the names of its rows.
_COLUMNS: Final = _ANSWERING | {"checkbox", "radio", "switch", "input", "spinner", "combo box", "menu", "icon", "image"}
# What these show is not what is asked beside them.
_SHOWING: Final = frozenset({"list", "table", "tree", "document", "web view"})

Words = Sequence[tuple[str, ...]]
"""By index of the element."""


class Around(NamedTuple):
    """
    The texts by which an element is known, and the indices of the elements that they are on; and of one that has likes, that of
    the largest thing around it without any of them.
    """

    words: tuple[str, ...] = ()
    labels: tuple[int, ...] = ()
    part: int | None = None


def surroundings(
    elements: Sequence[UIElement], names: Sequence[str], paths: Sequence[object], tree: TreeIndex
) -> list[Around]:
    """By index what is around each element; `paths` say where in the tree they are, boxes are in desktop pixels."""
    steady, every = _words(elements, names, tree)
    asking = [
        index
        for index in tree.order
        if elements[index].element_type in _TEXTS and steady[index] and visible_box(elements[index]).area
        if all(elements[above].element_type != "button" for above in tree.above(index))
    ]
    found = [Around()] * len(elements)
    likes: dict[tuple[str, str, object], list[int]] = defaultdict(list)
    for index, each in enumerate(elements):
        if each.element_type not in _UNSTEADY and each.element_type != "window":
            likes[each.element_type, names[index], paths[index]].append(index)
    namesakes = Counter((role, name) for role, name, _ in likes)
    for (role, name, _), members in likes.items():
        if len(members) > 1:
            near, parts = _nearest(members, elements, every, tree, far=bool(name) and role in _COLUMNS)
            for index, around in _told_apart(near, steady, every).items():
                found[index] = around._replace(part=parts[index])
        elif role in _ANSWERING or (name and namesakes[role, name] > 1):
            asked = is_answer(name) or namesakes[role, name] > 1
            texts = _question(members[0], elements, asking, tree, is_answer=asked)
            found[members[0]] = Around(tuple(dict.fromkeys(names[each] for each in texts)), tuple(texts))
    return found


def _words(elements: Sequence[UIElement], names: Sequence[str], tree: TreeIndex) -> tuple[Words, Words]:
    """The names of elements that do not change by themselves; and all names, with what stands in fields."""
    steady: list[tuple[str, ...]] = [()] * len(elements)
    every: list[tuple[str, ...]] = [()] * len(elements)
    after_control = False
    for index in tree.order:
        each, name = elements[index], names[index]
        roles = {elements[above].element_type for above in (index, *tree.above(index))}
        if each.element_type == "window" or not roles.isdisjoint(_UNSTEADY):
            continue
        running = each.element_type in _TEXTS and (runs(name) or (after_control and counts(name)))
        said = () if each.element_type in FILLED_IN else (" ".join(each.description[:_LONGEST].split()),)
        words = tuple(dict.fromkeys(word for word in (name, *said) if word))
        steady[index] = () if running else words
        every[index] = (*words, *_value(each))
        if name:
            after_control = each.element_type in _PRESSED
    return steady, every


def _value(element: UIElement) -> tuple[str, ...]:
    """A checksum of what stands in a field: enough to tell two apart, too little to guess it from."""
    value = element.metadata.get("value")
    said = element.text if element.element_type in FILLED_IN else "" if value is None else str(value)
    if not said or element.metadata.get("password"):
        return ()
    return (f"a value ({binascii.crc_hqx(said.encode('utf-8', 'surrogatepass'), 0):04x})",)


def _told_apart(near: Mapping[int, Sequence[Sequence[int]]], steady: Words, every: Words) -> dict[int, Around]:
    """
    The texts of as few levels as tell an element from the others; all of them, and what changes by itself, where none do.
    """
    found: dict[int, Around] = {}
    said: dict[int, tuple[str, ...]] = {}
    level = 0

    def around(each: int) -> Around:
        return Around(said[each], tuple(at for held in near[each][: level + 1] for at in held if steady[at]))

    for words in (steady, every):
        for level in range(max(map(len, near.values()))):
            for each, levels in near.items():
                more = tuple(word for at in levels[level] for word in words[at]) if level < len(levels) else ()
                said[each] = (*said[each], *more) if level else more
            times = Counter(said.values())
            found |= {
                each: around(each) for each in near.keys() - found.keys() if said[each] and times[said[each]] == 1
            }
    return {each: found.get(each) or around(each) for each in near}


def _nearest(
    members: Sequence[int], elements: Sequence[UIElement], every: Words, tree: TreeIndex, *, far: bool
) -> tuple[dict[int, list[list[int]]], dict[int, int]]:
    """
    By member what is nearer to it than to any other: what is in the largest part of the tree that holds it alone, then by place
    what is in the parent of that (everything, where it has none), and with `far` in each one above. And by member that part.
    """
    times = Counter(above for each in members for above in (each, *tree.above(each)))
    parts: dict[int, int] = {}
    near: dict[int, list[list[int]]] = {}
    for each in members:
        parts[each] = each
        for above in tree.above(each):
            if times[above] > 1 or len(tree.of(above)) > MOST_HELD:
                break
            parts[each] = above
        held = tree.of(parts[each])
        near[each] = [[tree.order[at] for at in held if tree.order[at] != each] if len(held) <= MOST_HELD else []]
    taken = {at for part in parts.values() for at in tree.of(part)}
    free = [
        each
        for at, each in enumerate(tree.order)
        if at not in taken and every[each] and visible_box(elements[each]).area
    ]
    for text, owner in _owners(free, parts, elements).items():
        levels = near[owner]
        # What was only seen is held by nothing but the window.
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
    """By text the member whose part is nearest to it, if it stands in its row or within reach."""
    left, top, right, bottom = _inner_halves([visible_box(elements[each]) for each in texts]).T
    owner, least = np.full(len(texts), -1), np.full(len(texts), np.inf)
    for each, part in parts.items():
        box = visible_box(elements[part]) if visible_box(elements[part]).area else visible_box(elements[each])
        if not box.area:
            continue
        x1, y1, x2, y2 = _inner_halves([box])[0]
        away = np.maximum(top - y2, y1 - bottom).clip(0)
        apart = np.hypot(np.maximum(left - x2, x1 - right).clip(0), away)
        closer = (apart < least) & ((away == 0) | (apart <= _REACH_PX))
        owner[closer], least[closer] = each, apart[closer]
    return {text: each for text, each in zip(texts, owner.tolist(), strict=True) if each >= 0}


def _inner_halves(boxes: Sequence[Box]) -> npt.NDArray[np.float64]:
    """Boxes of half the size around the same middles, by row: neighbours of a table, whose edges meet, are apart."""
    edges = np.array(boxes, float).reshape(-1, 4)
    inset = (edges[:, 2:] - edges[:, :2]) / 4
    return np.hstack([edges[:, :2] + inset, edges[:, 2:] - inset])


def _question(
    index: int, elements: Sequence[UIElement], asking: Sequence[int], tree: TreeIndex, *, is_answer: bool
) -> list[int]:
    """
    The texts of the dialog of an answer, else in reach in the smallest thing around it that has one above it; of what is no
    answer by its name those of a dialog that only asks.
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


# What is called by what somebody wrote: a window's name changes with the first letter that is typed into it.
_RENAMED: Final = frozenset({"window"})


class Identity(NamedTuple):
    """
    `place` is counted from the window's top left corner, so that a window that moved holds the same elements. `path` are the
    roles of what holds the element, the innermost first. `among` are the texts that tell it from others (`surroundings`).
    `rank` counts those that nothing tells apart, and `likes` says how many there are of them; for an element that no text tells
    apart, it counts all of its role, name and path.
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
        """Role and name, for a sentence."""
        return f"{self.role} {self.name!r}" if self.name else self.role

    def difference(self, other: Identity) -> str:
        """The respect in which another one of that role and name differs, as the end of a sentence."""
        if self.place != other.place:
            return f"stands at {tuple(other.place)} in its window now"
        if self.among != other.among:
            now, then = _listed(other.among, self.among), _listed(self.among, other.among)
            return f"stands among other things now: {now}, not {then}"
        if self.likes != other.likes:
            return f"was one of {self.likes} of its kind, and is one of {other.likes} now"
        return "stands elsewhere in the tree now"


def known(elements: Sequence[UIElement], window: Window) -> tuple[tuple[Identity, ...], list[Around]]:
    """The identities of elements in their order, no two of them equal, and what is around each; boxes are in desktop pixels."""
    tree = TreeIndex(elements)
    names = ["" if each.element_type in _RENAMED else element_name(each) for each in elements]
    paths = [tuple(elements[above].element_type for above in tree.above(index)) for index in range(len(elements))]
    around = surroundings(elements, names, paths, tree)
    kinds = [
        (each.element_type, name, path, near.words)
        for each, name, path, near in zip(elements, names, paths, around, strict=True)
    ]
    likes = Counter(kinds) + Counter((*kind[:3], ()) for kind in kinds if kind[3])
    ranks, found = Counter[object](), []
    for each, kind in zip(elements, kinds, strict=True):
        role, name, path, words = kind
        found.append(Identity(role, name, _place(each, window), path, words, ranks[kind], likes[kind]))
        ranks[kind] += 1
    return tuple(found), around


def _listed(names: tuple[str, ...], others: tuple[str, ...]) -> str:
    """The names that the others have not, else all."""
    told = [name for name in names if name not in others] or names
    return shortened(", ".join(map(repr, told))) or "nothing with a name"


def _place(element: UIElement, window: Window) -> Box:
    box = element.visible_region or element.bbox
    return box if element.metadata.get("offscreen") else box.translate(-window.box.left, -window.box.top)
