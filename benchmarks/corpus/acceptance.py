"""The acceptance list of docs/spec/visual-locator.md, measured."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, Final

from corpus.measure import SURE, Answer, judge
from corpus.queries import Query
from handeye.devices import AdbServer, PhoneDevice
from handeye.locate import VisualLocator
from handeye.locate.base import Match
from handeye.locate.sources.fixed import FixedPlace
from handeye.ocr import TextReader
from handeye.screen import Screen
from handeye.target import Target
from handeye.testing.adb import PrivateAdbServer

CAPTURES: Final = 20
# The bar of each figure, from docs/spec/visual-locator.md.
BARS: Final = {
    "capture, ms (median)": ("below", 100.0),
    "accuracy": ("at least", 0.85),
    "sure among the answers": ("at least", 0.70),
    "fallback success": ("at least", 0.95),
    "cache hits": ("at least", 0.60),
}
PLAIN: Final = (
    "text",
    "look-alike",
    "name and role",
)  # questions for something that is on the screen once, by its own words


class _BlindModel:
    """A vision model that never finds anything, as in the seed's scenario, so that the next strategy must."""

    name = "visual"

    def accepts(self, target: Target) -> str | None:
        return None

    def locate(self, target: Target, screen: Screen) -> Match | None:
        return None


def measure(answers: Sequence[Answer], queries: Iterable[Query], reader: TextReader) -> dict[str, Any]:
    """Return the five figures, each from the same screens as the table."""
    plain = [answer for answer in answers if answer.strategy == "ocr" and answer.query.kind in PLAIN]
    given = [answer for answer in plain if answer.element is not None]
    second = [answer for answer in answers if answer.query.kind == "second look: stayed"]
    return {
        "capture, ms (median)": round(_capture_ms(), 1),
        "accuracy": _share(sum(answer.verdict == "right" for answer in plain), len(plain)),
        "sure among the answers": _share(
            sum(a.element is not None and a.element.confidence > SURE for a in given), len(given)
        ),
        "fallback success": _fallback([query for query in queries if query.kind in PLAIN], reader),
        "cache hits": _share(sum(answer.verdict == "right" for answer in second), len(second)),
    }


def met(name: str, figure: float) -> bool:
    """Return True if a figure reaches its bar."""
    kind, bar = BARS[name]
    return figure < bar if kind == "below" else figure >= bar


def _fallback(queries: Sequence[Query], reader: TextReader) -> float:
    """Return the success of the seed's three strategies: a model that finds nothing, then OCR, then fixed places."""
    right = 0
    for scene, asked in groupby(queries, key=lambda query: query.scene):
        for query in asked:
            centre, size = scene.things[query.right[0]].box.center, scene.screen.size
            place = FixedPlace.point(centre.x / size.width, centre.y / size.height)
            locator = VisualLocator(reader=reader, extra=[_BlindModel()], places={query.words: place})
            result = locator.locate_with_fallback(query.target, ["visual", "ocr", "fixed"], scene.screen)
            right += judge("fallback", query, result, 0.0).verdict == "right"
        scene.release()
    return _share(right, len(queries))


def _capture_ms() -> float:
    """Return the median ms of a full screen of 1080x2400 through the real adb."""
    times = []
    with PrivateAdbServer() as server, PhoneDevice(server=AdbServer("127.0.0.1", server.port)) as phone:
        phone.screenshot()
        for _ in range(CAPTURES):
            start = time.perf_counter()
            phone.screenshot()
            times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
