"""What the map and the docs call by its file name is there, and the map has every room."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src" / "handeye"
MAP = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
PARTS = ("src", "tests", "docs", "benchmarks", "examples", "tools", "training")
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "benchmarks").rglob("*.md")]

_FILE = re.compile(r"[\w.*-]+\.py\b")
_ROW = re.compile(r"^\| `(?P<room>[\w/.]+)`(?:, `[\w/.]+`)* \|(?P<about>.*)\|$", re.MULTILINE)


@pytest.fixture(scope="module")
def here() -> set[str]:
    return {file.name for part in PARTS for file in (ROOT / part).rglob("*.py")}


def quoted(text: str) -> Iterator[str]:
    for code in re.findall(r"`([^`\n]+)`", text):
        yield from _FILE.findall(code)


def sections() -> Iterator[tuple[list[str], str]]:
    """The rooms that a part of the map is about, and that part."""
    for match in _ROW.finditer(MAP.partition("\nInside ")[0]):
        yield [match["room"]], match["about"]
    for part in MAP.split("\nInside ")[1:]:
        heading, _, about = part.partition(":\n")
        about = about.partition("\n\n`testing/`")[0].partition("\n## ")[0]
        yield re.findall(r"`([\w/]+/)`", heading + about), about


@pytest.mark.parametrize(
    ("rooms", "about"), [pytest.param(*section, id=" ".join(section[0])) for section in sections()]
)
def test_the_map_names_files_that_are_in_their_rooms(rooms: list[str], about: str) -> None:
    assert all((SOURCES / room).exists() for room in rooms)
    for name in quoted(about):
        assert any(any((SOURCES / room).rglob(name)) for room in rooms), f"{name} is not in {' or '.join(rooms)}"


def test_the_map_has_every_room() -> None:
    rooms = set(re.findall(r"`(\w+/|\w+\.py)`", MAP))
    there = {each.name + "/" * each.is_dir() for each in SOURCES.iterdir() if not each.name.startswith("_")}
    assert there - {"py.typed"} <= rooms


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_docs_name_files_that_are_there(page: Path, here: set[str]) -> None:
    missing = set(quoted(page.read_text(encoding="utf-8"))) - here
    assert not {name for name in missing if not fnmatch.filter(here, name)}
