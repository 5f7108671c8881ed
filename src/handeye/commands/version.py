"""`handeye version`."""

from __future__ import annotations

from handeye._version import __version__
from handeye.commands.base import Context, Outcome
from handeye.commands.parameters import NoParams


def show_version(params: NoParams, context: Context) -> Outcome:
    """Print the version."""
    return Outcome({"version": __version__}, (f"handeye {__version__}",))
