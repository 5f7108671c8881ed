"""The row of a model, by the name under which it is served or by its own."""

from __future__ import annotations

import re
from dataclasses import replace

from handeye.errors import UsageError
from handeye.models.config.secret import shortly
from handeye.models.families.general import FAMILIES
from handeye.models.families.profile import GUESSED, UNVERSIONED, Profile, plain_name


def profile_for(served: str) -> Profile | None:
    """
    The family of a model by the name under which it is served ("qwen/qwen2.5-vl-72b-instruct", "glm-4.5v"): the one of which
    most letters are in the name, the earlier row of equals. None for a name that no row knows; `profile_named("generic")`
    may then be tried with care.

    >>> profile_for("google/gemini-2.5-flash").name
    'gemini'
    """
    best = max(FAMILIES, key=lambda profile: profile.fits(served))
    return best if best.fits(served) else None


def profile_to_use(served: str, family: str | None = None) -> Profile:
    """
    The row called `family` where one is named, else that of the model's name, else the generic one. The last is a guess, and so
    is the second for a name that does not tell the version. Raises UsageError.
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
    """The row called `name`. Raises UsageError, which lists the names."""
    for profile in FAMILIES:
        if profile.name == name:
            return profile
    known = ", ".join(sorted(profile.name for profile in FAMILIES))
    raise UsageError(f"there is no model family {shortly(name)!r}; there are {known}")
