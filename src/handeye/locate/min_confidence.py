"""The confidence from which on what was found is an answer, as a caller or the environment asks for it."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Final

from handeye.errors import ConfigError, UsageError
from handeye.models.settings import Settings

VARIABLE: Final = "HANDEYE_MIN_CONFIDENCE"


def requested_confidence(given: float | None = None) -> float | None:
    """
    Return the number (0-1) that is `given`, else that of the variable HANDEYE_MIN_CONFIDENCE in the environment or in `.env`,
    else None: each strategy has its own default then. Raises UsageError or ConfigError for what is no such number.
    """
    if given is None:
        settings = Settings(os.environ)
        with suppress(
            ConfigError
        ):  # a file that is no list of settings does not say it; who needs its settings tells of it
            settings.load()
        value = settings.number(VARIABLE, float, None)
        if value is not None and not 0 <= value <= 1 and (setting := settings.get(VARIABLE)) is not None:
            raise setting.wrong("a number from 0 to 1")
        return value
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given <= 1:
        raise UsageError(f"{given!r} is no confidence: give a number from 0 to 1")
    return given
