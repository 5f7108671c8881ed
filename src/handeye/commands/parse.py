"""`handeye parse IMAGE`: every control on a picture, with its kind, its words and what its icon shows."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, Field

from handeye.commands.annotate import Legend, Mark, annotated, refuse_source, with_picture
from handeye.commands.base import Command, Context, Effect, Outcome, Table
from handeye.commands.locate import uri_of
from handeye.devices.table import open_device
from handeye.elements import UIElement, UIState
from handeye.locate.sources.parser import ScreenParser
from handeye.visible import shown

# One colour a kind, apart from each other on light and dark pages; kinds that look alike share one.
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

    image: str = Field(min_length=1, description="an image file, or a device URI")
    draw: Path | None = Field(None, description="write the picture with the elements' boxes drawn")
    text: bool = Field(True, description="read the words too")


def parse(params: ParseParams, context: Context) -> Outcome:
    """The elements of a picture in reading order; nothing is sent anywhere."""
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
    """The elements as boxes to draw, in the colours of their kinds: texts without a number, icons with their names."""
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
    """The colours of the kinds that are there, the most frequent first."""
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


PARSE = Command("parse", "List the controls on a picture.", Effect.READ, ParseParams, parse)
