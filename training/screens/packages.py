"""Packages from npm: the component libraries and the icon sets. None of their code runs outside the browser."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Final

from training.screens.libraries import LIBRARIES

ICONS: Final = "@iconify/json"
PLACES: Final = ("npm", "screens_npm")  # folders below --data that may hold them


def install(folder: Path) -> Path:
    """The folder that holds `node_modules` with every library; installs what no folder has. Needs npm."""
    wanted = [name for library in LIBRARIES for name in library.packages]
    for place in PLACES:
        if all((folder / place / "node_modules" / _bare(name)).exists() for name in wanted):
            return folder / place
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("npm is missing, which brings the component libraries; on Debian: apt-get install npm")
    home = folder / PLACES[0]
    home.mkdir(parents=True, exist_ok=True)
    (home / "package.json").write_text('{"private": true}')
    command = [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps", "--loglevel=error"]
    subprocess.run([*command, *dict.fromkeys([*wanted, ICONS])], cwd=home, check=True)
    return home


def _bare(package: str) -> str:
    """A package's name without its version."""
    head, _, _ = package[1:].partition("@")
    return package[0] + head
