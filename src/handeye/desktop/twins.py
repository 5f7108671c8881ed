"""What tells an element from its likes: all that is nearer to it than to any of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

import numpy as np

from handeye.desktop.descent import Descent
from handeye.desktop.tellings import Edges, Told, inner_halves, shortened
from handeye.geometry import Box

# More than a row or a card holds: a page, whose content says what it shows at the moment.
_MOST_HELD: Final = 64
# A name stands farther away than in the parent of a row where names and buttons are in columns of their own.
MOST_LEVELS: Final = 4
# A card is no taller.
_TALLEST_PX: Final = 400
_AT_ONCE: Final = 256

Near = dict[int, list[int]]
"""By element the indices of what is near it."""

PathOf = Callable[[int], object]


class Twins:
    """
    Elements of one role and name. The `realm` of one is the largest part of the tree that holds it and none of the others; what
    is in no realm belongs to the nearest, as far as that is in its row or column, or no farther than the next twin.
    """

    def __init__(self, members: Sequence[int], tree: Descent, told: Told) -> None:
        self._members = members
        self._tree = tree
        self._told = told
        self._counts: Counter[int] = Counter()
        for each in members:
            self._counts[each] += 1
            self._counts.update(tree.above(each))
        self.realm = {each: self._realm(each) for each in members}
        self._boxes = {each: self._box(each) for each in members}
        self.near: Near = {}

    def told_apart(self, path_of: PathOf, *, levels: int = MOST_LEVELS) -> dict[int, tuple[str, ...]]:
        """
        By element the words that tell it from those of its path, looked for so many levels up; `near` has then what says them.
        """
        near = self.near = {each: self._held(each) for each in self._members}
        level = {each: self._tree.parent[realm] for each, realm in self.realm.items()}
        done: dict[int, int | None] = dict.fromkeys(self._members)
        left: Sequence[int] = self._members
        for _ in range(levels):
            self._gather(left, level, done, near)
            for each in left:
                outer = level[each]
                if outer is not None:
                    done[each], level[each] = outer, self._tree.parent[outer]
            told = self._unlike(near, self._told.steady, path_of)
            left = [each for each in left if each not in told]
        return self._decided(near, path_of)

    def _decided(self, near: Near, path_of: PathOf) -> dict[int, tuple[str, ...]]:
        every = [(*mine, *value) for mine, value in zip(self._told.words, self._told.values, strict=True)]
        found = {each: shortened(word for index in near[each] for word in every[index]) for each in self._members}
        for words in (self._told.words, self._told.steady):
            for each, unlike in self._unlike(near, words, path_of).items():
                found[each] = shortened(unlike)
        return found

    def _unlike(self, near: Near, words: Sequence[tuple[str, ...]], path_of: PathOf) -> dict[int, tuple[str, ...]]:
        """What is said near those of whom nothing else says the same."""
        said = {each: tuple(word for index in near[each] for word in words[index]) for each in self._members}
        times = Counter((path_of(each), said[each]) for each in self._members)
        return {each: told for each, told in said.items() if times[path_of(each), told] == 1 and told}

    def _realm(self, member: int) -> int:
        realm = member
        for above in self._tree.above(member):
            if self._counts[above] > 1 or len(self._tree.of(above)) > _MOST_HELD:
                break
            realm = above
        return realm

    def _held(self, member: int) -> list[int]:
        if self._counts[member] > 1:
            return []
        held = self._tree.of(self.realm[member])
        return (
            [self._tree.order[at] for at in held if self._tree.order[at] != member] if len(held) <= _MOST_HELD else []
        )

    def _box(self, member: int) -> Box:
        box = self._told.boxes[self.realm[member]]
        return box if box.area else self._told.boxes[member]

    def _gather(
        self, left: Iterable[int], level: dict[int, int | None], done: dict[int, int | None], near: Near
    ) -> None:
        """Add what is in `level`, and neither in `done` nor in a realm, to what is near the nearest member."""
        groups: dict[tuple[int, int | None], set[int]] = defaultdict(set)
        for each in left:
            outer = level[each]
            if outer is not None and self._counts[outer] > 1:
                groups[outer, done[each]].add(each)
        for (outer, before), members in groups.items():
            rivals = [each for each in self._members if self._tree.holds(outer, each)]
            taken = {at for each in rivals for at in self._tree.of(self.realm[each])}
            taken.update(self._tree.of(before) if before is not None else ())
            free = [self._tree.order[at] for at in self._tree.of(outer) if at not in taken]
            free = [each for each in free if self._told.words[each] or self._told.values[each]]
            for each, nearest in self._nearest(free, rivals):
                if nearest in members:
                    near[nearest].append(each)

    def _nearest(self, free: Iterable[int], rivals: Iterable[int]) -> Iterator[tuple[int, int]]:
        """Which of `rivals` each of `free` belongs to, if to any."""
        shown = np.array([each for each in rivals if self._boxes[each].area], int)
        placed = np.array([each for each in free if self._told.boxes[each].area], int)
        if not len(shown) or not len(placed):
            return
        theirs = inner_halves([self._boxes[each] for each in shown.tolist()])
        alone = np.eye(len(shown), dtype=bool)
        aside, away = (np.where(alone, np.inf, apart) for apart in _apart(theirs, theirs))
        row = np.where(away > 0, np.inf, aside).min(axis=1)
        column = np.where(aside > 0, np.inf, away).min(axis=1).clip(max=_TALLEST_PX)
        another = np.hypot(aside, away).min(axis=1)
        another[np.isinf(another)] = 0
        for first in range(0, len(placed), _AT_ONCE):
            part = placed[first : first + _AT_ONCE]
            aside, away = _apart(self._told.inner[part], theirs)
            one = np.hypot(aside, away).argmin(axis=1)
            x, y = (apart[np.arange(len(part)), one] for apart in (aside, away))
            in_row, in_column = (y == 0) & (x <= row[one]), (x == 0) & (y <= column[one])
            beside = (x > 0) & (y > 0) & (np.hypot(x, y) <= another[one])
            fits = in_row | in_column | beside
            yield from zip(part[fits].tolist(), shown[one[fits]].tolist(), strict=True)


def _apart(some: Edges, others: Edges) -> tuple[Edges, Edges]:
    """How far each of some is from each of the others, to the side and up or down; 0 where they overlap."""
    aside, away = (
        np.maximum(some[:, None, at] - others[None, :, at + 2], others[None, :, at] - some[:, None, at + 2]).clip(0)
        for at in (0, 1)
    )
    return aside, away
