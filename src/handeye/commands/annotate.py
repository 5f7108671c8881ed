"""A frame with boxes drawn on it: numbered, named in a legend, readable on light and dark pages and at any size."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from handeye import typeface
from handeye.commands.base import Outcome, exit_code_of
from handeye.errors import UsageError, WriteFailed
from handeye.files import write_bytes
from handeye.geometry import Box
from handeye.screen import Screen
from handeye.visible import shown

FOUND: Final = "#e5484d"
CANDIDATE: Final = "#f5a623"
LABEL: Final = "#3b82f6"
LINE: Final = "#12a594"
_PANEL: Final = (24, 24, 27, 225)
_ON_PANEL: Final = "#ffffff"
_HALO: Final = "#ffffff"
Legend = Sequence[tuple[str | None, str]]
"""Pairs of a colour (None for a heading) and its meaning."""

# Sizes follow the frame: strokes of 2 px on a desktop of 1080 lines, more on a phone's finer screen.
_STROKE_SHARE: Final = 1 / 400
_LETTER_SHARE: Final = 1 / 48
_LETTERS: Final = (13, 40)
_SMALLEST: Final = 9
_MOST_WORDS: Final = 60  # of a legend's line


@dataclass(frozen=True, slots=True)
class Mark:
    """
    A box to draw. `number` and `words` are written in a label at its corner; `aim` draws cross hairs at the click point.
    """

    box: Box
    colour: str
    number: int | None = None
    aim: bool = False
    thin: bool = False
    words: str = ""


def annotated(screen: Screen, marks: Sequence[Mark], legend: Legend = (), *, letters: float = 1.0) -> Image.Image:
    """
    Return the frame with `marks`, and with `legend` in the corner where it hides the fewest of them. `letters` scales the
    labels: where there are hundreds of marks, smaller ones hide less.
    """
    picture = screen.image.convert("RGBA")
    over = Image.new("RGBA", picture.size)
    pen = ImageDraw.Draw(over)
    side = min(picture.size)
    stroke = max(1, round(side * _STROKE_SHARE))
    least, most = _LETTERS
    font = ImageFont.truetype(
        str(typeface.FONT_DIR / typeface.FONT_FILES[0]), min(most, max(least, round(side * _LETTER_SHARE)))
    )
    for mark in marks:
        _outline(pen, mark, stroke)
    chips = font.font_variant(size=max(_SMALLEST, round(font.size * letters)))
    for mark in marks:
        if mark.number is not None:
            _chip(pen, mark, chips, picture.size)
    if legend:
        _legend(pen, legend, font, [mark.box for mark in marks], picture.size)
    return Image.alpha_composite(picture, over).convert("RGB")


def refuse_source(path: Path | None, *sources: str | Path | None) -> None:
    """
    Raise UsageError if `path` (None: no file) has no suffix of a picture format, or is one of the source pictures. Called
    before the work, so that no result is lost.
    """
    if path is not None and path.suffix.lower() not in Image.registered_extensions():
        raise UsageError(f"{str(path)!r} cannot be written: its ending names no kind of picture; take .png or .jpg")
    for source in sources if path is not None else ():
        if source is not None and path is not None and _is_same_file(path, str(source).removeprefix("image:")):
            raise UsageError(f"{str(path)!r} is one of the pictures to look at: draw to another file")


def _is_same_file(path: Path, source: str) -> bool:
    try:
        return path.samefile(source)
    except (OSError, ValueError):  # one of them is no file
        return False


def save_picture(picture: Image.Image, path: Path) -> None:
    """Write a picture, whole or not at all; its format follows the name. Raises WriteFailed."""
    encoded = io.BytesIO()
    try:
        picture.save(encoded, Image.registered_extensions()[path.suffix.lower()])
    except (KeyError, OSError, ValueError) as error:
        raise WriteFailed(path, error, "choose a name that ends in .png") from error
    write_bytes(path, encoded.getvalue())


def with_picture(outcome: Outcome, path: Path | None, draw: Callable[[], Image.Image]) -> Outcome:
    """Write `draw`'s picture to `path`, if any, and return the outcome. A failure to write is a warning in it."""
    if path is None:
        return outcome
    try:
        save_picture(draw(), path)
    except WriteFailed as error:
        return replace(outcome, exit_code=exit_code_of(error), warnings=(*outcome.warnings, str(error)))
    return outcome


def _outline(pen: ImageDraw.ImageDraw, mark: Mark, stroke: int) -> None:
    """Draw the box just outside of its content, with a light rim, so that it shows on a ground of its own colour."""
    width = stroke if mark.thin else 2 * stroke
    left, top, right, bottom = mark.box.expand(width)
    if not mark.thin:
        pen.rectangle((left - 1, top - 1, right, bottom), outline=_HALO, width=width + 2)
    pen.rectangle((left, top, right - 1, bottom - 1), outline=mark.colour, width=width)
    if mark.aim:
        x, y = mark.box.center
        reach = 5 * stroke
        for colour, wide in ((_HALO, 3 * stroke), (mark.colour, stroke)):
            pen.line((x - reach, y, x + reach, y), fill=colour, width=wide)
            pen.line((x, y - reach, x, y + reach), fill=colour, width=wide)


def _chip(pen: ImageDraw.ImageDraw, mark: Mark, font: ImageFont.FreeTypeFont, size: tuple[int, int]) -> None:
    """Draw the label above the box's left corner, or inside of the box if there is no room above."""
    text = f"{mark.number} {shown(mark.words, _MOST_WORDS)}".strip()
    left, top, right, bottom = pen.textbbox((0, 0), text, font=font)
    pad = max(2, int(font.size) // 4)
    width, height = round(right - left) + 2 * pad, round(bottom - top) + 2 * pad
    x = min(max(0, mark.box.left - pad), max(0, size[0] - width))
    y = mark.box.top - height - pad
    if y < 0:
        y = min(mark.box.bottom + pad, max(0, size[1] - height))
    pen.rounded_rectangle((x, y, x + width, y + height), pad, fill=mark.colour, outline=_HALO)
    pen.text((x + pad - left, y + pad - top), text, font=font, fill=_ON_PANEL)


def _legend(
    pen: ImageDraw.ImageDraw,
    legend: Legend,
    font: ImageFont.FreeTypeFont,
    taken: Sequence[Box],
    size: tuple[int, int],
) -> None:
    line = round(font.size * 1.6)
    words = [(colour, shown(text, _MOST_WORDS)) for colour, text in legend]
    width = min(size[0], round(max(pen.textlength(text, font=font) for _colour, text in words)) + 3 * line)
    height = line * len(words) + line // 2
    gap = line // 2
    corners = [
        Box(x, y, x + width, y + height) for y in (size[1] - height - gap, gap) for x in (gap, size[0] - width - gap)
    ]
    panel = min(corners, key=lambda corner: sum(corner.intersect(box) is not None for box in taken))
    pen.rounded_rectangle(panel, gap, fill=_PANEL)
    for row, (colour, text) in enumerate(words):
        x, y = panel.left + gap, panel.top + line // 4 + row * line
        if colour is not None:
            pen.rounded_rectangle((x, y + line // 4, x + line // 2, y + line * 3 // 4), 2, fill=colour)
        pen.text((x + (line if colour else 0), y + line // 2), text, font=font, fill=_ON_PANEL, anchor="lm")


# Limits of quoted texts in messages.

MOST_WORDS: Final = 120
"""Characters of a text or a name."""

MOST_OF_NOTE: Final = 400
"""Characters of a note, which may quote them."""
