"""Compare the text of a tree's element with the frame, to detect a tree of another moment."""

from __future__ import annotations

import logging
from typing import Final

import numpy as np
from rapidfuzz import fuzz

from handeye.elements import UIElement
from handeye.errors import HandeyeError
from handeye.geometry import Box
from handeye.locate.base import read_lines
from handeye.locate.chain import LEAST_CONFIDENCE
from handeye.locate.sources.tree_index import seen_box
from handeye.ocr import TextReader
from handeye.screen import Screen
from handeye.text import (
    HIGH_CONFIDENCE,
    LOW_CONFIDENCE,
    differs_in_meaning,
    is_half_alike,
    is_ideograph,
    is_negated,
    match_text,
    normalize,
)

_log = logging.getLogger(__name__)

# Largest range of a plain area: one colour with JPEG noise.
_FLAT: Final = 8
# Longest label, without spaces, in which any different letter that was read well means another label: "Disable" is not
# "Enable".
_LABEL: Final = 12
# A longer text is another one if its similarity (0-100) to the best part of the read text is lower.
_UNLIKE: Final = 85


def compare_with_frame(
    screen: Screen, element: UIElement, reader: TextReader | None, label: Box | None = None
) -> tuple[bool | None, str]:
    """
    Return False if the frame shows a plain area or another text at an element of the tree, True if it shows its text, None
    if unknown; and a note. The text is read in `label`, by default at the element's visible box.
    """
    if screen.is_protected:  # the app forbids screenshots: an empty area proves nothing
        return None, ""
    if (element.text or element.description) and _is_flat(screen, element):
        return False, "; nothing is drawn where the tree says it stands: the tree may be of another moment"
    if reader is None or not element.text.strip():
        return None, ""
    try:
        drawn = _text_matches(reader, screen, element, label or seen_box(element))
    except HandeyeError as error:  # the tree is still usable, only less certain
        _log.warning("an element of the tree could not be compared with the frame: %s", error)
        return None, f"; not compared with the frame: {error}"
    other = f"; the frame shows another text than {element.text[:60]!r} there: the tree may be of another moment"
    return drawn, other if drawn is False else ""


def _text_matches(reader: TextReader, screen: Screen, element: UIElement, box: Box) -> bool | None:
    """
    Return True if the text in `box` on the frame is the element's, False for another one, None if unknown, e.g. in a script
    that not every reader knows. Only the box is read if the reader supports it: 12 ms of CPU instead of 439.
    """
    around = box.expand(box.height // 2).clip(screen.size)
    lines = [line for line in read_lines(reader, screen, around) if box.contains(line.box.center)]
    if any(match.confidence >= LEAST_CONFIDENCE for match in match_text(element.text, lines)):
        return True
    texts = element.text, " ".join(line.text for line in lines if line.confidence >= LOW_CONFIDENCE)
    expected, read = map(normalize, texts)
    if not (_is_common(read) and _is_common(expected)):
        return None
    if expected in read or read in expected:  # with a badge, or truncated
        short, long = sorted(map(str.casefold, texts), key=len)
        return False if is_negated(long.partition(short)[0]) else None
    is_sure = min(line.confidence for line in lines if line.confidence >= LOW_CONFIDENCE) >= HIGH_CONFIDENCE
    if len(expected) > _LABEL:
        is_like = fuzz.partial_ratio(expected, read) >= _UNLIKE
    else:
        is_like = not is_sure and is_half_alike(expected, read)
    another = differs_in_meaning(expected, read) or not is_like
    return False if another else None


def _is_common(text: str) -> bool:
    """Return True if it has letters or digits, and all of them are Latin or Chinese."""
    letters = [char for char in text if char.isalnum()]
    return bool(letters) and all(char.isascii() or is_ideograph(char) for char in letters)


def _is_flat(screen: Screen, element: UIElement) -> bool:
    box = seen_box(element).clip(screen.size)
    pixels = screen.pixels[box.top : box.bottom, box.left : box.right]
    return bool(np.all(np.ptp(pixels, axis=(0, 1)) <= _FLAT))
