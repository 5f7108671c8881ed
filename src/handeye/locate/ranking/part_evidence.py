"""Evidence for a candidate that is a part of a longer line of text, such as a link in a sentence: what bounds it there."""

from __future__ import annotations

from typing import Final

import numpy as np

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.locate.ranking.pool import Column, Pool, is_one_place
from handeye.locate.ranking.style_evidence import ink_of
from handeye.screen import Screen

_COLUMNS: Final = ("part_share", "part_bound_before", "part_bound_after", "part_looks_other", "part_is_apart")
# What stands between a part and its neighbour, from the clearest bound to none.
_END, _MARK, _SCRIPT, _BLANK, _NONE = map(float, range(5))
_DIFFERS: Final = 0.12
_SEPARATORS: Final = frozenset("|｜¦/·•»›,，、;；")
_BARS: Final = (" I ", " l ")
_BESIDE: Final = 2  # heights of the part: so much of the line on each side is compared with it


def part_evidence(pool: Pool, screen: Screen | None) -> dict[str, Column]:
    """
    The share of its line that a part is, the kind of bound on each side, the difference of its ink from the ink beside it
    (0-1), and whether it is a label of its own (these two are missing without a picture). All are missing for what is no part.
    """
    columns = {name: np.full(len(pool), np.nan) for name in _COLUMNS}
    parts = [each for each in pool.earlier if is_part(each)]
    for at, candidate in enumerate(pool.elements):
        # Where the parser sees only that part of a line, the text reader's strategy knows the whole of it.
        seen = [candidate] if is_part(candidate) else [each for each in parts if is_one_place(each, candidate)]
        if not seen:
            continue
        element = seen[0]
        line, part = _with_bars(str(element.metadata["line"])), element.text
        start = line.find(part)
        columns["part_share"][at] = len(part) / max(1, len(line))
        if start >= 0:
            columns["part_bound_before"][at] = _bound(part[:1], line[:start][::-1])
            columns["part_bound_after"][at] = _bound(part[-1:], line[start + len(part) :])
        if screen is not None:
            left, right = _ink_differences(screen, element.label_box or element.bbox)
            columns["part_looks_other"][at] = np.fmin(left, right)
            columns["part_is_apart"][at] = _is_set_apart(part, line, (left, right))
    return columns


def is_part(element: UIElement) -> bool:
    """Return True for what the text reader's strategy found inside a longer line."""
    return element.metadata.get("layer") == "part" and bool(element.metadata.get("line"))


def _is_set_apart(part: str, line: str, ink: tuple[float, float]) -> bool:
    """Return True for a label of its own: a link whose ink differs, an item between separators, one of two scripts."""
    before, _, after = line.partition(part)
    differs = [each >= _DIFFERS for each in ink]
    separate = [_separates(part[:1], before[::-1]), _separates(part[-1:], after)]
    apart = [seen or set_off or np.isnan(each) for each, seen, set_off in zip(ink, differs, separate, strict=True)]
    return all(apart) and (any(differs) or all(separate))


def _separates(inner: str, outwards: str) -> bool:
    bound = _bound(inner, outwards)
    return bound in (_END, _SCRIPT) or (bound == _MARK and outwards.lstrip()[0] in _SEPARATORS)


def _bound(inner: str, outwards: str) -> float:
    """Return what stands next to a part's outermost character, reading away from the part."""
    near = outwards[:1]
    beyond = outwards.lstrip()[:1]
    if not beyond:
        return _END
    if not beyond.isalnum():
        return _MARK
    if (inner >= "\u2e80") != (beyond >= "\u2e80"):
        return _SCRIPT
    return _BLANK if near.isspace() else _NONE


def _with_bars(line: str) -> str:
    """Return a line with a bar for each letter that stands alone as bars between links do: Home I News I Help."""
    if sum(map(line.count, _BARS)) > 1:
        for bar in _BARS:
            line = line.replace(bar, " | ")
    return line


def _ink_differences(screen: Screen, part: Box) -> tuple[float, float]:
    """Return the differences between the colours of the ink in a part and on its left and right, 0-1; NaN without ink there."""
    inner = ink_of(screen, part)
    reach = _BESIDE * part.height
    sides = ((part.left - reach, part.left), (part.right, part.right + reach))
    outer = [ink_of(screen, Box(left, part.top, right, part.bottom)) for left, right in sides]
    left, right = (float(np.abs(inner - each).max()) / 255 for each in outer)
    return left, right
