"""Contact sheets of wrong and refused answers: the truth in green, the answer in red, the words above."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from grounding.answers import Answer
from grounding.cases import Case
from handeye.geometry import Box
from handeye.typeface import FONT_DIR, FONT_FILES

CELL: Final = (420, 320)
_CAPTION: Final = 60
_COLUMNS: Final = 5
_MOST: Final = 60  # cells of one sheet; wrong answers come first
_AROUND: Final = 90  # pixels of the frame around what is framed
_LEAST: Final = 360  # pixels of the frame that a cell shows at least
_FRAME_PX: Final = 3

CaseKey = tuple[str, str, str]


def write_sheets(cases: Iterable[Case], answers: Iterable[Answer], folder: Path) -> int:
    """Draw one sheet for each set and combination of sources into `folder`; the number of sheets."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.png"):
        old.unlink()
    by_key: dict[CaseKey, Case] = {(case.set, case.mode, case.screen): case for case in cases}
    failed: dict[tuple[str, str], list[Answer]] = defaultdict(list)
    for each in answers:
        if each.verdict in ("wrong", "refused"):
            failed[each.set, each.mode].append(each)
    for (name, mode), own in failed.items():
        sheet = _sheet([(by_key[each.set, each.mode, each.screen], each) for each in _chosen(own)])
        sheet.save(folder / f"{name}-{mode}.png")
    return len(failed)


def _chosen(answers: Sequence[Answer]) -> list[Answer]:
    """All wrong answers, then a seeded sample of the refused ones."""
    wrong = [each for each in answers if each.verdict == "wrong"]
    refused = [each for each in answers if each.verdict == "refused"]
    room = max(0, _MOST - len(wrong))
    return [*wrong[:_MOST], *random.Random(1).sample(refused, min(room, len(refused)))]


def _sheet(pairs: Sequence[tuple[Case, Answer]]) -> Image.Image:
    rows = -(-len(pairs) // _COLUMNS)
    width, height = CELL
    sheet = Image.new("RGB", (_COLUMNS * width, rows * (height + _CAPTION)), "white")
    for number, (case, answer) in enumerate(pairs):
        row, column = divmod(number, _COLUMNS)
        sheet.paste(_cell(case, answer), (column * width, row * (height + _CAPTION)))
    return sheet


def _cell(case: Case, answer: Answer) -> Image.Image:
    cell = Image.new("RGB", (CELL[0], CELL[1] + _CAPTION), "white")
    part = _part(case, answer)
    picture = _marked(case, answer).crop(part)
    picture.thumbnail((CELL[0] - 6, CELL[1] - 6))
    cell.paste(picture, (3, _CAPTION))
    pen = ImageDraw.Draw(cell)
    verdict = f"{answer.verdict} {answer.confidence:.2f} {answer.method}; {answer.kind}"
    pen.text((4, 2), answer.words.replace("\n", " ")[:60], "black", _font())
    pen.text((4, 20), verdict, "red" if answer.verdict == "wrong" else "gray", _font())
    pen.text((4, 38), answer.note.replace("\n", " ")[:64], "gray", _font())
    return cell


def _marked(case: Case, answer: Answer) -> Image.Image:
    if case.picture is None or case.mode == "tree":
        picture = Image.new("RGB", case.size, "white")
        pen = ImageDraw.Draw(picture)
        for element in case.tree:
            _outline(pen, element.bbox, "lightgray", 2)
            pen.text(
                (element.bbox.left + 4, element.bbox.top + 2), element.text or element.description, "gray", _font(28)
            )
    else:
        with Image.open(case.picture) as opened:
            picture = opened.convert("RGB")
        pen = ImageDraw.Draw(picture)
    for box in answer.truth:
        _outline(pen, box, "green")
    if answer.box is not None:
        _outline(pen, answer.box, "red" if answer.verdict == "wrong" else "orange")
    return picture


def _part(case: Case, answer: Answer) -> Box:
    """The part of the frame that shows the truth and the answer."""
    boxes = [*answer.truth, *([answer.box] if answer.box is not None else [])] or [case.size.bounds]
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    part = Box(min(lefts), min(tops), max(rights), max(bottoms)).expand(_AROUND)
    short = max(0, _LEAST - part.width) // 2, max(0, _LEAST * CELL[1] // CELL[0] - part.height) // 2
    return Box(part.left - short[0], part.top - short[1], part.right + short[0], part.bottom + short[1]).clip(case.size)


def _outline(pen: ImageDraw.ImageDraw, box: Box, colour: str, width: int = _FRAME_PX) -> None:
    if box.area:
        pen.rectangle((box.left - width, box.top - width, box.right + width, box.bottom + width), None, colour, width)


@lru_cache(maxsize=2)
def _font(size: int = 14) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONT_DIR / FONT_FILES[0], size)
