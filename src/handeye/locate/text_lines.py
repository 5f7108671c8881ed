"""The lines that a text reader sees, whoever wrote the reader."""

from __future__ import annotations

from numbers import Integral, Real

from handeye.errors import HandeyeError, OcrFailed
from handeye.geometry import Box
from handeye.ocr import RegionReader, TextReader
from handeye.screen import Screen
from handeye.text import TextLine


def read_lines(reader: TextReader, screen: Screen, within: Box | None = None) -> tuple[TextLine, ...]:
    """
    Return what `reader` reads on the frame, or those lines whose middle lies `within` a part: only that is read where the
    reader can do so. A reader is anybody's code: whatever goes wrong in it is raised as OcrFailed, or as its own HandeyeError.
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
    if not all(_is_sound(line) for line in lines):
        raise OcrFailed("the text reader answered something else than lines of text with a box and a confidence")
    return lines if within is None else tuple(line for line in lines if within.contains(line.box.center))


def _is_sound(line: object) -> bool:
    """Return True for a line whose parts are of the types that they should be."""
    if not isinstance(line, TextLine) or not isinstance(line.text, str) or not isinstance(line.box, Box):
        return False
    return isinstance(line.confidence, float | Real) and all(isinstance(edge, int | Integral) for edge in line.box)
