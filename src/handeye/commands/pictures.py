"""Contents of a picture: its controls (`handeye parse`), its text (`ocr`), another picture on it (`match`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BaseModel, Field

from handeye.commands.annotate import (
    CANDIDATE,
    FOUND,
    LINE,
    MOST_WORDS,
    Legend,
    Mark,
    annotated,
    refuse_source,
    with_picture,
)
from handeye.commands.base import Context, ExitCode, Outcome, Table
from handeye.commands.locate import uri_of
from handeye.commands.parameters import ARGUMENT, Cli, ImageArgument
from handeye.devices import open_device
from handeye.elements import UIElement, UIState
from handeye.errors import InvalidReference, UsageError
from handeye.geometry import Box
from handeye.locate import SEARCH_SECONDS, TEMPLATE_TIE, ScreenParser, TemplateStrategy, find_all
from handeye.matching import AcceptedMatch, nms_indices
from handeye.ocr import PaddleReader, RapidReader, RegionReader, TesseractReader
from handeye.run import default_planner
from handeye.screen import Screen
from handeye.time_limit import time_limit
from handeye.visible import shown

# One colour per kind, distinct on light and dark pages; similar kinds share one.
_COLOURS: Final = {
    "button": "#e5484d",
    "link": "#0090ff",
    "input": "#30a46c",
    "combo box": "#30a46c",
    "checkbox": "#8e4ec6",
    "radio": "#8e4ec6",
    "switch": "#8e4ec6",
    "slider": "#8e4ec6",
    "tab": "#f76b15",
    "menu item": "#f76b15",
    "list item": "#ab6400",
    "icon": "#d6409f",
    "image": "#12a594",
    "window": "#3e63dd",
    "scroll bar": "#8d8d8d",
    "text": "#8d8d8d",
}
_OTHER: Final = "#3e63dd"
_SMALL_CHIPS: Final = 0.6
_MOST_TEXT: Final = 80


class ParseParams(BaseModel):
    """Parameters of `parse`."""

    image: ImageArgument
    draw: Path | None = Field(None, description="Write the picture with the elements drawn.")
    text: bool = Field(True, description="Read the words; without them it is faster, and labels are missing.")


def parse(params: ParseParams, context: Context) -> Outcome:
    """List the elements of a picture in reading order; nothing is sent anywhere."""
    refuse_source(params.draw, params.image)
    with closing(open_device(uri_of(params.image))) as device:
        screen = device.screenshot()
    parser = ScreenParser() if params.text else ScreenParser(reader=None)
    state = parser.parse(screen)
    kinds = Counter(each.element_type for each in state.elements)
    outcome = Outcome(
        {"size": list(screen.size), "elements": [_as_data(each) for each in state.elements]},
        (_count(len(state.elements), kinds),),
        table=_table(state) if state.elements else None,
    )
    return with_picture(
        outcome,
        params.draw,
        lambda: annotated(screen, marks_of(state), legend_of(kinds), letters=_SMALL_CHIPS),
    )


def marks_of(state: UIState) -> list[Mark]:
    """Return the elements as boxes to draw, in the colours of their kinds: texts without a number, icons with names."""
    return [
        Mark(
            each.bbox,
            _COLOURS.get(each.element_type, _OTHER),
            None if each.element_type == "text" else each.id,
            thin=True,
            words=str(each.metadata.get("icon", "")) if each.element_type == "icon" else "",
        )
        for each in state.elements
    ]


def legend_of(kinds: Counter[str]) -> Legend:
    """Return the colours of the kinds that occur, the most frequent first."""
    return [(_COLOURS.get(kind, _OTHER), f"{kind}: {count}") for kind, count in kinds.most_common()]


def _count(total: int, kinds: Counter[str]) -> str:
    told = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())
    return f"{total} element{'' if total == 1 else 's'}" + (f": {told}" if told else "")


def _table(state: UIState) -> Table:
    rows = tuple(
        (
            str(each.id),
            each.element_type,
            _words(each),
            ", ".join(map(str, each.bbox)),
            f"{each.confidence:.2f}",
        )
        for each in state.elements
    )
    return Table(("#", "kind", "words", "box", "sure"), rows, main="words")


def _words(element: UIElement) -> str:
    icon = element.metadata.get("icon")
    words = shown(element.text or str(element.metadata.get("label", "")), _MOST_TEXT)
    return " ".join(part for part in (words, f"[{shown(str(icon), _MOST_TEXT)}]" if icon else "") if part)


def _as_data(element: UIElement) -> dict[str, Any]:
    return {
        "id": element.id,
        "role": element.element_type,
        "text": element.text,
        "box": list(element.bbox),
        "point": list(element.center),
        "confidence": element.confidence,
        "interactive": element.interactive,
        "parent": element.parent,
        "label_box": list(element.label_box) if element.label_box is not None else None,
        **{key: element.metadata[key] for key in ("icon", "icon_confidence", "label") if key in element.metadata},
    }


READERS: Final[dict[str, Callable[[], RegionReader]]] = {
    "paddle": PaddleReader,
    "rapidocr": RapidReader,
    "tesseract": TesseractReader,
}


class OcrParams(BaseModel):
    """Parameters of `ocr`."""

    image: ImageArgument
    region: str | None = Field(None, description="Read only left,top,right,bottom (pixels).")
    reader: str = Field("paddle", description="Which text reader: paddle, rapidocr or tesseract.")
    draw: Path | None = Field(None, description="Write the picture with the lines' boxes drawn.")


def read_text(params: OcrParams, context: Context) -> Outcome:
    """List the lines of text of a picture, top to bottom, with boxes and confidences."""
    if params.reader not in READERS:
        raise UsageError(f"there is no text reader {shown(params.reader)!r}; there are: {', '.join(READERS)}")
    refuse_source(params.draw, params.image)
    with closing(open_device(uri_of(params.image))) as device:
        screen = device.screenshot()
    region = None if params.region is None else _region(params.region, screen)
    reader = READERS[params.reader]()
    lines = reader.read(screen) if region is None else reader.read_region(screen, region)
    marks = [Mark(line.box, LINE, number, thin=True) for number, line in enumerate(lines, 1)]
    data = {
        "reader": reader.name,
        "size": list(screen.size),
        "lines": [
            {"text": line.text, "box": list(line.box), "confidence": round(line.confidence, 3)} for line in lines
        ],
    }
    rows = tuple(
        (str(number), shown(line.text), ", ".join(map(str, line.box)), f"{line.confidence:.2f}")
        for number, line in enumerate(lines, 1)
    )
    count = "no text was read" if not lines else f"{len(lines)} line{'s' if len(lines) > 1 else ''} of text"
    table = Table(("#", "text", "box", "sure"), rows) if rows else None
    outcome = Outcome(data, (f"{count} (by {reader.name})",), table=table)
    return with_picture(outcome, params.draw, lambda: annotated(screen, marks))


def _region(text: str, screen: Screen) -> Box:
    """Return the box `left,top,right,bottom`. Raises UsageError for any other text, or outside of the picture."""
    try:
        left, top, right, bottom = (int(part) for part in text.split(","))
    except ValueError as error:
        raise UsageError(f"{shown(text)!r} is no region: give left,top,right,bottom in pixels") from error
    box = Box(left, top, right, bottom)
    if not box.area or box.intersect(screen.box) != box:
        raise UsageError(f"the region {text} is not inside of the picture, which is {screen.size}")
    return box


class MatchParams(BaseModel):
    """Parameters of `match`."""

    reference: Annotated[str, ARGUMENT] = Field(
        min_length=1, description="A picture file, or the name of a reference image."
    )
    image: ImageArgument
    every: Annotated[bool, Cli(flags=("--all",))] = Field(
        False, description="All places are wanted: several are no failure."
    )
    draw: Path | None = Field(None, description="Write the picture with the places drawn.")


def match(params: MatchParams, context: Context) -> Outcome:
    """
    List every place where a picture is seen, best first, with the evidence.

    Unless all are wanted, several equally good places are a failure, since the meant one is not known. Raises InvalidReference,
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
    places = [found[index] for index in nms_indices([place.peak for place in found])]
    equal = [place for place in places if place.peak.score >= places[0].peak.score - TEMPLATE_TIE]
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


def _summary(name: str, places: Sequence[AcceptedMatch], equal: Sequence[AcceptedMatch], every: bool) -> str:
    if not places:
        return f"{name!r} is not on the picture"
    if places[0].is_turned and not every:
        return f"{name!r} stands there only turned, which may be another sign; take --all for such places"
    if every or len(equal) == 1:
        others = f", {len(places)} places in all" if len(places) > 1 else ""
        return f"{name!r} at {tuple(places[0].peak.box)}, click {tuple(places[0].peak.box.center)}{others}"
    return f"{name!r} fits {len(equal)} places equally well; take --all for all of them"


def _drawing(
    name: str, places: Sequence[AcceptedMatch], screen: Screen
) -> tuple[list[Mark], list[tuple[str | None, str]]]:
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


def _row(number: int, place: AcceptedMatch) -> tuple[str, ...]:
    peak = place.peak
    box = ", ".join(map(str, peak.box))
    return str(number), box, f"{peak.score:.3f}", f"{peak.scale:.2f}", f"{peak.angle:.0f}°", shown(place.evidence)


def _data(place: AcceptedMatch) -> dict[str, Any]:
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
