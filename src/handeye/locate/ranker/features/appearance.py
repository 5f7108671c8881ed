"""Evidence from a candidate itself: its role, icon, state, shape and text style, and earlier matches."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from handeye.elements import UIElement
from handeye.geometry import Box
from handeye.locate.icon_names import contradicts, coverage
from handeye.locate.ranker.candidates import Column, Pool, lead, overlap
from handeye.locate.ranker.question import ARROWS, Question
from handeye.locate.ranker.vocabulary import TermTable
from handeye.roles import ROLES, role_named
from handeye.screen import Screen
from handeye.text import CACHE_SIZE

_ROLES: Final = (
    *("text", "heading", "button", "link", "icon", "image", "input", "checkbox", "radio", "switch", "slider"),
    *("tab", "list item", "menu item", "combo box", "element"),
)
_ALIKE: Final = (
    frozenset(
        {"button", "link", "tab", "menu item", "list item", "table row", "card", "menu", "icon", "image", "element"}
    ),
    frozenset({"input", "combo box", "spinner", "slider"}),
    frozenset({"checkbox", "radio", "switch"}),
    frozenset({"text", "heading", "link"}),
)
"""Roles that people and platforms confuse with one another."""


def role_evidence(question: Question, pool: Pool) -> dict[str, Column]:
    """Return the agreement of the candidate's role with the requested one, and its own role by number."""
    wanted = role_named(question.target.role) or question.target.role if question.target.role else None
    own = [each.element_type for each in pool.elements]
    alike = [0.0 if wanted is None else role_agreement(wanted, role) for role in own]
    number = [float(_ROLES.index(role)) if role in _ROLES else float(len(_ROLES)) for role in own]
    mentioned = roles_mentioned(question.phrase)
    said = [max((role_agreement(each, role) for each in mentioned), default=np.nan) for role in own]
    return {"role_agrees": np.array(alike), "role_mentioned": np.array(said), "role": np.array(number)}


@lru_cache(maxsize=CACHE_SIZE)
def roles_mentioned(phrase: str) -> frozenset[str]:
    """Return the roles whose words occur in a phrase; a word inside a longer one that names a role does not count."""
    return frozenset(role for meanings in _role_words().find(phrase)[0] for role in meanings)


@cache
def _role_words() -> TermTable[str]:
    words = ((word, role) for role, words in ROLES.items() for word in words)
    return TermTable((*words, *((word, "icon") for word in ARROWS)))


def icon_evidence(question: Question, pool: Pool) -> dict[str, Column]:
    """Return the probability that the candidate's icon shows the name, and its lead over the best of the others."""
    scores = np.array([pool.icon_scores.get(at, 0.0) for at in range(len(pool))])
    names = [_icon_names(each) for each in pool.elements]
    covers = [coverage(question.name, each) if each else np.nan for each in names]
    other = [float(contradicts(question.name, each)) if each else np.nan for each in names]
    return {
        "icon": scores,
        "icon_lead": lead(scores),
        "icon_covers": np.array(covers),
        "icon_contradicts": np.array(other),
    }


def state_evidence(pool: Pool) -> dict[str, Column]:
    """Return the candidate's states (enabled, clickable) and the length of its text. Unknown values are missing."""
    return {
        "enabled": np.array([_as_number(each.enabled) for each in pool.elements]),
        "interactive": np.array([_as_number(each.interactive) for each in pool.elements]),
        "text_length": np.array([float(len(text)) for text in pool.texts]),
        "has_name": np.array([float(bool(name)) for name in pool.names]),
        "from_tree": np.array([float(each.source == "accessibility") for each in pool.elements]),
    }


def _icon_names(element: UIElement) -> tuple[str, ...]:
    """Return the names of the element's icon in the parser or the tree."""
    if element.text.strip():
        return ()
    named = (str(element.metadata.get(key, "")) for key in ("icon", "id"))
    described = element.description if element.source == "accessibility" else ""
    return tuple(each for each in (*named, described) if each)


def role_agreement(wanted: str, role: str) -> float:
    """Return 1 for the requested role, 0.5 for one that people confuse with it, else -1."""
    if wanted == role:
        return 1.0
    return 0.5 if any(wanted in group and role in group for group in _ALIKE) else -1.0


def _as_number(value: bool | None) -> float:
    return np.nan if value is None else float(value)


# Evidence from the box of a candidate: its size, proportions and position on the screen.


def shape_evidence(pool: Pool) -> dict[str, Column]:
    """
    Return width, height and area as shares of the screen's, the aspect ratio, and the center in shares of the screen (0-1).
    """
    width, height = max(1, pool.size.width), max(1, pool.size.height)
    wide, high = (pool.boxes[:, 2] - pool.boxes[:, 0]) / width, (pool.boxes[:, 3] - pool.boxes[:, 1]) / height
    return {
        "width_share": wide,
        "height_share": high,
        "area_share": wide * high,
        "aspect": wide * width / np.maximum(high * height, 1.0),
        "center_x": pool.centers[:, 0] / width,
        "center_y": pool.centers[:, 1] / height,
    }


# Evidence from a text's style: its height and ink colour compared with the other texts on the frame.


Ink = npt.NDArray[np.float64]

_COLUMNS: Final = ("text_height", "height_among_equals", "ink_apart", "ink_colourful")
_INKED: Final = 0.9  # share of the largest difference from the background: pixels fully covered by letters
_PLAIN: Final = 32
_LEAST_INKED: Final = 0.02  # share of the pixels: a dash alone is too small to compare its colour

_seen: WeakKeyDictionary[Screen, dict[Box, Ink]] = WeakKeyDictionary()


def style_evidence(pool: Pool, screen: Screen | None) -> dict[str, Column]:
    """
    Return the height of each text relative to the median text, and to the largest with the same words; the difference of
    its ink from the median ink (0-1), and the distance of its ink from gray (0-1). Missing without a screen, without a
    text, and for elements of the tree.
    """
    columns = {name: np.full(len(pool), np.nan) for name in _COLUMNS}
    seen = [at for at, each in enumerate(pool.elements) if each.source != "accessibility" and each.text.strip()]
    if screen is None or not seen:
        return columns
    boxes = [_text_box(pool.elements[at]) for at in seen]
    heights = np.array([box.height for box in boxes], dtype=np.float64)
    columns["text_height"][seen] = heights / max(1.0, float(np.median(heights)))
    labels = [pool.elements[at].text.strip().casefold() for at in seen]
    by_height = sorted(zip(heights, labels, strict=True))
    largest = {label: height for height, label in by_height}
    columns["height_among_equals"][seen] = heights / np.maximum(1.0, [largest[label] for label in labels])
    inks = np.stack([ink_of(screen, box) for box in boxes])
    known = inks[~np.isnan(inks[:, 0])]
    if len(known):
        columns["ink_apart"][seen] = np.abs(inks - np.median(known, axis=0)).max(axis=1) / 255
        columns["ink_colourful"][seen] = np.ptp(inks, axis=1) / 255
    return columns


def ink_of(screen: Screen, box: Box) -> Ink:
    """Return the mean RGB colour of the pixels that differ most from the background; NaN if the box is empty or plain."""
    inks = _seen.setdefault(screen, {})
    if box not in inks:
        inks[box] = _ink(screen, box)
    return inks[box]


def _ink(screen: Screen, box: Box) -> Ink:
    box = box.clip(screen.size)
    pixels = screen.pixels[box.top : box.bottom, box.left : box.right].reshape(-1, 3).astype(np.float64)
    if not len(pixels):
        return np.full(3, np.nan)
    away = np.abs(pixels - np.median(pixels, axis=0)).max(axis=1)
    if np.mean(away >= _PLAIN) < _LEAST_INKED:
        return np.full(3, np.nan)
    ink: Ink = pixels[away >= _INKED * away.max()].mean(axis=0)
    return ink


def _text_box(element: UIElement) -> Box:
    return element.label_box or element.bbox


# Evidence from earlier strategies: agreement with their matches, never their confidence.


def earlier_evidence(question: Question, pool: Pool) -> dict[str, Column]:
    """
    Return the overlap with the single earlier match, with the first of several, and with any of them. Candidates with the
    same label have the same evidence, unless the question distinguishes them.
    """
    shares = np.array([[overlap(each.bbox, other.bbox) for other in pool.earlier] for each in pool.elements])
    shares = shares.reshape(len(pool), len(pool.earlier))
    if not question.target.chooses:
        for label in set(pool.labels) - {""}:
            equal = [at for at, each in enumerate(pool.labels) if each == label]
            shares[equal] = shares[equal].max(axis=0, initial=0.0)
    none = np.zeros(len(pool))
    first = shares[:, 0] if pool.earlier else none
    return {
        "answered_here": first if pool.answered else none,
        "first_here": none if pool.answered else first,
        "one_of_them_here": shares.max(axis=1) if pool.earlier else none,
    }
