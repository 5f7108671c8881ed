"""
Which kind of dialog a card is, and how to get rid of it.

Nothing is ever dismissed by a button that agrees, buys, deletes, sends or logs out: only by one that refuses or puts off, by a
✕, by the one button of a notice that is known to tell and nothing else, or with BACK.
"""

from __future__ import annotations

from typing import Final

from handeye.geometry import Box
from handeye.locate.match_text import normalize
from handeye.ocr.base import TextLine
from handeye.screen import Screen
from handeye.verify.base import Blocker, BlockerType, DismissSuggestion
from handeye.verify.card import Card
from handeye.verify.dialog_words import (
    ACKNOWLEDGE,
    ADVERT_MARKS,
    AGREES,
    ALWAYS,
    CLOSE_FAILED,
    FAILED,
    GRANT,
    GRANT_REQUEST,
    LATER,
    LOADING,
    PERSON,
    REFUSE,
    REFUSE_REQUEST,
    REQUEST,
)
from handeye.verify.glyphs import find_cross
from handeye.verify.notice_words import is_crash, is_notice

KEYCODE_BACK: Final = 4
# A card that loads says little else; more labels than this on it and the word is only a part of the content.
LOADING_LINES: Final = 2
# So many known buttons in one row are a dialog, wherever they stand.
_PAIR: Final = 2
_WORDS: Final = 400


def blocker_of(card: Card, screen: Screen) -> Blocker | None:
    """What the card is; None when neither its layout nor its words tell that it is in the way."""
    for kind in (_person, _permission, _error, _loading, _advert, _dialog):
        found = kind(card, screen)
        if found is not None:
            return found
    return None


def _person(card: Card, screen: Screen) -> Blocker | None:
    if not PERSON.search(card.plain) or not (card.proved or card.known):
        return None
    how = _label(card.modest(LATER)) or back()
    return _blocker(BlockerType.DIALOG, "a dialog that asks for a person", how, card, needs_person=True)


def _permission(card: Card, screen: Screen) -> Blocker | None:
    """Buttons that refuse and grant by name; where the words request something, also those that answer No and Yes."""
    requested = REQUEST.search(card.plain) is not None
    refuse = card.first(REFUSE_REQUEST if requested else REFUSE)
    grant = card.first(GRANT_REQUEST if requested else GRANT)
    # What can only be granted for ever is refused, or left to a person.
    if refuse is None or (grant is None and not (requested and card.first(ALWAYS))):
        return None
    return _blocker(BlockerType.PERMISSION, "a permission request", _label(refuse), card, grant=_label(grant))


def _error(card: Card, screen: Screen) -> Blocker | None:
    if not FAILED.search(card.plain):
        return None
    close = card.modest(CLOSE_FAILED)
    if (
        close is not None
        and normalize(close.text) in AGREES
        and not (is_notice(card.message) or is_crash(card.message))
    ):
        close = None  # "Loading failed. Open the settings?  OK" is no notice
    what = "an error message" if close else "an error message without a known button"
    return _blocker(BlockerType.ERROR, what, _label(close) or back(), card)


def _loading(card: Card, screen: Screen) -> Blocker | None:
    if not LOADING.search(card.plain) or len(card.labels) > LOADING_LINES:
        return None
    return waiting("a loading message over the page", card.box)


def _advert(card: Card, screen: Screen) -> Blocker | None:
    if not any(mark in card.said for mark in ADVERT_MARKS):
        return None
    cross = find_cross(screen, card.box)
    if cross is not None:
        return _blocker(BlockerType.AD, "an advert", _cross(cross), card)
    later = _label(card.modest(LATER))
    return _blocker(BlockerType.AD, "an advert" if later else "an advert without a ✕", later or back(), card)


def _dialog(card: Card, screen: Screen) -> Blocker | None:
    later = card.modest(LATER) or card.first(REFUSE)
    only = None if later else _only_button(card)
    notice = only if is_notice(card.message) else None
    pair = sum(label in card.known for label in card.last_row) >= _PAIR
    told = later is not None or only is not None or pair
    if not told and not card.proved:
        return None
    if later or notice:
        return _blocker(BlockerType.DIALOG, "a dialog" if later else "a notice", _label(later or notice), card)
    cross = find_cross(screen, card.box)
    if cross is not None:
        kind = BlockerType.DIALOG if pair else BlockerType.POPUP
        return _blocker(kind, "a dialog with a ✕" if pair else "a pop-up with a ✕", _cross(cross), card)
    if pair:
        return _blocker(BlockerType.DIALOG, "a dialog that only offers to agree or to lose something", back(), card)
    if not card.labels:
        return None
    return _blocker(BlockerType.UNKNOWN, "a card over the page whose buttons are not known", back(), card)


def _only_button(card: Card) -> TextLine | None:
    """The one button of a card with a message; whether that only tells something is another question."""
    button = card.first(ACKNOWLEDGE)
    if button is None or card.pressed != (button,) or card.last_row != (button,) or not card.message:
        return None
    return button


def back() -> DismissSuggestion:
    return DismissSuggestion("press_key", None, "press BACK", keycode=KEYCODE_BACK)


def tap(label: str, box: Box) -> DismissSuggestion:
    return DismissSuggestion("tap", f"text:{label}", f"tap {label!r}", box=box)


def waiting(what: str, where: Box) -> Blocker:
    """Something that goes away by itself."""
    return Blocker(BlockerType.LOADING, what, wait(), where)


def wait() -> DismissSuggestion:
    return DismissSuggestion("wait", None, "wait until it is gone")


def _cross(box: Box) -> DismissSuggestion:
    return DismissSuggestion("tap", "dynamic:✕", "tap '✕'", box=box)


def _label(label: TextLine | None) -> DismissSuggestion | None:
    return tap(label.text, label.box) if label is not None else None


def _blocker(
    kind: BlockerType,
    what: str,
    how: DismissSuggestion | None,
    card: Card,
    *,
    grant: DismissSuggestion | None = None,
    needs_person: bool = False,
) -> Blocker:
    return Blocker(kind, what, how, card.box, card.words[:_WORDS], grant, needs_person)
