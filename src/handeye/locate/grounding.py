"""Grounding as in docs/spec/grounding.md: find one element by cached coordinates, then OCR tokens, then a model.

Names, signatures, messages and the order follow that page; matching, geometry and cache validation are those of the rest of
Handeye. It deviates where the specified answer would be wrong: cached coordinates are compared with the screenshot and never
certain (specified: confidence 1.0 without a check), and an exact token takes precedence over a similar one before it.
"""

from __future__ import annotations

import json
import logging
import math
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from rapidfuzz.distance import Indel

from handeye.errors import InvalidBox, InvalidImage
from handeye.geometry import Box, Size, to_pixel_box
from handeye.locate.chain import LEAST_CONFIDENCE
from handeye.locate.sources.cache import STILL_THERE
from handeye.matching import Fingerprint
from handeye.models import MOST_OF_PICTURE, denied, only_object, stated_confidence
from handeye.screen import Screen
from handeye.text import TextLine, fold, match_text

BBox = tuple[int, int, int, int]


@dataclass
class CoordsCacheEntry:
    """
    An element's box, the method that found it, how often it was found or used, and the fingerprint of its surroundings, if
    any.
    """

    element_key: str
    bbox: BBox
    center: tuple[int, int]
    method: str
    validation_count: int = 0
    patch: Fingerprint | None = field(default=None, repr=False, compare=False)


class CoordsCache:
    """
    Coordinates in memory by `make_element_key`; use one cache per page. `ground_element` validates the entries that it
    uses.
    """

    def __init__(self) -> None:
        self._entries: dict[str, CoordsCacheEntry] = {}

    def get(self, element_key: str) -> CoordsCacheEntry | None:
        return self._entries.get(element_key)

    def put(self, element_key: str, bbox: BBox, center: tuple[int, int], method: str) -> None:
        """Remember a place. A known key gets the new place and one more validation."""
        known = self._entries.get(element_key)
        count = known.validation_count + 1 if known is not None else 1
        self._entries[element_key] = CoordsCacheEntry(element_key, bbox, center, method, count)

    def invalidate(self, element_key: str) -> None:
        self._entries.pop(element_key, None)

    def clear(self) -> None:
        self._entries.clear()

    def keys(self) -> list[str]:
        return list(self._entries)


def normalize_text(text: str) -> str:
    """Return the text normalised for keys: NFKC, case folded, single spaces.

    >>> normalize_text("  Save\\u3000 ENCOUNTER ")
    'save encounter'
    """
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def make_element_key(role: str, text: str) -> str:
    """Return the key of an element in a `CoordsCache`.

    >>> make_element_key("bouton", "Connexion")
    'bouton:connexion'
    """
    return f"{role}:{normalize_text(text)}"


__all__ = [
    "BBox",
    "CoordsCache",
    "CoordsCacheEntry",
    "GroundedElement",
    "OcrTokenInfo",
    "bbox_center",
    "build_grounder_prompt",
    "fuzzy_match",
    "ground_element",
    "make_element_key",
    "normalize_text",
    "ocr_anchor_ground",
    "parse_grounder_response",
]

logger = logging.getLogger(__name__)

FUZZY_THRESHOLD: Final = 0.8
# Default for a confidence that is not a number from 0 to 1 (docs/spec/grounding.md); and the maximum for coordinates that
# could not be compared with a picture, and for a text that occurs several times.
DEFAULT_CONFIDENCE: Final = 0.5
# Maximum similarity of a text that differs only in characters which OCR confuses (l and I, 0 and O): less than any other
# match.
MISREAD: Final = 0.85
# The prompt asks for 0-1. A value up to this limit is beyond the edge and is clipped (docs/spec/grounding.md); a larger
# value is in another unit.
_MOST_UNIT: Final = 2.0


@dataclass
class OcrTokenInfo:
    """An OCR token with its box: left, top, right, bottom in pixels."""

    text: str
    bbox: BBox | None = None
    confidence: float = 1.0


OcrDetailedClient = Callable[[str], list[OcrTokenInfo]]
"""Reads the image file at a path."""
VlmClient = Callable[[str, str], str]
"""Answers a prompt about the image file at a path."""


@dataclass
class GroundedElement:
    """
    An element that was found: `bbox` and `center` (where to click) in pixels.

    `method` is "ocr_anchor", "vlm_grounder" or "cache"; `source_ocr_text` is the token that matched.
    """

    role: str
    text: str
    bbox: BBox
    center: tuple[int, int]
    confidence: float
    method: str
    source_ocr_text: str = ""


def bbox_center(bbox: BBox) -> tuple[int, int]:
    """Return the center of left, top, right, bottom, rounded down.

    >>> bbox_center((100, 200, 300, 250))
    (200, 225)
    """
    x1, y1, x2, y2 = bbox
    return (x1 + x2) // 2, (y1 + y2) // 2


def fuzzy_match(expected: str, actual: str, threshold: float = FUZZY_THRESHOLD) -> bool:
    """
    Return True if `actual`, as read by OCR, is the label `expected` by the rules of handeye.text.match.

    `threshold` is the least similarity, 0-1. It does not relax the rules: a text with more different letters than OCR
    errors explain, with another digit, or with a character that changes the meaning is another label at any threshold.

    >>> fuzzy_match("Connexion", "Connexlon"), fuzzy_match("Save Encounter", "New Encounter")
    (True, False)
    """
    return 0 < _similarity(expected, actual, DEFAULT_CONFIDENCE) >= threshold


def ocr_anchor_ground(
    ocr_tokens: Sequence[OcrTokenInfo], target: Mapping[str, Any], fuzzy_threshold: float = FUZZY_THRESHOLD
) -> GroundedElement | None:
    """
    Return the most similar token with a box that reads as `target["text"]`, the first of equals. Values that are no tokens
    are skipped.

    If the text occurs several times, it is unknown which one is meant; the first is returned with at most `DEFAULT_CONFIDENCE`
    confidence.
    """
    text, role = _words(target, "text"), _role(target)
    if not text:
        return None
    fitting: list[tuple[float, Box, OcrTokenInfo]] = []
    for token in ocr_tokens:
        if not isinstance(token, OcrTokenInfo):
            logger.warning("grounding: the OCR answer holds something else than a token: %.80r", token)
            continue
        similarity = _similarity(text, token.text, _stated(token.confidence)) if isinstance(token.text, str) else 0.0
        box = _pixels(token.bbox) if 0 < similarity >= fuzzy_threshold else None
        if box is not None:
            fitting.append((similarity, box, token))
    if not fitting:
        return None
    similarity, box, token = max(fitting, key=lambda each: each[0])
    confidence = _stated(token.confidence)
    if sum(each[0] == similarity for each in fitting) > 1:
        confidence = min(DEFAULT_CONFIDENCE, confidence)
    return GroundedElement(role, text, box, bbox_center(box), confidence, "ocr_anchor", token.text)


def build_grounder_prompt(target: Mapping[str, Any], context: str = "") -> str:
    """Return the prompt for an element; the answer is JSON with a box in 0-1 of the image. Quotes are escaped."""
    lines = [
        "You are a UI element locator. Find the specified element on this screenshot and return its bounding box.",
        *([f"Context: {context}"] if context else []),
        f"Target element: {_role(target)} with text {json.dumps(_words(target, 'text'), ensure_ascii=False)}"
        + (f" ({target['extra']})" if target.get("extra") else ""),
        "",
        "Respond in JSON format:",
        '{"found": true/false, "bbox": [x1_norm, y1_norm, x2_norm, y2_norm], "confidence": 0.0-1.0, "description": "..."}',
        "bbox coordinates are normalized [0.0-1.0] relative to image dimensions "
        "(x1=left, y1=top, x2=right, y2=bottom). Only return found=true if you can clearly locate the element.",
    ]
    return "\n".join(lines)


def parse_grounder_response(
    vlm_text: str, screen_width: int, screen_height: int, target: Mapping[str, Any]
) -> GroundedElement | None:
    """
    Return a model's answer in pixels of a screen of that size, or None if nothing was found or the answer is invalid
    (logged).

    Boxes in 0-1 are clipped to the screen. A box that ends before it begins is rejected: it may be in another order, or a
    corner and a size. So is a box next to words that deny it (`handeye.models.reply.objects`). Answers in per-mille or
    pixels, against the prompt, are recognised by `handeye.geometry.detect_space`. A box outside the screen, a line or a
    point is rejected; so is a box of nearly the whole screen (`handeye.models.MOST_OF_PICTURE`), which models return if
    they did not find the element.
    """
    data = only_object(vlm_text) if isinstance(vlm_text, str) else None
    if data is None:
        logger.warning("grounding: VLM response not parseable as JSON")
        return None
    if data.get("found") not in (True, "true", "True") or denied(data):
        return None
    numbers = data.get("bbox", [])
    if not isinstance(numbers, list) or len(numbers) != 4:
        logger.warning("grounding: invalid bbox format from VLM")
        return None
    edges = [edge for value in numbers if (edge := _number(value)) is not None]
    if len(edges) != len(numbers):
        logger.warning("grounding: bbox values not numeric")
        return None
    ordered = edges[0] <= edges[2] and edges[1] <= edges[3]
    box = _on_screen(edges, Size(screen_width, screen_height)) if ordered else None
    if box is None:
        logger.warning("grounding: bbox from VLM is not a place on the screen")
        return None
    stated = stated_confidence({"confidence": data.get("confidence")})
    confidence = DEFAULT_CONFIDENCE if stated is None else stated
    return GroundedElement(_role(target), _words(target, "text"), box, bbox_center(box), confidence, "vlm_grounder")


def ground_element(
    screenshot_path: str,
    target: Mapping[str, Any],
    ocr_client: OcrDetailedClient,
    vlm_client: VlmClient,
    screen_width: int = 1920,
    screen_height: int = 1080,
    coords_cache: CoordsCache | None = None,
    context: str = "",
    fuzzy_threshold: float = FUZZY_THRESHOLD,
) -> GroundedElement | None:
    """
    Find `target` ({"role": "bouton", "text": "Connexion"}) on a screenshot: cached coordinates, OCR, model, in this order.

    Cached coordinates are compared with the screenshot if it can be opened and a fingerprint was stored; if it has changed,
    the entry is dropped and the element is searched again. Coordinates that cannot be compared are returned with
    `DEFAULT_CONFIDENCE` confidence. Errors of a client are logged and the next one is tried. Without a text nothing is
    searched.
    """
    text, role = _words(target, "text"), _role(target)
    if not text:
        logger.warning("grounding: no text for target, VLM grounder needs text")
        return None
    key = make_element_key(role, text)
    screen_size = Size(screen_width, screen_height)
    if coords_cache is not None:
        cached = _from_cache(coords_cache, key, screenshot_path, screen_size, role, text)
        if cached is not None:
            return cached
    found = ocr_anchor_ground(_read(ocr_client, screenshot_path), target, fuzzy_threshold)
    if found is not None:
        logger.info(
            "grounding: OCR-anchor found '%s' (matched OCR='%s', conf=%.2f)",
            text,
            found.source_ocr_text,
            found.confidence,
        )
    else:
        answer = _ask(vlm_client, screenshot_path, build_grounder_prompt(target, context))
        found = parse_grounder_response(answer, screen_width, screen_height, target) if answer is not None else None
        if found is not None:
            logger.info("grounding: VLM grounder found '%s' (conf=%.2f)", text, found.confidence)
    if found is None:
        logger.warning("grounding: element '%s' not found by OCR or VLM", text)
        return None
    if coords_cache is not None:
        _remember(coords_cache, key, found, screenshot_path, screen_size)
    return found


def _from_cache(cache: CoordsCache, key: str, path: str, size: Size, role: str, text: str) -> GroundedElement | None:
    """Return the element at its cached place, or None without an entry or if its surroundings have changed."""
    entry = cache.get(key)
    if entry is None:
        return None
    confidence = DEFAULT_CONFIDENCE
    screen = _open(path, size) if entry.patch is not None else None
    if screen is not None and entry.patch is not None:
        if entry.patch.doubt(screen):
            cache.invalidate(key)
            return None
        confidence = STILL_THERE
    entry.validation_count += 1
    logger.info("grounding: using cached coords for %s", key)
    return GroundedElement(role, text, entry.bbox, bbox_center(entry.bbox), confidence, "cache")


def _remember(cache: CoordsCache, key: str, found: GroundedElement, path: str, size: Size) -> None:
    cache.put(key, found.bbox, found.center, found.method)
    entry, screen = cache.get(key), _open(path, size)
    if entry is not None and screen is not None:
        entry.patch = Fingerprint.take(screen, Box(*found.bbox))


def _open(path: str, size: Size) -> Screen | None:
    """Return the screenshot if it has that size: coordinates are meaningless on another."""
    try:
        screen = Screen.open(path)
    except (InvalidImage, TypeError):
        return None
    return screen if screen.size == size else None


def _read(client: OcrDetailedClient, path: str) -> Sequence[OcrTokenInfo]:
    try:
        return list(client(path))
    except Exception as error:  # noqa: BLE001 - third-party code: docs/spec/grounding.md continues without it
        logger.warning("grounding: OCR call failed (%s)", error)
        return []


def _ask(client: VlmClient, path: str, prompt: str) -> str | None:
    try:
        return client(path, prompt)
    except Exception as error:  # noqa: BLE001 - as above
        logger.warning("grounding: VLM grounder call failed (%s)", error)
        return None


def _similarity(expected: str, actual: str, confidence: float) -> float:
    """
    Return the similarity, 0-1; 0 for another label. `confidence` is that of the reader: a different letter in a confident
    reading is not an OCR error. The caller decides on a minimum confidence.
    """
    if not actual:
        return 0.0
    line = TextLine(actual, Box(0, 0, len(actual), 1), max(DEFAULT_CONFIDENCE, confidence))
    match = next(iter(match_text(expected, [line])), None)
    if match is None or match.confidence < LEAST_CONFIDENCE:
        return 0.0
    if match.layer == "misread":
        return min(MISREAD, Indel.normalized_similarity(fold(expected), fold(actual)))
    return next(iter(match_text(expected, [replace(line, confidence=1.0)]))).confidence


def _words(target: Mapping[str, Any], name: str) -> str:
    """Return a text of the target; "" if it is missing or blank."""
    value = target.get(name)
    return value if isinstance(value, str) and normalize_text(value) else ""


def _role(target: Mapping[str, Any]) -> str:
    return str(target.get("role") or "?")


def _pixels(bbox: object) -> Box | None:
    """Return a token's box with ordered edges, or None if it is invalid."""
    try:
        return to_pixel_box(bbox, Size(1, 1), source="ocr")  # type: ignore[arg-type]
    except InvalidBox:
        return None


def _number(value: object) -> float | None:
    """Return a finite number, also one written as text; None for booleans and others."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _stated(confidence: object) -> float:
    """Return a confidence from 0 to 1; HALF_SURE for anything else."""
    number = _number(confidence)
    return number if number is not None and 0 <= number <= 1 else DEFAULT_CONFIDENCE


def _on_screen(edges: list[float], size: Size) -> BBox | None:
    """Return the part of the box on the screen, or None if there is none, or if it covers nearly the whole screen."""
    width, height = size
    if max(edges) <= _MOST_UNIT:
        # Clamped to one screen's width outside, since the product with a larger value may be infinite.
        left, top, right, bottom = (
            int(max(-1.0, edge) * side) for edge, side in zip(edges, (width, height) * 2, strict=True)
        )
    else:
        try:
            left, top, right, bottom = to_pixel_box(edges, size)
        except InvalidBox:
            return None
    visible = Box(left, top, right, bottom).intersect(Box(0, 0, *size))
    return None if visible is None or visible.area > MOST_OF_PICTURE * width * height else visible
