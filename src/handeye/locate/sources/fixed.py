"""Fixed places from the configuration, the last resort: nothing on the frame confirms them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from handeye.elements import UIElement
from handeye.errors import LocateError, UsageError
from handeye.geometry import Box, Size
from handeye.locate.base import Match
from handeye.locate.chain import LEAST_CONFIDENCE
from handeye.matching import same_orientation
from handeye.screen import Screen
from handeye.target import Region, Target


@dataclass(frozen=True, slots=True)
class FixedPlace:
    """
    A place as fractions of the screen; `resolution`, if known, is that of the screen it was taken from.

    Without it the orientation of that screen is unknown, and that of the first frame on which the place is used is taken.
    """

    region: Region
    resolution: Size | None = None

    def __post_init__(self) -> None:
        left, top, right, bottom = self.region
        if not (0 <= left <= right <= 1 and 0 <= top <= bottom <= 1):
            raise UsageError(f"{self.region!r} is not a part of the screen: give left, top, right, bottom from 0 to 1")

    @classmethod
    def pixels(cls, box: tuple[int, int, int, int], resolution: tuple[int, int]) -> FixedPlace:
        """Return the place from pixels of a screen of that resolution."""
        size = Size(*resolution)
        left, top, right, bottom = Box(*box).clip(size)
        return cls(Region(left / size.width, top / size.height, right / size.width, bottom / size.height), size)

    @classmethod
    def point(cls, x: float, y: float) -> FixedPlace:
        """Return the place from one point, as fractions of the width and height."""
        return cls(Region(x, y, x, y))


class FixedStrategy:
    """
    Returns the configured place of a target's text, reference or description; always `reliable=False`.

    Raises LocateError for a place that was taken from a screen with another orientation.
    """

    def __init__(self, places: Mapping[str, FixedPlace | Region]) -> None:
        self._places = {
            name: place if isinstance(place, FixedPlace) else FixedPlace(Region(*place))
            for name, place in places.items()
        }
        self._first_seen: dict[str, Size] = {}

    @property
    def name(self) -> str:
        return "fixed"

    def accepts(self, target: Target) -> str | None:
        return None if self._name(target) else "no fixed place is configured for it"

    def locate(self, target: Target, screen: Screen) -> Match | None:
        name = self._name(target)
        if name is None:
            return None
        place = self._places[name]
        taken = place.resolution or self._first_seen.setdefault(name, screen.size)
        if not same_orientation(taken, screen.size):
            raise LocateError(
                f"the fixed place of {name!r} was {'taken' if place.resolution else 'first used'} at "
                f"{taken.width}x{taken.height}; the screen is {screen.size.width}x{screen.size.height}, turned the other way"
            )
        element = UIElement(
            element_type=target.role or "place",
            description=name,
            bbox=place.region.box(screen.size),
            confidence=LEAST_CONFIDENCE,  # not verified on the frame
            source=self.name,
            reliable=False,
        )
        return Match((element,), f"the configured place of {name!r}, not seen")

    def _name(self, target: Target) -> str | None:
        for name in (target.reference, target.text, target.description):
            if name and name in self._places:
                return name
        return None
