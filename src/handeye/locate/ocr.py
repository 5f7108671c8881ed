"""Finding a target by the text that stands on it."""

from __future__ import annotations

from typing import Final

from handeye.elements import UIElement
from handeye.geometry import Box, Size
from handeye.locate.base import Match
from handeye.locate.face import face_of
from handeye.locate.match_text import TextMatch, match_text
from handeye.ocr.base import TextReader
from handeye.screen import Screen
from handeye.target import Target

# Matches of one layer closer in confidence than this differ only in how well they were read.
TIE: Final = 0.08
# Roles that a role hint may name, as the part of the frame they stand in or the face they have.
_BUTTONS: Final = frozenset({"button", "按钮", "link"})
_FIELDS: Final = frozenset({"input", "textbox", "edit", "searchbox", "输入框", "搜索框"})
_TABS: Final = frozenset({"tab", "标签"})
_TITLES: Final = frozenset({"title", "heading", "标题"})
_TAB_BAR: Final = 0.9  # tabs stand below this share of the height
_TITLE_BAR: Final = 0.14  # titles above this one
_FIELD_WIDTH: Final = 0.35  # a field is wider than this share of the frame


class OcrStrategy:
    """
    Looks for `Target.text` among the lines that `reader` reads, inside `Target.region`.

    `Target.role` decides between equal matches only. Raises OcrFailed when nothing could be read.
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
        lines = [line for line in self._reader.read(screen) if line.box.intersect(within)]
        matches = match_text(target.text or "", lines, exact=target.exact)
        matches = [match for match in matches if within.contains(match.box.center)]
        if not matches:
            return None
        equal = [match for match in matches if match.confidence >= matches[0].confidence - TIE]
        if len(equal) > 1 and target.role:
            equal = [match for match in equal if _has_role(target.role, match.box, screen)] or equal
        best = equal[0]
        note = f"{best.layer} match with {best.line.text!r}" + (f", {len(equal)} times" if len(equal) > 1 else "")
        return Match(tuple(_element(match, target) for match in equal), note)


def _has_role(role: str, box: Box, screen: Screen) -> bool:
    """Whether a label at `box` looks like that kind of control. An unknown role is everything's."""
    role = role.casefold()
    size: Size = screen.size
    if role in _TABS:
        return box.center.y >= _TAB_BAR * size.height
    if role in _TITLES:
        return box.center.y <= _TITLE_BAR * size.height
    if role not in _BUTTONS and role not in _FIELDS:
        return True
    face = face_of(screen, box)
    if face is None:
        return False
    return role in _BUTTONS or face.width >= _FIELD_WIDTH * size.width


def _element(match: TextMatch, target: Target) -> UIElement:
    return UIElement(
        element_type=target.role or "text",
        description=target.text or "",
        bbox=match.box,
        confidence=match.confidence,
        source="ocr",
        text=match.text,
        metadata={"layer": match.layer, "line": match.line.text},
    )
