"""
Classify the dialog on a card, and choose how to dismiss it.

Nothing is ever dismissed by a button that agrees, buys, deletes, sends or logs out: only by one that refuses or postpones, by
a ✕, by the one button of a notice that is known to inform only, or with BACK.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from handeye.blockers.base import Blocker, BlockerType, DismissSuggestion, Grant
from handeye.blockers.card import Overlay
from handeye.blockers.dialog_vocabulary import (
    ACKNOWLEDGE,
    ADVERT_MARKS,
    ADVERTS,
    AGREES,
    CLOSE_FAILED,
    FAILED,
    FAILED_APP,
    GRANTS,
    LOADING,
    NEGATIVE,
    PERMISSION_GRANTS,
    PERMISSION_REFUSALS,
    PERSON,
    POSITIVE,
    POSTPONE,
    POSTPONE_FOREIGN,
    REFUSE,
    REFUSE_REQUEST,
    REQUEST,
    YES,
    is_closing_id,
    is_crash,
    is_notice,
    words_of,
)
from handeye.blockers.glyphs import find_cross
from handeye.geometry import Box
from handeye.screen import Screen
from handeye.text import TextLine, normalize

KEYCODE_BACK: Final = 4
# Most labels of a loading card; with more of them, the loading word is a part of other content.
LOADING_LINES: Final = 2
# So many known buttons in one row are a dialog, wherever they are.
_DIALOG_BUTTONS: Final = 2
_WORDS: Final = 400


def blocker_of(card: Overlay, screen: Screen) -> Blocker | None:
    """Return the blocker on the card; None when neither its layout nor its words show that it is in the way."""
    if (found := system_dialog(card)) is not None:
        return found
    for kind in (_person, _permission, _error, _loading, _advert, _dialog):
        found = kind(card, screen)
        if found is not None:
            return found
    return None


def system_dialog(card: Overlay) -> Blocker | None:
    """
    Return Android's own dialogs, by the ids of their buttons: a permission request, or the report of an app that hangs or
    crashed.
    """
    if (close := card.by_id(FAILED_APP)) is not None:
        return _blocker(BlockerType.ERROR, "an error message", _label(close), card)
    refuse = card.by_id(PERMISSION_REFUSALS)
    offered = {grant: card.by_id(names) for grant, names in PERMISSION_GRANTS.items()}
    if card.asks and refuse is None and not any(offered.values()):
        refuse, offered[Grant.ALL] = card.answer(NEGATIVE), card.answer(POSITIVE)
    plain = offered[Grant.ALL]
    if plain is not None and normalize(plain.text) in GRANTS[Grant.ALWAYS]:
        offered |= {Grant.ALL: None, Grant.ALWAYS: plain}  # as some vendors have it
    return _request(card, refuse, offered) if refuse is not None or any(offered.values()) else None


def _person(card: Overlay, screen: Screen) -> Blocker | None:
    if not PERSON.search(card.plain) or not (card.proved or card.known):
        return None
    how = _label(card.first_not_in_message(POSTPONE)) or back()
    return _blocker(BlockerType.DIALOG, "a dialog that asks for a person", how, card, needs_person=True)


def _permission(card: Overlay, screen: Screen) -> Blocker | None:
    """Return a request by its buttons that refuse and grant; where the words request something, No and Yes count as well."""
    requested = REQUEST.search(card.plain) is not None
    refuse = card.first(REFUSE_REQUEST if requested else REFUSE)
    offered = {grant: card.first(labels) for grant, labels in GRANTS.items()}
    if requested and offered[Grant.ALL] is None:
        offered[Grant.ALL] = card.first(YES)
    # A request that can only be granted permanently has to name its permission: "Don't allow" alone may refuse anything.
    if refuse is None or not any(offered[grant] for grant in Grant if requested or grant is not Grant.ALWAYS):
        return None
    return _request(card, refuse, offered)


def _request(card: Overlay, refuse: TextLine | None, offered: Mapping[Grant, TextLine | None]) -> Blocker:
    """Return a permission request. Without a button that refuses, it is dismissed with BACK, which grants nothing."""
    grants = {grant: tap(label.text, label.box) for grant, label in offered.items() if label is not None}
    mildest = next((grants[grant] for grant in Grant if grant in grants and grant is not Grant.ALWAYS), None)
    blocker = _blocker(BlockerType.PERMISSION, "a permission request", _label(refuse) or back(), card, grant=mildest)
    return replace(blocker, grants=grants, request=card.request)


def _error(card: Overlay, screen: Screen) -> Blocker | None:
    if not FAILED.search(card.plain):
        return None
    close = card.first_not_in_message(CLOSE_FAILED)
    if (
        close is not None
        and normalize(close.text) in AGREES
        and not (is_notice(card.message) or is_crash(card.message))
    ):
        close = None  # "Loading failed. Open the settings?  OK" is no notice
    what = "an error message" if close else "an error message without a known button"
    return _blocker(BlockerType.ERROR, what, _label(close) or back(), card)


def _loading(card: Overlay, screen: Screen) -> Blocker | None:
    if not LOADING.search(card.plain) or len(card.labels) > LOADING_LINES:
        return None
    return waiting("a loading message over the page", card.box)


def _advert(card: Overlay, screen: Screen) -> Blocker | None:
    if not any(mark in card.said for mark in ADVERT_MARKS):
        return None
    cross = find_cross(screen, card.box)
    if cross is not None:
        return _blocker(BlockerType.AD, "an advert", _cross(cross), card)
    later = _label(card.first_not_in_message(POSTPONE))
    return _blocker(BlockerType.AD, "an advert" if later else "an advert without a ✕", later or back(), card)


def _dialog(card: Overlay, screen: Screen) -> Blocker | None:
    later = card.first_not_in_message(POSTPONE) or card.first(REFUSE)
    only = None if later else _only_button(card)
    notice = only if is_notice(card.message) else None
    pair = sum(label in card.known for label in card.last_row) >= _DIALOG_BUTTONS or card.answer(POSITIVE) is not None
    closed = None if later or notice else _closed_by_id(card)
    told = (
        later is not None or only is not None or pair or (closed is not None and closed.type is not BlockerType.POPUP)
    )
    if not told and not card.proved:
        return None
    if later or notice:
        return _blocker(BlockerType.DIALOG, "a dialog" if later else "a notice", _label(later or notice), card)
    if closed is not None:
        return closed
    cross = find_cross(screen, card.box)
    if cross is not None:
        kind = BlockerType.DIALOG if pair else BlockerType.POPUP
        return _blocker(kind, "a dialog with a ✕" if pair else "a pop-up with a ✕", _cross(cross), card)
    if pair:
        return _blocker(BlockerType.DIALOG, "a dialog that only offers to agree or to lose something", back(), card)
    if not card.labels:
        return None
    return _blocker(BlockerType.UNKNOWN, "a card over the page whose buttons are not known", back(), card)


def refuses_only(blocker: Blocker | None, card: Overlay) -> bool:
    """Return True if the card is a dialog only because one of its buttons refuses."""
    refuse = _label(card.first(REFUSE))
    if blocker is None or blocker.type is not BlockerType.DIALOG:
        return False
    return refuse is not None and blocker.dismiss_suggestion == refuse


def with_foreign_dismissal(blocker: Blocker, card: Overlay) -> Blocker:
    """
    Return the blocker; where only BACK is known to dismiss it, with a button that postpones in another language instead, if
    any.
    """
    kinds = (BlockerType.DIALOG, BlockerType.UNKNOWN)
    only_back = blocker.type in kinds and not blocker.needs_person and blocker.dismiss_suggestion == back()
    later = card.first_not_in_message(POSTPONE_FOREIGN) if only_back else None
    if later is None:
        return blocker
    return replace(blocker, type=BlockerType.DIALOG, description="a dialog", dismiss_suggestion=_label(later))


def _only_button(card: Overlay) -> TextLine | None:
    """Return the only button of a card with a message, or None; the message may be more than a notice."""
    button = card.first(ACKNOWLEDGE)
    if button is None or card.pressed != (button,) or card.last_row != (button,) or not card.message:
        return None
    return button


def _closed_by_id(card: Overlay) -> Blocker | None:
    """
    Return the blocker if a button's resource id shows that it closes the card, in any language: a ✕, or a label that is known
    to postpone. A refusing button with another label may do more: delete, cancel an order or send.
    """
    for name, button in card.named.items():
        is_advert = bool(ADVERTS.intersection(words_of(name)))
        if is_closing_id(name) and (is_advert or _only_closes(card, button)):
            kind, what = (
                (BlockerType.AD, "an advert") if is_advert else (BlockerType.POPUP, "a pop-up that can be closed")
            )
            return _blocker(kind, what, tap(button.text or name, button.box), card)
    return None


def _only_closes(card: Overlay, button: TextLine) -> bool:
    """Return True if the button's label has no letters or digits, or is a word that postpones and is not in the message."""
    text = normalize(button.text)
    if not any(map(str.isalnum, text)):
        return True
    return (text in POSTPONE or text in POSTPONE_FOREIGN) and text not in card.message


def back() -> DismissSuggestion:
    return DismissSuggestion("press_key", None, "press BACK", keycode=KEYCODE_BACK)


def tap(label: str, box: Box) -> DismissSuggestion:
    return DismissSuggestion("tap", f"text:{label}", f"tap {label!r}", box=box)


def waiting(what: str, where: Box) -> Blocker:
    """Return a blocker that disappears by itself."""
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
    card: Overlay,
    *,
    grant: DismissSuggestion | None = None,
    needs_person: bool = False,
) -> Blocker:
    return Blocker(kind, what, how, card.box, card.words[:_WORDS], grant, needs_person)
