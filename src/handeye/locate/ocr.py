"""Finding a target by the text that stands on it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.locate.base import Match
from handeye.locate.contrast import looks_disabled
from handeye.locate.doubts import as_sure_as_read, doubted
from handeye.locate.face import face_of, is_button, is_field
from handeye.locate.fields import field_beside_cell, fields_of
from handeye.locate.labels import joined_rows, labels_of
from handeye.locate.match_text import IN_DOUBT, READ_WELL, TextMatch, differs_in_meaning, match_text
from handeye.locate.misread import misread
from handeye.locate.reading import lines_on
from handeye.locate.shown_roles import CONTRADICTED, most_sure
from handeye.locate.signs import Sign, drawings_of, find_signs
from handeye.locate.tree_roles import FIELDS, ROWS
from handeye.locate.twins import unread_twins
from handeye.ocr.base import TextLine, TextReader
from handeye.roles import role_of
from handeye.screen import Screen
from handeye.target import Target

# Matches of one layer closer in confidence than this differ only in how well they were read.
TIE: Final = 0.08
# A label wrapped over two lines is doubtful by itself, and sure when a button holds both lines and nothing else.
_WRAPPED_ON_BUTTON: Final = 0.9
# A field is known by its label only; that the label is the field's own is less sure than the label.
_BY_LABEL: Final = 0.95
# What stands beside the match inside its control and is still an icon, in characters as it was read.
_ICON_LETTERS: Final = 2
_SIGN: Final = "sign"
_PIECES: Final = frozenset({"part", "title"})  # of a line: a face around it is the whole line's
_DRAWN: Final = 0.9  # confidence of a sign that is known by its strokes
_WORD_LETTERS: Final = 2  # so many letters or digits side by side are no sign
_SURE: Final = 0.8  # seed 001
# A label that nobody read, and that looks like one that was: it may be another place, and is never sure.
_UNREAD: Final = 0.7
_WHOLE: Final = frozenset({"exact", "normalised", "label", "decorated", "variant"})
_TAB_BAR: Final = 0.9  # tabs stand below this share of a phone's height
_TITLE_BAR: Final = 0.14  # titles above this one
_TITLE: Final = 1.3  # times the height of a button's letters: larger ones are a title's


@dataclass(frozen=True, slots=True)
class _Place:
    """A matching label, and the control around it when the picture shows one."""

    match: TextMatch
    face: Box | None
    field: bool = False  # found as the field of this label
    faint: bool = False  # a button that looks disabled

    @property
    def box(self) -> Box:
        return self.face or self.match.box

    @property
    def role(self) -> str:
        if self.face is None:
            return "icon" if self.match.layer == _SIGN else "text"
        return "input" if self.field or is_field(self.face, self.match.box) else "button"

    def __str__(self) -> str:
        control = "" if self.face is None else f", {'the label of' if self.field else 'on'} its {self.role}"
        faint = ", which looks disabled" if self.faint else ""
        return f"{self.match.layer} match with {self.match.line.text!r}{control}{faint}"


class OcrStrategy:
    """
    Looks for `Target.text` among the lines that `reader` reads, inside `Target.region`.

    A text of one sign (✕, +, ←, ⋮, ☰, ✓) is also found where it is drawn. A label grows to its control (a button's face, a
    field) where the picture shows one: `bbox` is the control, `label_box` the text. `Target.role` decides between matches;
    the role "input" asks for the field that the text stands in or belongs to, and for nothing else. For a target that chooses
    itself all places are returned. A place that is seen to be another kind of control than the role says is a candidate only,
    and so is one whose picture does not show its kind (a switch, beside bare text). A button that is gray on gray is told
    as `metadata["looks"] == "disabled"`, and after its equals. Raises OcrFailed when nothing could be read.
    """

    def __init__(self, reader: TextReader) -> None:
        self._reader = reader

    @property
    def name(self) -> str:
        return "ocr"

    def accepts(self, target: Target) -> str | None:
        return None if target.text and target.text.strip() else "no text is asked for"

    def locate(self, target: Target, screen: Screen) -> Match | None:
        within = target.region.box(screen.size) if target.region else screen.box
        lines = lines_on(self._reader, screen)
        places = _places(target, screen, lines, within)
        if not places:
            return Match((), f"none of the {len(lines)} lines reads so" if lines else "no text is read")
        best = places[0]
        least = 0.0 if target.chooses else best.match.confidence - TIE
        equal = [place for place in places if place.match.confidence >= least]
        equal += _twins(best.match, screen, lines, places, within)
        if not target.chooses and not target.role:
            equal = _without_titles(equal)
            best = equal[0]
        equal.sort(key=lambda place: (place.faint, place.box.top, place.box.left))  # how well each was read is chance
        times = f", {len(equal)} times" if len(equal) > 1 else ""
        return Match(tuple(_element(place, target) for place in equal), f"{best}{_but(best, target)}{times}")


def _places(target: Target, screen: Screen, lines: Sequence[TextLine], within: Box) -> list[_Place]:
    """The places of the target, most confident first."""
    text = target.text or ""
    role = role_of(target.role or "")
    near = [line for line in lines if line.box.intersect(within)]
    if drawings := drawings_of(text):
        return [_grown(match, screen, lines) for match in _signs(text, drawings, screen, lines, within)]
    if role in FIELDS:
        places = _fields(_each_line(text, near, target.exact), screen, lines)
        return [place for place in places if within.contains(place.box.center)]
    matches = [match for match in match_text(text, near, exact=target.exact) if within.contains(match.box.center)]
    matches = sorted((doubted(match, screen, lines) for match in matches), key=lambda match: -match.confidence)
    places = [_grown(match, screen, lines) for match in matches]
    fitting = [place for place in places if _has_role(role, place, screen)]
    if not fitting and role == "button":  # "Save" is the title of the dialog whose button says "SAVE"
        others = [
            _grown(doubted(match, screen, lines), screen, lines) for match in _each_line(text, near, target.exact)
        ]
        fitting = [place for place in others if place.match.confidence > _SURE and _has_role(role, place, screen)]
    if not fitting and role in ROWS and misread(text, near):
        return [_candidate(place) for place in places]  # the field shows the word that was typed, the row is misread
    return fitting or places


def _without_titles(places: Sequence[_Place]) -> list[_Place]:
    """The places without the titles of those that are buttons: bare text in larger letters, alone in its line."""
    most = _TITLE * max((each.match.box.height for each in places if each.role == "button"), default=math.inf)

    def is_title(place: _Place) -> bool:
        alone = place.match.line.text.strip() == place.match.text
        return alone and place.role == "text" and place.match.box.height > most

    return [place for place in places if not is_title(place)]


def _signs(
    text: str, drawings: Sequence[Sign], screen: Screen, lines: Sequence[TextLine], within: Box
) -> list[TextMatch]:
    """The places where the sign is drawn or was read, letters of words left out."""
    labels = [label for line in lines for label in labels_of(line)]
    words = [label.box for label in labels if sum(map(str.isalnum, label.text)) >= _WORD_LETTERS]
    drawn = next((found for sign in drawings if (found := find_signs(screen, sign, within, words))), [])
    read = [match for match in match_text(text, labels, exact=True) if within.contains(match.box.center)]
    return [
        *(match for match in read if not any(box.intersect(match.box) for box in drawn)),
        *(TextMatch(text, box, TextLine(text, box, _DRAWN), _SIGN, _DRAWN) for box in drawn),
    ]


def _twins(
    match: TextMatch, screen: Screen, lines: Sequence[TextLine], places: Sequence[_Place], within: Box
) -> list[_Place]:
    """
    The places where the label of a sure match seems to stand again, unread; what was read well, or without doubt as another
    number or the opposite, or is clearly longer is another text.
    """
    if match.confidence <= _SURE or match.layer not in _WHOLE:
        return []
    length = len(match.text)
    others = [
        line.box
        for line in lines
        if line.confidence >= READ_WELL
        or (line.confidence >= IN_DOUBT and differs_in_meaning(match.text, line.text))
        or abs(len(line.text) - length) > 1 + length // 4
    ]
    found = unread_twins(screen, match.box, [*others, *(place.match.box for place in places)])
    return [
        _Place(TextMatch(match.text, box, TextLine(match.text, box, _UNREAD), "unread", _UNREAD), None)
        for box in found
        if within.contains(box.center)
    ]


def _candidate(place: _Place) -> _Place:
    """The same place, told and never chosen."""
    return replace(place, match=replace(place.match, confidence=min(place.match.confidence, CONTRADICTED)))


def _each_line(text: str, lines: Sequence[TextLine], exact: bool) -> list[TextMatch]:
    """The matches in each line, whatever better matches the other lines have; most confident first."""
    found = [match for line in joined_rows(lines) for match in match_text(text, (line,), exact=exact)]
    return sorted(found, key=lambda match: -match.confidence)


def _grown(match: TextMatch, screen: Screen, lines: Sequence[TextLine]) -> _Place:
    """The label with its control, when the picture shows one that holds this label and nothing else."""
    face = face_of(screen, match.box) if match.layer not in _PIECES and match.box.intersect(screen.box) else None
    if face is None or any(_holds_more(face, match, line) for line in lines if line.box.intersect(face)):
        return _Place(match, None)
    if match.layer == "wrapped" and is_button(face, match.box):
        match = replace(match, confidence=max(match.confidence, _WRAPPED_ON_BUTTON))
    return _Place(match, face, faint=is_button(face, match.box) and looks_disabled(screen, match.box))


def _holds_more(face: Box, match: TextMatch, line: TextLine) -> bool:
    """Return True if `line` puts another text than the matching one into `face`; an icon read as a letter or two is none."""
    return any(
        face.contains(label.box.center) and not label.box.intersect(match.box) and len(label.text) > _ICON_LETTERS
        for label in labels_of(line)
    )


def _fields(matches: Sequence[TextMatch], screen: Screen, lines: Sequence[TextLine]) -> list[_Place]:
    """The fields that the labels stand in or belong to, each once."""
    places: dict[Box, _Place] = {}
    for match in matches:
        place = _grown(match, screen, lines)
        fields: Sequence[Box] = ()
        if place.face is not None:
            beside = field_beside_cell(screen, match.box, place.face, lines)
            fields = () if beside is None else (beside,)
        elif match.box.intersect(screen.box):
            fields = fields_of(screen, match.box, lines)
        for field in fields:
            by_label = replace(match, confidence=match.confidence * _BY_LABEL)
            places.setdefault(field, _Place(by_label, field, field=True))
        if place.face is not None and not fields and place.role == "input":
            places.setdefault(place.face, place)
    return sorted(places.values(), key=lambda place: -place.match.confidence)


def _has_role(role: str | None, place: _Place, screen: Screen) -> bool:
    """Return True if a label looks like that kind of control. A role that a picture does not show is everything's."""
    size, middle = screen.size, place.box.center.y
    upright = size.height > size.width
    match role:
        case "button":
            return place.role == "button"
        case "text" | "link":
            return place.role == "text"
        case "list item" | "table row":  # what was typed to find a row stands in the search field
            return place.role != "input"
        case "heading":
            return place.role == "text" and (not upright or middle <= _TITLE_BAR * size.height)
        case "tab":
            return not upright or middle >= _TAB_BAR * size.height
        case _:
            return True


def _but(place: _Place, target: Target) -> str:
    """The objection of the picture to the role that is asked for; empty without one."""
    if _shows_kind(place, target):
        return ""
    contradicted = most_sure(role_of(target.role or ""), place.role) == CONTRADICTED
    return f", {'no' if contradicted else 'not seen to be a'} {target.role}"


def _shows_kind(place: _Place, target: Target) -> bool:
    """Return True if the picture shows the kind that is asked for, or one that looks like it; bare text is no icon."""
    asked = role_of(target.role or "")
    return most_sure(asked, place.role) == 1 and (asked != "icon" or place.role == "icon")


def _element(place: _Place, target: Target) -> UIElement:
    """The place as what it was seen to be; as what was asked for, and sure, only where the picture shows or allows that."""
    match = place.match
    shows_kind = _shows_kind(place, target)
    return UIElement(
        element_type=(target.role if shows_kind else None) or place.role,
        description=target.text or "",
        bbox=place.box,
        confidence=min(as_sure_as_read(match), 1.0 if shows_kind else CONTRADICTED),
        source="ocr",
        text=match.text,
        label_box=match.box if place.face is not None else None,
        metadata={"layer": match.layer, "line": match.line.text} | ({"looks": "disabled"} if place.faint else {}),
    )
