"""Tests of `handeye parse` and ScreenParser with the shipped models."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image, ImageDraw
from typer.testing import CliRunner

from handeye import Screen, ScreenParser
from handeye.cli.app import app
from handeye.geometry import Box

MAGNIFIER, PLUS = Box(60, 60, 92, 92), Box(200, 60, 232, 92)


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with a magnifier, a plus sign and a switch that is on."""
    image = Image.new("RGB", (640, 400), "white")
    pen = ImageDraw.Draw(image)
    pen.ellipse((62, 62, 82, 82), outline="black", width=3)
    pen.line((79, 79, 90, 90), fill="black", width=4)
    pen.line((216, 62, 216, 90), fill="black", width=4)
    pen.line((202, 76, 230, 76), fill="black", width=4)
    pen.rounded_rectangle((500, 200, 543, 225), 13, fill=(60, 200, 90))
    pen.ellipse((520, 202, 541, 223), fill="white")
    path = tmp_path_factory.mktemp("parse") / "页面.png"
    image.save(path)
    return path


def test_parse_command_lists_and_draws_controls(picture: Path, tmp_path: Path) -> None:
    drawn = tmp_path / "seen.png"
    answer = CliRunner().invoke(app, ["parse", str(picture), "--no-text", "--json", "--draw", str(drawn)])
    assert answer.exit_code == 0, answer.output
    told = json.loads(answer.stdout)
    assert told["size"] == [640, 400]
    assert [each["id"] for each in told["elements"]] == list(range(1, len(told["elements"]) + 1))
    switch = next(each for each in told["elements"] if each["role"] == "switch")
    assert Box(*switch["box"]).iou((500, 200, 544, 226)) > 0.8
    with Image.open(drawn) as shown:
        assert shown.size == (640, 400)


def test_parse_prints_table_and_never_overwrites_input(picture: Path) -> None:
    answer = CliRunner().invoke(app, ["parse", str(picture), "--no-text"])
    assert answer.exit_code == 0
    assert "switch" in answer.stdout
    assert CliRunner().invoke(app, ["parse", str(picture), "--draw", str(picture)]).exit_code == 2
    assert CliRunner().invoke(app, ["parse", str(picture.parent / "none.png")]).exit_code == 2


def test_icon_is_found_by_phrase_deterministically(picture: Path) -> None:
    screen, parser = Screen.open(picture), ScreenParser(reader=None)
    for phrase in ("the search icon", "搜索图标", "the magnifier icon"):
        found = parser.find(screen, phrase)
        assert found.element is not None, found.error
        assert MAGNIFIER.contains(found.element.center)
        assert found.method_used == "ranker"
    assert not parser.find(screen, "the trash can icon").success
    again = ScreenParser(reader=None).parse(Screen.open(picture))
    assert again.elements == parser.parse(screen).elements
