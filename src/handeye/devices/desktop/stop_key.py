"""Which key a person ends a run with."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final

from handeye.devices.desktop.keys import Key, key_named
from handeye.errors import UsageError

STOP_KEY_VARIABLE: Final = "HANDEYE_PANIC_KEY"
"""The environment variable that names it for every desktop that is opened by its URI."""

# Texts are written with these, as with letters; on Linux no program gets a key that is watched.
_WRITTEN_WITH: Final = frozenset({"enter", "tab", "space", "backspace"})


def stop_key_named(name: str) -> Key:
    """Raises UsageError for what is no key, and for one that texts and key combinations are made of."""
    key = key_named(name)
    if key.modifier or len(key.name) == 1 or key.name in _WRITTEN_WITH:
        raise UsageError(f"{key.name!r} cannot be the stop key, as it is written with: name another one, such as pause")
    return key


@dataclass(frozen=True, slots=True)
class StopKey:
    """A key that ends a run, and where it was named."""

    key: Key
    place: str

    @classmethod
    def of(cls, named: StopKey | str) -> StopKey:
        """Raises UsageError as stop_key_named."""
        return named if isinstance(named, StopKey) else cls(stop_key_named(named), "panic_key")


def stop_key_of(asked: str | None) -> StopKey | None:
    """
    The stop key that a device URI asks for, else that of the environment; None where that is empty. Raises UsageError, which
    says where the name stands, for one that cannot be the stop key.
    """
    name, place = (os.environ.get(STOP_KEY_VARIABLE, ""), STOP_KEY_VARIABLE) if asked is None else (asked, "?panic_key")
    if not name.strip():
        return None
    try:
        return StopKey(stop_key_named(name), place)
    except UsageError as error:
        raise UsageError(f"{place}: {error}") from error
