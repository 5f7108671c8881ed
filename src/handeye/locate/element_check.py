"""Check that an element is still where it was found, by text, tree and picture, with the evidence in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from handeye.elements import UIElement
from handeye.geometry import Box, check_location
from handeye.locate.base import Strategy, read_lines
from handeye.locate.chain import LEAST_CONFIDENCE
from handeye.locate.sources.cache import CacheStrategy
from handeye.ocr import TextReader
from handeye.screen import Screen
from handeye.target import Region, Target
from handeye.text import match_text


@dataclass(frozen=True, slots=True)
class ElementCheck:
    """
    The result of comparing an element with a frame. None: this could not be compared.

    `valid`: the element is there. Its text decides; if it cannot be read, the tree; without a tree, the picture. If none of
    these can be compared, its description may be visible as text, but its absence proves nothing. Contradictions are listed
    in `evidence`. An element that could not be compared at all is not valid.
    """

    valid: bool
    evidence: tuple[str, ...]
    text: bool | None = None
    tree: bool | None = None
    picture: bool | None = None

    def __bool__(self) -> bool:
        return self.valid


@dataclass(frozen=True, slots=True)
class ElementChecker:
    """Compares elements with frames by means of the locator's parts, each of which may be missing."""

    reader: TextReader | None = None
    template: Strategy | None = None
    cache: CacheStrategy | None = None
    tree: Strategy | None = None

    def check(self, element: UIElement, screen: Screen) -> ElementCheck:
        """Compare an element with a frame at its box. Raises the error of the reader or the tree if it cannot be used."""
        place = check_location(element.bbox, screen.size)
        if not place.can_interact:
            return ElementCheck(False, (place.error or "outside of the screen",))
        text, picture = self._by_text(element, element.text, screen), self._by_picture(element, screen)
        tree = self._by_tree(element, screen) if text is None else None
        if text is None and tree is None and picture is None:
            text = self._by_text(element, element.description, screen) or None
        verdict = next((each for each in (text, tree, picture) if each is not None), None)
        evidence = [
            _evidence(f"the text {element.text or element.description!r}", text),
            _evidence("an element of that name in the tree", tree),
            _evidence("the picture", picture),
        ]
        if verdict is None:
            evidence = ["nothing is known about it that could be checked on the frame"]
        return ElementCheck(verdict is True, tuple(filter(None, evidence)), text, tree, picture)

    def _by_text(self, element: UIElement, text: str, screen: Screen) -> bool | None:
        if not text.strip() or self.reader is None:
            return None
        around = _around(element.bbox, screen)
        lines = [line for line in read_lines(self.reader, screen) if line.box.intersect(around)]
        # a mere candidate ("Don't save" for "Save") does not prove that it is there
        return _overlaps_any(
            element, [each.box for each in match_text(text, lines) if each.confidence >= LEAST_CONFIDENCE]
        )

    def _by_tree(self, element: UIElement, screen: Screen) -> bool | None:
        name = element.text or element.description
        if self.tree is None or not name.strip():
            return None
        match = self.tree.locate(Target(text=name, region=_fractions(_around(element.bbox, screen), screen)), screen)
        return _overlaps_any(element, [each.bbox for each in match.elements] if match else [])

    def _by_picture(self, element: UIElement, screen: Screen) -> bool | None:
        """Compare by its reference picture, else by the fingerprint in the cache."""
        for reference in _references(element):
            target = Target(reference=reference, region=_fractions(_around(element.bbox, screen), screen))
            if self.template is not None and self.template.accepts(target) is None:
                match = self.template.locate(target, screen)
                return _overlaps_any(element, [each.bbox for each in match.elements] if match else [])
        return self.cache.confirm(element, screen) if self.cache is not None else None


def _references(element: UIElement) -> tuple[str, ...]:
    """
    Return the names under which the element's reference picture may be known.

    These are its own name, and the name by which it was requested: an alias or the name of its first variant. A picture
    requested by its path has the name of its file, which another picture may have too, so only the path is returned.
    """
    own = element.metadata.get("reference")
    if not isinstance(own, str) or not own:
        return ()
    asked = element.description
    return (asked,) if asked != own and Path(asked).stem == own else tuple(filter(None, (own, asked)))


def _overlaps_any(element: UIElement, boxes: Sequence[Box]) -> bool:
    return any(box.intersect(element.bbox) for box in boxes)


def _evidence(what: str, there: bool | None) -> str:
    return "" if there is None else f"{what} is {'' if there else 'not '}there"


def _around(box: Box, screen: Screen) -> Box:
    return box.expand(box.height).clip(screen.size)


def _fractions(box: Box, screen: Screen) -> Region:
    width, height = screen.size
    return Region(box.left / width, box.top / height, box.right / width, box.bottom / height)
