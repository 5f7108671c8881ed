"""`python -m training.phrases.view --screens DIR --questions FILE --out sheet.png`: pictures with boxes and phrases."""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path
from typing import Any, Final

import numpy as np
from PIL import Image, ImageDraw, ImageFont

RIGHT: Final = (230, 30, 30)
EQUAL: Final = (230, 140, 0)
CAPTION: Final = 44  # pixels below a picture
FONTS: Final = (
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
)


def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """A font that shows Chinese where one is installed."""
    found = next((path for path in FONTS if Path(path).exists()), None)
    return ImageFont.truetype(found, size) if found else ImageFont.load_default()


def cell(folder: Path, question: dict[str, Any], edge: int) -> Image.Image:
    """The picture around what a question means, or all of it, with the phrase below."""
    picture = Image.open(folder / question["screen"]).convert("RGB")
    draw = ImageDraw.Draw(picture)
    groups = [(question["boxes"], RIGHT), *((group, EQUAL) for group in question.get("equal", []))]
    for boxes, colour in groups:
        for left, top, right, bottom in boxes:
            draw.rectangle(
                (left - 2, top - 2, right + 1, bottom + 1), outline=colour, width=max(2, picture.width // 500)
            )
    if question["boxes"] and picture.width > edge:
        left, top, right, bottom = question["boxes"][0]
        wide = min(picture.width, max(edge, round(1.3 * (right - left)), picture.width // 2))
        x = min(max(0, (left + right - wide) // 2), picture.width - wide)
        high = min(picture.height, wide * 3 // 4)
        y = min(max(0, (top + bottom - high) // 2), picture.height - high)
        picture = picture.crop((x, y, x + wide, y + high))
    picture.thumbnail((edge, edge * 3 // 4))
    shown = Image.new("RGB", (edge, edge * 3 // 4 + CAPTION), (90, 90, 90))
    shown.paste(picture, (0, 0))
    pen = ImageDraw.Draw(shown)
    about = f"{question['category']} {question['screen_language']}-{question['language']} {question.get('hard', '')}"
    pen.text((4, edge * 3 // 4 + 1), question["words"], fill=(255, 255, 255), font=font(17))
    pen.text((4, edge * 3 // 4 + 25), about, fill=(255, 255, 120), font=font(12))
    return shown


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--screens", type=Path, required=True)
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--sample", type=int, default=24)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--category", default="", help="only questions of these categories, separated by commas")
    parser.add_argument("--across", type=int, default=4)
    parser.add_argument("--edge", type=int, default=480)
    choices = parser.parse_args()
    lines = [json.loads(line) for line in choices.questions.read_text("utf-8").splitlines()]
    wanted = [line for line in lines if not choices.category or line["category"] in choices.category.split(",")]
    sample = random.Random(choices.seed).sample(wanted, min(choices.sample, len(wanted)))
    cells = [cell(choices.screens, line, choices.edge) for line in sample]
    while len(cells) % choices.across:
        cells.append(Image.new("RGB", cells[0].size))
    rows = [
        np.hstack([np.asarray(each) for each in cells[at : at + choices.across]])
        for at in range(0, len(cells), choices.across)
    ]
    Image.fromarray(np.vstack(rows)).save(choices.out, quality=88)
    print(f"{len(sample)} questions in {choices.out}")


if __name__ == "__main__":
    main()
