"""
Text rendering for drawn screens: font selection per character, line width, and anti-aliased masks.

Everything is in pixels. Layout is Pillow's basic one with its own bidi step, so pictures are the same on every machine.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import Final

from PIL import Image, ImageChops, ImageDraw, ImageFont

# Right-to-left text in visual order, with Arabic letters joined; sufficient for one line on a phone's screen. Pillow's
# basic layout draws code points from left to right, and its other layout needs a system library that may be missing.
# This covers Hebrew and Arabic words among Latin and Chinese ones (UAX #9 without embeddings).


_MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")
_FORMS = ("isolated", "final", "initial", "medial")


@lru_cache(maxsize=1)
def _presentation_forms() -> dict[tuple[str, str], str]:
    """Return the code point for each (letter, form), from Unicode's decompositions."""
    table: dict[tuple[str, str], str] = {}
    for code in (*range(0xFB50, 0xFBFF), *range(0xFE80, 0xFEFD)):
        parts = unicodedata.decomposition(chr(code)).split()
        if len(parts) == 2 and parts[0].strip("<>") in _FORMS:
            table.setdefault((chr(int(parts[1], 16)), parts[0].strip("<>")), chr(code))
    return table


def join_arabic(text: str) -> str:
    """Return `text` (logical order) with Arabic letters replaced by their joined forms. Same length."""
    forms = _presentation_forms()
    out = []
    for index, letter in enumerate(text):
        before = _neighbour(text, index, -1)
        after = _neighbour(text, index, 1)
        joins_before = (before, "initial") in forms and (letter, "final") in forms
        joins_after = (letter, "initial") in forms and (after, "final") in forms
        form = _FORMS[(1 if joins_before else 0) + (2 if joins_after else 0)]
        out.append(forms.get((letter, form), letter))
    return "".join(out)


def _neighbour(text: str, index: int, step: int) -> str:
    index += step
    while 0 <= index < len(text) and unicodedata.combining(text[index]):
        index += step
    return text[index] if 0 <= index < len(text) else ""


def _direction(char: str) -> str:
    kind = unicodedata.bidirectional(char)
    if kind in ("R", "AL"):
        return "R"
    if kind == "L":
        return "L"
    return "N" if kind in ("EN", "AN") else ""


def visual(text: str) -> str:
    """Return `text` of one line, reordered so that it reads correctly when drawn from left to right."""
    kinds = [_direction(char) for char in text]
    if "R" not in kinds:
        return text
    base = next(kind for kind in kinds if kind in ("L", "R"))
    joined = join_arabic(text)
    runs = _runs(joined, _resolve(kinds, base))
    if base == "R":
        runs.reverse()
    return "".join(_reversed_run(part) if kind == "R" else part for kind, part in runs)


def _resolve(kinds: list[str], base: str) -> list[str]:
    """Resolve neutrals: to the direction of both neighbours if they agree, else to the line's."""
    strong = [kind if kind in ("L", "R") else "" for kind in kinds]
    out = list(strong)
    for index, kind in enumerate(strong):
        if kind:
            continue
        left = next((k for k in reversed(strong[:index]) if k), base)
        right = next((k for k in strong[index:] if k), base)
        out[index] = left if left == right else base
        if kinds[index] == "N":
            out[index] = left
    return out


def _runs(text: str, kinds: list[str]) -> list[tuple[str, str]]:
    runs: list[tuple[str, str]] = []
    for char, kind in zip(text, kinds, strict=True):
        if runs and runs[-1][0] == kind:
            runs[-1] = (kind, runs[-1][1] + char)
        else:
            runs.append((kind, char))
    return runs


def _reversed_run(text: str) -> str:
    """Mirror a right-to-left run; numbers inside it keep their order."""
    out: list[str] = []
    number = ""
    for char in text:
        if unicodedata.bidirectional(char) in ("EN", "AN", "ES", "CS") and (number or char.isdigit()):
            number += char
            continue
        if number:
            out.append(number)
            number = ""
        out.append(char.translate(_MIRRORED))
    if number:
        out.append(number)
    return "".join(reversed(out))


FONT_DIR: Final = Path(__file__).parent / "fonts"
# In order of preference for each character; the first also draws the box of a character that none of them has.
FONT_FILES: Final = ("handeye-sans-sc.otf", "handeye-emoji.ttf", "handeye-hebrew.ttf", "handeye-arabic.ttf")
# Joiners and selectors have no glyph; drawing their fallback box would be wrong.
INVISIBLE: Final = frozenset("\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u2066\u2067\u2068\u2069\ufe0e\ufe0f\ufeff\r")
# Emoji whose glyph in the text font is a small symbol: taken from the emoji font.
_EMOJI_FIRST: Final = range(0x1F000, 0x1FB00)
_BASELINE: Final = (
    0.37  # share of the size, below the middle of a line: centres Chinese characters and Latin capitals alike
)


@lru_cache(maxsize=256)
def _font(index: int, size: int) -> ImageFont.FreeTypeFont:
    # Slightly smaller, so that emoji are not taller than the letters of their line.
    actual = max(1, round(size * 0.92)) if index == 1 else size
    return ImageFont.truetype(FONT_DIR / FONT_FILES[index], actual, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=len(FONT_FILES))
def _missing_glyph(index: int) -> bytes:
    return bytes(_font(index, 24).getmask("\U000f0000"))


@lru_cache(maxsize=16384)
def _font_index(char: str) -> int:
    order = (1, 0, 2, 3) if ord(char) in _EMOJI_FIRST else (0, 1, 2, 3)
    for index in order:
        if char == " " or bytes(_font(index, 24).getmask(char)) != _missing_glyph(index):
            return index
    return 0


@lru_cache(maxsize=32768)
def advance(char: str, size: int) -> float:
    """Return the width of one character in pixels at `size` pixels."""
    if char in INVISIBLE:
        return 0.0
    if char == "\t":
        return advance(" ", size) * 4
    return float(_font(_font_index(char), size).getlength(char))


def width(text: str, size: int) -> float:
    """Return the width of one line in pixels."""
    return sum(advance(char, size) for char in text)


def wrap_spans(text: str, size: int, limit: float) -> list[tuple[int, int]]:
    """
    Return (start, end) of each line no wider than `limit` pixels: breaks at newlines, then at spaces, then anywhere
    (Chinese).
    """
    spans: list[tuple[int, int]] = []
    start, used = 0, 0.0
    for index, char in enumerate(text):
        if char == "\n":
            spans.append((start, index))
            start, used = index + 1, 0.0
            continue
        step = advance(char, size)
        if index > start and used + step > limit:
            cut = start + _break_point(text[start:index], char)
            spans.append((start, cut))
            start, used = cut, width(text[cut:index], size)
        used += step
    spans.append((start, len(text)))
    return spans


def wrap(text: str, size: int, limit: float) -> list[str]:
    """Return the lines of `wrap_spans` as text."""
    return [text[start:end] for start, end in wrap_spans(text, size, limit)]


def _break_point(line: str, following: str) -> int:
    if following == " " or not (following.isascii() and line[-1].isascii()):
        return len(line)
    blank = line.rfind(" ")
    return blank + 1 if blank > 0 else len(line)


def ellipsize(text: str, size: int, limit: float) -> str:
    """Return `text` on one line, cut with `…` if it is wider than `limit` pixels."""
    text = text.replace("\n", " ")
    if width(text, size) <= limit:
        return text
    room = limit - advance("…", size)
    used = 0.0
    for index, char in enumerate(text):
        used += advance(char, size)
        if used > room:
            return text[:index] + "…"
    return text


@lru_cache(maxsize=1024)
def line_mask(text: str, size: int, weight: int = 400) -> tuple[Image.Image, int]:
    """
    Return (mask in mode L, its left margin) of one line: height `2 * size`, vertically centred, bolder from weight 500.
    """
    shown = "".join(char for char in visual(text) if char not in INVISIBLE)
    margin = size // 4 + 1
    mask = Image.new("L", (int(width(shown, size)) + 2 * margin + 2, 2 * size), 0)
    pen = ImageDraw.Draw(mask)
    x, baseline = float(margin), size * (1 + _BASELINE)
    for index, run in _font_runs(shown):
        pen.text((x, baseline), run.replace("\t", "    "), fill=255, font=_font(index, size), anchor="ls")
        x += width(run, size)
    if weight > 400:
        mask = _embolden(mask, size, weight)
    return mask, margin


def _embolden(mask: Image.Image, size: int, weight: int) -> Image.Image:
    """Draw the text again a fraction of its stem to the right, as only one weight is shipped."""
    shift = max(1, round(size / (34 if weight >= 600 else 56)))
    return ImageChops.lighter(mask, ImageChops.offset(mask, shift, 0))


def _font_runs(text: str) -> list[tuple[int, str]]:
    runs: list[tuple[int, str]] = []
    for char in text:
        index = _font_index(char)
        if runs and runs[-1][0] == index:
            runs[-1] = (index, runs[-1][1] + char)
        else:
            runs.append((index, char))
    return runs
