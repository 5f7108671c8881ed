"""
Tesseract as a text reader: runs the installed `tesseract` program without a shell.

For scripts that the default reader lacks, such as Arabic or Thai; on Chinese and English it finds much less (docs/ocr.md).
"""

from __future__ import annotations

import csv
import math
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from handeye.errors import MissingPart, OcrFailed
from handeye.geometry import Box
from handeye.screen import Screen
from handeye.text import TextLine, shifted

INSTALL: Final = "install Tesseract 5 and its languages (Debian: apt-get install tesseract-ocr tesseract-ocr-chi-sim)"
_SPARSE: Final = "11"  # page segmentation: text anywhere, in no order; the default expects columns of prose
_WORD: Final = "5"  # the level of a word in Tesseract's table
_PATIENCE: Final = 120.0  # seconds; a 4K page takes some ten
_SMALLEST: Final = 8  # pixels; Tesseract refuses pictures of a few pixels


@dataclass(frozen=True, slots=True)
class _Word:
    """A word in pixels of the picture; `line` is the same for all words of one line."""

    line: tuple[str, ...]
    text: str
    box: Box
    confidence: float


class TesseractReader:
    """
    Reads all text lines of a frame, top to bottom. Thread-safe: each read is a separate process.

    `languages` are Tesseract's names. Raises MissingPart without the program or one of the languages, OcrFailed if it
    fails.
    """

    def __init__(self, languages: Sequence[str] = ("chi_sim", "eng"), *, program: str = "tesseract") -> None:
        self._languages = tuple(languages)
        self._program = program

    @property
    def name(self) -> str:
        return "tesseract"

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        if min(screen.size) < _SMALLEST:
            return ()
        words = [
            word
            for row in csv.DictReader(self._table(screen).splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
            if (word := _word(row)) is not None
        ]
        lines: dict[tuple[str, ...], list[_Word]] = {}
        for word in words:
            lines.setdefault(word.line, []).append(word)
        return tuple(sorted(map(_line, lines.values()), key=lambda line: (line.box.top, line.box.left)))

    def read_region(self, screen: Screen, box: Box) -> tuple[TextLine, ...]:
        """Return only the lines inside `box`; their boxes are in pixels of the whole frame."""
        part = box.clip(screen.size)
        return tuple(shifted(line, part.left, part.top) for line in self.read(screen.crop(part)))

    def _table(self, screen: Screen) -> str:
        program = shutil.which(self._program)
        if program is None:
            raise MissingPart(f"the text reader Tesseract ({self._program})", INSTALL)
        command = [program, "stdin", "stdout", "-l", "+".join(self._languages), "--psm", _SPARSE, "tsv"]
        try:
            done = subprocess.run(command, input=screen.to_png(), capture_output=True, timeout=_PATIENCE, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise OcrFailed(f"Tesseract did not answer: {error}") from error
        stderr = done.stderr.decode("utf-8", "replace").strip()
        if done.returncode and "Failed loading language" in stderr:
            raise MissingPart(f"a language of Tesseract ({', '.join(self._languages)})", INSTALL)
        if done.returncode:
            raise OcrFailed(f"Tesseract ended with {done.returncode}: {stderr[-300:]}")
        return done.stdout.decode("utf-8", "replace")


def _word(row: dict[str, str]) -> _Word | None:
    """Return a row of Tesseract's table as a word, or None for rows of other levels and empty words."""
    if row.get("level") != _WORD or row.get("text", "") == "":
        return None
    try:
        left, top, width, height = (int(row[name]) for name in ("left", "top", "width", "height"))
        confidence = float(row["conf"]) / 100
        text = row["text"].strip()
    except (AttributeError, TypeError, ValueError) as error:  # a short row has None where it ends
        raise OcrFailed(f"Tesseract's table has a row that makes no sense: {row!r}") from error
    if not text or width < 1 or height < 1 or not math.isfinite(confidence):
        return None
    line = row["block_num"], row["par_num"], row["line_num"]
    return _Word(line, text, Box(left, top, left + width, top + height), min(1.0, max(0.0, confidence)))


def _line(words: Sequence[_Word]) -> TextLine:
    """Join words to one line: character positions are interpolated within each word; no blank between two ideographs."""
    text, centres = "", list[float]()
    for word in words:
        if text and not (_is_ideograph(text[-1]) and _is_ideograph(word.text[0])):
            text += " "
            centres.append((centres[-1] + word.box.left) / 2)
        step = word.box.width / len(word.text)
        centres += [word.box.left + (index + 0.5) * step for index in range(len(word.text))]
        text += word.text
    box = Box(
        min(word.box.left for word in words),
        min(word.box.top for word in words),
        max(word.box.right for word in words),
        max(word.box.bottom for word in words),
    )
    return TextLine(text, box, sum(word.confidence for word in words) / len(words), tuple(centres))


def _is_ideograph(character: str) -> bool:
    return "\u3000" <= character <= "\u9fff" or "\uff00" <= character <= "\uffef"
