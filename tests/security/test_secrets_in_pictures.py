"""Tests that no picture of a run shows a readable secret, and that a run folder is private to its owner."""

from __future__ import annotations

import base64
import io
import json
import os
import re
import stat
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from handeye.devices import PhoneDevice
from handeye.geometry import Box
from handeye.ocr import CachedReader, PaddleReader
from handeye.plan import ActionName, StepPlan, TextTemplate
from handeye.report import RunRecorder, load_run, prepare_folder, save_run, write_html
from handeye.run import TaskResult, TaskRunner, Tools, default_planner
from handeye.run.composition import compose
from handeye.run.secret_frames import NOT_KEPT, ShownSecret
from handeye.screen import Screen
from handeye.target import Expectation, Target
from handeye.testing.fakes import FakeClock, FakeDevice, FakeFinder, FakePage, FakePlanner, FakeVerifier
from handeye.text import TextLine

SECRET = "Hunter2pass"
READER = CachedReader(PaddleReader())
OPENS_CHAT = (
    StepPlan(1, ActionName.LAUNCH_APP, params={"package": "com.tencent.mm"}),
    StepPlan(2, ActionName.TAP, target=Target(text="Alice"), expect=Expectation(changed=True)),
    StepPlan(3, ActionName.TAP, target=Target(role="input"), expect=Expectation(changed=True)),
)
TYPES = StepPlan(4, ActionName.INPUT_TEXT, params={"text": SECRET, "secret": True}, expect=Expectation(changed=True))
LOOKS = StepPlan(5, ActionName.CHECK, expect=Expectation(text="Alice"))
LEAVES = StepPlan(6, ActionName.GO_HOME)
OPENS_SETTINGS = StepPlan(7, ActionName.TAP, target=Target(text="设置"), expect=Expectation(changed=True))


def run(phone: PhoneDevice, recorder: RunRecorder | None, *steps: StepPlan) -> TaskResult:
    from handeye.perceive.uiautomator import UiAutomatorProvider

    tools = compose(default_planner().images("wechat"), READER, tree=UiAutomatorProvider(phone))
    planner = FakePlanner({"do it": steps})
    listen = {"listen": recorder} if recorder is not None else {}
    return TaskRunner(phone, planner=planner, tools=lambda plan: tools, **listen).run("do it")


def read(picture: Image.Image) -> str:
    return " ".join(line.text for line in READER.read(Screen(np.asarray(picture.convert("RGB")))))


def pictures_of(page: str) -> list[Image.Image]:
    data = re.findall(r"data:image/\w+;base64,([A-Za-z0-9+/=]+)", page)
    return [Image.open(io.BytesIO(base64.b64decode(each))) for each in data]


@pytest.mark.usefixtures("adb_port")
def test_no_picture_shows_a_typed_secret(tmp_path: Path) -> None:
    folder = prepare_folder(tmp_path / "run")
    with PhoneDevice() as phone:
        result = run(phone, RunRecorder(folder), *OPENS_CHAT, TYPES, LOOKS, LEAVES, OPENS_SETTINGS)
        assert [step.status.value for step in result.step_results].count("failed") == 0, result.error_message
        assert len(result.step_results) == 7
    frames = [Image.open(path) for path in sorted((folder / "screens").iterdir())]
    page = (folder / "report.html").read_text("utf-8")
    for picture in (*frames, *pictures_of(page)):
        assert "unter2" not in read(picture)
    kept = {step.number: (step.before, step.after) for step in load_run(folder).steps}
    assert kept[3] != (None, None)
    assert kept[5] == (None, None)
    assert kept[6][1] is not None, "the page has changed"
    assert kept[7][1] is not None
    notes = [step["notes"] for step in json.loads((folder / "result.json").read_text("utf-8"))["steps"]]
    assert NOT_KEPT in notes[4]
    assert NOT_KEPT not in notes[6]


@pytest.mark.wide
@pytest.mark.usefixtures("adb_port")
def test_results_in_memory_show_no_typed_secret(tmp_path: Path) -> None:
    with PhoneDevice() as phone:
        result = run(phone, None, *OPENS_CHAT, TYPES, LOOKS)
    for step in result.step_results:
        for frame in (step.screenshot_before, step.screenshot_after):
            assert frame is None or "unter2" not in " ".join(line.text for line in READER.read(frame))
    save_run(result, tmp_path / "saved")
    for picture in pictures_of(write_html(result, tmp_path / "page.html").read_text("utf-8")):
        assert "unter2" not in read(picture)


def drawn(*lines: str, top: int = 300) -> Screen:
    picture = Image.new("RGB", (720, 1280), "white")
    draw = ImageDraw.Draw(picture)
    for number, line in enumerate(lines):
        draw.text((60, top + 120 * number), line, "black", font_size=48)
    return Screen(np.asarray(picture))


def test_frame_is_kept_after_the_secret_disappears() -> None:
    before, after = drawn("Password", ""), drawn("Password", SECRET)
    secret = ShownSecret.typed(SECRET, before, after)
    assert secret.may_be_visible_on(after, READER)
    assert secret.may_be_visible_on(drawn("Password", SECRET, top=500), READER), "it has moved"
    assert secret.may_be_visible_on(drawn("Password", "Hunter2pa5s wrong", top=500), READER), "it is misread"
    assert secret.may_be_visible_on(drawn("Password", "Hunter2p", "ass", top=500), READER), "it is in two lines"
    assert not secret.may_be_visible_on(before, READER)
    assert not secret.may_be_visible_on(drawn("Settings", "Messages", "Account 12"), READER)


def test_partly_changed_place_may_still_show_secret() -> None:
    """With a reader that sees no text: the secret may be in a script that OCR does not support."""
    before, after = drawn("Password", ""), drawn("Password", SECRET, "Sign in")
    secret = ShownSecret.typed(SECRET, before, after)
    assert len(secret.places) == 2
    assert secret.may_be_visible_on(drawn("Password", SECRET, "Please wait"), BlindReader())
    assert not secret.may_be_visible_on(drawn("Welcome back, Alice", "Messages", "Contacts"), BlindReader())


def test_unfocused_field_may_still_show_the_secret() -> None:
    """The border of the field, which surrounds the text, changes its colour."""

    def page(text: str, border: str) -> Screen:
        picture = Image.fromarray(drawn("Password", text).pixels)
        ImageDraw.Draw(picture).rectangle((40, 400, 680, 500), outline=border, width=6)
        return Screen(np.asarray(picture))

    secret = ShownSecret.typed(SECRET, page("", "blue"), page(SECRET, "blue"))
    assert secret.may_be_visible_on(page(SECRET, "gray"), BlindReader())
    assert not secret.may_be_visible_on(page("", "gray"), BlindReader())


@pytest.mark.parametrize("hidden", [0.3, 0.9])
def test_partly_covered_secret_may_still_be_visible(hidden: float) -> None:
    secret = ShownSecret.typed(SECRET, drawn("Password", ""), drawn("Password", SECRET))
    picture = Image.fromarray(drawn("Password", SECRET).pixels)
    (place,) = secret.places
    right = round(place.left + hidden * place.width)
    ImageDraw.Draw(picture).rectangle((place.left - 5, place.top - 5, right, place.bottom + 5), fill="green")
    assert secret.may_be_visible_on(Screen(np.asarray(picture)), BlindReader()) is (hidden < 0.5)


@pytest.mark.parametrize(
    "shown", ["4-8-2-9-1-3", "4|8|2|9|1|3", "4 • 8 • 2 • 9 • 1 • 3", "４８２９１３", "482 913", "4829"]
)
def test_code_is_recognised_in_any_grouping(shown: str) -> None:
    assert ShownSecret("482913").may_be_visible_on(drawn(), OneLine(shown))
    assert not ShownSecret("482913").may_be_visible_on(drawn(), OneLine("Messages: 7 new"))


class OneLine:
    name = "one line"

    def __init__(self, text: str) -> None:
        self._text = text

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        return (TextLine(self._text, Box(0, 0, 50, 20), 0.9),)


def test_code_in_separate_digit_boxes_is_recognised() -> None:
    code = "482913"
    shown = Screen(np.asarray(code_boxes(code)))
    secret = ShownSecret.typed(code, drawn("Code", ""), drawn("Code", code))
    assert secret.may_be_visible_on(shown, READER)
    assert not secret.may_be_visible_on(Screen(np.asarray(code_boxes("705566"))), READER)


class BlindReader:
    name = "blind"

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        return ()


def code_boxes(code: str) -> Image.Image:
    picture = Image.new("RGB", (720, 1280), "white")
    draw = ImageDraw.Draw(picture)
    for number, digit in enumerate(code):
        left = 30 + 112 * number
        draw.rectangle((left, 700, left + 96, 820), outline="black", width=3)
        draw.text((left + 32, 725), digit, "black", font_size=56)
    return picture


def test_without_reader_no_frame_is_kept() -> None:
    secret = ShownSecret.typed(SECRET, drawn("Password", ""), drawn("Password", "•••"))
    assert secret.may_be_visible_on(drawn("Settings"), None)


class Code:
    """Reads a label and the code beside it, whatever the page shows."""

    name = "code"

    def read(self, screen: Screen) -> tuple[TextLine, ...]:
        return (TextLine("Code", Box(4, 20, 44, 30), 0.99), TextLine("482913", Box(60, 20, 90, 30), 0.99))


def test_frames_with_value_typed_as_secret_are_dropped(tmp_path: Path) -> None:
    device = FakeDevice({"home": FakePage({"Code": Box(4, 20, 44, 30)})}, start="home")
    steps = (
        StepPlan(1, ActionName.READ, target=Target(text="Code"), params={"save_as": "code"}, timeout=3000),
        StepPlan(2, ActionName.INPUT_TEXT, params={"secret": True}, late={"params.text": TextTemplate.parse("{code}")}),
    )
    tools = Tools(FakeFinder(device), FakeVerifier(device), reader=Code())
    folder = prepare_folder(tmp_path / "run")
    TaskRunner(
        device,
        planner=FakePlanner({"do it": steps}),
        tools=lambda plan: tools,
        clock=FakeClock(),
        listen=RunRecorder(folder),
    ).run("do it")
    reading = load_run(folder).steps[0]
    assert reading.value == "••••"
    assert (reading.before, reading.after) == (None, None)


@pytest.mark.skipif(sys.platform == "win32", reason="files have no modes here")
@pytest.mark.usefixtures("adb_port")
def test_run_folder_is_private(tmp_path: Path) -> None:
    old = os.umask(0o022)
    try:
        folder = prepare_folder(tmp_path / "runs" / "one")
        with PhoneDevice() as phone:
            run(phone, RunRecorder(folder), LEAVES)
        saved = save_run(load_run(folder), tmp_path / "saved")
    finally:
        os.umask(old)
    for root in (folder, saved):
        found = [root, *root.rglob("*")]
        assert len(found) > 2
        for path in found:
            assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
