"""The command line."""

from handeye.cli.app import main

__all__ = ["main"]
