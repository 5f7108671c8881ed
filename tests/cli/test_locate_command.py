"""Tests of `handeye locate`, `ocr` and `match`: text and JSON output, drawings, questions to the user, and errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont
from typer.testing import CliRunner, Result

from handeye import typeface
from handeye.cli.app import app
from handeye.commands import Context
from handeye.commands.annotate import CANDIDATE, FOUND, LABEL, Mark, annotated
from handeye.commands.locate import LocateParams, locate
from handeye.geometry import Box
from handeye.screen import Screen
from handeye.visible import shown
from handeye_phone.artwork import icon

BUTTONS = (Box(40, 200, 240, 260), Box(300, 200, 500, 260))
ICONS = (Box(60, 320, 124, 384), Box(360, 320, 424, 384))


def handeye(*words: object) -> Result:
    return CliRunner().invoke(app, list(map(str, words)))


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A title, a 保存 button, two 删除 buttons and two equal icons."""
    image = Image.new("RGB", (560, 420), (248, 248, 248))
    pen = ImageDraw.Draw(image)
    font = ImageFont.truetype(typeface.FONT_DIR / typeface.FONT_FILES[0], 28)
    pen.text((40, 40), "文件管理", font=font, fill=(20, 20, 20))
    pen.rounded_rectangle((40, 110, 240, 170), 8, fill=(40, 100, 220))
    pen.text((140, 140), "保存", font=font, fill=(255, 255, 255), anchor="mm")
    for box in BUTTONS:
        pen.rounded_rectangle(box, 8, outline=(120, 120, 120), width=2)
        pen.text(box.center, "删除", font=font, fill=(20, 20, 20), anchor="mm")
    picture = icon("camera", 64)
    for box in ICONS:
        image.paste(picture, box[:2], picture)
    path = tmp_path_factory.mktemp("page") / "page.png"
    image.save(path)
    return path


@pytest.fixture(scope="module")
def camera(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("reference") / "camera.png"
    icon("camera", 64).save(path)
    return path


def pixels(path: Path) -> np.ndarray:
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB"))


def has_colour(path: Path, colour: str) -> bool:
    wanted = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)])
    return bool((np.abs(pixels(path).astype(int) - wanted).max(axis=2) == 0).any())


def test_locate_explains_method_and_draws_found_boxes(page: Path, tmp_path: Path) -> None:
    drawn = tmp_path / "new folder" / "drawn.png"
    answer = handeye("locate", page, "保存", "--strategy", "OCR-first", "--draw", drawn, "--explain")
    assert answer.exit_code == 0, answer.output
    assert "保存" in answer.output
    assert "by ocr" in answer.output
    for words in ("strategy", "outcome", "on its button"):
        assert words in answer.output
    assert pixels(drawn).shape == pixels(page).shape
    assert has_colour(drawn, FOUND)
    assert has_colour(drawn, LABEL)


def test_locate_json_has_both_boxes_and_attempts(page: Path) -> None:
    answer = handeye("locate", page, "保存", "--strategy", "template,ocr", "--json")
    found = json.loads(answer.output)
    assert Box(*found["box"]).iou(Box(40, 110, 240, 170)) > 0.9
    left, top, right, bottom = found["label_box"]
    assert 40 < left < right < 240
    assert 110 < top < bottom < 170
    assert [each["strategy"] for each in found["attempts"]] == ["template", "ocr"]
    assert (found["text"], found["role"], found["method"]) == ("保存", "button", "ocr")


def test_ambiguous_matches_are_numbered_but_not_chosen(page: Path, tmp_path: Path) -> None:
    drawn = tmp_path / "drawn.png"
    answer = handeye("locate", page, "删除", "--strategy", "ocr", "--draw", drawn)
    assert answer.exit_code == 1
    assert "2 places" in answer.output
    assert "1: '删除' button" in answer.output
    assert "ambiguous" in answer.output
    assert has_colour(drawn, CANDIDATE)
    assert not has_colour(drawn, FOUND)


@pytest.mark.parametrize(("said", "code", "left"), [(1, 0, 40), (2, 0, 300), (None, 1, None)])
def test_user_chooses_candidate_from_numbered_picture(
    page: Path, tmp_path: Path, said: int | None, code: int, left: int | None
) -> None:
    asked: list[tuple[str, int]] = []
    heard: list[str] = []

    def choose(question: str, count: int) -> int | None:
        asked.append((question, count))
        return said

    drawn = tmp_path / "which.png"
    params = LocateParams(image=str(page), query="删除", strategy="ocr", draw=drawn)
    outcome = locate(params, Context(say=heard.append, choose=choose))
    assert [count for _question, count in asked] == [2]
    assert str(drawn) in heard[0]
    assert drawn.exists()
    assert outcome.exit_code == code
    box = outcome.data["box"]
    assert (box is None) if left is None else abs(box[0] - left) <= 3


def test_user_chooses_although_picture_cannot_be_written(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    heard: list[str] = []
    params = LocateParams(image=str(page), query="删除", strategy="ocr")
    outcome = locate(params, Context(say=heard.append, choose=lambda _question, _count: 1))
    assert outcome.exit_code == 0
    assert "cannot be written" in heard[0]
    assert "--draw" in heard[0]


def test_match_below_min_confidence_is_not_accepted(page: Path) -> None:
    answer = handeye("locate", page, "文件", "--strategy", "ocr", "--min-confidence", "0.8", "--json")
    assert answer.exit_code == 1
    assert json.loads(answer.output)["box"] is None


def test_ocr_returns_lines_with_bounding_boxes(page: Path, tmp_path: Path) -> None:
    drawn = tmp_path / "drawn.png"
    answer = handeye("ocr", page, "--draw", drawn, "--json")
    assert answer.exit_code == 0, answer.output
    read = json.loads(answer.output)
    assert read["size"] == [560, 420]
    lines = {line["text"]: line for line in read["lines"]}
    assert {"文件管理", "保存", "删除"} <= lines.keys()
    assert Box(*lines["文件管理"]["box"]).intersect(Box(40, 40, 160, 80))
    assert 0.5 < lines["保存"]["confidence"] <= 1
    assert not np.array_equal(pixels(drawn), pixels(page))


def test_ocr_reads_only_the_given_region(page: Path) -> None:
    answer = handeye("ocr", page, "--region", "0,100,280,180")
    assert answer.exit_code == 0, answer.output
    assert "保存" in answer.output
    assert "文件管理" not in answer.output


def test_match_finds_every_place_of_a_picture(page: Path, camera: Path, tmp_path: Path) -> None:
    drawn = tmp_path / "drawn.png"
    every = handeye("match", camera, page, "--all", "--json", "--draw", drawn)
    assert every.exit_code == 0, every.output
    found = json.loads(every.output)
    assert {max(ICONS, key=Box(*place["box"]).iou) for place in found["places"]} == set(ICONS)
    assert all({"score", "scale", "angle", "evidence"} <= place.keys() for place in found["places"])
    assert has_colour(drawn, FOUND)
    assert has_colour(drawn, CANDIDATE)
    one = handeye("match", camera, page)
    assert one.exit_code == 1
    assert "--all" in one.output


def test_match_of_absent_picture_fails(page: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.png"
    icon("wechat", 64).save(other)
    answer = handeye("match", other, page)
    assert answer.exit_code == 1
    assert "not on the picture" in answer.output


@pytest.fixture
def broken(tmp_path: Path) -> Callable[[str], Path]:
    def make(kind: str) -> Path:
        path = tmp_path / f"{kind}.png"
        if kind == "plain":
            Image.new("RGB", (40, 40), "white").save(path)
        else:
            path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 40)
        return path

    return make


def test_usage_errors_name_the_bad_value_or_choices(page: Path, broken: Callable[[str], Path]) -> None:
    corrupt = broken("corrupt")
    for words, code, said in (
        (("locate", page, "x", "--strategy", "magic"), 2, "ocr_first"),
        (("locate", page, "x", "--strategy", "ocr,magic"), 2, "accessibility"),
        (("locate", page, "x", "--strategy", ","), 2, "strategies"),
        (("locate", page, "x", "--min-confidence", "7"), 2, "min_confidence"),
        (("locate", page, "x", "--min-confidence", "nan"), 2, "finite number"),
        (("locate", corrupt, "x"), 2, "not a readable image"),
        (("ocr", corrupt), 2, "not a readable image"),
        (("ocr", page, "--reader", "eyes"), 2, "tesseract"),
        (("ocr", page, "--region", "1,2,3"), 2, "left,top,right,bottom"),
        (("ocr", page, "--region", "0,0,9000,10"), 2, "inside"),
        (("ocr", page, "--region", "9,9,9,9"), 2, "inside"),
        (("match", "no-such-picture", page), 2, "no-such-picture"),
        (("match", broken("plain"), page), 2, "plain"),
        (("match", corrupt, page), 2, "corrupt"),
    ):
        answer = handeye(*words)
        assert answer.exit_code == code, (words, answer.output)
        assert said in answer.output, (words, answer.output)
        assert "Traceback" not in answer.output


def test_draw_refuses_to_overwrite_input_picture(page: Path, camera: Path) -> None:
    before = page.read_bytes(), camera.read_bytes()
    for words in (
        ("match", camera, page, "--draw", page),
        ("match", camera, page, "--draw", camera),
        ("match", camera, f"image:{page}", "--draw", page),
        ("locate", page, "保存", "--draw", page),
        ("ocr", page, "--draw", page),
    ):
        answer = handeye(*words)
        assert answer.exit_code == 2, (words, answer.output)
        assert "another file" in answer.output
    assert (page.read_bytes(), camera.read_bytes()) == before


def test_failed_drawing_leaves_existing_file_unchanged(page: Path, tmp_path: Path) -> None:
    nameless = handeye("locate", page, "保存", "--draw", tmp_path / "out.xyz")
    assert nameless.exit_code == 2
    assert ".png" in nameless.output
    tall, old = tmp_path / "tall.png", tmp_path / "old.jpg"
    Image.new("RGB", (30, 66000), "white").save(tall)  # more than a JPEG holds
    Image.new("RGB", (8, 8), "red").save(old)
    before = old.read_bytes()
    answer = handeye("ocr", tall, "--draw", old)
    assert answer.exit_code == 2
    assert "no text was read" in answer.output, "the answer is not lost"
    assert "cannot be written" in answer.output
    assert old.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["old.jpg", "tall.png"]


def test_result_is_printed_when_drawing_fails(page: Path, camera: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    nowhere = tmp_path / "file" / "drawn.png"
    located = CliRunner().invoke(
        app, ["locate", str(page), "保存", "--strategy", "ocr", "--json", "--draw", str(nowhere)]
    )
    matched = CliRunner().invoke(app, ["match", str(camera), str(page), "--all", "--json", "--draw", str(nowhere)])
    for answer in (located, matched):
        assert answer.exit_code == 2
        assert json.loads(answer.stdout)["success"] is True
        assert "cannot be written" in answer.stderr


@pytest.mark.parametrize("query", ["dynamic:the green button", "dynamic:" + "绿" * 100_000])
def test_dynamic_query_without_model_is_not_reported_absent(page: Path, query: str) -> None:
    answer = handeye("locate", page, query)
    assert answer.exit_code == 6
    assert "nobody could look" in answer.output
    assert "not found" not in answer.output
    assert "LLM_PROVIDER" in answer.output
    assert len(answer.output) < 10_000


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("\x1b]0;owned\x07 保存", "\\x1b]0;owned\\x07 保存"),
        ("a\u202eb\nc", "a\\u202eb\\nc"),
        ("👨‍👩‍👧 é ﷽", "👨‍👩‍👧 é ﷽"),
        ("[red]x[/]", "[red]x[/]"),
        ("\udcff", "\\udcff"),
    ],
)
def test_shown_text_escapes_control_characters(text: str, seen: str) -> None:
    assert shown(text) == seen


def test_query_is_printed_without_control_characters(page: Path) -> None:
    answer = handeye("locate", page, "no\x1b[31msuch[/red]", "--strategy", "template")
    assert "\x1b" not in answer.output
    assert "such[/red]" in answer.output


@pytest.mark.parametrize("size", [(1, 1), (30, 2), (2, 300), (4000, 60)])
def test_frame_of_any_size_can_be_annotated(size: tuple[int, int]) -> None:
    screen = Screen.from_image(Image.new("RGB", size))
    marks = [Mark(Box(-5, -5, 20, 20), FOUND, 1, aim=True), Mark(Box(0, 0, 9000, 9000), LABEL, 12, thin=True)]
    assert annotated(screen, marks, [(None, "a" * 200), (FOUND, "\x1b一")]).size == size
