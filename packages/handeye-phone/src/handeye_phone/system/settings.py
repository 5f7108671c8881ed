"""The settings tables that `settings get|put|list` reads and writes."""

from __future__ import annotations

from collections.abc import Callable

NAMESPACES = ("system", "secure", "global")


class SettingsStore:
    """Three tables of text; a listener is called on each change, so that the phone applies what a command writes."""

    def __init__(self, listener: Callable[[str, str, str | None], None]) -> None:
        self._tables: dict[str, dict[str, str]] = {name: {} for name in NAMESPACES}
        self._listener = listener

    def get(self, namespace: str, key: str) -> str | None:
        """Return the value, or None. Raises KeyError for an unknown namespace."""
        return self._tables[namespace].get(key)

    def put(self, namespace: str, key: str, value: str) -> None:
        """Write a value and notify the listener."""
        self._tables[namespace][key] = value
        self._listener(namespace, key, value)

    def put_silently(self, namespace: str, key: str, value: str) -> None:
        """Write a value that the phone decided, without notifying the listener."""
        self._tables[namespace][key] = value

    def delete(self, namespace: str, key: str) -> bool:
        """Remove a value. Return True if there was one."""
        if self._tables[namespace].pop(key, None) is None:
            return False
        self._listener(namespace, key, None)
        return True

    def items(self, namespace: str) -> list[tuple[str, str]]:
        """Return all pairs, sorted by key."""
        return sorted(self._tables[namespace].items())

    def flag(self, namespace: str, key: str) -> bool:
        """Return True if the value is `1`."""
        return self.get(namespace, key) == "1"
