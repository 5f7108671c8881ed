"""Folders and files of the icon training."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Places:
    """The folder of the icon training and what lies in it."""

    root: Path

    @property
    def npm(self) -> Path:
        return self.root / "npm"

    @property
    def packages(self) -> Path:
        return self.npm / "node_modules"

    @property
    def drawn(self) -> Path:
        """`icons.json` (a row per icon), `masks.npy` and `colours.npy`."""
        return self.root / "drawn"

    @property
    def bank(self) -> Path:
        """The crops: `crops-<part>.npy` and which icon each shows."""
        return self.root / "bank"

    @property
    def runs(self) -> Path:
        return self.root / "runs"


def argument_parser(purpose: str | None) -> argparse.ArgumentParser:
    """A parser that knows `--data`."""
    parser = argparse.ArgumentParser(description=purpose)
    parser.add_argument(
        "--data", type=Path, default=Path("out/training"), help="working folder (default: out/training)"
    )
    return parser


def places_of(arguments: argparse.Namespace) -> Places:
    return Places(Path(arguments.data) / "icons")


def places_from_arguments(purpose: str | None, argv: Any = None) -> Places:
    """For the commands that take nothing but `--data`."""
    return places_of(argument_parser(purpose).parse_args(argv))
