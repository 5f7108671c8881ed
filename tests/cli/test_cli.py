"""Tests of the command line: output, exit codes and JSON."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont
from typer.testing import CliRunner, Result

from handeye import __version__
from handeye.cli.app import app
from handeye.testing.adb import PrivateAdbServer
from handeye_phone.model import PhoneModel

VERBS = (
    "run",
    "devices",
    "connect",
    "screenshot",
    "locate",
    "ocr",
    "match",
    "tap",
    "plan",
    "verify",
    "flow",
    "report",
    "doctor",
    "demo",
    "version",
    "phone",
    "model",
    "runs",
    "apps",
)
GROUPS = ("phone", "model", "runs", "apps")


def handeye(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


@pytest.fixture
def launcher(tmp_path: Path) -> Path:
    path = tmp_path / "launcher.png"
    PhoneModel().frame().save(path)
    return path


def test_help_lists_every_command() -> None:
    answer = handeye("--help")
    assert answer.exit_code == 0
    for verb in VERBS:
        assert verb in answer.output


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb not in GROUPS])
def test_every_command_accepts_json_option(verb: str) -> None:
    assert "--json" in handeye(verb, "--help").output


def test_version_command_and_option_agree() -> None:
    assert handeye("version").output == handeye("--version").output == f"handeye {__version__}\n"
    assert json.loads(handeye("version", "--json").output) == {"version": __version__}


def test_locate_reports_point_of_text(launcher: Path, tmp_path: Path) -> None:
    drawn = tmp_path / "drawn.png"
    answer = handeye("locate", str(launcher), "设置", "--draw", str(drawn), "--json")
    assert answer.exit_code == 0, answer.output
    found = json.loads(answer.output)
    truth = re.search(r'text="设置"[^>]*bounds="\[(\d+),(\d+)\]\[(\d+),(\d+)\]"', PhoneModel().hierarchy())
    assert truth is not None
    left, top, right, bottom = map(int, truth.groups())
    assert left < found["point"][0] < right
    assert top < found["point"][1] < bottom
    with Image.open(drawn) as picture, Image.open(launcher) as original:
        assert picture.size == original.size
        assert picture.convert("RGB").tobytes() != original.convert("RGB").tobytes()


def test_locate_reports_text_not_found(launcher: Path) -> None:
    answer = handeye("locate", str(launcher), "量子计算机")
    assert answer.exit_code == 1
    assert "量子计算机" in answer.output
    assert "ocr" in answer.output


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("locate", "no-such.png", "x"), 2, "no-such.png"),
        (("locate", "README.md", "x"), 2, "README.md"),
        (("screenshot", "--device", "ftp://x"), 2, "ftp"),
        (("tap", "x", "--device", "linux::9999"), 3, ":9999"),
        (("report", "no-such-folder"), 2, "no-such-folder"),
        (("phone", "start", "--port", "5560"), 2, "5555"),
        (("phone", "start", "--port", "70000"), 2, "port"),
        (("phone", "start", "--scenario", "earthquake"), 2, "earthquake"),
        (("phone", "start", "--auth", "maybe"), 2, "auth"),
        (("phone", "scenario", "earthquake"), 2, "earthquake"),
        (("locate", "", "x"), 2, "image"),
        (("fly",), 2, "fly"),
    ],
)
def test_invalid_call_is_reported_with_its_cause(words: tuple[str, ...], code: int, said: str) -> None:
    answer = handeye(*words)
    assert answer.exit_code == code, answer.output
    assert said in answer.output
    assert "Traceback" not in answer.output


def test_json_error_is_one_document() -> None:
    answer = handeye("screenshot", "--device", "ftp://x", "--json")
    said = json.loads(answer.output)
    assert said["exit_code"] == answer.exit_code == 2
    assert said["kind"] == "UsageError"


def test_tap_on_image_device_fails(launcher: Path) -> None:
    answer = handeye("tap", "设置", "--device", f"image:{launcher}")
    assert answer.exit_code == 1
    assert "picture" in answer.output or "image" in answer.output


def test_ambiguous_text_lists_candidates_without_choosing(tmp_path: Path) -> None:
    page = Image.new("RGB", (800, 600), "white")
    pen = ImageDraw.Draw(page)
    font = ImageFont.truetype(str(Path("src/handeye/fonts/handeye-sans-sc.otf").resolve()), 40)
    pen.text((100, 100), "保存文件", "black", font)
    pen.text((100, 400), "保存文件", "black", font)
    path = tmp_path / "twins.png"
    page.save(path)
    answer = handeye("locate", str(path), "保存文件", "--json")
    assert answer.exit_code == 1
    found = json.loads(answer.output)
    assert found["box"] is None
    assert len(found["candidates"]) == 2


def test_phone_scenarios_are_listed() -> None:
    answer = handeye("phone", "scenario", "--json")
    assert {"calm", "permission", "advert", "dark", "drop-link"} <= set(json.loads(answer.output)["scenarios"])


@pytest.fixture
def empty_adb_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A private adb server: the shared one still lists the phones of earlier tests as offline."""
    with PrivateAdbServer() as server:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(server.port))
        yield


@pytest.mark.usefixtures("empty_adb_server")
def test_devices_and_doctor_work_without_phones() -> None:
    assert json.loads(handeye("devices", "--json").output) == {"devices": []}
    assert "handeye phone start" in handeye("devices").output
    answer = handeye("doctor", "--json")
    assert answer.exit_code == 0, answer.output
    found = {each["name"]: each for each in json.loads(answer.output)["findings"]}
    assert found["OCR models"]["ok"]
    assert found["adb server"]["ok"]


def test_doctor_lists_optional_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {each["name"]: each for each in json.loads(handeye("doctor", "--json").output)["findings"]}
    assert found["virtual phone"]["ok"]
    monkeypatch.setitem(sys.modules, "handeye_phone", None)
    answer = handeye("doctor")
    assert "- " in answer.output
    assert "pip install . ./packages/handeye-phone" in answer.output


def test_doctor_names_adb_path_when_adb_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADB_PATH", "/nowhere/adb")
    answer = handeye("doctor")
    assert answer.exit_code == 6
    assert "ADB_PATH" in answer.output
