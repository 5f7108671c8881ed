"""Pictures with the truths drawn on them, for checking by eye."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from grounding.pages.packages import FONT_PACKAGES
from grounding.pages.questions import Question
from grounding.pages.render import Rendered

COLOURS: Final = {"label": "red", "named role": "blue", "instruction": "green"}
FONT: Final = "fonts-noto-cjk"
assert FONT in FONT_PACKAGES
MARGIN_PX: Final = 560
LINE_PX: Final = 19


def draw(page: Rendered, asked: Sequence[Question], folder: Path) -> None:
    """Save the picture with numbered boxes, and the words by their numbers to its right."""
    folder.mkdir(parents=True, exist_ok=True)
    font = _font(folder.parent / "packages" / "root" / "usr" / "share" / "fonts")
    with Image.open(page.picture) as picture:
        height = max(picture.height, LINE_PX * (len(asked) + 1))
        sheet = Image.new("RGB", (picture.width + MARGIN_PX, height), "white")
        sheet.paste(picture.convert("RGB"))
    pen = ImageDraw.Draw(sheet)
    for number, each in enumerate(asked, 1):
        colour = COLOURS.get(each.kind, "gray")
        pen.text((page.size[0] + 8, LINE_PX * (number - 1)), f"{number} {each.words}", fill=colour, font=font)
        for left, top, right, bottom in each.boxes:
            pen.rectangle((left - 2, top - 2, right + 2, bottom + 2), outline=colour, width=2)
            pen.text((right + 3, top - 4), str(number), fill=colour, font=font)
    sheet.save(folder / f"{page.page.name}.png")


def _font(fonts: Path) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(next(fonts.rglob("NotoSansCJK-Regular.ttc")), 14, index=2)
