"""The command line."""

from handeye.cli.entry import main

__all__ = ["main"]
