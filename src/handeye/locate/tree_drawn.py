"""Does the frame show what the tree says? A tree of another moment is told by the text that stands at an element's place."""

from __future__ import annotations

from typing import Final

from rapidfuzz import fuzz

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.locate.chain import LEAST_CONFIDENCE
from handeye.locate.match_text import match_text
from handeye.locate.reading import lines_on
from handeye.locate.text_forms import is_ideograph, normalize
from handeye.ocr.base import TextReader
from handeye.screen import Screen

# A reading below this may be wrong itself, and contradicts nothing.
_READ_WELL: Final = 0.9
# Texts that share less than this (rapidfuzz's partial ratio, 0-100) are two: "Cancel" and "Delete" share 50 in their best part.
_UNLIKE: Final = 60
# A label of so few characters (without blanks) that was read this well stands there as it was read: "Disable" is not "Enable".
_LABEL: Final = 12
_READ_SURELY: Final = 0.97
# A line reaches over its element's edge by this share of the element's height at most.
_OVER: Final = 0.5


def shows(reader: TextReader, screen: Screen, element: UIElement, box: Box) -> bool | None:
    """
    Whether the text that stands in `box` on the frame is the element's: False for another one, None when nobody can tell.

    None too where the element has no text, or one in letters that not every reader knows. Raises OcrFailed when the reader
    could not look. Only the place is read where the reader can read a part of a frame: 12 ms of CPU, not 439.
    """
    if not element.text.strip():
        return None
    around = box.expand(round(_OVER * box.height)).clip(screen.size)
    lines = [line for line in lines_on(reader, screen, around) if box.contains(line.box.center)]
    if any(match.confidence >= LEAST_CONFIDENCE for match in match_text(element.text, lines)):
        return True
    read = normalize(" ".join(line.text for line in lines if line.confidence >= _READ_WELL))
    told = normalize(element.text)
    if not _is_common(read) or not _is_common(told):
        return None
    other = fuzz.partial_ratio(told, read) < _UNLIKE
    if len(told) <= _LABEL and min(line.confidence for line in lines) >= _READ_SURELY:
        other = other or not (told in read or read in told)  # beside a badge, or cut short
    return False if other else None


def _is_common(text: str) -> bool:
    """Whether it has letters, and all of them are Latin or Chinese."""
    letters = [char for char in text if char.isalpha()]
    return bool(letters) and all(char.isascii() or is_ideograph(char) for char in letters)
