"""Asking the questions, and judging the answers by the truth."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from corpus.queries import PART, Query
from corpus.truth import Thing
from handeye.elements import UIElement
from handeye.locate import VisualLocator
from handeye.target import LocateResult

Verdict = Literal["right", "wrong", "refused", "rightly refused"]
CHAIN: Final = "chain"  # means every strategy in its usual order
SURE: Final = 0.8  # the boundary of docs/spec/visual-locator.md between a sure answer and a doubtful one
_EDGE_PX: Final = 2  # a click this far outside of a box that was rounded outward is still on the thing


@dataclass(frozen=True)
class Answer:
    """One strategy's answer to one question, with its verdict. `overlap` is the IoU with the thing meant."""

    strategy: str
    query: Query
    verdict: Verdict
    ms: float
    element: UIElement | None
    candidates: tuple[UIElement, ...]
    note: str
    overlap: float = 0.0

    @property
    def sure(self) -> bool:
        return self.element is not None and self.element.confidence > SURE

    @property
    def named(self) -> bool:
        """Return True if a refusal names what was meant among its candidates."""
        meant = [self.query.scene.things[number] for number in self.query.right]
        return self.element is None and any(_hits(each, thing) for each in self.candidates for thing in meant)


def ask(locator: VisualLocator, strategy: str, queries: Iterable[Query]) -> Iterator[Answer]:
    """Yield the answers of one strategy, or of CHAIN, to every question."""
    for query in queries:
        target = query.target
        start = time.perf_counter()
        if strategy == CHAIN:
            result = locator.locate(target, screenshot=query.scene.screen)
        else:
            result = locator.locate_with_fallback(target, [strategy], query.scene.screen)
        yield judge(strategy, query, result, (time.perf_counter() - start) * 1000)


def judge(strategy: str, query: Query, result: LocateResult, ms: float) -> Answer:
    """Judge an answer: right when a click in its middle hits what was meant, wrong anywhere else, however sure."""
    note = result.attempts[-1].note if result.attempts else result.error or ""
    element = result.element if result.success else None
    if element is None:
        verdict: Verdict = "refused" if query.right else "rightly refused"
        return Answer(strategy, query, verdict, ms, None, result.candidates, note)
    meant = [query.scene.things[number] for number in query.right]
    hit = any(_hits(element, thing) for thing in meant)
    overlap = max((_overlap(element, thing, query.kind == PART) for thing in meant), default=0.0)
    return Answer(strategy, query, "right" if hit else "wrong", ms, element, result.candidates, note, overlap)


def _hits(element: UIElement, thing: Thing) -> bool:
    return thing.box.expand(_EDGE_PX).contains(element.center)


def _overlap(element: UIElement, thing: Thing, part: bool) -> float:
    """Return the IoU with the control or its label; for a part of a label, the answer's share that lies in it."""
    boxes = [box for box in (element.bbox, element.label_box) if box is not None]
    if part:
        inner = boxes[-1].intersect(thing.place.expand(_EDGE_PX))
        return inner.area / boxes[-1].area if inner and boxes[-1].area else 0.0
    meant = [box for box in (thing.box, thing.label_box) if box is not None]
    return max(mine.iou(theirs) for mine in boxes for theirs in meant)
