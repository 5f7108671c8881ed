"""`handeye match REF IMAGE`: find a picture on a picture."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field

from handeye.commands.annotate import CANDIDATE, FOUND, Mark, annotated, refuse_source, with_picture
from handeye.commands.base import Command, Context, Effect, ExitCode, Outcome, Table
from handeye.commands.display import MOST_WORDS
from handeye.commands.locate import uri_of
from handeye.devices.table import open_device
from handeye.errors import InvalidReference
from handeye.locate.chain import SEARCH_SECONDS
from handeye.locate.sources.template import TIE, TemplateStrategy, find_all
from handeye.matching.acceptance import Place
from handeye.matching.pyramid import kept
from handeye.run.defaults import default_planner
from handeye.screen import Screen
from handeye.time_limit import time_limit
from handeye.visible import shown


class MatchParams(BaseModel):
    """Parameters of `match`."""

    reference: str = Field(min_length=1, description="a picture file, or the name of a reference image")
    image: str = Field(min_length=1, description="an image file, or a device URI")
    every: bool = Field(False, description="all places are wanted: several are no failure")
    draw: Path | None = Field(None, description="write the picture with the places drawn")


def match(params: MatchParams, context: Context) -> Outcome:
    """
    Every place where a picture is seen, best first, with the evidence.

    Unless all are wanted, several equally good places are a failure: nobody can say which is meant. Raises InvalidReference,
    and SearchTimedOut after SEARCH_SECONDS.
    """
    references = TemplateStrategy(default_planner().images()).references(params.reference)
    if not references:
        raise InvalidReference(
            f"{shown(params.reference, MOST_WORDS)!r} is neither a picture file nor the name of a reference image"
        )
    refuse_source(params.draw, params.image, *(reference.path for reference in references))
    with closing(open_device(uri_of(params.image))) as device:
        screen = device.screenshot()
    with time_limit(SEARCH_SECONDS):
        found = [place for reference in references for place in find_all(reference, screen)]
    # Variants of one picture are seen at the same place: it counts once. The best is first.
    places = [found[index] for index in kept([place.peak for place in found])]
    equal = [place for place in places if place.peak.score >= places[0].peak.score - TIE]
    unique = params.every or (len(equal) == 1 and not places[0].is_turned)
    rows = tuple(_row(number, place) for number, place in enumerate(places, 1))
    outcome = Outcome(
        {
            "success": bool(places) and unique,
            "reference": params.reference,
            "places": [_data(place) for place in places],
        },
        (_summary(shown(params.reference, MOST_WORDS), places, equal, params.every),),
        ExitCode.OK if places and unique else ExitCode.FAILED,
        table=Table(("#", "box", "score", "scale", "angle", "evidence"), rows) if rows else None,
    )
    return with_picture(outcome, params.draw, lambda: annotated(screen, *_drawing(params.reference, places, screen)))


def _summary(name: str, places: Sequence[Place], equal: Sequence[Place], every: bool) -> str:
    if not places:
        return f"{name!r} is not on the picture"
    if places[0].is_turned and not every:
        return f"{name!r} stands there only turned, which may be another sign; take --all for such places"
    if every or len(equal) == 1:
        others = f", {len(places)} places in all" if len(places) > 1 else ""
        return f"{name!r} at {tuple(places[0].peak.box)}, click {tuple(places[0].peak.box.center)}{others}"
    return f"{name!r} fits {len(equal)} places equally well; take --all for all of them"


def _drawing(name: str, places: Sequence[Place], screen: Screen) -> tuple[list[Mark], list[tuple[str | None, str]]]:
    colours = [FOUND, *[CANDIDATE] * (len(places) - 1)]
    marks = [
        Mark(place.peak.box.clip(screen.size), colour, number, aim=number == 1)
        for number, (place, colour) in enumerate(zip(places, colours, strict=False), 1)
    ]
    said: list[tuple[str | None, str]] = [
        (colour, f"{number}: {place.peak.score:.2f} at {place.peak.scale:.2f}x, {place.evidence}")
        for number, (place, colour) in enumerate(zip(places[:9], colours, strict=False), 1)
    ]
    return marks, said or [(None, f"{name}: not found")]


def _row(number: int, place: Place) -> tuple[str, ...]:
    peak = place.peak
    box = ", ".join(map(str, peak.box))
    return str(number), box, f"{peak.score:.3f}", f"{peak.scale:.2f}", f"{peak.angle:.0f}°", shown(place.evidence)


def _data(place: Place) -> dict[str, Any]:
    peak = place.peak
    return {
        "box": list(peak.box),
        "point": list(peak.box.center),
        "score": round(peak.score, 4),
        "scale": round(peak.scale, 4),
        "angle": round(peak.angle, 2),
        "evidence": place.evidence,
        "reference": place.reference.name,
    }


MATCH = Command("match", "Find a picture on a picture.", Effect.READ, MatchParams, match)
