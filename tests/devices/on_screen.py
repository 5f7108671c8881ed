"""Finding places on the virtual phone by its accessibility tree, and waiting for what happens there."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from xml.etree import ElementTree

from handeye.devices import ADBController


def centre_of(phone: ADBController, **wanted: str) -> tuple[int, int]:
    """The centre of the first node that has these attributes."""
    for node in ElementTree.fromstring(phone.dump_hierarchy()).iter("node"):
        if all(node.get(name.replace("_", "-")) == value or node.get(name) == value for name, value in wanted.items()):
            left, top, right, bottom = map(int, re.findall(r"\d+", node.get("bounds", "")))
            return (left + right) // 2, (top + bottom) // 2
    raise AssertionError(f"nothing on the screen has {wanted}")


def wait_until(condition: Callable[[], bool], *, seconds: float = 120.0) -> None:
    """Poll until the condition holds. Fails at the deadline."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.005)
