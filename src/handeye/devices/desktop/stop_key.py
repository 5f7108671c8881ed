"""Parse the key with which the user ends a run."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final

from handeye.devices.desktop.keys import Key, key_named
from handeye.errors import UsageError

STOP_KEY_VARIABLE: Final = "HANDEYE_PANIC_KEY"
"""Environment variable that sets the stop key for every desktop opened by URI."""

# Keys that are part of typing text, like letters; on Linux no program receives a watched key.
_TEXT_KEYS: Final = frozenset({"enter", "tab", "space", "backspace"})


def stop_key_named(name: str) -> Key:
    """Return the key. Raises UsageError for an unknown key, and for keys that texts and key combinations contain."""
    key = key_named(name)
    if key.modifier or len(key.name) == 1 or key.name in _TEXT_KEYS:
        raise UsageError(f"{key.name!r} cannot be the stop key, as it is written with: name another one, such as pause")
    return key


@dataclass(frozen=True, slots=True)
class StopKey:
    """A key that ends a run, and the setting that named it."""

    key: Key
    place: str

    @classmethod
    def of(cls, named: StopKey | str) -> StopKey:
        """Return the stop key. Raises UsageError as stop_key_named."""
        return named if isinstance(named, StopKey) else cls(stop_key_named(named), "panic_key")


def stop_key_of(asked: str | None) -> StopKey | None:
    """
    Return the stop key that a device URI asks for, else that of the environment; None if empty. Raises UsageError,
    which names the setting, for a key that cannot be the stop key.
    """
    name, place = (os.environ.get(STOP_KEY_VARIABLE, ""), STOP_KEY_VARIABLE) if asked is None else (asked, "?panic_key")
    if not name.strip():
        return None
    try:
        return StopKey(stop_key_named(name), place)
    except UsageError as error:
        raise UsageError(f"{place}: {error}") from error
