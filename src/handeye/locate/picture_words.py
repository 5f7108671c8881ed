"""Finding a reference picture by the words on it, where it is nowhere seen as a picture: another theme, font or version."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from handeye.geometry import Box, Size
from handeye.locate.match_text import match_text
from handeye.locate.reading import lines_on
from handeye.locate.reference import Reference
from handeye.ocr.base import TextLine, TextReader
from handeye.screen import Screen

_MARGIN: Final = 16  # pixels: readers lose what touches the edge of a picture
_LEAST_LETTERS: Final = 3  # of a line: fewer stand elsewhere, too
_LEAST_SHARE: Final = 0.5  # of all letters on the picture
_LONG: Final = 12  # letters of a line that are found as a part of a longer one, too: a picture may cut its line
_WHOLE: Final = frozenset({"exact", "normalised", "label", "variant", "folded"})


@dataclass(frozen=True, slots=True)
class WordsPlace:
    """Where the picture would stand, and the words that were found there: `words` is their first line, `confidence` 0-1."""

    box: Box
    words: Box
    text: str
    confidence: float


def places_by_words(reference: Reference, reader: TextReader, screen: Screen, within: Box) -> list[WordsPlace]:
    """
    Return the places where most of the words on a picture stand as they do on it; those with the most letters, if there are
    several equal ones. Raises OcrFailed.
    """
    said = [line for line in _lines_of(reference, reader) if _letters(line.text) >= _LEAST_LETTERS]
    total = sum(_letters(line.text) for line in said)
    lines = lines_on(reader, screen, within) if said else ()
    height, width = reference.gray.shape
    places: list[WordsPlace] = []
    for line in said:
        for match in match_text(line.text, lines):
            if match.layer not in _WHOLE and not (match.layer == "part" and _letters(match.text) >= _LONG):
                continue
            box = _placed(Size(width, height), line.box, match.box)
            place = WordsPlace(box, match.box, match.text, match.line.confidence)
            same = next((at for at, each in enumerate(places) if each.box.contains(box.center)), None)
            if same is None:
                places.append(place)
            else:
                places[same] = replace(places[same], text=f"{places[same].text} {match.text}")
    most = max((_letters(place.text) for place in places), default=0)
    if most < _LEAST_SHARE * total:
        return []
    return [place for place in places if _letters(place.text) == most]


def _lines_of(reference: Reference, reader: TextReader) -> Sequence[TextLine]:
    """Return the lines on a picture, in its own pixels."""
    shown = (
        reference.rgb if reference.mask is None else cv2.bitwise_and(reference.rgb, reference.rgb, mask=reference.mask)
    )
    padded = cv2.copyMakeBorder(shown, _MARGIN, _MARGIN, _MARGIN, _MARGIN, cv2.BORDER_REPLICATE)
    lines = reader.read(Screen(np.asarray(padded, np.uint8)))
    return [replace(line, box=line.box.translate(-_MARGIN, -_MARGIN)) for line in lines]


def _placed(size: Size, of_words: Box, seen: Box) -> Box:
    """Return the box of a picture whose words stand at `of_words`, where they are seen."""
    scale = seen.height / max(1, of_words.height)
    left = seen.center.x - of_words.center.x * scale
    top = seen.center.y - of_words.center.y * scale
    return Box(round(left), round(top), round(left + size.width * scale), round(top + size.height * scale))


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))
