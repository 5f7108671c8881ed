"""Find the profile of a model, by its served name or by its family's name."""

from __future__ import annotations

import re
from dataclasses import replace

from handeye.errors import UsageError
from handeye.models.config.secret import redacted_excerpt
from handeye.models.families.general import FAMILIES
from handeye.models.families.profile import GUESSED, UNVERSIONED, Profile, plain_name


def profile_for(served: str) -> Profile | None:
    """
    Return the family of a model by its served name ("qwen/qwen2.5-vl-72b-instruct", "glm-4.5v"): the one that matches
    most letters of the name, the earlier row if several do. None for a name that matches no row;
    `profile_named("generic")` may then be tried with care.

    >>> profile_for("google/gemini-2.5-flash").name
    'gemini'
    """
    best = max(FAMILIES, key=lambda profile: profile.fits(served))
    return best if best.fits(served) else None


def profile_to_use(served: str, family: str | None = None) -> Profile:
    """
    Return the row called `family` if it is given, else that of the model's name, else the generic one. The generic one
    is a guess, and so is that of a name without the version (see `Profile.guessed`). Raises UsageError for an unknown
    `family`.
    """
    if family:
        return profile_named(family)
    profile = profile_for(served)
    if profile is None:
        return replace(profile_named("generic"), guessed=GUESSED)
    if profile.unversioned and re.search(profile.unversioned, plain_name(served)):
        return replace(profile, guessed=UNVERSIONED)
    return profile


def profile_named(name: str) -> Profile:
    """Return the row called `name`. Raises UsageError, which lists the names."""
    for profile in FAMILIES:
        if profile.name == name:
            return profile
    known = ", ".join(sorted(profile.name for profile in FAMILIES))
    raise UsageError(f"there is no model family {redacted_excerpt(name)!r}; there are {known}")
