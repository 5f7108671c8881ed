"""tools/count_rules.py counts hand-written rules by room, and follows what is moved to another room."""

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

FUNCTION = '''
def {name}(boxes, limit):
    """Return the boxes that are large enough."""
    kept = []
    for box in boxes:
        if box.width > limit and box.height > limit:
            kept.append((box.left, box.top, box.width, box.height))
        elif box.area == 0:
            continue
    return sorted(kept, key=lambda place: (place[0], place[1]))
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


def compare(tool: ModuleType, before: Path, now: Path, tmp_path: Path) -> list[list[str]]:
    baseline = tmp_path / "baseline.json"
    tool.write_baseline(tool.survey(before), baseline)
    return [line.split() for line in tool.comparison(tool.read_baseline(baseline), tool.survey(now))]


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


def test_a_comment_is_no_code_line(tool: ModuleType, tmp_path: Path) -> None:
    counts = tool.survey(write(tmp_path, target__words="# one\n\nA = '''two\n\nthree'''\n"))["target"].counts
    assert (counts["lines"], counts["code lines"]) == (5, 3 - 1)


def test_picture_matching_is_a_room_of_its_own(tool: ModuleType, tmp_path: Path) -> None:
    rooms = tool.survey(write(tmp_path, locate__template="A = 3", locate__ocr="B = 4", session="C = 5"))
    assert {name: [*room.numbers] for name, room in rooms.items()} == {
        tool.PICTURES: ["A = 3"],
        "locate": ["B = 4"],
        ".": ["C = 5"],
    }


def test_moved_rules_count_where_they_came_from(tool: ModuleType, tmp_path: Path) -> None:
    before = write(
        tmp_path / "before",
        locate__ocr='import re\n_SAME = 7\n_MOVED = 0.3\n_GONE = 5\n_X = re.compile("a+")\n'
        + FUNCTION.format(name="large"),
        text__fold="_SAME = 7\n",
    )
    now = write(
        tmp_path / "now",
        locate__ocr="_SAME = 8\n",
        text__fold='import re\n_SAME = 7\n_MOVED = 0.4\n_Y = re.compile("a+")\n' + FUNCTION.format(name="renamed"),
    )
    rows = compare(tool, before, now, tmp_path)
    goal = {row[1]: row for row in rows if row[0] == "goal"}
    assert goal["re.compile"][2:6] == ["1", "0", "+1", "1"]
    assert goal["named"][3:7] == ["3", "1", "+1", "2"]
    assert goal["lines"][2:6] == ["15", "1", "+9", "10"]
    assert " ".join(rows[-1]) == "moved: _MOVED = 0.3 (locate -> text: 0.4)"
    assert [row[0] for row in rows].count("moved:") == 1


def test_a_move_within_the_goal_changes_no_sum(tool: ModuleType, tmp_path: Path) -> None:
    before = write(tmp_path / "before", target__words="_A = 3\n", locate__ocr="")
    now = write(tmp_path / "now", locate__ocr="_A = 3\n")
    rows = {(row[0], row[1]): row for row in compare(tool, before, now, tmp_path)}
    assert rows["target", "named"][3:7] == ["1", "0", "+1", "1"]
    assert rows["locate", "named"][3:7] == ["0", "1", "-1", "0"]
    assert rows["goal", "named"][3:7] == ["1", "1", "+0", "1"]


def test_goal_is_reached_by_deleting(tool: ModuleType, tmp_path: Path) -> None:
    before = write(tmp_path / "before", locate__ocr="".join(f"_N{index} = {index}\n" for index in range(10)))
    most = {
        count: write(tmp_path / f"now{count}", locate__ocr="_N5 = 5\n_N6 = 6\n_N7 = 7\n"[: 8 * count])
        for count in (2, 3)
    }
    verdicts = {
        count: next(row for row in compare(tool, before, now, tmp_path) if row[:2] == ["goal", "named"])[-2:]
        for count, now in most.items()
    }
    assert verdicts == {2: ["2:", "reached"], 3: ["too", "many"]}


def test_the_command_compares_with_the_committed_baseline(tool: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    tool.main(["--baseline", str(BASELINE)])
    printed = capsys.readouterr().out
    assert "at most 66" in printed  # a fifth of the named numbers of the baseline
    assert tool.read_baseline(BASELINE).keys() >= {*tool.GOAL_ROOMS, tool.PICTURES}
