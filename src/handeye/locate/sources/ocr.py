"""OCR strategy: find a target by its visible text."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from handeye.elements import UIElement
from handeye.errors import InvalidReference
from handeye.geometry import Box
from handeye.locate.base import Match, read_lines
from handeye.locate.sources.control_bounds import (
    control_around,
    fields_of,
    is_button,
    is_field,
    looks_like,
    max_confidence,
)
from handeye.locate.sources.ocr_checks import may_be_circle, may_be_round_sign, unread_duplicates
from handeye.locate.sources.template_words import places_by_words
from handeye.locate.sources.tree_matching import FIELDS
from handeye.matching import Reference
from handeye.ocr import TextReader
from handeye.roles import role_of
from handeye.screen import Screen
from handeye.target import Target
from handeye.text import (
    CANDIDATE,
    HIGH_CONFIDENCE,
    LOW_CONFIDENCE,
    ONE_HEIGHT,
    UNCERTAIN,
    TextLine,
    TextMatch,
    fold,
    is_half_alike,
    joined_rows,
    labels_of,
    match_text,
)

# Matches of one layer closer in confidence than this differ only in OCR quality.
_TIE: Final = 0.06
_PIECES: Final = frozenset({"part", "title"})  # parts of a line: a face around it belongs to the whole line


@dataclass(frozen=True, slots=True)
class _Place:
    """A matching label, and the control around it if the frame shows one."""

    match: TextMatch
    face: Box | None

    @property
    def box(self) -> Box:
        return self.face or self.match.box

    @property
    def role(self) -> str:
        if self.face is None:
            return "text"
        return "input" if is_field(self.face, self.match.box) else "button"

    def __str__(self) -> str:
        where = "" if self.face is None else "on its" if self.face.intersect(self.match.box) else "the label of its"
        return f"{self.match.layer} match with {self.match.line.text!r}" + (f", {where} {self.role}" if where else "")


class OcrStrategy:
    """
    Searches `Target.text` among the lines that `reader` reads, inside `Target.region`.

    A label is extended to its control (a button's face, a field) if the frame shows one: `bbox` is the control, `label_box`
    the text. The role "input" requests the field that contains the text or belongs to it, and nothing else. For a target
    with a relation, position or ordinal all matches are returned. A match that looks like another kind of control than the
    role is only a candidate; so is one whose kind is not visible (a switch, next to bare text). Raises OcrFailed if the
    frame could not be read.

    If no text matches, a reference image is searched for by the words on it, if `references` knows the picture: this
    strategy runs after the picture itself was not found.
    """

    def __init__(self, reader: TextReader, references: Callable[[str], Sequence[Reference]] = lambda name: ()) -> None:
        self._reader = reader
        self._references = references

    @property
    def name(self) -> str:
        return "ocr"

    def accepts(self, target: Target) -> str | None:
        if target.text and target.text.strip():
            return None
        return None if self._pictures(target) else "no text is asked for"

    def locate(self, target: Target, screen: Screen) -> Match | None:
        within = target.region.box(screen.size) if target.region else screen.box
        lines = read_lines(self._reader, screen)
        places = _places(target, screen, lines, within) if target.text and target.text.strip() else []
        if not places and (references := self._pictures(target)):
            inside = [line for line in lines if within.contains(line.box.center)]
            return self._by_words_on_picture(references, target, screen, inside)
        if not places:
            return Match((), f"none of the {len(lines)} lines reads so" if lines else "no text is read")
        best = places[0]
        least = 0.0 if target.chooses else best.match.confidence - _TIE
        equal = [place for place in places if place.match.confidence >= least]
        equal += _unread_duplicates(best.match, screen, lines, places, within)
        if not target.chooses and not target.role:
            equal = _without_titles(equal)
            best = equal[0]
        equal.sort(key=lambda place: (place.box.top, place.box.left))  # the OCR quality of each is random
        times = f", {len(equal)} times" if len(equal) > 1 else ""
        return Match(tuple(_element(place, target) for place in equal), f"{best}{_role_objection(best, target)}{times}")

    def _pictures(self, target: Target) -> Sequence[Reference]:
        """Return the pictures of the target's reference; none for an invalid one, which the template strategy reports."""
        try:
            return self._references(target.reference) if target.reference else ()
        except InvalidReference:
            return ()

    def _by_words_on_picture(
        self, references: Sequence[Reference], target: Target, screen: Screen, lines: Sequence[TextLine]
    ) -> Match:
        """Return the matches of the words on a picture, for the first of the pictures that has any."""
        found = (places_by_words(reference, self._reader, screen, lines) for reference in references)
        places = next(filter(None, found), [])
        elements = (
            UIElement(
                target.role or ("button" if place.is_alike else "text"),
                description=target.reference or "",
                bbox=place.box.clip(screen.size),
                confidence=min(UNCERTAIN * place.confidence, 1.0 if place.is_alike else CANDIDATE),
                source="ocr",
                text=place.words[0],
                label_box=place.boxes[0],
                metadata={"reference": target.reference},
            )
            for place in places
        )
        return Match(
            tuple(elements),
            f"the words on the image are {' '.join(places[0].words)!r}" if places else "its words are not there",
        )


def _places(target: Target, screen: Screen, lines: Sequence[TextLine], within: Box) -> list[_Place]:
    """Return the matches of the target, most confident first."""
    text = target.text or ""
    role = role_of(target.role or "")
    near = [line for line in lines if line.box.intersect(within)]
    if role in FIELDS:
        places = _fields(_each_line(text, near, target.exact), screen, lines)
        return [place for place in places if within.contains(place.box.center)]
    matches = [match for match in match_text(text, near, exact=target.exact) if within.contains(match.box.center)]
    places = _with_controls(matches, screen, lines)
    fitting = [place for place in places if looks_like(role, place.role)]
    if not fitting and role == "button":  # "Save" may be the title of a dialog whose button is labelled "SAVE"
        others = _with_controls(_each_line(text, near, target.exact), screen, lines)
        fitting = [place for place in others if place.match.confidence > UNCERTAIN and place.role == "button"]
    return fitting or places


def _without_titles(places: Sequence[_Place]) -> list[_Place]:
    """Return the places without bare text in larger letters than a button among them: its title."""
    most = ONE_HEIGHT * max((each.match.box.height for each in places if each.role == "button"), default=math.inf)
    return [place for place in places if place.role != "text" or place.match.box.height <= most]


def _unread_duplicates(
    match: TextMatch, screen: Screen, lines: Sequence[TextLine], places: Sequence[_Place], within: Box
) -> list[_Place]:
    """
    Return the places where the label of a certain match seems to occur again although OCR did not read it.

    Lines with another text, read well or with more than half of the letters different, are excluded.
    """
    if match.confidence <= UNCERTAIN or match.layer in _PIECES or match.first is not None:
        return []
    want = fold(match.text)

    def is_other(line: TextLine) -> bool:
        have = fold(line.text)
        is_read = line.confidence >= (HIGH_CONFIDENCE if have == want else LOW_CONFIDENCE)
        return is_read or not is_half_alike(want, have)

    others = [line.box for line in lines if is_other(line)]
    found = unread_duplicates(screen, match.box, [*others, *(place.match.box for place in places)])
    return [
        _Place(TextMatch(match.text, box, TextLine(match.text, box, UNCERTAIN), "unread", UNCERTAIN), None)
        for box in found
        if within.contains(box.center)
    ]


def _checked_for_drawing(match: TextMatch, screen: Screen, lines: Sequence[TextLine]) -> TextMatch:
    """Return the match, as a mere candidate if the frame shows a ring or a disc instead of a letter."""
    drawn = may_be_round_sign(match.text) and match.box.intersect(screen.box) is not None
    if drawn and may_be_circle(screen, match.box, lines):
        return replace(match, confidence=min(match.confidence, CANDIDATE))
    return match


def _each_line(text: str, lines: Sequence[TextLine], exact: bool) -> list[TextMatch]:
    """Return the matches of each line, even if other lines match better."""
    return [match for line in joined_rows(lines) for match in match_text(text, (line,), exact=exact)]


def _with_controls(matches: Sequence[TextMatch], screen: Screen, lines: Sequence[TextLine]) -> list[_Place]:
    """Return the labels with their controls, most confident first."""
    places = [_place(_checked_for_drawing(match, screen, lines), screen, lines) for match in matches]
    return sorted(places, key=lambda place: -place.match.confidence)


def _place(match: TextMatch, screen: Screen, lines: Sequence[TextLine]) -> _Place:
    """Return the label with its control, if the frame shows one that contains this label and nothing else."""
    face = control_around(screen, match.box) if match.layer not in _PIECES else None
    if face is None or any(_has_other_text(face, match, line) for line in lines if line.box.intersect(face)):
        return _Place(match, None)
    if match.layer == "wrapped" and is_button(face, match.box):  # two lines on one button are one label
        match = replace(match, confidence=match.line.confidence)
    return _Place(match, face)


def _has_other_text(face: Box, match: TextMatch, line: TextLine) -> bool:
    """
    Return True if `line` adds another text than the match to `face`; a single character may be an icon and is ignored.
    """
    return any(
        face.contains(label.box.center) and not label.box.intersect(match.box) and len(label.text) > 1
        for label in labels_of(line)
    )


def _fields(matches: Sequence[TextMatch], screen: Screen, lines: Sequence[TextLine]) -> list[_Place]:
    """Return the fields that contain the labels or belong to them, each once."""
    places: dict[Box, _Place] = {}
    for place in _with_controls(matches, screen, lines):
        fields = fields_of(screen, place.match.box, lines) if place.face is None else [place.face]
        for field in fields:
            places.setdefault(field, _Place(place.match, field))
    return [place for place in places.values() if place.role == "input"]


def _role_objection(place: _Place, target: Target) -> str:
    """Return the objection that the frame does not show the requested role; empty without one."""
    if _shows_kind(place, target):
        return ""
    contradicted = max_confidence(role_of(target.role or ""), place.role) == CANDIDATE
    return f", {'no' if contradicted else 'not seen to be a'} {target.role}"


def _shows_kind(place: _Place, target: Target) -> bool:
    """Return True if the frame shows the requested role, or one that looks like it; bare text is no icon."""
    asked = role_of(target.role or "")
    return max_confidence(asked, place.role) == 1 and asked != "icon"


def _element(place: _Place, target: Target) -> UIElement:
    """
    Return the match as an element, with the requested role and full confidence only if the frame shows or allows that role.
    """
    match = place.match
    shows_kind = _shows_kind(place, target)
    return UIElement(
        element_type=(target.role if shows_kind else None) or place.role,
        description=target.text or "",
        bbox=place.box,
        confidence=min(match.confidence, 1.0 if shows_kind else CANDIDATE),
        source="ocr",
        text=match.text,
        label_box=match.first or (match.box if place.face is not None else None),
        metadata={"layer": match.layer, "line": match.line.text},
    )
