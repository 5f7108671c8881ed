"""Tests of file names in the map and the docs: every file exists, and every folder is listed."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src" / "handeye"
MAP = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
PARTS = ("src", "tests", "docs", "benchmarks", "examples", "tools", "training", "packages")
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "benchmarks").rglob("*.md")]

_FILE = re.compile(r"[\w.*-]+\.py\b")
_ROW = re.compile(r"^\| `(?P<room>[\w/.-]+)` \|(?P<about>.*)\|$", re.MULTILINE)


@pytest.fixture(scope="module")
def here() -> set[str]:
    return {file.name for part in PARTS for file in (ROOT / part).rglob("*.py")}


def quoted(text: str) -> Iterator[str]:
    for code in re.findall(r"`([^`\n]+)`", text):
        yield from _FILE.findall(code)


def sections() -> Iterator[tuple[str, str]]:
    """Yield each room of the map with the text of its row, and `run/` with the table of its files."""
    table, _, rest = MAP.partition("\n## One step, from inside `run/`")
    for match in _ROW.finditer(table):
        yield match["room"], match["about"]
    yield "run/", rest.partition("\n## ")[0]


@pytest.mark.parametrize(("room", "about"), [pytest.param(*each, id=each[0]) for each in sections()])
def test_map_names_existing_files_in_each_folder(room: str, about: str) -> None:
    folder = (ROOT if room.startswith("packages/") else SOURCES) / room
    assert folder.exists()
    for name in quoted(about):
        assert folder.name == name or any(folder.rglob(name)), f"{name} is not in {room}"


def test_map_lists_every_source_folder() -> None:
    rooms = set(re.findall(r"`(\w+/|\w+\.py)`", MAP))
    there = {each.name + "/" * each.is_dir() for each in SOURCES.iterdir() if not each.name.startswith("_")}
    assert there - {"py.typed"} <= rooms


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_docs_name_existing_files(page: Path, here: set[str]) -> None:
    missing = set(quoted(page.read_text(encoding="utf-8"))) - here
    assert not {name for name in missing if not fnmatch.filter(here, name)}
