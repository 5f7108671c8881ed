"""Compares the tree with the frame: a tree of another moment is told by the text that stands at an element's place."""

from __future__ import annotations

import logging
from typing import Final

import numpy as np
from rapidfuzz import fuzz

from handeye.elements import UIElement
from handeye.errors import HandeyeError
from handeye.geometry import Box
from handeye.locate.chain import LEAST_CONFIDENCE
from handeye.locate.sources.tree_index import seen_box
from handeye.locate.text_lines import read_lines
from handeye.ocr import TextReader
from handeye.screen import Screen
from handeye.text import (
    IN_DOUBT,
    READ_WELL,
    differs_in_meaning,
    is_half_alike,
    is_ideograph,
    is_negated,
    match_text,
    normalize,
)

_log = logging.getLogger(__name__)

# Pixels of one colour, but for the noise of a JPEG.
_FLAT: Final = 8
# A label of so few characters (without blanks) that was read well is another one by any letter: "Disable" is not "Enable".
_LABEL: Final = 12
# A longer text is another one when it shares less than this (0-100) with the best part of what is read well.
_UNLIKE: Final = 85


def shown_there(
    screen: Screen, element: UIElement, reader: TextReader | None, label: Box | None = None
) -> tuple[bool | None, str]:
    """
    Return False where the frame shows a plain area or another text in place of an element of the tree, True where it shows its
    text, None where that cannot be told; and a note. The text is read in `label`, by default where the element is seen.
    """
    if screen.is_protected:  # its app forbids pictures: that nothing is drawn there says nothing
        return None, ""
    if (element.text or element.description) and _is_flat(screen, element):
        return False, "; nothing is drawn where the tree says it stands: the tree may be of another moment"
    if reader is None or not element.text.strip():
        return None, ""
    try:
        drawn = _shows(reader, screen, element, label or seen_box(element))
    except HandeyeError as error:  # the tree was read: its answer is only less sure
        _log.warning("an element of the tree could not be compared with the frame: %s", error)
        return None, f"; not compared with the frame: {error}"
    other = f"; the frame shows another text than {element.text[:60]!r} there: the tree may be of another moment"
    return drawn, other if drawn is False else ""


def _shows(reader: TextReader, screen: Screen, element: UIElement, box: Box) -> bool | None:
    """
    Return True if the text that stands in `box` on the frame is the element's, False for another one, None when nobody can
    tell: a text in letters that not every reader knows. Only the place is read where the reader can: 12 ms of CPU, not 439.
    """
    around = box.expand(box.height // 2).clip(screen.size)
    lines = [line for line in read_lines(reader, screen, around) if box.contains(line.box.center)]
    if any(match.confidence >= LEAST_CONFIDENCE for match in match_text(element.text, lines)):
        return True
    texts = element.text, " ".join(line.text for line in lines if line.confidence >= IN_DOUBT)
    told, read = map(normalize, texts)
    if not (_is_common(read) and _is_common(told)):
        return None
    if told in read or read in told:  # beside a badge, or cut short
        short, long = sorted(map(str.casefold, texts), key=len)
        return False if is_negated(long.partition(short)[0]) else None
    is_sure = min(line.confidence for line in lines if line.confidence >= IN_DOUBT) >= READ_WELL
    if len(told) > _LABEL:
        is_like = fuzz.partial_ratio(told, read) >= _UNLIKE
    else:
        is_like = not is_sure and is_half_alike(told, read)
    another = differs_in_meaning(told, read) or not is_like
    return False if another else None


def _is_common(text: str) -> bool:
    """Return True if it has letters or digits, and all of them are Latin or Chinese."""
    letters = [char for char in text if char.isalnum()]
    return bool(letters) and all(char.isascii() or is_ideograph(char) for char in letters)


def _is_flat(screen: Screen, element: UIElement) -> bool:
    box = seen_box(element).clip(screen.size)
    pixels = screen.pixels[box.top : box.bottom, box.left : box.right]
    return bool(np.all(np.ptp(pixels, axis=(0, 1)) <= _FLAT))
