"""Accessibility tree as `uiautomator dump` writes it, and its focused field."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from typing import Final
from xml.etree import ElementTree

from handeye.devices.android.link import Link
from handeye.devices.android.windows import focused_display
from handeye.errors import CommandFailed
from handeye.roles import ANDROID, role_of_class

# Repair of the XML for a strict parser.


# XML allows neither surrogates nor most control characters. Old Android versions write them anyway, an emoji as
# references to its two surrogates.
_REFERENCE: Final = re.compile(r"&#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}));")
_FORBIDDEN: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_SURROGATES: Final = range(0xD800, 0xE000)
_END: Final = "</hierarchy>"


def repaired(xml: str) -> str:
    """Join surrogate pairs, replace forbidden characters by spaces, and cut off text before and after the XML."""
    begin, end = max(0, xml.find("<?xml")), xml.rfind(_END)
    whole = xml[begin : end + len(_END) if end >= 0 else None]
    joined = _REFERENCE.sub(_character, whole).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return _FORBIDDEN.sub(" ", joined)


def _character(reference: re.Match[str]) -> str:
    code = int(reference[1], 16) if reference[1] else int(reference[2])
    if code in _SURROGATES:
        return chr(code)
    return " " if code < 32 and code not in (9, 10, 13) else reference[0]


# [sic]: the command's success message. Its exit code is 0 whether or not it wrote anything.
_DUMPED = b"UI hierchary dumped to"
_TEMPORARY = "/data/local/tmp"


@dataclass(frozen=True, slots=True)
class FocusedField:
    """The focused text field. An empty field has its hint as `text`, as on Android."""

    text: str
    password: bool
    resource_id: str


def dump_hierarchy(link: Link, *, timeout_s: float | None = None, display: int | None = None) -> str:
    """
    Return the XML of the foreground screen. Takes a second or more on real phones.

    A failed dump leaves the previous file in place, so each dump uses a new file and must report success. Only the tree
    of the focused `display` is available. Raises CommandFailed, for example while the screen keeps changing ("could not
    get idle state").
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
    """Return the focused text field of a dump; None if no field has the focus or the XML cannot be parsed."""
    try:
        root = ElementTree.fromstring(repaired(hierarchy))
    except ElementTree.ParseError:
        return None
    for node in root.iter("node"):
        if node.get("focused") == "true" and role_of_class(node.get("class", ""), ANDROID) == "input":
            return FocusedField(node.get("text", ""), node.get("password") == "true", node.get("resource-id", ""))
    return None
