"""`handeye ocr IMAGE`: read the text of a picture."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

from pydantic import BaseModel, Field

from handeye.commands.annotate import LINE, Mark, annotated, refuse_source, with_picture
from handeye.commands.base import Command, Context, Effect, Outcome, Table
from handeye.commands.locate import uri_of
from handeye.devices.table import open_device
from handeye.errors import UsageError
from handeye.geometry import Box
from handeye.ocr.base import RegionReader
from handeye.ocr.paddle import PaddleReader
from handeye.ocr.rapid import RapidReader
from handeye.ocr.tesseract import TesseractReader
from handeye.screen import Screen
from handeye.visible import shown

READERS: Final[dict[str, Callable[[], RegionReader]]] = {
    "paddle": PaddleReader,
    "rapidocr": RapidReader,
    "tesseract": TesseractReader,
}


class OcrParams(BaseModel):
    """Parameters of `ocr`."""

    image: str = Field(min_length=1, description="an image file, or a device URI")
    region: str | None = Field(None, description="left,top,right,bottom in pixels")
    reader: str = Field("paddle", description="which text reader")
    draw: Path | None = Field(None, description="write the picture with the lines' boxes drawn")


def read_text(params: OcrParams, context: Context) -> Outcome:
    """The lines of a picture, top to bottom, with their boxes and how sure the reader is."""
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
    """The box that `left,top,right,bottom` names. Raises UsageError for anything else, or outside of the picture."""
    try:
        left, top, right, bottom = (int(part) for part in text.split(","))
    except ValueError as error:
        raise UsageError(f"{shown(text)!r} is no region: give left,top,right,bottom in pixels") from error
    box = Box(left, top, right, bottom)
    if not box.area or box.intersect(screen.box) != box:
        raise UsageError(f"the region {text} is not inside of the picture, which is {screen.size}")
    return box


OCR = Command("ocr", "Read the text of a picture.", Effect.READ, OcrParams, read_text)
