"""Tests of docs/grounding-with-models.md: its example runs and its tables match the code."""

from __future__ import annotations

import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from handeye.models import UNCONFIRMED_MOST
from handeye.models.grounding.acceptance import CONFIRMED, DOUBTFUL_MOST, REFUSED, UNSTATED
from handeye.models.grounding.escalation import AUTO, PIECE, SURE, Sign

PAGE = (Path(__file__).parents[2] / "docs" / "grounding-with-models.md").read_text("utf-8")


def test_example_prints_documented_output() -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert blocks
    for block in blocks:
        out = StringIO()
        with redirect_stdout(out):
            exec(compile(block, "docs/grounding-with-models.md", "exec"), {})
        assert out.getvalue().splitlines() == re.findall(r"\)  # (.+)", block)


def test_documented_auto_table_matches_code() -> None:
    head = next(line for line in PAGE.splitlines() if line.startswith("| sign |"))
    wrappers = [cell.strip() for cell in head.strip("|").split("|")][1:]
    said: dict[str, set[Sign]] = {wrapper: set() for wrapper in wrappers}
    for line in PAGE.splitlines():
        if match := re.match(r"\| ([A-Z]+): ", line):
            cells = [cell.strip() for cell in line.strip().removesuffix("|").removeprefix("|").split("|")][1:]
            for wrapper, cell in zip(wrappers, cells, strict=True):
                if cell == "yes":
                    said[wrapper].add(Sign[match[1]])
    assert said == {wrapper: set(signs) for wrapper, signs in AUTO.items()}
    assert f"{PIECE} pixels" in PAGE
    assert f"less than {SURE} itself" in PAGE


def test_documented_confidences_match_code() -> None:
    table = PAGE.split("## How far an answer is believed")[1].split("## ")[0]
    for figure in (*CONFIRMED.values(), UNCONFIRMED_MOST, UNSTATED, DOUBTFUL_MOST, REFUSED):
        assert re.search(rf"\b{re.escape(str(figure))}\b", table), figure
