"""Cache strategy, the first of the chain: earlier matches, if the live frame shows that they are unchanged."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from handeye.elements import UIElement
from handeye.errors import HandeyeError
from handeye.geometry import Box, Size
from handeye.locate.base import LEAST_SURE, Match, read_lines
from handeye.locate.chain import ASKS_A_MODEL
from handeye.locate.sources.cache_files import PlaceFiles
from handeye.matching import Fingerprint
from handeye.ocr import TextReader
from handeye.screen import Screen
from handeye.target import Target
from handeye.text import TextLine, match_text

# Seconds for which a result may be reused (docs/spec/visual-locator.md).
MEMORY_S: Final = 30.0
# A fingerprint takes 0.7 MB on a phone: about fifty of them.
MEMORY_BYTES: Final = 32 * 2**20
# Factor of the confidence: equal pixels prove that the place is the same, not that the first match was right.
STILL_THERE: Final = 0.98


class PlaceKey(NamedTuple):
    """Key of a remembered place."""

    app: str
    size: Size
    target: Target


@dataclass(frozen=True, eq=False, slots=True)
class CachedPlace:
    """
    An element as it was found, with the fingerprint of its surroundings.

    `chosen`: by a person, from several that fit. `proved`: False for an uncertain match of a model, until the step that
    used it succeeded, or the model found it again on another frame than the one with that `digest`. `searched`: its target
    was searched for since, so that a step's outcome belongs to another match.
    """

    element: UIElement
    patch: Fingerprint
    chosen: bool = False
    proved: bool = True
    digest: int = 0
    searched: bool = False

    @classmethod
    def of(cls, element: UIElement, screen: Screen, *, chosen: bool = False, proved: bool = True) -> CachedPlace | None:
        """Return the remembered place, or None if its surroundings cannot identify it."""
        patch = Fingerprint.take(screen, element.label_box or element.bbox)
        return cls(element, patch, chosen, proved, screen.digest) if patch is not None else None

    def is_confirmed_by(self, element: UIElement, screen: Screen) -> bool:
        """Return True if another frame shows it where it was found again."""
        again = self.element.bbox.contains(element.center) and element.bbox.contains(self.element.center)
        return again and screen.digest != self.digest and self.patch.matches(screen)


class PlaceCache:
    """
    Places in memory, for at most MEMORY_S seconds each, and in `folder` if given. Thread-safe.

    The least recently used ones are dropped above MEMORY_BYTES. `clock` counts seconds.
    """

    def __init__(self, folder: Path | None = None, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._files = PlaceFiles(folder) if folder is not None else None
        self._clock = clock
        self._lock = threading.RLock()
        self._places: OrderedDict[PlaceKey, tuple[CachedPlace, float]] = OrderedDict()
        self._last: dict[tuple[str, Target], PlaceKey] = {}  # last used or learned, for the next `judge`
        self._bytes = 0

    def get(self, key: PlaceKey) -> CachedPlace | None:
        """Return the proved place for a key, from memory or else from the folder."""
        with self._lock:
            known = self._places.get(key)
            if known is None or self._clock() - known[1] >= MEMORY_S:
                self._drop(key)
            elif known[0].proved:
                self._places.move_to_end(key)
                self._last[key.app, key.target] = key
                return known[0]
            else:
                self._places[key] = replace(known[0], searched=True), known[1]
                return None
        stored = self._files.load(*key) if self._files else None
        if stored is None:
            return None
        place = CachedPlace(*stored)
        self.put(key, place)
        return place

    def at(self, box: Box, size: Size) -> CachedPlace | None:
        """Return the place in memory whose element has that box on a frame of that size."""
        with self._lock:
            for key, (place, since) in self._places.items():
                if place.element.bbox == box and key.size == size and self._clock() - since < MEMORY_S:
                    return place
        return None

    def put(self, key: PlaceKey, place: CachedPlace) -> None:
        """Store a place in memory."""
        with self._lock:
            self._drop(key)
            self._places[key] = place, self._clock()
            self._last[key.app, key.target] = key
            self._bytes += place.patch.bytes
            while self._bytes > MEMORY_BYTES:
                self._drop(next(iter(self._places)))

    def judge(self, app: str, target: Target, held: bool) -> None:
        """
        Report the outcome of the last used place for a target: with `held` it is written to the folder (a place chosen by a
        person stays in memory only), else it is forgotten in both.
        """
        with self._lock:
            key = self._last.pop((app, target), None)
            if key is None:
                return
            place = self._places[key][0]
            if not held:
                self._drop(key)
            elif place.searched:
                return
            elif not place.proved:
                self.put(key, replace(place, proved=True))
        if self._files is not None and not held:
            self._files.remove(*key)
        elif self._files is not None and not place.chosen:
            self._files.save(*key, place.element, place.patch)

    def take(self, key: PlaceKey) -> CachedPlace | None:
        """Return the place in memory for a key, proved or not, and forget it; the next `judge` then has no effect."""
        with self._lock:
            self._last.pop((key.app, key.target), None)
            known = self._places.get(key)
            self._drop(key)
        return known[0] if known is not None else None

    def clear(self, app: str | None = None) -> None:
        """Forget the places of that app, or of all apps, also in the folder."""
        with self._lock:
            for key in [key for key in self._places if app in (None, key.app)]:
                self._drop(key)
        if self._files is not None:
            self._files.clear(app)

    def _drop(self, key: PlaceKey) -> None:
        known = self._places.pop(key, None)
        if self._last.get((key.app, key.target)) == key:
            del self._last[key.app, key.target]
        if known is not None:
            self._bytes -= known[0].patch.bytes


class CacheStrategy:
    """
    Returns the place where another strategy found the target, if the live frame confirms it (matching/fingerprint.py).

    It learns certain matches: reliable, with LEAST_SURE or more, and unique. Of a model's matches with less confidence it
    learns those that were found again on another frame, or whose step succeeded. Its confidence is below that of the first
    match, and never 1.0. A place is written to the folder when the step that used it has succeeded, and forgotten when it
    has failed. `app` separates the places of different apps.

    A target that is chosen among several elements (by ordinal, position, relation), or that names a node of the tree, is
    confirmed only on a frame on which nothing but details changed: "the second 删除" of a list that has scrolled is another
    one. If more than a detail appeared, `reader` reads the frame: a text that does not occur in the new parts is still
    unique. Without a reader, and for a target without text, the place is not used then. Thread-safe.
    """

    def __init__(self, places: PlaceCache | None = None, *, app: str = "", reader: TextReader | None = None) -> None:
        self._places = places or PlaceCache()
        self._app = app
        self._reader = reader

    @property
    def name(self) -> str:
        return "cache"

    def accepts(self, target: Target) -> str | None:
        return None

    def locate(self, target: Target, screen: Screen) -> Match | None:
        place = self._places.get(PlaceKey(self._app, screen.size, target))
        if place is None:
            return Match((), "nothing is remembered of it")
        known = place.element
        doubt = place.patch.doubt(
            screen,
            same_page=place.chosen or _depends_on_position(target),
            holds_another=partial(self._holds_another, target, known, screen),
        )
        if doubt:
            return Match((), doubt)
        about = {**known.metadata, "found_by": known.source, "evidence": "in place"}
        confidence = min(1.0, known.confidence) * STILL_THERE
        found = replace(known, confidence=confidence, source="cache", metadata=about)
        return Match((found,), f"in place, as found by {known.source}", settled=True)

    def learn(self, target: Target, screen: Screen, element: UIElement) -> None:
        """Remember a match of another strategy, unless it is doubtful or its surroundings cannot identify it."""
        key = PlaceKey(self._app, screen.size, target)
        is_sure = element.confidence >= LEAST_SURE
        before = self._places.take(key)
        if not element.reliable or element.candidates or not (is_sure or element.source == ASKS_A_MODEL):
            return
        proved = is_sure or (before is not None and before.is_confirmed_by(element, screen))
        if place := CachedPlace.of(element, screen, proved=proved):
            self._places.put(key, place)

    def choose(self, target: Target, screen: Screen, element: UIElement) -> None:
        """
        Remember in memory which of several elements a person chose, whatever its confidence. Perhaps only its position
        distinguishes it from the others, so it is valid only while nothing but details changes on the page.
        """
        if place := CachedPlace.of(replace(element, confidence=1.0, reliable=True), screen, chosen=True):
            self._places.put(PlaceKey(self._app, screen.size, target), place)

    def judge(self, target: Target, held: bool) -> None:
        """Report whether the step that acted on `target` succeeded (`held`)."""
        self._places.judge(self._app, target, held)

    def confirm(self, element: UIElement, screen: Screen) -> bool | None:
        """Return True if a remembered element is still there, False if not; None if it is not remembered."""
        place = self._places.at(element.bbox, screen.size)
        return None if place is None else place.patch.matches(screen)

    def clear(self) -> None:
        """Forget the places of this app only (see PlaceCache.clear)."""
        self._places.clear(self._app)

    def _holds_another(self, target: Target, known: UIElement, screen: Screen, come_up: list[Box]) -> bool:
        """
        Return True if the target's text, or a possible reading of it, occurs in the new parts `come_up`. Also True for
        words other than the known element's label: any new element may fit them better.
        """
        if self._reader is None or not target.text or not _has_label(known, target.text):
            return True
        try:
            lines = read_lines(self._reader, screen)
        except HandeyeError:
            return True
        here = known.label_box or known.bbox
        new = [line for line in lines if any(line.box.intersect(part) for part in come_up)]
        return bool(match_text(target.text, [line for line in new if not here.contains(line.box.center)]))


def _has_label(element: UIElement, text: str) -> bool:
    """Return True if the element's own label is the requested text; unknown, so False, for a model's match."""
    label = element.text or element.description
    return element.source != ASKS_A_MODEL and bool(match_text(text, [TextLine(label, element.bbox, 1.0)]))


def _depends_on_position(target: Target) -> bool:
    """Return True if only the position distinguishes the target from others that look the same."""
    return (
        target.chooses or bool(target.id or target.path) or not (target.text or target.reference or target.description)
    )
