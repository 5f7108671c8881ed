"""States that were printed, kept between two commands, so that a number means what it meant when it was read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
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

_FORMAT: Final = 5
_LIST_FIRST: Final = "list its elements first: handeye state"


@dataclass(frozen=True, slots=True)
class KeptState:
    """
    What of a state is needed to know its elements again. `window` is the system's number, `process` whose it was; `objects` are
    those of its application, of elements that have likes (`handeye.desktop.objects`); the rest is as in the state.
    """

    window: int
    process: int | None
    title: str
    infer: bool
    vision: bool
    identities: tuple[Identity, ...]
    looks: Mapping[int, int] = field(default_factory=dict)
    pictures: Mapping[int, str] = field(default_factory=dict)
    objects: Mapping[int, str] = field(default_factory=dict)

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
        told = {
            "format": _FORMAT,
            "window": state.window.id,
            "process": state.window.process,
            "title": state.window.title,
            "infer": state.infer,
            "vision": state.vision,
            "looks": {str(number): digest for number, digest in state.looks.items()},
            "pictures": {str(number): look for number, look in state.pictures.items()},
            "objects": {str(number): object for number, object in objects_of_twins(state).items()},
            "elements": state.identities,
        }
        written = json.dumps(told).encode()
        for name in (str(state.window.id), "last"):
            write_bytes(self._folder / f"{name}.json", written, private=True, remedy=REMEDY)

    def last(self, window: int | None = None) -> KeptState:
        """The last state that was printed of a window; without one, of any. Raises UsageError when there is none."""
        path = self._folder / f"{'last' if window is None else window}.json"
        try:
            return _read(json.loads(path.read_bytes()))
        except FileNotFoundError:
            raise UsageError(f"no numbers are known of this window; {_LIST_FIRST}") from None
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:  # of another version, or damaged
            raise UsageError(f"the numbers that were kept cannot be read ({error}); {_LIST_FIRST}") from error


def _read(told: Mapping[str, Any]) -> KeptState:
    if told["format"] != _FORMAT:
        raise ValueError(f"they are of format {told['format']!r}")
    return KeptState(
        int(told["window"]),
        None if told["process"] is None else int(told["process"]),
        str(told["title"]),
        bool(told["infer"]),
        bool(told["vision"]),
        tuple(
            Identity(
                str(role),
                str(name),
                Box(*map(int, place)),
                tuple(map(str, path)),
                tuple(map(str, among)),
                int(rank),
                int(likes),
            )
            for role, name, place, path, among, rank, likes in told["elements"]
        ),
        {int(number): int(digest) for number, digest in told["looks"].items()},
        {int(number): str(look) for number, look in told["pictures"].items()},
        {int(number): str(object) for number, object in told["objects"].items()},
    )
