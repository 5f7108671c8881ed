"""The first strategy: what was found before, when the live frame shows that it is still there."""

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
from handeye.locate.base import Match
from handeye.locate.cache_files import PlaceFiles
from handeye.locate.chain import ASKS_A_MODEL
from handeye.locate.match_text import match_text
from handeye.locate.patch import HoldsAnother, Patch
from handeye.locate.reading import lines_on
from handeye.locate.text_forms import is_ideograph
from handeye.ocr.base import TextLine, TextReader
from handeye.screen import Screen
from handeye.target import Target

# Seed 001: a result may be used again for at most so many seconds.
MEMORY_S: Final = 30.0
# Pictures of surroundings take 0.3 MB each on a phone: a hundred of them.
MEMORY_BYTES: Final = 32 * 2**20
# "Sure" in seed 001. What was found with less doubt is looked for again.
LEAST_SURE: Final = 0.8
# A picture that is equal says that the place is the same, not that the first find was right: never surer than that.
STILL_THERE: Final = 0.98
MOVED: Final = 0.95
# The smallest letters, as a share of the frame's shorter side (12 px of 1080), and the width of a Latin one in shares of that.
_LEAST_LETTERS: Final = 1 / 90
_LATIN_EM: Final = 0.5
# From this share on (IoU) two looks have found one place.
_SAME_PLACE: Final = 0.5
# How many targets are kept in mind until the step that used them says how it went.
_PENDING: Final = 256
_UNPROVED: Final = 16  # finds of a model, 0.3 MB each, until another look or the step proves them


class PlaceKey(NamedTuple):
    """Under what a place is remembered."""

    app: str
    size: Size
    target: Target


@dataclass(frozen=True, eq=False, slots=True)
class Remembered:
    """An element as it was found, and what stood around it; `chosen`: by a person, from several that fit."""

    element: UIElement
    patch: Patch
    chosen: bool = False

    @classmethod
    def of(cls, element: UIElement, screen: Screen, *, chosen: bool = False) -> Remembered | None:
        """None when the picture around it would prove nothing."""
        patch = Patch.take(screen, element.label_box or element.bbox)
        return cls(element, patch, chosen) if patch is not None else None

    def find(
        self, screen: Screen, *, same_page: bool = False, holds_another: HoldsAnother | None = None
    ) -> tuple[UIElement | None, str]:
        """The element where it stands on that frame, or None and why not; `holds_another` as for Patch.find."""
        least = _least_words(self.element, screen.size)
        here, note = self.patch.find(screen, same_page=same_page, another=least, holds_another=holds_another)
        if here is None:
            return None, note
        dx, dy = here.left - self.patch.core.left, here.top - self.patch.core.top
        known = self.element
        return replace(
            known,
            bbox=known.bbox.translate(dx, dy),
            label_box=known.label_box and known.label_box.translate(dx, dy),
            visible_region=_visible(known.visible_region, dx, dy, screen),
            confidence=min(1.0, known.confidence) * (MOVED if dx or dy else STILL_THERE),
            source="cache",
            metadata={**known.metadata, "found_by": known.source, "evidence": note},
        ), note


class _UnprovedFind(NamedTuple):
    """A model's unsure find, on the frame with that digest; `is_last`: its target was not searched for since."""

    key: PlaceKey
    place: Remembered
    digest: int
    is_last: bool = True


class PlaceCache:
    """
    Places in memory, for at most MEMORY_S seconds each, and in `folder` when there is one. Safe to share between threads.

    The least recently used ones go first when MEMORY_BYTES are full. `clock` counts seconds.
    """

    def __init__(self, folder: Path | None = None, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._files = PlaceFiles(folder) if folder is not None else None
        self._clock = clock
        self._lock = threading.Lock()
        self._places: OrderedDict[PlaceKey, tuple[Remembered, float]] = OrderedDict()
        self._bytes = 0

    def get(self, key: PlaceKey) -> Remembered | None:
        """Return the place that is remembered under a key, from memory or else from the folder."""
        with self._lock:
            known = self._places.get(key)
            if known is not None and self._clock() - known[1] < MEMORY_S:
                self._places.move_to_end(key)
                return known[0]
            self._drop(key)
        kept = self._files.load(*key) if self._files else None
        if kept is None:
            return None
        place = Remembered(*kept)
        self.put(key, place)
        return place

    def at(self, box: Box, size: Size) -> Remembered | None:
        """The place in memory whose element has that box on a frame of that size."""
        with self._lock:
            for key, (place, since) in self._places.items():
                if place.element.bbox == box and key.size == size and self._clock() - since < MEMORY_S:
                    return place
        return None

    def put(self, key: PlaceKey, place: Remembered) -> None:
        """Remember it in memory."""
        with self._lock:
            self._drop(key)
            self._places[key] = place, self._clock()
            self._bytes += place.patch.bytes
            while self._bytes > MEMORY_BYTES:
                self._drop(next(iter(self._places)))

    def keep(self, key: PlaceKey) -> None:
        """Write what memory holds under that key to the folder; what a person chose stays in memory."""
        with self._lock:
            known = self._places.get(key)
        if known is not None and not known[0].chosen and self._files is not None:
            self._files.save(*key, known[0].element, known[0].patch)

    def forget(self, key: PlaceKey) -> None:
        """In memory and in the folder."""
        with self._lock:
            self._drop(key)
        if self._files is not None:
            self._files.remove(*key)

    def clear(self, app: str | None = None) -> None:
        """Forget what is remembered for that app, or for all of them; in the folder too."""
        with self._lock:
            for key in [key for key in self._places if app in (None, key.app)]:
                self._drop(key)
        if self._files is not None:
            self._files.clear(app)

    def _drop(self, key: PlaceKey) -> None:
        known = self._places.pop(key, None)
        if known is not None:
            self._bytes -= known[0].patch.bytes


class CacheStrategy:
    """
    Answers with the place where another strategy found the target, once the live frame confirms it (locate/patch.py).

    It learns what was found for certain: reliable, with LEAST_SURE or more, the only one; of what a model has found with less,
    it learns what it finds again on another frame, and what the step that used it has proved. It is sure of less than the first
    find was, and never of 1.0. A place goes to the folder once the step that used it was proved, and is forgotten when that
    step failed. `app` keeps the places of one app from those of another.

    A target that chooses among several places (by ordinal, position, relation), or that names a node of the tree, is confirmed
    only on a frame on which nothing but details changed: "the second 删除" of a list that moved on is another one.
    Where something came up that is large enough to hold a second one, `reader` reads the frame: a text that is not among what
    came up is still the only one. Without a reader, and for what is no text, the place is not used then.
    Safe to share between threads.
    """

    def __init__(self, places: PlaceCache | None = None, *, app: str = "", reader: TextReader | None = None) -> None:
        self._places = places or PlaceCache()
        self._app = app
        self._reader = reader
        self._lock = threading.Lock()
        self._pending: OrderedDict[Target, PlaceKey] = OrderedDict()
        self._unproved: OrderedDict[Target, _UnprovedFind] = OrderedDict()

    @property
    def name(self) -> str:
        return "cache"

    def accepts(self, target: Target) -> str | None:
        return None

    def locate(self, target: Target, screen: Screen) -> Match | None:
        key = PlaceKey(self._app, screen.size, target)
        with self._lock:
            if target in self._unproved:  # this search may find another place, which a step then proves
                self._unproved[target] = self._unproved[target]._replace(is_last=False)
        place = self._places.get(key)
        if place is None:
            return Match((), "nothing is remembered of it")
        element, note = place.find(
            screen,
            same_page=place.chosen or _told_by_its_place(target),
            holds_another=partial(self._holds_another, target, place.element, screen),
        )
        if element is None or _leaves(element.bbox, target, screen):
            return Match((), note)
        self._await_judgement(target, key)
        return Match((element,), f"{note}, as found by {place.element.source}", settled=True)

    def learn(self, target: Target, screen: Screen, element: UIElement) -> None:
        """Remember what another strategy found; what is doubtful or proves nothing is not remembered."""
        key = PlaceKey(self._app, screen.size, target)
        with self._lock:
            self._pending.pop(target, None)
            before = self._unproved.pop(target, None)
        is_sure = element.confidence >= LEAST_SURE
        if not element.reliable or element.candidates or not (is_sure or element.source == ASKS_A_MODEL):
            return
        place = Remembered.of(element, screen)
        if place is None:
            return
        if is_sure or (before is not None and _is_found_again(before, key, element, screen)):
            self._places.put(key, place)
            self._await_judgement(target, key)
            return
        with self._lock:
            self._unproved[target] = _UnprovedFind(key, place, screen.digest)
            while len(self._unproved) > _UNPROVED:
                self._unproved.popitem(last=False)

    def choose(self, target: Target, screen: Screen, element: UIElement) -> None:
        """
        Remember, in memory, which of several places a person has chosen, however sure it was before. Only the page may tell
        it from the others, so that it counts as long as nothing but details changed there.
        """
        key = PlaceKey(self._app, screen.size, target)
        place = Remembered.of(replace(element, confidence=1.0, reliable=True), screen, chosen=True)
        if place is not None:
            self._places.put(key, place)
            self._await_judgement(target, key)

    def judge(self, target: Target, held: bool) -> None:
        """The step that acted on `target` was proved (`held`), or it failed."""
        with self._lock:
            key = self._pending.pop(target, None)
            unproved = self._unproved.pop(target, None)
        if key is None and unproved is not None and unproved.is_last and held:
            key = unproved.key
            self._places.put(key, unproved.place)
        if key is None:
            return
        if held:
            self._places.keep(key)
        else:
            self._places.forget(key)

    def confirm(self, element: UIElement, screen: Screen) -> bool | None:
        """Return True if a remembered element still stands there; None when no picture of it is remembered."""
        place = self._places.at(element.bbox, screen.size)
        if place is None:
            return None
        return place.patch.stands(screen)

    def clear(self) -> None:
        """Forget what is remembered for this app; other apps that share the places keep theirs (see PlaceCache.clear)."""
        with self._lock:
            self._pending.clear()
            self._unproved.clear()
        self._places.clear(self._app)

    def _holds_another(self, target: Target, known: UIElement, screen: Screen, here: Box, come_up: list[Box]) -> bool:
        """
        Return True if the target's text, or what may be read for it, stands anywhere in `come_up` but at `here`, and for words
        that are not those on the element that is known: anything may suit them better.
        """
        if self._reader is None or not target.text or not _reads_so(known, target.text):
            return True
        try:
            lines = lines_on(self._reader, screen)
        except HandeyeError:
            return True
        new = [line for line in lines if any(line.box.intersect(part) for part in come_up)]
        elsewhere = [line for line in new if not here.expand(here.height // 2).contains(line.box.center)]
        return bool(match_text(target.text, elsewhere))

    def _await_judgement(self, target: Target, key: PlaceKey) -> None:
        with self._lock:
            self._pending[target] = key
            while len(self._pending) > _PENDING:
                self._pending.popitem(last=False)


def _is_found_again(before: _UnprovedFind, key: PlaceKey, element: UIElement, screen: Screen) -> bool:
    """Return True if an earlier find on another frame still stands, at the place that was found now."""
    if before.key != key or before.digest == screen.digest:
        return False
    here, _note = before.place.find(screen)
    return here is not None and here.bbox.iou(element.bbox) >= _SAME_PLACE


def _reads_so(element: UIElement, text: str) -> bool:
    """Return True if an element's own label is what was said; of what a model has found, that is not known."""
    label = element.text or element.description
    return element.source != ASKS_A_MODEL and bool(match_text(text, [TextLine(label, element.bbox, 1.0)]))


def _told_by_its_place(target: Target) -> bool:
    """Return True if only its place tells a target from others that look the same."""
    return (
        target.chooses or bool(target.id or target.path) or not (target.text or target.reference or target.description)
    )


def _least_words(element: UIElement, size: Size) -> Size | None:
    """Return the least size of a control's words elsewhere, where only the whole control is known; None where its words are."""
    text = "".join(element.text.split())
    if element.label_box is not None or element.source == "ocr" or not text:
        return None
    height = min(element.bbox.height, round(_LEAST_LETTERS * min(size)))
    ems = sum(1.0 if is_ideograph(character) else _LATIN_EM for character in text)
    return Size(min(element.bbox.width, round(ems * height)), height)


def _leaves(box: Box, target: Target, screen: Screen) -> bool:
    """Return True if a place has moved out of the region that its target is asked for in."""
    return target.region is not None and not target.region.box(screen.size).contains(box.center)


def _visible(region: Box | None, dx: int, dy: int, screen: Screen) -> Box | None:
    return None if region is None else region.translate(dx, dy).intersect(screen.box)
