"""`handeye locate IMAGE QUERY` and `handeye tap QUERY`."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw
from pydantic import BaseModel, Field

from handeye.commands.base import Command, Context, Effect, ExitCode, Outcome
from handeye.devices.table import KINDS, open_device
from handeye.errors import WriteFailed
from handeye.screen import Screen
from handeye.session import DEFAULT_DEVICE, Session
from handeye.target import LocateResult

FOUND_COLOUR = "#e5484d"
CANDIDATE_COLOUR = "#f5a623"
_NAMED = re.compile(rf"\s*(?:{'|'.join(map(re.escape, KINDS))}):")


class LocateParams(BaseModel):
    """Parameters of `locate`."""

    image: str = Field(min_length=1, description="an image file, or a device URI")
    query: str = Field(min_length=1, description="a text, a reference image's name or path, or text:... / dynamic:...")
    draw: Path | None = Field(None, description="write the picture with the boxes drawn")


def locate(params: LocateParams, context: Context) -> Outcome:
    """Find something on a picture and say how. Raises what kept a strategy from looking when no other one found it."""
    with closing(open_device(uri_of(params.image))) as device:
        session = Session(device)
        screen = session.screenshot()
        found = session.locate(params.query, screen)
    if params.draw is not None:
        draw_boxes(screen, found, params.draw)
    if found.failure is not None:
        raise found.failure
    return Outcome(as_data(found), lines_of(params.query, found), ExitCode.OK if found.success else ExitCode.FAILED)


def uri_of(image: str) -> str:
    """The device that an argument names which is a file or a URI. A colon alone makes no URI: `C:\\x.png`, `at 12:30.png`."""
    if not _exists(image) and (_NAMED.match(image) or (":" in image and not image.lower().endswith(_suffixes()))):
        return image
    return f"image:{image}"


def _exists(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # longer than a name may be, or with a null character
        return False


def _suffixes() -> tuple[str, ...]:
    """The endings of the picture files that Pillow reads."""
    return tuple(Image.registered_extensions())


class TapParams(BaseModel):
    """Parameters of `tap`."""

    query: str = Field(min_length=1, description="what to tap")
    device: str = Field(DEFAULT_DEVICE, description="which device, as a URI")


def tap(params: TapParams, context: Context) -> Outcome:
    """Find something on the device's screen and tap it; when it is not there or not unique, nothing is tapped."""
    with closing(open_device(params.device)) as device:
        found = Session(device).tap(params.query)
    return Outcome(as_data(found), lines_of(params.query, found))


def as_data(found: LocateResult) -> dict[str, Any]:
    """A locate result for JSON."""
    element = found.element
    return {
        "success": found.success,
        "box": list(element.bbox) if element else None,
        "point": list(element.center) if element else None,
        "method": found.method_used,
        "confidence": round(found.confidence, 3),
        "reliable": found.reliable,
        "candidates": [{"box": list(each.bbox), "confidence": round(each.confidence, 3)} for each in found.candidates],
        "attempts": [
            {"strategy": each.strategy, "outcome": each.outcome, "note": each.note, "ms": round(each.elapsed_ms, 1)}
            for each in found.attempts
        ],
    }


def lines_of(query: str, found: LocateResult) -> tuple[str, ...]:
    """A locate result for people: where, how and how sure; or what was tried."""
    if found.success and found.element is not None:
        box = found.element.bbox
        return (
            f"{query!r} at {tuple(box)}, click {tuple(found.element.center)}",
            f"  by {found.method_used}, confidence {found.confidence:.2f}"
            + ("" if found.reliable else ", not reliable: check it"),
        )
    tried = tuple(
        f"  {each.strategy}: {each.note or each.outcome} ({each.elapsed_ms:.0f} ms)" for each in found.attempts
    )
    if found.candidates:
        places = ", ".join(str(tuple(each.bbox)) for each in found.candidates)
        return (f"{query!r} fits {len(found.candidates)} places equally well: {places}", *tried)
    return (f"{query!r} was not found", *tried)


def draw_boxes(screen: Screen, found: LocateResult, path: Path) -> None:
    """The picture with the found box, or the candidates, outlined. Raises WriteFailed."""
    picture = screen.image.copy()
    pen = ImageDraw.Draw(picture)
    width = max(2, screen.size.width // 250)
    for each in found.candidates:
        pen.rectangle(tuple(each.bbox), outline=CANDIDATE_COLOUR, width=width)
    if found.element is not None:
        pen.rectangle(tuple(found.element.bbox), outline=FOUND_COLOUR, width=width)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        picture.save(path)
    except (OSError, ValueError) as error:
        raise WriteFailed(path, error, "choose another place, and a name that ends in .png or .jpg") from error


LOCATE = Command("locate", "Find something on a picture.", Effect.READ, LocateParams, locate)
TAP = Command("tap", "Find something on the device and tap it.", Effect.ACT, TapParams, tap)
