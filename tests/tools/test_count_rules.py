"""Tests of tools/count_rules.py, which counts hand-written rules by room."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "count_rules.py"
BASELINE = TOOL.with_name("rules_baseline.json")

NUMBERS = '''
"""Docstring."""
import re
from enum import IntEnum

_LEAST: Final = 0.85  # a comment
SIZES = (1, 2 * _LEAST)
_TABLE: Final[dict[str, float]] = {"a": -1.5, "b": 3}
AREA, WORD = Box(0, 0, 1, 1), "word"
ROWS: Final = (("name", 0.5), ("other", None))

ENABLED = True
NAMES = ("a", "b")
COPY = _LEAST
lower = 5
_LINE: Final = re.compile("a{3}", 2)


class Level(IntEnum):
    HIGH = 3


class Found:
    MOST = 4
    score: float = 0.7


def fits(box, slack=12, most=1):
    LOCAL = 8
    return box.width * 0.3 > slack + 1 and box.parts[7] != 2 and re.match("x+", box.text)
'''


@pytest.fixture(scope="module")
def tool() -> Iterator[ModuleType]:
    spec = importlib.util.spec_from_file_location("count_rules", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


def write(source: Path, **files: str) -> Path:
    """Make a source tree; `locate__ocr` is the file locate/sources/ocr.py."""
    for name, text in files.items():
        path = source / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return source


def test_named_numbers_are_counted(tool: ModuleType, tmp_path: Path) -> None:
    rooms = tool.survey(write(tmp_path, locate__ocr=NUMBERS))
    names = {item.partition(" = ")[0] for item in rooms["locate"].numbers}
    assert names == {"_LEAST", "SIZES", "_TABLE", "AREA", "ROWS", "MOST"}
    assert rooms["locate"].counts["named numbers"] == 6


def test_other_columns_are_counted(tool: ModuleType, tmp_path: Path) -> None:
    counts = tool.survey(write(tmp_path, target__words=NUMBERS))["target"].counts
    assert counts["bare numbers"] == 3  # score, slack and 0.3; neither an index nor 0, 1 and 2
    assert (counts["re.compile"], counts["re direct"]) == (1, 1)
    assert counts["lines"] == len(NUMBERS.splitlines())
    assert counts["code lines"] == sum(1 for line in NUMBERS.splitlines() if line.strip())


def test_comments_and_blank_lines_are_not_code_lines(tool: ModuleType, tmp_path: Path) -> None:
    counts = tool.survey(write(tmp_path, target__words="# one\n\nA = '''two\n\nthree'''\n"))["target"].counts
    assert (counts["lines"], counts["code lines"]) == (5, 3 - 1)


def test_top_level_files_are_counted_as_own_room(tool: ModuleType, tmp_path: Path) -> None:
    rooms = tool.survey(write(tmp_path, locate__sources__ocr="B = 4", session="C = 5"))
    assert {name: room.numbers for name, room in rooms.items()} == {"locate": ["B = 4"], ".": ["C = 5"]}


def test_baseline_report_shows_remaining_percentages(
    tool: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = write(
        tmp_path / "before", locate__ocr="import re\nA = 3\nB = 4\nC = re.compile('a')\nif A > 5: re.sub('', '', '')\n"
    )
    now = write(tmp_path / "now", text__fold="import re\nA = 3\nC = re.compile('a')\nif A > 5: re.sub('', '', '')\n")
    baseline = tmp_path / "baseline.json"
    tool.main(["--source", str(before), "--write", str(baseline)])
    capsys.readouterr()
    tool.main(["--source", str(now), "--baseline", str(baseline)])
    assert capsys.readouterr().out.splitlines()[-1].split() == ["left", "50%", "100%", "100%", "100%", "80%", "80%"]


def test_committed_baseline_is_printed_for_comparison(tool: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    tool.main(["--baseline", str(BASELINE)])
    assert capsys.readouterr().out.splitlines()[-2].split()[:2] == ["baseline", "1618"]
