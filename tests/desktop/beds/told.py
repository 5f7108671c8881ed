"""State reports of a test application: JSON lines on standard output, one whenever the state has changed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

LOOK_MS = 20
"""How often an application looks at its own state. Drags and typing are over in many times that."""


class Told:
    """
    `state` reads the whole state; `tell` writes it when it is not what was written last.

    `clicks` counts what was clicked, by name; `menu` lists the menu entries that were chosen, in their order.
    """

    def __init__(self, state: Callable[[], Mapping[str, Any]]) -> None:
        self._state = state
        self._last = ""
        self.clicks: Counter[str] = Counter()
        self.menu: list[str] = []

    def tell(self) -> None:
        line = json.dumps({**self._state(), "clicks": self.clicks, "menu": self.menu}, ensure_ascii=False)
        if line != self._last:
            self._last = line
            print(line, flush=True)
