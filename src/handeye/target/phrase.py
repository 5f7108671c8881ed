"""A target in a person's words."""

from __future__ import annotations

from handeye.target.values import DYNAMIC, TEXT, Target


def parse_phrase(query: str) -> Target:
    """What the words ask for; what cannot be understood is a reference image's name or a text."""
    query = query.strip()
    if query.startswith(DYNAMIC):
        return Target(description=query[len(DYNAMIC) :].strip())
    if query.startswith(TEXT):
        return Target(text=query[len(TEXT) :].strip(), exact=True)
    return Target(text=query, reference=query)
