"""The displays of a phone: which are lit, which is meant, and why a picture of one is black."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

from handeye.devices.android import keyguard, windows
from handeye.devices.android.link import Link
from handeye.errors import UsageError
from handeye.geometry import Size
from handeye.screen import Pixels

# Of `dumpsys display`: the logical displays. The overriding information is stale on some phones.
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
    One display. `id` is the logical number that apps and touches go by, `panel` the physical one that pictures are taken by, ""
    for a virtual one; `is_lit` is None where the phone does not say, `size` too.
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
    The displays that a phone has now, by their numbers, none where it does not say; and whether it has several panels: one that
    is folded may tell of one display, which either panel may show.
    """

    known: tuple[PhoneDisplay, ...] = ()
    several_panels: bool = False

    def chosen(self, wanted: int | None) -> PhoneDisplay | None:
        """
        The display with that number, logical or physical. Where none is wanted, the phone's own, or the first that is lit while
        that is dark; None where there is nothing to choose. Raises UsageError for one that is not there.
        """
        if wanted is not None and self.known:
            found = next((each for each in self.known if str(wanted) in (str(each.id), each.panel)), None)
            if found is None:
                raise UsageError(f"there is no display {wanted}; the phone has {_listed(self.known)}")
            return found
        if wanted is not None:
            return PhoneDisplay(wanted, str(wanted), None)
        if not self.known or not (self.several_panels or len(self.known) > 1):
            return None
        first = self.known[0]
        lit = (each for each in self.known if each.is_lit and each.panel)  # of virtual ones there are no pictures
        return next(lit, first) if first.is_lit is False else first


def displays(link: Link) -> Displays:
    """The phone's displays."""
    told = link.shell("dumpsys", "display", repeat=True).text
    found = {}
    for number, about in _DISPLAYS.findall(told):
        panel = _PANEL.search(about) or re.search(_VIEWPORT.format(number), told)
        state, size = _STATE.search(about), _SIZE.search(about)
        found[int(number)] = PhoneDisplay(
            int(number),
            panel[1] if panel is not None else "",
            state[1] not in ("OFF", "UNKNOWN") if state is not None else None,
            Size(int(size[1]), int(size[2])) if size is not None else None,
        )
    return Displays(tuple(found[number] for number in sorted(found)), len(set(_ANY_PANEL.findall(told))) > 1)


class Black(NamedTuple):
    """Why a picture is black, in words, and whether that is because an app forbids pictures of its window."""

    why: str
    is_protected: bool = False


def is_black(pixels: Pixels) -> bool:
    """Whether the middle of a picture is black all over; the bars above and below it may be shown."""
    margin = pixels.shape[0] // 6
    return not pixels[margin : pixels.shape[0] - margin].any()


def why_black(link: Link, display: PhoneDisplay | None, known: tuple[PhoneDisplay, ...]) -> Black:
    """Why a picture of the display is black."""
    if keyguard.is_asleep(link):
        return Black("the phone sleeps, and does not stay awake")
    if display is not None and display.is_lit is False:
        lit = tuple(each for each in known if each.is_lit)
        remedy = f"; lit is {_listed(lit)}: write ?display={lit[0].id}" if lit else ""
        return Black(f"display {display.id} is dark{remedy}")
    number = display.id if display is not None else None
    if (owner := windows.protected_app(link, number)) is not None:
        return Black(f"{owner} forbids pictures of its window; only the accessibility tree shows it", is_protected=True)
    return Black("nothing says why: its page may be black")


def _listed(known: tuple[PhoneDisplay, ...]) -> str:
    return ", ".join(map(str, known))
