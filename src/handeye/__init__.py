"""See a screen, find what a person names, act on it, check what happened, recover."""

from handeye._version import __version__

__all__ = ["__version__"]
