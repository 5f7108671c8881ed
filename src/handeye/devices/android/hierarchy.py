"""The accessibility tree as `uiautomator dump` writes it, and the field that has the focus."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from xml.etree import ElementTree

from handeye.devices.android.hierarchy_xml import repaired
from handeye.devices.android.link import Link
from handeye.devices.android.windows import focused_display
from handeye.errors import CommandFailed
from handeye.roles import ANDROID, role_of_class

# [sic]: the words of the command's success. Its exit code is 0 whether or not it wrote anything.
_DUMPED = b"UI hierchary dumped to"
_TEMPORARY = "/data/local/tmp"


@dataclass(frozen=True, slots=True)
class FocusedField:
    """The text field that has the focus. An empty field shows its hint as `text`, as Android does."""

    text: str
    password: bool
    resource_id: str


def dump_hierarchy(link: Link, *, timeout_s: float | None = None, display: int | None = None) -> str:
    """
    The XML of the screen in front. Takes a second or more on real phones.

    A failed dump leaves the file of the one before, so the file is new each time and must be announced. Only the tree of the
    `display` with the focus can be had.
    Raises CommandFailed, for example while something on the screen keeps moving ("could not get idle state").
    """
    focused = focused_display(link.ask("dumpsys", "window")) if display is not None else None
    if focused != display and focused is not None:
        said = (
            f"display {focused} has the focus, and only its tree can be read; display {display} gets the focus by a tap"
        )
        raise CommandFailed("uiautomator dump", 1, said)
    path = f"{_TEMPORARY}/handeye-{secrets.token_hex(4)}.xml"
    result = link.shell_line(
        f"uiautomator dump {path} 2>&1; cat {path} 2>/dev/null; rm -f {path}", repeat=True, timeout_s=timeout_s
    )
    start = result.stdout.find(b"<?xml")
    before = result.stdout[: start if start >= 0 else None]
    if _DUMPED not in before or start < 0:
        raise CommandFailed(
            "uiautomator dump", result.exit_code or 1, (before + result.stderr).decode("utf-8", "replace")
        )
    return result.stdout[start:].decode("utf-8", "replace")


def focused_field(hierarchy: str) -> FocusedField | None:
    """The focused text field of a dump; None when no field has the focus or the XML cannot be read."""
    try:
        root = ElementTree.fromstring(repaired(hierarchy))
    except ElementTree.ParseError:
        return None
    for node in root.iter("node"):
        if node.get("focused") == "true" and role_of_class(node.get("class", ""), ANDROID) == "input":
            return FocusedField(node.get("text", ""), node.get("password") == "true", node.get("resource-id", ""))
    return None
