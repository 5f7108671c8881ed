"""`handeye version`."""

from __future__ import annotations

from handeye._version import __version__
from handeye.commands.base import Context, NoParams, Outcome


def show_version(params: NoParams, context: Context) -> Outcome:
    """Print the version."""
    return Outcome({"version": __version__}, (f"handeye {__version__}",))
