"""
Thousands of elements in one place: those that can be seen, found by their numbers.

To be asked for 3,000 children keeps GTK busy for a second, and for 10,000 much longer. Those that can be seen are neighbours:
of as many as fit into the window at once, one or two are asked where they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from handeye.geometry import Box
from handeye.perceive.atspi.calls import Caller
from handeye.perceive.atspi.nodes import box_from, extents_of
from handeye.perceive.atspi.questions import ACCESSIBLE, Question, Ref, ref_from

# No screen shows more of them.
_MOST: Final = 1000


async def read_crowd(caller: Caller, holder: Ref, count: int, view: Box) -> list[Ref] | None:
    """
    Those of the `count` children of `holder` that may be seen in `view`, in their order; None when none was found, as where
    their sizes differ much.
    """
    first = await _refs(caller, holder, [0])
    (extents,) = await caller.ask_all([extents_of(ref) for ref in first.values()]) if first else (None,)
    if extents is None or min(extents[2:]) <= 0:
        return None
    _, _, width, height = extents
    at_once = max(1, view.width // width) * max(1, view.height // height)  # GTK tells sizes also of what is out of view
    step = max(1, at_once // 2)
    tried = await _refs(caller, holder, range(0, count, step))
    answers = await caller.ask_all([extents_of(ref) for ref in tried.values()])
    boxes = {number: box_from(each) for number, each in zip(tried, answers, strict=True)}
    seen = [number for number, box in boxes.items() if box is not None and box.intersect(view) is not None]
    if not seen or seen[-1] - seen[0] > _MOST:
        return None
    near = range(max(0, seen[0] - step), min(count, seen[-1] + step + 1))
    return list((await _refs(caller, holder, near)).values())


async def _refs(caller: Caller, holder: Ref, numbers: Iterable[int]) -> dict[int, Ref]:
    numbers = list(numbers)
    pairs = await caller.ask_all([Question(holder, ACCESSIBLE, "GetChildAtIndex", "(so)", "i", (n,)) for n in numbers])
    found = {n: ref_from(pair) for n, pair in zip(numbers, pairs, strict=True) if pair is not None}
    return {n: ref for n, ref in found.items() if ref is not None}
