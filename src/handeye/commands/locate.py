"""`handeye locate IMAGE QUERY` and `handeye tap QUERY`."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

from PIL import Image
from pydantic import BaseModel, Field

from handeye.actions import MOST_TAPS
from handeye.commands.annotate import (
    CANDIDATE,
    FOUND,
    LABEL,
    MOST_OF_NOTE,
    MOST_WORDS,
    Mark,
    annotated,
    refuse_source,
    save_picture,
    with_picture,
)
from handeye.commands.base import Context, ExitCode, Outcome, Table
from handeye.commands.parameters import ARGUMENT, Cli, ImageArgument, MinConfidence, ModelName
from handeye.devices import KINDS, Device, open_device
from handeye.elements import UIElement
from handeye.errors import UsageError, WriteFailed
from handeye.locate import Confirm, LocateStrategy, VisualLocator, pictures_of
from handeye.models import configured_vision
from handeye.ocr import CachedReader, PaddleReader
from handeye.run import default_planner
from handeye.screen import Screen
from handeye.session import DEFAULT_DEVICE, Session
from handeye.target import LocateResult, Target, parse_target
from handeye.visible import shown

_NAMED = re.compile(rf"\s*(?:{'|'.join(map(re.escape, KINDS))}):")


class LocateParams(BaseModel):
    """Parameters of `locate`."""

    image: ImageArgument
    query: Annotated[str, ARGUMENT] = Field(
        min_length=1, description="A text, a picture's name or path, or a phrase: the switch in the row WLAN"
    )
    strategy: str | None = Field(None, description="A preset (ocr_first), or strategies in their order (ocr,template).")
    min_confidence: MinConfidence = None
    draw: Path | None = Field(None, description="Write the picture with the boxes drawn.")
    explain: bool = Field(False, description="Show every strategy that was tried.")
    model: ModelName = None


def locate(params: LocateParams, context: Context) -> Outcome:
    """
    Find something on a picture. If a person can be asked, they choose among several places.

    Raises the error that kept a strategy from searching when no other one found the target.
    """
    refuse_source(params.draw, params.image)
    target = parse_target(params.query)
    with closing(open_device(uri_of(params.image))) as device:
        locator = _locator(device, params, _confirm_with(context, params.draw))
        screen = device.screenshot()
        found = locator.locate(target, screen)
    if found.failure is not None:
        raise found.failure
    table = attempts_of(found) if params.explain or not found.success else None
    code = ExitCode.OK if found.success else ExitCode.FAILED if found.looked else ExitCode.MISSING
    outcome = Outcome(as_data(found), lines_of(params.query, found), code, table=table)
    return with_picture(outcome, params.draw, lambda: picture_of(screen, found, params.query))


def _locator(device: Device, params: LocateParams, confirm: Confirm | None) -> VisualLocator:
    reader, images = CachedReader(PaddleReader()), default_planner().images()
    return VisualLocator(
        device,
        reader=reader,
        images=images,
        order=order_of(params.strategy),
        min_confidence=params.min_confidence,
        confirm=confirm,
        vision=configured_vision(params.model, reader=reader, pictures=pictures_of(images), per_search=True),
    )


def order_of(strategy: str | None) -> LocateStrategy | Sequence[str] | None:
    """Return the order that `--strategy` names: a preset (ocr_first), or strategies (ocr,template). Raises UsageError."""
    if strategy is None:
        return None
    names = [name.strip() for name in strategy.split(",") if name.strip()]
    preset = next(
        (each for each in LocateStrategy if names == [strategy.strip()] and _same_name(each.value, names[0])), None
    )
    if preset is not None:
        return preset
    if unknown := next(
        (name for name in names if name not in LocateStrategy.TREE_FIRST.order), None if names else strategy
    ):
        known = ", ".join(LocateStrategy.TREE_FIRST.order)
        presets = ", ".join(each.value for each in LocateStrategy)
        raise UsageError(f"there is no strategy or preset {shown(unknown)!r}; strategies: {known}; presets: {presets}")
    return names


def _same_name(preset: str, name: str) -> bool:
    return preset == name.lower().replace("-", "_")


def _confirm_with(context: Context, draw: Path | None) -> Confirm | None:
    """Return a function that shows the candidates as a numbered picture and asks; None if no person can be asked."""
    choose = context.choose
    if choose is None:
        return None

    def confirm(target: Target, candidates: tuple[UIElement, ...], screen: Screen) -> UIElement | None:
        try:
            path = draw or _new_folder() / "candidates.png"
            save_picture(annotated(screen, candidate_marks(candidates), _candidate_legend(candidates)), path)
            context.say(f"{len(candidates)} places may be meant; they are numbered in {path}")
        except WriteFailed as error:  # the list with their places is enough to choose
            context.say(f"{len(candidates)} places may be meant; {error}")
        for number, each in enumerate(candidates, 1):
            context.say(f"  {number}: {_about(each)}")
        chosen = choose("Which one is it?", len(candidates))
        return None if chosen is None else candidates[chosen - 1]

    return confirm


def _new_folder() -> Path:
    """Make a temporary folder for the picture. Raises WriteFailed."""
    try:
        return Path(tempfile.mkdtemp(prefix="handeye-"))
    except OSError as error:
        raise WriteFailed(error.filename or "a temporary folder", error, "name a file with --draw") from error


def uri_of(image: str) -> str:
    """Return the device URI of an argument: a file, or a URI. A colon alone makes no URI: `C:\\x.png`, `at 12:30.png`."""
    if not _exists(image) and (_NAMED.match(image) or (":" in image and not image.lower().endswith(_suffixes()))):
        return image
    return f"image:{image}"


def _exists(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # longer than a name may be, or with a null character
        return False


def _suffixes() -> tuple[str, ...]:
    """Return the suffixes of the picture files that Pillow reads."""
    return tuple(Image.registered_extensions())


class TapParams(BaseModel):
    """Parameters of `tap`."""

    query: Annotated[str, ARGUMENT] = Field(min_length=1, description="What to tap: a text or a reference image.")
    count: int = Field(1, ge=1, le=MOST_TAPS, description="Taps in a row: 2 for a double tap.")
    device: Annotated[str, Cli(flags=("--device", "-d"), variable="HANDEYE_DEVICE")] = Field(
        DEFAULT_DEVICE, description="android:///SERIAL, android:, phone:, image:FILE"
    )
    min_confidence: MinConfidence = None
    model: ModelName = None


def tap(params: TapParams, context: Context) -> Outcome:
    """Find something on the device's screen and tap it; when it is not there or not unique, nothing is tapped."""
    with closing(open_device(params.device)) as device:
        session = Session(device, model=params.model, min_confidence=params.min_confidence)
        found = session.tap(params.query, count=params.count)
    return Outcome(as_data(found), lines_of(params.query, found))


def as_data(found: LocateResult) -> dict[str, Any]:
    """Return a locate result for JSON; boxes in pixels of the frame."""
    element = found.element
    return {
        "success": found.success,
        "box": list(element.bbox) if element else None,
        "label_box": list(element.label_box) if element and element.label_box else None,
        "point": list(element.center) if element else None,
        "text": element.text if element else None,
        "role": element.element_type if element else None,
        "method": found.method_used,
        "confidence": round(found.confidence, 3),
        "reliable": found.reliable,
        "candidates": [
            {"box": list(each.bbox), "confidence": round(each.confidence, 3), "text": each.text, "method": each.source}
            for each in found.candidates
        ],
        "attempts": [
            {"strategy": each.strategy, "outcome": each.outcome, "note": each.note, "ms": round(each.elapsed_ms, 1)}
            for each in found.attempts
        ],
        **({"usage": found.usage.to_dict()} if found.usage is not None else {}),
    }


def lines_of(query: str, found: LocateResult) -> tuple[str, ...]:
    """Return a locate result for people: place, method and confidence, or the reason for none; and the model usage."""
    cost = (f"  models: {found.usage}",) if found.usage is not None else ()
    return (*_found_lines(query, found), *cost)


def _found_lines(query: str, found: LocateResult) -> tuple[str, ...]:
    name = repr(shown(query, MOST_WORDS))
    if found.success and found.element is not None:
        box = found.element.bbox
        return (
            f"{name} at {tuple(box)}, click {tuple(found.element.center)}",
            f"  by {found.method_used}, confidence {found.confidence:.2f}"
            + ("" if found.reliable else ", not reliable: check it"),
        )
    if not found.candidates:
        return (f"{name} was not found" if found.looked else f"nobody could look for {name}",)
    places = len(found.candidates)
    head = (
        f"{name} fits {places} places equally well" if found.method_used != "none" else f"{name} was not found for sure"
    )
    return (head, *(f"  {number}: {_about(each)}" for number, each in enumerate(found.candidates, 1)))


def attempts_of(found: LocateResult) -> Table:
    """Return every strategy that was tried, with its outcome and the reason."""
    return Table(
        ("strategy", "outcome", "sure", "ms", "why"),
        tuple(
            (
                each.strategy,
                each.outcome,
                "" if each.confidence is None else f"{each.confidence:.2f}",
                f"{each.elapsed_ms:.1f}",
                shown(each.note, MOST_OF_NOTE),
            )
            for each in found.attempts
        ),
    )


def picture_of(screen: Screen, found: LocateResult, query: str) -> Image.Image:
    """Return the frame with the result or the numbered candidates, and a legend."""
    element = found.element
    if element is None:
        said = f"{query}: {'which of these?' if found.candidates else 'not found'}"
        return annotated(
            screen, candidate_marks(found.candidates), [(None, said), *_candidate_legend(found.candidates)]
        )
    marks = [Mark(element.visible_region or element.bbox, FOUND, aim=True)]
    legend: list[tuple[str | None, str]] = [(FOUND, f"{query}: {found.method_used}, {found.confidence:.2f}")]
    if element.label_box is not None:
        marks.append(Mark(element.label_box, LABEL, thin=True))
        legend.append((LABEL, "its label"))
    return annotated(screen, marks, legend)


def candidate_marks(candidates: Sequence[UIElement]) -> list[Mark]:
    return [Mark(each.bbox, CANDIDATE, number) for number, each in enumerate(candidates, 1)]


def _candidate_legend(candidates: Sequence[UIElement]) -> list[tuple[str | None, str]]:
    return [(CANDIDATE, f"{number}: {_about(each)}") for number, each in enumerate(candidates[:9], 1)]


def _about(element: UIElement) -> str:
    text = f"{shown(element.text, 40)!r} " if element.text else ""
    return f"{text}{element.element_type} at {tuple(element.bbox)}, {element.source} {element.confidence:.2f}"
