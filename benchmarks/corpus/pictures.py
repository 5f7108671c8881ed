"""Pictures of answers, to look at: what was meant in green, what was answered in red."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from corpus.measure import Answer

WIDTH, CAPTION = 3, 56
_FONT = "NotoSansCJK-Regular.ttc"


def show(answers: Iterable[Answer], folder: Path) -> int:
    """Draw each answer on its screen into `folder`; the number of pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.png"):
        old.unlink()
    count = 0
    for count, answer in enumerate(answers, 1):
        name = re.sub(
            r"[^\w.-]+",
            "_",
            f"{answer.verdict}-{answer.strategy}-{answer.query.kind}-{answer.query.scene.name}-{count}",
        )
        _draw(answer).save(folder / f"{name}.png")
    return count


def _draw(answer: Answer) -> Image.Image:
    scene = answer.query.scene
    with Image.open(scene.picture) as picture:
        canvas = Image.new("RGB", (picture.width, picture.height + CAPTION), "white")
        canvas.paste(picture.convert("RGB"), (0, CAPTION))
    pen = ImageDraw.Draw(canvas)
    for number in answer.query.right:
        _frame(pen, scene.things[number].box, "green")
    for element in answer.candidates:
        _frame(pen, element.bbox, "orange")
    if answer.element is not None:
        _frame(pen, answer.element.bbox, "red")
        caption = f"answered {answer.element.text!r} {answer.element.confidence:.2f}"
    else:
        caption = f"refused, {len(answer.candidates)} candidates"
    pen.text((6, 4), f"{answer.query.kind}: {answer.query.words!r}", fill="black", font=_font())
    pen.text((6, 28), f"{caption}; {answer.note}", fill="black", font=_font())
    if answer.query.reference:
        with Image.open(answer.query.reference) as reference:
            canvas.paste(reference.convert("RGB").crop((0, 0, 120, CAPTION)), (canvas.width - 120, 0))
    return canvas


def _frame(pen: ImageDraw.ImageDraw, box: tuple[int, int, int, int], colour: str) -> None:
    left, top, right, bottom = box
    pen.rectangle(
        (left - WIDTH, top - WIDTH + CAPTION, right + WIDTH, bottom + WIDTH + CAPTION), outline=colour, width=WIDTH
    )


def _font() -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    try:
        return ImageFont.truetype(_FONT, 17)
    except OSError:
        return ImageFont.load_default(17)
