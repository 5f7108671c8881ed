"""Evidence from what a candidate is: its role, its icon, whether it can be used."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final

import numpy as np

from handeye.elements import UIElement
from handeye.locate.icon_words import contradicts, coverage
from handeye.locate.ranking.names import ARROWS
from handeye.locate.ranking.pool import Column, Pool, lead
from handeye.locate.ranking.question import Question
from handeye.locate.ranking.words import TermTable
from handeye.locate.text_forms import REMEMBERED
from handeye.roles import ROLES, role_named

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
"""Roles that people and platforms take for one another."""


def role_evidence(question: Question, pool: Pool) -> dict[str, Column]:
    """Agreement of the candidate's role with the one that was named, and its own role by number."""
    wanted = role_named(question.target.role) or question.target.role if question.target.role else None
    own = [each.element_type for each in pool.elements]
    alike = [0.0 if wanted is None else role_agreement(wanted, role) for role in own]
    number = [float(_ROLES.index(role)) if role in _ROLES else float(len(_ROLES)) for role in own]
    mentioned = roles_mentioned(question.phrase)
    said = [max((role_agreement(each, role) for each in mentioned), default=np.nan) for role in own]
    return {"role_agrees": np.array(alike), "role_mentioned": np.array(said), "role": np.array(number)}


@lru_cache(maxsize=REMEMBERED)
def roles_mentioned(phrase: str) -> frozenset[str]:
    """Roles whose words occur in a phrase; a word inside a longer one that names a role does not count."""
    return frozenset(role for meanings in _role_words().find(phrase)[0] for role in meanings)


@cache
def _role_words() -> TermTable[str]:
    words = ((word, role) for role, words in ROLES.items() for word in words)
    return TermTable((*words, *((word, "icon") for word in ARROWS)))


def icon_evidence(question: Question, pool: Pool) -> dict[str, Column]:
    """Probability that the candidate's icon shows what was said, and its lead over the best of the others."""
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
    """The candidate's states (enabled, can be clicked) and the length of its text. Unknown values are missing."""
    return {
        "enabled": np.array([_known(each.enabled) for each in pool.elements]),
        "interactive": np.array([_known(each.interactive) for each in pool.elements]),
        "text_length": np.array([float(len(text)) for text in pool.texts]),
        "has_name": np.array([float(bool(name)) for name in pool.names]),
        "from_tree": np.array([float(each.source == "accessibility") for each in pool.elements]),
    }


def _icon_names(element: UIElement) -> tuple[str, ...]:
    """Return the names that a parser or a tree gives to the icon of an element."""
    if element.text.strip():
        return ()
    named = (str(element.metadata.get(key, "")) for key in ("icon", "id"))
    described = element.description if element.source == "accessibility" else ""
    return tuple(each for each in (*named, described) if each)


def role_agreement(wanted: str, role: str) -> float:
    """1 for the role that is wanted, 0.5 for one that people take for it, else -1."""
    if wanted == role:
        return 1.0
    return 0.5 if any(wanted in group and role in group for group in _ALIKE) else -1.0


def _known(value: bool | None) -> float:
    return np.nan if value is None else float(value)
