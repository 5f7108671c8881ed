"""Displays of a phone: list them, choose one, and explain a black picture."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

from handeye.devices.android import keyguard, windows
from handeye.devices.android.link import Link
from handeye.errors import UsageError
from handeye.geometry import Size
from handeye.screen import Pixels

# Logical displays in `dumpsys display`. The overriding information is outdated on some phones.
_DISPLAYS: Final = re.compile(
    r"^\s*mDisplayId=(\d+)\n(?:(?!\s*mDisplayId=).*\n)*?\s*mBaseDisplayInfo=DisplayInfo\{(.*)\}", re.MULTILINE
)
_STATE: Final = re.compile(r"\bstate (\w+)")
_SIZE: Final = re.compile(r"\breal (\d+) x (\d+)")
_PANEL: Final = re.compile(r"\buniqueId=? ?[\"']local:(\d+)[\"']")
_ANY_PANEL: Final = re.compile(r"\blocal:(\d+)")
_VIEWPORT: Final = r"DisplayViewport\{{[^}}]*isActive=true, displayId={}, uniqueId='local:(\d+)'"


@dataclass(frozen=True, slots=True)
class PhoneDisplay:
    """
    A display. `id` is the logical id, used for apps and touches; `panel` is the physical id, used for captures, "" for
    a virtual display; `is_lit` and `size` are None if the phone does not report them.
    """

    id: int
    panel: str
    is_lit: bool | None
    size: Size | None = None

    def __str__(self) -> str:
        state = {True: "lit", False: "dark", None: "lit or dark"}[self.is_lit]
        return f"{self.id} ({state}{f', {self.size.width}x{self.size.height}' if self.size is not None else ''})"


@dataclass(frozen=True, slots=True)
class Displays:
    """
    The phone's current displays, sorted by id, empty if it reports none; and whether it has several panels: a folded
    phone may report one display, which either panel may show.
    """

    known: tuple[PhoneDisplay, ...] = ()
    several_panels: bool = False

    def chosen(self, wanted: int | None) -> PhoneDisplay | None:
        """
        Return the display with that logical or physical id. If `wanted` is None, return the main one, or the first lit
        one if that is off; None if there is no choice. Raises UsageError for a display that does not exist.
        """
        if wanted is not None and self.known:
            found = next((each for each in self.known if str(wanted) in (str(each.id), each.panel)), None)
            if found is None:
                raise UsageError(f"there is no display {wanted}; the phone has {_list_of(self.known)}")
            return found
        if wanted is not None:
            return PhoneDisplay(wanted, str(wanted), None)
        if not self.known or not (self.several_panels or len(self.known) > 1):
            return None
        first = self.known[0]
        lit = (each for each in self.known if each.is_lit and each.panel)  # virtual ones cannot be captured
        return next(lit, first) if first.is_lit is False else first


def displays(link: Link) -> Displays:
    """Read the phone's displays."""
    output = link.shell("dumpsys", "display", repeat=True).text
    found = {}
    for number, about in _DISPLAYS.findall(output):
        panel = _PANEL.search(about) or re.search(_VIEWPORT.format(number), output)
        state, size = _STATE.search(about), _SIZE.search(about)
        found[int(number)] = PhoneDisplay(
            int(number),
            panel[1] if panel is not None else "",
            state[1] not in ("OFF", "UNKNOWN") if state is not None else None,
            Size(int(size[1]), int(size[2])) if size is not None else None,
        )
    return Displays(tuple(found[number] for number in sorted(found)), len(set(_ANY_PANEL.findall(output))) > 1)


class Black(NamedTuple):
    """Why a picture is black, in words, and whether an app forbids capturing its window."""

    why: str
    is_protected: bool = False


def is_black(pixels: Pixels) -> bool:
    """Return True if the middle of a picture is entirely black; the bars above and below it may be visible."""
    margin = pixels.shape[0] // 6
    return not pixels[margin : pixels.shape[0] - margin].any()


def why_black(link: Link, display: PhoneDisplay | None, known: tuple[PhoneDisplay, ...]) -> Black:
    """Return why a picture of the display is black."""
    if keyguard.is_asleep(link):
        return Black("the phone sleeps, and does not stay awake")
    if display is not None and display.is_lit is False:
        lit = tuple(each for each in known if each.is_lit)
        remedy = f"; lit is {_list_of(lit)}: write ?display={lit[0].id}" if lit else ""
        return Black(f"display {display.id} is dark{remedy}")
    number = display.id if display is not None else None
    if (owner := windows.protected_app(link, number)) is not None:
        return Black(f"{owner} forbids pictures of its window; only the accessibility tree shows it", is_protected=True)
    return Black("nothing says why: its page may be black")


def _list_of(known: tuple[PhoneDisplay, ...]) -> str:
    return ", ".join(map(str, known))
