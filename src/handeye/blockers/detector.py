"""
Detect what is in the way of a step, offline, from layout, text and the accessibility tree, cheapest first.

Text alone never makes a blocker: a chat may well contain 允许. A dialog needs a card or a sheet over a darkened page, loading
an otherwise empty page, a keyboard its rows of keys, an error a page that shows nothing else. A toast or a snackbar
intercepts no taps on the page and is none. A page that is plainly lit and full is not read at all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from handeye.blockers.base import Blocker, BlockerType
from handeye.blockers.card import Overlay
from handeye.blockers.dialog_vocabulary import (
    ADVERT_MARKS,
    ADVERTS,
    ERROR_CODE,
    LOADING,
    NOT_YET,
    RETRY,
    RETRY_FOREIGN,
    SKIP,
    UNREACHABLE,
    is_closing_id,
    words_of,
)
from handeye.blockers.dialogs import (
    LOADING_LINES,
    back,
    blocker_of,
    refuses_only,
    system_dialog,
    tap,
    wait,
    waiting,
    with_foreign_dismissal,
)
from handeye.blockers.glyphs import find_spinner
from handeye.blockers.layout_heuristics import (
    has_key_rows,
    is_full_screen_picture,
    is_sparse,
    loading_card,
    skip_corners,
)
from handeye.blockers.modal import Modal, find_modal
from handeye.blockers.soft_keyboard import find_keyboard, hides_its_field
from handeye.blockers.tree_cards import id_of, overlay_in_tree
from handeye.errors import HandeyeError
from handeye.geometry import Box, Point
from handeye.locate import read_lines
from handeye.ocr import TextReader
from handeye.perceive import CachedStateProvider, StateProvider
from handeye.screen import Screen
from handeye.text import TextLine, labels_of, normalize

# The page without its bars, as shares of the frame's height.
_PAGE: Final = (0.08, 0.9)
# Most lines of text on a page that could not be loaded: it shows little but the error.
_ERROR_LINES: Final = 6
# Seconds. A frame is up to a second old when the tap that it leads to arrives, on slow phones two.
_LATE_S: Final = 2
_SECONDS: Final = re.compile(r"\d{1,2}")
# Smallest side of a frame in pixels: a smaller one is a part of a screen, in which no blocker can be detected.
_LEAST_SIDE: Final = 48


def find_blocker(screen: Screen, reader: TextReader, state: StateProvider | None = None) -> Blocker | None:
    """
    Return the blocker that covers the screen, or None. Raises OcrFailed when the screen could not be read.

    Only what the layout leaves open is read, of a card only the card. `state` is read when that is quick or was done for this
    frame before, or when there is a card whose words do not identify it.
    """
    if min(screen.size) < _LEAST_SIDE:
        return None
    if state is not None and not state.slow and (blocker := _blocker_by_tree(screen, state)) is not None:
        return blocker
    if isinstance(state, CachedStateProvider) and (known := state.remembered(screen)) is not None:
        card = overlay_in_tree(known)
        if card is not None and (blocker := system_dialog(card)) is not None:
            return blocker
    modal = find_modal(screen)
    if modal is not None:
        card = _read(screen, modal, reader)
        blocker = blocker_of(card, screen)
        unknown = blocker is None or blocker.type is BlockerType.UNKNOWN
        # A refusal without a button that grants may be a request whose other buttons are not known.
        if state is not None and state.slow and (unknown or refuses_only(blocker, card)):
            told = _blocker_by_tree(screen, state, modal)
            blocker = told if told is not None and (unknown or told.type is BlockerType.PERMISSION) else blocker
        if blocker is not None:
            return with_foreign_dismissal(blocker, card)
    return _blocker_without_card(screen, reader, state)


def _read(screen: Screen, modal: Modal, reader: TextReader) -> Overlay:
    lines = read_lines(reader, screen, modal.box)
    labels = [label for line in lines for label in labels_of(line) if modal.box.contains(label.box.center)]
    return Overlay(modal.box, tuple(sorted(labels, key=lambda label: label.box.center.y)), modal.darkened)


def _blocker_by_tree(screen: Screen, state: StateProvider, modal: Modal | None = None) -> Blocker | None:
    """Return the blocker by the tree. A tree that cannot be read decides nothing, and the picture has to."""
    try:
        card = overlay_in_tree(state.detect(screen), modal)
    except HandeyeError:
        return None
    blocker = blocker_of(card, screen) if card is not None else None
    return with_foreign_dismissal(blocker, card) if card is not None and blocker is not None else None


def _blocker_without_card(screen: Screen, reader: TextReader, state: StateProvider | None) -> Blocker | None:
    """Return a blocker without a card: a full-screen advert, loading, an error, the keyboard."""
    corners = skip_corners(screen)
    for corner in corners:
        if (advert := _splash(screen, read_lines(reader, screen, corner))) is not None:
            return advert
    if corners and state is not None and state.slow and is_full_screen_picture(screen):
        skips = (_splash_by_tree(screen, state, corner) for corner in corners)
        if (advert := next((skip for skip in skips if skip is not None), None)) is not None:
            return advert
    face = loading_card(screen)
    if face is not None and any(LOADING.fullmatch(normalize(line.text)) for line in read_lines(reader, screen, face)):
        return waiting("a loading message over the page", face)
    if is_sparse(screen):
        lines = read_lines(reader, screen)
        return _loading(screen, lines) or failed_page(screen, lines)
    return _keyboard(screen, read_lines(reader, screen)) if has_key_rows(screen) else None


def _splash(screen: Screen, lines: Sequence[TextLine]) -> Blocker | None:
    """
    Return a full-screen advert: its skip button is in a corner and counts down or names the advert. One that cannot be
    skipped yet, or that is about to end, is awaited: a late tap would land on the page.
    """
    marked = any(normalize(line.text) in ADVERT_MARKS for line in lines)
    for line in lines:
        text = normalize(line.text)
        skip = SKIP.fullmatch(text)
        left = next(filter(None, skip.groups()), None) if skip is not None else None
        if NOT_YET.fullmatch(text) or (left is not None and int(left) <= _LATE_S):
            return Blocker(BlockerType.AD, f"a full-screen advert that counts down: {line.text!r}", wait(), screen.box)
        if skip is not None or (marked and text in ("跳过", "skip")):
            return Blocker(BlockerType.AD, "a full-screen advert", tap(line.text, line.box), screen.box)
    return None


def _splash_by_tree(screen: Screen, state: StateProvider, corner: Box) -> Blocker | None:
    """Return a full-screen advert where only the tree identifies the button in the corner, by its resource id."""
    try:
        elements = state.detect(screen).elements
    except HandeyeError:
        return None
    for element in elements:
        name, text = id_of(element), element.text or element.description
        pressable = element.interactive and element.enabled is not False
        skips = is_closing_id(name) and not {*ADVERTS, "skip"}.isdisjoint(words_of(name))
        if not (pressable and corner.contains(element.center) and skips):
            continue
        left = _SECONDS.search(text)
        late = left is not None and int(left[0]) <= _LATE_S
        return Blocker(
            BlockerType.AD, "a full-screen advert", wait() if late else tap(text or name, element.bbox), screen.box
        )
    return None


def _loading(screen: Screen, lines: Sequence[TextLine]) -> Blocker | None:
    width, height = screen.size
    content = _content(screen, lines)
    if len(content) > LOADING_LINES:
        return None
    for line in content:
        x, y = line.box.center
        central = abs(x - width / 2) <= 0.12 * width and 0.2 * height <= y <= 0.85 * height
        if central and LOADING.fullmatch(normalize(line.text)):
            return waiting(f"the page is loading: {line.text!r}", line.box)
    # A spinner is often read as a letter: C, O.
    ring = find_spinner(screen) if all(len(line.text) == 1 for line in content) else None
    return waiting("the page is loading: a turning ring", ring) if ring else None


def keyboard_at(screen: Screen, place: Point, reader: TextReader) -> Blocker | None:
    """Return the keyboard where it covers `place`; else None. Raises OcrFailed."""
    keyboard = find_keyboard(screen, read_lines(reader, screen)) if has_key_rows(screen) else None
    if keyboard is None or not keyboard.contains(place):
        return None
    return Blocker(BlockerType.KEYBOARD, "the keyboard", back(), keyboard)


def failed_page(screen: Screen, lines: Sequence[TextLine]) -> Blocker | None:
    """Return a page that could not be loaded, and offers to try again or shows a browser's error code; else None."""
    content = _content(screen, lines)
    if not content or len(content) > _ERROR_LINES:
        return None
    words = "".join(normalize(line.text) for line in content)
    again = next((line for line in content if normalize(line.text) in (*RETRY, *RETRY_FOREIGN)), None)
    coded = any(ERROR_CODE.fullmatch(line.text.strip()) for line in content)
    # "Refresh" is on empty pages as well, and "try again" in any language below a failed payment.
    if not coded and (again is None or not UNREACHABLE.search(words)):
        return None
    said = " ".join(line.text for line in content)
    dismiss = tap(again.text, again.box) if again is not None else back()
    return Blocker(BlockerType.ERROR, "a page that could not be loaded", dismiss, screen.box, said)


def _content(screen: Screen, lines: Sequence[TextLine]) -> list[TextLine]:
    top, bottom = (share * screen.size.height for share in _PAGE)
    return [line for line in lines if top < line.box.center.y < bottom]


def _keyboard(screen: Screen, lines: Sequence[TextLine]) -> Blocker | None:
    keyboard: Box | None = find_keyboard(screen, lines)
    if keyboard is None or not hides_its_field(screen, keyboard):
        return None
    return Blocker(BlockerType.KEYBOARD, "the keyboard covers the field it types into", back(), keyboard)
