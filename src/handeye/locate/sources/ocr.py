"""Finding a target by the text that stands on it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from handeye.elements import UIElement
from handeye.errors import InvalidReference
from handeye.geometry import Box
from handeye.locate.base import Match
from handeye.locate.sources.control_bounds import face_of, fields_of, is_button, is_field, looks_like, most_sure
from handeye.locate.sources.ocr_checks import is_round_sign, may_be_round_sign, unread_twins
from handeye.locate.sources.template_words import places_by_words
from handeye.locate.sources.tree_matching import FIELDS
from handeye.locate.text_lines import read_lines
from handeye.matching import Reference
from handeye.ocr import TextReader
from handeye.roles import role_of
from handeye.screen import Screen
from handeye.target import Target
from handeye.text import (
    CANDIDATE,
    IN_DOUBT,
    ONE_HEIGHT,
    PERHAPS,
    READ_WELL,
    TextLine,
    TextMatch,
    fold,
    is_half_alike,
    joined_rows,
    labels_of,
    match_text,
)

# Matches of one layer closer in confidence than this differ only in how well they were read.
_TIE: Final = 0.06
_PIECES: Final = frozenset({"part", "title"})  # of a line: a face around it is the whole line's


@dataclass(frozen=True, slots=True)
class _Place:
    """A matching label, and the control around it when the picture shows one."""

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
    Looks for `Target.text` among the lines that `reader` reads, inside `Target.region`.

    A label grows to its control (a button's face, a field) where the picture shows one: `bbox` is the control, `label_box` the
    text. The role "input" asks for the field that the text stands in or belongs to, and for nothing else. For a target that
    chooses itself all places are returned. A place that is seen to be another kind of control than the role says is a
    candidate only, and so is one whose picture does not show its kind (a switch, beside bare text). Raises OcrFailed when
    nothing could be read.

    Where no text reads so, a reference image is looked for by the words on it, if `references` knows the picture: this
    strategy is asked after the picture itself was nowhere seen.
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
        equal += _twins(best.match, screen, lines, places, within)
        if not target.chooses and not target.role:
            equal = _without_titles(equal)
            best = equal[0]
        equal.sort(key=lambda place: (place.box.top, place.box.left))  # how well each was read is chance
        times = f", {len(equal)} times" if len(equal) > 1 else ""
        return Match(tuple(_element(place, target) for place in equal), f"{best}{_but(best, target)}{times}")

    def _pictures(self, target: Target) -> Sequence[Reference]:
        """Return the pictures of the target's reference; none for one that the strategy for pictures refuses, and says why."""
        try:
            return self._references(target.reference) if target.reference else ()
        except InvalidReference:
            return ()

    def _by_words_on_picture(
        self, references: Sequence[Reference], target: Target, screen: Screen, lines: Sequence[TextLine]
    ) -> Match:
        """Return the places where the words on the first of the pictures stand that has any."""
        found = (places_by_words(reference, self._reader, screen, lines) for reference in references)
        places = next(filter(None, found), [])
        elements = (
            UIElement(
                target.role or ("button" if place.is_alike else "text"),
                description=target.reference or "",
                bbox=place.box.clip(screen.size),
                confidence=min(PERHAPS * place.confidence, 1.0 if place.is_alike else CANDIDATE),
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
    """The places of the target, most confident first."""
    text = target.text or ""
    role = role_of(target.role or "")
    near = [line for line in lines if line.box.intersect(within)]
    if role in FIELDS:
        places = _fields(_each_line(text, near, target.exact), screen, lines)
        return [place for place in places if within.contains(place.box.center)]
    matches = [match for match in match_text(text, near, exact=target.exact) if within.contains(match.box.center)]
    places = _grown(matches, screen, lines)
    fitting = [place for place in places if looks_like(role, place.role)]
    if not fitting and role == "button":  # "Save" is the title of the dialog whose button says "SAVE"
        others = _grown(_each_line(text, near, target.exact), screen, lines)
        fitting = [place for place in others if place.match.confidence > PERHAPS and place.role == "button"]
    return fitting or places


def _without_titles(places: Sequence[_Place]) -> list[_Place]:
    """The places without the titles of those that are buttons: bare text in larger letters."""
    most = ONE_HEIGHT * max((each.match.box.height for each in places if each.role == "button"), default=math.inf)
    return [place for place in places if place.role != "text" or place.match.box.height <= most]


def _twins(
    match: TextMatch, screen: Screen, lines: Sequence[TextLine], places: Sequence[_Place], within: Box
) -> list[_Place]:
    """
    Return the places where the label of a sure match seems to stand again, and where no other text was read: well, or so that
    more than half of its letters differ.
    """
    if match.confidence <= PERHAPS or match.layer in _PIECES or match.first is not None:
        return []
    want = fold(match.text)

    def is_other(line: TextLine) -> bool:
        have = fold(line.text)
        is_read = line.confidence >= (READ_WELL if have == want else IN_DOUBT)
        return is_read or not is_half_alike(want, have)

    others = [line.box for line in lines if is_other(line)]
    found = unread_twins(screen, match.box, [*others, *(place.match.box for place in places)])
    return [
        _Place(TextMatch(match.text, box, TextLine(match.text, box, PERHAPS), "unread", PERHAPS), None)
        for box in found
        if within.contains(box.center)
    ]


def _doubted(match: TextMatch, screen: Screen, lines: Sequence[TextLine]) -> TextMatch:
    """The match, as a mere candidate where the picture shows a ring or a disc in place of a letter."""
    drawn = may_be_round_sign(match.text) and match.box.intersect(screen.box) is not None
    if drawn and is_round_sign(screen, match.box, lines):
        return replace(match, confidence=min(match.confidence, CANDIDATE))
    return match


def _each_line(text: str, lines: Sequence[TextLine], exact: bool) -> list[TextMatch]:
    """The matches in each line, whatever better matches the other lines have."""
    return [match for line in joined_rows(lines) for match in match_text(text, (line,), exact=exact)]


def _grown(matches: Sequence[TextMatch], screen: Screen, lines: Sequence[TextLine]) -> list[_Place]:
    """The labels with their controls, most confident first."""
    places = [_place(_doubted(match, screen, lines), screen, lines) for match in matches]
    return sorted(places, key=lambda place: -place.match.confidence)


def _place(match: TextMatch, screen: Screen, lines: Sequence[TextLine]) -> _Place:
    """The label with its control, when the picture shows one that holds this label and nothing else."""
    face = face_of(screen, match.box) if match.layer not in _PIECES else None
    if face is None or any(_holds_more(face, match, line) for line in lines if line.box.intersect(face)):
        return _Place(match, None)
    if match.layer == "wrapped" and is_button(face, match.box):  # both lines on one button are one label
        match = replace(match, confidence=match.line.confidence)
    return _Place(match, face)


def _holds_more(face: Box, match: TextMatch, line: TextLine) -> bool:
    """Return True if `line` puts another text than the matching one into `face`; an icon read as a character is none."""
    return any(
        face.contains(label.box.center) and not label.box.intersect(match.box) and len(label.text) > 1
        for label in labels_of(line)
    )


def _fields(matches: Sequence[TextMatch], screen: Screen, lines: Sequence[TextLine]) -> list[_Place]:
    """The fields that the labels stand in or belong to, each once."""
    places: dict[Box, _Place] = {}
    for place in _grown(matches, screen, lines):
        fields = fields_of(screen, place.match.box, lines) if place.face is None else [place.face]
        for field in fields:
            places.setdefault(field, _Place(place.match, field))
    return [place for place in places.values() if place.role == "input"]


def _but(place: _Place, target: Target) -> str:
    """The objection of the picture to the role that is asked for; empty without one."""
    if _shows_kind(place, target):
        return ""
    contradicted = most_sure(role_of(target.role or ""), place.role) == CANDIDATE
    return f", {'no' if contradicted else 'not seen to be a'} {target.role}"


def _shows_kind(place: _Place, target: Target) -> bool:
    """Return True if the picture shows the kind that is asked for, or one that looks like it; bare text is no icon."""
    asked = role_of(target.role or "")
    return most_sure(asked, place.role) == 1 and asked != "icon"


def _element(place: _Place, target: Target) -> UIElement:
    """The place as what it was seen to be; as what was asked for, and sure, only where the picture shows or allows that."""
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
