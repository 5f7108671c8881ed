"""Find a reference picture by the words on it, if the picture itself is not found: another theme, font or version."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from handeye.geometry import Box
from handeye.locate.base import read_lines
from handeye.locate.sources.control_bounds import control_around, is_button
from handeye.matching import Reference
from handeye.ocr import TextReader
from handeye.screen import Screen
from handeye.text import TextLine, TextMatch, fold, match_text

_MARGIN: Final = 16  # pixels: OCR misses text that touches the edge of a picture
_EDGE: Final = 4  # pixels: a line this close to the edge of a picture may be cut
_LEAST_LETTERS: Final = 3  # of a line: shorter texts also occur elsewhere
_LONG: Final = 12  # least letters of a cut line, which may match a part of a longer one
_WHOLE: Final = frozenset({"exact", "normalised", "label", "variant"})


@dataclass(frozen=True, slots=True)
class WordsPlace:
    """
    The box of the picture derived from the `words` of its lines that were found, with their `boxes`.

    `confidence` is that of the reader (0-1). `is_alike` is False for bare text if the picture shows a button.
    """

    box: Box
    words: tuple[str, ...]
    boxes: tuple[Box, ...]
    confidence: float
    is_alike: bool


def places_by_words(
    reference: Reference, reader: TextReader, screen: Screen, lines: Sequence[TextLine]
) -> list[WordsPlace]:
    """
    Return the places among the lines of a frame that contain all words of a picture in the same arrangement; none for a
    picture larger than the frame. Raises OcrFailed.
    """
    if reference.is_larger_than(screen.size):
        return []
    shown = _padded(reference)
    said = [line for line in read_lines(reader, shown) if _letters(line.text) >= _LEAST_LETTERS]
    places: list[WordsPlace] = []
    for line in said:
        face = control_around(shown, line.box)
        has_face = face is not None and is_button(face, line.box)
        for match in match_text(line.text, lines):
            alike = match.layer == "misread" and fold(match.text) == fold(line.text)
            if not (match.layer in _WHOLE or alike or _is_cut(line, match, shown)):
                continue
            own = control_around(screen, match.box) if has_face and match.box.intersect(screen.box) else None
            is_alike = not has_face or (own is not None and is_button(own, match.box))
            sure = match.line.confidence if 0 <= match.line.confidence <= 1 else 0.0
            box = _placed(reference, line.box.translate(-_MARGIN, -_MARGIN), match.box)
            place = WordsPlace(box, (match.text,), (match.box,), sure, is_alike)
            same = next((at for at, each in enumerate(places) if _is_same_place(each, place)), None)
            if same is None:
                places.append(place)
            else:
                places[same] = _joined(places[same], place)
    wanted = sum(_letters(line.text) for line in said)
    return [place for place in places if _letters("".join(place.words)) >= wanted]


def _padded(reference: Reference) -> Screen:
    """Return a picture as a frame, with a margin around it."""
    pixels = (
        reference.rgb if reference.mask is None else cv2.bitwise_and(reference.rgb, reference.rgb, mask=reference.mask)
    )
    padded = cv2.copyMakeBorder(pixels, _MARGIN, _MARGIN, _MARGIN, _MARGIN, cv2.BORDER_REPLICATE)
    return Screen(np.asarray(padded, np.uint8))


def _is_cut(line: TextLine, match: TextMatch, shown: Screen) -> bool:
    """Return True if a long line reaches the picture's edge and matches a part of a longer one."""
    left, right = line.box.left - _MARGIN, shown.size.width - _MARGIN - line.box.right
    return match.layer == "part" and _letters(match.text) >= _LONG and min(left, right) <= _EDGE


def _placed(reference: Reference, of_words: Box, seen: Box) -> Box:
    """Return the box of a picture whose words are at `of_words` in it, and at `seen` on the frame."""
    height, width = reference.gray.shape
    scale = seen.height / max(1, of_words.height)
    left = seen.center.x - of_words.center.x * scale
    top = seen.center.y - of_words.center.y * scale
    return Box(round(left), round(top), round(left + width * scale), round(top + height * scale))


def _is_same_place(place: WordsPlace, other: WordsPlace) -> bool:
    """Return True if `other` is another line of the picture at the same place."""
    return place.box.contains(other.box.center) and other.boxes[0] not in place.boxes


def _joined(place: WordsPlace, other: WordsPlace) -> WordsPlace:
    return replace(
        place,
        words=(*place.words, *other.words),
        boxes=(*place.boxes, *other.boxes),
        confidence=min(place.confidence, other.confidence),
        is_alike=place.is_alike and other.is_alike,
    )


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))
