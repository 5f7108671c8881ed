"""States that were printed, kept between two commands, so that a number means what it meant when it was read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from handeye.desktop.identity import Identity
from handeye.desktop.objects import objects_of_twins
from handeye.desktop.state import WindowState
from handeye.devices.desktop.base import shortened
from handeye.devices.state import REMEDY, state_folder
from handeye.errors import UsageError
from handeye.files import write_bytes
from handeye.geometry import Box

_LIST_FIRST: Final = "list its elements first: handeye state"


@dataclass(frozen=True)
class KeptState:
    """
    The part of a state by which its elements are known again. `window` is the system's number, `process` whose it was;
    `objects` are those of its application, of elements that have likes (`handeye.desktop.objects`).
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
    def of(cls, state: WindowState) -> KeptState:
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
            objects_of_twins(state),
        )

    def identity(self, number: int) -> Identity:
        """Raises UsageError for a number that was not listed."""
        if not 1 <= number <= len(self.identities):
            raise UsageError(
                f"{number} is none of the {len(self.identities)} elements that were listed of {shortened(self.title)!r}"
            )
        return self.identities[number - 1]


class KeptStates:
    """
    The last state of each window of the desktop `uri`, in files below `folder` (the state folder by default) that only their
    owner can read.
    """

    def __init__(self, uri: str, folder: Path | None = None) -> None:
        named = hashlib.sha256(uri.encode("utf-8", "surrogateescape")).hexdigest()[:32]
        self._folder = (state_folder() if folder is None else folder) / "desktop" / named

    def keep(self, state: WindowState) -> None:
        """Remember a state as the last one. Raises WriteFailed."""
        written = json.dumps(vars(KeptState.of(state))).encode()
        for name in (str(state.window.id), "last"):
            write_bytes(self._folder / f"{name}.json", written, private=True, remedy=REMEDY)

    def last(self, window: int | None = None) -> KeptState:
        """The last state that was printed of a window; without one, of any. Raises UsageError when there is none."""
        path = self._folder / f"{'last' if window is None else window}.json"
        try:
            told = json.loads(path.read_bytes())
        except FileNotFoundError:
            raise UsageError(f"no numbers are known of this window; {_LIST_FIRST}") from None
        except (OSError, ValueError) as error:
            raise UsageError(f"the numbers that were kept cannot be read ({error}); {_LIST_FIRST}") from error
        try:
            return _read(told)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise UsageError(f"the numbers that were kept were written by another version; {_LIST_FIRST}") from error


def _read(told: Mapping[str, Any]) -> KeptState:
    kept = KeptState(**told)
    identities = tuple(
        Identity(role, name, Box(*place), tuple(path), tuple(among), rank, likes)
        for role, name, place, path, among, rank, likes in kept.identities
    )
    by_number: dict[str, Any] = {
        name: {int(number): kept for number, kept in told[name].items()} for name in ("looks", "pictures", "objects")
    }
    return replace(kept, identities=identities, **by_number)
