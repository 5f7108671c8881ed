"""Read text lines through any text reader, with its answer checked."""

from __future__ import annotations

from numbers import Integral, Real

from handeye.errors import HandeyeError, OcrFailed
from handeye.geometry import Box
from handeye.ocr import RegionReader, TextReader
from handeye.screen import Screen
from handeye.text import TextLine


def read_lines(reader: TextReader, screen: Screen, within: Box | None = None) -> tuple[TextLine, ...]:
    """
    Return the lines that `reader` reads on the frame, or those whose center is `within` a part; only that part is read if
    the reader supports it. A reader may be third-party code: any error in it is raised as OcrFailed, or as its own
    HandeyeError.
    """
    try:
        if within is not None and isinstance(reader, RegionReader):
            lines = tuple(reader.read_region(screen, within))
        else:
            lines = tuple(reader.read(screen))
    except HandeyeError:
        raise
    except Exception as error:
        raise OcrFailed(f"the text reader failed: {error or type(error).__name__}") from error
    if not all(_is_valid(line) for line in lines):
        raise OcrFailed("the text reader answered something else than lines of text with a box and a confidence")
    return lines if within is None else tuple(line for line in lines if within.contains(line.box.center))


def _is_valid(line: object) -> bool:
    """Return True for a line whose fields have the right types."""
    if not isinstance(line, TextLine) or not isinstance(line.text, str) or not isinstance(line.box, Box):
        return False
    return isinstance(line.confidence, float | Real) and all(isinstance(edge, int | Integral) for edge in line.box)
