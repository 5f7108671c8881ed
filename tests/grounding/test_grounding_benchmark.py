"""Tests of the grounding benchmark: from images and truth to a table, and the comparison of two runs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from grounding.answers import Answer
from grounding.figures import calibration_error, difference, figures, utility
from PIL import Image, ImageDraw, ImageFont

from grounding import answers as files
from grounding import command
from handeye.geometry import Box
from handeye.typeface import FONT_DIR, FONT_FILES

SAVE, CANCEL = Box(60, 40, 220, 100), Box(300, 40, 460, 100)


def page(folder: Path, name: str, questions: list[dict[str, object]]) -> None:
    """A picture with two buttons, and its questions."""
    folder.mkdir(exist_ok=True)
    image = Image.new("RGB", (520, 300), "white")
    pen = ImageDraw.Draw(image)
    font = ImageFont.truetype(FONT_DIR / FONT_FILES[0], 24)
    for box, words in ((SAVE, "Save"), (CANCEL, "Cancel")):
        pen.rectangle(box, "gainsboro", "gray")
        pen.text((box.left + 40, box.top + 14), words, "black", font)
    image.save(folder / f"{name}.png")
    scene = {"name": name, "group": "a library", "language": "en", "size": [520, 300], "questions": questions}
    (folder / f"{name}.json").write_text(json.dumps(scene))


def test_benchmark_writes_answers_and_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "made"
    page(folder, "one", [{"words": "Save", "kind": "label", "boxes": [SAVE]}])
    asked = [
        {"words": "Cancel", "kind": "label", "boxes": [SAVE]},  # a truth that is wrong on purpose
        {"words": "Delete account", "kind": "absent", "boxes": []},
    ]
    page(folder, "two", asked)
    words = ["--data", tmp_path, "--out", tmp_path, "--scenes", folder, "--sets", "made,windows_uia", "--failures"]
    assert command.main([*map(str, words)]) == 0
    verdicts = {each.words: each.verdict for each in files.read(tmp_path / "grounding" / "answers.jsonl")}
    assert verdicts == {"Save": "right", "Cancel": "wrong", "Delete account": "rightly refused"}
    table = (tmp_path / "grounding" / "table.md").read_text()
    assert f"windows_uia: {tmp_path / 'windows_uia'} is not there" in table
    assert "| made | pixels | all | 2 | 50.0 | 50.0 | 0.0 |" in table
    assert "0 of 1" in table
    assert (tmp_path / "grounding" / "failures" / "made-pixels.png").exists()
    assert table.splitlines()[2] in capsys.readouterr().out


def test_unknown_set_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="there is no set nothing"):
        command.main(["--data", str(tmp_path), "--out", str(tmp_path), "--sets", "nothing"])


def answer(number: int, verdict: str, confidence: float = 0.9, expected: str = "find") -> Answer:
    place = Box(0, 0, 10, 10)
    words = f"question {number}"
    about = ("a set", "pixels", "a group", f"screen {number % 20}", "label", "label", words, expected, verdict)
    return Answer(*about, confidence, place, (place,), "ocr", "", False, True)  # type: ignore[arg-type]


def test_utility_weighs_wrong_answers_and_false_finds() -> None:
    own = [answer(number, "right") for number in range(6)]
    own += [answer(6, "refused"), answer(7, "wrong"), answer(8, "rightly refused", expected="refuse")]
    assert figures(own).utility is not None
    assert utility(own).value == pytest.approx(100 * (6 - 4) / 8)
    own.append(answer(9, "wrong", expected="refuse"))
    assert utility(own).value == pytest.approx(100 * (6 - 8) / 8)
    row = figures(own)
    assert (row.there, row.right, row.wrong, row.refused, row.refusals, row.false_finds) == (8, 6, 1, 1, 2, 1)


def test_calibration_needs_enough_answers() -> None:
    half = [answer(number, "right" if number % 2 else "wrong", 0.9) for number in range(400)]
    assert calibration_error(half[1:]) is None
    assert calibration_error(half) == pytest.approx(40, abs=6)  # chance in bins of forty


def test_difference_of_runs_is_zero_or_positive(tmp_path: Path) -> None:
    before = [answer(number, "right" if number % 3 else "refused") for number in range(90)]
    after = [replace(each, verdict="right") for each in before]
    assert difference(before, before) == (0, 0, 0)
    change = difference(before, after)
    assert change.value == pytest.approx(100 / 3)
    assert change.low > 0
    files.write(tmp_path / "answers.jsonl", before)
    assert files.read(tmp_path / "answers.jsonl") == before
