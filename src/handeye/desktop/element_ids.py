"""Numbers of listed elements: resolve a number later to the same element, or raise StateChanged."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from handeye.desktop.appearance import is_alike
from handeye.desktop.identity import Identity
from handeye.desktop.native_ids import duplicate_ids, native_id_change
from handeye.desktop.snapshot_reader import SnapshotReader, inside
from handeye.desktop.state import WindowState
from handeye.devices import REMEDY, Window, shortened, state_folder
from handeye.elements import UIElement
from handeye.errors import StateChanged, UsageError
from handeye.files import write_bytes
from handeye.geometry import Box
from handeye.perceive import PIXEL_SOURCES, VISION_SOURCE, Detection

_LIST_FIRST: Final = "list its elements first: handeye state"


@dataclass(frozen=True)
class SavedState:
    """
    The part of a state that identifies its elements later, stored between two commands. `window` is the system's window id,
    `process` its process; `objects` are the native ids of elements with duplicates (`handeye.desktop.native_ids`).
    """

    window: int
    process: int | None
    title: str
    infer: bool
    vision: bool
    identities: tuple[Identity, ...]
    looks: Mapping[int, int]
    pictures: Mapping[int, str]
    objects: Mapping[int, str]

    @classmethod
    def of(cls, state: WindowState) -> SavedState:
        window = state.window
        return cls(
            window.id,
            window.process,
            window.title,
            state.infer,
            state.vision,
            state.identities,
            dict(state.looks),
            dict(state.pictures),
            duplicate_ids(state),
        )

    def identity(self, number: int) -> Identity:
        """Return the identity of a listed element. Raises UsageError for a number that was not listed."""
        if not 1 <= number <= len(self.identities):
            raise UsageError(
                f"{number} is none of the {len(self.identities)} elements that were listed of {shortened(self.title)!r}"
            )
        return self.identities[number - 1]


class SavedStates:
    """
    Files with the last state of each window of the desktop `uri`, below `folder` (the state folder by default), readable only
    by their owner.
    """

    def __init__(self, uri: str, folder: Path | None = None) -> None:
        named = hashlib.sha256(uri.encode("utf-8", "surrogateescape")).hexdigest()[:32]
        self._folder = (state_folder() if folder is None else folder) / "desktop" / named

    def keep(self, state: WindowState) -> None:
        """Remember a state as the last one. Raises WriteFailed."""
        written = json.dumps(vars(SavedState.of(state))).encode()
        for name in (str(state.window.id), "last"):
            write_bytes(self._folder / f"{name}.json", written, private=True, remedy=REMEDY)

    def last(self, window: int | None = None) -> SavedState:
        """Return the last state of a window; without a window, the last of any. Raises UsageError if there is none."""
        path = self._folder / f"{'last' if window is None else window}.json"
        try:
            saved = json.loads(path.read_bytes())
        except FileNotFoundError:
            raise UsageError(f"no numbers are known of this window; {_LIST_FIRST}") from None
        except (OSError, ValueError) as error:
            raise UsageError(f"the numbers that were kept cannot be read ({error}); {_LIST_FIRST}") from error
        try:
            return _read(saved)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise UsageError(f"the numbers that were kept were written by another version; {_LIST_FIRST}") from error


def _read(told: Mapping[str, Any]) -> SavedState:
    kept = SavedState(**told)
    identities = tuple(
        Identity(role, name, Box(*place), tuple(path), tuple(among), rank, likes)
        for role, name, place, path, among, rank, likes in kept.identities
    )
    by_number: dict[str, Any] = {
        name: {int(number): kept for number, kept in told[name].items()} for name in ("looks", "pictures", "objects")
    }
    return replace(kept, identities=identities, **by_number)


# Least IoU of the same element: a parser's boxes differ by a pixel when a control is highlighted.
_SAME_PLACE: Final = 0.7


class ElementIds:
    """The last list of each window, and the resolution of its numbers in the current state, read by `looking`."""

    def __init__(self, looking: SnapshotReader) -> None:
        self._looking = looking
        self._known: dict[int, SavedState] = {}
        self._last: int | None = None

    def keep(self, known: SavedState) -> None:
        """Make this list the current one of its window."""
        self._known[known.window] = known
        self._last = known.window

    def relist(self, window: Window, *, infer: bool, vision: bool) -> WindowState:
        """Return the state of a window, and make its numbers the current ones."""
        state = self._looking.read_to_keep(window, infer=infer, vision=vision)
        self.keep(SavedState.of(state))
        return state

    def listed(self, window: Window | None) -> tuple[SavedState, Window]:
        """
        Return the last list of `window` (of any, without one) and the window's current state. Raises UsageError if there is no
        list, StateChanged if the window was closed.
        """
        at = self._last if window is None else window.id
        if at is None or at not in self._known:
            raise UsageError("no elements were listed of this window yet; list them first: handeye state")
        known = self._known[at]
        now = self._looking.backend.window(at)
        if now is None or now.process != known.process:
            raise StateChanged(f"the window {shortened(known.title)!r} was closed")
        return known, now

    def number_in(self, known: SavedState, state: WindowState, number: int | None) -> int | None:
        """Return the number in an older list of the element `number` of `state`; None if it was not listed."""
        if number is None:
            return None
        identity = state.identities[number - 1]
        return known.identities.index(identity) + 1 if identity in known.identities else None

    def current(self, known: SavedState, window: Window, number: int) -> tuple[WindowState, int]:
        """
        Return the window's current state, and the number of the listed element in it. Raises StateChanged with a fresh list if
        the element is another one, has moved or has other texts around it, and UsageError for a number that was not listed.
        """
        wanted = known.identity(number)
        if number in known.looks:
            return self._resolve_seen(known, window, number)
        fresh = self._looking.read(window, infer=known.infer, vision=False)
        now = fresh.number_of(wanted)
        change = self._change(known, number, fresh, now)
        if now is None or change is not None:
            listed = self.relist(fresh.window, infer=known.infer, vision=known.vision)
            raise StateChanged(f"[{number}] {change}", listed)
        return fresh, now

    def _change(self, known: SavedState, number: int, fresh: WindowState, now: int | None) -> str | None:
        """Return the change of a listed element, which has the number `now`; None if it is the same."""
        wanted = known.identity(number)
        if now is None:
            return _difference(wanted, number, fresh)
        if number in known.objects and (change := native_id_change(known.objects[number], fresh, now)) is not None:
            return change
        if number in known.pictures and not self._looks_alike(known.pictures[number], fresh, now):
            return f"{'the row of ' if wanted.name else ''}the {wanted.called} does not look as it did"
        return None

    def _looks_alike(self, kept: str, state: WindowState, number: int) -> bool:
        box = inside(state.drawn(number), state.window)
        picture = self._looking.picture(state.window)
        return box.intersect(picture.box) == box and is_alike(kept, picture, box)

    def _resolve_seen(self, known: SavedState, window: Window, number: int) -> tuple[WindowState, int]:
        """Resolve an element that was only seen, if it looks the same; a duplicate also by the texts of its row."""
        wanted = known.identity(number)
        box = wanted.place.translate(window.box.left, window.box.top)
        as_it_was = self._looking.picture(window).crop(inside(box, window)).digest == known.looks[number]
        if not as_it_was or (wanted.among and self._looking.is_offline):
            seen = self._looking.read_to_keep(window, infer=known.infer, vision=True)
            now = _seen_again(wanted, seen) if wanted.name or as_it_was else None
            if now is None:
                self.keep(SavedState.of(seen))
                change = "stands elsewhere, or among other texts" if as_it_was else "does not look as it did"
                raise StateChanged(f"[{number}] the {wanted.called} {change}", seen)
            box = now
        element = UIElement(wanted.role, wanted.name, box, source=VISION_SOURCE, id=1)
        return WindowState(window, Detection((element,), (None,)), known.infer, True), 1


def _seen_again(wanted: Identity, state: WindowState) -> Box | None:
    """
    Return the box, in desktop pixels, of an element that was only seen and may look slightly different, because of the pointer
    or a caret. None if it has moved, has other texts around it, or was reported only by a model.
    """
    same = [
        each.bbox
        for each, now in zip(state.elements, state.identities, strict=True)
        if each.source in PIXEL_SOURCES - {VISION_SOURCE}
        and (now.role, now.name, now.among) == (wanted.role, wanted.name, wanted.among)
        and now.place.iou(wanted.place) >= _SAME_PLACE
    ]
    return same[0] if len(same) == 1 else None


def _difference(wanted: Identity, number: int, fresh: WindowState) -> str:
    """Return the change of an element: how the most similar one differs, or that it is gone."""
    same = [each for each in fresh.identities if (each.role, each.name) == (wanted.role, wanted.name)]
    likely = [each for each in same if (each.place, each.path) == (wanted.place, wanted.path)]
    likely += [each for each in fresh.identities[number - 1 : number] if each in same]
    if wanted.name and len(same) == 1:
        likely += same
    return f"the {wanted.called} {wanted.difference(likely[0]) if likely else 'is no longer where it was'}"
