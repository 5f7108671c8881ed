"""Verbs that look at a picture or at what a device shows."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from handeye.cli.calling import ANY, DeviceUri, Json, MinConfidence, ModelName, call, guarded


@guarded
def locate(
    image: Annotated[str, typer.Argument(help="An image file, or a device URI.")],
    query: Annotated[
        str, typer.Argument(help="A text, a picture's name or path, or a phrase: the switch in the row WLAN")
    ],
    strategy: Annotated[
        str | None, typer.Option(help="A preset (ocr_first), or strategies in their order (ocr,template).")
    ] = None,
    min_confidence: MinConfidence = None,
    draw: Annotated[Path | None, typer.Option(help="Write the picture with the boxes drawn.")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show every strategy that was tried.")] = False,
    model: ModelName = None,
    as_json: Json = False,
) -> None:
    """Find something on a picture, and say how it was found."""
    from handeye.commands import LOCATE

    asked = {"image": image, "query": query, "strategy": strategy, "draw": draw, "explain": explain, "model": model}
    call(LOCATE, as_json, **asked, min_confidence=min_confidence)


@guarded
def ocr(
    image: Annotated[str, typer.Argument(help="An image file, or a device URI.")],
    region: Annotated[str | None, typer.Option(help="Read only left,top,right,bottom (pixels).")] = None,
    reader: Annotated[str, typer.Option(help="Which text reader: paddle, rapidocr or tesseract.")] = "paddle",
    draw: Annotated[Path | None, typer.Option(help="Write the picture with the lines' boxes drawn.")] = None,
    as_json: Json = False,
) -> None:
    """Read the text of a picture, with boxes."""
    from handeye.commands import OCR

    call(OCR, as_json, image=image, region=region, reader=reader, draw=draw)


@guarded
def parse(
    image: Annotated[str, typer.Argument(help="An image file, or a device URI.")],
    draw: Annotated[Path | None, typer.Option(help="Write the picture with the elements drawn.")] = None,
    no_text: Annotated[bool, typer.Option("--no-text", help="Do not read the words: faster, without labels.")] = False,
    as_json: Json = False,
) -> None:
    """List the controls on a picture: kind, words, what an icon shows, and where; offline."""
    from handeye.commands import PARSE

    call(PARSE, as_json, image=image, draw=draw, text=not no_text)


@guarded
def match(
    reference: Annotated[str, typer.Argument(help="A picture file, or the name of a reference image.")],
    image: Annotated[str, typer.Argument(help="An image file, or a device URI.")],
    every: Annotated[bool, typer.Option("--all", help="All places are wanted: several are no failure.")] = False,
    draw: Annotated[Path | None, typer.Option(help="Write the picture with the places drawn.")] = None,
    as_json: Json = False,
) -> None:
    """Find a picture on a picture, with the evidence."""
    from handeye.commands import MATCH

    call(MATCH, as_json, reference=reference, image=image, every=every, draw=draw)


@guarded
def tap(
    query: Annotated[str, typer.Argument(help="What to tap: a text or a reference image.")],
    count: Annotated[int, typer.Option(help="Taps in a row: 2 for a double tap.")] = 1,
    device: DeviceUri = ANY,
    min_confidence: MinConfidence = None,
    model: ModelName = None,
    as_json: Json = False,
) -> None:
    """Find something on the device and tap it; what is not there or not unique is not tapped."""
    from handeye.commands import TAP

    call(TAP, as_json, query=query, count=count, device=device, min_confidence=min_confidence, model=model)


@guarded
def plan(
    words: Annotated[
        list[str],
        typer.Argument(metavar="[IMAGE] TASK", help="What to do, and before it a picture for a model that plans."),
    ],
    screenshot: Annotated[str | None, typer.Option(help="The picture, named so.")] = None,
    device: Annotated[
        str | None, typer.Option("--device", "-d", help="The device to look at, in place of a picture.")
    ] = None,
    model: ModelName = None,
    as_json: Json = False,
) -> None:
    """Show the steps that a task would take, and who made them; nothing is done."""
    from handeye.commands import PLAN

    *images, task = words
    if len(images) > 1 or (images and screenshot is not None):
        raise typer.BadParameter("name one picture and one task; a task of several words stands in quotation marks")
    picture = images[0] if images else screenshot
    call(PLAN, as_json, task=task, screenshot=picture, device=device, model=model)


@guarded
def verify(
    image: Annotated[str, typer.Argument(help="An image file, or a device URI.")],
    expected: Annotated[
        str, typer.Argument(help='What must be seen; texts in "quotation marks" are read, a model judges the rest.')
    ] = "",
    before: Annotated[str | None, typer.Option(help="A picture from before, to compare with.")] = None,
    reference: Annotated[
        str | None, typer.Option(help="A picture that must be seen: a file, or a reference image's name.")
    ] = None,
    model: ModelName = None,
    as_json: Json = False,
) -> None:
    """Say whether a picture shows what is expected, with the evidence."""
    from handeye.commands import VERIFY

    call(VERIFY, as_json, image=image, expected=expected, before=before, reference=reference, model=model)


@guarded
def flow(
    image: Annotated[str, typer.Argument(help="An image file, or a device URI.")],
    task: Annotated[str, typer.Argument(help="What to do, for example 打开微信")],
    draw: Annotated[Path | None, typer.Option(help="Write the picture with the places drawn.")] = None,
    model: ModelName = None,
    as_json: Json = False,
) -> None:
    """Plan a task, find its steps' targets on one picture, and say what would be verified; nothing is done."""
    from handeye.commands import FLOW

    call(FLOW, as_json, image=image, task=task, draw=draw, model=model)
