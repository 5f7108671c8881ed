"""Tests of the NOTICE of the parser's models: every icon set used for training, with its copyright line."""

from __future__ import annotations

import csv
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
NOTICE = "src/handeye/parse/weights/NOTICE"
# These licences ask for their copyright lines.
WITH_LINES = frozenset({"MIT", "ISC", "BSD-3-Clause"})


def test_every_icon_set_has_its_copyright_line() -> None:
    text = (ROOT / NOTICE).read_text("utf-8")
    lines = {
        name.strip(): line
        for names, line in re.findall(r"^  ([\w, -]+): (.*(?:Copyright|metadata names).*)$", text, re.MULTILINE)
        for name in names.split(",")
    }
    with (ROOT / "training/icons/sets.csv").open(encoding="utf-8", newline="") as file:
        learned = [row for row in csv.DictReader(file) if row["use"] != "held out"]
    assert len(learned) > 100
    listed = set(re.findall(r"[\w-]+", text))
    assert [row["set"] for row in learned if row["set"] not in listed] == []
    assert [row["set"] for row in learned if row["licence"] in WITH_LINES and row["set"] not in lines] == []


def test_notices_are_in_the_installed_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    notices = {str(path.relative_to(ROOT)) for path in (ROOT / "src").rglob("NOTICE")}
    assert notices <= set(project["license-files"])
    assert NOTICE in notices
